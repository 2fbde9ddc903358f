"""Test errors of sporf over folds: the splits, the runs, and what comes of many of them.

A table is a list of rows, a row a list of cells as text. Every fit is one `sporf train` and one
`sporf evaluate` on files of its own in a temporary folder, which goes afterwards.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDS = 5
TIE = 1e-12


class Failed(Exception):
    """What sporf had to say."""


def stratified(labels, seed):
    """The test rows of each fold: each class is shuffled and dealt out to the folds in turn."""
    classes, shuffler = defaultdict(list), random.Random(seed)
    for row, label in enumerate(labels):
        classes[label].append(row)
    order = []
    for label in sorted(classes):
        shuffler.shuffle(classes[label])
        order += classes[label]
    return [set(order[fold::FOLDS]) for fold in range(FOLDS)]


def parted(rows, test):
    """The rows to train with and those to test with, both in their order."""
    return ([row for i, row in enumerate(rows) if i not in test],
            [row for i, row in enumerate(rows) if i in test])


def given_folds(path):
    """The test rows of each fold from a file: a line of row numbers, from 1, for each."""
    return [{int(row) - 1 for row in line.split(",")} for line in open(path)]


# ---- fits ---------------------------------------------------------------------------------------


def call(command, folder, *arguments):
    """What a call of sporf prints."""
    done = subprocess.run([str(word) for word in (Path(command).resolve(), *arguments)], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no message")
    return done.stdout


def sporf(command, folder, *arguments):
    return json.loads(call(command, folder, *arguments))


def write(path, header, rows):
    """Cells are quoted as needed: labels and categories may hold anything."""
    def cell(text):
        return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',;"\n\t ') else text

    with open(path, "w", newline="") as file:
        for row in ([header] if header else []) + rows:
            file.write(",".join(map(cell, row)) + "\n")


def test_error(command, header, train, test, label, options):
    """The share of the test rows that a forest of the other rows gets wrong. header may be None."""
    has_header = ["--header", "yes" if header else "no", "--label", label]
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in ("train.csv", train), ("test.csv", test):
            write(Path(folder) / name, header, rows)
        sporf(command, folder, "train", "--data", "train.csv", *has_header, "--model", "model.sporf",
              "--threads", 1, "--json", *options)
        return sporf(command, folder, "evaluate", "--data", "test.csv", *has_header, "--model",
                     "model.sporf", "--threads", 1, "--json")["error"]


def run_all(tasks, jobs):
    """Results of the functions in the same order, `jobs` at a time. One that fails gives its Failed."""
    def attempt(task):
        try:
            return task()
        except Failed as reason:
            return reason

    results = []
    with ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(attempt, tasks):
            results.append(result)
            if sys.stderr.isatty():
                print(f"\r{len(results)} of {len(tasks)}", end="\r", file=sys.stderr, flush=True)
    return results


def compare(sets, tasks_of, jobs):
    """The results of each set's functions, as lists; all of them wait in one line for a free job."""
    tasks = [list(tasks_of(one)) for one in sets]
    results = iter(run_all([task for some in tasks for task in some], jobs))
    return [[next(results) for _ in some] for some in tasks]


# ---- what comes of it ---------------------------------------------------------------------------


def mean(values):
    return math.fsum(values) / len(values)


def standard_error(values):
    """Of the mean, as if the values were independent: errors of folds are not quite."""
    if len(values) < 2:
        return math.nan
    centre = mean(values)
    return math.sqrt(math.fsum((v - centre) ** 2 for v in values) / (len(values) - 1) / len(values))


def contrast(names, results):
    """Results of two sides in turns: the means, and the mean of the first less the second."""
    failed = next((result for result in results if isinstance(result, Failed)), None)
    if failed:
        return {"failed": str(failed)}
    sides = results[0::2], results[1::2]
    differences = [a - b for a, b in zip(*sides)]
    return {names[0]: mean(sides[0]), names[1]: mean(sides[1]), "difference": mean(differences),
            "standard_error": standard_error(differences)}


def total(names, contrasts):
    """Means over the sets that could be run; wins are those of the side named first."""
    done = [one for one in contrasts if "failed" not in one]
    if not done:
        return {"sets": 0}
    differences = [one["difference"] for one in done]
    return {"sets": len(done), **{name: mean([one[name] for one in done]) for name in names},
            "difference": mean(differences), "standard_error": standard_error(differences),
            "wins": sum(d < -TIE for d in differences), "ties": sum(abs(d) <= TIE for d in differences),
            "losses": sum(d > TIE for d in differences)}


def columns(names, about):
    """The end of a line of the report."""
    if "failed" in about:
        return "  " + about["failed"]
    return (f"{about[names[0]]:9.4f}{about[names[1]]:9.4f}{about['difference']:+10.4f}"
            f"{about['standard_error']:9.4f}")


def headings(names):
    return f"{names[0]:>9s}{names[1]:>9s}{'differ.':>10s}{'s.e.':>9s}"


def verdict(names, whole):
    return (f"{names[0]} against {names[1]}: {whole['wins']} wins, {whole['ties']} ties, "
            f"{whole['losses']} losses")


def store(path, report):
    """As JSON, which has no NaN."""
    def clean(value):
        if isinstance(value, dict):
            return {key: clean(one) for key, one in value.items()}
        if isinstance(value, list):
            return [clean(one) for one in value]
        return None if isinstance(value, float) and math.isnan(value) else value

    path.write_text(json.dumps(clean(report), indent=1, allow_nan=False) + "\n")


# ---- options ------------------------------------------------------------------------------------


def parser(text, repeats, quick_rows):
    """The options that the comparisons share. Those of sporf train follow after --."""
    options = argparse.ArgumentParser(description=text.splitlines()[0],
                                      epilog="Options of sporf train for both sides follow after --.")
    options.add_argument("--sporf", default="build/sporf")
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    options.add_argument("--trees", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--repeats", type=int, default=repeats, help="each with a seed of its own")
    options.add_argument("--jobs", type=int, default=2, help="fits at a time, each on one thread")
    options.add_argument("--sets", type=lambda text: text.split(","), help="only these, separated by commas")
    options.add_argument("--quick", action="store_true", help=f"only sets below {quick_rows} rows")
    options.add_argument("--json", type=Path, help="also write everything to this file")
    return options


def parse(options):
    words = sys.argv[1:]
    here = words.index("--") if "--" in words else len(words)
    given = options.parse_args(words[:here])
    given.train = words[here + 1:]
    return given


def settings(given):
    return {"trees": given.trees, "seed": given.seed, "repeats": given.repeats, "train": given.train}
