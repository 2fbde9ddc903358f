"""Parameters as scikit-learn names them, in the words of the library's options.

The library checks ranges and says so in its own words; what is checked here are types, and what has
another meaning or another name in Python.
"""

import math
import re
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from . import _core
from ._samplers import Patches

MOST_BY_DEFAULT = 3  # features in a split, however few there are
AMOUNT = re.compile(r"sqrt|(\d+\.?\d*(e-?\d+)?)?p(\^\d+\.?\d*)?")


def _refuse(name, wanted, value):
    raise ValueError(f"{name} must be {wanted}, got {value!r}")


def is_whole(value):
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


def is_real(value):
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))


def number(value):
    """A number as the library and the command write it."""
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def whole(name, value, least):
    if not is_whole(value) or value < least:
        _refuse(name, f"an integer from {least}", value)
    return str(int(value))


def choice(name, value, choices):
    if not isinstance(value, str) or value not in choices:
        words = ", ".join(repr(c) for c in choices)
        _refuse(name, f"one of {words}" if len(choices) > 1 else words, value)
    return value


def count(name, value, rows, least):
    """A number of rows, or a share of them."""
    if is_whole(value):
        return whole(name, value, least)
    if not is_real(value) or not 0 < value <= 1:
        _refuse(name, f"an integer from {least}, or a share of the rows above 0 and up to 1", value)
    return str(max(least, math.ceil(value * rows)))


def leaf(min_samples_leaf, rows):
    """Rows that each child keeps; None lets the forest choose."""
    if min_samples_leaf is None:
        return "auto"
    return count("min_samples_leaf", min_samples_leaf, rows, 1)


def trees(n_estimators):
    """How many trees there are; "auto": as many as help."""
    if isinstance(n_estimators, str) and n_estimators == "auto":
        return "auto"
    if not is_whole(n_estimators) or n_estimators < 1:
        _refuse("n_estimators", "an integer from 1, or 'auto'", n_estimators)
    return str(int(n_estimators))


def time(time_limit):
    """When training ends: seconds, or a text with a unit."""
    if time_limit is None:
        return {}
    if isinstance(time_limit, str):
        return {"time": time_limit}
    if not is_real(time_limit) or not 0 < time_limit < math.inf:
        _refuse("time_limit", "seconds above 0, a text such as '10m', or None", time_limit)
    return {"time": number(time_limit)}


def share_of_leaf(value):
    if not is_real(value) or not 0 <= value <= 0.5:
        _refuse("min_weight_fraction_leaf", "a share from 0 to 0.5", value)
    return repr(float(value))


def method(projection):
    """The library's method, and the options that come with it."""
    if isinstance(projection, Patches):
        return {"method": "patch", **projection.options()}
    if callable(projection) and not isinstance(projection, type):
        return {}
    if not isinstance(projection, str) or projection not in _core.methods:
        wanted = "one of " + ", ".join(repr(m) for m in _core.methods) + ", a Patches or a function"
        _refuse("projection", wanted, projection)
    return {"method": projection}


def has_density(options):
    """Whether the method among the options has a density."""
    return "density" in _core.methods[options["method"]]["options"]


def candidates(max_features, features):
    """How many candidates a node has: the library's d."""
    if max_features is None:
        return "auto"
    if is_whole(max_features):
        return whole("max_features", max_features, 1)
    if is_real(max_features) and 0 < max_features < math.inf:
        return f"{number(max_features)}p"
    if max_features == "log2":
        return str(max(1, int(math.log2(features))))
    if not isinstance(max_features, str) or not AMOUNT.fullmatch(max_features):
        _refuse(
            "max_features",
            "a number of candidates, a float (times the number of features), 'sqrt', 'log2', an "
            "amount such as 'p', '2p' or 'p^0.7', or None to let the forest choose",
            max_features,
        )
    return max_features


def density(feature_combinations, data):
    """Features in a projection, on average: lambda p."""
    if feature_combinations is None:
        return {}
    if not is_real(feature_combinations) or not 0 < feature_combinations < math.inf:
        _refuse("feature_combinations", "a number above 0, or None", feature_combinations)
    if feature_combinations > max(data.features, MOST_BY_DEFAULT):
        wanted = f"at most the number of features, {data.features}"
        _refuse("feature_combinations", wanted, feature_combinations)
    return {"density": f"{number(feature_combinations)}/p"}


def bag(bootstrap, max_samples, rows):
    """How the rows of a tree are drawn."""
    kinds = {True: "bootstrap", False: "none"}
    if isinstance(bootstrap, (bool, np.bool_)):
        kind = kinds[bool(bootstrap)]
    else:
        kind = choice("bootstrap", bootstrap, ("auto", "stratified", "subsample"))
    if max_samples is None:
        return {"bag": kind}
    if kind == "none":
        raise ValueError(
            "max_samples needs bootstrap=True, 'stratified' or 'subsample': without a bootstrap "
            "every tree has all rows"
        )
    if is_whole(max_samples):
        if not 1 <= max_samples <= rows:
            _refuse("max_samples", f"from 1 to the number of rows, {rows}", max_samples)
        share = max_samples / rows
    elif is_real(max_samples) and 0 < max_samples <= 1:
        share = float(max_samples)
    else:
        _refuse("max_samples", "a number of rows, or a share above 0 and up to 1", max_samples)
    return {"bag": kind, "bag-fraction": repr(share)}


def honest(value):
    if isinstance(value, (bool, np.bool_)):
        return "0.5" if value else "0"
    if not is_real(value) or not 0 <= value < 1:
        _refuse("honest", "True, False or a share from 0 to less than 1", value)
    return repr(float(value))


def seed(random_state):
    if is_whole(random_state):
        if not 0 <= random_state < 2**64:
            _refuse("random_state", "an integer from 0 to 2**64 - 1", random_state)
        return str(int(random_state))
    return str(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def threads(n_jobs):
    """As in scikit-learn, but for what joblib may say: the library's threads are its own."""
    if n_jobs is None:
        return 1
    if not is_whole(n_jobs) or n_jobs == 0:
        _refuse("n_jobs", "a number of threads, -1 for all cores, or None for one", n_jobs)
    return min(int(n_jobs), 1024) if n_jobs > 0 else max(1, _core.cores() + 1 + int(n_jobs))


def _depth(max_depth):
    return "0" if max_depth is None else whole("max_depth", max_depth, 1)


def _splits(e, data):
    """What forests and boosted models have in common."""
    return {
        **method(e.projection),
        "projections": candidates(e.max_features, data.features),
        **density(e.feature_combinations, data),
        "weights": choice(
            "projection_weights",
            e.projection_weights,
            ("auto", "sign", "one", "uniform", "normal"),
        ),
        "nonzeros": choice("nonzeros", e.nonzeros, ("grid", "poisson")),
        "max-depth": _depth(e.max_depth),
        "min-leaf": leaf(e.min_samples_leaf, data.rows),
        "scale": choice("scale", e.scale, ("auto", "none", "sd", "range", "iqr")),
        "weight-is": choice("weight_is", e.weight_is, ("relative", "count")),
        "threads": str(threads(e.n_jobs)),
    }


def options_of(estimator, data):
    """What the two forests have in common."""
    e = estimator
    return {
        **_splits(e, data),
        "trees": trees(e.n_estimators),
        **time(e.time_limit),
        "min-split": count("min_samples_split", e.min_samples_split, data.rows, 2),
        "min-leaf-weight": share_of_leaf(e.min_weight_fraction_leaf),
        **bag(e.bootstrap, e.max_samples, data.rows),
        "split": choice("splitter", e.splitter, ("auto", "exact")),
        "honest": honest(e.honest),
        "effort": choice("effort", e.effort, ("low", "default", "high")),
        "device": choice("device", e.device, ("auto", "cpu", "gpu")),
    }


# ---- boosting --------------------------------------------------------------------------------


def real(name, value):
    if not is_real(value):
        _refuse(name, "a number", value)
    return number(value)


def held_out(early_stopping, validation_fraction):
    """The share of the rows that boosting stops by."""
    if not isinstance(early_stopping, (bool, np.bool_)):
        _refuse("early_stopping", "True or False", early_stopping)
    if not is_real(validation_fraction) or not 0 < validation_fraction <= 0.9:
        _refuse("validation_fraction", "a share above 0 and up to 0.9", validation_fraction)
    return repr(float(validation_fraction)) if early_stopping else "0"


def _directions(monotonic_cst, names, features):
    """Of an array or a dictionary, as pairs of a place and a direction."""
    if isinstance(monotonic_cst, dict):
        for name in monotonic_cst:
            if names is None or name not in names:
                raise ValueError(f"monotonic_cst names {name!r}, which X does not have")
        return [(names.index(name), way) for name, way in monotonic_cst.items()]
    ways = np.asarray(monotonic_cst)
    if ways.shape != (features,):
        raise ValueError(
            f"monotonic_cst has shape {ways.shape}, but X has {features} features; give each of "
            "them 1, -1 or 0, or a dictionary"
        )
    return list(enumerate(ways.tolist()))


def monotone(monotonic_cst, names, features):
    """Features with which predictions only rise, or only fall."""
    if monotonic_cst is None:
        return "none"
    items = []
    for place, way in _directions(monotonic_cst, names, features):
        if way not in (-1, 0, 1):
            _refuse("monotonic_cst", "1, -1 or 0 for each feature", way)
        name = names[place] if names else str(place + 1)
        if way and "," in name:
            raise ValueError(f"monotonic_cst cannot name {name!r}, which holds a comma: rename it")
        if way:
            items.append(f"{name}={'+' if way > 0 else '-'}")
    return ",".join(items) or "none"


def boosting_options_of(estimator, data, names):
    """What the two boosted models have in common."""
    e = estimator
    leaves = e.max_leaf_nodes
    return {
        "learner": "boosting",
        **_splits(e, data),
        "rounds": whole("max_iter", e.max_iter, 1),
        "rate": "auto" if e.learning_rate is None else real("learning_rate", e.learning_rate),
        "max-leaves": "0" if leaves is None else whole("max_leaf_nodes", leaves, 2),
        "valid": held_out(e.early_stopping, e.validation_fraction),
        "patience": whole("n_iter_no_change", e.n_iter_no_change, 1),
        "l2": real("l2_regularization", e.l2_regularization),
        "subsample": "auto" if e.subsample is None else real("subsample", e.subsample),
        "bags": "auto" if e.bags is None else whole("bags", e.bags, 1),
        "monotone": monotone(e.monotonic_cst, names, data.features),
    }
