"""Partial dependence against scikit-learn's brute force, local effects and interactions."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import PartialDependenceDisplay, partial_dependence

from sporf import (
    SporfBoostingClassifier,
    SporfBoostingRegressor,
    SporfClassifier,
    SporfRegressor,
    simulate,
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


def _told(command, *arguments):
    return json.loads(command("dependence", *arguments, "--json").stdout)


def _same_numbers(found, ours, kind):
    """The command writes values of a table in single precision, and all else as it is."""
    assert tuple(found["features"]) == ours.features and tuple(found["names"]) == ours.names
    for theirs, own in zip(found["values"], ours.grid_values, strict=True):
        if not isinstance(theirs[0], str):
            np.testing.assert_array_equal(np.float32(theirs), own.astype(np.float32))
    outputs = len(ours.average)
    assert (ours.average.reshape(outputs, -1) == np.array(found["mean"]).T).all()
    if kind != "ice":
        return
    assert [one["row"] for one in found["individual"]] == ours.rows.tolist()
    curves = np.array([one["predictions"] for one in found["individual"]])
    assert (np.moveaxis(curves, -1, 0).reshape(ours.individual.shape) == ours.individual).all()


def test_the_command_gives_the_same_numbers(command, tmp_path, customers):
    frame, left = customers
    frame = frame.rename(columns={"age": 'age, "full"', "income": "año"})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    forest = SporfClassifier(12, random_state=1).fit(frame, left)
    boosted = SporfBoostingClassifier(max_iter=6, random_state=1).fit(frame, left)
    for model, options in ((forest, ["--combine", "posteriors"]), (boosted, [])):
        model.save(tmp_path / "model.sporf")
        ask = ["--model", tmp_path / "model.sporf", "--data", tmp_path / "rows.csv", *options]
        for kind in ("pdp", "ice"):
            told = _told(command, *ask, "--kind", kind, "--features", "plan,año", "--sample", 40)
            assert told["outputs"] == ["no", "yes"] and told["kind"] == kind
            for found in told["dependence"]:
                as_here = "individual" if kind == "ice" else "average"
                ours = model.partial_dependence(frame, found["names"][0], kind=as_here, sample=40)
                _same_numbers(found, ours, kind)
        assert told["dependence"][0]["values"] == [["basic", "family", "plus"]]
        (found,) = _told(command, *ask, "--pairs", "--features", "1,town", "--grid", 5)[
            "dependence"
        ]
        ours = model.partial_dependence(frame, ['age, "full"', "town"], grid_resolution=5)
        _same_numbers(found, ours, "pdp")
        (found,) = _told(command, *ask, "--kind", "ale", "--features", "año")["dependence"]
        _same_numbers(found, model.ale(frame, "año"), "ale")
        told = _told(command, *ask, "--interactions")
        ours = model.interactions(frame)
        assert told["rows"] == 200
        assert [(tuple(p["names"]), p["h"], p["strength"]) for p in told["interactions"]] == [
            (p.names, p.h, p.strength) for p in ours.pairs
        ]
        assert {t["names"][0]: t["h"] for t in told["total"]} == ours.total


def test_the_command_writes_the_numbers_of_several_targets(command, tmp_path, table):
    X, y = table
    targets = pd.DataFrame({"up": y, "down": -y})
    frame = pd.DataFrame(X, columns=list("abcde"))
    frame.to_csv(tmp_path / "rows.csv", index=False)
    model = SporfRegressor(10, random_state=1).fit(frame, targets)
    model.save(tmp_path / "model.sporf")
    text = command(
        "dependence", "--model", tmp_path / "model.sporf", "--data", tmp_path / "rows.csv",
        "--grid", 6,
    ).stdout.decode()  # fmt: skip
    lines = list(csv.DictReader(io.StringIO(text)))
    order = np.argsort(-model.feature_importances_, kind="stable")[:5]
    assert list(dict.fromkeys(line["feature"] for line in lines)) == ["abcde"[j] for j in order]
    for name in "abcde":
        told = [list(line.values())[2:] for line in lines if line["feature"] == name]
        average = model.partial_dependence(frame, name, grid_resolution=6).average
        assert (average == np.array(told, dtype=float).T).all()


def test_scikit_learn_draws_it(table, customers):
    import matplotlib.pyplot as plt

    X, y = table
    regressor = SporfRegressor(5, random_state=1).fit(X, y)
    shown = PartialDependenceDisplay.from_estimator(
        regressor, X, [0, (0, 1)], grid_resolution=5, kind="average"
    )
    ours = regressor.partial_dependence(X, 0, grid_resolution=5)
    np.testing.assert_allclose(shown.pd_results[0]["average"], ours.average, atol=1e-9)
    frame, left = customers
    frame = frame.astype({"age": float})  # scikit-learn refuses integers
    forest = SporfClassifier(5, random_state=1).fit(frame, left)
    PartialDependenceDisplay.from_estimator(
        forest, frame[:30], ["age", "town"], categorical_features=["town"], grid_resolution=4
    )
    PartialDependenceDisplay.from_estimator(
        forest, frame[:30], ["age"], kind="both", grid_resolution=4
    )
    plt.close("all")


@pytest.mark.parametrize(
    ("features", "more", "message"),
    [
        ([0], {"grid_values": np.array([0.0, 1.0, 2.0])}, "grid_values"),
        ([0], {"grid_values": [[[0.0, 1.0]]]}, "one dimension"),
        (0, {"grid_resolution": -5}, "grid"),
        (0, {"percentiles": (0.1, 0.5, 0.9)}, "percentiles"),
    ],
)
def test_grids_that_make_no_sense_are_refused(features, more, message):
    X, y = simulate("friedman1", 60, random_state=1)
    forest = SporfRegressor(3, random_state=1).fit(X, y)
    with pytest.raises(ValueError, match=message):
        forest.partial_dependence(X, features, **more)


def test_more_bins_than_rows_are_as_many_as_rows():
    X, y = simulate("friedman1", 60, random_state=1)
    forest = SporfRegressor(3, random_state=1).fit(X, y)
    np.testing.assert_array_equal(
        forest.ale(X, 0, bins=10**12).average, forest.ale(X, 0, bins=60).average
    )
