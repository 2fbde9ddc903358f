"""Measures a prediction setting: each forest is trained once and predicts several times, in turns."""

import os
import statistics
import sys

import environment
import learners
import predictors
from measure import prepare
from settings import ONE_CLASS_TREES, REPEATS

SECONDS = 0.5  # for each of the repetitions within a process
SEED = 1


def empty_row(setting, contestant, threads):
    return {"setting": setting.name, "workload": setting.workload, "d": setting.d,
            "nonzeros": contestant.nonzeros, "trees": setting.trees, "threads": threads,
            "learner": contestant.name, "runs": []}


def make_job(setting, contestant, table):
    """What to train. trees is what the learner is told, walked how many trees a row goes through."""
    for_each = contestant.learner in ONE_CLASS_TREES and table["classes"] > 2
    factor = table["classes"] if for_each else 1
    wanted = min(setting.trees, contestant.trees or setting.trees)
    trees = wanted if contestant.for_each_class else max(1, wanted // factor)
    return {**table, "d": setting.d, "nonzeros": contestant.nonzeros, "method": contestant.method,
            "trees": trees, "walked": trees * factor, "seed": SEED, "seconds": SECONDS}


def train(setting, contestant, predictor, table):
    """The job with its model. All cores train: only predictions are timed."""
    job = make_job(setting, contestant, table)
    cores = len(os.sched_getaffinity(0))
    print(f"{setting.name:<16} {contestant.name:<20} training", file=sys.stderr)
    return {**job, "model": predictors.keep(predictor, contestant.name, {**job, "threads": cores})}


def predict_once(predictor, job, row):
    name = f"{row['setting']:<16} {row['learner']:<20} {row['threads']} thread(s)"
    try:
        run = predictor.predict({**job, "threads": row["threads"]})
        row["runs"].append(run)
        print(f"{name} {run['rows_per_second']:12,.0f} rows/s", file=sys.stderr)
    except learners.Failed as reason:
        row["failure"] = str(reason)
        print(f"{name} failed: {reason}", file=sys.stderr)


def in_turns(entries):
    """Forwards, backwards, forwards, ...: whatever drifts, drifts for all."""
    for repeat in range(REPEATS):
        for predictor, job, row in entries if repeat % 2 == 0 else entries[::-1]:
            if "failure" not in row:
                predict_once(predictor, job, row)


def conclude(row):
    first = row["runs"][0]

    def median(values):
        return statistics.median(values(run) for run in row["runs"])

    row.update({key: first[key] for key in ("version", "error", "mean_depth", "model_bytes")
                if key in first})
    row["rows_per_second"] = median(lambda run: run["rows_per_second"])
    row["ns_per_row_and_tree"] = 1e9 / row["rows_per_second"] / row["walked"]
    if first["one_row"]:
        row["one_row"] = {key: median(lambda run: run["one_row"][key])
                          for key in ("p50_us", "p99_us", "rows_per_second")}


def enter(setting, contestant, found, table):
    """A contestant's rows, each with the predictor and its job, trained; or with why there is none."""
    rows = [empty_row(setting, contestant, threads) for threads in setting.threads]
    predictor, failure, job = found[contestant.learner], None, None
    if isinstance(predictor, environment.Missing):
        failure = f"missing: {predictor}"
    else:
        try:
            job = train(setting, contestant, predictor, table)
        except learners.Failed as reason:
            failure = f"training: {reason}"
    for row in rows:
        row.update({"failure": failure} if failure else {"walked": job["walked"]},
                   rows=table["test_rows"], features=table["features"])
    return [(predictor, job, row) for row in rows]


def measure(setting, found):
    """The rows of a setting. found: predictor or environment.Missing for each learner."""
    try:
        table = prepare(setting.workload)
    except environment.Missing as reason:
        return [{**empty_row(setting, contestant, threads), "failure": str(reason)}
                for contestant in setting.contestants for threads in setting.threads]
    entries = [entry for contestant in setting.contestants
               for entry in enter(setting, contestant, found, table)]
    in_turns(entries)
    rows = [row for _, _, row in entries]
    for row in rows:
        if "failure" not in row:
            conclude(row)
    return rows
