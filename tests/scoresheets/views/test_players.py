"""The pages of a club's players: nobody is there twice by accident, and everything typed is kept."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Claim, Player, PlayerLink
from scoresheets.recording import (
    add_player,
    archive_player,
    claim_player,
    decide_claim,
    make_claim_link,
    merge_players,
    rename_player,
)
from tests.scoresheets.clubs import (
    STRANGE_NAMES,
    add,
    fill,
    finished,
    make_club,
    make_user,
    member_of,
    owner_of,
    player_of,
    stored,
)
from tests.scoresheets.pages import press, read
from tests.scoresheets.views.test_statements import statements

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club(owner="Olga")


def device_of(actor: Actor) -> Client:
    client = Client()
    assert actor.user is not None
    client.force_login(actor.user)
    return client


@pytest.fixture
def scorer(club):
    return device_of(member_of(club, "scorer"))


@pytest.fixture
def manager(club):
    return device_of(member_of(club, "manager", "Mara"))


def roster_of(club, archived: bool = False) -> set[str]:
    return set(club.players.filter(archived_at__isnull=not archived).values_list("name", flat=True)) - {"Olga"}


def address(club, player: Player | None = None, more: str = "") -> str:
    return f"/clubs/{club.pk}/players/{f'{player.pk}/{more}' if player else ''}"


def listed(response: Any) -> list[str]:
    return [line.one("b").text for line in read(response).one(class_="nights").all("li")]


def said(response: Any) -> str:
    """Return the sentence that the page says after what was done."""
    return read(response).one(class_="strip--calm").text


# -- the roster ------------------------------------------------------------------------------------------------------


def test_roster_shows_names_accounts_guests_and_games(club, scorer):
    anna, bert = add(club, "Anna", "Bert")
    add_player(club, "Cem", by=OPERATOR, is_guest=True)
    rename_player(bert, name="Bert", public_name="B. B.", by=OPERATOR)
    player_of(member_of(club, name="d'Oro"), club, "Doro")
    finished(club, [anna, bert])
    finished(club, [anna])
    archive_player(*add(club, "Emil"), by=OPERATOR)

    page = read(scorer.get(address(club)))

    assert [
        (line.one("b").text, line.one("small").text, line.one(class_="nb").text)
        for line in page.one(class_="nights").all("li")
    ] == [
        ("Anna", "without an account", "2 games"),
        ("Bert", "in public: B. B. · without an account", "1 game"),
        ("Cem", "guest", "0 games"),
        ("Doro", "account: d'Oro", "0 games"),
        ("Olga", "account: Olga", "0 games"),
    ]
    assert listed(scorer.get(address(club) + "?archive=1")) == ["Emil"]
    assert listed(scorer.get(address(club) + "?q=ÂNN")) == ["Anna"]


def test_search_of_a_page_goes_on_to_the_next(club, scorer):
    add(club, *(f"Gast & {n:03}" for n in range(60)), "Zora")

    first = read(scorer.get(address(club) + "?q=t+%26"))
    second = scorer.get(first.one("a", rel="next")["href"])

    assert len(first.one(class_="nights").all("li")) == 50
    assert listed(second) == [f"Gast & {n:03}" for n in range(50, 60)]
    assert read(second).one("input", name="q")["value"] == "t &"


@pytest.mark.parametrize("query", ["?page=x", "?page=-1", "?page=" + "9" * 30, "?q=%00", "?q=" + "x" * 5000, "?q=%ff"])
def test_nonsense_in_the_address_of_the_roster_is_no_error(query, club, scorer):
    assert scorer.get(address(club) + query).status_code == 200


@pytest.mark.parametrize(("people", "games"), [(3, 1), (200, 1200)])
def test_statements_of_the_pages(people, games, club):
    fill(club, people, games)
    client, one = device_of(owner_of(club)), club.players.get(name="Player 001")
    archive_player(*add(club, "Zora"), by=OPERATOR)

    counted = {
        where: statements(lambda where=where: client.get(address(club) + where))
        for where in (
            *("", "?q=player", "?archive=1"),
            *(f"{one.pk}/", f"{one.pk}/merge/", f"{one.pk}/merge/?other={one.pk + 1}", f"{one.pk}/anonymise/"),
        )
    }
    question, of_question = statements(lambda: client.post(address(club), {"name": "player 0010"}))

    assert {where: (answer.status_code, number) for where, (answer, number) in counted.items()} == {
        "": (200, (0, 8)),
        "?q=player": (200, (0, 7)),
        "?archive=1": (200, (0, 8)),
        f"{one.pk}/": (200, (0, 11)),
        f"{one.pk}/merge/": (200, (0, 12)),
        f"{one.pk}/merge/?other={one.pk + 1}": (200, (0, 8)),
        f"{one.pk}/anonymise/": (200, (0, 7)),
    }
    assert (question.status_code, of_question) == (200, (0, 10))
    assert read(question).one(id="likely").all("a")


# -- adding ----------------------------------------------------------------------------------------------------------


def test_somebody_new_is_added_at_once(club, scorer):
    add(club, "Anna")

    response = scorer.post(address(club), {"name": "  Zoë  Maria ", "is_guest": "on", "key": "k"}, follow=True)

    assert said(response) == "Zoë Maria is on the roster."
    assert roster_of(club) == {"Anna", "Zoë Maria"}
    assert club.players.get(name="Zoë Maria").is_guest


@pytest.mark.parametrize("typed", ["Bernt", "Bernd B.", "Bérnd", "B ernd", "Ber", "Berndt"])
def test_likely_name_is_asked_about_and_nothing_is_written(typed, club, scorer):
    (bernd,) = add(club, "Bernd")
    before = stored()

    response = scorer.post(address(club), {"name": typed, "is_guest": "on", "key": "k"})

    page = read(response)
    assert (response.status_code, stored()) == (200, before)
    assert page.one(id="likely").one("a")["href"] == address(club, bernd)
    form = page.one(id="add_player")
    assert dict(form.fields())["name"] == typed
    assert ("is_guest", "on") in form.fields()

    press(scorer, address(club), "anyway", page=page)
    assert roster_of(club) == {"Bernd", typed}


def test_name_changed_after_the_question_is_asked_about_again(club, scorer):
    add(club, "Bernd", "Cemal")
    page = read(scorer.post(address(club), {"name": "Bernt"}))

    response = press(scorer, address(club), "anyway", page=page, typed={"name": "Cemaal"})

    assert read(response).one(id="likely").one("a").text == "Cemal"
    assert roster_of(club) == {"Bernd", "Cemal"}


def test_whoever_was_added_after_the_question_is_asked_about_too(club, scorer):
    add(club, "Bernd")
    page = read(scorer.post(address(club), {"name": "Bernt"}))
    add(club, "Bernt B")

    response = press(scorer, address(club), "anyway", page=page)

    assert [link.text for link in read(response).one(id="likely").all("a")] == ["Bernt B", "Bernd"]
    assert roster_of(club) == {"Bernd", "Bernt B"}


def test_namesake_in_the_archive_is_asked_about(club, scorer):
    (anna,) = add(club, "Anna")
    archive_player(anna, by=OPERATOR)

    page = read(scorer.post(address(club), {"name": "ANNA"}))

    assert page.one(id="likely").one("a").text == "Anna in the archive"
    press(scorer, address(club), "anyway", page=page)
    assert roster_of(club) == {"ANNA"}


@pytest.mark.parametrize("typed", ["Anna", "anna", " ANNA ", "\u202eAnna", "An\x00na"])
@pytest.mark.parametrize("button", [{}, {"anyway": "Anna"}, {"anyway": "ANNA", "shown": ["1", "x", "9" * 40]}])
def test_name_on_the_roster_is_refused_at_its_field(typed, button, club, scorer):
    add(club, "Anna") if typed != "An\x00na" else add(club, "An na")
    before = stored()

    response = scorer.post(address(club), {"name": typed, **button})

    page = read(response)
    assert (response.status_code, stored()) == (422, before)
    assert "The club already knows An" in page.one(id="name_errors").text
    assert page.one(id="name")["aria-describedby"] == "name_errors"
    assert page.one(id="likely").one("a").text in {"Anna", "An na"}
    assert page.all("button", name="anyway") == []


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Enter a name."),
        (" \u200b ", "Enter a name."),
        ("x" * 41, "A name has at most 40 characters."),
        ("😀" * 200, "A name has at most 40 characters."),
        ("x" * 100_000, "A name has at most 40 characters."),
    ],
)
def test_what_is_no_name_is_refused_at_its_field(typed, sentence, club, scorer):
    before = stored()

    response = scorer.post(address(club), {"name": typed, "is_guest": "on"})

    assert (response.status_code, stored()) == (422, before)
    assert read(response).one(id="name_errors").text == sentence


@pytest.mark.parametrize("name", [*STRANGE_NAMES, "Z" * 40, "\u05d0\u05d1", "👩🏽‍🚀" * 8])
def test_strange_name_is_added_and_shown_as_it_is(name, club, manager):
    manager.post(address(club), {"name": name})
    player = club.players.get(name=name)

    assert name in [b.text for b in read(manager.get(address(club))).one(class_="nights").all("b")]
    for more in ("", "merge/", "anonymise/"):
        page = read(manager.get(address(club, player, more)))
        assert page.one(class_="bar-title").one("strong").text == name


def test_form_sent_twice_adds_once(club, scorer):
    page = read(scorer.get(address(club)))
    sent = {**dict(page.one(id="add_player").fields()), "name": "Zoë"}

    answers = [scorer.post(address(club), sent).status_code for _ in range(2)]

    assert answers == [302, 302]
    assert roster_of(club) == {"Zoë"}


def test_key_of_another_name_is_a_conflict_that_keeps_what_was_typed(club, scorer):
    scorer.post(address(club), {"name": "Zoë", "key": "k"})

    response = scorer.post(address(club), {"name": "Quentin", "key": "k"})

    page = read(response)
    assert response.status_code == 409
    assert page.one(id="name")["value"] == "Quentin"
    assert page.one(class_="err-box").text == "This page was already sent with another entry; that one counts."
    assert roster_of(club) == {"Zoë"}


# -- one player ------------------------------------------------------------------------------------------------------


def act(client: Client, club, player: Player, button: str, /, **typed: Any) -> Any:
    """Press the button of a player's page that does this, with so much typed into its form."""
    page = read(client.get(address(club, player)))
    (form,) = [form for form in page.all("form") if form.all("button", name="act", value=button)]
    return client.post(form["action"], {**dict(form.fields()), **typed, "act": button})


def fresh(player: Player) -> Player:
    return Player.objects.get(pk=player.pk)


def facts(response: Any) -> dict[str, str]:
    pairs = read(response).one(class_="facts").all("div")
    return {pair.one("dt").text: pair.one("dd").text for pair in pairs}


def test_page_shows_what_is_known(club):
    anna, double = add(club, "Anna", "Anna Banana")
    finished(club, [anna])
    finished(club, [double])
    rename_player(anna, name="Anna", public_name="A.", by=OPERATOR)
    merge_players(anna, double, by=OPERATOR)

    response = device_of(member_of(club)).get(address(club, anna))

    assert facts(response) == {"Games": "2", "In public": "A.", "Account": "none", "Also known as": "Anna Banana"}
    assert {button.attrs.get("value") for button in read(response).all("button", name="act")} == {"claim"}


def test_page_of_a_duplicate_is_that_of_the_player_kept(club, manager):
    anna, double = add(club, "Anna", "Anna Banana")
    merge_players(anna, double, by=OPERATOR)

    assert manager.get(address(club, double))["Location"] == address(club, anna)
    assert manager.get(address(club, double, "merge/"))["Location"] == address(club, anna, "merge/")
    assert read(manager.get(address(club, double, "anonymise/"))).one(class_="bar-title").one("strong").text == "Anna"


def test_names_are_changed(club, manager):
    (anna,) = add(club, "Anna")

    response = act(manager, club, anna, "rename", name=" Anna  Banana", public_name="A. B.")

    assert response["Location"] == address(club, anna)
    assert (fresh(anna).name, fresh(anna).public_name) == ("Anna Banana", "A. B.")


@pytest.mark.parametrize(
    ("name", "public_name", "field", "sentence"),
    [
        ("", "A.", "name", "Enter a name."),
        ("x" * 41, "", "name", "A name has at most 40 characters."),
        ("bert", "", "name", "The club already knows Bert."),
        ("Anna", "y" * 41, "public_name", "A name has at most 40 characters."),
    ],
)
def test_names_that_cannot_be_are_refused_at_their_field(name, public_name, field, sentence, club, manager):
    anna, _bert = add(club, "Anna", "Bert")
    before = stored()

    response = act(manager, club, anna, "rename", name=name, public_name=public_name)

    page = read(response)
    assert (response.status_code, stored()) == (422, before)
    assert page.one(id=f"{field}_errors").text.startswith(sentence)
    assert (page.one(id="name")["value"], page.one(id="public_name")["value"]) == (name, public_name)
    assert f"{field}_errors" in page.one(id=field)["aria-describedby"].split()


def test_player_is_archived_and_comes_back_unless_the_name_is_taken(club, manager):
    (anna,) = add(club, "Anna")

    assert act(manager, club, anna, "archive").status_code == 302
    assert roster_of(club, archived=True) == {"Anna"}
    (other,) = add(club, "Anna")
    refused = act(manager, club, anna, "unarchive")
    assert (refused.status_code, fresh(anna).archived_at is None) == (422, False)
    assert read(refused).one(class_="err-box").text.startswith("The club already knows Anna.")

    rename_player(other, name="Anne", by=OPERATOR)
    assert act(manager, club, anna, "unarchive").status_code == 302
    assert roster_of(club) == {"Anna", "Anne"}


def test_account_is_parted_from_the_player(club, manager):
    anna = player_of(member_of(club), club, "Anna")

    response = act(manager, club, anna, "release")

    assert (response.status_code, fresh(anna).user) == (302, None)


@pytest.mark.parametrize("name", ["rename", "archive", "unarchive", "link", "revoke", "release"])
def test_act_on_somebody_merged_meanwhile_is_a_conflict(name, club, manager):
    anna, double = add(club, "Anna", "Anna Banana")
    merge_players(anna, double, by=OPERATOR)
    before = stored()

    response = manager.post(address(club, double), {"act": name, "name": "Zora", "days": "3"})

    page = read(response)
    if name == "revoke":  # there is none to close
        assert (response.status_code, stored()) == (302, before)
        return
    assert (response.status_code, stored()) == (409, before)
    assert page.one(class_="err-box").text == "This entry was merged with another one: choose that one."
    assert page.one("h1").text == "Anna"
    assert page.one(id="name")["value"] == ("Zora" if name == "rename" else "Anna")
    assert page.one(id="days")["value"] == ("3" if name == "link" else "14")


@pytest.mark.parametrize("sent", [{}, {"act": "claim!"}, {"act": "\x00"}, {"act": ["rename", "x"]}])
def test_unknown_act_does_nothing(sent, club, manager):
    (anna,) = add(club, "Anna")
    before = stored()

    assert manager.post(address(club, anna), sent).status_code == 422
    assert stored() == before


@pytest.mark.parametrize("role", ["member", "scorer"])
@pytest.mark.parametrize("name", ["rename", "archive", "unarchive", "link", "revoke", "release", "", "other"])
def test_only_managers_change_players(name, role, club):
    (anna,) = add(club, "Anna")
    make_claim_link(anna, by=OPERATOR)
    client = device_of(member_of(club, role))
    before = stored()

    for more in ("", "merge/", "anonymise/"):
        response = client.post(address(club, anna, more), {"act": name, "name": "Anna", "days": "3"})
        assert (more, response.status_code, stored()) == (more, 403, before)


def test_member_adds_nobody(club):
    client = device_of(member_of(club))
    before = stored()

    assert client.post(address(club), {"name": "Zoë"}).status_code == 403
    assert stored() == before
    assert read(client.get(address(club))).all(id="add_player") == []


# -- personal links --------------------------------------------------------------------------------------------------


def test_personal_link_is_shown_once_and_kept_as_a_hash(club, manager):
    (anna,) = add(club, "Anna")

    response = act(manager, club, anna, "link", days="3")

    page = read(response)
    shown = page.one(id="address")["value"]
    secret = shown.rpartition("/")[2]
    assert (response.status_code, shown) == (200, f"http://testserver/p/{secret}")
    assert page.one("svg", class_="qr").has(class_="qr")
    assert secret not in str(stored())
    assert "/p/" not in manager.get(address(club, anna)).content.decode()
    link = PlayerLink.objects.get()
    assert round((link.expires_at - link.created_at).total_seconds() / 86400) == 3


def test_form_sent_twice_shows_the_same_link(club, manager):
    (anna,) = add(club, "Anna")

    shown = {
        read(manager.post(address(club, anna), {"act": "link", "days": "3", "key": "k"})).one(id="address")["value"]
        for _ in range(2)
    }

    assert (len(shown), PlayerLink.objects.count()) == (1, 1)


@pytest.mark.parametrize("days", ["0", "366", "-1", "", "x", "9" * 400, "1.5"])
def test_days_that_cannot_be_are_refused_at_their_field(days, club, manager):
    (anna,) = add(club, "Anna")
    before = stored()

    response = act(manager, club, anna, "link", days=days)

    page = read(response)
    assert (response.status_code, stored()) == (422, before)
    assert page.one(id="days")["aria-describedby"] == "days_errors"
    assert page.one(id="days_errors").text != ""
    assert page.one(id="days")["value"] == days


def test_personal_link_is_closed(club, manager):
    (anna,) = add(club, "Anna")
    make_claim_link(anna, by=OPERATOR)

    assert act(manager, club, anna, "revoke").status_code == 302

    assert PlayerLink.objects.get().revoked_at is not None
    assert "Close the link" not in manager.get(address(club, anna)).content.decode()


# -- that's me -------------------------------------------------------------------------------------------------------


def test_claim_waits_and_says_so(club):
    (anna,) = add(club, "Anna")
    member = member_of(club)
    client = device_of(member)

    assert act(client, club, anna, "claim").status_code == 302

    claim = Claim.objects.get()
    assert (claim.player, claim.user, claim.accepted) == (anna, member.user, None)
    page = read(client.get(address(club, anna)))
    assert "A manager of the club has to agree." in page.one(class_="note").text
    assert page.all("button", name="act") == []
    decide_claim(claim, accepted=False, by=owner_of(club))
    page = read(client.get(address(club, anna)))
    assert page.one(class_="note").text == "You have said so before; it was turned down."
    assert page.one("button", name="act")["value"] == "claim"


def test_claim_that_was_agreed_to_and_parted_again_was_not_turned_down(club, manager):
    (anna,) = add(club, "Anna")
    member = member_of(club)
    decide_claim(claim_player(anna, by=member), accepted=True, by=owner_of(club))
    assert read(device_of(member).get(address(club, anna))).one(class_="page-head").one("p").text == "That's you."
    act(manager, club, anna, "release")

    assert read(device_of(member).get(address(club, anna))).all(class_="note") == []


def test_whoever_is_somebody_else_or_comes_too_late_claims_nobody(club):
    anna, bert = add(club, "Anna", "Bert")
    first, second = member_of(club), member_of(club)
    decide_claim(claim_player(anna, by=first), accepted=True, by=owner_of(club))
    devices = (device_of(first), bert), (device_of(second), anna)
    before = stored()

    for client, player in devices:
        assert read(client.get(address(club, player))).all("button", value="claim") == []
        response = client.post(address(club, player), {"act": "claim"})
        assert (response.status_code, stored()) == (409, before)


# -- anonymity -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["", "Ann", "Anna B", "\x00", "x" * 5000])
def test_name_has_to_be_typed_before_it_goes(typed, club, manager):
    (anna,) = add(club, "Anna")
    before = stored()

    response = manager.post(address(club, anna, "anonymise/"), {"name": typed})

    page = read(response)
    assert (response.status_code, stored()) == (422, before)
    assert page.one(id="name_errors").text == "Type the name as it stands here."


@pytest.mark.parametrize("who", ["manager", "own"])
def test_name_goes_for_good(who, club, manager):
    member = member_of(club)
    anna = player_of(member, club, "Anna")
    (double,) = add(club, "Anna Banana")
    merge_players(anna, double, by=OPERATOR)
    game = finished(club, [anna])
    client = manager if who == "manager" else device_of(member)

    assert "Anna Banana" in client.get(address(club, anna, "anonymise/")).content.decode()
    response = client.post(address(club, anna, "anonymise/"), {"name": " anna "}, follow=True)

    assert (response.status_code, said(response)) == (200, "That is done: the name is gone.")
    assert read(response).one("h1").text == f"Player {anna.pk}" or fresh(anna).name == f"Person {anna.pk}"
    assert "Anna" not in "".join(game.seats.values_list("name", flat=True))
    assert fresh(anna).user is None


# -- strangers -------------------------------------------------------------------------------------------------------


def test_nobody_reaches_a_player_through_another_club(club, manager):
    other = make_club("Other")
    (foreign,) = add(other, "Anna")
    (own,) = add(club, "Bert")
    before = stored()

    for more in ("", "merge/", "anonymise/"):
        for wrong in (foreign.pk, 10**6, 10**17, "9" * 25):
            where = f"/clubs/{club.pk}/players/{wrong}/{more}"
            statuses = (
                manager.get(where).status_code,
                manager.post(where, {"act": "archive", "name": "Anna"}).status_code,
            )
            assert (where, statuses) == (where, (404, 404))
    assert manager.get(address(other, own)).status_code == 404
    assert stored() == before


@pytest.mark.parametrize("visibility", ["unlisted", "public"])
def test_strangers_of_an_open_club_see_no_names(visibility):
    club = make_club(visibility=visibility)
    (anna,) = add(club, "Anna")
    clients = [Client(), device_of(Actor.of_user(make_user("Stranger")))]

    for client in clients:
        for where in (address(club), address(club, anna), address(club, anna, "merge/"), f"/clubs/{club.pk}/claims/"):
            response = client.get(where)
            assert (where, response.status_code) == (where, 403)
            assert "Anna" not in response.content.decode()
