"""The library's messages in the words of Python: names of arguments, and places counted from 0;
and warnings."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from ._core import DeviceFailed, Refused

_ARGUMENTS = {
    "bag": "bootstrap",
    "bag-fraction": "max_samples",
    "class-weights": "class_weight",
    "density": "feature_combinations / p",
    "l2": "l2_regularization",
    "label": "y",
    "label-file": "y",
    "max-leaves": "max_leaf_nodes",
    "method": "projection",
    "min-leaf": "min_samples_leaf",
    "min-leaf-weight": "min_weight_fraction_leaf",
    "min-split": "min_samples_split",
    "monotone": "monotonic_cst",
    "patch-max": "max_size",
    "patch-min": "min_size",
    "patience": "n_iter_no_change",
    "projections": "max_features",
    "rate": "learning_rate",
    "rounds": "max_iter",
    "samples": "keep_samples",
    "seed": "random_state",
    "split": "splitter",
    "target": "y",
    "threads": "n_jobs",
    "time": "time_limit",
    "trees": "n_estimators",
    "valid": "validation_fraction",
    "weight": "sample_weight",
    "weights": "projection_weights",
}
_VALUES = {
    ("bag", "bootstrap"): "True",
    ("bag", "none"): "False",
    ("samples", "keep"): "True",
    ("samples", "drop"): "False",
    ("loss", "log"): "'log_loss'",
    ("loss", "squared"): "'squared_error'",
    ("loss", "absolute"): "'absolute_error'",
}
_SETTINGS = {("valid", "0"): "early_stopping=False"}
REFUSALS = (Refused, DeviceFailed, OSError, MemoryError)

Part = tuple[str, str, str | None, int]  # kind, text, value of an option, number from 1


def _word(kind: str, text: str, value: str | None, number: int) -> str:
    if kind == "option" and value is not None and (text, value) in _SETTINGS:
        return _SETTINGS[text, value]
    if kind == "option":
        name = _ARGUMENTS.get(text, text.replace("-", "_"))
        return name if value is None else f"{name}={_VALUES.get((text, value), repr(value))}"
    if number > 0:
        return f"{text} {number - (kind != 'line')}"
    return text


def _is_cell(parts: list[Part]) -> bool:
    """A row and a column or feature, joined as one place."""
    return len(parts) == 3 and parts[1][0] == "cell"


def words(parts: list[Part], first: int = 0) -> str:
    """`first` is the row of X that the library has as its first one."""
    texts = [_word(*part) for part in parts]
    for i in range(len(parts)):
        if _is_cell(parts[i : i + 3]):
            texts[i : i + 3] = f"X[{first + parts[i][3] - 1}, {parts[i + 2][3] - 1}]", "", ""
    return "".join(texts)


def in_python(error: Exception, first: int = 0) -> Exception:
    """What the library refused, in words that Python users know; other errors as they are."""
    if not hasattr(error, "parts"):
        return error
    own = {Refused: ValueError, DeviceFailed: RuntimeError}
    kind = own.get(type(error), type(error))
    return kind(words(error.parts, first))


def warn(message: str) -> None:
    """Warns of a line outside of this package: that of whoever called it."""
    package = os.path.dirname(__file__) + os.sep
    level = 1
    frame = sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(package):
        frame = frame.f_back
        level += 1
    warnings.warn(message, stacklevel=level)


@contextmanager
def messages_in_python(first: int = 0) -> Iterator[None]:
    """What the library refuses inside is refused in words that Python users know. Of a table that
    has only some rows of X, `first` is the first one."""
    try:
        yield
    except REFUSALS as error:
        raise in_python(error, first) from None
