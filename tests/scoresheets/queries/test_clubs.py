"""What a club's pages read: as many statements for a large club as for a new one, and whom a name may mean."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from scoresheets.actors import OPERATOR
from scoresheets.models import Game, Invitation, Player
from scoresheets.queries.clubs import (
    club_home,
    clubs_of,
    games_of,
    invitation_of,
    invitations_of,
    members_of,
    merge_preview,
    merges_of,
    near_names,
    open_claims,
    player_link_of,
    player_of,
    roster,
    with_seats,
)
from scoresheets.recording import (
    Conflict,
    archive_player,
    claim_player,
    invite,
    make_claim_link,
    merge_players,
    revoke_invitation,
    undo_merge,
    void,
)
from tests.scoresheets import clubs as made
from tests.scoresheets.clubs import add, club_game, fill, finished, make_club, make_user, member_of, owner_of, refused
from tests.scoresheets.factories import make_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club("Runde", owner="Olga")


@pytest.mark.parametrize(("people", "games"), [(3, 1), (200, 1200)])
def test_statements_of_a_club_do_not_grow_with_it(people, games, club, django_assert_num_queries):
    fill(club, people, games)
    user = club.memberships.get(role="owner").user

    with django_assert_num_queries(7):
        home = club_home(club)
        assert [seat.name for game in home.games for seat in game.winners]
    with django_assert_num_queries(1):
        (row,) = clubs_of(user)
    with django_assert_num_queries(1):
        assert len([membership.user.username for membership in members_of(club)]) == people + 1
    with django_assert_num_queries(1):
        assert next(player.user.username for player in near_names(club, "player 001")) == "user1"

    assert (home.members, row.members, home.games_page.paginator.count) == (people + 1, people + 1, games)
    assert (len(home.roster), len(home.games)) == (min(people + 1, 50), min(games, 20))
    assert sum(line.games for line in home.roster if line.player.name.startswith("Player")) > 0


def test_pages_of_a_club_count_from_one_and_stop_at_the_last(club):
    fill(club, 60, 45)

    first, last, beyond = (club_home(club, roster_page=n, games_page=n) for n in (1, 3, 99))

    assert [len(first.roster), len(first.games)] == [50, 20]
    assert (last.roster_page.number, len(last.roster), last.games_page.number, len(last.games)) == (2, 11, 3, 5)
    assert (beyond.roster, beyond.games) == (last.roster, last.games)
    started = [game.game.started_at for game in first.games + last.games]
    assert started == sorted(started, reverse=True)


def test_empty_club_has_a_page_too(club):
    home = club_home(club)

    assert ([line.player.name for line in home.roster], home.games, home.members) == (["Olga"], [], 1)


def test_roster_counts_the_games_of_duplicates_and_leaves_out_others(club):
    anna, twin, bernd = add(club, "anna", "Anni", "Bernd")
    finished(club, [anna, bernd])
    club_game(club, [twin])
    merge_players(anna, twin, by=OPERATOR)
    archive_player(bernd, by=OPERATOR)
    add(make_club("Andere"), "Cem")

    home = club_home(club)

    assert [(line.player.name, line.games) for line in home.roster] == [("anna", 2), ("Olga", 0)]
    assert [player.name for player in roster(club, archived=True)] == ["Bernd"]


def test_games_of_a_club_are_its_own_and_not_voided(club):
    first, second, gone = finished(club), club_game(club), finished(club)
    void(gone, reason="x", by=OPERATOR)
    make_game(seats=3)
    club_game(make_club("Andere"))
    Game.objects.filter(pk=first.pk).update(started_at=F("started_at") + timedelta(days=1))

    listed = with_seats(games_of(club))

    assert [row.game.pk for row in listed] == [first.pk, second.pk]
    assert [seat.name for seat in listed[0].seats] == ["Xaver", "Yvonne", "Zita"]
    assert [seat.name for seat in listed[0].winners] == ["Xaver"]
    assert listed[1].winners == []


def test_clubs_of_an_account_are_by_name_with_its_role(club):
    other = make_club("anfang", owner="Anna")
    user = owner_of(other).user
    club.memberships.create(user=user, role="scorer")
    game = club_game(other)

    assert [(row.club, row.role, row.members, row.last_played) for row in clubs_of(user)] == [
        (other, "owner", 1, game.started_at),
        (club, "scorer", 2, None),
    ]
    assert clubs_of(make_user("Nobody")) == []


def test_members_are_listed_owners_first(club):
    for role, name in [("member", "Zoe"), ("member", "adam"), ("manager", "Mia"), ("owner", "Anna"), ("scorer", "Sam")]:
        member_of(club, role, name)

    assert [row.user.username for row in members_of(club)] == ["Anna", "Olga", "Mia", "Sam", "adam", "Zoe"]


def test_open_invitations_and_the_one_of_a_secret(club):
    owner = owner_of(club)
    opened, secret = invite(club, role="member", by=owner)
    revoked, revoked_secret = invite(club, role="member", by=owner)
    revoke_invitation(revoked, by=owner)
    used, _secret = invite(club, role="member", by=owner, most_uses=1)
    Invitation.objects.filter(pk=used.pk).update(uses=1)
    expired, _secret = invite(club, role="member", by=owner)
    Invitation.objects.filter(pk=expired.pk).update(expires_at=timezone.now())

    assert invitations_of(club) == [opened]
    assert (invitation_of(secret), invitation_of(revoked_secret), invitation_of("x")) == (opened, revoked, None)
    assert invitation_of(secret).club == club


def test_open_claims_personal_links_and_who_somebody_is(club):
    (anna,), member = add(club, "Anna"), member_of(club)
    claim = claim_player(anna, by=member)
    other = make_club("Andere")
    claim_player(*add(other, "Cem"), by=member_of(other))
    link, secret = make_claim_link(anna, by=owner_of(club))

    assert open_claims(club) == [claim]
    assert (player_link_of(secret), player_link_of("x")) == (link, None)
    assert (player_of(club, owner_of(club).user).name, player_of(club, member.user)) == ("Olga", None)


# -- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Annika", ["Annika"]),
        ("ANIKA", ["Annika"]),
        ("Jorg", ["Jörg"]),
        ("Jo rg", ["Jörg"]),
        ("Jörg  Müller", ["Jörg"]),
        ("Tom", ["Tom B.", "Tom K."]),
        ("Tim", []),
        ("Zacharias", []),
        ("", []),
        ("%", []),
        ("😀", ["😀"]),
        ("دانا", ["دانا"]),
        ("x" * 200, []),
    ],
)
def test_names_that_may_be_meant(typed, found, club):
    add(club, "Annika", "Jörg", "Tom B.", "Tom K.", "😀", "دانا")

    assert [player.name for player in near_names(club, typed)] == found


def test_likeliest_name_comes_first_and_five_are_enough(club):
    add(club, *(f"Maria {letter}." for letter in "ABCDEFG"), "MARIÄ", "Mario")

    found = [player.name for player in near_names(club, "maria")]

    assert (found[0], len(found)) == ("MARIÄ", 5)


def test_names_of_other_clubs_archives_and_duplicates_are_not_meant(club):
    anna, twin, gone = add(club, "Anna", "Annna", "Anne")
    add(make_club("Andere"), "Anna")
    merge_players(anna, twin, by=OPERATOR)
    archive_player(gone, by=OPERATOR)

    assert near_names(club, "anna") == [anna]


# -- merging --------------------------------------------------------------------------------------------------------


def test_preview_says_what_merging_would_do(club):
    kept, merged = add(club, "Anna", "Anni")
    finished(club, [kept])
    finished(club, [merged])
    club_game(club, [merged])

    preview = merge_preview(kept, merged)

    assert (preview.games_kept, preview.games_merged, preview.together, preview.conflict) == (1, 2, [], "")
    merge = merge_players(kept, merged, by=OPERATOR)
    assert merges_of(club) == [merge]
    undo_merge(merge, by=OPERATOR)
    assert merges_of(club) == []


def test_preview_and_merge_refuse_for_the_same_reasons(club):
    a, b, c, d, e = add(club, "A", "B", "C", "D", "E")
    merge_players(a, b, by=OPERATOR)
    archive_player(c, by=OPERATOR)
    together = finished(club, [d, e])
    with_account = made.player_of(member_of(club), club, "F")
    own = club.players.get(user=owner_of(club).user)
    (foreign,) = add(make_club("Andere"), "A")
    people = [Player.objects.get(pk=player.pk) for player in (a, b, c, d, e, with_account, own, foreign)]

    refusals = {}
    for kept in people:
        for merged in people:
            refusals[kept.name, merged.name] = code = merge_preview(kept, merged).conflict
            if code:
                refused(Conflict, code, merge_players, kept, merged, by=OPERATOR)

    assert set(refusals.values()) == {
        *("", "player_unknown", "same_player", "player_merged", "player_archived", "two_accounts", "sat_together"),
    }
    assert merge_preview(d, e).together == [together]
