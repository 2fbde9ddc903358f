#!/usr/bin/env python3
"""Holes as they are against holes filled with means: the test errors of sporf on tables that lost cells.

Usage: bench/missing.py [options] [-- OPTIONS OF sporf train]

Sets are numeric ones of uci/ in the data folder. Cells are removed at random (mcar), or the likelier
the larger a value is among those of its column (mnar), from rows to train with and rows to test with.
One side leaves them empty, the other fills them with the mean of the training rows' column. Both get
the same cells, folds (the paper's), settings and seeds. Ends with status 1 where a set could not be run.
"""

import csv
import gzip
import random
import sys
from pathlib import Path

import crossval

SETS = ["breast_cancer-wisconsin-diag", "conn_bench-sonar-mines-rocks", "conn_bench-vowel-deterding",
        "ilpd_indian-liver", "ionosphere", "iris", "libras", "pima", "seeds", "spectf", "statlog_image",
        "statlog_vehicle", "synthetic_control", "vertebral_column_task_2", "waveform", "wine", "yeast"]
SHARES = [0.05, 0.15, 0.3]
SIDES = "holes", "means"
QUICK_ROWS = 1000


def removed_at_random(rows, share, chance):
    return [[chance.random() < share for _ in row[:-1]] for row in rows]


def removed_by_value(rows, share, chance):
    """A value's chance to go grows with its rank, from 0 to twice the share."""
    gone = [[False] * (len(row) - 1) for row in rows]
    for column in range(len(rows[0]) - 1):
        order = sorted(range(len(rows)), key=lambda row: float(rows[row][column]))
        for rank, row in enumerate(order):
            gone[row][column] = chance.random() < 2 * share * (rank + 0.5) / len(rows)
    return gone


KINDS = {"mcar": removed_at_random, "mnar": removed_by_value}


def emptied(rows, gone):
    return [["" if lost else cell for cell, lost in zip(row, lost_cells)] + row[-1:]
            for row, lost_cells in zip(rows, gone)]


def filled(train, test):
    """Both parts with the means of the training part; 0 for a column that it knows nothing of."""
    columns = list(zip(*train))[:-1]
    known = [[float(cell) for cell in column if cell != ""] for column in columns]
    means = [repr(crossval.mean(values)) if values else "0" for values in known]
    return [[[cell if cell != "" else centre for cell, centre in zip(row, means)] + row[-1:] for row in rows]
            for rows in (train, test)]


class Set:
    def __init__(self, data, name):
        self.name = name
        with gzip.open(data / "uci" / f"{name}.csv.gz", "rt", newline="") as file:
            self.rows = list(csv.reader(file))
        self.folds = crossval.given_folds(data / "uci" / f"{name}.folds")


def tasks_of(options, one, kind, share):
    """A function for each fit, holes and means in turns."""
    for seed in range(options.seed, options.seed + options.repeats):
        chance = random.Random(f"{seed} {one.name} {kind} {share}")
        rows = emptied(one.rows, KINDS[kind](one.rows, share, chance))
        train_options = ["--trees", options.trees, "--seed", seed, *options.train]
        for test in one.folds:
            parts = crossval.parted(rows, test)
            for sides in (parts, filled(*parts)):
                yield lambda s=sides, o=train_options: crossval.test_error(options.sporf, None, *s, "last", o)


def print_part(title, summaries, whole):
    print(f"{title:32s}" + crossval.headings(SIDES))
    for about in summaries:
        print(f"{about['set']:32s}" + crossval.columns(SIDES, about))
    if whole["sets"]:
        print(f"{'mean of ' + str(whole['sets']):32s}" + crossval.columns(SIDES, whole))
        print(crossval.verdict(SIDES, whole) + "\n", flush=True)


def arguments():
    parser = crossval.parser(__doc__, repeats=1, quick_rows=QUICK_ROWS)
    parser.add_argument("--kinds", type=lambda text: text.split(","), default=list(KINDS),
                        help="mcar, mnar or both (default)")
    parser.add_argument("--shares", type=lambda text: list(map(float, text.split(","))), default=SHARES,
                        help="of the cells (default: 0.05,0.15,0.3)")
    return crossval.parse(parser)


def load(options):
    names = options.sets or SETS
    missing = [name for name in names if not (options.data / "uci" / f"{name}.csv.gz").exists()]
    if missing:
        sys.exit(f"there is no {missing[0]}.csv.gz in {options.data / 'uci'}")
    sets = [Set(options.data, name) for name in names]
    return [one for one in sets if not (options.quick and len(one.rows) >= QUICK_ROWS)]


def part(options, sets, kind, share):
    """All sets with one kind of holes."""
    results = crossval.compare(sets, lambda one: tasks_of(options, one, kind, share), options.jobs)
    summaries = [{"set": one.name, "rows": len(one.rows), "features": len(one.rows[0]) - 1,
                  **crossval.contrast(SIDES, some)} for one, some in zip(sets, results)]
    whole = crossval.total(SIDES, summaries)
    print_part(f"{kind}, {100 * share:g}% of the cells", summaries, whole)
    return {"kind": kind, "share": share, "mean": whole, "sets": summaries}


def main():
    options = arguments()
    sets = load(options)
    parts = [part(options, sets, kind, share) for kind in options.kinds for share in options.shares]
    if options.json:
        crossval.store(options.json, {"settings": crossval.settings(options), "parts": parts})
    sys.exit(any("failed" in about for some in parts for about in some["sets"]))


if __name__ == "__main__":
    main()
