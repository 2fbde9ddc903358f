#!/usr/bin/env python3
"""Processor time and peak memory of sporf train with 1, 2 and 16 threads, on however few cores.

How the data are stored while trees grow depends on the number of threads, and processor time shows
what that costs, even where threads wait for cores. Runs take turns; the table has medians. Reading
is not counted: the time of training two trees is subtracted, and its trees are not counted either.
make bench runs it; a run is stored in bench/results/ with --store, otherwise below build/.
"""

import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import bars
import environment
import machine
import measure

ROOT = Path(__file__).resolve().parent.parent
TABLES = ("higgs", "trunk")  # d = p, lambda = 3/p
THREADS = (1, 2, 16)
TREES, START_TREES, REPEATS = 32, 2, 3
MOST = 1.1  # processor time of sixteen threads against one


def train(command, table, threads, trees, model):
    """Processor seconds, peak memory and the model's size."""
    folder = Path(table["folder"])
    process = subprocess.Popen(
        [command, "train", "--data", folder / "train.npy", "--label-file",
         folder / "train-labels.npy", "--model", model, "--trees", str(trees), "--projections", "p",
         "--density", "3/p", "--threads", str(threads), "--seed", "1"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise environment.Missing(f"sporf train failed with {threads} threads")
    return {"seconds": usage.ru_utime + usage.ru_stime, "peak_bytes": 1024 * usage.ru_maxrss,
            "model_bytes": Path(model).stat().st_size}


def run_once(command, table, threads, trees, model):
    start = train(command, table, threads, START_TREES, model)["seconds"]
    whole = train(command, table, threads, trees, model)
    return {**whole, "seconds_per_tree": (whole["seconds"] - start) / (trees - START_TREES)}


def measure_table(command, name, trees, repeats):
    table = measure.prepare(name)
    runs = {threads: [] for threads in THREADS}
    with tempfile.TemporaryDirectory() as place:
        for _ in range(repeats):
            for threads in THREADS:
                runs[threads].append(
                    run_once(command, table, threads, trees, Path(place) / "model"))
    rows = []
    for threads in THREADS:
        row = {key: statistics.median(run[key] for run in runs[threads]) for key in runs[1][0]}
        row.update(workload=name, threads=threads, trees=trees,
                   table_bytes=4 * table["rows"] * table["features"])
        row["ratio"] = row["seconds_per_tree"] / (rows[0] if rows else row)["seconds_per_tree"]
        row["memory_bound"] = bars.memory_bound(row)
        rows.append(row)
    return rows


def is_met(row):
    """Time is judged with sixteen threads, memory with up to two."""
    if row["threads"] > 2:
        return row["ratio"] <= MOST
    return row["peak_bytes"] <= row["memory_bound"]


def text(rows):
    lines = ["| table | threads | processor s/tree | against 1 | table MB | peak MB | goal |",
             "|---|--:|--:|--:|--:|--:|---|"]
    for row in rows:
        goal = (f"at most {MOST}x" if row["threads"] > 2
                else f"peak at most {row['memory_bound'] / 1e6:.0f} MB")
        lines.append(f"| {row['workload']} | {row['threads']} | {row['seconds_per_tree']:.3f} "
                     f"| {row['ratio']:.2f} | {row['table_bytes'] / 1e6:.0f} "
                     f"| {row['peak_bytes'] / 1e6:.0f} | {goal}: {'met' if is_met(row) else 'missed'} |")
    return "\n".join(lines)


def store(about, rows, whole):
    folder = ROOT / "bench" / "results" if whole else ROOT / "build" / "bench-results"
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / f"threads-{about['date']}-{machine.short_name(about)}-{about['commit']}.json"
    page.write_text(json.dumps({"machine": about, "rows": rows}, indent=1) + "\n")
    print(f"stored as {page.relative_to(ROOT)}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="all if none: " + ", ".join(TABLES))
    parser.add_argument("--sporf", default=str(ROOT / "build" / "sporf"), metavar="COMMAND",
                        help="the command to measure; build/sporf if not given")
    parser.add_argument("--trees", type=int, default=TREES, metavar="N", help="trees of a forest")
    parser.add_argument("--repeats", type=int, default=REPEATS, metavar="N", help="runs of each")
    parser.add_argument("--store", action="store_true", help="store the run in bench/results/")
    given = parser.parse_args(arguments)
    try:
        about = {"date": datetime.date.today().isoformat(), **machine.describe(given.sporf)}
        rows = []
        for name in given.tables or TABLES:
            rows += measure_table(given.sporf, name, given.trees, given.repeats)
    except environment.Missing as reason:
        sys.exit(f"bench/threads.py: {reason}")
    print(text(rows))
    store(about, rows, given.store)
    return 0


if __name__ == "__main__":
    sys.exit(main())
