"""Every unsafe or unclear value is refused, with a sentence that names the variable."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from wizard_site import environment
from wizard_site.local import BASE_DIR
from wizard_site.secret import ensure_key_file

GOOD_KEY = "k3-Zp9_Qw7xLr2VnB8sTf6YdHc1MjGe4UaXo5KiRt0bNvEyWlPqSz"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on", True),
        ("YES", True),
        ("true", True),
        ("1", True),
        ("off", False),
        ("No", False),
        ("0", False),
        (" ", None),
    ],
)
def test_switch_reads_usual_words(text, expected):
    default_on = environment.switch({"X": text}, "X", default=True)
    default_off = environment.switch({"X": text}, "X", default=False)

    assert (default_on, default_off) == ((True, False) if expected is None else (expected, expected))


def test_switch_refuses_other_words():
    with pytest.raises(ImproperlyConfigured, match="HTTPS must be on or off, not 'enabled'"):
        environment.switch({"HTTPS": "enabled"}, "HTTPS", default=True)


@pytest.mark.parametrize("text", ["-1", "1.5", "a year", "٣"])
def test_whole_number_refuses_anything_else(text):
    with pytest.raises(ImproperlyConfigured, match="HSTS_SECONDS must be a whole number"):
        environment.whole_number({"HSTS_SECONDS": text}, "HSTS_SECONDS", default=1)


def test_secret_key_is_taken_from_variable_or_file(tmp_path):
    file = tmp_path / "key"
    file.write_text(f"{GOOD_KEY}\n")

    assert environment.secret_key({"SECRET_KEY": GOOD_KEY}, debug=False) == GOOD_KEY
    assert environment.secret_key({"SECRET_KEY_FILE": str(file)}, debug=False) == GOOD_KEY


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({}, "SECRET_KEY is missing"),
        ({"SECRET_KEY": ""}, "SECRET_KEY is missing"),
        ({"SECRET_KEY": GOOD_KEY[:49]}, "SECRET_KEY is too easy to guess"),
        ({"SECRET_KEY": "abcdefghijk" * 6}, "SECRET_KEY is too easy to guess"),
        ({"SECRET_KEY": environment.DEBUG_KEY}, "SECRET_KEY is too easy to guess"),
        ({"SECRET_KEY": f"django-insecure-{GOOD_KEY}"}, "SECRET_KEY is too easy to guess"),
        ({"SECRET_KEY_FILE": "/nowhere/key"}, "SECRET_KEY_FILE names /nowhere/key, which cannot be read"),
    ],
)
def test_secret_key_refuses_missing_and_weak(env, sentence):
    with pytest.raises(ImproperlyConfigured, match=sentence):
        environment.secret_key(env, debug=False)


@pytest.mark.parametrize(
    ("hosts", "sentence"),
    [
        ("", "ALLOWED_HOSTS is missing"),
        (" , ", "ALLOWED_HOSTS is missing"),
        ("*", "would accept any name"),
        ("block.example.org,*", "would accept any name"),
        ("*.example.org", "would accept any name"),
        ("https://block.example.org", "without scheme and port"),
        ("block.example.org:8000", "without scheme and port"),
        ("[::1]:8000", "without scheme and port"),
        ("::1", "in brackets"),
    ],
)
def test_allowed_hosts_refuses_missing_wildcards_and_addresses(hosts, sentence):
    with pytest.raises(ImproperlyConfigured, match=sentence):
        environment.allowed_hosts({"ALLOWED_HOSTS": hosts}, debug=False)


def test_allowed_hosts_are_split():
    assert environment.allowed_hosts({"ALLOWED_HOSTS": "a.example.org, [::1],.example.net"}, debug=False) == [
        "a.example.org",
        "[::1]",
        ".example.net",
    ]


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "[::1]", "192.168.1.5", "10.0.0.7", "[fd00::1]", "tisch", "tisch.local"]
)
def test_https_may_be_off_for_local_hosts(host):
    assert environment.https({"HTTPS": "off"}, ["localhost", host], debug=False) is False


@pytest.mark.parametrize(
    "host", ["block.example.org", ".example.org", ".local", "8.8.8.8", "[2001:4860:4860::8888]", "local.example.org"]
)
def test_https_off_is_refused_for_public_hosts(host):
    with pytest.raises(ImproperlyConfigured, match=r"HTTPS=off is refused because ALLOWED_HOSTS contains"):
        environment.https({"HTTPS": "off"}, ["localhost", host], debug=False)


def test_https_is_on_unless_debugging():
    assert environment.https({}, ["localhost"], debug=False) is True
    assert environment.https({}, ["localhost"], debug=True) is False


@pytest.mark.parametrize(
    ("origin", "sentence"),
    [
        ("block.example.org", "takes origins without a path"),
        ("https://block.example.org/", "takes origins without a path"),
        ("ftp://block.example.org", "takes origins without a path"),
        ("https://*", "would trust any site"),
        ("http://block.example.org", "must use https"),
    ],
)
def test_trusted_origins_refuses(origin, sentence):
    with pytest.raises(ImproperlyConfigured, match=sentence):
        environment.trusted_origins({"CSRF_TRUSTED_ORIGINS": origin}, https=True)


def test_trusted_origins_are_split():
    env = {"CSRF_TRUSTED_ORIGINS": "https://block.example.org:8443,https://*.example.net"}

    assert environment.trusted_origins(env, https=True) == ["https://block.example.org:8443", "https://*.example.net"]


def test_database_is_a_durable_sqlite_file_by_default(tmp_path):
    config = environment.database({}, default=tmp_path / "x.sqlite3")

    assert (config["ENGINE"], config["NAME"]) == ("django.db.backends.sqlite3", str(tmp_path / "x.sqlite3"))
    assert config["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in config["OPTIONS"]["init_command"]
    assert (config["CONN_MAX_AGE"], config["CONN_HEALTH_CHECKS"]) == (600, True)


def test_database_url_names_postgresql(tmp_path):
    env = {"DATABASE_URL": "postgres://anna:secret@db:5433/block"}
    config = environment.database(env, default=tmp_path / "x.sqlite3")

    assert config["ENGINE"] == "wizard_site.postgresql"
    assert [config[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT")] == [
        "block", "anna", "secret", "db", 5433,
    ]  # fmt: skip
    assert config["OPTIONS"] == {"server_side_binding": True, "prepare_threshold": 5}
    assert "DISABLE_SERVER_SIDE_CURSORS" not in config


def test_nothing_is_kept_on_a_connection_behind_a_pooler(tmp_path):
    env = {"DATABASE_URL": "postgres://anna@db/block?sslmode=require", "DATABASE_POOLED": "on"}
    config = environment.database(env, default=tmp_path / "x.sqlite3")

    assert config["OPTIONS"] == {"server_side_binding": True, "prepare_threshold": None, "sslmode": "require"}
    assert config["DISABLE_SERVER_SIDE_CURSORS"] is True


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("mysql://db/block", "must start with postgres:// or sqlite://"),
        ("block.sqlite3", "must start with postgres:// or sqlite://"),
        ("postgres://db", "names no database"),
        ("sqlite://:memory:", "forgets every game"),
    ],
)
def test_database_refuses_others(url, sentence, tmp_path):
    with pytest.raises(ImproperlyConfigured, match=sentence):
        environment.database({"DATABASE_URL": url}, default=tmp_path / "x.sqlite3")


def test_mail_is_printed_unless_a_server_is_named():
    sent, config = environment.mail({"EMAIL_FROM": "block@example.org"})

    assert (sent, config) == (False, {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"})


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("smtp+tls://anna:se%40cret@mail.example.org", (587, "anna", "se@cret", True, None)),
        ("smtp+ssl://anna:secret@mail.example.org:4650", (4650, "anna", "secret", None, True)),
        ("smtp://mail.example.org", (25, None, None, None, None)),
        ("smtp://anna:secret@127.0.0.1:2525", (2525, "anna", "secret", None, None)),
    ],
)
def test_mail_goes_through_the_server_that_is_named(url, expected):
    sent, config = environment.mail({"EMAIL_URL": url, "EMAIL_FROM": "Block <block@example.org>"})

    assert sent is True
    assert config["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    names = ("EMAIL_PORT", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD", "EMAIL_USE_TLS", "EMAIL_USE_SSL")
    assert tuple(config.get(name) or None for name in names) == expected
    assert config["DEFAULT_FROM_EMAIL"] == config["SERVER_EMAIL"] == "Block <block@example.org>"


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({"EMAIL_URL": "mail.example.org"}, "must start with smtp://"),
        ({"EMAIL_URL": "console://"}, "must start with smtp://"),
        ({"EMAIL_URL": "smtp+tls://"}, "names no mail server"),
        ({"EMAIL_URL": "smtp://anna:secret@mail.example.org"}, "readably over the internet"),
        ({"EMAIL_URL": "smtp+tls://mail.example.org"}, "EMAIL_FROM is missing"),
        ({"EMAIL_URL": "smtp+tls://mail.example.org", "EMAIL_FROM": "block"}, "EMAIL_FROM is missing"),
        ({"EMAIL_URL": "smtp+tls://mail.example.org:x", "EMAIL_FROM": "a@example.org"}, "EMAIL_URL"),
    ],
)
def test_mail_refuses_unclear_and_unsafe(env, sentence):
    with pytest.raises(ImproperlyConfigured, match=sentence):
        environment.mail(env)


def test_release_is_the_variable_or_the_version(tmp_path):
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text('[project]\nversion = "1.2.3"\n')

    assert environment.release({}, pyproject) == "1.2.3"
    assert environment.release({"RELEASE": "2026-11"}, pyproject) == "2026-11"


def test_local_defaults_leave_what_is_set(tmp_path):
    assert environment.local_defaults({}, tmp_path) == {
        "SECRET_KEY_FILE": str(tmp_path / "secret-key"),
        "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]",
        "HTTPS": "off",
    }
    assert environment.local_defaults({"SECRET_KEY": GOOD_KEY, "ALLOWED_HOSTS": "block.example.org"}, tmp_path) == {}
    assert environment.local_defaults({"SECRET_KEY": GOOD_KEY, "HTTPS": "on"}, tmp_path) == {
        "ALLOWED_HOSTS": "localhost,127.0.0.1,[::1]"
    }


def test_key_file_is_made_once_and_private(tmp_path):
    path = tmp_path / "data" / "secret-key"

    ensure_key_file(path)
    first = path.read_text()
    ensure_key_file(path)

    assert path.read_text() == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert environment.secret_key({"SECRET_KEY_FILE": str(path)}, debug=False) == first.strip()


def test_key_file_is_the_same_for_all_who_make_it_at_once(tmp_path, monkeypatch):
    path = tmp_path / "secret-key"
    start = threading.Barrier(8)
    seen = []
    # Threads stand for processes: each has its own number.
    monkeypatch.setattr("os.getpid", threading.get_ident)

    def make():
        start.wait()
        ensure_key_file(path)
        seen.append(path.read_text())

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(seen) == 8
    assert len(set(seen)) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["secret-key"]


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({}, "SECRET_KEY is missing"),
        ({"SECRET_KEY": GOOD_KEY}, "ALLOWED_HOSTS is missing"),
        ({"SECRET_KEY": GOOD_KEY, "ALLOWED_HOSTS": "*"}, "would accept any name"),
        ({"SECRET_KEY": GOOD_KEY, "ALLOWED_HOSTS": "block.example.org", "HTTPS": "off"}, "HTTPS=off is refused"),
    ],
)
def test_server_does_not_start_with_unsafe_settings(env, sentence):
    """The functions above are really used: the application itself refuses."""
    result = start_application(env)

    assert result.returncode != 0
    assert sentence in result.stderr


def test_server_starts_with_safe_settings(tmp_path):
    """With HTTPS it redirects, marks its cookies and says so for a year."""
    result = start_application(
        {
            "SECRET_KEY": GOOD_KEY,
            "ALLOWED_HOSTS": "block.example.org",
            "TRUST_PROXY": "on",
            "STATIC_ROOT": str(tmp_path),
        },
        "from django.conf import settings as s; print(s.DEBUG, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS, "
        "s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_PROXY_SSL_HEADER)",
    )

    assert result.stderr == ""
    assert result.stdout == "False True 31536000 True True ('HTTP_X_FORWARDED_PROTO', 'https')\n"


def start_application(env: dict[str, str], statement: str = "") -> subprocess.CompletedProcess[str]:
    """Load wizard_site.wsgi in a process of its own whose environment is `env`."""
    code = f"import wizard_site.wsgi; {statement}"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=BASE_DIR,
        env={"PATH": os.environ["PATH"], **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_requirement_files_name_no_host():
    files = sorted(Path(BASE_DIR).glob("requirements*"))

    assert [file.name for file in files] == [
        "requirements-dev.in",
        "requirements-dev.txt",
        "requirements.in",
        "requirements.txt",
    ]
    for file in files:
        text = file.read_text()
        assert "://" not in text
        assert "--index" not in text
        assert "--find-links" not in text


@pytest.mark.postgres
def test_tests_use_postgresql_when_told(db):
    assert connection.vendor == "postgresql"
