"""A training on the workers of Dask, as the client sees it: plain tasks, each of which may run on
any worker and be run again.

The client hands out ranges of trees, large ones first, one at a time for each thread of a worker,
and joins the parts as they are finished, while others are grown, so that a lost worker costs what
it was growing and nothing else. A task whose worker is silent, or that takes much longer than
others, is given to another worker, too; the first answer counts.
"""

import threading
import time
import uuid
from collections import deque
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import dask
import distributed
from distributed import Future
from distributed.scheduler import KilledWorker

from . import _core, _dask_tables
from ._dask_tables import PieceLost

LOOK_EVERY = 1.0  # seconds between looks at the workers
SILENT_AFTER = 15.0  # seconds without a heartbeat
NO_WORKERS_FOR = 30.0  # seconds until a training without workers ends
LOST_FOR = 600.0  # seconds until one with a lost partition does; Dask waits 5 minutes for workers
OWN_BYTES = 220 * 10**6
PAUSED_FOR = 45.0  # seconds until a training that needs a paused worker gives up
LATE_LEAST, LATE_TIMES = 2.0, 3.0  # when a range is late: seconds, times the usual ones
TRIES_MOST = 4
GROWING_BYTES, GROWING_BYTES_OF_THREAD = 80, 40  # for each row, as measured
SHARE_OF_REST = 3  # ranges of each thread that the trees left would make


class WorkersLost(RuntimeError):
    """No worker is left, or a task was lost with several workers."""


@dataclass
class Job:
    """A task, until one of its tries has an answer."""

    name: str
    task: Any
    arguments: Any  # a function that returns them: keys of partitions may change
    trees: int = 0
    tries: dict[Future, float] = field(default_factory=dict)  # when each was submitted
    count: int = 0
    lost_since: float | None = None


@dataclass
class Worker:
    threads: int
    seen: float  # the scheduler's time of its last heartbeat
    changed: float  # our time when that last changed
    status: str
    limit: int
    memory: int  # in use
    since: float  # it has this status

    @property
    def own(self):
        """What the process takes without any data."""
        return min(self.memory, OWN_BYTES)

    def is_silent(self, now):
        return now - self.changed > SILENT_AFTER


def was_killed(name: str, error: KilledWorker) -> WorkersLost:
    return WorkersLost(
        f"{name} was lost with {error.allowed_failures + 1} workers, one after the other. Workers "
        "that run out of memory are killed: give them more, or start fewer on a machine"
    )


class Workers:
    """Those of a client, looked at now and then."""

    def __init__(self, client):
        self.client = client
        self.all: dict[str, Worker] = {}
        self.looked = -LOOK_EVERY
        self.last_alive = time.monotonic()
        self.look()

    def look(self):
        now = time.monotonic()
        if now - self.looked < LOOK_EVERY:
            return
        if self.client.status not in ("running", "connecting"):
            raise WorkersLost("the connection to the scheduler of Dask is lost")
        found = self.client.scheduler_info(n_workers=-1)["workers"]
        self.looked, before = now, self.all
        self.all = {address: self._worker(info, before.get(address), now)
                    for address, info in found.items()}  # fmt: skip
        if any(self.alive(now)):
            self.last_alive = now
        elif now - self.last_alive > NO_WORKERS_FOR:
            states = ", ".join(f"{a} is {w.status}" for a, w in self.all.items())
            raise WorkersLost(
                f"no worker has been running for {NO_WORKERS_FOR:.0f} seconds: "
                + (states or "all workers are lost, or none was started")
            )

    def wait(self):
        """Until there is one, or has been none for too long."""
        while not self.alive():
            time.sleep(LOOK_EVERY)
            self.look()

    @staticmethod
    def _worker(info, before, now):
        seen = info["last_seen"]
        changed = now if before is None or before.seen != seen else before.changed
        limit = int(info["memory_limit"] or 0)
        memory = int(info.get("metrics", {}).get("memory", 0))
        status = info["status"]
        since = before.since if before is not None and before.status == status else now
        return Worker(info["nthreads"], seen, changed, status, limit, memory, since)

    def alive(self, now=None) -> list[str]:
        return [a for a in self.present(now) if self.all[a].status == "running"]

    def present(self, now=None) -> list[str]:
        """Those that answer; some may be paused, because their memory is full."""
        now = time.monotonic() if now is None else now
        return [address for address, worker in self.all.items() if not worker.is_silent(now)]

    def refuse_paused(self, addresses):
        """Ends a training that waits for a worker without memory."""
        now = time.monotonic()
        for address in addresses & set(self.present(now)):
            worker = self.all[address]
            if worker.status == "paused" and now - worker.since > PAUSED_FOR:
                raise MemoryError(
                    f"{address} has been paused by Dask for {PAUSED_FOR:.0f} seconds: it uses "
                    f"{in_words(worker.memory)} of {in_words(worker.limit)}. Start more workers, "
                    "or workers with more memory, or make partitions smaller"
                )

    def threads(self) -> int:
        return sum(self.all[address].threads for address in self.alive())

    def of_tasks(self) -> dict[Any, str]:
        """Where each task is that is running or about to."""
        return {key: address for address, keys in self.client.processing().items() for key in keys}


class Crew:
    """Runs jobs on the workers."""

    def __init__(self, client, workers, inputs):
        self.client, self.workers, self.inputs = client, workers, inputs
        self.seconds_per_tree: list[float] = []

    def run(self, jobs, finished):
        """Calls finished(job, answer) for each."""
        waiting, running = deque(jobs), []
        try:
            while waiting or running:
                self.workers.look()
                self._hand_out(waiting, running)
                self._wait(running)
                for job in list(running):
                    self._hand_out(waiting, running)  # an answer may take long to get here
                    if self._collect(job, finished):
                        running.remove(job)
                self._back_up(running, not waiting)
        finally:
            self.cancel([future for job in running for future in job.tries])

    def _hand_out(self, waiting, running):
        busy = sum(not any(future.done() for future in job.tries) for job in running)
        for _ in range(min(len(waiting), max(1, self.workers.threads()) - busy)):
            running.append(waiting.popleft())
            self._submit(running[-1])

    def _submit(self, job, workers=None):
        future = self.client.submit(
            job.task,
            *job.arguments(),
            key=f"{job.name}-{uuid.uuid4().hex}",
            workers=workers or None,
            allow_other_workers=bool(workers),
        )
        job.tries[future] = time.monotonic()
        job.count += 1

    def _wait(self, running):
        futures = [future for job in running for future in job.tries]
        if not futures:
            time.sleep(LOOK_EVERY)
            return
        with suppress(TimeoutError, CancelledError):
            distributed.wait(futures, timeout=LOOK_EVERY, return_when="FIRST_COMPLETED")

    def cancel(self, futures):
        if futures and self.client.status == "running":
            self.client.cancel(futures)

    def _collect(self, job, finished):
        """Whether the job has an answer."""
        for future in [future for future in job.tries if future.done()]:
            try:
                answer = future.result(timeout=SILENT_AFTER)
            except TimeoutError:  # on a worker that was lost, or is silent
                continue
            except (CancelledError, PieceLost) as error:
                self._again(job, future, error)
                continue
            except KilledWorker as error:
                raise was_killed(job.name, error) from error
            if job.trees:
                self.seconds_per_tree.append((time.monotonic() - job.tries[future]) / job.trees)
            others = [other for other in job.tries if other is not future]
            self.cancel(others)
            job.tries.clear()  # so that the answer is not kept twice
            finished(job, answer)
            return True
        return False

    def _again(self, job, future, error):
        """Another try, when what was lost is there again."""
        now = time.monotonic()
        job.lost_since = job.lost_since or now
        if now - job.lost_since > LOST_FOR:
            raise WorkersLost(
                f"{job.name} cannot go on: a part of the data is lost ({error})"
            ) from error
        del job.tries[future]
        self.inputs.renew()
        if not job.tries:
            self._submit(job)

    def _back_up(self, running, is_last):
        now = time.monotonic()
        where = None
        for job in running:
            since = min(job.tries.values(), default=now)
            if now - since < LATE_LEAST or len(job.tries) > 1 or job.count >= TRIES_MOST:
                continue
            where = self.workers.of_tasks() if where is None else where
            places = {where.get(future.key) for future in job.tries}
            silent = [a for a in places if a in self.workers.all
                      and self.workers.all[a].is_silent(now)]  # fmt: skip
            others = [a for a in self.workers.alive() if a not in places]
            if others and (silent or (is_last and self._is_late(job, now - since))):
                self._submit(job, others)

    def _is_late(self, job, seconds):
        if not self.seconds_per_tree or not job.trees:
            return False
        return seconds > LATE_TIMES * job.trees * median(self.seconds_per_tree)


def ranges(trees: int, threads: int) -> list[tuple[int, int]]:
    """(first, count) of each range: large ones first, single trees at the end, so that all threads
    end together."""
    found, first = [], 0
    while first < trees:
        count = max(1, (trees - first) // (SHARE_OF_REST * max(1, threads)))
        found.append((first, count))
        first += count
    return found


def in_words(size: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def _growing_bytes(rows, worker):
    return rows * (GROWING_BYTES + GROWING_BYTES_OF_THREAD * worker.threads)


def pause_at() -> float:
    """The share of its memory limit up to which a worker of Dask takes tasks."""
    return dask.config.get("distributed.worker.memory.pause", 0.8) or 1.0


def fits_all(table_bytes: int, rows: int, workers: Workers) -> bool:
    """Whether each worker can hold a table and grow trees of it."""
    return not any(
        w.limit and table_bytes + _growing_bytes(rows, w) + w.own > pause_at() * w.limit
        for w in workers.all.values()
    )


class TableTooLarge(MemoryError):
    """A worker cannot hold the table."""


def refuse_large(table_bytes: int, shape: tuple[int, int], workers: Workers) -> None:
    """Refuses a table that does not fit each worker."""
    pause = pause_at()
    for address, worker in workers.all.items():
        growing = _growing_bytes(shape[0], worker)
        if worker.limit and table_bytes + growing + worker.own > pause * worker.limit:
            raise TableTooLarge(
                f"the table of {shape[0]} rows and {shape[1]} features takes "
                f"{in_words(table_bytes)} on each worker, and growing trees about "
                f"{in_words(growing)}, but {address} has a memory limit of "
                f"{in_words(worker.limit)}, of which Dask uses {100 * pause:.0f}%, and "
                f"{in_words(worker.own)} are those of the process itself. Start fewer "
                "workers with more memory each, keep fewer columns, or divide the rows among "
                "them: rows='apart'"
            )


class Joiner:
    """Joins parts in a thread, while others are grown: so little is left to do in the end, and
    little memory is needed. Here, not on a worker: the parts come here as they are finished, where
    no worker can take them with it, and out-of-bag votes are not in the bytes of a model."""

    def __init__(self):
        self.joining = _core.Joining.start(_core.cores())
        self.thread = ThreadPoolExecutor(1, "sporf-join")
        self.added = deque()

    def add(self, part: bytes) -> None:
        while self.added and self.added[0].done():
            self.added.popleft().result()
        self.added.append(self.thread.submit(self.joining.add, part))

    def forest(self, first_trees: bool) -> Any:
        """The forest; or the one of the first trees, None if the first one is not there."""
        while self.added:
            self.added.popleft().result()
        if first_trees and self.joining.trees == 0:
            return None
        return self.joining.end(first_trees)

    def stop(self) -> None:
        self.thread.shutdown(wait=False, cancel_futures=True)


class Training:
    """One call of fit."""

    def __init__(self, client, workers, inputs):
        self.client, self.workers, self.inputs = client, workers, inputs
        self.token = uuid.uuid4().hex
        self.crew = Crew(client, workers, inputs)
        self.joiner = Joiner()

    def run(self, seed, trees, wants_rows, progress):
        """The forest, what was settled, and what Ctrl-C raised, or None: then the forest has the
        trees before the first unfinished one, and is None if there are none."""
        raised = None
        try:
            tables = self._prepare()
            settled = self._settle(seed, wants_rows)
            try:
                self._grow(settled, trees, progress)
            except KeyboardInterrupt as interrupt:
                raised = interrupt
                self._drop()
            del tables
            return self._join(raised is not None), settled, raised
        finally:
            self.joiner.stop()
            self._drop()

    def _prepare(self):
        """Starts to make tables on all workers. What comes of it does not matter: those who need a
        table make it if it is not there."""
        return [
            self.client.submit(
                _dask_tables.prepare,
                self.token,
                self.inputs.recipe,
                key=f"sporf-table-{uuid.uuid4().hex}",
                workers=[address],
                allow_other_workers=True,
            )
            for address in self.workers.alive()
        ]

    def _settle(self, seed, wants_rows):
        found = []
        alive = self.workers.alive()
        threads = min((self.workers.all[address].threads for address in alive), default=1)

        def arguments():
            return self.token, self.inputs.recipe, seed, threads, wants_rows

        job = Job("sporf-settle", _dask_tables.settle, arguments)
        self.crew.run([job], lambda job, answer: found.append(answer))
        return found[0]

    def _grow(self, settled, trees, progress):
        done = 0

        def finished(job, part):
            nonlocal done
            self.joiner.add(part)
            done += job.trees
            if progress:
                progress(done)

        def job(first, count):
            def arguments():
                return self.token, self.inputs.recipe, settled.options, first, count

            return Job("sporf-trees", _dask_tables.grow, arguments, trees=count)

        some = ranges(trees, self.workers.threads())
        self.crew.run([job(first, count) for first, count in some], finished)

    def _join(self, first_trees):
        return self.joiner.forest(first_trees)

    def _drop(self):
        """Frees the tables. A worker that does not answer frees its own when another is made."""
        run_on_all(self.client, self.workers, _dask_tables.drop, self.token)


def run_on_all(client, workers, function, *arguments):
    """Calls a function on all workers that answer soon; what becomes of it does not matter."""
    alive = workers.alive()
    if not alive or client.status != "running":
        return

    def run():
        with suppress(Exception):  # of workers that are lost meanwhile
            client.run(function, *arguments, workers=alive, on_error="ignore")

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(LOOK_EVERY)
