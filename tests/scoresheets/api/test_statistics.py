"""Statistics through the API: the numbers of the pages' own queries, every share with what it rests on."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, ClubTally, Player, PlayerTally
from scoresheets.models.tallies import PUBLIC
from scoresheets.queries import records as remembered
from scoresheets.queries.comparisons import comparison_of, players_among
from scoresheets.queries.filtered import filtered_lifetimes
from scoresheets.queries.insight import insight_of
from scoresheets.queries.lifetime import (
    Filters,
    Lifetime,
    lifetime_player,
    lifetimes_of,
    months_of,
    own_players,
    pairs_of,
    rating_of,
    together,
)
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import actor_of, add, club_game, finished, make_club, make_user, member_of, owner_of
from tests.scoresheets.factories import play_round

pytestmark = pytest.mark.django_db

PEOPLE = ("Annika", "Bernd", "Cem", "Doro")


@pytest.fixture(scope="module")
def everything(django_db_setup: None, django_db_blocker: Any) -> Iterator[Club]:
    """Yield a public club whose players have played four games, made once; all of it is taken back."""
    with django_db_blocker.unblock(), transaction.atomic():
        club = make_club("Runde", visibility="public", owner="Olga")
        people = add(club, *PEOPLE)
        for seated in (people[:3], people[1:], people):
            game = club_game(club, seated, length=3)
            for bids, taken in (([1, 0, 0], [1, 0, 0]), ([1, 1, 1], [2, 0, 0]), ([0, 2, 1], [0, 1, 2])):
                more = [0] * (len(seated) - 3)
                play_round(game, [*bids, *more], [*taken, *more])
        finished(club, people[:3])
        yield club
        transaction.set_rollback(True)


@pytest.fixture
def club(everything: Club, db: None) -> Club:
    return everything


@pytest.fixture
def owner(club: Club) -> Actor:
    return owner_of(club)


@pytest.fixture
def api(owner: Actor) -> Api:
    return Api.of(owner, "read")


def named(club: Club, name: str) -> Player:
    return club.players.get(name=name)


def read(player: Player) -> Player:
    """Return the player with all that their page reads."""
    found = lifetime_player(player.club_id, player.pk)
    assert found is not None
    return found


def of(player: Player, rest: str = "") -> str:
    return f"clubs/{player.club_id}/players/{player.pk}/lifetime/{rest}"


def check_numbers(body: dict[str, Any], life: Lifetime) -> None:
    """Compare an answer with a lifetime, field by field."""
    assert [body[name] for name in ("games", "ranked", "wins", "shared_wins", "total_points", "over", "under")] == [
        *(life.games, life.ranked, life.wins, life.shared_wins, life.total_sum, life.over, life.under)
    ]
    for name, rate in (("rate", life.rate), ("zero", life.zero), ("blind", life.blind)):
        shown = body[name]
        assert (shown["bids"], shown["exact"], shown["is_small"]) == (rate.bids, rate.exact, rate.bids < 20)
        assert shown["share"] == (rate.exact / rate.bids if rate.bids else None)
    assert body["rate"]["mean_points"] == (life.rate.points / life.rate.bids if life.rate.bids else None)
    assert body["win_share"] == (life.wins / life.ranked if life.ranked else None)
    assert body["mean_total"] == (life.total_sum / life.ranked if life.ranked else None)
    runs = life.runs
    assert [body[name] for name in ("exact_run_most", "exact_run", "win_run_most", "win_run")] == [
        *(runs.exact_most, runs.exact, runs.win_most, runs.win)
    ]
    tables = {
        "by_cards": {(row["cards"],): row for row in body["by_cards"]},
        "by_cards_and_players": {(row["players"], row["cards"]): row for row in body["by_cards_and_players"]},
        "by_position": {(row["players"], row["after_dealer"]): row for row in body["by_position"]},
        "by_bid": {(row["bid"],): row for row in body["by_bid"]},
    }
    wanted = {
        "by_cards": {(key,): rate for key, rate in life.by_cards.items()},
        "by_cards_and_players": life.cards,
        "by_position": life.positions,
        "by_bid": {(key,): rate for key, rate in life.by_bid.items()},
    }
    for name, rows in tables.items():
        shown = {key: (row["bids"], row["exact"], row["points"]) for key, row in rows.items()}
        assert shown == {key: (rate.bids, rate.exact, rate.points) for key, rate in wanted[name].items()}, name
    assert {(row["bid"], row["taken"]): (row["times"], row["points"]) for row in body["bids_and_taken"]} == life.bids
    assert {row["kind"]: (row["value"], row["game"], row["night"], row["cards"]) for row in body["records"]} == {
        kind: (best.value, best.game, best.night.isoformat(), best.cards) for kind, best in life.records.items()
    }


# -- one player ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PEOPLE)
def test_lifetime_is_that_of_the_page(club, api, name):
    player = read(named(club, name))

    body = api.get(of(player)).body

    life = lifetimes_of([player])[player.pk]
    check_numbers(body, life)
    rating = rating_of(player, life)
    assert rating is not None
    assert (body["rating"]["mu"], body["rating"]["sigma"], body["rating"]["games"]) == (
        rating.mu,
        rating.sigma,
        rating.games,
    )
    assert body["rating"]["is_provisional"]
    assert (body["player"], body["name"], body["is_own"], body["stale"]) == (player.pk, name, False, False)
    assert [game["game"] for game in body["newest"]] == sorted(
        (seat.game_id for seat in player.seats.all()), reverse=True
    )


@pytest.mark.parametrize(
    ("query", "filters"),
    [
        ("players=3", Filters(players=3)),
        ("players=4&edition=base", Filters(players=4, edition="base")),
        ("edition=maximus", Filters(edition="maximus")),
        ("from={night}&to={night}", None),
    ],
)
def test_filters_leave_the_games_they_name(club, api, query, filters):
    player = read(named(club, "Bernd"))
    night = club.games.first().night

    body = api.get(of(player, f"?{query.format(night=night)}")).body

    wanted = filters if filters is not None else Filters(since=night, until=night)
    check_numbers(body, filtered_lifetimes([player], wanted)[player.pk])
    assert body["rating"] is None
    assert len(body["newest"]) == body["games"]


def test_season_is_a_filter(club, api):
    player, night = read(named(club, "Bernd")), club.games.first().night
    season = recording.create_season(club, recording.SeasonSettings("Liga", night, editions=("maximus",)), by=OPERATOR)

    assert api.get(of(player, f"?season={season.pk}")).body["games"] == 0


@pytest.mark.parametrize("rest", ["", "opponents/"])
@pytest.mark.parametrize(
    ("query", "problems"),
    [
        ("players=2", [("parameter_wrong", "players")]),
        ("players=three", [("parameter_wrong", "players")]),
        ("edition=tarot", [("parameter_wrong", "edition")]),
        ("season=999999", [("parameter_wrong", "season")]),
        ("season=Liga", [("parameter_wrong", "season")]),
        ("from=1.2.2026", [("parameter_wrong", "from")]),
        ("from=2026-02-02&to=2026-02-01", [("parameter_wrong", "to")]),
        ("players=9&edition=x", [("parameter_wrong", "players"), ("parameter_wrong", "edition")]),
        ("since=2026-01-01", [("unknown_parameter", "since")]),
    ],
)
def test_filters_that_make_no_sense_are_refused(club, api, rest, query, problems):
    answer = api.get(of(named(club, "Bernd"), f"{rest}?{query}"))

    assert (answer.status, sorted(answer.problems)) == (400, sorted(problems))


def test_duplicate_is_the_player_it_was_merged_into(club, api):
    annika, double = named(club, "Annika"), add(club, "Anni")[0]
    recording.merge_players(annika, double, by=OPERATOR)

    body = api.get(of(double)).body

    assert (body["player"], body["name"]) == (annika.pk, "Annika")
    check_numbers(body, lifetimes_of([read(annika)])[annika.pk])


def test_player_without_a_game_has_nothing(club, api):
    (emil,) = add(club, "Emil")

    body = api.get(of(emil)).body

    check_numbers(body, Lifetime())
    assert (body["rating"], body["newest"], body["favourite_bid"]) == (None, [], None)


def test_private_club_s_player_and_another_club_s_are_not_there(club, api):
    (foreign,) = add(make_club("Andere"), "Fremd")

    for rest in ("", "opponents/", "months/"):
        assert Api.of(make_user(f"Fremd{rest}")).get(of(foreign, rest)).refusal == (404, "not_found")
        path = of(foreign, rest).replace(f"clubs/{foreign.club_id}/", f"clubs/{club.pk}/")
        assert api.get(path).refusal == (404, "not_found")


def test_opponents_are_those_of_the_page_and_paged(club, api):
    player = named(club, "Annika")
    found, address = [], of(player, "opponents/?page_size=2")
    while address:
        page = api.get(address).body
        found += page["results"]
        address = page["next"]

    pairs = pairs_of([player.pk]).pairs
    assert [
        (row["opponent"], row["name"], row["games"], row["above"], row["below"], row["level"]) for row in found
    ] == [(pair.opponent.pk, pair.opponent.name, pair.games, pair.above, pair.below, pair.level) for pair in pairs]
    filtered = api.get(of(player, "opponents/?players=4")).body["results"]
    assert sorted(row["name"] for row in filtered) == ["Bernd", "Cem", "Doro"]
    assert {row["games"] for row in filtered} == {1}
    rows = csv.DictReader(api.get(of(player, "opponents/?format=csv")).text.splitlines())
    assert [int(row["games"]) for row in rows] == [pair.games for pair in pairs]


def test_months_are_those_of_the_page(club, api):
    player = named(club, "Annika")

    rows = api.get(of(player, "months/")).body["results"]

    assert [(row["month"], row["mu"], row["sigma"]) for row in rows] == [
        (month.first.isoformat(), month.mu, month.sigma) for month in months_of([player.pk])[player.pk]
    ]
    assert len(rows) == 1


# -- side by side ----------------------------------------------------------------------------------------------------


def test_comparison_is_that_of_the_page_in_the_order_asked(club, api):
    cem, annika = named(club, "Cem"), named(club, "Annika")

    body = api.get(f"clubs/{club.pk}/comparison/?player={cem.pk}&player={annika.pk}").body

    comparison = comparison_of(players_among(club, [cem.pk, annika.pk]))
    assert [one["player"] for one in body["players"]] == [cem.pk, annika.pk]
    for one in body["players"]:
        check_numbers(one, comparison.lifetimes[one["player"]])
        assert [month["mu"] for month in one["months"]] == [m.mu for m in comparison.months[one["player"]]]
        assert one["rating"]["games"] == PlayerTally.objects.get(player=one["player"]).rated
    assert {(pair["player"], pair["opponent"]): (pair["above"], pair["below"]) for pair in body["pairs"]} == {
        key: (pair.above, pair.below) for key, pair in comparison.pairs.items()
    }


def test_comparison_takes_two_to_four_different_players_of_the_club(club, api):
    ids = [named(club, name).pk for name in PEOPLE]
    (foreign,) = add(make_club("Andere"), "Fremd")
    double = add(club, "Anni")[0]
    recording.merge_players(named(club, "Annika"), double, by=OPERATOR)

    def asked(*players: Any) -> tuple[int, Any]:
        answer = api.get(f"clubs/{club.pk}/comparison/?" + "&".join(f"player={player}" for player in players))
        return answer.status, answer.problems if answer.status == 400 else len(answer.body["players"])

    wrong = (400, [("parameter_wrong", "player")])
    assert asked(*ids) == (200, 4)
    for players in (
        [],
        ids[:1],
        [*ids, double.pk],
        [ids[0], ids[0]],
        [ids[0], foreign.pk],
        [ids[0], "x"],
        [f"0{ids[0]}", ids[0]],
    ):
        assert asked(*players) == wrong
    assert asked(ids[0], double.pk) == wrong
    assert asked(ids[1], double.pk) == asked(f"0{ids[1]}", ids[0]) == (200, 2)


# -- a club ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sort", remembered.SORTS)
def test_all_time_table_is_that_of_the_page(club, api, owner, sort):
    rows = api.get(f"clubs/{club.pk}/all-time/?ordering=-{sort}&least=1").body["results"]

    lines = remembered.all_time_page(club, sort=sort, least=1, user=owner.user).lines
    assert [
        (row["place"], row["player"], row["name"], row["games"], row["wins"], row["win_rate"], row["exact_rate"])
        for row in rows
    ] == [
        (line.place, line.player, line.name, line.games, line.wins, line.wins / line.ranked, line.exact / line.bids)
        for line in lines
    ]
    assert [row["rating"] for row in rows] == [line.rating for line in lines]


def test_all_time_table_takes_fewest_games_and_pages(club, api):
    def names(query: str) -> list[str]:
        return [row["name"] for row in api.get(f"clubs/{club.pk}/all-time/?{query}").body["results"]]

    assert names("") == ["Bernd", "Cem", "Annika", "Doro"]
    assert names("least=4") == ["Bernd", "Cem"]
    assert names("ordering=-mean") == []
    following = api.get(f"clubs/{club.pk}/all-time/?page_size=3").body["next"]
    assert [row["name"] for row in api.get(following).body["results"]] == ["Doro"]


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("least=-1", ("parameter_wrong", "least")),
        ("least=many", ("parameter_wrong", "least")),
        ("least=9999999", ("parameter_wrong", "least")),
        ("ordering=games", ("choice_unknown", "ordering")),
        ("sort=games", ("unknown_parameter", "sort")),
    ],
)
def test_all_time_table_refuses_what_makes_no_sense(club, api, query, problem):
    answer = api.get(f"clubs/{club.pk}/all-time/?{query}")

    assert (answer.status, answer.problems) == (400, [problem])


def test_ratings_give_places_to_those_with_enough_games(club, api):
    for name, mu in (("Cem", 1600.0), ("Doro", 1500.5), ("Annika", 1500.5)):
        PlayerTally.objects.filter(player=named(club, name)).update(rated=10, rating_mu=mu)
    PlayerTally.objects.filter(player=named(club, "Bernd")).update(rated=9, rating_mu=1900.0)

    rows = api.get(f"clubs/{club.pk}/ratings/").body["results"]

    assert [(row["place"], row["name"], row["mu"], row["is_provisional"]) for row in rows] == [
        (1, "Cem", 1600.0, False),
        (2, "Annika", 1500.5, False),
        (2, "Doro", 1500.5, False),
        (None, "Bernd", 1900.0, True),
    ]
    player = read(named(club, "Doro"))
    rating = rating_of(player, lifetimes_of([player])[player.pk])
    assert rating is not None
    assert (rating.rank, rating.of) == (2, 3)


def test_records_are_those_of_the_page(club, api, owner):
    rows = api.get(f"clubs/{club.pk}/records/").body["results"]

    found = remembered.club_records(club, user=owner.user)
    assert [(row["kind"], row["number"], row["player"], row["value"], row["game"], row["night"]) for row in rows] == [
        (kind, number, line.player, line.value, line.game, line.night and line.night.isoformat())
        for kind, lines in found.items()
        for number, line in enumerate(lines, start=1)
    ]
    assert {row["kind"] for row in rows} >= {"best_total", "closest_win", "exact_run"}


def test_hall_of_fame_is_that_of_the_page(club, api, owner):
    rows = api.get(f"clubs/{club.pk}/hall-of-fame/").body["results"]

    wins = remembered.most_of(club, "wins", user=owner.user)
    evenings = remembered.most_evenings_won(club, user=owner.user)
    games = remembered.most_of(club, "games", user=owner.user)
    assert [(row["kind"], row["place"], row["name"], row["value"]) for row in rows] == [
        *(("wins", line.place, line.name, line.value) for line in wins),
        *(("evenings_won", line.place, line.name, line.value) for line in evenings),
        *(("games", line.place, line.name, line.value) for line in games),
    ]
    assert min(map(len, (wins, evenings, games))) > 0


@pytest.mark.parametrize("players", [None, 3, 4, 6])
def test_insight_is_that_of_the_page(club, players):
    query = f"?players={players}" if players else ""
    for path, scope in ((f"clubs/{club.pk}/insight/", club.pk), ("insight/", PUBLIC)):
        body = Api().get(f"{path}{query}").body
        insight = insight_of(scope, players=players)

        assert (body["rate"]["bids"], body["rate"]["exact"]) == (insight.rate.bids, insight.rate.exact)
        assert [(row["bid"], row["bids"], row["mean_miss"], row["cost"], row["needed"]) for row in body["worth"]] == [
            (worth.bid, worth.rate.bids, worth.mean_miss, worth.cost, worth.needed) for worth in insight.worth
        ]
        assert {(row["cards"], row["bid"]): row["points"] for row in body["by_cards_and_bid"]} == {
            key: rate.points for key, rate in insight.by_cards_and_bid.items()
        }
        assert body["bound"]["price"] is None
        assert body["free"]["price"] == (insight.free.price if insight.rate.bids else None)
    assert Api().get("insight/?players=7").problems == [("parameter_wrong", "players")]


def test_everything_says_that_ratings_are_being_worked_out_anew(club, api):
    ClubTally.objects.filter(club=club).update(stale_from=timezone.now())
    annika, bernd = named(club, "Annika"), named(club, "Bernd")

    assert api.get(of(annika)).body["stale"]
    assert api.get(f"clubs/{club.pk}/comparison/?player={annika.pk}&player={bernd.pk}").body["stale"]
    for rest in ("all-time/", "ratings/", "records/"):
        assert {row["stale"] for row in api.get(f"clubs/{club.pk}/{rest}").body["results"]} == {True}


def test_strangers_see_public_names_alone(club):
    club.players.filter(name="Annika").update(public_name="A.")
    annika, bernd = named(club, "Annika"), named(club, "Bernd")
    at = f"clubs/{club.pk}/"
    paths = [of(annika), of(bernd, "opponents/"), f"{at}comparison/?player={annika.pk}&player={bernd.pk}"]
    paths += [f"{at}{rest}" for rest in ("all-time/", "ratings/", "records/", "hall-of-fame/")]

    apps = (Api(), Api.of(make_user("Fremd"), "read"))
    for path in paths:
        for app in apps:
            text = app.get(path).text
            assert "A." in text
            assert "Annika" not in text


@pytest.mark.parametrize(
    "rest", ["all-time/", "ratings/", "records/", "hall-of-fame/", "insight/", "comparison/?player=1"]
)
def test_private_club_is_not_there(rest):
    private = make_club("Privat")

    assert Api.of(make_user("Fremd")).get(f"clubs/{private.pk}/{rest}").refusal == (404, "not_found")


# -- one's own -------------------------------------------------------------------------------------------------------


@pytest.fixture
def mia(club: Club) -> Actor:
    """Return an account that is Annika here, and has played a game in a club of its own as well."""
    account = member_of(club, "scorer", "Mia")
    named_here = named(club, "Annika")
    Player.objects.filter(pk=named_here.pk).update(user=account.user)
    other = recording.create_club(recording.ClubSettings("Andere"), by=account, player_name="Mi")
    finished(other, [other.players.get(), *add(other, "Xenia", "Yves")])
    return actor_of(account.user)


def test_me_is_the_account_with_its_clubs(club, mia):
    other = mia.user.players.exclude(club=club).get()

    api = Api.of(mia, "record")
    body = api.get("me/").body

    assert (body["account"], body["username"], body["language"]) == (mia.user.pk, "Mia", None)
    assert (body["token"]["scope"], body["token"]["club"]) == ("record", None)
    assert api.get("token/").body == {name: body[name] for name in ("account", "username", "token")}
    assert [(row["name"], row["role"], row["player_name"]) for row in body["clubs"]] == [
        ("Andere", "scorer", "Mi"),
        ("Runde", "scorer", "Annika"),
    ]
    assert body["clubs"][0]["player"] == other.pk
    assert Api().get("me/").refusal == (401, "not_authenticated")


def test_token_for_one_club_knows_of_that_one(club, mia):
    api = Api.of(mia, "read", club)

    body = api.get("me/").body

    assert (body["token"]["club"], [row["club"] for row in body["clubs"]]) == (club.pk, [club.pk])
    assert body["clubs"][0]["role"] == "member"
    assert [one["club"] for one in api.get("me/lifetime/").body["players"]] == [club.pk]
    other = mia.user.players.exclude(club=club).get()
    assert api.get(f"me/lifetime/?club={other.club_id}").problems == [("choice_unknown", "club")]


def test_own_games_are_added_up_or_of_one_club(club, mia):
    api, players = Api.of(mia, "read"), own_players(mia.user.pk)
    lives = lifetimes_of(players)

    whole, here = api.get("me/lifetime/").body, api.get(f"me/lifetime/?club={club.pk}").body

    check_numbers(whole, together(list(lives.values())))
    assert [(one["player"], one["name"], one["rating"]["games"]) for one in whole["players"]] == [
        (player.pk, player.name, lives[player.pk].ranked) for player in players
    ]
    (annika,) = [player for player in players if player.club_id == club.pk]
    check_numbers(here, lives[annika.pk])
    assert (whole["win_run"], here["win_run"]) == (None, lives[annika.pk].runs.win)
    assert api.get("me/lifetime/?players=4").body["games"] == 1
    assert api.get("me/lifetime/?players=4").body["players"][0]["rating"] is None


def test_own_opponents_say_of_which_club_they_are(club, mia):
    rows = Api.of(mia, "read").get("me/lifetime/opponents/").body["results"]

    assert {(row["club_name"], row["name"]) for row in rows} == {
        *(("Runde", name) for name in ("Bernd", "Cem", "Doro")),
        *(("Andere", name) for name in ("Xenia", "Yves")),
    }


@pytest.mark.parametrize(
    ("query", "problem"),
    [("club=999999", ("choice_unknown", "club")), ("club=x", ("choice_unknown", "club")), ("season=1", None)],
)
def test_own_games_of_what_is_none_are_refused(club, mia, query, problem):
    answer = Api.of(mia, "read").get(f"me/lifetime/?{query}")

    assert (answer.status, answer.problems) == (400, [problem or ("parameter_wrong", "season")])


def test_whoever_is_no_player_has_no_games():
    api = Api.of(make_user("Neu"), "read")

    body = api.get("me/lifetime/").body

    check_numbers(body, together([]))
    assert (body["players"], body["newest"]) == ([], [])
    assert api.get("me/lifetime/opponents/").body["results"] == []
    assert api.get("me/lifetime/opponents/?edition=base").body["results"] == []
    check_numbers(api.get("me/lifetime/?edition=base").body, together([]))


# -- statements ------------------------------------------------------------------------------------------------------


def test_statements_are_few_and_the_same_whatever_there_is(club, mia):
    api, annika, bernd = Api.of(mia, "read"), named(club, "Annika"), named(club, "Bernd")
    at = f"clubs/{club.pk}/"
    costs = {
        of(bernd): 6,
        of(bernd, "?players=3"): 5,
        of(bernd, "opponents/"): 4,
        of(bernd, "months/"): 4,
        f"{at}comparison/?player={annika.pk}&player={bernd.pk}": 8,
        f"{at}all-time/": 5,
        f"{at}ratings/": 5,
        f"{at}records/": 8,
        f"{at}hall-of-fame/": 6,
        f"{at}insight/": 5,
        "me/": 4,
        "me/lifetime/": 6,
        "me/lifetime/opponents/": 4,
    }
    api.get("me/")  # the use of the token is noted at the first time

    def counted() -> dict[str, int]:
        found = {}
        for path in costs:
            with CaptureQueriesContext(connection) as captured:
                assert api.get(path).status == 200
            found[path] = len(captured)
        return found

    few = counted()
    for number in range(4):
        finished(club, [bernd, annika, *add(club, f"Neu {number}")])

    assert counted() == few == costs


@pytest.mark.parametrize("asked", ["", "?edition=ordinary", "?players=4", "?from=2020-01-01"])
def test_an_account_that_is_nobody_anywhere_has_met_nobody(asked):
    api = Api.of(make_user("Stranger"))

    answer = api.get(f"me/lifetime/opponents/{asked}")

    assert answer.body["results"] == []
    assert api.get(f"me/lifetime/{asked}").body["players"] == []
