#!/usr/bin/env python3
"""The tables on which learners without options are compared, as train.csv and test.csv of a split.

Usage: defaults_tables.py TABLE SPLIT FOLDER, with a Python that has numpy. Rows keep the text that the data
directory has. TABLE is the path of a .csv.gz file, whose training rows in split s are those with
`numpy.random.default_rng(s).random(n) < 2/3`. Of kddcup only those below 1/3 are trained with, since all of them
take too long; the test rows are the same. MNIST has its own test rows and is read where it is.
"""

import gzip
import json
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "bench-data" / "defaults"
TRAINING_SHARE = 2 / 3
SMALLER_SHARE = {"kddcup": 1 / 3}
FEWER_TREES = {"mnist": 100, "covertype_93k": 100, "kddcup": 100}
LARGE = ("covertype_93k", "kddcup")


@dataclass(frozen=True)
class Table:
    name: str
    path: Path
    target: str  # the last column's name; for MNIST the labels have a file of their own
    numeric: bool  # regression
    trees: int

    def to_train(self, folder):
        """What sporf train needs to know about the table."""
        if self.name == "mnist":
            return ["--data", self.path / "train-images-idx3-ubyte.gz",
                    "--label-file", self.path / "train-labels-idx1-ubyte.gz"]
        return ["--data", folder / "train.csv", "--target" if self.numeric else "--label", self.target]

    def to_predict(self, folder):
        """The same for sporf predict. It is told the target because spambase's other columns have numbers as names:
        without it, that header would be read as a row."""
        if self.name == "mnist":
            return ["--data", self.path / "t10k-images-idx3-ubyte.gz"]
        return ["--data", folder / "test.csv", "--label", self.target]


def find(data, trees):
    """All tables below the data directory; trees: of a forest where the table has no smaller number."""
    tables = [Table(path.name[:-len(".csv.gz")], path, "target", path.name.startswith("number-"), trees)
              for path in sorted((data / "medium").glob("*.csv.gz"))]
    if (data / "mnist").is_dir():
        tables.append(Table("mnist", data / "mnist", "", False, min(trees, FEWER_TREES["mnist"])))
    for name in LARGE:
        path = data / "tables" / f"{name}.csv.gz"
        if path.exists():
            tables.append(Table(name, path, "class", False, min(trees, FEWER_TREES[name])))
    return tables


def folder_of(table, split):
    return CACHE / f"{table.name}-{split}"


def make(path, split, folder):
    import numpy as np

    with gzip.open(path, "rt", newline="") as file:
        header, *lines = file.read().splitlines()
    drawn = np.random.default_rng(split).random(len(lines))
    share = SMALLER_SHARE.get(path.name[:-len(".csv.gz")], TRAINING_SHARE)
    folder.mkdir(parents=True, exist_ok=True)
    for part, chosen in ("train", drawn < share), ("test", drawn >= TRAINING_SHARE):
        rows = [lines[i] for i in np.flatnonzero(chosen)]
        (folder / f"{part}.csv").write_text("\n".join([header, *rows]) + "\n")
    about = {"rows": int((drawn < share).sum()), "test_rows": int((drawn >= TRAINING_SHARE).sum()),
             "features": header.count(",")}
    (folder / "about.json").write_text(json.dumps(about) + "\n")


if __name__ == "__main__":
    make(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
