#!/usr/bin/env python3
"""What it costs to divide the rows among workers of Dask, and a model of it.

Usage: build/python/bin/python bench/dask_rows.py [--rows 400000] [--trees 4] [--workers 1 2 3 4]

The Python is one that the package is installed for, with Dask; `make test` makes that environment. Rows of
Trunk are divided among 1 to 4 workers of one thread; the forest is checked to be that of one process. The bytes
that went over the network, the rounds and the seconds are shown beside what the model says. Last comes what the
model says of tables that no one here has. A whole run is stored in bench/results with --store.
"""

import argparse
import datetime
import json
import math
import os
import time
from dataclasses import dataclass
from pathlib import Path

import machine

HERE = Path(__file__).resolve().parent
COLUMNS, CANDIDATES = 50, 7
BYTES_MOST, SECONDS_MOST = 0.10, 3.0


@dataclass
class Cost:
    """The costs of a training of two classes. Constants are measured on Trunk, with one core of an ARM Neoverse V1;
    seconds are right within a factor of two, bytes within a tenth."""

    rows: int
    features: int
    candidates: int
    trees: int
    workers: int
    branch_rows: int
    trees_at_a_time: int = 32
    threads: float = 1  # of a worker, or its share of a core
    bandwidth: float = 0.3e9  # bytes per second into a worker, through Dask
    leaves: float = 0.045  # of a row and tree

    # splits are uneven, so there are more nodes above branches than halving would need, rows are deeper, and the
    # last branch of all is deeper still
    UNEVEN, LEVELS, DEEPEST = 1.7, 1.6, 2.7
    BINS, NEAR_CUT = 258, 3 / 256
    SPLIT = 48  # with three terms
    ADDED_UP = 8  # answers that the client hears, at most
    ROUND, ROW_CANDIDATE = 0.05, 20e-9  # seconds: a round of Dask; a row and candidate, from memory

    @property
    def crown(self):
        """Nodes of a tree that are split by asking."""
        return self.UNEVEN * max(0.0, self.rows / self.branch_rows - 1)

    @property
    def halvings(self):
        return math.log2(max(1.0, self.rows / self.branch_rows))

    @property
    def levels(self):
        return self.LEVELS * self.halvings

    def bytes_by_kind(self):
        in_bag, trees = 0.632 * self.rows, self.trees
        counts = self.crown * self.candidates * (12 + 8 * self.BINS)
        sizes = (2 * self.crown + 1) * 32
        near = self.levels * in_bag * self.NEAR_CUT * 12
        splits = self.SPLIT * self.crown
        questions = self.crown * self.candidates * 160 + (self.rounds_of_batch() / 2 + self.crown + 1) * splits
        return {
            "rows": trees * self.rows * 4 * (self.features + 1),
            "answers": trees * (min(self.workers, self.ADDED_UP) * (counts + sizes) + near),
            "questions": trees * self.workers * questions,
            "grown": trees * (8 * 0.368 * self.rows + 60 * self.leaves * self.rows),
        }

    def rounds_of_batch(self):
        return 4 * self.DEEPEST * self.halvings + 1

    def rounds(self):
        return 2 + math.ceil(self.trees / self.trees_at_a_time) * self.rounds_of_batch()

    def seconds(self):
        """Counting (each row and candidate is projected twice), growing, moving, and waiting for each other."""
        cores = self.workers * self.threads
        in_bag = 0.632 * self.rows
        depth = 1.3 * math.log2(max(2, self.rows))
        counting = 2 * self.levels * in_bag * self.candidates * self.ROW_CANDIDATE
        growing = max(0.0, depth - self.levels) * in_bag * self.candidates * self.ROW_CANDIDATE
        moved = self.bytes_by_kind()["rows"] / (self.workers * self.bandwidth)
        return self.trees * (counting + growing) / cores + moved + self.rounds() * self.ROUND


def measure(options, workers):
    """One training: seconds, traffic, and what the model says."""
    import dask.array as da
    import sporf
    import sporf.dask
    from distributed import Client, LocalCluster
    from sporf import _dask_rows

    _dask_rows.BRANCH_MOST = options.branch_bytes
    x, y = sporf.simulate("trunk", options.rows, COLUMNS, random_state=1)
    settings = {"n_estimators": options.trees, "max_features": CANDIDATES, "random_state": 1}
    began = time.monotonic()
    plain = sporf.SporfClassifier(n_jobs=min(workers, 2), **settings).fit(x, y)
    one = time.monotonic() - began
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster):
        lazy = da.from_array(x, chunks=(-(-options.rows // 16), COLUMNS))
        sporf.dask.SporfClassifier(1, max_features=1, rows="apart").fit(x[:2000], y[:2000])  # workers import the package
        began = time.monotonic()
        forest = sporf.dask.SporfClassifier(rows="apart", **settings).fit(lazy, y)
        apart = time.monotonic() - began
    traffic = forest.traffic_
    cost = Cost(options.rows, COLUMNS, CANDIDATES, options.trees, workers,
                options.branch_bytes // (4 * COLUMNS), threads=min(1.0, os.cpu_count() / workers), bandwidth=1e9)
    said = cost.bytes_by_kind()
    counted = {kind: getattr(traffic, kind) for kind in said}
    return {"workers": workers, "process_seconds": one, "apart_seconds": apart, "rounds": traffic.rounds,
            "branches": traffic.branches, "bytes": counted, "model_bytes": said, "model_rounds": cost.rounds(),
            "model_seconds": cost.seconds(), "same_file": forest._forest.to_bytes() == plain._forest.to_bytes()}


def show(run):
    all_bytes, said = sum(run["bytes"].values()), sum(run["model_bytes"].values())
    run["bytes_off"] = said / all_bytes - 1
    kinds = ", ".join(f"{kind} {size / 1e6:.1f} ({run['model_bytes'][kind] / 1e6:.1f})" for kind, size in run["bytes"].items())
    print(f"{run['workers']} workers: {run['apart_seconds']:.1f} s (model {run['model_seconds']:.1f}), one process "
          f"{run['process_seconds']:.1f} s; {run['rounds']} rounds ({run['model_rounds']:.0f}); {all_bytes / 1e6:.1f} MB, model "
          f"{100 * run['bytes_off']:+.1f}%: {kinds}; {'same' if run['same_file'] else 'OTHER'} model", flush=True)
    return run


def predict():
    """Tables beyond this machine."""
    found = []
    for rows, workers in ((10**8, 10), (10**9, 100)):
        features, memory, threads = 100, 16e9, 16
        branch = int(memory / 4 / 3 / (4 * features) / threads)
        cost = Cost(rows, features, 10, 100, workers, branch, trees_at_a_time=8, threads=threads)
        sizes = cost.bytes_by_kind()
        forest = 60 * cost.leaves * rows * cost.trees
        found.append({"rows": rows, "features": features, "workers": workers, "rounds": cost.rounds(),
                      "row_bytes_of_worker": sizes["rows"] / workers, "answer_bytes": sizes["answers"],
                      "hours": cost.seconds() / 3600, "forest_bytes": forest})
        print(f"predicted: {rows:.0e} x {features}, d = 10, 100 trees, {workers} workers of 16 threads: "
              f"{sizes['rows'] / workers / 1e9:.0f} GB of rows into each worker, {sizes['answers'] / 1e12:.2f} TB of answers into "
              f"the client, {cost.rounds():.0f} rounds, {cost.seconds() / 3600:.1f} hours, a forest of {forest / 1e9:.0f} GB")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sporf", default=str(HERE.parent / "build" / "sporf"))
    parser.add_argument("--rows", type=int, default=400000)
    parser.add_argument("--trees", type=int, default=4)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--branch-bytes", type=int, default=10**7)
    parser.add_argument("--store", action="store_true")
    options = parser.parse_args()
    runs = [show(measure(options, workers)) for workers in options.workers]
    result = {"machine": machine.describe(options.sporf), "rows": options.rows, "trees": options.trees, "runs": runs,
              "predicted": predict()}
    good = all(run["same_file"] and abs(run["bytes_off"]) <= BYTES_MOST for run in runs)
    if options.store:
        day, about = datetime.date.today().isoformat(), result["machine"]
        path = HERE / "results" / f"dask-rows-{day}-{machine.short_name(about)}-{about['commit']}.json"
        path.write_text(json.dumps(result, indent=1) + "\n")
        print(f"stored in {path}")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
