"""Error against the number of training rows where random forests are inconsistent (the paper's
figure 1): with trees of depth log2(n), as the authors' were, with fully grown ones, and of single
trees, which is what the authors' values look like."""

import math
from functools import partial

import authors
import style
from methods import FORESTS, NAMES, fit, predict
from seeds import seed_of
from simulated import problem_rows
from stats import mean, standard_error
from work import finish

LOWER_BOUND = 1 / 6
KINDS = {
    "log2": "Forests, depth log2(n)",
    "full": "Forests, fully grown",
    "one": "One tree, depth log2(n)",
}


def sizes(mode, kind: str) -> list[int]:
    """The largest one of single trees only in the quick version."""
    every = [100, 1000, 5000, 10000]
    return mode.pick(smoke=[50], quick=every if kind == "one" else every[:-1], full=every)


def units(mode) -> list[dict]:
    """d = 2 candidates, one feature in each on average (two in each of F-RC)."""
    return [
        {"problem": "consistency", "p": 2, "n": n, "trial": trial, "method": method, "d": 2,
         "nonzeros": 2 if method == "frc" else 1, "depth": "full" if kind == "full" else "log2",
         "trees": 1 if kind == "one" else mode.trees, "kind": kind}
        for kind in KINDS
        for trial in range(10 * mode.trials if kind == "one" else mode.trials)
        for n in sizes(mode, kind)
        for method in FORESTS
    ]  # fmt: skip


def do(test_rows: int, unit: dict) -> dict:
    train, (X_test, y_test) = problem_rows(unit, test_rows)
    settings = {name: unit[name] for name in ("method", "d", "nonzeros", "trees")}
    if unit["depth"] == "log2":
        settings["max_depth"] = math.ceil(math.log2(unit["n"]))
    seed = seed_of(*unit.values())
    model, seconds = fit(*train, seed=seed, **settings)
    error = float((predict(model, X_test, seed) != y_test).mean())
    return {"test_error": error, "seconds": seconds}


def summary(lines: list[dict]) -> list[dict]:
    rows = []
    keys = {(line["kind"], line["n"], line["method"]): None for line in lines}
    for kind, n, method in keys:
        errors = [
            line["test_error"]
            for line in lines
            if (line["kind"], line["n"], line["method"]) == (kind, n, method)
        ]
        theirs = authors.CONSISTENCY.get(method, {}).get(n) if kind != "full" else None
        rows.append(
            {"kind": kind, "n": n, "method": method, "trials": len(errors),
             "error": mean(errors), "standard_error": standard_error(errors), "authors": theirs}
        )  # fmt: skip
    return rows


def run(context) -> None:
    task = partial(do, context.mode.test_rows)
    lines = finish(context, context.store("consistency.jsonl"), units(context.mode), task,
                   lambda unit: unit["n"])  # fmt: skip
    rows = summary(lines)
    context.table(rows)
    figure, axes = style.panels(*KINDS.values())
    for axis, kind in zip(axes, KINDS, strict=True):
        draw(axis, [row for row in rows if row["kind"] == kind])
    style.explain(axes[1])
    context.picture(figure)


def draw(axis, rows: list[dict]) -> None:
    for method in NAMES:
        mine = [row for row in rows if row["method"] == method]
        if not mine:
            continue
        n, error = [row["n"] for row in mine], [row["error"] for row in mine]
        style.ours(axis, method, n, error, [row["standard_error"] for row in mine])
        known = [row for row in mine if row["authors"] is not None]
        style.authors(axis, method, [row["n"] for row in known], [row["authors"] for row in known])
    axis.axhline(LOWER_BOUND, color="black", linestyle=":", linewidth=1)
    axis.annotate("1/6", (1.01, LOWER_BOUND), xycoords=axis.get_yaxis_transform(), va="center",
                  fontsize=8, annotation_clip=False)  # fmt: skip
    style.numbers(axis, sorted({row["n"] for row in rows}))
    axis.set(xlabel="training rows n", ylabel="test error", ylim=(0, None))
