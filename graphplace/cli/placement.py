"""How commands reach a running Placement, and what those that move a cloud have in common."""

import os
from collections.abc import Mapping
from typing import Any

import click

from graphplace.errors import SettingsError
from graphplace.moving import Verified

API_SCHEMES = ("http://", "https://")
NEEDED = "Install graphplace[import] for this."
MOST_CONNECTIONS = 64
RETRIES = 4
RETRIED = [502, 503, 504]
# So many of a list are shown.
SHOWN = 20

connections_option = click.option(
    "--connections",
    default=8,
    show_default=True,
    type=click.IntRange(1, MOST_CONNECTIONS),
    help="Requests to Placement at a time.",
)
verify_option = click.option(
    "--verify",
    "samples",
    default=100,
    show_default=True,
    type=click.IntRange(0),
    metavar="N",
    help="Compare N trees at the end, beside the counts.",
)


def session_for(url: str) -> Any:
    """Return a keystoneauth1 Adapter for the Placement at *url*, which tries again where nobody answers.

    ``OS_AUTH_TYPE`` and the options of that type, such as ``OS_AUTH_URL`` and ``OS_USERNAME``, say who asks; without it
    a password does, or the token ``OS_TOKEN`` where there is no ``OS_AUTH_URL``. ``OS_CACERT``, ``OS_CERT``, ``OS_KEY``
    and ``OS_INSECURE`` are about TLS. Raises SettingsError for what is missing or unknown.
    """
    try:
        from keystoneauth1 import adapter, exceptions, loading, session  # noqa: PLC0415  # of an extra
        from requests import Session  # noqa: PLC0415  # of an extra
    except ModuleNotFoundError as error:
        raise SettingsError(NEEDED) from error
    options = {name.removeprefix("OS_").lower(): value for name, value in os.environ.items() if name.startswith("OS_")}
    without_type = "password" if "auth_url" in options else "admin_token" if "token" in options else "none"
    kind = options.get("auth_type", without_type)
    try:
        loader: Any = loading.get_plugin_loader(kind)
        # Who has no catalog has to be told where the service is.
        auth = loader.load_from_options_getter(lambda option: ({"endpoint": url} | options).get(option.dest))
    except exceptions.ClientException as error:
        raise SettingsError(f"OS_AUTH_TYPE={kind}: {error}") from error
    certificate, key = options.get("cert"), options.get("key")
    connections = Session()
    for scheme in API_SCHEMES:
        connections.mount(scheme, session.TCPKeepAliveAdapter(pool_maxsize=MOST_CONNECTIONS))
    return adapter.Adapter(
        session.Session(
            auth,
            verify=options.get("insecure", "").lower() not in ("1", "true", "yes") and options.get("cacert", True),
            cert=(certificate, key) if certificate and key else certificate,
            session=connections,
        ),
        service_type="placement",
        endpoint_override=url.rstrip("/"),
        raise_exc=False,
        connect_retries=RETRIES,
        status_code_retries=RETRIES,
        retriable_status_codes=RETRIED,
    )


def conclude(verified: Verified, further: Mapping[str, list[str]]) -> None:
    """Print what was found *further*, by title, and how *verified* it is; exit with status 1 if there is anything.

    Raises click's Exit.
    """
    found = {**further, "Differences": verified.differences}
    for title, phrases in found.items():
        if phrases:
            click.echo(f"{title}: {len(phrases)}")
        for phrase in phrases[:SHOWN]:
            click.echo(f"  {phrase}")
        if len(phrases) > SHOWN:
            click.echo(f"  ... and {len(phrases) - SHOWN} more")
    if any(found.values()):
        raise click.exceptions.Exit(1)
    click.echo(f"Verified: the counts are the same, and so are {verified.trees} trees.")
