"""Hosts that can do what flavor or image ask for in so many words, such as a TPM or secure boot."""

from collections.abc import Callable

from graphplace.errors import BadRequestError
from graphplace.scheduler.filters.contract import FilterContext
from graphplace.scheduler.request_spec import RequestSpec
from graphplace.scheduler.wishes import is_wished, of_flavor, of_image, wish

# By extra spec, and by the property of an image that is called alike, the trait for each value; None: no trait.
VALUES: dict[str, dict[str, str | None]] = {
    "os:secure_boot": {"required": "COMPUTE_SECURITY_UEFI_SECURE_BOOT", "disabled": None, "optional": None},
    "hw:maxphysaddr_mode": {
        "passthrough": "COMPUTE_ADDRESS_SPACE_PASSTHROUGH",
        "emulate": "COMPUTE_ADDRESS_SPACE_EMULATED",
    },
    "hw:pci_numa_affinity_policy": {
        "socket": "COMPUTE_SOCKET_PCI_NUMA_AFFINITY",
        "required": None,
        "preferred": None,
        "legacy": None,
    },
}
TPM_VERSIONS = {"1.2": "COMPUTE_SECURITY_TPM_1_2", "2.0": "COMPUTE_SECURITY_TPM_2_0"}
TPM_TIS, TPM_CRB = "tpm-tis", "tpm-crb"
TPM_MODELS = {TPM_TIS: "COMPUTE_SECURITY_TPM_TIS", TPM_CRB: "COMPUTE_SECURITY_TPM_CRB"}
TPM_SECRETS = {
    "user": "COMPUTE_SECURITY_TPM_SECRET_SECURITY_USER",
    "host": "COMPUTE_SECURITY_TPM_SECRET_SECURITY_HOST",
    "deployment": "COMPUTE_SECURITY_TPM_SECRET_SECURITY_DEPLOYMENT",
}
ENCRYPTION = "COMPUTE_EPHEMERAL_ENCRYPTION"
ENCRYPTION_FORMATS = ("plain", "luks", "luksv2")


def require_capabilities(_context: FilterContext, spec: RequestSpec) -> tuple[RequestSpec, str]:
    """Require of the root provider the traits that stand for what flavor and image ask for.

    Raises BadRequestError where the two contradict each other, and for values that are not known.
    """
    traits = {trait for source in SOURCES for trait in source(spec)}
    if not traits:
        return spec, ""
    return spec.with_required_traits(traits), f"Hosts can do what is asked for: {', '.join(sorted(traits))}."


def _values(spec: RequestSpec) -> list[str]:
    found = {key: wish(spec, key, list(traits)) for key, traits in VALUES.items()}
    return [trait for key, value in found.items() if value is not None and (trait := VALUES[key][value])]


def _tpm(spec: RequestSpec) -> list[str]:
    version = wish(spec, "hw:tpm_version", list(TPM_VERSIONS))
    if version is None:
        return []
    model = wish(spec, "hw:tpm_model", list(TPM_MODELS)) or TPM_TIS
    if model == TPM_CRB and version != "2.0":
        raise BadRequestError(f"hw:tpm_model={TPM_CRB} needs hw:tpm_version=2.0. Got: {version}")
    # Hosts that are older than this trait can do the rest, so nobody is taken to mean it who does not say it.
    secrets = of_flavor(spec, "hw:tpm_secret_security")
    if secrets is not None and secrets not in TPM_SECRETS:
        raise BadRequestError(f"hw:tpm_secret_security must be one of {', '.join(TPM_SECRETS)}. Got: {secrets!r}")
    return [TPM_VERSIONS[version], TPM_MODELS[model], *([TPM_SECRETS[secrets]] if secrets else [])]


def _encryption(spec: RequestSpec) -> list[str]:
    if not is_wished(spec, "hw:ephemeral_encryption"):
        return []
    form = wish(spec, "hw:ephemeral_encryption_format", ENCRYPTION_FORMATS)
    return [ENCRYPTION, *([f"{ENCRYPTION}_{form.upper()}"] if form else [])]


def _devices(spec: RequestSpec) -> list[str]:
    # Of sound there is a choice of models that all hosts have.
    return [
        *(["COMPUTE_NET_VIRTIO_PACKED"] if is_wished(spec, "hw:virtio_packed_ring") else []),
        *(["COMPUTE_SOUND_MODEL_VIRTIO"] if wish(spec, "hw:sound_model") == "virtio" else []),
    ]


def _firmware(spec: RequestSpec) -> list[str]:
    """Without UEFI there is no such thing, and the property says nothing."""
    stateless = of_image(spec, "hw:firmware_type") == "uefi" and is_wished(spec, "hw:firmware_stateless")
    return ["COMPUTE_SECURITY_STATELESS_FIRMWARE"] if stateless else []


SOURCES: tuple[Callable[[RequestSpec], list[str]], ...] = (_values, _tpm, _encryption, _devices, _firmware)
