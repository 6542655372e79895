"""Secret links: made once, shown once, listed, closed."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from scoresheets.models import Link
from scoresheets.models.games import hash_of_secret
from scoresheets.recording import Conflict, make_link, revoke_link
from tests.scoresheets.factories import DEVICE, everything, keeper_of, link_to, make_game, watcher_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("scope", ["edit", "watch"])
def test_make_link_stores_the_hash_and_never_the_secret(scope):
    game = make_game(seats=3)

    link, secret = make_link(game, scope=scope, label="Oma", by=keeper_of(game))

    assert (link.scope, link.label, link.secret_hash, link.is_usable) == (scope, "Oma", hash_of_secret(secret), True)
    assert len(secret) == 22
    assert secret not in str(everything())


def test_make_link_without_a_key_makes_another_one_each_time():
    game = make_game(seats=3)
    keeper = keeper_of(game)

    made = [make_link(game, scope="watch", by=keeper) for _ in range(2)]

    assert made[0][0] != made[1][0]
    assert made[0][1] != made[1][1]


def test_make_link_again_with_the_same_key_shows_the_same_link():
    game = make_game(seats=3)
    keeper = keeper_of(game)
    first = make_link(game, scope="watch", label="TV", by=keeper, key="k")
    before = everything()

    assert make_link(game, scope="watch", label="TV", by=keeper, key="k") == first
    assert everything() == before


@pytest.mark.parametrize("changed", [{"scope": "edit"}, {"label": "Oma"}])
def test_make_link_with_the_key_of_another_link_is_a_conflict(changed):
    game = make_game(seats=3)
    asked = {"scope": "watch", "label": "TV", "by": keeper_of(game), "key": "k"}
    make_link(game, **asked)
    before = everything()

    with pytest.raises(Conflict) as conflict:
        make_link(game, **{**asked, **changed})

    assert conflict.value.code == "key_reused"
    assert everything() == before


def test_links_are_made_and_revoked_by_keepers_only():
    game = make_game(seats=3)
    link, _secret = link_to(game, "watch")
    for actor in (watcher_of(game), keeper_of(make_game(seats=3)), DEVICE):
        before = everything()

        with pytest.raises(PermissionDenied):
            make_link(game, scope="edit", by=actor, key="k")
        with pytest.raises(PermissionDenied):
            revoke_link(link, by=actor)

        assert everything() == before


def test_revoking_a_link_twice_keeps_the_first_time():
    game = make_game(seats=3)
    keeper = keeper_of(game)
    link, _secret = link_to(game, "watch")
    first = revoke_link(link, by=keeper).revoked_at
    before = everything()

    assert revoke_link(link, by=keeper).revoked_at == first
    assert first is not None
    assert everything() == before


def test_usable_links_are_neither_revoked_nor_expired():
    game = make_game(seats=3)
    Link.objects.all().delete()
    now = timezone.now()
    day = timedelta(days=1)
    rows = {
        "open": Link(expires_at=None),
        "later": Link(expires_at=now + day),
        "expired": Link(expires_at=now - day),
        "revoked": Link(revoked_at=now - day),
        "both": Link(revoked_at=now - day, expires_at=now + day),
    }
    for label, link in rows.items():
        link.game, link.scope, link.label, link.secret_hash = game, "edit", label, label
        link.save()

    assert sorted(Link.objects.usable().values_list("label", flat=True)) == ["later", "open"]
    assert [label for label, link in rows.items() if link.is_usable] == ["open", "later"]
