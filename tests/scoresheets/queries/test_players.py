"""What the players' pages read: searched by any spelling, as many statements for a large club as for a new one."""

from __future__ import annotations

import pytest

from scoresheets.actors import OPERATOR
from scoresheets.queries.players import (
    alike,
    claim_in,
    details_of,
    likely_players,
    merge_in,
    newest_claim,
    open_link_of,
    player_in,
    roster_page,
    standing_merges,
)
from scoresheets.recording import (
    Conflict,
    archive_player,
    claim_player,
    decide_claim,
    make_claim_link,
    merge_players,
    rename_player,
    revoke_claim_link,
    undo_merge,
)
from tests.scoresheets.clubs import add, fill, finished, make_club, member_of, owner_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    """A club that knows nobody, not even its founder."""
    club = make_club()
    club.players.all().delete()
    return club


def names(page):
    return [line.player.name for line in page.lines]


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("", ["ANNA", "José María", "Zoë Ann"]),
        ("an", ["ANNA", "Zoë Ann"]),
        ("zoe  ann", ["Zoë Ann"]),
        ("MARIA", ["José María"]),
        ("chef", ["ANNA"]),
        ("%", []),
        ("_", []),
        ("\x00", []),
        ("Anna\x00", []),
        ("x" * 1000, []),
    ],
)
def test_roster_is_searched_whatever_the_spelling(search, found, club):
    anna, *_others = add(club, "ANNA", "José María", "Zoë Ann")
    rename_player(anna, name="ANNA", public_name="Die Chefin", by=OPERATOR)

    assert names(roster_page(club, search=search)) == found


def test_roster_and_archive_share_nobody_and_leave_out_duplicates_and_other_clubs(club):
    anna, bert, cem, doro = add(club, "Anna", "Bert", "Cem", "Doro")
    add(make_club("Other"), "Emil")
    archive_player(bert, by=OPERATOR)
    merge_players(anna, doro, by=OPERATOR)

    assert names(roster_page(club)) == ["Anna", "Cem"]
    assert names(roster_page(club, archived=True)) == ["Bert"]
    assert names(roster_page(club, apart_from=cem)) == ["Anna"]


@pytest.mark.parametrize("number", ["x", "", "0", "-1", "9" * 50, "2"])
def test_page_that_is_not_there_is_the_nearest(number, club):
    add(club, *(f"P{n:03}" for n in range(60)))

    shown = roster_page(club, number=number)

    assert (shown.page.number, len(shown.lines)) == ((1, 50) if number in {"x", ""} else (2, 10))


@pytest.mark.parametrize(("people", "games"), [(3, 1), (200, 1200)])
def test_statements_do_not_grow_with_the_club(people, games, club, django_assert_num_queries):
    add(club, "Player 999")
    fill(club, people, games)
    one = club.players.get(name="Player 001")

    with django_assert_num_queries(3):
        page = roster_page(club)
        assert [str(line.player.user) for line in page.lines]
    with django_assert_num_queries(2):
        found = roster_page(club, search="player 00")
    with django_assert_num_queries(1):
        same = player_in(club, one.pk)
        assert (same.club, same.canonical.club, str(same.user)) == (club, club, "user1")
    with django_assert_num_queries(2):
        assert details_of(same).games == (3 * games // people if games > people else 1)
    with django_assert_num_queries(2):
        assert likely_players(club, "player 001")[0] == one
    with django_assert_num_queries(2):
        assert one not in [line.player for line in alike(same)]
    with django_assert_num_queries(2):
        assert standing_merges(same) == []

    assert (len(page.lines), len(found.lines)) == (min(people + 1, 50), min(people, 10))


# -- who is meant ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["Änne", "ANNE", "anne", " an ne "])
def test_namesake_in_the_archive_is_likely_too(typed, club):
    (anne,) = add(club, "Anne")
    archive_player(anne, by=OPERATOR)

    assert likely_players(club, typed) == [anne]
    assert likely_players(club, "Anna") == []
    assert likely_players(club, "") == []


def test_alike_leaves_out_the_player(club):
    tom, tom_b, _uwe = add(club, "Tom", "Tom B.", "Uwe")

    assert [line.player for line in alike(player_in(club, tom.pk))] == [tom_b]


# -- one player ------------------------------------------------------------------------------------------------------


def test_details_count_the_games_of_duplicates(club):
    kept, first, second = add(club, "Anna", "Zora", "bea")
    finished(club, [kept])
    finished(club, [first])
    for duplicate in (first, second):
        merge_players(kept, duplicate, by=OPERATOR)

    details = details_of(player_in(club, kept.pk))

    assert (details.games, details.duplicates) == (2, [second, first])


def test_nothing_is_found_by_an_id_of_another_club(club):
    other = make_club("Other")
    one, two = add(other, "Anna", "Bert")
    claim = claim_player(one, by=member_of(other))
    merge = merge_players(one, two, by=OPERATOR)

    assert (player_in(club, one.pk), claim_in(club, claim.pk), merge_in(club, merge.pk)) == (None, None, None)
    assert (player_in(other, one.pk), claim_in(other, claim.pk), merge_in(other, merge.pk)) == (one, claim, merge)


def test_open_link_is_neither_revoked_nor_used(club):
    (anna,) = add(club, "Anna")
    assert open_link_of(anna) is None

    first, _secret = make_claim_link(anna, by=OPERATOR)
    assert open_link_of(anna) == first

    revoke_claim_link(first, by=OPERATOR)
    assert open_link_of(anna) is None


def test_newest_claim_is_found_on_the_player_kept(club):
    kept, merged = add(club, "Anna", "Anna B.")
    member = member_of(club)
    decide_claim(claim_player(merged, by=member), accepted=False, by=owner_of(club))
    newest = claim_player(merged, by=member)
    merge_players(kept, merged, by=OPERATOR)

    assert newest_claim(kept, member.user) == newest
    assert newest_claim(kept, owner_of(club).user) is None


# -- merges ----------------------------------------------------------------------------------------------------------


def test_merges_say_which_one_is_to_be_undone_first(club):
    a, b, c, d, e, f = add(club, *"ABCDEF")
    into_b = merge_players(b, a, by=OPERATOR)
    into_c = merge_players(c, b, by=OPERATOR)
    apart = merge_players(c, d, by=OPERATOR)
    merge_players(e, f, by=OPERATOR)

    found = standing_merges(player_in(club, c.pk))

    assert [(line.merge, line.first) for line in found] == [(apart, None), (into_c, apart), (into_b, into_c)]
    for line in found[1:]:
        with pytest.raises(Conflict, match="not_newest"):
            undo_merge(line.merge, by=OPERATOR)
    for merge in (apart, into_c, into_b):
        undo_merge(merge, by=OPERATOR)
    assert standing_merges(player_in(club, c.pk)) == []
