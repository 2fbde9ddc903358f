"""The statistics agree with scipy's, and with sums done by hand."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

import stats


def test_the_standard_error_is_scipys():
    values = [0.1, 0.4, 0.2, 0.25]
    assert stats.standard_error(values) == pytest.approx(scipy_stats.sem(values))


def test_wilcoxon_is_one_sided_and_small_where_the_first_is_better():
    worse = np.linspace(0.1, 0.5, 20)
    better = worse - np.linspace(0.01, 0.02, 20)
    assert stats.wilcoxon(better, worse) < 0.001
    assert stats.wilcoxon(worse, better) > 0.999


def test_wilcoxon_agrees_with_a_sum_by_hand():
    # Differences -1, 2, -3, -4: ranks of negative ones 1 + 3 + 4 = 8, of positive ones 2.
    # Mean 5, variance 4 * 5 * 9 / 24 = 7.5.
    expected = scipy_stats.norm.cdf((2 - 5) / np.sqrt(7.5))
    assert stats.wilcoxon([0, 2, 0, 0], [1, 0, 3, 4]) == pytest.approx(expected)


def test_equal_methods_do_not_differ():
    assert stats.wilcoxon([0.1, 0.2], [0.1, 0.2]) == 1.0
    assert stats.wins([0.1, 0.2], [0.1, 0.2]) == (0, 2, 0)


def test_ranks_of_equals_are_shared():
    assert stats.ranks(np.array([[0.3, 0.1, 0.1, 0.2]])).tolist() == [[4, 1.5, 1.5, 3]]


def test_places_that_equals_take_are_shared_out():
    shares = stats.place_shares(np.array([[0.1, 0.1, 0.2], [0.3, 0.1, 0.2], [0.1, 0.1, 0.1]]))
    assert shares.sum(axis=0) == pytest.approx(1) and shares.sum(axis=1) == pytest.approx(1)
    assert shares[0] == pytest.approx([(1 / 2 + 0 + 1 / 3) / 3, (1 / 2 + 1 + 1 / 3) / 3, 1 / 9])


def test_the_papers_kappa_leaves_class_0_out():
    labels = np.array([0] * 6 + [1] * 3 + [2])
    assert stats.chance_error_paper(labels) == pytest.approx(0.7)
    assert stats.kappa_paper(0.35, 0.7) == pytest.approx(0.5)
