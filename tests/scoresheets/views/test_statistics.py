"""Statistics pages: what they show to whom, filters that make no sense, and how many statements they cost."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import BidTotal, Club, ClubTally, Player, Season
from tests.scoresheets.clubs import add, finished, make_club, make_user, owner_of
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db

PEOPLE = ("Annika", "Bernd", "Cem", "Doro")


@pytest.fixture
def club() -> Club:
    """Return a public club whose four players have played two games: Annika won both."""
    made = make_club("Runde", visibility="public", owner="Olga")
    people = add(made, *PEOPLE)
    finished(made, people[:3])
    finished(made, [people[0], people[1], people[3]])
    return made


def player_of(club: Club, name: str) -> Player:
    return club.players.get(name=name)


def address_of(player: Player) -> str:
    return f"/clubs/{player.club_id}/players/{player.pk}/statistics/"


def client_of(club: Club) -> Client:
    client = Client()
    client.force_login(club.memberships.get(role="owner").user)
    return client


def tiles(answer) -> dict[str, tuple[str, str]]:
    """Return value and basis by label."""
    found = {}
    for tile in read(answer).all("div", class_="tile"):
        value, basis = tile.all("dd")
        found[tile.one("dt").text] = value.text, basis.text
    return found


# -- one player -----------------------------------------------------------------------------------------------------


def test_page_shows_the_numbers_with_what_they_rest_on(club):
    shown = tiles(client_of(club).get(address_of(player_of(club, "Annika"))))

    assert shown["Exact rate"] == ("100%", "2 of 2 bids, few yet")
    assert shown["Wins"] == ("2", "in 2 games, 100%, few yet")
    assert shown["Points a round"] == ("30.0", "in 2 rounds; club: 23.3")
    assert shown["Points a game"] == ("30.0", "in 2 games, few yet")
    assert shown["Favourite bid"] == ("1", "100% of 2 bids, few yet")
    assert shown["Zero bids"] == ("–", "0 of 0 bids")
    assert shown["Missed"] == ("0", "0 too many tricks, 0 too few")
    assert shown["Exact in a row"] == ("2", "now: 2")
    assert shown["Wins in a row"] == ("2", "now: 2")
    assert shown["Best evening"][0] == "2 wins"
    assert shown["Rating"][1] == "provisional, 2 of 10 games"


def test_page_in_german_has_german_numbers(club):
    client = client_of(club)
    client.cookies["django_language"] = "de"

    shown = tiles(client.get(address_of(player_of(club, "Annika"))))

    assert shown["Trefferquote"] == ("100 %", "2 von 2 Ansagen, noch wenige")
    assert shown["Punkte je Runde"] == ("30,0", "in 2 Runden; Club: 23,3")


def test_page_names_the_opponents_and_the_newest_games(club):
    page = read(client_of(club).get(address_of(player_of(club, "Annika"))))

    (pairs,) = [table for table in page.all("table") if table.one("caption").text == "Games together"]
    assert [[row.one("th").text, *(cell.text for cell in row.all("td"))] for row in pairs.one("tbody").all("tr")] == [
        ["Bernd", "2", "2", "0", "0", "100%"],
        ["Cem", "1", "1", "0", "0", "100%"],
        ["Doro", "1", "1", "0", "0", "100%"],
    ]
    form = page.one("table", class_="stats-form")
    newest = club.games.latest("pk")
    assert form.one("tbody").all("a")[0]["href"] == f"/games/{newest.pk}/"


def test_strangers_see_public_names_and_no_way_to_the_roster(club):
    for name in ("Annika", "Bernd"):
        club.players.filter(name=name).update(public_name=f"{name[0]}.")
    annika = player_of(club, "Annika")

    answers = [
        Client().get(address)
        for address in (
            address_of(annika),
            address_of(player_of(club, "Bernd")),
            f"/clubs/{club.pk}/compare/?player={annika.pk}&player={player_of(club, 'Bernd').pk}",
            f"{address_of(annika)}?players=3&opponents=1",
        )
    ]

    for answer in answers:
        html = answer.content.decode()
        assert answer.status_code == 200
        assert "Annika" not in html
        assert "Bernd" not in html
        assert "A." in html
        assert f'/clubs/{club.pk}/players/{annika.pk}/"' not in html


def test_statistics_are_seen_by_whoever_may_see_the_club(club):
    annika = player_of(club, "Annika").pk
    for visibility, expected in (("private", 404), ("unlisted", 200), ("public", 200)):
        Club.objects.filter(pk=club.pk).update(visibility=visibility)
        for path in (f"players/{annika}/statistics/", f"compare/?player={annika}", "insight/"):
            assert Client().get(f"/clubs/{club.pk}/{path}").status_code == expected
            assert client_of(club).get(f"/clubs/{club.pk}/{path}").status_code == 200


def test_player_of_another_club_is_not_found(club):
    (other,) = add(make_club("Other"), "Otto")

    for address in (
        f"/clubs/{club.pk}/players/{other.pk}/statistics/",
        f"/clubs/{club.pk}/players/{10**19}/statistics/",
    ):
        assert client_of(club).get(address).status_code == 404


def test_duplicate_leads_to_the_player_kept_with_its_filters(club):
    (twin,) = add(club, "Anni")
    recording.merge_players(player_of(club, "Annika"), twin, by=OPERATOR)

    answer = client_of(club).get(f"{address_of(twin)}?players=3")

    assert (answer.status_code, answer["Location"]) == (302, f"{address_of(player_of(club, 'Annika'))}?players=3")


def test_guests_archived_and_anonymous_players_have_their_numbers(club):
    player, client = player_of(club, "Annika"), client_of(club)
    changes = (
        lambda: Player.objects.filter(pk=player.pk).update(is_guest=True),
        lambda: recording.archive_player(player, by=OPERATOR),
        lambda: recording.anonymise_player(player, by=OPERATOR),
    )

    for change, is_named in zip(changes, (True, True, False), strict=True):
        change()
        answer = client.get(address_of(player))
        assert tiles(answer)["Wins"][0] == "2"
        assert ("Annika" in answer.content.decode()) == is_named


def test_player_without_a_game_is_told_what_will_stand_here(club):
    (newcomer,) = add(club, "Nina")

    page = read(client_of(club).get(address_of(newcomer)))

    assert page.one("div", class_="empty").one("h2").text == "No game yet"
    assert page.all("svg", role="img") == []


def test_page_says_when_ratings_are_being_worked_out_anew(club):
    annika, bernd = player_of(club, "Annika"), player_of(club, "Bernd")
    addresses = (address_of(annika), f"/clubs/{club.pk}/compare/?player={annika.pk}&player={bernd.pk}")
    for is_stale in (False, True):
        ClubTally.objects.filter(club=club).update(stale_from=datetime(2026, 1, 1, tzinfo=UTC) if is_stale else None)
        for address in addresses:
            assert ("worked out anew" in client_of(club).get(address).content.decode()) == is_stale


# -- filters --------------------------------------------------------------------------------------------------------


def test_filters_are_applied_and_stay_chosen(club):
    season = Season.objects.create(club=club, name="Spring", starts_on="2020-01-01")
    asked = {"season": season.pk, "players": "3", "edition": "base", "since": "2020-01-01"}

    answer = client_of(club).get(address_of(player_of(club, "Annika")), asked)

    page = read(answer)
    chosen = {name: value for name, value in page.one("form", class_="stats-filters").fields() if value}
    assert chosen == {name: str(value) for name, value in asked.items()}
    assert tiles(answer)["Wins"] == ("2", "in 2 games, 100%, few yet")
    assert "Rating" not in tiles(answer)


def test_filters_that_no_game_fits_say_so(club):
    page = read(client_of(club).get(address_of(player_of(club, "Annika")), {"players": "6"}))

    assert page.one("div", class_="empty").one("h2").text == "No such game"


NONSENSE = [
    ({"season": "x"}, "season", "There is no such choice."),
    ({"season": "999999999999999999999"}, "season", "There is no such choice."),
    ({"players": "7"}, "players", "There is no such choice."),
    ({"players": "\x00"}, "players", "There is no such choice."),
    ({"edition": "<b>"}, "edition", "There is no such choice."),
    ({"since": "2026-02-30"}, "since", "This is no date. Write it as 2026-11-30."),
    ({"until": "yesterday"}, "until", "This is no date. Write it as 2026-11-30."),
    ({"since": "2026-02-02", "until": "2026-02-01"}, "until", "The end is before the start."),
]


def test_filter_that_makes_no_sense_is_said_and_left_out(club):
    Season.objects.create(club=club, name="Spring", starts_on="2020-01-01")
    client, address = client_of(club), address_of(player_of(club, "Annika"))

    for asked, field, said in NONSENSE:
        answer = client.get(address, asked)
        assert answer.status_code == 200, asked
        assert said in read(answer).one(id=f"{field}_errors").text
        # A rating stands on the page of all games; of the last one of these, the start is kept.
        assert ("Rating" in tiles(answer)) == (len(asked) == 1), asked


def test_page_of_opponents_that_is_not_there_does_no_harm(club):
    client, address = client_of(club), address_of(player_of(club, "Annika"))

    for number in ("0", "-1", "x", "99999999999999999999", "1000"):
        for more in ("", "&players=3"):
            assert client.get(f"{address}?opponents={number}{more}").status_code == 200


# -- statements -----------------------------------------------------------------------------------------------------


def test_page_costs_at_most_ten_statements_however_many_games(club):
    annika = player_of(club, "Annika")
    counted = []
    for _ in range(2):
        client = client_of(club)
        with CaptureQueriesContext(connection) as captured:
            client.get(address_of(annika))
        counted.append(len(captured))
        finished(club, [annika, *add(club, f"Xaver {annika.results.count()}", f"Yara {annika.results.count()}")])

    assert counted == [10, 10]


def test_pages_beside_it_cost_the_same_however_many_games(club, django_assert_num_queries):
    client, annika, bernd = client_of(club), player_of(club, "Annika"), player_of(club, "Bernd")
    for _ in range(2):
        with django_assert_num_queries(10):
            client.get(f"/clubs/{club.pk}/compare/?player={annika.pk}&player={bernd.pk}")
        with django_assert_num_queries(6):
            client.get(f"/clubs/{club.pk}/insight/")
        finished(club, [annika, bernd])


# -- one's own ------------------------------------------------------------------------------------------------------


def test_own_statistics_add_up_the_clubs_or_show_one(club):
    second = make_club("Zweite", owner="Otto")
    user = make_user("Mia")
    for where in (club, second):
        mia, other = add(where, "Mia", "Nora")
        Player.objects.filter(pk=mia.pk).update(user=user)
        finished(where, [mia, other])
    client = Client()
    client.force_login(user)

    together, apart = client.get("/me/statistics/"), client.get("/me/statistics/", {"club": second.pk})

    assert (tiles(together)["Wins"], tiles(apart)["Wins"]) == (
        ("2", "in 2 games, 100%, few yet"),
        ("1", "in 1 game, 100%, few yet"),
    )
    ratings = read(together).all("ul", class_="recs")[0]
    assert [item.one("a").text for item in ratings.all("li")] == ["Runde", "Zweite"]
    assert "Rating" not in tiles(together)
    assert "Rating" in tiles(apart)


def test_own_statistics_name_people_of_clubs_one_has_left_as_everybody_sees_them():
    club, user = make_club("Runde", owner="Olga"), make_user("Mia")
    mia, bernd = add(club, "Mia", "Bernd")
    Player.objects.filter(pk=mia.pk).update(user=user)
    Player.objects.filter(pk=bernd.pk).update(public_name="B.")
    finished(club, [mia, bernd])
    client = Client()
    client.force_login(user)

    html = client.get("/me/statistics/").content.decode()

    assert "Bernd" not in html
    assert "B." in html


def test_whoever_is_no_player_is_told_how_to_become_one():
    client = Client()
    client.force_login(make_user("Mia"))

    assert read(client.get("/me/statistics/")).one("div", class_="empty").one("h2").text == "Nothing yet"


def test_club_of_somebody_else_is_not_ones_own(club):
    other = make_club("Other")
    client = client_of(other)

    answer = client.get("/me/statistics/", {"club": club.pk})

    assert "Runde" not in answer.content.decode()


# -- side by side ---------------------------------------------------------------------------------------------------


def test_comparison_puts_players_side_by_side_in_the_order_asked(club):
    ids = [player_of(club, name).pk for name in ("Doro", "Annika")]

    page = read(client_of(club).get(f"/clubs/{club.pk}/compare/", {"player": ids}))

    table, pairs = page.all("table", class_="stats-compare")
    assert [head.text for head in table.one("thead").all("th")] == ["Doro", "Annika"]
    rows = {row.one("th").text: [cell.one("b").text for cell in row.all("td")] for row in table.one("tbody").all("tr")}
    assert rows["Wins"] == ["0", "2"]
    assert rows["Exact rate"] == ["100%", "100%"]
    assert [[cell.text for cell in row.all("td")] for row in pairs.one("tbody").all("tr")] == [
        ["–", "0% 0 of 1 game, few yet"],
        ["100% 1 of 1 game, few yet", "–"],
    ]


def test_comparison_of_fewer_than_two_asks_whom(club):
    client, annika = client_of(club), str(player_of(club, "Annika").pk)

    for asked in ([], [""], ["x"], ["999999999999999999999"], ["-1"], ["\x00"], [annika, annika]):
        answer = client.get(f"/clubs/{club.pk}/compare/", {"player": asked})
        assert answer.status_code == 200
        assert read(answer).all("table") == []
        assert ("Choose two to four different people." in answer.content.decode()) == bool(asked)


def test_comparison_takes_four_at_most_and_nobody_of_another_club(club):
    (other,) = add(make_club("Other"), "Otto")
    (fifth,) = add(club, "Emil")
    ids = [other.pk, *(player_of(club, name).pk for name in PEOPLE), fifth.pk]

    page = read(client_of(club).get(f"/clubs/{club.pk}/compare/", {"player": ids}))

    assert [head.text for head in page.all("table", class_="stats-compare")[0].one("thead").all("th")] == [*PEOPLE]


def test_comparison_in_a_club_without_games_says_what_will_stand_here():
    club = make_club("Leer", owner="Lea")

    assert read(client_of(club).get(f"/clubs/{club.pk}/compare/")).one("div", class_="empty").text.startswith("Nobody")


# -- what bids are worth --------------------------------------------------------------------------------------------


def test_insight_shows_what_bids_are_worth(club):
    page = read(Client().get(f"/clubs/{club.pk}/insight/"))

    (costs,) = [table for table in page.all("table") if table.one("caption").text == "What a miss costs"]
    rows = [[row.one("th").text, *(cell.text for cell in row.all("td"))] for row in costs.one("tbody").all("tr")]
    assert rows == [["0", "4", "100%", "–", "–", "20.0"], ["1", "2", "100%", "–", "–", "30.0"]]
    assert [row.attrs["class"] for row in costs.one("tbody").all("tr")] == ["few", "few"]


def test_insight_without_bids_says_what_will_stand_here(club):
    BidTotal.objects.all().delete()

    for address in (f"/clubs/{club.pk}/insight/?players=x", "/insight/?players=4"):
        assert read(Client().get(address)).one("div", class_="empty").one("h2").text == "No bid yet"


# -- ways there -----------------------------------------------------------------------------------------------------


def test_player_page_roster_and_menu_lead_to_the_numbers(club):
    client, annika = client_of(club), player_of(club, "Annika")

    def links(address: str) -> set[str]:
        return {link["href"] for link in read(client.get(address)).all("a")}

    assert address_of(annika) in links(f"/clubs/{club.pk}/players/{annika.pk}/")
    assert {address_of(annika), f"/clubs/{club.pk}/compare/"} <= links(f"/clubs/{club.pk}/players/")
    assert "/me/statistics/" in links("/clubs/")
    assert "/me/statistics/" not in {link["href"] for link in read(Client().get("/clubs/")).all("a")}
    assert owner_of(club).user is not None
