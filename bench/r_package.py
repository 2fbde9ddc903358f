#!/usr/bin/env python3
"""What R costs: sporf() beside the command and beside ranger, and the prediction of one row.

Usage: bench/r_package.py [--library build/r/library] [--sporf build/sporf] [--repeats 3]

The library is one that the package is installed in; `make test` makes it. Command and package train
the same forest, which is checked, on one thread, in turns with ranger; medians are compared. The
command's memory is its peak; that of R is what the call adds to R and its table. A whole run is stored
in bench/results.
"""

import argparse
import datetime
import json
import os
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

import learners
import machine
import measure

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Case:
    workload: str
    d: int
    nonzeros: int
    trees: int
    ranger: float | None  # how many times as fast as ranger it has to be; None: ranger has no such splits


CASES = (Case("mnist", 28, 1, 30, 7), Case("higgs", 5, 1, 15, 8), Case("parity-5k", 4, 1, 500, 6),
         Case("mnist", 28, 3, 30, None), Case("higgs", 30, 3, 4, None))


def run_once(options, case, table, folder, repeat):
    job = {**table, "d": case.d, "nonzeros": case.nonzeros, "trees": case.trees, "threads": 1, "seed": repeat + 1}
    command, package = folder / "command.sporf", folder / "package.sporf"
    fits = {"command": learners.Sporf(options.sporf).train(job, command)}
    fits["command"]["peak_bytes"] = fits["command"]["peak_memory_bytes"]
    fits["command"]["seconds"] += fits["command"]["read_seconds"]  # R's time has the conversion of its table
    fits["package"] = learners.run(["Rscript", HERE / "fit_r.R", table["folder"], package, case.d, case.nonzeros,
                                    case.trees, 1, repeat + 1], 1)
    if case.ranger:
        fits["ranger"] = learners.Ranger().fit(job)
    return fits, command.read_bytes() == package.read_bytes()


def summarise(case, runs, same):
    def median(learner, key):
        return statistics.median(run[learner][key] for run in runs)

    row = {"workload": case.workload, "d": case.d, "nonzeros": case.nonzeros, "trees": case.trees, "same": same,
           "command_seconds": median("command", "seconds"), "seconds": median("package", "seconds"),
           "command_bytes": median("command", "peak_bytes"), "bytes": median("package", "peak_bytes"),
           "row_us": median("package", "row_us"), "frame_us": median("package", "frame_us")}
    row["seconds_ratio"] = row["seconds"] / row["command_seconds"]
    row["bytes_ratio"] = row["bytes"] / row["command_bytes"]
    if case.ranger:
        row |= {"ranger_seconds": median("ranger", "seconds"), "ranger_bar": case.ranger}
        row["times_ranger"] = row["ranger_seconds"] / row["seconds"]
    return row


def tell(row):
    files = "same model file" if row["same"] else "model files DIFFER"
    against = f"  ranger {row['times_ranger']:.1f}x (bar {row['ranger_bar']})" if "times_ranger" in row else ""
    print(f"{row['workload']:10} d {row['d']:3} terms {row['nonzeros']}  {row['seconds']:6.2f} s "
          f"({row['seconds_ratio']:.3f} of the command)  {row['bytes'] / 1e6:5.0f} MB ({row['bytes_ratio']:.3f})"
          f"  one row {row['row_us']:.0f} us, in a data frame {row['frame_us']:.0f} us  {files}{against}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", default=str(HERE.parent / "build" / "r" / "library"))
    parser.add_argument("--sporf", default=str(HERE.parent / "build" / "sporf"))
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    os.environ["R_LIBS"] = options.library
    about = machine.describe(options.sporf)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            table = measure.prepare(case.workload)
            tries = [run_once(options, case, table, Path(folder), repeat) for repeat in range(options.repeats)]
            rows.append(summarise(case, [fits for fits, _ in tries], all(same for _, same in tries)))
            tell(rows[-1])
    day = datetime.date.today().isoformat()
    path = HERE / "results" / f"r-{day}-{machine.short_name(about)}-{about['commit']}.json"
    path.write_text(json.dumps({"machine": about, "repeats": options.repeats, "rows": rows}, indent=1) + "\n")
    print(f"stored in {path}")


if __name__ == "__main__":
    main()
