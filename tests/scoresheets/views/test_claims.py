""" "That's me": decided by managers, or settled by a personal link that works once and gives nothing away."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoresheets.actors import OPERATOR
from scoresheets.models import Membership, Player, PlayerLink
from scoresheets.recording import (
    claim_player,
    decide_claim,
    make_claim_link,
    merge_players,
    release_player,
    revoke_claim_link,
)
from tests.scoresheets.accounts.helpers import PASSWORD, make_account, sign_in
from tests.scoresheets.clubs import add, make_club, member_of, owner_of, player_of, stored
from tests.scoresheets.pages import press, read
from tests.scoresheets.views.test_statements import statements

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club("Nachteulen", owner="Olga")


@pytest.fixture
def anna(club):
    (player,) = add(club, "Anna")
    return player


@pytest.fixture
def manager(club):
    client = Client()
    client.force_login(member_of(club, "manager", "Mara").user)
    return client


def user_of(player: Player):
    return Player.objects.get(pk=player.pk).user


def address(club) -> str:
    return f"/clubs/{club.pk}/claims/"


# -- claims ----------------------------------------------------------------------------------------------------------


def test_claims_are_listed_oldest_first_and_decided(club, anna, manager):
    (bert,) = add(club, "Bert")
    first, second = member_of(club, name="Annika"), member_of(club, name="Bernd")
    claims = claim_player(anna, by=first), claim_player(bert, by=second)

    page = read(manager.get(address(club)))
    assert [line.one("b").text for line in page.one(class_="claims").all("li")] == ["Annika", "Bernd"]
    assert "2 people say “That's me”" in read(manager.get(f"/clubs/{club.pk}/players/")).text

    press(manager, address(club), "accept", str(claims[0].pk), page=page)
    press(manager, address(club), "refuse", str(claims[1].pk), page=page)

    assert (user_of(anna), user_of(bert)) == (first.user, None)
    assert read(manager.get(address(club))).one(class_="empty").text == "Nobody is waiting for an answer."


def test_claim_on_somebody_merged_meanwhile_is_for_the_player_kept(club, anna, manager):
    (double,) = add(club, "Anna B.")
    member = member_of(club)
    claim = claim_player(double, by=member)
    merge_players(anna, double, by=OPERATOR)

    page = read(manager.get(address(club)))
    assert page.one(class_="claims").one("a")["href"] == f"/clubs/{club.pk}/players/{anna.pk}/"
    press(manager, address(club), "accept", str(claim.pk), page=page)

    assert user_of(anna) == member.user


@pytest.mark.parametrize("again", ["accept", "refuse"])
def test_claim_decided_by_somebody_else_is_a_conflict_unless_they_agree(again, club, anna, manager):
    claim = claim_player(anna, by=member_of(club))
    decide_claim(claim, accepted=True, by=owner_of(club))
    before = stored()

    response = manager.post(address(club), {again: claim.pk})

    assert (response.status_code, stored()) == (302 if again == "accept" else 409, before)
    if again == "refuse":
        assert read(response).one(class_="err-box").text == "Somebody else has decided this already."


def test_claim_of_somebody_who_left_cannot_be_accepted(club, anna, manager):
    member = member_of(club)
    claim = claim_player(anna, by=member)
    Membership.objects.get(user=member.user).delete()
    before = stored()

    response = manager.post(address(club), {"accept": claim.pk})

    assert (response.status_code, stored()) == (409, before)


def test_claim_of_another_club_is_not_found(club, anna, manager):
    other = make_club("Other")
    claim = claim_player(add(other, "Bert")[0], by=member_of(other))
    before = stored()

    for button in ("accept", "refuse"):
        for wrong in (claim.pk, "", "x", 10**17, "9" * 30, "1\x00"):
            assert (wrong, manager.post(address(club), {button: wrong}).status_code) == (wrong, 404)
    assert manager.post(address(club)).status_code == 404
    assert stored() == before


@pytest.mark.parametrize("role", ["member", "scorer"])
def test_only_managers_decide(role, club, anna):
    client, claim = Client(), claim_player(anna, by=member_of(club))
    client.force_login(member_of(club, role).user)
    before = stored()

    assert client.get(address(club)).status_code == 403
    assert client.post(address(club), {"accept": claim.pk}).status_code == 403
    assert stored() == before


@pytest.mark.parametrize("waiting", [1, 30])
def test_statements_of_the_claims(waiting, club, manager):
    for player in add(club, *(f"Player {n}" for n in range(waiting))):
        claim_player(player, by=member_of(club))

    answer, counted = statements(lambda: manager.get(address(club)))

    assert (answer.status_code, counted) == (200, (0, 5))
    assert len(read(answer).one(class_="claims").all("li")) == waiting


# -- personal links --------------------------------------------------------------------------------------------------


@pytest.fixture
def link(anna):
    """A personal link for Anna, and its address."""
    link, secret = make_claim_link(anna, by=OPERATOR)
    return link, f"/p/{secret}"


def device_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_visitor_sees_whom_it_is_for_and_comes_back_after_signing_in(club, anna, link):
    _link, path = link
    visitor = Client()
    user = make_account("Annika")

    page = read(visitor.get(path))
    assert page.one("h1").text == "Are you Anna?"
    assert "Nachteulen" in page.one(class_="page-head").text
    leads = [door["href"] for door in page.one("main").all("a")]
    assert leads == [
        f"/account/login/?next={path.replace('/', '%2F')}",
        f"/account/signup/?next={path.replace('/', '%2F')}",
    ]
    assert visitor.post(path)["Location"] == f"/account/login/?next={path}"
    assert user_of(anna) is None

    came_back = sign_in(visitor, user.username, next=path)["Location"]
    page = read(visitor.get(came_back))
    response = visitor.post(came_back, dict(page.one("form", action=path).fields()), follow=True)

    assert (came_back, user_of(anna)) == (path, user)
    assert response.redirect_chain == [(f"/clubs/{club.pk}/players/{anna.pk}/", 302)]
    assert read(response).one(class_="strip--calm").text == "Welcome. In this club you are Anna."
    assert Membership.objects.get(user=user).role == "member"


def test_visitor_comes_back_after_making_an_account(link):
    _link, path = link
    visitor = Client()
    page = read(visitor.get(f"/account/signup/?next={path}"))
    (form,) = [form for form in page.all("form") if form.all("input", name="password1")]
    typed = {"username": "Annika", "password1": PASSWORD, "password2": PASSWORD}

    response = visitor.post("/account/signup/", {**dict(form.fields()), **typed})

    assert response["Location"] == path


def test_link_works_once(anna, link):
    _link, path = link
    first, second = device_of(make_account("First")), device_of(make_account("Second"))

    assert first.post(path).status_code == 302
    before = stored()
    again, late = first.post(path), second.post(path)

    assert (again.status_code, late.status_code, stored()) == (302, 409, before)
    assert read(first.get(path)).one("h1").text == "Are you Anna?"
    assert first.get(path).status_code == 200


def used(link: PlayerLink) -> None:
    link.used_at = timezone.now()
    link.save()


def ran_out(link: PlayerLink) -> None:
    link.expires_at = timezone.now() - timedelta(seconds=1)
    link.save()


def closed(link: PlayerLink) -> None:
    revoke_claim_link(link, by=OPERATOR)


@pytest.mark.parametrize(
    ("end", "sentence"),
    [(used, "it works only once"), (ran_out, "It ran out on"), (closed, "It was closed before anybody used it.")],
)
@pytest.mark.parametrize("who", ["visitor", "account"])
def test_link_that_is_closed_says_why_and_names_nobody(end, sentence, who, anna, link):
    found, path = link
    end(found)
    client = Client() if who == "visitor" else device_of(make_account("Annika"))
    before = stored()

    response = client.get(path)

    html = response.content.decode()
    assert (response.status_code, sentence in html) == (410, True)
    assert read(response).one("h1").text == "This link is closed"
    assert "Anna<" not in html
    assert "Nachteulen" not in html
    assert client.post(path).status_code == (302 if who == "visitor" else 409)
    assert stored() == before


@pytest.mark.parametrize("secret", ["unknown", "x" * 2000, "%00", "%F0%9F%98%80", "' or 1=1--"])
def test_unknown_secret_opens_nothing(secret, client):
    response = client.get(f"/p/{secret}")

    assert response.status_code == 404
    assert read(response).one("h1").text == "This link does not open anything"


def test_who_is_somebody_else_in_the_club_is_told_before(club, anna, link):
    _link, path = link
    member = member_of(club)
    player_of(member, club, "Berta")
    client = device_of(member.user)
    before = stored()

    page = read(client.get(path))
    assert "In this club you are Berta already." in page.one(class_="note").text
    assert page.all("form", action=path) == []
    response = client.post(path)
    assert (response.status_code, stored()) == (409, before)
    assert "somebody else already" in read(response).one(class_="err-box").text


def test_player_who_was_parted_again_does_not_come_back_with_the_used_link(anna, link):
    _link, path = link
    client = device_of(make_account("Annika"))
    client.post(path)
    release_player(anna, by=OPERATOR)
    before = stored()

    assert (client.get(path).status_code, client.post(path).status_code, stored()) == (410, 409, before)


def test_no_page_keeps_the_secret_in_its_address_or_elsewhere(link, caplog):
    _link, path = link
    response = device_of(make_account("Annika")).post(path)

    assert path.rpartition("/")[2] not in response["Location"]
    assert response["Referrer-Policy"] == "same-origin"
    assert "no-store" in response["Cache-Control"]
    assert path.rpartition("/")[2] not in str(stored())
