"""The pages of games that look odd: a club's managers', and the one of the administration."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.queries import suspicions as looking
from scoresheets.suspicion_words import KINDS
from tests.scoresheets.admin.helpers import client_of, superuser, support
from tests.scoresheets.clubs import add, club_game, finished, make_club, member_of, stored

pytestmark = pytest.mark.django_db

NAMES = ("Bernd", "Cem & Co", "<b>Doro</b>")


@pytest.fixture
def club():
    return make_club("Runde")


@pytest.fixture
def twins(club):
    """The ids of two games that are one, the newer one first; their club has another game, which is not odd."""
    players = add(club, *NAMES)
    ids = [player.pk for player in players]
    finished(club)
    given = {"by": OPERATOR, "club": club, "players": ids}
    games = [recording.record_results(NAMES, [120, 40, -30], **given).game for _ in range(2)]
    return [game.pk for game in games[::-1]]


def manager_of(club):
    client = Client()
    client.force_login(club.memberships.get(role="owner").user)
    return client


def page_of(client, address, **asked):
    answer = client.get(address, asked)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture(params=["club", "admin"])
def door(request, club):
    """Return a function that gives the text of the page, and the route it leads to games by."""
    if request.param == "club":
        client, address, route = manager_of(club), reverse("club_suspicions", args=[club.pk]), "block"
    else:
        client, address, route = client_of(support()), reverse("admin:suspicions"), "admin:scoresheets_game_change"
    return lambda **asked: page_of(client, address, **asked), route


def test_page_says_which_games_look_odd_and_why(door, twins):
    show, route = door
    before = stored()
    text = show()
    newer, older = (f'href="{reverse(route, args=[game])}"' for game in twins)
    # Each is named as itself and as the other one's twin.
    assert [text.count(address) for address in (newer, older)] == [2, 2]
    assert text.index(f"<a {newer}><b>Game {twins[0]}") < text.index(f"<a {older}><b>Game {twins[1]}")
    assert text.count("The same people had the same points in the same night:") == 2
    assert "Cem &amp; Co <b>40</b>" in text
    assert "&lt;b&gt;Doro&lt;/b&gt; <b>−30</b>" in text
    assert "<b>Doro</b>" not in text
    assert "3 games were looked at." in text
    assert stored() == before


@pytest.mark.parametrize("kind", KINDS)
def test_page_looks_for_one_thing(door, twins, kind):
    text = door[0](kind=kind)
    assert f'<option value="{kind}" selected>' in text
    assert ("Nothing looks odd here." in text) == (kind != "twice")


def test_page_takes_what_is_no_question_as_none(door, twins):
    asked = {"kind": "<i>", "before": "-1", "club": "9" * 30}
    nothing_asked, odd = (text[text.index("<main") :] for text in (door[0](), door[0](**asked)))
    assert odd == nothing_asked


def test_page_leads_to_older_games(door, club, monkeypatch):
    monkeypatch.setattr(looking, "A_PAGE", 1)
    games = [club_game(club, length=2) for _ in range(2)]
    Game.objects.update(started_at=timezone.now() - timedelta(days=5))
    for game in games:
        game.entries.update(at=F("at") - timedelta(days=5))
    show, _route = door
    first, second = show(kind="open"), show(kind="open", before=games[1].pk)
    assert f"?before={games[1].pk}&amp;kind=open" in first
    assert (f"<b>Game {games[1].pk}</b>" in first, f"<b>Game {games[0].pk}</b>" in first) == (True, False)
    assert (f"<b>Game {games[0].pk}</b>" in second, "before=" in second) == (True, False)


def test_administration_looks_at_all_clubs_or_at_one(club, twins):
    other = make_club("Andere <i>")
    for game in (club_game(other), recording.start_game(NAMES, rules.HouseRules(), first_dealer=0, by=OPERATOR).game):
        game.entries.update(at=F("at") - timedelta(days=5))
    client, address = client_of(superuser()), reverse("admin:suspicions")
    everything = page_of(client, address)
    assert everything.count("<b>Game ") == 4
    assert "no club" in everything
    assert f'<a href="{address}?club={other.pk}">Andere &lt;i&gt;</a>' in everything
    one = page_of(client, address, club=other.pk, kind="open")
    assert one.count("<b>Game ") == 1
    assert f'<input type="hidden" name="club" value="{other.pk}">' in one
    assert f'<a href="{address}?kind=open">all clubs</a>' in one
    assert page_of(client, reverse("admin:index")).count(f'href="{address}"') == 1


def test_club_page_leads_managers_there(club):
    address = f'href="{reverse("club_suspicions", args=[club.pk])}"'
    assert page_of(manager_of(club), reverse("club", args=[club.pk])).count(address) == 1
    member = Client()
    member.force_login(member_of(club).user)
    assert address not in page_of(member, reverse("club", args=[club.pk]))
