"""Tables as people have them, as datasets of the library.

Arrays of float32 or float64 are handed over as they are; so are Arrow tables (polars, pyarrow) and
pandas frames of one float type. Frames of several types become one array in single precision,
column by column, with categories as numbers of their levels.
"""

import os
import re
import sys

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array

from . import _core
from ._messages import warn

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[+-]?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?")
DATE = re.compile(
    r"(\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}([./-])\d{1,2}\2(\d{4}|\d{2})"
    r"|\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{2,4}|[A-Za-z]{3,9} \d{1,2}, \d{4})"
    r"([ T]\d{1,2}:\d{2}.*)?"
)
DATES = "dates or times"
IDENTIFIER = "has another text in each row: leave out what only identifies rows"
KINDS = ("category", "names", "numbers", "texts", "nothing")  # that splits can use
LEVELS_FEW = 20  # below that, texts may differ by chance
FLOATS = (np.dtype(np.float32), np.dtype(np.float64))


def is_matrix(X) -> bool:
    """Whether the library takes an array as it lies in memory."""
    return (
        type(X) in (np.ndarray, np.memmap)
        and X.dtype in FLOATS
        and X.ndim == 2
        and X.size > 0
        and (X.flags.carray or _has_whole_strides(X))
    )


def _has_whole_strides(X) -> bool:
    return X.flags.aligned and all(s >= 0 and s % X.itemsize == 0 for s in X.strides)


def is_frame(X) -> bool:
    """Whether it is a pandas DataFrame; pandas is not imported for that."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_arrow(X) -> bool:
    return (
        hasattr(X, "__arrow_c_stream__") and len(getattr(X, "shape", ())) == 2 and not is_frame(X)
    )


def arrow_names(table) -> list[str]:
    return list(table.columns) if hasattr(table, "rechunk") else list(table.schema.names)


def refuse_lazy(X):
    """Tables that are not there yet."""
    for method in ("collect", "read_all"):
        if not hasattr(X, "shape") and hasattr(X, method):
            raise TypeError(f"X is a {type(X).__name__}, not a table: read it with X.{method}()")


def is_sparse(X) -> bool:
    return sparse.issparse(X)


BLOCK_VALUES = 1 << 24  # of a sparse matrix that are made dense at a time


def dense_blocks(X):
    """The rows of a sparse matrix, block by block, as arrays."""
    rows = sparse.csr_array(X)
    count = max(1, BLOCK_VALUES // max(1, rows.shape[1]))
    for first in range(0, max(1, rows.shape[0]), count):
        yield _dense(rows[first : first + count])


def _dense(X):
    """In single precision, column by column."""
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: X is a sparse matrix of complex numbers")
    if X.dtype.kind not in "fiub":
        raise ValueError(f"X is a sparse matrix of {X.dtype}, not of numbers")
    with np.errstate(over="ignore"):
        return X.astype(np.float32).toarray(order="F")


def _machine_memory():
    """Bytes, or None where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _dense_if_it_fits(X):
    """A sparse matrix to learn from, as an array: splits look at columns in memory."""
    size, memory = X.shape[0] * X.shape[1] * 4, _machine_memory()
    try:
        if memory is None or size <= memory:
            return _dense(X)
    except MemoryError:
        pass
    raise MemoryError(
        f"X is a sparse matrix, whose columns training needs in memory: {size / 1e6:,.0f} MB in "
        "single precision, which this machine does not have. Keep fewer columns (e.g. with "
        "SelectKBest or TruncatedSVD), or fewer rows."
    )


def is_table(X) -> bool:
    """Whether it may have names and columns of several types."""
    return is_frame(X) or is_arrow(X)


# ---- columns ---------------------------------------------------------------------------------


def _level_name(value) -> str:
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def sorted_levels(values: set[str]) -> list[str]:
    """As the library sorts classes and levels: whole numbers by value, all else by bytes."""
    names = sorted(values, key=lambda name: name.encode("utf-8", "surrogateescape"))
    try:
        return sorted(names, key=int)
    except ValueError:
        return names


def _is_nothing(value) -> bool:
    if value is None or type(value).__name__ == "NAType":
        return True
    return isinstance(value, (str, float, np.floating)) and (value == "" or value != value)


def _is_missing(values) -> np.ndarray:
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        return np.array([_is_nothing(value) for value in values], dtype=bool)
    return values == "" if values.dtype.kind == "U" else np.zeros(len(values), dtype=bool)


def level_names(values):
    """Which values of a column are not missing, and the names of these."""
    values = np.asarray(values) if isinstance(values, np.ndarray) else _objects(values)
    present = ~_is_missing(values)
    return present, [_level_name(value) for value in values[present]]


def level_numbers(levels) -> dict[str, float]:
    return {name: float(i) for i, name in enumerate(levels)}


def _coded(present, names, numbers):
    codes = np.full(len(present), np.nan, dtype=np.float32)
    codes[present] = [numbers[name] for name in names]
    return codes


def _by_levels(column):
    """Any values as numbers of levels, and the names of these; None if all are missing."""
    present, names = level_names(column)
    levels = sorted_levels(set(names))
    return _coded(present, names, level_numbers(levels)), levels or None


def by_codes(column, numbers=None):
    """A pandas column of dtype category, likewise; unused categories stay levels."""
    column = column.cat.remove_categories([c for c in column.cat.categories if _is_nothing(c)])
    levels = [_level_name(value) for value in column.cat.categories]
    numbers = level_numbers(levels) if numbers is None else numbers
    codes = np.array([*(numbers[name] for name in levels), np.nan], dtype=np.float32)
    return codes[column.cat.codes.to_numpy()], levels or None  # code -1 is the last one


def codes_among(column, numbers):
    """Some values of a category whose levels have these numbers."""
    if hasattr(column, "cat"):
        return by_codes(column, numbers)[0]
    return _coded(*level_names(column), numbers)


def _objects(column):
    return column.to_numpy(dtype=object, na_value=None)


def refuse_column(name, kind):
    """Refuses a column for what it holds."""
    raise ValueError(
        f"column {name!r} holds {kind}, which no split can use: leave it out, or convert it to "
        f"numbers{', e.g. .dt.month' if kind == DATES else ''}"
    )


def warn_of_rounding(least, most, where):
    """Whole numbers that single precision cannot tell apart are as a rule identifiers."""
    if max(-int(least), int(most)) > 2**24:
        warn(
            f"{where} holds whole numbers above 2**24, which are rounded to single precision: "
            "leave out what only identifies rows"
        )


def column_numbers(column, name, fitting=False):
    """A pandas column of numbers in single precision."""
    kind = column.dtype.kind
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r}")
    if kind in "mM":
        refuse_column(name, DATES)
    if fitting and kind in "iu" and not column.isna().all():
        warn_of_rounding(column.min(), column.max(), f"column {name!r}")
    return column.to_numpy(dtype=np.float32, na_value=np.nan)


def _advice_on_texts(levels, rows):
    """What to do about dates, numbers and identifiers that were read as text; None for others."""
    if all(DATE.fullmatch(level) for level in levels):
        return (
            "holds dates as text and is taken as a category: leave it out, or convert it with "
            "pd.to_datetime and then to numbers, e.g. .dt.month"
        )
    different = len(levels) == rows and rows >= LEVELS_FEW
    if different and all(level.isdigit() for level in levels):
        return IDENTIFIER
    if all(NUMBER.fullmatch(level) for level in levels):
        return "holds numbers as text and is taken as a category: convert it with pd.to_numeric"
    if all(DECIMAL_COMMA.fullmatch(level) for level in levels):
        return (
            "holds numbers with decimal commas as text and is taken as a category: read the file "
            'with pd.read_csv(decimal=",")'
        )
    if len(levels) < LEVELS_FEW or 2 * len(levels) <= rows:
        return None
    if different:
        return IDENTIFIER
    return (
        f"has {len(levels)} different texts in {rows} rows and is taken as a category, which "
        "carries little information: leave it out"
    )


def warn_of_texts(levels, rows, name):
    """Warns of texts that are better not taken as a category."""
    advice = _advice_on_texts(levels, rows) if levels else None
    if advice:
        warn(f"column {name!r} {advice}")


def kind_of_column(column, is_category) -> str:
    """What a pandas column holds: "category" by its dtype, "names" because it is said to be one,
    "numbers", "texts", "nothing", or another kind, which no split can use."""
    import pandas

    types = pandas.api.types
    if isinstance(column.dtype, pandas.CategoricalDtype):
        return "category"
    if is_category:
        return "names"
    if types.is_bool_dtype(column.dtype) or types.is_numeric_dtype(column.dtype):
        return "numbers"
    kind = types.infer_dtype(column, skipna=True)
    if kind in ("integer", "floating", "mixed-integer-float", "boolean", "decimal"):
        return "numbers"
    return {"string": "texts", "empty": "nothing"}.get(kind, kind)


def refuse_kind(name, kind):
    """Refuses a column of a kind that no split can use."""
    if kind not in KINDS:
        refuse_column(name, DATES if "date" in kind or "time" in kind else f"{kind} values")


def _read_column(column, name, is_category, fitting):
    """(values, levels or None, whether they have an order) of a pandas column."""
    kind = kind_of_column(column, is_category)
    refuse_kind(name, kind)
    if kind == "category":
        return *by_codes(column), bool(column.cat.ordered)
    if kind == "numbers":
        return column_numbers(column, name, fitting), None, False
    codes, levels = _by_levels(column)
    if fitting and kind == "texts":
        warn_of_texts(levels, len(column), name)
    return codes, levels, False


# ---- tables ----------------------------------------------------------------------------------


def named_categories(categorical_features, features, names):
    """The places of the columns that `categorical_features` names."""
    if not names_columns(categorical_features):
        return set()
    if isinstance(categorical_features, str):
        raise ValueError(
            "categorical_features must be 'from_dtype', None, or a list of names, places or a "
            f"mask, got {categorical_features!r}"
        )
    if not np.iterable(categorical_features):
        raise ValueError(f"categorical_features must be a list, got {categorical_features!r}")
    chosen = list(categorical_features)
    if chosen and all(isinstance(column, (bool, np.bool_)) for column in chosen):
        if len(chosen) != features:
            raise ValueError(
                f"categorical_features is a mask of {len(chosen)} for {features} features"
            )
        return {j for j, is_one in enumerate(chosen) if is_one}
    return {_place(column, features, names) for column in chosen}


def _place(column, features, names):
    if isinstance(column, str):
        if names is None or column not in names:
            raise ValueError(f"categorical_features names {column!r}, which X does not have")
        return names.index(column)
    if not isinstance(column, (int, np.integer)) or not 0 <= column < features:
        raise ValueError(
            f"categorical_features names place {column}, but X has {features} features"
        )
    return int(column)


def _assemble(columns, shape):
    """One array of all columns, which are read one by one, and the levels of categories."""
    matrix = np.empty(shape, dtype=np.float32, order="F")
    typed = {}
    for j, (values, levels, ordered) in enumerate(columns):
        matrix[:, j] = values
        if levels is not None:
            typed[j] = (ordered, levels)
    return typed_dataset(matrix, typed)


def typed_dataset(matrix, typed) -> _core.Dataset:
    """The dataset of an array; `typed` has, by place, whether levels have an order, and these."""
    data = _core.Dataset.from_matrix(matrix)
    for j, (ordered, levels) in typed.items():
        data.set_levels(j, ordered, levels)
    return data


def check_labels(part, labels):
    """Refuses a partition whose columns are not those of the whole frame, in this order."""
    if list(part.columns) == labels:
        return
    raise ValueError(
        f"a partition has the columns {list(part.columns)}, but the dataframe {labels}: give all "
        "partitions the same columns, e.g. with X.map_partitions(lambda part: part[columns])"
    )


def refuse_empty(rows, columns):
    if rows == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=({rows}, {columns})) while a minimum of 1 is "
            "required."
        )
    if columns == 0:
        raise ValueError(
            f"Found array with 0 feature(s) (shape=({rows}, {columns})) while a minimum of 1 is "
            "required."
        )


def floats_of(frame):
    """The values of a pandas frame of one type of floats, where they lie; otherwise None."""
    if set(frame.dtypes) not in ({FLOATS[0]}, {FLOATS[1]}):
        return None
    values = frame.to_numpy()
    return values if is_matrix(values) else None


def _of_frame(frame, categories, fitting):
    values = None if categories else floats_of(frame)
    if values is not None:
        return _core.Dataset.from_matrix(values)
    columns = (
        _read_column(column, name, j in categories, fitting)
        for j, (name, column) in enumerate(frame.items())
    )
    return _assemble(columns, frame.shape)


def _of_arrow(table, categories):
    if hasattr(table, "rechunk"):
        table = table.rechunk()
    elif hasattr(table, "combine_chunks"):
        table = table.combine_chunks()
    data = _core.Dataset.from_arrow(table.__arrow_c_stream__())
    for place in sorted(categories):
        if not data.has_levels(place):
            raise ValueError(
                f"categorical_features names place {place}, which holds numbers: in Arrow tables a "
                "category is a column of strings, or a dictionary-encoded one (polars: "
                "Categorical, Enum); cast it to that"
            )
    return data


def _of_array(array, categories):
    columns = (
        (*_by_levels(array[:, j]), False)
        if j in categories
        else (array_numbers(array[:, j], j), None, False)
        for j in range(array.shape[1])
    )
    return _assemble(columns, array.shape)


def array_numbers(values, place):
    """A column of an array beside which others are categories."""
    numbers = np.full(len(values), np.nan, dtype=np.float32)
    present = ~_is_missing(values)
    try:
        numbers[present] = values[present].astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"column {place} is not among the categorical_features: {error}") from None
    return numbers


def checked_array(X, estimator, dtype="numeric", fitting=False):
    """Lists, arrays of whole numbers and so on as an array that the library takes."""
    if is_sparse(X):
        X = _dense_if_it_fits(X)
    try:
        array = check_array(
            X, dtype=dtype, ensure_all_finite=False, estimator=estimator, input_name="X"
        )
    except ValueError as error:
        if "string" not in str(error):
            raise
        raise ValueError(
            "X is an array that holds strings: give a data frame, whose columns of strings are "
            'taken as categories (a ColumnTransformer makes one after set_output(transform="pandas'
            '")), or name these columns in categorical_features.'
        ) from None
    if array.dtype.kind in "mM":
        raise ValueError(f"X holds {DATES}, which no split can use: convert them to numbers")
    if dtype is None or is_matrix(array):
        return array
    if fitting and array.dtype.kind in "iu":
        warn_of_rounding(array.min(), array.max(), "X")
    single = np.empty(array.shape, dtype=np.float32, order="F")
    with np.errstate(over="ignore"):
        single[...] = array
    return single


def names_columns(categorical) -> bool:
    return categorical is not None and not (
        isinstance(categorical, str) and categorical == "from_dtype"
    )


def dataset_of(X, estimator, categorical, names, fitting=False) -> _core.Dataset:
    """The library's dataset of a table; `categorical` names columns that are categories beside
    those whose type says it. What looks odd in a table to learn from is told."""
    if is_table(X):
        refuse_empty(*X.shape)
        categories = named_categories(categorical, X.shape[1], names)
        data = _of_frame(X, categories, fitting) if is_frame(X) else _of_arrow(X, categories)
    elif names_columns(categorical):
        array = checked_array(X, estimator, dtype=None)
        data = _of_array(array, named_categories(categorical, array.shape[1], names))
    else:
        array = X if is_matrix(X) else checked_array(X, estimator, fitting=fitting)
        data = _core.Dataset.from_matrix(array)
    if names is not None and not is_arrow(X):
        data.set_feature_names(names)
    return data
