#!/usr/bin/env python3
"""What Dask costs: two workers of one thread against one process with two threads, on Trunk.

Usage: build/python/bin/python bench/dask_trees.py [--rows 1000000] [--trees 100] [--repeats 3]

The Python is one that the package is installed for, with Dask; `make test` makes that environment. Both
grow the same forest, which is checked, in turns; medians are compared. The rows are on the workers
before the clock starts, as an array of Dask; putting the table together on each worker counts, and
is also shown by itself, with the resolved settings, as the start. Parts are joined while others grow;
the join that is shown is what is left of it in the end. Core time, of all processes, is shown beside the
seconds: it depends less on what else the machine does. A whole run is stored in bench/results with --store.
"""

import argparse
import datetime
import json
import os
import statistics
import time
from pathlib import Path

import machine

HERE = Path(__file__).resolve().parent
COLUMNS, CANDIDATES, PARTITIONS = 50, 7, 8
WORKERS_MOST, JOIN_MOST = 1.10, 0.03


def timed(seconds, name, function):
    def call(*arguments):
        began = time.monotonic()
        result = function(*arguments)
        seconds[name] = time.monotonic() - began
        return result

    return call


def watch(seconds):
    """Notes how long each step of a training on Dask takes."""
    from sporf._dask_training import Training

    for name, method in (("start", "_settle"), ("trees", "_grow"), ("join", "_join")):
        setattr(Training, method, timed(seconds, name, getattr(Training, method)))


def fit(forest, x, y, processes):
    """Seconds, core time of the processes, and the model."""
    began, cores = time.monotonic(), core_time(processes)
    forest.fit(x, y)
    return time.monotonic() - began, core_time(processes) - cores, forest._forest.to_bytes()


def core_time(processes):
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def measure(options):
    import dask.array as da
    import psutil
    import sporf
    import sporf.dask
    from distributed import Client, LocalCluster, wait

    x, y = sporf.simulate("trunk", options.rows, COLUMNS, random_state=1)
    settings = {"n_estimators": options.trees, "max_features": CANDIDATES, "random_state": 1}
    runs, steps, same = {name: [] for name in ("process", "workers", "process_cores", "workers_cores")}, {}, True
    seen = []
    watch(steps)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        rows = -(-options.rows // PARTITIONS)
        lazy = client.persist([da.from_array(x, chunks=(rows, COLUMNS)), da.from_array(y, chunks=rows)])
        wait(lazy)
        processes = [psutil.Process(pid) for pid in [os.getpid(), *client.run(os.getpid).values()]]
        sporf.dask.SporfClassifier(2, max_features=CANDIDATES).fit(*lazy)  # workers import the package
        for _ in range(options.repeats):
            one, one_cores, model = fit(sporf.SporfClassifier(n_jobs=2, **settings), x, y, processes)
            two, two_cores, again = fit(sporf.dask.SporfClassifier(**settings), *lazy, processes)
            for name, value in zip(runs, (one, two, one_cores, two_cores), strict=True):
                runs[name].append(value)
            seen.append(dict(steps))
            same = same and model == again
            print(f"process {one:.2f} s, core time {one_cores:.2f} s; workers {two:.2f} s, {two_cores:.2f} s: " +
                  ", ".join(f"{name} {value:.2f} s" for name, value in steps.items()), flush=True)
    return runs, seen, same


def report(runs, seen, same):
    one, two = (statistics.median(runs[name]) for name in ("process", "workers"))
    cores = statistics.median(runs["workers_cores"]) / statistics.median(runs["process_cores"])
    joins = statistics.median(step["join"] for step in seen)
    result = {"process_seconds": one, "workers_seconds": two, "ratio": two / one, "core_ratio": cores, "join_share": joins / two,
              "same_file": same, "runs": runs, "steps": seen}
    print(f"workers {result['ratio']:.3f} times the process (at most {WORKERS_MOST}), "
          f"{cores:.3f} times its core time, "
          f"joining {100 * result['join_share']:.1f}% (at most {100 * JOIN_MOST:.0f}%), "
          f"{'same' if same else 'OTHER'} model")
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sporf", default=str(HERE.parent / "build" / "sporf"))
    parser.add_argument("--rows", type=int, default=1000000)
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--store", action="store_true")
    options = parser.parse_args()
    result = {"machine": machine.describe(options.sporf), "rows": options.rows, "trees": options.trees,
              **report(*measure(options))}
    if options.store:
        day, about = datetime.date.today().isoformat(), result["machine"]
        path = HERE / "results" / f"dask-{day}-{machine.short_name(about)}-{about['commit']}.json"
        path.write_text(json.dumps(result, indent=1) + "\n")
        print(f"stored in {path}")


if __name__ == "__main__":
    main()
