from __future__ import annotations

import json

import pytest
from django.test import Client

from scoresheets import wording
from scoresheets.api import clubs, problems
from tests.scoresheets.api.helpers import PROBLEM, Api
from tests.scoresheets.clubs import make_club, make_user, owner_of

pytestmark = pytest.mark.django_db


def raw(api: Api, method: str, path: str, data: bytes | str, kind: str = "application/json", **headers: str):
    return api.client.generic(method, path, data, content_type=kind, headers={**api.headers, **headers})


def refusal(response) -> tuple[int, str]:
    assert response.headers["Content-Type"] == PROBLEM
    body = json.loads(response.content)
    assert body["status"] == response.status_code
    return response.status_code, body["code"]


def test_problem_has_the_shape_of_the_standard():
    answer = Api.of(make_user("Annika")).post("clubs/", {"time_zone": "Mars", "name": ""})

    assert answer.headers["Content-Type"] == PROBLEM
    assert answer.body == {
        "type": "http://testserver/api/v1/problems/#name_missing",
        "title": "The request cannot be carried out as it is",
        "status": 400,
        "code": "name_missing",
        "detail": "Enter a name.",
        "field": "name",
        "seat": None,
        "problems": [
            {"code": "name_missing", "detail": "Enter a name.", "field": "name", "seat": None},
            {
                "code": "time_zone_unknown",
                "detail": "“Mars” is no time zone. Choose one of the list.",
                "field": "time_zone",
                "seat": None,
            },
        ],
    }


def test_problem_speaks_the_language_that_is_asked_for():
    api = Api.of(make_user("Annika"))
    english, german = (api.post("clubs/", {}, Accept_Language=language).body for language in ("en", "de"))
    assert (english["detail"], german["code"]) == ("This field is required.", "field_missing")
    assert german["detail"] != english["detail"]
    assert german["title"] != english["title"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"name": NaN}',
        b'{"name": Infinity}',
        b'{"name": "A", "name": "B"}',
        b'{"name": "\\ud800"}',
        b'{"name": "\xff"}',
        b"[" * 100_000,
        b'{"locks_after": ' + b"9" * 5000 + b"}",
        b"{'name': 'A'}",
        "\N{BYTE ORDER MARK}{}".encode(),
    ],
)
def test_body_that_is_no_json_is_refused(body):
    api = Api.of(make_user("Annika"))
    # Nothing at all is an empty body, and that lacks a field.
    expected = "body_unreadable" if body else "wrong_type"
    response = raw(api, "POST", "/api/v1/clubs/", body)
    assert refusal(response) in {(400, expected), (400, "field_missing")}
    assert body or refusal(response)[0] == 400


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_body_of_another_kind_is_refused(kind):
    response = raw(Api.of(make_user("Annika")), "POST", "/api/v1/clubs/", "name=A", kind)
    assert refusal(response) == (415, "media_type_unsupported")


def test_body_that_is_too_large_is_refused():
    response = raw(Api.of(make_user("Annika")), "POST", "/api/v1/clubs/", b'{"name": "' + b"x" * 300_000 + b'"}')
    assert refusal(response) == (413, "body_too_large")


def test_other_formats_are_refused():
    api = Api.of(make_user("Annika"))
    assert api.get("clubs/", Accept="text/html").refusal == (406, "not_acceptable")
    assert api.get("clubs/?format=xml").refusal == (406, "not_acceptable")
    assert api.get("clubs/", Accept="text/html, */*;q=0.1").status == 200
    club = make_club(visibility="public")
    assert api.get(f"clubs/{club.pk}/", Accept="text/csv").refusal == (406, "not_acceptable")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO"])
def test_other_methods_are_refused(method):
    response = raw(Api.of(make_user("Annika")), method, "/api/v1/clubs/", b"")
    assert refusal(response) == (405, "method_not_allowed")
    assert response.headers["Allow"] == "GET, POST, HEAD"


@pytest.mark.parametrize(
    "path", ["/api/", "/api/v1/", "/api/v2/clubs/", "/api/v1/nothing/", "/api/v1/clubs/x/", f"/api/v1/clubs/{10**18}/"]
)
def test_addresses_that_are_not_there_answer_a_problem(path):
    assert refusal(Client().get(path)) == (404, "not_found")


def test_address_without_its_last_slash_is_not_there():
    """A redirect would make a reading of the list out of a POST."""
    for method in ("get", "post"):
        assert refusal(getattr(Client(), method)("/api/v1/clubs")) == (404, "not_found")


def test_name_of_a_host_that_is_not_ours_answers_a_problem():
    assert refusal(Client().get("/api/v1/clubs/", headers={"Host": "evil.example"})) == (400, "request_unreadable")


def test_fault_of_ours_says_nothing_of_itself(monkeypatch):
    def fails(*args):
        raise RuntimeError("secret inside")

    monkeypatch.setattr(clubs, "club_body", fails)
    club = make_club()
    api = Api.of(owner_of(club), client=Client(raise_request_exception=False))
    api.client.raise_request_exception = False

    response = raw(api, "GET", f"/api/v1/clubs/{club.pk}/", b"")

    assert refusal(response) == (500, "server_error")
    assert b"secret inside" not in response.content


@pytest.mark.parametrize("parameter", ["x=1", "cursor=&nmae=x", "Page_size=1"])
def test_parameters_that_are_not_known_are_refused(parameter):
    answer = Api.of(make_user("Annika")).get(f"clubs/?{parameter}")
    assert answer.refusal == (400, "unknown_parameter")
    assert answer.body["field"] == parameter.rpartition("&")[2].partition("=")[0]


def test_parameters_of_writes_are_refused_too():
    api = Api.of(make_user("Annika"))
    assert api.post("clubs/?dry_run=1", {"name": "A"}).refusal == (400, "unknown_parameter")


def test_every_code_of_a_shape_has_a_sentence():
    codes = {*problems._SHAPE_CODES.values(), problems.SHAPE_CODE, *problems._STATUS_CODES.values()}
    assert {code for code in codes if wording.refusal_in_words(code) == wording.refusal_in_words("?")} == set()
