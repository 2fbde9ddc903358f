#!/usr/bin/env python3
"""Typed tables as they are against their one-hot, imputed versions: the test errors of sporf, set by set.

Usage: bench/tables.py [options] [-- OPTIONS OF sporf train]

Sets are those in both tables/ and uci/ of the data folder whose typed table has categories (columns
cat_*) or empty cells. Both sides get the same settings, seeds and, where rows of the two versions come in
the same order, the paper's folds; otherwise stratified folds that each version deals out by the same rule.
The imputed values of uci/ know the labels (heart_hungarian's thal is normal in 75 rows, all of them of one
class, and was missing in 266 of 294): --spelled-out compares with a version that does not.
Every repeat has another seed of the forest, and of the folds where those are dealt out.
Ends with status 1 where a set could not be run.
"""

import csv
import functools
import gzip
import json
import shlex
import subprocess
import sys
from pathlib import Path

import crossval
import pairing
import spelled

SIDES = "typed", "onehot"
QUICK_ROWS = 3000
CATEGORICAL = "--categorical={categories}"  # some categories look like numbers


class Set:
    """One set in both versions."""

    def __init__(self, data, name):
        self.name = name
        with gzip.open(data / "tables" / f"{name}.csv.gz", "rt", newline="") as file:
            self.header, *self.typed = csv.reader(file)
        with gzip.open(data / "uci" / f"{name}.csv.gz", "rt", newline="") as file:
            self.onehot = list(csv.reader(file))
        self.given = crossval.given_folds(data / "uci" / f"{name}.folds")
        if self.header[-1] != "class":
            raise SystemExit(f"{name}: the last column of a typed table must be 'class', got '{self.header[-1]}'")

    rows = property(lambda self: len(self.typed))
    features = property(lambda self: len(self.header) - 1)
    categories = property(lambda self: [name for name in self.header[:-1] if name.startswith("cat_")])

    @functools.cached_property
    def missing(self):
        """The share of cells that are empty."""
        return sum(row[:-1].count("") for row in self.typed) / (self.rows * self.features)

    @functools.cached_property
    def same_order(self):
        return pairing.same_order(self.typed, self.onehot)

    @functools.cached_property
    def counts(self):
        """Whether the versions differ in more than the order of rows."""
        return bool(self.categories) or self.missing > 0

    def folds(self, seed):
        """Pairs of test rows, of the typed version and of the other."""
        if self.same_order:
            return [(fold, fold) for fold in self.given]
        return list(zip(*(crossval.stratified([row[-1] for row in rows], seed)
                          for rows in (self.typed, self.onehot))))


def load(options):
    names = sorted(path.name[:-7] for path in (options.data / "tables").glob("*.csv.gz"))
    if options.sets:
        unknown = [name for name in options.sets if name not in names]
        if unknown:
            sys.exit(f"there is no table {unknown[0]} in {options.data / 'tables'}")
        names = options.sets
    sets = [Set(options.data, name) for name in names if (options.data / "uci" / f"{name}.csv.gz").exists()]
    sets = [one for one in sets if not (options.quick and one.rows >= QUICK_ROWS)]
    if not sets:
        sys.exit(f"there are no sets to compare below {options.data}: it needs tables/ and uci/")
    return [one for one in sets if one.counts or options.all]


def tasks_of(options, one, known):
    """A function for each fit, typed and one-hot in turns; known are errors of the latter, if not None."""
    typed_options = [word.replace("{categories}", ",".join(one.categories))
                     for word in shlex.split(options.typed_options)
                     if one.categories or "{categories}" not in word]
    for repeat in range(options.repeats):
        common = ["--trees", options.trees, "--seed", options.seed + repeat, *options.train]
        for fold, (typed_test, onehot_test) in enumerate(one.folds(options.seed + repeat)):
            yield lambda t=typed_test, c=common: crossval.test_error(
                options.sporf, one.header, *crossval.parted(one.typed, t), "class", c + typed_options)
            if known:
                yield lambda k=repeat * crossval.FOLDS + fold: known[k]
            elif options.spelled_out:
                yield lambda t=typed_test, c=common: crossval.test_error(
                    options.sporf, None, *spelled.spelled_out(one.header, *crossval.parted(one.typed, t)),
                    "last", c)
            else:
                yield lambda t=onehot_test, c=common: crossval.test_error(
                    options.sporf, None, *crossval.parted(one.onehot, t), "last", c)


def summary(one, results):
    """What is known about a set, as JSON has it."""
    typed, onehot = results[0::2], results[1::2]
    about = {"set": one.name, "counts": one.counts, "rows": one.rows, "features": one.features,
             "onehot_features": len(one.onehot[0]) - 1, "categories": len(one.categories),
             "missing": one.missing, "folds": "given" if one.same_order else "stratified",
             **crossval.contrast(SIDES, results)}
    for side, errors in zip(SIDES, (typed, onehot)):
        if not any(isinstance(error, crossval.Failed) for error in errors):
            about[f"{side}_by_fold"] = errors
    return about


def print_set(about):
    print(f"{about['set']:28s} {about['rows']:6d} {about['features']:5d} {about['categories']:4d} "
          f"{100 * about['missing']:6.2f}%  {about['folds']:10s}" + crossval.columns(SIDES, about))


def print_report(summaries, whole):
    print(f"{'set':28s} {'rows':>6s} {'feat.':>5s} {'cat.':>4s} {'missing':>7s}  {'folds':10s}"
          + crossval.headings(SIDES))
    for about in summaries:
        if about["counts"]:
            print_set(about)
    if whole["sets"]:
        print(f"{'mean of ' + str(whole['sets']):63s}" + crossval.columns(SIDES, whole))
        print(crossval.verdict(SIDES, whole))
    apart = [about for about in summaries if not about["counts"]]
    if apart:
        print("numbers only, without holes; not in the mean:")
    for about in apart:
        print_set(about)


def arguments():
    parser = crossval.parser(__doc__, repeats=3, quick_rows=QUICK_ROWS)
    parser.add_argument("--all", action="store_true", help="also sets of numbers without holes, listed apart")
    parser.add_argument("--spelled-out", action="store_true",
                        help="make the one-hot version of the typed table itself, its holes filled from the "
                             "training rows: in uci/ they were filled with the labels in sight")
    parser.add_argument("--typed-options", help="options of sporf train for typed tables only; a word with "
                        "{categories}, which stands for the names of the cat_* columns, goes where there are none "
                        f"(default: '{CATEGORICAL}', where sporf train has it)")
    parser.add_argument("--onehot-from", type=Path, metavar="FILE",
                        help="take the errors of the one-hot side from the --json of a run with the same "
                             "settings, where it has the set")
    options = crossval.parse(parser)
    if options.typed_options is None:
        options.typed_options = CATEGORICAL if has_option(options.sporf, CATEGORICAL.split("=")[0]) else ""
    return options


def has_option(command, name):
    return name in subprocess.run([command, "train", "--help"], capture_output=True, text=True).stdout


def known_errors(options):
    """Errors of the one-hot side by set, from an earlier run."""
    if not options.onehot_from:
        return {}
    earlier = json.loads(options.onehot_from.read_text())
    if earlier["settings"] != crossval.settings(options):
        sys.exit(f"{options.onehot_from} was made with other settings: {earlier['settings']}")
    return {about["set"]: about["onehot_by_fold"] for about in earlier["sets"] if "onehot_by_fold" in about}


def main():
    options = arguments()
    known, sets = known_errors(options), load(options)
    results = crossval.compare(sets, lambda one: tasks_of(options, one, known.get(one.name)), options.jobs)
    summaries = [summary(one, some) for one, some in zip(sets, results)]
    whole = crossval.total(SIDES, [about for about in summaries if about["counts"]])
    print_report(summaries, whole)
    if options.json:
        crossval.store(options.json, {"settings": crossval.settings(options),
                                      "typed_options": options.typed_options, "mean": whole, "sets": summaries})
    sys.exit(any("failed" in about for about in summaries))


if __name__ == "__main__":
    main()
