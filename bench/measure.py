"""Measures a setting: every learner several times, in turns, and the medians as rows of a table."""

import json
import statistics
import subprocess
import sys
from pathlib import Path

import environment
import learners
from settings import REPEATS

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "build" / "bench-data"


def prepare(workload):
    """The workload's folder and what is in it, made if need be. Raises environment.Missing."""
    folder = DATA / workload
    made = subprocess.run([environment.python("tools"), ROOT / "bench" / "workloads.py", workload,
                           folder], capture_output=True, text=True)
    if made.returncode != 0:
        lines = (made.stdout + made.stderr).strip().splitlines() or ["no message"]
        raise environment.Missing(f"no table: {lines[-1]}")
    return {"folder": str(folder), **json.loads((folder / "about.json").read_text())}


def empty_row(setting, learner, threads):
    return {"setting": setting.name, "workload": setting.workload, "d": setting.d,
            "nonzeros": setting.nonzeros, "trees": setting.fewer.get(learner, setting.trees),
            "threads": threads, "learner": learner, "fits": []}


def fit_once(learner, row, table, seed):
    job = {**table, "d": row["d"], "nonzeros": row["nonzeros"], "trees": row["trees"],
           "threads": row["threads"], "seed": seed}
    name = f"{row['setting']:<16} {row['learner']:<14} {row['threads']} thread(s)"
    try:
        fit = learner.fit(job)
        row["fits"].append(fit)
        print(f"{name} {fit['seconds']:8.2f} s for {row['trees']} trees", file=sys.stderr)
    except learners.Failed as reason:
        row["failure"] = str(reason)
        print(f"{name} failed: {reason}", file=sys.stderr)


def in_turns(contestants, table):
    """Forwards, backwards, forwards, ...: whatever drifts, drifts for all."""
    for repeat in range(REPEATS):
        order = contestants if repeat % 2 == 0 else contestants[::-1]
        for learner, row in order:
            if "failure" not in row:
                fit_once(learner, row, table, seed=repeat + 1)


def conclude(row, table):
    def median(key):
        return statistics.median(fit[key] for fit in row["fits"])

    row.update(rows=table["rows"], features=table["features"], version=row["fits"][0]["version"],
               table_bytes=4 * table["rows"] * table["features"],
               seconds_per_tree=median("seconds") / row["trees"], peak_bytes=median("peak_bytes"),
               error=median("error"))
    if "model_bytes" in row["fits"][0]:
        row["model_bytes"] = median("model_bytes")


def count_row_projections(learner, row, table):
    job = {**table, "d": row["d"], "nonzeros": row["nonzeros"], "trees": row["trees"],
           "threads": row["threads"], "seed": 1}
    try:
        row["row_projections"] = learner.row_projections(job)
    except learners.Failed as reason:
        print(f"sporf train --profile failed: {reason}", file=sys.stderr)


def measure(setting, found):
    """The rows of a setting. found: learner or environment.Missing for each name."""
    rows = [empty_row(setting, name, threads) for name in setting.learners
            for threads in setting.threads]
    rows += [{**empty_row(setting, name, 1), "failure": f"left out: {why}"}
             for name, why in setting.left_out.items()]
    try:
        table = prepare(setting.workload)
    except environment.Missing as reason:
        return [{**row, "failure": str(reason)} for row in rows]
    for row in rows:
        row.update(rows=table["rows"], features=table["features"])
        if isinstance(found[row["learner"]], environment.Missing):
            row.setdefault("failure", f"missing: {found[row['learner']]}")
    in_turns([(found[row["learner"]], row) for row in rows if "failure" not in row], table)
    for row in rows:
        if row["fits"] and "failure" not in row:
            conclude(row, table)
            if any(bar.kind == "ns" for bar in setting.bars) and row["learner"] == "sporf":
                count_row_projections(found["sporf"], row, table)
    return rows
