"""Each named constraint on clubs and their people holds in the database itself, whoever writes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.db.models import ProtectedError, RestrictedError
from django.utils import timezone

import rules
from scoresheets.models import Claim, Club, Game, Invitation, Membership, Merge, Player, PlayerLink, Seat, User, people
from scoresheets.models.people import LADDERS_OF_CLUBS
from tests.scoresheets.clubs import add, club_game, make_club, make_user, member_of
from tests.scoresheets.models.test_games import broken_constraint

pytestmark = pytest.mark.django_db

NOW = timezone.now()
#: Constraint -> which row is changed, to what.
ATTACKS = {
    "club_has_a_name": ("club", {"name": ""}),
    "club_has_a_time_zone": ("club", {"time_zone": ""}),
    "club_language_is_known": ("club", {"language": "fr"}),
    "club_visibility_is_known": ("club", {"visibility": "secret"}),
    "club_ladder_is_known": ("club", {"ladder": "free"}),
    "club_locks_within_a_year": ("club", {"locks_after": 8761}),
    "membership_role_is_known": ("membership", {"role": "king"}),
    "invitation_role_is_no_owner": ("invitation", {"role": "owner"}),
    "invitation_is_for_somebody": ("invitation", {"most_uses": 0}),
    "invitation_not_used_too_often": ("invitation", {"uses": 3}),
    "player_name_once_a_club": ("player", {"name": "bERND"}),
    "player_has_a_name": ("player", {"name": ""}),
    "player_guest_has_no_account": ("own player", {"is_guest": True}),
    "claim_decided_has_a_time": ("claim", {"accepted": True}),
    "merge_is_of_two_players": ("merge", {"merged": models.F("kept")}),
}
#: Those that need a second row: the row, and its fields that are taken over.
DOUBLES = {
    "membership_once_a_club_and_user": ("membership", ["club", "user"], {"role": "member"}),
    "invitation_secret_is_unique": ("invitation", ["club", "secret_hash", "expires_at"], {}),
    "player_once_a_club_and_user": ("own player", ["club", "user"], {"name": "Somebody else"}),
    "player_link_secret_is_unique": ("link", ["player", "secret_hash", "expires_at"], {"revoked_at": NOW}),
    "player_link_one_open_a_player": ("link", ["player", "expires_at"], {"secret_hash": "c" * 64}),
    "claim_one_open_a_player_and_user": ("claim", ["player", "user"], {}),
    "merge_one_standing_a_player": ("merge", ["kept", "merged"], {"moved": []}),
}
#: Checks that this row breaks as well, because one cannot be broken without the other.
ALSO = {"invitation_is_for_somebody": {"invitation_not_used_too_often"}}


@pytest.fixture
def rows():
    """Return one row of each kind, in a club that knows Anna, Bernd and its owner."""
    club = make_club("Runde")
    anna, bernd, twin = add(club, "Anna", "Bernd", "Anna B.")
    user = member_of(club).user
    return {
        "club": club,
        "membership": club.memberships.get(role="owner"),
        "invitation": Invitation.objects.create(
            club=club, secret_hash="a" * 64, expires_at=NOW, most_uses=2, uses=1, role="member"
        ),
        "player": anna,
        "own player": club.players.get(user__isnull=False),
        "claim": Claim.objects.create(player=anna, user=user),
        "link": PlayerLink.objects.create(player=anna, secret_hash="b" * 64, expires_at=NOW),
        "merge": Merge.objects.create(kept=bernd, merged=twin, moved=[twin.pk]),
    }


def test_every_constraint_has_an_attack():
    ours = [model for model in apps.get_app_config("scoresheets").get_models() if model.__module__ == people.__name__]

    assert {c.name for model in ours if model is not User for c in model._meta.constraints} == {*ATTACKS, *DOUBLES}


@pytest.mark.parametrize("name", ATTACKS)
def test_database_refuses_a_row_that_breaks(name, rows):
    kind, values = ATTACKS[name]
    row = rows[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.filter(pk=row.pk).update(**values)

    assert _broken(refused.value, row, name) in {name, *ALSO.get(name, ())}


@pytest.mark.parametrize("name", DOUBLES)
def test_database_refuses_a_second_row_that_breaks(name, rows):
    kind, kept, changed = DOUBLES[name]
    row = rows[kind]

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        type(row).objects.create(**{field: getattr(row, field) for field in kept}, **changed)

    assert _broken(refused.value, row, name) == name


def _broken(error: IntegrityError, row: models.Model, expected: str) -> str:
    """Return the broken constraint; of several over the same columns SQLite does not say which: the expected one."""
    text = str(error)
    for constraint in type(row)._meta.constraints:
        if constraint.name == expected and connection.vendor == "sqlite" and "UNIQUE" in text:
            columns = [row._meta.get_field(name).column for name in constraint.fields]
            named = [word.rpartition(".")[2] for word in text.partition(": ")[2].split(", ")]
            if columns == named:
                return expected
    return broken_constraint(error, row)


def test_a_name_is_free_again_when_its_player_is_archived_or_merged(rows):
    club, anna = rows["club"], rows["player"]
    Player.objects.filter(pk=anna.pk).update(archived_at=NOW)
    again = Player.objects.create(club=club, name="ANNA")
    Player.objects.filter(pk=again.pk).update(canonical=anna.pk)

    Player.objects.create(club=club, name="Anna")

    assert sorted(Player.objects.filter(name__iexact="anna").values_list("name", flat=True)) == ["ANNA", "Anna", "Anna"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=anna.pk).update(archived_at=None)


def test_the_same_name_in_another_club_is_another_player(rows):
    other = make_club("Andere")

    assert Player.objects.create(club=other, name="Anna").club == other


def test_an_account_is_one_player_a_club_and_may_be_one_in_each(rows):
    own, other = rows["own player"], make_club("Andere")

    Player.objects.create(club=other, name="Anna", user=own.user)

    assert own.user.players.count() == 2


def test_a_claim_may_be_asked_again_once_it_was_decided(rows):
    claim = rows["claim"]
    Claim.objects.filter(pk=claim.pk).update(accepted=False, decided_at=NOW)

    assert Claim.objects.create(player=claim.player, user=claim.user).accepted is None


def test_new_player_is_its_own_canonical_player(rows):
    stored = Player.objects.get(pk=rows["player"].pk)

    assert (stored.canonical_id, stored.is_canonical, rows["player"].canonical_id) == (stored.pk, True, stored.pk)


def test_player_without_a_canonical_one_cannot_be_stored(rows):
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=rows["player"].pk).update(canonical=None)

    def point_to_nobody():
        Player.objects.filter(pk=rows["player"].pk).update(canonical=0)
        connection.check_constraints()

    with pytest.raises(IntegrityError), transaction.atomic():
        point_to_nobody()


def test_club_with_games_and_player_with_seats_are_protected(rows):
    club, anna = rows["club"], rows["player"]
    game = club_game(club, [anna])

    with pytest.raises(ProtectedError):
        club.delete()
    with pytest.raises(RestrictedError):
        anna.delete()

    assert (Game.objects.get(pk=game.pk).club, Seat.objects.filter(player=anna).count()) == (club, 1)


def test_deleting_a_club_leaves_other_clubs_alone(rows):
    other = make_club("Andere")
    add(other, "Anna")

    rows["club"].delete()

    assert list(Club.objects.all()) == [other]
    assert {player.club for player in Player.objects.all()} == {other}
    assert not Player.history.exclude(club=other.pk).exists()


def test_account_that_belongs_to_a_club_cannot_be_deleted(rows):
    with pytest.raises(ProtectedError):
        rows["membership"].user.delete()


def test_no_player_sits_on_two_seats_of_a_game(rows):
    anna, bernd = rows["player"], Player.objects.get(name="Bernd")
    game = club_game(rows["club"], [anna, bernd])

    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.filter(game=game, player=bernd).update(player=anna)


def test_roles_in_rising_order_reach_those_before():
    roles = list(Membership.Role)

    reached = [[role.reaches(least) for least in roles] for role in roles]

    assert reached == [[True] * n + [False] * (4 - n) for n in (1, 2, 3, 4)]


def test_choices_and_ladders_are_those_that_there_are():
    assert set(LADDERS_OF_CLUBS) == set(rules.LADDERS) - {"free"}
    assert Club(name="X").house_rules == rules.HouseRules()


@pytest.mark.parametrize(
    ("changed", "usable"),
    [
        ({}, True),
        ({"uses": 1}, True),
        ({"uses": 2}, False),
        ({"most_uses": None, "uses": 500}, True),
        ({"revoked_at": NOW}, False),
        ({"expires_at": NOW - timedelta(seconds=1)}, False),
    ],
)
def test_invitation_is_usable_until_it_is_not(changed, usable):
    values = {"expires_at": timezone.now() + timedelta(days=1), "most_uses": 2, "uses": 0, **changed}

    assert Invitation(**values).is_usable is usable


def test_rows_name_themselves_for_the_operator(rows):
    user = make_user("Zoe")
    membership = Membership(club=rows["club"], user=user, role="scorer")

    named = [str(rows[kind]) for kind in ("club", "invitation", "player", "merge")]

    assert named == ["Runde", "member", "Anna", "Anna B. → Bernd"]
    assert str(membership) == "Zoe: scorer"
    assert str(Claim(player=rows["player"], user=user)) == "Zoe: Anna"
    assert str(rows["link"]) == f"Link {rows['link'].pk}"
