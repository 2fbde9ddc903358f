#!/usr/bin/env python3
"""Regression forests on Friedman's problems and on wine quality: out-of-bag and test RMSE, and time.

Usage: bench/regression.py [--sporf build/sporf] [--data ../shared/data] [--learners A,B] [--sizes 200,1000,10000]
                           [--repeats 10] [--trees 500] [--output FILE]

Friedman's tables come from `sporf simulate`, with their usual noise, a seed for each repeat, and are tested on
rows of another seed without noise: that RMSE is the distance from the function itself. Wine quality (red) is the
grade as a number; its repeats differ in the forest's seed alone. Every learner has its own default settings,
500 trees and one thread. A whole run is stored in bench/results, a part in build/bench-results.
"""

import argparse
import csv
import datetime
import gzip
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import crossval
import environment
import learners
import machine

HERE = Path(__file__).resolve().parent
PROBLEMS = ("friedman1", "friedman2", "friedman3")
SIZES = [200, 1000, 10000]
TEST_ROWS, TEST_SEED = 2000, 1000
REPEATS, TREES = 10, 500


class Sporf:
    def __init__(self, command):
        self.command = command

    def fit(self, train, test, trees, seed):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "model.sporf"
            fitted = learners.run([self.command, "train", "--data", train, "--target", "y", "--model", model,
                                   "--trees", trees, "--seed", seed, "--threads", 1, "--json"], 1)
            tested = None if test == "-" else learners.run(
                [self.command, "evaluate", "--data", test, "--model", model, "--threads", 1, "--json"], 1)
        version = subprocess.run([self.command, "--version"], capture_output=True, text=True).stdout.split()[-1]
        return {"version": version, "seconds": fitted["seconds"], "oob_rmse": fitted["oob_rmse"],
                "test_rmse": tested["targets"][0]["rmse"] if tested else None}


class Ranger(learners.Ranger):
    def fit(self, train, test, trees, seed):
        return learners.run(["Rscript", HERE / "regress_ranger.R", train, test, trees, 1, seed], 1)


class ScikitLearn:
    def __init__(self, name):
        self.name, self.python = name, environment.python("scikit-learn")

    def fit(self, train, test, trees, seed):
        return learners.run([self.python, "-W", "ignore", HERE / "regress_python.py", self.name, train, test,
                             trees, 1, seed], 1)


LEARNERS = {"sporf": lambda options: Sporf(options.sporf), "ranger": lambda options: Ranger(),
            "scikit-learn": lambda options: ScikitLearn("scikit-learn"),
            "extra-trees": lambda options: ScikitLearn("extra-trees")}


def simulate(options, path, problem, rows, seed, *more):
    subprocess.run([options.sporf, "simulate", problem, "--rows", str(rows), "--seed", str(seed), "--output",
                    str(path), *more], check=True)
    return path


def friedman_tables(options, folder):
    """(setting, seed, train, test), each made when its turn comes."""
    for problem in PROBLEMS:
        for rows in options.sizes:
            for seed in range(1, options.repeats + 1):
                train = simulate(options, folder / "train.csv", problem, rows, seed)
                test = simulate(options, folder / "test.csv", problem, TEST_ROWS, TEST_SEED + seed, "--noise", "0")
                yield f"{problem}, {rows} rows", seed, train, test


def wine_tables(options, folder):
    source = options.data / "tables" / "wine_quality-red.csv.gz"
    if not source.exists():
        print(f"wine quality is left out: there is no {source}", file=sys.stderr)
        return
    with gzip.open(source, "rt", newline="") as file:
        header, *rows = csv.reader(file)
    crossval.write(folder / "wine.csv", header[:-1] + ["y"], rows)
    for seed in range(1, options.repeats + 1):
        yield "wine quality (red)", seed, folder / "wine.csv", "-"


def find(options):
    """The learners that are there, and why others are not."""
    found, missing = {}, {}
    for name in options.learners:
        try:
            found[name] = LEARNERS[name](options)
        except environment.Missing as reason:
            missing[name] = str(reason)
            print(f"{name} is left out: {reason}", file=sys.stderr)
    return found, missing


def fits(options, found):
    with tempfile.TemporaryDirectory() as place:
        for tables in (friedman_tables, wine_tables):
            for setting, seed, train, test in tables(options, Path(place)):
                for name, learner in found.items():
                    try:
                        yield {"setting": setting, "learner": name, "seed": seed,
                               **learner.fit(train, test, options.trees, seed)}
                    except learners.Failed as reason:
                        yield {"setting": setting, "learner": name, "seed": seed, "failure": str(reason)}


def mean_and_error(rows, key):
    values = [row[key] for row in rows if row.get(key) is not None]
    return (crossval.mean(values), crossval.standard_error(values)) if values else (None, None)


def summarise(rows):
    """A line for each setting and learner: means over the repeats, and the median time."""
    groups = {}
    for row in rows:
        groups.setdefault((row["setting"], row["learner"]), []).append(row)
    for (setting, learner), some in groups.items():
        done = [row for row in some if "failure" not in row]
        line = {"setting": setting, "learner": learner, "repeats": len(done)}
        for key in ("oob_rmse", "test_rmse"):
            line[key], line[f"{key}_standard_error"] = mean_and_error(done, key)
        for key in ("seconds", "cpu_seconds"):
            values = [row[key] for row in done if key in row]
            line[key] = statistics.median(values) if values else None
        yield line


def print_line(line):
    def cell(key, form):
        return f"{line[key]:{form}}" if line[key] is not None else "-"

    print(f"{line['setting']:26s} {line['learner']:13s} {cell('oob_rmse', '.4f'):>10s} "
          f"{cell('oob_rmse_standard_error', '.4f'):>8s} {cell('test_rmse', '.4f'):>10s} "
          f"{cell('test_rmse_standard_error', '.4f'):>8s} {cell('seconds', '.3f'):>8s} "
          f"{cell('cpu_seconds', '.3f'):>8s}")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sporf", default="build/sporf")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--learners", type=lambda text: text.split(","), default=list(LEARNERS))
    parser.add_argument("--sizes", type=lambda text: list(map(int, text.split(","))), default=SIZES)
    parser.add_argument("--repeats", type=int, default=REPEATS)
    parser.add_argument("--trees", type=int, default=TREES)
    parser.add_argument("--output", type=Path, help="where the results go")
    options = parser.parse_args()
    unknown = [name for name in options.learners if name not in LEARNERS]
    if unknown:
        parser.error(f"there is no learner {unknown[0]}; there are {', '.join(LEARNERS)}")
    return options


def place(options, about):
    """A whole run is kept with the sources."""
    whole = (options.learners == list(LEARNERS) and options.sizes == SIZES and options.repeats == REPEATS
             and options.trees == TREES)
    folder = HERE / "results" if whole else HERE.parent / "build" / "bench-results"
    return options.output or folder / f"regression-{about['date']}-{machine.short_name(about)}-{about['commit']}.json"


def main():
    options = arguments()
    about = {"date": datetime.date.today().isoformat(), **machine.describe(options.sporf)}
    found, missing = find(options)
    if not found:
        sys.exit("there is no learner to run")
    rows = list(fits(options, found))
    summary = list(summarise(rows))
    print(f"{'table':26s} {'learner':13s} {'oob rmse':>10s} {'s.e.':>8s} {'test rmse':>10s} {'s.e.':>8s} "
          f"{'seconds':>8s} {'cpu':>8s}")
    for line in summary:
        print_line(line)
    path = place(options, about)
    path.parent.mkdir(parents=True, exist_ok=True)
    crossval.store(path, {"machine": about, "trees": options.trees, "missing": missing, "summary": summary,
                          "fits": rows})
    print(f"stored in {path}")


if __name__ == "__main__":
    main()
