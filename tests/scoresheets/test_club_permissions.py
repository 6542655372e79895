"""Who may do what with a club and its games: every kind of actor against every permission."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from scoresheets import permissions
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Club, Game, User
from scoresheets.recording import confirm, record_bids
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
)
from tests.scoresheets.factories import DEVICE, fresh, keeper_of, link_to, make_game, seat_ids, seen_of, watcher_of

pytestmark = pytest.mark.django_db

ACTORS = (
    *("nobody", "stranger", "staff", "owner of another club", "watch link", "edit link"),
    *("member", "scorer", "manager", "owner", "operator"),
)
#: Permission -> the actors who have it.
KEEPERS = {"edit link", "scorer", "manager", "owner", "operator"}
MEMBERS = {"member", "scorer", "manager", "owner", "operator"}
SCORERS = MEMBERS - {"member"}
MANAGERS = SCORERS - {"scorer"}
OWNERS = MANAGERS - {"manager"}
GAME = {
    "see": MEMBERS | {"watch link", "edit link"},
    "keep_score": KEEPERS,
    "rematch": KEEPERS,
    "manage_links": KEEPERS,
    "manage_game": MANAGERS,
    "confirm": MANAGERS,
}
CLOSED = {**GAME, "keep_score": MANAGERS}
CLUB = {
    "see_club": MEMBERS,
    "see_roster": MEMBERS,
    "claim": MEMBERS - {"operator"},
    "start_game": SCORERS,
    "see_attendance": MEMBERS,
    "run_evenings": SCORERS,
    "plan_evenings": MANAGERS,
    "add_players": SCORERS,
    "manage_players": MANAGERS,
    "manage_members": MANAGERS,
    "change_club": MANAGERS,
    # Games are brought by somebody: the operator names an account.
    "import": MANAGERS - {"operator"},
    "manage_seasons": MANAGERS,
    "manage_webhooks": MANAGERS,
    "delete_club": OWNERS,
}
#: What needs no check of its own, because whoever may not is not shown that it exists.
ONLY_ASKED = {"see", "see_club"}


def everybody(club: Club, game: Game) -> dict[str, Actor]:
    """Return one actor of each kind."""
    staff = make_user("Staff")
    User.objects.filter(pk=staff.pk).update(is_staff=True, is_superuser=True)
    return {
        "nobody": DEVICE,
        "stranger": actor_of(make_user("Stranger")),
        "staff": actor_of(User.objects.get(pk=staff.pk)),
        "owner of another club": owner_of(make_club("Andere")),
        "watch link": watcher_of(game),
        "edit link": keeper_of(game),
        "operator": OPERATOR,
        **{role: member_of(club, role) for role in ("member", "scorer", "manager", "owner")},
    }


def those_who(name: str, actors: dict[str, Actor], *objects: object) -> set[str]:
    """Return the kinds of actors who can, after comparing each answer with what the check does."""
    able = {kind for kind, actor in actors.items() if getattr(permissions, f"can_{name}")(actor, *objects)}
    for kind, actor in actors.items() if name not in ONLY_ASKED else ():
        check = getattr(permissions, f"check_can_{name}")
        if kind in able:
            check(actor, *objects)
        else:
            with pytest.raises(PermissionDenied):
                check(actor, *objects)
    return able


@pytest.fixture
def club():
    return make_club("Runde", locks_after=24)


def test_all_kinds_of_actors_are_tried(club):
    assert set(everybody(club, club_game(club))) == set(ACTORS)


@pytest.mark.parametrize("name", GAME)
def test_who_may_do_what_with_a_running_game(name, club):
    game = club_game(club)

    assert those_who(name, everybody(club, game), game) == GAME[name]


@pytest.mark.parametrize("closed_by", ["a confirmation", "time"])
@pytest.mark.parametrize("name", CLOSED)
def test_who_may_do_what_with_a_closed_game(name, closed_by, club):
    game = finished(club)
    if closed_by == "time":
        Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(hours=24, seconds=1))
    else:
        confirm(game, seen=game.version, by=OPERATOR)
    game = fresh(game)

    assert those_who(name, everybody(club, game), game) == CLOSED[name]


@pytest.mark.parametrize("name", GAME)
def test_finished_game_is_open_until_it_is_locked(name, club):
    game = finished(club)
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(hours=23, minutes=59))

    assert those_who(name, everybody(club, game), fresh(game)) == GAME[name]


@pytest.mark.parametrize("name", GAME)
def test_club_roles_mean_nothing_in_a_quick_game(name, club):
    game = make_game(seats=3, rounds=1, length=1)
    keepers = {"edit link", "operator"}
    expected = {"see": keepers | {"watch link"}, "manage_game": set(), "confirm": set()}

    assert those_who(name, everybody(club, game), game) == expected.get(name, keepers)


def test_quick_game_never_closes():
    game = make_game(seats=3, rounds=1, length=1)
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(days=4000))

    assert (fresh(game).is_closed, fresh(game).locks_at) == (False, None)


@pytest.mark.parametrize("name", CLUB)
def test_who_may_do_what_in_a_club(name, club):
    assert those_who(name, everybody(club, club_game(club)), club) == CLUB[name]


@pytest.mark.parametrize("visibility", ["unlisted", "public"])
def test_club_that_is_not_private_is_seen_by_everybody_but_its_roster_is_not(visibility):
    club = make_club("Runde", visibility=visibility)
    game = club_game(club)
    actors = everybody(club, game)

    assert those_who("see_club", actors, club) == set(ACTORS)
    assert those_who("see", actors, game) == set(ACTORS)
    assert those_who("see_roster", actors, club) == MEMBERS
    assert those_who("keep_score", actors, game) == KEEPERS


@pytest.mark.parametrize(
    ("before", "after", "able"),
    [
        ("member", "scorer", MANAGERS),
        ("member", "manager", MANAGERS),
        ("manager", "member", MANAGERS),
        ("member", "owner", OWNERS),
        ("owner", "member", OWNERS),
        ("owner", "owner", OWNERS),
    ],
)
def test_only_owners_make_and_unmake_owners(before, after, able, club):
    membership = club.memberships.get(user=member_of(club, before, "Somebody").user)
    actors = everybody(club, club_game(club))

    assert those_who("change_role", actors, membership, after) == able
    assert those_who("remove_member", actors, membership) == (OWNERS if before == "owner" else MANAGERS)


def test_player_and_managers_may_take_the_name_off(club):
    member = member_of(club, "member", "Somebody")
    player = player_of(member, club, "Anna")
    actors = {**everybody(club, club_game(club)), "the player": member}

    assert those_who("anonymise", actors, player) == MANAGERS | {"the player"}


def test_members_answer_for_themselves_and_scorers_for_anybody(club):
    member, left = member_of(club, "member", "Somebody"), member_of(club, "member", "Who left")
    player, of_left = player_of(member, club, "Anna"), player_of(left, club, "Bernd")
    club.memberships.filter(user=left.user).delete()
    actors = {**everybody(club, club_game(club)), "the player": member, "who left": actor_of(left.user)}

    assert those_who("answer_for", actors, player) == SCORERS | {"the player"}
    assert those_who("answer_for", actors, of_left) == SCORERS


def test_account_that_sits_in_a_game_may_confirm_it_also_after_leaving(club):
    member = member_of(club, "member", "Somebody")
    game = finished(club, [player_of(member, club, "Anna"), *add(club, "Bernd")])
    club.memberships.filter(user=member.user).delete()
    actors = {**everybody(club, game), "seated": actor_of(member.user)}

    assert those_who("confirm", actors, game) == MANAGERS | {"seated"}


def test_game_moves_with_the_right_to_both_its_ends(club):
    other = make_club("Ziel")
    quick, own = make_game(seats=3), club_game(club)
    both = member_of(club, "manager", "Both")
    other.memberships.create(user=both.user, role="manager")
    both = actor_of(both.user)
    scorer = member_of(other, "scorer", "Scorer there")
    link = link_to(quick)[0]
    with_link = Actor.of_user(scorer.user, other.memberships.filter(user=scorer.user), link=link)
    actors = {
        "both": both,
        "manager here": member_of(club, "manager"),
        "manager there": member_of(other, "manager"),
        "scorer there": scorer,
        "scorer there with the link": with_link,
        "link alone": Actor.of_link(link),
        "operator": OPERATOR,
    }

    assert those_who("move", actors, own, other) == {"both", "operator"}
    assert those_who("move", actors, quick, other) == {"scorer there with the link", "operator"}
    assert those_who("move", actors, own, club) == {"both", "manager here", "operator"}


def test_signed_in_actor_carries_all_roles_and_the_link_of_the_device():
    first, second = make_club("A"), make_club("B")
    actor = owner_of(first)
    second.memberships.create(user=actor.user, role="scorer")
    link, _secret = link_to(make_game(seats=3), label="Handy")

    actor = Actor.of_user(actor.user, actor.user.memberships.all(), link=link)

    assert (actor.via, actor.role_in(first.pk), actor.role_in(second.pk)) == ("login", "owner", "scorer")
    assert (actor.role_in(None), actor.role_in(second.pk + 1), Actor.of_user(actor.user).role_in(first.pk)) == ("",) * 3
    assert (actor.link_id, actor.link_game_id, actor.link_scope, actor.label) == (
        link.pk,
        link.game_id,
        "edit",
        "Handy",
    )
    assert actor.receipt_owner == f"user:{actor.user.pk}"


@pytest.mark.parametrize(("rounds", "statements"), [(0, 0), (1, 1)])
def test_statements_of_asking_who_keeps_the_score(rounds, statements, club, django_assert_num_queries):
    """Roles are in the actor: only of a finished game the club is read, for its time of locking."""
    game, scorer = club_game(club, rounds=rounds), member_of(club, "scorer")
    quick = make_game(seats=3, rounds=1, length=1)
    keeper = keeper_of(quick)

    with django_assert_num_queries(statements):
        assert permissions.can_keep_score(scorer, game) is True
    with django_assert_num_queries(0):
        assert permissions.can_keep_score(keeper, quick) is True
        assert permissions.can_see(keeper, quick) is True


def test_scorer_of_the_club_keeps_the_score_without_a_link(club):
    game = club_game(club)
    seats = seat_ids(game)

    outcome = record_bids(game, bids={seats[0]: 0}, seen=seen_of(game), by=member_of(club, "scorer"))

    assert outcome.game.version == 2
    with pytest.raises(PermissionDenied):
        record_bids(game, bids={seats[1]: 0}, seen=seen_of(game), by=member_of(club, "member"))
