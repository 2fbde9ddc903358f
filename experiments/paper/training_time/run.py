"""Training time against n, time and error against d, on sparse parity (the paper's figure 8)."""

import authors
import simulated
import style
from stats import mean, standard_error

METHODS = ("rf", "sporf", "frc")
FEATURES = {"rf": 1, "sporf": 2, "frc": 2}  # as in the authors' curve of error against d


def sizes(mode) -> list[int]:
    return mode.pick(smoke=[50], quick=[1000, 5000], full=[1000, 5000, 10000])


def size_for_d(mode) -> int:
    return mode.pick(smoke=50, quick=5000, full=5000)


def units(mode) -> list[dict]:
    return simulated.units(mode, "sparse-parity", 20, sizes(mode), METHODS)


def by_n(tuned: dict[tuple, list[dict]]) -> list[dict]:
    """Seconds of the chosen settings."""
    theirs = authors.simulated("sparse-parity", "train_s")
    rows = []
    for (n, method), chosen in tuned.items():
        seconds = [line["seconds"] for line in chosen]
        rows.append({"panel": "time by n", "method": method, "n": n, "d": None,
                     "value": mean(seconds), "standard_error": standard_error(seconds),
                     "authors": theirs.get((method, 20, n))})  # fmt: skip
    return rows


def at_each_d(mode, n: int) -> list[dict]:
    return [
        unit
        for unit in simulated.units(mode, "sparse-parity", 20, [n], METHODS)
        if unit["nonzeros"] == FEATURES[unit["method"]]
    ]


def by_d(grown: dict[tuple, list[dict]], n: int) -> list[dict]:
    """Seconds and errors for each d."""
    rows = []
    for panel, name in (("time by d", "seconds"), ("error by d", "test_error")):
        for (method, d), lines in grown.items():
            values = [line[name] for line in lines]
            theirs = authors.ERROR_BY_D.get(method, {}) if panel == "error by d" else {}
            rows.append({"panel": panel, "method": method, "n": n, "d": d,
                         "value": mean(values), "standard_error": standard_error(values),
                         "authors": theirs.get(d)})  # fmt: skip
    return rows


def run(context) -> None:
    n = size_for_d(context.mode)
    tuned = simulated.tuned(context, units(context.mode), "n", "method")
    grown = simulated.tuned(context, at_each_d(context.mode, n), "method", "d")
    rows = by_n(tuned) + by_d(grown, n)
    context.table(rows)
    figure, axes = style.panels(
        "Tuned forests", f"Time against d, n = {n:,}", f"Error against d, n = {n:,}"
    )
    seconds = "training time (s, one core)"
    draw(axes[0], rows, "time by n", "n", "training rows n", seconds)
    draw(axes[1], rows, "time by d", "d", "candidates d in a node", seconds)
    draw(axes[2], rows, "error by d", "d", "candidates d in a node", "test error")
    for axis in axes[:2]:
        axis.set_yscale("log")
    style.explain(axes[0])
    context.picture(figure)


def draw(axis, rows, panel: str, name: str, label: str, value: str) -> None:
    for method in METHODS:
        mine = [row for row in rows if row["panel"] == panel and row["method"] == method]
        x = [row[name] for row in mine]
        style.ours(axis, method, x, [row["value"] for row in mine],
                   [row["standard_error"] for row in mine])  # fmt: skip
        known = [row for row in mine if row["authors"] is not None]
        style.authors(axis, method, [row[name] for row in known], [r["authors"] for r in known])
    style.numbers(axis, sorted({row[name] for row in rows if row["panel"] == panel}))
    axis.set(xlabel=label, ylabel=value)
