"""Costs of errors and a recall, in the words of the library's options."""

import numpy as np

from ._options import is_real, number


def _name(what, label, names):
    if label not in names:
        raise ValueError(f"{what} names {label!r}, which is not in y")
    return names[label]


def cost_text(cost, names):
    """The option from a dict of (true class, predicted class) to its cost; a text stays as it is.
    `names` has the name of each class in the library."""
    if cost is None or isinstance(cost, str):
        return cost or "none"
    good = isinstance(cost, dict) and all(
        isinstance(pair, tuple) and len(pair) == 2 and is_real(value) and 0 <= value < np.inf
        for pair, value in cost.items()
    )
    if not good:
        raise ValueError(
            "cost must be a dict of (true class, predicted class) and a cost from 0, a text such "
            f"as 'sick:well=10', or None, got {cost!r}"
        )
    items = [
        f"{_name('cost', true, names)}:{_name('cost', predicted, names)}={number(value)}"
        for (true, predicted), value in cost.items()
    ]
    return ",".join(items) or "none"


def recall_text(recall, names):
    """The option from a dict of a class and the share of it that must be found."""
    if recall is None or isinstance(recall, str):
        return recall or "none"
    if not isinstance(recall, dict) or len(recall) != 1 or not all(map(is_real, recall.values())):
        raise ValueError(
            "recall must be a dict of one class and a share above 0, up to 1, a text such as "
            f"'sick=0.95', or None, got {recall!r}"
        )
    ((label, share),) = recall.items()
    return f"{_name('recall', label, names)}={number(share)}"
