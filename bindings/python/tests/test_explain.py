"""Shapley values: against their definition, of tables and classes of all kinds."""

import itertools
from math import factorial

import numpy as np
import pandas as pd
import pytest

from sporf import (
    SporfBoostingClassifier,
    SporfBoostingRegressor,
    SporfClassifier,
    SporfRegressor,
    simulate,
)


def table(seed=0, rows=200, features=5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, features)).round(2)


def brute_force(values_of, X, background):
    """values_of(rows): (rows, outputs). The definition, over all coalitions of columns."""
    count = X.shape[1]
    worth = {}
    for size in range(count + 1):
        for coalition in itertools.combinations(range(count), size):
            mixed = np.repeat(background[None], len(X), axis=0)
            for j in coalition:
                mixed[:, :, j] = X[:, None, j]
            flat = values_of(mixed.reshape(-1, count))
            worth[coalition] = flat.reshape(len(X), len(background), -1).mean(axis=1)
    result = np.zeros((len(X), count, next(iter(worth.values())).shape[1]))
    for coalition, value in worth.items():
        weight = (
            factorial(len(coalition)) * factorial(count - len(coalition) - 1)
            if len(coalition) < count
            else 0
        )
        for j in set(range(count)) - set(coalition):
            gain = worth[tuple(sorted((*coalition, j)))] - value
            result[:, j] += weight / factorial(count) * gain
    return result


CASES = {
    "two classes": (
        SporfClassifier(20, random_state=1, calibration="none"),
        lambda X: X[:, 0] + X[:, 1] > 0,
        "predict_proba",
    ),
    "classes in another order": (
        SporfClassifier(20, random_state=1, calibration="none", combine="posteriors"),
        lambda X: np.digitize(X[:, 0] - X[:, 2], [-10, -1, 0.3]) * 7 - 4,
        "predict_proba",
    ),
    "numbers": (SporfRegressor(20, random_state=1), lambda X: X[:, 0] * X[:, 1], "predict"),
    "two targets": (SporfRegressor(10, random_state=1), lambda X: X[:, :2] ** 2, "predict"),
    "boosted classes": (
        SporfBoostingClassifier(max_iter=10, random_state=1),
        lambda X: np.where(X[:, 0] > X[:, 1], "no", "yes"),
        "decision_function",
    ),
    "boosted numbers": (
        SporfBoostingRegressor(max_iter=10, random_state=1),
        lambda X: X[:, 0] * X[:, 1],
        "predict",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values_equal_their_definition(name):
    model, outcome, method = CASES[name]
    X = table()
    model.fit(X, outcome(X))

    def values_of(rows):
        predicted = getattr(model, method)(rows)
        return predicted.reshape(len(rows), -1)

    found = model.explain(X[:6], X[50:70])
    wanted = brute_force(values_of, X[:6], X[50:70])
    np.testing.assert_allclose(
        found.values.reshape(wanted.shape), wanted, atol=1e-12 * max(1, np.abs(wanted).max())
    )
    assert found.estimated == 0
    np.testing.assert_allclose(
        found.values.sum(axis=1) + found.base_values, found.predictions, atol=1e-12
    )
    np.testing.assert_allclose(found.predictions.reshape(6, -1), values_of(X[:6]), atol=1e-12)


def test_categories_and_missing_values_take_part():
    rng = np.random.default_rng(3)
    X = pd.DataFrame(table(3), columns=list("abcde"))
    X["kind"] = pd.Categorical(rng.choice(["red", "green", "blue", "grey"], len(X)))
    X.loc[rng.random(len(X)) < 0.3, "b"] = np.nan
    y = (X["kind"].isin(["red", "blue"]) & (X["a"] > 0)) | X["b"].isna()
    forest = SporfClassifier(20, random_state=1, calibration="none").fit(X, y)
    rows, background = X[:4], X[100:115]
    values = forest.explain(rows, background).values
    columns = list(X.columns)

    def shares(coalition):
        mixed = pd.concat([background] * len(rows), ignore_index=True)
        repeated = rows.loc[rows.index.repeat(len(background))].reset_index(drop=True)
        for name in coalition:
            mixed[name] = repeated[name]
        return forest.predict_proba(mixed)[:, 1].reshape(len(rows), -1).mean(axis=1)

    for j, name in enumerate(columns):
        wanted, others = 0, [other for other in columns if other != name]
        for size in range(len(others) + 1):
            weight = factorial(size) * factorial(len(others) - size) / factorial(len(columns))
            for coalition in itertools.combinations(others, size):
                wanted = wanted + weight * (shares((*coalition, name)) - shares(coalition))
        np.testing.assert_allclose(values[:, j, 1], wanted, atol=1e-12)


def test_projections_of_single_features_are_features():
    X = table(1)
    forest = SporfClassifier(20, projection="rf", random_state=1).fit(X, X[:, 0] > X[:, 1])
    by_feature = forest.explain(X[:10], X[100:150])
    by_projection = forest.explain(X[:10], X[100:150], projections=5)
    assert by_projection.feature_names[-1] == "all other projections"
    order = [int(name.split("x")[1]) for name in by_projection.feature_names[:-1]]
    np.testing.assert_allclose(
        by_projection.values[:, :-1], by_feature.values[:, order], atol=1e-13
    )
    assert by_projection.data is None
    assert np.all(by_projection.values[:, -1] == 0)


def test_projections_add_up():
    X, y = simulate("sparse-parity", 300, random_state=1)
    forest = SporfClassifier(20, random_state=1).fit(X, y)
    found = forest.explain(X[:5], projections=7)
    assert found.values.shape == (5, 8, 2)
    np.testing.assert_allclose(
        found.values.sum(axis=1) + found.base_values, found.predictions, atol=1e-12
    )


def test_estimates_add_up_and_say_so():
    X, y = simulate("trunk", 300, 12, random_state=1)
    forest = SporfClassifier(10, projection="rr-rf", random_state=1).fit(X, y)
    found = forest.explain(X[:3], X[100:110], steps=50)
    assert found.estimated > 0.5
    assert found.errors.max() > 0
    np.testing.assert_allclose(
        found.values.sum(axis=1) + found.base_values, found.predictions, atol=1e-12
    )
    exact = forest.explain(X[:3], X[100:110])
    assert exact.estimated == 0
    assert np.abs(found.values - exact.values).max() < 6 * found.errors.max()


def test_background_is_drawn_from_the_rows():
    X = table(5, rows=400)
    forest = SporfRegressor(10, random_state=1).fit(X, X[:, 0])
    again = [forest.explain(X, random_state=seed).values for seed in (1, 1, 2)]
    np.testing.assert_array_equal(again[0], again[1])
    assert not np.array_equal(again[0], again[2])
    threads = [forest.set_params(n_jobs=jobs).explain(X[:9]).values for jobs in (1, 2)]
    np.testing.assert_array_equal(*threads)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"steps": 0}, "steps"),
        ({"steps": 2**64 + 5}, "steps"),
        ({"projections": -1}, "projections"),
        ({"background": np.ones((3, 2))}, "features"),
        ({"background": np.ones((0, 5))}, "sample"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    X = table(5)
    forest = SporfRegressor(5, random_state=1).fit(X, X[:, 0])
    with pytest.raises(ValueError, match=message):
        forest.explain(X[:3], **arguments)


def test_a_single_row_needs_a_background():
    X = table(5)
    forest = SporfRegressor(5, random_state=1).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="background"):
        forest.explain(X[:1])
    assert forest.explain(X[:1], X).values.shape == (1, 5)
