"""Trees as data: arrays, sequences, paths and text."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

import sporf
from sporf import SporfBoostingClassifier, SporfBoostingRegressor, SporfClassifier, SporfRegressor


def plain(**more):
    return SporfClassifier(5, random_state=0, calibration="none", **more)


def term_value(tree, term, row):
    value = row[tree.term_feature[term]]
    if tree.term_set[term] < 0:
        return value
    found = tree.level_sets[tree.term_set[term]]
    if found.levels is None or value is None or value != value:
        return found.missing if value is None or value != value else value
    return float(value in found.levels)


def walk(tree, row):
    """The leaf of a row, by the arrays alone, in single precision as the library has it."""
    node = 0
    while tree.children_left[node] >= 0:
        terms = range(tree.term_offset[node], tree.term_offset[node + 1])
        total = np.float32(0)
        for term in terms:
            total += np.float32(tree.term_weight[term]) * np.float32(term_value(tree, term, row))
        left = total <= tree.threshold[node]
        if np.isnan(total):
            left = tree.missing_go_to_left[node]
        node = tree.children_left[node] if left else tree.children_right[node]
    return node


def rows_of(frame):
    for row in frame.astype(object).itertuples(index=False):
        yield [np.float32(v) if isinstance(v, (int, float)) else v for v in row]


def test_the_arrays_say_where_rows_go(customers):
    X, y = customers
    forest = plain().fit(X, y)
    nodes = forest.apply(X)
    assert any(tree.tree_.level_sets for tree in forest)
    for tree in forest:
        own = [walk(tree.tree_, row) for row in rows_of(X)]
        np.testing.assert_array_equal(own, nodes[:, tree.number])
        np.testing.assert_array_equal(tree.apply(X), nodes[:, tree.number])
        np.testing.assert_array_equal(tree.apply(X[:3]), nodes[:3, tree.number])


def test_a_forest_is_a_sequence_of_trees(parity):
    forest = plain().fit(*parity)
    assert len(forest) == len(forest.estimators_) == len(list(forest)) == 5
    assert [tree.number for tree in forest[1:3]] == [1, 2]
    assert forest[-1].number == forest.estimators_[4].number == 4
    assert "tree 0 of 5 of SporfClassifier" in repr(forest[0])
    assert repr(forest.estimators_) == "<5 trees of SporfClassifier>"
    with pytest.raises(IndexError, match="no tree 5: the model has 5"):
        forest[5]
    with pytest.raises(NotFittedError):
        plain().estimators_  # noqa: B018
    assert len(pickle.loads(pickle.dumps(forest)).estimators_) == 5


def test_a_forest_predicts_the_mean_of_its_trees(parity, friedman):
    X, y = parity
    forest = plain().fit(X, np.where(y == 1, "b", "a"))
    shares = np.mean([tree.predict_proba(X) for tree in forest], axis=0)
    np.testing.assert_allclose(shares, forest.predict_proba(X), atol=1e-12)
    assert set(forest[0].predict(X)) == {"a", "b"}
    X, y = friedman
    for targets in (y, np.column_stack([y, -y])):
        forest = SporfRegressor(5, random_state=0).fit(X, targets)
        means = np.mean([tree.predict(X) for tree in forest], axis=0)
        np.testing.assert_allclose(means, forest.predict(X), atol=1e-12)
        assert not hasattr(forest[0], "predict_proba")


def test_classes_have_the_order_of_the_estimator(parity):
    X, y = parity
    labels = np.where(y == 1, 9, 10)
    forest = plain(max_depth=2).fit(X, labels.astype(str))  # "10" < "9" in Python, 9 < 10 here
    shares = np.mean([tree.predict_proba(X) for tree in forest], axis=0)
    np.testing.assert_allclose(shares, forest.predict_proba(X), atol=1e-12)
    tree = forest[0]
    best = tree.classes_[tree.predict_proba(X).argmax(axis=1)]
    clear = np.ptp(tree.predict_proba(X), axis=1) > 0
    np.testing.assert_array_equal(tree.predict(X)[clear], best[clear])


def test_trees_of_boosted_models_add_up(parity, friedman):
    model = SporfBoostingRegressor(max_iter=5, random_state=0).fit(*friedman)
    total = sum(tree.predict(friedman[0]) for tree in model)
    bags = int(model._forest.boosting()["bags"])
    rest = model.predict(friedman[0]) - total / bags
    np.testing.assert_allclose(rest, rest[0], atol=1e-6)
    model = SporfBoostingClassifier(max_iter=3, random_state=0).fit(*parity)
    tree = model[0].tree_
    assert np.isnan(tree.value[tree.children_left >= 0]).all()
    assert np.isfinite(tree.value[tree.children_left < 0]).all()
    assert "adds" in sporf.export_text(model)


def test_nodes_have_what_their_children_have(parity):
    forest = plain(criterion="entropy", bootstrap=False).fit(*parity)
    for tree in (t.tree_ for t in forest):
        splits = np.flatnonzero(tree.children_left >= 0)
        left, right = tree.children_left[splits], tree.children_right[splits]
        assert (left == splits + 1).all()
        assert (tree.parent[left] == splits).all() and (tree.parent[right] == splits).all()
        assert (tree.depth[right] == tree.depth[splits] + 1).all()
        weight = tree.weighted_n_node_samples
        np.testing.assert_allclose(weight[splits], weight[left] + weight[right])
        assert weight[0] == len(parity[1])
        np.testing.assert_allclose(tree.value[0, 0], np.bincount(parity[1]) / len(parity[1]))
        assert (tree.impurity[tree.children_left < 0] == 0).all()
        assert 0.9 < tree.impurity[0] <= 1
        assert (tree.threshold[tree.children_left < 0] == -2).all()
        assert tree.node_count == 2 * tree.n_leaves - 1
        assert tree.max_depth == tree.depth.max()
        assert tree.n_classes.tolist() == [2]


def test_plain_splits_name_their_feature(parity):
    tree = plain(projection="rf").fit(*parity)[0]
    splits = tree.tree_.children_left >= 0
    assert (tree.tree_.feature[splits] >= 0).all()
    assert (tree.tree_.feature[~splits] == -2).all()
    assert (np.diff(tree.tree_.term_offset) == splits).all()
    assert tree.get_depth() == tree.tree_.max_depth and tree.get_n_leaves() == (~splits).sum()
    oblique = plain(projection="rr-rf").fit(*parity)[0].tree_
    assert (oblique.feature < 0).all()


def test_means_of_regression_trees_are_those_of_their_rows(friedman):
    X, y = friedman
    forest = SporfRegressor(3, bootstrap=False, random_state=0).fit(X, y)
    for tree in forest:
        path = tree.decision_path(X).toarray().astype(bool)
        means = [y[path[:, node]].mean() for node in range(tree.tree_.node_count)]
        np.testing.assert_allclose(tree.tree_.value[:, 0, 0], means, rtol=1e-5)
        np.testing.assert_array_equal(tree.tree_.weighted_n_node_samples, path.sum(axis=0))
    with pytest.raises(AttributeError, match="classification only"):
        forest[0].tree_.impurity  # noqa: B018
    with pytest.raises(AttributeError, match="weighted_n_node_samples"):
        forest[0].tree_.n_node_samples  # noqa: B018


def test_paths_lead_from_the_root_to_the_leaf(customers):
    X, y = customers
    forest = plain().fit(X, y)
    indicator, starts = forest.decision_path(X)
    nodes = forest.apply(X)
    assert indicator.shape == (len(X), starts[-1])
    for tree in forest:
        own = indicator[:, starts[tree.number] : starts[tree.number + 1]]
        assert (own != tree.decision_path(X)).nnz == 0
        arrays = tree.tree_
        assert (own[:, 0].toarray() == 1).all()
        assert (own.sum(axis=1).ravel() == arrays.depth[nodes[:, tree.number]] + 1).all()
        for row in range(0, len(X), 17):
            path = own[[row]].indices
            assert path[-1] == nodes[row, tree.number]
            assert (arrays.parent[path[1:]] == path[:-1]).all()


def test_the_rows_of_a_tree_are_those_that_fill_it(parity):
    X, y = parity
    forest = plain().fit(X, y)
    for tree, rows in zip(forest, forest.estimators_samples(X, y), strict=True):
        assert len(rows) == len(X) and (np.diff(rows) >= 0).all()
        counts = np.bincount(tree.apply(X[rows]), minlength=tree.tree_.node_count)
        leaves = tree.tree_.children_left < 0
        np.testing.assert_array_equal(counts[leaves], tree.tree_.weighted_n_node_samples[leaves])
    with pytest.raises(ValueError, match="other data|the data"):
        forest.estimators_samples(X[::-1], y[::-1])


def test_rows_out_of_bag_are_those_that_were_not_drawn(parity):
    X, y = parity
    forest = plain().fit(X, y)
    drawn, others = forest.estimators_samples(X, y), forest.oob_samples(X, y)
    assert len(drawn) == len(others) == len(forest)
    for some, rest in zip(drawn, others, strict=True):
        assert len(rest) > 0
        np.testing.assert_array_equal(np.union1d(some, rest), np.arange(len(X)))
        assert not np.intersect1d(some, rest).size
    with pytest.raises(ValueError, match="other data|the data"):
        forest.oob_samples(X[::-1], y[::-1])
    with pytest.raises(ValueError, match="without bags"):
        plain(bootstrap=False).fit(X, y).oob_samples(X, y)


@pytest.mark.parametrize("honest", [False, True])
def test_trees_predict_alone_what_they_predict_together(customers, honest):
    X, y = customers
    y = y.map({"yes": "10", "no": "9"})  # the library has them in another order
    forest = plain(honest=honest).fit(X, y)
    shares = forest.predict_proba_per_tree(X)
    assert shares.shape == (5, len(X), 2)
    for tree, own in zip(forest, shares, strict=True):
        np.testing.assert_array_equal(tree.predict_proba(X), own)
    np.testing.assert_allclose(shares.mean(axis=0), forest.predict_proba(X), atol=1e-6)
    rows = [np.arange(i, len(X), 7) for i in range(5)]
    some = forest.predict_proba_per_tree(X, rows)
    for own, all_rows, asked in zip(some, shares, rows, strict=True):
        np.testing.assert_array_equal(own[asked], all_rows[asked])
        assert np.isnan(np.delete(own, asked, axis=0)).all()


def test_trees_vote_on_the_rows_they_have_not_seen(parity):
    X, y = parity
    settings = {"max_features": "p", "min_samples_leaf": 1, "oob_score": True}
    forest = SporfClassifier(30, random_state=0, **settings).fit(X, y)
    shares = forest.predict_proba_per_tree(X, forest.oob_samples(X, y))
    votes = shares[:, :, 1] > 0.5
    seen = ~np.isnan(shares[:, :, 1])
    expected = votes.sum(axis=0) / seen.sum(axis=0)
    np.testing.assert_allclose(forest.oob_decision_function_[:, 1], expected)


def test_shares_of_trees_are_refused_for_wrong_rows_and_several_labels(parity):
    X, y = parity
    with pytest.raises(NotFittedError):
        plain().predict_proba_per_tree(X)
    with pytest.raises(ValueError, match="indices are of 4 trees, but the forest has 5"):
        plain().fit(X, y).predict_proba_per_tree(X, [np.arange(3)] * 4)
    with pytest.raises(ValueError, match="for one label"):
        plain().fit(X, np.column_stack([y, y])).predict_proba_per_tree(X)


def test_text_has_names_and_levels(customers):
    X, y = customers
    forest = plain(projection="rf", max_depth=3).fit(X, y)
    text = "".join(sporf.export_text(forest, i) for i in range(5))
    assert "plan not in basic" in text and "plan in basic" in text
    assert "income <=" in text and "income > " in text
    assert "class: yes" in text and "class: no" in text
    weighted = sporf.export_text(forest[0], show_weights=True, decimals=0, spacing=1)
    assert "class: no  (no " in weighted and "|- " in weighted
    short = sporf.export_text(forest, max_depth=0)
    assert "truncated branch of depth" in short and len(short.splitlines()) == 5
    assert short.startswith("tree 0 of 5, counted from 0\n|--- ")
    assert sporf.export_text(forest[3]).startswith("tree 3 of 5, ")
    with pytest.raises(IndexError, match="no tree 5"):
        sporf.export_text(forest, 5)
    with pytest.raises(ValueError, match="tree must be an integer from 0"):
        sporf.export_text(forest, -1)


def test_a_single_leaf_is_a_tree(parity):
    forest = plain(min_samples_leaf=300).fit(*parity)
    tree = forest[0]
    assert tree.get_depth() == 0 and tree.get_n_leaves() == 1
    assert sporf.export_text(forest).splitlines()[1].startswith("|--- class: ")
    assert forest.apply(parity[0]).max() == 0
    indicator, starts = forest.decision_path(parity[0])
    assert indicator.shape == (300, 5) and starts.tolist() == [0, 1, 2, 3, 4, 5]


def test_text_of_missing_values_reads_well():
    rng = np.random.default_rng(0)
    known = rng.random(200) < 0.5
    X = pd.DataFrame({"a": np.where(known, 1.0, np.nan), "b": rng.normal(size=200)})
    text = sporf.export_text(plain(projection="rf", max_depth=1).fit(X, known.astype(int)))
    assert "a known" in text and "a missing" in text


def test_sums_show_what_replaces_a_missing_value():
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.random((400, 2)), columns=["debt", "income"])
    y = (X["debt"] < X["income"]).astype(int)
    X.loc[::7, "income"] = np.nan
    forest = plain().fit(X, y)
    text = "".join(sporf.export_text(forest, i) for i in range(5))
    mean = f"{np.float32(X['income'].mean()):.4g}"
    assert f"debt - [income or {mean}] <= " in text
    assert not re.search(r" [-+] .* or missing|[-+] income", text)
    single = plain(projection="rf").fit(X, y)
    text = "".join(sporf.export_text(single, i) for i in range(5))
    assert re.search(r"--- income <= [\d.]+ or missing\n", text) and "income or" not in text
    whole = plain().fit(X.fillna(0), y)
    text = "".join(sporf.export_text(whole, i) for i in range(5))
    assert " - income <= " in text and not re.search(r" [-+] .* or missing", text)


def test_text_of_several_labels_names_the_class_of_each(parity):
    X, y = parity
    labels = pd.DataFrame({"odd": y, "big": np.where(X[:, 0] > 0, "yes", "no")})
    text = sporf.export_text(plain(max_depth=2).fit(X, labels), show_weights=True)
    leaf = r"--- odd=[01]( \d+%)?, big=(yes|no)( \d+%)?  \(weight \d+\)\n"
    assert re.search(leaf, text) and "value" not in text
