"""Losses of boosting: the library's under scikit-learn's names, and objects of the user's."""

from typing import Any

import numpy as np

from ._options import choice

OF_CLASSES = {"log_loss": "log"}
OF_TARGETS = {
    "squared_error": "squared",
    "absolute_error": "absolute",
    "quantile": "quantile",
    "poisson": "poisson",
}


def loss_called(name: str) -> str:
    """The name of a loss of the library in Python."""
    names = {ours: theirs for theirs, ours in {**OF_CLASSES, **OF_TARGETS}.items()}
    if name not in names:
        raise ValueError(f"there is no loss {name!r}")
    return names[name]


def loss_option(loss: Any, known: dict[str, str]) -> dict[str, str]:
    """The option of a loss of the library; a loss of the user's takes its place."""
    return {"loss": known[choice("loss", loss, tuple(known))]} if isinstance(loss, str) else {}


class ClassView:
    """Between the library's order of classes and that of ``classes_``. Two classes have one score:
    the log odds of the second."""

    def __init__(self, order):
        self.order, self.place = order, np.argsort(order)
        self.outputs = 1 if len(order) == 2 else len(order)
        self.sign = -1.0 if self.outputs == 1 and order[0] == 1 else 1.0

    def truth(self, labels):
        return self.place[np.frombuffer(labels, np.uint32)]

    def raw(self, scores):
        if self.outputs == 1:
            return self.sign * scores
        return scores.reshape(-1, self.outputs)[:, self.order]

    def back(self, values, sign):
        if self.outputs == 1:
            return (self.sign if sign else 1.0) * values
        return np.ascontiguousarray(values[..., self.place])


class TargetView:
    """Scores of the targets; those of a single one are an array of one dimension."""

    def __init__(self, targets):
        self.outputs = targets

    def _shaped(self, columns):
        return columns[:, 0] if self.outputs == 1 else columns

    def truth(self, targets):
        columns = np.frombuffer(targets, np.float32).reshape(self.outputs, -1).T
        return self._shaped(columns.astype(np.float64))

    def raw(self, scores):
        return self._shaped(scores.reshape(-1, self.outputs))

    def back(self, values, sign):
        return np.ascontiguousarray(values)


def _filled(values, shape, what):
    """An array of this shape; a number stands for all."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim > 0 and array.shape != shape:
        raise ValueError(f"the loss gave {what} of shape {array.shape}, not {shape}")
    return np.broadcast_to(array, shape)


def _base(loss, view, truth, sample_weight):
    base = getattr(loss, "base", 0.0)
    if callable(base):
        base = base(truth, sample_weight)
    base = np.array(_filled(base, () if view.outputs == 1 else (view.outputs,), "a base"))
    return np.ascontiguousarray(np.atleast_1d(view.back(base, sign=True)))


def adapted(loss: Any, view: Any, truth: Any, sample_weight: Any):
    """What the extension module takes for a loss of the user's; None for one of the library's."""
    if isinstance(loss, str):
        return None
    for method in ("gradient_hessian", "loss"):
        if not callable(getattr(loss, method, None)):
            raise TypeError(
                f"loss must be a name or an object with the methods gradient_hessian and loss; "
                f"{loss!r} has no {method}"
            )

    def seen(truth, scores):
        return view.truth(truth), view.raw(np.frombuffer(scores, np.float64))

    def derive(truth, scores):
        y_true, raw = seen(truth, scores)
        gradients, hessians = loss.gradient_hessian(y_true, raw)
        gradients = _filled(gradients, raw.shape, "gradients")
        hessians = _filled(hessians, raw.shape, "hessians")
        return view.back(gradients, sign=True), view.back(hessians, sign=False)

    def measure(truth, scores):
        y_true, raw = seen(truth, scores)
        return np.ascontiguousarray(_filled(loss.loss(y_true, raw), (len(raw),), "losses"))

    name = str(getattr(loss, "name", type(loss).__name__))
    return name, _base(loss, view, truth, sample_weight), derive, measure
