"""tune: the settings it finds are those of the command, and its forest the one that fit grows."""

import json
import math
import os
import subprocess

import numpy as np
import pytest
from sklearn.base import clone

from sporf import Patches, SporfClassifier, SporfRegressor, simulate, tune

PARITY = simulate("sparse-parity", 300, 8, random_state=1)


def model_of(forest):
    return forest._forest.to_bytes()


@pytest.mark.parametrize("projection", ["sporf", "rf", "frc", "ccf"])
@pytest.mark.parametrize("search", ["race", "all"])
def test_fitting_again_gives_the_same_forest(projection, search):
    X, y = PARITY
    forest = SporfClassifier(64, projection=projection, random_state=3)
    tuned = tune(forest, X, y, search=search)
    assert forest.max_features is None
    assert not hasattr(forest, "_forest")
    assert model_of(tuned) == model_of(clone(tuned).fit(X, y))
    assert sum(setting.best for setting in tuned.tuning_) == 1


def test_numbers_are_tuned_too():
    X, y = simulate("friedman1", 200, 6, random_state=1)
    tuned = tune(SporfRegressor(40, random_state=3), X, y, search="all")
    assert model_of(tuned) == model_of(clone(tuned).fit(X, y))
    best = min(tuned.tuning_, key=lambda setting: setting.error)
    assert best.best
    assert math.isnan(best.auc)


def test_values_to_try_and_other_labels():
    X, y = PARITY
    words = np.where(y == np.unique(y)[0], "odd", "even")
    tuned = tune(
        SporfClassifier(32, oob_score=True, random_state=1),
        X,
        words,
        max_features=["p", 2.0, 8],
        feature_combinations=[1, 2],
        search="all",
    )
    tried = [(s.n_candidates, s.feature_combinations) for s in tuned.tuning_]
    assert tried == [(8, 1), (8, 2), (16, 1), (16, 2)]
    assert tuned.oob_score_ == 1 - min(s.error for s in tuned.tuning_)
    assert set(tuned.predict(X)) == {"odd", "even"}
    tuned = tune(SporfClassifier(32), X, y, max_features="2p", feature_combinations=2)
    assert [(s.n_candidates, s.feature_combinations) for s in tuned.tuning_] == [(16, 2)]


def test_the_command_finds_the_same(tmp_path):
    X, y = PARITY
    table = np.column_stack([X, y])
    np.savetxt(tmp_path / "data.csv", table, delimiter=",", fmt="%.9g")
    command = [os.environ["SPORF"], "tune", "--data", tmp_path / "data.csv", "--label", "last"]
    command += ["--header", "no", "--trees", "64", "--seed", "3", "--json"]
    command += ["--model", tmp_path / "m.sporf"]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    tuned = tune(SporfClassifier(64, random_state=3), X.astype(np.float32), y)
    assert [s.error for s in tuned.tuning_] == [s["error"] for s in said["tried"]]
    assert [s.auc for s in tuned.tuning_] == [s["auc"] for s in said["tried"]]
    assert tuned.tuning_[said["best"]].best


def test_mistakes_are_refused():
    X, y = PARITY
    with pytest.raises(TypeError, match="SporfClassifier"):
        tune("forest", X, y)
    with pytest.raises(ValueError, match="search"):
        tune(SporfClassifier(), X, y, search="some")
    with pytest.raises(ValueError, match="max_features"):
        tune(SporfClassifier(), X, y, max_features=["many"])
    for none in ([], [None], ["p", None]):
        with pytest.raises(ValueError, match="max_features must name values to try"):
            tune(SporfClassifier(), X, y, max_features=none)
    with pytest.raises(ValueError, match="feature_combinations must name values to try"):
        tune(SporfClassifier(), X, y, feature_combinations=())
    for projection in ("rf", "ccf", "rr-rf", Patches()):
        with pytest.raises(ValueError, match="feature_combinations has no meaning for"):
            tune(SporfClassifier(projection=projection), X, y, feature_combinations=2)
    with pytest.raises(ValueError, match="feature_combinations must be at most .* 8, got 9"):
        tune(SporfClassifier(), X, y, feature_combinations=[2, 9])
    with pytest.raises(ValueError, match="functions have no settings"):
        tune(SporfClassifier(projection=lambda node, rng: []), X, y)
    with pytest.raises(ValueError, match="folds"):
        tune(SporfClassifier(projection="ccf"), X, y, folds=1)
