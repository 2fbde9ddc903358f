"""The table of a training on a worker of Dask: put together from partitions once for each worker,
and kept there until the training ends.

Whoever needs the table gets it here: the task that resolves the settings, and those that grow
trees, on whichever worker they run. Partitions are named by their keys and fetched one by one, so
that a worker holds the table and one partition. A partition that cannot be had is reported with
`PieceLost`; the client waits until it is there again and tries again. So no task ever waits for
another one, and none hangs with a worker that is lost.
"""

import threading
import time
import warnings
import zlib
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

import numpy as np
from dask.dataframe.dispatch import concat
from distributed import Future, get_client, get_worker

from . import _core, _tables
from ._messages import messages_in_python
from ._samplers import sampler_of

FETCH_SECONDS = (5.0, 30.0)  # in which a partition that a worker has is here: first, second try
OLD_AFTER = 600.0  # seconds in which a table is used again, unless its training was cut off


class PieceLost(Exception):
    """A partition is not in memory, or on a worker that does not answer."""


class Stopped(Exception):
    """The training has ended meanwhile."""


# ---- partitions ------------------------------------------------------------------------------


@dataclass
class Pieces:
    """Partitions of X, y or the weights, by their keys."""

    kind: str  # "array", "frame", "series", or "whole": one object, as it was given
    keys: list[Any]
    lengths: list[int]
    columns: list[Any] | None = None  # names, of a frame
    numbers: list[bool] | None = None  # for each column of a table: whether it holds numbers

    @property
    def rows(self) -> int:
        return sum(self.lengths)


@dataclass
class Recipe:
    """What a worker needs to make the table."""

    estimator: Any  # a plain one, not fitted
    X: Pieces
    y: Pieces
    weights: Pieces | None


def _futures(pieces):
    """The pieces in the memory of workers; the client of the training keeps them there."""
    client = get_client()
    futures = [Future(key, client, state="memory") for key in pieces.keys]
    try:
        holders = client.who_has(futures)
    except CancelledError as error:
        raise PieceLost(str(error)) from None
    lost = [future.key for future in futures if not holders.get(future.key)]
    if lost:
        raise PieceLost(str(lost[0]))
    return futures


def _fetch(future):
    """A piece. One that is lost is pending; one that is not is on its way, unless its worker does
    not answer."""
    for seconds in FETCH_SECONDS:
        try:
            return future.result(timeout=seconds)
        except (TimeoutError, CancelledError):
            if future.status != "finished":
                break
    raise PieceLost(str(future.key))


def _fetched(pieces):
    """(place, first row, piece) of each. Workers begin at different places, so that they do not all
    ask the same one at once."""
    futures = _futures(pieces)
    starts = np.cumsum([0, *pieces.lengths])
    begin = zlib.crc32(get_worker().address.encode()) % len(futures)
    for i in (*range(begin, len(futures)), *range(begin)):
        yield i, starts[i], _fetch(futures[i])


def _in_order(pieces):
    return [piece for _, _, piece in sorted(_fetched(pieces), key=itemgetter(0))]


class _Ranges:
    """The least and the largest whole number of columns, to warn of those that are rounded."""

    def __init__(self):
        self.found = {}

    def see(self, place, values):
        if values.dtype.kind in "iu" and len(values):
            least, most = values.min(), values.max()
            before = self.found.get(place, (least, most))
            self.found[place] = min(before[0], least), max(before[1], most)

    def warn(self, name):
        for place, (least, most) in self.found.items():
            _tables.warn_of_rounding(least, most, name(place))


def _array_of_numbers(pieces):
    """An array in single precision, filled partition by partition."""
    matrix = np.empty((pieces.rows, len(pieces.numbers)), dtype=np.float32, order="F")
    ranges = _Ranges()
    for _, start, piece in _fetched(pieces):
        piece = np.asarray(piece)
        with np.errstate(over="ignore"):
            matrix[start : start + len(piece)] = piece
        ranges.see(None, piece.reshape(-1))
    ranges.warn(lambda _: "X")
    return matrix


def _frame(pieces):
    """A pandas frame: columns of numbers are filled partition by partition, others collected."""
    import pandas

    places = [j for j, is_number in enumerate(pieces.numbers) if is_number]
    count = len(pieces.keys)
    others = {j: [None] * count for j, is_number in enumerate(pieces.numbers) if not is_number}
    matrix = np.empty((pieces.rows, len(places)), dtype=np.float32, order="F")
    ranges = _Ranges()
    for i, start, piece in _fetched(pieces):
        for to, j in enumerate(places):
            column = piece.iloc[:, j]
            matrix[start : start + len(piece), to] = column.to_numpy(
                dtype=np.float32, na_value=np.nan
            )
            if column.dtype.kind in "iu" and not column.isna().any():
                ranges.see(j, column)
        _tables.check_labels(piece, pieces.columns)
        for j, columns in others.items():
            columns[i] = piece.iloc[:, j]
    ranges.warn(lambda j: f"column {pieces.columns[j]!r}")
    if not others:
        return pandas.DataFrame(matrix, columns=pieces.columns, copy=False)
    values = {j: matrix[:, to] for to, j in enumerate(places)}
    values.update((j, _together(others.pop(j))) for j in list(others))
    frame = pandas.DataFrame({j: values[j] for j in sorted(values)}, copy=False)
    frame.columns = pieces.columns
    return frame


def _together(parts):
    """Columns or frames of pandas, one below the other; categories are united, as Dask does."""
    full = [part for part in parts if len(part)] or parts[:1]
    return (concat(full) if len(full) > 1 else full[0]).reset_index(drop=True)


def _put_together(pieces):
    if pieces.kind == "whole":
        return _fetch(_futures(pieces)[0])
    if pieces.numbers is not None and pieces.kind == "frame":
        return _frame(pieces)
    if pieces.numbers is not None and all(pieces.numbers):
        return _array_of_numbers(pieces)
    parts = _in_order(pieces)
    if pieces.kind == "array":
        return np.concatenate([np.asarray(part) for part in parts])
    return _together(parts)


# ---- tables ----------------------------------------------------------------------------------


@dataclass
class Table:
    """The dataset of a training on this worker."""

    lock: Any = field(default_factory=threading.Lock)
    used: float = field(default_factory=time.monotonic)
    estimator: Any = None
    data: Any = None
    outcome: Any = None
    warned: list[str] = field(default_factory=list)
    stopped: bool = False

    def build(self, recipe):
        estimator = recipe.estimator
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            X = _put_together(recipe.X)
            y = _put_together(recipe.y)
            weights = None if recipe.weights is None else _put_together(recipe.weights)
            self.data, self.outcome = estimator._read(X, y, weights)
        self.estimator = estimator
        self.warned = [str(w.message) for w in caught if w.category is UserWarning]

    def watch(self, *_):
        """Called often while trees are grown."""
        if self.stopped:
            raise Stopped


_known: dict[str, Table] = {}
_ended: set[str] = set()
_guard = threading.Lock()


def _place(token) -> Table:
    now = time.monotonic()
    with _guard:
        if token in _ended:
            raise Stopped
        for other in [t for t, table in _known.items() if now - table.used > OLD_AFTER]:
            if other != token and not _known[other].lock.locked():
                del _known[other]
        table = _known.setdefault(token, Table())
        table.used = now
    return table


def table_of(token: str, recipe: bytes) -> Table:
    """The table of a training, made here unless it is there."""
    import cloudpickle

    table = _place(token)
    with table.lock:
        if table.data is None:
            table.build(cloudpickle.loads(recipe))
    return table


def drop(token: str) -> None:
    """Ends a training on this worker: its table goes, and trees that still grow stop."""
    with _guard:
        _ended.add(token)
        table = _known.pop(token, None)
    if table is not None:
        table.stopped = True


# ---- tasks -----------------------------------------------------------------------------------


@dataclass
class Settled:
    """What all tasks of a training share, and the client needs to know."""

    options: dict[str, str]
    seconds: float
    attributes: dict[str, Any]
    outcome: Any
    warned: list[str]


def prepare(token: str, recipe: bytes) -> None:
    """Makes the table on a worker, so that it is there when trees are to be grown."""
    table_of(token, recipe)


def settle(token: str, recipe: bytes, seed: str, threads: int, wants_rows: bool) -> Settled:
    """The settings with nothing left to choose."""
    table = table_of(token, recipe)
    estimator, data = table.estimator, table.data
    with messages_in_python():
        options = {**estimator._training_options(data, table.outcome), "seed": seed}
        settled, seconds = _core.Forest.settle(
            data,
            {**options, "threads": str(threads)},
            table.watch,
            *sampler_of(estimator.projection, data),
        )
    attributes = {
        name: getattr(estimator, name)
        for name in ("feature_names_in_", "n_features_in_")
        if hasattr(estimator, name)
    }
    outcome = table.outcome if wants_rows else _without_rows(table.outcome)
    return Settled({**settled, "threads": "1"}, seconds, attributes, outcome, table.warned)


def _without_rows(outcome):
    """The classes and their order; nothing of numbers."""
    return (outcome[0], None, outcome[2]) if isinstance(outcome, tuple) else None


def grow(token: str, recipe: bytes, options: dict[str, str], first: int, trees: int) -> bytes:
    """The part of the forest with these trees."""
    table = table_of(token, recipe)
    table.used = time.monotonic()
    with messages_in_python():
        return _core.Forest.train_part(
            table.data,
            options,
            table.watch,
            *sampler_of(table.estimator.projection, table.data),
            first,
            trees,
        )
