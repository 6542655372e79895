"""Requests to addresses that people typed reach servers on the internet and nothing else, whatever is tried."""

from __future__ import annotations

import socket
import ssl
import time
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from scoresheets import outgoing
from scoresheets.outgoing import AddressRefused, Answer, Failure, Refusal, Target, is_allowed, target_of
from tests.scoresheets.webhooks import OK, receiving

#: Enough where an answer comes at once, little where none does.
SECONDS, FEW = 10.0, 0.3
#: Somebody's server on the internet. No test gets that far.
PUBLIC = "93.184.215.14"


def post(address, *, local=True, seconds=SECONDS):
    return outgoing.post(address, b'{"a":1}', {"X-Own": "yes"}, seconds=seconds, local=local)


# -- addresses --------------------------------------------------------------------------------------------------------

PRIVATE = (
    *("127.0.0.1", "127.255.255.254", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("::1", "fc00::1", "fd12:3456:789a::1"),
)
FORBIDDEN = (
    # This network and none at all.
    *("0.0.0.0", "0.1.2.3", "::"),
    # Carriers' own, link-local (clouds answer there with passwords), protocols, documentation, benchmarks.
    *("100.64.0.1", "100.127.255.255", "169.254.169.254", "169.254.0.1", "192.0.0.1", "192.0.0.170", "192.0.2.1"),
    *("198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "192.88.99.1", "192.175.48.1", "192.31.196.1"),
    # Multicast, reserved, broadcast.
    *("224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255"),
    # IPv6: link-local, site-local, multicast, discard, documentation, Teredo, ORCHID, benchmarks.
    *("fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "ff02::1", "100::1", "2001:db8::1", "3fff::1", "5f00::1"),
    *("2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:10::1", "2001:20::1", "2001:2::1"),
    # IPv4 within IPv6: mapped, compatible, translated, NAT64 (both prefixes), 6to4, even of public addresses.
    *("::ffff:127.0.0.1", "::ffff:7f00:1", f"::ffff:{PUBLIC}", "::127.0.0.1", "::ffff:0:127.0.0.1"),
    *("64:ff9b::7f00:1", "64:ff9b::a00:1", f"64:ff9b::{PUBLIC}", "64:ff9b:1::1", "2002:7f00:1::", "2002:c0a8:101::1"),
    # Addresses that are given to nobody.
    *("4000::1", "1000::1", "e000::1", "ffff::1"),
)
ALLOWED = (
    *(PUBLIC, "1.1.1.1", "9.9.9.9", "100.63.255.255", "100.128.0.1", "172.15.255.255", "172.32.0.1", "223.255.255.1"),
    *("192.0.1.1", "198.17.255.255", "198.20.0.1", "169.253.1.1", "11.0.0.1", "126.255.255.255", "128.0.0.1"),
    *("2606:4700:4700::1111", "2a01:4f8::1", "2001:4860:4860::8888", "2003::1", "3ffe::1"),
)


@pytest.mark.parametrize("address", [*PRIVATE, *FORBIDDEN])
def test_addresses_that_are_no_server_on_the_internet_are_refused(address):
    assert not is_allowed(ip_address(address))


@pytest.mark.parametrize("address", ALLOWED)
def test_addresses_of_servers_are_allowed(address):
    assert is_allowed(ip_address(address))
    assert is_allowed(ip_address(address), local=True)


def test_what_is_allowed_is_what_the_library_calls_global():
    """The tables are our own, for they must not change with the interpreter; but it must not know better."""
    for address in map(ip_address, (*PRIVATE, *FORBIDDEN, *ALLOWED)):
        if is_allowed(address):
            assert address.is_global
            kinds = ("is_private", "is_multicast", "is_reserved", "is_link_local", "is_loopback", "is_unspecified")
            assert [kind for kind in kinds if getattr(address, kind)] == []


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_allowed_where_the_operator_says_so(address):
    assert is_allowed(ip_address(address), local=True)


@pytest.mark.parametrize("address", FORBIDDEN)
def test_no_setting_allows_what_is_neither_public_nor_private(address):
    assert not is_allowed(ip_address(address), local=True)


UNREADABLE = (
    *("", "app.example.org", "https://", "https:///path", "//app.example.org/", "ftp://app.example.org/", "file:///x"),
    *("https://app.example.org/a b", "https://app.example.org/\n", "https://app.example.org\\@evil.example/"),
    *("https://app.example.org/#part", "https://münchen.example/", "https://app.example.org/ö", "javascript:alert(1)"),
    *("https://app.example.org:port/", "https://app.example.org:99999/", "https://app..example.org/"),
    *("https://-app.example.org/", "https://app_1.example.org/", "https://app.example.org./", "https://[::1/"),
    *(
        "https://[app.example.org]/",
        "https://[127.0.0.1]/",
        "https://[app.example.org]:443/",
        "https://[2606:4700::1]x/",
        "https://app.example.org:/",
        f"https://{'a' * 64}.org/",
    ),
    # Addresses in disguise.
    *("https://127.1/", "https://2130706433/", "https://0x7f.0.0.1/", "https://0x7f000001/", "https://0177.0.0.1/"),
    *("https://127.0.0.1.2/", "https://1.2.3/", "https://app.0x7f/", "https://0x/"),
)
REFUSED = [
    ("https://[fe80::1%25eth0]/", Refusal.NOT_PUBLIC),
    *((address, Refusal.UNREADABLE) for address in UNREADABLE),
    ("https://app.example.org/" + "x" * 500, Refusal.TOO_LONG),
    ("http://app.example.org/", Refusal.NOT_HTTPS),
    *((f"https://{login}@app.example.org/", Refusal.HAS_LOGIN) for login in ("user", "user:password", ":", "", "a@b")),
    *((f"https://app.example.org:{port}/", Refusal.PORT) for port in (0, 1, 22, 25, 80, 442, 444, 1023)),
    *((f"https://{address}/", Refusal.NOT_PUBLIC) for address in (*PRIVATE, *FORBIDDEN) if ":" not in address),
    *(
        (f"https://[{address}]/", Refusal.NOT_PUBLIC)
        for address in (*PRIVATE, *FORBIDDEN)
        if ":" in address and "%" not in address
    ),
    *(
        (f"https://{name}/", Refusal.NOT_PUBLIC)
        for name in ("localhost", "LOCALHOST", "server", "x.localhost", "nas.local", "db.internal", "pi.home.arpa")
    ),
]


@pytest.mark.parametrize(("address", "reason"), REFUSED)
def test_addresses_are_refused_for_a_reason(address, reason):
    with pytest.raises(AddressRefused) as refused:
        target_of(address)

    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("address", "target", "host"),
    [
        ("https://app.example.org", Target(True, "app.example.org", 443, "/"), "app.example.org"),
        ("HTTPS://App.Example.org:443/", Target(True, "app.example.org", 443, "/"), "app.example.org"),
        ("https://a.example:8443/x/?y=1&z", Target(True, "a.example", 8443, "/x/?y=1&z"), "a.example:8443"),
        ("https://a.example:65535?y", Target(True, "a.example", 65535, "/?y"), "a.example:65535"),
        ("https://xn--mnchen-3ya.example/%C3%B6", Target(True, "xn--mnchen-3ya.example", 443, "/%C3%B6"), None),
        (f"https://{PUBLIC}/", Target(True, PUBLIC, 443, "/"), PUBLIC),
        ("https://[2606:4700::1]:1024/", Target(True, "2606:4700::1", 1024, "/"), "[2606:4700::1]:1024"),
    ],
)
def test_addresses_are_taken_apart(address, target, host):
    assert target_of(address) == target
    assert target.host_header == (host or target.host)


def test_local_addresses_are_taken_where_the_operator_says_so():
    assert target_of("http://localhost:80/x", local=True) == Target(False, "localhost", 80, "/x")
    assert target_of("http://localhost/x", local=True).host_header == "localhost"
    assert target_of("https://192.168.1.2:444/", local=True) == Target(True, "192.168.1.2", 444, "/")
    for address in ("http://169.254.169.254/", "http://0.0.0.0/", "http://127.1/", "http://x@localhost/"):
        with pytest.raises(AddressRefused):
            target_of(address, local=True)


# -- requests ---------------------------------------------------------------------------------------------------------


def test_request_carries_what_it_should_and_no_more():
    with receiving() as receiver:
        answer = post(receiver.address())

    assert answer == Answer(204)
    assert answer.is_success
    assert receiver.requests == [
        (
            "POST /hook?club=1 HTTP/1.1",
            {
                "host": f"127.0.0.1:{receiver.port}",
                "content-length": "7",
                "connection": "close",
                "x-own": "yes",
            },
            b'{"a":1}',
        )
    ]


@pytest.mark.parametrize(
    ("status", "is_success"), [(200, True), (204, True), (299, True), (301, False), (400, False), (410, False)]
)
def test_any_status_is_an_answer_and_2xx_a_success(status, is_success):
    with receiving(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode()) as receiver:
        answer = post(receiver.address())

    assert (answer, answer.is_success) == (Answer(status), is_success)


def test_redirects_are_not_followed():
    with receiving() as other:
        location = other.address()
        with receiving(f"HTTP/1.1 307 X\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()) as receiver:
            answer = post(receiver.address())

    assert (answer, len(receiver.requests), other.requests) == (Answer(307), 1, [])


def drip(first: bytes, again: bytes):
    def answer(connection):
        connection.sendall(first)
        for _ in range(100):
            connection.sendall(again)
            time.sleep(FEW / 10)

    return answer


def flood(first: bytes):
    def answer(connection):
        connection.sendall(first)
        for _ in range(500):
            connection.sendall(b"x" * 65536)

    return answer


def silence(connection):
    connection.recv(1)  # until the other side hangs up


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (silence, Answer(None, Failure.TOO_SLOW)),
        # Each byte comes in time, all of them never do.
        (drip(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n"), Answer(None, Failure.TOO_SLOW)),
        (drip(b"", b"H"), Answer(None, Failure.TOO_SLOW)),
        # Taken is taken: how long somebody goes on talking then is of no interest.
        (drip(b"HTTP/1.1 200 OK\r\n\r\n", b"x"), Answer(200)),
        (flood(b"HTTP/1.1 200 OK\r\n\r\n"), Answer(200)),
        (flood(b"HTTP/1.1 500 X\r\nContent-Length: 99999999\r\n\r\n"), Answer(500)),
        (flood(b"HTTP/1.1 200 OK\r\nX-Long: "), Answer(200)),
        (flood(b""), Answer(None, Failure.NO_HTTP)),
        (b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 200 + b"\r\n", Answer(None, Failure.NO_HTTP)),
        (b"", Answer(None, Failure.NO_HTTP)),
        (b"SSH-2.0-OpenSSH_9.2\r\n", Answer(None, Failure.NO_HTTP)),
        (b"HTTP/1.1 20x OK\r\n\r\n", Answer(None, Failure.NO_HTTP)),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK, Answer(204)),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", Answer(200)),
    ],
)
def test_odd_receivers_cost_little_time_and_memory(answer, expected):
    few = expected.failure == Failure.TOO_SLOW or answer.__qualname__.startswith("drip") if callable(answer) else False
    with receiving(answer) as receiver:
        assert post(receiver.address(), seconds=FEW if few else SECONDS) == expected


def test_nobody_there_is_said():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

    assert post(f"http://127.0.0.1:{port}/") == Answer(None, Failure.NO_CONNECTION)


def test_address_that_is_not_allowed_is_sent_nothing():
    with receiving() as receiver:
        answer = post(receiver.address(), local=False)

    assert (answer, receiver.requests) == (Answer(None, Failure.ADDRESS_REFUSED), [])


# -- names ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def resolver(monkeypatch):
    """Let names lead where a test says: a list of addresses for each time one is looked up."""
    answers: list[list[str]] = []
    asked: list[str] = []

    def look_up(host, port, *_more, **_options):
        asked.append(host)
        found = answers.pop(0)
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        families = [(socket.AF_INET6 if ":" in address else socket.AF_INET, address) for address in found]
        return [(family, socket.SOCK_STREAM, 6, "", (address, port)) for family, address in families]

    monkeypatch.setattr(outgoing.socket, "getaddrinfo", look_up)
    return answers, asked


@pytest.fixture
def connected(monkeypatch):
    """Return where connections would have gone; none of them comes about."""
    reached = []

    class Unreachable(socket.socket):
        def connect(self, where):
            reached.append(where)
            raise ConnectionRefusedError

    monkeypatch.setattr(outgoing.socket, "socket", Unreachable)
    return reached


@pytest.mark.parametrize("address", [*PRIVATE, *(address for address in FORBIDDEN if "%" not in address)])
def test_names_that_lead_inside_are_not_connected_to(address, resolver, connected):
    for found in ([address], [PUBLIC, address], [address, PUBLIC]):
        resolver[0].append(found)
        assert post("https://app.example.org/", local=False) == Answer(None, Failure.NOT_PUBLIC)

    assert connected == []


def test_name_is_looked_up_once_and_the_checked_address_is_the_one_connected_to(resolver, connected):
    """A name that leads to a server when it is checked and inside when it is used would get through otherwise."""
    resolver[0][:] = [[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]]

    answer = post("https://app.example.org:8443/", local=False)

    assert answer == Answer(None, Failure.NO_CONNECTION)
    assert (connected, resolver[1]) == ([(PUBLIC, 8443)], ["app.example.org"])


def test_three_addresses_of_a_name_are_tried_at_most(resolver, connected):
    addresses = ["2606:4700::1", PUBLIC, "1.1.1.1", "9.9.9.9"]
    resolver[0].append(addresses)

    assert post("https://app.example.org/", local=False) == Answer(None, Failure.NO_CONNECTION)
    assert [address for address, _port in connected] == addresses[:3]


def test_next_address_is_tried_where_one_does_not_answer(resolver):
    with receiving() as receiver:
        resolver[0].append(["127.0.0.2", "127.0.0.1"])
        assert post(receiver.address("app.example.org")) == Answer(204)

    assert receiver.requests[0][1]["host"] == f"app.example.org:{receiver.port}"


@pytest.mark.parametrize("found", [[]])
def test_unknown_name_is_said(found, resolver, connected):
    resolver[0].append(found)

    assert post("https://app.example.org/", local=False) == Answer(None, Failure.NAME_UNKNOWN)
    assert connected == []


def test_proxies_of_the_environment_are_not_used(monkeypatch):
    with receiving() as proxy, receiving() as receiver:
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.address(path=""))
        assert post(receiver.address()) == Answer(204)

    assert (len(receiver.requests), proxy.requests) == (1, [])


# -- certificates -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """Return the path of a certificate for app.example.org, with its key, that vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "app.example.org")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("app.example.org")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("certificate") / "own.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def secured(certificate, resolver):
    """Return the TLS of a receiver, and the names that were asked for."""
    resolver[0][:] = [["127.0.0.1"]] * 2
    names = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.sni_callback = lambda _connection, name, _context: names.append(name)
    return context, names


@pytest.fixture
def trusting(certificate, monkeypatch):
    context = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(outgoing, "trusted", lambda: context)


def test_certificate_that_is_trusted_and_for_this_name_is_good(secured, trusting):
    with receiving(context=secured[0]) as receiver:
        assert post(receiver.address("app.example.org", "https")) == Answer(204)

    assert (len(receiver.requests), secured[1]) == (1, ["app.example.org"])


def test_certificate_for_another_name_is_refused(secured, trusting):
    with receiving(context=secured[0]) as receiver:
        assert post(receiver.address("other.example.org", "https")) == Answer(None, Failure.NOT_TRUSTED)

    assert (receiver.requests, secured[1]) == ([], ["other.example.org"])


def test_certificate_that_nobody_vouches_for_is_refused(secured):
    with receiving(context=secured[0]) as receiver:
        assert post(receiver.address("app.example.org", "https")) == Answer(None, Failure.NOT_TRUSTED)

    assert receiver.requests == []


def test_receiver_without_tls_is_refused():
    def answer():
        connection, _where = server.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            connection.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as server:
        plain = Thread(target=answer)
        plain.start()
        assert post(f"https://127.0.0.1:{server.getsockname()[1]}/") == Answer(None, Failure.NOT_TRUSTED)
        plain.join()


def test_handshake_that_takes_too_long_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"https://127.0.0.1:{server.getsockname()[1]}/"
        assert post(address, seconds=FEW) == Answer(None, Failure.TOO_SLOW)
