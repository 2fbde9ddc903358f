"""A training on Dask of a table that no worker can hold: rows stay where they are, and the client,
which has none, asks about them.
"""

import math
import time
import uuid
from collections import Counter
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any

import dask
import dask.array
import dask.dataframe
import distributed
import numpy as np
from dask.graph_manipulation import clone
from distributed.scheduler import KilledWorker
from sklearn.utils.validation import validate_data

from . import _apart, _core, _dask_shards, _tables
from ._columns import Columns, Found
from ._dask_inputs import await_all, cut_table, is_array, is_lazy, send, whole_rows
from ._dask_training import (
    LOOK_EVERY,
    SILENT_AFTER,
    Crew,
    Job,
    fits_all,
    pause_at,
    was_killed,
)
from ._messages import messages_in_python

SHARDS_OF_WORKER = 4  # at least
SHARD_MOST = 64 << 20  # bytes: partitions and their copy are in memory while a shard is made
BRANCH_MOST = 1 << 30  # bytes
TREES_MOST = 32  # at a time
BRANCH_SHARE = 0.65  # of what is left for branches and trees
ADDED_UP = 8  # workers whose answers become one before the client hears them
BRANCH_COPIES = 3  # of a branch's rows on the worker that grows it


# ---- memory ----------------------------------------------------------------------------------


@dataclass
class Budget:
    """What a worker holds, in bytes, and how large branches may be."""

    rows: int
    features: int
    worker_rows: int  # at most
    shards: int  # of a worker
    categories: int = 0  # columns that the library copies
    names: int = 0  # bytes of those of levels
    branch_rows: int = 0
    trees: int = 0

    @classmethod
    def of(cls, columns, kinds, workers, source):
        """For the smallest worker. Refuses what does not fit before data move."""
        alive = [workers.all[address] for address in workers.alive()]
        count = max(1, len(alive))
        rows, features = sum(source.lengths), columns.count
        even = math.ceil(rows / count)
        shards = max(SHARDS_OF_WORKER, math.ceil(4 * features * even / SHARD_MOST))
        worker_rows = most_rows(source.lengths, count, shards)
        budget = cls(rows, features, worker_rows, shards, columns.categories, columns.nbytes)
        pause = pause_at()
        free = min((pause * w.limit - w.memory for w in alive if w.limit), default=math.inf)
        threads = max((w.threads for w in alive), default=1)
        free -= budget.held(kinds)
        making = budget.making(source)
        asking = budget.asking(threads)
        kept = kinds.tree * worker_rows
        copies = BRANCH_COPIES * threads * 4 * (features + 2)
        least = copies * min(rows, _apart.LEAST_BRANCH_ROWS)
        starting = kinds.starting * rows - 4 * features * worker_rows  # which are not there yet
        takes = max(making, starting, kept + max(asking, least))
        if free < takes:
            held = budget.held(kinds)
            budget.refuse(takes + held, free + held, pause)
        most = copies * BRANCH_MOST / (4 * features)
        share = max(least, min(BRANCH_SHARE * (free - kept), most))
        budget.branch_rows = int(share / copies)
        budget.trees = int(max(1, min(TREES_MOST, (free - max(asking, share)) // kept)))
        return budget

    def refuse(self, takes, left, pause):
        """One number is rounded up and the other down, so that they differ as shown."""
        raise MemoryError(
            f"a worker would hold {self.worker_rows} of {self.rows} rows of {self.features} "
            "features. With outcomes, bags and branches that takes "
            f"{math.ceil(takes / 1e6):,} MB, but a worker has {math.floor(max(left, 0) / 1e6):,} "
            f"MB left below {100 * pause:.0f}% of its memory limit, where Dask pauses it. Start "
            "more workers, or workers with more memory, make partitions smaller, or raise "
            "distributed.worker.memory.pause"
        )

    def held(self, kinds):
        """Rows, outcomes, weights and levels, until the end."""
        outcomes = self.rows * (kinds.outcome + kinds.packed)
        of_shards = kinds.shard * self.rows * (self.shards + 1)
        cells = (self.features + self.categories) * self.worker_rows
        return 4 * cells + outcomes + of_shards + self.names * (self.shards + 2)

    def making(self, source):
        """The partitions of a shard while it is made, as they are given."""
        share = math.ceil(self.worker_rows / self.shards) / self.rows
        return math.ceil(share * sum(source.sizes)) + max(source.sizes)

    def asking(self, threads):
        """A bag; values, outcomes and places of the rows of a shard."""
        return threads * (4 * self.rows + 24 * math.ceil(self.worker_rows / self.shards))


# ---- rows ------------------------------------------------------------------------------------


class _Rows:
    """A table in parts; shards are made of them."""

    def __init__(self, client, workers):
        self.client, self.workers = client, workers
        self.parts: list[Any] = []
        self.lengths: list[int] = []
        self.sizes: list[int] = []  # bytes, as they are given
        self.found: list[dict[int, Found]] = []  # what they show of their columns

    def keep(self, surveys):
        self.lengths = [survey.rows for survey in surveys]
        self.sizes = [survey.nbytes for survey in surveys]
        self.found = [survey.found for survey in surveys]


class _LazyRows(_Rows):
    """Partitions of Dask, computed when a shard is made of them."""

    def __init__(self, client, workers, given, named):
        super().__init__(client, workers)
        given = whole_rows(given) if is_array(given) else given
        self.parts = list(np.ravel(given.to_delayed()))
        if is_array(given) and not named and not any(map(math.isnan, given.chunks[0])):
            self.lengths = list(given.chunks[0])
            self.sizes = [rows * given.shape[1] * given.dtype.itemsize for rows in self.lengths]
        else:
            self.keep(self._surveys(named, None if is_array(given) else list(given.columns)))

    def _surveys(self, named, labels):
        """Reads all partitions once."""
        tasks = [dask.delayed(_dask_shards.survey)(part, named, labels) for part in self.parts]
        surveys = self.client.compute(tasks)
        await_all(self.workers, surveys)
        return self.client.gather(surveys)

    def futures(self, places, address, is_again):
        """Again under other names: Dask may still wait for a silent worker to compute the first
        ones."""
        parts = [self.parts[i] for i in places]
        return self.client.compute(
            [clone(part) for part in parts] if is_again else parts,
            workers=[address],
            allow_other_workers=True,
        )


class _LocalRows(_Rows):
    """A table of the client's, cut into pieces, which are sent when a shard is made of them."""

    def __init__(self, client, workers, given, named):
        super().__init__(client, workers)
        rows = given.iloc if _tables.is_frame(given) else given
        self.parts = cut_table(given, rows)
        self.keep([_dask_shards.survey(part, named, None) for part in self.parts])

    def futures(self, places, address, is_again):
        alive = self.workers.alive()
        place = alive.index(address) if address in alive else 0
        return [send(self.client, self.workers, self.parts[i], place) for i in places]


@dataclass
class Piece:
    """One shard: its partitions, its first row, and where it is."""

    places: list[int]
    first: int
    address: str = ""
    future: Any = None
    inputs: Any = None  # partitions, while it is made


def cut_rows(lengths, wanted):
    """Consecutive partitions of about the same number of rows; empty ones are left out."""
    rows = sum(lengths)
    pieces, places, first, here = [], [], 0, 0
    for i, length in enumerate(lengths):
        if length:
            places.append(i)
        here += length
        if places and here * wanted >= rows:
            pieces.append(Piece(places, first))
            places, first, here = [], first + here, 0
    if places:
        pieces.append(Piece(places, first))
    return pieces


def most_rows(lengths, workers, shards):
    """Of a worker: partitions are not divided, so that some have more rows than others."""
    pieces = cut_rows(lengths, workers * shards)
    share = math.ceil(len(pieces) / workers)
    ends = [piece.first for piece in pieces[::share]] + [sum(lengths)]
    return max(b - a for a, b in pairwise(ends))


def _is_lost(futures):
    return any(future.status in ("lost", "cancelled") for future in futures)


class Shards:
    """All rows of a training, in order, each on a worker of its own choice. Dask must not move or
    copy them: the memory for that may not be there."""

    def __init__(self, client, workers, source, setup, of_worker):
        self.client, self.workers, self.source = client, workers, source
        self.setup = setup
        self.setup_future = None
        self.replaced = 0  # how many shards were made again
        self.pieces = cut_rows(source.lengths, max(1, len(workers.alive())) * of_worker)

    def shared(self):
        """The future of what every worker knows; sent again if it is lost."""
        if self.setup_future is None or not self._is_held(self.setup_future):
            self.setup_future = send(self.client, self.workers, self.setup, 0)
        return self.setup_future

    def _is_held(self, future):
        held = ()
        with suppress(CancelledError, KeyError):  # of a future that is forgotten just now
            if future.status == "finished":
                held = self.client.who_has([future]).get(future.key, ())
        return bool(set(held) & set(self.workers.alive()))

    def place(self):
        """Makes all shards, one at a time on each worker."""
        alive = self.workers.alive()
        share = math.ceil(len(self.pieces) / max(1, len(alive)))
        for turn in range(share):
            some = self.pieces[turn::share]
            for i, piece in enumerate(some):
                self._make(piece, alive[i % len(alive)])
            self._await(some)

    def _await(self, pieces):
        while any(piece.future.status != "finished" for piece in pieces):
            with suppress(TimeoutError, CancelledError):
                distributed.wait([piece.future for piece in pieces], timeout=LOOK_EVERY)
            self.workers.look()
            self.replace_lost()
        self.free_inputs()

    def free_inputs(self):
        """Lets go of the partitions of shards that are made; what nobody else needs is freed."""
        for piece in self.pieces:
            if piece.inputs is not None and piece.future.status == "finished":
                piece.inputs = None

    def _make(self, piece, address):
        piece.inputs = self.source.futures(piece.places, address, bool(piece.address))
        piece.address = address
        piece.future = self.client.submit(
            _dask_shards.build,
            self.shared(),
            piece.first,
            *piece.inputs,
            key=f"sporf-shard-{uuid.uuid4().hex}",
            workers=[address],
        )

    def replace_lost(self):
        """Makes shards of lost and silent workers again, on others."""
        alive, present = self.workers.alive(), self.workers.present()
        self.workers.refuse_paused({piece.address for piece in self.pieces})
        lost = []
        for piece in self.pieces:
            if piece.future is None or not alive:
                continue
            if piece.future.status == "error":
                piece.future.result()  # raises
            if piece.address not in present or _is_lost([piece.future, *(piece.inputs or ())]):
                lost.append(piece)
        for piece in lost:
            held = Counter(other.address for other in self.pieces)
            self._make(piece, min(alive, key=lambda address: held[address]))
        self.replaced += len(lost)

    renew = replace_lost


class RowsCrew(Crew):
    """Runs jobs that need shards. When shards are made again, so are jobs that wait for them."""

    def __init__(self, client, workers, shards):
        super().__init__(client, workers, shards)
        self.made_with: dict[int, int] = {}  # the replacements that a job knows of

    def _submit(self, job, workers=None):
        self.made_with[id(job)] = self.inputs.replaced
        super()._submit(job, workers)

    def _wait(self, running):
        super()._wait(running)
        self.inputs.replace_lost()
        for job in running:
            if self.made_with[id(job)] != self.inputs.replaced:
                self.cancel(list(job.tries))
                job.tries.clear()
                self._submit(job)


# ---- the training ----------------------------------------------------------------------------


@dataclass
class Traffic:
    """What went over the network, as messages of the library, and how long its steps took."""

    rounds: int = 0
    branches: int = 0
    questions: int = 0  # bytes, from here on
    answers: int = 0  # to the client
    rows: int = 0
    grown: int = 0
    seconds: dict[str, float] = field(default_factory=dict)


def _groups(things, size):
    return [things[i : i + size] for i in range(0, len(things), size)]


class RowsTraining:
    """One call of fit. The forest is that of one machine with all rows."""

    def __init__(self, client, workers, source, setup, outcomes, like, budget):
        self.client, self.workers = client, workers
        self.shards = Shards(client, workers, source, setup, budget.shards)
        self.crew = RowsCrew(client, workers, self.shards)
        self.row_bytes = 4 * (setup.columns.count + 1) + 3  # with weights of those in the bag
        self.traffic = Traffic()
        self.crown = _core.Crown(outcomes, like, setup.options, budget.branch_rows, budget.trees)

    def run(self, progress):
        try:
            self._timed("shards", self.shards.place)
            _apart.run(
                self.crown,
                lambda question: self._timed("answers", self._answers, question),
                lambda numbers: self._timed("branches", self._branches, numbers),
                progress,
            )
        except KilledWorker as error:
            raise was_killed("a task", error) from error
        finally:
            self.shards.pieces.clear()

    def _timed(self, step, function, *arguments):
        began = time.monotonic()
        try:
            return function(*arguments)
        finally:
            spent = self.traffic.seconds.get(step, 0.0) + time.monotonic() - began
            self.traffic.seconds[step] = spent

    def finished(self):
        with messages_in_python():
            return self.crown.finish()

    def _threads(self):
        alive = self.workers.alive()
        return max(1, min((self.workers.all[a].threads for a in alive), default=1))

    def _ask(self, name, function, *arguments):
        """A task for each worker about its shards, and where the answer of each shard will be if
        the task answers for each."""
        groups: dict[str, list[Any]] = {}
        order = []
        for piece in self.shards.pieces:
            group = groups.setdefault(piece.address, [])
            order.append((list(groups).index(piece.address), len(group)))
            group.append(piece.future)
        tasks = [
            self.client.submit(
                function,
                futures,
                *arguments,
                key=f"{name}-{uuid.uuid4().hex}",
                workers=[address],
            )
            for address, futures in groups.items()
        ]
        return tasks, order

    def _answers(self, question):
        heard = None
        while heard is None:
            replaced = self.shards.replaced
            tasks, _ = self._ask("sporf-answer", _dask_shards.answer, question, self._threads())
            asked = len(tasks)
            while len(tasks) > ADDED_UP:
                tasks = [self._add_up(question, some) for some in _groups(tasks, ADDED_UP)]
            heard = self._await(tasks, replaced)
        self.shards.free_inputs()
        answers = [said.answer for said in sorted(chain.from_iterable(heard))]
        self.traffic.rounds += 1
        self.traffic.questions += len(question) * asked
        self.traffic.answers += sum(map(len, answers))
        return answers

    def _add_up(self, question, tasks):
        key = f"sporf-add-up-{uuid.uuid4().hex}"
        shared = self.shards.shared()
        return self.client.submit(_dask_shards.add_up, shared, question, *tasks, key=key)

    def _await(self, tasks, replaced):
        """The answers of all tasks; None if shards were lost meanwhile and made again."""
        patience = SILENT_AFTER
        while True:
            with suppress(TimeoutError, CancelledError):
                distributed.wait(tasks, timeout=LOOK_EVERY)
            self.workers.look()
            self.shards.replace_lost()
            if self.shards.replaced != replaced or _is_lost(tasks):
                self.crew.cancel(tasks)
                return None
            if all(task.status in ("finished", "error") for task in tasks):
                with suppress(CancelledError, TimeoutError):  # of workers that are lost just now
                    return [task.result(timeout=patience) for task in tasks]
                patience *= 2  # the network may be slow

    def _branches(self, numbers):
        jobs, number_of = [], {}
        for number in numbers:
            question, rows = self.crown.branch(number)
            jobs.append(Job("sporf-branch", _dask_shards.grow, self._bring(question)))
            number_of[id(jobs[-1])] = number
            self.traffic.branches += 1
            self.traffic.questions += len(question)
            self.traffic.rows += rows * self.row_bytes

        def finished(job, grown):
            self.traffic.grown += len(grown)
            self.crown.take(number_of[id(job)], grown)

        self.crew.run(jobs, finished)

    def _bring(self, question):
        def arguments():
            tasks, order = self._ask("sporf-rows", _dask_shards.rows, question)
            self.traffic.questions += len(question) * len(tasks)
            return self.shards.shared(), question, order, *tasks

        return arguments


# ---- what is given ---------------------------------------------------------------------------


def _count_rows(client, workers, X):
    """Of a table of Dask's. Partitions of unknown length are counted, and not kept."""
    rows = X.shape[0]
    if isinstance(rows, int):
        return rows
    lengths = [rows]
    if is_array(X):
        lengths = [dask.delayed(len)(part) for part in np.ravel(whole_rows(X).to_delayed())]
    counts = client.compute(lengths)
    await_all(workers, counts)
    return sum(client.gather(counts))


def is_too_large(client: Any, workers: Any, X: Any) -> bool:
    """Whether some worker could not hold a table of Dask's."""
    if not is_lazy(X) or getattr(X, "ndim", 1) != 2:
        return False
    rows, features = _count_rows(client, workers, X), X.shape[1]
    return not fits_all(4 * rows * features + 16 * rows, rows, workers)


def _refuse_other(X):
    """What is no table, or one that cannot be cut."""
    is_table = isinstance(X, (dask.array.Array, dask.dataframe.DataFrame, np.ndarray))
    if not (is_table or _tables.is_frame(X)) or len(X.shape) != 2:
        shape = f" of shape {X.shape}" if isinstance(X, (dask.array.Array, np.ndarray)) else ""
        raise TypeError(
            "rows can be apart only in a two-dimensional array or a dataframe, of Dask, numpy or "
            f"pandas; X is a {type(X).__name__}{shape}"
        )


def _refuse_types(X, named):
    """Refuses columns of types that no split can use, before rows are read."""
    if hasattr(X, "columns"):
        for j, (name, dtype) in enumerate(zip(X.columns, X.dtypes, strict=True)):
            if j not in named and getattr(dtype, "kind", "O") in "cmM":
                kind = "complex values" if dtype.kind == "c" else _tables.DATES
                _tables.refuse_column(name, kind)
    elif X.dtype.kind not in ("fiubOU" if named else "fiub"):
        raise ValueError(
            f"X is an array of {X.dtype}, but rows can be apart only in arrays of numbers or, if "
            "categorical_features names the columns of strings, of objects or strings. Name them, "
            "convert X to numbers, or give a dataframe"
        )


def _local(client, given):
    if not dask.is_dask_collection(given):
        return given
    with client.as_current():
        return dask.compute(given)[0]


def rows_training(
    client: Any, workers: Any, estimator: Any, unfitted: Any, seed: str, given: Any
) -> tuple[RowsTraining, Any]:
    """The training of an estimator, which gets the attributes that tell of the columns; and what
    to keep of y."""
    X, y, sample_weight = given
    _apart.refuse(estimator)
    _refuse_other(X)
    features = int(X.shape[1])
    form = getattr(X, "_meta", X) if is_lazy(X) else X
    validate_data(estimator, form[:0] if type(form) is np.ndarray else form, skip_check_array=True)
    estimator.n_features_in_ = features  # which an empty array of Dask's does not tell
    named = _tables.named_categories(estimator.categorical_features, features, estimator._names())
    _refuse_types(X, named)
    workers.wait()
    source = (_LazyRows if is_lazy(X) else _LocalRows)(client, workers, X, named)
    rows = sum(source.lengths)
    _tables.refuse_empty(rows, features)
    columns = Columns.of((rows, features), getattr(X, "columns", range(features)), source.found)
    source.found.clear()
    kinds = _apart.Kinds.of(estimator, sample_weight)
    budget = Budget.of(columns, kinds, workers, source)
    with messages_in_python():
        outcomes, data, outcome = _apart.Outcomes.of(
            unfitted, _local(client, y), _local(client, sample_weight)
        )
        if data.rows != rows:
            raise ValueError(
                f"X, y and weights must have the same number of rows: X has {rows}, y has "
                f"{data.rows}"
            )
        like = columns.like(estimator._names())
        described = _apart.Described(data, like)
        options = {**estimator._training_options(described, outcome), "seed": seed}
        setup = _dask_shards.Setup(uuid.uuid4().hex, outcomes, options, columns)
        training = RowsTraining(client, workers, source, setup, data, like, budget)
    return training, outcome
