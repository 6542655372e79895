"""The pages of clubs: founding, a club's home, its settings and its end."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.forms.clubs import EDITIONS, available_zones, edition_of, kept_rules
from scoresheets.models import Club, Membership, Player
from scoresheets.recording import ClubSettings
from tests.scoresheets.clubs import (
    add,
    club_game,
    fill,
    finished,
    make_club,
    make_user,
    member_of,
    owner_of,
    stored,
)
from tests.scoresheets.factories import play_round
from tests.scoresheets.pages import Element, read, sentences_at
from tests.scoresheets.views.test_statements import statements

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club("Nachteulen", owner="Olga")


def device_of(actor: Actor) -> Client:
    client = Client()
    client.force_login(actor.user)
    return client


def as_role(club: Club, role: str) -> Client:
    return device_of(owner_of(club) if role == "owner" else member_of(club, role))


def form_of(page: Element) -> Element:
    """Return the form of a page's own, not those of the menu."""
    (found,) = [form for form in page.all("form") if form.all("input", name="name")]
    return found


def fields_of(client: Client, address: str) -> dict[str, object]:
    """Return what the page's form would send unchanged; fields of the same name as lists."""
    sent: dict[str, list[str]] = {}
    for name, value in form_of(read(client.get(address))).fields():
        sent.setdefault(name, []).append(value)
    return {name: values if name == "special" else values[0] for name, values in sent.items()}


def games_in(page: Element) -> list[tuple[str, str]]:
    return [(line.one("b").text, line.one("small").text) for line in page.one(class_="club-games").all("li")]


# -- one's clubs ------------------------------------------------------------------------------------------------------


def test_visitor_reads_what_a_club_is_and_comes_back_after_signing_up(client):
    page = read(client.get("/clubs/"))

    assert page.one("h1").text == "Clubs"
    ways = [link["href"] for link in page.all("a") if "next=" in link["href"]]
    assert ways == ["/account/signup/?next=/clubs/", "/account/login/?next=/clubs/"]


def test_own_clubs_are_listed_with_role_members_and_last_game(club):
    member = member_of(club, "scorer")
    other = recording.create_club(ClubSettings("Abendrunde"), by=member)
    game = finished(club)

    page = read(device_of(member).get("/clubs/"))

    played = timezone.localtime(game.started_at)
    lines = [(line.one("a")["href"], line.text) for line in page.one(class_="club-list").all("li")]
    assert lines == [
        (f"/clubs/{other.pk}/", "Abendrunde owner · 1 member · no game yet"),
        (f"/clubs/{club.pk}/", f"Nachteulen scorer · 2 members · last played {played.day} {played:%b %Y}"),
    ]


@pytest.mark.parametrize("clubs", [1, 30])
def test_statements_of_the_list_of_clubs(clubs):
    actor = Actor.of_user(make_user("Olga"))
    for number in range(clubs):
        recording.create_club(ClubSettings(f"Club {number}"), by=actor)
    client = device_of(actor)

    answer, counted = statements(lambda: client.get("/clubs/"))

    assert (answer.status_code, counted) == (200, (0, 3))


def test_start_page_and_menu_lead_to_the_clubs(client, club):
    assert len(read(client.get("/")).all("a", href="/clubs/")) == 1
    assert len(read(device_of(owner_of(club)).get("/")).all("a", href="/clubs/")) == 2


# -- founding ---------------------------------------------------------------------------------------------------------


def test_club_is_founded_with_all_that_was_chosen():
    client = device_of(Actor.of_user(make_user("Olga")))
    sent = fields_of(client, "/clubs/new/")
    assert (sent["player_name"], sent["visibility"], sent["edition"]) == ("Olga", "private", "2021")
    sent |= {"name": "  Nacht  eulen ", "player_name": "Olli", "time_zone": "America/New_York", "language": "en"}
    sent |= {"visibility": "public", "edition": "2026", "special": ["BOMB", "DRAGON,FAIRY"], "plus_minus_one": "on"}
    sent |= {"ladder": "tournament", "locks_after": " 48 ", "incomplete_counts": "on"}

    response = client.post("/clubs/new/", sent)

    club = Club.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/clubs/{club.pk}/")
    house = rules.HouseRules(
        specials=("DRAGON", "FAIRY", "BOMB"), plus_minus_one=True, weak_specials_no_trump=True, cloud_upper_clamp=False
    )
    assert ClubSettings.of(club) == ClubSettings(
        "Nacht eulen", "America/New_York", "en", "public", house, "tournament", 48, incomplete_counts=True
    )
    assert [(player.name, player.user.username) for player in club.players.all()] == [("Olli", "Olga")]
    assert [member.role for member in club.memberships.all()] == ["owner"]


def test_form_sent_twice_founds_one_club():
    client = device_of(Actor.of_user(make_user("Olga")))
    sent = fields_of(client, "/clubs/new/") | {"name": "Runde"}

    answers = [client.post("/clubs/new/", sent) for _ in range(2)]

    assert [answer["Location"] for answer in answers] == [f"/clubs/{Club.objects.get().pk}/"] * 2


def test_form_sent_again_with_another_name_is_a_conflict_that_keeps_what_was_typed():
    client = device_of(Actor.of_user(make_user("Olga")))
    sent = fields_of(client, "/clubs/new/") | {"name": "Runde"}
    client.post("/clubs/new/", sent)
    before = stored()

    response = client.post("/clubs/new/", sent | {"name": "Andere", "special": ["CLOUD"]})

    page = read(response)
    assert response.status_code == 409
    assert page.one(class_="err-box").text == "This page was already sent with another entry; that one counts."
    assert page.one("input", name="name")["value"] == "Andere"
    assert "checked" in page.one("input", name="special", value="CLOUD").attrs
    assert page.one("input", name="key")["value"] != sent["key"]
    assert stored() == before


WRONG = [
    ("name", " ", "Enter a name."),
    ("name", "x" * 61, "A name has at most 60 characters."),
    ("name", "a\0b", "Null characters are not allowed."),
    ("player_name", "x" * 41, "Ensure this value has at most 40 characters (it has 41)."),
    ("locks_after", "-1", "Write 0 to 8760 hours, or nothing for never."),
    ("locks_after", "8761", "Write 0 to 8760 hours, or nothing for never."),
    ("locks_after", "soon", "“soon” is not a whole number."),
]


@pytest.mark.parametrize(("field", "typed", "sentence"), WRONG)
def test_what_cannot_be_is_refused_at_its_field_and_stays_typed(field, typed, sentence):
    client = device_of(Actor.of_user(make_user("Olga")))
    sent = fields_of(client, "/clubs/new/") | {"name": "Runde", field: typed}
    before = stored()

    response = client.post("/clubs/new/", sent)

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, field) == sentence
    assert page.one("input", name=field)["value"] == typed
    assert stored() == before


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("time_zone", "Mars/Olympus", "“Mars/Olympus” is no time zone. Choose one of the list."),
        ("time_zone", "", "“” is no time zone. Choose one of the list."),
        ("language", "fr", "Choose German or English."),
        ("visibility", "secret", "Choose who may look at the club."),
        ("ladder", "free", "Choose a length."),
        ("edition", "1996", "Select a valid choice. 1996 is not one of the available choices."),
        ("special", ["BOMB", "ACE"], "There is no special card “ACE”."),
        ("special", ["DRAGON"], "Dragon and fairy are only played together. Missing: Fairy."),
    ],
)
def test_choice_that_is_none_is_refused(field, typed, sentence, club):
    client = as_role(club, "owner")
    address = f"/clubs/{club.pk}/settings/"
    sent = fields_of(client, address) | {field: typed}
    before = stored()

    response = client.post(address, sent)

    assert response.status_code == 422
    assert [error.text for error in read(response).all(class_="err")] == [sentence]
    assert stored() == before


def test_every_time_zone_offered_is_one_and_the_usual_ones_are_offered():
    assert {"Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kolkata"} < available_zones()
    assert not ClubSettings("x", time_zone="Asia/Kolkata").problems
    assert all(not ClubSettings("x", time_zone=zone).problems for zone in available_zones())


# -- settings ---------------------------------------------------------------------------------------------------------

#: House rules that no field of the page says, in part or as a whole.
KEPT = [
    rules.HouseRules(),
    rules.HouseRules(blind_bids=True, hidden_bids=True, plus_minus_one=True, plus_minus_one_from=4),
    rules.HouseRules(specials=("BOMB", "DRAGON", "FAIRY"), tie_break="shared", werewolf_may_choose_no_trump=False),
    rules.HouseRules(specials=("DRAGON",), allow_lone_dragon_or_fairy=True),
    rules.HouseRules(deck="french52", secret_bids=True),
    rules.HouseRules(variant="maximus", weak_specials_no_trump=True),
    rules.HouseRules(cloud_upper_clamp=False),
]


@pytest.mark.parametrize("house", KEPT)
def test_all_rules_survive_an_edit_of_something_else(house):
    before = ClubSettings("Runde", "Etc/GMT+3", "en", "unlisted", house, "tournament", 0)
    club = recording.create_club(before, by=Actor.of_user(make_user("Olga")))
    client = as_role(club, "owner")
    address = f"/clubs/{club.pk}/settings/"

    response = client.post(address, fields_of(client, address) | {"name": "Neu"})

    assert (response.status_code, response["Location"]) == (302, f"/clubs/{club.pk}/")
    club.refresh_from_db()
    assert ClubSettings.of(club) == ClubSettings("Neu", "Etc/GMT+3", "en", "unlisted", house, "tournament", 0)


def test_edition_changes_only_what_editions_differ_in(club):
    own = rules.HouseRules(blind_bids=True, tie_break="shared", cloud_upper_clamp=False)
    recording.change_club(club, ClubSettings("Runde", house=own), by=OPERATOR)
    client = as_role(club, "manager")
    address = f"/clubs/{club.pk}/settings/"
    page = read(client.get(address))
    assert [radio["value"] for radio in page.all("input", name="edition")] == ["", *EDITIONS]
    assert page.one(class_="note").text == "Your club's other rules stay as they are: Blind bids, Shared victory."

    client.post(address, fields_of(client, address) | {"edition": "2026"})

    club.refresh_from_db()
    assert club.house_rules == rules.HouseRules(
        blind_bids=True, tie_break="shared", cloud_upper_clamp=False, weak_specials_no_trump=True
    )
    assert [radio["value"] for radio in read(client.get(address)).all("input", name="edition")] == [*EDITIONS]


def test_switches_and_cards_are_taken_away(club):
    house = rules.HouseRules(specials=("BOMB", "CLOUD"), plus_minus_one=True)
    recording.change_club(club, ClubSettings("Runde", house=house, locks_after=5), by=OPERATOR)
    client = as_role(club, "manager")
    sent = fields_of(client, f"/clubs/{club.pk}/settings/") | {"special": [], "locks_after": ""}
    del sent["plus_minus_one"]

    client.post(f"/clubs/{club.pk}/settings/", sent)

    club.refresh_from_db()
    assert (club.house_rules, club.locks_after) == (rules.HouseRules(), None)


def test_what_the_kept_rules_exclude_is_refused_at_its_field(club):
    recording.change_club(
        club, ClubSettings("Runde", house=rules.HouseRules(deck="french52", secret_bids=True)), by=OPERATOR
    )
    client = as_role(club, "manager")
    address = f"/clubs/{club.pk}/settings/"
    sent = fields_of(client, address) | {"special": ["BOMB"], "plus_minus_one": "on"}
    before = stored()

    response = client.post(address, sent)

    page = read(response)
    assert response.status_code == 422
    assert page.one(id="special_errors").text == "“Wizards and Jesters” is played without special cards."
    assert sentences_at(page, "plus_minus_one") == "“Bids never add up” and “Secret bids” exclude each other."
    assert stored() == before


def test_words_of_kept_rules():
    house = rules.HouseRules(
        deck="french52", plus_minus_one_from=3, werewolf_may_choose_no_trump=False, cloud_upper_clamp=False
    )

    assert edition_of(house) == ""
    assert [edition_of(rules.PRESETS[name].house) for name in EDITIONS] == list(EDITIONS)
    words = kept_rules(house)
    assert len(words) == 3
    assert words[0] == "Wizards and Jesters"
    assert words[1].endswith(": 3")
    assert words[2].startswith("not: ")


# -- the end of a club ------------------------------------------------------------------------------------------------


def test_owner_deletes_a_club_without_games(club):
    client = as_role(club, "owner")
    add(club, "Bernd")
    assert "2 people" in read(client.get(f"/clubs/{club.pk}/delete/")).one("main").text

    response = client.post(f"/clubs/{club.pk}/delete/", follow=True)

    assert response.redirect_chain == [("/clubs/", 302)]
    assert read(response).one(role="status").text == "Nachteulen is deleted."
    assert (Club.objects.count(), Membership.objects.count(), Player.objects.count()) == (0, 0, 0)


def test_club_with_games_is_not_deleted_and_the_page_says_why(club):
    finished(club)
    client = as_role(club, "owner")
    before = stored()

    pages = [client.get(f"/clubs/{club.pk}/delete/"), client.post(f"/clubs/{club.pk}/delete/")]

    assert [page.status_code for page in pages] == [200, 409]
    for page in pages:
        assert "A club that has games cannot be deleted." in read(page).one(class_="err-box").text
        assert not read(page).all("form", action=f"/clubs/{club.pk}/delete/")
    assert stored() == before


# -- a club's page ----------------------------------------------------------------------------------------------------


def test_home_shows_games_with_winners_and_the_roster_with_counts(club):
    bernd, cem = add(club, "Bernd", "Cem")
    won = finished(club, [bernd, cem])
    running = club_game(club, [cem, bernd], rounds=2, length=5)
    client = as_role(club, "member")

    page = read(client.get(f"/clubs/{club.pk}/"))

    assert page.one("h1").text == "Nachteulen"
    assert page.one(class_="club-hero").one("p").text == "2 members"
    assert games_in(page) == [
        ("Cem, Bernd, Zita", "Round 3 of 5"),
        ("Bernd", "30 points · Bernd, Cem, Zita"),
    ]
    links = [line.one("a")["href"] for line in page.one(class_="club-games").all("li")]
    assert links == [f"/games/{running.pk}/", f"/games/{won.pk}/"]
    assert [link["href"] for link in page.all("a", class_="live")] == [f"/games/{running.pk}/"]
    rows = [row.text for row in page.one(class_="club-roster").one("tbody").all("tr")]
    assert rows == ["Bernd 2", "Cem 2", "Olga 0"]


def test_own_line_of_the_roster_is_marked(club):
    page = read(as_role(club, "owner").get(f"/clubs/{club.pk}/"))

    assert [row.text for row in page.all("tr", class_="me")] == ["Olga you 0"]


def test_shared_victory_names_all_winners(club):
    play_round(club_game(club), [0, 0, 0], [0, 0, 1])

    page = read(as_role(club, "member").get(f"/clubs/{club.pk}/"))

    assert games_in(page) == [("Xaver and Yvonne", "20 points · Xaver, Yvonne, Zita")]


def test_halted_and_old_games_are_not_being_played(club):
    paused, old = club_game(club, length=3), club_game(club, length=3)
    recording.pause(paused, by=OPERATOR)
    type(old).objects.filter(pk=old.pk).update(started_at=timezone.now() - timedelta(hours=13))

    page = read(as_role(club, "scorer").get(f"/clubs/{club.pk}/"))

    assert page.all(class_="live") == []
    assert [small for _title, small in games_in(page)] == ["paused", "Round 1 of 3"]


def test_voided_games_are_not_listed(club):
    recording.void(finished(club), reason="Cards missing", by=OPERATOR)

    page = read(as_role(club, "member").get(f"/clubs/{club.pk}/"))

    assert page.all(class_="club-games") == []
    assert page.one(class_="empty").one("h3").text == "No game yet"


#: What everybody who may see a club can open.
OPEN_WAYS = ("evenings/", "seasons/", "all-time/", "records/", "insight/")
MEMBERS_WAYS = ("players/", "members/", "export/")
RESULTS_WAY = "/games/results/new/?club={}"


@pytest.mark.parametrize(
    ("role", "ways"),
    [
        ("member", [*OPEN_WAYS, *MEMBERS_WAYS]),
        ("scorer", ["/games/new/?club={}", *OPEN_WAYS, *MEMBERS_WAYS, RESULTS_WAY]),
        (
            "manager",
            [
                *("/games/new/?club={}", *OPEN_WAYS, *MEMBERS_WAYS, "import/", "suspicions/", "settings/"),
                *("claims/", "members/#invitations", "evenings/#plan", RESULTS_WAY),
            ],
        ),
    ],
)
def test_each_role_finds_its_ways(role, ways, club):
    bernd = add(club, "Bernd")[0]
    recording.claim_player(bernd, by=member_of(club, name="Claire"))
    recording.invite(club, role="member", by=owner_of(club))

    page = read(as_role(club, role).get(f"/clubs/{club.pk}/"))

    skipped = re.compile(r"/clubs/\d+/players/\d+/")
    found = [link["href"] for link in page.one("main").all("a") if not skipped.fullmatch(link["href"])]
    start = f"/clubs/{club.pk}/"
    assert found == [way.format(club.pk) if way.startswith("/") else start + way for way in ways]


@pytest.mark.parametrize("visibility", ["unlisted", "public"])
def test_stranger_sees_games_by_public_names_and_no_roster(visibility, client):
    club = make_club("Offen", visibility=visibility)
    bernd, cem = add(club, "Bernd Geheim", "Cem")
    recording.rename_player(bernd, name="Bernd Geheim", public_name="B.", by=OPERATOR)
    finished(club, [bernd, cem])
    club_game(club, [cem, bernd], length=3)
    duplicate = add(club, "Bernd Doppelt")[0]
    finished(club, [duplicate])
    recording.merge_players(bernd, duplicate, by=OPERATOR)
    add(club, "Nie Gespielt")

    page = client.get(f"/clubs/{club.pk}/").content.decode()

    assert "Geheim" not in page
    assert "Doppelt" not in page
    assert "Nie Gespielt" not in page
    assert [title for title, _small in games_in(read(client.get(f"/clubs/{club.pk}/")))] == [
        "B.",
        "Cem, B., Zita",
        "B.",
    ]
    for end in ("players/", "members/", "settings/", "?club="):
        assert f"/clubs/{club.pk}/{end}" not in page


def test_day_of_a_game_is_that_of_the_club():
    club = make_club("Fern", time_zone="Pacific/Auckland")
    game = finished(club)
    type(game).objects.filter(pk=game.pk).update(started_at=datetime(2026, 3, 1, 23, 30, tzinfo=UTC))

    page = read(as_role(club, "member").get(f"/clubs/{club.pk}/"))

    assert page.one(class_="club-games").one("time").text == "2 Mar 2026"


def test_pages_of_games_and_roster_go_on_beside_each_other(club):
    fill(club, 60, 45)
    client = as_role(club, "member")

    page = read(client.get(f"/clubs/{club.pk}/?games=2&roster=2"))

    assert (len(games_in(page)), len(page.one(class_="club-roster").one("tbody").all("tr"))) == (20, 11)
    assert [link["href"] for link in page.all("a") if link.attrs.get("rel")] == [
        f"/clubs/{club.pk}/?games=1&roster=2#games",
        f"/clubs/{club.pk}/?games=3&roster=2#games",
        f"/clubs/{club.pk}/?roster=1&games=2#roster",
    ]
    for query in ("games=99", "games=-1", "games=x", "games=&roster=", f"games={'9' * 30}"):
        assert client.get(f"/clubs/{club.pk}/?{query}").status_code == 200


@pytest.mark.parametrize(("people", "games"), [(3, 1), (200, 1200)])
def test_statements_of_a_clubs_pages_do_not_grow_with_it(people, games):
    club = make_club("Runde", visibility="public", owner="Olga")
    fill(club, people, games)
    member, manager = as_role(club, "member"), as_role(club, "manager")
    for number in range(3 if people == 3 else 30):
        recording.invite(club, role="member", label=f"{number}", by=owner_of(club))
    pages = {
        "home of a stranger": (Client(), "", 8),
        "home of a member": (member, "", 14),
        "home of a manager": (manager, "", 17),
        "members": (member, "members/", 5),
        "members, managed": (manager, "members/", 6),
        "settings": (manager, "settings/", 4),
    }

    found = {}
    for name, (client, end, _expected) in pages.items():
        answer, counted = statements(lambda client=client, end=end: client.get(f"/clubs/{club.pk}/{end}"))
        assert answer.status_code == 200
        found[name] = counted

    assert found == {name: (0, number) for name, (_client, _end, number) in pages.items()}
