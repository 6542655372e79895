"""Members, invitations, players, merges and claims: what an app gets and does; who may do what is in test_roles.py."""

from __future__ import annotations

import json

import pytest

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Claim, Invitation, Membership, Merge, Player, PlayerLink, Receipt, Seat, Token
from tests.scoresheets.api.helpers import Api
from tests.scoresheets.clubs import add, fill, finished, make_club, make_user, member_of, owner_of, player_of, stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club("Runde", owner="Olga")


@pytest.fixture
def api(club):
    """An app of the owner."""
    return Api.of(owner_of(club))


def names(answer):
    return [row["name"] for row in answer.body["results"]]


# -- who one is ------------------------------------------------------------------------------------------------------


def test_token_says_who_it_acts_for_and_what_it_allows(club):
    owner = owner_of(club)
    body = Api.of(owner, "record", club=club).get("token/").body
    token = Token.objects.get()
    assert (body["account"], body["username"]) == (owner.user.pk, "Olga")
    assert {name: body["token"][name] for name in ("id", "name", "scope", "club")} == {
        "id": token.pk,
        "name": "App",
        "scope": "record",
        "club": club.pk,
    }


def test_token_revokes_itself(club):
    api = Api.of(owner_of(club), "read")
    assert api.delete("token/").status == 204
    assert api.get("token/").refusal == (401, "token_revoked")


# -- members ---------------------------------------------------------------------------------------------------------


def test_members_say_which_player_they_are(club, api):
    anna = member_of(club, "scorer", "Anna")
    player = player_of(anna, club, "Anni")
    member_of(club, "member", "Zoe")

    rows = api.get(f"clubs/{club.pk}/members/").body["results"]

    own = Player.objects.get(user__username="Olga")
    assert [(row["username"], row["role"], row["player"]) for row in rows] == [
        ("Anna", "scorer", player.pk),
        ("Olga", "owner", own.pk),
        ("Zoe", "member", None),
    ]
    assert [row["username"] for row in api.get(f"clubs/{club.pk}/members/?role=scorer").body["results"]] == ["Anna"]
    assert api.get(f"clubs/{club.pk}/members/?role=king").refusal == (400, "parameter_wrong")


def test_role_is_changed_and_read_again(club, api):
    anna = club.memberships.get(user=member_of(club, "member", "Anna").user)
    path = f"clubs/{club.pk}/members/{anna.pk}/"
    assert api.patch(path, {"role": "manager"}).body["role"] == "manager"
    assert api.get(path).body["role"] == "manager"


def test_last_owner_stays_and_stays_owner(club, api):
    owner = club.memberships.get()
    path = f"clubs/{club.pk}/members/{owner.pk}/"
    before = stored()
    answers = [api.patch(path, {"role": "member"}), api.delete(path), api.post(f"clubs/{club.pk}/leave/")]
    assert [answer.refusal for answer in answers] == [(409, "last_owner")] * 3
    assert stored() == before


def test_member_of_another_club_is_not_there(club, api):
    other = make_club("Andere").memberships.get()
    path = f"clubs/{club.pk}/members/{other.pk}/"
    answers = [api.get(path), api.patch(path, {"role": "member"}), api.delete(path)]
    assert [answer.refusal for answer in answers] == [(404, "not_found")] * 3


def test_removing_and_leaving_again_with_the_same_key_is_done_already(club, api):
    anna, bert = member_of(club, "member", "Anna"), member_of(club, "member", "Bert")
    path = f"clubs/{club.pk}/members/{club.memberships.get(user=anna.user).pk}/"
    leaving, leave = Api.of(bert), f"clubs/{club.pk}/leave/"
    assert [api.delete(path, Idempotency_Key="k").status for _ in range(2)] == [204, 204]
    assert [leaving.post(leave, Idempotency_Key="k").status for _ in range(2)] == [204, 204]
    assert [str(member.user) for member in club.memberships.all()] == ["Olga"]


def test_token_for_another_club_does_not_leave_this_one(club):
    other = make_club("Andere")
    anna = member_of(club, "member", "Anna")
    other.memberships.create(user=anna.user)
    assert Api.of(anna, club=other).post(f"clubs/{club.pk}/leave/").refusal == (404, "not_found")
    assert club.memberships.filter(user=anna.user).exists()


# -- invitations -----------------------------------------------------------------------------------------------------


def test_invitation_is_made_listed_accepted_and_closed(club, api):
    path = f"clubs/{club.pk}/invitations/"
    made = api.post(path, {"role": "scorer", "label": "Anna", "days": 3, "most_uses": 1})
    assert (made.status, made.body["role"], made.body["label"], made.body["uses"]) == (201, "scorer", "Anna", 0)
    assert made.body["address"].endswith(f"/i/{made.body['secret']}")
    listed = api.get(path)
    assert made.body["secret"] not in listed.text
    assert [row["is_open"] for row in listed.body["results"]] == [True]

    joined = Api.of(make_user("Anna")).post("invitations/accept/", {"secret": made.body["secret"]})
    assert (joined.status, joined.body["username"], joined.body["role"]) == (200, "Anna", "scorer")
    late = Api.of(make_user("Bert")).post("invitations/accept/", {"secret": made.body["secret"]})
    assert late.refusal == (409, "invitation_used_up")

    second = api.post(path).body
    assert (second["role"], second["most_uses"], second["label"]) == ("member", None, "")
    assert api.delete(f"{path}{second['id']}/").status == 204
    states = {
        state: [row["id"] for row in api.get(f"{path}?state={state}").body["results"]] for state in ("open", "closed")
    }
    assert states == {"open": [], "closed": [second["id"], made.body["id"]]}


def test_invitation_repeated_tells_its_secret_again_and_keeps_none(club, api):
    path = f"clubs/{club.pk}/invitations/"
    first = api.post(path, {"days": 3}, Idempotency_Key="k")
    assert api.post(path, {"days": 3}, Idempotency_Key="k").body == first.body
    assert Invitation.objects.count() == 1
    assert first.body["secret"] not in json.dumps(list(Receipt.objects.values_list("body", flat=True)))
    assert api.post(path, {"days": 4}, Idempotency_Key="k").refusal == (422, "key_reused")


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ({"role": "owner"}, ("choice_unknown", "role")),
        ({"days": 0}, ("too_small", "days")),
        ({"days": 366}, ("too_large", "days")),
        ({"most_uses": 0}, ("too_small", "most_uses")),
        ({"label": "x" * 41}, ("too_long", "label")),
    ],
)
def test_invitation_that_cannot_be_is_refused(club, api, body, problem):
    answer = api.post(f"clubs/{club.pk}/invitations/", body)
    assert (answer.status, answer.problems) == (400, [problem])
    assert not Invitation.objects.exists()


@pytest.mark.parametrize("secret", ["", "unknown", "x" * 100, "ä"])
def test_invitation_that_is_not_there(secret):
    answer = Api.of(make_user("Anna")).post("invitations/accept/", {"secret": secret})
    assert answer.refusal == (409, "invitation_gone")


# -- players ---------------------------------------------------------------------------------------------------------


def test_players_are_the_roster_unless_asked_otherwise(club, api):
    path = f"clubs/{club.pk}/players/"
    bert, anna, anni = add(club, "Bert", "Anna", "Änni")
    recording.archive_player(bert, by=OPERATOR)
    recording.merge_players(anna, anni, by=OPERATOR)
    add(club, "cem")
    finished(club, [anni])

    assert names(api.get(path)) == ["Anna", "cem", "Olga"]
    assert {state: names(api.get(f"{path}?state={state}")) for state in ("archived", "merged")} == {
        "archived": ["Bert"],
        "merged": ["Änni"],
    }
    assert len(api.get(f"{path}?state=all").body["results"]) == 5
    (row,) = api.get(f"{path}?search=ANN").body["results"]
    assert (row["id"], row["games"], row["canonical"]) == (anna.pk, 1, anna.pk)
    (duplicate,) = api.get(f"{path}?state=merged&search=anni").body["results"]
    assert (duplicate["canonical"], duplicate["games"]) == (anna.pk, 0)
    assert names(api.get(f"{path}?has_account=true")) == ["Olga"]
    assert names(api.get(f"{path}?has_account=false")) == ["Anna", "cem"]
    assert names(api.get(f"{path}?ordering=-created_at")) == ["cem", "Anna", "Olga"]


@pytest.mark.parametrize("query", ["state=gone", "is_guest=perhaps", f"search={'x' * 101}", "search=%00"])
def test_players_with_filters_that_cannot_be_read(club, api, query):
    answer = api.get(f"clubs/{club.pk}/players/?{query}")
    assert answer.refusal == (400, "parameter_wrong")


@pytest.mark.parametrize(("people", "games"), [(3, 2), (40, 30)])
def test_lists_of_people_cost_the_same_whatever_their_number(club, api, people, games, django_assert_num_queries):
    fill(club, people, games)
    api.get("token/")
    costs = {"members": 4, "players": 5, "players/?search=1": 6, "invitations": 4, "merges": 4, "claims": 4}
    for path, cost in costs.items():
        with django_assert_num_queries(cost):
            assert api.get(f"clubs/{club.pk}/{path}{'' if '?' in path else '/'}").status == 200


def test_player_is_added_once_for_a_key(club, api):
    path = f"clubs/{club.pk}/players/"
    body = {"name": " Dora ", "is_guest": True, "public_name": "D."}
    first = api.post(path, body, Idempotency_Key="k")
    assert (first.status, first.body["name"], first.body["public_name"], first.body["is_guest"]) == (
        *(201, "Dora", "D.", True),
    )
    assert api.post(path, body, Idempotency_Key="k").body == first.body
    assert api.post(path, {"name": "dora"}).problems == [("player_name_taken", "name")]
    assert api.get(f"{path}{first.body['id']}/").body == first.body


def test_likely_players_are_told_before_one_is_added(club, api):
    add(club, "Thomas", "Anna")
    path = f"clubs/{club.pk}/players/likely/"
    assert names(api.get(f"{path}?name=tomas")) == ["Thomas"]
    assert names(api.get(f"{path}?name=Quentin")) == []
    for query in ("", "?name=", f"?name={'x' * 41}", "?name=%00"):
        assert api.get(path + query).refusal == (400, "parameter_wrong")


def test_player_is_renamed_archived_and_brought_back(club, api):
    (anna,) = add(club, "Anna")
    path = f"clubs/{club.pk}/players/{anna.pk}/"
    assert api.patch(path, {"public_name": "A."}).body["name"] == "Anna"
    assert api.patch(path, {"name": "Anne"}).body["public_name"] == "A."
    assert api.post(f"{path}archive/").body["archived_at"] is not None
    (other,) = add(club, "Anne")
    assert api.post(f"{path}unarchive/").problems == [("player_name_taken", "name")]
    recording.rename_player(other, name="Berta", by=OPERATOR)
    assert api.post(f"{path}unarchive/").body["archived_at"] is None


def test_player_of_another_club_is_not_there(club, api):
    (foreign,) = add(make_club("Andere"), "Fremd")
    path = f"clubs/{club.pk}/players/{foreign.pk}/"
    answers = [
        api.get(path),
        api.patch(path, {"name": "Mein"}),
        *(api.post(f"{path}{act}/") for act in ("archive", "unarchive", "anonymise", "release", "claim")),
        api.post(f"{path}link/", {}),
        api.delete(f"{path}link/"),
    ]
    assert [answer.refusal for answer in answers] == [(404, "not_found")] * len(answers)


def test_anonymous_player_is_nameless_everywhere_also_in_kept_answers(club, api):
    path = f"clubs/{club.pk}/players/"
    made = api.post(path, {"name": "Annegret"}, Idempotency_Key="k").body
    other = api.post(path, {"name": "Annegrete"}, Idempotency_Key="l").body
    game = finished(club, [Player.objects.get(pk=made["id"])])

    answer = api.post(f"{path}{made['id']}/anonymise/")

    nameless = f"Person {made['id']}"
    assert (answer.body["name"], answer.body["archived_at"] is not None) == (nameless, True)
    assert Seat.objects.filter(game=game, name="Annegret").count() == 0
    kept = api.post(path, {"name": "Annegret"}, Idempotency_Key="k")
    assert (kept.status, kept.body["id"], kept.body["name"]) == (201, made["id"], nameless)
    assert Receipt.objects.get(key="l").body["body"]["name"] == other["name"]


def test_own_player_is_made_anonymous_by_themselves_alone(club):
    anna = member_of(club, "member", "Anna")
    player, (bert,) = player_of(anna, club, "Anna"), add(club, "Bert")
    path = f"clubs/{club.pk}/players/"
    assert Api.of(anna).post(f"{path}{bert.pk}/anonymise/").refusal == (403, "not_allowed")
    assert Api.of(anna, "record").post(f"{path}{player.pk}/anonymise/").refusal == (403, "scope_missing")
    assert Api.of(anna).post(f"{path}{player.pk}/anonymise/").status == 200


# -- links, claims, merges -------------------------------------------------------------------------------------------


def test_personal_link_makes_somebody_the_player(club, api):
    (anna,) = add(club, "Anna")
    path = f"clubs/{club.pk}/players/{anna.pk}/link/"
    first = api.post(path, {}, Idempotency_Key="k").body
    assert api.post(path, {}, Idempotency_Key="k").body == first
    assert first["address"].endswith(f"/p/{first['secret']}")
    assert api.delete(path).status == 204
    user = Api.of(make_user("Anna"))
    assert user.post("player-links/use/", {"secret": first["secret"]}).refusal == (409, "link_gone")
    secret = api.post(path, {"days": 1}).body["secret"]

    used = user.post("player-links/use/", {"secret": secret})

    assert (used.body["id"], used.body["username"]) == (anna.pk, "Anna")
    assert club.memberships.get(user__username="Anna").role == "member"
    assert api.post(path, {}).refusal == (409, "player_claimed")
    assert api.post(f"clubs/{club.pk}/players/{anna.pk}/release/").body["username"] is None
    assert PlayerLink.objects.count() == 2


def test_claim_waits_for_a_manager(club, api):
    (anna,) = add(club, "Anna")
    member = Api.of(member_of(club, "member", "Annegret"), "record")
    claim = member.post(f"clubs/{club.pk}/players/{anna.pk}/claim/").body
    assert (claim["player"], claim["username"], claim["accepted"]) == (anna.pk, "Annegret", None)
    assert member.post(f"clubs/{club.pk}/players/{anna.pk}/claim/").body["id"] == claim["id"]
    assert [row["id"] for row in api.get(f"clubs/{club.pk}/claims/").body["results"]] == [claim["id"]]
    path = f"clubs/{club.pk}/claims/{claim['id']}/"

    decided = api.post(path, {"accepted": True})

    assert (decided.body["accepted"], Player.objects.get(pk=anna.pk).user.username) == (True, "Annegret")
    assert api.get(f"clubs/{club.pk}/claims/").body["results"] == []
    assert api.post(path, {"accepted": False}).refusal == (409, "already_decided")
    assert Claim.objects.count() == 1


def test_merge_is_looked_at_done_and_undone(club, api):
    anna, anni, bert = add(club, "Anna", "Anni", "Bert")
    finished(club, [anna, bert])
    path = f"clubs/{club.pk}/merges/"

    before = api.get(f"{path}preview/?kept={anna.pk}&merged={anni.pk}").body
    against = api.get(f"{path}preview/?kept={anna.pk}&merged={bert.pk}", Accept_Language="en").body
    made = api.post(path, {"kept": anna.pk, "merged": anni.pk}, Idempotency_Key="k")
    again = api.post(path, {"kept": anna.pk, "merged": anni.pk}, Idempotency_Key="k")

    assert (before["games_kept"], before["games_merged"], before["conflict"], before["detail"]) == (1, 0, None, None)
    assert (against["conflict"], against["detail"]) == (
        "sat_together",
        "Both sat at the same table once, so they are two people.",
    )
    assert (made.status, again.body) == (201, made.body)
    assert api.post(path, {"kept": anna.pk, "merged": bert.pk}).refusal == (409, "sat_together")
    assert [row["id"] for row in api.get(path).body["results"]] == [made.body["id"]]
    undone = api.post(f"{path}{made.body['id']}/undo/")
    assert undone.body["undone_at"] is not None
    assert api.get(path).body["results"] == []
    assert Player.objects.get(pk=anni.pk).is_canonical
    assert Merge.objects.count() == 1


def test_merge_takes_players_of_the_club(club, api):
    (anna,), (foreign,) = add(club, "Anna"), add(make_club("Andere"), "Fremd")
    path = f"clubs/{club.pk}/merges/"
    for kept, merged in ((anna.pk, foreign.pk), (foreign.pk, anna.pk), (anna.pk, 999)):
        assert api.post(path, {"kept": kept, "merged": merged}).refusal == (409, "player_unknown")
        assert api.get(f"{path}preview/?kept={kept}&merged={merged}").refusal == (409, "player_unknown")
    assert api.post(path, {"kept": anna.pk, "merged": anna.pk}).refusal == (409, "same_player")
    for query in (
        "",
        "?kept=1",
        "?kept=x&merged=1",
        "?kept=0&merged=1",
        f"?kept={10**18}&merged=1",
    ):
        assert api.get(f"{path}preview/{query}").refusal == (400, "parameter_wrong")


def test_members_see_claims_and_merges_of_no_club_but_theirs(club, api):
    other = make_club("Andere")
    (anna,) = add(other, "Anna")
    claim = recording.claim_player(anna, by=member_of(other, "member", "Zoe"))
    path = f"clubs/{club.pk}"
    assert api.post(f"{path}/claims/{claim.pk}/", {"accepted": True}).refusal == (404, "not_found")
    assert api.post(f"{path}/merges/1/undo/").refusal == (404, "not_found")
    assert api.delete(f"{path}/invitations/1/").refusal == (404, "not_found")
    assert Membership.objects.filter(user=claim.user).count() == 1
