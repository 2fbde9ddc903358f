#!/usr/bin/env python3
"""Boosting without options against its peers, on the half of the tables that chose nothing.

Usage: bench/boosting.py [options]

The tables are those of medium/ in the data directory. Sorted by name, classes and numbers apart, every other one,
from the first on, chose the defaults of sporf boost; the others are reported here. Every learner gets one thread, the
seed of the split, and nothing else; forests have 500 trees. Losses are the log loss of classes and 1 - R2 of numbers,
on the third of the rows that a split leaves out. That boosting itself is right is seen with single features and
LightGBM's settings, on all tables, since nothing was chosen there. Each fit is a line of JSON in --output; a fit that the file already
has is not repeated, so that a run that was stopped goes on.
"""

import argparse
import datetime
import sys
from pathlib import Path

import boosting_report
import defaults
import defaults_learners
import defaults_tables
import environment
import machine
import report

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SPLITS, TREES = 5, 500
AS_LIGHTGBM = "--method rf --rounds 100 --rate 0.1 --max-leaves 31 --l2 0 --min-leaf 20 --valid 0 --bags 1".split()


class Boosting(defaults_learners.Sporf):
    """Our own command; options: those of sporf boost to try, usually none."""

    def __init__(self, command, options):
        super().__init__(command, options)
        self.calibrates = False  # its probabilities are what it learns

    def fit(self, table, job, limit):
        return self.fit_with("boost", table, job, limit, ("rounds", "bags"))


def find(name, options):
    if name == boosting_report.OURS:
        return Boosting(options.sporf, options.boost)
    if name == boosting_report.TWIN:
        return Boosting(options.sporf, AS_LIGHTGBM)
    return defaults_learners.find(name, options.sporf, [])


def in_halves(tables):
    """Pairs of a half and a table: every other one, of classes and of numbers."""
    for numeric in False, True:
        for place, table in enumerate(table for table in tables if table.numeric == numeric):
            yield boosting_report.HALVES[place % 2], table


def fits(options):
    tables = [table for table in defaults_tables.find(options.data, TREES) if table.path.parent.name == "medium"]
    for name in options.only or boosting_report.ALL:
        try:
            learner = find(name, options)
        except environment.Missing as reason:
            print(f"{name} is left out: {reason}", file=sys.stderr)
            continue
        for half, table in in_halves(tables):
            if half != options.half and name not in boosting_report.TWINS:
                continue
            for split in range(options.splits):
                line = {"table": table.name, "half": half, "kind": "number" if table.numeric else "class", "split": split,
                        "learner": name, "trees": TREES if name in defaults_learners.FORESTS else None,
                        "seed": split + 1}
                yield line, lambda t=table, s=split, m=learner: defaults.fit(t, s, m, options.limit)


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="Options of sporf boost, to see what they do, follow after --.")
    parser.add_argument("--sporf", default=str(ROOT / "build" / "sporf"), help="the command to measure")
    parser.add_argument("--data", type=Path, default=defaults.DATA, help="the data directory; SPORF_DATA if not given")
    parser.add_argument("--half", choices=boosting_report.HALVES, default="reporting")
    parser.add_argument("--only", nargs="+", choices=boosting_report.ALL, metavar="LEARNER",
                        help=f"only these of {', '.join(boosting_report.ALL)}")
    parser.add_argument("--tables", nargs="+", metavar="NAME", help="only these tables")
    parser.add_argument("--splits", type=int, default=SPLITS, help="splits of each table")
    parser.add_argument("--limit", type=int, default=defaults.LIMIT_SECONDS, help="seconds after which a fit is stopped")
    parser.add_argument("--output", type=Path, help="the lines of this run; a new file in build/bench-results")
    parser.add_argument("--report", action="store_true", help="no fits: only the report of --output")
    parser.add_argument("--store", action="store_true", help="store the report in bench/results")
    here = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:here])
    options.boost = words[here + 1:]
    return options


def main(words):
    options = arguments(words)
    about = {"date": datetime.date.today().isoformat(), **machine.describe(options.sporf)}
    if not options.output:
        moment = datetime.datetime.now().strftime("%H%M%S")
        options.output = ROOT / "build" / "bench-results" / f"boosting-{about['date']}-{moment}-{about['commit']}.jsonl"
    rows = defaults.read(options.output) if options.report else defaults.run_fits(options, fits(options))
    if not rows:
        sys.exit(f"there is nothing to compare: {options.data} has no such tables; SPORF_DATA names the directory")
    verdicts = boosting_report.judge(options.half, rows)
    text = boosting_report.text(about, options.half, rows, verdicts)
    print(text)
    print(f"the lines of this run are in {options.output}")
    if options.store:
        name = f"boosting-{about['date']}-{machine.short_name(about)}-{about['commit']}"
        print(f"stored as {report.store(HERE / 'results', name, text, about, rows, verdicts)} and .json")


if __name__ == "__main__":
    main(sys.argv[1:])
