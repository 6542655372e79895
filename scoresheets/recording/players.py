"""Players of a club: added, renamed, archived, claimed by accounts, merged and parted again, made anonymous.

Every function here holds the club's lock. Those without a `key` may be sent twice: the second time changes nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, Value
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext, override

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Claim, Club, Entry, Game, Link, Membership, Merge, Player, PlayerLink, Seat, User
from scoresheets.models.games import NAME_LENGTH, REASON_LENGTH, hash_of_secret
from scoresheets.recording import receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.import_names import scrub_imports
from scoresheets.recording.links import new_nonce, secret_of
from scoresheets.recording.locks import locked_club, save_recorded
from scoresheets.recording.names import folded, pattern_of, tidy_name

#: The longest an invitation or a personal link is open.
MOST_DAYS = 365


def days_problems(days: int) -> tuple[rules.Problem, ...]:
    """Return what is wrong with the number of days that a secret address is to be open, 1 to 365."""
    return () if 1 <= days <= MOST_DAYS else (rules.Problem.of("days_out_of_range", days=days, most=MOST_DAYS),)


def player_problems(
    club: Club, names: Sequence[str], *, public_name: str = "", apart_from: Player | None = None
) -> tuple[rules.Problem, ...]:
    """Return what is wrong with these names for players of the club (1 statement).

    One is missing, too long, or on the roster already (case set aside; `apart_from` is whoever is to be called so). The
    `seat` of a problem is the place in `names`; that of the public name has none.
    """
    found = []
    roster = Player.objects.on_roster().filter(club=club)
    if apart_from is not None:
        roster = roster.exclude(pk=apart_from.pk)
    taken = {folded(name): name for name in roster.values_list("name", flat=True)}
    for place, name in enumerate(names):
        if not name:
            found.append(rules.Problem.of("name_missing", place))
        elif len(name) > NAME_LENGTH:
            found.append(rules.Problem.of("name_too_long", place, name=name, most=NAME_LENGTH))
        elif folded(name) in taken:
            found.append(rules.Problem.of("player_name_taken", place, name=taken[folded(name)]))
        taken.setdefault(folded(name), name)
    if len(public_name) > NAME_LENGTH:
        found.append(rules.Problem.of("name_too_long", name=public_name, most=NAME_LENGTH))
    return tuple(found)


def _refuse(problems: Collection[rules.Problem]) -> None:
    if problems:
        raise rules.RulesError(problems)


# -- the roster -----------------------------------------------------------------------------------------------------


@transaction.atomic
def add_player(
    club: Club, name: str, *, by: Actor, is_guest: bool = False, public_name: str = "", key: str | None = None
) -> Player:
    """Add somebody without an account to the club's roster and return the player.

    Names are kept tidy (`names.tidy_name`); `queries.clubs.near_names` finds whom a scorer may have meant instead.
    `public_name` is for pages that everybody may read ("": the name). A repeat with the same key returns the same
    player. Raises `PermissionDenied`, `rules.RulesError` (`name_missing`, `name_too_long`, `player_name_taken`),
    `Conflict` ("key_reused"); then writes nothing.
    """
    club, by = locked_club(club.pk, by)
    permissions.check_can_add_players(by, club)
    name, public_name = tidy_name(name), tidy_name(public_name)
    fingerprint = receipts.fingerprint_of("add_player", club.pk, name, is_guest, public_name)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Player.objects.get(pk=body["player"])
    _refuse(player_problems(club, [name], public_name=public_name))
    player = Player(club=club, name=name, is_guest=is_guest, public_name=public_name)
    save_recorded(player, by=by)
    receipts.keep_answer(by, key, fingerprint, {"player": player.pk})
    return player


def seated_players(club: Club, wanted: Sequence[int | str | None], *, by: Actor) -> list[Player | None]:
    """Return who sits down at a table of the club, in the order of `wanted`; add those who are new, as guests.

    Each of `wanted` is a player's id (a duplicate's stands for the player it was merged into), the name of somebody
    new, or None for a seat with only a name. For functions that hold the club's lock and have checked that the actor
    may add players. Raises `Conflict` ("player_unknown": not of this club), `rules.RulesError` (`player_twice`,
    `name_missing`, `name_too_long`, `player_name_taken`) with seats as places in `wanted`.
    """
    ids = [who for who in wanted if isinstance(who, int)]
    known = {
        player.pk: player.canonical
        for player in Player.objects.filter(club=club, pk__in=ids).select_related("canonical")
    }
    if set(ids) - set(known):
        raise Conflict("player_unknown")
    new = {place: tidy_name(who) for place, who in enumerate(wanted) if isinstance(who, str)}
    places = list(new)
    problems = [
        rules.Problem(problem.code, places[problem.seat or 0], problem.params)
        for problem in (player_problems(club, list(new.values())) if new else ())
    ]
    seated: list[Player | None] = [None] * len(wanted)
    for place, who in enumerate(wanted):
        if isinstance(who, int):
            if known[who] in seated:
                problems.append(rules.Problem.of("player_twice", place, name=known[who].name))
            seated[place] = known[who]
    _refuse(problems)
    for place, name in new.items():
        player = Player(club=club, name=name, is_guest=True)
        save_recorded(player, by=by)
        seated[place] = player
    return seated


@transaction.atomic
def rename_player(player: Player, *, name: str, by: Actor, public_name: str | None = None) -> Player:
    """Call a player something else and return it; `public_name` None leaves that one as it is.

    Seats that carry the old name get the new one, unless somebody else at that table has it: there, and where the
    sheet always said another name, what was written stays. Raises `PermissionDenied`, `Conflict` ("player_merged"),
    `rules.RulesError` (`name_missing`, `name_too_long`, `player_name_taken`); then writes nothing.
    """
    club, player, by = _managed(player, by)
    name = tidy_name(name)
    public_name = player.public_name if public_name is None else tidy_name(public_name)
    _refuse(player_problems(club, [name], public_name=public_name, apart_from=player))
    if (name, public_name) == (player.name, player.public_name):
        return player
    old, player.name, player.public_name = player.name, name, public_name
    save_recorded(player, by=by, fields=["name", "public_name"])
    if name != old:
        _rename_seats(player, old, name)
    return player


def _rename_seats(player: Player, old: str, new: str) -> None:
    namesakes = Seat.objects.annotate(lower=Lower("name")).filter(game=OuterRef("game"), lower=Lower(Value(new)))
    seats = Seat.objects.filter(player__canonical=player, name=old)
    seats = seats.filter(~Exists(namesakes.exclude(pk=OuterRef("pk"))))
    _touch(list(seats.order_by("game").values_list("game", flat=True)))
    seats.update(name=new)


@transaction.atomic
def archive_player(player: Player, *, by: Actor) -> Player:
    """Take a player off the roster; games and results stay, and the name is free again.

    Raises `PermissionDenied`, `Conflict` ("player_merged").
    """
    _club, player, by = _managed(player, by)
    if player.archived_at is None:
        player.archived_at = timezone.now()
        save_recorded(player, by=by, fields=["archived_at"])
    return player


@transaction.atomic
def unarchive_player(player: Player, *, by: Actor) -> Player:
    """Put a player on the roster again.

    Raises `PermissionDenied`, `Conflict` ("player_merged"), `rules.RulesError` (`player_name_taken` meanwhile).
    """
    club, player, by = _managed(player, by)
    if player.archived_at is not None:
        _refuse(player_problems(club, [player.name]))
        player.archived_at = None
        save_recorded(player, by=by, fields=["archived_at"])
    return player


def _managed(player: Player, by: Actor) -> tuple[Club, Player, Actor]:
    """Return the locked club, the player as it is now and the actor, who may manage players."""
    club, by = locked_club(player.club_id, by)
    permissions.check_can_manage_players(by, club)
    player = Player.objects.select_related("club").get(pk=player.pk)
    _check_not_merged(player)
    return club, player, by


def _check_not_merged(player: Player) -> None:
    if not player.is_canonical:
        raise Conflict("player_merged")


# -- who is who -----------------------------------------------------------------------------------------------------


@transaction.atomic
def claim_player(player: Player, *, by: Actor) -> Claim:
    """Say "that's me" of a player and return the claim, for a manager to decide; asking again returns the open one.

    Raises `PermissionDenied` unless the actor is a member, `Conflict` ("player_merged", "player_claimed": somebody is
    that player, "has_player": the actor is another player of this club).
    """
    club, by = locked_club(player.club_id, by)
    permissions.check_can_claim(by, club)
    user = _account(by)
    player = Player.objects.get(pk=player.pk)
    _check_not_merged(player)
    _check_claimable(player, user)
    claim, _is_new = Claim.objects.get_or_create(player=player, user=user, accepted=None)
    return claim


@transaction.atomic
def decide_claim(claim: Claim, *, accepted: bool, by: Actor) -> Claim:
    """Accept or refuse a claim and return it. Accepting one refuses all that it makes impossible.

    A claim on a player who was merged meanwhile counts for the one kept. Raises `PermissionDenied`, `Conflict`
    ("already_decided" the other way, "not_member": the account has left the club, "player_claimed", "has_player").
    """
    club, by = locked_club(Player.objects.get(pk=claim.player_id).club_id, by)
    permissions.check_can_manage_players(by, club)
    claim = Claim.objects.select_related("player__canonical", "user").get(pk=claim.pk)
    if claim.accepted is not None:
        if claim.accepted != accepted:
            raise Conflict("already_decided")
        return claim
    if accepted:
        if not Membership.objects.filter(club=club, user=claim.user).exists():
            raise Conflict("not_member")
        _check_claimable(claim.player.canonical, claim.user)
    claim.accepted, claim.decided_at, claim.decided_by = accepted, timezone.now(), by.user
    claim.save(update_fields=["accepted", "decided_at", "decided_by"])
    if accepted:
        _give(claim.player.canonical, claim.user, by=by)
    return claim


@transaction.atomic
def make_claim_link(player: Player, *, by: Actor, days: int = 14, key: str | None = None) -> tuple[PlayerLink, str]:
    """Make the personal link of a player and return it with its secret, which cannot be shown again later.

    Whoever opens it first, within `days` days (1 to 365), is this player from then on; an older one closes. A repeat
    with the same key returns the same link and secret. Raises `PermissionDenied`, `Conflict` ("player_merged",
    "player_claimed", "key_reused"), `rules.RulesError` (`days_out_of_range`); then writes nothing.
    """
    club, by = locked_club(player.club_id, by)
    permissions.check_can_manage_players(by, club)
    fingerprint = receipts.fingerprint_of("make_claim_link", player.pk, days)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return PlayerLink.objects.get(pk=body["link"]), secret_of(body["nonce"])
    player = Player.objects.get(pk=player.pk)
    _check_not_merged(player)
    if player.user_id is not None:
        raise Conflict("player_claimed")
    _refuse(days_problems(days))
    now = timezone.now()
    player.claim_links.filter(used_at__isnull=True, revoked_at__isnull=True).update(revoked_at=now)
    nonce = new_nonce()
    link = PlayerLink.objects.create(
        player=player,
        secret_hash=hash_of_secret(secret_of(nonce)),
        created_by=by.user,
        expires_at=now + timedelta(days=days),
    )
    receipts.keep_answer(by, key, fingerprint, {"link": link.pk, "nonce": nonce})
    return link, secret_of(nonce)


@transaction.atomic
def revoke_claim_link(link: PlayerLink, *, by: Actor) -> PlayerLink:
    """Close a personal link for good, unless it was used. Raises `PermissionDenied`."""
    club, by = locked_club(Player.objects.get(pk=link.player_id).club_id, by)
    permissions.check_can_manage_players(by, club)
    link.refresh_from_db()
    if link.used_at is None and link.revoked_at is None:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
    return link


@transaction.atomic
def use_claim_link(secret: str, *, by: Actor) -> Player:
    """Become the player a personal link is for, and a member of the club; return the player.

    Who has become that player already gets it again. Raises `PermissionDenied` without an account, `Conflict`
    ("link_gone": unknown, expired, revoked or used, "player_claimed", "has_player").
    """
    if by.user is None:
        raise PermissionDenied
    found = PlayerLink.objects.select_related("player").filter(secret_hash=hash_of_secret(secret)).first()
    if found is None:
        raise Conflict("link_gone")
    club, by = locked_club(found.player.club_id, by)
    link = PlayerLink.objects.select_related("player__canonical").get(pk=found.pk)
    player, user = link.player.canonical, _account(by)
    if link.used_at is not None and player.user_id == user.pk:
        return player
    if not link.is_usable:
        raise Conflict("link_gone")
    _check_claimable(player, user)
    link.used_at = timezone.now()
    link.save(update_fields=["used_at"])
    if not by.role_in(club.pk):
        save_recorded(Membership(club=club, user=user), by=by)
    _give(player, user, by=by)
    return player


@transaction.atomic
def release_player(player: Player, *, by: Actor) -> Player:
    """Part a player from the account that was wrongly taken for them. Raises `PermissionDenied`, "player_merged"."""
    _club, player, by = _managed(player, by)
    if player.user_id is not None:
        player.user = None
        save_recorded(player, by=by, fields=["user"])
    return player


def _account(by: Actor) -> User:
    if by.user is None:
        raise PermissionDenied
    return by.user


def _check_claimable(player: Player, user: User) -> None:
    """Raise `Conflict` unless the account can become this player: one account a player, one player an account."""
    if player.user_id is not None:
        raise Conflict("player_claimed")
    if Player.objects.filter(club=player.club_id, user=user).exists():
        raise Conflict("has_player")


def _give(player: Player, user: User, *, by: Actor) -> None:
    """Make the account this player; open claims and links that this makes impossible close."""
    was_guest = player.is_guest
    player.user, player.is_guest = user, False
    save_recorded(player, by=by, fields=["user", "is_guest"])
    if was_guest:
        statistics.restand_for_guests(player.club_id)
    now = timezone.now()
    open_claims = Claim.objects.filter(accepted__isnull=True)
    open_claims.filter(Q(player__canonical=player) | Q(user=user, player__club=player.club_id)).update(
        accepted=False, decided_at=now
    )
    PlayerLink.objects.filter(player__canonical=player, used_at__isnull=True, revoked_at__isnull=True).update(
        revoked_at=now
    )


# -- duplicates -----------------------------------------------------------------------------------------------------


@transaction.atomic
def merge_players(kept: Player, merged: Player, *, by: Actor, key: str | None = None) -> Merge:
    """Merge a duplicate into the player who is kept, with all that was merged into it before; return the merge.

    Only what they are taken for changes: seats keep pointing to the duplicate. Its account, if it has one, goes to the
    player kept. Raises `PermissionDenied`, `Conflict` ("player_unknown": of another club, "same_player",
    "player_merged", "player_archived": the one kept, "two_accounts", "sat_together" in some game, "key_reused");
    then writes nothing. `queries.clubs.merge_preview` says so before.
    """
    club, by = locked_club(kept.club_id, by)
    permissions.check_can_manage_players(by, club)
    fingerprint = receipts.fingerprint_of("merge_players", kept.pk, merged.pk)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Merge.objects.get(pk=body["merge"])
    kept = Player.objects.get(pk=kept.pk)
    duplicate = Player.objects.filter(club=club, pk=merged.pk).first()
    if duplicate is None:
        raise Conflict("player_unknown")
    _check_can_be_one(kept, duplicate)
    moved = sorted(Player.objects.filter(canonical=duplicate).values_list("pk", flat=True))
    with statistics.following_many(club, of_players=moved):
        Player.objects.filter(pk__in=moved).update(canonical=kept)
    handed_on = duplicate.user
    if handed_on is not None:
        _hand_on(handed_on, duplicate, kept, by=by)
    merge = Merge.objects.create(kept=kept, merged=duplicate, moved=moved, handed_on=handed_on, by=by.user)
    receipts.keep_answer(by, key, fingerprint, {"merge": merge.pk})
    return merge


def _check_can_be_one(kept: Player, merged: Player) -> None:
    if kept.pk == merged.pk:
        raise Conflict("same_player")
    if not (kept.is_canonical and merged.is_canonical):
        raise Conflict("player_merged")
    if kept.archived_at is not None:
        raise Conflict("player_archived")
    if kept.user_id is not None and merged.user_id is not None:
        raise Conflict("two_accounts")
    if kept.games_with(merged).exists():
        raise Conflict("sat_together")


def _hand_on(user: User, giver: Player, taker: Player, *, by: Actor) -> None:
    """Let an account be another player of the club: the first row lets go before the second takes hold."""
    giver.user = None
    save_recorded(giver, by=by, fields=["user"])
    was_guest = taker.is_guest
    taker.user, taker.is_guest = user, False
    save_recorded(taker, by=by, fields=["user", "is_guest"])
    if was_guest:
        statistics.restand_for_guests(taker.club_id)


@transaction.atomic
def undo_merge(merge: Merge, *, by: Actor) -> Merge:
    """Part a duplicate from the player it was merged into, and return the merge.

    Of merges that concern the same people, the newest is undone first. The account goes back to the duplicate, if the
    player kept still has it. Raises `PermissionDenied`, `Conflict` ("not_newest"), `rules.RulesError`
    (`player_name_taken` by somebody on the roster); then writes nothing.
    """
    club, by = locked_club(Player.objects.get(pk=merge.kept_id).club_id, by)
    permissions.check_can_manage_players(by, club)
    merge = Merge.objects.select_related("kept", "merged", "handed_on").get(pk=merge.pk)
    if merge.undone_at is not None:
        return merge
    concerned = {merge.kept_id, *merge.moved}
    later = Merge.objects.filter(kept__club=club, undone_at__isnull=True, pk__gt=merge.pk)
    if any(concerned & {other.kept_id, *other.moved} for other in later):
        raise Conflict("not_newest")
    duplicate = merge.merged
    if duplicate.archived_at is None:
        _refuse(player_problems(club, [duplicate.name]))
    with statistics.following_many(club, of_players=merge.moved):
        Player.objects.filter(pk__in=merge.moved).update(canonical=duplicate)
    if merge.handed_on is not None and merge.kept.user_id == merge.handed_on.pk:
        _hand_on(merge.handed_on, merge.kept, duplicate, by=by)
    merge.undone_at, merge.undone_by = timezone.now(), by.user
    merge.save(update_fields=["undone_at", "undone_by"])
    return merge


# -- anonymity ------------------------------------------------------------------------------------------------------


@transaction.atomic
def anonymise_player(player: Player, *, by: Actor) -> Player:
    """Take a person's name off everything the club has of them, and return the player who is kept.

    The player and its duplicates are called "Player 17" (in the club's language, with their number), are no longer on
    the roster and belong to no account; so are they called on their seats and in the history, and wherever the old
    names stand in reasons and labels of their games and in answers that are kept. Scores stay. It cannot be undone.
    Raises `PermissionDenied`.
    """
    club, by = locked_club(player.club_id, by)
    player = Player.objects.select_related("canonical").get(pk=player.pk).canonical
    permissions.check_can_anonymise(by, player)
    group = list(Player.objects.filter(canonical=player).order_by("pk"))
    games = list(Game.objects.filter(seats__player__in=group).order_by("pk").distinct().values_list("pk", flat=True))
    _touch(games)
    old = _names_of(group)
    for one in group:
        _make_anonymous(one, club, games, by=by)
    _scrub(games, old, _neutral(player.pk, club))
    receipts.scrub_answers(club.pk, old, _neutral(player.pk, club))
    scrub_imports(club.pk, old, _neutral(player.pk, club))
    Claim.objects.filter(player__in=group).delete()
    PlayerLink.objects.filter(player__in=group).delete()
    player.refresh_from_db()
    return player


def _neutral(number: int, club: Club) -> str:
    with override(club.language):
        return gettext("Player %(number)s") % {"number": number}


def _names_of(group: Collection[Player]) -> set[str]:
    """Return every name that these players go by or went by, on the roster, in public and on sheets."""
    rows = (
        *Player.history.filter(id__in=[one.pk for one in group]).values_list("name", "public_name"),
        *Seat.objects.filter(player__in=group).values_list("name", "name"),
        *((one.name, one.public_name) for one in group),
    )
    return {name for row in rows for name in row if name}


def _make_anonymous(player: Player, club: Club, games: Collection[int], *, by: Actor) -> None:
    neutral = _neutral(player.pk, club)
    # Somebody may have taken a name like this for themselves.
    others = Player.objects.filter(club=club, name__istartswith=neutral).exclude(pk=player.pk)
    seats = Seat.objects.filter(game__in=games, name__istartswith=neutral).exclude(player=player)
    taken = {folded(name) for name in (*others.values_list("name", flat=True), *seats.values_list("name", flat=True))}
    name = next(name for name in _numbered(neutral) if folded(name) not in taken)
    player.name, player.public_name, player.user = name, "", None
    player.archived_at = player.archived_at or timezone.now()
    save_recorded(player, by=by, fields=["name", "public_name", "user", "archived_at"])
    Player.history.filter(id=player.pk).update(name=name, public_name="", user=None)
    Seat.objects.filter(player=player).update(name=name)


def _numbered(name: str) -> Iterable[str]:
    yield name
    yield from (f"{name} ({count})" for count in itertools.count(2))


def _scrub(games: Collection[int], names: Collection[str], neutral: str) -> None:
    """Put the neutral name where one of the names stands as a word in a reason or label of these games."""
    pattern = pattern_of(names)
    told = list(Entry.objects.filter(game__in=games).exclude(reason="", label="").only("reason", "label"))
    changed = []
    for entry in told:
        reason = pattern.sub(neutral, entry.reason)[:REASON_LENGTH]
        label = pattern.sub(neutral, entry.label)[:NAME_LENGTH]
        if (reason, label) != (entry.reason, entry.label):
            entry.reason, entry.label = reason, label
            changed.append(entry)
    Entry.objects.bulk_update(changed, ["reason", "label"], batch_size=200)
    links = list(Link.objects.filter(game__in=games).exclude(label=""))
    for link in links:
        link.label = pattern.sub(neutral, link.label)[:NAME_LENGTH]
    Link.objects.bulk_update(links, ["label"], batch_size=200)


def _touch(games: Collection[int]) -> None:
    """Let open pages of these games notice; it also locks them, before their seats are written."""
    Game.objects.filter(pk__in=games).update(touched=F("touched") + 1)
