"""Cross-validates one method over ten UCI sets with the paper's folds and compares with the paper.

Usage: SPORF=build/sporf SPORF_DATA=folder uci_errors.py METHOD
"""

import csv
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SETS = ["balance_scale", "breast_cancer-wisconsin-diag", "dermatology", "flags", "hepatitis", "ionosphere",
        "libras", "pima", "tic_tac-toe", "yeast"]
AUTHORS = {"rf": "RF", "sporf": "SPORF", "frc": "F-RC", "rr-rf": "RR-RF",
           "ccf": "CCF(naive one-hot; used in paper)"}
MOST = 0.02
DATA = pathlib.Path(os.environ["SPORF_DATA"])


def sporf(*arguments):
    done = subprocess.run([os.environ["SPORF"], *map(str, arguments)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def fold_error(method, folder, lines, fold):
    for name, rows in ("train.csv", [i for i in range(len(lines)) if i not in fold]), ("test.csv", sorted(fold)):
        (folder / name).write_text("".join(lines[i] for i in rows))
    sporf("train", "--data", folder / "train.csv", "--label", "last", "--model", folder / "m.sporf", "--method",
          method, "--scale", "sd", "--json")
    return sporf("evaluate", "--model", folder / "m.sporf", "--data", folder / "test.csv", "--label", "last",
                 "--json")["error"]


def our_error(method, name, folder):
    lines = gzip.open(DATA / "uci" / f"{name}.csv.gz", "rt").readlines()
    folds = [{int(row) - 1 for row in line.split(",")} for line in open(DATA / "uci" / f"{name}.folds")]
    return sum(fold_error(method, folder, lines, fold) for fold in folds) / len(folds)


def their_error(method, name):
    with open(DATA / "figures" / "uci_errors_by_fold.csv", newline="") as table:
        errors = [float(row["test_error"]) for row in csv.DictReader(table)
                  if row["dataset"] == name and row["algorithm"] == AUTHORS[method]]
    return sum(errors) / len(errors)


def main(method):
    ours = theirs = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in SETS:
            pair = our_error(method, name, pathlib.Path(folder)), their_error(method, name)
            print(f"{name:32s} ours {pair[0]:.4f} authors {pair[1]:.4f}")
            ours, theirs = ours + pair[0] / len(SETS), theirs + pair[1] / len(SETS)
    print(f"{'mean':32s} ours {ours:.4f} authors {theirs:.4f}")
    return abs(ours - theirs) > MOST


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
