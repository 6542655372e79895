"""Language and theme go with the account to every device, and stay with the device where nobody is signed in."""

from __future__ import annotations

import pytest
from django.test import Client

from scoresheets.models import User
from tests.scoresheets.accounts.helpers import device_of, make_account, sign_in
from tests.scoresheets.factories import client_for, make_game
from tests.scoresheets.pages import HTMX, read

pytestmark = pytest.mark.django_db


def look(client, address="/"):
    """Return language and theme of a page."""
    html = read(client.get(address)).one("html")
    return html["lang"], html.attrs.get("data-theme", "")


def test_choices_on_one_device_show_on_the_other_at_once():
    user = make_account()
    here, there = device_of(user), device_of(user)

    here.post("/language/", {"language": "de"})
    here.post("/theme/", {"theme": "dark"})

    assert User.objects.values_list("language", "theme").get() == ("de", "dark")
    assert look(there) == look(here) == ("de", "dark")
    there.post("/theme/", {"theme": ""})
    assert look(here) == ("de", "")


def test_account_outweighs_what_the_device_chose():
    client = Client(headers={"accept-language": "de"})
    client.post("/theme/", {"theme": "light"})
    client.post("/language/", {"language": "de"})
    assert look(client) == ("de", "light")

    make_account(language="en", theme="dark")
    sign_in(client)
    assert look(client) == ("en", "dark")
    client.post("/account/logout/")

    assert look(client) == ("de", "light")


def test_account_without_a_language_reads_the_devices():
    client = device_of(make_account(), headers={"accept-language": "de"})

    assert look(client) == ("de", "")


def test_answer_names_its_language():
    client = device_of(make_account(language="de"))

    assert client.get("/")["Content-Language"] == "de"


def test_poll_of_an_unchanged_pad_sees_the_new_choice():
    game = make_game(seats=3)
    user = make_account()
    client = client_for(game)
    sign_in(client)
    tag = client.get(f"/games/{game.pk}/", headers=HTMX)["ETag"]

    device_of(user).post("/language/", {"language": "de"})

    assert client.get(f"/games/{game.pk}/", headers={**HTMX, "If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("sent", [{"language": "tlh"}, {"language": ""}, {}])
def test_unknown_language_changes_nothing(sent):
    client = device_of(make_account(language="de"))

    client.post("/language/", sent)

    assert User.objects.get().language == "de"


def test_asking_for_the_language_page_changes_nothing():
    client = device_of(make_account(language="de"))

    client.get("/language/", {"language": "en"})

    assert User.objects.get().language == "de"


def test_unknown_theme_is_refused():
    client = device_of(make_account(theme="dark"))

    assert client.post("/theme/", {"theme": "blue"}).status_code == 400
    assert User.objects.get().theme == "dark"
