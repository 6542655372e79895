"""The pages on which a club becomes a file, and a file a club."""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from scoresheets import wording
from scoresheets.club_files import layout, reading, shapes
from scoresheets.models import Club
from scoresheets.recording.club_files import checking, creating, journals
from tests.scoresheets.club_files import MEGABYTE, small_club, text_of
from tests.scoresheets.clubs import make_user, member_of, owner_of

pytestmark = pytest.mark.django_db

ADDRESS = "/clubs/import/"


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def send(client: Client, raw: str | bytes | None, *, partial: bool = False, **fields: str) -> Any:
    """Upload a file (None: none)."""
    content = raw.encode() if isinstance(raw, str) else raw
    file = {} if content is None else {"file": SimpleUploadedFile("club.json", content)}
    return client.post(ADDRESS, {**file, **fields}, headers={"HX-Request": "true"} if partial else {})


def test_a_manager_downloads_the_whole_club():
    club = small_club()
    client = signed_in(member_of(club, "manager").user)

    response = client.get(reverse("club_file", args=[club.pk]))

    assert response.getvalue().decode() == text_of(club)
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Content-Disposition"] == 'attachment; filename="Dohlen.json"'
    assert response.headers["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert client.head(reverse("club_file", args=[club.pk])).getvalue() == b""


def test_a_file_is_named_after_its_club_whatever_that_is_called():
    club = small_club()
    Club.objects.filter(pk=club.pk).update(name='A/B\\"C" 🦉')

    response = signed_in(owner_of(club).user).get(reverse("club_file", args=[club.pk]))

    assert response.headers["Content-Disposition"] == "attachment; filename*=utf-8''A-B-%22C%22%20%F0%9F%A6%89.json"
    response.close()


def test_the_page_says_what_a_file_would_bring_and_writes_nothing():
    text = text_of(small_club())
    client = signed_in(make_user("Frida"))

    page = client.get(ADDRESS).content.decode()
    whole, part = send(client, text, look="1"), send(client, text, look="1", partial=True)

    assert 'enctype="multipart/form-data"' in page
    for answer in (whole, part):
        assert answer.status_code == 200
        said = " ".join(answer.content.decode().split())
        assert "<h2>Dohlen</h2>" in said
        assert "5 players" in said
        assert "2 games" in said
    assert "<html" in whole.content.decode()
    assert part.content.decode().strip().startswith('<div id="found"')
    # Only a browser without scripts has to choose the file again.
    assert "Choose it again" in whole.content.decode()
    assert "Choose it again" not in part.content.decode()
    assert Club.objects.count() == 1


def test_a_file_becomes_a_club_of_whoever_brings_it():
    text = text_of(small_club())
    user = make_user("Frida")
    client = signed_in(user)

    response = send(client, text, key="k")
    again = send(client, text, key="k")

    club = Club.objects.latest("pk")
    assert response.status_code == again.status_code == 302
    assert response.url == again.url == reverse("club", args=[club.pk])
    assert club.memberships.get().user == user
    assert text_of(club) == text
    assert "Dohlen is here now" in client.get(response.url).content.decode()
    other = send(client, text.replace("Dohlen", "Raben"), key="k")
    assert other.status_code == 409
    assert Club.objects.count() == 2


def test_what_is_wrong_with_a_file_is_said_with_its_place():
    data = json.loads(text_of(small_club()))
    data["games"][1]["seats"][0]["name"] = "<b>\0"
    data["players"][1]["number"] = "<i>"
    client = signed_in(make_user("Frida"))

    response = send(client, json.dumps(data))

    page = response.content.decode()
    assert response.status_code == 422
    assert "$.players[1].number" in page
    assert "$.games[1].seats[0].name" in page
    assert "<i>" not in page
    assert Club.objects.count() == 1


@pytest.mark.parametrize("partial", [False, True])
def test_no_file_and_one_that_is_too_large_are_refused(partial):
    client = signed_in(make_user("Frida"))

    assert "Choose a file." in send(client, None, partial=partial).content.decode()
    response = send(client, b" " * (10 * MEGABYTE + 1), partial=partial)
    assert response.status_code == 422
    assert "larger than 10 MB" in response.content.decode()
    assert not Club.objects.exists()


def test_very_many_problems_are_counted():
    data = json.loads(text_of(small_club()))
    data["players"] = [{**data["players"][0], "number": 0} for _ in range(200)]

    page = send(signed_in(make_user("Frida")), json.dumps(data)).content.decode()

    assert page.count("<code>") == 20
    assert "more." in page


def test_a_form_of_another_site_brings_no_club():
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("Frida"))

    assert send(client, text_of(small_club())).status_code == 403
    assert Club.objects.count() == 1


def test_every_problem_of_a_file_has_a_sentence():
    modules = (layout, reading, shapes, checking, creating, journals)
    codes = {code for module in modules for code in re.findall(r'"(club_file_\w+)"', inspect.getsource(module))}

    assert len(codes) > 20
    assert codes == {code for code in wording.codes_in_general()["rule"] if code.startswith("club_file_")}
