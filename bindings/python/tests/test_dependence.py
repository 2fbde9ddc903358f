"""Partial dependence against scikit-learn's brute force, local effects and interactions."""

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence

from sporf import (
    SporfBoostingClassifier,
    SporfBoostingRegressor,
    SporfClassifier,
    SporfRegressor,
)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(150, 5))
    X[:, 3] = np.round(X[:, 3])
    y = X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=150)
    return X, y


def _models(y):
    three = np.digitize(y, [-0.5, 0.5])
    yield SporfClassifier(15, random_state=1), (y > 0).astype(int)
    yield SporfClassifier(15, random_state=1, combine="votes"), three
    yield SporfClassifier(15, random_state=1, calibration="none"), three
    yield SporfRegressor(15, random_state=1), np.column_stack([y, -y * 2])
    yield SporfBoostingClassifier(max_iter=8, random_state=1), three
    yield SporfBoostingClassifier(max_iter=8, random_state=1), (y > 0).astype(int)
    yield SporfBoostingRegressor(max_iter=8, random_state=1), y


def _same(model, X, features, resolution, weights=None):
    brute = partial_dependence(
        model,
        X,
        features,
        method="brute",
        kind="average",
        grid_resolution=resolution,
        sample_weight=weights,
        response_method="predict_proba" if hasattr(model, "classes_") else "auto",
    )
    ours = model.partial_dependence(
        X, features, grid_values=brute["grid_values"], sample_weight=weights
    )
    average = ours.average
    if len(brute["average"]) == 1 and len(average) == 2:
        average = average[1:]
    np.testing.assert_allclose(average, brute["average"], rtol=0, atol=1e-9)
    grid = model.partial_dependence(X, features, grid_resolution=resolution).grid_values
    for own, theirs in zip(grid, brute["grid_values"], strict=True):
        np.testing.assert_allclose(own, theirs, rtol=1e-6)


def test_partial_dependence_is_that_of_brute_force(table):
    X, y = table
    weights = np.arange(len(X)) % 4 + 0.5
    for model, outcome in _models(y):
        model.fit(X, outcome)
        _same(model, X, [0], 12)
        _same(model, X, [3], 12, weights)
        _same(model, X, [0, 1], 4)


def test_missing_values_do_not_matter(table):
    X, y = table[0].copy(), table[1]
    X[::7, 1] = np.nan
    model = SporfRegressor(10, random_state=1).fit(X, y)
    curves = model.partial_dependence(X, 1, kind="individual", grid_values=[-1, np.nan, 0.5])
    for i, value in enumerate((-1, np.nan, 0.5)):
        replaced = X.copy()
        replaced[:, 1] = value
        assert (curves.individual[0, :, i] == model.predict(replaced)).all()


def test_categories_take_their_levels(table):
    X, y = table
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"])
    frame["c"] = pd.Categorical(np.array(["x", "y", "z"])[np.arange(len(X)) % 3])
    model = SporfClassifier(10, random_state=1).fit(frame, y > (frame["c"] == "z"))
    found = model.partial_dependence(frame, "c", kind="individual")
    assert found.grid_values[0].tolist() == [0, 1, 2] and found.names == ("c",)
    for i, level in enumerate("xyz"):
        replaced = frame.copy()
        replaced["c"] = pd.Categorical([level] * len(X), categories=["x", "y", "z"])
        assert (model.predict_proba(replaced) == found.individual[:, :, i].T).all()
    with pytest.raises(ValueError, match="need an order"):
        model.ale(frame, "c")
    with pytest.raises(ValueError, match="no feature 'd'"):
        model.partial_dependence(frame, "d")


def test_one_row_and_any_number_of_threads(table):
    X, y = table
    model = SporfClassifier(10, random_state=1, n_jobs=1).fit(X, y > 0)
    one = model.partial_dependence(X[:1], 2, grid_values=[-1, 0, 1], kind="individual")
    assert (one.average == one.individual[:, 0]).all()
    alone = model.partial_dependence(X, 0).average
    model.n_jobs = 2
    assert (model.partial_dependence(X, 0).average == alone).all()


def test_local_effects_rise_with_what_matters(table):
    X, y = table
    model = SporfRegressor(30, random_state=1).fit(X, y)
    effects = model.ale(X, 0, bins=10)
    assert effects.average.shape == (1, 11)
    assert effects.average[0, -1] > 0.5 and effects.average[0, 0] < -0.5


def test_factors_interact(table):
    X = table[0]
    model = SporfRegressor(30, random_state=1).fit(X, X[:, 1] * X[:, 2])
    found = model.interactions(X, [0, 1, 2], sample=50)
    assert found.pairs[0].features == (1, 2) and found.pairs[0].h > 0.5
    assert set(found.total) == {"x0", "x1", "x2"}
    assert len(model.interactions(X, sample=20).pairs) == 10
