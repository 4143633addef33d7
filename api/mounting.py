"""Where the API is found: at the path it is mounted at, behind a proxy, from pages of other origins."""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from graphplace.api.extra import openstack
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.middleware.proxy_fix import ProxyFix

from graphplace.settings import Settings


def mount(application: WSGIApplication, settings: Settings) -> WSGIApplication:
    """Return *application* as *settings* want it reached. Raises SettingsError.

    One proxy is believed, so a client that sends such headers through it deceives nobody.
    """
    application = _rooted(application)
    if settings.cors_allowed_origin:
        application = openstack("CORS").cross_origin(application, settings)
    if prefix := settings.path_prefix.strip("/"):
        application = DispatcherMiddleware(application, {f"/{prefix}": application})
    if settings.proxy_headers:
        application = ProxyFix(application, x_for=1, x_proto=1, x_host=1, x_port=1, x_prefix=1)
    return application


def _rooted(application: WSGIApplication) -> WSGIApplication:
    """Return *application* with its root where it is mounted, without the slash behind that too."""

    def rooted(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["PATH_INFO"] = environ.get("PATH_INFO") or "/"
        return application(environ, start_response)

    return rooted
