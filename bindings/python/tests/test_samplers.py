"""Samplers written in Python, and patches."""

import numpy as np
import pytest
from conftest import model_of
from scipy import sparse

from sporf import Patches, SporfClassifier, SporfRegressor


def pairs(node, rng):
    """Differences of two random features."""
    return [(rng.choice(node.n_features, 2, replace=False), (1, -1)) for _ in range(8)]


def dense(node, rng):
    return np.array(sparse_rows(node, rng).todense())


def sparse_rows(node, rng):
    rows = np.zeros((8, node.n_features))
    for row in rows:
        row[rng.choice(node.n_features, 2, replace=False)] = (1, -1)
    return sparse.csr_array(rows)


def test_a_function_draws_the_candidates(parity):
    X, y = parity
    forest = SporfClassifier(5, projection=pairs, random_state=0).fit(X, y)
    for tree in range(5):
        node = forest._forest.node(tree, 0)
        assert sorted(node[5]) == [-1, 1]
    assert forest._forest.settings["sampler"] == "pairs"


def test_the_forest_depends_on_the_seed_and_not_on_the_threads(parity):
    forests = [
        SporfClassifier(8, projection=pairs, random_state=seed, n_jobs=jobs).fit(*parity)
        for seed, jobs in ((0, 1), (0, 2), (1, 1))
    ]
    assert model_of(forests[0]) == model_of(forests[1])
    assert model_of(forests[0]) != model_of(forests[2])


def test_matrices_and_pairs_say_the_same(parity):
    forests = [
        SporfClassifier(4, projection=f, random_state=0).fit(*parity) for f in (dense, sparse_rows)
    ]
    np.testing.assert_array_equal(forests[0].apply(parity[0]), forests[1].apply(parity[0]))


def test_a_sampler_sees_the_rows_of_its_node(parity):
    X, y = parity
    seen = []

    def look(node, rng):
        seen.append((node.depth, len(node.rows)))
        np.testing.assert_array_equal(node.X, X[node.rows])
        np.testing.assert_array_equal(node.column(3), X[node.rows, 3])
        np.testing.assert_array_equal(node.y, y[node.rows])
        assert node.weights.sum() >= len(node.rows)
        mean = node.X[node.y == 0].mean(axis=0) - node.X[node.y == 1].mean(axis=0)
        return mean.reshape(1, -1)

    forest = SporfClassifier(3, projection=look, random_state=0, max_depth=3).fit(X, y)
    assert {depth for depth, _ in seen} <= {0, 1, 2}
    assert forest.score(X, y) > 0.5


def test_numbers_have_no_classes_to_look_at(friedman):
    def look(node, rng):
        assert node.y is None
        return pairs(node, rng)

    assert SporfRegressor(3, projection=look, random_state=0).fit(*friedman).n_trees_ == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_sampler_raises_comes_out_of_fit(parity, jobs):
    def fail(node, rng):
        raise ZeroDivisionError("my own mistake")

    forest = SporfClassifier(5, projection=fail, n_jobs=jobs)
    with pytest.raises(ZeroDivisionError, match="my own mistake"):
        forest.fit(*parity)
    assert not forest.__sklearn_is_fitted__()


@pytest.mark.parametrize(
    "answer, message",
    [
        ([([0, 99], [1, 1])], "99|feature"),
        ([([0, 1], [1])], "not as many weights"),
        ([([0], [np.nan])], "finite"),
        ([([-1], [1])], "not there"),
        ([([2**32], [1])], "not there"),
        ([([0.5], [1])], "not whole"),
        (None, "returned None"),
    ],
)
def test_candidates_that_make_no_sense_are_refused(parity, answer, message):
    with pytest.raises((ValueError, TypeError), match=message):
        SporfClassifier(3, projection=lambda node, rng: answer).fit(*parity)


def test_a_matrix_that_points_beyond_itself_is_refused(parity):
    def broken(node, rng):
        rows = sparse.csr_array(np.eye(5, node.n_features))
        rows.indptr[:] = [0, 10**9, 5, 3, 2, 1]
        return rows

    with pytest.raises(ValueError, match="does not fit together"):
        SporfClassifier(3, projection=broken).fit(*parity)


def test_no_candidates_make_a_leaf(parity):
    forest = SporfClassifier(3, projection=lambda node, rng: []).fit(*parity)
    assert forest.apply(parity[0]).max() == 0


def test_patches_are_rectangles_of_the_image():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 36)).astype(np.float32)
    y = (X[:, [7, 8, 13, 14]].sum(axis=1) > 0).astype(int)
    forest = SporfClassifier(20, projection=Patches(6, 2, 2), random_state=0).fit(X, y)
    for tree in range(20):
        features = forest._forest.node(tree, 0)[4]
        corner = features[0]
        assert features == [corner, corner + 1, corner + 6, corner + 7]
