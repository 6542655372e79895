"""Clubs out of files: the same club again, or every reason why not, and never half of one."""

from __future__ import annotations

import copy
import io
import json
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.club_files import layout
from scoresheets.club_files.reading import JsonFile
from scoresheets.models import Club, Entry, Game, Membership, Player, User
from scoresheets.models.games import Via
from scoresheets.recording.club_files import ClubFileError, import_club, look_at
from tests.scoresheets.club_files import (
    MEGABYTE,
    imported,
    lively_club,
    small_club,
    text_of,
    wrong_with,
)
from tests.scoresheets.clubs import add, finished, make_club, make_user, stored
from tests.scoresheets.factories import fresh, seat_ids
from tests.thorough import scaled

pytestmark = pytest.mark.django_db

#: The file of a lively club as version 1 of the format had it, from SQLite.
FIRST = Path(__file__).parents[2] / "data" / "club-v1.json"
SCHEMA = Path(__file__).parents[3] / "docs" / "club-file.schema.json"


def looked_at(text: str | bytes, most_bytes: int = 10 * MEGABYTE) -> Any:
    """Return what a file would bring."""
    raw = text.encode() if isinstance(text, str) else text
    return look_at(io.BytesIO(raw), most_bytes=most_bytes)


def problems_of(text: str | bytes, **options: Any) -> list[tuple[str, str]]:
    """Return path and code of all that is wrong with a file."""
    with pytest.raises(ClubFileError) as caught:
        looked_at(text, **options)
    return [(path, problem.code) for path, problem in caught.value.problems]


@pytest.fixture(scope="module")
def small() -> str:
    """The file of a small club, for changes; it is from a file itself, so that no database is needed."""
    return (FIRST.parent / "club-small-v1.json").read_text(encoding="utf-8")


def changed(text: str, change: Callable[[dict[str, Any]], Any]) -> str:
    """Return a file after a change of its value."""
    data = json.loads(text)
    change(data)
    return json.dumps(data, ensure_ascii=False)


# -- there and back -------------------------------------------------------------------------------------------------


def test_a_lively_club_is_the_same_again_from_its_file():
    text = text_of(lively_club())

    club = imported(text)

    assert text_of(club) == text
    assert wrong_with(club) == []
    data = json.loads(text)
    jsonschema.Draft202012Validator(layout.schema()).validate(data)
    journals = [entry for game in data["games"] for entry in game["journal"]]
    houses = [entry["payload"]["house"] for entry in journals if entry["kind"] == "started"]
    # It would prove little if something were in no file.
    assert {entry["kind"] for entry in journals} == set(Entry.Kind.values)
    assert {house["variant"] for house in houses} == set(rules.VARIANTS)
    assert {house["deck"] for house in houses} == set(rules.DECKS)
    assert {name for house in houses for name in house["specials"]} == set(rules.SPECIALS)
    assert {flag for house in houses for flag, value in house.items() if value is True} == {
        name for name, value in rules.HouseRules().to_mapping().items() if isinstance(value, bool)
    }
    assert {game.halted for game in club.games.all()} == set(Game.Halted.values)
    assert {merge["undone_at"] is None for merge in data["merges"]} == {True, False}
    assert [list(game["draft"]) for game in data["games"] if "coins" in game.get("draft", {})] == [["coins"]]


@pytest.mark.parametrize("name", ["club-v1.json", "club-small-v1.json"])
def test_files_of_the_first_version_are_read_for_good(name):
    text = (FIRST.parent / name).read_text(encoding="utf-8")

    club = imported(text)

    assert text_of(club) == text
    assert wrong_with(club) == []


def test_who_imports_owns_the_club_and_is_no_player_of_it(small):
    user = make_user("Importer")

    club = imported(small, by=Actor.of_user(user))

    assert list(Membership.objects.filter(club=club).values_list("user", "role")) == [(user.pk, "owner")]
    assert not Player.objects.filter(club=club, user__isnull=False).exists()
    assert not Entry.objects.filter(game__club=club, user__isnull=False).exists()
    assert Club.history.filter(id=club.pk).count() == 1


def test_an_imported_club_lives_on(small):
    club = imported(small)
    players = list(Player.objects.filter(club=club).order_by("pk"))
    kept, merged = players[0], add(club, "Nobody yet")[0]
    game = club.games.filter(state="playing").get()

    recording.merge_players(kept, merged, by=OPERATOR)
    taken = {int(seat): tricks for seat, tricks in game.rounds.get().draft["taken"].items()}
    recording.record_tricks(game, taken=taken, seen=game.rounds.get().stage_version, by=OPERATOR)
    finished(club, players[1:4])

    assert wrong_with(club) == []
    again = text_of(club)
    assert text_of(imported(again)) == again


def test_what_a_game_was_in_another_club_is_not_told():
    elsewhere, club = make_club("Elsewhere"), make_club("Here")
    game = finished(elsewhere, add(elsewhere, "Stranger"))
    recording.move_game(game, club, players={seat_ids(game)[1]: add(club, "Annika")[0].pk}, by=OPERATOR)

    text = text_of(club)

    data = json.loads(text)
    started, moved = data["games"][0]["journal"][0]["payload"], data["games"][0]["journal"][-1]["payload"]
    assert (started["club"], started["players"]) == ("other", {})
    assert (moved["club"], moved["from"], moved["players"]) == ("this", "other", {"2": 2})
    assert "Elsewhere" not in text
    assert text_of(imported(text)) == text


def test_the_same_key_makes_one_club(small):
    by = Actor.of_user(make_user("Importer"))
    file = io.BytesIO(small.encode())

    first = import_club(file, by=by, most_bytes=MEGABYTE, key="k")
    second = import_club(file, by=by, most_bytes=MEGABYTE, key="k")

    assert first == second
    with pytest.raises(recording.Conflict, match="key_reused"):
        import_club(io.BytesIO(small.replace("Dohlen", "Raben").encode()), by=by, most_bytes=MEGABYTE, key="k")


def test_nobody_imports_without_an_account(small):
    for by in (OPERATOR, Actor.of_device("0123")):
        with pytest.raises(PermissionDenied):
            imported(small, by=by)
    assert not Club.objects.exists()
    assert imported(small, by=Actor(via=Via.COMMAND, user=make_user("Owner"))).games.count() == 2


def test_a_file_says_what_it_would_bring(small):
    found = looked_at(small)

    assert (found.name, found.players, found.evenings, found.seasons) == ("Dohlen", 5, 1, 1)
    assert (found.games, found.entries) == (2, 7)
    assert found.first_night == found.last_night
    assert not Club.objects.exists()


# -- what is refused ------------------------------------------------------------------------------------------------


def test_every_kind_of_entry_has_its_payload_in_the_layout():
    assert set(layout.KINDS) == set(Entry.Kind.values)


def test_a_payload_with_an_unknown_name_is_not_lost_silently():
    club = make_club()
    game = finished(club)
    Entry.objects.filter(game=game, version=2).update(payload={"round": 1, "bids": {}, "mood": "bad"})

    with pytest.raises(ValueError, match="mood"):
        text_of(club)


def test_the_schema_in_the_documents_is_that_of_the_layout():
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == layout.schema()


UNREADABLE = {
    "nothing": ("", [("$", "club_file_json")]),
    "no JSON": ("club;games\n", [("$", "club_file_json")]),
    "a list": ("[1]", [("$", "club_file_json")]),
    "an empty object": ("{}", [("$", "club_file_format")]),
    "another program's": ('{"games":[]}', [("$", "club_file_format")]),
    "another format": ('{"format":"x","version":1}', [("$.format", "club_file_format")]),
    "a later version": ('{"format":"tafelrunde-club","version":2}', [("$.version", "club_file_version")]),
    "a version that is true": ('{"format":"tafelrunde-club","version":true}', [("$.version", "club_file_version")]),
    "no club": ('{"format":"tafelrunde-club","version":1}', [("$", "club_file_order")]),
    "out of order": ('{"format":"tafelrunde-club","version":1,"games":[]}', [("$", "club_file_order")]),
    "nested too deep": ("[" * 200_000, [("$", "club_file_json")]),
    "too deep in its place": (
        '{"format":"tafelrunde-club","version":1,"club":' + "[" * 99_999,
        [("$.club", "club_file_json")],
    ),
    "an endless number": ('{"format":' + "9" * 9_999 + "}", [("$.format", "club_file_json")]),
    "not a number": ('{"format":NaN}', [("$.format", "club_file_json")]),
    "a name twice": ('{"format":{"a":1,"a":2}}', [("$.format", "club_file_json")]),
    "half a character": ('{"format":"\\ud83e"}', [("$.format", "club_file_json")]),
    "not UTF-8": ('{"format":"ä"}'.encode("latin-1"), [("$", "club_file_json")]),
    "UTF-16": ("{}".encode("utf-16"), [("$", "club_file_json")]),
    "an archive": (b"PK\x03\x04" + bytes(100), [("$", "club_file_json")]),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_no_club_file_is_refused_in_one_sentence(what):
    raw, expected = UNREADABLE[what]

    assert problems_of(raw) == expected


def test_a_file_that_was_broken_off_is_refused_wherever_it_was(small):
    raw = small.encode()
    for end in random.Random(1).sample(range(len(raw) - 1), scaled(40)):
        assert problems_of(raw[:end])[-1][1] in ("club_file_json", "club_file_order", "club_file_format")
    assert problems_of(small + "{}") == [("$", "club_file_json")]


def test_a_file_may_have_a_byte_order_mark_and_any_spaces(small):
    roomy = json.dumps(json.loads(small), indent=4)

    assert text_of(imported("\ufeff" + roomy)) == small


def test_a_large_file_is_refused_before_it_is_read_to_its_end():
    class Endless(io.RawIOBase):
        given = 0

        def read(self, size: int = -1) -> bytes:
            self.given += size
            return b" " * size

    endless = Endless()
    with pytest.raises(ClubFileError, match="most 1"):
        look_at(endless, most_bytes=MEGABYTE)  # type: ignore[arg-type]
    assert endless.given < 2 * MEGABYTE


def test_reading_goes_on_over_any_boundary():
    """Whatever lies across two readings: numbers, escapes, characters of several bytes."""

    class Drop(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(1)

    value = {"a": [12345, 'ä"\\🦉', {"b": None}], "c": -7, "d": [], "e": "end"}
    file = JsonFile(Drop(json.dumps(value, ensure_ascii=False).encode()), most_bytes=MEGABYTE)

    found = {name: list(file.items()) if name in "ad" else file.value() for name in file.members()}

    assert found == value


def test_all_problems_of_a_file_are_told_with_their_place(small):
    def change(data: dict[str, Any]) -> None:
        data["club"]["visibility"] = "secret"
        data["players"][2]["name"] = data["players"][1]["name"].upper()
        data["games"][0]["seats"][1]["total"] += 10
        data["games"][1]["journal"][1]["payload"]["bids"]["9"] = 0
        del data["games"][1]["night"]

    assert problems_of(changed(small, change)) == [
        ("$.club.visibility", "club_file_choice"),
        ("$.players[2].name", "player_name_taken"),
        ("$.games[0].seats[1].total", "club_file_differs"),
        ("$.games[1]", "club_file_name_missing"),
        ("$.games[1].journal[1].payload.bids", "club_file_unknown"),
    ]


def at(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change that puts a value into a place of the file."""

    def change(data: dict[str, Any]) -> None:
        place: Any = data
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = to

    return change


LATER = "2098-01-01T00:00:00.000000Z"
#: A change of the small club's file, and what is found wrong then.
WRONG: dict[str, tuple[Callable[[dict[str, Any]], Any], list[tuple[str, str]]]] = {
    "a number as text": (at("players", 0, "number", to="1"), [("$.players[0].number", "club_file_type")]),
    "a number twice": (at("players", 1, "number", to=1), [("$.players[1].number", "club_file_number")]),
    "a gap": (at("games", 1, "number", to=3), [("$.games[1].number", "club_file_number")]),
    "a fraction": (at("games", 0, "seats", 0, "total", to=1.5), [("$.games[0].seats[0].total", "club_file_type")]),
    "yes for true": (at("players", 0, "is_guest", to=1), [("$.players[0].is_guest", "club_file_type")]),
    "no list": (at("merges", to={}), [("$.merges", "club_file_type")]),
    "no object": (
        at("games", 0, to=None),
        [("$.games[0]", "club_file_type")],
    ),
    "a nul": (at("club", "name", to="a\0b"), [("$.club.name", "club_file_characters")]),
    "a blank": (at("club", "name", to=" "), [("$.club.name", "club_file_blank")]),
    "a name that is too long": (at("players", 0, "name", to="x" * 41), [("$.players[0].name", "club_file_length")]),
    "an unknown time zone": (at("club", "time_zone", to="Mars/North"), [("$.club", "time_zone_unknown")]),
    "an unknown rule": (at("club", "house", "jokers", to=1), [("$.club.house", "rule_unknown")]),
    "rules that exclude each other": (
        lambda data: data["club"]["house"].update(hidden_bids=True, secret_bids=True),
        [("$.club.house", "variant_incompatible")],
    ),
    "a day of no calendar": (at("games", 0, "night", to="2024-02-30"), [("$.games[0].night", "club_file_type")]),
    "another year": (at("games", 0, "night", to="0001-01-01"), [("$.games[0].night", "club_file_year")]),
    "a game still to come": (at("games", 0, "started_at", to=LATER), [("$.games[0].started_at", "club_file_later")]),
    "a merged player of nobody": (
        at("players", 0, "merged_into", to=9),
        [("$.players[0].merged_into", "club_file_unknown")],
    ),
    "a player merged into themselves": (
        at("players", 0, "merged_into", to=1),
        [("$.players[0].merged_into", "club_file_unknown")],
    ),
    "a merge without a trace": (
        lambda data: data["merges"].append(
            {"kept": 1, "merged": 2, "moved": [2], "at": data["club"]["created_at"], "undone_at": None}
        ),
        [("$.merges[0].undone_at", "club_file_contradicts")],
    ),
    "an answer twice": (
        lambda data: data["evenings"][0]["attendance"].append(data["evenings"][0]["attendance"][0]),
        [("$.evenings[0].attendance", "club_file_repeated")],
    ),
    "closed before it was open": (
        lambda data: data["evenings"][0].update(opened_at=None, closed_at=data["club"]["created_at"]),
        [("$.evenings[0].closed_at", "club_file_contradicts")],
    ),
    "a season that ends before it begins": (
        at("seasons", 0, "ends_on", to="2019-01-01"),
        [("$.seasons[0]", "season_ends_before_start")],
    ),
    "a rematch of a later game": (at("games", 0, "rematch_of", to=2), [("$.games[0].rematch_of", "club_file_unknown")]),
    "a table that was not drawn": (
        at("games", 0, "table", to={"evening": 1, "sitting": 1, "number": 1}),
        [("$.games[0].table", "club_file_unknown")],
    ),
    "a name twice at a table": (at("games", 0, "seats", 1, "name", to="annika"), [("$.games[0].seats", "name_taken")]),
    "a player twice at a table": (
        at("games", 0, "journal", 0, "payload", "players", to={"1": 2, "2": 2}),
        [("$.games[0].journal", "club_file_repeated")],
    ),
    "no such kind": (
        at("games", 0, "journal", 1, "kind", to="guessed"),
        [("$.games[0].journal[1].kind", "club_file_choice")],
    ),
    "no start": (
        at(
            "games",
            0,
            "journal",
            0,
            to={"kind": "paused", "at": "2024-01-01T00:00:00.000000Z", "via": "login", "payload": {}},
        ),
        [("$.games[0].seats", "club_file_seats")],
    ),
    "a second start": (
        lambda data: data["games"][0]["journal"].insert(1, data["games"][0]["journal"][0]),
        [("$.games[0].journal[1]", "club_file_journal")],
    ),
    "a bid above the hand": (
        at("games", 0, "journal", 1, "payload", "bids", "1", to=2),
        [("$.games[0].journal[1]", "bid_out_of_range")],
    ),
    "tricks that do not add up": (
        at("games", 0, "journal", 2, "payload", "taken", "1", to=0),
        [("$.games[0].journal[2]", "tricks_sum")],
    ),
    "tricks of one seat too few": (
        lambda data: data["games"][0]["journal"][2]["payload"]["taken"].popitem(),
        [("$.games[0].journal[2]", "club_file_journal")],
    ),
    "a plan that the ladder does not have": (
        at("games", 0, "journal", 0, "payload", "plan", to=[2]),
        [("$.games[0].journal[0]", "club_file_journal")],
    ),
    "more cards than the deck has": (
        lambda data: data["games"][0]["journal"][0]["payload"].update(plan=[23], ladder="free"),
        [("$.games[0].journal[0]", "cards_exceed_deck")],
    ),
    "in no club": (
        at("games", 0, "journal", 0, "payload", "club", to=None),
        [("$.games[0].journal", "club_file_not_here")],
    ),
    "another night than the journal's": (
        at("games", 0, "night", to="2021-01-01"),
        [("$.games[0]", "club_file_contradicts")],
    ),
    "finished without an end": (at("games", 0, "finished_at", to=None), [("$.games[0]", "club_file_contradicts")]),
    "a draft of a finished game": (
        at("games", 0, "draft", to={"bids": {"1": 0}}),
        [("$.games[0].draft", "club_file_contradicts")],
    ),
    "another rank": (at("games", 0, "seats", 0, "rank", to=3), [("$.games[0].seats[0].rank", "club_file_differs")]),
    "a table of no season": (
        at("check", "standings", 0, "season", to=2),
        [("$.check.standings[0].season", "club_file_unknown")],
    ),
    "one game more than there are": (at("check", "games", to=3), [("$.check.games", "club_file_differs")]),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_refused_with_its_place(small, what):
    change, expected = WRONG[what]

    assert problems_of(changed(small, change)) == expected


def test_a_season_that_comes_out_otherwise_leaves_nothing_behind(small):
    by = Actor.of_user(make_user("Importer"))
    before = stored()

    with pytest.raises(ClubFileError) as caught:
        imported(changed(small, at("check", "standings", 0, "rows", 0, "points", to=1)), by=by)

    assert [(path, problem.code) for path, problem in caught.value.problems] == [
        ("$.check.standings[0].rows", "club_file_standings")
    ]
    assert stored() == before


def test_very_many_problems_are_counted(small):
    def change(data: dict[str, Any]) -> None:
        data["players"] = [{**data["players"][0], "number": number, "name": ""} for number in range(1, 301)]

    with pytest.raises(ClubFileError) as caught:
        looked_at(changed(small, change))

    assert len(caught.value.problems) + caught.value.left_out >= 300
    assert len(caught.value.problems) == 100


# -- anything at all ------------------------------------------------------------------------------------------------


def places_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Return every place in a value: the list or object, and the index or name."""
    for place, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield value, place
        yield from places_of(inner)


def mutated(data: Any, chance: random.Random) -> Any:
    """Return the value with one place changed."""
    data = copy.deepcopy(data)
    places = list(places_of(data))
    where, place = chance.choice(places)
    old, (there, other) = where[place], chance.choice(places)
    act = chance.randrange(5)
    if act == 0:
        del where[place]
    elif act == 1 and isinstance(where, list):
        where.insert(place, copy.deepcopy(chance.choice(where)))
    elif act == 2:
        where[place] = copy.deepcopy(there[other])
    elif isinstance(old, bool):
        where[place] = not old
    elif isinstance(old, int):
        where[place] = chance.choice([old - 1, old + 1, 0, 10**20])
    elif isinstance(old, str):
        where[place] = chance.choice(["", f"{old}x", "2024-01-01", "none", "x" * 5000, old.replace("1", "2")])
    else:
        where[place] = chance.choice([None, 0, "", [], {}])
    return data


def test_a_file_with_anything_changed_is_refused_or_makes_a_sound_club(small):
    chance, data = random.Random(8), json.loads(small)
    by = Actor.of_user(make_user("Importer"))
    taken, codes = 0, set[str]()
    for _ in range(scaled(80)):
        text = json.dumps(mutated(data, chance), ensure_ascii=False)
        with transaction.atomic():
            try:
                club = imported(text, by=by)
            except ClubFileError as refused:
                codes.update(problem.code for _path, problem in refused.problems)
            else:
                taken += 1
                again = text_of(club)
                assert wrong_with(club) == [], text
                assert text_of(imported(again, by=by)) == again, text
            transaction.set_rollback(True)
    assert taken > 5
    assert len(codes) > 10


def test_the_small_file_is_that_of_a_small_club(small):
    """The stored files stay what the site writes now, but for times and the rules that came later."""
    club = small_club()

    def shape(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: shape(inner) for name, inner in value.items()}
        return [shape(inner) for inner in value] if isinstance(value, list) else type(value)

    assert shape(json.loads(text_of(club))) == shape(json.loads(small))
    assert fresh(club.games.latest("pk")).state == "playing"
    assert User.objects.filter(username="Uhu").exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_imports_with_one_key_at_once_one_makes_the_club(small):
    by = Actor.of_user(make_user("Importer"))
    ready, found = threading.Barrier(2), []

    def bring() -> None:
        try:
            ready.wait(10)
            found.append(import_club(io.BytesIO(small.encode()), by=by, most_bytes=MEGABYTE, key="k"))
        finally:
            connection.close()

    threads = [threading.Thread(target=bring) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert len(found) == 2
    assert found[0] == found[1] == Club.objects.get()
