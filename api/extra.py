"""The way to what the extra ``keystone`` brings. Without it the API works, with ``noauth2`` and its one rule."""

from types import ModuleType

from graphplace.errors import SettingsError


def openstack(wanted: str) -> ModuleType:
    """Return the module that uses OpenStack's libraries. Raises SettingsError, naming *wanted*, without them."""
    try:
        from graphplace.api import openstack as found  # noqa: PLC0415  # only now is it needed
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"For {wanted} graphplace needs the extra 'keystone': pip install 'graphplace[keystone]' ({error})."
        ) from error
    return found
