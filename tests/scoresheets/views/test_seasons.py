"""The pages of seasons, the all-time table and records: what they show to whom, and what their forms refuse."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, ClubTally, Player, Season, Standing
from scoresheets.models.games import night_of
from scoresheets.recording import SeasonSettings, close_season, create_season, merge_players
from tests.scoresheets.clubs import add, finished, make_club, member_of, player_of, stored
from tests.scoresheets.pages import read_html

pytestmark = pytest.mark.django_db

FORM = {
    "name": "Liga 2026/27",
    "starts_on": "2020-01-01",
    "ends_on": "",
    "formula": "places",
    "place_points": "6, 4  2;1",
    "best": "9",
    "best_of": "evenings",
    "fewest_games": "",
    "tie_rule": "wins",
    "guests": "unranked",
    "only_evenings": "on",
    "edition": ["base", "maximus"],
}


@pytest.fixture
def club():
    return make_club("Runde", visibility="public")


@pytest.fixture
def manager(club):
    return signed_in(member_of(club, "manager").user)


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def season_of(club: Club, name: str = "Winter", **changed: Any) -> Season:
    return create_season(club, SeasonSettings(name, **{"starts_on": date(2020, 1, 1), **changed}), by=OPERATOR)


def text_of(response: Any) -> str:
    """Return what a page says, white space set aside."""
    return " ".join(read_html(response.content.decode()).text.split())


def page_of(club: Club, path: str = "", client: Client | None = None, **asked: Any) -> str:
    response = (client or Client()).get(f"/clubs/{club.pk}/{path}", asked)
    assert response.status_code == 200
    return text_of(response)


# -- making and changing one ------------------------------------------------------------------------------------------


def test_form_makes_a_season_as_sent(club, manager):
    response = manager.post(f"/clubs/{club.pk}/seasons/new/", FORM)

    season = Season.objects.get()
    assert (response.status_code, response.url) == (302, f"/clubs/{club.pk}/seasons/{season.pk}/")
    league = rules.LeagueRules("places", (6, 4, 2, 1), 9, "evenings", 0, "wins")
    expected = SeasonSettings(
        "Liga 2026/27", date(2020, 1, 1), None, league, ("base", "maximus"), "unranked", only_evenings=True
    )
    assert SeasonSettings.of(season) == expected


def test_days_may_be_typed_the_german_way(club, manager):
    manager.post(f"/clubs/{club.pk}/seasons/new/", {**FORM, "starts_on": "1.9.2026", "ends_on": "30.06.2027"})
    assert (Season.objects.get().starts_on, Season.objects.get().ends_on) == (date(2026, 9, 1), date(2027, 6, 30))


def test_same_form_sent_twice_makes_one_season(club, manager):
    answers = [manager.post(f"/clubs/{club.pk}/seasons/new/", {**FORM, "key": "k"}) for _ in range(2)]
    other = manager.post(f"/clubs/{club.pk}/seasons/new/", {**FORM, "name": "Other", "key": "k"})

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Season.objects.count() == 1
    assert other.status_code == 409
    assert "That page" not in text_of(other)
    assert 'value="Other"' in other.content.decode()
    assert 'name="key" value="k"' not in other.content.decode()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": " "}, "Enter a name."),
        ({"name": "winter"}, "There is a season “winter” already. Choose another name."),
        ({"starts_on": ""}, "A day is missing here."),
        ({"starts_on": "2026-02-30"}, "This is no day. Write it like 2026-11-30 or 30.11.2026."),
        ({"ends_on": "soon"}, "This is no day. Write it like 2026-11-30 or 30.11.2026."),
        ({"ends_on": "2019-12-31"}, "A season cannot end before it starts."),
        ({"formula": "elo"}, "Choose what a game is worth."),
        ({"place_points": ""}, "Write the points of 1 to 6 places."),
        ({"place_points": "7 6 5 4 3 2 1"}, "Write the points of 1 to 6 places."),
        ({"place_points": "six"}, "Write whole numbers with spaces between them, like 6 4 2 1."),
        ({"place_points": "1" * 59 + "x"}, "Write whole numbers with spaces between them, like 6 4 2 1."),
        ({"place_points": "1 2 3"}, "A worse place cannot be worth more; places you leave out are worth 0."),
        ({"place_points": "3 -1"}, "A worse place cannot be worth more; places you leave out are worth 0."),
        ({"place_points": "2000"}, "A place is worth −1000 to +1000 points."),
        ({"best": "0"}, "Write 1 to 1000, or nothing for all."),
        ({"best": "nine"}, "“nine” is not a whole number."),
        ({"best": "9" * 99}, "“999999…” is not a whole number."),
        ({"formula": "exact_rate"}, "The rate of exact bids is of all games: leave this empty."),
        ({"best_of": "weeks"}, "Choose games or evenings."),
        ({"fewest_games": "-1"}, "Write 0 to 1000 games."),
        ({"tie_rule": "dice"}, "Choose what decides between equal points."),
        ({"edition": ["base", "2030"]}, "Choose among the editions."),
        ({"guests": "loud"}, "Choose what becomes of guests."),
    ],
)
def test_what_cannot_be_is_said_at_its_field_and_nothing_is_written(sent, said, club, manager):
    season_of(club)
    season = season_of(club, "Spring")
    before = stored()

    for path in ("new/", f"{season.pk}/settings/"):
        response = manager.post(f"/clubs/{club.pk}/seasons/{path}", {**FORM, **sent})
        assert response.status_code == 422
        page = response.content.decode()
        assert said in text_of(response)
        for name, value in sent.items():
            if isinstance(value, str) and name in {"name", "starts_on", "ends_on", "place_points"}:
                assert f'value="{value}"' in page
    assert stored() == before


def test_empty_form_is_refused_without_a_crash(club, manager):
    response = manager.post(f"/clubs/{club.pk}/seasons/new/")
    assert response.status_code == 422
    assert not Season.objects.exists()


def test_minus_signs_of_both_kinds_are_read(club, manager):
    manager.post(f"/clubs/{club.pk}/seasons/new/", {**FORM, "place_points": "3 1 0 0 \N{MINUS SIGN}1 -3"})
    assert Season.objects.get().place_points == [3, 1, 0, 0, -1, -3]


def test_settings_are_shown_and_changed(club, manager):
    season = season_of(club, league=rules.LeagueRules("places", (5, 3), best=4, fewest_games=2))
    address = f"/clubs/{club.pk}/seasons/{season.pk}/settings/"
    page = manager.get(address).content.decode()
    assert all(f'value="{value}"' in page for value in ("Winter", "2020-01-01", "5 3", "4", "2"))

    response = manager.post(address, FORM, follow=True)

    assert "The season is saved." in text_of(response)
    season.refresh_from_db()
    assert (season.name, season.place_points, season.best_of) == ("Liga 2026/27", [6, 4, 2, 1], "evenings")


def test_closed_season_is_not_changed_and_says_so(club, manager):
    season = close_season(season_of(club), by=OPERATOR)
    before = stored()
    address = f"/clubs/{club.pk}/seasons/{season.pk}/settings/"

    shown, refused = manager.get(address), manager.post(address, FORM)

    assert "its rule can only be changed once it is open again" in text_of(shown)
    assert "<form" not in shown.content.decode().partition("<main")[2]
    assert refused.status_code == 409
    assert "The season is closed: open it again first." in text_of(refused)
    assert stored() == before


def test_season_is_closed_and_opened_again(club, manager):
    season = season_of(club)
    address = f"/clubs/{club.pk}/seasons/{season.pk}/close/"

    assert "It ends with tonight" in text_of(manager.get(address))
    closed = manager.post(address, {"close": "1"}, follow=True)
    assert "Winter is closed." in text_of(closed)
    season.refresh_from_db()
    assert season.closed_at is not None

    assert "Open Winter again?" in text_of(manager.get(address))
    assert "Winter is open again." in text_of(manager.post(address, {"open": "1"}, follow=True))
    season.refresh_from_db()
    assert season.closed_at is None


def test_season_that_has_not_begun_is_not_closed(club, manager):
    season = season_of(club, starts_on=date(2999, 1, 1))
    response = manager.post(f"/clubs/{club.pk}/seasons/{season.pk}/close/", {"close": "1"})
    assert response.status_code == 409
    assert "The season has not begun yet" in text_of(response)


def test_season_is_deleted_after_it_is_said_what_goes(club, manager):
    season = season_of(club)
    finished(club, add(club, "Annika"))
    address = f"/clubs/{club.pk}/seasons/{season.pk}/delete/"

    assert "Its table goes for good, with the 1 person in it." in text_of(manager.get(address))
    response = manager.post(address, follow=True)

    assert "Winter is deleted." in text_of(response)
    assert not Season.objects.exists()
    assert club.games.count() == 1


def test_season_of_another_club_is_not_there(club, manager):
    season = season_of(make_club("Other", visibility="public"))
    before = stored()
    for end in ("", "settings/", "close/", "delete/", "players/1/"):
        assert manager.get(f"/clubs/{club.pk}/seasons/{season.pk}/{end}").status_code == 404
    for end in ("settings/", "close/", "delete/"):
        assert manager.post(f"/clubs/{club.pk}/seasons/{season.pk}/{end}", FORM).status_code == 404
    for unknown in (season.pk + 1, 10**30):
        assert manager.get(f"/clubs/{club.pk}/seasons/{unknown}/").status_code == 404
    assert stored() == before


# -- the table --------------------------------------------------------------------------------------------------------


def test_table_shows_the_numbers_and_the_rule(club):
    season = season_of(club, league=rules.LeagueRules("publisher", fewest_games=2))
    annika, bernd, cem = add(club, "Annika", "Bernd", "Cem")
    finished(club, [annika, bernd, cem])
    finished(club, [annika, bernd])

    page = page_of(club, f"seasons/{season.pk}/")

    assert "1 Annika 1 2 2 100% 4" in page
    assert "2 Bernd 1 2 0 100% " in page
    assert "Cem 1 1 0 100% " in page
    assert "+1 for every opponent below and −1 for every one above" in page
    assert "A place takes at least 2 games." in page


def test_table_in_german(club):
    season = season_of(club, league=rules.LeagueRules("mean"))
    finished(club, add(club, "Annika"))

    response = Client(headers={"accept-language": "de"}).get(f"/clubs/{club.pk}/seasons/{season.pk}/")

    page = text_of(response)
    assert "1 Annika 1 1 1 100 % 30,0" in page
    assert "Es zählen die Punkte auf den Blöcken pro Spiel" in page


def test_movement_is_shown_in_words_too(club):
    season = season_of(club)
    annika, bernd = add(club, "Annika", "Bernd")
    night = {"games": 2, "nights": 2, "wins": 0, "bids": 2, "exact": 1, "ranked": True, "tie": 0, "points": 0}
    before = {"ranked_before": True, "tie_before": 0, "last_night": date(2026, 1, 2)}
    for player, now, was in ((annika, 5, 1), (bernd, 2, 3)):
        Standing.objects.create(season=season, player=player, score=now, score_before=was, **night, **before)
    Season.objects.update(last_night=date(2026, 1, 2))

    page = page_of(club, f"seasons/{season.pk}/")

    assert "Annika 1 place up" in page
    assert "Bernd 1 place down" in page
    assert "As of the evening of 2 Jan 2026" in page


def test_season_whose_rule_excludes_every_game_says_so(club):
    finished(club, add(club, "Annika"))
    season = season_of(club, editions=("maximus",))

    page = page_of(club, f"seasons/{season.pk}/")

    assert "No game fits this season so far." in page
    assert "Only games of these editions count: Wizard Maximus." in page


def test_stale_and_changed_tables_say_so(club):
    season = close_season(season_of(club), by=OPERATOR)
    assert "worked out anew" not in page_of(club, f"seasons/{season.pk}/")
    Season.objects.update(stale=True, changed_after_close=timezone.now())

    page = page_of(club, f"seasons/{season.pk}/")

    assert "The table is being worked out anew." in page
    assert "Changed after its close: a game of this season was corrected, or recorded later, on" in page


def test_own_line_stands_below_a_page_without_it(club, monkeypatch):
    monkeypatch.setattr("scoresheets.queries.leagues.LINES_A_PAGE", 2)
    season = season_of(club)
    me = member_of(club)
    mia = player_of(me, club, "Mia")
    finished(club, [*add(club, "Annika", "Bernd"), mia])

    page = signed_in(me.user).get(f"/clubs/{club.pk}/seasons/{season.pk}/").content.decode()

    assert page.count('<tr class="me">') == 1
    assert "Mia" in page.partition("standings-own")[2]
    assert 'class="me"' not in Client().get(f"/clubs/{club.pk}/seasons/{season.pk}/").content.decode()


def test_strangers_see_public_names_and_members_the_others(club):
    season = season_of(club)
    finished(club, add(club, "Annika"))
    Player.objects.filter(name="Annika").update(public_name="A.")
    close_season(season, by=OPERATOR)
    member = signed_in(member_of(club).user)
    player = Player.objects.get(name="Annika").pk

    for path in (
        "seasons/",
        f"seasons/{season.pk}/",
        f"seasons/{season.pk}/players/{player}/",
        "all-time/",
        "records/",
    ):
        assert "Annika" not in page_of(club, path)
        assert "A." in page_of(club, path)
        assert "Annika" in page_of(club, path, member)
    assert "Annika" not in Client().get(f"/clubs/{club.pk}/").content.decode()


# -- the games behind a number ----------------------------------------------------------------------------------------


def test_number_opens_its_games(club):
    season = season_of(club, league=rules.LeagueRules("places", (3, 1), best=1))
    annika, bernd, cem = add(club, "Annika", "Bernd", "Cem")
    won, lost = finished(club, [annika, bernd, cem]), finished(club, [bernd, annika, cem])
    address = f"seasons/{season.pk}/players/{annika.pk}/"
    assert address in Client().get(f"/clubs/{club.pk}/seasons/{season.pk}/").content.decode()

    response = Client().get(f"/clubs/{club.pk}/{address}")

    page = text_of(response)
    assert "2 games · 1 evening · 1 win · 100% exact (2 of 2 bids)" in page
    assert "3 points in 1 game that counts" in page
    assert page.count("not among the best") == 1
    assert all(f'href="/games/{game.pk}/"' in response.content.decode() for game in (won, lost))


def test_player_without_games_is_known_to_members_only(club):
    season = season_of(club)
    (annika,) = add(club, "Annika")
    address = f"seasons/{season.pk}/players/{annika.pk}/"

    assert "No game of Annika counts here so far." in page_of(club, address, signed_in(member_of(club).user))
    assert Client().get(f"/clubs/{club.pk}/{address}").status_code == 404
    assert Client().get(f"/clubs/{club.pk}/seasons/{season.pk}/players/{10**30}/").status_code == 404


def test_duplicate_leads_to_the_player_it_is(club):
    season = season_of(club)
    annika, twin = add(club, "Annika", "Annika B.")
    merge_players(annika, twin, by=OPERATOR)

    response = Client().get(f"/clubs/{club.pk}/seasons/{season.pk}/players/{twin.pk}/")

    assert (response.status_code, response.url) == (302, f"/clubs/{club.pk}/seasons/{season.pk}/players/{annika.pk}/")


# -- lists, all-time, records -----------------------------------------------------------------------------------------


def test_seasons_are_listed_with_who_won_and_who_leads(club, manager):
    finished(club, add(club, "Annika"))
    close_season(season_of(club, "Old"), by=OPERATOR)
    season_of(club, "New")

    page = page_of(club, "seasons/")

    assert "New from 1 Jan 2020 In front: Annika" in page
    assert "closed Won by Annika" in page
    assert "New season" not in page
    assert "New season" in page_of(club, "seasons/", manager)


def test_club_page_shows_the_top_of_the_season_under_way(club):
    assert "Whole table" not in page_of(club)
    season_of(club, "Liga")
    finished(club, add(club, "Annika"))

    page = page_of(club)

    assert "Liga Whole table" in page
    assert "1 Annika" in page


@pytest.mark.parametrize(
    ("asked", "marked"),
    [
        ({}, "games"),
        ({"sort": "rating"}, "rating"),
        ({"sort": "mean", "least": "1"}, "mean"),
        ({"sort": "drop table", "least": "-1", "page": "x"}, "games"),
    ],
)
def test_all_time_table_by_what_is_asked(asked, marked, club):
    finished(club, add(club, "Annika"))
    response = Client().get(f"/clubs/{club.pk}/all-time/", asked)
    page = response.content.decode()
    assert response.status_code == 200
    assert f'<option value="{marked}" selected>' in page
    # One game is too few for a rating.
    assert ("Annika" in page) == (marked != "rating")


def test_records_name_the_best_and_their_games(club):
    annika, *others = add(club, "Annika", "Bernd", "Cem")
    games = [finished(club, [annika, *others]) for _ in range(2)]
    close_season(season_of(club, "Old"), by=OPERATOR)

    response = Client().get(f"/clubs/{club.pk}/records/")

    page = text_of(response)
    assert "Seasons won Old 1 Annika" in page
    assert "Most wins 1 Annika 2" in page
    assert "Most evenings won 1 Annika 1" in page
    assert "Most wins in a row Annika" in page
    assert f'href="/games/{games[0].pk}/"' in response.content.decode()
    assert "No record yet" in page_of(make_club("New", visibility="public"), "records/")


def test_waiting_ratings_are_said(club):
    finished(club, add(club, "Annika"))
    ClubTally.objects.update(stale_from=timezone.now())
    for path in ("all-time/", "records/"):
        assert "Ratings and runs are being worked out anew" in page_of(club, path)


# -- what it costs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("people", [3, 130])
def test_table_costs_a_stranger_at_most_six_statements_and_40_kb(people, club, django_assert_max_num_queries):
    season = season_of(club)
    tonight = night_of(timezone.now(), club.time_zone)
    line = {"games": 400, "nights": 120, "wins": 99, "bids": 9000, "exact": 4000, "ranked": True, "tie": 0.5}
    before = {"ranked_before": True, "score_before": 7, "tie_before": 0.5}
    for number, player in enumerate(add(club, *(f"Somebody with a long name {n}" for n in range(people)))):
        night = tonight if number % 3 else tonight - timedelta(days=1)
        Standing.objects.create(
            season=season, player=player, score=number, points=61 * number, last_night=night, **line, **before
        )
    Season.objects.update(last_night=tonight)

    with django_assert_max_num_queries(6):
        response = Client().get(f"/clubs/{club.pk}/seasons/{season.pk}/")

    assert response.content.count(b"<tr>") == min(people, 50) + 1
    assert len(response.content) <= 40_000
