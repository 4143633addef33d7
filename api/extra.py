"""The way to what the extra ``keystone`` brings. Without it the API works, with ``noauth2`` and its one rule."""

from importlib import import_module
from types import ModuleType

from graphplace.errors import SettingsError


def openstack(wanted: str) -> ModuleType:
    """Return the module that uses OpenStack's libraries. Raises SettingsError, naming *wanted*, without them."""
    try:
        return import_module("graphplace.api.openstack")
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"For {wanted} graphplace needs the extra 'keystone': pip install 'graphplace[keystone]' ({error})."
        ) from error
