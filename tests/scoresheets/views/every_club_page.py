"""Every page of a club, its members and invitations, as each kind of visitor sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.test import Client

import rules
from scoresheets.models import Membership, User
from scoresheets.recording import archive_player, invite, revoke_invitation
from tests.scoresheets.clubs import add, club_game, finished, make_club, make_user, owner_of


def club_pages(names: Sequence[str], label: str, typed: str) -> dict[str, Any]:
    """Return each answer by a name for it: club, members and players have these `names`, an invitation the `label`."""
    house = rules.HouseRules(blind_bids=True, cloud_upper_clamp=False)
    club, empty = make_club(names[0], visibility="public", house=house), make_club(names[1])
    players = add(club, *names)
    finished(club, players[:3])
    club_game(club, players[1:])
    owner, stranger = club.memberships.get(), empty.memberships.get().user
    # A role each, and nobody's own line on the roster: lists must have the same order whatever the names.
    roles = ("manager", "scorer", "member")
    people = [
        owner,
        *(Membership.objects.create(club=club, user=make_user(f"{role} {club.pk}"), role=role) for role in roles),
    ]
    archive_player(club.players.get(user=owner.user), by=owner_of(club))
    secret = invite(club, role="manager", label=label, by=owner_of(club))[1]
    closed, closed_secret = invite(club, role="member", label=label, by=owner_of(club))
    revoke_invitation(closed, by=owner_of(club))
    for person, name in zip(people, names, strict=False):
        # No form takes such a name; an operator may have made it.
        User.objects.filter(pk=person.user_id).update(username=name)
    start, another, own = f"/clubs/{club.pk}/", people[1].pk, owner.pk
    pages = {
        None: ["/clubs/", start, f"/i/{secret}", f"/i/{closed_secret}", f"/clubs/{empty.pk}/", "/i/unknown"],
        owner.user: [
            *("/clubs/", "/clubs/new/", start, f"{start}settings/", f"{start}delete/", f"{start}members/"),
            *(f"{start}members/{another}/remove/", f"{start}members/{own}/remove/", f"/i/{secret}"),
        ],
        people[3].user: [start, f"{start}members/", f"{start}members/{people[3].pk}/remove/", f"/i/{secret}"],
        stranger: [f"/i/{secret}", f"/clubs/{empty.pk}/", f"/clubs/{empty.pk}/delete/"],
    }
    found: dict[str, Any] = {}
    for kind, (user, addresses) in zip(("visitor", "owner", "member", "stranger"), pages.items(), strict=True):
        client = Client()
        if user is not None:
            client.force_login(user)
        found |= {f"clubs, {kind}, {number}": client.get(address) for number, address in enumerate(addresses)}
    client = Client()
    client.force_login(owner.user)
    found |= _refusals(client, start, another, label, typed)
    for person in people:
        User.objects.filter(pk=person.user_id).update(username=f"Was {person.user_id}")
    return found


def _refusals(client: Client, start: str, another: int, label: str, typed: str) -> dict[str, Any]:
    members = f"{start}members/"
    wrong = {"name": typed * 61, "player_name": typed * 41, "locks_after": typed, "special": typed, "key": typed}
    wrong |= dict.fromkeys(("time_zone", "language", "visibility", "edition", "ladder"), typed)
    unwanted = {"role": typed, "label": typed * 41, "days": typed, "most_uses": typed}
    right = {"role": "scorer", "label": label, "days": "7", "invite": typed, "key": typed}
    return {
        "new club refused": client.post("/clubs/new/", wrong),
        "club's settings refused": client.post(f"{start}settings/", wrong),
        "invitation made": client.post(members, right),
        "invitation refused at once": client.post(members, unwanted),
        "invitation refused later": client.post(members, {**unwanted, "days": "7", "most_uses": "0"}),
        "role refused": client.post(members, {"change": another, "role": typed}),
        "role changed": client.post(members, {"change": another, "role": "scorer"}, follow=True),
    }
