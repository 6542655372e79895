"""What models and their columns are called on the admin site.

Models have no words for people: pages say everything in sentences of their own. Only the admin site shows rows as
such, so it gives the names here. Migrations do not see them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.admin.models import LogEntry
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_tasks_db.models import DBTaskResult

from scoresheets import models, rulebook
from scoresheets.models.imports import Import, ImportedGame

#: One and several.
MODEL_NAMES: Mapping[type[Model], tuple[Promise, Promise]] = {
    models.Game: (_("game"), _("games")),
    models.Seat: (_("seat"), _("seats")),
    models.Round: (_("round"), _("rounds")),
    models.Entry: (_("journal entry"), _("journal entries")),
    models.Link: (_("link"), _("links")),
    models.Club: (_("club"), pgettext_lazy("groups of people", "clubs")),
    models.Membership: (_("membership"), _("memberships")),
    models.Invitation: (_("invitation"), _("invitations")),
    models.Player: (_("player"), _("players")),
    models.PlayerLink: (_("personal link"), _("personal links")),
    models.Merge: (_("merge"), _("merges")),
    models.Claim: (_("claim"), _("claims")),
    models.Evening: (_("evening"), _("evenings")),
    models.Season: (_("season"), _("seasons")),
    models.Standing: (_("standing"), _("standings")),
    models.Result: (_("result"), _("results")),
    models.User: (_("account"), _("accounts")),
    models.Token: (_("token"), _("tokens")),
    models.Webhook: (_("webhook"), _("webhooks")),
    models.Delivery: (_("delivery"), _("deliveries")),
    Import: (_("import"), _("imports")),
    ImportedGame: (_("imported game"), _("imported games")),
    DBTaskResult: (_("task"), _("tasks")),
    LogEntry: (_("act of staff"), _("acts of staff")),
}

#: Columns by their name, whatever the model.
FIELD_NAMES: Mapping[str, Promise] = {
    "id": _("number"),
    "club": _("club"),
    "user": _("account"),
    "game": _("game"),
    "player": _("player"),
    "name": _("name"),
    "public_name": _("public name"),
    "role": _("role"),
    "label": _("label"),
    "created_at": _("made"),
    "created_by": _("made by"),
    "made_by": _("made by"),
    "by": _("by"),
    "at": _("at"),
    "expires_at": _("expires"),
    "revoked_at": _("closed"),
    "used_at": _("used"),
    "uses": _("uses"),
    "most_uses": _("most uses"),
    "joined_at": _("joined"),
    # games
    "deck": _("deck"),
    "touched": _("changes, drafts too"),
    "ladder": _("ladder"),
    "plan": _("plan of the rounds"),
    "first_dealer": _("first dealer"),
    "detail": _("what is known"),
    "state": _("state"),
    "halted": _("interrupted"),
    "incomplete": _("incomplete"),
    "table_changed": _("the table has changed"),
    "started_at": _("started"),
    "finished_at": _("finished"),
    "rematch_of": _("rematch of"),
    "version": _("version"),
    "evening": _("evening"),
    "night": _("night"),
    "counted": _("in the statistics"),
    "confirmed_version": _("confirmed version"),
    "position": _("place"),
    "presence": _("presence"),
    "starting": _("begins with"),
    "total": _("total"),
    "exact": _("exact bids"),
    "rounds": _("rounds"),
    "rank": _("rank"),
    "line": _("line"),
    "adjustments": _("points beside the rounds"),
    "number": _("number"),
    "cards": _("cards"),
    "dealer": _("dealer"),
    "bombs": _("bombs"),
    "trump": _("trump"),
    "turned_up": _("turned-up card"),
    "chosen_by": _("trump chosen by"),
    "kind": _("kind"),
    "via": _("door"),
    "seat": _("seat"),
    "reason": _("reason"),
    "scope": _("scope"),
    # clubs and players
    "time_zone": _("time zone"),
    "language": _("language"),
    "visibility": _("visibility"),
    "house": _("house rules"),
    "incomplete_counts": _("games ended early count"),
    "locks_after": _("locked after hours"),
    "is_guest": _("guest"),
    "canonical": _("counts as"),
    "archived_at": _("archived"),
    "kept": _("kept"),
    "merged": _("merged"),
    "moved": _("moved"),
    "handed_on": _("account handed on"),
    "undone_at": _("undone"),
    "undone_by": _("undone by"),
    "asked_at": _("asked"),
    "accepted": _("accepted"),
    "decided_at": _("decided"),
    "decided_by": _("decided by"),
    # evenings and seasons
    "starts_at": _("begins"),
    "place": _("where"),
    "note": _("note"),
    "counts": pgettext_lazy("an evening", "counts"),
    "opened_at": _("opened"),
    "closed_at": _("ended"),
    "cancelled_at": _("called off"),
    "starts_on": _("first night"),
    "ends_on": _("last night"),
    "formula": _("formula"),
    "place_points": _("points for places"),
    "best": _("best ones"),
    "best_of": _("best of"),
    "fewest_games": _("fewest games"),
    "editions": _("editions"),
    "guests": _("guests"),
    "only_evenings": _("evenings only"),
    "tie_rule": _("tie rule"),
    "changed_after_close": _("changed after its end"),
    "stale": _("being worked out anew"),
    "last_night": _("newest night"),
    "season": _("season"),
    "games": _("games"),
    "nights": _("nights"),
    "wins": _("wins"),
    "points": _("league points in sixtieths"),
    "ranked": _("ranked"),
    "players": _("players"),
    # accounts
    "username": _("name"),
    "email": _("e-mail address"),
    "is_active": _("active"),
    "is_staff": _("staff"),
    "is_superuser": _("superuser"),
    "last_login": _("last signed in"),
    "date_joined": _("signed up"),
    "theme": _("display"),
    # service
    "shown": _("begins with"),
    "last_used_at": _("last used"),
    "address": _("address"),
    "on_finished": _("told of finished games"),
    "on_corrected": _("told of corrections"),
    "on_confirmed": _("told of confirmations"),
    "failures": _("failures"),
    "failing_since": _("failing since"),
    "rests_until": _("rests until"),
    "disabled_at": _("switched off by the site"),
    "webhook": _("webhook"),
    "event": _("event"),
    "status": _("status"),
    "tries": _("tries"),
    "next_try_at": _("next try"),
    "last_try_at": _("last try"),
    "status_code": _("status of the answer"),
    "error": _("error"),
    "delivered_at": _("delivered"),
    "task_path": _("task"),
    "enqueued_at": _("asked for"),
    "file_name": _("file"),
    "done": _("done"),
    "failure": _("failure"),
    "begun_at": _("begun"),
    "ended_at": _("ended"),
    "of_import": _("import"),
    "row": _("row"),
    "key": _("name in the file"),
    "played_at": _("played"),
    "notes": _("notes"),
    "action_time": _("at"),
    "object_id": _("number"),
    "content_type": _("of what"),
}


def give_names() -> None:
    """Give the models and columns that the admin site shows their names."""
    for model, (one, several) in MODEL_NAMES.items():
        # To the type checker only marked strings are names.
        about: Any = model._meta
        about.verbose_name, about.verbose_name_plural = one, several
        field: Any
        for field in about.concrete_fields:
            words = rulebook.FIELDS[field.name].name if field.name in rulebook.FIELDS else FIELD_NAMES.get(field.name)
            if words is not None:
                field.verbose_name = words
