"""Who may do what, for every kind of actor; and whose request keys are whose."""

import pytest
from django.core.exceptions import PermissionDenied

from scoresheets import permissions
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import User
from scoresheets.models.games import Via
from tests.scoresheets.factories import DEVICE, keeper_of, link_to, make_game, watcher_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("who", "sees", "keeps", "manages"),
    [
        ("operator", True, True, True),
        ("keeper", True, True, True),
        ("watcher", True, False, False),
        ("keeper of another game", False, False, False),
        ("device without a link", False, False, False),
        ("account without a link", False, False, False),
    ],
)
def test_permissions_of_each_actor(who, sees, keeps, manages):
    game = make_game(seats=3)
    actor = {
        "operator": OPERATOR,
        "keeper": keeper_of(game),
        "watcher": watcher_of(game),
        "keeper of another game": keeper_of(make_game(seats=3)),
        "device without a link": DEVICE,
        "account without a link": Actor(via=Via.LOGIN, user=User(pk=1)),
    }[who]

    assert permissions.can_see(actor, game) is sees
    assert permissions.can_keep_score(actor, game) is keeps
    assert permissions.can_manage_links(actor, game) is manages
    for check, allowed in ((permissions.check_can_keep_score, keeps), (permissions.check_can_manage_links, manages)):
        if allowed:
            check(actor, game)
        else:
            with pytest.raises(PermissionDenied):
                check(actor, game)


def test_actor_of_a_link_carries_its_game_scope_and_label():
    game = make_game(seats=3)
    link, _secret = link_to(game, "watch", label="TV")

    assert Actor.of_link(link) == Actor(
        via=Via.WATCH_LINK, link_id=link.pk, link_game_id=game.pk, link_scope="watch", label="TV"
    )
    assert keeper_of(game).via == Via.EDIT_LINK


def test_request_keys_belong_to_account_link_or_device():
    owners = [
        Actor(via=Via.LOGIN, user=User(pk=7), link_id=9).receipt_owner,
        Actor(via=Via.EDIT_LINK, link_id=9).receipt_owner,
        Actor.of_device("d0").receipt_owner,
        Actor.of_device("d1").receipt_owner,
    ]

    assert owners == ["user:7", "link:9", "device:d0", "device:d1"]
