"""Every address of clubs and players x method x role has one expected status, for a private club and an open one."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Membership
from tests.scoresheets.clubs import add, club_game, make_club, make_user, owner_of, stored
from tests.scoresheets.evenings import planned
from tests.scoresheets.factories import client_for
from tests.scoresheets.views.test_roles import METHODS, path_names, status_of
from tests.scoresheets.webhooks import make_webhook

pytestmark = pytest.mark.django_db

OUTSIDE = ("anonymous", "stranger", "staff", "watcher", "keeper")
INSIDE = ("member", "scorer", "manager", "owner")
ROLES = (*OUTSIDE, *INSIDE)
#: Whoever has no account, whatever links their device holds.
WITHOUT_ACCOUNT = {"anonymous", "watcher", "keeper"}


def inside(member: int, scorer: int, manager: int, owner: int) -> dict[str, int]:
    """Return the statuses of the club's people; what all others get depends on who may see the club."""
    return dict(zip(INSIDE, (member, scorer, manager, owner), strict=True))


def same(status: int) -> dict[str, int]:
    return dict.fromkeys(ROLES, status)


def by_account(without: int, with_account: int) -> dict[str, int]:
    return {role: without if role in WITHOUT_ACCOUNT else with_account for role in ROLES}


#: Route -> method -> status by role. What is not named is refused with 405; HEAD is as GET.
CLUB_TABLE: dict[str, dict[str, dict[str, int]]] = {
    "clubs": {"get": same(200)},
    "new_club": {"get": by_account(302, 200), "post": by_account(302, 422)},
    "club": {"get": inside(200, 200, 200, 200)},
    "club_settings": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 422, 422)},
    "delete_club": {"get": inside(403, 403, 403, 200), "post": inside(403, 403, 403, 409)},
    "club_file": {"get": inside(403, 403, 200, 200)},
    "import_club": {"get": by_account(302, 200), "post": by_account(302, 422)},
    "club_suspicions": {"get": inside(403, 403, 200, 200)},
    "club_members": {"get": inside(200, 200, 200, 200), "post": inside(403, 403, 422, 422)},
    "remove_member": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 302, 302)},
    "open_invitation": {"get": same(200), "post": same(302)},
}
PLAYER_TABLE: dict[str, dict[str, dict[str, int]]] = {
    "players": {"get": inside(200, 200, 200, 200), "post": inside(403, 422, 422, 422)},
    "player": {"get": inside(200, 200, 200, 200), "post": inside(403, 403, 422, 422)},
    "merge": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 404, 404)},
    "anonymise": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 422, 422)},
    "claims": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 404, 404)},
    "lifetime": {"get": inside(200, 200, 200, 200)},
    "compare": {"get": inside(200, 200, 200, 200)},
    "club_insight": {"get": inside(200, 200, 200, 200)},
    # The owner is a player already.
    "open_player_link": {"get": same(200), "post": {**same(302), "owner": 409}},
}
SEASON_TABLE: dict[str, dict[str, dict[str, int]]] = {
    "seasons": {"get": inside(200, 200, 200, 200)},
    "new_season": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 422, 422)},
    "season": {"get": inside(200, 200, 200, 200)},
    # Bernd plays in no game that the season counts: strangers do not learn that the club knows him.
    "season_player": {"get": {**dict.fromkeys(OUTSIDE, 404), **inside(200, 200, 200, 200)}},
    "season_settings": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 422, 422)},
    "close_season": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 302, 302)},
    "delete_season": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 302, 302)},
    "all_time": {"get": inside(200, 200, 200, 200)},
    "records": {"get": inside(200, 200, 200, 200)},
}
EVENING_TABLE: dict[str, dict[str, dict[str, int]]] = {
    "evenings": {"get": inside(200, 200, 200, 200), "post": inside(403, 403, 422, 422)},
    "evening": {"get": inside(200, 200, 200, 200), "post": inside(422, 422, 422, 422)},
    "change_evening": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 422, 422)},
    "evenings_calendar": {"get": inside(200, 200, 200, 200)},
}
WEBHOOK_TABLE: dict[str, dict[str, dict[str, int]]] = {
    "webhooks": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 422, 422)},
    "webhook": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 422, 422)},
    "delete_webhook": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 302, 302)},
}
#: What is taken away has everybody's own name in it: only members get it, whoever may see the club.
EXPORT_TABLE: dict[str, dict[str, dict[str, int]]] = {
    route: {"get": {**dict.fromkeys(OUTSIDE, 404), **inside(200, 200, 200, 200)}}
    for route in ("export", "export_csv", "export_workbook", "export_bgstats")
}
IMPORT_TABLE: dict[str, dict[str, dict[str, int]]] = {
    "imports": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 422, 422)},
    "import_example": {"get": inside(403, 403, 200, 200)},
    "one_import": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 200, 200)},
    "undo_import": {"get": inside(403, 403, 200, 200), "post": inside(403, 403, 409, 409)},
}
TABLE = IMPORT_TABLE | EXPORT_TABLE | CLUB_TABLE | PLAYER_TABLE | EVENING_TABLE | SEASON_TABLE | WEBHOOK_TABLE
#: What everybody may open of a club that is not private.
OPEN = {
    *("club", "lifetime", "compare", "club_insight", "seasons", "season", "all_time", "records"),
    *("evenings", "evening", "evenings_calendar"),
}


def expected(route: str, method: str, role: str, *, is_open: bool) -> int:
    statuses = TABLE[route].get("get" if method == "head" else method)
    if statuses is None:
        return 405
    if role in statuses:
        return statuses[role]
    return 404 if not is_open else 200 if route in OPEN and method != "post" else 403


@pytest.fixture(params=["private", "public"])
def club(request) -> Club:
    """Return a club with a game, three players, a member, Mia, a season and an evening."""
    made = make_club("Runde", visibility=request.param)
    add(made, "Bernd", "Cem", "Doro")
    Membership.objects.create(club=made, user=make_user("Mia"))
    club_game(made)
    recording.create_season(made, recording.SeasonSettings("Winter", date(2020, 1, 1)), by=OPERATOR)
    planned(made)
    make_webhook(made)
    recording.imports.keep_file(made, b"Spiel;Datum;Spieler;Punkte\n", "games.csv", by=owner_of(made))
    return made


def client_of(role: str, club: Club) -> Client:
    if role in {"watcher", "keeper"}:
        return client_for(club.games.get(), "watch" if role == "watcher" else "edit")
    client = Client()
    if role == "owner":
        client.force_login(club.memberships.get(role="owner").user)
    elif role != "anonymous":
        user = make_user(role)
        client.force_login(user)
        if role == "staff":
            user.is_staff = user.is_superuser = True
            user.save()
        elif role in INSIDE:
            Membership.objects.create(club=club, user=user, role=role)
    return client


def address_of(route: str, club: Club) -> str:
    by, player = owner_of(club), club.players.get(name="Bernd")
    if route in {"clubs", "new_club", "import_club"}:
        return reverse(route)
    if route == "open_invitation":
        return reverse(route, args=[recording.invite(club, role="member", by=by)[1]])
    if route == "open_player_link":
        return reverse(route, args=[recording.make_claim_link(player, by=by)[1]])
    if route == "remove_member":
        return reverse(route, args=[club.pk, club.memberships.get(user__username="Mia").pk])
    season = club.seasons.get().pk
    if route == "season_player":
        return reverse(route, args=[club.pk, season, player.pk])
    if route in {"season", "season_settings", "close_season", "delete_season"}:
        return reverse(route, args=[club.pk, season])
    more = [player.pk] if route in {"player", "merge", "anonymise", "lifetime"} else []
    if route in {"evening", "change_evening"}:
        more = [club.evenings.get().pk]
    if route in {"webhook", "delete_webhook"}:
        more = [club.webhooks.get().pk]
    if route in {"one_import", "undo_import"}:
        more = [club.imports.get().pk]
    if route == "import_example":
        more = ["sheets-long-de"]
    if route in {"export_csv", "export_workbook"}:
        return reverse(route, args=[club.pk, "games"])
    return reverse(route, args=[club.pk, *more])


def test_every_route_of_clubs_and_players_is_in_the_table():
    starts = ("clubs/", "i/", "p/")
    assert sorted(name for path, name in path_names() if path.startswith(starts)) == sorted(TABLE)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_the_status_of_the_table(role, club):
    client = client_of(role, club)
    is_open = club.visibility != Club.Visibility.PRIVATE

    found: dict[str, Any] = {}
    for route in TABLE:
        address = address_of(route, club)
        found[route] = {method: status_of(client, method, address) for method in METHODS}

    assert found == {
        route: {method: expected(route, method, role, is_open=is_open) for method in METHODS} for route in TABLE
    }


#: What would change something if it were let through.
SENT = {
    "name": "Taken over",
    "time_zone": "Europe/Berlin",
    "language": "de",
    "visibility": "public",
    "ladder": "full",
    "role": "owner",
    "days": "7",
    "act": "archive",
    "starts_on": "2026-01-01",
    "formula": "sum",
    "best_of": "games",
    "tie_rule": "wins",
    "guests": "ranked",
    "address": "https://elsewhere.example.org/",
    "event": "game_finished",
    "renew": "1",
}


@pytest.mark.parametrize("role", [role for role in ROLES if role not in {"manager", "owner"}])
def test_who_may_not_writes_nothing(role, club):
    client = client_of(role, club)
    mia = club.memberships.get(user__username="Mia").pk
    starts = (
        "club_",
        "delete",
        "remove",
        "merge",
        "anonymise",
        "claims",
        "new_season",
        "season_",
        "close_",
        "evenings",
    )
    starts += ("change_evening", "webhook", "imports", "one_import", "undo_import")
    routes = [route for route in TABLE if route.startswith(starts) and "post" in TABLE[route]]
    addresses = [address_of(route, club) for route in routes]
    before = stored()

    for address in addresses:
        for more in ({}, {"change": str(mia)}):
            assert client.post(address, {**SENT, **more}).status_code in {403, 404}

    assert stored() == before


def test_unknown_clubs_look_like_hidden_ones():
    hidden, client = make_club("Hidden"), Client()
    client.force_login(make_user("Zoe"))
    pages = []
    for club_id in (hidden.pk, hidden.pk + 1, 10**30):
        for end in ("", "settings/", "delete/", "members/", "members/1/remove/", "players/", "claims/"):
            response = client.get(f"/clubs/{club_id}/{end}")
            assert response.status_code == 404
            assert b"Hidden" not in response.content
            pages.append(response.content.count(b"only the club"))

    assert set(pages) == {1}


def test_nobody_is_removed_through_another_club():
    own, other = make_club("Own", owner="Olga"), make_club("Other")
    theirs = other.memberships.get()
    client = Client()
    client.force_login(own.memberships.get().user)
    before = stored()

    answers = [
        client.post(f"/clubs/{own.pk}/members/{theirs.pk}/remove/"),
        client.post(f"/clubs/{own.pk}/members/", {"change": theirs.pk, "role": "member"}),
        client.post(f"/clubs/{own.pk}/members/", {"revoke": recording.invite(other, role="member", by=OPERATOR)[0].pk}),
    ]

    assert [answer.status_code for answer in answers] == [404, 409, 404]
    other.invitations.all().delete()
    assert stored() == before
