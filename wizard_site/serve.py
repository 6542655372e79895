"""Serve the site with the production server: python -m wizard_site.serve [--migrate]

HOST (127.0.0.1) and PORT (8000) say where to listen. On a machine where nothing has been set up it needs no other
variable; 0.0.0.0 as HOST opens the site to the devices in the same network. WORKER=off leaves the worker out that does
the background work.
"""

import ipaddress
import os
import socket
import sys
from collections.abc import Iterable, Sequence

from django.core.exceptions import ImproperlyConfigured

from wizard_site import environment, local, worker

EVERYWHERE = {"0.0.0.0", "::", "[::]"}


def main(arguments: Sequence[str]) -> None:
    """Check what would fail later, print where to open the site, start the worker, and become gunicorn."""
    if unknown := set(arguments) - {"--migrate"}:
        raise SystemExit(f"Unknown argument: {' '.join(sorted(unknown))}. Use: python -m wizard_site.serve [--migrate]")
    host = os.environ.get("HOST") or "127.0.0.1"
    try:
        port = port_number(os.environ.get("PORT") or "8000")
        lan = lan_addresses() if host in EVERYWHERE else []
        local.prepare(hosts_to_allow(host, lan, socket.gethostname()))
        check_free(host, port)
        with_worker = environment.switch(os.environ, "WORKER", default=True)
        prepare_site(migrate="--migrate" in arguments)
    except ImproperlyConfigured as error:
        raise SystemExit(f"{error}") from None

    from django.conf import settings

    print(f"{settings.PRODUCT_NAME} {settings.RELEASE}")
    for line in addresses(host, port, lan, settings.ALLOWED_HOSTS, https=settings.HTTPS):
        print(f"  {line}")
    print("Stop with Ctrl-C.", flush=True)
    os.environ.update({"HOST": in_url(host), "PORT": str(port)})
    os.chdir(local.BASE_DIR)
    if with_worker:
        os.environ[worker.KEEPER] = str(worker.start().pid)
    os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "-c", "python:wizard_site.gunicorn"])


def port_number(text: str) -> int:
    """Return PORT as a number from 1 to 65535."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise ImproperlyConfigured(f"PORT must be a number from 1 to 65535, not {text!r}.")
    return int(text)


def in_url(host: str) -> str:
    """Return `host` as an address bar wants it: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def lan_addresses() -> list[str]:
    """Return this machine's private IPv4 addresses by which other devices reach it; nothing is sent to find them.

    The route to one address of each private network tells which of our own addresses faces it.
    """
    found = []
    for target in ("192.168.255.255", "10.255.255.255", "172.31.255.255", "192.0.2.1"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
            except OSError:
                continue
            found.append(probe.getsockname()[0])
    return [
        address
        for address in dict.fromkeys(found)
        if ipaddress.ip_address(address).is_private and not ipaddress.ip_address(address).is_loopback
    ]


def hosts_to_allow(host: str, lan: Sequence[str], name: str) -> list[str]:
    """Return the names of a site listening on `host`, if nobody has set ALLOWED_HOSTS.

    This machine's loopback names; where it listens everywhere also its private addresses and its `name`, else `host`.
    """
    if host in EVERYWHERE:
        short = name.partition(".")[0]
        return [*environment.LOOPBACK, *lan, *((short, f"{short}.local") if short and short != "localhost" else ())]
    return list(dict.fromkeys([*environment.LOOPBACK, in_url(host)]))


def addresses(host: str, port: int, lan: Sequence[str], allowed: Iterable[str], *, https: bool) -> list[str]:
    """Return the lines that say where to open the site."""
    allowed = list(allowed)
    if https:
        names = ", ".join(f"https://{name.lstrip('.')}/" for name in allowed)
        return [f"{names} (this server itself speaks HTTP on {in_url(host)}:{port}, for a proxy in front of it)"]
    if host not in EVERYWHERE:
        return [f"http://{in_url(host)}:{port}/"]
    reachable = [address for address in lan if address in allowed]
    lines = [f"http://127.0.0.1:{port}/ on this machine"]
    lines += [f"http://{address}:{port}/ on other devices in the same network" for address in reachable]
    if not reachable:
        lines.append("No private network address was found; other devices need a name that is listed in ALLOWED_HOSTS.")
    return lines


def check_free(host: str, port: int) -> None:
    """Raise `ImproperlyConfigured` unless this process may listen on `host` and `port`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except PermissionError:
        raise ImproperlyConfigured(
            f"Port {port} may not be used by this user. Choose one from 1024, such as PORT=8000."
        ) from None
    except socket.gaierror:
        raise ImproperlyConfigured(f"HOST must be an address of this machine, not {host!r}.") from None
    except OSError as error:
        if error.errno in {98, 48}:
            raise ImproperlyConfigured(
                f"Port {port} on {host} is already in use. Stop the other server or choose another port, "
                f"such as PORT={port + 1}."
            ) from None
        raise ImproperlyConfigured(f"Cannot listen on {host}, port {port}: {error.strerror}.") from None


def prepare_site(*, migrate: bool) -> None:
    """Load the settings, and see to it that the database is up to date and the static files are there.

    With `migrate` an old or new database is brought up to date, else it is refused. It runs here, before the workers:
    the first opening of a new SQLite file must happen alone.
    """
    import django
    from django.conf import settings
    from django.core.management import call_command
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    django.setup()
    if not settings.DEBUG and not (settings.STATIC_ROOT / "staticfiles.json").exists():
        raise ImproperlyConfigured(
            "The static files are not collected yet. Run: python manage.py collectstatic --noinput"
        )
    try:
        executor = MigrationExecutor(connection)
        pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if pending and not migrate:
            raise ImproperlyConfigured("The database is not up to date. Run: python manage.py migrate")
        if pending:
            print("Bringing the database up to date", flush=True)
            call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as error:
        raise ImproperlyConfigured(f"The database cannot be used: {error}") from None
    finally:
        connection.close()


if __name__ == "__main__":
    main(sys.argv[1:])
