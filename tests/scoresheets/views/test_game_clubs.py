"""Games of clubs: who gets in without a link, starting one, keeping a quick one, confirming the result."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.models import Club, Game, Player, Seat
from scoresheets.recording import RoundValues, correct_round
from scoresheets.recording.repair import differences_of
from tests.scoresheets.clubs import (
    actor_of,
    add,
    club_game,
    finished,
    make_club,
    make_user,
    member_of,
    owner_of,
    player_of,
    players_at,
)
from tests.scoresheets.factories import (
    OPERATOR,
    client_for,
    fresh,
    hold_link,
    link_to,
    make_game,
    open_round,
    rows_of,
    seat_ids,
    seats_of,
)
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db


def signed_in(actor) -> Client:
    """Return a device on which this account is signed in."""
    client = Client()
    client.force_login(actor.user)
    return client


def device_of(role: str, club: Club) -> Client:
    if role == "anonymous":
        return Client()
    if role in ("stranger", "staff"):
        user = make_user(role)
        user.is_staff = user.is_superuser = role == "staff"
        user.save()
        return signed_in(actor_of(user))
    return signed_in(owner_of(club) if role == "owner" else member_of(club, role))


ROLES = ("anonymous", "stranger", "staff", "member", "scorer", "manager", "owner")


@pytest.mark.parametrize(
    ("visibility", "statuses"),
    [
        ("private", (404, 404, 404, 200, 200, 200, 200)),
        ("unlisted", (200,) * 7),
        ("public", (200,) * 7),
    ],
)
@pytest.mark.parametrize("page", ["", "sheet/", "referee/"])
def test_a_clubs_game_is_seen_by_members_and_by_others_as_the_club_wants(visibility, statuses, page):
    club = make_club(visibility=visibility)
    game = finished(club)
    found = tuple(device_of(role, club).get(f"/games/{game.pk}/{page}").status_code for role in ROLES)
    assert found == statuses


@pytest.mark.parametrize("page", ["state/", "people/", "links/", "rounds/1/correct/", "club/"])
def test_pages_that_change_a_clubs_game_are_for_its_scorers(page):
    club = make_club(visibility="public")
    game = finished(club)
    found = tuple(device_of(role, club).get(f"/games/{game.pk}/{page}").status_code for role in ROLES)
    assert found == (403, 403, 403, 403, 200, 200, 200)
    club.visibility = "private"
    club.save()
    hidden = (Client().get(f"/games/{game.pk}/{page}"), device_of("member", club).get(f"/games/{game.pk}/{page}"))
    assert [answer.status_code for answer in hidden] == [404, 403]


@pytest.mark.parametrize("role", ROLES)
def test_who_may_bid_in_a_clubs_game(role):
    club = make_club(visibility="public")
    game = club_game(club, length=3)
    current = open_round(game)
    sent = {"seen": current.stage_version, "seat": seat_ids(game)[1], "bid": "0", "key": "k"}

    response = device_of(role, club).post(f"/games/{game.pk}/", sent)

    may = role in ("scorer", "manager", "owner")
    assert (response.status_code, current.bids.count()) == ((302, 1) if may else (403, 0))
    if may:
        assert game.entries.latest("version").via == "login"


def test_a_link_opens_a_private_clubs_game_and_a_signed_in_scorer_keeps_their_name():
    club = make_club(visibility="private")
    game = club_game(club, length=3)
    assert client_for(game, "watch").get(f"/games/{game.pk}/").status_code == 200
    stranger = signed_in(actor_of(make_user("Helga")))
    hold_link(stranger, game, link_to(game)[1])
    sent = {"seen": open_round(game).stage_version, "seat": seat_ids(game)[1], "bid": "0"}
    assert stranger.post(f"/games/{game.pk}/", sent).status_code == 302
    assert game.entries.latest("version").user.username == "Helga"


def test_a_quick_game_is_nobodys_but_its_links():
    game = make_game(seats=3)
    for role in ROLES:
        assert device_of(role, make_club()).get(f"/games/{game.pk}/").status_code == 404


def test_strangers_see_the_names_that_players_show():
    club = make_club(visibility="public")
    anna, bernd = add(club, "Anna Sommer", "Bernd Winter")
    recording.rename_player(anna, name="Anna Sommer", public_name="A. S.", by=OPERATOR)
    game = finished(club, [anna, bernd])
    scored = game.rounds.get()
    seats = seat_ids(game)
    values = RoundValues(bids=dict.fromkeys(seats, 0), taken=dict(zip(seats, [0, 1, 0], strict=True)))
    helga = member_of(club, "scorer", "Helga")
    correct_round(game, number=1, values=values, seen=scored.changed_version, reason="Anna said so", by=helga)

    for page in ("", "sheet/", "referee/"):
        address = f"/games/{game.pk}/{page}"
        public, inside = Client().get(address).content.decode(), signed_in(helga).get(address).content.decode()
        assert "Anna" not in public
        assert "A. S." in public
        assert "Bernd Winter" in public
        assert "Anna Sommer" in inside
        assert "Helga" not in public.replace("Helga</span>", "")
    assert Seat.objects.filter(name="A. S.").count() == 0  # shown, never stored


# -- starting one


def setup_page(client, club):
    return read(client.get(f"/games/new/?club={club.pk}"))


def test_a_club_starts_with_its_rules_and_its_roster():
    club = make_club(house=rules.HouseRules(plus_minus_one=True, tie_break="shared"), ladder="tournament")
    add(club, "Anna", "Bernd")
    client = signed_in(member_of(club, "scorer"))

    page = setup_page(client, club)

    fields = dict(page.one("form", id="setup").fields())
    assert (fields["club"], fields["length"], "plus_minus_one" in fields) == (str(club.pk), "tournament", True)
    assert [button["value"] for button in page.all("button", name="toggle")][:2] == ["Anna", "Bernd"]


def test_known_names_sit_down_as_players_and_new_ones_as_guests():
    club = make_club()
    anna, bernd = add(club, "Anna", "Bernd")
    client = signed_in(member_of(club, "scorer"))
    fields = dict(setup_page(client, club).one("form", id="setup").fields())

    response = client.post("/games/new/", {**fields, "name": ["bernd", "Cem", "Anna"], "start": "1"})

    game = Game.objects.get()
    assert (response.status_code, game.club) == (302, club)
    guest = Player.objects.get(name="Cem")
    assert players_at(game) == [bernd.pk, guest.pk, anna.pk]
    assert (guest.is_guest, guest.club) == (True, club)
    assert differences_of(game.pk) == []


def test_a_name_near_to_a_known_one_is_asked_about():
    club = make_club()
    (bernd,) = add(club, "Bernd Maier")
    client = signed_in(member_of(club, "scorer"))
    fields = dict(setup_page(client, club).one("form", id="setup").fields())

    page = read(client.post("/games/new/", {**fields, "name": ["Bernd Meier", "Cem", "Doro"], "look": "1"}))
    button = page.one("button", name="instead")
    assert button["value"] == "0:Bernd Maier"
    again = [*page.one("form", id="setup").fields(), ("instead", button["value"])]
    data = {}
    for name, value in again:
        data.setdefault(name, []).append(value)
    after = read(client.post("/games/new/", data))
    names = [value for name, value in after.one("form", id="setup").fields() if name == "name"]
    assert names == ["Bernd Maier", "Cem", "Doro"]
    assert bernd.name in names


def test_another_club_brings_its_rules():
    user = make_user("Helga")
    clubs = [make_club("One"), make_club("Two", ladder="tournament")]
    for club in clubs:
        club.memberships.create(user=user, role="scorer")
    client = signed_in(actor_of(user))
    fields = dict(setup_page(client, clubs[0]).one("form", id="setup").fields())
    page = read(client.post("/games/new/", {**fields, "club": str(clubs[1].pk)}))
    assert dict(page.one("form", id="setup").fields())["length"] == "tournament"


@pytest.mark.parametrize(
    ("role", "visibility", "status"),
    [
        ("anonymous", "private", 404),
        ("anonymous", "public", 403),
        ("stranger", "private", 404),
        ("stranger", "public", 403),
        ("member", "private", 403),
        ("scorer", "private", 200),
    ],
)
def test_who_may_start_a_game_of_a_club(role, visibility, status):
    club = make_club(visibility=visibility)
    client = device_of(role, club)
    assert client.get(f"/games/new/?club={club.pk}").status_code == status
    fields = {"club": club.pk, "name": ["Anna", "Bernd", "Cem"], "dealer": "0", "length": "full", "start": "1"}
    assert client.post("/games/new/", fields).status_code == (302 if status == 200 else status)
    assert Game.objects.count() == (status == 200)


@pytest.mark.parametrize("named", ["999", "x", "-1", "9" * 40, "١"])
def test_a_club_that_is_not_there_starts_nothing(named):
    client = device_of("stranger", make_club())
    assert client.get("/games/new/", {"club": named}).status_code == 404


# -- keeping a quick game


def test_a_quick_game_is_kept_in_a_club():
    game = make_game(seats=3, rounds=1, length=1)
    club = make_club()
    bernd, carla = add(club, "Bernd", "Carla")
    client = signed_in(member_of(club, "scorer"))
    hold_link(client, game, link_to(game)[1])
    assert "Keep this game" in read(client.get(f"/games/{game.pk}/")).text

    page = read(client.get(f"/games/{game.pk}/club/"))
    fields = dict(page.one("main").one("form").fields())
    seats = seat_ids(game)
    assert fields[f"seat_{seats[1]}"] == str(bernd.pk)  # by the name
    assert fields[f"seat_{seats[0]}"] == "new"
    response = client.post(f"/games/{game.pk}/club/", fields | {f"seat_{seats[2]}": ""})

    assert (response.status_code, response["Location"]) == (302, f"/games/{game.pk}/")
    assert fresh(game).club == club
    annika = Player.objects.get(name="Annika")
    assert (players_at(game), annika.is_guest) == ([annika.pk, bernd.pk, None], True)
    assert carla.pk not in players_at(game)
    assert client.get(f"/games/{game.pk}/").status_code == 200
    assert differences_of(game.pk) == []


def test_one_of_several_clubs_is_chosen_first():
    game = make_game(seats=3)
    user = make_user("Helga")
    clubs = [make_club("One"), make_club("Two")]
    for club in clubs:
        club.memberships.create(user=user, role="scorer")
    client = signed_in(actor_of(user))
    hold_link(client, game, link_to(game)[1])

    choices = read(client.get(f"/games/{game.pk}/club/")).all("input", name="club")
    assert [choice["value"] for choice in choices] == [str(club.pk) for club in clubs]
    assert client.get(f"/games/{game.pk}/club/", {"club": clubs[1].pk}).status_code == 200
    assert client.post(f"/games/{game.pk}/club/", {}).status_code == 422


def test_without_a_club_one_is_created_first():
    game = make_game(seats=3)
    client = device_of("stranger", make_club())
    hold_link(client, game, link_to(game)[1])
    assert read(client.get(f"/games/{game.pk}/club/")).one("main").all("a")[0]["href"] == "/clubs/new/"


def test_keeping_needs_an_account_and_the_right_to_change_the_game():
    game = make_game(seats=3)
    assert client_for(game).get(f"/games/{game.pk}/club/").status_code == 403
    watcher = device_of("stranger", make_club())
    hold_link(watcher, game, link_to(game, "watch")[1])
    assert watcher.get(f"/games/{game.pk}/club/").status_code == 403


def test_no_club_but_ones_own_takes_the_game_and_no_player_of_another_club():
    game = make_game(seats=3)
    club, other = make_club("One"), make_club("Two", visibility="public")
    (stranger,) = add(other, "Bernd")
    client = signed_in(member_of(club, "scorer"))
    hold_link(client, game, link_to(game)[1])
    before = rows_of(game)
    address = f"/games/{game.pk}/club/"
    assert client.get(address, {"club": other.pk}).status_code == 404
    assert client.post(address, {"club": other.pk}).status_code == 404
    sent = {"club": club.pk, f"seat_{seat_ids(game)[0]}": str(stranger.pk)}
    assert client.post(address, sent).status_code == 409
    assert rows_of(game) == before


def test_a_player_sits_on_one_seat_only_and_the_choices_stay():
    game = make_game(seats=3)
    club = make_club()
    (bernd,) = add(club, "Bernd")
    client = signed_in(member_of(club, "scorer"))
    hold_link(client, game, link_to(game)[1])
    first, second, third = seat_ids(game)
    sent = {"club": club.pk, f"seat_{first}": bernd.pk, f"seat_{second}": bernd.pk, f"seat_{third}": ""}

    response = client.post(f"/games/{game.pk}/club/", sent)

    assert response.status_code == 422
    fields = dict(read(response).one("main").one("form").fields())
    assert [fields[f"seat_{seat}"] for seat in (first, second, third)] == [str(bernd.pk), str(bernd.pk), ""]


def test_who_is_who_can_be_said_again_later():
    club = make_club()
    anna, bernd = add(club, "Anna", "Bernd")
    game = club_game(club, [anna, bernd])
    client = signed_in(member_of(club, "scorer"))
    fields = dict(read(client.get(f"/games/{game.pk}/club/")).one("main").one("form").fields())
    first, second, *_rest = seat_ids(game)
    response = client.post(f"/games/{game.pk}/club/", fields | {f"seat_{first}": bernd.pk, f"seat_{second}": anna.pk})
    assert response.status_code == 302
    assert players_at(game)[:2] == [bernd.pk, anna.pk]


# -- confirming


def confirm(client, game):
    page = read(client.get(f"/games/{game.pk}/"))
    buttons = page.all("button", name="confirm")
    if not buttons:
        return None
    form = next(form for form in page.all("form") if form.all("button", name="confirm"))
    return client.post(f"/games/{game.pk}/", dict(form.fields()) | {"confirm": "1"})


def table_of_two():
    """Return a club, a finished game of it, and the two members who sat there with a guest."""
    club = make_club()
    members = [member_of(club, "member", name) for name in ("Anna", "Bernd")]
    players = [player_of(actor, club, actor.user.username) for actor in members]
    return club, finished(club, players), members


def test_those_at_the_table_confirm_one_after_the_other():
    club, game, (anna, bernd) = table_of_two()
    scorer = signed_in(member_of(club, "scorer"))
    assert "Still to confirm: Anna, Bernd" in read(signed_in(anna).get(f"/games/{game.pk}/")).text
    assert confirm(scorer, game) is None  # did not sit there

    assert confirm(signed_in(anna), game).status_code == 302
    assert confirm(signed_in(anna), game) is None
    assert not fresh(game).is_confirmed
    assert scorer.get(f"/games/{game.pk}/rounds/1/correct/").status_code == 200
    assert confirm(signed_in(bernd), game).status_code == 302

    assert fresh(game).is_confirmed
    page = read(scorer.get(f"/games/{game.pk}/"))
    assert "This result is confirmed" in page.text
    assert page.all("button", name="back") == []
    assert scorer.get(f"/games/{game.pk}/rounds/1/correct/").status_code == 403
    assert signed_in(owner_of(club)).get(f"/games/{game.pk}/rounds/1/correct/").status_code == 200
    assert scorer.post(f"/games/{game.pk}/", {"back": "9", "seen": fresh(game).version}).status_code == 403


def test_a_manager_confirms_alone_and_the_rematch_goes_on():
    club, game, _members = table_of_two()
    manager = signed_in(member_of(club, "manager"))
    assert confirm(manager, game).status_code == 302
    assert fresh(game).is_confirmed
    scorer = signed_in(member_of(club, "scorer"))
    form = next(f for f in read(scorer.get(f"/games/{game.pk}/")).all("form") if f.all("button", name="rematch"))
    response = scorer.post(f"/games/{game.pk}/", dict(form.fields()) | {"rematch": "1"})
    assert response.status_code == 302
    assert Game.objects.get(rematch_of=game).club == club


def test_a_link_of_a_confirmed_game_changes_nothing_any_more():
    club, game, _members = table_of_two()
    keeper = client_for(game)
    confirm(signed_in(member_of(club, "manager")), game)
    before = rows_of(game)
    for sent in ({"back": "9"}, {"bid": "1"}, {"keep": "1"}):
        assert keeper.post(f"/games/{game.pk}/", {"seen": before["game"][0]["version"], **sent}).status_code in (
            403,
            409,
        )
    assert keeper.get(f"/games/{game.pk}/state/").status_code == 403
    assert {**rows_of(game), "links": []} == {**before, "links": []}


def test_a_game_locks_some_hours_after_its_end_and_an_open_page_notices():
    club = make_club(locks_after=24)
    game = finished(club)
    scorer = signed_in(member_of(club, "scorer"))
    first = scorer.get(f"/games/{game.pk}/")
    assert "Locked from" in read(first).text
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(hours=25))

    second = scorer.get(f"/games/{game.pk}/", headers={"If-None-Match": first["ETag"]})

    assert second.status_code == 200
    assert "This result is locked" in read(second).text
    assert scorer.get(f"/games/{game.pk}/state/").status_code == 403


def test_strangers_confirm_nothing():
    club = make_club(visibility="public")
    game = finished(club)
    before = rows_of(game)
    for role in ("anonymous", "stranger", "member"):
        sent = {"confirm": "1", "seen": game.version}
        assert device_of(role, club).post(f"/games/{game.pk}/", sent).status_code == 403
    assert rows_of(game) == before
    assert make_game(seats=3).club is None


def test_a_confirmation_of_a_page_that_is_old_is_stale():
    club, game, (anna, _bernd) = table_of_two()
    seats = seats_of(game)
    recording.adjust_points(game, seat=seats[0].pk, points=10, reason="Overtime", by=OPERATOR)
    sent = {"confirm": "1", "seen": game.version}
    assert signed_in(anna).post(f"/games/{game.pk}/", sent).status_code == 409
    assert club.games.get().confirmed_version is None


# -- statements


def test_statements_of_a_clubs_game(django_assert_num_queries):
    club = make_club(visibility="public")
    game = club_game(club, add(club, "Anna"), length=3)
    scorer = signed_in(member_of(club, "scorer"))
    with django_assert_num_queries(2 + 1 + 1 + 3):  # session, account; game and club; roles; sheet
        scorer.get(f"/games/{game.pk}/")
    with django_assert_num_queries(1 + 3 + 1):  # game and club; sheet; public names
        Client().get(f"/games/{game.pk}/")
