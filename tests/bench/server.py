"""One gunicorn with the product's own configuration, for the product and for H alike, and the CPU time it used.

One worker with one thread, as in the study that set the goals: what is compared is the work of a request. Several
writers at once would wait for SQLite's one writer and measure that.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

WORKERS = 1
THREADS = 1
HOST = "127.0.0.1"

_TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """A running server of a WSGI application, `module:name`, with these variables too; use it in a `with`."""

    def __init__(self, application: str, variables: Mapping[str, str] | None = None) -> None:
        self.application = application
        self.variables = variables or {}
        self.port = _free_port()

    def __enter__(self) -> Server:
        env = {**os.environ, "HOST": HOST, "PORT": str(self.port)}
        env |= {"WEB_CONCURRENCY": str(WORKERS), "WEB_THREADS": str(THREADS), **self.variables}
        command = [sys.executable, "-m", "gunicorn", "-c", "python:wizard_site.gunicorn", self.application]
        self.process = subprocess.Popen(command, env=env)
        for _attempt in range(200):
            if self.process.poll() is not None:
                raise SystemExit(f"The server of {self.application} did not start.")
            try:
                socket.create_connection((HOST, self.port), timeout=1).close()
                return self
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"The server of {self.application} does not answer.")

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)

    def cpu_seconds(self) -> float:
        """Return the CPU time, user and system, that the workers have used so far."""
        master = self.process.pid
        workers = Path(f"/proc/{master}/task/{master}/children").read_text().split()
        return sum(_cpu_ticks(int(worker)) for worker in workers) / _TICKS


def _cpu_ticks(pid: int) -> int:
    # The name of the command, in brackets, may hold blanks; utime and stime are the 14th and 15th fields.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
