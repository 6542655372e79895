"""Games put right on the admin site: the same as on their own pages, told in the journal, with a reason."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Bid, Entry, Game, Result, Seat
from scoresheets.recording.repair import differences_of
from scoresheets.recording.statistics.rebuild import differences_of as statistics_differences
from tests.scoresheets.admin.helpers import address, client_of, superuser, support
from tests.scoresheets.clubs import add, club_game, finished, make_club, stored
from tests.scoresheets.evenings import planned
from tests.scoresheets.factories import client_for, fresh, make_game, seats_of
from tests.scoresheets.pages import read

pytestmark = pytest.mark.django_db

LIST = "/admin/scoresheets/game/"


def fields_in(page: Any) -> dict[str, str]:
    """Return what the form of an act would send."""
    form = read(page).one("form", class_="admin-act")
    found = {
        field["name"]: field.attrs.get("value", "") for field in form.all("input") if field.attrs.get("type") != "radio"
    }
    for select in form.all("select"):
        chosen = [option for option in select.all("option") if "selected" in option.attrs]
        found[select["name"]] = (chosen or select.all("option"))[0].attrs.get("value", "")
    return found


def do(client: Any, path: str, **typed: Any) -> Any:
    """Fill in the form of an act, look at what it changes where it asks for that, and save."""
    sent = {**fields_in(client.get(path)), **typed}
    looked = client.post(path, {**sent, "look": "1"})
    if looked.status_code != 200 or "changes" not in looked.context or not looked.context["looked"]:
        return looked
    return client.post(path, {**fields_in(looked), **typed, "save": "1"})


def rows_of(game: Game) -> tuple[Any, ...]:
    bids = Bid.objects.filter(round__game=game).order_by("round__number", "seat__position")
    seats = Seat.objects.filter(game=game).order_by("position")
    return (
        list(bids.values_list("tricks_bid", "tricks_taken", "points")),
        list(seats.values_list("total", "rank", "exact", "line")),
    )


def newest(game: Game) -> Entry:
    return game.entries.latest("version")


@pytest.fixture
def helga() -> Any:
    return client_of(support())


def test_round_corrected_here_is_as_corrected_on_its_own_page(helga):
    by_page, by_staff = (make_game(seats=3, rounds=3, length=3) for _ in range(2))
    first, second = (seats_of(game) for game in (by_page, by_staff))
    recording_page = client_for(by_page, "edit")

    def values(seats: list[Seat]) -> dict[str, str]:
        return {f"bid_{seats[0].pk}": "0", f"taken_{seats[0].pk}": "1", f"taken_{seats[1].pk}": "1"} | {
            "reason": "wrong column"
        }

    path = reverse("correct_round", args=[by_page.pk, 2])
    page = recording_page.get(path)
    shown = {
        one["name"]: one.attrs.get("value", "") for one in read(page).all("input") if one.attrs.get("type") != "radio"
    }
    looked = recording_page.post(path, {**shown, **values(first), "look": "1"}).context
    recording_page.post(path, {**shown, **values(first), "save": "1", "looked": looked["looked"]})
    answer = do(helga, address(by_staff, "correct_round", 2), **values(second))

    assert answer.status_code == 302
    assert rows_of(by_staff) == rows_of(by_page)
    told, by = newest(by_staff), newest(by_page)
    assert (told.kind, told.via, told.user.username, told.reason) == (by.kind, "admin", "Helga", "wrong column")
    assert told.version == by.version
    assert differences_of(by_staff.pk) == []


def test_preview_says_what_changes_and_writes_nothing(helga):
    game = make_game(seats=3, rounds=1, length=1)
    seats = seats_of(game)
    path = address(game, "correct_round", 1)
    before = stored()
    sent = fields_in(helga.get(path)) | {f"bid_{seats[0].pk}": "0", "reason": "wrong"}

    page = helga.post(path, {**sent, "save": "1", "looked": "guessed"})

    assert page.status_code == 200
    assert [(what, old, new) for what, old, new in page.context["changes"] if new] == [
        ("Annika, total", "30", "−10"),
        ("Annika, rank", "1", "3"),
        ("Annika, exact bids", "1", "0"),
        ("Bernd, rank", "2", "1"),
        ("Cem, rank", "2", "1"),
    ]
    assert stored() == before


def test_other_values_than_those_looked_at_are_shown_first(helga):
    game = make_game(seats=3, rounds=1, length=1)
    seats = seats_of(game)
    path = address(game, "correct_round", 1)
    sent = fields_in(helga.get(path)) | {f"bid_{seats[0].pk}": "0", "reason": "wrong"}
    looked = helga.post(path, {**sent, "look": "1"}).context["looked"]
    before = stored()

    page = helga.post(path, {**sent, f"bid_{seats[1].pk}": "1", "save": "1", "looked": looked})

    assert (page.status_code, stored() == before) == (200, True)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"reason": ""}, "A reason is needed."),
        ({"reason": " \t"}, "A reason is needed."),
        ({"bid_0": "9"}, "9 is too many"),
        ({"bid_0": "x"}, "is not a whole number"),
        ({"taken_0": "0"}, "missing"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_written(helga, typed, sentence):
    game = make_game(seats=3, rounds=1, length=1)
    first = seats_of(game)[0].pk
    path = address(game, "correct_round", 1)
    sent = {**fields_in(helga.get(path)), "reason": "wrong"}
    before = stored()

    page = helga.post(path, {**sent, **{name.replace("_0", f"_{first}"): value for name, value in typed.items()}})

    assert page.status_code == 422
    assert sentence in " ".join(error.text for error in read(page).all("p", class_="err"))
    assert stored() == before


def test_reason_that_is_too_long_is_refused_by_recording(helga):
    game = make_game(seats=3, rounds=1, length=1)
    before = stored()

    page = do(helga, address(game, "void"), reason="x" * 501)

    assert (page.status_code, stored() == before) == (422, True)


def test_round_that_changed_meanwhile_is_a_conflict_and_shown_anew(helga):
    game = make_game(seats=3, rounds=1, length=1)
    seats = seats_of(game)
    path = address(game, "correct_round", 1)
    sent = {**fields_in(helga.get(path)), "reason": "late", f"bid_{seats[1].pk}": "1"}
    looked = helga.post(path, {**sent, "look": "1"})
    values = recording.RoundValues(
        bids={seats[0].pk: 0, seats[1].pk: 0, seats[2].pk: 0}, taken={seats[0].pk: 1, seats[1].pk: 0, seats[2].pk: 0}
    )
    seen = game.rounds.get().changed_version
    recording.correct_round(game, number=1, values=values, seen=seen, reason="first", by=OPERATOR)
    before = stored()

    # The round as it is now was not looked at: first that, then the conflict, then a new decision.
    page = helga.post(path, {**fields_in(looked), "save": "1"})
    assert page.status_code == 200
    page = helga.post(path, {**fields_in(page), "save": "1"})
    assert page.status_code == 409
    assert "Somebody was faster" in read(page).one(class_="err-box").text
    assert stored() == before
    page = helga.post(path, {**fields_in(page), "look": "1"})
    assert helga.post(path, {**fields_in(page), "save": "1"}).status_code == 302
    assert Bid.objects.get(seat=seats[1]).tricks_bid == 1


def test_points_and_names_are_put_right(helga):
    game = make_game(seats=3, rounds=1, length=1)
    seat = seats_of(game)[1]

    assert do(helga, address(game, "adjust", seat.pk), points="+10", reason="helped").status_code == 302
    assert do(helga, address(game, "rename", seat.pk), name="Berta", reason="misheard").status_code == 302

    seat.refresh_from_db()
    assert (seat.name, seat.total, seat.adjustments) == ("Berta", 30, [[1, 10]])
    entries = game.entries.order_by("-version")[:2]
    assert [(entry.kind, entry.via, entry.reason) for entry in entries] == [
        ("seat_renamed", "admin", "misheard"),
        ("points_adjusted", "admin", "helped"),
    ]


@pytest.mark.parametrize(
    ("act", "typed"), [("adjust", {"points": "0", "reason": "r"}), ("rename", {"name": "Cem", "reason": "r"})]
)
def test_what_recording_refuses_is_shown_at_its_field(helga, act, typed):
    game = make_game(seats=3)
    before = stored()

    page = do(helga, address(game, act, seats_of(game)[0].pk), **typed)

    assert page.status_code == 422
    assert len(read(page).all("div", class_="field--bad")) == 1
    assert stored() == before


def test_points_of_results_are_corrected(helga):
    game = recording.record_results(["A", "B", "C"], [30, 20, 10], by=OPERATOR).game
    first = seats_of(game)[0]

    assert (
        do(helga, address(game, "correct_results"), **{f"points_{first.pk}": "5", "reason": "typo"}).status_code == 302
    )

    assert [(seat.name, seat.total, seat.rank) for seat in seats_of(game)] == [("A", 5, 3), ("B", 20, 1), ("C", 10, 2)]
    assert (newest(game).kind, newest(game).via) == ("results_corrected", "admin")


def test_game_is_voided_and_restored_with_its_statistics(helga):
    club = make_club()
    game = finished(club, add(club, "Bernd", "Cem", "Doro"))
    assert Result.objects.filter(game=game).count() == 3

    assert do(helga, address(game, "void"), reason="a test").status_code == 302
    assert (fresh(game).halted, newest(game).reason, Result.objects.count()) == ("voided", "a test", 0)
    assert do(helga, address(game, "restore")).status_code == 302
    assert (fresh(game).halted, newest(game).via, Result.objects.count()) == ("", "admin", 3)


def test_same_form_sent_twice_counts_once(helga):
    game = make_game(seats=3, rounds=1, length=1)
    path = address(game, "adjust", seats_of(game)[0].pk)
    sent = {**fields_in(helga.get(path)), "points": "10", "reason": "once"}

    for _ in range(2):
        assert helga.post(path, sent).status_code == 302

    assert game.entries.filter(kind="points_adjusted").count() == 1


def test_end_is_taken_back_and_game_goes_on(helga):
    game = make_game(seats=3, rounds=1, length=1)

    assert do(helga, address(game, "reopen"), reason="too early").status_code == 302

    assert (fresh(game).state, newest(game).kind, newest(game).reason) == ("playing", "reopened", "too early")


def test_several_games_are_voided_with_one_reason_and_the_others_said(helga):
    games = [make_game(seats=3) for _ in range(3)]
    recording.abandon(games[1], by=OPERATOR)
    chosen = {"action": "void", "_selected_action": [game.pk for game in games]}

    page = helga.post(LIST, chosen)
    assert len(read(page).one("ul", class_="admin-list").all("li")) == 3
    refused = helga.post(LIST, {**chosen, "confirmed": "1", "reason": ""})
    assert (refused.status_code, fresh(games[0]).halted) == (422, "")
    done = helga.post(LIST, {**chosen, "confirmed": "1", "reason": "a test", "key": "k"}, follow=True)

    assert [fresh(game).halted for game in games] == ["voided", "abandoned", "voided"]
    assert {newest(game).reason for game in games} == {"a test", ""}
    strips = [strip.text for strip in read(done).all("div", class_="strip")]
    assert strips[0] == "Void the game: done for 2 rows."
    assert strips[1].startswith(f"Game {games[1].pk}: ")
    assert LogEntry.objects.filter(change_message="void").count() == 2


def test_too_many_at_once_are_refused(helga, monkeypatch):
    monkeypatch.setattr("scoresheets.admin.acts.MOST_AT_ONCE", 2)
    games = [make_game(seats=3) for _ in range(3)]

    helga.post(
        LIST, {"action": "void", "_selected_action": [game.pk for game in games], "confirmed": "1", "reason": "x"}
    )

    assert {fresh(game).halted for game in games} == {""}


def test_rows_are_made_anew_from_the_journal_and_the_statistics_follow(helga):
    club = make_club()
    game = finished(club, add(club, "Bernd", "Cem", "Doro"))
    Seat.objects.filter(game=game, position=0).update(total=999)
    path = address(game, "recompute")

    looked = helga.post(path, {"look": "1"})
    assert any("total is 999" in what for what, _old, _new in looked.context["changes"])
    assert do(helga, path).status_code == 302

    assert (differences_of(game.pk), statistics_differences(club)) == ([], [])
    assert do(helga, path).status_code == 409


def test_journal_that_cannot_be_played_is_said(helga):
    game = make_game(seats=3)
    game.entries.update(payload={})
    before = stored()

    page = do(helga, address(game, "recompute"))

    assert page.status_code == 409
    assert "cannot be played forward" in read(page).one(class_="err-box").text
    assert stored() == before


def test_game_is_put_to_an_evening(helga):
    club = make_club()
    game, evening = finished(club), planned(club)

    assert do(helga, address(game, "evening"), evening=str(evening.pk)).status_code == 302

    assert (fresh(game).evening_id, fresh(game).night, newest(game).via) == (evening.pk, evening.night, "admin")


def test_evening_of_another_club_is_no_choice(helga):
    game, other = finished(make_club()), planned(make_club("Andere"))

    assert do(helga, address(game, "evening"), evening=str(other.pk)).status_code == 422


def test_superuser_moves_a_game_with_its_people():
    boss = client_of(superuser())
    home, away = make_club("Daheim"), make_club("Auswärts")
    game = finished(home, add(home, "Bernd", "Cem", "Doro"))
    (known,) = add(away, "bernd")
    path = address(game, "move")

    looked = boss.post(path, {"club": "auswärts", "look": "1"})
    assert ("club", "Daheim", "Auswärts") in looked.context["changes"]
    sent = fields_in(looked)
    answer = boss.post(path, {**sent, f"seat_{seats_of(game)[2].pk}": "", "save": "1"})
    assert answer.status_code == 200  # other people than were looked at
    assert boss.post(path, {**fields_in(answer), "save": "1"}).status_code == 302

    assert fresh(game).club == away
    first, second, third = seats_of(game)
    assert (first.player, second.player.name, second.player.is_guest, third.player) == (known, "Cem", True, None)
    assert (statistics_differences(home), statistics_differences(away)) == ([], [])


@pytest.mark.parametrize(
    ("typed", "sentence"), [("nowhere", "no such club"), ("Runde", "Several clubs"), ("", "required")]
)
def test_club_to_move_to_has_to_be_one(typed, sentence):
    make_club("Runde 1"), make_club("Runde 2")
    game = make_game(seats=3)

    page = client_of(superuser()).post(address(game, "move"), {"club": typed})

    assert page.status_code == 422
    assert sentence in page.content.decode()


def test_superuser_confirms_a_game():
    game = finished(make_club())

    assert do(client_of(superuser()), address(game, "confirm")).status_code == 302

    assert fresh(game).is_confirmed


def test_link_is_closed_by_superusers_alone(helga):
    game = make_game(seats=3)
    link = game.links.get()

    assert helga.post(address(link, "revoke")).status_code == 403
    assert do(client_of(superuser()), address(link, "revoke")).status_code == 302

    link.refresh_from_db()
    assert not link.is_usable


def test_locked_game_is_still_corrected(helga):
    club = make_club(locks_after=0)
    game = finished(club)
    assert fresh(game).is_closed

    assert do(helga, address(game, "adjust", seats_of(game)[0].pk), points="1", reason="late").status_code == 302


def test_acts_offered_fit_the_game(helga):
    running, over = club_game(make_club()), make_game(seats=3, rounds=1, length=1)
    recording.void(over, reason="x", by=OPERATOR)

    def offered(game: Game) -> set[str]:
        return {line["act"].name for line in helga.get(address(game)).context["acts"]}

    assert offered(running) == {"evening", "recompute", "void"}
    assert offered(over) == {"recompute", "restore"}
