#!/usr/bin/env python3
"""Runs sporf and its peers on the same tables, one fit at a time, and prints and stores a table.

make bench runs all settings, make bench BENCH="mnist-sqrt wide" a few. A whole run is stored in
bench/results/, a part of one below build/.
"""

import argparse
import datetime
import sys
from pathlib import Path

import bars
import environment
import learners
import machine
import measure
import report
from settings import SETTINGS

ROOT = Path(__file__).resolve().parent.parent


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SETTING", help="which settings; all if none")
    parser.add_argument("--list", action="store_true", help="list the settings and end")
    parser.add_argument("--sporf", default=str(ROOT / "build" / "sporf"), metavar="COMMAND",
                        help="the command to measure; build/sporf if not given")
    return parser.parse_args()


def list_settings():
    for s in SETTINGS:
        print(f"{s.name:<16} {s.workload:<12} d = {s.d}, density = {s.nonzeros}/p, {s.trees} trees")


def choose(names):
    known = {setting.name: setting for setting in SETTINGS}
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"bench/run.py: no setting {', '.join(unknown)}; --list names them")
    return [known[name] for name in names] or SETTINGS


def find_learners(sporf_command):
    found = {}
    for name in learners.ALL:
        try:
            found[name] = learners.find(name, sporf_command)
        except environment.Missing as reason:
            found[name] = reason
    if isinstance(found["sporf"], environment.Missing):
        sys.exit(f"bench/run.py: {found['sporf']}")
    return found


def main():
    arguments = read_arguments()
    if arguments.list:
        list_settings()
        return 0
    chosen = choose(arguments.names)
    about = {"date": datetime.date.today().isoformat(), **machine.describe(arguments.sporf)}
    found = find_learners(arguments.sporf)
    rows, verdicts = [], []
    for setting in chosen:
        measured = measure.measure(setting, found)
        rows += measured
        verdicts += bars.judge(setting, measured)
    folder = ROOT / "bench" / "results" if chosen == SETTINGS else ROOT / "build" / "bench-results"
    name = f"{about['date']}-{machine.short_name(about)}-{about['commit']}"
    page = report.store(folder, name, about, rows, verdicts)
    print(report.text(about, rows, verdicts))
    print(f"stored as {page.relative_to(ROOT)} and .json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
