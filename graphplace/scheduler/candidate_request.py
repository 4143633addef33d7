"""From a RequestSpec to what is asked of GET /allocation_candidates: the words of flavors become those of Placement.

What is translated, and how, is what Nova documents of its flavors' extra specs; docs/scheduler.md lists it.
"""

from collections import Counter
from dataclasses import replace

from graphplace.errors import BadRequestError
from graphplace.request.checks import check
from graphplace.request.model import CandidateRequest, GroupPolicy, RequestGroup, SameSubtree
from graphplace.request.syntax import EXTENDED, NEWEST
from graphplace.scheduler.extra_specs import Asked, read_groups
from graphplace.scheduler.pinning import ask_for_processors
from graphplace.scheduler.request_spec import RequestSpec
from graphplace.scheduler.wishes import is_wished, wish

# The trait of a provider of MEM_ENCRYPTION_CONTEXT, by hw:mem_encryption_model; the first is meant where there is none.
MEMORY_ENCRYPTION = {
    "amd-sev": "HW_CPU_X86_AMD_SEV",
    "amd-sev-es": "HW_CPU_X86_AMD_SEV_ES",
    "amd-sev-snp": "HW_CPU_X86_AMD_SEV_SNP",
}
MIB_PER_GIB = 1024
# What is understood of a request that says of the root where it is to be.
OF_ROOTS = replace(EXTENDED, policy_optional=False)


def to_candidates(spec: RequestSpec, *, in_tree: str | None = None, limit: int | None = None) -> CandidateRequest:
    """Return the request for candidates that *spec* stands for, at most *limit* of them.

    *in_tree* is the uuid of the root provider of the host that *spec* names, if it names one. The request is one of
    Placement's newest version. Only when all resources are in groups with a suffix, so that the unsuffixed one cannot
    say where the host is to be, does it need graphplace's extension to say that of the root.

    Raises BadRequestError for what makes no sense, in the flavor, in the image or together.
    """
    groups = read_groups(spec.flavor.extra_specs)
    suffixed = [asked.group(suffix) for suffix, asked in groups.items() if suffix and asked]
    host = replace(
        _unsuffixed(spec, groups).group(""),
        member_of=spec.requested_destination.aggregates,
        forbidden_aggregates=spec.requested_destination.forbidden_aggregates,
        in_tree=in_tree,
    )
    outside = spec.requested_resources
    if taken := sorted({group.suffix for group in suffixed} & {group.suffix for group in outside}):
        raise BadRequestError(f"Another request group than the flavor's has the suffix {taken[0]} as well.")
    request = CandidateRequest(
        groups=(host, *suffixed, *outside),
        group_policy=_group_policy(spec, flavor=len(suffixed), outside=len(outside)),
        same_subtrees=tuple(SameSubtree(suffixes) for suffixes in (*_same_subtrees(spec), *spec.same_subtree)),
        root_required=spec.root_required,
        root_forbidden=spec.root_forbidden,
        limit=limit,
    )
    if host.resources:
        check(request, NEWEST)
        return request
    request = _with_root(request, host)
    check(request, OF_ROOTS)
    return request


def required_traits(spec: RequestSpec) -> frozenset[str]:
    """Return all traits that *spec* requires, of whichever provider. Raises BadRequestError as above."""
    request = to_candidates(spec)
    return request.root_required.union(*(traits for group in request.groups for traits in group.required))


def _unsuffixed(spec: RequestSpec, groups: dict[str, Asked]) -> Asked:
    """Return what no group of its own is for. A field of the flavor counts where none of its extra specs says it."""
    flavor = spec.flavor
    asked = groups.get("", Asked())
    if spec.image:
        asked.required |= spec.image.required_traits()
    ask_for_processors(spec, asked)
    said = set(asked.resources).union(*(each.resources for each in groups.values()))
    swap = -(-flavor.swap // MIB_PER_GIB)
    disk = flavor.ephemeral_gb + swap + (0 if spec.is_bfv else flavor.root_gb)
    if not said & {"VCPU", "PCPU"}:
        asked.resources["VCPU"] = flavor.vcpus
    for name, amount in (("MEMORY_MB", flavor.memory_mb), ("DISK_GB", disk)):
        if name not in said:
            asked.resources[name] = amount
    _ask_for_memory(spec, asked)
    return asked


def _ask_for_memory(spec: RequestSpec, asked: Asked) -> None:
    """Add persistent memory to *asked*, and what memory that is encrypted takes."""
    labels = (label.strip() for label in spec.flavor.extra_specs.get("hw:pmem", "").split(","))
    for label, number in Counter(filter(None, labels)).items():
        name = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in label.upper())
        asked.resources[f"CUSTOM_PMEM_NAMESPACE_{name}"] = number
    if is_wished(spec, "hw:mem_encryption"):
        model = wish(spec, "hw:mem_encryption_model", list(MEMORY_ENCRYPTION)) or next(iter(MEMORY_ENCRYPTION))
        asked.resources["MEM_ENCRYPTION_CONTEXT"] = 1
        asked.required.add(MEMORY_ENCRYPTION[model])


def _group_policy(spec: RequestSpec, *, flavor: int, outside: int) -> GroupPolicy | None:
    """Return the policy that the flavor names. One with a single group cannot know that ports bring others."""
    policy = spec.flavor.extra_specs.get("group_policy")
    match policy:
        case "none" | "isolate":
            return policy
        case None:
            return "none" if flavor <= 1 < flavor + outside else None
    raise BadRequestError(f"group_policy must be none or isolate. Got: {policy!r}")


def _same_subtrees(spec: RequestSpec) -> list[tuple[str, ...]]:
    """Return the lists of suffixes in the extra spec ``same_subtree``: ``_A,_B``, several with ``;`` between them."""
    lists = spec.flavor.extra_specs.get("same_subtree", "").split(";")
    return [tuple(suffix.strip() for suffix in each.split(",")) for each in lists if each.strip()]


def _with_root(request: CandidateRequest, host: RequestGroup) -> CandidateRequest:
    """Return *request* with all that *host*, a group without resources, says of a provider said of the root instead."""
    return replace(
        request,
        groups=tuple(replace(group, in_tree=group.in_tree or host.in_tree) for group in request.groups[1:]),
        root_required=request.root_required.union(*host.required),
        root_forbidden=request.root_forbidden | host.forbidden,
        root_member_of=host.member_of,
        root_forbidden_aggregates=host.forbidden_aggregates,
    )
