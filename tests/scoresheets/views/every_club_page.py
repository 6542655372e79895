"""Every page of a club, its members and invitations, as each kind of visitor sees it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import date
from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Membership, Player, Season, User, Webhook
from scoresheets.names import tidy_name
from scoresheets.recording import (
    SeasonSettings,
    answer,
    archive_player,
    close_season,
    create_season,
    invite,
    record_results,
    revoke_invitation,
)
from tests.scoresheets.clubs import add, club_game, finished, make_club, make_user, owner_of
from tests.scoresheets.evenings import come, drawn, opened, planned, play_to_the_end, start_all
from tests.scoresheets.webhooks import ADDRESS, make_webhook


def club_pages(names: Sequence[str], label: str, typed: str) -> dict[str, Any]:
    """Return each answer by a name for it: club, members and players have these `names`, an invitation the `label`."""
    house = rules.HouseRules(blind_bids=True, cloud_upper_clamp=False)
    club, empty = make_club(names[0], visibility="public", house=house), make_club(names[1])
    players = add(club, *names)
    finished(club, players[:3])
    club_game(club, players[1:])
    owner, stranger = club.memberships.get(), empty.memberships.get().user
    # A role each, and nobody's own line on the roster: lists must have the same order whatever the names.
    roles = ("manager", "scorer", "member")
    people = [
        owner,
        *(Membership.objects.create(club=club, user=make_user(f"{role} {club.pk}"), role=role) for role in roles),
    ]
    archive_player(club.players.get(user=owner.user), by=owner_of(club))
    secret = invite(club, role="manager", label=label, by=owner_of(club))[1]
    closed, closed_secret = invite(club, role="member", label=label, by=owner_of(club))
    revoke_invitation(closed, by=owner_of(club))
    for person, name in zip(people, names, strict=False):
        # No form takes such a name; an operator may have made it.
        User.objects.filter(pk=person.user_id).update(username=name)
    start, another, own = f"/clubs/{club.pk}/", people[1].pk, owner.pk
    pages = {
        None: ["/clubs/", start, f"/i/{secret}", f"/i/{closed_secret}", f"/clubs/{empty.pk}/", "/i/unknown"],
        owner.user: [
            *(
                "/clubs/",
                "/clubs/new/",
                "/clubs/import/",
                start,
                f"{start}settings/",
                f"{start}delete/",
                f"{start}members/",
            ),
            *(f"{start}members/{another}/remove/", f"{start}members/{own}/remove/", f"/i/{secret}"),
        ],
        people[3].user: [start, f"{start}members/", f"{start}members/{people[3].pk}/remove/", f"/i/{secret}"],
        stranger: [f"/i/{secret}", f"/clubs/{empty.pk}/", f"/clubs/{empty.pk}/delete/"],
    }
    found: dict[str, Any] = {}
    for kind, (user, addresses) in zip(("visitor", "owner", "member", "stranger"), pages.items(), strict=True):
        client = Client()
        if user is not None:
            client.force_login(user)
        found |= {f"clubs, {kind}, {number}": client.get(address) for number, address in enumerate(addresses)}
    client = Client()
    client.force_login(owner.user)
    found |= _statistics(client, start, players, typed)
    wrong = dict.fromkeys(("season", "since", "until", "language"), typed)
    found |= {"export": client.get(f"{start}export/"), "export refused": client.get(f"{start}export/rounds.csv", wrong)}
    found |= _refusals(client, start, another, label, typed)
    found |= _odd_pages(club, players, client, start, typed)
    found |= _season_pages(club, client, start, names, typed)
    found |= _evening_pages(club, client, label, typed)
    found |= _webhook_pages(club, client, typed)
    found |= _import_pages(club, client, names, typed)
    for person in people:
        User.objects.filter(pk=person.user_id).update(username=f"Was {person.user_id}")
    return found


def _odd_pages(club: Club, players: Sequence[Player], client: Client, start: str, typed: str) -> dict[str, Any]:
    """Return the pages of games that look odd, one with points that no sheet gives, for the owner's `client`."""
    seated = players[:3]
    given = {"by": OPERATOR, "club": club, "players": [player.pk for player in seated]}
    record_results([player.name for player in seated], [5, 15, 25], **given)
    address = f"{start}suspicions/"
    return {
        "odd games": client.get(address),
        "odd games, refused": client.get(address, {"kind": typed, "before": typed}),
    }


def _evening_pages(club: Club, client: Client, label: str, typed: str) -> dict[str, Any]:
    """Return the pages of an evening that is open and of one to come, for a visitor and for the owner's `client`."""
    evening, next_one = opened(club, place=label, note=label), planned(club, timezone.localdate(), place=label)
    players = list(club.players.on_roster().order_by("pk"))
    come(evening, players[:-1])
    answer(evening, answer="yes", by=OPERATOR, player=players[-1])
    drawn(evening, tables=1)
    play_to_the_end(start_all(evening)[0])
    drawn(evening, tables=1)
    list_page = f"/clubs/{club.pk}/evenings/"
    one, other = f"{list_page}{evening.pk}/", f"{list_page}{next_one.pk}/"
    wrong = dict.fromkeys(("day", "time", "times", "every", "key"), typed) | {"place": typed * 90, "note": typed * 600}
    pages = [list_page, one, other, f"/clubs/{club.pk}/"]
    return {
        **{f"evenings, visitor, {number}": Client().get(page) for number, page in enumerate(pages)},
        **{f"evenings, owner, {number}": client.get(page) for number, page in enumerate([*pages, f"{one}change/"])},
        "evening refused": client.post(list_page, wrong),
        "evening refused later": client.post(list_page, wrong | {"day": "1999-01-01", "time": "19:30", "times": "99"}),
        "evening's change refused": client.post(f"{one}change/", wrong),
        "somebody new refused": client.post(one, {"save_here": typed, "newcomer": typed * 41, "key": "k"}),
        "tables refused": client.post(one, {"draw": typed, "tables": typed}),
        "move refused": client.post(one, {"move": typed, "sitting": "2", "who": players[0].pk, "to": "new"}),
        "answer refused": client.post(one, {"answer_for": typed, "player": players[0].pk}),
        "evening, unknown step": client.post(one, {typed: typed}),
        "evening closed": client.post(one, {"close": typed}, follow=True),
    }


def _webhook_pages(club: Club, client: Client, typed: str) -> dict[str, Any]:
    """Return the pages of webhooks that work, fail and were switched off, for the owner's `client`."""
    start = f"/clubs/{club.pk}/webhooks/"
    empty = client.get(start)
    right = {"address": ADDRESS, "event": ["game_finished", "game_corrected"], "key": f"webhook {club.pk}"}
    made = client.post(start, right)
    working, failing, dead = club.webhooks.get(), make_webhook(club, f"{ADDRESS}/2"), make_webhook(club, f"{ADDRESS}/3")
    finished(club)
    now = timezone.now()
    Webhook.objects.filter(pk=failing.pk).update(failures=1, failing_since=now)
    failing.deliveries.update(tries=2, error="too_slow")
    working.deliveries.update(status="delivered", next_try_at=None, delivered_at=now, tries=1, status_code=204)
    Webhook.objects.filter(pk=dead.pk).update(is_active=False, disabled_at=now)
    pages = ["", *(f"{webhook.pk}/" for webhook in (working, failing, dead)), f"{dead.pk}/delete/"]
    found = {f"webhooks, {number}": client.get(f"{start}{page}") for number, page in enumerate(pages)}
    wrong = {"address": typed * 501, "event": typed, "key": typed}
    return found | {
        "webhooks, none yet": empty,
        "webhook made": made,
        "webhook refused": client.post(start, wrong),
        "webhook refused as typed": client.post(start, wrong | {"address": typed}),
        "webhook's change refused": client.post(f"{start}{dead.pk}/", wrong),
        "webhook's test refused": client.post(f"{start}{dead.pk}/", {"ping": typed}),
        "webhook sent nothing again": client.post(f"{start}{dead.pk}/", {"again": typed}),
        "webhook off": client.post(f"{start}{failing.pk}/", {"off": typed}, follow=True),
        "club with a dead webhook": client.get(f"/clubs/{club.pk}/"),
    }


def _import_pages(club: Club, client: Client, names: Sequence[str], typed: str) -> dict[str, Any]:
    """Return the pages of a file with a good game, a second one like it and a bad one, in each state of its import."""
    start = f"/clubs/{club.pk}/import/"
    names = [tidy_name(name) for name in names]
    out = io.StringIO()
    rows = csv.writer(out, delimiter=";")
    rows.writerow(["Spiel", "Datum", "Spieler", "Punkte", typed])
    for number in (1, 2, 3):
        rows.writerows([number, "07.03.2025", name, typed if number == 3 else 10, ""] for name in names[:3])
    picture = SimpleUploadedFile(f"{typed}.csv", b"\x89PNG" + typed.encode())
    refused = client.post(start, {"file": picture, "key": typed})
    looked_at = client.post(start, {"file": SimpleUploadedFile(f"{typed}.csv", out.getvalue().encode())}, follow=True)
    one = looked_at.redirect_chain[-1][0]
    fields = ("again", "mismatches", "game", "sheet", "day", "house", "key")
    wrong = dict.fromkeys(fields, typed) | {f"who:{names[0]}": "other", f"called:{names[0]}": typed * 2}
    found = {
        "file refused": refused,
        "file looked at": looked_at,
        "file's choices refused": client.post(one, wrong),
        "import refused": client.post(one, wrong | {"import": typed}),
        "import's undoing refused": client.post(f"{one}undo/", {"also": typed, "key": typed}),
    }
    right = {f"who:{name}": "" for name in names[:3]} | {f"who:{names[0]}": f"player:{_named(club, names[0])}"}
    found["imported"] = client.post(one, right | {"import": typed, "partly": typed, "day": ""}, follow=True)
    found |= {"imports": client.get(start), "import to undo": client.get(f"{one}undo/")}
    club.imports.update(state="running", ended_at=None, total=2)
    found["import at work"] = client.get(one)
    found["import at work, part"] = client.get(one, headers={"HX-Request": "true"})
    club.imports.update(state="failed", failure="not_allowed", ended_at=timezone.now())
    return found | {"import stopped": client.get(one)}


def _named(club: Club, name: str) -> int:
    return club.players.on_roster().filter(name=name).latest("pk").pk


def _season_pages(club: Club, client: Client, start: str, names: Sequence[str], typed: str) -> dict[str, Any]:
    """Return the pages of two seasons with games, one closed, for a visitor and for the owner's `client`."""
    league = rules.LeagueRules("places", (3, 1), best=1)
    running, closed = (
        create_season(club, SeasonSettings(name, date(2020, 1, 1), league=league), by=owner_of(club))
        for name in names[:2]
    )
    close_season(closed, by=owner_of(club))
    Season.objects.filter(pk=closed.pk).update(changed_after_close=timezone.now(), stale=True)
    second = add(club, f"{names[0]} again")
    finished(club, [*second, None, None])
    player = running.standings.order_by("pk")[0].player_id
    one, other = f"{start}seasons/{running.pk}/", f"{start}seasons/{closed.pk}/"
    pages = [f"{start}seasons/", f"{start}all-time/?sort=mean&least=1", f"{start}records/"]
    pages += [one, other, f"{one}players/{player}/"]
    ends = ("settings/", "close/", "delete/")
    managed = [*pages, f"{start}seasons/new/", *(f"{season}{end}" for season in (one, other) for end in ends)]
    found = {f"seasons, visitor, {number}": Client().get(address) for number, address in enumerate(pages)}
    found |= {f"seasons, owner, {number}": client.get(address) for number, address in enumerate(managed)}
    fields = ("formula", "place_points", "best", "best_of", "fewest_games", "tie_rule", "edition", "guests")
    wrong = dict.fromkeys(fields, typed) | {"name": typed * 61, "starts_on": "2026-01-01", "key": typed}
    unread = wrong | {"starts_on": typed, "ends_on": typed}
    numbers = wrong | {"place_points": "1 2", "best": "0", "fewest_games": "-1", "ends_on": "2025-01-01"}
    return found | {
        "new season refused": client.post(f"{start}seasons/new/", wrong),
        "new season with no day": client.post(f"{start}seasons/new/", unread),
        "season's settings refused": client.post(f"{one}settings/", numbers),
        "season closed": client.post(f"{one}close/", {"close": typed}, follow=True),
        "season opened": client.post(f"{one}close/", {"open": typed}, follow=True),
        "season deleted": client.post(f"{one}delete/", follow=True),
    }


def _statistics(client: Client, start: str, players: Sequence[Player], typed: str) -> dict[str, Any]:
    """Return the pages of numbers as the owner sees them, and one as everybody does."""
    lifetime = f"{start}players/{players[0].pk}/statistics/"
    wrong = dict.fromkeys(("season", "since", "until", "players", "edition", "opponents", "club", "player"), typed)
    # All who have played, by name: so the same ones are chosen, and stand at the same places, whatever the names.
    by_name = [player.pk for player in sorted(players[:3], key=lambda player: player.name.lower())]
    return {
        "statistics": client.get(lifetime),
        "statistics in public": Client().get(lifetime),
        "statistics filtered": client.get(lifetime, {"players": "3", "opponents": "1"}),
        "statistics wrongly filtered": client.get(lifetime, wrong),
        "statistics of nothing": client.get(f"{start}players/{players[3].pk}/statistics/"),
        "own statistics": client.get("/me/statistics/", wrong),
        "comparison": client.get(f"{start}compare/", {"player": by_name}),
        "comparison of nobody": client.get(f"{start}compare/", wrong),
        "insight": client.get(f"{start}insight/", wrong),
    }


def _refusals(client: Client, start: str, another: int, label: str, typed: str) -> dict[str, Any]:
    members = f"{start}members/"
    wrong = {"name": typed * 61, "player_name": typed * 41, "locks_after": typed, "special": typed, "key": typed}
    wrong |= dict.fromkeys(("time_zone", "language", "visibility", "edition", "ladder"), typed)
    unwanted = {"role": typed, "label": typed * 41, "days": typed, "most_uses": typed}
    right = {"role": "scorer", "label": label, "days": "7", "invite": typed, "key": typed}
    return {
        "new club refused": client.post("/clubs/new/", wrong),
        "club's file refused": client.post("/clubs/import/", {"file": BytesIO(typed.encode())}),
        "club's settings refused": client.post(f"{start}settings/", wrong),
        "invitation made": client.post(members, right),
        "invitation refused at once": client.post(members, unwanted),
        "invitation refused later": client.post(members, {**unwanted, "days": "7", "most_uses": "0"}),
        "role refused": client.post(members, {"change": another, "role": typed}),
        "role changed": client.post(members, {"change": another, "role": "scorer"}, follow=True),
    }
