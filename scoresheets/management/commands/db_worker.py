"""The worker of `django_tasks_db`, under its name: kinder to SQLite, and it looks after what tasks leave behind.

It also sends what webhooks are told. That needs no tasks: what is due is in a table of its own.
"""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import close_old_connections
from django.utils.crypto import get_random_string
from django_tasks import DEFAULT_TASK_BACKEND_ALIAS, DEFAULT_TASK_QUEUE_NAME
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from scoresheets.recording import deliveries, imports, tasks

#: Seconds between two looks for tasks, and between two rounds of housekeeping.
INTERVAL, HOUSEKEEPING = 2.0, 600.0
#: Rows of finished tasks are kept for so many days; failed ones longer, for whoever looks for the reason.
DONE_DAYS, FAILED_DAYS = 1, 30


class Command(BaseCommand):
    help = "Do the site's background work. make serve starts it beside the server; with WORKER=off run it yourself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--interval",
            type=float,
            default=INTERVAL,
            help="seconds between two looks for work (default: %(default)s)",
        )
        parser.add_argument("--once", action="store_true", help="do what there is to do, and stop")
        parser.add_argument("--beside", type=int, help="stop when this process, which started the worker, is gone")

    def handle(self, *args: Any, **options: Any) -> None:
        worker = SiteWorker(interval=options["interval"], beside=options["beside"])
        worker.configure_signals()
        worker.keep_house()
        worker.work()
        if not options["once"]:
            worker.go_on()


class SiteWorker(Worker):
    """Does all tasks there are and sends all that is due, again and again.

    The worker of the package takes SQLite's one write lock at each look; this one reads first, which keeps nobody
    waiting, and takes the lock only when there is something to do.
    """

    def __init__(self, *, interval: float, beside: int | None = None) -> None:
        super().__init__(
            queue_names=[DEFAULT_TASK_QUEUE_NAME],
            excluded_queue_names=[],
            interval=interval,
            batch=True,
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            startup_delay=False,
            max_tasks=None,
            worker_id=get_random_string(32),
        )
        self.beside = beside

    def keep_house(self) -> None:
        """Ask for what is stale and not asked for, and forget old tasks, deliveries and files."""
        close_old_connections()
        tasks.enqueue_stale()
        deliveries.forget_old_deliveries()
        imports.forget_old_files()
        call_command("prune_db_task_results", min_age_days=DONE_DAYS, failed_min_age_days=FAILED_DAYS, verbosity=0)
        self.kept_house = time.monotonic()

    def work(self) -> None:
        """Do the tasks that are there, and those they lead to, one after the other; and send what is due."""
        close_old_connections()
        self.do_tasks()
        while self.running and self.deliver():
            # Receivers that take their time keep no task waiting for longer than one of them takes.
            self.do_tasks()

    def do_tasks(self) -> None:
        if self.running and DBTaskResult.objects.ready().exists():
            self.run()

    def deliver(self) -> int:
        # Told to stop, the worker notes the answers that are on their way first, as it ends a task first.
        self.running_task = True
        try:
            return deliveries.deliver_due()
        finally:
            self.running_task = False

    def go_on(self) -> None:
        """Work until a signal stops it, or the process beside it is gone."""
        while self.running and self.beside in (None, os.getppid()):
            time.sleep(self.interval)
            self.work()
            if time.monotonic() - self.kept_house > HOUSEKEEPING:
                self.keep_house()
