"""Keep the background worker running beside a server: python -m wizard_site.worker PID (wizard_site.serve does it).

It starts `manage.py db_worker`, starts it again when it dies, and stops it when it is told to stop itself or when its
parent with this process id, the server, is gone. Nothing else depends on it: the site is there without a worker too.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from types import FrameType

from wizard_site.local import BASE_DIR

#: Seconds between two looks at worker and server.
LOOK = 0.5
#: After its death a worker is started again so many seconds later, each time twice as many; after a long life at once.
SHORTEST_PAUSE, LONGEST_PAUSE, LONG_LIFE = 1.0, 60.0, 60.0
#: A worker that is told to stop ends its task first, but not for longer than this.
PATIENCE = 10.0

#: The variable by which gunicorn knows the keeper that was started beside it.
KEEPER = "WORKER_KEEPER"

COMMAND = (sys.executable, "manage.py", "db_worker")


class Keeper:
    """Keeps `command` running, as long as `is_wanted` says so and no signal tells it to stop."""

    def __init__(self, command: Sequence[str], *, is_wanted: Callable[[], bool]) -> None:
        self.command = command
        self.is_wanted = is_wanted
        self.stopped = False
        self.process: subprocess.Popen[bytes] | None = None
        self.started_at = self.next_start = 0.0
        self.pause = 0.0

    def keep(self) -> None:
        """Return when the command is no longer wanted, and has ended."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self.stop)
        try:
            while not self.stopped and self.is_wanted():
                self.look()
                time.sleep(LOOK)
        finally:
            self.end()

    def stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stopped = True

    def look(self) -> None:
        """Start the command if it does not run and its time has come."""
        now = time.monotonic()
        if self.process is not None:
            if self.process.poll() is None:
                return
            lived = now - self.started_at
            self.pause = 0.0 if lived > LONG_LIFE else min(max(2 * self.pause, SHORTEST_PAUSE), LONGEST_PAUSE)
            self.next_start, self.process = now + self.pause, None
            print(f"The worker ended ({self.pause:.0f} s until it is started again).", file=sys.stderr, flush=True)
        if now >= self.next_start:
            self.process, self.started_at = subprocess.Popen(self.command, cwd=BASE_DIR), now

    def end(self) -> None:
        """Let the command end what it is at, then see to it that it is gone."""
        if self.process is None:
            return
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        self.process.kill()
        self.process.wait()


def start() -> subprocess.Popen[bytes]:
    """Start a keeper beside this process and return it; where that has a terminal, Ctrl-C there does not reach it."""
    command = [sys.executable, "-m", "wizard_site.worker", str(os.getpid())]
    return subprocess.Popen(command, cwd=BASE_DIR, stdin=subprocess.DEVNULL, start_new_session=True)


def stop(keeper: int) -> None:
    """Tell the keeper with this id to stop and wait until it has, if it is still there and a child of this process."""
    with contextlib.suppress(ChildProcessError):
        if os.waitpid(keeper, os.WNOHANG) == (0, 0):
            os.kill(keeper, signal.SIGTERM)
            os.waitpid(keeper, 0)


if __name__ == "__main__":
    server = int(sys.argv[1])
    Keeper((*COMMAND, "--beside", str(os.getpid())), is_wanted=lambda: os.getppid() == server).keep()
