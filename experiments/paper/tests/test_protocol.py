"""The paper's grids, and which setting is taken."""

import numpy as np
import pytest

from methods import FORESTS, vote
from protocol import candidates, choose, evaluate, grid, nonzeros, worth
from sporf import simulate


@pytest.mark.parametrize(
    ("method", "p", "expected"),
    [
        ("rf", 20, [3, 5, 10, 20]),
        ("frc", 20, [3, 5, 10, 20, 400]),
        ("sporf", 6, [2, 3, 4, 6, 36]),
        ("sporf", 4, [1, 2, 3, 4, 16]),
        ("ccf", 4, [1, 2, 3, 4]),
        ("sporf", 16, [2, 4, 8, 16, 256]),
        ("sporf", 144, [4, 12, 42, 144, 1728]),
    ],
)
def test_numbers_of_candidates_are_the_papers(method, p, expected):
    assert candidates(method, p) == expected


def test_numbers_of_features_are_the_papers():
    assert [nonzeros("sporf", p) for p in (2, 4, 50)] == [[1], [1, 2, 3], [1, 2, 3, 4, 5]]
    assert [nonzeros("frc", p) for p in (2, 4, 50)] == [[2], [2, 3, 4], [2, 3, 4, 5]]
    assert len(grid("sporf", 20)) == 25 and len(grid("rr-rf", 20)) == 4


def test_the_least_error_is_chosen_then_the_larger_area_then_any():
    lines = [
        {"oob_error": 0.2, "oob_auc": 0.99, "d": 1},
        {"oob_error": 0.1, "oob_auc": 0.8, "d": 2},
        {"oob_error": 0.1, "oob_auc": 0.9, "d": 3},
        {"oob_error": 0.1, "oob_auc": 0.9, "d": 4},
    ]
    assert {choose(lines, seed)["d"] for seed in range(50)} == {3, 4}


def test_ties_of_votes_go_to_all_that_are_tied():
    shares = np.tile([0.4, 0.2, 0.4], (500, 1))
    assert np.bincount(vote(shares, 1), minlength=3)[[0, 2]].min() > 200
    assert 1 not in vote(shares, 1)


@pytest.mark.parametrize("method", FORESTS)
def test_every_method_is_judged_inside_its_training_rows(method):
    train, test = (simulate("trunk", n, 5, random_state=n) for n in (120, 300))
    answer = evaluate(train, test, 1, method=method, d=2, nonzeros=2, trees=30)
    assert worth(answer)[0] == pytest.approx(answer["test_error"], abs=0.12)
    assert answer["kappa"] == pytest.approx(1 - 2 * answer["test_error"], abs=0.1)
