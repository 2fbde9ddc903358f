#!/usr/bin/env python3
"""How far probabilities can be trusted: the Brier score and the calibration error of sporf by setting.

Usage: bench/calibration.py [options] [-- OPTIONS OF sporf train]

Sets are some of uci/ in the data folder, with the paper's folds (of large ones the first only), and
simulated ones. All settings get the same rows and seeds, and each forest is evaluated with votes and
with posteriors. Of trunk the true probabilities are known: there the mean squared distance from them
is told, too. Ends with status 1 where a set could not be run.
"""

import csv
import gzip
import math
import sys
import tempfile
from pathlib import Path

import crossval

SETS = ["abalone", "ilpd_indian-liver", "magic", "page_blocks", "pima", "spambase", "statlog_german-credit",
        "statlog_vehicle", "waveform", "wine_quality-red", "yeast"]
SIMULATED = ["orthant", "sparse-parity", "trunk"]
TRAIN_ROWS, TEST_ROWS = 2000, 5000
LARGE_ROWS = 4000
SETTINGS = {"d = p, pure leaves": ["--min-leaf", 1], "min-leaf 5": ["--min-leaf", 5], "min-leaf 10": ["--min-leaf", 10],
            "min-leaf 20": ["--min-leaf", 20], "honest": ["--honest"],
            "honest, min-leaf 5": ["--honest", "--min-leaf", 5],
            "honest, min-leaf 10": ["--honest", "--min-leaf", 10],
            "honest, bag none": ["--honest", "--bag", "none"]}
COMBINE = "votes", "posteriors"


class Uci:
    def __init__(self, data, name):
        self.name = name
        with gzip.open(data / "uci" / f"{name}.csv.gz", "rt", newline="") as file:
            rows = list(csv.reader(file))
        folds = crossval.given_folds(data / "uci" / f"{name}.folds")
        self.parts = [crossval.parted(rows, test) for test in folds[:1 if len(rows) > LARGE_ROWS else None]]

    def write(self, _, folder, part):
        for name, rows in zip(("train.csv", "test.csv"), part):
            crossval.write(Path(folder) / name, None, rows)
        return ["--header", "no", "--label", "last"]


class Simulated:
    parts = 1, 3, 5  # seeds of the rows to train with

    def __init__(self, name):
        self.name = name

    def write(self, command, folder, seed):
        for name, rows, number in ("train.csv", TRAIN_ROWS, seed), ("test.csv", TEST_ROWS, seed + 1):
            crossval.call(command, folder, "simulate", self.name, "--rows", rows, "--seed", number,
                          "--output", name)
        return ["--label", "last"]


def distance_from_truth(command, folder, combine):
    """Trunk's classes are normal around -m and +m with m_j = 1 / sqrt(j): the log odds are 2 m x."""
    crossval.call(command, folder, "predict", "--data", "test.csv", "--model", "model.sporf", "--proba",
                  "--combine", combine, "--threads", 1, "--output", "said.csv")
    tables = [list(csv.reader(open(Path(folder) / name, newline="")))[1:] for name in ("test.csv", "said.csv")]
    odds = [2 * sum(float(x) / math.sqrt(j + 1) for j, x in enumerate(row[:-1])) for row in tables[0]]
    return crossval.mean([(float(said[2]) - 1 / (1 + math.exp(-o))) ** 2 for o, said in zip(odds, tables[1])])


def fit(options, one, part, setting):
    """Scores of one forest, for each way to combine its trees."""
    scores = {}
    with tempfile.TemporaryDirectory() as folder:
        table = one.write(options.sporf, folder, part)
        crossval.sporf(options.sporf, folder, "train", "--data", "train.csv", *table, "--model", "model.sporf",
                       "--threads", 1, "--json", "--trees", options.trees, "--seed", options.seed,
                       *SETTINGS[setting], *options.train)
        for combine in COMBINE:
            said = crossval.sporf(options.sporf, folder, "evaluate", "--data", "test.csv", *table, "--model",
                                  "model.sporf", "--combine", combine, "--threads", 1, "--json")
            scores[combine] = {key: said[key] for key in ("brier", "calibration_error", "error")}
            if one.name == "trunk":
                scores[combine]["truth"] = distance_from_truth(options.sporf, folder, combine)
    return scores


def averaged(fits):
    failed = next((fit for fit in fits if isinstance(fit, crossval.Failed)), None)
    if failed:
        return {"failed": str(failed)}
    return {combine: {key: crossval.mean([fit[combine][key] for fit in fits]) for key in fits[0][combine]}
            for combine in COMBINE}


def line(title, scores):
    if "failed" in scores:
        return f"{title:22s}{scores['failed']}"
    shown = [f"{scores[combine][key]:8.4f}" for combine in COMBINE for key in scores[combine]]
    return f"{title:22s}" + "".join(shown)


def report(name, settings):
    print(f"{name:22s}" + "".join(f"{word:>8s}" for _ in COMBINE for word in ("Brier", "ECE", "error"))
          + "  (votes, then posteriors)")
    for setting, scores in settings.items():
        print(line(setting, scores))
    print(flush=True)


def main():
    options = crossval.parse(crossval.parser(__doc__, repeats=1, quick_rows=0))
    names = options.sets or SETS + SIMULATED
    sets = [Simulated(name) if name in SIMULATED else Uci(options.data, name) for name in names]
    results = {}
    for one in sets:
        tasks = [lambda o=one, p=part, s=setting: fit(options, o, p, s)
                 for setting in SETTINGS for part in one.parts]
        fits, size = crossval.run_all(tasks, options.jobs), len(one.parts)
        results[one.name] = {setting: averaged(fits[i * size:(i + 1) * size])
                             for i, setting in enumerate(SETTINGS)}
        report(one.name, results[one.name])
    whole = [some for some in results.values() if not any("failed" in scores for scores in some.values())]
    if len(whole) > 1:
        means = {setting: {combine: {key: crossval.mean([some[setting][combine][key] for some in whole])
                                     for key in ("brier", "calibration_error", "error")}
                           for combine in COMBINE} for setting in SETTINGS}
        report(f"mean of {len(whole)}", means)
    if options.json:
        crossval.store(options.json, {"settings": crossval.settings(options), "sets": results})
    sys.exit(len(whole) < len(results))


if __name__ == "__main__":
    main()
