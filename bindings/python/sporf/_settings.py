"""The settings of a model file as parameters of an estimator."""

import re
from collections.abc import Iterator
from os import PathLike
from typing import Any

import numpy as np

from . import _core
from ._losses import loss_called
from ._messages import messages_in_python
from ._samplers import Patches

WEIGHT = re.compile(r"[0-9.eE+-]+")


def class_values(names):
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
    return projections


def _combinations(density, features):
    factor, exponent = _amount(density)
    return factor if exponent == -1 else factor * features ** (exponent + 1)


def _bootstrap(bag):
    return {"bootstrap": True, "none": False}.get(bag, bag)


def kind_of(forest) -> tuple[bool, bool]:
    """Whether a model is boosted, and whether it predicts numbers."""
    return forest.boosting() is not None, forest.targets > 0 and not forest.label_columns


def parameters_of(forest) -> dict[str, Any]:
    """The parameters that give this model again. A file need not have any settings: then they are
    the default ones."""
    boosts, _ = kind_of(forest)
    if not forest.settings:
        return {} if boosts else {"n_estimators": forest.trees}
    try:
        return (_read_boosting if boosts else _read_forest)(forest, forest.settings)
    except KeyError as error:
        raise ValueError(f"the model's settings lack {error}") from None
    except (ValueError, OverflowError) as error:
        raise ValueError(f"the model's settings cannot be read: {error}") from None


def _read(forest, s):
    """What forests and boosted models have in common."""
    parameters = {
        "max_depth": int(s["max-depth"]) or None,
        "min_samples_leaf": int(s["min-leaf"]),
        "max_features": _candidates(s["projections"]),
        "random_state": int(s["seed"]),
        "projection": _projection(s),
        "feature_combinations": _combinations(s["density"], forest.features),
        "projection_weights": s["weights"],
        "nonzeros": s["nonzeros"],
        "scale": s["scale"],
        "weight_is": s.get("weight-is", "relative"),
    }
    if forest.has_levels:
        parameters["categorical_features"] = forest.typed_features
    if forest.targets:
        return parameters
    return {**parameters, **_class_weight(s), "cost": s.get("cost")}


def _read_forest(forest, s):
    parameters = {
        **_read(forest, s),
        "n_estimators": int(s["trees"]),
        "min_samples_split": int(s["min-split"]),
        "min_weight_fraction_leaf": float(s.get("min-leaf-weight", 0)),
        "bootstrap": _bootstrap(s["bag"]),
        "splitter": s["split"],
        "honest": float(s.get("honest", 0)) or False,
    }
    if s["bag"] == "subsample" or (s["bag"] != "none" and float(s["bag-fraction"]) < 1):
        parameters["max_samples"] = float(s["bag-fraction"])
    if forest.label_columns:
        return parameters
    if forest.targets:
        return {**parameters, "keep_samples": s.get("samples", "keep") == "keep"}
    return {
        **parameters,
        "calibration": s.get("calibration", "auto"),
        "criterion": s["criterion"],
        "recall": s.get("recall"),
    }


def _read_boosting(forest, s):
    parameters = {
        **_read(forest, s),
        "loss": f"<loss {s['user-loss']}>" if "user-loss" in s else loss_called(s["loss"]),
        "max_iter": int(s["rounds"]),
        "learning_rate": float(s["rate"]),
        "max_leaf_nodes": int(s["max-leaves"]) or None,
        "n_iter_no_change": int(s["patience"]),
        "l2_regularization": float(s["l2"]),
        "subsample": float(s["subsample"]),
        "bags": int(s["bags"]),
        "monotonic_cst": _monotonic(s.get("monotone", "none"), forest),
        "early_stopping": float(s["valid"]) > 0,
    }
    if parameters["early_stopping"]:
        parameters["validation_fraction"] = float(s["valid"])
    return {**parameters, "quantile": float(s["quantile"])} if forest.targets else parameters


def _monotonic(text, forest):
    """A dictionary where features have names, otherwise an array."""
    if text == "none":
        return None
    ways = {item[:-2]: 1 if item.endswith("+") else -1 for item in text.split(",")}
    if forest.feature_names is not None:
        return ways
    return [ways.get(str(j + 1), 0) for j in range(forest.features)]


def _class_weight(settings):
    text = settings.get("class-weights", "none")
    if text in ("none", "balanced"):
        return {"class_weight": None if text == "none" else text}
    pairs = list(_weights(text))
    names = class_values([name for name, _ in pairs]).tolist()
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


def read_model(path: str | PathLike[str]) -> _core.Forest:
    with open(path, "rb"):  # a file that is not there, or not ours to read, is told as ever
        pass
    with messages_in_python():
        return _core.Forest.load(path)
