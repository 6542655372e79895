from __future__ import annotations

import csv

import pytest
from django.test import Client

import rules
from scoresheets.models import Club, Player, Receipt
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import club_game, make_club, make_user, member_of, owner_of, stored

pytestmark = pytest.mark.django_db


def test_clubs_are_those_of_the_account_by_name():
    club = make_club("Zorn")
    owner = owner_of(club)
    other = make_club("Anders")
    other.memberships.create(user=owner.user, role="member")
    make_club("Fremd")

    answer = Api.of(owner).get("clubs/")

    assert [(row["id"], row["name"], row["role"]) for row in answer.body["results"]] == [
        (other.pk, "Anders", "member"),
        (club.pk, "Zorn", "owner"),
    ]
    assert (answer.body["next"], answer.body["previous"]) == (None, None)


def test_clubs_of_a_token_for_one_club_are_that_one():
    club, other = make_club("Zorn"), make_club("Anders")
    owner = owner_of(club)
    other.memberships.create(user=owner.user, role="owner")

    answer = Api.of(owner, club=club).get("clubs/")

    assert [row["id"] for row in answer.body["results"]] == [club.pk]


@pytest.mark.parametrize(("scope", "role"), [("read", "member"), ("record", "scorer"), ("manage", "owner")])
def test_role_is_at_most_what_the_token_allows(scope, role):
    club = make_club()
    assert Api.of(owner_of(club), scope).get(f"clubs/{club.pk}/").body["role"] == role


@pytest.mark.parametrize("count", [1, 4])
def test_clubs_cost_the_same_whatever_their_number(count, django_assert_num_queries):
    user = make_user("Owner")
    for number in range(count):
        make_club(f"Club {number}").memberships.create(user=user, role="member")
    api = Api.of(user)
    api.get("clubs/")  # the use of the token is noted at the first time

    with django_assert_num_queries(3):
        assert len(api.get("clubs/").body["results"]) == count


def test_clubs_without_an_account_are_nobodys():
    answer = Api().get("clubs/")

    assert answer.refusal == (401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_clubs_as_csv():
    club = make_club("=SUM(A1)")
    answer = Api.of(owner_of(club)).get("clubs/?format=csv")

    head, row = csv.reader(answer.text.splitlines())
    assert dict(zip(head, row, strict=True))["name"] == "'=SUM(A1)"
    assert (head[0], row[0]) == ("id", str(club.pk))


@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("unlisted", 200), ("public", 200)])
def test_club_is_seen_by_strangers_unless_it_is_private(visibility, status):
    club = make_club(visibility=visibility)

    for api in (Api(), Api.of(make_user("Stranger"))):
        answer = api.get(f"clubs/{club.pk}/")
        assert answer.status == status
        assert status == 404 or answer.body["role"] is None
    assert Api.of(member_of(club)).get(f"clubs/{club.pk}/").status == 200


def test_club_says_all_of_its_settings():
    club = make_club("Runde", locks_after=24, house=rules.HouseRules(specials=("BOMB",)))

    body = Api.of(owner_of(club)).get(f"clubs/{club.pk}/").body

    assert body == {
        "id": club.pk,
        "name": "Runde",
        "time_zone": "Europe/Berlin",
        "language": "de",
        "visibility": "private",
        "house": {**rules.HouseRules().to_mapping(), "specials": ["BOMB"]},
        "ladder": "full",
        "locks_after": 24,
        "incomplete_counts": False,
        "created_at": body["created_at"],
        "role": "owner",
    }


@pytest.mark.parametrize("club_id", ["0", "999", "9" * 18])
def test_club_that_is_not_there(club_id):
    assert Api.of(make_user("Somebody")).get(f"clubs/{club_id}/").refusal == (404, "not_found")


# -- founding --------------------------------------------------------------------------------------------------------


def test_founding_makes_owner_and_player():
    user = make_user("Annika")

    answer = Api.of(user).post("clubs/", {"name": " Runde ", "visibility": "public", "house": {"specials": ["BOMB"]}})

    club = Club.objects.get()
    assert (answer.status, answer.body["id"], answer.body["name"]) == (201, club.pk, "Runde")
    assert (answer.body["role"], answer.body["house"]["specials"]) == ("owner", ["BOMB"])
    assert (club.visibility, club.memberships.get().user, club.memberships.get().role) == ("public", user, "owner")
    assert Player.objects.get().name == "Annika"


def test_founding_with_the_same_key_founds_one_club():
    api, body = Api.of(make_user("Annika")), {"name": "Runde", "player_name": "Anni"}

    first = api.post("clubs/", body, Idempotency_Key="once")
    again = api.post("clubs/", body, Idempotency_Key="once")
    other = api.post("clubs/", {"name": "Andere"}, Idempotency_Key="once")

    assert (again.status, again.body, again.headers["Idempotency-Replayed"]) == (201, first.body, "true")
    assert "Idempotency-Replayed" not in first.headers
    assert other.refusal == (422, "key_reused")
    assert Club.objects.count() == 1


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ({}, [("field_missing", "name")]),
        ({"name": ""}, [("name_missing", "name")]),
        ({"name": "x" * 61}, [("too_long", "name")]),
        ({"name": 5}, [("wrong_type", "name")]),
        ({"name": None}, [("field_null", "name")]),
        ({"name": "A\u0000"}, [("characters_not_allowed", "name")]),
        ({"name": "A", "nmae": "B"}, [("unknown_field", "nmae")]),
        ({"name": "A", "visibility": "secret"}, [("choice_unknown", "visibility")]),
        ({"name": "A", "visibility": 1}, [("choice_unknown", "visibility")]),
        ({"name": "A", "time_zone": "Mars"}, [("time_zone_unknown", "time_zone")]),
        ({"name": "A", "locks_after": -1}, [("too_small", "locks_after")]),
        ({"name": "A", "locks_after": 1e400 if False else 10**30}, [("too_large", "locks_after")]),
        ({"name": "A", "locks_after": "5"}, [("wrong_type", "locks_after")]),
        ({"name": "A", "locks_after": True}, [("wrong_type", "locks_after")]),
        ({"name": "A", "incomplete_counts": "yes"}, [("wrong_type", "incomplete_counts")]),
        ({"name": "A", "house": {"specials": ["GNOME"]}}, [("choice_unknown", "house.specials.0")]),
        ({"name": "A", "house": {"specials": ["DRAGON"]}}, [("dragon_fairy_pair", "house.specials")]),
        ({"name": "A", "house": {"wild": True}}, [("unknown_field", "house.wild")]),
        ({"name": "A", "house": []}, [("wrong_type", "house")]),
        ({"name": "", "time_zone": "Mars"}, [("name_missing", "name"), ("time_zone_unknown", "time_zone")]),
        ([], [("wrong_type", None)]),
        ("text", [("wrong_type", None)]),
    ],
)
def test_founding_names_every_problem_and_writes_nothing(body, problems):
    api = Api.of(make_user("Annika"))
    before = stored()

    answer = api.post("clubs/", body)

    assert (answer.status, answer.problems) == (400, problems)
    assert (answer.body["code"], answer.body["field"]) == problems[0]
    assert stored() == before


@pytest.mark.parametrize("scope", ["read", "record"])
def test_founding_takes_the_scope_manage(scope):
    assert Api.of(make_user("Annika"), scope).post("clubs/", {"name": "A"}).refusal == (403, "scope_missing")
    assert Club.objects.count() == 0


def test_founding_takes_a_token_for_all_clubs():
    club = make_club()
    api = Api.of(owner_of(club), club=club)
    assert api.post("clubs/", {"name": "A"}).refusal == (403, "token_of_one_club")


# -- changing and deleting -------------------------------------------------------------------------------------------


def test_changing_keeps_what_is_left_out():
    club = make_club("Runde", locks_after=24, house=rules.HouseRules(specials=("BOMB",)))

    answer = Api.of(owner_of(club)).patch(f"clubs/{club.pk}/", {"name": "Neu", "house": {"blind_bids": True}})

    assert (answer.status, answer.body["name"], answer.body["locks_after"]) == (200, "Neu", 24)
    assert (answer.body["house"]["specials"], answer.body["house"]["blind_bids"]) == (["BOMB"], True)
    club.refresh_from_db()
    assert (club.name, club.house["blind_bids"]) == ("Neu", True)


def test_changing_to_null_takes_the_lock_away():
    club = make_club(locks_after=24)
    assert Api.of(owner_of(club)).patch(f"clubs/{club.pk}/", {"locks_after": None}).body["locks_after"] is None


def test_deleting_again_with_the_same_key_is_done_already():
    club = make_club()
    api = Api.of(owner_of(club))

    answers = [api.delete(f"clubs/{club.pk}/", Idempotency_Key="gone") for _ in range(2)]

    assert [answer.status for answer in answers] == [204, 204]
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    assert api.delete(f"clubs/{club.pk}/").refusal == (404, "not_found")
    assert not Club.objects.exists()


def test_deleting_a_club_with_games_is_a_conflict():
    club = make_club()
    club_game(club)

    answer = Api.of(owner_of(club)).delete(f"clubs/{club.pk}/", Idempotency_Key="k")

    assert answer.refusal == (409, "club_has_games")
    assert Club.objects.exists()
    assert not Receipt.objects.filter(key="k").exists()


@pytest.mark.parametrize(("role", "changes", "deletes"), [("scorer", 403, 403), ("manager", 200, 403)])
def test_changing_is_for_managers_and_deleting_for_owners(role, changes, deletes):
    club = make_club()
    api = Api.of(member_of(club, role))
    assert api.patch(f"clubs/{club.pk}/", {"name": "Neu"}).status == changes
    assert api.delete(f"clubs/{club.pk}/").status == deletes


def test_session_reads_and_writes_with_its_csrf_token():
    club = make_club()
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner_of(club).user)
    client.get("/games/new/")
    api = Api(client=client)

    assert api.get(f"clubs/{club.pk}/").status == 200
    assert api.patch(f"clubs/{club.pk}/", {"name": "Neu"}).refusal == (403, "csrf_failed")
    token = client.cookies["csrftoken"].value
    assert api.patch(f"clubs/{club.pk}/", {"name": "Neu"}, X_CSRFToken=token).body["name"] == "Neu"
