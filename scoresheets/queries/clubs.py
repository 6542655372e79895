"""Clubs as their pages show them: members, roster, games, and what is about to be merged or confirmed."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from typing import TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Lower
from django.utils import timezone

from scoresheets.models import Claim, Club, Entry, Game, Invitation, Membership, Merge, Player, PlayerLink, Seat, User
from scoresheets.models.games import hash_of_secret

PLAYERS_A_PAGE = 50
GAMES_A_PAGE = 20
#: Names that are at least so much alike (0 to 1) may be the same person's.
ALIKE = 0.75
MOST_NEAR = 5
Near = TypeVar("Near")


# -- a club and its people ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClubOfUser:
    """A club in an account's list: the account's role there, how many members it has, when it last played."""

    club: Club
    role: str
    members: int
    last_played: datetime | None


def clubs_of(user: User) -> list[ClubOfUser]:
    """Return the clubs an account belongs to, by name (1 statement)."""
    members = Membership.objects.filter(club=OuterRef("club")).values("club").annotate(count=Count("pk"))
    newest = Game.objects.filter(club=OuterRef("club")).order_by("-started_at", "-pk").values("started_at")[:1]
    found = (
        Membership.objects.filter(user=user)
        .select_related("club")
        .annotate(members=Subquery(members.values("count")), last_played=Subquery(newest))
        .order_by(Lower("club__name"), "club")
    )
    return [ClubOfUser(row.club, row.role, row.members, row.last_played) for row in found]


@dataclass(frozen=True, slots=True)
class RosterLine:
    """A player on the roster and the number of games in which the player or a duplicate sat."""

    player: Player
    games: int


@dataclass(frozen=True, slots=True)
class ClubGame:
    """A game in a club's list, with its seats in dealing order."""

    game: Game
    seats: tuple[Seat, ...]

    @property
    def round_number(self) -> int:
        """The round being bid or played."""
        return min(max((seat.rounds for seat in self.seats), default=0) + 1, len(self.game.plan))

    @property
    def winners(self) -> list[Seat]:
        """The seats with the best rank, once the game is finished; shared victories have several."""
        return [seat for seat in self.seats if seat.rank == 1] if self.game.is_finished else []


@dataclass(frozen=True, slots=True)
class ClubHome:
    """What a club's page shows; `roster_page` and `games_page` are Django's pages whose objects the two lists are."""

    club: Club
    members: int
    roster: list[RosterLine]
    roster_page: Page[Player]
    games: list[ClubGame]
    games_page: Page[Game]


def club_home(club: Club, *, roster_page: int = 1, games_page: int = 1, with_roster: bool = True) -> ClubHome:
    """Return a club's page: its members counted, one page of its roster and one of its games (7 statements at most).

    The roster is by name, and empty unless `with_roster`; the newest games come first. Pages count from 1; one that
    is not there is the nearest one.
    """
    players = roster(club) if with_roster else Player.objects.none()
    people = Paginator(players, PLAYERS_A_PAGE).get_page(roster_page)
    played = Paginator(games_of(club), GAMES_A_PAGE).get_page(games_page)
    return ClubHome(
        club,
        members=club.memberships.count(),
        roster=with_games(people),
        roster_page=people,
        games=with_seats(played),
        games_page=played,
    )


def roster(club: Club, *, archived: bool = False) -> QuerySet[Player]:
    """Return the players on a club's roster by name, or those in its archive; duplicates are in neither."""
    players = Player.objects.filter(club=club).select_related("user").order_by(Lower("name"), "pk")
    return players.on_roster() if not archived else players.canonical().filter(archived_at__isnull=False)


def games_of(club: Club) -> QuerySet[Game]:
    """Return a club's games, newest first, but for those voided."""
    return Game.objects.filter(club=club).exclude(halted=Game.Halted.VOIDED).order_by("-started_at", "-pk")


def with_games(players: Iterable[Player]) -> list[RosterLine]:
    """Return these canonical players with their games counted, in the same order (1 statement beside theirs)."""
    listed = list(players)
    games = games_counted([player.pk for player in listed])
    return [RosterLine(player, games.get(player.pk, 0)) for player in listed]


def games_counted(players: Collection[int]) -> dict[int, int]:
    """Return in how many games each of these canonical players or a duplicate sat, if in any (1 statement)."""
    counted = Seat.objects.filter(player__canonical__in=players).values("player__canonical").order_by()
    return dict(counted.annotate(count=Count("game", distinct=True)).values_list("player__canonical", "count"))


def with_seats(games: Iterable[Game]) -> list[ClubGame]:
    """Return these games with their seats and players, in the same order (1 statement beside that of the games)."""
    listed = list(games)
    seats: dict[int, list[Seat]] = {game.pk: [] for game in listed}
    for seat in Seat.objects.filter(game__in=listed).select_related("player__canonical").order_by("game", "position"):
        seats[seat.game_id].append(seat)
    return [ClubGame(game, tuple(seats[game.pk])) for game in listed]


def members_of(club: Club) -> list[Membership]:
    """Return a club's memberships with their accounts, owners first, then by name (1 statement)."""
    roles = Membership.Role.values
    found = club.memberships.select_related("user").order_by(Lower("user__username"))
    return sorted(found, key=lambda membership: -roles.index(membership.role))


def invitations_of(club: Club) -> list[Invitation]:
    """Return a club's invitations that are open now, newest first (1 statement)."""
    return [invitation for invitation in club.invitations.filter(revoked_at__isnull=True) if invitation.is_usable]


def invitation_of(secret: str) -> Invitation | None:
    """Return the invitation with this secret and its club, whether open or not; None if there is none (1 statement)."""
    return Invitation.objects.select_related("club").filter(secret_hash=hash_of_secret(secret)).first()


def player_link_of(secret: str) -> PlayerLink | None:
    """Return the personal link with this secret, its player and club, whether open or not, or None (1 statement)."""
    links = PlayerLink.objects.select_related("player__canonical", "player__club")
    return links.filter(secret_hash=hash_of_secret(secret)).first()


def open_claims(club: Club) -> list[Claim]:
    """Return the claims that wait for a manager of the club, oldest first, with player and account (1 statement)."""
    claims = Claim.objects.select_related("player__canonical", "user")
    return list(claims.filter(player__club=club, accepted__isnull=True).order_by("asked_at", "pk"))


def player_of(club: Club, user: User) -> Player | None:
    """Return which of the club's players an account is, None if none yet (1 statement)."""
    return Player.objects.filter(club=club, user=user).first()


# -- names ----------------------------------------------------------------------------------------------------------


def near_names(club: Club, name: str) -> list[Player]:
    """Return the players on the club's roster who may be meant by this name, the likeliest first (1 statement).

    At most 5: the same name but for case, accents and spaces, one that goes on or is cut short ("Tom", "Tom B."), and
    those a slip of the finger away. None for a name that is nobody's.
    """
    return near_among([(plain_name(player.name), player) for player in roster(club)], name)


def near_among(known: Iterable[tuple[str, Near]], name: str) -> list[Near]:
    """Return what of these is known by a name like this one, the likeliest first, as `near_names` finds players.

    Each of `known` comes with its `plain_name`.
    """
    wanted = plain_name(name)
    if not wanted:
        return []
    likely = [(_likeness(wanted, plain), who) for plain, who in known]
    found = sorted((row for row in likely if row[0] >= ALIKE), key=lambda row: -row[0])
    return [who for _likeness_of_it, who in found[:MOST_NEAR]]


def plain_name(name: str) -> str:
    """Return a name without case, accents and doubled spaces, for comparing only."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(c for c in letters if not unicodedata.combining(c)).split())


def _likeness(wanted: str, known: str) -> float:
    """Return how much alike two plain names are, 0 to 1."""
    if wanted.replace(" ", "") == known.replace(" ", ""):
        return 1
    short, long = sorted((wanted, known), key=len)
    if long.startswith(f"{short} ") or (len(short) >= 3 and long.startswith(short)):
        return 0.9
    comparison = SequenceMatcher(None, wanted, known, autojunk=False)
    if comparison.real_quick_ratio() < ALIKE or comparison.quick_ratio() < ALIKE:
        return 0
    return comparison.ratio()


# -- merging --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What merging would do: the games of both, and why it cannot be done.

    `conflict` is the code of the `Conflict` that merging would raise, "" if it can be done; `together` are games in
    which both sat, newest first.
    """

    kept: Player
    merged: Player
    games_kept: int
    games_merged: int
    together: list[Game]
    conflict: str


def merge_preview(kept: Player, merged: Player) -> MergePreview:
    """Return what `recording.merge_players(kept, merged)` would do now (2 statements)."""
    games = {line.player.pk: line.games for line in with_games([kept, merged])}
    together = [] if kept.pk == merged.pk else list(kept.games_with(merged).order_by("-started_at", "-pk"))
    return MergePreview(
        kept, merged, games[kept.pk], games[merged.pk], together, _merge_conflict(kept, merged, bool(together))
    )


def _merge_conflict(kept: Player, merged: Player, together: bool) -> str:
    """Return the first reason against a merge, in the order in which recording looks for them."""
    reasons: Mapping[str, bool] = {
        "player_unknown": kept.club_id != merged.club_id,
        "same_player": kept.pk == merged.pk,
        "player_merged": not (kept.is_canonical and merged.is_canonical),
        "player_archived": kept.archived_at is not None,
        "two_accounts": kept.user_id is not None and merged.user_id is not None,
        "sat_together": together,
    }
    return next((code for code, holds in reasons.items() if holds), "")


def merges_of(club: Club) -> list[Merge]:
    """Return the club's merges that stand, newest first, with both players and who did it (1 statement)."""
    merges = Merge.objects.filter(kept__club=club, undone_at__isnull=True)
    return list(merges.select_related("kept", "merged", "by").order_by("-pk"))


# -- confirming -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Where the confirmation of a finished game stands.

    `confirmed` are the entries of those who have confirmed, oldest first; `awaited` are seats of accounts that have
    not and did not write the newest change themselves, in dealing order; `wrote` is that change.
    """

    is_confirmed: bool
    confirmed: Sequence[Entry]
    awaited: Sequence[Seat]
    wrote: Entry
    locks_at: datetime | None
    is_locked: bool


def confirmation_of(game: Game) -> Confirmation | None:
    """Return where the confirmation of a club's finished game stands (at most 5 statements); None for other games."""
    if game.club_id is None or not game.is_finished:
        return None
    change, confirmed = game.newest_change()
    accounts = game.accounts_seated()
    done = {entry.user_id for entry in confirmed} | {change.user_id}
    awaited_ids = [seat for account, seat in accounts.items() if account not in done and not game.is_confirmed]
    awaited = list(Seat.objects.filter(pk__in=awaited_ids).order_by("position")) if awaited_ids else []
    locks_at = game.locks_at
    return Confirmation(
        is_confirmed=game.is_confirmed,
        confirmed=confirmed,
        awaited=awaited,
        wrote=change,
        locks_at=locks_at,
        is_locked=locks_at is not None and locks_at <= timezone.now(),
    )
