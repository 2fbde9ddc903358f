"""Permutation importances, strength and correlation: the same numbers as the command's, and what
estimators add."""

import json
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone

import sporf
from sporf import SporfClassifier, SporfRegressor


def test_importances_are_about_0_for_noise_only():
    X, y = sporf.simulate("sparse-parity", 1000, 6, random_state=1)
    forest = SporfClassifier(100, random_state=1).fit(X, y)
    measured = forest.permutation_importances(X, y)
    assert (measured.importances[:3] > 0.1).all()
    assert (abs(measured.importances[3:]) < 0.02).all()
    assert (measured.standard_errors > 0).all()
    assert measured.importances.shape == measured.standard_errors.shape == (6,)


def test_the_command_has_the_same_numbers(tmp_path, command, parity):
    X, y = parity
    table, model = tmp_path / "t.csv", tmp_path / "m.sporf"
    np.savetxt(table, np.column_stack([X, y]), fmt="%.9g", delimiter=",")
    forest = SporfClassifier(30, effort="high", random_state=3).fit(X, y)
    forest.save(model)
    asked = "--model", model, "--data", table, "--label", "last", "--json"
    found = json.loads(command("strength", *asked).stdout)
    measured = forest.strength(X, y)
    assert measured.strength == found["strength"]
    assert measured.correlation == found["correlation"]
    assert measured.bound == found["bound"]
    found = json.loads(
        command("importance", "--permutation", "--top", "all", "--seed", 9, *asked).stdout
    )
    measured = forest.permutation_importances(X, y, random_state=9)
    for feature in found["importances"]:
        j = feature["feature"]
        assert measured.importances[j] == feature["permutation"]
        assert measured.standard_errors[j] == feature["permutation_error"]


def test_the_command_has_the_same_numbers_of_groups_and_of_new_forests(tmp_path, command, parity):
    X, y = parity
    table, model = tmp_path / "t.csv", tmp_path / "m.sporf"
    np.savetxt(table, np.column_stack([X, y]), fmt="%.9g", delimiter=",")
    forest = SporfClassifier(10, effort="low", random_state=3).fit(X, y)
    forest.save(model)
    found = json.loads(
        command(
            *("importance", "--permutation", "--p-values", 3, "--drop-column", "--top", "all"),
            *("--group", "a=1,3", "--group", f"b={X.shape[1]}", "--seed", 9, "--json"),
            *("--model", model, "--data", table, "--label", "last"),
        ).stdout
    )
    by_group = {f["group"]: f for f in found["importances"] if "group" in f}
    groups = {"a": [2, 0], "b": [X.shape[1] - 1]}
    permuted = forest.permutation_importances(X, y, groups=groups, random_state=9)
    corrected = forest.corrected_importances(X, y, groups=groups, p_values=3, random_state=9)
    dropped = forest.drop_column_importances(X, y, groups=groups)
    for k, name in enumerate(groups):
        assert permuted.importances[k] == by_group[name]["permutation"]
        assert permuted.standard_errors[k] == by_group[name]["permutation_error"]
        assert corrected.importances[k] == by_group[name]["corrected"]
        assert corrected.p_values[k] == by_group[name]["p_value"]
        assert dropped.importances[k] == by_group[name]["drop_column"]
        assert dropped.standard_errors[k] == by_group[name]["drop_column_error"]


def test_noise_with_many_levels_is_found_out():
    random = np.random.default_rng(1)
    X = np.column_stack([random.normal(size=300), random.integers(0, 2, 300)])
    X = np.column_stack([X, random.normal(size=300)])
    y = X[:, 0] + random.normal(size=300) > 0
    forest = SporfClassifier(20, effort="low", random_state=1).fit(X, y)
    measured = forest.corrected_importances(X, y, p_values=19)
    assert measured.p_values[0] == 0.05 and (measured.p_values[1:] > 0.05).all()
    assert (abs(measured.importances[1:]) < 0.05).all() and measured.importances[0] > 0.1
    assert forest.feature_importances_[2] > 0.1
    assert forest.corrected_importances(X, y).p_values is None
    none = forest.drop_column_importances(X, y, time_limit=1e-9)
    assert np.isnan(none.importances).all() and np.isnan(none.standard_errors).all()


def test_groups_that_are_wrong_are_refused(customers):
    X, y = customers
    forest = SporfClassifier(5, random_state=1).fit(X, y)
    name = X.columns[0]
    with pytest.raises(ValueError, match=f"did you mean {name!r}"):
        forest.permutation_importances(X, y, groups={"a": [name + "x"]})
    with pytest.raises(TypeError, match="dict"):
        forest.corrected_importances(X, y, groups=[[0]])
    with pytest.raises(ValueError, match="one feature at least"):
        forest.drop_column_importances(X, y, groups={"a": []})
    with pytest.raises(ValueError, match="numbered from 0"):
        forest.drop_column_importances(X, y, groups={"a": [99]})
    with pytest.raises(ValueError, match="twice"):
        forest.drop_column_importances(X, y, groups={"a": [0, 0]})
    with pytest.raises(ValueError, match="time"):
        forest.drop_column_importances(X, y, time_limit=-1)


def test_frames_weights_and_threads(customers):
    X, y = customers
    weights = np.arange(len(X)) % 3
    one = SporfClassifier(20, random_state=1, class_weight="balanced").fit(X, y, weights)
    before = dict(one.__dict__)
    many = clone(one).set_params(n_jobs=3).fit(X, y, weights)
    a, b = (f.permutation_importances(X, y, weights) for f in (one, many))
    np.testing.assert_array_equal(a.importances, b.importances)
    assert a.importances.shape == (4,)
    assert one.strength(X, y, weights) == many.strength(X, y, weights)
    assert one.__dict__.keys() == before.keys()


def test_numbers(friedman):
    X, y = friedman
    forest = SporfRegressor(50, random_state=1).fit(X, y)
    measured = forest.permutation_importances(X, y)
    assert set(measured.importances.argsort()[-4:]) == {0, 1, 3, 4}
    assert not hasattr(forest, "strength")


def test_other_data_are_refused(parity):
    X, y = parity
    forest = SporfClassifier(10, random_state=1).fit(X, y)
    for rows in (X[::-1], X[:200]):
        with pytest.raises(ValueError, match="not those that the forest was trained on"):
            forest.strength(rows, y[: len(rows)])
    with pytest.raises(ValueError, match="without bags"):
        SporfClassifier(5, bootstrap=False).fit(X, y).permutation_importances(X, y)


def test_where_every_tree_is_right_there_is_no_correlation():
    X = np.arange(40.0)[:, None] + 100 * (np.arange(40) % 2)[:, None]
    measured = SporfClassifier(20, random_state=1).fit(X, np.arange(40) % 2)
    measured = measured.strength(X, np.arange(40) % 2)
    assert measured.strength == 1
    assert np.isnan(measured.correlation)
    assert measured.bound == 0


LONG = """
import os, signal, threading, time
from sporf import SporfClassifier, simulate
X, y = simulate("sparse-parity", 20000, random_state=1)
forest = SporfClassifier(60, random_state=1, n_jobs=2).fit(X, y)
pressed = []
def press():
    time.sleep(0.2)
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
try:
    while True:
        forest.permutation_importances(X, y)
except KeyboardInterrupt:
    print("stopped", time.monotonic() - pressed[0] < 1)
"""


def test_ctrl_c_stops_within_a_second():
    answer = subprocess.run(
        [sys.executable, "-c", LONG], capture_output=True, text=True, timeout=120
    )
    assert answer.stdout == "stopped True\n", answer.stderr
