"""Writing a club's file: from one moment, in pieces, with nothing in it that opens a door."""

from __future__ import annotations

import json
import threading

import pytest
from django.db import connection, transaction

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Entry, Link
from scoresheets.queries.club_files import club_file
from scoresheets.recording.tokens import make_token
from tests.scoresheets.club_files import small_club, text_of
from tests.scoresheets.clubs import add, finished, make_club, owner_of
from tests.scoresheets.factories import link_to
from tests.scoresheets.webhooks import make_webhook

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("more", [0, 3])  # every dimension that grows
def test_the_number_of_statements_is_constant(more, django_assert_num_queries):
    club = small_club()
    for _ in range(more):
        recording.plan_evening(club, recording.EveningPlan.of(club.evenings.all()[0], club), by=OPERATOR)
        finished(club, add(club, *(f"{club.players.count()}{letter}" for letter in "ABC")))

    with django_assert_num_queries(21):
        text_of(club)


def test_each_item_has_a_line_of_its_own():
    club = small_club()

    lines = text_of(club).splitlines()

    assert [
        json.loads(line.removesuffix(",").removesuffix("]"))["number"] for line in lines if '"number":' in line[:10]
    ] == [
        *range(1, 6),
        *(1, 1),
        *(1, 2),
    ]
    assert "".join(club_file(club)).count("\n") == len(lines)


def test_no_secret_and_no_account_is_in_the_file():
    club = small_club()
    owner = owner_of(club)
    owner.user.email = "uhu@example.org"
    owner.user.save()
    game = club.games.all()[0]
    link, secret = link_to(game, label="Phone")
    token, token_secret = make_token(name="App", scope="manage", club=club, days=1, by=owner)
    invitation, invitation_secret = recording.invite(club, role="member", by=owner)
    address = recording.make_calendar_address(club, by=owner)
    webhook = make_webhook(club)
    player_link, player_secret = recording.make_claim_link(club.players.order_by("pk")[2], by=owner)

    text = text_of(club)

    hashes = (link, token, invitation, webhook, player_link)
    for hidden in (
        *(secret, token_secret, invitation_secret, player_secret, address.nonce, webhook.nonce, webhook.address),
        *(one.secret_hash for one in hashes),
        *(owner.user.email, owner.user.password),
    ):
        assert hidden not in text
    assert Link.objects.filter(game__club=club).exists()


def test_who_wrote_an_entry_is_a_name():
    club = make_club(owner="Uhu")
    game = finished(club)
    recording.confirm(game, seen=game.version, by=owner_of(club))
    Entry.objects.filter(game=game, version=1).update(label="Phone of Anna", user=owner_of(club).user)

    data = json.loads(text_of(club))

    assert [entry.get("by") for entry in data["games"][0]["journal"]] == ["Phone of Anna", None, None, "Uhu"]


def test_a_club_that_is_gone_has_no_file():
    club = make_club()
    recording.delete_club(Club.objects.get(pk=club.pk), by=owner_of(club))

    with pytest.raises(Club.DoesNotExist):
        text_of(club)


@pytest.mark.django_db(transaction=True)
def test_the_file_is_from_one_moment_and_keeps_nobody_from_writing():
    club = small_club()
    before = text_of(club)
    pieces = club_file(club)
    first = next(pieces)

    def write() -> None:
        try:
            finished(club, add(club, "Late"))
            recording.change_club(club, recording.ClubSettings("Renamed"), by=OPERATOR)
        finally:
            connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    writer.join(10)
    assert not writer.is_alive()

    assert first + "".join(pieces) == before
    assert not connection.in_atomic_block
    after = text_of(club)
    assert '"name":"Renamed"' in after
    # And who writes next begins as a writer again.
    with transaction.atomic():
        recording.archive_player(club.players.get(name="Late"), by=OPERATOR)


@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_not_taken_to_its_end_leaves_no_transaction():
    pieces = club_file(small_club())
    next(pieces)

    pieces.close()

    assert not connection.in_atomic_block
