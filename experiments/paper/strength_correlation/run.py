"""Strength and correlation of the trees of RF, SPORF and F-RC on four simulated settings (the
paper's figure in the appendix), by Breiman's definitions, out of bag."""

import tempfile
from pathlib import Path

import numpy as np

import authors
import command
import protocol
import simulated
import style
from methods import fit
from seeds import seed_of
from stats import mean, standard_error
from work import finish

METHODS = ("rf", "sporf", "frc")
TITLES = {
    ("sparse-parity", 10, 1000): "Sparse parity, p = 10, n = 1,000",
    ("orthant", 6, 400): "Orthant, p = 6, n = 400",
    ("trunk", 10, 10): "Trunk, p = 10, n = 10",
    ("trunk", 10, 100): "Trunk, p = 10, n = 100",
}


def places(mode) -> list[tuple]:
    return mode.pick(smoke=[("trunk", 10, 100)], quick=list(TITLES), full=list(TITLES))


def tuned(context) -> list[dict]:
    """One unit for each trial and method, with the setting that tuning takes."""
    wanted = [
        unit
        for problem, p, n in places(context.mode)
        for unit in simulated.units(context.mode, problem, p, [n], METHODS)
    ]
    groups = simulated.tuned(context, wanted, "problem", "p", "n", "method")
    names = ("problem", "p", "n", "trial", "method", "d", "nonzeros", "trees")
    return [{name: x[name] for name in names} for chosen in groups.values() for x in chosen]


def do(unit: dict) -> dict:
    """Grows the forest again and asks the command."""
    (X, y), _ = simulated.problem_rows(unit, 1)
    model, _ = fit(X, y, seed=seed_of(*unit.values()), **protocol.settings(unit))
    with tempfile.TemporaryDirectory() as folder:
        data, saved = Path(folder) / "rows.csv", Path(folder) / "forest.sporf"
        rows = np.column_stack([X.astype(object), y.astype(object)])
        np.savetxt(data, rows, fmt="%s", delimiter=",")
        model.save(saved)
        answer = command.ask("strength", "--model", saved, "--data", data, "--header", "no",
                             "--label", "last")  # fmt: skip
    return {"strength": answer["strength"], "correlation": answer["correlation"]}


def with_correlation(lines: list[dict]) -> list[dict]:
    """Where every tree is right about every row, trees have none."""
    return [line for line in lines if line["correlation"] is not None]


def summary(lines: list[dict]) -> list[dict]:
    rows = []
    for problem, p, n in TITLES:
        for method in METHODS:
            mine = [x for x in lines if (x["problem"], x["p"], x["n"]) == (problem, p, n)]
            mine = [x for x in mine if x["method"] == method]
            if not mine:
                continue
            row = {"problem": problem, "p": p, "n": n, "method": method, "trials": len(mine)}
            for name, column in (("strength", "strength"), ("correlation", "corr")):
                values = [line[name] for line in mine]
                theirs = authors.simulated(problem, column).get((method, p, n))
                row |= {name: mean(values), f"{name} se": standard_error(values),
                        f"{name} authors": theirs}  # fmt: skip
            rows.append(row)
    return rows


def run(context) -> None:
    command.path()
    store = context.store("strength_correlation.jsonl")
    lines = with_correlation(finish(context, store, tuned(context), do))
    rows = summary(lines)
    context.table(rows)
    figure, axes = style.panels(*[TITLES[place] for place in places(context.mode)], width=3.0)
    for axis, (problem, p, n) in zip(axes, places(context.mode), strict=True):
        for method in METHODS:
            mine = [x for x in lines if (x["problem"], x["p"], x["n"]) == (problem, p, n)]
            mine = [x for x in mine if x["method"] == method]
            style.points(axis, method, [x["correlation"] for x in mine],
                         [x["strength"] for x in mine])  # fmt: skip
        axis.set(xlabel="correlation of trees", ylabel="strength of trees")
    style.explain(axes[0], theirs=False)
    context.picture(figure)
