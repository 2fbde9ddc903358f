"""Whether the rows of a typed table and of its one-hot version come in the same order.

The versions differ in columns, in codes and in cells that were missing. But where rows are in the same order,
what a column says about them stays: every label has one code, and so has every number or level in some column
of the other version, as far as cells are there.
"""

import itertools
import math

LEAST_SHARE = 0.25  # of the columns that must be found again: some were coded anew or left out
ROWS = 300  # that columns are compared by; labels are by all


def one_to_one(first, second):
    """Whether each value of one goes with one of the other, empty cells aside."""
    pairs = {pair for pair in zip(first, second) if pair[0] != ""}
    return len({a for a, _ in pairs}) == len(pairs) == len({b for _, b in pairs})


def against_others(column, level):
    return ["" if value == "" else value == level for value in column]


def found(column, others):
    """Whether another table has the column, or a column of its own for each of its levels."""
    if any(one_to_one(column, other) for other in others):
        return True
    levels = set(column) - {""}
    return len(levels) <= len(others) and all(
        any(one_to_one(against_others(column, level), other) for other in others) for level in levels)


def telling(rows):
    """The columns of some of the rows, but for the labels and those with one value."""
    columns = list(zip(*rows[::max(1, len(rows) // ROWS)]))[:-1]
    return [column for column in columns if len(set(column) - {""}) > 1]


def same_order(typed, onehot):
    """For tables with labels last."""
    if len(typed) != len(onehot):
        return False
    if not one_to_one([row[-1] for row in typed], [row[-1] for row in onehot]):
        return False
    columns, others = telling(typed), telling(onehot)
    enough = math.ceil(LEAST_SHARE * len(columns))
    return len(list(itertools.islice((column for column in columns if found(column, others)), enough))) == enough
