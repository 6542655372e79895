"""Several people change a club and its people at the same moment: what must hold of all of them together holds."""

from __future__ import annotations

import pytest

import rules
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Claim, Club, Game, Invitation, Player, Seat
from scoresheets.recording import (
    ClubSettings,
    accept_invitation,
    add_player,
    anonymise_player,
    change_role,
    claim_player,
    confirm,
    create_club,
    decide_claim,
    invite,
    leave_club,
    make_claim_link,
    merge_players,
    move_game,
    rename_player,
    start_game,
    use_claim_link,
)
from scoresheets.recording.repair import differences_of
from tests.scoresheets.clubs import add, finished, make_club, make_user, member_of, owner_of, player_of, players_at
from tests.scoresheets.factories import enter_bids, fresh, make_game, seat_ids
from tests.scoresheets.recording.test_races import WRITERS, race

pytestmark = pytest.mark.django_db(transaction=True)


def refusals(ended):
    """Return the codes, or the kinds of errors, of the writes that were refused, sorted."""
    return sorted(end.split("(")[0] for end in ended if isinstance(end, str))


def test_invitation_lets_in_as_many_as_it_is_for():
    club = make_club()
    _invitation, secret = invite(club, role="member", by=owner_of(club), most_uses=2)
    actors = [Actor.of_user(make_user(f"Guest {n}")) for n in range(WRITERS)]

    ended = race([lambda by=by: accept_invitation(secret, by=by) for by in actors])

    assert refusals(ended) == ["invitation_used_up"] * (WRITERS - 2)
    assert (club.memberships.count(), Invitation.objects.get().uses) == (3, 2)


def test_double_tap_joins_once():
    club, by = make_club(), Actor.of_user(make_user("Anna"))
    secrets = [invite(club, role="member", by=owner_of(club))[1] for _ in range(2)]

    ended = race([lambda secret=secret: accept_invitation(secret, by=by) for secret in secrets * 3])

    assert refusals(ended) == []
    assert len({membership.pk for membership in ended}) == 1
    assert sum(Invitation.objects.values_list("uses", flat=True)) == 1


def test_one_of_the_last_two_owners_stays():
    club = make_club()
    owners = [owner_of(club), member_of(club, "owner")]

    ended = race([lambda by=by: leave_club(club, by=by) for by in owners])

    assert refusals(ended) == ["last_owner"]
    assert club.memberships.filter(role="owner").count() == 1


def test_two_owners_cannot_unmake_each_other():
    club = make_club()
    owners = [owner_of(club), member_of(club, "owner")]
    others = [club.memberships.get(user=by.user) for by in reversed(owners)]

    ended = race(
        [
            lambda by=by, other=other: change_role(other, role="member", by=by)
            for by, other in zip(owners, others, strict=True)
        ]
    )

    assert refusals(ended) == ["PermissionDenied"]
    assert club.memberships.filter(role="owner").count() == 1


def test_one_name_is_added_once():
    club = make_club()

    ended = race([lambda name=name: add_player(club, name, by=OPERATOR) for name in ("Anna", "anna", "ANNA")])

    assert refusals(ended) == ["RulesError"] * 2
    assert club.players.filter(name__iexact="anna").count() == 1


def test_club_founded_with_one_key_is_one_club():
    by = Actor.of_user(make_user("Anna"))

    ended = race([lambda: create_club(ClubSettings("Runde"), by=by, key="k") for _ in range(WRITERS)])

    assert {club.pk for club in ended} == {Club.objects.get().pk}
    assert (Player.objects.count(), Club.objects.get().memberships.count()) == (1, 1)


def test_personal_link_is_used_by_one():
    club = make_club()
    (anna,) = add(club, "Anna")
    _link, secret = make_claim_link(anna, by=owner_of(club))
    actors = [Actor.of_user(make_user(f"Guest {n}")) for n in range(3)]

    ended = race([lambda by=by: use_claim_link(secret, by=by) for by in actors])

    assert refusals(ended) == ["link_gone"] * 2
    (winner,) = [by for by, end in zip(actors, ended, strict=True) if not isinstance(end, str)]
    assert Player.objects.get(pk=anna.pk).user == winner.user


def test_player_is_given_to_one_of_two_claims():
    club = make_club()
    (anna,) = add(club, "Anna")
    claims = [claim_player(anna, by=member_of(club)) for _ in range(3)]

    ended = race([lambda claim=claim: decide_claim(claim, accepted=True, by=OPERATOR) for claim in claims])

    assert refusals(ended) == ["already_decided"] * 2
    assert sorted(Claim.objects.values_list("accepted", flat=True)) == [False, False, True]


def test_of_two_merges_against_each_other_one_wins():
    club = make_club()
    anna, anni = add(club, "Anna", "Anni")

    ended = race([lambda: merge_players(anna, anni, by=OPERATOR), lambda: merge_players(anni, anna, by=OPERATOR)])

    assert refusals(ended) == ["player_merged"]
    assert len({player.canonical_id for player in Player.objects.filter(pk__in=[anna.pk, anni.pk])}) == 1


def test_two_players_of_one_game_are_never_merged():
    club = make_club()
    anna, anni = add(club, "Anna", "Anni")

    ended = race(
        [
            lambda: merge_players(anna, anni, by=OPERATOR),
            lambda: start_game(
                ("A", "B", "C"),
                rules.HouseRules(),
                first_dealer=0,
                club=club,
                players=[anna.pk, anni.pk, None],
                by=OPERATOR,
            ),
        ]
    )

    assert refusals(ended) in (["RulesError"], ["sat_together"])
    together = Game.objects.exists()
    assert (Player.objects.get(pk=anni.pk).canonical_id == anna.pk) is not together


def test_game_is_moved_into_one_of_two_clubs():
    first, second = make_club("A"), make_club("B")
    game = make_game(seats=3, rounds=1, length=1)
    seat = seat_ids(game)[0]

    ended = race(
        [lambda club=club: move_game(game, club, players={seat: "Anna"}, by=OPERATOR) for club in (first, second)]
    )

    assert refusals(ended) in ([], ["stale"])
    (anna,) = Player.objects.filter(pk__in=[who for who in players_at(game) if who])
    assert anna.club_id == fresh(game).club_id
    assert differences_of(game.pk) == []


def test_two_who_confirm_at_once_confirm_the_game():
    club = make_club()
    actors = [member_of(club) for _ in range(3)]
    game = finished(club, [player_of(by, club, f"P{n}") for n, by in enumerate(actors)])

    ended = race([lambda by=by: confirm(game, seen=game.version, by=by) for by in actors])

    assert refusals(ended) == []
    assert fresh(game).is_confirmed is True
    assert differences_of(game.pk) == []


def test_names_change_while_the_score_is_kept():
    """Renaming locks the game before its seats, as every score does: neither waits for the other for ever."""
    club = make_club()
    anna, bernd = add(club, "Anna", "Bernd")
    game = make_game(seats=3, length=1)
    move_game(game, club, players=dict(zip(seat_ids(game), (anna.pk, bernd.pk), strict=False)), by=OPERATOR)
    Seat.objects.filter(player=anna).update(name="Anna")

    ended = race(
        [
            lambda: rename_player(anna, name="Anna Lena", by=owner_of(club)),
            lambda: enter_bids(game),
            lambda: anonymise_player(bernd, by=OPERATOR),
        ]
    )

    assert refusals(ended) == []
    assert [seat.name for seat in game.seats.order_by("position")] == ["Anna Lena", f"Person {bernd.pk}", "Cem"]
    assert differences_of(game.pk) == []
