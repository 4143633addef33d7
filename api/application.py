"""The application as the attribute that uwsgi, mod_wsgi and other WSGI servers look for in a module.

A server that loads it once and forks afterwards must be told not to (``lazy-apps`` for uwsgi): see
:func:`graphplace.api.wsgi.create`.
"""

from graphplace.api.wsgi import create

application = create()
