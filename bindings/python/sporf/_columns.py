"""The columns of a table in parts, such as partitions or blocks of rows: a first look at all parts
finds what the columns hold and the levels of categories, and then each part is read with the levels
of all. The numbers of levels are those of the whole table."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from . import _core, _tables

PIECE_ROWS = 1 << 16  # of a category that are read at a time: names take more than values
NAME_BYTES = 66  # of a string and its place in a list, besides its characters


@dataclass
class Found:
    """What a part shows of a column."""

    kind: str  # one of those of `_tables.kind_of_column`
    dtype: Any
    names: set[str] = field(default_factory=set)  # of its levels
    form: Any = None  # of a category by its dtype: a column without rows


def look(part: Any, named: set[int]) -> dict[int, Found]:
    """What a part shows of its columns, by place; `named` are said to be categories. An array shows
    only these, and a part without rows nothing."""
    if len(part) == 0:
        return {}
    if not _tables.is_frame(part):
        return {j: Found("names", part.dtype, _names(part[:, j])) for j in named}
    return {j: _look_at(part.iloc[:, j], j in named) for j in range(part.shape[1])}


def _look_at(column, is_named):
    kind = _tables.kind_of_column(column, is_named)
    if kind == "category":
        return Found(kind, "category", form=column.iloc[:0])
    if kind == "numbers" and column.isna().all():  # as an empty column of a CSV file is read
        kind = "nothing"
    return Found(kind, column.dtype, _names(column) if kind in ("names", "texts") else set())


def _pieces(column):
    """(first row, values) of some rows after the other."""
    rows = column.iloc if hasattr(column, "iloc") else column
    for first in range(0, len(column), PIECE_ROWS):
        yield first, rows[first : first + PIECE_ROWS]


def _names(column):
    return set().union(*(_tables.level_names(values)[1] for _, values in _pieces(column)))


@dataclass
class Levels:
    """Those of a column of the whole table; none if all its values are missing."""

    names: list[str]
    ordered: bool = False


class Columns:
    """How all parts of a table are read."""

    def __init__(self, count: int, levels: dict[int, Levels] | None = None) -> None:
        self.count = count
        self.levels = levels or {}  # by place, of the columns that are not numbers

    @classmethod
    def of(cls, shape: tuple[int, int], labels: Any, found: Iterable[dict[int, Found]]) -> Self:
        """Of a table of this shape, from what its parts show. Warns of texts that look odd; refuses
        columns that no split can use, under their labels."""
        by_place: dict[int, _United] = {}
        for part in found:
            for j, of_part in part.items():
                by_place.setdefault(j, _United()).add(of_part)
        rows, count = shape
        levels = {j: by_place[j].levels(labels[j], rows) for j in sorted(by_place)}
        return cls(count, {j: one for j, one in levels.items() if one is not None})

    def fill(self, matrix: np.ndarray, part: Any) -> None:
        """Writes an array or a frame into as many rows of a matrix of single precision."""
        with np.errstate(over="ignore"):  # what is too large is refused with its place
            if not self.levels and not _tables.is_frame(part):
                matrix[:] = part
                return
            for j in range(self.count):
                self._fill_column(matrix[:, j], part, j)

    def _fill_column(self, values, part, j):
        is_frame = _tables.is_frame(part)
        column = part.iloc[:, j] if is_frame else part[:, j]
        if j in self.levels:
            numbers = _tables.level_numbers(self.levels[j].names)
            for first, some in _pieces(column):
                values[first : first + len(some)] = _tables.codes_among(some, numbers)
        elif is_frame:
            values[:] = _tables.column_numbers(column, column.name)
        else:
            values[:] = _tables.array_numbers(column, j)

    def matrix(self, parts: Any) -> np.ndarray:
        """Parts, one below the other, in single precision and column by column, as shards use them
        in place."""
        matrix = np.empty((sum(map(len, parts)), self.count), dtype=np.float32, order="F")
        start = 0
        for part in parts:
            self.fill(matrix[start : start + len(part)], part)
            start += len(part)
        return matrix

    @property
    def _typed(self):
        return {j: (one.ordered, one.names) for j, one in self.levels.items() if one.names}

    def dataset(self, matrix: np.ndarray) -> _core.Dataset:
        """That of a matrix which was filled. The library copies categories."""
        return _tables.typed_dataset(matrix, self._typed)

    def like(self, names: list[str] | None = None) -> _core.Dataset:
        """A table with these columns, and one row."""
        data = self.dataset(np.zeros((1, self.count), dtype=np.float32, order="F"))
        if names:
            data.set_feature_names(names)
        return data

    @property
    def categories(self) -> int:
        """How many columns the library copies."""
        return len(self._typed)

    @property
    def nbytes(self) -> int:
        """Of the names of all levels."""
        return sum(NAME_BYTES + len(name) for one in self.levels.values() for name in one.names)


class _United:
    """What all parts show of a column, as they come."""

    def __init__(self):
        self.kinds = set()
        self.dtypes = set()
        self.names = set()
        self.forms = {}  # by their categories

    def add(self, found):
        self.kinds.add(found.kind)
        self.dtypes.add(str(found.dtype))
        self.names |= found.names
        if found.form is not None:
            self.forms.setdefault(found.form.dtype, found.form)

    def levels(self, label, rows):
        """None for numbers."""
        kinds = self.kinds - {"nothing"} or {"nothing"}
        of_one_type = len(self.dtypes) == 1 or not kinds <= {"category", "names"}
        if len(kinds) > 1 or not of_one_type:
            differ = kinds if len(kinds) > 1 else self.dtypes
            raise ValueError(
                f"column {label!r} holds {' and '.join(sorted(differ))} in different partitions: "
                "convert it to one type, e.g. with .astype(str)"
            )
        [kind] = kinds
        _tables.refuse_kind(label, kind)
        if kind == "numbers":
            return None
        if kind == "category":
            return _united_forms(list(self.forms.values()), label)
        names = _tables.sorted_levels(self.names)
        if kind == "texts":
            _tables.warn_of_texts(names, rows, label)
        return Levels(names)


def _united_forms(forms, label):
    """As Dask puts such columns together."""
    import pandas

    try:
        whole = pandas.Series(pandas.api.types.union_categoricals(forms))
    except TypeError as error:
        raise ValueError(f"column {label!r}: {error}") from None
    return Levels(_tables.by_codes(whole)[1] or [], bool(whole.cat.ordered))
