"""How the server is started: names, addresses, the port."""

import socket

import pytest
from django.core.exceptions import ImproperlyConfigured

from wizard_site import serve


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", ["localhost", "127.0.0.1", "[::1]"]),
        ("::1", ["localhost", "127.0.0.1", "[::1]"]),
        ("192.168.1.5", ["localhost", "127.0.0.1", "[::1]", "192.168.1.5"]),
        ("0.0.0.0", ["localhost", "127.0.0.1", "[::1]", "192.168.1.5", "10.0.0.9", "tisch", "tisch.local"]),
    ],
)
def test_hosts_to_allow(host, expected):
    assert serve.hosts_to_allow(host, ["192.168.1.5", "10.0.0.9"] if host == "0.0.0.0" else [], "tisch.lan") == expected


@pytest.mark.parametrize(
    ("host", "lan", "expected"),
    [
        ("127.0.0.1", [], ["http://127.0.0.1:8000/"]),
        ("::1", [], ["http://[::1]:8000/"]),
        (
            "0.0.0.0",
            ["192.168.1.5", "10.0.0.9"],
            [
                "http://127.0.0.1:8000/ on this machine",
                "http://192.168.1.5:8000/ on other devices in the same network",
            ],
        ),
        (
            "0.0.0.0",
            [],
            [
                "http://127.0.0.1:8000/ on this machine",
                "No private network address was found; other devices need a name that is listed in ALLOWED_HOSTS.",
            ],
        ),
    ],
)
def test_addresses_are_those_that_will_be_answered(host, lan, expected):
    assert serve.addresses(host, 8000, lan, ["localhost", "192.168.1.5"], https=False) == expected


def test_addresses_behind_a_proxy_are_the_public_ones():
    assert serve.addresses("127.0.0.1", 8000, [], ["block.example.org"], https=True) == [
        "https://block.example.org/ (this server itself speaks HTTP on 127.0.0.1:8000, for a proxy in front of it)"
    ]


def test_lan_addresses_are_private():
    for address in serve.lan_addresses():
        assert not address.startswith("127.")
        socket.inet_aton(address)


@pytest.mark.parametrize("text", ["0", "65536", "http", "-1", "80.5"])
def test_port_must_be_a_port(text):
    with pytest.raises(ImproperlyConfigured, match="PORT must be a number from 1 to 65535"):
        serve.port_number(text)


def test_port_in_use_is_said_before_the_start():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        with pytest.raises(ImproperlyConfigured, match=f"Port {port} on 127.0.0.1 is already in use"):
            serve.check_free("127.0.0.1", port)

    serve.check_free("127.0.0.1", port)


def test_host_must_be_of_this_machine():
    with pytest.raises(ImproperlyConfigured, match=r"Cannot listen on 203\.0\.113\.1, port 8000"):
        serve.check_free("203.0.113.1", 8000)


def test_unknown_argument_is_refused():
    with pytest.raises(SystemExit, match="Unknown argument: --port"):
        serve.main(["--port"])


def test_gunicorn_settings_are_known_to_gunicorn():
    """A misspelt setting would be ignored in silence."""
    from gunicorn.config import Config

    from wizard_site import gunicorn

    ours = {name for name in vars(gunicorn) if name.islower() and not name.startswith("_")}
    ours -= {"os"}

    assert ours - set(Config().settings) == set()
    assert gunicorn.control_socket_disable is True
