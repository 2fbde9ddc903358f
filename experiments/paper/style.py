"""One look for all pictures: a method has the same colour and mark everywhere, ours is filled and
drawn through, the authors' values are hollow and dashed."""

import matplotlib
import numpy as np

matplotlib.use("agg")
import matplotlib.pyplot as plt

from methods import NAMES

# Okabe and Ito's colours, which those who see fewer colours tell apart.
COLOURS = {
    "rf": "#0072B2",
    "sporf": "#D55E00",
    "frc": "#009E73",
    "ccf": "#CC79A7",
    "rr-rf": "#E69F00",
    "xgboost": "#555555",
}
MARKS = {"rf": "o", "sporf": "s", "frc": "^", "ccf": "D", "rr-rf": "v", "xgboost": "P"}

plt.rcParams.update(
    {
        "font.size": 9,
        "svg.fonttype": "none",
        "svg.hashsalt": "sporf",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.alpha": 0.3,
        "legend.frameon": False,
        "figure.constrained_layout.use": True,
    }
)


def panels(*titles: str, width: float = 3.4, height: float = 3.0, rows: int = 1):
    """A figure and its axes, one for each title."""
    columns = -(-len(titles) // rows)
    size = (width * columns, height * rows)
    figure, axes = plt.subplots(rows, columns, figsize=size, squeeze=False)
    for axis, title in zip(axes.flat, titles, strict=False):
        axis.set_title(title, loc="left", fontsize=9)
    return figure, list(axes.flat)[: len(titles)]


def ours(axis, method: str, x, y, error=None, label: str | None = None) -> None:
    """A line of ours, with standard errors where there are some."""
    error = None if error is None or np.all(np.isnan(error)) else np.nan_to_num(error)
    axis.errorbar(
        x, y, yerr=error, color=COLOURS[method], marker=MARKS[method], markersize=5,
        linewidth=1.4, capsize=2, label=label or NAMES[method],
    )  # fmt: skip


def points(axis, method: str, x, y) -> None:
    """A cloud of ours: one point for each trial."""
    axis.plot(x, y, MARKS[method], color=COLOURS[method], markersize=4, label=NAMES[method])


def authors(axis, method: str, x, y) -> None:
    """A line of the authors' values."""
    axis.plot(
        x, y, color=COLOURS[method], marker=MARKS[method], markersize=6, linewidth=1.0,
        linestyle="--", markerfacecolor="none",
    )  # fmt: skip


def swarm(axis, place: float, values, method: str, edge: float, bins: int = 40) -> None:
    """Points beside each other where they would cover each other; triangles at the edge for those
    beyond it."""
    values = np.asarray(values, dtype=float)
    inside = np.abs(values) <= edge
    bin_of = np.round(values / (2 * edge) * bins).astype(int)
    for one in np.unique(bin_of[inside]):
        row_of_marks(axis, place, np.sort(values[inside & (bin_of == one)]), method, ".", 5)
    for beyond, mark in ((values > edge, "^"), (values < -edge, "v")):
        at_edge = np.copysign(edge, values[beyond])
        row_of_marks(axis, place, at_edge, method, mark, 4)


def row_of_marks(axis, place: float, values, method: str, mark: str, size: float) -> None:
    width = 0.38
    step = min(0.09, 2 * width / max(1, len(values)))
    offsets = (np.arange(len(values)) - (len(values) - 1) / 2) * step
    axis.plot(place + offsets, values, mark, color=COLOURS[method], markersize=size)


def heat_map(axis, values, colours: str, text: str, **more) -> None:
    """A table as colours, each cell with its number, dark on light and light on dark."""
    image = axis.imshow(values, cmap=colours, aspect="auto", **more)
    for (i, j), value in np.ndenumerate(np.asarray(values)):
        red, green, blue, _ = image.cmap(image.norm(value))
        colour = "black" if 0.3 * red + 0.6 * green + 0.1 * blue > 0.5 else "white"
        axis.text(j, i, text.format(value), ha="center", va="center", color=colour, fontsize=7)
    axis.grid(False)


def explain(axis, theirs: bool = True) -> None:
    """The legend, below the pictures: methods by colour, ours and the authors' by line."""
    handles, labels = axis.get_legend_handles_labels()
    if theirs:
        handles += axis.plot([], [], "k-o", markersize=4)
        handles += axis.plot([], [], "k--o", markersize=5, markerfacecolor="none")
        labels += ["this program", "the authors"]
    axis.figure.legend(handles, labels, fontsize=7, ncols=8, loc="outside lower center")


def numbers(axis, values, which: str = "x") -> None:
    """A logarithmic axis whose ticks are the values themselves."""
    getattr(axis, f"set_{which}scale")("log")
    line = getattr(axis, f"{which}axis")
    line.set_major_locator(matplotlib.ticker.FixedLocator(list(values)))
    line.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:,.0f}"))
    line.set_minor_locator(matplotlib.ticker.NullLocator())
