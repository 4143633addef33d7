"""Processors of their own: how many of an instance's are dedicated, by ``hw:cpu_policy`` and what goes with it."""

from graphplace.cpus import read_cpu_list
from graphplace.errors import BadRequestError
from graphplace.scheduler.extra_specs import Asked
from graphplace.scheduler.request_spec import RequestSpec
from graphplace.scheduler.wishes import conflict, is_wished, of_flavor, of_image, wish

POLICY, THREAD_POLICY = "hw:cpu_policy", "hw:cpu_thread_policy"
EMULATOR_POLICY = "hw:emulator_threads_policy"
DEDICATED_MASK, REALTIME_MASK = "hw:cpu_dedicated_mask", "hw:cpu_realtime_mask"
SHARED, MIXED, DEDICATED = "shared", "mixed", "dedicated"
# From the least exclusive to the most: an image may ask for less than the flavor gives, not for more.
POLICIES = (SHARED, MIXED, DEDICATED)
PREFER, ISOLATE, REQUIRE, SHARE = "prefer", "isolate", "require", "share"


def ask_for_processors(spec: RequestSpec, asked: Asked) -> None:
    """Add to *asked* what the policies of *spec* translate to: PCPU, VCPU beside it, and hyperthreading.

    Without a policy nothing is added. Raises BadRequestError for policies that flavor and image contradict each other
    in, that are not known, or that the flavor's ``resources`` say in another way as well.
    """
    policy = _policy(spec)
    dedicated = {DEDICATED: lambda: spec.flavor.vcpus, MIXED: lambda: len(_dedicated(spec))}
    if policy in dedicated:
        if double := sorted({"VCPU", "PCPU"} & asked.resources.keys()):
            raise BadRequestError(f"{POLICY}={policy} says how many CPUs there are, and so does resources:{double[0]}.")
        amount = dedicated[policy]()
        if policy == MIXED:
            asked.resources["VCPU"] = spec.flavor.vcpus - amount
        asked.resources["PCPU"] = amount + (wish(spec, EMULATOR_POLICY, (SHARE, ISOLATE)) == ISOLATE)
    threads = _thread_policy(spec)
    if threads == REQUIRE:
        asked.required.add("HW_CPU_HYPERTHREADING")
    elif threads == ISOLATE:
        asked.forbidden.add("HW_CPU_HYPERTHREADING")


def _policy(spec: RequestSpec) -> str | None:
    flavor, image = of_flavor(spec, POLICY), of_image(spec, POLICY)
    for policy in filter(None, (flavor, image)):
        if policy not in POLICIES:
            raise BadRequestError(f"{POLICY} must be one of {', '.join(POLICIES)}. Got: {policy!r}")
    if flavor and image and POLICIES.index(image) > POLICIES.index(flavor):
        raise conflict(POLICY, flavor, image)
    return flavor or image


def _thread_policy(spec: RequestSpec) -> str | None:
    image = of_image(spec, THREAD_POLICY)
    if of_flavor(spec, THREAD_POLICY) == PREFER and image in (ISOLATE, REQUIRE):
        return image
    return wish(spec, THREAD_POLICY, (PREFER, ISOLATE, REQUIRE))


def _dedicated(spec: RequestSpec) -> frozenset[int]:
    """Return the processors of a mixed instance, from 0 up, that are dedicated."""
    mask = of_flavor(spec, DEDICATED_MASK)
    if not mask and is_wished(spec, "hw:cpu_realtime"):
        mask = of_image(spec, REALTIME_MASK) or of_flavor(spec, REALTIME_MASK)
    if not mask:
        raise BadRequestError(f"{POLICY}={MIXED} needs {DEDICATED_MASK}, or hw:cpu_realtime with {REALTIME_MASK}.")
    everything = frozenset(range(spec.flavor.vcpus))
    parts = [part.strip() for part in mask.split(",")]
    excluded = read_cpu_list(",".join(part.removeprefix("^") for part in parts if part.startswith("^")))
    listed = read_cpu_list(",".join(part for part in parts if not part.startswith("^")))
    found = (everything if mask.strip().startswith("^") else listed) - excluded
    if not found < everything or not found:
        raise BadRequestError(
            f"The mask {mask!r} must leave some of the processors 0-{spec.flavor.vcpus - 1}, not all, and no others."
        )
    return found
