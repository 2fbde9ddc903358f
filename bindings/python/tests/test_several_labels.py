"""Several columns of y in classification."""

import pickle

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, hamming_loss

import sporf
from sporf import SporfBoostingClassifier, SporfClassifier, SporfRegressor


@pytest.fixture(scope="module")
def multilabel():
    return make_multilabel_classification(600, 12, n_classes=4, random_state=0)


@pytest.fixture(scope="module")
def strings():
    """Columns with three, two and four classes, whose order differs from the library's."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    ten = np.where(X[:, 0] > 0.4, "10", np.where(X[:, 0] < -0.4, "9", "100"))
    pair = np.where(X[:, 1] + X[:, 2] > 0, "yes", "no")
    four = np.array(["a", "b", "c", "d"])[np.clip((X[:, 3] * 1.5 + 2).astype(int), 0, 3)]
    return X, np.column_stack([ten, pair, four])


def fitted(X, y, **parameters):
    return SporfClassifier(20, max_features="p", random_state=0, **parameters).fit(X, y)


def test_shapes_are_those_of_scikit_learn(multilabel):
    X, y = multilabel
    ours = fitted(X, y, oob_score=True)
    theirs = RandomForestClassifier(20, oob_score=True, random_state=0).fit(X, y)
    assert ours.n_outputs_ == theirs.n_outputs_ == 4
    assert ours.n_classes_ == list(theirs.n_classes_)
    assert all(map(np.array_equal, ours.classes_, theirs.classes_))
    for method in ("predict", "predict_proba", "predict_log_proba"):
        a, b = getattr(ours, method)(X[:7]), getattr(theirs, method)(X[:7])
        assert type(a) is type(b)
        assert np.shape(a) == np.shape(b)
    assert ours.predict(X).dtype == y.dtype
    assert ours.oob_decision_function_.shape == theirs.oob_decision_function_.shape
    for proba in ours.predict_proba(X):
        np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-6)


def test_classes_are_those_with_the_largest_shares(strings):
    X, y = strings
    forest = fitted(X, y)
    assert [list(c) for c in forest.classes_] == [["10", "100", "9"], ["no", "yes"], list("abcd")]
    assert forest.n_classes_ == [3, 2, 4]
    predicted = forest.predict(X)
    assert predicted.shape == y.shape
    for k, proba in enumerate(forest.predict_proba(X)):
        assert np.array_equal(forest.classes_[k][proba.argmax(axis=1)], predicted[:, k])
    assert (predicted == y).mean() > 0.95
    assert np.array_equal(forest.predict(X[:1]), predicted[:1])


def test_scores_are_subset_accuracies(multilabel, strings):
    for X, y in (multilabel, strings):
        forest = fitted(X[:200], y[:200], oob_score=True)
        right = (forest.predict(X) == y).all(axis=1)
        assert forest.score(X, y) == pytest.approx(right.mean())
        weights = np.arange(len(X))
        assert forest.score(X, y, weights) == pytest.approx(np.average(right, weights=weights))
    X, y = multilabel
    forest = fitted(X, y, oob_score=True)
    oob = forest.oob_decision_function_.argmax(axis=1)
    assert forest.oob_score_ == pytest.approx(accuracy_score(y, oob))
    assert forest.oob_curve_[-1] == pytest.approx(hamming_loss(y, oob))
    with pytest.raises(ValueError, match="y has the shape"):
        forest.score(X, y[:, :2])


def test_oob_results_of_columns_with_different_classes_are_a_list(strings):
    X, y = strings
    forest = fitted(X, y, oob_score=lambda truth, found: (truth == found).mean())
    assert [share.shape for share in forest.oob_decision_function_] == [
        (300, 3),
        (300, 2),
        (300, 4),
    ]
    assert 0.7 < forest.oob_score_ < 1


def test_it_is_as_good_as_scikit_learn(multilabel):
    X, y = make_multilabel_classification(1600, 20, n_classes=5, random_state=1)
    ours = SporfClassifier(100, projection="rf", max_features="sqrt", random_state=0)
    theirs = RandomForestClassifier(100, random_state=0)
    losses = [
        hamming_loss(y[800:], f.fit(X[:800], y[:800]).predict(X[800:])) for f in (ours, theirs)
    ]
    assert losses[0] < losses[1] * 1.05


def test_frames_name_the_labels(strings, tmp_path):
    X, y = strings
    frame = pandas.DataFrame(y, columns=["size", "sold", "grade"])
    frame["grade"] = frame["grade"].map({"a": 1, "b": 2, "c": 3, "d": 4})
    forest = fitted(pandas.DataFrame(X, columns=list("abcde")), frame)
    assert forest.classes_[2].tolist() == [1, 2, 3, 4]
    assert forest.predict(pandas.DataFrame(X, columns=list("abcde")))[0].tolist()[2] in (1, 2, 3, 4)
    table = pandas.DataFrame(X[:5], columns=list("abcde"))
    names = forest.explain(table, table).output_names
    assert names[:4] == ["size=10", "size=100", "size=9", "sold=no"]


def test_explanations_add_up_in_the_order_of_the_classes(strings):
    X, y = strings
    forest = fitted(X, y)
    found = forest.explain(X[:3], X[3:20])
    proba = np.column_stack(forest.predict_proba(X[:3]))
    np.testing.assert_allclose(found.predictions, proba, atol=1e-6)
    np.testing.assert_allclose(found.values.sum(axis=1) + found.base_values, proba, atol=1e-6)


def test_models_are_kept(strings, tmp_path):
    X, y = strings
    forest = fitted(X, y)
    again = pickle.loads(pickle.dumps(forest))
    assert np.array_equal(again.predict(X), forest.predict(X))
    forest.save(tmp_path / "m.sporf")
    loaded = sporf.load(tmp_path / "m.sporf")
    assert isinstance(loaded, SporfClassifier)
    assert loaded.n_outputs_ == 3
    assert loaded.n_classes_ == [3, 2, 4]
    assert loaded.classes_[0].tolist() == [9, 10, 100]  # as of other model files
    assert loaded.predict(X)[:, 1:].tolist() == forest.predict(X)[:, 1:].tolist()
    with pytest.raises(ValueError, match="the model is a SporfClassifier"):
        SporfRegressor.load(tmp_path / "m.sporf")


def test_warm_start_adds_trees(multilabel):
    X, y = multilabel
    forest = SporfClassifier(5, max_features="p", warm_start=True, random_state=0).fit(X, y)
    forest.set_params(n_estimators=20).fit(X, y)
    assert np.array_equal(forest.predict(X), fitted(X, y).predict(X))


def test_weights_of_classes_are_multiplied(strings):
    X, y = strings
    rare = y[:, 1] == "yes"
    weights = [None, {"no": 1, "yes": 5}, None]
    given = [{} if one is None else one for one in weights]
    of_classes = fitted(X, y, class_weight=given)
    of_rows = SporfClassifier(20, max_features="p", random_state=0)
    of_rows.fit(X, y, np.where(rare, 5.0, 1.0))
    assert all(map(np.array_equal, of_classes.predict_proba(X), of_rows.predict_proba(X)))
    assert fitted(X, y, class_weight="balanced").score(X, y) > 0.9
    with pytest.raises(ValueError, match="balanced_subsample"):
        fitted(X, y, class_weight="balanced_subsample")


def test_missing_values_categories_and_permutation_importances():
    rng = np.random.default_rng(0)
    level = rng.choice(["u", "v", "w"], 400)
    number = rng.normal(size=400)
    y = np.column_stack([(level == "u").astype(int), (number > 0).astype(int)])
    frame = pandas.DataFrame({"level": level, "number": number, "noise": rng.normal(size=400)})
    frame.loc[::17, "number"] = np.nan
    forest = fitted(frame, y)
    assert forest.score(frame, y) > 0.97
    found = forest.permutation_importances(frame, y).importances
    assert found[0] > 0.1
    assert found[1] > 0.1
    assert abs(found[2]) < 0.02


def test_a_column_of_one_class_is_predicted_as_it_is(multilabel):
    X, y = multilabel
    y = np.column_stack([y[:, 0], np.ones(len(y), int)])
    forest = fitted(X, y)
    assert forest.n_classes_ == [2, 1]
    assert (forest.predict(X)[:, 1] == 1).all()
    assert forest.predict_proba(X)[1].shape == (len(X), 1)
    with pytest.raises(ValueError, match="each of the 2 labels has only one class"):
        fitted(X, np.ones((len(X), 2)))


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"criterion": "entropy"}, "is for one label"),
        ({"projection": "ccf"}, "is for one label"),
        ({"bootstrap": "stratified"}, "is for one label"),
        ({"cost": {(0, 1): 2}}, "cost is for one label"),
        ({"recall": {1: 0.9}}, "recall is for one label"),
        ({"combine": "votes"}, "combine must be 'posteriors' for several labels"),
    ],
)
def test_what_needs_one_class_is_refused(multilabel, parameters, words):
    with pytest.raises(ValueError, match=words):
        fitted(*multilabel, **parameters)


def test_functions_for_one_label_are_refused(multilabel):
    X, y = multilabel
    forest = fitted(X, y)
    for call in (forest.scores, forest.strength, sporf.plot_boundary):
        arguments = (forest, X, y) if call is sporf.plot_boundary else (X, y)
        with pytest.raises(ValueError, match="is for one label"):
            call(*arguments)
    with pytest.raises(ValueError, match="is for one label"):
        forest.oob_scores(y)
    with pytest.raises(ValueError):
        SporfBoostingClassifier(max_iter=2).fit(X, y)
    forest.combine = "votes"
    with pytest.raises(ValueError, match="combine"):
        forest.predict(X)


def test_trees_predict_classes_and_shares_of_each_label(strings):
    X, y = strings
    forest = fitted(X, y)
    trees = [tree.predict_proba(X) for tree in forest.estimators_]
    for k, whole in enumerate(forest.predict_proba(X)):
        np.testing.assert_allclose(np.mean([shares[k] for shares in trees], axis=0), whole)
    tree = forest[3]
    assert tree.n_outputs_ == 3 and tree.n_classes_ == forest.n_classes_
    found = tree.predict(X)
    assert found.shape == y.shape
    for k, classes in enumerate(tree.classes_):
        assert (found[:, k] == classes[trees[3][k].argmax(axis=1)]).all()


def test_trees_and_dependence_are_drawn(strings):
    pytest.importorskip("matplotlib").use("agg")
    X, y = strings
    forest = fitted(X, y)
    texts = [text.get_text() for text in sporf.plot_tree(forest, max_depth=None).texts]
    assert any("y2=yes" in text or "y2=no" in text for text in texts)
    sporf.plot_dependence(forest, X, 0)
    sporf.plot_dependence(forest, X, 1, target="y2=yes")
    with pytest.raises(ValueError, match="target must be one of"):
        sporf.plot_dependence(forest, X, 1, target="yes")


def test_bad_labels_are_refused(multilabel):
    X, y = multilabel
    with pytest.raises(ValueError, match="sparse multilabel-indicator"):
        fitted(X, sparse.csr_matrix(y))
    with pytest.raises(ValueError, match="NaN"):
        fitted(X, np.where(np.arange(len(X))[:, None] == 3, np.nan, y))
    with pytest.raises(ValueError, match="Unknown label type"):
        fitted(X, y + 0.5 * X[:, :4])
    with pytest.raises(ValueError, match="no columns"):
        fitted(X, np.empty((len(X), 0)))


def test_out_of_core_refuses_several_labels(multilabel):
    from sporf.out_of_core import SporfClassifier as OutOfCore

    X, y = multilabel
    with pytest.raises(ValueError, match="y has several columns"):
        OutOfCore(2, rows_in_memory="2MB").fit(X.astype(np.float32), y)
