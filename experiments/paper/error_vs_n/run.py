"""Error against the number of training rows on sparse parity and orthant (the paper's figure 2),
and on Trunk, whose errors the authors stored beside them."""

import authors
import simulated
import style
from methods import FORESTS
from stats import mean, standard_error

PROBLEMS = {"sparse-parity": 20, "orthant": 6, "trunk": 10}
METHODS = {"sparse-parity": FORESTS, "orthant": FORESTS, "trunk": ("rf", "sporf", "frc")}


def sizes(mode) -> dict:
    return mode.pick(
        smoke={"sparse-parity": [50], "orthant": [50], "trunk": [10]},
        quick={"sparse-parity": [1000, 5000], "orthant": [400, 2000], "trunk": [10, 100]},
        full={"sparse-parity": [1000, 5000, 10000], "orthant": [400, 2000, 4000],
              "trunk": [10, 100, 1000, 10000]},
    )  # fmt: skip


def units(mode) -> list[dict]:
    return [
        unit
        for problem, ns in sizes(mode).items()
        for unit in simulated.units(mode, problem, PROBLEMS[problem], ns, METHODS[problem])
    ]


def summary(tuned: dict[tuple, list[dict]]) -> list[dict]:
    """Mean error of the chosen settings, beside the authors'."""
    rows = []
    for (problem, n, method), chosen in tuned.items():
        errors = [line["test_error"] for line in chosen]
        theirs = authors.simulated(problem).get((method, PROBLEMS[problem], n))
        sem = authors.simulated(problem, "sem").get((method, PROBLEMS[problem], n))
        rows.append(
            {"problem": problem, "n": n, "method": method, "trials": len(errors),
             "error": mean(errors), "standard_error": standard_error(errors),
             "authors": theirs, "authors_standard_error": sem}
        )  # fmt: skip
    return rows


def run(context) -> None:
    rows = summary(simulated.tuned(context, units(context.mode), "problem", "n", "method"))
    context.table(rows)
    figure, axes = style.panels("Sparse parity, p = 20", "Orthant, p = 6", "Trunk, p = 10")
    for axis, problem in zip(axes, PROBLEMS, strict=True):
        draw(axis, [row for row in rows if row["problem"] == problem])
    style.explain(axes[0])
    context.picture(figure)


def draw(axis, rows: list[dict]) -> None:
    for method in sorted({row["method"] for row in rows}, key=simulated.method_order):
        mine = [row for row in rows if row["method"] == method]
        n, error = [row["n"] for row in mine], [row["error"] for row in mine]
        style.ours(axis, method, n, error, [row["standard_error"] for row in mine])
        known = [row for row in mine if row["authors"] is not None]
        style.authors(axis, method, [row["n"] for row in known], [row["authors"] for row in known])
    style.numbers(axis, sorted({row["n"] for row in rows}))
    axis.set(xlabel="training rows n", ylabel="test error", ylim=(0, None))
