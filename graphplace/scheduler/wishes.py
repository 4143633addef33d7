"""What flavor and image say of the same thing: ``hw:cpu_policy`` of a flavor is ``hw_cpu_policy`` of an image."""

from collections.abc import Sequence

from graphplace.errors import BadRequestError
from graphplace.scheduler.request_spec import RequestSpec

TRUE, FALSE = ("1", "t", "true", "on", "y", "yes"), ("0", "f", "false", "off", "n", "no")


def of_flavor(spec: RequestSpec, key: str) -> str | None:
    """Return the extra spec *key*, such as ``hw:cpu_policy``; None if there is none."""
    return spec.flavor.extra_specs.get(key)


def of_image(spec: RequestSpec, key: str) -> str | None:
    """Return the property of the image that is called as the extra spec *key*, with ``_`` for the colon."""
    return spec.image.properties.get(key.replace(":", "_", 1)) if spec.image else None


def wish(spec: RequestSpec, key: str, accepted: Sequence[str] = ()) -> str | None:
    """Return what flavor or image say of *key*, None if neither does.

    Raises BadRequestError when they differ, and for what is not *accepted*, if that says anything.
    """
    flavor, image = of_flavor(spec, key), of_image(spec, key)
    if flavor is not None and image is not None and flavor != image:
        raise conflict(key, flavor, image)
    found = flavor if flavor is not None else image
    if found is not None and accepted and found not in accepted:
        raise BadRequestError(f"{key} must be one of {', '.join(accepted)}. Got: {found!r}")
    return found


def is_wished(spec: RequestSpec, key: str) -> bool:
    """Tell whether flavor or image say yes to *key*. Raises BadRequestError when they differ, or say neither."""
    answers = [_truth(key, text) for text in (of_flavor(spec, key), of_image(spec, key)) if text is not None]
    if len(set(answers)) > 1:
        raise conflict(key, str(of_flavor(spec, key)), str(of_image(spec, key)))
    return any(answers)


def conflict(key: str, flavor: str, image: str) -> BadRequestError:
    """Return the error that says that the two contradict each other."""
    return BadRequestError(
        f"The flavor says {key}={flavor}, the image {key.replace(':', '_', 1)}={image}: they must agree."
    )


def _truth(key: str, text: str) -> bool:
    if (word := text.strip().lower()) not in (*TRUE, *FALSE):
        raise BadRequestError(f"{key} must be true or false. Got: {text!r}")
    return word in TRUE
