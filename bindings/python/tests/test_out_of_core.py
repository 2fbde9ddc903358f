"""Forests of rows in a file are those of the plain estimator, byte for byte."""

import numpy as np
import pandas as pd
import pytest
from conftest import model_of
from sklearn.base import clone

import sporf
from sporf import out_of_core


@pytest.fixture(scope="module")
def rows():
    return sporf.simulate("sparse-parity", 6000, random_state=1)


@pytest.fixture(scope="module")
def numbers():
    return sporf.simulate("friedman1", 5000, random_state=1)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_forest_is_that_of_the_plain_estimator(rows, tmp_path, threads):
    X, y = rows
    settings = {"n_estimators": 20, "random_state": 1, "oob_score": True, "n_jobs": threads}
    forest = out_of_core.SporfClassifier(rows_in_memory="600KB", directory=tmp_path, **settings)
    plain = sporf.SporfClassifier(**settings)
    with pytest.warns(UserWarning, match="do not have OOB scores"):
        plain.fit(X, y)
    with pytest.warns(UserWarning, match="do not have OOB scores"):
        forest.fit(X, y)
    assert model_of(forest) == model_of(plain)
    assert forest.oob_score_ == plain.oob_score_
    assert np.array_equal(forest.predict(X[:50]), plain.predict(X[:50]))
    assert not list(tmp_path.iterdir())


def test_a_file_weights_and_missing_values(rows, tmp_path):
    X, y = rows
    X = X.astype(np.float32)
    X[::9, 3] = np.nan
    np.save(tmp_path / "rows.npy", np.asfortranarray(X))
    X = np.load(tmp_path / "rows.npy", mmap_mode="r")
    names, weights = np.array(["no", "yes"])[y], np.arange(len(y)) % 4 + 0.5
    settings = {"n_estimators": 5, "random_state": 1, "class_weight": {"no": 2.0, "yes": 1.0}}
    forest = out_of_core.SporfClassifier(rows_in_memory="1MB", directory=tmp_path, **settings)
    plain = sporf.SporfClassifier(**settings).fit(X, names, weights)
    assert model_of(forest.fit(X, names, weights)) == model_of(plain)
    assert model_of(clone(forest).fit(X, names, weights)) == model_of(plain)


@pytest.mark.parametrize("projection", ["sporf", "rf", "frc", "patch"])
@pytest.mark.parametrize("given", ["numbers", "weights", "missing"])
@pytest.mark.filterwarnings("ignore:Some inputs do not have OOB scores")
def test_regression_is_that_of_the_plain_estimator(numbers, given, projection):
    X, y = numbers
    weights = np.arange(len(y)) % 3 if given == "weights" else None
    if given == "missing":
        X = X.copy()
        X[::7, 2] = np.nan
    for keep in (True, False):
        settings = {"n_estimators": 15, "projection": projection, "keep_samples": keep}
        settings.update(random_state=1, oob_score=True, max_depth=9)
        forest = out_of_core.SporfRegressor(rows_in_memory="600KB", **settings).fit(X, y, weights)
        plain = sporf.SporfRegressor(**settings).fit(X, y, weights)
        assert model_of(forest) == model_of(plain)
        assert forest.oob_score_ == plain.oob_score_
        assert np.array_equal(forest.oob_prediction_, plain.oob_prediction_, equal_nan=True)


@pytest.mark.parametrize("kind", ["float32", "float64", "int16", "bool"])
@pytest.mark.parametrize("outcome", ["two", "three", "number"])
def test_categories_are_those_of_the_plain_estimator(numbers, tmp_path, outcome, kind):
    X, y = numbers
    X = np.where(X > 0.5, X * 40, -X / 3).round(1 if kind.startswith("float") else 0).astype(kind)
    if kind.startswith("float"):
        X[::7, 1] = X[::11, 3] = np.nan
    np.save(tmp_path / "rows.npy", X)
    X = np.load(tmp_path / "rows.npy", mmap_mode="r")
    y = y if outcome == "number" else np.digitize(y, [14] if outcome == "two" else [10, 18])
    name = "SporfRegressor" if outcome == "number" else "SporfClassifier"
    settings = {"n_estimators": 8, "random_state": 1, "max_features": 5, "max_depth": 9}
    settings["categorical_features"] = [1, 4]
    plain = getattr(sporf, name)(**settings).fit(X, y)
    forest = getattr(out_of_core, name)(rows_in_memory="500KB", **settings).fit(X, y)
    assert model_of(forest) == model_of(plain)
    assert np.array_equal(forest.predict(X[:50]), plain.predict(X[:50]))


def test_memory_of_categories_is_counted(numbers):
    X, y = numbers
    with pytest.raises(MemoryError, match="68 bytes for each row"):
        out_of_core.SporfRegressor(2, rows_in_memory=70_000, categorical_features=[0, 1]).fit(X, y)


def test_several_targets_are_refused_before_the_table_is_copied(numbers, tmp_path):
    X, y = numbers
    forest = out_of_core.SporfRegressor(2, directory=tmp_path / "nowhere")
    with pytest.raises(ValueError, match="with several targets: .*; train a forest for each"):
        forest.fit(X, np.column_stack([y, y]))
    with pytest.raises(MemoryError, match="60 bytes for each row"):
        out_of_core.SporfRegressor(2, rows_in_memory=70_000).fit(X, y)
    with pytest.raises(MemoryError, match="108 bytes for each row"):
        out_of_core.SporfRegressor(2, rows_in_memory=70_000).fit(X, y, np.ones(len(y)))


def test_what_cannot_be_done_is_refused(rows):
    X, y = rows
    with pytest.raises(MemoryError, match="need at least 1 MB"):
        out_of_core.SporfClassifier(2, rows_in_memory=70_000).fit(X, y)
    with pytest.raises(ValueError, match="must be a size such as '2GB', got 'much'"):
        out_of_core.SporfClassifier(2, rows_in_memory="much").fit(X, y)
    with pytest.raises(TypeError, match="two-dimensional array of numbers"):
        out_of_core.SporfClassifier(2).fit(X.astype(str), y)
    with pytest.raises(TypeError, match=r"an array of shape \(6000,\) and type float32"):
        out_of_core.SporfClassifier(2).fit(X[:, 0], y)
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        out_of_core.SporfClassifier(2).fit(X[:0], y[:0])
    with pytest.raises(ValueError, match="names place 20, but X has 20 features"):
        out_of_core.SporfClassifier(2, categorical_features=[20]).fit(X, y)
    with pytest.raises(TypeError, match="got DataFrame. Other tables are in memory"):
        out_of_core.SporfClassifier(2).fit(pd.DataFrame(X), y)
    with pytest.raises(ValueError, match="cannot be used with an own sampler"):
        out_of_core.SporfClassifier(2, projection=lambda node, rng: np.eye(20)).fit(X, y)
    with pytest.raises(ValueError, match="rotates"):
        out_of_core.SporfClassifier(2, projection="rr-rf").fit(X, y)
    forest = out_of_core.SporfClassifier(2, warm_start=True, rows_in_memory="5MB").fit(X, y)
    with pytest.raises(ValueError, match="warm_start is not possible"):
        forest.fit(X, y)


@pytest.mark.parametrize("value", [np.inf, 1e300])
@pytest.mark.filterwarnings("error")
def test_a_value_that_is_refused_is_found_in_the_whole_table(rows, value):
    X, y = rows
    X = X.astype(float)
    X[5000, 3] = value
    with pytest.raises(ValueError, match=r"X\[5000, 3\]: 'inf' is not finite"):
        out_of_core.SporfClassifier(2, rows_in_memory="600KB").fit(X, y)


def test_ctrl_c_keeps_the_first_trees(rows, monkeypatch):
    X, y = rows
    plain_crown = sporf._core.Crown

    class Crown:
        """One that is interrupted after some trees."""

        def __init__(self, *arguments):
            self.crown = plain_crown(*arguments)

        def __getattr__(self, name):
            if name == "ask" and self.crown.trees >= 4:
                raise KeyboardInterrupt
            return getattr(self.crown, name)

    monkeypatch.setattr(sporf._core, "Crown", Crown)
    forest = out_of_core.SporfClassifier(30, max_features=3, random_state=1, rows_in_memory="600KB")
    with pytest.raises(KeyboardInterrupt):
        forest.fit(X, y)
    assert 4 <= len(forest) < 30
    plain = sporf.SporfClassifier(len(forest), max_features=3, random_state=1).fit(X, y)
    assert model_of(forest) == model_of(plain)
