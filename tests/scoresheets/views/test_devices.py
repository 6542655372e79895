"""Theme, language and the description for a phone's home screen."""

import pytest
from django.test import Client

from tests.scoresheets.factories import client_for, make_game
from tests.scoresheets.pages import press, read

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_theme_is_remembered_and_shown(client, theme):
    response = client.post("/theme/", {"theme": theme, "next": "/games/new/"})

    assert (response.status_code, response["Location"]) == (302, "/games/new/")
    assert (response.cookies["theme"].value, response.cookies["theme"]["samesite"]) == (theme, "Lax")
    assert read(client.get("/")).one("html")["data-theme"] == theme


def test_theme_button_goes_round(client):
    seen = []
    for _ in range(4):
        page = read(client.get("/"))
        seen.append((page.one("html").attrs.get("data-theme", ""), page.one("button", name="theme").text))
        press(client, "/", "theme", page=page)

    assert seen == [
        ("", "Display: like the device"),
        ("light", "Display: light"),
        ("dark", "Display: dark"),
        ("", "Display: like the device"),
    ]


@pytest.mark.parametrize("theme", ["blue", "<b>", "Dark"])
def test_unknown_theme_is_refused(client, theme):
    response = client.post("/theme/", {"theme": theme})

    assert (response.status_code, dict(response.cookies)) == (400, {})


def test_theme_in_a_forged_cookie_is_ignored(client):
    client.cookies["theme"] = '"><script>'

    assert "data-theme" not in read(client.get("/")).one("html").attrs


@pytest.mark.parametrize(
    "target", ["https://evil.example.org/", "//evil.example.org", "javascript:alert(1)", "", "http:///evil", "\\\\evil"]
)
def test_theme_and_language_lead_to_no_other_site(client, target):
    for address, sent in (("/theme/", {"theme": "dark"}), ("/language/", {"language": "de"})):
        assert client.post(address, {**sent, "next": target})["Location"] == "/"


def test_language_is_remembered_on_the_device(client):
    response = client.post("/language/", {"language": "de", "next": "/games/new/"})

    assert (response.status_code, response["Location"]) == (302, "/games/new/")
    assert read(client.get("/")).one("html")["lang"] == "de"
    assert read(Client().get("/")).one("html")["lang"] == "en"
    page = read(client.get("/"))
    assert page.one("button", name="language")["value"] == "en"


def test_browsers_language_is_used_until_another_is_chosen(client):
    assert read(client.get("/", headers={"Accept-Language": "de-AT,en;q=0.5"})).one("html")["lang"] == "de"
    client.post("/language/", {"language": "en"})
    assert read(client.get("/", headers={"Accept-Language": "de-AT,en;q=0.5"})).one("html")["lang"] == "en"


def test_unknown_language_changes_nothing(client):
    client.post("/language/", {"language": "tlh"})

    assert read(client.get("/")).one("html")["lang"] == "en"


def test_menu_leads_back_to_the_page_it_is_on():
    game = make_game(seats=3)
    client = client_for(game)
    for address in ("/", f"/games/{game.pk}/", f"/games/{game.pk}/sheet/", f"/games/{game.pk}/links/"):
        page = read(client.get(address))
        assert [field["value"] for field in page.all("input", name="next")] == [address, address]


def test_new_game_has_no_menu_because_it_would_lose_what_is_typed(client):
    assert read(client.get("/games/new/")).all("input", name="next") == []


def test_manifest_describes_the_site(client):
    response = client.get("/manifest.webmanifest")

    assert response["Content-Type"] == "application/manifest+json"
    described = response.json()
    assert (described["start_url"], described["display"]) == ("/", "standalone")
    assert described["name"] == read(client.get("/")).one("title").text
    assert [icon["src"] for icon in described["icons"]] == [
        "/static/img/icon-192.png",
        "/static/img/icon-512.png",
        "/static/img/icon.svg",
    ]
    assert not response.cookies
