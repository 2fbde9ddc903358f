"""The default, which needs no tuning, beside SPORF tuned as in the paper, on the UCI sets. This is
not in the paper: features keep their own units, and nothing is given but the number of trees."""

import numpy as np

import authors
import benchmark
import protocol
import stats
import style
import uci.run as uci
from seeds import seed_of
from sporf import SporfClassifier
from work import finish

STORE = "untuned.jsonl"
# The default was chosen by the first, third, ... set in the order of names; how far the others were
# kept apart from that is in docs/decisions/0032.
HALVES = {
    "all": lambda place: True,
    "first half": lambda place: place % 2 == 0,
    "other half": lambda place: place % 2 == 1,
}


def units(mode) -> list[dict]:
    return [
        {"set": name, "fold": fold, "trees": mode.trees}
        for name in uci.sets(mode)
        for fold in range(1, benchmark.FOLDS + 1)
    ]


def do(unit: dict) -> dict:
    (X, y), (X_test, y_test) = benchmark.part(unit["set"], unit["fold"], scaled=False)
    seed = seed_of(unit["set"], unit["fold"])
    model = SporfClassifier(unit["trees"], random_state=seed).fit(X, y)
    return protocol.scores(y_test, model.predict(X_test)) | {
        "d": int(model.settings_["projections"]),
        "nonzeros": model.settings_["density"],
        "min_leaf": int(model.settings_["min-leaf"]),
    }


def cost(unit: dict) -> float:
    return float(benchmark.size(unit["set"]))


def errors(lines: list[dict]) -> dict[str, float]:
    """The mean error of each set that is finished."""
    folds: dict[str, list[float]] = {}
    for line in lines:
        folds.setdefault(line["set"], []).append(line["test_error"])
    return {name: stats.mean(x) for name, x in folds.items() if len(x) == benchmark.FOLDS}


def rows_of(mode, untuned: dict[str, float], tuned: dict[tuple, list[dict]]) -> list[dict]:
    """One for each set that is finished both ways."""
    theirs = authors.uci_errors()
    return [
        {"set": name, "untuned": untuned[name], "tuned": uci.errors(tuned[name, "sporf"])[0],
         "authors": theirs.get((name, "sporf"))}
        for name in sorted(uci.sets(mode))
        if name in untuned and (name, "sporf") in tuned
    ]  # fmt: skip


def summary(rows: list[dict], every: list[str]) -> list[dict]:
    table = []
    for half, belongs in HALVES.items():
        mine = [row for row in rows if belongs(every.index(row["set"]))]
        known = [row for row in mine if row["authors"] is not None]
        if not mine:
            continue
        untuned, tuned = (np.array([row[name] for row in mine]) for name in ("untuned", "tuned"))
        table.append(
            {"half": half, "sets": len(mine), "untuned": stats.mean(untuned),
             "tuned": stats.mean(tuned), "difference": stats.mean(untuned - tuned),
             "standard_error": stats.standard_error(untuned - tuned),
             "wins_ties_losses": "/".join(map(str, stats.wins(untuned, tuned))),
             "authors_sets": len(known),
             "untuned_there": uci.mean_of(np.array([row["untuned"] for row in known])),
             "authors": uci.mean_of(np.array([row["authors"] for row in known]))}
        )  # fmt: skip
    return table


def run(context) -> None:
    mode = context.mode
    lines = finish(context, context.store(STORE), units(mode), do, cost)
    tuned = benchmark.tuned(context, benchmark.units(mode, uci.sets(mode), ["sporf"]))
    rows = rows_of(mode, errors(lines), tuned)
    context.table(rows, "sets")
    context.table(summary(rows, sorted(benchmark.names())))
    draw(context, rows)


def draw(context, rows: list[dict]) -> None:
    figure, (axis,) = style.panels(f"{len(rows)} UCI sets", width=4.2, height=4.0)
    largest = max(max(row["untuned"], row["tuned"]) for row in rows)
    axis.plot([0, largest], [0, largest], color="black", linewidth=0.8)
    style.points(axis, "sporf", [r["tuned"] for r in rows], [r["untuned"] for r in rows])
    axis.set(xlabel="error of SPORF, tuned for each fold", ylabel="error of the default")
    context.picture(figure)
