"""All that the site stores about an account, for its own eyes: one function a kind of data, in `KINDS`.

Each takes the account and returns plain values (dicts, lists, texts, numbers, times), never a secret: a key or a hash
would be of no use to the reader and of much use to a thief.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db.models import F

from scoresheets.models import Attendance, Claim, Entry, Seat, Token, User

Values = Mapping[str, object] | Sequence[Mapping[str, object]]


def account(user: User) -> Values:
    """Return name, dates and preferences; "" where the device decides."""
    return {
        "name": user.username,
        "since": user.date_joined,
        "last_sign_in": user.last_login,
        "language": user.language,
        "theme": user.theme,
    }


def email_addresses(user: User) -> Values:
    """Return the addresses, and whether each was confirmed."""
    return list(EmailAddress.objects.filter(user=user).order_by("pk").values("email", "verified", "primary"))


def second_factors(user: User) -> Values:
    """Return what the account signs in with beside its password, without the keys."""
    return [
        {
            "kind": factor.get_type_display(),
            "name": factor.data.get("name", ""),
            "since": factor.created_at,
            "last_used": factor.last_used_at,
        }
        for factor in Authenticator.objects.filter(user=user).order_by("pk")
    ]


def sessions(user: User) -> Values:
    """Return where the account is signed in."""
    found = UserSession.objects.filter(user=user).order_by("pk")
    return list(found.values("created_at", "ip", "user_agent"))


def tokens(user: User) -> Values:
    """Return what programs may do in the account's name, without the secrets."""
    found = Token.objects.filter(user=user).order_by("pk")
    return list(
        found.values("name", "scope", "club_id", "shown", "created_at", "expires_at", "revoked_at", "last_used_at")
    )


def entries(user: User) -> Values:
    """Return what the account entered in games' journals, oldest first; seats are ids, names stand on the sheets."""
    found = Entry.objects.filter(user=user).order_by("at", "pk")
    return list(found.values("game_id", "version", "kind", "payload", "at", "reason"))


def clubs(user: User) -> Values:
    """Return the clubs the account belongs to, and as what."""
    found = user.memberships.order_by("joined_at", "pk")
    return list(found.annotate(club_name=F("club__name")).values("club_id", "club_name", "role", "joined_at"))


def players(user: User) -> Values:
    """Return whom the account is in its clubs, with the games played there, also as a duplicate merged since."""
    return [
        {
            "club_id": player.club_id,
            "club_name": player.club.name,
            "name": player.name,
            "public_name": player.public_name,
            "games": list(
                Seat.objects.filter(player__canonical=player)
                .order_by("game__started_at", "game")
                .values("game_id", "name", "total", "exact", "rounds", "rank")
            ),
        }
        for player in user.players.select_related("club").order_by("pk")
    ]


def evenings(user: User) -> Values:
    """Return what the account's players answered to evenings, and whether they were there, the oldest first."""
    found = Attendance.objects.filter(player__canonical__user=user).order_by("evening__starts_at", "evening", "pk")
    named = found.annotate(club_id=F("evening__club"), night=F("evening__night"))
    return list(named.values("club_id", "evening_id", "night", "answer", "answered_at", "is_here"))


def claims(user: User) -> Values:
    """Return of which players the account said "that's me", and what became of it."""
    found = Claim.objects.filter(user=user).order_by("asked_at", "pk").annotate(player_name=F("player__name"))
    return list(found.values("player_name", "asked_at", "accepted", "decided_at"))


#: Every kind of data by its name in the download.
KINDS: Mapping[str, Callable[[User], Values]] = {
    "account": account,
    "email_addresses": email_addresses,
    "second_factors": second_factors,
    "sessions": sessions,
    "tokens": tokens,
    "entries": entries,
    "clubs": clubs,
    "players": players,
    "evenings": evenings,
    "claims": claims,
}


def own_data(user: User) -> dict[str, Values]:
    """Return every kind of data about the account, by its name."""
    return {name: read(user) for name, read in KINDS.items()}
