"""The ten most important projections of RF and SPORF on Trunk, and what each could do alone (the
paper's figure 4)."""

import numpy as np

import protocol
import simulated
import style
from measures import trunk_bayes_error
from seeds import seed_of
from work import finish

METHODS = ("sporf", "rf")
P, TOP = 10, 10
FEATURES = {"sporf": P // 2, "rf": 1}  # lambda = 1/2


def units(mode) -> list[dict]:
    n = mode.pick(smoke=50, quick=1000, full=1000)
    return [{"n": n, "p": P, "method": method, "trees": mode.trees} for method in METHODS]


def do(unit: dict) -> dict:
    """The most important projections of the forest whose d is the best out of bag."""
    X, y = simulated.sample("trunk", unit["n"], unit["p"], "importance")
    seed = seed_of(*unit.values())
    settings = [
        {"method": unit["method"], "d": d, "nonzeros": FEATURES[unit["method"]]}
        for d in protocol.candidates(unit["method"], unit["p"])
    ]
    best, model = protocol.best_forest(X, y, seed, unit["trees"], settings)
    ranked = model.projection_importances(TOP)
    return {
        "d": best["d"],
        "importances": [float(projection.importance) for projection in ranked],
        "weights": [dense(projection, unit["p"]) for projection in ranked],
    }


def dense(projection, p: int) -> list[float]:
    weights = np.zeros(p)
    weights[list(projection.features)] = projection.weights
    return weights.tolist()


def run(context) -> None:
    store = context.store("importance_trunk.jsonl")
    lines = finish(context, store, units(context.mode), do)
    rows = [
        {"method": line["method"], "rank": rank, "share": importance,
         "importance": importance / line["importances"][0],
         "bayes_error": float(trunk_bayes_error(np.array(weights), P)),
         "features": np.count_nonzero(weights),
         "weights": " ".join(f"{weight:+.0f}" for weight in weights)}
        for line in lines
        for rank, (importance, weights) in enumerate(
            zip(line["importances"], line["weights"], strict=True), 1)
    ]  # fmt: skip
    context.table(rows)
    draw(context, rows, {line["method"]: line["weights"] for line in lines})


def draw(context, rows, weights) -> None:
    figure, axes = style.panels(
        "Top projections of SPORF", "Top features of RF", "Gini importance", "Bayes error", rows=2
    )
    for axis, method in zip(axes, METHODS, strict=False):
        axis.imshow(np.array(weights[method]).T, cmap="PuOr", vmin=-1, vmax=1, aspect="auto")
        axis.set(xlabel="rank of the projection", ylabel="feature")
        axis.set_xticks(range(TOP), range(1, TOP + 1))
        axis.set_yticks(range(P), range(1, P + 1))
        axis.grid(False)
    for axis, name in zip(axes[2:], ("importance", "bayes_error"), strict=True):
        for method in METHODS:
            mine = [row for row in rows if row["method"] == method]
            style.ours(axis, method, [r["rank"] for r in mine], [r[name] for r in mine])
        axis.set(xlabel="rank of the projection", ylim=(0, None), xticks=range(1, TOP + 1))
    axes[2].set_ylabel("importance, first of the method = 1")
    axes[3].set_ylabel("Bayes error of the projection alone")
    style.explain(axes[2], theirs=False)
    context.picture(figure)
