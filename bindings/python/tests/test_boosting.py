"""Boosted models: parameters, early stopping, stages, losses of the user's, callbacks."""

import pickle
import re

import numpy as np
import pytest
from conftest import model_of
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import parametrize_with_checks

import sporf
from sporf import (
    BoostingRound,
    Patches,
    SporfBoostingClassifier,
    SporfBoostingRegressor,
    SporfClassifier,
    simulate,
)

FAST = {"max_iter": 20, "learning_rate": 0.3, "bags": 1}


# ---- scikit-learn ----------------------------------------------------------------------------


# Leaves are in single precision, and among equal gains the last bits decide: scikit-learn expects
# its own boosted models to fail this check, too. A law below has it with a tolerance.
ROUNDED = {
    "check_sample_weight_equivalence_on_dense_data": "leaves are rounded",
    "check_sample_weight_equivalence_on_sparse_data": "leaves are rounded",
}


@parametrize_with_checks(
    [
        SporfBoostingClassifier(**FAST),
        SporfBoostingClassifier(**FAST, early_stopping=False),
        SporfBoostingRegressor(**FAST),
        SporfBoostingRegressor(**FAST, early_stopping=False),
    ],
    expected_failed_checks=lambda estimator: ROUNDED,
)
def test_conventions_of_scikit_learn_hold(estimator, check):
    check(estimator)


def test_weights_are_repeated_rows_if_they_are_counts(friedman):
    X, y = friedman
    weights = np.random.default_rng(0).integers(0, 5, len(y))
    model = SporfBoostingRegressor(
        early_stopping=False,
        max_iter=20,
        min_samples_leaf=1,
        projection="rf",
        weight_is="count",
        random_state=1,
    )
    weighted = clone(model).fit(X, y, weights).predict(X)
    repeated = clone(model).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).predict(X)
    np.testing.assert_allclose(weighted, repeated, rtol=1e-6)


def test_works_in_a_grid_search_with_several_processes(parity):
    grid = {"learning_rate": [0.1, 0.3], "l2_regularization": [0, 1]}
    search = GridSearchCV(SporfBoostingClassifier(**FAST), grid, cv=3, n_jobs=2).fit(*parity)
    assert set(search.best_params_) == set(grid)


def test_a_clone_has_the_parameters_and_no_model(parity):
    model = SporfBoostingClassifier(**FAST, callbacks=[print], projection=Patches(5))
    again = clone(model)
    assert str(again.get_params()) == str(model.get_params())
    with pytest.raises(NotFittedError):
        _ = again.n_iter_


# ---- the same model as the command's ---------------------------------------------------------

CLASSIFIERS = [
    ({}, []),
    ({"projection": "rf", "max_features": "sqrt"}, ["--method", "rf", "--projections", "sqrt"]),
    ({"learning_rate": 0.2, "max_iter": 7}, ["--rate", "0.2", "--rounds", "7"]),
    ({"max_leaf_nodes": 6, "min_samples_leaf": 9}, ["--max-leaves", "6", "--min-leaf", "9"]),
    ({"max_depth": 2, "l2_regularization": 3}, ["--max-depth", "2", "--l2", "3"]),
    ({"early_stopping": False, "subsample": 0.5}, ["--valid", "0", "--subsample", "0.5"]),
    ({"validation_fraction": 0.3, "bags": 2}, ["--valid", "0.3", "--bags", "2"]),
    ({"n_iter_no_change": 1}, ["--patience", "1"]),
    ({"class_weight": {1: 2.5}, "scale": "none"}, ["--class-weights", "1=2.5", "--scale", "none"]),
    (
        {"feature_combinations": 2, "nonzeros": "poisson"},
        ["--density", "2/p", "--nonzeros", "poisson"],
    ),
]


@pytest.mark.parametrize("parameters, options", CLASSIFIERS)
def test_classifiers_are_the_commands(command, tmp_path, parity, parameters, options):
    X, y = parity
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    parameters = {"max_iter": 15, **parameters}
    command(
        "boost", "--data", tmp_path / "X.npy", "--label-file", tmp_path / "y.npy",
        "--model", tmp_path / "model", "--seed", "3",
        *([] if "--rounds" in options else ["--rounds", "15"]), *options,
    )  # fmt: skip
    model = SporfBoostingClassifier(**parameters, random_state=3, n_jobs=2).fit(X, y)
    assert model_of(model) == (tmp_path / "model").read_bytes()
    again = SporfBoostingClassifier(**sporf.load(tmp_path / "model").get_params()).fit(X, y)
    assert model_of(again) == model_of(model)


def test_defaults_are_the_commands(command, tmp_path, customers):
    frame, left = customers
    frame.assign(left=left).to_csv(tmp_path / "customers.csv", index=False)
    command(
        "boost", "--data", tmp_path / "customers.csv", "--label", "left",
        "--model", tmp_path / "model", "--seed", "3",
    )  # fmt: skip
    model = SporfBoostingClassifier(random_state=3).fit(frame, left)
    assert model_of(model) == (tmp_path / "model").read_bytes()


@pytest.fixture
def numbers(friedman):
    import pandas as pd

    X, y = friedman
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    return frame, pd.Series(np.abs(y).astype(np.float32), name="y")


REGRESSORS = [
    ({"loss": "squared_error"}, ["--loss", "squared"]),
    ({"loss": "absolute_error"}, ["--loss", "absolute"]),
    ({"loss": "quantile", "quantile": 0.9}, ["--loss", "quantile", "--quantile", "0.9"]),
    ({"loss": "poisson"}, ["--loss", "poisson"]),
    ({"monotonic_cst": {"x3": 1, "x7": -1}}, ["--monotone", "x3=+,x7=-"]),
    ({"monotonic_cst": [0, 0, 0, 1, 0, 0, 0, -1, 0, 0]}, ["--monotone", "x3=+,x7=-"]),
]


@pytest.mark.parametrize("parameters, options", REGRESSORS)
def test_regressors_are_the_commands(command, tmp_path, numbers, parameters, options):
    frame, y = numbers
    frame.assign(y=y).to_csv(tmp_path / "data.csv", index=False)
    command(
        "boost", "--data", tmp_path / "data.csv", "--target", "y", "--model", tmp_path / "model",
        "--rounds", "15", "--seed", "3", *options,
    )  # fmt: skip
    model = SporfBoostingRegressor(**parameters, max_iter=15, random_state=3).fit(frame, y)
    assert model_of(model) == (tmp_path / "model").read_bytes()
    again = SporfBoostingRegressor(**sporf.load(tmp_path / "model").get_params()).fit(frame, y)
    assert model_of(again) == model_of(model)


def test_rows_to_stop_by_are_those_of_a_file(command, tmp_path, numbers):
    frame, y = numbers
    table = frame.assign(y=y)
    table[:200].to_csv(tmp_path / "data.csv", index=False)
    table[200:].to_csv(tmp_path / "valid.csv", index=False)
    command(
        "boost", "--data", tmp_path / "data.csv", "--target", "y", "--model", tmp_path / "model",
        "--rounds", "30", "--seed", "3", "--valid", tmp_path / "valid.csv",
    )  # fmt: skip
    model = SporfBoostingRegressor(max_iter=30, random_state=3)
    model.fit(frame[:200], y[:200], X_val=frame[200:], y_val=y[200:])
    assert model_of(model) == (tmp_path / "model").read_bytes()


# ---- early stopping --------------------------------------------------------------------------


def test_the_best_round_is_kept(parity):
    X, y = parity
    model = SporfBoostingClassifier(
        learning_rate=0.5, n_iter_no_change=5, bags=3, random_state=1
    ).fit(X, y)
    losses = model.validation_score_
    assert model.n_iter_ == losses.argmin() + 1 == len(losses) - 5
    assert len(model.train_score_) == len(losses)
    assert model.train_score_[-1] < model.train_score_[0]
    assert model.n_trees_per_iteration_ == 3
    assert model.n_trees_ == model.n_iter_ * 3


def test_without_early_stopping_all_rounds_are_kept(parity):
    model = SporfBoostingClassifier(**FAST, early_stopping=False).fit(*parity)
    assert model.n_iter_ == 20 == len(model.train_score_)
    assert model.validation_score_.shape == (0,)


def test_losses_are_those_of_the_rows_to_stop_by(parity, friedman):
    X, y = parity
    weights = np.arange(100) % 3 + 1.0
    model = SporfBoostingClassifier(**FAST, random_state=1)
    model.fit(X[:200], y[:200], None, X[200:], y[200:], weights)
    right = model.predict_proba(X[200:])[np.arange(100), y[200:]]
    loss = -np.average(np.log(right), weights=weights)
    assert model.validation_score_[model.n_iter_ - 1] == pytest.approx(loss)
    X, y = friedman
    model = SporfBoostingRegressor(**FAST, early_stopping=False).fit(X, y)
    assert model.train_score_[-1] == pytest.approx(np.mean((model.predict(X) - y) ** 2) / 2)


def test_rows_to_stop_by_may_have_categories_and_names(customers):
    frame, left = customers
    model = SporfBoostingClassifier(**FAST, random_state=1)
    model.fit(frame[:200], left[:200], X_val=frame[200:], y_val=left[200:])
    right = (left[200:] == "yes").to_numpy().astype(int)
    chances = model.predict_proba(frame[200:])[np.arange(100), right]
    loss = -np.mean(np.log(chances))
    assert model.validation_score_[model.n_iter_ - 1] == pytest.approx(loss)
    with pytest.raises(ValueError, match="feature names should match"):
        model.fit(frame, left, X_val=frame[["income", "age", "plan", "town"]], y_val=left)


def test_rows_to_stop_by_may_be_arrow_tables(customers):
    polars = pytest.importorskip("polars")
    frame, left = customers
    table = polars.from_pandas(frame)
    model = SporfBoostingClassifier(**FAST, random_state=1)
    model.fit(table[:200], left[:200], X_val=table[200:], y_val=left[200:])
    other = clone(model).fit(frame[:200], left[:200], X_val=frame[200:], y_val=left[200:])
    np.testing.assert_array_equal(model.validation_score_, other.validation_score_)


def test_rows_to_stop_by_are_refused_in_python_s_words(parity):
    X, y = parity
    model = SporfBoostingClassifier(**FAST)
    with pytest.raises(ValueError, match="both X_val and y_val"):
        model.fit(X, y, X_val=X)
    with pytest.raises(ValueError, match="y_val has the class 7, which is not in y"):
        model.fit(X, y, X_val=X, y_val=np.full(300, 7))
    with pytest.raises(ValueError, match="20 features"):
        model.fit(X, y, X_val=X[:, :3], y_val=y)
    with pytest.raises(ValueError, match="early_stopping=False"):
        model.set_params(early_stopping=False).fit(X, y, X_val=X, y_val=y)
    assert not model.__sklearn_is_fitted__()


def test_too_few_rows_to_hold_some_out_are_told(friedman):
    X, y = friedman
    with pytest.raises(ValueError, match="5 rows are too few .*early_stopping=False"):
        SporfBoostingRegressor().fit(X[:5], y[:5])
    SporfBoostingRegressor(early_stopping=False, max_iter=3).fit(X[:5], y[:5])


# ---- predictions -----------------------------------------------------------------------------


@pytest.fixture(params=["two", "reversed", "three", "reversed three"])
def labelled(request):
    """Rows and classes, in an order that is the library's or another: strings of numbers are
    sorted as numbers there."""
    names = {
        "two": ["a", "b"],
        "reversed": ["9", "10"],
        "three": ["a", "b", "c"],
        "reversed three": ["9", "10", "11"],
    }[request.param]
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    place = np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5] if len(names) == 3 else [0])
    return X, np.array(names)[place]


def test_scores_and_probabilities_follow_the_classes(labelled):
    X, y = labelled
    model = SporfBoostingClassifier(**FAST, random_state=1).fit(X, y)
    chances, scores = model.predict_proba(X), model.decision_function(X)
    assert model.classes_.tolist() == sorted(set(y))
    assert np.mean(model.classes_[chances.argmax(axis=1)] == y) > 0.9
    np.testing.assert_array_equal(model.predict(X), model.classes_[chances.argmax(axis=1)])
    if len(model.classes_) == 2:
        np.testing.assert_allclose(chances[:, 1], 1 / (1 + np.exp(-scores)))
    else:
        powers = np.exp(scores)
        np.testing.assert_allclose(chances, powers / powers.sum(axis=1, keepdims=True))
        assert model.n_trees_per_iteration_ == 3


def test_the_last_stage_is_what_is_predicted(labelled):
    X, y = labelled
    model = SporfBoostingClassifier(**{**FAST, "bags": 3}, random_state=1).fit(X, y)
    for staged, whole in (
        (model.staged_predict, model.predict),
        (model.staged_predict_proba, model.predict_proba),
        (model.staged_decision_function, model.decision_function),
    ):
        stages = list(staged(X))
        assert len(stages) == model.n_iter_
        np.testing.assert_array_equal(stages[-1], whole(X))
    *_, scores = model._staged_scores(X)
    np.testing.assert_array_equal(model._in_order(scores), model.decision_function(X))


def test_a_stage_is_the_model_of_fewer_rounds(labelled, friedman):
    X, y = labelled
    whole = SporfBoostingClassifier(**FAST, early_stopping=False, random_state=1).fit(X, y)
    part = clone(whole).set_params(max_iter=7).fit(X, y)
    *_, seventh = (stage for stage, _ in zip(whole.staged_predict_proba(X), range(7), strict=False))
    np.testing.assert_allclose(seventh, part.predict_proba(X), rtol=1e-13)
    *_, seventh = (stage for stage, _ in zip(whole.staged_predict(X), range(7), strict=False))
    np.testing.assert_array_equal(seventh, part.predict(X))
    X, y = friedman
    for loss in ("squared_error", "poisson"):
        parameters = {**FAST, "early_stopping": False, "loss": loss, "random_state": 1}
        whole = SporfBoostingRegressor(**parameters).fit(X, np.abs(y))
        part = clone(whole).set_params(max_iter=7).fit(X, np.abs(y))
        stages = list(whole.staged_predict(X))
        np.testing.assert_allclose(stages[6], part.predict(X), rtol=1e-13)
        np.testing.assert_array_equal(stages[-1], whole.predict(X))


def test_several_targets_are_predicted_together(friedman):
    X, y = friedman
    both = np.column_stack([y, -2 * y])
    model = SporfBoostingRegressor(**FAST, random_state=1).fit(X, both)
    assert model.predict(X).shape == (300, 2)
    assert model.n_trees_per_iteration_ == 2
    assert model.score(X, both) > 0.8
    *_, last = model.staged_predict(X)
    np.testing.assert_array_equal(last, model.predict(X))


def test_quantiles_are_where_they_should_be(friedman):
    X, y = friedman
    below = []
    for quantile in (0.1, 0.9):
        model = SporfBoostingRegressor("quantile", quantile=quantile, max_iter=40, random_state=1)
        below.append(np.mean(y < model.fit(X, y).predict(X)))
    assert below[0] < 0.35 < 0.65 < below[1]


def test_monotone_features_are_followed(friedman):
    X, y = friedman
    model = SporfBoostingRegressor(**FAST, monotonic_cst=[0, 0, 0, 1] + [0] * 6).fit(X, y)
    line = np.repeat(X[:1], 50, axis=0)
    line[:, 3] = np.linspace(0, 1, 50)
    assert np.all(np.diff(model.predict(line)) >= 0)


def test_missing_values_and_unknown_levels_are_taken(customers):
    frame, left = customers
    model = SporfBoostingClassifier(**FAST, random_state=1).fit(frame, left)
    assert model.score(frame, left) > 0.9
    other = frame.astype({"plan": object})
    other.loc[0, "plan"] = "new"
    with pytest.warns(UserWarning, match="unknown categories in column 'plan'"):
        model.predict(other)
    assert model.feature_names_in_.tolist() == list(frame)
    assert model.feature_importances_.sum() == pytest.approx(1)


def test_a_sampler_in_python_is_called_in_each_round(friedman):
    rounds = []

    def differences(node, rng):
        rounds.append((node.tree, len(node.rows)))
        return [((j, j + 1), (1, -1)) for j in rng.choice(9, size=20)]

    model = SporfBoostingRegressor(**FAST, projection=differences, random_state=1).fit(*friedman)
    assert rounds == [(i, 0) for i in range(len(model.train_score_))]
    pairs = [p.features for p in model.projection_importances_ if len(p.features) > 1]
    assert pairs
    assert all(b == a + 1 for a, b in pairs)


def test_leaves_are_told(parity):
    X, y = parity
    model = SporfBoostingClassifier(**FAST).fit(X, y)
    assert model.apply(X).shape == (300, model.n_trees_)


def test_a_tree_of_a_boosted_model_is_drawn(parity):
    pytest.importorskip("matplotlib")
    model = SporfBoostingClassifier(**FAST, random_state=1).fit(*parity)
    texts = [text.get_text() for text in sporf.plot_tree(model, 0, max_depth=None).texts]
    assert any(re.match(r"[+-]\d.*\nhessian \d", text) for text in texts)


# ---- files, threads, warm start --------------------------------------------------------------


def test_models_survive_pickle_and_files(tmp_path, parity, friedman):
    for kind, (X, y) in (
        (SporfBoostingClassifier, parity),
        (SporfBoostingRegressor, friedman),
    ):
        model = kind(**FAST, random_state=1).fit(X, y)
        model.save(tmp_path / "model")
        for again in (
            pickle.loads(pickle.dumps(model)),
            sporf.load(tmp_path / "model"),
            kind.load(tmp_path / "model"),
        ):
            assert type(again) is kind
            np.testing.assert_array_equal(again.predict(X), model.predict(X))
            np.testing.assert_array_equal(again.train_score_, model.train_score_)
            assert again.n_iter_ == model.n_iter_
        with pytest.raises(ValueError, match=f"is a {kind.__name__}, not a SporfClassifier"):
            SporfClassifier.load(tmp_path / "model")


def test_threads_do_not_change_the_model(parity):
    one, two = (SporfBoostingClassifier(**FAST, random_state=1, n_jobs=n) for n in (1, 2))
    assert model_of(one.fit(*parity)) == model_of(two.fit(*parity))


def test_warm_start_goes_on_where_it_stopped(friedman):
    whole = SporfBoostingRegressor(**FAST, random_state=1).fit(*friedman)
    part = clone(whole).set_params(warm_start=True, max_iter=4).fit(*friedman)
    assert part.n_iter_ == 4 < whole.n_iter_
    part.set_params(max_iter=20).fit(*friedman)
    assert model_of(part) == model_of(whole)
    with pytest.raises(ValueError, match="max_iter=2 must be larger or equal"):
        part.set_params(max_iter=2).fit(*friedman)


def test_progress_counts_rounds(parity, capfd, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    SporfBoostingClassifier(**FAST, early_stopping=False, verbose=1).fit(*parity)
    out, err = capfd.readouterr()
    assert out == ""
    assert "20 of 20 rounds" in err


def test_ctrl_c_keeps_the_rounds_so_far():
    import subprocess
    import sys

    program = """
import os, signal, threading, time
from sporf import SporfBoostingClassifier, simulate
X, y = simulate("sparse-parity", 20000, random_state=1)
pressed = []
def press():
    time.sleep(1.0)
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
model = SporfBoostingClassifier(max_iter=100000, early_stopping=False)
try:
    model.fit(X, y)
except KeyboardInterrupt:
    print(time.monotonic() - pressed[0] < 1, 0 < model.n_iter_ < 100000)
"""
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert answer.stdout.split() == ["True", "True"], answer.stderr


# ---- callbacks -------------------------------------------------------------------------------


def test_callbacks_see_every_round(parity):
    seen = []
    model = SporfBoostingClassifier(**FAST, callbacks=[seen.append], random_state=1).fit(*parity)
    assert all(isinstance(at, BoostingRound) for at in seen)
    assert [at.round for at in seen] == list(range(1, len(seen) + 1))
    np.testing.assert_array_equal([at.train_loss for at in seen], model.train_score_)
    np.testing.assert_array_equal([at.valid_loss for at in seen], model.validation_score_)
    assert seen[-1].best_round == model.n_iter_


def test_a_callback_stops_the_training(parity):
    seen = []
    stops = [lambda at: at.round == 3, seen.append]
    model = SporfBoostingClassifier(**FAST, early_stopping=False, callbacks=stops, random_state=1)
    model.fit(*parity)
    assert model.n_iter_ == 3 == len(seen)
    assert np.isnan(seen[0].valid_loss)
    short = SporfBoostingClassifier(**{**FAST, "max_iter": 3}, early_stopping=False, random_state=1)
    np.testing.assert_array_equal(
        model.decision_function(parity[0]), short.fit(*parity).decision_function(parity[0])
    )


def test_what_a_callback_raises_is_raised_by_fit(parity):
    def fail(at):
        raise LookupError(f"round {at.round}")

    model = SporfBoostingClassifier(**FAST, callbacks=[fail])
    with pytest.raises(LookupError, match="round 1"):
        model.fit(*parity)
    assert not model.__sklearn_is_fitted__()
    with pytest.raises(TypeError, match="callbacks must be functions, got 7"):
        model.set_params(callbacks=[7]).fit(*parity)


# ---- losses of the user's --------------------------------------------------------------------


class Squared:
    name = "half the square"

    def base(self, y_true, sample_weight):
        return np.cumsum(y_true, axis=0)[-1] / len(y_true)  # adds up in the order of rows

    def gradient_hessian(self, y_true, raw):
        return raw - y_true, 1

    def loss(self, y_true, raw):
        squares = (raw - y_true) ** 2 / 2
        return squares if squares.ndim == 1 else squares.sum(axis=1)


def trees_of(model):
    """All nodes, and the losses: what a model is without its settings."""
    forest = model._forest
    nodes = []
    for tree in range(forest.trees):
        end = 1
        node = 0
        while node < end:
            nodes.append(repr(forest.node(tree, node)))
            if len(forest.node(tree, node)) > 4:
                end += 2
            node += 1
    return nodes, forest.boosting()


@pytest.mark.parametrize("targets", [1, 2])
def test_a_squared_loss_in_python_gives_the_trees_of_the_library(friedman, targets):
    X, y = friedman
    y = y if targets == 1 else np.column_stack([y, y**2])
    weights = None if targets == 1 else np.ones(300)
    parameters = {"max_iter": 15, "random_state": 1, "n_jobs": 2}
    own = SporfBoostingRegressor(Squared(), **parameters).fit(X, y, weights)
    known = SporfBoostingRegressor("squared_error", **parameters).fit(X, y)
    assert trees_of(own) == trees_of(known)
    assert own.settings_.pop("user-loss") == "half the square"
    np.testing.assert_array_equal(own.predict(X), known.predict(X))


class LogLoss:
    """Of two classes, or of more."""

    @staticmethod
    def _shares(raw):
        if raw.ndim == 1:
            return 1 / (1 + np.exp(-raw))
        powers = np.exp(raw - raw.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def base(self, y_true, sample_weight):
        counts = np.log(np.bincount(y_true))
        return counts[1] - counts[0] if len(counts) == 2 else counts

    def gradient_hessian(self, y_true, raw):
        p = self._shares(raw)
        if raw.ndim == 1:
            return p - y_true, p * (1 - p)
        k = raw.shape[1]
        return p - np.eye(k)[y_true], k / (k - 1) * p * (1 - p)

    def loss(self, y_true, raw):
        if raw.ndim == 1:
            return np.logaddexp(0, raw) - y_true * raw
        return -np.log(self._shares(raw)[np.arange(len(raw)), y_true])


def test_a_log_loss_in_python_is_that_of_the_library(labelled):
    X, y = labelled
    own = SporfBoostingClassifier(LogLoss(), **FAST, random_state=1).fit(X, y)
    known = SporfBoostingClassifier(**FAST, random_state=1).fit(X, y)
    np.testing.assert_allclose(own.predict_proba(X), known.predict_proba(X), atol=1e-3)
    np.testing.assert_allclose(own.train_score_, known.train_score_, rtol=1e-3)
    assert own.settings_["user-loss"] == "LogLoss"


def test_derivatives_that_are_not_finite_are_refused(friedman):
    class Infinite(Squared):
        def gradient_hessian(self, y_true, raw):
            return np.where(y_true > y_true.mean(), np.inf, 0.0), 1

    class Negative(Squared):
        def gradient_hessian(self, y_true, raw):
            return raw - y_true, -1

    with pytest.raises(ValueError, match="'half the square' gave row .* gradient inf"):
        SporfBoostingRegressor(Infinite()).fit(*friedman)
    with pytest.raises(ValueError, match="hessian -1"):
        SporfBoostingRegressor(Negative()).fit(*friedman)


def test_what_a_loss_raises_is_raised_by_fit(friedman):
    class Failing(Squared):
        def loss(self, y_true, raw):
            raise LookupError("no loss today")

    class Short(Squared):
        def gradient_hessian(self, y_true, raw):
            return raw[1:], 1

    model = SporfBoostingRegressor(Failing())
    with pytest.raises(LookupError, match="no loss today"):
        model.fit(*friedman)
    assert not model.__sklearn_is_fitted__()
    with pytest.raises(ValueError, match=r"gradients of shape \(299,\), not \(300,\)"):
        SporfBoostingRegressor(Short()).fit(*friedman)
    with pytest.raises(TypeError, match="has no gradient_hessian"):
        SporfBoostingRegressor(object()).fit(*friedman)


def test_a_model_of_a_user_s_loss_is_loaded_and_not_trained_again(tmp_path, friedman):
    X, y = friedman
    model = SporfBoostingRegressor(Squared(), **FAST).fit(X, y)
    model.save(tmp_path / "model")
    again = sporf.load(tmp_path / "model")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="got '<loss half the square>'"):
        again.fit(X, y)


# ---- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"learning_rate": 2}, "learning_rate must be a number above 0, up to 1"),
        ({"learning_rate": "fast"}, "learning_rate must be a number, got 'fast'"),
        ({"max_iter": 0}, "max_iter must be an integer from 1, got 0"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes must be an integer from 2, got 1"),
        ({"early_stopping": "auto"}, "early_stopping must be True or False"),
        ({"validation_fraction": 0}, "validation_fraction must be a share above 0"),
        ({"n_iter_no_change": 0}, "n_iter_no_change must be an integer from 1"),
        ({"l2_regularization": -1}, "l2_regularization must be a number from 0"),
        ({"subsample": 0}, "subsample must be a number above 0"),
        ({"bags": 2, "early_stopping": False}, r"bags is 2, .* \(validation_fraction\)"),
        ({"loss": "log_loss"}, "loss must be one of 'squared_error'"),
        ({"loss": "poisson"}, "loss='poisson' needs targets that are not negative"),
        ({"quantile": 1.0}, "quantile must be a number above 0, below 1"),
        ({"monotonic_cst": [1]}, r"monotonic_cst has shape \(1,\), but X has 10 features"),
        ({"monotonic_cst": {"age": 1}}, "monotonic_cst names 'age', which X does not have"),
        ({"monotonic_cst": [2] * 10}, "monotonic_cst must be 1, -1 or 0"),
        ({"projection": "ccf"}, "ccf is for classification.* projection='sporf'"),
    ],
)
def test_parameters_are_refused_in_the_words_of_python(friedman, parameters, message):
    X, y = friedman
    with pytest.raises(ValueError, match=message):
        SporfBoostingRegressor(**parameters).fit(X, y - y.mean())


def test_monotone_classes_are_two():
    X, _ = simulate("trunk", 60, 3, random_state=1)
    with pytest.raises(ValueError, match="monotonic_cst is for regression and two classes"):
        SporfBoostingClassifier(monotonic_cst=[1, 0, 0]).fit(X, np.arange(60) % 3)
