#!/usr/bin/env python3
"""What exact Shapley values cost: beside shap's explainers, and on oblique forests.

Usage: bench/explain.py [--rows 1000] [--background 100] [--trees 100]

Trees of single features are explained by `shap.TreeExplainer` (interventional), too: the same ones,
whose values are compared. Oblique forests are explained by `shap.PermutationExplainer`, too, which
takes any model; it has an error, ours are exact. One thread. Needs the packages sporf and shap, for
example in an environment made with `pip install . shap`.
"""

import argparse
import time

import numpy as np
import shap

from sporf import SporfClassifier, simulate


def timed(call, *arguments, **named):
    start = time.perf_counter()
    result = call(*arguments, **named)
    return result, time.perf_counter() - start


def nodes_of(core, number):
    nodes = []
    while True:
        try:
            nodes.append(core.node(number, len(nodes)))
        except ValueError:
            return nodes


def tree_for_shap(core, number):
    """A tree of single features in the arrays that shap takes; leaves vote."""
    nodes = nodes_of(core, number)
    count = len(nodes)
    left, right, feature = (np.full(count, -1, np.int32) for _ in range(3))
    threshold, values = np.zeros(count), np.zeros((count, core.classes))
    for i, node in enumerate(nodes):
        if len(node) == 4:
            values[i, node[1][int(np.argmax(node[2]))]] = 1
        else:
            left[i], right[i] = node[2], node[3]
            feature[i], threshold[i] = node[4][0], node[0] / node[5][0]
    return {
        "children_left": left,
        "children_right": right,
        "children_default": right,
        "features": feature,
        "thresholds": threshold,
        "values": values,
        "node_sample_weight": np.ones(count),
    }


def beside_tree_explainer(X, y, rows, background, trees):
    forest = SporfClassifier(trees, projection="rf", random_state=1, n_jobs=1, combine="votes")
    core = forest.fit(X, y)._forest
    ours, seconds = timed(forest.explain, rows, background)
    model = {"trees": [tree_for_shap(core, t) for t in range(trees)]}
    explainer = shap.TreeExplainer(model, background, feature_perturbation="interventional")
    theirs, slow = timed(explainer.shap_values, rows, check_additivity=False)
    worst = np.abs(np.asarray(theirs) / trees - ours.values).max()
    print(
        f"rf: {seconds:.2f} s, shap's TreeExplainer {slow:.2f} s: {slow / seconds:.1f} times; "
        f"largest difference {worst:.1e}"
    )


def beside_permutations(X, y, rows, background, trees):
    forest = SporfClassifier(trees, random_state=1, n_jobs=1, calibration="none").fit(X, y)
    ours, seconds = timed(forest.explain, rows, background)
    masker = shap.maskers.Independent(background, len(background))
    explainer = shap.PermutationExplainer(lambda X: forest.predict_proba(X)[:, 1], masker)
    explainer(rows[:1], silent=True)
    for permutations in (1, 10, 100):
        evaluations = permutations * (2 * X.shape[1] + 1)
        theirs, slow = timed(explainer, rows, max_evals=evaluations, silent=True)
        error = np.sqrt(np.mean((theirs.values - ours.values[:, :, 1]) ** 2))
        size = np.sqrt(np.mean(ours.values[:, :, 1] ** 2))
        print(
            f"oblique, {len(rows)} rows: {seconds:.2f} s, exact; shap's PermutationExplainer, "
            f"{permutations} pairs of orders: {slow:.2f} s, {slow / seconds:.1f} times, error "
            f"{100 * error / size:.2f}% of the values"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--background", type=int, default=100)
    parser.add_argument("--trees", type=int, default=100)
    given = parser.parse_args()
    others = slice(2000, 2000 + given.background)
    X, y = simulate("trunk", 5000, 20, random_state=1)
    X = np.asarray(X, np.float32)
    beside_tree_explainer(X, y, X[: given.rows], X[others], given.trees)
    beside_permutations(X, y, X[:10], X[others], given.trees)
    for problem in ("trunk", "sparse-parity"):
        X, y = simulate(problem, 5000, 20, random_state=1)
        forest = SporfClassifier(given.trees, random_state=1, n_jobs=1).fit(X, y)
        found, seconds = timed(forest.explain, X[: given.rows], X[others])
        print(
            f"{problem}, 5,000 x 20, default settings: {seconds:.1f} s for {given.rows} rows, "
            f"{100 * found.estimated:.2g}% estimated"
        )


if __name__ == "__main__":
    main()
