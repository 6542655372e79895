"""Each named constraint holds in the database itself, whoever writes; the house rules are stored under their names."""

from dataclasses import fields

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.db.models import RestrictedError
from django.utils import timezone

import rules
from scoresheets.models import Bid, Entry, Game, Link, Receipt, Round, Seat, games
from scoresheets.models.games import HOUSE_RULE_FIELDS
from tests.scoresheets.factories import make_game, rows_of

pytestmark = pytest.mark.django_db

#: Constraint -> which row is changed, to what. Each row stands in a game of three seats with one scored round and one
#: bid in round 2, with a watch link and a receipt.
ATTACKS = {
    "game_deck_is_known": ("game", {"deck": "tarot78"}),
    "game_variant_is_known": ("game", {"variant": "misere"}),
    "game_tie_break_is_known": ("game", {"tie_break": "dice"}),
    "game_ladder_is_known": ("game", {"ladder": "snake"}),
    "game_state_is_known": ("game", {"state": "paused"}),
    "game_bids_are_hidden_or_secret_not_both": ("game", {"hidden_bids": True, "secret_bids": True}),
    "game_secret_bids_may_add_up": ("game", {"secret_bids": True, "plus_minus_one": True}),
    "game_ordinary_pack_has_no_variant": ("game", {"deck": "french52", "variant": "maximus"}),
    "game_plus_minus_one_starts_at_1": ("game", {"plus_minus_one_from": 0}),
    "game_first_dealer_has_a_seat": ("game", {"first_dealer": 6}),
    "game_detail_is_known": ("game", {"detail": "scores", "state": "finished", "finished_at": timezone.now()}),
    "game_results_are_of_a_finished_one": ("game", {"detail": "results"}),
    "game_halt_is_known": ("game", {"halted": "lost"}),
    "game_paused_is_not_finished": ("game", {"halted": "paused", "state": "finished", "finished_at": timezone.now()}),
    "game_finished_has_a_time": ("game", {"state": "finished"}),
    "game_version_starts_at_1": ("game", {"version": 0}),
    "game_of_a_club_has_a_night": ("game", {"night": "2026-12-03"}),
    "game_counted_is_a_finished_one_of_a_club": ("game", {"counted": True}),
    "game_confirmed_version_was_reached": ("game", {"confirmed_version": 99}),
    "seat_position_once_a_game": ("seat", {"position": 1}),
    "seat_name_once_a_game": ("seat", {"name": "BERND"}),
    "seat_position_is_at_the_table": ("seat", {"position": 24}),
    "seat_presence_is_known": ("seat", {"presence": "asleep"}),
    "seat_starting_is_in_range": ("seat", {"starting": 5001}),
    "seat_has_a_name": ("seat", {"name": ""}),
    "seat_exact_not_above_rounds": ("seat", {"exact": 2, "rounds": 1}),
    "seat_rank_starts_at_1": ("seat", {"rank": 0}),
    "round_number_once_a_game": ("round", {"number": 2}),
    "round_one_open_a_game": ("round", {"state": "playing", "scored_version": None}),
    "round_number_starts_at_1": ("round", {"number": 0}),
    "round_cards_are_dealt": ("round", {"cards": 0}),
    "round_bombs_not_above_cards": ("round", {"bombs": 2}),
    "round_state_is_known": ("round", {"state": "dealt"}),
    "round_trump_is_known": ("round", {"trump": "X"}),
    "round_trump_is_noted_with_its_card": ("round", {"turned_up": "R7"}),
    "round_scored_has_a_version": ("round", {"scored_version": None}),
    "bid_is_not_above_any_hand": ("bid", {"tricks_bid": 24}),
    "bid_cloud_changes_by_one": ("bid", {"cloud_delta": 2}),
    "bid_points_iff_taken": ("bid", {"points": None}),
    "bid_cloud_only_when_played": ("open_bid", {"cloud_delta": 1}),
    "entry_version_once_a_game": ("entry", {"version": 1}),
    "entry_version_starts_at_1": ("entry", {"version": 0}),
    "entry_kind_is_known": ("entry", {"kind": "dreamt"}),
    "receipt_has_a_key": ("receipt", {"key": ""}),
    "link_scope_is_known": ("link", {"scope": "play"}),
}
#: Those that need a second row.
DOUBLES = ("bid_once_a_seat_and_round", "receipt_key_once_an_actor", "link_secret_is_unique")
#: Attacked with clubs, in test_people.py.
ELSEWHERE = ("seat_player_once_a_game",)
#: Checks that this row breaks as well, because one cannot be broken without the other.
ALSO = {
    "game_state_is_known": {"game_finished_has_a_time"},
    "round_state_is_known": {"round_one_open_a_game", "round_scored_has_a_version"},
    "round_cards_are_dealt": {"round_bombs_not_above_cards"},
}


@pytest.fixture
def stored():
    """Return one row of each kind."""
    game = make_game(seats=3, rounds=1)
    first, second = game.rounds.order_by("number")
    seats = list(game.seats.order_by("position"))
    link = Link.objects.create(game=game, scope="watch", secret_hash="a" * 64)
    return {
        "game": game,
        "seat": seats[0],
        "round": first,
        "bid": first.bids.get(seat=seats[0]),
        "open_bid": Bid.objects.create(round=second, seat=seats[1], tricks_bid=1, version=3),
        "entry": game.entries.latest("version"),
        "link": link,
        "receipt": Receipt.objects.create(actor="link:1", key="k", fingerprint="f", status=200, body={}),
    }


def our_models() -> list[type[models.Model]]:
    return [model for model in apps.get_app_config("scoresheets").get_models() if model.__module__ == games.__name__]


def test_every_constraint_has_an_attack():
    named = {constraint.name for model in our_models() for constraint in model._meta.constraints}

    assert {*ATTACKS, *DOUBLES, *ELSEWHERE} == named


@pytest.mark.parametrize("name", ATTACKS)
def test_database_refuses_a_row_that_breaks(name, stored):
    kind, values = ATTACKS[name]
    row = stored[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.filter(pk=row.pk).update(**values)

    assert broken_constraint(refused.value, row) in {name, *ALSO.get(name, ())}


@pytest.mark.parametrize(
    ("name", "kind", "fields_kept"),
    [
        ("bid_once_a_seat_and_round", "bid", ["round", "seat", "tricks_bid", "version"]),
        ("receipt_key_once_an_actor", "receipt", ["actor", "key", "fingerprint", "status", "body"]),
        ("link_secret_is_unique", "link", ["game", "scope", "secret_hash"]),
    ],
)
def test_database_refuses_a_second_row_that_breaks(name, kind, fields_kept, stored):
    row = stored[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.create(**{field: getattr(row, field) for field in fields_kept})

    assert broken_constraint(refused.value, row) == name


def broken_constraint(error: IntegrityError, row: models.Model) -> str:
    """Return the name of the constraint; SQLite names the columns of a broken UNIQUE instead, or its index."""
    text = str(error)
    for constraint in type(row)._meta.constraints:
        if constraint.name in text:
            return constraint.name
    columns = text.removeprefix("UNIQUE constraint failed: ").replace(f"{row._meta.db_table}.", "").split(", ")
    for constraint in type(row)._meta.constraints:
        if columns == [row._meta.get_field(name).column for name in getattr(constraint, "fields", ())]:
            return constraint.name
    raise AssertionError(text)


def test_untouched_rows_pass_every_constraint(stored):
    for row in stored.values():
        row.validate_constraints()


def test_round_of_more_cards_than_any_deck_has_is_refused(stored):
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.filter(pk=stored["round"].pk).update(cards=24)


def test_finished_time_without_a_finished_game_is_refused(stored):
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=stored["game"].pk).update(finished_at=timezone.now())


def test_house_rules_and_game_have_the_same_fields_and_defaults():
    assert HOUSE_RULE_FIELDS == tuple(field.name for field in fields(rules.HouseRules))

    game = Game(plan=[1], first_dealer=0)

    assert game.house == rules.HouseRules()
    assert {name: getattr(game, name) for name in HOUSE_RULE_FIELDS} == rules.HouseRules().to_mapping()


def test_house_rules_survive_being_stored():
    house = rules.HouseRules(
        specials=("BOMB", "CLOUD"), plus_minus_one=True, plus_minus_one_from=3, blind_bids=True, tie_break="shared"
    )

    assert make_game(house=house).house == house


def test_choices_of_the_models_are_those_of_their_constraints():
    """A kind or state that is added to the choices must be allowed by the database too."""
    for model, field, constraint in [
        (Game, "state", "game_state_is_known"),
        (Round, "state", "round_state_is_known"),
        (Entry, "kind", "entry_kind_is_known"),
        (Link, "scope", "link_scope_is_known"),
    ]:
        allowed = next(c for c in model._meta.constraints if c.name == constraint).condition.children[0][1]
        assert sorted(allowed) == sorted(value for value, _label in model._meta.get_field(field).choices)


def test_rows_name_themselves_for_the_operator(stored):
    game = stored["game"]

    assert [str(stored[kind]) for kind in ("game", "seat", "round", "bid", "entry", "link", "receipt")] == [
        f"Game {game.pk}",
        "Annika",
        "Round 1",
        "1",
        "3: tricks_recorded",
        "watch",
        "link:1 k",
    ]


def test_a_seat_with_bids_cannot_be_deleted_alone(stored):
    with pytest.raises(RestrictedError):
        stored["seat"].delete()

    assert Seat.objects.filter(pk=stored["seat"].pk).count() == 1


def test_deleted_game_takes_all_its_rows_with_it_and_leaves_other_games():
    doomed, other = make_game(rounds=2), make_game(rounds=2)
    before = rows_of(other)

    doomed.delete()

    assert Seat.objects.filter(game_id=doomed.pk).count() == 0
    assert set(Bid.objects.values_list("round__game", flat=True)) == {other.pk}
    assert rows_of(other) == before
