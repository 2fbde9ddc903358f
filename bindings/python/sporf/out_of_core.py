"""Forests of tables that are larger than memory, on one machine.

`SporfClassifier` and `SporfRegressor` here are those of the package with two more parameters. The
rows stay in a file, of which some are in memory at a time. The forest is, byte for byte, the one
that the plain estimator grows from the same rows and seed.

>>> import numpy as np
>>> from sporf import simulate
>>> from sporf.out_of_core import SporfClassifier
>>> X, y = simulate("sparse-parity", 2000, random_state=1)
>>> forest = SporfClassifier(20, rows_in_memory="2MB", random_state=1).fit(X, y)
>>> forest.n_trees_
20
"""

import math
import mmap
import re
import tempfile
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_consistent_length, validate_data

from . import _apart, _classifier, _core, _options, _regressor, _tables
from ._columns import PIECE_ROWS, Columns, look
from ._forest import SporfForest
from ._messages import messages_in_python
from ._parameters import init_with
from ._progress import Progress

__all__ = ["SporfClassifier", "SporfRegressor"]

UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}


def bytes_of(size: Any) -> int:
    """A number of bytes, or a text such as "500MB"."""
    found = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([KMGT]?B?)\s*", str(size), re.IGNORECASE)
    unit = found and found[2].upper()
    if not found or unit not in UNITS or float(found[1]) <= 0:
        raise ValueError(f"rows_in_memory must be a size such as '2GB', got {size!r}")
    return int(float(found[1]) * UNITS[unit])


class _Sizes:
    """How the memory is divided: a third for the rows of a block, a third for those of a branch
    and a third for what is kept of the trees that grow. The library's copies of categories come
    before that."""

    def __init__(self, size, rows, features, kinds, categories):
        copied = 4 * categories * rows
        share, row = max(0, size - copied) // 3, 4 * (features + 1)
        kept = kinds.tree * rows
        least_branch = 2 * row * min(rows, _apart.LEAST_BRANCH_ROWS)
        self.block_rows = max(1, share // row)
        blocks = math.ceil(rows / self.block_rows)
        fixed = (kinds.outcome + 4 + kinds.shard * (blocks + 1)) * rows  # outcomes, and a bag
        self.branch_rows = share // (2 * row)  # the rows, and the table made of them
        self.trees = min(64, (share - fixed) // kept)
        if self.trees < 1 or share < least_branch:
            least = copied + 3 * max(fixed + kept, least_branch)
            row_bytes = 3 * (fixed + kept) // rows + 4 * categories
            raise MemoryError(
                f"rows_in_memory: {rows} rows of {features} features need at least "
                f"{math.ceil(least / 1e6)} MB: {row_bytes} bytes for each row of the table, and "
                "some thousand rows at a time"
            )


class _Files:
    """The table as blocks of rows in files, single precision, column by column."""

    def __init__(self, directory, X, columns, sizes):
        self.columns = columns
        ends = list(range(0, X.shape[0], sizes.block_rows)) + [X.shape[0]]
        self.first = ends[:-1]
        self.blocks = []
        for i, (a, b) in enumerate(pairwise(ends)):
            shape = (b - a, X.shape[1])
            block = np.memmap(
                Path(directory) / f"{i}.f32", np.float32, "w+", shape=shape, order="F"
            )
            columns.fill(block, X[a:b])
            block.flush()
            _leave(block)
            _leave(X)
            self.blocks.append(block)

    def open(self, outcomes, options):
        """Makes a shard of each block."""
        self.shards = []
        for block, first in zip(self.blocks, self.first, strict=True):
            with messages_in_python(first):
                data = self.columns.dataset(block)
                shard = (
                    self.shards[0].beside(data, first)
                    if self.shards
                    else _core.Shard(outcomes, data, first, options)
                )
                self.shards.append(shard)
            _leave(block)

    def answers(self, question, threads):
        """Those of all shards."""
        heard = []
        for shard, block in zip(self.shards, self.blocks, strict=True):
            heard.append(shard.answer(question, threads))
            _leave(block)
        return heard


def _leave(array):
    """Gives the memory of an array in a file back; its values stay there."""
    if isinstance(array, np.memmap) and array._mmap is not None:
        with suppress(OSError, ValueError):
            array._mmap.madvise(mmap.MADV_DONTNEED)


def _columns_of(X, named):
    """Reads the columns that are said to be categories once."""

    def pieces():
        for first in range(0, len(X) if named else 0, PIECE_ROWS):
            yield look(X[first : first + PIECE_ROWS], named)
            _leave(X)

    return Columns.of(X.shape, range(X.shape[1]), pieces())


class _OutOfCore(SporfForest):
    """Fits with the rows in a file; what it is mixed into does the rest."""

    rows_in_memory: Any
    directory: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the forest.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            Training rows; an array in a file (``numpy.load(path, mmap_mode="r")``) is read piece
            by piece.
        y : array of shape (n_samples,)
            Classes, or one target.
        sample_weight : array of shape (n_samples,), optional
            How much each row counts.

        Returns
        -------
        self : object
            The fitted forest. After Ctrl-C it has the trees that were finished, if there are any.
        """
        before = dict(self.__dict__)
        try:
            self._fit_files(X, y, sample_weight)
        except KeyboardInterrupt:
            if not hasattr(self, "_forest") or self._forest is before.get("_forest"):
                self.__dict__ = before
            raise
        except BaseException:
            self.__dict__ = before
            raise
        return self

    def _fit_files(self, X, y, sample_weight):
        if self.warm_start and hasattr(self, "_forest"):
            raise ValueError("warm_start is not possible out of core: fit the plain estimator")
        if not isinstance(X, np.ndarray) or X.ndim != 2 or X.dtype.kind not in "fiub":
            raise TypeError(
                "out of core, X must be a two-dimensional array of numbers, such as "
                f"numpy.load(path, mmap_mode='r'); got {_kind_of(X)}. Other tables are in memory: "
                "fit the plain estimator; for files of other kinds see sporf.dask, rows='apart'"
            )
        _apart.refuse(self)
        _tables.refuse_empty(*X.shape)
        validate_data(self, X, y, skip_check_array=True)
        check_consistent_length(X, y, sample_weight)
        kinds = _apart.Kinds.of(self, sample_weight)
        named = _tables.named_categories(self.categorical_features, X.shape[1], None)
        sizes = _Sizes(bytes_of(self.rows_in_memory), *X.shape, kinds, len(named))
        with messages_in_python():
            outcomes, outcome, _ = _apart.read_outcomes(self, y, sample_weight)
            columns = _columns_of(X, named)
            like = columns.like()
            options = {
                **self._training_options(_apart.Described(outcomes, like), outcome),
                "seed": _options.seed(self.random_state),
            }
            crown = _core.Crown(outcomes, like, options, sizes.branch_rows, sizes.trees)
            with tempfile.TemporaryDirectory(dir=self.directory, prefix="sporf-") as directory:
                files = _Files(directory, X, columns, sizes)
                files.open(outcomes, options)
                self._grow_files(files, crown, outcome)

    def _grow_files(self, files, crown, outcome):
        threads = _options.threads(self.n_jobs)

        def answers(question):
            return files.answers(question, threads)

        def branches(numbers):
            for number in numbers:
                question, _ = crown.branch(number)
                crown.take(number, files.shards[0].grow(question, answers(question)))

        progress = Progress(self.n_estimators) if self.verbose else None
        try:
            _apart.run(crown, answers, branches, progress)
        except KeyboardInterrupt:
            if crown.trees:
                self._keep(*_finished(crown, outcome))
            raise
        finally:
            if progress:
                progress.close()
        self._keep(*_finished(crown, outcome))


class SporfClassifier(_OutOfCore, _classifier.SporfClassifier):
    """`sporf.SporfClassifier` of a table that is larger than memory.

    The parameters and attributes are the same, except for two. X is an array of numbers, of
    which ``categorical_features`` may name columns. ccf, rr-rf and own projections are refused.

    Parameters
    ----------
    rows_in_memory : int or str, default="1GB"
        About how much memory the training may take, such as ``"500MB"``.
    directory : str or path, optional
        Where the table is kept while the forest grows: 4 bytes for each cell. None for the
        directory of temporary files.
    """

    _takes_several = False

    __init__ = init_with(_classifier.SporfClassifier, rows_in_memory="1GB", directory=None)


class SporfRegressor(_OutOfCore, _regressor.SporfRegressor):
    """`sporf.SporfRegressor` of a table that is larger than memory.

    The parameters and attributes are the same, except for those that `SporfClassifier` lists here.
    Several targets are refused as well.
    """

    __init__ = init_with(_regressor.SporfRegressor, rows_in_memory="1GB", directory=None)


def _kind_of(X):
    if not isinstance(X, np.ndarray):
        return type(X).__name__
    return f"an array of shape {X.shape} and type {X.dtype}"


def _finished(crown, outcome):
    forest, seconds = crown.finish()
    return forest, outcome, seconds
