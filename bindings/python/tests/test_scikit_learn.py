"""The conventions of scikit-learn, and its tools."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from sporf import SporfClassifier, SporfRegressor

# Bags, and the bootstrap that ccf takes in each node, draw rows by their place, and this check
# shuffles them: scikit-learn expects its own random forests to fail it. Without them weights are
# repeated rows to the last bit, as long as min_samples_split and min_samples_leaf, which count
# rows, are 2 and 1, or weights are counts.
SHUFFLED = {
    "check_sample_weight_equivalence_on_dense_data": "rows are drawn by their place",
    "check_sample_weight_equivalence_on_sparse_data": "rows are drawn by their place",
}


def expected_failures(estimator):
    return {} if estimator.bootstrap is False else SHUFFLED


@parametrize_with_checks(
    [
        SporfClassifier(),
        SporfClassifier(bootstrap=False),
        SporfClassifier(weight_is="count"),
        SporfClassifier(projection="rf", max_features="sqrt"),
        SporfClassifier(projection="frc"),
        SporfClassifier(projection="rr-rf"),
        SporfClassifier(projection="ccf"),
        SporfRegressor(),
        SporfRegressor(bootstrap=False, min_samples_split=2),
        SporfRegressor(bootstrap=False, weight_is="count"),
    ],
    expected_failed_checks=expected_failures,
)
def test_conventions_of_scikit_learn_hold(estimator, check):
    check(estimator)


def test_works_in_a_pipeline_that_passes_frames_on(customers):
    frame, _ = customers
    X, y = frame[["age", "income"]].fillna(0), frame.age > 40
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), SporfClassifier(10))
    assert pipeline.fit(X, y).score(X, y) > 0.9
    assert list(pipeline[-1].feature_names_in_) == ["age", "income"]


def test_works_in_a_grid_search_with_several_processes(parity):
    X, y = parity
    grid = {"max_features": ["sqrt", None, "2p"], "feature_combinations": [1, 2.5]}
    search = GridSearchCV(SporfClassifier(10, random_state=0), grid, cv=3, n_jobs=2).fit(X, y)
    assert set(search.best_params_) == set(grid)


def test_cross_validation_gives_the_same_in_one_and_in_several_processes(parity):
    X, y = parity
    forest = SporfClassifier(10, random_state=0)
    alone = cross_val_score(forest, X, y, cv=3)
    np.testing.assert_array_equal(alone, cross_val_score(forest, X, y, cv=3, n_jobs=2))


def test_probabilities_can_be_calibrated(parity):
    X, y = parity
    calibrated = CalibratedClassifierCV(SporfClassifier(10, random_state=0), cv=3).fit(X, y)
    np.testing.assert_allclose(calibrated.predict_proba(X).sum(axis=1), 1)


def test_a_clone_has_the_parameters_and_no_forest(parity):
    forest = SporfClassifier(7, projection="frc", max_features="2p").fit(*parity)
    again = clone(forest)
    assert again.get_params() == forest.get_params()
    assert not again.__sklearn_is_fitted__()


def test_permutation_importance_and_partial_dependence_work(friedman):
    X, y = friedman
    forest = SporfRegressor(20, random_state=0).fit(X, y)
    drop = permutation_importance(forest, X, y, n_repeats=2, random_state=0).importances_mean
    assert drop[3] > drop[7]  # x4 matters, x8 is noise
    curve = partial_dependence(forest, X, [3], grid_resolution=5)["average"][0]
    assert curve[-1] > curve[0]


def test_classes_may_be_strings_booleans_and_numbers_below_zero(parity):
    X, y = parity
    index = SporfClassifier(10, max_features="p", random_state=0).fit(X, y).predict(X)
    for names in (np.array(["b", "a"]), np.array([False, True]), np.array([-7, 3])):
        forest = SporfClassifier(10, max_features="p", random_state=0).fit(X, names[y])
        assert forest.classes_.tolist() == sorted(names.tolist())
        assert forest.classes_.dtype == names.dtype
        agree = np.mean(forest.predict(X) == names[index])
        assert agree > 0.95


def test_classes_may_be_bytes_and_empty(parity, tmp_path):
    import sporf

    X, y = parity
    for names in (np.array([b"no", b"y\xe9s"]), np.array(["", "yes"])):
        weights = {names[0]: 2, names[1]: 1}
        forest = SporfClassifier(10, class_weight=weights, random_state=0).fit(X, names[y])
        assert forest.classes_.tolist() == names.tolist()
        assert set(forest.predict(X)) <= set(names)
        assert np.mean(forest.predict(X) == names[y]) > 0.9
        forest.save(tmp_path / "model")
        assert len(sporf.load(tmp_path / "model").classes_) == 2
    with pytest.raises(ValueError, match="mean the same class"):
        SporfClassifier(3).fit(X, np.array(["", "(empty)"])[y])


def test_rare_levels_do_not_break_cross_validation():
    import pandas as pd

    rng = np.random.default_rng(0)
    zips = rng.integers(0, 800, 1500)
    frame = pd.DataFrame({"zip": [f"z{z}" for z in zips], "x": rng.normal(size=1500)})
    y = (zips % 2) ^ (rng.random(1500) < 0.1)
    forest = SporfClassifier(10, max_features="p", random_state=0)
    with pytest.warns(UserWarning, match="unknown categories in column 'zip'"):
        scores = cross_val_score(forest, frame, y, cv=3)
    assert np.all(scores > 0.5)
    strict = forest.set_params(handle_unknown="error")
    with pytest.warns(Warning, match="unknown categories in column 'zip'"):
        assert np.isnan(cross_val_score(strict, frame, y, cv=3)).all()


def test_the_length_of_a_forest_is_its_number_of_trees(parity):
    from sklearn.exceptions import NotFittedError

    forest = SporfClassifier(7, random_state=0)
    assert forest
    with pytest.raises(NotFittedError):
        len(forest)
    assert len(forest.fit(*parity)) == 7


def test_numbers_as_strings_keep_their_order_of_strings():
    X = np.arange(30, dtype=float).reshape(-1, 1)
    y = np.repeat(["10", "9", "1"], 10)
    forest = SporfClassifier(20, random_state=0).fit(X, y)
    assert forest.classes_.tolist() == ["1", "10", "9"]
    np.testing.assert_array_equal(forest.predict(X), y)
    chances = forest.predict_proba(X)
    np.testing.assert_array_equal(forest.classes_[chances.argmax(axis=1)], y)


def test_oob_results_are_kept_when_asked_for(parity, friedman):
    X, y = parity
    forest = SporfClassifier(50, oob_score=True, random_state=0).fit(X, y)
    chances = forest.oob_decision_function_
    assert chances.shape == (len(X), 2)
    wrong = np.mean(forest.classes_[chances.argmax(axis=1)] != y)
    assert forest.oob_score_ == pytest.approx(1 - wrong)
    assert forest.oob_curve_[-1] == pytest.approx(wrong)
    assert not hasattr(SporfClassifier(5).fit(X, y), "oob_score_")

    X, y = friedman
    forest = SporfRegressor(50, oob_score=True, random_state=0).fit(X, y)
    error = np.sqrt(np.mean((forest.oob_prediction_ - y) ** 2))
    assert forest.oob_curve_[-1] == pytest.approx(error, rel=1e-6)
    assert 0.4 < forest.oob_score_ < 1


def test_rows_weigh_in_the_oob_score(parity):
    X, y = parity
    forest = SporfClassifier(100, oob_score=True, random_state=0).fit(X, y, np.arange(300) % 5 + 1)
    assert forest.oob_score_ == pytest.approx(1 - forest.oob_curve_[-1])


def test_oob_score_takes_a_metric(parity):
    from sklearn.metrics import balanced_accuracy_score

    forest = SporfClassifier(20, oob_score=balanced_accuracy_score, random_state=0).fit(*parity)
    plain = SporfClassifier(20, oob_score=True, random_state=0).fit(*parity)
    assert 0 < forest.oob_score_ != plain.oob_score_


def test_class_weights_follow_the_names_of_classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    names = np.where(X[:, 0] + rng.normal(scale=2, size=600) > 0, "yes", "no")
    shares = []
    for weights in ({"no": 5}, None, {"yes": 5}):
        forest = SporfClassifier(20, class_weight=weights, max_depth=2, random_state=0)
        shares.append(np.mean(forest.fit(X, names).predict(X) == "yes"))
    assert shares[0] < shares[1] < shares[2]
    for labels in (names == "yes", (names == "yes") * 1, (names == "yes") * 1.0):
        weights = {0: 1, 1.0: 5}
        shares.append(
            np.mean(
                SporfClassifier(20, class_weight=weights, max_depth=2, random_state=0)
                .fit(X, labels)
                .predict(X)
            )
        )
    assert shares[3:] == [shares[2]] * 3
    assert SporfClassifier(5, class_weight={}).fit(X, names).n_trees_ == 5
    balanced = SporfClassifier(20, class_weight="balanced", random_state=0).fit(X, names)
    assert balanced._forest.settings["class-weights"] == "balanced"
