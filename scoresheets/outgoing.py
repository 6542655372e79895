"""Requests that the site itself sends to addresses people typed in: over HTTPS, and to servers on the internet alone.

Somebody who may name an address must not reach through this site what only the machine it runs on can reach. So a
name is looked up once, all addresses it has are checked, and the connection goes to one of those: a name that is
looked up again may point elsewhere by then. Proxies that the environment names are not used, for the same reason.

Standard library only: no Django, no settings. With `local`, which is for trying things out, plain HTTP, any port and
the private addresses of a home or a machine are allowed as well.
"""

from __future__ import annotations

import io
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

ADDRESS_LENGTH = 500
#: Whatever an answer holds, no more of it is read: only its status is of interest.
MOST_BYTES = 16 * 1024
#: Of the addresses that a name has, so many are tried.
MOST_TRIED = 3
HTTPS_PORT, HTTP_PORT = 443, 80
#: Below are the services of the system, such as mail and remote logins: nothing there waits for our request.
FIRST_FREE_PORT = 1024

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class Refusal(StrEnum):
    """Why nothing is ever sent to an address, as it is written."""

    UNREADABLE = "address_unreadable"
    TOO_LONG = "address_too_long"
    NOT_HTTPS = "address_not_https"
    HAS_LOGIN = "address_has_login"
    PORT = "address_port"
    NOT_PUBLIC = "address_not_public"


class AddressRefused(ValueError):
    """Raised for an address to which nothing is sent; `reason` says why."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason)
        self.reason = reason


class Failure(StrEnum):
    """Why there is no answer to a request."""

    ADDRESS_REFUSED = "address_refused"
    NAME_UNKNOWN = "name_unknown"
    NOT_PUBLIC = "not_public"
    NO_CONNECTION = "no_connection"
    NOT_TRUSTED = "not_trusted"
    TOO_SLOW = "too_slow"
    NO_HTTP = "no_http"


class _Failed(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Target:
    """Where a request goes: `host` is a name or an address without brackets, `path` has the query with it."""

    is_https: bool
    host: str
    port: int
    path: str

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (HTTPS_PORT if self.is_https else HTTP_PORT) else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request: the status of the answer or, with None, why there was none."""

    status: int | None
    failure: Failure | None = None

    @property
    def is_success(self) -> bool:
        """Whether the receiver has taken it. A redirect is no success: it is not followed."""
        return self.status is not None and 200 <= self.status < 300


# -- addresses ------------------------------------------------------------------------------------------------------

#: Addresses that only this machine or its own network reaches, of which `local` allows these.
_LOCAL = tuple(
    ipaddress.ip_network(network)
    for network in ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")
)
#: What is no server on the internet, of IPv4. Source: the IANA registry of special-purpose addresses, and multicast.
_SPECIAL_4 = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16"),
        *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
    )
)
#: Of IPv6, servers are within this network; what wraps IPv4 (mapped, NAT64) and what is local is outside of it.
_GLOBAL_6 = ipaddress.ip_network("2000::/3")
#: Within it: protocols (Teredo among them), documentation, 6to4, which wraps IPv4 too, and anycast of name servers.
_SPECIAL_6 = tuple(
    ipaddress.ip_network(network)
    for network in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)

_NAME = re.compile(r"(?=.{1,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
#: Names of this machine and of networks at home, which no name server on the internet answers for.
_LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa", ".lan", ".intranet", ".corp", ".home")


def is_allowed(address: IPAddress, *, local: bool = False) -> bool:
    """Say whether a request may go to this address: one of a server on the internet or, with `local`, a private one."""
    if local and any(address in network for network in _LOCAL):
        return True
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _SPECIAL_4)
    return address.scope_id is None and address in _GLOBAL_6 and not any(address in network for network in _SPECIAL_6)


def target_of(address: str, *, local: bool = False) -> Target:
    """Return where an address leads, without looking its name up. Raises `AddressRefused`."""
    if len(address) > ADDRESS_LENGTH:
        raise AddressRefused(Refusal.TOO_LONG)
    if not re.fullmatch(r"[!-~]+", address) or "\\" in address or "#" in address:
        raise AddressRefused(Refusal.UNREADABLE)
    try:
        parts = urlsplit(address)
        host, typed_port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise AddressRefused(Refusal.UNREADABLE) from None
    if parts.scheme not in {"https", "http"} or not host:
        raise AddressRefused(Refusal.UNREADABLE)
    if parts.scheme == "http" and not local:
        raise AddressRefused(Refusal.NOT_HTTPS)
    if "@" in parts.netloc:
        raise AddressRefused(Refusal.HAS_LOGIN)
    written = f"[{host}]" if "[" in parts.netloc else host
    if not re.fullmatch(re.escape(written) + r"(:\d+)?", parts.netloc.lower()):
        raise AddressRefused(Refusal.UNREADABLE)
    _check_host(host, is_bracketed=written != host, local=local)
    is_https = parts.scheme == "https"
    port = (HTTPS_PORT if is_https else HTTP_PORT) if typed_port is None else typed_port
    if port == 0 or (not local and port != HTTPS_PORT and port < FIRST_FREE_PORT):
        raise AddressRefused(Refusal.PORT)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(is_https, host, port, path)


def _check_host(host: str, *, is_bracketed: bool, local: bool) -> None:
    """Raise `AddressRefused` unless it is a proper name or address, and one that is allowed as far as it tells."""
    try:
        literal: IPAddress | None = ipaddress.ip_address(host)
    except ValueError:
        literal = None
    if literal is not None and is_bracketed == (literal.version == 6):
        if not is_allowed(literal, local=local):
            raise AddressRefused(Refusal.NOT_PUBLIC)
        return
    # A name that ends in a number is an address in disguise: 127.1, 0x7f000001, 2130706433.
    if is_bracketed or not _NAME.fullmatch(host) or re.fullmatch(r"\d+|0x[0-9a-f]*", host.rpartition(".")[2]):
        raise AddressRefused(Refusal.UNREADABLE)
    if not local and ("." not in host or host.endswith(_LOCAL_NAMES)):
        raise AddressRefused(Refusal.NOT_PUBLIC)


# -- requests -------------------------------------------------------------------------------------------------------


def post(address: str, body: bytes, headers: Mapping[str, str], *, seconds: float, local: bool = False) -> Answer:
    """Send a POST and return what came of it, within so many seconds (looking up the name has a limit of its own).

    `headers` come beside those of length, host and connection. Redirects are not followed. Never raises for what is
    wrong with the address, the network or the answer.
    """
    deadline = time.monotonic() + seconds
    try:
        target = target_of(address, local=local)
        with _connection(target, deadline, local=local) as connection:
            return Answer(_status(connection, target, body, headers, deadline))
    except AddressRefused:
        return Answer(None, Failure.ADDRESS_REFUSED)
    except _Failed as failed:
        return Answer(None, failed.failure)
    except ssl.SSLError:
        return Answer(None, Failure.NOT_TRUSTED)
    except TimeoutError:
        return Answer(None, Failure.TOO_SLOW)
    except HTTPException:
        return Answer(None, Failure.NO_HTTP)
    except OSError:
        return Answer(None, Failure.NO_CONNECTION)


def _left(deadline: float) -> float:
    """Return the seconds that are left, more than none. Raises `TimeoutError`."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _checked_addresses(target: Target, *, local: bool) -> Sequence[tuple[int, Any]]:
    """Return the addresses of the target as (family, what `connect` takes), all of them allowed. Raises `_Failed`."""
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise _Failed(Failure.NAME_UNKNOWN) from None
    # One that is not allowed spoils the name: such names are made to slip through.
    if not found or not all(is_allowed(ipaddress.ip_address(where[0]), local=local) for *_kind, where in found):
        raise _Failed(Failure.NOT_PUBLIC)
    return [(family, where) for family, _type, _protocol, _name, where in found][:MOST_TRIED]


def _connection(target: Target, deadline: float, *, local: bool) -> socket.socket:
    """Return a connection to the target, with its certificate checked for the name. Raises `OSError`, `_Failed`."""
    addresses = _checked_addresses(target, local=local)
    for place, (family, where) in enumerate(addresses, start=1):
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            # One address that swallows everything leaves time for the next.
            connection.settimeout(_left(deadline) / (len(addresses) - place + 1))
            connection.connect(where)
        except OSError:
            connection.close()
            if place == len(addresses):
                raise
            continue
        if not target.is_https:
            return connection
        try:
            connection.settimeout(_left(deadline))
            return trusted().wrap_socket(connection, server_hostname=target.host)
        except BaseException:
            connection.close()
            raise
    raise AssertionError("there is an address at least")


@cache
def trusted() -> ssl.SSLContext:
    """Return how certificates are checked: against those of the system, and for the name."""
    return ssl.create_default_context()


def _status(connection: socket.socket, target: Target, body: bytes, headers: Mapping[str, str], deadline: float) -> int:
    """Send the request and return the status of its answer. Raises `OSError`, `HTTPException`."""
    request = HTTPConnection(target.host, target.port)
    # It is connected already, so that nothing is looked up again.
    request.sock = connection
    connection.settimeout(_left(deadline))
    request.putrequest("POST", target.path, skip_host=True, skip_accept_encoding=True)
    own = {"Host": target.host_header, "Content-Length": str(len(body)), "Connection": "close"}
    for name, value in {**own, **headers}.items():
        request.putheader(name, value)
    request.endheaders(body)
    source: Any = _Source(connection, deadline)
    answer = HTTPResponse(source, method="POST")
    try:
        answer.begin()
        # A receiver that is still writing is not cut off; what it writes is of no interest.
        with suppress(OSError, HTTPException):
            answer.read()
        return answer.status
    finally:
        answer.close()


class _Source(io.RawIOBase):
    """An answer as it comes in: neither for longer than the deadline, nor more than `MOST_BYTES` of it."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self.connection, self.deadline, self.allowed = connection, deadline, MOST_BYTES

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.allowed:
            return 0
        self.connection.settimeout(_left(self.deadline))
        count = self.connection.recv_into(buffer, min(len(buffer), self.allowed))
        self.allowed -= count
        return count
