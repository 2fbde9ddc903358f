"""Reports: a page of HTML on one model, or on several that are compared."""

import copy
import html
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _explain, _options
from ._messages import messages_in_python

FRAME_HEIGHT = 720


class Report:
    """A report as a page of HTML, which notebooks show.

    The page has no scripts and needs no network.

    Attributes
    ----------
    html : str
        The whole page.
    """

    def __init__(self, page: str):
        self.html = page

    def save(self, path: str | PathLike) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that its style does not change the notebook's."""
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="Report" sandbox="" '
            f'style="width:100%;height:{FRAME_HEIGHT}px;border:1px solid #8888"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<Report of {len(self.html):,} characters: save(path) writes it to a file>"


def _others(compare):
    """The names and models to compare with."""
    if compare is None:
        return {}
    if isinstance(compare, Mapping):
        return {str(name): model for name, model in compare.items()}
    return {f"model {number}": model for number, model in enumerate(compare, 2)}


def report(model, X, y, path, sample_weight, compare, name, title, random_state) -> Report:
    """For SporfModel.report, which has the documentation."""
    others: dict[str, Any] = _others(compare)
    for other in others.values():
        check_is_fitted(other)
    if X is None and y is not None:
        raise ValueError("y is given without X: give both, or none of them")
    with messages_in_python():
        if X is None:
            data = None
        elif y is None:
            data = _explain.dataset_of(model, X)
        else:
            data = copy.copy(model)._read(X, y, sample_weight)[0]
        page = model._forest.report(
            data,
            tuple(other._forest for other in others.values()),
            [name or type(model).__name__, *others],
            title,
            int(_options.seed(random_state)),
            _options.threads(model.n_jobs),
            model.combine == "posteriors",
            model.calibration != "auto",
        )
    made = Report(page)
    if path is not None:
        made.save(path)
    return made
