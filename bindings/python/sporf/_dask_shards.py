"""Some rows of a training on a worker of Dask, and the tasks that use them.

A shard is the result of a task: Dask keeps it where it was made, and makes it again from the
partitions elsewhere if that worker is lost. What it remembers between questions only saves time.
"""

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from dask.sizeof import sizeof

from . import _apart, _core, _tables
from ._columns import Columns, Found, look
from ._messages import messages_in_python


@dataclass
class Setup:
    """What every worker knows of a training."""

    token: str
    outcomes: _apart.Outcomes
    options: dict[str, str]
    columns: Columns
    here: Any = None  # what this worker made of it

    def __getstate__(self):
        return {**self.__dict__, "here": None}


@sizeof.register(Setup)
def _size_of_setup(setup):
    return setup.outcomes.nbytes + setup.columns.nbytes + 1000


@dataclass
class _Here:
    """What all shards and branches of a training share on this worker, for as long as one of its
    setups is here: with a shard, or for a branch."""

    packed: _apart.Outcomes
    outcomes: Any
    grower: Any


_here: WeakValueDictionary[str, _Here] = WeakValueDictionary()
_guard = threading.Lock()


def _known(setup: Setup) -> _Here:
    with _guard:
        here = _here.get(setup.token)
        if here is None:
            outcomes = setup.outcomes.dataset()
            like = setup.columns.like()
            grower = _core.Shard(outcomes, like, 0, setup.options)
            here = _here[setup.token] = _Here(setup.outcomes, outcomes, grower)
        setup.here = here
        setup.outcomes = here.packed  # of setups that came later nothing else is kept
        return here


class Shard:
    """Rows of a worker. It travels as its rows, without what it remembers."""

    def __init__(self, setup, first, matrix):
        if not matrix.flags.aligned:  # as it comes back from the disk
            matrix = matrix.copy(order="F")
        self.setup, self.first, self.matrix = setup, first, matrix
        data = setup.columns.dataset(matrix)
        self.core = _known(setup).grower.beside(data, first)

    def __reduce__(self):
        return Shard, (self.setup, self.first, self.matrix)


@sizeof.register(Shard)
def _size_of_shard(shard):
    return shard.matrix.nbytes + 4 * len(shard.matrix) * shard.setup.columns.categories


@dataclass
class Survey:
    """What is known of a partition before shards are made."""

    rows: int
    nbytes: int
    found: dict[int, Found]


def survey(part: Any, named: set[int], labels: list[Any] | None) -> Survey:
    """Looks at a partition; `named` columns are said to be categories, and those of a frame should
    have these labels."""
    if labels is not None:
        _tables.check_labels(part, labels)
    return Survey(len(part), sizeof(part), look(part, named))


def build(setup: Setup, first: int, *parts: Any) -> Shard:
    """The rows of some partitions, from row `first` of the table on."""
    with messages_in_python(first):
        return Shard(setup, first, setup.columns.matrix(parts))


def rows(shards: list[Shard], question: bytes) -> list[bytes]:
    """The rows of a branch that are in some shards of this worker."""
    with messages_in_python():
        return [shard.core.answer(question, 1) for shard in shards]


AT_ONCE = 8  # answers that are added up, so that few are in memory


class Said(NamedTuple):
    """An answer, and whose it is: the rows of some shards, from row `first` to before `end`."""

    first: int
    end: int
    answer: bytes


def _join(core: Any, question: bytes, said: Iterable[Said]) -> list[Said]:
    """Answers in the order of rows; those of rows that follow each other become one."""
    runs: list[list[Said]] = []
    for new in said:
        if not runs or runs[-1][-1].end != new.first:
            runs.append([])
        elif len(runs[-1]) == AT_ONCE:
            runs[-1] = [_added(core, question, runs[-1])]
        runs[-1].append(new)
    return [_added(core, question, run) for run in runs]


def _added(core, question, run):
    if len(run) == 1:
        return run[0]
    return Said(run[0].first, run[-1].end, core.add_up(question, [one.answer for one in run]))


def answer(shards: list[Shard], question: bytes, threads: int) -> list[Said]:
    """What the shards of this worker say."""

    def each():
        for shard in shards:
            end = shard.first + len(shard.matrix)
            yield Said(shard.first, end, shard.core.answer(question, threads))

    with messages_in_python():
        return _join(shards[0].core, question, each())


def add_up(setup: Setup, question: bytes, *said: list[Said]) -> list[Said]:
    """What several workers said."""
    with messages_in_python():
        return _join(_known(setup).grower, question, sorted(chain.from_iterable(said)))


def grow(setup: Setup, question: bytes, order: list[tuple[int, int]], *rows: list[bytes]) -> bytes:
    """A branch, from the answers of all shards to the question about its rows. `order` tells where
    the answer of each shard is: whose list, and its place there."""
    with messages_in_python():
        brought = [rows[worker][place] for worker, place in order]
        return _known(setup).grower.grow(question, brought)
