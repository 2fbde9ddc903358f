"""Training time for each tree and speed-up with more threads (the paper's figure 9): SPORF and RF
of this program, and XGBoost. One measurement at a time."""

import os
import time

import xgboost
from threadpoolctl import threadpool_limits

import authors
import boosting
import large
import style
from methods import fit
from seeds import seed_of
from work import finish

METHODS = ("sporf", "rf", "xgboost")
DEPTH = 6  # of XGBoost, as in most of the authors' runs


def threads() -> list[int]:
    cores = len(os.sched_getaffinity(0))
    return [count for count in (1, 2, 4, 8, 16, 32, 48) if count <= cores]


def units(mode) -> list[dict]:
    rows = mode.pick(smoke=300, quick=10000, full=60000)
    return [
        {"data": data, "method": method, "threads": count, "rows": rows, "repeat": repeat,
         "trees": mode.pick(smoke=4, quick=16, full=96)}
        for repeat in range(mode.pick(smoke=1, quick=1, full=3))
        for data in mode.pick(smoke=["mnist"], quick=large.TITLES, full=large.TITLES)
        for method in METHODS
        for count in threads()
    ]  # fmt: skip


def do(unit: dict) -> dict:
    """d = sqrt(p), lambda = 1/p, fully grown trees; XGBoost counts rounds as trees."""
    (X, y), _ = large.load(unit["data"], unit["rows"])
    if unit["method"] == "xgboost":
        return {"seconds": boost(X, y, unit)}
    settings = {"method": unit["method"], "d": "sqrt", "nonzeros": 1, "trees": unit["trees"]}
    more = {"seed": seed_of(unit["data"]), "n_jobs": unit["threads"], "oob_score": False}
    start = time.perf_counter()
    fit(X, y, **settings, **more)
    return {"seconds": time.perf_counter() - start}


def boost(X, y, unit: dict) -> float:
    setting = {"eta": 0.3, "subsample": 1.0, "colsample": 1.0, "depth": DEPTH}
    more = boosting.parameters(int(y.max()) + 1, 1, setting) | {"nthread": unit["threads"]}
    start = time.perf_counter()
    with threadpool_limits(unit["threads"], "openmp"):  # nthread alone does not exceed the limit
        xgboost.train(more, xgboost.DMatrix(X, y), unit["trees"])
    return time.perf_counter() - start


def summary(lines: list[dict]) -> list[dict]:
    """The fastest repeat, for each tree, and the speed-up against one thread."""
    rows = []
    for line in lines:
        if line["repeat"]:
            continue
        names = ("data", "method", "threads")
        same = [x for x in lines if all(x[name] == line[name] for name in names)]
        alone = [x for x in lines if x["threads"] == 1]
        alone = [x for x in alone if (x["data"], x["method"]) == (line["data"], line["method"])]
        seconds = min(x["seconds"] for x in same)
        speed_up = min(x["seconds"] for x in alone) / seconds
        rows.append({**{name: line[name] for name in names}, "rows": line["rows"],
                     "seconds_per_tree": seconds / line["trees"], "speed_up": speed_up,
                     "authors_seconds_per_tree": authors.training_times().get(
                         (line["data"], line["method"], line["threads"]))})  # fmt: skip
    return rows


def run(context) -> None:
    large.mnist()
    lines = finish(context, context.store("strong_scaling.jsonl"), units(context.mode), do,
                   lambda unit: 1 / unit["threads"], alone=True)  # fmt: skip
    rows = summary(lines)
    context.table(rows)
    names = list(dict.fromkeys(row["data"] for row in rows))
    titles = [large.TITLES[name] for name in names]
    figure, axes = style.panels(*titles, *[f"Speed-up, {title}" for title in titles], rows=2)
    for i, name in enumerate(names):
        mine = [row for row in rows if row["data"] == name]
        draw(axes[i], mine, "seconds_per_tree", "training time for a tree (s)")
        draw(axes[i + len(names)], mine, "speed_up", "speed-up against one thread")
        axes[i].set_yscale("log")
        axes[i + len(names)].plot(threads(), threads(), "k:", linewidth=1)
    style.explain(axes[0])
    context.picture(figure)


def draw(axis, rows: list[dict], name: str, label: str) -> None:
    for method in METHODS:
        mine = [row for row in rows if row["method"] == method]
        style.ours(axis, method, [row["threads"] for row in mine], [row[name] for row in mine])
        if name == "seconds_per_tree":
            theirs = [(key[2], value) for key, value in authors.training_times().items()
                      if rows and key[:2] == (rows[0]["data"], method)]  # fmt: skip
            style.authors(axis, method, [x for x, _ in theirs], [y for _, y in theirs])
    axis.set(xlabel="threads", ylabel=label)
    style.numbers(axis, (1, 2, 4, 8, 16, 32, 48) if name == "seconds_per_tree" else threads())
