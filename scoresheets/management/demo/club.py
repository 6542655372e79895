"""A club with a past: evenings played by the rules' own bots, so that every page has something to show.

Everything is written through `recording`, as people would have written it: sheets typed in from paper for the past,
taps for tonight.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from itertools import combinations
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import Actor
from scoresheets.management.demo.games import NAMES, Table
from scoresheets.models import Attendance, Club, DrawnTable, Evening, Game, Membership, Player, Season, User
from scoresheets.models.games import night_of
from scoresheets.models.usernames import username_key
from scoresheets.recording import draws, evenings, seasons, statistics
from scoresheets.recording.seasons import SeasonSettings

CLUB_NAME = "Night Owls"
FORTNIGHT, YEAR = timedelta(days=14), timedelta(days=365)
BEGINS = time(19, 30)
#: How often everybody comes, and plays as well as the bots can; the first two have accounts, the last three are guests.
CAST = (
    *((0.95, 0.97), (0.9, 0.9), (0.85, 1.0), (0.85, 0.93), (0.8, 0.85), (0.75, 0.95), (0.7, 0.8), (0.7, 0.9)),
    *((0.6, 0.97), (0.5, 0.75), (0.6, 0.88), (0.25, 0.7), (0.2, 0.92), (0.15, 0.8)),
)
GUESTS = 3
#: Places in the cast: who was entered twice, and who moved away.
TWICE, MOVED_AWAY = 4, 10
FEWEST_COMING = 7
#: Answers to older evenings are left out: they are many rows that nobody looks at.
ANSWERS_SINCE = timedelta(days=180)
#: How often somebody bids blind where that is allowed.
DARING = 0.2
PLACES = ("Kitchen, first floor", "Café Nord", "Club room", "Library")


@dataclass(slots=True)
class Person:
    """Somebody who plays: how often they come, and how often they do what a careful player would."""

    player: Player
    comes: float
    skill: float

    def act(self, view: rules.View, rng: random.Random) -> rules.SeatAction:
        """Return what this person does: nearly the best, or something that came to their mind."""
        if view.stage is not rules.Stage.BIDS:
            return rules.random_bot(view, rng) if rng.random() > self.skill else rules.sensible_bot(view, rng)
        bids = [action for action in view.actions if isinstance(action, rules.MakeBid)]
        blind = [action for action in bids if action.blind]
        if blind and rng.random() < DARING:
            return min(blind, key=lambda action: abs(action.tricks - view.step.cards / view.players))
        best = rules.sensible_bot(view, rng)
        if rng.random() <= self.skill or not isinstance(best, rules.MakeBid):
            return best
        return rng.choice([bid for bid in bids if abs(bid.tricks - best.tricks) <= 1 and bid.blind == best.blind])


@dataclass(slots=True)
class Demo:
    """The club while it is made, and what there is to say about it afterwards."""

    club: Club
    rng: random.Random
    owner: Actor
    scorer: Actor
    people: list[Person]
    duplicate: Player
    passwords: dict[str, str]
    met: Counter[frozenset[int]] = field(default_factory=Counter)
    games: list[Game] = field(default_factory=list)
    tonight: Evening | None = None
    season: Season | None = None
    running: str = ""

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.club.time_zone)


def make_club(seed: int, count: int) -> Demo:
    """Found the club, let it play so many evenings, the last of them tonight, and return it."""
    demo = _found(random.Random(f"club {seed}"))
    tonight = night_of(timezone.now(), demo.club.time_zone)
    for number in range(count - 1):
        with transaction.atomic():
            past = tonight - FORTNIGHT * (count - 1 - number) + timedelta(days=demo.rng.choice((-1, 0, 0, 0, 1)))
            if number == count // 2 > 0:
                _call_off(demo, past)
            else:
                _play_evening(demo, past, share=number / count)
    with transaction.atomic():
        _tidy_roster(demo)
        _play_tonight(demo, tonight)
        _plan_next(demo, tonight)
    with transaction.atomic():
        _make_seasons(demo, tonight - FORTNIGHT * (count - 1), tonight)
        _correct(demo)
        _confirm(demo)
    while statistics.catch_up(demo.club.pk):
        pass
    return demo


# -- people ---------------------------------------------------------------------------------------------------------


@transaction.atomic
def _found(rng: random.Random) -> Demo:
    """Found a public club with all of its people."""
    names = rng.sample(NAMES, len(CAST))
    passwords = {_free_username(name): secrets.token_urlsafe(9) for name in names[:2]}
    accounts = [User.objects.create_user(username=name, password=password) for name, password in passwords.items()]
    settings = recording.ClubSettings(
        CLUB_NAME, language=Club.Language.ENGLISH, visibility=Club.Visibility.PUBLIC, locks_after=72
    )
    club = recording.create_club(settings, by=Actor.of_user(accounts[0]), player_name=names[0])
    owner = _actor(accounts[0])
    players = [club.players.get()]
    for place, name in enumerate(names[1:], start=1):
        players.append(recording.add_player(club, name, by=owner, is_guest=place >= len(CAST) - GUESTS))
    recording.rename_player(players[2], name=names[2], public_name=f"{names[2][0]}.", by=owner)
    _link, secret = recording.make_claim_link(players[1], by=owner)
    recording.use_claim_link(secret, by=Actor.of_user(accounts[1]))
    member = Membership.objects.get(club=club, user=accounts[1])
    recording.change_role(member, role=Membership.Role.SCORER, by=owner)
    duplicate = recording.add_player(club, f"{names[TWICE]} M.", by=owner, is_guest=True)
    people = [Person(player, comes, skill) for player, (comes, skill) in zip(players, CAST, strict=True)]
    return Demo(club, rng, owner, _actor(accounts[1]), people, duplicate, passwords)


def _free_username(name: str) -> str:
    """Return the name, or with the first number that makes it one nobody has."""
    number, wanted = 1, name
    while User.objects.filter(username_key=username_key(wanted)).exists():
        number += 1
        wanted = f"{name} {number}"
    return wanted


def _actor(user: User) -> Actor:
    return Actor.of_user(user, Membership.objects.filter(user=user))


def _tidy_roster(demo: Demo) -> None:
    """Merge the one who was entered twice, and archive the one who moved away."""
    recording.merge_players(demo.people[TWICE].player, demo.duplicate, by=demo.owner)
    recording.archive_player(demo.people[MOVED_AWAY].player, by=demo.owner)


# -- evenings -------------------------------------------------------------------------------------------------------


def _play_evening(demo: Demo, day: date, *, share: float) -> None:
    """Let an evening of the past take place; `share` says how much of the past is over, from 0 to 1."""
    rng = demo.rng
    plan = evenings.EveningPlan(day, BEGINS, rng.choice(PLACES), counts=rng.random() > 0.05)
    (evening,) = evenings.plan_evening(demo.club, plan, by=demo.owner)
    here = _gather(demo, evening, moved_away=share > 0.5)
    if not share or (share < 0.4 and rng.random() < 0.3):
        _sit_as_duplicate(demo, here)
    evenings.set_here(evening, {person.player.pk: True for person in here}, by=demo.scorer)
    evening = evenings.open_evening(evening, by=demo.scorer)
    begin = datetime.combine(day, BEGINS, demo.zone)
    for start, table in sorted(_games_of_evening(demo, here, begin), key=lambda game: game[0]):
        _play_sheet(demo, evening, table, start, is_second=start - begin > timedelta(hours=1))
    evenings.close_evening(evening, by=demo.scorer)


def _call_off(demo: Demo, day: date) -> None:
    (evening,) = evenings.plan_evening(
        demo.club, evenings.EveningPlan(day, BEGINS, PLACES[2], "No heating"), by=demo.owner
    )
    evenings.cancel_evening(evening, by=demo.owner)


def _gather(demo: Demo, evening: Evening, *, moved_away: bool) -> list[Person]:
    """Note who says that they come, and return who does: enough for two tables."""
    known = [person for person in demo.people if not (moved_away and person is demo.people[MOVED_AWAY])]
    keen = sorted(known, key=lambda person: person.comes - demo.rng.random(), reverse=True)
    count = max(FEWEST_COMING, sum(demo.rng.random() < person.comes for person in known))
    here = keen[:count]
    if evening.night < timezone.localdate() - ANSWERS_SINCE:
        return here
    for person in known:
        says = Attendance.Answer.YES if person in here else Attendance.Answer.NO
        said = demo.rng.choices((says, Attendance.Answer.MAYBE, ""), (7, 1, 2))[0]
        if said:
            evenings.answer(evening, answer=said, player=person.player, by=demo.owner)
    return here


def _sit_as_duplicate(demo: Demo, here: list[Person]) -> None:
    """Let the one who was entered twice be somebody else this evening."""
    known = demo.people[TWICE]
    here[:] = [person for person in here if person is not known]
    here.append(Person(demo.duplicate, known.comes, known.skill))


def _games_of_evening(demo: Demo, here: Sequence[Person], begin: datetime) -> list[tuple[datetime, list[Person]]]:
    """Return when which table plays: one or two games each, drawn anew for the second."""
    people = {person.player.pk: person for person in here}
    games = []
    for after in (10, 110):
        drawn = rules.draw_tables(sorted(people), demo.rng, met=demo.met)
        for number, players in enumerate(drawn.tables):
            if after > 100 and demo.rng.random() < 0.7:
                continue
            demo.met.update(map(frozenset, combinations(players, 2)))
            games.append((begin + timedelta(minutes=after + 2 * number), [people[player] for player in players]))
    return games


# -- games ----------------------------------------------------------------------------------------------------------


def _play_sheet(demo: Demo, evening: Evening, table: Sequence[Person], start: datetime, *, is_second: bool) -> None:
    """Let the bots play a game and type its sheet in, as of that evening."""
    rng, players = demo.rng, len(table)
    house = _house(rng)
    ladder, length = "full", rng.randint(6, 8) if is_second or rng.random() < 0.45 else None
    if players in rules.TOURNAMENT_LADDERS and rng.random() < 0.15:
        ladder, length = "tournament", None
    if rules.plan_problems(house, players, ladder=ladder, rounds=length):
        ladder, length = "full", None
    dealer = rng.randrange(players)
    played = rules.self_play(
        house, [person.act for person in table], rng, first_dealer=dealer, ladder=ladder, rounds=length
    )
    names = [person.player.name for person in table]
    started = recording.record_sheet(
        names,
        house,
        first_dealer=dealer,
        rounds=[done.result for done in played.rounds if done.result is not None],
        ladder=ladder,
        played_at=start,
        club=demo.club,
        players=[person.player.pk for person in table],
        evening=evening.pk,
        by=demo.scorer,
    )
    demo.games.append(started.game)


def _house(rng: random.Random) -> rules.HouseRules:
    """Return the rules of a game: mostly the plain ones, now and then what else there is."""
    house = rules.HouseRules(plus_minus_one=rng.random() < 0.3)
    kind = rng.random()
    if kind < 0.12:
        return replace(house, specials=tuple(rules.SPECIALS[: rng.randint(2, len(rules.SPECIALS))]))
    if kind < 0.22:
        return replace(house, blind_bids=True)
    if kind < 0.3:
        return replace(house, deck=rules.FRENCH52)
    if kind < 0.33:
        return replace(house, variant="maximus")
    return house


def _play_tonight(demo: Demo, tonight: date) -> None:
    """Open tonight's evening: a game that was given up, one that is over, one that goes on, one that ended early."""
    plan = evenings.EveningPlan(tonight, BEGINS, PLACES[1])
    (evening,) = evenings.plan_evening(demo.club, plan, by=demo.owner)
    here = _gather(demo, evening, moved_away=True)
    evenings.set_here(evening, {person.player.pk: True for person in here}, by=demo.scorer)
    evening = demo.tonight = evenings.open_evening(evening, by=demo.scorer)
    given_up = _start_game(demo, here[:3])
    _play_rounds(demo, given_up, 2)
    recording.abandon(given_up.game, by=demo.scorer, reason="Somebody else came")
    _play_rounds(demo, _start_game(demo, here[:4], rounds=6), 6)
    draws.draw_tables(evening, by=demo.scorer, rng=demo.rng)
    for number, table in enumerate(DrawnTable.objects.filter(evening=evening)[:2]):
        started = draws.start_table_game(table, by=demo.scorer)
        _play_rounds(demo, started, 6)
        if number:
            recording.end_early(started.game, by=demo.scorer, reason="The last train")
        else:
            demo.running = started.secret


def _start_game(demo: Demo, table: Sequence[Person], *, rounds: int | None = None) -> recording.Started:
    return recording.start_game(
        [person.player.name for person in table],
        rules.HouseRules(),
        first_dealer=0,
        rounds=rounds,
        club=demo.club,
        players=[person.player.pk for person in table],
        by=demo.scorer,
    )


def _play_rounds(demo: Demo, started: recording.Started, rounds: int) -> None:
    seats = list(started.game.seats.order_by("position"))
    table = Table(started.game, started.secret, seats, demo.rng, one_by_one=False)
    for number in range(1, rounds + 1):
        table.play_round(number)


def _plan_next(demo: Demo, tonight: date) -> None:
    """Plan the next evenings; some have said whether they come to the first."""
    plan = evenings.EveningPlan(tonight + timedelta(days=7), BEGINS, PLACES[2], "Bring something to eat")
    following, *_later = evenings.plan_evening(demo.club, plan, by=demo.owner, times=3, every=FORTNIGHT.days)
    for person, said in zip(demo.people, ("yes", "yes", "maybe", "no", "yes"), strict=False):
        evenings.answer(following, answer=said, player=person.player, by=demo.owner)


# -- afterwards -----------------------------------------------------------------------------------------------------


def _make_seasons(demo: Demo, first: date, tonight: date) -> None:
    """Make a season a year, each with a formula of its own, and close all but the newest."""
    leagues = (
        (rules.LeagueRules("sum", fewest_games=5), Season.Guests.RANKED),
        (rules.LeagueRules("places", (5, 3, 2, 1), best=12, best_of="evenings"), Season.Guests.UNRANKED),
        (rules.LeagueRules("mean", fewest_games=8, tie_rule="wins"), Season.Guests.UNRANKED),
    )
    years = max(1, min(len(leagues), -(-(tonight - first).days // YEAR.days)))
    for ago in reversed(range(years)):
        starts_on = tonight - YEAR * (ago + 1) + timedelta(days=1)
        league, guests = leagues[len(leagues) - 1 - ago]
        settings = SeasonSettings(
            f"{starts_on.year}/{starts_on.year + 1}",
            starts_on - timedelta(days=30 if ago == years - 1 else 0),
            starts_on + YEAR - timedelta(days=1) if ago else None,
            league,
            guests=guests,
        )
        demo.season = seasons.create_season(demo.club, settings, by=demo.owner)
        if ago:
            seasons.close_season(demo.season, by=demo.owner)


def _correct(demo: Demo) -> None:
    """Void a game, correct a few others and add points to one, all over the years: also in seasons that are closed."""
    chosen = demo.games[:: max(1, len(demo.games) // 5)]
    for game in chosen[:1]:
        recording.void(game, by=demo.owner, reason="A card was missing from the pack")
    for game in chosen[1:4]:
        _correct_bid(demo, game)
    for game in chosen[4:5]:
        seat = demo.rng.choice(game.seats_in_order())
        recording.adjust_points(
            game, seat=seat.pk, points=-10, by=demo.owner, reason="Looked at a trick that was closed"
        )


def _correct_bid(demo: Demo, game: Game) -> None:
    """Let one bid of the last round have been another."""
    scored = game.rounds.latest("number")
    values = recording.RoundValues.of(scored, list(scored.bids.all()))
    seat, bid = demo.rng.choice(sorted(values.bids.items()))
    wanted = bid - 1 if bid else 1
    recording.correct_round(
        game,
        number=scored.number,
        values=replace(values, bids={**values.bids, seat: wanted}),
        seen=scored.changed_version,
        by=demo.owner,
        reason="Misread: the slip has another bid",
    )


def _confirm(demo: Demo) -> None:
    """Confirm the games of the last months, but for the newest ones."""
    for game in Game.objects.filter(pk__in=[game.pk for game in demo.games[-30:-4]], halted="").order_by("pk"):
        recording.confirm(game, seen=game.version, by=demo.owner)
