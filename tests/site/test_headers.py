"""What every answer carries, and what the log does not."""

import logging
import sys

import pytest
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import override_settings
from django.urls import path

from wizard_site import urls as site_urls
from wizard_site.logs import PlainRefusals, ScrubLinks, scrub

POLICY = {
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
}


def fail(request):
    raise ValueError("broken")


def redirect_without_slash(request):
    return HttpResponse("reached")


urlpatterns = [*site_urls.urlpatterns, path("fail/", fail), path("slash/", redirect_without_slash)]
handler400, handler403 = site_urls.handler400, site_urls.handler403
handler404, handler500 = site_urls.handler404, site_urls.handler500


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("address", "extra", "status"),
    [
        ("/healthz", {}, 200),
        ("/no/such/page", {}, 404),
        ("/slash", {}, 301),
        ("/healthz", {"headers": {"host": "evil.example.org"}}, 400),
        ("/fail/", {}, 500),
    ],
)
def test_security_headers_are_on_every_answer(client, db, address, extra, status):
    client.raise_request_exception = False

    response = client.get(address, **extra)

    assert response.status_code == status
    assert set(response["Content-Security-Policy"].split("; ")) == POLICY
    assert response["X-Frame-Options"] == "DENY"
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"].split(", ")
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"


@pytest.mark.urls(__name__)
@override_settings(TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": []}])
def test_server_error_is_answered_without_any_template(client, db):
    client.raise_request_exception = False

    response = client.get("/fail/")

    assert (response.status_code, response["Content-Type"]) == (500, "text/plain; charset=utf-8")
    assert response.content == b"500 Internal Server Error\n"


def test_healthz_answers_ok_without_cookies(client, db):
    response = client.get("/healthz")

    assert (response.status_code, response.content) == (200, b"ok\n")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert "no-store" in response["Cache-Control"]
    assert not response.cookies


def test_healthz_says_when_the_database_is_unavailable(client, db, monkeypatch):
    def refuse(*args, **kwargs):
        raise OperationalError("no connection")

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", refuse)
        response = client.get("/healthz")

    assert (response.status_code, response.content) == (503, b"database unavailable\n")


def test_healthz_only_reads(client, db):
    assert client.post("/healthz").status_code == 405


@override_settings(SECURE_SSL_REDIRECT=True)
def test_healthz_alone_is_not_sent_to_https(client, db):
    page = client.get("/no/such/page")

    assert (page.status_code, page["Location"]) == (301, "https://testserver/no/such/page")
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Not Found: /j/aB3_x-9", "Not Found: /j/***"),
        ("GET /j/aB3_x-9/?next=1 HTTP/1.1", "GET /j/***/?next=1 HTTP/1.1"),
        ("http://127.0.0.1:8000/j/aB3.x~9", "http://127.0.0.1:8000/j/***"),
        ("next=%2Fj%2FaB3_x-9", "next=%2Fj%2F***"),
        ("{'path': 'j/aB3_x-9'}", "{'path': 'j/***'}"),
        ('"GET /i/Ob3_x-9 HTTP/1.1" 200', '"GET /i/*** HTTP/1.1" 200'),
        ("GET /p/aB3_x-9 HTTP/1.1", "GET /p/*** HTTP/1.1"),
        ("/account/login/?next=/i/aB3_x-9", "/account/login/?next=/i/***"),
        ("next=%2Fi%2FaB3_x-9&next=%2fp%2faB3_x-9", "next=%2Fi%2F***&next=%2fp%2f***"),
        ("Not Found: /I/aB3_x-9", "Not Found: /I/***"),
        ("sqlite3.OperationalError: disk I/O error", "sqlite3.OperationalError: disk I/O error"),
        ("GET /account/password/reset/key/1-abc-def/ HTTP/1.1", "GET /account/password/reset/key/***/ HTTP/1.1"),
        ("/account/password/reset/key/done/", "/account/password/reset/key/done/"),
        ("Not Found: /account/confirm-email/MQ:1xX:yy_-z/", "Not Found: /account/confirm-email/***/"),
        ("next=%2Faccount%2Fconfirm-email%2FMQ%3A1xX", "next=%2Faccount%2Fconfirm-email%2F***"),
        ("/games/17/ and /jobs/3", "/games/17/ and /jobs/3"),
        ("/static/js/pad.js", "/static/js/pad.js"),
    ],
)
def test_scrub_hides_the_secret_of_a_link_only(text, expected):
    assert scrub(text) == expected


def test_filter_scrubs_message_arguments_and_traceback():
    try:
        raise ValueError("no link j/aB3_x-9")
    except ValueError:
        record = logging.LogRecord(
            "django.request", logging.ERROR, __file__, 1, "%s at 100%%: %s", ("Error", "/j/aB3_x-9"), sys.exc_info()
        )

    assert ScrubLinks().filter(record) is True
    text = logging.Formatter().format(record)

    assert text.startswith("Error at 100%: /j/***\nTraceback")
    assert text.endswith("ValueError: no link j/***")
    assert "aB3" not in text


@pytest.mark.parametrize("name", ["django.request", "django.server", "django.security.DisallowedHost", "scoresheets"])
def test_every_log_passes_the_filter(name, settings):
    """Django's own handlers, which know no filter, are out of the way."""
    logger: logging.Logger | None = logging.getLogger(name)
    handlers = []
    while logger:
        handlers += [handler for handler in logger.handlers if type(handler) is logging.StreamHandler]
        assert not [handler for handler in logger.handlers if type(handler).__module__.startswith("django.")]
        logger = logger.parent if logger.propagate else None

    assert len(handlers) == 1
    assert [type(item) for item in handlers[0].filters] == [PlainRefusals, ScrubLinks]


@pytest.mark.parametrize(("status", "kept"), [(403, False), (500, True)])
def test_refusal_is_one_line_in_the_log_and_an_error_keeps_its_traceback(status, kept):
    try:
        raise PermissionError("no")
    except PermissionError:
        record = logging.LogRecord("django.request", logging.WARNING, "", 1, "Forbidden", (), sys.exc_info())
    record.status_code = status

    assert PlainRefusals().filter(record)

    assert bool(record.exc_info) is kept


def test_head_has_the_length_of_the_page_and_no_body(client, db):
    page, head = client.get("/"), client.head("/")

    assert head.status_code == 200
    assert head.content == b""
    assert int(head["Content-Length"]) == len(page.content)
