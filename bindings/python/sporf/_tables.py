"""Tables as people have them, as datasets of the library.

Arrays of float32 or float64 are handed over as they are; so are Arrow tables (polars, pyarrow) and
pandas frames of one float type. Frames of several types become one array in single precision,
column by column, with categories as numbers of their levels.
"""

import sys
import warnings

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array

from . import _core

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
    return hasattr(X, "__arrow_c_stream__") and not is_frame(X)


def is_table(X) -> bool:
    """Whether it may have names and columns of several types."""
    return is_frame(X) or is_arrow(X)


def has_missing(X) -> bool:
    """Of an array, a pandas frame, or a table of numbers."""
    values = X if isinstance(X, np.ndarray) else np.asarray(X, dtype=np.float64)
    return bool(np.isnan(values).any())


# ---- columns ---------------------------------------------------------------------------------


def _level_name(value) -> str:
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _sorted_levels(values) -> list:
    """As the library sorts classes and levels: whole numbers by value, all else by bytes."""
    names = sorted({_level_name(value) for value in values})
    try:
        return sorted(names, key=int)
    except ValueError:
        return names


def _is_missing(values) -> np.ndarray:
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        return np.array([v is None or v != v for v in values], dtype=bool)
    return np.zeros(len(values), dtype=bool)


def _by_levels(values):
    """Any values as numbers of levels, and the names of these."""
    values = np.asarray(values)
    present = ~_is_missing(values)
    if not present.any():  # of any kind
        return np.full(len(values), np.nan, dtype=np.float32), None
    levels = _sorted_levels(set(values[present].tolist()))
    number = {name: float(i) for i, name in enumerate(levels)}
    codes = np.full(len(values), np.nan, dtype=np.float32)
    codes[present] = [number[_level_name(value)] for value in values[present].tolist()]
    return codes, levels


def _by_codes(column):
    """A pandas column of dtype category, likewise; unused categories stay levels."""
    codes = column.cat.codes.to_numpy().astype(np.float32)
    codes[codes < 0] = np.nan
    return codes, [_level_name(value) for value in column.cat.categories]


def _refuse_column(name, kind):
    raise ValueError(
        f"column {name!r} holds {kind}, which no split can use: leave it out, or make numbers or "
        "categories of it"
    )


def warn_of_rounding(least, most, where):
    """Whole numbers that single precision cannot tell apart are as a rule identifiers."""
    if max(-int(least), int(most)) > 2**24:
        warnings.warn(
            f"{where} holds whole numbers above 2**24, which are rounded to single precision: "
            "leave out what only identifies rows",
            stacklevel=2,
        )


def _numbers(column, name):
    """A pandas column of numbers in single precision."""
    kind = column.dtype.kind
    if kind == "c":
        raise ValueError(f"Complex data not supported: column {name!r}")
    if kind in "mM":
        _refuse_column(name, "dates or times")
    if kind in "iu":
        warn_of_rounding(column.min(), column.max(), f"column {name!r}")
    return column.to_numpy(dtype=np.float32, na_value=np.nan)


def _read_column(column, name, is_category):
    """(values, levels or None, whether they have an order) of a pandas column."""
    import pandas

    types = pandas.api.types
    if isinstance(column.dtype, pandas.CategoricalDtype):
        return *_by_codes(column), bool(column.cat.ordered)
    if is_category:
        return *_by_levels(column.to_numpy()), False
    if types.is_bool_dtype(column.dtype) or types.is_numeric_dtype(column.dtype):
        return _numbers(column, name), None, False
    kind = types.infer_dtype(column, skipna=True)
    if kind in ("string", "empty"):
        return *_by_levels(column.to_numpy(dtype=object, na_value=None)), False
    if kind in ("integer", "floating", "mixed-integer-float", "boolean", "decimal"):
        return _numbers(column.astype(np.float64), name), None, False
    _refuse_column(name, "dates or times" if "date" in kind or "time" in kind else f"{kind} values")


# ---- tables ----------------------------------------------------------------------------------


def _categories(categorical_features, features, names):
    """The places of the columns that `categorical_features` names."""
    if isinstance(categorical_features, str):
        raise ValueError(
            "categorical_features must be 'from_dtype', None, or a list of names, places or a "
            f"mask, got {categorical_features!r}"
        )
    chosen = np.asarray(categorical_features)
    if chosen.dtype.kind == "b":
        if chosen.shape != (features,):
            raise ValueError(
                f"categorical_features is a mask of {chosen.size} for {features} features"
            )
        return set(np.flatnonzero(chosen).tolist())
    found = set()
    for column in chosen.tolist():
        if isinstance(column, str):
            if names is None or column not in names:
                raise ValueError(f"categorical_features names {column!r}, which X does not have")
            column = names.index(column)
        if not 0 <= column < features:
            raise ValueError(
                f"categorical_features names place {column}, but X has {features} features"
            )
        found.add(int(column))
    return found


def _assemble(columns, rows):
    """One array of all columns, and the levels of those that are categories."""
    matrix = np.empty((rows, len(columns)), dtype=np.float32, order="F")
    for j, (values, _, _) in enumerate(columns):
        matrix[:, j] = values
    data = _core.Dataset.from_matrix(matrix)
    for j, (_, levels, ordered) in enumerate(columns):
        if levels is not None:
            data.set_levels(j, ordered, levels)
    return data


def _refuse_empty(rows, columns):
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


def _of_frame(frame, categories):
    dtypes = set(frame.dtypes)
    if not categories and dtypes in ({np.dtype(np.float32)}, {np.dtype(np.float64)}):
        values = frame.to_numpy()
        if is_matrix(values):
            return _core.Dataset.from_matrix(values)
    columns = [
        _read_column(frame.iloc[:, j], frame.columns[j], j in categories)
        for j in range(frame.shape[1])
    ]
    return _assemble(columns, frame.shape[0])


def _of_arrow(table, categories):
    if categories:
        raise ValueError(
            "categorical_features: in Arrow tables a category is a column of strings, or one that "
            "is dictionary-encoded (polars: Categorical or Enum); cast the columns to that"
        )
    if hasattr(table, "rechunk"):
        table = table.rechunk()
    elif hasattr(table, "combine_chunks"):
        table = table.combine_chunks()
    return _core.Dataset.from_arrow(table.__arrow_c_stream__())


def _of_array(array, categories):
    columns = [
        (*_by_levels(array[:, j]), False)
        if j in categories
        else (array[:, j].astype(np.float32), None, False)
        for j in range(array.shape[1])
    ]
    return _assemble(columns, array.shape[0])


def checked_array(X, estimator, dtype="numeric"):
    """Lists, arrays of whole numbers and so on as an array that the library takes."""
    if sparse.issparse(X):
        megabytes = X.shape[0] * X.shape[1] * 4 / 1e6
        raise TypeError(
            f"X is a sparse matrix, but dense data is required: {type(estimator).__name__} works "
            f"on columns in memory. X.toarray() would take {megabytes:,.0f} MB in single "
            "precision; if that is too much, keep fewer columns."
        )
    try:
        array = check_array(
            X, dtype=dtype, ensure_all_finite=False, estimator=estimator, input_name="X"
        )
    except ValueError as error:
        if "string" not in str(error):
            raise
        raise ValueError(
            f"{error} Strings are taken as categories where they are columns of a data frame, or "
            "where categorical_features names them."
        ) from None
    if dtype is None or is_matrix(array):
        return array
    if array.dtype.kind in "iu":
        warn_of_rounding(array.min(), array.max(), "X")
    with np.errstate(over="ignore"):
        return np.asarray(array, dtype=np.float32, order="F")


def _names_columns(categorical) -> bool:
    return categorical is not None and not (
        isinstance(categorical, str) and categorical == "from_dtype"
    )


def dataset_of(X, estimator, categorical, names) -> _core.Dataset:
    """The library's dataset of a table; `categorical` names columns that are categories beside
    those whose type says it."""
    named = _names_columns(categorical)
    if is_table(X):
        _refuse_empty(*X.shape)
        categories = _categories(categorical, X.shape[1], names) if named else set()
        data = _of_frame(X, categories) if is_frame(X) else _of_arrow(X, categories)
    elif named:
        array = checked_array(X, estimator, dtype=None)
        data = _of_array(array, _categories(categorical, array.shape[1], names))
    else:
        data = _core.Dataset.from_matrix(X if is_matrix(X) else checked_array(X, estimator))
    if names is not None and not is_arrow(X):
        data.set_feature_names(names)
    return data
