"""Background work without a worker: a task runs at once, where it is enqueued."""

from __future__ import annotations

from typing import Any

from django_tasks import TaskResult
from django_tasks.backends.immediate import ImmediateBackend
from django_tasks.base import Task


class AtOnce(ImmediateBackend):
    """Runs a task in the transaction that enqueues it, and lets nothing that goes wrong pass.

    On the site it begins after that transaction instead, on another connection: here, what the transaction writes after
    it has enqueued a task is not seen by the task. Tests that are about the queue itself set the database's backend.
    """

    def enqueue(self, task: Task[Any, Any], args: Any, kwargs: Any) -> TaskResult[Any]:
        result = super().enqueue(task, args, kwargs)
        if result.errors:
            raise AssertionError(result.errors[0].traceback)
        return result
