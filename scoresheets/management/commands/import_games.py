from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError

import rules
from scoresheets import wording
from scoresheets.actors import Actor
from scoresheets.forms.import_plans import BY_RULES, GUEST, LEAVE, NEW, OF_CLUB, OTHER, STANDARD, Decisions, Plan
from scoresheets.imports.plain import MOST_BYTES
from scoresheets.management.counted import counted
from scoresheets.models import Club, Import, ImportedGame, User
from scoresheets.recording import Conflict, imports
from scoresheets.recording.imports import problems_in
from scoresheets.recording.names import folded, tidy_name


class Command(BaseCommand):
    help = "Bring games of a file into a club, as its page for imports does; what is wrong is printed by row."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="CSV, XLSX or the JSON export of BG Stats")
        parser.add_argument("--club", type=int, required=True, help="the id of the club")
        parser.add_argument("--as", dest="account", required=True, help="the name of an account that manages the club")
        parser.add_argument("--dry-run", action="store_true", help="say what would become of the file, write nothing")
        parser.add_argument("--new", choices=[NEW, GUEST], help="add names that nobody has as new players or as guests")
        parser.add_argument(
            "--who", action="append", default=[], metavar="NAME=PLAYER", help="who is meant by a name; may be repeated"
        )
        parser.add_argument("--partly", action="store_true", help="import the other games if some cannot be imported")
        parser.add_argument("--mismatches", choices=[BY_RULES, LEAVE], default=BY_RULES, help="misprinted games")
        parser.add_argument("--rules", choices=[OF_CLUB, STANDARD], default=OF_CLUB, help="what sheets are measured by")

    def handle(self, *args: Any, **options: Any) -> None:
        club = Club.objects.filter(pk=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club {options['club']}.")
        user = User.objects.filter(username__iexact=options["account"]).first()
        if user is None:
            raise CommandError(f"There is no account {options['account']}.")
        content, name = self._read(options["file"]), options["file"].name
        plan = self._plan(club, content, name, options)
        self._print(plan)
        if plan.obstacles:
            raise CommandError(" ".join(wording.problem_in_words(problem) for problem in plan.obstacles))
        if options["dry_run"]:
            self.stdout.write(f"{counted(len(plan.taken), 'game')} would be imported.")
            return
        self._import(club, plan, content, name, by=Actor.of_user(user, user.memberships.all()))

    def _read(self, file: Path) -> bytes:
        try:
            with file.open("rb") as opened:
                # One byte more than may be: enough to tell that it is too much.
                return opened.read(MOST_BYTES + 1)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None

    def _plan(self, club: Club, content: bytes, name: str, options: dict[str, Any]) -> Plan:
        named = dict(pair.partition("=")[::2] for pair in options["who"])
        people = {folded(tidy_name(who)): f"{OTHER}:{tidy_name(player)}" for who, player in named.items()}
        decisions = Decisions(
            people=people, mismatches=options["mismatches"], partly=options["partly"], house=options["rules"]
        )
        plan = Plan.of_file(club, content, name, decisions)
        if options["new"] and plan.unsettled:
            added = {person.key: options["new"] for person in plan.unsettled if not person.choice}
            plan = Plan(club, plan.found, Decisions.from_stored(decisions.stored() | {"people": people | added}))
        return plan

    def _print(self, plan: Plan) -> None:
        for problem in (*plan.found.problems, *plan.found.warnings):
            self._line(problem)
        for game in plan.refused:
            for problem in game.problems:
                self._line(problem, game.names, row=game.row)
        for line in plan.mismatched:
            for problem in line.game.warnings:
                self._line(problem, line.game.names, row=line.game.row)
        for line in plan.doubles:
            self.stdout.write(f"row {line.game.row}: {ImportedGame.Reason(line.reason).label}")
        for person in plan.unsettled:
            near = ", ".join(player.name for player in person.near)
            self.stdout.write(f"{person.name}: nobody is called so" + (f"; like {near}" if near else ""))

    def _line(self, problem: rules.Problem, names: tuple[str, ...] = (), *, row: int = 0) -> None:
        place = problem.args
        where = [f"row {place.get('row') or row}"] if place.get("row") or row else []
        where += [str(place["column"])] if place.get("column") else []
        self.stdout.write(": ".join([", ".join(where), wording.noted_in_words(problem, names)]).removeprefix(": "))

    def _import(self, club: Club, plan: Plan, content: bytes, name: str, *, by: Actor) -> None:
        try:
            kept = imports.keep_file(club, content, name, by=by)
            imports.begin_import(
                kept,
                plan.new_games,
                by=by,
                planned_at=plan.planned_at,
                kind=plan.found.kind,
                left_out=plan.left_out,
                people=plan.new_people,
                choices=plan.decisions.stored(),
            )
        except PermissionDenied:
            raise CommandError(f"{by.user} does not manage {club}.") from None
        except rules.RulesError as refused:
            raise CommandError(" ".join(map(wording.problem_in_words, refused.problems))) from None
        except Conflict as conflict:
            raise CommandError(wording.conflict_in_words(conflict)) from None
        # The worker may do some of it at the same time; what it has begun is waited for here.
        while imports.run_import(kept.pk):
            kept.refresh_from_db()
            self.stdout.write(f"{kept.done} of {counted(kept.total, 'game')}")
        self._print_result(Import.objects.get(pk=kept.pk))

    def _print_result(self, found: Import) -> None:
        for row in found.games.filter(state=ImportedGame.State.FAILED).order_by("row"):
            for problem in problems_in(row.notes):
                self._line(problem, row=row.row)
        made = found.games.filter(state=ImportedGame.State.MADE).count()
        self.stdout.write(f"{counted(made, 'game')} imported; import {found.pk} can be undone on its page.")
        if found.state == Import.State.FAILED:
            raise CommandError("The import was stopped.")
