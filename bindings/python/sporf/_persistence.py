"""Model files, which the command line shares."""

import os
import re
from collections.abc import Iterator
from os import PathLike
from typing import Any

import numpy as np

from . import _core
from ._classifier import SporfClassifier
from ._messages import messages_in_python
from ._regressor import SporfRegressor
from ._samplers import Patches

WEIGHT = re.compile(r"[0-9.eE+-]+")


def _class_values(names):
    """Classes as they were: whole numbers where all names are, otherwise strings."""
    try:
        numbers = np.array([int(name) for name in names], dtype=np.int64)
    except (ValueError, OverflowError):
        return np.array(names)
    return numbers if [str(n) for n in numbers] == list(names) else np.array(names)


def _projection(settings):
    method = settings.get("method") or f"<sampler {settings.get('sampler')}>"
    if method != "patch":
        return method
    return Patches(
        int(settings["image-width"]) or None,
        int(settings["patch-min"]),
        int(settings["patch-max"]),
    )


def _amount(text):
    """(factor, exponent) of an amount that follows the number of features p, as the library
    writes it."""
    if "/p" in text:
        return float(text.removesuffix("/p")), -1.0
    if "p" not in text:
        return float(text), 0.0
    factor, _, exponent = text.partition("p")
    return float(factor or 1), float(exponent.removeprefix("^") or 1)


def _candidates(projections):
    factor, exponent = _amount(projections)
    if exponent == 0:
        return int(factor)
    return None if projections == "p" else projections


def _combinations(density, features):
    factor, exponent = _amount(density)
    return factor if exponent == -1 else factor * features ** (exponent + 1)


def _bootstrap(bag):
    return {"bootstrap": True, "none": False}.get(bag, bag)


def _parameters(forest) -> dict[str, Any]:
    """The parameters that give this forest again. A file need not have any settings: then they are
    the default ones."""
    if not forest.settings:
        return {"n_estimators": forest.trees}
    try:
        return _read(forest, forest.settings)
    except KeyError as error:
        raise ValueError(f"the model's settings lack {error}") from None
    except (ValueError, OverflowError) as error:
        raise ValueError(f"the model's settings cannot be read: {error}") from None


def _read(forest, s):
    depth = int(s["max-depth"])
    parameters = {
        "n_estimators": int(s["trees"]),
        "max_depth": depth or None,
        "min_samples_split": int(s["min-split"]),
        "min_samples_leaf": int(s["min-leaf"]),
        "min_weight_fraction_leaf": float(s.get("min-leaf-weight", 0)),
        "max_features": _candidates(s["projections"]),
        "bootstrap": _bootstrap(s["bag"]),
        "random_state": int(s["seed"]),
        "projection": _projection(s),
        "feature_combinations": _combinations(s["density"], forest.features),
        "projection_weights": s["weights"],
        "nonzeros": s["nonzeros"],
        "scale": s["scale"],
        "splitter": s["split"],
        "honest": float(s.get("honest", 0)) or False,
        "weight_is": s.get("weight-is", "relative"),
    }
    if s["bag"] == "subsample" or (s["bag"] != "none" and float(s["bag-fraction"]) < 1):
        parameters["max_samples"] = float(s["bag-fraction"])
    if forest.has_levels:
        parameters["categorical_features"] = forest.typed_features
    if forest.targets:
        return {**parameters, "keep_samples": s.get("samples", "keep") == "keep"}
    return {**parameters, "criterion": s["criterion"], **_class_weight(s)}


def _class_weight(settings):
    text = settings.get("class-weights", "none")
    if text in ("none", "balanced"):
        return {"class_weight": None if text == "none" else text}
    pairs = list(_weights(text))
    names = _class_values([name for name, _ in pairs]).tolist()
    return {"class_weight": dict(zip(names, (weight for _, weight in pairs), strict=True))}


def _weights(text) -> Iterator[tuple[str, float]]:
    """The items of NAME=WEIGHT,NAME=WEIGHT. Names may hold commas: an item ends where an equals
    sign and a number stand before one."""
    parts = []
    for part in text.split(","):
        parts.append(part)
        name, equals, weight = part.rpartition("=")
        if equals and WEIGHT.fullmatch(weight) and (name or len(parts) > 1):
            yield ",".join([*parts[:-1], name]), float(weight)
            parts = []


def load(path: str | PathLike[str]) -> SporfClassifier | SporfRegressor:
    """Read a model file, written by ``save`` or by the command ``sporf``.

    Parameters
    ----------
    path : str or path-like
        The file. Its bytes are checked and none is run, so it may come from anywhere.

    Returns
    -------
    forest : SporfClassifier or SporfRegressor
        Fitted, with the parameters of its training as far as the file has them. Classes are
        integers where all of their names are, otherwise strings.

    Examples
    --------
    >>> import os, tempfile
    >>> import numpy as np
    >>> import sporf
    >>> X, y = sporf.simulate("trunk", 200, random_state=1)
    >>> forest = sporf.SporfClassifier(n_estimators=10, random_state=1).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "trunk.sporf")
    ...     forest.save(path)
    ...     again = sporf.load(path)
    >>> np.array_equal(again.predict(X), forest.predict(X))
    True
    """
    with open(path, "rb"):  # a file that is not there, or not ours to read, is told as ever
        pass
    with messages_in_python():
        forest = _core.Forest.load(path)
    kind = SporfRegressor if forest.targets else SporfClassifier
    try:
        estimator = kind(**_parameters(forest))
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)!r}: {error}") from None
    estimator._forest = forest
    estimator.n_features_in_ = forest.features
    names = forest.feature_names
    if names is not None:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    estimator.n_outputs_ = forest.targets or 1
    if not forest.targets:
        estimator.classes_ = _class_values(forest.class_names)
        estimator.n_classes_ = forest.classes
        estimator._order = None
    return estimator
