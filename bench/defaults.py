#!/usr/bin/env python3
"""Learners as people run them: sporf and its peers without options, one thread each, on tables of many kinds.

Usage: bench/defaults.py [options]

The tables are those of medium/ in the data directory, MNIST, covertype and kddcup (defaults_tables.py). Forests
have the same number of trees. Each fit is a line of JSON in --output, written as it comes. A fit that the file
already has is not repeated: a run that was stopped goes on, and a part can be added. --uci is another run: sporf
alone on the UCI sets, with the paper's folds. The report compares ours with --baseline, another run of either kind.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
from pathlib import Path

import defaults_bars
import defaults_learners
import defaults_report
import defaults_tables
import environment
import learners
import machine
import report

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DATA = Path(os.environ.get("SPORF_DATA", ROOT.parent / "shared" / "data"))
BASELINE = HERE / "results" / "errors-f7109f05ff.json"
TREES, SPLITS, LIMIT_SECONDS = 500, 1, 1800


# ---- fits ----------------------------------------------------------------------------------------


def key(line):
    return line["kind"], line["table"], line["split"], line["learner"], line["trees"]


def prepare(table, split):
    """The folder of a split, made if need be, and its sizes."""
    folder = defaults_tables.folder_of(table, split)
    if table.name == "mnist":
        return folder, {"rows": 60000, "test_rows": 10000, "features": 784}
    if not (folder / "about.json").exists():
        subprocess.run([environment.python("defaults"), HERE / "defaults_tables.py", table.path, str(split), folder],
                       check=True)
    return folder, json.loads((folder / "about.json").read_text())


def fit(table, split, learner, limit):
    folder, sizes = prepare(table, split)
    job = {"folder": str(folder), "trees": table.trees, "seed": split + 1}
    return {**sizes, **learner.fit(table, job, limit)}


def table_fits(options, found):
    """(the line so far, the function that fits), all tables of a learner after each other."""
    for name, learner in found.items():
        for table in defaults_tables.find(options.data, options.trees):
            only_numbers = name == "extra-trees"
            for split in range(0 if only_numbers and not table.numeric else 1 if table.name == "mnist" else
                               options.splits):
                line = {"table": table.name, "kind": "number" if table.numeric else "class", "split": split,
                        "learner": name, "trees": table.trees if name in defaults_learners.FORESTS else None,
                        "seed": split + 1}
                yield line, lambda t=table, s=split, m=learner: fit(t, s, m, options.limit)


def uci_fits(options, found):
    """The same for the UCI sets, small files first; the folds are the paper's, so that only the seed changes."""
    sets = sorted((options.data / "uci").glob("*.csv.gz"), key=lambda path: (path.stat().st_size, path.name))
    for split in range(options.splits):
        for path in sets:
            name, seed = path.name[:-len(".csv.gz")], split + 1
            line = {"table": name, "kind": "uci", "split": split, "learner": "sporf", "trees": options.trees,
                    "seed": seed}
            yield line, lambda n=name, s=seed: found["sporf"].crossval(options.data, n, options.trees, s,
                                                                       options.limit)


def attempt(line, function):
    try:
        return {**line, **function()}
    except learners.Failed as reason:
        return {**line, "failure": str(reason)}


def run_fits(options, fits):
    """Fits what is wanted and --output does not have yet; returns all lines of it."""
    done = {key(line): line for line in read(options.output)} if options.output.exists() else {}
    options.output.parent.mkdir(parents=True, exist_ok=True)
    for line, function in fits:
        if key(line) in done or (options.tables and line["table"] not in options.tables):
            continue
        done[key(line)] = line = attempt(line, function)
        with open(options.output, "a") as file:
            file.write(json.dumps(line) + "\n")
        print(defaults_report.short(line), file=sys.stderr, flush=True)
    return list(done.values())


def read(path):
    """The lines of a run, as it wrote them or from its stored report."""
    text = path.read_text()
    return json.loads(text)["rows"] if path.suffix == ".json" else [json.loads(line) for line in text.splitlines()]


# ---- the command ---------------------------------------------------------------------------------


def find(options):
    """The learners that are there, sporf first."""
    found = {}
    for name in ("sporf",) if options.uci else options.only or defaults_learners.ALL:
        try:
            found[name] = defaults_learners.find(name, options.sporf, options.train)
        except environment.Missing as reason:
            print(f"{name} is left out: {reason}", file=sys.stderr)
    return found


def is_timed_here(path, about):
    """Whether the times of a run are of this machine. Runs that are not stored are taken as such."""
    return path.suffix != ".json" or json.loads(path.read_text())["machine"]["cpu"] == about["cpu"]


def joined(rows, paths):
    """With the lines of other runs where rows has none."""
    for path in paths:
        present = {key(line) for line in rows}
        rows = rows + [line for line in read(path) if key(line) not in present]
    return rows


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="Options of sporf train, to see what they do, follow after --.")
    parser.add_argument("--sporf", default=str(ROOT / "build" / "sporf"), help="the command to measure")
    parser.add_argument("--data", type=Path, default=DATA, help="the data directory; SPORF_DATA if not given")
    parser.add_argument("--only", nargs="+", choices=defaults_learners.ALL, metavar="LEARNER",
                        help=f"only these of {', '.join(defaults_learners.ALL)}")
    parser.add_argument("--tables", nargs="+", metavar="NAME", help="only these tables")
    parser.add_argument("--splits", type=int, default=SPLITS, help="splits of each table; seeds of each UCI set")
    parser.add_argument("--trees", type=int, default=TREES, help="of a forest; at most 100 for the large tables")
    parser.add_argument("--uci", action="store_true", help="the UCI sets instead, sporf alone")
    parser.add_argument("--limit", type=int, default=LIMIT_SECONDS, help="seconds after which a fit is stopped")
    parser.add_argument("--output", type=Path, help="the lines of this run; a new file in build/bench-results")
    parser.add_argument("--join", nargs="+", type=Path, default=[], metavar="FILE",
                        help="runs whose lines the report takes where this one has none")
    parser.add_argument("--baseline", type=Path, default=BASELINE, help="the run that ours is compared with")
    parser.add_argument("--report", action="store_true", help="no fits: only the report of --output and --join")
    parser.add_argument("--store", action="store_true", help="store the report in bench/results")
    here = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:here])
    options.train = words[here + 1:]
    return options


def main(words):
    options = arguments(words)
    about = {"date": datetime.date.today().isoformat(), **machine.describe(options.sporf)}
    if not options.output:
        moment = datetime.datetime.now().strftime("%H%M%S")
        name = f"defaults-{about['date']}-{moment}-{about['commit']}.jsonl"
        options.output = ROOT / "build" / "bench-results" / name
    if options.report:
        rows = read(options.output)
    else:
        rows = run_fits(options, (uci_fits if options.uci else table_fits)(options, find(options)))
    rows = joined(rows, options.join)
    if not rows:
        sys.exit(f"there is nothing to compare: {options.data} has no such tables; SPORF_DATA names the directory")
    baseline = read(options.baseline) if options.baseline.exists() else []
    verdicts = defaults_bars.judge(rows, baseline)
    timed = bool(baseline) and is_timed_here(options.baseline, about)
    text = defaults_report.text(about, rows, baseline, verdicts, timed)
    print(text)
    print(f"the lines of this run are in {options.output}")
    if options.store:
        name = f"defaults-{about['date']}-{machine.short_name(about)}-{about['commit']}"
        print(f"stored as {report.store(HERE / 'results', name, text, about, rows, verdicts)} and .json")


if __name__ == "__main__":
    main(sys.argv[1:])
