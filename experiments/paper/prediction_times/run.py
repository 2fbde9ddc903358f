"""Time to predict test rows with one thread (the paper's figure 10): this program's SPORF and RF
for a whole table and for one row after the other, and XGBoost. One measurement at a time."""

import time

import numpy as np
import xgboost

import authors
import boosting
import large
import style
from methods import fit
from seeds import seed_of
from work import finish

# Forests by the features in a candidate on average; boosting has none to choose.
FEATURES = {"sporf": (1, 3), "rf": (1,), "xgboost": (1,)}
SYSTEMS = {
    "sporf": "SPORF",
    "sporf rows": "SPORF,\nrow by row",
    "sporf 3/p": "SPORF,\n3/p",
    "sporf 3/p rows": "SPORF, 3/p,\nrow by row",
    "rf": "RF",
    "rf rows": "RF,\nrow by row",
    "xgboost": "XGBoost",
    "xgboost rows": "XGBoost,\nrow by row",
}
SINGLE_ROWS = 1000


def units(mode) -> list[dict]:
    return [
        {"data": data, "method": method, "nonzeros": count,
         "rows": mode.pick(smoke=300, quick=5000, full=60000),
         "trees": mode.pick(smoke=4, quick=100, full=100)}
        for data in mode.pick(smoke=["mnist"], quick=large.TITLES, full=large.TITLES)
        for method, counts in FEATURES.items()
        for count in counts
    ]  # fmt: skip


def do(unit: dict) -> dict:
    """Microseconds for a row: of the whole table at once, and of one row after the other."""
    train, (X, _) = large.load(unit["data"], unit["rows"])
    predict = predictor(train, unit)
    rows = [X[i : i + 1] for i in range(min(len(X), SINGLE_ROWS))]
    return {"table": microseconds(predict, [X]), "single": microseconds(predict, rows)}


def microseconds(predict, tables: list) -> float:
    """The best of three, in microseconds of a core for each row."""
    seconds = []
    for _ in range(3):
        start = time.process_time()
        for table in tables:
            predict(table)
        seconds.append(time.process_time() - start)
    return 1e6 * min(seconds) / sum(map(len, tables))


def predictor(train, unit: dict):
    """A function of rows, for one thread; the settings are those of the training times."""
    if unit["method"] == "xgboost":
        setting = {"eta": 0.3, "subsample": 1.0, "colsample": 1.0, "depth": 6}
        settings = boosting.parameters(int(np.max(train[1])) + 1, 1, setting)
        booster = xgboost.train(settings, xgboost.DMatrix(*train), unit["trees"])
        return booster.inplace_predict
    settings = {name: unit[name] for name in ("method", "nonzeros", "trees")}
    model, _ = fit(*train, seed=seed_of(unit["data"]), d="sqrt", oob_score=False, n_jobs=-1,
                   **settings)  # fmt: skip
    return model.set_params(n_jobs=1).predict


def system(unit: dict) -> str:
    count = unit["nonzeros"]
    return unit["method"] if count == 1 else f"{unit['method']} {count}/p"


def summary(lines: list[dict]) -> list[dict]:
    """Beside the authors' for the same kind of forest where there is one."""
    return [
        {"data": line["data"], "system": system(line) + more,
         "microseconds_per_row": line[name],
         "authors": authors.prediction_times().get((line["data"], system(line) + more))}
        for line in lines
        for name, more in (("table", ""), ("single", " rows"))
    ]  # fmt: skip


def run(context) -> None:
    large.mnist()
    store = context.store("prediction_times.jsonl")
    rows = summary(finish(context, store, units(context.mode), do, alone=True))
    context.table(rows)
    names = list(dict.fromkeys(row["data"] for row in rows))
    figure, axes = style.panels(*[large.TITLES[name] for name in names], width=5.6)
    for axis, name in zip(axes, names, strict=True):
        draw(axis, [row for row in rows if row["data"] == name], name)
    context.picture(figure)


def draw(axis, rows: list[dict], name: str) -> None:
    theirs = {key[1]: value for key, value in authors.prediction_times().items() if key[0] == name}
    others = [system for system in theirs if system not in SYSTEMS]
    labels = {**SYSTEMS, **{system: system for system in others}}
    places = {system: i for i, system in enumerate(labels)}
    for row in rows:
        method = row["system"].split()[0]
        axis.bar(places[row["system"]], row["microseconds_per_row"], color=style.COLOURS[method])
    x, y = [places[system] for system in theirs], list(theirs.values())
    axis.plot(x, y, "ko", markerfacecolor="none", label="the authors")
    style.explain(axis, theirs=False)
    axis.set_yscale("log")
    axis.set_xticks(range(len(labels)), labels.values(), fontsize=6)
    axis.set(ylabel="time to predict a row (microseconds)")
