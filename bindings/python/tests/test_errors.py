"""Bad input raises what users of scikit-learn expect, with a message that says what to do."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from sporf import Patches, SporfClassifier, SporfRegressor, plot_tree


@pytest.fixture
def fitted(parity):
    return SporfClassifier(5, random_state=0).fit(*parity)


def test_an_unfitted_forest_says_so(parity):
    X, _ = parity
    for method in ("predict", "predict_proba", "apply", "proximity"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(SporfClassifier(), method)(X)
    for method in ("predict", "predict_interval", "predict_quantiles"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(SporfRegressor(), method)(X)
    for attribute in ("feature_importances_", "oob_curve_", "n_trees_"):
        with pytest.raises(NotFittedError):
            getattr(SporfClassifier(), attribute)
    with pytest.raises(NotFittedError):
        SporfClassifier().save("nowhere")
    with pytest.raises(NotFittedError):
        plot_tree(SporfClassifier())


@pytest.mark.parametrize(
    "X, message",
    [
        (np.zeros(20), "Reshape your data"),
        (np.zeros((2, 20, 1)), "dim 3"),
        (np.zeros((0, 20)), "0 sample"),
        (np.zeros((3, 7)), "X has 7 features, but SporfClassifier is expecting 20"),
        ([["a"] * 20], "strings.*data frame"),
        (np.full((1, 20), np.inf), r"X\[0, 0\]: 'inf' is not finite"),
        (np.full((2, 20), 1e31), "1e\\+?31|1e\\+?30"),
        (np.full((2, 20), 1j), "Complex"),
    ],
)
def test_rows_that_cannot_be_predicted_are_refused(fitted, X, message):
    with pytest.raises(ValueError, match=message):
        fitted.predict(X)


def test_rows_that_cannot_be_learned_from_are_refused(parity):
    X, y = parity
    forest = SporfClassifier(5)
    bad = X.copy()
    bad[7, 3] = np.inf
    for values, labels, message in [
        (X, None, "requires y to be passed"),
        (X, y[:-1], "inconsistent numbers of samples"),
        (X, np.zeros(len(X)), "class"),
        (X, np.linspace(0, 1, len(X)), "Unknown label type: continuous"),
        (X, np.where(np.arange(len(X)) == 2, np.nan, y), "NaN"),
        (bad, y, r"X\[7, 3\]: 'inf' is not finite"),
        (X, np.array(["a", None] * (len(X) // 2), dtype=object), "NoneType, str"),
        (X, np.array([b"a", b"b"] * (len(X) // 2), dtype=object), "of the type bytes: make"),
        (X[:, :0], y, "0 feature"),
        (np.array([["x"] * 3] * len(X)), y, "strings.*data frame"),
        (np.array([["x", 1.0]] * len(X), dtype=object), y, "string.*data frame"),
    ]:
        with pytest.raises(ValueError, match=message):
            forest.fit(values, labels)
    assert not forest.__sklearn_is_fitted__()


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"projection": "rf", "max_features": 21}, "max_features is 21, .* projection='sporf'"),
        ({"class_weight": {3: 1}}, "class_weight names 3, which is not in y"),
        ({"class_weight": "balanced_subsample"}, "use 'balanced'"),
        ({"projection": Patches(min_size=9)}, "min_size is 9, above max_size, which is 5"),
        ({"projection": Patches(image_width=7)}, "image_width is 7, but 20 features"),
    ],
)
def test_the_library_speaks_of_parameters_as_python_does(parity, parameters, message):
    with pytest.raises(ValueError, match=message):
        SporfClassifier(5, **parameters).fit(*parity)


def test_identifiers_that_would_be_rounded_are_told(parity):
    X, y = parity
    identifiers = np.arange(len(X)).reshape(-1, 1) + 2**40
    with pytest.warns(UserWarning, match="X holds whole numbers above"):
        SporfClassifier(5).fit(identifiers, y)
    with pytest.warns(UserWarning, match="column 'id' holds whole numbers above"):
        SporfClassifier(5).fit(pd.DataFrame(identifiers, columns=["id"]), y)


def test_targets_that_are_no_numbers_are_refused(friedman):
    X, y = friedman
    for targets, message in [
        (np.where(y > 20, np.nan, y), "NaN"),
        (np.where(y > 20, np.inf, y), "infinity"),
        (np.array(["a"] * len(y)), "strings"),
    ]:
        with pytest.raises(ValueError, match=message):
            SporfRegressor(5).fit(X, targets)


def test_a_forest_that_failed_to_fit_again_is_the_old_one(fitted, parity):
    X, _ = parity
    before = fitted.predict(X)
    with pytest.raises(ValueError):
        fitted.fit(X, np.zeros(len(X)))
    np.testing.assert_array_equal(fitted.predict(X), before)


def test_a_fit_that_fails_leaves_no_trace(customers, parity):
    frame, left = customers
    X, y = parity
    forest = SporfClassifier(5, random_state=0).fit(frame, left)
    before = dict(forest.__dict__)
    for table, labels in ((X, np.zeros(len(X))), (frame[["age"]], np.zeros(len(frame)))):
        with pytest.raises(ValueError):
            forest.fit(table, labels)
        assert forest.__dict__ == before

    def fail(y_true, y_pred):
        raise RuntimeError("my metric")

    with pytest.raises(RuntimeError, match="my metric"):
        forest.set_params(oob_score=fail).fit(X, y)
    assert forest.predict(frame).shape == (len(frame),)
    unfitted = SporfClassifier(5, oob_score=True, bootstrap=False)
    with pytest.raises(ValueError, match="oob_score needs"):
        unfitted.fit(X, y)
    assert not unfitted.__sklearn_is_fitted__()
    assert not hasattr(unfitted, "n_features_in_")


def test_what_is_set_after_fitting_is_checked_when_predicting(customers, parity):
    frame, left = customers
    forest = SporfClassifier(5, random_state=0).fit(frame, left)
    with pytest.raises(ValueError, match="handle_unknown must be"):
        forest.set_params(handle_unknown="ignore").predict(frame)
    X, y = parity
    forest = SporfClassifier(5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="combine must be"):
        forest.set_params(combine="votez").predict(X)
    forest = SporfClassifier(5, projection="rr-rf", random_state=0).fit(X, y)
    bad = X.copy()
    bad[0, 0] = np.nan
    with pytest.raises(ValueError, match="missing values"):
        forest.set_params(projection="sporf").predict(bad)


def test_words_of_the_users_stay_as_they_are(parity):
    X, y = parity
    codes = np.round(X[:, :3])
    forest = SporfClassifier(5, categorical_features=[0], random_state=0).fit(codes, y)
    codes[0, 0] = 77
    with pytest.raises(ValueError, match="in column 0: '77'"):
        forest.set_params(handle_unknown="error").predict(codes)
    with pytest.raises(ValueError, match="names 'column 3'"):
        SporfClassifier(5, class_weight={"column 3": 1}).fit(X, y)
    dated = pd.DataFrame({"row 3": pd.to_datetime(["2024-01-01"] * len(y))})
    with pytest.raises(ValueError, match="'row 3' holds dates"):
        SporfClassifier(5).fit(dated, y)


def test_a_column_is_no_table(customers):
    import polars as pl

    frame, left = customers
    for column in (frame.age, pl.Series([1.0, 2.0])):
        with pytest.raises(ValueError, match="Expected 2|Expected a 2|dimensional"):
            SporfClassifier(5).fit(column, left[: len(column)])


def test_what_is_not_a_table_yet_is_told(parity):
    import polars as pl
    import pyarrow as pa

    X, y = parity
    with pytest.raises(TypeError, match=r"LazyFrame.*X.collect\(\)"):
        SporfClassifier(5).fit(pl.LazyFrame({"a": [1.0, 2.0]}), [0, 1])
    batches = pa.table({"a": [1.0, 2.0]}).to_reader()
    with pytest.raises(TypeError, match=r"X.read_all\(\)"):
        SporfClassifier(5).fit(batches, [0, 1])
    with pytest.raises(ValueError, match="dates or times"):
        SporfClassifier(5).fit(X.astype("datetime64[s]"), y)


def test_texts_that_are_identifiers_or_numbers_are_told(customers):
    frame, left = customers
    with pytest.warns(UserWarning, match="'id' has another text in each row"):
        SporfClassifier(5).fit(frame.assign(id=[f"c{i}" for i in range(len(frame))]), left)
    with pytest.warns(UserWarning, match="'age' holds numbers as text .* pd.to_numeric"):
        SporfClassifier(5).fit(frame.assign(age=frame.age.astype(str)), left)
    commas = [f"{i % 90},{i % 10}" for i in range(len(frame))]
    with pytest.warns(
        UserWarning, match=r"'age' holds numbers with decimal commas .*decimal=\",\""
    ):
        SporfClassifier(5).fit(frame.assign(age=commas), left)
    many = [f"c{i * 2 // 3}" for i in range(len(frame))]
    with pytest.warns(UserWarning, match="'note' has .* different texts"):
        SporfClassifier(5).fit(frame.assign(note=many), left)


@pytest.mark.parametrize(
    "form", ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y", "%d %b %Y", "%Y-%m-%dT%H:%M:%S"]
)
def test_dates_as_text_are_told(customers, form):
    frame, left = customers
    when = pd.date_range("2024-01-01", periods=len(frame) // 8).repeat(8).strftime(form)
    dated = frame.assign(when=np.resize(when, len(frame)))
    with pytest.warns(UserWarning, match="'when' holds dates as text"):
        SporfClassifier(5).fit(dated, left)


def test_missing_labels_among_strings_are_told():
    X = np.arange(8.0).reshape(-1, 1)
    for missing in (np.nan, pd.NA):
        y = np.array(["a", "b"] * 3 + ["a", missing], dtype=object)
        with pytest.raises(ValueError, match="Input y contains NaN: every row needs a label"):
            SporfClassifier(5).fit(X, y)


def test_strings_of_a_column_transformer_are_told_how_to_become_categories(customers):
    from sklearn.compose import make_column_transformer

    frame, left = customers
    kept = make_column_transformer(("passthrough", ["age", "town"]))
    with pytest.raises(ValueError) as refused:
        SporfClassifier(5).fit(kept.fit_transform(frame), left)
    assert 'set_output(transform="pandas")' in str(refused.value)
    assert str(refused.value).count(". ") == 0
    frames = kept.set_output(transform="pandas").fit_transform(frame)
    assert SporfClassifier(5).fit(frames, left)._forest.typed_features == [1]


def test_warnings_name_the_line_of_the_caller(customers, friedman, parity):
    frame, left = customers
    X, y = parity
    named = frame.assign(id=[f"c{i}" for i in range(len(frame))])
    wide = np.arange(len(X)).reshape(-1, 1) + 2**40
    fitted = SporfClassifier(3, random_state=0, warm_start=True).fit(frame, left)
    whole = SporfRegressor(3, bootstrap=False, random_state=0).fit(*friedman)
    for call in (
        lambda: SporfClassifier(3).fit(named, left),
        lambda: SporfClassifier(3).fit(wide, y),
        lambda: SporfClassifier(1, oob_score=True, random_state=0).fit(X, y),
        lambda: fitted.fit(frame, left),
        lambda: fitted.predict(frame.assign(plan="gold")),
        lambda: fitted.score(frame.assign(plan="gold"), left),
        lambda: whole.predict_interval(friedman[0]),
    ):
        with pytest.warns(UserWarning) as told:
            call()
        for warning in told:
            assert "sporf" not in warning.filename.split("/")[-2], warning


def test_intervals_that_are_not_calibrated_are_told(friedman):
    X, y = friedman
    forest = SporfRegressor(10, bootstrap=False, random_state=0).fit(X, y)
    with pytest.warns(UserWarning, match="without out-of-bag rows"):
        forest.predict_interval(X)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"n_estimators": 0}, "n_estimators must be an integer from 1, or 'auto', got 0"),
        ({"n_estimators": 2.5}, "n_estimators"),
        ({"criterion": "mse"}, "criterion must be one of 'gini', 'entropy', 'log_loss'"),
        ({"max_depth": 0}, "max_depth"),
        ({"min_samples_split": 1}, "min_samples_split"),
        ({"min_samples_leaf": 1.5}, "min_samples_leaf"),
        ({"min_weight_fraction_leaf": 0.51}, "min_weight_fraction_leaf must be a share from 0"),
        ({"min_weight_fraction_leaf": "0.1"}, "min_weight_fraction_leaf"),
        ({"max_features": 0}, "max_features"),
        ({"max_features": -0.5}, "max_features"),
        ({"max_features": "auto"}, "max_features must be .* got 'auto'"),
        ({"feature_combinations": 0}, "feature_combinations"),
        ({"feature_combinations": 21}, "feature_combinations must be at most .* features, 20, got"),
        ({"bootstrap": "yes"}, "bootstrap"),
        ({"bootstrap": False, "max_samples": 0.5}, "max_samples needs bootstrap"),
        ({"max_samples": 2.0}, "max_samples"),
        ({"max_samples": 301}, "max_samples must be from 1 to the number of rows, 300"),
        ({"bootstrap": False, "oob_score": True}, "oob_score needs trees that leave rows out"),
        ({"random_state": -1}, "random_state"),
        ({"class_weight": "even"}, "class_weight"),
        ({"class_weight": {0: 1, "7": 2}}, "7"),
        ({"n_jobs": "all"}, "n_jobs"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"device": "tpu"}, "device must be one of 'auto', 'cpu', 'gpu', got 'tpu'"),
        ({"projection": Patches}, "projection must be one of"),
        ({"categorical_features": 3}, "categorical_features must be a list"),
        ({"categorical_features": [1.5]}, "categorical_features names place 1.5"),
        ({"projection": "oblique"}, "projection must be one of 'sporf'"),
        ({"scale": "minmax"}, "scale must be one of 'auto', 'none', 'sd', 'range', 'iqr'"),
        ({"splitter": "best"}, "splitter must be one of 'auto', 'exact'"),
        ({"categorical_features": "all"}, "categorical_features"),
        ({"categorical_features": [20]}, "place 20, but X has 20 features"),
        ({"categorical_features": ["age"]}, "'age', which X does not have"),
        ({"handle_unknown": "ignore"}, "handle_unknown"),
        ({"honest": 1.0}, "honest"),
        ({"combine": "mean"}, "combine"),
        ({"calibration": "isotonic"}, "calibration"),
    ],
)
def test_parameters_out_of_range_are_named(parity, parameters, message):
    with pytest.raises(ValueError, match=message):
        SporfClassifier(**{"n_estimators": 5, **parameters}).fit(*parity)


def test_a_sum_has_at_most_all_features():
    frame = pd.DataFrame({"number": np.arange(60.0), "level": pd.Categorical(list("abcdef") * 10)})
    y = np.arange(60) // 30
    SporfClassifier(5, feature_combinations=3).fit(frame, y)
    with pytest.raises(ValueError, match="feature_combinations must be at most"):
        SporfClassifier(5, feature_combinations=4).fit(frame, y)


def test_missing_values_are_refused_by_methods_that_cannot_have_them(parity):
    X, y = parity
    X = X.copy()
    X[0, 0] = np.nan
    for method in ("rr-rf", "ccf"):
        with pytest.raises(ValueError, match="missing"):
            SporfClassifier(5, projection=method).fit(X, y)
    assert SporfClassifier(5).fit(X, y).predict(X).shape == (len(X),)


def test_columns_must_have_the_names_and_the_order_of_the_training(customers):
    frame, left = customers
    forest = SporfClassifier(5).fit(frame, left)
    with pytest.raises(ValueError, match="same order"):
        forest.predict(frame[frame.columns[::-1]])
    with pytest.raises(ValueError, match="Feature names.*missing.*\n.*age"):
        forest.predict(frame.drop(columns="age"))
    with pytest.raises(ValueError, match="numbers.*categories|categories.*numbers"):
        forest.predict(frame.assign(income="much"))


def test_dates_are_refused_by_name(customers):
    frame, left = customers
    dated = frame.assign(joined=pd.Timestamp("2024-01-01"))
    with pytest.raises(ValueError, match="'joined' holds dates"):
        SporfClassifier(5).fit(dated, left)


def test_weights_must_fit(parity):
    X, y = parity
    for weights in (np.full(len(X), -1.0), np.ones(3), np.full(len(X), np.nan)):
        with pytest.raises(ValueError):
            SporfClassifier(5).fit(X, y, sample_weight=weights)
