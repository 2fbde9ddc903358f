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
# kept apart from that is in docs/decisions/0032. A row of the smallest sets counts as much as a
# hundred of others.
GROUPS = {
    "all": lambda row: True,
    "first half": lambda row: row["half"] == "first",
    "other half": lambda row: row["half"] == "other",
    "100 rows or more": lambda row: row["n"] >= 100,
    "of these, other half": lambda row: row["n"] >= 100 and row["half"] == "other",
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
    half = {name: ("first", "other")[i % 2] for i, name in enumerate(sorted(benchmark.names()))}
    return [
        {"set": name, "n": len(benchmark.raw(name)[1]), "half": half[name],
         "untuned": untuned[name], "tuned": uci.errors(tuned[name, "sporf"])[0],
         "authors": theirs.get((name, "sporf"))}
        for name in sorted(uci.sets(mode))
        if name in untuned and (name, "sporf") in tuned
    ]  # fmt: skip


def summary(rows: list[dict]) -> list[dict]:
    """For each group of sets the default beside ours, tuned, and the authors'."""
    table = []
    for group, belongs in GROUPS.items():
        mine = [row for row in rows if belongs(row)]
        if not mine:
            continue
        row = {
            "group": group,
            "sets": len(mine),
            "untuned": stats.mean([x["untuned"] for x in mine]),
        }
        for name in ("tuned", "authors"):
            row |= comparison(name, [x for x in mine if x[name] is not None])
        table.append(row)
    return table


def comparison(name: str, rows: list[dict]) -> dict:
    """Beside those that are named: their mean, and the default less them over the same sets."""
    untuned, other = (np.array([row[x] for row in rows]) for x in ("untuned", name))
    return {
        f"{name}_sets": len(rows),
        name: stats.mean(other) if rows else None,
        f"{name}_difference": stats.mean(untuned - other) if rows else None,
        f"{name}_standard_error": stats.standard_error(untuned - other),
        f"{name}_wins_ties_losses": "/".join(map(str, stats.wins(untuned, other))),
    }


def run(context) -> None:
    mode = context.mode
    lines = finish(context, context.store(STORE), units(mode), do, cost)
    tuned = benchmark.tuned(context, benchmark.units(mode, uci.sets(mode), ["sporf"]))
    rows = rows_of(mode, errors(lines), tuned)
    context.table(rows, "sets")
    context.table(summary(rows))
    draw(context, rows)


def draw(context, rows: list[dict]) -> None:
    figure, (axis,) = style.panels(f"{len(rows)} UCI sets", width=4.2, height=4.0)
    largest = max(max(row["untuned"], row["tuned"]) for row in rows)
    axis.plot([0, largest], [0, largest], color="black", linewidth=0.8)
    style.points(axis, "sporf", [r["tuned"] for r in rows], [r["untuned"] for r in rows])
    axis.set(xlabel="error of SPORF, tuned for each fold", ylabel="error of the default")
    context.picture(figure)
