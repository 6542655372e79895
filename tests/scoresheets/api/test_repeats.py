from __future__ import annotations

import threading
from datetime import timedelta

import pytest
import time_machine
from django.db import connection, connections

from scoresheets.actors import Actor
from scoresheets.models import Club, Receipt
from scoresheets.recording import accounts, receipts
from scoresheets.recording.errors import Conflict
from scoresheets.recording.receipts import Kept, fingerprint_of, written_once
from tests.scoresheets.api.helpers import Api, token_of
from tests.scoresheets.clubs import make_club, make_user, member_of, owner_of

pytestmark = pytest.mark.django_db

BODY = {"name": "Runde"}


@pytest.mark.parametrize("key", ["a", "x" * 64, "!~", "5e0f1d3c-8f53-4b7e-9e43-1f3f6f0b2c11"])
def test_key_makes_a_write_happen_once(key):
    api = Api.of(make_user("Annika"))
    answers = [api.post("clubs/", BODY, Idempotency_Key=key) for _ in range(3)]
    assert [answer.body for answer in answers] == [answers[0].body] * 3
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, "true", "true"]
    assert Club.objects.count() == 1


@pytest.mark.parametrize("key", ["", " ", "x" * 65, "two words", "ä", "tab\t"])
def test_key_that_is_none_is_refused(key):
    answer = Api.of(make_user("Annika")).post("clubs/", BODY, Idempotency_Key=key)
    assert answer.refusal == (400, "key_malformed")
    assert Club.objects.count() == 0


def test_without_a_key_each_request_counts():
    api = Api.of(make_user("Annika"))
    assert api.post("clubs/", BODY).body["id"] != api.post("clubs/", BODY).body["id"]
    assert not Receipt.objects.exists()


def test_key_with_another_body_or_address_is_refused():
    club = make_club()
    api = Api.of(owner_of(club))
    api.patch(f"clubs/{club.pk}/", {"name": "Neu"}, Idempotency_Key="k")

    answers = [
        api.patch(f"clubs/{club.pk}/", {"name": "Anders"}, Idempotency_Key="k"),
        api.post("clubs/", {"name": "Neu"}, Idempotency_Key="k"),
        api.delete(f"clubs/{club.pk}/", Idempotency_Key="k"),
    ]

    assert [answer.refusal for answer in answers] == [(422, "key_reused")] * 3
    assert Club.objects.get().name == "Neu"


def test_order_of_the_fields_makes_no_other_body():
    api = Api.of(make_user("Annika"))
    api.post("clubs/", {"name": "Runde", "language": "de"}, Idempotency_Key="k")
    assert api.post("clubs/", {"language": "de", "name": "Runde"}, Idempotency_Key="k").status == 201
    assert Club.objects.count() == 1


def test_keys_of_two_tokens_and_two_accounts_do_not_meet():
    annika, bernd = make_user("Annika"), make_user("Bernd")
    for api in (Api.of(annika), Api.of(annika), Api.of(bernd)):
        assert "Idempotency-Replayed" not in api.post("clubs/", BODY, Idempotency_Key="k").headers
    assert Club.objects.count() == 3


def test_repeat_gets_the_answer_of_the_first_time_even_if_all_has_changed_since():
    club = make_club()
    api = Api.of(owner_of(club))
    first = api.patch(f"clubs/{club.pk}/", {"name": "Neu"}, Idempotency_Key="k")
    api.patch(f"clubs/{club.pk}/", {"name": "Noch neuer"})

    again = api.patch(f"clubs/{club.pk}/", {"name": "Neu"}, Idempotency_Key="k")

    assert again.body == first.body
    assert Club.objects.get().name == "Noch neuer"


def test_refused_write_keeps_nothing_and_may_be_sent_again():
    club = make_club()
    api = Api.of(owner_of(club))
    assert api.patch(f"clubs/{club.pk}/", {"time_zone": "Mars"}, Idempotency_Key="k").status == 400
    assert not Receipt.objects.exists()
    assert api.patch(f"clubs/{club.pk}/", {"time_zone": "Europe/Rome"}, Idempotency_Key="k").status == 200


def test_repeat_by_somebody_who_may_not_any_more_is_refused():
    club = make_club()
    manager = member_of(club, "manager")
    api = Api.of(manager)
    api.patch(f"clubs/{club.pk}/", {"name": "Neu"}, Idempotency_Key="k")
    club.memberships.filter(user=manager.user).update(role="member")

    answer = api.patch(f"clubs/{club.pk}/", {"name": "Neu"}, Idempotency_Key="k")

    assert answer.refusal == (403, "not_allowed")


def test_deletion_of_something_else_is_not_done_already():
    club, other = make_club(), make_club("Andere", visibility="public")
    api = Api.of(owner_of(club))
    api.delete(f"clubs/{club.pk}/", Idempotency_Key="k")
    assert api.delete(f"clubs/{other.pk}/", Idempotency_Key="k").refusal == (403, "not_allowed")


def test_failure_after_the_write_takes_the_write_back():
    actor = Actor.of_user(make_user("Annika"))

    def write() -> Kept:
        Club.objects.create(name="Halb")
        raise Conflict("stale")

    with pytest.raises(Conflict):
        written_once(actor, "k", "f", write)
    with pytest.raises(Conflict):
        written_once(actor, None, "f", write)

    assert (Club.objects.count(), Receipt.objects.count()) == (0, 0)


def test_secrets_are_not_kept_but_told_again():
    actor, told = Actor.of_user(make_user("Annika")), []

    def write() -> Kept:
        told.append("secret")
        return Kept(201, {"id": 1, "secret": "tfr_x"}, {})

    answers = [written_once(actor, "k", "f", write, secrets=["secret"]) for _ in range(2)]

    assert answers == [(Kept(201, {"id": 1, "secret": "tfr_x"}, {}), False), (answers[0][0], True)]
    assert len(told) == 2
    assert Receipt.objects.get().body["body"] == {"id": 1}


def test_answers_are_kept_for_a_week():
    with time_machine.travel("2026-03-01T12:00:00Z", tick=False) as now:
        api = Api.of(make_user("Annika"))
        api.post("clubs/", BODY, Idempotency_Key="k")
        now.shift(timedelta(days=7))
        receipts.forget_old_receipts()
        kept = Receipt.objects.count()
        now.shift(timedelta(seconds=1))
        receipts.forget_old_receipts()
    assert (kept, Receipt.objects.count()) == (1, 0)


def test_deletion_of_the_account_forgets_its_answers():
    user, other = make_user("Annika"), make_user("Bernd")
    for one in (user, other):
        Api.of(one).post("clubs/", BODY, Idempotency_Key="k")
    token, _secret = token_of(user)
    for owner in (f"user:{user.pk}", f"api:user:{user.pk}", f"token:{token.pk}"):
        Receipt.objects.create(actor=owner, key="k", fingerprint="f", status=200, body={})

    accounts.delete_account(user, by=Actor.of_user(user))

    assert [receipt.actor for receipt in Receipt.objects.all()] == [f"api:token:{other.tokens.get().pk}"]


@pytest.mark.django_db(transaction=True)
def test_of_two_equal_requests_at_once_one_writes():
    actor, started = Actor.of_user(make_user("Annika")), threading.Barrier(2, timeout=20)
    answers = []

    def write() -> Kept:
        if connection.vendor == "postgresql":
            # Both are past looking for an answer before either has written one.
            with_other()
        club = Club.objects.create(name="Runde")
        return Kept(201, {"id": club.pk}, {})

    def with_other() -> None:
        if not answers and not started.broken:
            started.wait()

    def ask() -> None:
        try:
            answers.append(written_once(actor, "k", fingerprint_of("x"), write))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    club = Club.objects.get()
    assert sorted(is_repeat for _kept, is_repeat in answers) == [False, True]
    assert [kept.body for kept, _is_repeat in answers] == [{"id": club.pk}] * 2
