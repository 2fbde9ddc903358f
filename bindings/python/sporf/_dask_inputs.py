"""X, y and weights of a training on Dask, lazy or local, as pieces in the memory of workers."""

import math
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import pairwise
from typing import Any

import cloudpickle
import dask
import dask.array
import dask.dataframe
import distributed
import numpy as np

from . import _tables
from ._dask_tables import FETCH_SECONDS, Pieces, Recipe
from ._dask_training import LOOK_EVERY, WorkersLost, refuse_large

PIECE_BYTES = 64e6  # of a local table
SEND_TRIES = 60


def is_array(X) -> bool:
    return isinstance(X, dask.array.Array)


def is_lazy(X) -> bool:
    return is_array(X) or isinstance(X, (dask.dataframe.DataFrame, dask.dataframe.Series))


def whole_rows(X):
    """An array of which each partition has all columns."""
    return X.rechunk({1: -1}) if X.ndim > 1 and X.numblocks[1] > 1 else X


def await_all(workers, futures):
    """Until all are in memory, as long as there are workers."""
    while futures:
        with suppress(TimeoutError):
            distributed.wait(futures, timeout=LOOK_EVERY)
        for future in futures:
            if future.status in ("error", "cancelled", "lost"):
                future.result()  # raises
        futures = [future for future in futures if future.status != "finished"]
        workers.look()


# ---- one of X, y and weights -----------------------------------------------------------------


class _Lazy:
    """A collection of Dask, computed on the workers; Dask computes again what is lost."""

    def __init__(self, client, workers, given):
        self.client, self.workers = client, workers
        self.given = given = whole_rows(given) if is_array(given) else given
        self.futures = client.compute(list(np.ravel(given.to_delayed())))
        self.kind = (
            "array"
            if is_array(given)
            else "frame"
            if isinstance(given, dask.dataframe.DataFrame)
            else "series"
        )

    def lengths(self):
        if is_array(self.given) and not any(math.isnan(rows) for rows in self.given.chunks[0]):
            return list(self.given.chunks[0])
        counts = self.client.map(len, self.futures, key="sporf-rows", pure=False)
        await_all(self.workers, counts)
        return self.client.gather(counts)

    def place(self):
        await_all(self.workers, self.futures)


class _Local:
    """A table or column in the memory of the client, which sends it again if it is lost."""

    def __init__(self, client, workers, given, cut):
        self.client, self.workers, self.given = client, workers, given
        self.kind = "whole"
        self.parts = [given]
        if cut and type(given) is np.ndarray and given.ndim == 2:
            self.kind, self.parts = "array", cut_table(given, given)
        elif cut and _tables.is_frame(given):
            self.kind, self.parts = "frame", cut_table(given, given.iloc)
        self.futures: list[Any] = [None] * len(self.parts)

    def lengths(self):
        return [len(part) if hasattr(part, "__len__") else -1 for part in self.parts]

    def place(self):
        """Sends the pieces that no living worker has."""
        alive = self.workers.alive()
        known = [future for future in self.futures if future and future.status == "finished"]
        holders = {}
        with suppress(CancelledError):  # of pieces that are forgotten just now
            holders = self.client.who_has(known) if known else {}
        for i, part in enumerate(self.parts):
            future = self.futures[i]
            if future is None or not set(holders.get(future.key, ())) & set(alive):
                self.futures[i] = send(self.client, self.workers, part, i)


def send(client, workers, part, place):
    """Sends something to a worker, number `place` of the living ones, or to another one if that is
    lost meanwhile."""
    for turn in range(place, place + SEND_TRIES):
        workers.look()
        alive = workers.alive()
        if alive:
            with suppress(OSError, TimeoutError, KeyError):  # the last if it is forgotten
                [future] = client.scatter(
                    [part],
                    workers=[alive[turn % len(alive)]],
                    hash=False,
                    timeout=FETCH_SECONDS[-1],
                )
                return future
        time.sleep(LOOK_EVERY)
    raise WorkersLost("the data could not be sent to the workers: they are lost one by one")


def cut_table(table, rows_of):
    rows, columns = table.shape
    count = max(1, min(rows, math.ceil(rows * columns * 8 / PIECE_BYTES)))
    ends = [rows * i // count for i in range(count + 1)]
    return [rows_of[a:b] for a, b in pairwise(ends)]


# ---- all of them -----------------------------------------------------------------------------


def _is_number(dtype) -> bool:
    import pandas

    types = pandas.api.types
    if isinstance(dtype, pandas.CategoricalDtype) or getattr(dtype, "kind", "O") == "c":
        return False
    return types.is_bool_dtype(dtype) or types.is_numeric_dtype(dtype)


def number_columns(X, kind, categorical):
    """Which columns can be copied as numbers; None where the plain estimator is to look."""
    named = _tables.names_columns(categorical)
    if kind == "frame":
        names = list(X.columns)
        categories = _tables.named_categories(categorical, len(names), names)
        return [_is_number(t) and j not in categories for j, t in enumerate(X.dtypes)]
    if kind == "array" and X.ndim == 2 and X.dtype.kind in "fiub" and not named:
        return [True] * int(X.shape[1])
    return None


def _table_bytes(pieces, given):
    """Of a table on a worker: in single precision, and beside it the columns that are read as a
    whole, of which the table is then made."""
    if pieces.numbers is None:
        shape = getattr(given, "shape", (pieces.rows, 1))
        columns = shape[1] if len(shape) > 1 else 1
        size = getattr(getattr(given, "dtype", None), "itemsize", 8)
        return pieces.rows * columns * (size + 4)
    columns = len(pieces.numbers)
    return pieces.rows * columns * (4 if all(pieces.numbers) else 8 + 8)


class Inputs:
    """What a training is given; `recipe` says how a worker makes the table of it."""

    def __init__(self, client, workers, estimator, X, y, sample_weight):
        self.workers, self.estimator = workers, estimator
        self.sources = {
            name: self._source(client, name, given)
            for name, given in (("X", X), ("y", y), ("weights", sample_weight))
            if given is not None
        }
        self.lengths = {name: source.lengths() for name, source in self.sources.items()}
        self._check_lengths()
        self.numbers = number_columns(
            self.sources["X"].given, self.sources["X"].kind, estimator.categorical_features
        )
        self._check_memory()
        self.recipe = b""
        self.renew()

    def _source(self, client, name, given):
        if is_lazy(given):
            return _Lazy(client, self.workers, given)
        if dask.is_dask_collection(given):
            raise TypeError(
                f"{name} is a {type(given).__name__} of Dask: give an array, a dataframe or a "
                "series of Dask, or a local table"
            )
        _tables.refuse_lazy(given)
        return _Local(client, self.workers, given, cut=name == "X")

    def _check_lengths(self):
        rows = {name: sum(lengths) for name, lengths in self.lengths.items() if -1 not in lengths}
        if len(set(rows.values())) > 1:
            told = ", ".join(f"{name} has {count}" for name, count in rows.items())
            raise ValueError(f"X, y and weights must have the same number of rows: {told}")

    def _pieces(self, name):
        source = self.sources[name]
        pieces = Pieces(source.kind, [f and f.key for f in source.futures], self.lengths[name])
        if name == "X":
            pieces.numbers = self.numbers
            pieces.columns = list(source.given.columns) if source.kind == "frame" else None
        return pieces

    def _check_memory(self):
        pieces, given = self._pieces("X"), self.sources["X"].given
        beside = 8 * pieces.rows * (len(self.sources) - 1)
        shape = (pieces.rows, given.shape[1] if len(getattr(given, "shape", ())) > 1 else 1)
        refuse_large(_table_bytes(pieces, given) + beside, shape, self.workers)

    def renew(self):
        """Sees to it that all pieces are in memory."""
        for source in self.sources.values():
            source.place()
        weights = self._pieces("weights") if "weights" in self.sources else None
        recipe = Recipe(self.estimator, self._pieces("X"), self._pieces("y"), weights)
        self.recipe = cloudpickle.dumps(recipe)
