"""Locks on clubs, and what an account may do there at this moment.

Locks are taken in one order, so that no two writers wait for each other: clubs by id, then games, then all else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.db import models

from scoresheets.actors import Actor
from scoresheets.models import Club, Membership


def locked_club(club_id: int, by: Actor) -> tuple[Club, Actor]:
    """Return the club as it is now, and the actor with the role they have in it now (at most 2 statements).

    Until the transaction ends nobody else writes the club, its members or its players: all that do begin here.
    Raises `Club.DoesNotExist`.
    """
    clubs, by = locked_clubs([club_id], by)
    return clubs[club_id], by


def locked_clubs(club_ids: Collection[int], by: Actor) -> tuple[dict[int, Club], Actor]:
    """Return several clubs by id, locked as by `locked_club`, and the actor with their roles in them.

    Raises `Club.DoesNotExist` if one of them does not exist.
    """
    # Rows that point to the club may be written meanwhile: a score is no reason to wait.
    rows = Club.objects.select_for_update(no_key=True).filter(pk__in=club_ids).order_by("pk")
    clubs = {club.pk: club for club in rows}
    if set(club_ids) - set(clubs):
        raise Club.DoesNotExist
    if by.user is None:
        return clubs, by
    roles = Membership.objects.filter(user=by.user, club__in=clubs).values_list("club", "role")
    return clubs, replace(by, roles=tuple(roles))


def save_recorded(row: models.Model, *, by: Actor, fields: Collection[str] | None = None) -> None:
    """Save a row that has a history, under the name of the actor; `fields` of one that exists already.

    The history says by which door, too, as `Via` names it.
    """
    history: Any = row
    history._history_user, history._change_reason = by.user, by.via
    row.save(update_fields=fields)


def delete_recorded(row: models.Model, *, by: Actor) -> None:
    """Delete a row that has a history, under the name of the actor."""
    history: Any = row
    history._history_user, history._change_reason = by.user, by.via
    row.delete()
