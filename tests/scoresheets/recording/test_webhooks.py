"""Webhooks: who makes and changes them, how they are signed, and what they are told in the write it is about."""

from __future__ import annotations

import hashlib
import hmac
import json
from datetime import date, timedelta
from threading import Event as Signal
from uuid import UUID

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, Delivery, Receipt, Webhook
from scoresheets.recording import (
    Conflict,
    RoundValues,
    WebhookSettings,
    adjust_points,
    change_webhook,
    confirm,
    correct_round,
    create_webhook,
    delete_webhook,
    move_game,
    ping,
    rename_seat,
    renew_secret,
    reopen,
    restore,
    send_again,
    step_back,
    switch_webhook,
    void,
    webhooks,
)
from tests.bench import statements
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
    refused,
)
from tests.scoresheets.factories import enter_bids, enter_tricks, fresh, make_game, newest_of, open_round, seat_ids
from tests.scoresheets.recording.test_races import race
from tests.scoresheets.webhooks import ADDRESS, log_of, make_webhook, only, told

pytestmark = pytest.mark.django_db

ALL = ("game_finished", "game_corrected", "game_confirmed")
OTHER = "https://other.example.org/"


@pytest.fixture
def club() -> Club:
    return make_club("Runde")


def values_of(game, **more) -> RoundValues:
    """Return the values of the only round of a finished game of three, with one trick more taken by the second seat."""
    first, second, third = seat_ids(game)
    return RoundValues(bids={first: 1, second: 0, third: 0}, taken={first: 0, second: 1, third: 0}, **more)


# -- making and changing ----------------------------------------------------------------------------------------------


def test_webhook_is_made_with_a_secret_that_is_not_stored(club):
    by = member_of(club, "manager")

    webhook, secret = create_webhook(club, WebhookSettings(f" {ADDRESS} ", ("game_corrected",)), by=by, key="k")

    webhook.refresh_from_db()
    assert (webhook.club, webhook.address, webhook.events, webhook.made_by) == (
        club,
        ADDRESS,
        ["game_corrected"],
        by.user,
    )
    assert (webhook.is_active, webhook.failures, webhook.rests_until) == (True, 0, None)
    assert (len(secret), secret[:4]) == (47, "tfw_")
    stored = json.dumps([*Webhook.objects.values(), *Receipt.objects.values()], default=str)
    assert secret not in stored
    assert webhooks.signing_secret(webhook) == secret


def test_repeat_makes_no_second_webhook(club):
    by, settings = owner_of(club), WebhookSettings(ADDRESS)
    first = create_webhook(club, settings, by=by, key="k")

    assert create_webhook(club, settings, by=by, key="k") == first
    assert Webhook.objects.count() == 1
    refused(Conflict, "key_reused", create_webhook, club, WebhookSettings(OTHER), by=by, key="k")
    delete_webhook(first[0], by=by)
    refused(Conflict, "webhook_gone", create_webhook, club, settings, by=by, key="k")


@pytest.mark.parametrize(
    ("settings", "codes"),
    [
        (WebhookSettings("example"), ["address_unreadable"]),
        (WebhookSettings("http://app.example.org/"), ["address_not_https"]),
        (WebhookSettings("https://user@app.example.org/"), ["address_has_login"]),
        (WebhookSettings("https://app.example.org:25/"), ["address_port"]),
        (WebhookSettings("https://169.254.169.254/"), ["address_not_public"]),
        (WebhookSettings("https://app.example.org/" + "x" * 500), ["address_too_long"]),
        (WebhookSettings(ADDRESS, ()), ["events_missing"]),
        (WebhookSettings(ADDRESS, ("game_finished", "game_started")), ["event_unknown"]),
        (WebhookSettings(ADDRESS, ("ping",)), ["event_unknown"]),
        (WebhookSettings("", ("x",)), ["address_unreadable", "event_unknown"]),
        (WebhookSettings(OTHER), ["address_taken"]),
    ],
)
def test_webhook_that_cannot_be_is_refused(settings, codes, club):
    make_webhook(club, OTHER)
    webhook = make_webhook(club, "https://third.example.org/")

    refused(rules.RulesError, codes, create_webhook, club, settings, by=owner_of(club))
    refused(rules.RulesError, codes, change_webhook, webhook, settings, by=owner_of(club))


def test_operator_may_allow_local_addresses(club, settings):
    settings.WEBHOOKS_LOCAL = True

    assert make_webhook(club, "http://192.168.1.2:80/hook").address == "http://192.168.1.2:80/hook"


def test_club_has_ten_webhooks_at_most(club):
    for number in range(10):
        make_webhook(club, f"{ADDRESS}{number}")

    refused(rules.RulesError, "too_many_webhooks", create_webhook, club, WebhookSettings(ADDRESS), by=owner_of(club))
    make_webhook(make_club(), ADDRESS)


@pytest.mark.parametrize("role", ["member", "scorer", "stranger", "owner of another club"])
def test_only_managers_have_to_do_with_webhooks(role, club):
    webhook = make_webhook(club)
    delivery = ping(webhook, by=OPERATOR)
    by = {"stranger": lambda: actor_of(make_user("Zoe")), "owner of another club": lambda: owner_of(make_club())}.get(
        role, lambda: member_of(club, role)
    )()

    for verb, given in (
        (create_webhook, [club, WebhookSettings(OTHER)]),
        (change_webhook, [webhook, WebhookSettings(OTHER)]),
        *((verb, [webhook]) for verb in (renew_secret, delete_webhook, ping)),
        (send_again, [delivery]),
    ):
        refused(PermissionDenied, "", verb, *given, by=by)
    refused(PermissionDenied, "", switch_webhook, webhook, on=False, by=by)


def test_who_is_no_manager_any_more_is_refused_whatever_the_request_knew(club):
    by = member_of(club, "manager")
    club.memberships.filter(user=by.user).update(role="scorer")

    refused(PermissionDenied, "", create_webhook, club, WebhookSettings(ADDRESS), by=by)


def failing(webhook: Webhook) -> Webhook:
    now = timezone.now()
    Webhook.objects.filter(pk=webhook.pk).update(failures=3, failing_since=now, rests_until=now + timedelta(hours=2))
    webhook.refresh_from_db()
    return webhook


def test_another_address_is_not_blamed_for_the_old_one(club):
    webhook = failing(make_webhook(club))

    changed = change_webhook(webhook, WebhookSettings(webhook.address, ("game_confirmed",)), by=owner_of(club))
    assert (changed.events, changed.failures) == (["game_confirmed"], 3)

    changed = change_webhook(webhook, WebhookSettings(OTHER), by=owner_of(club))
    changed.refresh_from_db()
    assert (changed.address, changed.events) == (OTHER, list(ALL))
    assert (changed.failures, changed.failing_since, changed.rests_until) == (0, None, None)


def test_switched_off_it_is_told_nothing_and_gives_up_what_waits(club):
    webhook = make_webhook(club)
    finished(club)

    off = switch_webhook(webhook, on=False, by=owner_of(club))
    finished(club)

    assert (off.is_active, off.disabled_at) == (False, None)
    assert log_of(webhook) == [("failed", 0, None, "switched_off")]
    refused(Conflict, "webhook_off", ping, webhook, by=owner_of(club))
    refused(Conflict, "webhook_off", send_again, only(webhook), by=owner_of(club))


def test_switched_on_it_starts_anew(club):
    webhook = failing(make_webhook(club))
    Webhook.objects.filter(pk=webhook.pk).update(is_active=False, disabled_at=timezone.now())

    on = switch_webhook(webhook, on=True, by=owner_of(club))
    on.refresh_from_db()

    assert (on.is_active, on.disabled_at, on.failures, on.failing_since, on.rests_until) == (True, None, 0, None, None)
    before = Webhook.objects.values().get()
    switch_webhook(webhook, on=True, by=owner_of(club))
    assert Webhook.objects.values().get() == before


def test_deleted_it_takes_its_log_along_and_is_gone(club):
    webhook = make_webhook(club)
    delivery = ping(webhook, by=OPERATOR)

    delete_webhook(webhook, by=owner_of(club))

    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)
    webhook.pk = delivery.webhook_id
    for verb, given in (
        (change_webhook, [webhook, WebhookSettings(OTHER)]),
        *((verb, [webhook]) for verb in (renew_secret, delete_webhook, ping)),
        (send_again, [delivery]),
    ):
        refused(Conflict, "webhook_gone", verb, *given, by=OPERATOR)


def test_club_takes_its_webhooks_along(club):
    ping(make_webhook(club), by=OPERATOR)

    recording.delete_club(club, by=owner_of(club))

    assert (Webhook.objects.count(), Delivery.objects.count()) == (0, 0)


def test_webhook_stays_when_its_maker_goes(club):
    by = member_of(club, "manager", "Max")
    webhook = create_webhook(club, WebhookSettings(ADDRESS), by=by)[0]

    recording.forget_account(by.user, by=Actor.of_user(by.user))

    assert Webhook.objects.get() == webhook


# -- secrets ----------------------------------------------------------------------------------------------------------


def test_new_secret_takes_the_place_of_the_old_one(club):
    webhook, old = create_webhook(club, WebhookSettings(ADDRESS), by=owner_of(club), key="a")

    webhook, new = renew_secret(webhook, by=owner_of(club), key="b")

    webhook.refresh_from_db()
    assert new != old
    assert webhooks.signing_secret(webhook) == new
    assert renew_secret(webhook, by=owner_of(club), key="b") == (webhook, new)
    # What was shown once is shown again to whoever repeats that request, and nothing newer.
    assert create_webhook(club, WebhookSettings(ADDRESS), by=owner_of(club), key="a")[1] == old


def test_secret_outlives_a_new_key_of_the_site_while_the_old_one_is_accepted(club, settings):
    webhook, secret = create_webhook(club, WebhookSettings(ADDRESS), by=owner_of(club))
    old, settings.SECRET_KEY = settings.SECRET_KEY, "another key " * 5

    assert webhooks.signing_secret(webhook) is None
    settings.SECRET_KEY_FALLBACKS = ["a third key " * 5, old]
    assert webhooks.signing_secret(webhook) == secret


def test_secret_is_no_link_of_the_same_nonce():
    assert webhooks.secret_of("nonce") != webhooks.SECRET_PREFIX + recording.links.secret_of("nonce")
    assert webhooks.secret_of("nonce") != webhooks.secret_of("other")


def test_signature_is_that_of_the_openssl_command():
    """printf '%s' '1700000000.{"event":"ping"}' | openssl dgst -sha256 -hmac tfw_secret"""
    signed = webhooks.signature("tfw_secret", 1_700_000_000, b'{"event":"ping"}')

    assert signed == "v1=9d640eb8ffc958699f7c1ea75ef27702bc2cf6654098acb1fe12106b896484fa"
    assert signed == "v1=" + hmac.new(b"tfw_secret", b'1700000000.{"event":"ping"}', hashlib.sha256).hexdigest()


# -- what is told -----------------------------------------------------------------------------------------------------


def test_finishing_a_game_is_told_with_ids_alone(club):
    webhook, other = make_webhook(club), make_webhook(club, OTHER, events=("game_finished",))
    anna, bernd = add(club, "Anna", "Bernd")

    game = finished(club, [anna, bernd])

    delivery = only(webhook)
    at = delivery.created_at.isoformat(timespec="milliseconds")
    assert delivery.payload == {
        "delivery": str(delivery.uuid),
        "event": "game_finished",
        "club": club.pk,
        "game": game.pk,
        "version": game.version,
        "kind": "tricks_recorded",
        "state": "finished",
        "halted": "",
        "at": at,
    }
    assert (delivery.event, delivery.status, delivery.tries) == ("game_finished", "pending", 0)
    assert delivery.next_try_at == delivery.created_at
    assert isinstance(delivery.uuid, UUID)
    # The same happened to both.
    assert only(other).uuid == delivery.uuid


def test_running_games_are_not_told(club):
    webhook = make_webhook(club)
    game = club_game(club, length=2, rounds=1)
    enter_bids(game)
    enter_tricks(game)
    step_back(game, undoes=newest_of(game), by=OPERATOR)
    recording.pause(game, by=OPERATOR)
    recording.resume(game, by=OPERATOR)
    recording.abandon(game, by=OPERATOR)
    recording.restore(game, by=OPERATOR)

    assert [event for event, *_more in told(webhook)] == ["game_finished", "game_corrected"]


def correct(game):
    correct_round(game, number=1, values=values_of(game), seen=newest_of(game), reason="typo", by=OPERATOR)


def rename(game):
    rename_seat(game, seat=seat_ids(game)[0], name="Zoe", reason="typo", by=OPERATOR)


def adjust(game):
    adjust_points(game, seat=seat_ids(game)[0], points=10, reason="bonus", by=OPERATOR)


def reseat(game):
    (anna,) = add(game.club, "Anna")
    move_game(game, game.club, players={seat_ids(game)[2]: anna.pk}, by=OPERATOR)


@pytest.mark.parametrize(
    ("act", "kind", "state"),
    [
        (correct, "round_corrected", "finished"),
        (adjust, "points_adjusted", "finished"),
        (rename, "seat_renamed", "finished"),
        (reseat, "moved", "finished"),
        (lambda game: step_back(game, undoes=newest_of(game), by=OPERATOR), "reopened", "playing"),
        (lambda game: void(game, reason="twice", by=OPERATOR), "voided", "finished"),
    ],
)
def test_whatever_changes_a_result_or_takes_it_away_is_told_as_a_correction(act, kind, state, club):
    webhook = make_webhook(club, events=("game_corrected",))
    game = finished(club)

    act(fresh(game))

    assert told(webhook) == [("game_corrected", kind, state)]
    assert only(webhook).payload["version"] == fresh(game).version
    assert only(webhook).payload["halted"] == fresh(game).halted


def test_a_result_that_is_there_again_is_told_as_finished(club):
    webhook = make_webhook(club)
    game = finished(club)
    step_back(game, undoes=newest_of(game), by=OPERATOR)
    enter_tricks(game)
    void(game, reason="twice", by=OPERATOR)
    restore(game, by=OPERATOR)

    assert told(webhook) == [
        ("game_finished", "tricks_recorded", "finished"),
        ("game_corrected", "reopened", "playing"),
        ("game_finished", "tricks_recorded", "finished"),
        ("game_corrected", "voided", "finished"),
        ("game_finished", "restored", "finished"),
    ]


def test_game_that_ends_early_is_told_and_so_is_that_it_goes_on(club):
    webhook = make_webhook(club)
    game = club_game(club, length=2, rounds=1)
    recording.end_early(game, by=OPERATOR)
    reopen(game, by=OPERATOR)

    assert told(webhook) == [("game_finished", "ended", "finished"), ("game_corrected", "reopened", "bidding")]


def test_whole_sheet_is_told_as_finished(club):
    webhook = make_webhook(club)
    played = rules.PlayedRound(bids=(1, 0, 0), tricks=(1, 0, 0))
    started = recording.record_sheet(
        ["A", "B", "C"],
        rules.HouseRules(),
        first_dealer=0,
        rounds=[played],
        ladder="free",
        cards=[1],
        club=club,
        players=[None] * 3,
        by=OPERATOR,
    )

    assert told(webhook) == [("game_finished", "sheet_recorded", "finished")]
    assert only(webhook).payload["version"] == started.game.version == 2


def test_bare_results_are_told_as_finished_and_their_correction_as_one(club):
    webhook = make_webhook(club)
    game = recording.record_results(["A", "B", "C"], [30, 20, 10], club=club, by=OPERATOR).game
    recording.correct_results(game.pk, [10, 20, 30], seen=2, reason="Misread", by=OPERATOR)

    assert told(webhook) == [
        ("game_finished", "results_recorded", "finished"),
        ("game_corrected", "results_corrected", "finished"),
    ]


def test_only_the_confirmation_that_makes_it_whole_is_told(club):
    webhook = make_webhook(club, events=("game_confirmed",))
    people = [member_of(club) for _ in range(2)]
    players = [player_of(by, club, f"Player {place}") for place, by in enumerate(people)]
    game = finished(club, players)

    confirm(game, seen=game.version, by=people[0])
    assert told(webhook) == []
    confirm(game, seen=game.version, by=people[1])

    assert told(webhook) == [("game_confirmed", "confirmed", "finished")]
    assert only(webhook).payload["version"] == fresh(game).version == fresh(game).confirmed_version


def test_each_club_is_told_its_part_of_a_move(club):
    other = make_club("Andere")
    here, there = make_webhook(club), make_webhook(other)
    game = finished(club)

    move_game(game, other, players={}, by=OPERATOR)

    assert told(here)[1:] == [("game_corrected", "moved", "finished")]
    assert told(there) == [("game_finished", "moved", "finished")]
    assert [hook.deliveries.first().payload["club"] for hook in (here, there)] == [club.pk, other.pk]
    assert str(other.pk) not in json.dumps([{**here.deliveries.first().payload, "delivery": "", "at": "", "game": 0}])


def test_quick_games_are_told_once_they_come_into_a_club(club):
    webhook = make_webhook(club)
    game = make_game(seats=3, rounds=1, length=1)
    move_game(game, club, players={}, by=OPERATOR)
    move_game(make_game(seats=3, rounds=1, length=2), club, players={}, by=OPERATOR)

    assert told(webhook) == [("game_finished", "moved", "finished")]


@pytest.mark.parametrize("event", ALL)
def test_webhook_is_told_only_what_was_chosen_and_only_of_its_club(event, club):
    webhook, foreign = make_webhook(club, events=(event,)), make_webhook(make_club())
    game = finished(club)
    adjust(game)
    confirm(game, seen=newest_of(game), by=OPERATOR)

    assert [name for name, *_more in told(webhook)] == [event]
    assert told(foreign) == []


def test_what_is_not_written_is_not_told(club):
    webhook = make_webhook(club)
    game = club_game(club)
    enter_bids(game)

    with transaction.atomic():
        enter_tricks(game)
        assert len(told(webhook)) == 1
        transaction.set_rollback(True)

    assert told(webhook) == []
    with pytest.raises(rules.RulesError):
        enter_tricks(game, [9, 9, 9])
    assert told(webhook) == []


def test_repeat_is_told_once(club):
    webhook = make_webhook(club)
    game = club_game(club)
    enter_bids(game)
    seats, current = seat_ids(game), open_round(game)
    for _ in range(2):
        recording.record_tricks(
            game,
            taken=dict(zip(seats, (1, 0, 0), strict=True)),
            seen=current.stage_version,
            by=OPERATOR,
            key="k",
        )

    assert len(told(webhook)) == 1


@pytest.mark.parametrize("number", [0, 1, 10])
def test_telling_costs_one_statement_however_many_are_told(number, club):
    for place in range(number):
        make_webhook(club, f"{ADDRESS}{place}")
    game = club_game(club, length=2)

    counted = []
    for _ in range(2):
        enter_bids(game)
        with CaptureQueriesContext(connection) as captured:
            enter_tricks(game)
        counted.append(sum("scoresheets_delivery" in query["sql"] for query in captured.captured_queries))

    assert counted == [0, 1]
    assert Delivery.objects.count() == number


# -- sending by hand --------------------------------------------------------------------------------------------------


def test_test_is_sent_at_once_and_waits_only_once(club):
    webhook = failing(make_webhook(club))

    first, second = ping(webhook, by=owner_of(club)), ping(webhook, by=owner_of(club))

    webhook.refresh_from_db()
    assert first == second == only(webhook)
    assert webhook.rests_until is None
    assert first.payload == {
        "delivery": str(first.uuid),
        "event": "ping",
        "club": club.pk,
        "at": first.created_at.isoformat(timespec="milliseconds"),
    }


def test_delivery_is_sent_again_as_the_same_with_all_tries_before_it(club):
    webhook = failing(make_webhook(club))
    finished(club)
    delivery = only(webhook)
    before = (delivery.uuid, delivery.payload)
    long_ago = timezone.now() - timedelta(days=5)
    webhook.deliveries.update(
        status="delivered", next_try_at=None, delivered_at=long_ago, tries=4, status_code=200, created_at=long_ago
    )

    again = send_again(delivery, by=owner_of(club))

    again.refresh_from_db()
    webhook.refresh_from_db()
    assert (again.uuid, again.payload) == before
    assert (again.status, again.tries, again.delivered_at, again.created_at) == ("pending", 0, None, long_ago)
    assert again.next_try_at >= timezone.now() - timedelta(minutes=1)
    assert (webhook.rests_until, webhook.failures) == (None, 3)


def test_delivery_that_was_forgotten_is_not_sent_again(club):
    delivery = ping(make_webhook(club), by=OPERATOR)
    Delivery.objects.all().delete()

    refused(Conflict, "delivery_gone", send_again, delivery, by=owner_of(club))


# -- at the same moment -----------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_webhook_is_deleted_only_after_whoever_tells_it_something():
    """Otherwise what it was told would refer to nothing, and the game could not be finished."""
    club = make_club()
    webhook, game = make_webhook(club), club_game(club)
    enter_bids(game)
    told_it, deleted = Signal(), Signal()

    def finish():
        with transaction.atomic():
            enter_tricks(game)
            told_it.set()
            # The other one waits for this transaction; where it did not, it would be done by then.
            deleted.wait(0.5)

    def delete():
        assert told_it.wait(10)
        delete_webhook(webhook, by=OPERATOR)
        deleted.set()

    assert race([finish, delete]) == [None, None]
    assert fresh(game).is_finished
    assert Delivery.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_double_tap_makes_one_webhook():
    club = make_club()

    ended = race([lambda: create_webhook(club, WebhookSettings(ADDRESS), by=OPERATOR, key="k")] * 4)

    assert len({(webhook.pk, secret) for webhook, secret in ended}) == 1


@pytest.mark.django_db(transaction=True)
def test_writes_stay_within_their_statements_however_many_are_told():
    """12 for a round and 30 for the last one, until the answer is stored."""
    counted = []
    for number in (0, 3):
        club = make_club(visibility="public")
        for place in range(number):
            make_webhook(club, f"{ADDRESS}{place}")
        recording.create_season(club, recording.SeasonSettings("Winter", date(2020, 1, 1)), by=OPERATOR)
        players = add(club, "Anna", "Bernd", "Cem")
        finished(club, players)
        found = statements.count_finish(club, [player.pk for player in players])
        counted.append([one.writing for one in found])

    (round_before, finish), with_webhooks = counted
    assert with_webhooks == [round_before, finish]
    assert round_before <= 12
    assert finish <= 30
