"""Error against the features in a candidate, for SPORF and F-RC (the paper's figure 3)."""

import authors
import simulated
import style
from stats import mean, standard_error

METHODS = ("sporf", "frc")
TITLES = {"sparse-parity": "Sparse parity, p = 20", "orthant": "Orthant, p = 6"}


def places(mode) -> dict:
    """For each problem p and n."""
    return mode.pick(
        smoke={"sparse-parity": (20, 50), "orthant": (6, 50)},
        quick={"sparse-parity": (20, 5000), "orthant": (6, 400)},
        full={"sparse-parity": (20, 5000), "orthant": (6, 400)},
    )


def units(mode) -> list[dict]:
    return [
        unit
        for problem, (p, n) in places(mode).items()
        for unit in simulated.units(mode, problem, p, [n], METHODS)
    ]


def summary(tuned: dict[tuple, list[dict]]) -> list[dict]:
    """d is chosen by out-of-bag error for each number of features."""
    rows = []
    for (problem, n, method, nonzeros), chosen in tuned.items():
        errors = [line["test_error"] for line in chosen]
        rows.append(
            {"problem": problem, "n": n, "method": method, "features": nonzeros,
             "trials": len(errors), "error": mean(errors),
             "standard_error": standard_error(errors),
             "authors": authors.LAMBDA[problem][method].get(nonzeros)}
        )  # fmt: skip
    return sorted(rows, key=lambda row: (row["problem"], row["features"], row["method"]))


def run(context) -> None:
    names = "problem", "n", "method", "nonzeros"
    rows = summary(simulated.tuned(context, units(context.mode), *names))
    context.table(rows)
    figure, axes = style.panels(
        *[f"{TITLES[problem]}, n = {n:,}" for problem, (_, n) in places(context.mode).items()]
    )
    for axis, problem in zip(axes, places(context.mode), strict=True):
        for method in METHODS:
            mine = [r for r in rows if r["problem"] == problem and r["method"] == method]
            x = [row["features"] for row in mine]
            style.ours(axis, method, x, [row["error"] for row in mine],
                       [row["standard_error"] for row in mine])  # fmt: skip
            theirs = authors.LAMBDA[problem][method]
            style.authors(axis, method, list(theirs), list(theirs.values()))
        axis.set(xlabel="features in a candidate: lambda p, or L", ylabel="test error")
        axis.set(ylim=(0, None), xticks=range(1, 6))
    style.explain(axes[0])
    context.picture(figure)
