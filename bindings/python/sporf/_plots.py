"""Plots with matplotlib, which is imported when one is drawn."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _terms
from ._options import choice, whole
from ._tables import is_frame

_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")


def _axes(ax, **size):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as missing:
        raise ImportError("plots need matplotlib: pip install matplotlib") from missing
    return plt.subplots(layout="constrained", **size)[1]


# ---- trees -----------------------------------------------------------------------------------


class _Drawn:
    """A node in the picture: its words, where it stands, and its children."""

    def __init__(self, text, depth, colour, children=()):
        self.text, self.depth, self.colour, self.children = text, depth, colour, children
        self.place = 0.0

    def stand(self, next_place: float) -> float:
        """Puts leaves side by side and splits above the middle of their children."""
        if not self.children:
            self.place = next_place
            return next_place + 1
        for child in self.children:
            next_place = child.stand(next_place)
        self.place = sum(child.place for child in self.children) / len(self.children)
        return next_place

    def all(self):
        yield self
        for child in self.children:
            yield from child.all()


def _wrapped(text, width=28):
    lines, line = [], ""
    for mark in ("+ ", "- ", "<= ", "not in "):
        text = text.replace(f" {mark}", f"\0{mark}")
    for pair in text.split("\0"):
        if line and len(line) + len(pair) > width:
            lines.append(line)
            line = pair
        else:
            line = f"{line} {pair}".strip()
    return "\n".join([*lines, line])


def _rows(weight):
    return f"{weight:g} row" if weight == 1 else f"{weight:g} rows"


def _pale(colour):
    """Two thirds of the way to white."""
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{255 - (255 - part) // 3:02x}" for part in parts)


class _TreePicture:
    def __init__(self, estimator, tree, max_depth):
        self.estimator, self.forest = estimator, estimator._forest
        self.tree, self.max_depth, self.boosts = tree, max_depth, estimator._boosts

    def read(self, node=0, depth=0) -> _Drawn:
        found = self.forest.node(self.tree, node)
        if len(found) == 4:
            return self._leaf(found, depth)
        if self.max_depth is not None and depth == self.max_depth:
            return _Drawn("...", depth, "#ffffff")
        threshold, missing_left, left, right, features, weights = found
        text, _ = _terms.conditions(
            self.forest, features, weights, threshold, missing_left, f"{threshold:.4g}", short=True
        )
        children = (self.read(left, depth + 1), self.read(right, depth + 1))
        return _Drawn(_wrapped(text), depth, "#f2f2f2", children)

    def _leaf(self, leaf, depth):
        _, classes, weights, values = leaf
        if self.boosts:
            return _Drawn(f"{values[0]:+.4g}\nhessian {weights[0]:.4g}", depth, "#d9e6f2")
        if self.forest.label_columns:
            labels = "\n".join(_terms.label_texts(self.forest, values))
            return _Drawn(f"{labels}\n{_rows(weights[0])}", depth, "#d9e6f2")
        if values is not None:
            mean = ", ".join(f"{value:.4g}" for value in values)
            return _Drawn(f"{mean}\n{_rows(weights[0])}", depth, "#d9e6f2")
        largest = int(np.argmax(weights))
        name = _terms.printable(self.forest.class_names[classes[largest]])
        share = weights[largest] / sum(weights)
        colour = _pale(_COLOURS[classes[largest] % len(_COLOURS)])
        text = name if share == 1 else f"{name} {share:.0%}"
        return _Drawn(f"{text}\n{_rows(sum(weights))}", depth, colour)


def plot_tree(forest: Any, tree: int = 0, *, max_depth: int | None = 3, ax=None):
    """Draw a tree.

    Rows for which the condition of a split holds go left; ``export_text`` explains its words. A
    leaf of a boosted model shows what it adds to the score, and its sum of hessians.

    Parameters
    ----------
    forest : SporfClassifier, SporfRegressor or a boosted model
        Fitted.
    tree : int, default=0
        Which of its trees.
    max_depth : int or None, default=3
        Deeper nodes are shown as "..."; None for the whole tree.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> import sporf
    >>> X, y = sporf.simulate("orthant", 400, 3, random_state=1)
    >>> forest = sporf.SporfClassifier(n_estimators=3, random_state=1).fit(X, y)
    >>> ax = sporf.plot_tree(forest, max_depth=2)
    """
    check_is_fitted(forest)
    if not 0 <= tree < forest.n_trees_:
        raise ValueError(f"tree must be from 0 to {forest.n_trees_ - 1}, got {tree}")
    root = _TreePicture(forest, tree, max_depth).read()
    width = root.stand(0)
    nodes = list(root.all())
    deepest = max(node.depth for node in nodes)
    ax = _axes(ax, figsize=(max(4, 1.9 * width), 1.5 * deepest + 1.4))
    for node in nodes:
        for child, side in zip(node.children, ("yes", "no"), strict=False):
            ax.plot(
                (node.place, child.place),
                (-node.depth, -child.depth),
                color="#888888",
                lw=1,
                zorder=1,
            )
            if node is root:
                middle = (node.place + child.place) / 2
                ax.text(
                    middle,
                    -0.5,
                    side,
                    ha="center",
                    va="center",
                    fontsize=8,
                    backgroundcolor="white",
                )
        box = {"boxstyle": "round,pad=0.35", "facecolor": node.colour, "edgecolor": "#666666"}
        ax.text(
            node.place,
            -node.depth,
            node.text,
            ha="center",
            va="center",
            fontsize=8,
            bbox=box,
            zorder=2,
        )
    ax.set(xlim=(-0.7, width - 0.3), ylim=(-deepest - 0.6, 0.6))
    ax.set_axis_off()
    return ax


# ---- importances and errors ------------------------------------------------------------------


def plot_importance(forest: Any, n: int = 20, *, kind: str = "features", ax=None):
    """Draw the most important features, or projections.

    Parameters
    ----------
    forest : SporfClassifier, SporfRegressor or a boosted model
        Fitted.
    n : int, default=20
        How many to show.
    kind : {"features", "projections"}, default="features"
        What to rank.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> import sporf
    >>> X, y = sporf.simulate("trunk", 400, 10, random_state=1)
    >>> forest = sporf.SporfClassifier(n_estimators=20, random_state=1).fit(X, y)
    >>> ax = sporf.plot_importance(forest, 5)
    """
    check_is_fitted(forest)
    n = int(whole("n", n, 1))
    if kind == "features":
        shares = forest.feature_importances_
        order = np.argsort(-shares, kind="stable")[:n]
        names = [_terms.feature_name(forest._forest, int(j)) for j in order]
        values = shares[order]
    elif kind == "projections":
        ranked = _terms.ranking(forest._forest, n)
        names, values = [_cut(r.text) for r in ranked], np.array([r.importance for r in ranked])
    else:
        raise ValueError(f"kind must be 'features' or 'projections', got {kind!r}")
    longest = max((len(name) for name in names), default=0)
    ax = _axes(ax, figsize=(4.4 + 0.085 * longest, 0.28 * len(names) + 1.2))
    ax.barh(range(len(names)), values, color=_COLOURS[0])
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()
    ax.set_xlabel("share of the total decrease in impurity")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _cut(text, most=70):
    return text if len(text) <= most else text[: most - 3] + "..."


def plot_oob(forest: Any, *, label: str | None = None, ax=None):
    """Draw the out-of-bag error against the number of trees.

    Parameters
    ----------
    forest : SporfClassifier or SporfRegressor
        A fitted forest, trained with a bootstrap.
    label : str, optional
        Its name in the legend, for several forests in one plot.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> import sporf
    >>> X, y = sporf.simulate("sparse-parity", 1000, random_state=1)
    >>> forest = sporf.SporfClassifier(n_estimators=30, random_state=1).fit(X, y)
    >>> ax = sporf.plot_oob(forest)
    """
    curve = forest.oob_curve_
    ax = _axes(ax)
    colour = _COLOURS[len(ax.lines) % len(_COLOURS)]
    ax.plot(np.arange(1, len(curve) + 1), curve, label=label, color=colour)
    ax.set_xlabel("trees")
    ax.set_ylabel("out-of-bag " + ("RMSE" if forest._predicts_numbers else "error"))
    ax.spines[["top", "right"]].set_visible(False)
    if label:
        ax.legend(frameon=False)
    return ax


def plot_boundary(forest: Any, X, y=None, *, features=(0, 1), steps: int = 200, ax=None):
    """Draw the decision boundaries of a forest over two features.

    All other features stay at their medians.

    Parameters
    ----------
    forest : SporfClassifier
        A fitted forest.
    X : array of shape (n_samples, n_features)
        Rows that set the limits of the plot; drawn as points if y is given.
    y : array of shape (n_samples,), optional
        Their classes.
    features : pair of int or str, default=(0, 1)
        The features on the horizontal and vertical axis: indices, or names if X has them.
    steps : int, default=200
        Points of the grid in each direction.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> import sporf
    >>> X, y = make_moons(200, noise=0.2, random_state=1)
    >>> forest = sporf.SporfClassifier(random_state=1).fit(X, y)
    >>> ax = sporf.plot_boundary(forest, X, y, steps=20)
    """
    check_is_fitted(forest)
    if getattr(forest, "n_outputs_", 1) > 1 and hasattr(forest, "classes_"):
        raise ValueError("plot_boundary is for one label, but the forest predicts several")
    if not hasattr(forest, "classes_"):
        raise ValueError(
            "plot_boundary is for classification; for regression see PartialDependenceDisplay"
        )
    names = list(getattr(X, "columns", ()))
    values = np.asarray(X, dtype=float)
    if y is not None and len(y) != len(values):
        raise ValueError(
            f"y has {len(y)} labels, but X has {len(values)} rows; name the two features with "
            "features=, as in plot_boundary(forest, X, y, features=(0, 1))"
        )
    right, up = _two_features(features, names, values.shape[1])
    edges = [_reach(values[:, right], steps), _reach(values[:, up], steps)]
    across, upwards = np.meshgrid(*edges)
    rows = np.tile(np.nanmedian(values, axis=0), (steps * steps, 1))
    rows[:, right], rows[:, up] = across.ravel(), upwards.ravel()
    grid = type(X)(rows, columns=names) if is_frame(X) else rows
    index = np.searchsorted(forest.classes_, forest.predict(grid)).reshape(across.shape)
    ax = _axes(ax)
    from matplotlib.colors import ListedColormap

    colours = [_COLOURS[k % len(_COLOURS)] for k in range(len(forest.classes_))]
    ax.imshow(
        index,
        origin="lower",
        aspect="auto",
        extent=(edges[0][0], edges[0][-1], edges[1][0], edges[1][-1]),
        alpha=0.35,
        cmap=ListedColormap(colours),
        vmin=-0.5,
        vmax=len(colours) - 0.5,
        interpolation="nearest",
    )
    for k, name in enumerate(forest.classes_ if y is not None else ()):
        own = np.asarray(y) == name
        ax.scatter(
            values[own, right],
            values[own, up],
            s=8,
            color=colours[k],
            label=_terms.printable(str(name)),
        )
    if y is not None:
        ax.legend(frameon=True, fontsize=8)
    ax.set_xlabel(_terms.feature_name(forest._forest, right))
    ax.set_ylabel(_terms.feature_name(forest._forest, up))
    return ax


def _two_features(features, names, count):
    """The columns of two features, which are indices or names."""
    if isinstance(features, str) or len(features) != 2:
        raise ValueError(f"features must be two indices or names, got {features!r}")
    for feature in features:
        if isinstance(feature, str) and feature not in names:
            raise ValueError(f"features: X has no column {feature!r}")
        if not isinstance(feature, str) and not 0 <= feature < count:
            raise ValueError(f"features must be from 0 to {count - 1}, got {feature!r}")
    return [names.index(f) if isinstance(f, str) else f for f in features]


def _reach(values, steps):
    least, most = np.nanmin(values), np.nanmax(values)
    margin = 0.05 * (most - least)
    return np.linspace(least - margin, most + margin, steps)


# ---- dependence on features ------------------------------------------------------------------


def _find_dependence(forest, X, features, kind, resolution, how):
    if kind == "ale":
        return forest.ale(X, features, bins=40 if resolution is None else resolution, **how)
    if kind == "individual" and how["sample"] is None:
        how = {**how, "sample": 200}
    return forest.partial_dependence(X, features, kind=kind, grid_resolution=resolution, **how)


def _chosen_outputs(forest, count, target):
    """Which outputs to draw, and their names."""
    if not hasattr(forest, "classes_"):
        names = [f"target {k}" for k in range(count)] if count > 1 else ["prediction"]
        known = list(range(count))
    else:
        columns = forest._forest.label_columns
        known = [f"{name}={label}" for name, labels in columns for label in labels]
        known = known or list(forest.classes_)
        names = [_terms.printable(str(name)) for name in known]
    if target is not None and target not in known:
        raise ValueError(f"target must be one of {known}, got {target!r}")
    if target is not None:
        chosen = [known.index(target)]
    elif hasattr(forest, "classes_") and count == 2:
        chosen = [1]
    else:
        chosen = list(range(count))
    return {k: names[k] for k in chosen}


def _output_text(forest, names, kind):
    if hasattr(forest, "classes_"):
        text = f"probability of {names[0]}" if len(names) == 1 else "probability"
    else:
        text = names[0] if len(names) == 1 else "prediction"
    return f"effect on the {text}" if kind == "ale" else text


def _places(forest, found, which):
    """Where the values of a feature stand, the names of its levels, whether they are ordered."""
    values, levels = found.grid_values[which], forest._forest.levels.get(found.features[which])
    if levels is None:
        return values, None, True
    names = [_cut(_terms.printable(levels[1][int(v)]), 20) for v in values]
    return np.arange(len(values)), names, levels[0] != "category"


def _draw_bars(ax, places, found, outputs):
    width = 0.8 / len(outputs)
    for i, (k, name) in enumerate(outputs.items()):
        middle = places + (i - (len(outputs) - 1) / 2) * width
        own = _COLOURS[i % len(_COLOURS)]
        colour = own if found.individual is None else _pale(own)
        ax.bar(middle, found.average[k], 0.92 * width, label=name, color=colour, zorder=1)
        if found.individual is not None:
            rows = found.individual[k]
            spread = np.linspace(-0.35, 0.35, len(rows))[:, None] * width
            ax.scatter(middle + spread, rows, s=3, color="#333333", alpha=0.35, lw=0, zorder=2)


def _draw_lines(ax, places, found, outputs):
    for i, (k, name) in enumerate(outputs.items()):
        colour = _COLOURS[i % len(_COLOURS)]
        if found.individual is not None:
            light = min(0.5, 15 / len(found.rows))
            ax.plot(places, found.individual[k].T, color=colour, lw=0.6, alpha=light, zorder=1)
        dots = "o" if len(places) < 10 else None
        ax.plot(places, found.average[k], color=colour, lw=2.4, marker=dots, label=name, zorder=2)


def _draw_grid(ax, places, found, output):
    mean = found.average[output].T
    mesh = ax.pcolormesh(*places, mean, shading="nearest", cmap="viridis", rasterized=True)
    return ax.figure.colorbar(mesh, ax=ax)


def _label(axis, name, places, names):
    axis.set_label_text(name)
    if names is not None:
        axis.set_ticks(places, names)


def plot_dependence(
    forest: Any,
    X,
    features,
    *,
    kind: str = "average",
    target: Any = None,
    grid_resolution: int | None = None,
    sample: int | None = None,
    random_state: Any = 0,
    ax=None,
):
    """Draw how predictions change with one or two features.

    One feature gives lines, or bars for the levels of a category; two give a coloured grid.

    Parameters
    ----------
    forest : SporfClassifier, SporfRegressor or a boosted model
        Fitted.
    X : array, DataFrame or Arrow table of shape (n_samples, n_features)
        Rows to average over.
    features : int, str, or a list of one or two of these
        Indices or names.
    kind : {"average", "individual", "ale"}, default="average"
        "average" draws the partial dependence, "individual" also the curves of the single rows,
        lighter. "ale" draws accumulated local effects of one feature, for correlated features.
    target : class label or int, optional
        The class, or the index of the target, to draw. By default all of them, but of two classes
        the second.
    grid_resolution : int, optional
        Values of each feature, or bins of "ale".
    sample : int, optional
        The most rows to use, drawn by chance; None for all, or 200 for "individual".
    random_state : int, RandomState instance or None, default=0
        Seed of this draw.
    ax : matplotlib Axes, optional
        Where to draw; a new figure if None.

    Returns
    -------
    ax : matplotlib Axes

    Examples
    --------
    >>> import sporf
    >>> X, y = sporf.simulate("friedman1", 200, random_state=1)
    >>> forest = sporf.SporfRegressor(n_estimators=20, random_state=1).fit(X, y)
    >>> ax = sporf.plot_dependence(forest, X, 3, kind="individual", sample=50)
    """
    check_is_fitted(forest)
    choice("kind", kind, ("average", "individual", "ale"))
    how = {"sample": sample, "random_state": random_state}
    found = _find_dependence(forest, X, features, kind, grid_resolution, how)
    outputs = _chosen_outputs(forest, len(found.average), target)
    text = _output_text(forest, list(outputs.values()), kind)
    axes = [_places(forest, found, i) for i in range(len(found.features))]
    if len(axes) == 2 and (len(outputs) > 1 or kind == "individual"):
        raise ValueError(
            "two features have one grid, of means: "
            + ("name a target" if len(outputs) > 1 else 'use kind="average"')
        )
    ax = _axes(ax, figsize=(5.2, 3.8))
    places, names, ordered = axes[0]
    _label(ax.xaxis, found.names[0], places, names)
    if len(axes) == 2:
        _label(ax.yaxis, found.names[1], *axes[1][:2])
        bar = _draw_grid(ax, (places, axes[1][0]), found, next(iter(outputs)))
        bar.set_label(text)
        return ax
    (_draw_lines if ordered else _draw_bars)(ax, places, found, outputs)
    ax.set_ylabel(text)
    ax.spines[["top", "right"]].set_visible(False)
    if len(outputs) > 1:
        ax.legend(frameon=False, fontsize=8)
    return ax
