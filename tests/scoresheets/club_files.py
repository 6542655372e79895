"""A club in which everything has happened that its file can tell, and its file there and back."""

from __future__ import annotations

import io
import random
from datetime import UTC, date, datetime
from typing import Any

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, Game, Player, User
from scoresheets.queries.club_files import club_file
from scoresheets.recording import repair, statistics
from scoresheets.recording.club_files import import_club
from tests.scoresheets.clubs import add, finished, make_club, make_user, member_of, owner_of, player_of
from tests.scoresheets.evenings import come, drawn, opened, planned
from tests.scoresheets.factories import enter_bids, fresh, make_game, open_round, play_round, seat_ids
from tests.scoresheets.recording.test_replay import Walk

MEGABYTE = 1024**2
NAMES = ("Annika", "Bernd", "Cem", "Doro", "Emil", "Frida", "Gustav", "Hilke")
#: Rules of games that are under way, so that every variant is there however few games are played.
HOUSES = (
    rules.HouseRules(variant="einfarbig"),
    rules.HouseRules(variant="maximus", tie_break="shared"),
    rules.HouseRules(deck="french52", clairvoyance=True),
    rules.HouseRules(secret_bids=True, specials=("DRAGON", "FAIRY", "WEREWOLF"), werewolf_may_choose_no_trump=False),
    rules.HouseRules(specials=("JUGGLER", "SHAPESHIFTER"), weak_specials_no_trump=True, last_round_dealer_trump=True),
    rules.HouseRules(specials=("DRAGON",), allow_lone_dragon_or_fairy=True, rounds_from_deck=True),
)


class QuickWalk(Walk):
    """A random game without the proofs that it has elsewhere: only its journal is wanted."""

    def check(self) -> None:
        pass

    def _refused(self, *given: Any, **arguments: Any) -> None:
        pass


def text_of(club: Club) -> str:
    """Return the club's file."""
    return "".join(club_file(club))


def imported(text: str, *, by: Actor | None = None) -> Club:
    """Return the club that the file makes, owned by a new account."""
    owner = by or Actor.of_user(make_user(f"Importer{User.objects.count()}"))
    return import_club(io.BytesIO(text.encode()), by=owner, most_bytes=10 * MEGABYTE)


def wrong_with(club: Club) -> list[str]:
    """Return what is wrong with the club's games and statistics, as the operator's commands find it."""
    found = [f"{game}: {said}" for game in club.games.order_by("pk") for said in repair.differences_of(game.pk)]
    return found + statistics.differences_of(club) + statistics.public_differences()


def small_club() -> Club:
    """Return a club with a finished game, one under way, an evening and a season."""
    club = make_club("Dohlen", owner="Uhu")
    players = add(club, *NAMES[:4])
    recording.create_season(club, recording.SeasonSettings("Autumn", date(2020, 1, 1)), by=OPERATOR)
    come(opened(club), players)
    finished(club, players[:3])
    game = finished(club, players[1:])
    recording.reopen(game, by=OPERATOR, reason="Miscounted")
    return club


def lively_club(walks: int = 7) -> Club:
    """Return a club with every kind of entry and every variant, `walks` random games among them."""
    chance = random.Random(5)
    house = rules.HouseRules(blind_bids=True, plus_minus_one=True)
    club = make_club("Eulen & <Käuze> 🦉", owner="Uhu", visibility="public", house=house, locks_after=24)
    players = add(club, *NAMES)
    _people(club, players)
    _seasons(club)
    _games(club, players)
    _evening(club, players)
    for seed in range(walks):
        walk = QuickWalk(seed)
        for _ in range(chance.randint(10, 28)):
            walk.act()
        seats = seat_ids(walk.game)
        sits = dict(zip(seats, (player.pk for player in chance.sample(players[:5], 3)), strict=False))
        recording.move_game(fresh(walk.game), club, players=sits, by=OPERATOR)
    for house in HOUSES:
        started = recording.start_game(NAMES[:4], house, first_dealer=1, by=OPERATOR, club=club, rounds=2)
        play_round(started.game)
    club.refresh_from_db()
    return club


def _people(club: Club, players: list[Player]) -> None:
    """Rename, merge, part, archive and anonymise some."""
    *_, gustav, hilke = players
    again, wrong, gone, secret = add(club, "Gustl", "Hilke 2", "Ines", "Jo")
    guest = recording.add_player(club, "Kim", by=OPERATOR, is_guest=True, public_name="K.")
    recording.rename_player(gustav, name="Gustav B.", by=owner_of(club))
    finished(club, [again, wrong, secret])
    recording.merge_players(gustav, again, by=OPERATOR)
    recording.undo_merge(recording.merge_players(hilke, wrong, by=OPERATOR), by=OPERATOR)
    recording.merge_players(guest, wrong, by=OPERATOR)
    recording.archive_player(gone, by=OPERATOR)
    recording.anonymise_player(secret, by=OPERATOR)


def _seasons(club: Club) -> None:
    start = date(2020, 1, 1)
    leagues = {
        "Places": rules.LeagueRules("places", place_points=(5, 3, 1), best=2, best_of="evenings"),
        "Rate": rules.LeagueRules("exact_rate", tie_rule="shared", fewest_games=1),
        "Mean": rules.LeagueRules("mean"),
    }
    for name, league in leagues.items():
        settings = recording.SeasonSettings(name, start, league=league, editions=("base",) if name == "Rate" else ())
        recording.create_season(club, settings, by=OPERATOR)
    closed = recording.create_season(club, recording.SeasonSettings("Sum", start, guests="excluded"), by=OPERATOR)
    recording.close_season(closed, by=owner_of(club))


def _evening(club: Club, players: list[Player]) -> None:
    """One evening that is open, with a table that plays, one that is planned and one that was called off."""
    evening = opened(club, place="At the mill", note="Bring biscuits")
    come(evening, players[:7])
    recording.answer(evening, answer="yes", player=players[0], by=OPERATOR)
    sitting = drawn(evening)
    recording.start_table_game(evening.drawn_tables.get(sitting=sitting, number=1), by=OPERATOR)
    drawn(evening, tables=1)
    planned(club, date(2026, 12, 10), counts=False)
    recording.cancel_evening(planned(club, date(2026, 12, 17)), by=OPERATOR)


def _games(club: Club, players: list[Player]) -> None:
    """A game of each end, a sheet and bare results."""
    annika, bernd, cem, *_ = players
    member = member_of(club, "scorer", "Scribe")
    scribe = player_of(member, club, "Scribe")
    _corrected(finished(club, [annika, bernd, scribe]), club)
    second = player_of(member_of(club), club, "Second")
    half = finished(club, [annika, second, scribe])
    recording.confirm(half, seen=half.version, by=member)
    confirmed = finished(club, [annika, cem, scribe])
    recording.confirm(confirmed, seen=confirmed.version, by=owner_of(club))
    recording.rematch(fresh(confirmed), by=member)
    elsewhere = make_club("Elsewhere")
    moved = finished(elsewhere, add(elsewhere, "Stranger", "Other"))
    recording.set_evening(moved, planned(elsewhere), by=OPERATOR)
    recording.move_game(fresh(moved), club, players={seat_ids(moved)[0]: annika.pk}, by=OPERATOR)
    played_at = datetime(2024, 5, 3, 20, 15, tzinfo=UTC)
    rounds = [
        rules.PlayedRound((1, 0, 0), (1, 0, 0)),
        rules.PlayedRound((0, 1, 1), (0, 1, 1), blind=(False, True, True)),
    ]
    who: dict[str, Any] = {"club": club, "players": [annika.pk, None, "Luca"], "played_at": played_at, "by": member}
    recording.record_sheet(
        ["Annika", "Mo", "Luca"], rules.HouseRules(blind_bids=True), first_dealer=2, rounds=rounds, **who
    )
    who["players"] = [annika.pk, bernd.pk, None]
    bare = recording.record_results(["Annika", "Bernd", "Nick"], [120, -30, 120], **who).game
    version = fresh(bare).version
    recording.correct_results(bare.pk, [110, -30, 120], seen=version, reason="Misread", by=OPERATOR)
    _under_way(club, players)


def _corrected(game: Game, club: Club) -> None:
    first, second, third = seat_ids(game)
    scored = game.rounds.get(number=1)
    values = recording.RoundValues(
        bids={first: 0, second: 1, third: 0}, taken={first: 0, second: 1, third: 0}, trump="R", turned_up="R5"
    )
    recording.correct_round(
        game, number=1, values=values, seen=scored.changed_version, by=owner_of(club), reason="Annika's “0”\nmisread"
    )
    recording.adjust_points(game, seat=first, points=-10, reason="Late", by=OPERATOR)
    recording.rename_seat(game, seat=third, name="Schreiber", reason="Typo", by=OPERATOR)


def _under_way(club: Club, players: list[Player]) -> None:
    """Games that were left in every state, with half-entered values and coins."""

    def started(**house: Any) -> Game:
        seated: list[int | str | None] = [players[0].pk, None, None]
        return recording.start_game(
            NAMES[:3], rules.HouseRules(**house), first_dealer=0, rounds=2, by=OPERATOR, club=club, players=seated
        ).game

    coins = started()
    enter_bids(coins)
    recording.lay_coin(coins, trick=1, seat=seat_ids(coins)[0], seen=open_round(coins).stage_version, by=OPERATOR)
    shown = started(plus_minus_one=True, hidden_bids=True)
    bids = dict(zip(seat_ids(shown), (1, 0, 0), strict=True))
    recording.record_bids(shown, bids=bids, seen=open_round(shown).stage_version, by=OPERATOR)
    paused, abandoned, voided = (started() for _ in range(3))
    recording.pause(paused, by=OPERATOR)
    recording.abandon(abandoned, by=OPERATOR, reason="The lamp went out")
    recording.void(voided, by=OPERATOR, reason="Played for fun")
    ended = started()
    play_round(ended)
    recording.end_early(ended, by=OPERATOR)
    again = make_game(seats=3, length=2)
    recording.move_game(again, club, players={}, by=OPERATOR)
    recording.pause(fresh(again), by=OPERATOR)
    recording.resume(fresh(again), by=OPERATOR)
