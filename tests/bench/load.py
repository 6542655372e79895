"""The load: two processes, each with half of the connections, that send ready-made requests over plain sockets.

The same client measures everything. Each connection carries one request, as in the study that set the goals, or stays
open (`keep_alive`); a new request goes out as soon as the answer before it has come in whole.
"""

from __future__ import annotations

import pickle
import selectors
import socket
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field

PROCESSES = 2
CONNECTIONS = 8
STUCK_SECONDS = 60


@dataclass(slots=True)
class Job:
    """Requests as bytes for one port: sent once each, or, with `seconds`, round and round for that long."""

    port: int
    requests: list[bytes]
    seconds: float | None = None
    connections: int = CONNECTIONS // PROCESSES
    keep_alive: bool = False


@dataclass(slots=True)
class Outcome:
    """What came of a job: answers by status, `acknowledged` requests (status 200) by their place in the job."""

    elapsed: float = 0.0
    statuses: Counter[int] = field(default_factory=Counter)
    acknowledged: list[int] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    last_answer: bytes = b""

    @property
    def answers(self) -> int:
        return sum(self.statuses.values())


class Clients:
    """The client processes; use it in a `with`."""

    def __enter__(self) -> Clients:
        command = [sys.executable, "-c", "from tests.bench.load import main; main()"]
        self.processes = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(PROCESSES)
        ]
        return self

    def __exit__(self, *_error: object) -> None:
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=30)

    def run(
        self, port: int, requests: Sequence[bytes], *, seconds: float | None = None, keep_alive: bool = False
    ) -> Outcome:
        """Send the requests and return what came of them; `acknowledged` are places in `requests`."""
        shares = [list(requests[start::PROCESSES]) if seconds is None else list(requests) for start in range(PROCESSES)]
        for process, share in zip(self.processes, shares, strict=True):
            assert process.stdin is not None
            pickle.dump(Job(port, share, seconds, keep_alive=keep_alive), process.stdin)
            process.stdin.flush()
        total = Outcome()
        for start, process in enumerate(self.processes):
            assert process.stdout is not None
            part: Outcome = pickle.load(process.stdout)
            total.elapsed = max(total.elapsed, part.elapsed)
            total.statuses += part.statuses
            total.latencies += part.latencies
            total.acknowledged += [place * PROCESSES + start for place in part.acknowledged]
            total.last_answer = part.last_answer or total.last_answer
        return total


class _Connection:
    """A socket with one request under way; `place` is the request's place in the job."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.socket: socket.socket | None = None
        self.place = -1
        self.answer = b""
        self.sent_at = 0.0

    def send(self, place: int, selector: selectors.BaseSelector) -> None:
        self.place, self.answer, self.sent_at = place, b"", time.perf_counter()
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.job.port), timeout=STUCK_SECONDS)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(self.socket, selectors.EVENT_READ, self)
        self.socket.sendall(self.job.requests[place])

    def receive(self) -> bool:
        """Read what is there and say whether the answer is complete."""
        assert self.socket is not None
        part = self.socket.recv(1 << 18)
        self.answer += part
        if not part:
            return True
        return self.job.keep_alive and _is_whole(self.answer)

    def close(self, selector: selectors.BaseSelector) -> None:
        if self.socket is not None:
            selector.unregister(self.socket)
            self.socket.close()
            self.socket = None


def _is_whole(answer: bytes) -> bool:
    head, blank, body = answer.partition(b"\r\n\r\n")
    if not blank:
        return False
    length = head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0]
    return len(body) >= int(length or 0)


def run(job: Job) -> Outcome:
    """Send a job's requests over its connections, each with one request under way at a time."""
    outcome = Outcome()
    waiting = deque(range(len(job.requests)))
    endless = job.seconds is not None
    start = time.perf_counter()
    end = start + (job.seconds if job.seconds is not None else STUCK_SECONDS)
    with selectors.DefaultSelector() as selector:
        connections = [_Connection(job) for _ in range(job.connections)]
        busy = 0
        for connection in connections:
            if waiting:
                connection.send(_next_of(waiting, endless), selector)
                busy += 1
        while busy:
            for key, _events in selector.select(STUCK_SECONDS):
                connection = key.data
                if not connection.receive():
                    continue
                now = time.perf_counter()
                _note(outcome, connection, now)
                if not job.keep_alive:
                    connection.close(selector)
                if waiting and now < end:
                    connection.send(_next_of(waiting, endless), selector)
                else:
                    connection.close(selector)
                    busy -= 1
    outcome.elapsed = time.perf_counter() - start
    return outcome


def _next_of(waiting: deque[int], endless: bool) -> int:
    place = waiting.popleft()
    if endless:
        waiting.append(place)
    return place


def _note(outcome: Outcome, connection: _Connection, now: float) -> None:
    status = int(connection.answer[9:12] or 0)
    outcome.statuses[status] += 1
    outcome.latencies.append(now - connection.sent_at)
    outcome.last_answer = connection.answer
    if status == 200:
        outcome.acknowledged.append(connection.place)


def main() -> None:
    """Run the jobs that come in pickled, one after the other, until there are no more."""
    while True:
        try:
            job = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(run(job), sys.stdout.buffer)
        sys.stdout.buffer.flush()
