"""The learners without options: a fit of one on a split of a table, and the scores on its test rows.

sporf runs as a command, its peers in fit_defaults.py. A fit is a dictionary: version, seconds and cpu_seconds of the
training, and error and log_loss, or one_minus_r2.
"""

import csv
import gzip
import json
import math
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import environment
import learners

HERE = Path(__file__).resolve().parent
PEERS = ("random-forest", "extra-trees", "lightgbm", "xgboost", "catboost")
ALL = ("sporf", *PEERS)
FORESTS = ("sporf", "random-forest", "extra-trees")
SHOWN_SETTINGS = ("projections", "density", "min-leaf", "scale")
LEAST = 1e-15  # a probability below it counts as this


class Sporf:
    """Our own command; options: those of sporf train and crossval to try, usually none."""

    def __init__(self, command, options):
        self.command, self.options = Path(command).resolve(), options
        if not self.command.exists():
            raise environment.Missing(f"no {command}; run make")
        self.version = self.output("--version").split()[-1]
        self.calibrates = "--calibration" in self.output("predict", "--help")

    def output(self, *arguments):
        return subprocess.run([self.command, *arguments], capture_output=True, text=True).stdout

    def run(self, limit, *arguments):
        """What a call prints, and the processor seconds of the part that it reports as its own."""
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        told = learners.run([self.command, *arguments, "--threads", 1, "--json"], 1, limit)
        elapsed, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return told, busy * min(1.0, told.get("seconds", elapsed) / elapsed)

    def fit(self, table, job, limit):
        return self.fit_with("train", table, job, limit, ("search_seconds",), "--trees", job["trees"])

    def fit_with(self, verb, table, job, limit, told_keys, *more):
        with tempfile.TemporaryDirectory() as place:
            model, folder = Path(place) / "model.sporf", Path(job["folder"])
            told, busy = self.run(limit, verb, *table.to_train(folder), "--model", model, "--seed", job["seed"],
                                  *more, *self.options)
            scores = self.scores(table, folder, model)
        return {"version": self.version, "seconds": told["seconds"], "cpu_seconds": busy,
                **{key: told[key] for key in told_keys if key in told},
                "settings": {key: told["settings"][key] for key in SHOWN_SETTINGS}, "chosen": told["chosen"], **scores}

    def predict(self, table, folder, model, *more):
        """The lines that sporf predict writes for the test rows, as dictionaries."""
        said = model.with_name("said.csv")
        command = [self.command, "predict", "--model", model, *table.to_predict(folder), "--threads", 1, "--output",
                   said, *more]
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if done.returncode != 0:
            raise learners.Failed(done.stderr.strip()[:200])
        with open(said, newline="") as file:
            yield from csv.DictReader(file)

    def scores(self, table, folder, model):
        truth = true_values(table, folder)
        if table.numeric:
            return of_numbers(list(map(float, truth)),
                              [float(row["prediction"]) for row in self.predict(table, folder, model)])
        said = of_classes(truth, self.predict(table, folder, model, "--proba"))
        raw = said if not self.calibrates else of_classes(
            truth, self.predict(table, folder, model, "--proba", "--calibration", "none"))
        return {**said, **{f"raw_{score}": value for score, value in raw.items()}}

    def crossval(self, data, name, trees, seed, limit):
        """The error of each of the paper's folds of a UCI set."""
        told, busy = self.run(limit, "crossval", "--data", data / "uci" / f"{name}.csv.gz", "--label", "last",
                              "--header", "no", "--folds", data / "uci" / f"{name}.folds", "--trees", trees,
                              "--seed", seed, *self.options)
        errors = [fold["error"] for fold in told["folds"]]
        return {"version": self.version, "cpu_seconds": busy, "error": math.fsum(errors) / len(errors),
                "fold_errors": errors}


class Peer:
    def __init__(self, name):
        self.name, self.python = name, environment.python("defaults")

    def fit(self, table, job, limit):
        parts = ({"train": str(table.path), "test": str(table.path)} if table.name == "mnist" else
                 {part: f"{job['folder']}/{part}.csv" for part in ("train", "test")})
        return learners.run([self.python, "-W", "ignore", HERE / "fit_defaults.py", self.name,
                             json.dumps({**job, **parts, "numeric": table.numeric})], 1, limit)


# ---- scores of our own predictions ---------------------------------------------------------------


def true_values(table, folder):
    if table.name == "mnist":
        with gzip.open(table.path / "t10k-labels-idx1-ubyte.gz") as file:
            return [str(label) for label in file.read()[8:]]
    with open(folder / "test.csv", newline="") as file:
        return [row[-1] for row in csv.reader(file)][1:]


def of_classes(truth, rows):
    """Rows of a class that was not trained with are wrong, and have the least probability."""
    wrong, losses = 0, []
    for label, row in zip(truth, rows, strict=True):
        wrong += row["prediction"] != label
        losses.append(-math.log(max(float(row.get(label, 0)), LEAST)))
    return {"error": wrong / len(truth), "log_loss": math.fsum(losses) / len(truth)}


def of_numbers(truth, said):
    centre = math.fsum(truth) / len(truth)
    return {"one_minus_r2": math.fsum((t - s) ** 2 for t, s in zip(truth, said, strict=True)) /
            math.fsum((t - centre) ** 2 for t in truth)}


def find(name, sporf_command, sporf_options):
    """The learner of that name. Raises environment.Missing."""
    return Sporf(sporf_command, sporf_options) if name == "sporf" else Peer(name)
