"""What must hold for every forest."""

import numpy as np
import pytest
from conftest import model_of
from sklearn.base import clone
from sklearn.metrics import log_loss

from sporf import SporfClassifier, SporfRegressor, simulate


def test_the_number_of_threads_changes_nothing(parity, friedman):
    for Forest, (X, y) in ((SporfClassifier, parity), (SporfRegressor, friedman)):
        one, many = (Forest(20, random_state=4, n_jobs=n).fit(X, y) for n in (1, -1))
        assert model_of(one) == model_of(many)
        np.testing.assert_array_equal(one.predict(X), many.predict(X))


def test_the_device_changes_nothing(parity, friedman):
    """Without a GPU, or without support for it, there is none to fail."""
    for Forest, (X, y) in ((SporfClassifier, parity), (SporfRegressor, friedman)):
        cpu, either = (Forest(20, random_state=4, device=d).fit(X, y) for d in ("cpu", "auto"))
        assert model_of(cpu) == model_of(either)
        wanted = cpu.predict(X)
        for device in "cpu", "auto", "gpu":  # which is no reason to fail where there is none
            np.testing.assert_array_equal(either.set_params(device=device).predict(X), wanted)
        with pytest.raises(ValueError, match="device must be one of"):
            either.set_params(device="tpu").predict(X)
        try:
            gpu = Forest(20, random_state=4, device="gpu").fit(X, y)
        except RuntimeError as error:
            assert "device='gpu': " in str(error)
            assert "use device='cpu', or device='auto'" in str(error)
        else:
            assert model_of(gpu) == model_of(cpu)


def test_what_was_left_to_the_library_is_told(parity):
    X, y = parity
    left = SporfClassifier(60, random_state=1).fit(X, y)
    told = left.settings_
    given = SporfClassifier(
        60,
        random_state=1,
        max_features=int(told["projections"]),
        feature_combinations=int(told["density"].removesuffix("/p")),
        min_samples_leaf=int(told["min-leaf"]),
    ).fit(X, y)
    assert model_of(given) == model_of(left)


def test_the_layout_of_an_array_changes_nothing(parity):
    X, y = parity
    wide = np.zeros((2 * len(X), 3 * X.shape[1]))
    wide[::2, 1::3] = X
    views = [
        np.ascontiguousarray(X),
        np.asfortranarray(X),
        X.astype(np.float64),
        np.asfortranarray(X, dtype=np.float64),
        X.astype(">f8"),
        np.ascontiguousarray(X[:, ::-1])[:, ::-1],
        wide[::2, 1::3],
        X.tolist(),
    ]
    first = SporfClassifier(10, random_state=0).fit(X, y)
    for view in views:
        forest = SporfClassifier(10, random_state=0).fit(view, y)
        assert model_of(forest) == model_of(first)
        np.testing.assert_array_equal(forest.predict_proba(view), first.predict_proba(X))


def test_whole_numbers_are_numbers(parity):
    X, y = parity
    whole = (X * 10).astype(np.int16)
    forest = SporfClassifier(10, random_state=0).fit(whole, y)
    again = SporfClassifier(10, random_state=0).fit(whole.astype(np.float32), y)
    assert model_of(forest) == model_of(again)


def test_single_rows_are_predicted_as_they_are_among_others(parity, friedman):
    X, y = parity
    X = X.copy()
    X[3, 4] = np.nan
    for combine in ("posteriors", "votes"):
        forest = SporfClassifier(20, random_state=0, min_samples_leaf=4, combine=combine).fit(X, y)
        for dtype in (np.float32, np.float64):
            rows = [X[i : i + 1].astype(dtype) for i in range(50)]
            each = np.vstack([forest.predict_proba(row) for row in rows])
            np.testing.assert_array_equal(each, forest.predict_proba(X[:50]))
            classes = np.concatenate([forest.predict(row) for row in rows])
            np.testing.assert_array_equal(classes, forest.predict(X[:50]))
    X, y = friedman
    forest = SporfRegressor(20, random_state=0).fit(X, np.column_stack([y, y**2]))
    each = np.vstack([forest.predict(X[i : i + 1]) for i in range(50)])
    np.testing.assert_array_equal(each, forest.predict(X[:50]))


def test_calibration_lowers_the_log_loss_and_changes_no_class():
    (X, y), (new_X, new_y) = (simulate("trunk", n, 10, random_state=n) for n in (800, 2000))
    for combine in ("posteriors", "votes"):
        forest = SporfClassifier(50, max_features=3, random_state=0, combine=combine).fit(X, y)
        shares = SporfClassifier(
            50, max_features=3, random_state=0, combine=combine, calibration="none"
        ).fit(X, y)
        calibrated, raw = forest.predict_proba(new_X), shares.predict_proba(new_X)
        np.testing.assert_array_equal(forest.predict(new_X), shares.predict(new_X))
        np.testing.assert_array_equal(forest.predict(new_X), forest.classes_[calibrated.argmax(1)])
        assert log_loss(new_y, calibrated) < 0.9 * log_loss(new_y, raw)
        forest.set_params(calibration="none")
        np.testing.assert_array_equal(forest.predict_proba(new_X), raw)
        np.testing.assert_array_equal(forest.predict_proba(new_X[:1]), raw[:1])


def test_many_rows_are_predicted_block_by_block_as_they_are_at_once(parity):
    X, y = parity
    forest = SporfClassifier(5, random_state=0).fit(X[:, :2], y)
    many = np.tile(X[:, :2], (9_000_000 // len(X), 1))
    np.testing.assert_array_equal(
        forest.predict(many).reshape(-1, len(X)).min(axis=0), forest.predict(X[:, :2])
    )
    many[-1, 1] = np.inf
    with pytest.raises(ValueError, match=rf"X\[{len(many) - 1}, 1\]"):
        forest.predict(many)


def test_more_trees_are_the_forest_grown_at_once_with_the_same_settings(parity, friedman):
    for Forest, (X, y) in ((SporfClassifier, parity), (SporfRegressor, friedman)):
        forest = Forest(10, random_state=4, warm_start=True, oob_score=True).fit(X, y)
        forest.set_params(n_estimators=30).fit(X, y)
        settings = forest.settings_
        at_once = Forest(
            30,
            random_state=4,
            oob_score=True,
            max_features=int(settings["projections"]),
            feature_combinations=int(settings["density"].removesuffix("/p")),
            min_samples_leaf=int(settings["min-leaf"]),
        ).fit(X, y)
        assert model_of(forest) == model_of(at_once)
        assert forest.oob_score_ == at_once.oob_score_


def test_effort_says_what_the_choice_of_settings_may_cost(parity, friedman):
    for Forest, (X, y) in ((SporfClassifier, parity), (SporfRegressor, friedman)):
        assert Forest(60, random_state=1).fit(X, y).search_seconds_ > 0
        low = Forest(60, random_state=1, effort="low").fit(X, y)
        assert low.search_seconds_ == 0
        given = Forest(60, random_state=1, effort="high", max_features="p").fit(X, y)
        assert given.search_seconds_ == 0
        with pytest.raises(ValueError, match="effort must be one of 'low', 'default', 'high'"):
            Forest(effort="most").fit(X, y)


def test_more_trees_of_a_tall_table_have_the_bags_of_the_first_ones():
    X, y = simulate("sparse-parity", 10_001, random_state=1)
    forest = SporfClassifier(3, random_state=4, warm_start=True).fit(X, y)
    assert forest.settings_["bag"] == "subsample"
    forest.set_params(n_estimators=5).fit(X, y)
    assert model_of(forest) == model_of(SporfClassifier(5, random_state=4).fit(X, y))


def test_warm_start_without_a_seed_goes_on_with_the_first_one(parity):
    forest = SporfClassifier(10, warm_start=True).fit(*parity)
    first = forest.apply(parity[0])
    forest.set_params(n_estimators=12).fit(*parity)
    np.testing.assert_array_equal(forest.apply(parity[0])[:, :10], first)
    with pytest.warns(UserWarning, match="does not fit new trees"):
        forest.fit(*parity)
    with pytest.raises(ValueError, match="n_estimators=3 must be larger"):
        forest.set_params(n_estimators=3).fit(*parity)


def test_the_scale_of_weights_does_not_matter(parity):
    X, y = parity
    weights = np.random.default_rng(1).integers(1, 10, len(X))
    forest = SporfClassifier(30, min_samples_leaf=3, oob_score=True, random_state=0)
    once = clone(forest).fit(X, y, weights)
    for factor in (0.5, 100, 1 / 7):
        scaled = clone(forest).fit(X, y, weights * factor)
        assert scaled.oob_score_ == once.oob_score_
        np.testing.assert_array_equal(scaled.predict_proba(X), once.predict_proba(X))
        np.testing.assert_array_equal(scaled.feature_importances_, once.feature_importances_)


def test_equal_weights_are_none(parity):
    X, y = parity
    forest = SporfClassifier(10, max_features="p", min_samples_leaf=20, random_state=0)
    without = clone(forest).fit(X, y)
    for weight in (1, 100, 0.3):
        weighted = clone(forest).fit(X, y, np.full(len(X), weight))
        np.testing.assert_array_equal(weighted.apply(X), without.apply(X))
    balanced = clone(forest).set_params(class_weight=dict.fromkeys(set(y), 7)).fit(X, y)
    np.testing.assert_array_equal(balanced.apply(X), without.apply(X))


def test_without_a_bag_weights_are_repeated_rows(parity):
    X, y = parity
    weights = np.arange(len(X)) % 4
    forest = SporfClassifier(10, bootstrap=False, splitter="exact", random_state=0)
    weighted = clone(forest).fit(X, y, weights)
    repeated = clone(forest).fit(X.repeat(weights, axis=0), y.repeat(weights))
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_counts_are_repeated_rows(parity):
    X, y = parity
    counts = np.arange(len(X)) % 4
    forest = SporfClassifier(
        10,
        max_features="p",
        min_samples_leaf=3,
        splitter="exact",
        weight_is="count",
        calibration="none",  # copies of a row are out of bag one by one
        random_state=0,
    )
    weighted = clone(forest).fit(X, y, counts)
    repeated = clone(forest).fit(X.repeat(counts, axis=0), y.repeat(counts))
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_missing_weights_are_named(parity):
    X, y = parity
    weights = np.arange(len(X)) % 4 + 1.0
    forest = SporfClassifier(10, random_state=0).fit(X, y, weights)
    with pytest.raises(ValueError, match=r"have none; give the same weights \(sample_weight\)"):
        forest.permutation_importances(X, y)
    with pytest.raises(ValueError, match=r"same labels \(y\) and weights \(sample_weight\)"):
        forest.strength(X, y, weights[::-1])


def test_leaves_and_proximities_agree(parity):
    X, y = parity
    forest = SporfClassifier(20, max_depth=4, random_state=0).fit(X, y)
    leaves = forest.apply(X)
    assert leaves.shape == (len(X), 20)
    near = forest.proximity(X[:5], X)
    assert near.shape == (5, len(X))
    for i in range(5):
        np.testing.assert_allclose(near[i], (leaves[i] == leaves).mean(axis=1))
    own = forest.proximity(X[:5])
    np.testing.assert_array_equal(np.diag(own), 1)
    np.testing.assert_array_equal(own, own.T)


def test_importances_sum_to_one_and_find_what_matters(friedman):
    X, y = friedman
    forest = SporfRegressor(100, random_state=0).fit(X, y)
    assert forest.feature_importances_.sum() == pytest.approx(1)
    assert set(np.argsort(-forest.feature_importances_)[:5]) == {0, 1, 2, 3, 4}
    ranked = forest.projection_importances_
    assert len(ranked) <= 100
    shares = [r.importance for r in ranked]
    assert shares == sorted(shares, reverse=True)
    assert ranked[0].text.startswith("+1 x")
    assert len(forest.projection_importances(3)) == 3


def test_quantiles_rise_and_intervals_hold_what_they_promise(friedman):
    from sporf import simulate

    X, y = friedman
    forest = SporfRegressor(300, random_state=0).fit(X, y)
    quantiles = forest.predict_quantiles(X[:20], [0.05, 0.5, 0.95])
    assert quantiles.shape == (20, 3)
    assert (np.diff(quantiles, axis=1) >= 0).all()
    X_new, y_new = simulate("friedman1", 1000, random_state=2)
    low, high = forest.predict_interval(X_new, 0.8).T
    assert 0.7 < np.mean((low <= y_new) & (y_new <= high)) < 0.9
    small = SporfRegressor(10, keep_samples=False, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="samples"):
        small.predict_interval(X)


def test_targets_and_quantiles_may_lie_anyhow(friedman):
    X, y = friedman
    forest = SporfRegressor(20, random_state=0).fit(X[::-1], y[::-1])
    again = SporfRegressor(20, random_state=0).fit(X[::-1].copy(), y[::-1].copy())
    assert model_of(forest) == model_of(again)
    levels = np.array([0.1, 0.9, 0.5, 0.9])
    for some in (levels[::2], levels[::-1]):
        np.testing.assert_array_equal(
            forest.predict_quantiles(X[:5], some), forest.predict_quantiles(X[:5], some.tolist())
        )


def test_max_samples_says_how_many_rows_a_tree_has(parity):
    X, y = parity
    small = SporfClassifier(10, max_samples=0.1, random_state=0).fit(X, y)
    large = SporfClassifier(10, random_state=0).fit(X, y)
    assert len(model_of(small)) < len(model_of(large)) / 2
    as_number = SporfClassifier(10, max_samples=30, random_state=0).fit(X, y)
    assert model_of(as_number) == model_of(small)


def test_enough_trees_are_those_of_that_number(parity, friedman):
    for Forest, (X, y) in ((SporfClassifier, parity), (SporfRegressor, friedman)):
        enough = Forest("auto", max_features="p", random_state=4).fit(X, y)
        number = Forest(enough.n_trees_, max_features="p", random_state=4).fit(X, y)
        assert 50 <= enough.n_trees_ < 2000
        assert enough.settings_["stopped"] == "enough"
        assert "stopped" not in number.settings_
        np.testing.assert_array_equal(enough.predict(X), number.predict(X))
        np.testing.assert_array_equal(enough.oob_curve_, number.oob_curve_)
        enough.set_params(n_estimators=enough.n_trees_ + 5, warm_start=True).fit(X, y)
        number.set_params(n_estimators=number.n_trees_ + 5, warm_start=True).fit(X, y)
        assert model_of(enough) == model_of(number)


def test_a_few_trees_grow_until_they_are_enough(parity):
    X, y = parity
    whole = SporfClassifier("auto", max_features="p", random_state=4).fit(X, y)
    few = SporfClassifier(20, max_features="p", random_state=4, warm_start=True).fit(X, y)
    few.set_params(n_estimators="auto").fit(X, y)
    assert model_of(few) == model_of(whole)


def test_training_ends_in_time_with_the_first_trees(parity):
    X, y = parity
    for limit in (0.05, "0.05s"):
        timed = SporfClassifier(10**6, time_limit=limit, max_features="p", random_state=4).fit(X, y)
        number = SporfClassifier(timed.n_trees_, max_features="p", random_state=4).fit(X, y)
        assert timed.settings_["stopped"] == "time"
        np.testing.assert_array_equal(timed.oob_curve_, number.oob_curve_)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_estimators": "many"}, "n_estimators must be an integer from 1, or 'auto'"),
        ({"n_estimators": 0}, "n_estimators must be an integer from 1, or 'auto'"),
        ({"n_estimators": "auto", "bootstrap": False}, "n_estimators='auto' needs out-of-bag rows"),
        ({"time_limit": 0}, "time_limit must be seconds above 0"),
        ({"time_limit": "soon"}, "time_limit must be a time above 0"),
    ],
)
def test_what_is_no_number_of_trees_and_no_time_is_refused(parity, parameters, message):
    with pytest.raises(ValueError, match=message):
        SporfClassifier(**parameters).fit(*parity)
