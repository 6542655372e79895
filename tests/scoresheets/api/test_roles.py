"""Every operation x role has one expected status. An operation that is not in the table fails here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import transaction

from tests.scoresheets.api.game_acts import ACTS
from tests.scoresheets.api.helpers import operations
from tests.scoresheets.api.world import ROLES, World

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Case:
    """A request that is good, and the status it gets from each of `ROLES`."""

    path: Callable[[World], str]
    statuses: tuple[int, ...]
    body: Callable[[World], Any] | None = None
    headers: Callable[[World], dict[str, str]] | None = None


def in_club(rest: str = "") -> Callable[[World], str]:
    """Return the address of something in the club."""
    return lambda world: f"clubs/{world.club.pk}/{rest}"


def in_player(rest: str = "") -> Callable[[World], str]:
    """Return the address of something of the club's first player."""
    return lambda world: f"clubs/{world.club.pk}/players/{world.players[0].pk}/{rest}"


def of_webhook(rest: str = "") -> Callable[[World], str]:
    """Return the address of something of the club's webhook."""
    return lambda world: f"clubs/{world.club.pk}/webhooks/{world.delivery.webhook_id}/{rest}"


#: Where members may look; a token for another club sees what strangers see.
MEMBERS_READ = (404, 404, *(200,) * 6, 404)


def managers_write(status: int = 200) -> tuple[int, ...]:
    """Return the statuses of what managers do, with a token that has the scope `manage`."""
    return (404, 404, 403, 403, status, status, 403, 403, 404)


def scorers_write(status: int = 200) -> tuple[int, ...]:
    """Return the statuses of what scorers do, with a token that has the scope `record`."""
    return (404, 404, 403, status, status, status, 403, status, 404)


def of_evening(rest: str = "") -> Callable[[World], str]:
    """Return the address of something of the club's open evening."""
    return lambda world: f"clubs/{world.club.pk}/evenings/{world.evening.pk}/{rest}"


def of_season(rest: str = "") -> Callable[[World], str]:
    """Return the address of something of the club's season."""
    return lambda world: f"clubs/{world.club.pk}/seasons/{world.season.pk}/{rest}"


def at(path: str) -> Callable[[World], str]:
    """Return an address that is the same in every world."""
    return lambda world: path


def of_game(rest: str = "") -> Callable[[World], str]:
    """Return the address of something of the club's game that is being bid."""
    return lambda world: f"games/{world.game.pk}/{rest}"


def an_act(name: str, statuses: tuple[int, ...] = ()) -> Case:
    """Return the case of an act on a game that it fits; by default scorers do it."""

    def path(world: World) -> str:
        act, game = world.act(name)
        return f"games/{game.pk}/{act.path}"

    def body(world: World) -> Any:
        act, game = world.act(name)
        return act.body(game)

    def headers(world: World) -> dict[str, str]:
        act, game = world.act(name)
        return act.headers(game)

    return Case(path, statuses or scorers_write(ACTS[name].status), body, headers)


def a_table(world: World) -> dict[str, Any]:
    """Return who sits down at a game of the club."""
    return {"club": world.club.pk, "seats": [{"player": player.pk} for player in world.players[:3]]}


#: What everybody may ask, also without an account.
EVERYBODY = (200,) * 9
#: What an account asks about itself.
ACCOUNTS = (401, *(200,) * 8)

TABLE: dict[str, Case] = {
    # clubs.py
    "clubs_list": Case(lambda world: "clubs/", (401, *(200,) * 8)),
    "clubs_create": Case(lambda world: "clubs/", (401, *(201,) * 5, 403, 403, 403), lambda world: {"name": "Neu"}),
    "clubs_read": Case(in_club(), MEMBERS_READ),
    # club_files.py
    "clubs_export": Case(in_club("export/"), managers_write()),
    "clubs_change": Case(in_club(), managers_write(), lambda world: {"name": "Neu"}),
    "clubs_delete": Case(in_club(), (404, 404, 403, 403, 403, 204, 403, 403, 404)),
    # games
    "games_list": Case(in_club("games/"), MEMBERS_READ),
    "clubs_changes": Case(in_club("changes/"), MEMBERS_READ),
    "games_read": Case(of_game(), MEMBERS_READ),
    "games_sheet": Case(of_game("sheet/"), MEMBERS_READ),
    "games_journal": Case(of_game("journal/"), MEMBERS_READ),
    "games_corrections": Case(of_game("corrections/"), MEMBERS_READ),
    "games_list_links": Case(of_game("links/"), scorers_write()),
    "games_start": Case(lambda world: "games/", scorers_write(201), a_table),
    "games_record_sheet": Case(
        lambda world: "games/sheets/",
        scorers_write(201),
        lambda world: {**a_table(world), "rounds": [{"bids": [1, 0, 0], "tricks": [1, 0, 0]}]},
    ),
    "games_record_results": Case(
        lambda world: "games/results/",
        scorers_write(201),
        lambda world: {
            "club": world.club.pk,
            "seats": [{"player": player.pk, "points": 10} for player in world.players[:3]],
        },
    ),
    "games_preview_correction": Case(
        lambda world: f"games/{world.act('games_correct_round')[1].pk}/corrections/preview/",
        scorers_write(),
        lambda world: ACTS["games_correct_round"].body(world.act("games_correct_round")[1]),
    ),
    "games_revoke_link": Case(
        lambda world: f"games/{world.game.pk}/links/{world.game.links.latest('pk').pk}/", scorers_write(204)
    ),
    **{name: an_act(name) for name in ACTS},
    "games_confirm": an_act("games_confirm", managers_write()),
    # tokens.py
    "token_read": Case(lambda world: "token/", (401, *(200,) * 8)),
    "token_revoke": Case(lambda world: "token/", (401, *(204,) * 8)),
    # members.py
    "members_list": Case(in_club("members/"), MEMBERS_READ),
    "members_read": Case(lambda world: f"clubs/{world.club.pk}/members/{world.member.pk}/", MEMBERS_READ),
    "members_change_role": Case(
        lambda world: f"clubs/{world.club.pk}/members/{world.member.pk}/",
        managers_write(),
        lambda world: {"role": "scorer"},
    ),
    "members_remove": Case(lambda world: f"clubs/{world.club.pk}/members/{world.member.pk}/", managers_write(204)),
    # The last owner stays.
    "members_leave": Case(in_club("leave/"), (404, 404, 204, 204, 204, 409, 403, 403, 404)),
    "invitations_list": Case(in_club("invitations/"), managers_write()),
    "invitations_create": Case(in_club("invitations/"), managers_write(201), lambda world: {}),
    "invitations_revoke": Case(
        lambda world: f"clubs/{world.club.pk}/invitations/{world.invitation[0].pk}/", managers_write(204)
    ),
    "invitations_accept": Case(
        lambda world: "invitations/accept/",
        (401, *(200,) * 5, 403, 403, 403),
        lambda world: {"secret": world.invitation[1]},
    ),
    # players.py
    "players_list": Case(in_club("players/"), MEMBERS_READ),
    "players_likely": Case(in_club("players/likely/?name=Anna"), MEMBERS_READ),
    "players_create": Case(
        in_club("players/"), (404, 404, 403, 201, 201, 201, 403, 201, 404), lambda world: {"name": "Neu"}
    ),
    "players_read": Case(in_player(), MEMBERS_READ),
    "players_rename": Case(in_player(), managers_write(), lambda world: {"name": "Neu"}),
    **{
        f"players_{act}": Case(in_player(f"{act}/"), managers_write())
        for act in ("archive", "unarchive", "anonymise", "release")
    },
    "player_links_create": Case(in_player("link/"), managers_write(201), lambda world: {}),
    "player_links_revoke": Case(in_player("link/"), managers_write(204)),
    # The owner is somebody else in this club already.
    "player_links_use": Case(
        lambda world: "player-links/use/",
        (401, 200, 200, 200, 200, 409, 403, 403, 403),
        lambda world: {"secret": world.player_link[1]},
    ),
    # merges.py
    "merges_list": Case(in_club("merges/"), managers_write()),
    "merges_create": Case(
        in_club("merges/"),
        managers_write(201),
        lambda world: {"kept": world.players[0].pk, "merged": world.players[1].pk},
    ),
    "merges_preview": Case(
        lambda world: f"clubs/{world.club.pk}/merges/preview/?kept={world.players[0].pk}&merged={world.players[1].pk}",
        managers_write(),
    ),
    "merges_undo": Case(lambda world: f"clubs/{world.club.pk}/merges/{world.merge.pk}/undo/", managers_write()),
    "claims_list": Case(in_club("claims/"), managers_write()),
    "claims_create": Case(in_player("claim/"), (404, 404, 200, 200, 200, 409, 403, 409, 404)),
    "claims_decide": Case(
        lambda world: f"clubs/{world.club.pk}/claims/{world.claim.pk}/",
        managers_write(),
        lambda world: {"accepted": True},
    ),
    # webhooks.py
    "webhooks_list": Case(in_club("webhooks/"), managers_write()),
    "webhooks_create": Case(
        in_club("webhooks/"), managers_write(201), lambda world: {"address": "https://liga.example.org/"}
    ),
    "webhooks_read": Case(of_webhook(), managers_write()),
    "webhooks_change": Case(of_webhook(), managers_write(), lambda world: {"is_active": False}),
    "webhooks_delete": Case(of_webhook(), managers_write(204)),
    "webhooks_renew_secret": Case(of_webhook("secret/"), managers_write()),
    "webhooks_ping": Case(of_webhook("ping/"), managers_write(202)),
    "deliveries_list": Case(of_webhook("deliveries/"), managers_write()),
    "deliveries_send_again": Case(
        lambda world: f"{of_webhook()(world)}deliveries/{world.delivery.pk}/again/", managers_write(202)
    ),
    # evenings/
    "evenings_list": Case(in_club("evenings/"), MEMBERS_READ),
    "evenings_plan": Case(
        in_club("evenings/"), managers_write(201), lambda world: {"day": "2026-12-10", "time": "19:30"}
    ),
    "evenings_read": Case(of_evening(), MEMBERS_READ),
    "evenings_change": Case(of_evening(), managers_write(), lambda world: {"place": "Bei Cem"}),
    "evenings_cancel": Case(of_evening("cancel/"), managers_write()),
    "evenings_reinstate": Case(of_evening("reinstate/"), managers_write()),
    "evenings_open": Case(of_evening("open/"), scorers_write()),
    "evenings_close": Case(of_evening("close/"), scorers_write()),
    "evenings_planning": Case(of_evening("planning/"), MEMBERS_READ),
    "evenings_answer": Case(
        of_evening("answer/"), scorers_write(), lambda world: {"answer": "no", "player": world.players[0].pk}
    ),
    "evenings_here": Case(of_evening("here/"), scorers_write(), lambda world: {"newcomers": ["Emil"]}),
    "evenings_draw": Case(of_evening("sittings/"), scorers_write(201), lambda world: {}),
    "evenings_place": Case(
        of_evening("sittings/1/"),
        scorers_write(),
        lambda world: {"moves": [{"player": world.players[0].pk, "table": None}]},
    ),
    "evenings_discard": Case(of_evening("sittings/1/"), scorers_write(204)),
    "evenings_start_table": Case(lambda world: f"{of_evening()(world)}tables/{world.table.pk}/start/", scorers_write()),
    # seasons.py
    "seasons_list": Case(in_club("seasons/"), MEMBERS_READ),
    "seasons_create": Case(
        in_club("seasons/"), managers_write(201), lambda world: {"name": "Winter", "starts_on": "2026-10-01"}
    ),
    "seasons_read": Case(of_season(), MEMBERS_READ),
    "seasons_change": Case(of_season(), managers_write(), lambda world: {"best": 10}),
    "seasons_delete": Case(of_season(), managers_write(204)),
    "seasons_close": Case(of_season("close/"), managers_write()),
    "seasons_reopen": Case(of_season("reopen/"), managers_write()),
    "seasons_standings": Case(of_season("standings/"), MEMBERS_READ),
    "seasons_player": Case(lambda world: f"{of_season()(world)}players/{world.players[0].pk}/", MEMBERS_READ),
    "seasons_player_games": Case(
        lambda world: f"{of_season()(world)}players/{world.players[0].pk}/games/", MEMBERS_READ
    ),
    # statistics/
    "players_lifetime": Case(in_player("lifetime/"), MEMBERS_READ),
    "players_opponents": Case(in_player("lifetime/opponents/"), MEMBERS_READ),
    "players_months": Case(in_player("lifetime/months/"), MEMBERS_READ),
    "clubs_compare": Case(
        lambda world: f"clubs/{world.club.pk}/comparison/?player={world.players[0].pk}&player={world.players[1].pk}",
        MEMBERS_READ,
    ),
    "clubs_all_time": Case(in_club("all-time/"), MEMBERS_READ),
    "clubs_ratings": Case(in_club("ratings/"), MEMBERS_READ),
    "clubs_records": Case(in_club("records/"), MEMBERS_READ),
    "clubs_hall_of_fame": Case(in_club("hall-of-fame/"), MEMBERS_READ),
    "clubs_insight": Case(in_club("insight/"), MEMBERS_READ),
    "insight_read": Case(at("insight/"), EVERYBODY),
    "me_read": Case(at("me/"), ACCOUNTS),
    "me_lifetime": Case(at("me/lifetime/"), ACCOUNTS),
    "me_opponents": Case(at("me/lifetime/opponents/"), ACCOUNTS),
    # engine/
    "engine_presets": Case(at("engine/presets/"), EVERYBODY),
    "engine_codes": Case(at("engine/codes/"), EVERYBODY),
    "engine_check_house_rules": Case(at("engine/house-rules/"), EVERYBODY, lambda world: {"house": {}}),
    "engine_plans": Case(at("engine/plans/"), EVERYBODY, lambda world: {"players": 4}),
    "engine_bids": Case(
        at("engine/bids/"), EVERYBODY, lambda world: {"number": 1, "cards": 1, "players": 3, "bids": [1]}
    ),
    "engine_scores": Case(
        at("engine/scores/"),
        EVERYBODY,
        lambda world: {"number": 1, "cards": 1, "bids": [1, 0, 0], "tricks": [1, 0, 0]},
    ),
    "engine_tricks": Case(at("engine/tricks/"), EVERYBODY, lambda world: {"cards": ["R5", "W"], "trump": None}),
    "engine_legal_cards": Case(at("engine/legal-cards/"), EVERYBODY, lambda world: {"hand": ["R5"], "trick": []}),
}


def test_every_operation_is_in_the_table():
    assert set(TABLE) == set(operations())


@pytest.mark.parametrize("name", TABLE)
def test_each_role_gets_the_status_of_the_table(name):
    world, case = World(), TABLE[name]
    method, path = operations()[name][0], case.path(world)
    body = case.body(world) if case.body else None
    headers = case.headers(world) if case.headers else {}

    statuses = []
    for app in [world.apps[role] for role in ROLES]:
        # Each of them finds the world as it was.
        with transaction.atomic():
            statuses.append(app.ask(method, path, body, **headers).status)
            transaction.set_rollback(True)

    assert dict(zip(ROLES, statuses, strict=True)) == dict(zip(ROLES, case.statuses, strict=True))
