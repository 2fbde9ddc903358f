"""Bias, variance, variance effect and error of RF, SPORF and F-RC on sparse parity (the paper's
last figure), by James' definitions."""

import base64
from functools import partial

import numpy as np

import authors
import protocol
import simulated
import style
from measures import decompose
from methods import predict
from seeds import seed_of
from work import finish

METHODS = ("rf", "sporf", "frc")
MEASURES = {
    "bias": "Bias",
    "variance": "Variance",
    "variance_effect": "Variance effect",
    "error": "Error",
}
P = 20
FEWER_TREES = {1e5: 100}  # beyond so many rows times candidates, where trees are saved


def sizes(mode) -> list[int]:
    return mode.pick(smoke=[50], quick=[500, 1000], full=[500, 1000, 3000, 5000])


def units(mode) -> list[dict]:
    repeats = mode.pick(smoke=2, quick=20, full=100)
    return [
        {"n": n, "method": method, "repeat": repeat,
         "trees": mode.trees_for(n * P * P, FEWER_TREES), "grid": mode.name}
        for repeat in range(repeats)
        for n in sizes(mode)
        for method in METHODS
    ]  # fmt: skip


def settings(unit: dict) -> list[dict]:
    """What is tuned over: the paper's grid; in other versions the largest d, which wins here."""
    every = protocol.grid(unit["method"], P)
    if unit["grid"] == "full":
        return every
    largest = max(setting["d"] for setting in every)
    wanted = (1,) if unit["method"] == "rf" else (2, 3)
    return [x for x in every if x["d"] == largest and x["nonzeros"] in wanted]


def do(test_rows: int, unit: dict) -> dict:
    """The predictions of the tuned forest, a bit for each of the test rows, which are always the
    same."""
    X, y = simulated.sample("sparse-parity", unit["n"], P, "bias", unit["n"], unit["repeat"])
    X_test, _ = test_sample(test_rows)
    seed = seed_of(*unit.values())
    tried = [{"method": unit["method"], **setting} for setting in settings(unit)]
    _, model = protocol.best_forest(X, y, seed, unit["trees"], tried)
    bits = np.packbits(predict(model, X_test, seed).astype(bool))
    return {"predictions": base64.b64encode(bits.tobytes()).decode(), "rows": test_rows}


def test_sample(rows: int):
    return simulated.sample("sparse-parity", rows, P, "bias", "test")


def unpack(line: dict) -> np.ndarray:
    bits = np.frombuffer(base64.b64decode(line["predictions"]), np.uint8)
    return np.unpackbits(bits)[: line["rows"]].astype(int)


def run(context) -> None:
    task = partial(do, context.mode.test_rows)
    store = context.store("bias_variance.jsonl")
    lines = finish(context, store, units(context.mode), task, lambda unit: unit["n"] * (
        1 if unit["method"] == "rf" else 20))  # fmt: skip
    _, truth = test_sample(context.mode.test_rows)
    rows = []
    for n in sizes(context.mode):
        for method in METHODS:
            mine = [unpack(x) for x in lines if (x["n"], x["method"]) == (n, method)]
            if not mine:
                continue
            parts = decompose(np.array(mine), truth)
            theirs = authors.bias_variance().get((method, n), {})
            row = {"n": n, "method": method, "repeats": len(mine)}
            for name in MEASURES:
                row |= {name: float(parts[name]), f"{name} authors": theirs.get(name)}
            rows.append(row)
    context.table(rows)
    draw(context, rows)


def draw(context, rows: list[dict]) -> None:
    figure, axes = style.panels(*MEASURES.values(), width=2.8)
    for axis, name in zip(axes, MEASURES, strict=True):
        for method in METHODS:
            mine = [row for row in rows if row["method"] == method]
            style.ours(axis, method, [r["n"] for r in mine], [r[name] for r in mine])
            known = [row for row in mine if row[f"{name} authors"] is not None]
            style.authors(
                axis, method, [r["n"] for r in known], [r[f"{name} authors"] for r in known]
            )
        style.numbers(axis, sizes(context.mode))
        axis.set(xlabel="training rows n", ylabel=name.replace("_", " "), ylim=(0, None))
    style.explain(axes[0])
    context.picture(figure)
