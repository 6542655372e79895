"""One small club with some of everything, and who asks of it: for calls that are drawn at random."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from typing import Any

from django.db.models import Model
from django.utils import timezone

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import (
    Claim,
    Club,
    Delivery,
    DrawnTable,
    Entry,
    Evening,
    Game,
    Invitation,
    Link,
    Membership,
    Merge,
    Player,
    PlayerLink,
    Round,
    Season,
    Seat,
    Token,
    User,
    Webhook,
)
from tests.scoresheets.api.helpers import Api, token_of
from tests.scoresheets.clubs import add, club_game, finished, make_club, make_user, member_of, owner_of, player_of
from tests.scoresheets.evenings import come, drawn, opened, planned
from tests.scoresheets.factories import enter_bids, link_to, make_game
from tests.scoresheets.webhooks import make_webhook

#: What an id in an address or a body is of, by the words it is called by there.
MODELS: dict[str, type[Model]] = {
    "account": User,
    "claim": Claim,
    "club": Club,
    "delivery": Delivery,
    "evening": Evening,
    "game": Game,
    "invitation": Invitation,
    "kept": Player,
    "link": Link,
    "member": Membership,
    "merge": Merge,
    "merged": Player,
    "personal_link": PlayerLink,
    "player": Player,
    "season": Season,
    "seat": Seat,
    "table": DrawnTable,
    "token": Token,
    "user": User,
    "webhook": Webhook,
}
#: Who sees of the club what strangers see.
OUTSIDE = ("nobody", "revoked", "stranger", "owner elsewhere")
#: Versions of rounds and games are small numbers.
VERSIONS = 12


class Town:
    """The club and its people; the ids, versions and secrets there are."""

    def __init__(self) -> None:
        self.club = make_club("Runde", locks_after=1)
        self.owner = owner_of(self.club)
        self.manager = member_of(self.club, "manager")
        self.scorer = member_of(self.club, "scorer")
        self.member = member_of(self.club)
        self.public = make_club("Verein", visibility=Club.Visibility.PUBLIC)
        self.public.memberships.create(user=self.owner.user, role=Membership.Role.OWNER)
        self.apps = self._apps()
        # Those who see nothing of the club ask less often.
        self.roles = [role for role in self.apps for _time in range(1 if role in OUTSIDE else 3)]
        self.secrets: dict[int, str] = {}
        self._fill()
        self._ids = {
            name: list(model._default_manager.order_by("pk").values_list("pk", flat=True))
            for name, model in MODELS.items()
        }
        # Most of what there is belongs to the first one.
        self._ids["club"] += [self.club.pk] * 4
        self._seen = dict(Round.objects.order_by("number").values_list("game", "stage_version"))
        self._cards = dict(Round.objects.order_by("number").values_list("game", "cards"))
        self._seats: dict[int, list[int]] = {}
        for game, seat in Seat.objects.order_by("position").values_list("game", "pk"):
            self._seats.setdefault(game, []).append(seat)
        self._versions = dict(Entry.objects.order_by("version").values_list("game", "version"))

    def _apps(self) -> dict[str, Api]:
        revoked, secret = token_of(self.owner)
        recording.tokens.revoke_token(revoked, by=self.owner)
        return {
            "nobody": Api(),
            "revoked": Api(secret),
            "stranger": Api.of(make_user("Stranger")),
            "member to read": Api.of(self.member, Token.Scope.READ),
            "scorer": Api.of(self.scorer),
            "manager": Api.of(self.manager),
            "owner": Api.of(self.owner),
            "owner of this club": Api.of(self.owner, club=self.club),
            "owner elsewhere": Api.of(self.owner, club=self.public),
        }

    def _fill(self) -> None:
        club = self.club
        people = [player_of(self.member, club, "Annika"), *add(club, "Bernd", "Cem", "Dora", "Emil")]
        _annika, _bernd, cem, _dora, emil = people
        (double,) = add(club, "Bernhard")
        Season.objects.create(club=club, name="Liga", starts_on=date(2020, 1, 1))
        for number in range(2):
            finished(club, people[number : number + 3])
        recording.merge_players(people[1], double, by=self.manager)
        bidding = club_game(club, people[:3], length=3)
        played = club_game(club, people[:4], rounds=1, length=3)
        enter_bids(played)
        recording.pause(club_game(club, people[2:5], length=2), by=OPERATOR)
        hidden = make_game(3, house=rules.HouseRules(hidden_bids=True), length=2)
        finished(self.public, add(self.public, "Frida", "Gero", "Hanna"))
        today = timezone.localdate()
        planned(club, today + timedelta(days=7))
        evening = opened(club, today)
        come(evening, people)
        drawn(evening)
        for game in (bidding, played, hidden):
            self.secrets[game.pk] = link_to(game)[1]
        recording.invite(club, role=Membership.Role.MEMBER, by=self.owner)
        recording.claim_player(cem, by=self.scorer)
        recording.make_claim_link(emil, by=self.manager)
        recording.ping(make_webhook(club), by=self.owner)

    # -- what there is -----------------------------------------------------------------------------------------------

    def ids_of(self, name: str, game_id: Any = None) -> list[int]:
        """Return the ids that a field or parameter of this name may mean (`player_id`, `seats`), all if in doubt."""
        words = re.sub(r"_ids?$", "", name)
        for word in (words, words.removesuffix("s"), words.rpartition("_")[2].removesuffix("s")):
            if word == "seat" and game_id in self._seats:
                return self._seats[game_id]
            if word in self._ids:
                return self._ids[word]
        return [one for ids in self._ids.values() for one in ids]

    def whole_round(self, game_id: Any, value: str, rng: random.Random) -> list[dict[str, int]] | None:
        """Return a number for each seat of a game, all together the cards of its newest round; None of no game."""
        seats = self._seats.get(game_id)
        if seats is None:
            return None
        taker, cards = rng.choice(seats), self._cards[game_id]
        return [{"seat": seat, value: cards if seat == taker else 0} for seat in seats]

    def version_of(self, game_id: Any, rng: random.Random) -> int:
        """Return a game's newest version, or some other one."""
        return self._versions.get(game_id, rng.randint(1, VERSIONS)) if rng.randrange(4) else rng.randint(1, VERSIONS)

    def seen_of(self, game_id: Any, rng: random.Random) -> int:
        """Return what a write to the game must have seen, or some other version."""
        return self._seen.get(game_id, rng.randint(1, VERSIONS)) if rng.randrange(4) else rng.randint(1, VERSIONS)
