"""Bias, variance and their effects are as James defines them, and Trunk's Bayes errors as drawn."""

import numpy as np
import pytest

import measures


def random_case(seed, repeats=40, rows=200, classes=4):
    rng = np.random.default_rng(seed)
    posterior = rng.dirichlet(np.ones(classes), rows)
    tendency = rng.dirichlet(np.ones(classes) * 0.4, rows)
    predictions = np.array([[rng.choice(classes, p=q) for q in tendency] for _ in range(repeats)])
    return predictions, posterior.argmax(axis=1), posterior


def by_hand(predictions, truth, posterior):
    """The definitions, row by row and class by class."""
    repeats, rows = predictions.shape
    sums = dict.fromkeys(("bias", "variance", "systematic_effect", "variance_effect"), 0.0)
    for i in range(rows):
        counts = [sum(predictions[r, i] == k for r in range(repeats)) for k in range(4)]
        systematic = counts.index(max(counts))
        agree = sum(posterior[i, k] * counts[k] / repeats for k in range(4))
        sums["bias"] += systematic != truth[i]
        sums["variance"] += 1 - counts[systematic] / repeats
        sums["systematic_effect"] += posterior[i, truth[i]] - posterior[i, systematic]
        sums["variance_effect"] += posterior[i, systematic] - agree
    return {name: total / rows for name, total in sums.items()}


def test_the_parts_are_those_of_the_definitions():
    for seed in range(3):
        case = random_case(seed)
        parts = measures.decompose(*case)
        for name, wanted in by_hand(*case).items():
            assert parts[name] == pytest.approx(wanted)


def test_bayes_error_and_both_effects_make_up_the_error():
    predictions, truth, posterior = random_case(5)
    parts = measures.decompose(predictions, truth, posterior)
    total = parts["bayes_error"] + parts["systematic_effect"] + parts["variance_effect"]
    assert parts["error"] == pytest.approx(total)
    expected = np.mean([1 - posterior[np.arange(200), row].mean() for row in predictions])
    assert parts["error"] == pytest.approx(expected)


def test_without_noise_the_systematic_effect_is_the_bias():
    predictions, truth, _ = random_case(6)
    parts = measures.decompose(predictions, truth)
    assert parts["systematic_effect"] == parts["bias"]
    assert parts["bayes_error"] == 0
    assert parts["error"] == pytest.approx((predictions != truth).mean())
    assert parts["variance_effect"] == pytest.approx(parts["error"] - parts["bias"])


def test_a_method_that_never_changes_has_no_variance():
    truth = np.array([0, 1, 2, 1])
    parts = measures.decompose(np.tile([0, 1, 1, 1], (9, 1)), truth)
    assert parts == {
        "bias": 0.25,
        "variance": 0,
        "systematic_effect": 0.25,
        "variance_effect": 0,
        "bayes_error": 0,
        "error": 0.25,
    }


def test_bias_is_not_its_complement():
    """The paper's formula gives 1 where every prediction is right."""
    truth = np.array([0, 1, 1])
    assert measures.decompose(np.tile(truth, (3, 1)), truth)["bias"] == 0


def test_wrong_shapes_and_posteriors_are_refused():
    with pytest.raises(ValueError, match="repeats, rows"):
        measures.decompose([0, 1], [0, 1])
    with pytest.raises(ValueError, match="most probable"):
        measures.decompose([[0, 1]], [0, 1], [[0.1, 0.9], [0.2, 0.8]])


def test_trunk_errors_are_those_of_the_best_cut():
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 200_000)
    X = rng.normal(size=(len(label), 5)) + np.outer(2 * label - 1, measures.trunk_means(5))
    for w in ([1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, -1, 0.5, 0, 2], measures.trunk_means(5)):
        found = ((X @ w > 0) != label).mean()
        assert measures.trunk_bayes_error(w) == pytest.approx(min(found, 1 - found), abs=0.004)


def test_trunk_errors_depend_on_the_direction_alone_and_are_least_along_the_means():
    w = np.array([0.3, -1, 2, 0.1])
    assert measures.trunk_bayes_error(-7 * w, 4) == pytest.approx(measures.trunk_bayes_error(w))
    best = measures.trunk_bayes_error(measures.trunk_means(10))
    rng = np.random.default_rng(2)
    assert all(measures.trunk_bayes_error(rng.normal(size=10)) > best for _ in range(200))
    assert measures.trunk_bayes_error(np.zeros(3)) == 0.5
    with pytest.raises(ValueError, match="2 weights for 3"):
        measures.trunk_bayes_error([1, 2], 3)


def test_the_facts_about_the_paper():
    """The best of all projections on Trunk with p = 10 (the authors' .0426 is that of their test
    rows), and the most and least telling single features."""
    assert measures.trunk_bayes_error(measures.trunk_means(10)) == pytest.approx(0.0435, abs=5e-5)
    singles = [measures.trunk_bayes_error(row) for row in np.eye(10)]
    assert singles[0] == pytest.approx(0.159, abs=5e-4)
    assert singles[9] == pytest.approx(0.376, abs=5e-4)
