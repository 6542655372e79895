"""Gunicorn's settings: python -m gunicorn -c python:wizard_site.gunicorn (wizard_site.serve does it).

`make bench` compares with a bare view on this same configuration.
"""

import os
from typing import Any

from wizard_site.logs import ScrubLinks

wsgi_app = "wizard_site.wsgi:application"
bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8000'}"

# Threads, because a slow phone or a write waiting for its turn must not stop the others; each keeps one connection to
# the database, so there are workers x threads of them.
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY") or 2)
threads = int(os.environ.get("WEB_THREADS") or 4)

# The application is loaded once, before the workers: an error in it stops the start with one message, and they share
# its memory. A new release needs a restart, not a reload.
preload_app = True

timeout = 30
graceful_timeout = 5
keepalive = 5
# The workers' signs of life go to a file; on a busy disk writing it can block for longer than `timeout`.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  (gunicorn makes a private file)

# One switch decides whether a proxy is believed: TRUST_PROXY, read by settings.py.
forwarded_allow_ips = ""
control_socket_disable = True

# Addresses of people and the pages they open are not recorded unless asked for.
accesslog = os.environ.get("ACCESS_LOG") or None
errorlog = "-"
loglevel = (os.environ.get("GUNICORN_LOG_LEVEL") or "warning").lower()


def on_starting(server: Any) -> None:
    """Scrub the secrets of links from gunicorn's own logs too."""
    for logger in (server.log.error_log, server.log.access_log):
        for handler in logger.handlers:
            handler.addFilter(ScrubLinks())


def on_exit(server: Any) -> None:
    """Stop the worker with the server, if `wizard_site.serve` has started one."""
    from wizard_site import worker

    if keeper := os.environ.get(worker.KEEPER):
        worker.stop(int(keeper))


def pre_fork(server: Any, worker: Any) -> None:
    """Close what loading the application may have opened: a connection must not be shared by two processes."""
    from django.db import connections

    connections.close_all()
