"""The pages of a club's members and invitations: roles, removing and leaving, inviting and joining."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from scoresheets import recording
from scoresheets.models import Club, Invitation, Membership
from scoresheets.models.games import hash_of_secret
from tests.scoresheets.accounts.helpers import PASSWORD, make_account
from tests.scoresheets.clubs import finished, make_club, member_of, owner_of, stored
from tests.scoresheets.pages import Element, press, read, sentences_at
from tests.scoresheets.queries.test_clubs import fill
from tests.scoresheets.views.test_clubs import as_role, device_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return make_club("Nachteulen", owner="Olga")


def members_in(page: Element) -> list[str]:
    return [line.all("p")[0].text for line in page.one(class_="club-members").all("li")]


def membership_of(club: Club, name: str) -> Membership:
    return club.memberships.get(user__username=name)


def invitation_form(page: Element) -> Element:
    (found,) = [form for form in page.all("form") if form.all("button", name="invite")]
    return found


def invite(client: Client, club: Club, **typed: str):
    address = f"/clubs/{club.pk}/members/"
    fields = dict(invitation_form(read(client.get(address))).fields())
    return client.post(address, {**fields, "invite": "1", **typed})


def secret_in(response) -> str:
    return read(response).one(id="address")["value"].removeprefix("http://testserver/i/")


# -- roles ------------------------------------------------------------------------------------------------------------


def test_members_are_listed_owners_first_and_only_managers_change_them(club):
    member_of(club, "manager", "Max")
    member_of(club, "scorer", "Anna")
    member = member_of(club, "member", "Bernd")

    plain, managed = (read(device_of(who).get(f"/clubs/{club.pk}/members/")) for who in (member, owner_of(club)))

    assert members_in(plain) == ["Olga owner", "Max manager", "Anna scorer", "Bernd member · you"]
    assert plain.all("select") == []
    assert [link["href"] for link in plain.one("main").all("a", class_="btn--danger")] == [
        f"/clubs/{club.pk}/members/{membership_of(club, 'Bernd').pk}/remove/"
    ]
    selects = managed.one(class_="club-members").all("select")
    assert [select["aria-label"] for select in selects] == ["Role of Max", "Role of Anna", "Role of Bernd"]
    assert {option["value"] for option in selects[0].all("option")} == {"member", "scorer", "manager", "owner"}


def test_manager_may_not_touch_owners_nor_make_one(club):
    manager = device_of(member_of(club, "manager", "Max"))
    member_of(club, "member", "Bernd")
    page = read(manager.get(f"/clubs/{club.pk}/members/"))
    assert [select["aria-label"] for select in page.one(class_="club-members").all("select")] == [
        "Role of Max",
        "Role of Bernd",
    ]
    assert "owner" not in {option["value"] for option in page.one(class_="club-members").all("option")}
    olga, bernd = membership_of(club, "Olga"), membership_of(club, "Bernd")
    before = stored()

    answers = [
        manager.post(f"/clubs/{club.pk}/members/", {"change": olga.pk, "role": "member"}),
        manager.post(f"/clubs/{club.pk}/members/", {"change": bernd.pk, "role": "owner"}),
        manager.post(f"/clubs/{club.pk}/members/{olga.pk}/remove/"),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403]
    assert stored() == before


def test_role_is_changed_and_said(club):
    owner = as_role(club, "owner")
    bernd = member_of(club, "member", "Bernd").user
    address = f"/clubs/{club.pk}/members/?page=1"

    response = press(owner, address, "change", str(membership_of(club, "Bernd").pk), typed={"role": "scorer"})

    assert (response.status_code, response["Location"]) == (302, address)
    assert membership_of(club, "Bernd").role == "scorer"
    assert read(owner.get(address)).one(role="status").text == f"{bernd} now has the role “scorer”."


def test_last_owner_is_told_what_to_do_first(club):
    owner, olga = as_role(club, "owner"), membership_of(club, "Olga")
    page = read(owner.get(f"/clubs/{club.pk}/members/"))
    assert "make somebody else owner first" in page.one(class_="club-members").text
    assert page.one(class_="club-members").all("select") == []
    before = stored()

    changed = owner.post(f"/clubs/{club.pk}/members/", {"change": olga.pk, "role": "member"})
    shown = owner.get(f"/clubs/{club.pk}/members/{olga.pk}/remove/")
    left = owner.post(f"/clubs/{club.pk}/members/{olga.pk}/remove/")

    assert [changed.status_code, shown.status_code, left.status_code] == [409, 200, 409]
    sentence = "A club needs an owner: make somebody else owner first."
    assert read(changed).one(class_="err-box").text == sentence
    assert sentence in read(shown).one("main").text
    assert not read(shown).one("main").all("form")
    assert stored() == before


def test_change_of_somebody_who_left_or_to_no_role_is_refused(club):
    owner = as_role(club, "owner")
    member_of(club, "member", "Bernd")
    bernd = membership_of(club, "Bernd")
    wrong = owner.post(f"/clubs/{club.pk}/members/", {"change": bernd.pk, "role": "king"})
    assert (wrong.status_code, read(wrong).one(class_="err-box").text) == (422, "Choose one of the roles.")
    recording.remove_member(bernd, by=owner_of(club))
    before = stored()

    for sent in (str(bernd.pk), "x", "", "9" * 30):
        response = owner.post(f"/clubs/{club.pk}/members/", {"change": sent, "role": "scorer"})
        assert response.status_code == 409
        assert read(response).one(class_="err-box").text == "This person does not belong to the club any more."

    assert stored() == before


def test_member_is_removed_by_a_manager(club):
    manager = as_role(club, "manager")
    member_of(club, "member", "Bernd")
    bernd = membership_of(club, "Bernd")
    assert read(manager.get(f"/clubs/{club.pk}/members/{bernd.pk}/remove/")).one("h1").text == "Remove Bernd?"

    response = manager.post(f"/clubs/{club.pk}/members/{bernd.pk}/remove/", follow=True)

    assert response.redirect_chain == [(f"/clubs/{club.pk}/members/", 302)]
    assert read(response).one(role="status").text == "Bernd no longer belongs to Nachteulen."
    assert not club.memberships.filter(pk=bernd.pk).exists()


def test_member_leaves_and_no_longer_sees_the_private_club(club):
    bernd = member_of(club, "member", "Bernd")
    client, membership = device_of(bernd), membership_of(club, "Bernd")
    assert read(client.get(f"/clubs/{club.pk}/members/{membership.pk}/remove/")).one("h1").text == "Leave Nachteulen?"

    response = client.post(f"/clubs/{club.pk}/members/{membership.pk}/remove/")

    assert (response.status_code, response["Location"]) == (302, "/clubs/")
    assert client.get(f"/clubs/{club.pk}/").status_code == 404
    assert client.post(f"/clubs/{club.pk}/members/{membership.pk}/remove/").status_code == 404


def test_members_go_on_to_a_second_page_and_stay_there(club):
    fill(club, 60, 1)
    owner = as_role(club, "owner")

    page = read(owner.get(f"/clubs/{club.pk}/members/?page=2"))

    assert len(members_in(page)) == 11
    actions = {form["action"] for form in page.one(class_="club-members").all("form")}
    assert actions == {f"/clubs/{club.pk}/members/?page=2"}


# -- inviting ---------------------------------------------------------------------------------------------------------


def test_invitation_is_shown_once_and_only_its_hash_is_kept(club):
    manager = as_role(club, "manager")

    response = invite(manager, club, role="scorer", label=" Doro ", days="30", most_uses="2")

    page, secret = read(response), secret_in(response)
    assert page.one(id="made").text == "New invitation"
    assert page.one("svg", class_="qr").attrs.get("style") is None
    invitation = Invitation.objects.get(secret_hash=hash_of_secret(secret))
    assert (invitation.role, invitation.label, invitation.most_uses) == ("scorer", "Doro", 2)
    assert timedelta(days=29, hours=23) < invitation.expires_at - timezone.now() <= timedelta(days=30)
    assert [line.one("b").text for line in page.one("ul", class_="links").all("li")] == ["Scorer: Doro"]
    assert secret not in str(stored())
    assert secret not in manager.get(f"/clubs/{club.pk}/members/").content.decode()


def test_invitation_made_twice_by_a_double_tap_is_one(club):
    manager = as_role(club, "manager")

    secrets = {secret_in(invite(manager, club, key="k")) for _ in range(2)}

    assert (len(secrets), club.invitations.count()) == (1, 1)


def test_page_sent_again_for_another_invitation_is_a_conflict(club):
    manager = as_role(club, "manager")
    invite(manager, club, key="k")
    before = stored()

    response = invite(manager, club, key="k", role="manager", label="Doro")

    page = read(response)
    assert response.status_code == 409
    assert page.one(class_="err-box").text == "This page was already sent with another entry; that one counts."
    assert page.one(id="label")["value"] == "Doro"
    assert "checked" in page.one("input", name="role", value="manager").attrs
    assert stored() == before


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("most_uses", "0", "Write 1 to 1000 people, or nothing for any number."),
        ("most_uses", "all", "“all” is not a whole number."),
        ("label", "x" * 41, "A name has at most 40 characters."),
    ],
)
def test_invitation_that_cannot_be_is_refused_at_its_field(field, typed, sentence, club):
    manager = as_role(club, "manager")
    before = stored()

    response = invite(manager, club, **{field: typed})

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, field) == sentence
    assert page.one("input", name=field)["value"] == typed
    assert stored() == before


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"role": "owner"}, "Choose one of the roles."),
        ({"role": ""}, "Choose one of the roles."),
        ({"days": "366"}, "Choose 1 to 365 days."),
        ({"days": ""}, "A number is missing here."),
    ],
)
def test_nobody_is_invited_as_owner_or_for_ever(sent, sentence, club):
    manager = as_role(club, "manager")
    before = stored()

    response = invite(manager, club, **sent)

    assert response.status_code == 422
    assert [error.text for error in read(response).all(class_="err")] == [sentence]
    assert stored() == before


def test_revoked_invitation_is_gone_from_the_list_and_opens_nothing(club):
    manager = as_role(club, "manager")
    secret = secret_in(invite(manager, club))

    response = press(manager, f"/clubs/{club.pk}/members/", "revoke")

    assert (response.status_code, response["Location"]) == (302, f"/clubs/{club.pk}/members/#invitations")
    assert read(manager.get(f"/clubs/{club.pk}/members/")).all("ul", class_="links") == []
    assert Client().get(f"/i/{secret}").status_code == 410
    for wrong in ("x", "", "9" * 30):
        assert manager.post(f"/clubs/{club.pk}/members/", {"revoke": wrong}).status_code == 404


# -- joining ----------------------------------------------------------------------------------------------------------


def secret_of(club: Club, **options) -> str:
    return recording.invite(club, **{"role": "scorer", "by": owner_of(club), **options})[1]


def test_invitation_says_where_to_and_as_what_before_anybody_joins(club, client):
    address = f"/i/{secret_of(club, label='Doro')}"

    response = client.get(address)

    page = read(response)
    assert page.one("h1").text == "Nachteulen"
    assert "You are invited to this club. Your role: “scorer”." in page.one("main").text
    assert page.one(class_="club-roles").all("dd")[1].text == "Doro"
    assert not page.one("main").all("form")
    ways = [link["href"] for link in page.one("main").all("a")]
    assert ways == [f"/account/{way}/?next={quote(address, safe='')}" for way in ("signup", "login")]
    assert response["Referrer-Policy"] == "same-origin"
    assert "no-store" in response["Cache-Control"]
    assert club.memberships.count() == 1


@pytest.mark.parametrize("way", ["signup", "login"])
def test_whoever_signs_up_or_in_comes_back_and_joins(way, club, client):
    secret = secret_of(club)
    address = f"/i/{secret}"
    (link,) = [a["href"] for a in read(client.get(address)).one("main").all("a") if f"/{way}/" in a["href"]]
    name = {"signup": "username", "login": "login"}[way]
    sent = {name: "Zoe", "password": PASSWORD, "password1": PASSWORD, "password2": PASSWORD}
    if way == "login":
        make_account("Zoe")
    form = next(form for form in read(client.get(link)).one("main").all("form") if form.all("input", name=name))

    back = client.post(form["action"], {**dict(form.fields()), **sent})
    assert (back.status_code, back["Location"]) == (302, address)
    joined = press_join(client, address)

    assert (joined.status_code, joined["Location"]) == (302, f"/clubs/{club.pk}/")
    assert membership_of(club, "Zoe").role == "scorer"
    assert Invitation.objects.get().uses == 1


def press_join(client: Client, address: str):
    form = read(client.get(address)).one("main").one("form")
    return client.post(form["action"], dict(form.fields()))


def test_post_without_an_account_leads_to_sign_in_and_back(club, client):
    address = f"/i/{secret_of(club)}"
    before = stored()

    response = client.post(address)

    assert (response.status_code, response["Location"]) == (302, f"/account/login/?next={address}")
    assert stored() == before


def test_joining_twice_changes_nothing_more(club):
    address, client = f"/i/{secret_of(club)}", device_of(member_of(make_club("Other"), name="Zoe"))
    client.post(address)
    before = stored()

    page, again = read(client.get(address)), client.post(address)

    assert "You belong to this club already. Your role: “scorer”." in page.one("main").text
    assert not page.one("main").all("form")
    assert again["Location"] == f"/clubs/{club.pk}/"
    assert stored() == before


def test_member_is_told_what_the_invitation_changes(club):
    client = device_of(member_of(club, "member", "Zoe"))
    address = f"/i/{secret_of(club, role='manager')}"
    assert "changes your role from “member” to “manager”" in read(client.get(address)).one("main").text

    client.post(address)

    assert membership_of(club, "Zoe").role == "manager"


def close(invitation: Invitation, how: str) -> None:
    changed = {
        "revoked": {"revoked_at": timezone.now()},
        "expired": {"expires_at": timezone.now()},
        "used up": {"most_uses": 1, "uses": 1},
    }
    Invitation.objects.filter(pk=invitation.pk).update(**changed[how])


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("revoked", "This invitation is no longer open. Ask for a new one."),
        ("expired", "This invitation is no longer open. Ask for a new one."),
        ("used up", "This invitation is used up. Ask for a new one."),
    ],
)
def test_closed_invitation_is_explained_and_names_no_club(how, sentence, club):
    invitation, secret = recording.invite(club, role="member", by=owner_of(club))
    close(invitation, how)
    client = device_of(member_of(make_club("Other")))
    before = stored()

    answers = [client.get(f"/i/{secret}"), client.post(f"/i/{secret}"), Client().get(f"/i/{secret}")]

    assert [answer.status_code for answer in answers] == [410, 409, 410]
    for answer in answers:
        assert sentence in read(answer).one("main").text
        assert b"Nachteulen" not in answer.content
    assert stored() == before


@pytest.mark.parametrize("secret", ["x", "..", "%00", "ä" * 200, "x" * 5000, "' OR 1=1"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_secret_is_not_found(secret, method, club):
    secret_of(club)
    client = as_role(club, "member")

    response = getattr(client, method)(f"/i/{quote(secret)}")

    assert response.status_code == 404
    assert "Ask whoever sent it for a new one" in read(response).one("main").text


def test_secret_never_reaches_another_page(club, client):
    finished(club)
    invitation, secret = recording.invite(club, role="member", by=owner_of(club))
    close(invitation, "revoked")
    member = device_of(member_of(club))
    member.get(f"/i/{secret}")
    client.get(f"/i/{secret}")

    pages = [member.get(address) for address in ("/", "/clubs/", f"/clubs/{club.pk}/", f"/clubs/{club.pk}/members/")]

    assert all(secret not in page.content.decode() for page in pages)
    assert secret not in str(stored())
