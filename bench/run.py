#!/usr/bin/env python3
"""Runs sporf and its peers on the same tables, one at a time, and prints and stores tables.

make bench runs all settings, make bench BENCH="mnist-sqrt wide" a few; make bench-predict those of
prediction, whose table is a report of its own, as is that of the learners without options (defaults).
A whole report is stored in bench/results/, a part of one below build/.
"""

import argparse
import dataclasses
import datetime
import sys
from pathlib import Path

import bars
import defaults
import environment
import learners
import machine
import measure
import predict_bars
import predict_measure
import predict_report
import predictors
import report
import threads
from settings import PREDICTIONS, SETTINGS

ROOT = Path(__file__).resolve().parent.parent
WITHOUT_OPTIONS, THREADS = "defaults", "threads"


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SETTING", help="which settings; all if none")
    parser.add_argument("--list", action="store_true", help="list the settings and end")
    parser.add_argument("--sporf", default=str(ROOT / "build" / "sporf"), metavar="COMMAND",
                        help="the command to measure; build/sporf if not given")
    parser.add_argument("--trees", type=int, metavar="N",
                        help="other than 100 trees in the prediction table, to try it")
    return parser.parse_args()


def list_settings():
    for s in SETTINGS:
        print(f"{s.name:<16} {s.workload:<12} d = {s.d}, density = {s.nonzeros}/p, {s.trees} trees")
    for s in PREDICTIONS:
        print(f"{s.name:<16} {s.workload:<12} d = {s.d}, {s.trees} trees")
    print(f"{THREADS:<16} processor time and memory with 1, 2 and 16 threads")
    print(f"{WITHOUT_OPTIONS:<16} learners without options; bench/defaults.py --help has more")


def choose(names):
    """The settings of training and of prediction that are named; all if none is."""
    others = {WITHOUT_OPTIONS, THREADS}
    unknown = set(names) - {setting.name for setting in SETTINGS + PREDICTIONS} - others
    if unknown:
        sys.exit(f"bench/run.py: no setting {', '.join(sorted(unknown))}; --list names them")
    return ([setting for setting in SETTINGS if not names or setting.name in names],
            [setting for setting in PREDICTIONS if not names or setting.name in names])


def find_all(find, names, sporf_command):
    """What find has for each name, or environment.Missing."""
    found = {}
    for name in names:
        try:
            found[name] = find(name, sporf_command)
        except environment.Missing as reason:
            found[name] = reason
    if isinstance(found["sporf"], environment.Missing):
        sys.exit(f"bench/run.py: {found['sporf']}")
    return found


def finish(prefix, whole, text, about, rows, verdicts):
    """Prints and stores a report."""
    folder = ROOT / "bench" / "results" if whole else ROOT / "build" / "bench-results"
    name = f"{prefix}{about['date']}-{machine.short_name(about)}-{about['commit']}"
    page = report.store(folder, name, text, about, rows, verdicts)
    print(text)
    print(f"stored as {page.relative_to(ROOT)} and .json")


def run_training(chosen, about, sporf_command):
    found = find_all(learners.find, learners.ALL, sporf_command)
    rows, verdicts = [], []
    for setting in chosen:
        measured = measure.measure(setting, found)
        rows += measured
        verdicts += bars.judge(setting, measured)
    finish("", chosen == SETTINGS, report.text(about, rows, verdicts), about, rows, verdicts)


def run_prediction(chosen, about, sporf_command):
    names = {contestant.learner for setting in chosen for contestant in setting.contestants}
    found = find_all(predictors.find, names, sporf_command)
    rows, verdicts = [], []
    for setting in chosen:
        measured = predict_measure.measure(setting, found)
        rows += measured
        verdicts += predict_bars.judge(setting, measured)
    finish("predict-", chosen == PREDICTIONS, predict_report.text(about, rows, verdicts), about, rows,
           verdicts)


def main():
    arguments = read_arguments()
    if arguments.list:
        list_settings()
        return 0
    training, prediction = choose(arguments.names)
    about = {"date": datetime.date.today().isoformat(), **machine.describe(arguments.sporf)}
    if training:
        run_training(training, about, arguments.sporf)
    if prediction and arguments.trees:
        prediction = [dataclasses.replace(setting, trees=arguments.trees) for setting in prediction]
    if prediction:
        run_prediction(prediction, about, arguments.sporf)
    if not arguments.names or THREADS in arguments.names:
        threads.main(["--sporf", arguments.sporf, "--store"])
    if not arguments.names or WITHOUT_OPTIONS in arguments.names:
        defaults.main(["--sporf", arguments.sporf, "--store"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
