"""Players as their pages show them: the roster searched and paged, one player, who may be the same, what was merged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.db.models.functions import Lower

from scoresheets.models import Claim, Club, Merge, Player, PlayerLink, User
from scoresheets.queries.clubs import (
    PLAYERS_A_PAGE,
    RosterLine,
    merges_of,
    near_names,
    plain_name,
    roster,
    with_games,
)


@dataclass(frozen=True, slots=True)
class RosterPage:
    """One page of players; `page` is Django's, whose objects the lines are."""

    lines: list[RosterLine]
    page: Page[Player]


def roster_page(
    club: Club, *, archived: bool = False, search: str = "", number: int | str = 1, apart_from: Player | None = None
) -> RosterPage:
    """Return a page of the roster or of the archive by name, 50 players each (at most 3 statements).

    `search` keeps those whose name or public name has it in it, case, accents and doubled spaces set aside.
    `number` counts from 1; one that is not there is the nearest one.
    """
    players = roster(club, archived=archived)
    if apart_from is not None:
        players = players.exclude(pk=apart_from.pk)
    page = Paginator(_found(players, search), PLAYERS_A_PAGE).get_page(number)
    return RosterPage(with_games(page), page)


def _found(players: QuerySet[Player], search: str) -> QuerySet[Player] | list[Player]:
    wanted = plain_name(search)
    if not wanted:
        return players
    return [player for player in players if any(wanted in plain_name(name) for name in _names(player))]


def _names(player: Player) -> Iterable[str]:
    return player.name, player.public_name


def named_like(players: QuerySet[Player], search: str) -> QuerySet[Player]:
    """Return those of the players whose name or public name has this in it, as `roster_page` searches (1 statement)."""
    wanted = plain_name(search)
    if not wanted:
        return players
    names = players.order_by().values_list("pk", "name", "public_name")
    return players.filter(pk__in=[pk for pk, *known in names if any(wanted in plain_name(name) for name in known)])


def likely_players(club: Club, name: str) -> list[Player]:
    """Return who may be meant by a name that is to be added, the likeliest first (2 statements).

    Those of `near_names`, and whoever is in the archive under the same name but for case, accents and spaces.
    """
    wanted = plain_name(name).replace(" ", "")
    archived = [
        player
        for player in roster(club, archived=True)
        if wanted and plain_name(player.name).replace(" ", "") == wanted
    ]
    return near_names(club, name) + archived


def alike(player: Player) -> list[RosterLine]:
    """Return who on the roster may be the same person as this one of the club, the likeliest first (2 statements)."""
    return with_games(other for other in near_names(player.club, player.name) if other.pk != player.pk)


# -- one player -----------------------------------------------------------------------------------------------------


def player_in(club: Club, player_id: int) -> Player | None:
    """Return the club's player with their account and the player they count as, None if not there (1 statement)."""
    players = Player.objects.select_related("club", "user", "canonical__club", "canonical__user")
    return players.filter(club=club, pk=player_id).first()


@dataclass(frozen=True, slots=True)
class PlayerDetails:
    """A player and what is known of them: games counted with those of `duplicates`, who are by name."""

    player: Player
    games: int
    duplicates: list[Player]


def details_of(player: Player) -> PlayerDetails:
    """Return what a canonical player's page shows to all members (2 statements)."""
    (line,) = with_games([player])
    duplicates = Player.objects.filter(canonical=player).exclude(pk=player.pk).order_by(Lower("name"), "pk")
    return PlayerDetails(player, line.games, list(duplicates))


def open_link_of(player: Player) -> PlayerLink | None:
    """Return the personal link that is neither used nor revoked, but may have expired; None if none (1 statement)."""
    return player.claim_links.filter(used_at__isnull=True, revoked_at__isnull=True).first()


def newest_claim(player: Player, user: User) -> Claim | None:
    """Return the account's newest claim on a player or a duplicate of theirs, decided or not, or None (1 statement)."""
    return Claim.objects.filter(player__canonical=player, user=user).order_by("-asked_at", "-pk").first()


def claim_in(club: Club, claim_id: int) -> Claim | None:
    """Return the claim on one of the club's players with this id, None if there is none (1 statement)."""
    return Claim.objects.filter(player__club=club, pk=claim_id).first()


# -- merges ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StandingMerge:
    """A merge that stands; `first` is the newer one of the same people that is to be undone before it, None if none."""

    merge: Merge
    first: Merge | None


def merge_in(club: Club, merge_id: int) -> Merge | None:
    """Return the merge of two of the club's players with this id, None if there is none (1 statement)."""
    return Merge.objects.filter(kept__club=club, pk=merge_id).first()


def standing_merges(player: Player) -> list[StandingMerge]:
    """Return the merges that made a canonical player out of several, newest first (2 statements)."""
    group = set(Player.objects.filter(canonical=player).values_list("pk", flat=True))
    merges = [merge for merge in merges_of(player.club) if merge.kept_id in group]
    return [StandingMerge(merge, _newer(merge, merges[:place])) for place, merge in enumerate(merges)]


def _newer(merge: Merge, newer: list[Merge]) -> Merge | None:
    """Return the newest merge that concerns the same people, as `recording.undo_merge` looks for one."""
    concerned = _concerned(merge)
    return next((other for other in newer if concerned & _concerned(other)), None)


def _concerned(merge: Merge) -> set[int]:
    return {merge.kept_id, *merge.moved}
