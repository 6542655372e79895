"""Merging players on their page: what it means is said first, what speaks against it is named, and it can be undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from scoresheets.actors import OPERATOR
from scoresheets.models import Merge, Player
from scoresheets.recording import archive_player, merge_players
from tests.scoresheets.clubs import add, finished, make_club, member_of, player_of, stored
from tests.scoresheets.pages import press, read

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club(owner="Olga")


@pytest.fixture
def manager(club):
    client = Client()
    client.force_login(member_of(club, "manager", "Mara").user)
    return client


def address(club, player: Player) -> str:
    return f"/clubs/{club.pk}/players/{player.pk}/merge/"


def preview(client: Client, club, player: Player, other: Player) -> Any:
    return client.get(address(club, player), {"other": other.pk})


def standing() -> list[tuple[str, str]]:
    """Return who is merged into whom."""
    merges = Merge.objects.filter(undone_at__isnull=True).order_by("pk")
    return list(merges.values_list("merged__name", "kept__name"))


def named(page: Any, list_id: str) -> list[str]:
    return [line.one("b").text for line in page.one(id=list_id).all("a")]


def test_names_that_are_alike_are_offered_first_and_everybody_can_be_searched(club, manager):
    tom, _tom_b, _uwe = add(club, "Tom", "Tom B.", "Uwe")

    page = read(manager.get(address(club, tom)))
    found = read(manager.get(address(club, tom), {"q": "we"}))

    assert (named(page, "alike"), named(page, "all")) == (["Tom B."], ["Olga", "Tom B.", "Uwe"])
    assert (found.all(id="alike"), named(found, "all")) == ([], ["Uwe"])


def test_other_one_is_chosen_seen_and_merged(club, manager):
    tom, double = add(club, "Tom", "Tom B.")
    finished(club, [tom])
    finished(club, [double])
    finished(club, [double])
    before = stored()

    link = read(manager.get(address(club, tom))).one(id="alike").one("a")["href"]
    page = read(manager.get(link))
    assert [(choice.one("b").text, choice.one("small").text) for choice in page.all("label", class_="choice")] == [
        ("Tom", "1 game · without an account"),
        ("Tom B.", "2 games · without an account"),
    ]
    # The one with more games is likelier to stay.
    assert dict(page.one(id="merge").fields())["kept"] == str(double.pk)
    assert "3 games count for one person from then on." in page.one(id="merge").text
    assert stored() == before

    response = manager.post(address(club, tom), dict(page.one(id="merge").fields()), follow=True)

    assert standing() == [("Tom", "Tom B.")]
    assert response.redirect_chain == [(f"/clubs/{club.pk}/players/{double.pk}/", 302)]
    assert "Tom and Tom B. are one person now: Tom B." in read(response).one(class_="strip--calm").text


@pytest.mark.parametrize("kept", [0, 1])
def test_manager_chooses_whose_name_stays(kept, club, manager):
    both = add(club, "Tom", "Tom B.")

    manager.post(address(club, both[0]), {"other": both[1].pk, "kept": both[kept].pk, "key": "k"})

    assert standing() == [(both[1 - kept].name, both[kept].name)]


def test_account_is_likelier_to_stay_than_games_and_who_is_archived_cannot(club, manager):
    tom = player_of(member_of(club), club, "Tom")
    double, old = add(club, "Tom B.", "Tom C.")
    finished(club, [double])
    finished(club, [old])
    archive_player(old, by=OPERATOR)

    page = read(preview(manager, club, double, tom))
    assert dict(page.one(id="merge").fields())["kept"] == str(tom.pk)
    assert "The account goes with the name that stays." in page.one(id="merge").text

    page = read(preview(manager, club, old, double))
    assert [choice.one("b").text for choice in page.all("label", class_="choice")] == ["Tom B."]
    assert "Tom C. is in the archive, so the other name stays." in page.one(id="merge").text
    assert dict(page.one(id="merge").fields())["kept"] == str(double.pk)


def test_form_sent_twice_merges_once(club, manager):
    tom, double = add(club, "Tom", "Tom B.")
    sent = {"other": double.pk, "kept": double.pk, "key": "k"}

    answers = [manager.post(address(club, tom), sent) for _ in range(2)]

    assert [answer["Location"] for answer in answers] == [f"/clubs/{club.pk}/players/{double.pk}/"] * 2
    assert standing() == [("Tom", "Tom B.")]


def refusals(club) -> dict[str, tuple[Player, Player, str]]:
    """Return pairs who cannot be merged, by the reason, with its sentence."""
    anna, bert, old, older, double = add(club, "Anna", "Bert", "Old", "Older", "Double")
    with_accounts = [player_of(member_of(club), club, name) for name in ("Cem", "Doro")]
    finished(club, [anna, bert])
    for one in (old, older):
        archive_player(one, by=OPERATOR)
    merge_players(anna, double, by=OPERATOR)
    return {
        "sat_together": (anna, bert, "Both sat at the same table once, so they are two people."),
        "two_accounts": (*with_accounts, "Both have an account of their own, so they are two people."),
        "same_player": (anna, anna, "Choose two different people."),
        "player_archived": (old, older, "This person is in the archive: bring them back first."),
        "player_merged": (bert, double, "This entry was merged with another one: choose that one."),
    }


@pytest.mark.parametrize("reason", ["sat_together", "two_accounts", "same_player", "player_archived", "player_merged"])
def test_what_speaks_against_it_is_said_before_and_after(reason, club, manager):
    player, other, sentence = refusals(club)[reason]
    before = stored()

    seen = preview(manager, club, player, other)
    sent = manager.post(address(club, player), {"other": other.pk, "kept": player.pk, "key": "k"})

    assert (seen.status_code, sent.status_code, stored()) == (200, 409, before)
    for answer in (seen, sent):
        page = read(answer)
        assert [box.text for box in page.all(class_="err-box")] == [sentence]
        assert page.all(id="merge") == []
        games = [link["href"] for link in page.all("a") if link["href"].startswith("/games/")]
        assert len(games) == (reason == "sat_together")


def test_choice_between_two_has_to_be_made(club, manager):
    tom, double, other = add(club, "Tom", "Tom B.", "Uwe")
    before = stored()

    for kept in ("", "x", str(other.pk), "9" * 30):
        response = manager.post(address(club, tom), {"other": double.pk, "kept": kept})
        assert (response.status_code, stored()) == (422, before)
        assert read(response).one(id="kept_errors").text == "Choose whose name stays."


def test_key_of_another_merge_is_a_conflict_that_keeps_the_choice(club, manager):
    tom, double, uwe, uwe_b = add(club, "Tom", "Tom B.", "Uwe", "Uwe B.")
    manager.post(address(club, tom), {"other": double.pk, "kept": tom.pk, "key": "k"})

    response = manager.post(address(club, uwe), {"other": uwe_b.pk, "kept": uwe_b.pk, "key": "k"})

    page = read(response)
    assert response.status_code == 409
    assert dict(page.one(id="merge").fields())["kept"] == str(uwe_b.pk)
    assert standing() == [("Tom B.", "Tom")]


# -- undoing ---------------------------------------------------------------------------------------------------------


def test_merges_are_undone_newest_first(club, manager):
    a, b, c = add(club, "Abc", "Bcd", "Cde")
    first, second = merge_players(b, a, by=OPERATOR), merge_players(c, b, by=OPERATOR)

    page = read(manager.get(address(club, c)))
    assert [button["value"] for button in page.all("button", name="undo")] == [str(second.pk)]
    assert "Can be undone after “Bcd into Cde”." in page.one(class_="claims").text
    refused = manager.post(address(club, c), {"undo": first.pk})
    assert (refused.status_code, standing()) == (409, [("Abc", "Bcd"), ("Bcd", "Cde")])
    assert read(refused).one(class_="err-box").text == "Undo the newer merge of these people first."

    press(manager, address(club, c), "undo", page=page)
    assert standing() == [("Abc", "Bcd")]
    press(manager, address(club, b), "undo")
    assert standing() == []


def test_undo_sent_twice_is_done_once(club, manager):
    tom, double = add(club, "Tom", "Tom B.")
    merge = merge_players(tom, double, by=OPERATOR)

    assert [manager.post(address(club, tom), {"undo": merge.pk}).status_code for _ in range(2)] == [302, 302]
    assert standing() == []


def test_undo_waits_while_the_name_is_taken(club, manager):
    tom, double = add(club, "Tom", "Tom B.")
    merge = merge_players(tom, double, by=OPERATOR)
    add(club, "tom b.")
    before = stored()

    response = manager.post(address(club, tom), {"undo": merge.pk})

    assert (response.status_code, stored()) == (422, before)
    assert read(response).one(class_="err-box").text.startswith("The club already knows tom b..")


# -- strangers -------------------------------------------------------------------------------------------------------


def test_nothing_of_another_club_is_reached(club, manager):
    other = make_club("Other")
    one, two, three = add(other, "Tom", "Tom B.", "Uwe")
    merge = merge_players(one, two, by=OPERATOR)
    (own,) = add(club, "Tom")
    before = stored()

    for wrong in (three.pk, "", "x", "-1", 10**17, "9" * 30, "1\x00"):
        assert (wrong, manager.get(address(club, own), {"other": wrong}).status_code) == (wrong, 404)
        sent = {"other": wrong, "kept": own.pk}
        assert (wrong, manager.post(address(club, own), sent).status_code) == (wrong, 404)
    for wrong in (merge.pk, "", "x", 10**17, "9" * 30):
        assert (wrong, manager.post(address(club, own), {"undo": wrong}).status_code) == (wrong, 404)
    assert stored() == before
