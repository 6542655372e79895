"""Who may do what, in pairs: `can_x` asks, `check_x` raises `PermissionDenied`.

Seeing is decided before: what an actor may not see is not found at all. `can_see` and `can_see_club` say so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.core.exceptions import PermissionDenied

from scoresheets.actors import Actor
from scoresheets.models import Club, Game, Link, Membership, Player, Seat, User

Role = Membership.Role
About = ParamSpec("About")

#: What support may on the admin site, in every club and of every game; `_also_support` fills it in.
SUPPORT_MAY: set[str] = set()


def _also_support(ask: Callable[Concatenate[Actor, About], bool]) -> Callable[Concatenate[Actor, About], bool]:
    """Let support pass, whatever else is asked: it looks at everything, and puts games right."""
    SUPPORT_MAY.add(ask.__name__)

    @wraps(ask)
    def asked(actor: Actor, /, *about: About.args, **more: About.kwargs) -> bool:
        return actor.is_support or ask(actor, *about, **more)

    return asked


def _has_role(actor: Actor, club_id: int | None, least: Membership.Role) -> bool:
    """Say whether the actor's role in the club is at least this one, or above all roles."""
    role = actor.role_in(club_id)
    return actor.is_above_roles or (role != "" and Role(role).reaches(least))


def _check(allowed: bool) -> None:
    if not allowed:
        raise PermissionDenied


# -- a game ---------------------------------------------------------------------------------------------------------


@_also_support
def can_see(actor: Actor, game: Game) -> bool:
    """Say whether the actor may see the game: any usable link to it, its club (unless that is private), the operator.

    Costs a statement where the game's club decides and is not loaded yet.
    """
    if actor.is_above_roles or actor.link_game_id == game.pk:
        return True
    return game.club is not None and can_see_club(actor, game.club)


@_also_support
def can_see_names(actor: Actor, game: Game) -> bool:
    """Say whether the actor sees the names on the sheet itself: members of its club, and holders of a link.

    Everybody else who may see a club's game sees the names that its players show publicly.
    """
    if actor.is_above_roles or actor.link_game_id == game.pk:
        return True
    return _has_role(actor, game.club_id, Role.MEMBER)


def _keeps(actor: Actor, game: Game) -> bool:
    """Say whether the actor holds the pen: the edit link, or a scorer of the game's club."""
    if actor.link_game_id == game.pk and actor.link_scope == Link.Scope.EDIT:
        return True
    return _has_role(actor, game.club_id, Role.SCORER)


@_also_support
def can_keep_score(actor: Actor, game: Game) -> bool:
    """Say whether the actor may change the game: record, step back, correct, adjust, rename, halt, reopen.

    That is whoever holds the edit link or is a scorer of its club; of a game that is confirmed or locked, managers
    of its club alone. Costs a statement where a finished game's club is not loaded yet, none for quick games.
    """
    return _keeps(actor, game) and (not game.is_closed or _has_role(actor, game.club_id, Role.MANAGER))


def check_can_keep_score(actor: Actor, game: Game) -> None:
    """Raise `PermissionDenied` unless the actor may change this game."""
    _check(can_keep_score(actor, game))


def can_rematch(actor: Actor, game: Game) -> bool:
    """Say whether the actor may start the rematch: whoever keeps the score, also after the game is closed."""
    return _keeps(actor, game)


def check_can_rematch(actor: Actor, game: Game) -> None:
    """Raise `PermissionDenied` unless the actor may start this game's rematch."""
    _check(can_rematch(actor, game))


def can_manage_links(actor: Actor, game: Game) -> bool:
    """Say whether the actor may make and revoke the game's links: whoever keeps the score, also once it is closed."""
    return _keeps(actor, game)


def check_can_manage_links(actor: Actor, game: Game) -> None:
    """Raise `PermissionDenied` unless the actor may make and revoke this game's links."""
    _check(can_manage_links(actor, game))


def can_manage_game(actor: Actor, game: Game) -> bool:
    """Say whether the actor is a manager of the game's club; nobody is, of a quick game."""
    return game.club_id is not None and _has_role(actor, game.club_id, Role.MANAGER)


def check_can_manage_game(actor: Actor, game: Game) -> None:
    """Raise `PermissionDenied` unless the actor is a manager of this game's club."""
    _check(can_manage_game(actor, game))


def can_confirm(actor: Actor, game: Game) -> bool:
    """Say whether the actor may confirm the game: an account that sat there, a manager of its club (1 statement)."""
    if can_manage_game(actor, game):
        return True
    if actor.user is None or game.club_id is None or not actor.reaches(game.club_id):
        return False
    return Seat.objects.filter(game=game, player__canonical__user=actor.user).exists()


def check_can_confirm(actor: Actor, game: Game) -> None:
    """Raise `PermissionDenied` unless the actor may confirm this game."""
    _check(can_confirm(actor, game))


def can_move(actor: Actor, game: Game, club: Club) -> bool:
    """Say whether the actor may move the game into the club, or seat its players anew if it is there.

    That takes the right to change the game, and a scorer of the club. From club to club: managers of both.
    """
    if game.club_id in (None, club.pk):
        return can_keep_score(actor, game) and _has_role(actor, club.pk, Role.SCORER)
    return _has_role(actor, game.club_id, Role.MANAGER) and _has_role(actor, club.pk, Role.MANAGER)


def check_can_move(actor: Actor, game: Game, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may move this game into the club."""
    _check(can_move(actor, game, club))


# -- a club ---------------------------------------------------------------------------------------------------------


@_also_support
def can_see_club(actor: Actor, club: Club) -> bool:
    """Say whether the actor may see the club and its games: members; of an unlisted or public one, everybody."""
    return club.visibility != Club.Visibility.PRIVATE or _has_role(actor, club.pk, Role.MEMBER)


@_also_support
def can_see_roster(actor: Actor, club: Club) -> bool:
    """Say whether the actor may see whom the club knows, by their own names: members."""
    return _has_role(actor, club.pk, Role.MEMBER)


def check_can_see_roster(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may see whom the club knows."""
    _check(can_see_roster(actor, club))


def can_claim(actor: Actor, club: Club) -> bool:
    """Say whether the actor may say of one of the club's players "that's me": members with an account."""
    return actor.user is not None and _has_role(actor, club.pk, Role.MEMBER)


def check_can_claim(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may claim a player of this club."""
    _check(can_claim(actor, club))


def can_start_game(actor: Actor, club: Club) -> bool:
    """Say whether the actor may start a game of the club: scorers."""
    return _has_role(actor, club.pk, Role.SCORER)


def check_can_start_game(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may start a game of this club."""
    _check(can_start_game(actor, club))


def can_add_players(actor: Actor, club: Club) -> bool:
    """Say whether the actor may add players and guests to the club: scorers."""
    return _has_role(actor, club.pk, Role.SCORER)


def check_can_add_players(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may add players to this club."""
    _check(can_add_players(actor, club))


def can_manage_players(actor: Actor, club: Club) -> bool:
    """Say whether the actor may rename, archive and merge the club's players and decide who they are: managers."""
    return _has_role(actor, club.pk, Role.MANAGER)


def check_can_manage_players(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may manage this club's players."""
    _check(can_manage_players(actor, club))


def can_anonymise(actor: Actor, player: Player) -> bool:
    """Say whether the actor may take the player's name off everything: the player, and managers of the club."""
    is_own = actor.user is not None and player.user_id == actor.user.pk and actor.reaches(player.club_id)
    return is_own or _has_role(actor, player.club_id, Role.MANAGER)


def check_can_anonymise(actor: Actor, player: Player) -> None:
    """Raise `PermissionDenied` unless the actor may take this player's name off everything."""
    _check(can_anonymise(actor, player))


def can_manage_members(actor: Actor, club: Club) -> bool:
    """Say whether the actor may invite people and see the invitations: managers."""
    return _has_role(actor, club.pk, Role.MANAGER)


def check_can_manage_members(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may invite people to this club."""
    _check(can_manage_members(actor, club))


def can_change_role(actor: Actor, membership: Membership, role: str) -> bool:
    """Say whether the actor may give the member this role: managers; only owners where an owner is made or unmade."""
    touches_owner = Role.OWNER in (membership.role, role)
    return _has_role(actor, membership.club_id, Role.OWNER if touches_owner else Role.MANAGER)


def check_can_change_role(actor: Actor, membership: Membership, role: str) -> None:
    """Raise `PermissionDenied` unless the actor may give this member this role."""
    _check(can_change_role(actor, membership, role))


def can_remove_member(actor: Actor, membership: Membership) -> bool:
    """Say whether the actor may remove the member: managers; an owner, only owners."""
    return can_change_role(actor, membership, membership.role)


def check_can_remove_member(actor: Actor, membership: Membership) -> None:
    """Raise `PermissionDenied` unless the actor may remove this member."""
    _check(can_remove_member(actor, membership))


def can_change_club(actor: Actor, club: Club) -> bool:
    """Say whether the actor may change the club's settings: managers."""
    return _has_role(actor, club.pk, Role.MANAGER)


def check_can_change_club(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may change this club's settings."""
    _check(can_change_club(actor, club))


def can_manage_seasons(actor: Actor, club: Club) -> bool:
    """Say whether the actor may make, change, close and delete the club's seasons: managers."""
    return _has_role(actor, club.pk, Role.MANAGER)


def check_can_manage_seasons(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may manage this club's seasons."""
    _check(can_manage_seasons(actor, club))


def can_manage_webhooks(actor: Actor, club: Club) -> bool:
    """Say whether the actor may see and manage the addresses that are told of the club's games: managers."""
    return _has_role(actor, club.pk, Role.MANAGER)


def check_can_manage_webhooks(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may manage this club's webhooks."""
    _check(can_manage_webhooks(actor, club))


def can_import(actor: Actor, club: Club) -> bool:
    """Say whether the actor may bring games along from files, see what was brought and undo it: managers."""
    return actor.user is not None and _has_role(actor, club.pk, Role.MANAGER)


def check_can_import(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may import into this club."""
    _check(can_import(actor, club))


def can_export_club(actor: Actor, club: Club) -> bool:
    """Say whether the actor may have all of the club as a file: managers."""
    return _has_role(actor, club.pk, Role.MANAGER)


def check_can_export_club(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may have all of this club as a file."""
    _check(can_export_club(actor, club))


def can_delete_club(actor: Actor, club: Club) -> bool:
    """Say whether the actor may delete the club: owners."""
    return _has_role(actor, club.pk, Role.OWNER)


def check_can_delete_club(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may delete this club."""
    _check(can_delete_club(actor, club))


# -- evenings -------------------------------------------------------------------------------------------------------


@_also_support
def can_see_attendance(actor: Actor, club: Club) -> bool:
    """Say whether the actor may see who comes to the club's evenings, and say so of themselves: members."""
    return _has_role(actor, club.pk, Role.MEMBER)


def check_can_see_attendance(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may see who comes to this club's evenings."""
    _check(can_see_attendance(actor, club))


def can_answer_for(actor: Actor, player: Player) -> bool:
    """Say whether the actor may say if this canonical player comes: members for themselves, scorers for anybody."""
    is_own = actor.user is not None and player.user_id == actor.user.pk
    return _has_role(actor, player.club_id, Role.MEMBER if is_own else Role.SCORER)


def check_can_answer_for(actor: Actor, player: Player) -> None:
    """Raise `PermissionDenied` unless the actor may say if this player comes."""
    _check(can_answer_for(actor, player))


def can_run_evenings(actor: Actor, club: Club) -> bool:
    """Say whether the actor may open and close evenings, note who is here and draw tables: scorers."""
    return _has_role(actor, club.pk, Role.SCORER)


def check_can_run_evenings(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may run this club's evenings."""
    _check(can_run_evenings(actor, club))


def can_plan_evenings(actor: Actor, club: Club) -> bool:
    """Say whether the actor may plan, change and cancel evenings, and renew the calendar address: managers."""
    return _has_role(actor, club.pk, Role.MANAGER)


def check_can_plan_evenings(actor: Actor, club: Club) -> None:
    """Raise `PermissionDenied` unless the actor may plan this club's evenings."""
    _check(can_plan_evenings(actor, club))


# -- an account -----------------------------------------------------------------------------------------------------


def can_delete_account(actor: Actor, account: User) -> bool:
    """Say whether the actor may delete the account: only its own, the operator and superusers any."""
    return actor.is_above_roles or actor.user == account


def check_can_delete_account(actor: Actor, account: User) -> None:
    """Raise `PermissionDenied` unless the actor may delete this account."""
    _check(can_delete_account(actor, account))


# -- the site -------------------------------------------------------------------------------------------------------


def can_manage_site(actor: Actor) -> bool:
    """Say whether the actor may manage accounts, and do in every club what its owners may: operator, superusers."""
    return actor.is_above_roles


def check_can_manage_site(actor: Actor) -> None:
    """Raise `PermissionDenied` unless the actor may manage accounts and all clubs."""
    _check(can_manage_site(actor))
