"""Players of a club: the roster, who is who, duplicates, and names that have to go."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

import rules
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Claim, Entry, Game, Merge, Player, PlayerLink, Seat
from scoresheets.models.games import hash_of_secret
from scoresheets.queries.clubs import roster
from scoresheets.recording import (
    Conflict,
    add_player,
    adjust_points,
    anonymise_player,
    archive_player,
    claim_player,
    decide_claim,
    make_claim_link,
    make_link,
    merge_players,
    release_player,
    rename_player,
    rename_seat,
    revoke_claim_link,
    unarchive_player,
    undo_merge,
    use_claim_link,
)
from scoresheets.recording.repair import differences_of
from tests.scoresheets.clubs import (
    STRANGE_NAMES,
    add,
    club_game,
    finished,
    make_club,
    make_user,
    member_of,
    owner_of,
    player_of,
    players_at,
    refused,
    stored,
)
from tests.scoresheets.factories import DEVICE, fresh, keeper_of, seat_ids, seats_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return make_club("Runde", owner="Olga")


def canonical_ids(*players):
    return [Player.objects.get(pk=player.pk).canonical_id for player in players]


def names_at(game):
    return [seat.name for seat in seats_of(game)]


# -- the roster -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STRANGE_NAMES)
def test_scorer_adds_players_of_any_name(name, club):
    scorer = member_of(club, "scorer")

    player = add_player(club, name, by=scorer, is_guest=True, public_name="N. N.")

    stored_one = Player.objects.get(pk=player.pk)
    assert (stored_one.name, stored_one.is_guest, stored_one.user, stored_one.public_name) == (
        name,
        True,
        None,
        "N. N.",
    )
    assert stored_one.shown_publicly == "N. N."
    assert [(row.history_type, row.history_user) for row in player.history.all()] == [("+", scorer.user)]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_missing"),
        ("   ", "name_missing"),
        ("\u200b\u202e", "name_missing"),
        ("x" * 41, "name_too_long"),
        ("x" * 200, "name_too_long"),
        ("anna", "player_name_taken"),
        ("  ANNA  ", "player_name_taken"),
        ("A\u202enna", "player_name_taken"),
        ("JÖRG  MÜLLER", "player_name_taken"),
        ("olga", "player_name_taken"),
    ],
)
def test_names_that_cannot_be_are_refused(name, code, club):
    anna, _joerg = add(club, "Anna", "Jörg Müller")
    other = add(club, "Zoe")[0]

    refused(rules.RulesError, code, add_player, club, name, by=OPERATOR)
    refused(rules.RulesError, code, rename_player, other, name=name, by=owner_of(club))
    assert anna.name == "Anna"


def test_public_name_that_is_too_long_is_refused(club):
    refused(rules.RulesError, "name_too_long", add_player, club, "Anna", public_name="x" * 41, by=OPERATOR)


def test_adding_again_with_the_same_key_adds_one(club):
    by = owner_of(club)
    player = add_player(club, "Anna", by=by, key="k")
    before = stored()

    assert add_player(club, "Anna", by=by, key="k") == player
    assert stored() == before
    refused(Conflict, "key_reused", add_player, club, "Bernd", by=by, key="k")


@pytest.mark.parametrize("role", ["member", "scorer"])
def test_only_managers_change_players(role, club):
    (anna, bernd), by = add(club, "Anna", "Bernd"), member_of(club, role)
    claim = claim_player(anna, by=by)
    link, _secret = make_claim_link(bernd, by=owner_of(club))
    merge = merge_players(*add(club, "Cem", "Cemal"), by=owner_of(club))

    if role == "member":
        refused(PermissionDenied, "", add_player, club, "Doro", by=by)
    for verb, given, arguments in [
        (rename_player, [anna], {"name": "X"}),
        (archive_player, [anna], {}),
        (unarchive_player, [anna], {}),
        (release_player, [anna], {}),
        (decide_claim, [claim], {"accepted": True}),
        (make_claim_link, [anna], {}),
        (revoke_claim_link, [link], {}),
        (merge_players, [anna, bernd], {}),
        (undo_merge, [merge], {}),
        (anonymise_player, [anna], {}),
    ]:
        for actor in (by, owner_of(make_club(f"Other club {verb.__name__}"))):
            refused(PermissionDenied, "", verb, *given, by=actor, **arguments)


def test_renamed_player_is_renamed_on_the_sheets_and_open_pages_notice(club):
    anna, bernd = add(club, "Anna", "Bernd")
    game, other = club_game(club, [anna, bernd]), club_game(club, [bernd])
    touched = game.touched

    rename_player(anna, name="Anna Lena", by=owner_of(club))

    assert names_at(game) == ["Anna Lena", "Bernd", "Zita"]
    assert (fresh(game).touched, fresh(game).version, fresh(other).touched) == (
        touched + 1,
        game.version,
        other.touched,
    )
    assert [row.name for row in anna.history.order_by("history_id")] == ["Anna", "Anna Lena"]
    before = stored()
    rename_player(anna, name="Anna Lena", by=owner_of(club))
    assert stored() == before


def test_sheet_keeps_another_name_and_a_name_that_somebody_else_has_there(club):
    anna, bernd = add(club, "Anna", "Bernd")
    taken, nicknamed = club_game(club, [anna, bernd]), club_game(club, [anna])
    rename_seat(taken, seat=seat_ids(taken)[2], name="anna b.", by=OPERATOR)
    rename_seat(nicknamed, seat=seat_ids(nicknamed)[0], name="Anni", by=OPERATOR)

    rename_player(anna, name="Anna B.", by=owner_of(club))

    assert (names_at(taken)[0], names_at(nicknamed)[0]) == ("Anna", "Anni")
    assert Player.objects.get(pk=anna.pk).name == "Anna B."


def test_player_may_be_called_the_same_in_other_letters(club):
    (anna,) = add(club, "anna")
    game = club_game(club, [anna])

    rename_player(anna, name="Anna", by=owner_of(club), public_name="A.")

    assert (names_at(game)[0], Player.objects.get(pk=anna.pk).public_name) == ("Anna", "A.")


def test_archived_player_frees_the_name_and_comes_back_only_if_it_is_free(club):
    owner = owner_of(club)
    (anna,) = add(club, "Anna")
    archive_player(anna, by=owner)
    before = stored()
    archive_player(anna, by=owner)
    assert stored() == before
    (another,) = add(club, "ANNA")

    refused(rules.RulesError, "player_name_taken", unarchive_player, anna, by=owner)
    archive_player(another, by=owner)
    unarchive_player(anna, by=owner)

    assert [player.name for player in roster(club)] == ["Anna", "Olga"]
    assert [player.name for player in roster(club, archived=True)] == ["ANNA"]


# -- who is who -----------------------------------------------------------------------------------------------------


def test_accepted_claim_gives_the_player_and_closes_what_it_makes_impossible(club):
    anna, bernd = add(club, "Anna", "Bernd")
    first, second = member_of(club), member_of(club)
    mine, other = claim_player(anna, by=first), claim_player(anna, by=second)
    elsewhere = claim_player(bernd, by=first)
    link, _secret = make_claim_link(anna, by=owner_of(club))
    Player.objects.filter(pk=anna.pk).update(is_guest=True)

    claim = decide_claim(mine, accepted=True, by=owner_of(club))

    assert (claim.accepted, claim.decided_by, Player.objects.get(pk=anna.pk).user) == (
        True,
        owner_of(club).user,
        first.user,
    )
    assert Player.objects.get(pk=anna.pk).is_guest is False
    assert [Claim.objects.get(pk=c.pk).accepted for c in (other, elsewhere)] == [False, False]
    assert PlayerLink.objects.get(pk=link.pk).is_usable is False
    before = stored()
    assert decide_claim(mine, accepted=True, by=owner_of(club)).accepted is True
    assert stored() == before
    refused(Conflict, "already_decided", decide_claim, mine, accepted=False, by=owner_of(club))
    refused(Conflict, "already_decided", decide_claim, other, accepted=True, by=owner_of(club))


def test_refused_claim_leaves_the_player_free_and_may_be_asked_again(club):
    (anna,), member = add(club, "Anna"), member_of(club)
    claim = claim_player(anna, by=member)
    assert claim_player(anna, by=member) == claim

    decide_claim(claim, accepted=False, by=owner_of(club))

    assert Player.objects.get(pk=anna.pk).user is None
    assert claim_player(anna, by=member) != claim


def test_claims_that_cannot_be(club):
    owner, member = owner_of(club), member_of(club)
    anna, bernd, cem = add(club, "Anna", "Bernd", "Cem")
    merge_players(bernd, cem, by=owner)
    stranger = Actor.of_user(make_user("Stranger"))

    for by in (stranger, DEVICE, OPERATOR, owner_of(make_club("Andere"))):
        refused(PermissionDenied, "", claim_player, anna, by=by)
    refused(Conflict, "player_merged", claim_player, cem, by=member)
    refused(Conflict, "has_player", claim_player, anna, by=owner)
    player_of(member_of(club), club, "Doro")
    refused(Conflict, "player_claimed", claim_player, Player.objects.get(name="Doro"), by=member)


def test_claim_is_judged_by_how_things_are_when_it_is_decided(club):
    owner = owner_of(club)
    anna, bernd, cem = add(club, "Anna", "Bernd", "Cem")
    leaver, doubled, late = member_of(club), member_of(club), member_of(club)
    left, double = claim_player(anna, by=leaver), claim_player(bernd, by=doubled)
    overtaken = claim_player(cem, by=late)
    club.memberships.filter(user=leaver.user).delete()
    player_of(doubled, club, "Doro")
    Player.objects.filter(pk=cem.pk).update(user=make_user("Faster"))

    refused(Conflict, "not_member", decide_claim, left, accepted=True, by=owner)
    refused(Conflict, "has_player", decide_claim, double, accepted=True, by=owner)
    refused(Conflict, "player_claimed", decide_claim, overtaken, accepted=True, by=owner)
    assert decide_claim(left, accepted=False, by=owner).accepted is False


def test_claim_on_a_duplicate_counts_for_the_player_kept(club):
    anna, twin = add(club, "Anna", "Anna B.")
    member = member_of(club)
    claim = claim_player(twin, by=member)
    merge_players(anna, twin, by=owner_of(club))

    decide_claim(claim, accepted=True, by=owner_of(club))

    assert [Player.objects.get(pk=player.pk).user for player in (anna, twin)] == [member.user, None]


def test_personal_link_makes_somebody_the_player_and_a_member(club):
    (anna,) = add(club, "Anna")
    link, secret = make_claim_link(anna, by=owner_of(club), days=3)
    user = make_user("Anna")

    player = use_claim_link(secret, by=Actor.of_user(user))

    assert (player.pk, Player.objects.get(pk=anna.pk).user) == (anna.pk, user)
    assert club.memberships.get(user=user).role == "member"
    assert (link.secret_hash, secret in str(stored())) == (hash_of_secret(secret), False)
    before = stored()
    assert use_claim_link(secret, by=Actor.of_user(user)) == anna
    assert stored() == before
    refused(Conflict, "link_gone", use_claim_link, secret, by=Actor.of_user(make_user("Second")))


def test_personal_link_leaves_a_role_as_it_is(club):
    (anna,), scorer = add(club, "Anna"), member_of(club, "scorer")
    _link, secret = make_claim_link(anna, by=owner_of(club))

    use_claim_link(secret, by=scorer)

    assert club.memberships.get(user=scorer.user).role == "scorer"


def test_personal_link_that_is_expired_revoked_replaced_or_unknown_opens_nothing(club):
    owner, by = owner_of(club), Actor.of_user(make_user("Anna"))
    anna, bernd, cem = add(club, "Anna", "Bernd", "Cem")
    expired, expired_secret = make_claim_link(anna, by=owner)
    PlayerLink.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    revoked, revoked_secret = make_claim_link(bernd, by=owner)
    revoke_claim_link(revoke_claim_link(revoked, by=owner), by=owner)
    _replaced, replaced_secret = make_claim_link(cem, by=owner)
    _newer, newer_secret = make_claim_link(cem, by=owner)

    for secret in (expired_secret, revoked_secret, replaced_secret, "x" * 22, ""):
        refused(Conflict, "link_gone", use_claim_link, secret, by=by)
    refused(PermissionDenied, "", use_claim_link, newer_secret, by=DEVICE)
    assert use_claim_link(newer_secret, by=by) == cem


def test_personal_links_that_cannot_be(club):
    owner = owner_of(club)
    anna, bernd, cem = add(club, "Anna", "Bernd", "Cem")
    merge_players(anna, bernd, by=owner)
    own = club.players.get(user=owner.user)

    refused(Conflict, "player_merged", make_claim_link, bernd, by=owner)
    refused(Conflict, "player_claimed", make_claim_link, own, by=owner)
    for days in (0, 366):
        refused(rules.RulesError, "days_out_of_range", make_claim_link, cem, days=days, by=owner)
    _link, secret = make_claim_link(cem, by=owner)
    refused(Conflict, "has_player", use_claim_link, secret, by=owner)
    Player.objects.filter(pk=cem.pk).update(user=make_user("Faster"))
    refused(Conflict, "player_claimed", use_claim_link, secret, by=Actor.of_user(make_user("Slow")))


def test_personal_link_made_again_with_the_same_key_shows_the_same_secret(club):
    (anna,), owner = add(club, "Anna"), owner_of(club)
    first = make_claim_link(anna, by=owner, key="k")
    before = stored()

    assert make_claim_link(anna, by=owner, key="k") == first
    assert stored() == before
    refused(Conflict, "key_reused", make_claim_link, anna, by=owner, days=2, key="k")


def test_released_player_can_be_claimed_again(club):
    player = player_of(member_of(club), club, "Anna")

    release_player(player, by=owner_of(club))

    assert Player.objects.get(pk=player.pk).user is None
    assert claim_player(player, by=member_of(club)).accepted is None


# -- duplicates -----------------------------------------------------------------------------------------------------


def test_merging_changes_who_they_are_taken_for_and_no_seat(club):
    owner = owner_of(club)
    kept, merged = add(club, "Anna", "Anni")
    game = finished(club, [merged])
    before = fresh(game)

    merge = merge_players(kept, merged, by=owner)

    assert canonical_ids(kept, merged) == [kept.pk, kept.pk]
    assert (players_at(game)[0], fresh(game).version, names_at(game)[0]) == (merged.pk, before.version, "Anni")
    assert (merge.kept, merge.merged, merge.moved, merge.by) == (kept, merged, [merged.pk], owner.user)
    assert differences_of(game.pk) == []


def test_chains_of_merges_are_flat_and_undone_newest_first(club):
    owner = owner_of(club)
    a, b, c, d = add(club, "A", "B", "C", "D")
    first, second = merge_players(b, a, by=owner), merge_players(c, b, by=owner)
    apart = merge_players(*add(club, "Y", "Z"), by=owner)
    third = merge_players(c, d, by=owner)
    assert canonical_ids(a, b, c, d) == [c.pk] * 4

    refused(Conflict, "not_newest", undo_merge, first, by=owner)
    refused(Conflict, "not_newest", undo_merge, second, by=owner)
    undo_merge(third, by=owner)
    assert canonical_ids(a, b, c, d) == [c.pk, c.pk, c.pk, d.pk]
    undo_merge(second, by=owner)
    assert canonical_ids(a, b, c, d) == [b.pk, b.pk, c.pk, d.pk]
    undo_merge(first, by=owner)

    assert canonical_ids(a, b, c, d) == [a.pk, b.pk, c.pk, d.pk]
    assert list(Merge.objects.filter(undone_at__isnull=True)) == [apart]
    before = stored()
    undo_merge(first, by=owner)
    assert stored() == before


def test_account_of_a_duplicate_goes_to_the_player_kept_and_back(club):
    owner = owner_of(club)
    (kept,), member = add(club, "Anna"), member_of(club)
    Player.objects.filter(pk=kept.pk).update(is_guest=True)
    merged = player_of(member, club, "Anni")

    merge = merge_players(kept, merged, by=owner)
    assert [Player.objects.get(pk=p.pk).user for p in (kept, merged)] == [member.user, None]
    undo_merge(merge, by=owner)

    assert [Player.objects.get(pk=p.pk).user for p in (kept, merged)] == [None, member.user]


def test_account_that_went_meanwhile_does_not_come_back(club):
    owner = owner_of(club)
    (kept,), member = add(club, "Anna"), member_of(club)
    merged = player_of(member, club, "Anni")
    merge = merge_players(kept, merged, by=owner)
    release_player(kept, by=owner)

    undo_merge(merge, by=owner)

    assert [Player.objects.get(pk=p.pk).user for p in (kept, merged)] == [None, None]


def test_merges_that_cannot_be(club):
    owner = owner_of(club)
    a, b, c, d, e = add(club, "A", "B", "C", "D", "E")
    (foreign,) = add(make_club("Andere"), "A")
    merge_players(a, b, by=owner)
    archive_player(c, by=owner)
    finished(club, [d, e])
    with_account = player_of(member_of(club), club, "F")
    own = club.players.get(user=owner.user)

    refused(Conflict, "player_unknown", merge_players, a, foreign, by=owner)
    refused(Conflict, "same_player", merge_players, a, a, by=owner)
    refused(Conflict, "player_merged", merge_players, b, d, by=owner)
    refused(Conflict, "player_merged", merge_players, d, b, by=owner)
    refused(Conflict, "player_archived", merge_players, c, d, by=owner)
    refused(Conflict, "two_accounts", merge_players, own, with_account, by=owner)
    refused(Conflict, "sat_together", merge_players, d, e, by=owner)
    refused(PermissionDenied, "", merge_players, foreign, a, by=owner)
    assert merge_players(d, c, by=owner).merged == c


def test_duplicates_count_when_it_is_asked_whether_two_sat_together(club):
    owner = owner_of(club)
    a, twin, b = add(club, "A", "A2", "B")
    finished(club, [twin, b])
    merge_players(a, twin, by=owner)

    refused(Conflict, "sat_together", merge_players, a, b, by=owner)
    refused(Conflict, "sat_together", merge_players, b, a, by=owner)


def test_merging_again_with_the_same_key_merges_once(club):
    owner, (a, b, c) = owner_of(club), add(club, "A", "B", "C")
    merge = merge_players(a, b, by=owner, key="k")
    before = stored()

    assert merge_players(a, b, by=owner, key="k") == merge
    assert stored() == before
    refused(Conflict, "key_reused", merge_players, a, c, by=owner, key="k")


def test_merge_is_not_undone_onto_a_name_that_is_taken(club):
    owner, (a, b) = owner_of(club), add(club, "A", "B")
    merge = merge_players(a, b, by=owner)
    add(club, "b")

    refused(rules.RulesError, "player_name_taken", undo_merge, merge, by=owner)


# -- anonymity ------------------------------------------------------------------------------------------------------


def test_anonymous_player_has_no_name_anywhere(club):
    owner, member = owner_of(club), member_of(club)
    kept, twin, bernd = player_of(member, club, "Wilhelmine"), *add(club, "Mina Wilhelm", "Bernd")
    first = finished(club, [kept, bernd])
    second = finished(club, [twin])
    merge_players(kept, twin, by=owner)
    rename_player(kept, name="Wilhelmine Kern", by=owner, public_name="W. Kern")
    rename_seat(second, seat=seat_ids(second)[0], name="Mina", by=OPERATOR, reason="MINA WILHELM wants it, not Wilhelm")
    adjust_points(first, seat=seat_ids(first)[1], points=5, reason="Wilhelmine's fault; Wilhelmines not", by=OPERATOR)
    make_link(first, scope="watch", by=OPERATOR, label="Wilhelmine Kern (TV)")
    adjust_points(first, seat=seat_ids(first)[0], points=5, reason="x", by=keeper_of(first, label="Wilhelmine"))
    make_claim_link(bernd, by=owner)
    claim_player(bernd, by=member_of(club))
    totals = list(Seat.objects.order_by("pk").values_list("total", "rank", "player", "line"))
    touched = fresh(first).touched

    player = anonymise_player(twin, by=owner)

    assert (player.pk, player.name, player.public_name, player.user) == (kept.pk, f"Person {kept.pk}", "", None)
    assert Player.objects.get(pk=twin.pk).name == f"Person {twin.pk}"
    assert (names_at(first)[0], names_at(second)[0]) == (f"Person {kept.pk}", f"Person {twin.pk}")
    reasons = list(Entry.objects.exclude(reason="").order_by("game", "version").values_list("reason", flat=True))
    neutral = f"Person {kept.pk}"
    assert sorted(reasons) == sorted([f"{neutral} wants it, not Wilhelm", f"{neutral}'s fault; Wilhelmines not", "x"])
    assert [entry.label for entry in Entry.objects.exclude(label="")] == [neutral]
    assert sorted(link.label for link in first.links.exclude(label="")) == [neutral, f"{neutral} (TV)"]
    everything = str(stored())
    for name in ("Wilhelmine Kern", "W. Kern", "Mina"):
        assert name not in everything
    assert list(Seat.objects.order_by("pk").values_list("total", "rank", "player", "line")) == totals
    assert fresh(first).touched == touched + 1
    assert [player.name for player in roster(club)] == ["Bernd", "Olga"]
    assert [differences_of(game.pk) for game in Game.objects.all()] == [[], []]
    assert (Claim.objects.count(), PlayerLink.objects.count()) == (1, 1)


def test_neutral_name_is_nobody_elses(club):
    (anna,) = add(club, "Anna")
    add(club, f"person {anna.pk}")
    game = finished(club, [anna])
    rename_seat(game, seat=seat_ids(game)[2], name=f"PERSON {anna.pk} (2)", by=OPERATOR, reason="x")

    player = anonymise_player(anna, by=owner_of(club))

    assert player.name == names_at(game)[0] == f"Person {anna.pk} (3)"


def test_neutral_name_is_in_the_language_of_the_club():
    club = make_club("Round", language="en")
    (anna,) = add(club, "Anna")

    assert anonymise_player(anna, by=owner_of(club)).name == f"Player {anna.pk}"


def test_players_take_their_own_name_off_and_doing_it_twice_is_harmless(club):
    member = member_of(club)
    player = player_of(member, club, "Anna")
    game = finished(club, [player])

    anonymise_player(player, by=member)
    refused(PermissionDenied, "", anonymise_player, player, by=member)
    again = anonymise_player(player, by=owner_of(club))

    assert (again.name, names_at(game)[0]) == (f"Person {player.pk}",) * 2


def test_games_of_others_are_not_touched_by_an_anonymous_player(club):
    anna, bernd = add(club, "Anna", "Bernd")
    other = finished(club, [bernd])
    adjust_points(other, seat=seat_ids(other)[0], points=5, reason="says Anna", by=OPERATOR)
    before = fresh(other).touched

    anonymise_player(anna, by=owner_of(club))

    assert (fresh(other).touched, other.entries.latest("version").reason) == (before, "says Anna")
