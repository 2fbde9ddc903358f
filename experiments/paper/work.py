"""Runs units of work on all cores, keeps each result as soon as it is there, says how far it is."""

import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context


class Progress:
    """A line on standard error: how much is done, and how long the rest will take."""

    def __init__(self, title: str, costs: float, units: int):
        self.title, self.whole, self.units = title, costs, units
        self.start = self.shown = time.monotonic()
        self.done, self.cost = 0, 0.0

    def step(self, cost: float) -> None:
        self.done += 1
        self.cost += cost
        now = time.monotonic()
        if now - self.shown >= 2 or self.done == self.units:
            self.shown = now
            left = (now - self.start) * (self.whole - self.cost) / max(self.cost, 1e-9)
            print(
                f"{self.title}: {self.done} of {self.units} done, {clock(now - self.start)} so far,"
                f" about {clock(left)} to go",
                file=sys.stderr,
                flush=True,
            )


def clock(seconds: float) -> str:
    """Seconds for people.

    >>> clock(75), clock(7500)
    ('1:15', '2:05:00')
    """
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def die_at_once() -> None:
    """In a worker: Ctrl-C ends it without a word; the finished results are kept elsewhere."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def results(do, units: list[dict], alone: bool):
    """Pairs of a unit and its result, as they come; alone, one after the other in this process."""
    if alone or len(units) == 1:
        yield from ((unit, do(unit)) for unit in units)
        return
    cores = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(cores, get_context("fork"), initializer=die_at_once) as pool:
        try:
            tasks = {pool.submit(do, unit): unit for unit in units}
            for task in as_completed(tasks):
                yield tasks[task], task.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def finish(context, store, units, do, cost=None, alone: bool = False) -> list[dict]:
    """Does what is missing and returns the lines of all units. Where only drawing is asked for, it
    tells the context what is missing, and returns the lines that are there."""
    if context.draw_only:
        context.note(store, units)
        return store.lines_of(units)
    missing = store.missing(units)
    cost = cost or (lambda unit: 1.0)
    progress = Progress(context.figure, sum(map(cost, missing)), len(missing))
    for unit, result in results(do, missing, alone):
        store.add(unit, result)
        progress.step(cost(unit))
    return store.lines_of(units)
