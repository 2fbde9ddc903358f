#!/usr/bin/env python3
"""What forests of separate shards lose: workers that see only their own rows, against one forest of all rows.

Usage: build/python/bin/python bench/shard_forests.py [--splits 3] [--tables NAME...] [--store]

The Python is one that the package is installed for, with pandas; `make test` makes that environment. Each of k
workers gets n/k of the n training rows and grows 1/k of the trees on them; the shares of votes, or the predicted
numbers, are averaged over the shards. Rows are dealt at random, or sorted by the label or by a feature (the first;
for MNIST the pixel in the middle) and cut into equal pieces. A shard with a single class predicts that class.

All forests have the same settings, those that the search chose for the training rows of split 0 ("same"), or each
chooses for its own rows ("own"). With "all in each", every shard has as many trees as the whole forest. Training rows
of split s are those with `numpy.random.default_rng(s).random(n) < 2/3`, the others are for testing; MNIST's 70,000
rows are split like those of the other tables. Each fit is a line of JSON in --output; a fit that the file already has
is not repeated.
"""

import argparse
import datetime
import functools
import gzip
import time
from dataclasses import dataclass
from pathlib import Path

import crossval
import defaults
import fit_defaults
import machine
import numpy as np
import pandas as pd
import report
import sporf

HERE = Path(__file__).resolve().parent
TREES, SHARDS = 96, (2, 8, 32)
TRAINING_SHARE = 2 / 3
SIMULATED_ROWS = 150000  # training and test rows
MEASURES = ("error", "log_loss", "raw_log_loss", "one_minus_r2")
NAMES = {"error": "error", "log_loss": "log loss", "raw_log_loss": "log loss of votes", "one_minus_r2": "1 - R2"}


@dataclass(frozen=True)
class Table:
    name: str
    place: str  # below the data directory; the name of a simulation
    target: str
    d: int
    combinations: int
    leaf: int
    scale: str
    feature: int = 0  # that rows are sorted by

    @property
    def numeric(self):
        return self.name.startswith("number-")

    def fixed(self):
        return {"max_features": self.d, "feature_combinations": self.combinations, "min_samples_leaf": self.leaf,
                "scale": self.scale}


TABLES = (Table("covertype_93k", "tables", "class", 20, 3, 1, "sd"),
          Table("mnist", "mnist", "", 100, 1, 1, "none", feature=14 * 28 + 14),
          Table("sparse-parity", "", "", 20, 2, 1, "none"),
          Table("trunk", "", "", 10, 3, 5, "none"),
          Table("number-564_fried", "medium", "target", 40, 2, 5, "sd"),
          Table("number-218_house_8L", "medium", "target", 32, 1, 10, "sd"))


@dataclass(frozen=True)
class Way:
    """How rows and trees are divided, and who chooses the settings; one shard is the whole forest."""
    cut: str
    shards: int
    settings: str = "same"
    trees: str = "divided"

    def __str__(self):
        return f"{self.shards} {self.cut} {self.settings} {self.trees}"


WAYS = (Way("random", 1), *(Way(cut, k) for cut in ("random", "label", "feature") for k in SHARDS),
        Way("random", 1, "own"), *(Way("random", k, "own") for k in SHARDS),
        *(Way("random", k, trees="all in each") for k in SHARDS[1:]))


# ---- tables --------------------------------------------------------------------------------------


def bytes_of(path, start):
    with gzip.open(path) as file:
        return np.frombuffer(file.read()[start:], np.uint8)


@functools.lru_cache(1)
def read(table, data, split):
    """Features and labels; a simulation has other rows in each split."""
    if not table.place:
        return sporf.simulate(table.name, SIMULATED_ROWS, random_state=split + 1)
    folder = data / table.place
    if table.name == "mnist":
        x, y = (np.concatenate([bytes_of(folder / f"{part}-{kind}-ubyte.gz", start) for part in ("train", "t10k")])
                for kind, start in (("images-idx3", 16), ("labels-idx1", 8)))
        return x.reshape(len(y), -1).astype(np.float32), y
    frame = pd.read_csv(folder / f"{table.name}.csv.gz")
    return frame.drop(columns=table.target).to_numpy(np.float32), frame[table.target].to_numpy()


# ---- forests -------------------------------------------------------------------------------------


def cut(way, x, y, feature, split):
    """The rows of each shard; rows with equal keys are in random order."""
    order = np.random.default_rng([split, 1]).permutation(len(y))
    if way.cut != "random":
        order = order[np.argsort((y if way.cut == "label" else x[:, feature])[order], kind="stable")]
    return np.array_split(order, way.shards)


class Single:
    """A shard with a single class, which cannot be learned from."""

    def __init__(self, label):
        self.classes_ = np.array([label])

    def set_params(self, **_):
        return self

    def predict_proba(self, x):
        return np.ones((len(x), 1))


def grow(table, way, number, x, y, split):
    if not table.numeric and len(np.unique(y)) == 1:
        return Single(y[0])
    kind = sporf.SporfRegressor if table.numeric else sporf.SporfClassifier
    trees = TREES if way.trees == "all in each" else TREES // way.shards
    settings = table.fixed() if way.settings == "same" else {}
    return kind(trees, n_jobs=1, random_state=1000 * split + number + 1, **settings).fit(x, y)


def shares(forest, x, classes):
    """The probabilities of all classes; those that the shard has not seen have none."""
    result = np.zeros((len(x), len(classes)))
    result[:, np.searchsorted(classes, forest.classes_)] = forest.predict_proba(x)
    return result


def fit(table, data, split, way):
    x, y = read(table, data, split)
    training = np.random.default_rng(split).random(len(y)) < TRAINING_SHARE
    x_test, y_test, x, y = x[~training], y[~training], x[training], y[training]
    classes = None if table.numeric else np.unique(y)
    seconds, sums = 0, [0, 0]
    for number, rows in enumerate(cut(way, x, y, table.feature, split)):
        began = time.process_time()
        forest = grow(table, way, number, x[rows], y[rows], split)
        seconds += time.process_time() - began
        if table.numeric:
            sums[0] = sums[0] + forest.predict(x_test)
        else:
            sums[0] = sums[0] + shares(forest, x_test, classes)
            sums[1] = sums[1] + shares(forest.set_params(calibration="none"), x_test, classes)
    result = {"rows": int(training.sum()), "test_rows": len(y_test), "features": x.shape[1], "cpu_seconds": seconds}
    if table.numeric:
        return {**result, **fit_defaults.of_numbers(y_test, sums[0] / way.shards)}
    said, votes = (fit_defaults.of_classes(classes, y_test, part / way.shards) for part in sums)
    return {**result, "error": votes["error"], "log_loss": said["log_loss"], "raw_log_loss": votes["log_loss"]}


def fits(options):
    for split in range(options.splits):
        for table in TABLES:
            for way in WAYS:
                line = {"table": table.name, "kind": "number" if table.numeric else "class", "split": split,
                        "learner": str(way), "cut": way.cut, "shards": way.shards, "settings": way.settings,
                        "divided": way.trees, "trees": TREES, "seed": 1000 * split + 1}
                yield line, lambda t=table, s=split, w=way: fit(t, options.data, s, w)


# ---- the report ----------------------------------------------------------------------------------


def values(rows, table, way, measure):
    """{split: score}"""
    return {row["split"]: row[measure] for row in rows if (row["table"], row["learner"]) == (table, str(way))}


def loss(rows, table, way, measure):
    """The score of shards less that of the whole forest with settings of the same kind, over splits."""
    whole, shard = (values(rows, table, one, measure) for one in (Way("random", 1, way.settings), way))
    differences = [shard[split] - whole[split] for split in sorted(shard) if split in whole]
    if not differences:
        return "-"
    return f"{crossval.mean(differences):+.4f} ({crossval.standard_error(differences):.4f})"


def losses_table(rows, measure):
    lines = []
    for table in dict.fromkeys(row["table"] for row in rows if measure in row):
        for name, settings, trees in dict.fromkeys((way.cut, way.settings, way.trees) for way in WAYS):
            whole = values(rows, table, Way("random", 1, settings), measure)
            if whole:
                lines.append([table, name, f"{settings}, {trees}", f"{crossval.mean(list(whole.values())):.4f}",
                              *(loss(rows, table, Way(name, k, settings, trees), measure) for k in SHARDS)])
    return report.markdown(("table", "rows cut", "settings", "whole", *(f"{k} shards" for k in SHARDS)), lines)


def sizes_table(rows):
    lines = []
    for table in TABLES:
        some = [row for row in rows if row["table"] == table.name]
        if some:
            whole = values(some, table.name, WAYS[0], "cpu_seconds")
            lines.append([table.name, f"{some[0]['rows']:,} x {some[0]['features']}", f"{some[0]['test_rows']:,}",
                          table.d, f"{table.combinations}/p", table.leaf,
                          f"{crossval.mean(list(whole.values())):.1f}"])
    return report.markdown(("table", "trained on", "test rows", "d", "density", "leaf", "seconds"), lines)


def text(about, rows):
    splits = 1 + max(row["split"] for row in rows)
    parts = [f"# Forests of separate shards, {splits} splits, {TREES} trees", report.machine_line(about),
             "How much higher the score of shards is than that of the whole forest: mean difference over the splits "
             "(its standard error). Lower is better. Settings are the same in all forests or each forest's own; trees "
             "are divided among the shards, or all are in each. Log loss is that of calibrated probabilities, "
             "averaged over the shards; that of votes is below.",
             sizes_table(rows)]
    for measure in MEASURES:
        some = [row for row in rows if measure in row]
        parts += [f"## {NAMES[measure]}", losses_table(some, measure)] if some else []
    return "\n\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sporf", default=str(HERE.parent / "build" / "sporf"), help="tells the commit")
    parser.add_argument("--data", type=Path, default=defaults.DATA, help="the data directory; SPORF_DATA if not given")
    parser.add_argument("--tables", nargs="+", metavar="NAME", help="only these tables")
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--output", type=Path, help="the lines of this run; a new file in build/bench-results")
    parser.add_argument("--store", action="store_true", help="store the report in bench/results")
    options = parser.parse_args()
    about = {"date": datetime.date.today().isoformat(), **machine.describe(options.sporf)}
    if not options.output:
        moment = datetime.datetime.now().strftime("%H%M%S")
        name = f"shards-{about['date']}-{moment}-{about['commit']}.jsonl"
        options.output = HERE.parent / "build" / "bench-results" / name
    rows = defaults.run_fits(options, fits(options))
    page = text(about, rows)
    print(page)
    if options.store:
        name = f"shards-{about['date']}-{machine.short_name(about)}-{about['commit']}"
        print(f"stored as {report.store(HERE / 'results', name, page, about, rows, [])} and .json")


if __name__ == "__main__":
    main()
