"""The error of `--split auto` against `--split exact` over the UCI sets, with the paper's folds.

Usage: bench/split_accuracy.py [--sporf build/sporf] [--data ../shared/data] [--trees 200] [--seeds 2] [SET...]

Prints a line for each set and the mean over the sets; ends with status 1 if that differs by .001 or more.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

MOST = 0.001


def run(command, *arguments):
    done = subprocess.run([command, *map(str, arguments)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def fold_errors(options, folder, lines, fold, seed):
    """The test error of one fold with either search."""
    for name, rows in ("train.csv", [i for i in range(len(lines)) if i not in fold]), ("test.csv", sorted(fold)):
        (folder / name).write_text("".join(lines[i] for i in rows))
    errors = {}
    for split in "exact", "auto":
        model = folder / f"{split}.sporf"
        run(options.sporf, "train", "--data", folder / "train.csv", "--label", "last", "--model", model, "--split",
            split, "--trees", options.trees, "--seed", seed, "--threads", options.threads, "--json")
        errors[split] = run(options.sporf, "evaluate", "--model", model, "--data", folder / "test.csv", "--label",
                            "last", "--json")["error"]
    return errors


def set_errors(options, name, folder):
    lines = gzip.open(options.data / "uci" / f"{name}.csv.gz", "rt").readlines()
    folds = [{int(row) - 1 for row in line.split(",")} for line in open(options.data / "uci" / f"{name}.folds")]
    results = [fold_errors(options, folder, lines, fold, seed) for seed in range(1, options.seeds + 1)
               for fold in folds]
    return {split: sum(result[split] for result in results) / len(results) for split in ("exact", "auto")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sporf", default="build/sporf")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("../shared/data"))
    parser.add_argument("--trees", type=int, default=200)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("sets", nargs="*")
    options = parser.parse_args()
    names = options.sets or sorted(path.name[:-7] for path in (options.data / "uci").glob("*.csv.gz"))
    if not names:
        sys.exit(f"there are no UCI sets below {options.data}")
    sums = {"exact": 0.0, "auto": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            errors = set_errors(options, name, pathlib.Path(folder))
            print(f"{name:36s} exact {errors['exact']:.4f}  auto {errors['auto']:.4f}  "
                  f"difference {errors['auto'] - errors['exact']:+.4f}", flush=True)
            for split in sums:
                sums[split] += errors[split] / len(names)
    difference = sums["auto"] - sums["exact"]
    print(f"{'mean of ' + str(len(names)):36s} exact {sums['exact']:.4f}  auto {sums['auto']:.4f}  "
          f"difference {difference:+.5f}")
    sys.exit(abs(difference) >= MOST)


if __name__ == "__main__":
    main()
