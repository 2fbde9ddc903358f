#!/usr/bin/env python3
"""Makes the tables that are trained on: train.npy, test.npy and their labels, in a folder of their own.

Usage: workloads.py NAME FOLDER. A folder that this version of the file has filled is left as it is.
Columns are single precision in Fortran order: the learners that work by column, R and sporf among
them, need not turn them. Every random table is a function of its name.
"""

import csv
import gzip
import hashlib
import json
import os
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("SPORF_DATA", ROOT.parent / "shared" / "data"))
BLOCK_VALUES = 16_000_000  # made at a time
ABSENT = -999.0


class NotThere(Exception):
    """Data that this machine does not have."""


# ---- simulated: functions of (random numbers, rows), called for a block of rows at a time ----------


def sparse_parity(random, rows, features=20, relevant=3):
    """The class is the parity of how many of the relevant features are positive."""
    x = random.uniform(-1, 1, (rows, features))
    return x, (x[:, :relevant] > 0).sum(axis=1) % 2


def trunk(random, rows, features=50):
    """Two normal classes whose means differ less and less from feature to feature."""
    y = random.integers(0, 2, rows)
    means = 1 / np.sqrt(np.arange(1, features + 1, dtype=np.float32))
    x = random.standard_normal((rows, features), dtype=np.float32)
    return x + np.where(y, 1, -1).astype(np.float32)[:, None] * means, y


def particles(random, rows, shape, scale):
    """Momentum, pseudorapidity and angle."""
    return [random.gamma(shape, scale, rows) + 0.2, random.normal(0, 1, rows).clip(-2.5, 2.5),
            random.uniform(-np.pi, np.pi, rows)]


def pair_mass(a, b):
    return np.sqrt(2 * a[0] * b[0] * (np.cosh(a[1] - b[1]) - np.cos(a[2] - b[2])))


def distance(a, b):
    turn = np.abs(a[2] - b[2])
    return np.hypot(a[1] - b[1], np.pi - np.abs(np.pi - turn))


def higgs(random, rows):
    """A collider table: 21 columns as measured, 9 derived from them, jets that are often absent.

    In six of ten signal events two jets, and lepton and missing energy, have nearly the mass of
    what they decayed from. The overlap was chosen such that full-depth trees on 250,000 rows have
    about 73,000 nodes and forests an error of about .27, like forests on the real table's kind.
    """
    y = random.integers(0, 2, rows)
    lepton, missing = particles(random, rows, 3, 0.3), particles(random, rows, 2, 0.5)
    jets = [particles(random, rows, 2.5, 0.4 - 0.05 * k) for k in range(4)]
    resonant = (y == 1) & (random.uniform(size=rows) < 0.6)
    pull = np.sqrt(random.normal(1, 0.1, rows).clip(0.2) / pair_mass(jets[0], jets[1]))
    for jet in jets[:2]:
        jet[0] *= np.where(resonant, pull, 1)
    pull = (random.normal(0.8, 0.1, rows).clip(0.1) / pair_mass(lepton, missing)).clip(0.1, 10)
    missing[0] *= np.where(resonant, pull, 1)
    count = random.choice([1, 2, 3, 4], rows, p=[0.25, 0.35, 0.25, 0.15])
    count = np.where(resonant, np.maximum(count, 2), count)

    columns = [*lepton, missing[0], count]
    for k, jet in enumerate(jets):
        tagged = random.uniform(size=rows) < 0.3 + 0.15 * (y == 1) * (k < 2)
        tag = tagged * random.integers(1, 3, rows)
        columns += [np.where(count > k, column, ABSENT) for column in (*jet, tag)]
    decay, pair = pair_mass(lepton, missing), pair_mass(jets[0], jets[1])
    total = sum(jet[0] * (count > k) for k, jet in enumerate(jets))
    derived = [(decay, 0), (pair, 2), (pair_mass(jets[0], lepton), 1),
               (pair_mass(jets[1], jets[2]), 3), (pair_mass(jets[2], jets[3]), 4),
               (pair + decay, 2), (total, 0), (distance(jets[0], jets[1]), 2),
               (missing[0] / (total + missing[0]), 0)]
    for column, jets_needed in derived:
        smeared = column * np.exp(0.05 * random.normal(size=rows))
        columns.append(np.where(count >= jets_needed, smeared, ABSENT))
    return np.stack(columns, axis=1), y


def p53(random, rows, features=5408, factors=60):
    """Many columns, correlated in groups; one row in ten of the rarer class, which three groups decide."""
    hidden = random.standard_normal((rows, factors), dtype=np.float32)
    noise = random.standard_normal((rows, features), dtype=np.float32)
    score = hidden[:, :3].sum(axis=1) + 0.3 * random.normal(size=rows)
    return hidden[:, np.arange(features) % factors] + noise, score > 2.24


def wide(random, rows, features=400_000, relevant=200):
    """Few rows, very many columns, of which some shift with the class."""
    x = random.standard_normal((rows, features), dtype=np.float32)
    y = random.integers(0, 2, rows)
    x[:, :: features // relevant] += 1.5 * y[:, None].astype(np.float32)
    return x, y


def growth(random, rows, features, classes):
    """For measuring how cost grows. All columns are alike, noisy copies of one hidden number, so that
    trees have the same shape whatever their number; classes are slices of another noisy copy, so
    that trees grow to full depth whatever the number of classes and rows."""
    hidden = random.standard_normal(rows, dtype=np.float32)
    x = random.standard_normal((rows, features), dtype=np.float32) + hidden[:, None]
    score = (hidden + random.standard_normal(rows, dtype=np.float32)) / np.sqrt(2)
    rank = 1 / (1 + np.exp(-1.702 * score))  # near the normal distribution function
    return x, np.minimum((rank * classes).astype(int), classes - 1)


# ---- real ones: functions that return (train, labels, test, labels) -------------------------------


def read_idx(path):
    if not path.exists():
        raise NotThere(f"no {path.name}; SPORF_DATA names the folder that holds mnist/")
    with gzip.open(path) as file:
        content = file.read()
    dimensions = content[3]
    shape = np.frombuffer(content, ">i4", dimensions, 4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape[0], -1)


def mnist():
    files = [read_idx(SHARED / "mnist" / f"{part}-{kind}-ubyte.gz")
             for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")]
    return files[0], files[1][:, 0], files[2], files[3][:, 0]


def covertype():
    path = SHARED / "tables" / "covertype_93k.csv.gz"
    if not path.exists():
        raise NotThere(f"no {path.name}; SPORF_DATA names the folder that holds tables/")
    with gzip.open(path, "rt", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        table = np.array([[float(value) for value in row] for row in rows], dtype=np.float32)
    held_out = np.arange(len(table)) % 10 == 9
    x, y = table[:, :-1], table[:, -1]
    return x[~held_out], y[~held_out], x[held_out], y[held_out]


REAL = {"mnist": mnist, "covertype": covertype}
# name: function, rows to train on, rows to test on, features
SIMULATED = {
    "higgs": (higgs, 250_000, 50_000, 30),
    "parity-5k": (sparse_parity, 5_000, 10_000, 20),
    "parity-100k": (sparse_parity, 100_000, 10_000, 20),
    "trunk": (trunk, 1_000_000, 10_000, 50),
    "p53": (p53, 31_000, 5_000, 5408),
    "wide": (wide, 230, 230, 400_000),
}


def plan(name):
    """A simulated workload: (function of random numbers and rows, rows, test rows, features).
    growth-ROWSxFEATURESxCLASSES stands for a table of that size."""
    if not name.startswith("growth-"):
        return SIMULATED[name]
    rows, features, classes = (int(part) for part in name[len("growth-"):].split("x"))
    return (lambda random, count: growth(random, count, features, classes)), rows, 1000, features


# ---- files ---------------------------------------------------------------------------------------


def save(folder, part, x, y):
    np.save(folder / f"{part}.npy", np.asfortranarray(x, dtype=np.float32))
    np.save(folder / f"{part}-labels.npy", np.asarray(y, dtype=np.int32))


def simulate(folder, part, seed, make, rows, features):
    """Makes a table block by block, so that it need not fit into memory."""
    x = np.lib.format.open_memmap(folder / f"{part}.npy", mode="w+", dtype=np.float32,
                                  shape=(rows, features), fortran_order=True)
    y = np.empty(rows, dtype=np.int32)
    step = max(1000, BLOCK_VALUES // features)
    for block, start in enumerate(range(0, rows, step)):
        stop = min(start + step, rows)
        x[start:stop], y[start:stop] = make(np.random.default_rng([*seed, block]), stop - start)
    x.flush()
    np.save(folder / f"{part}-labels.npy", y)


def make_workload(name, folder):
    if name in REAL:
        x, y, test_x, test_y = REAL[name]()
        save(folder, "train", x, y)
        save(folder, "test", test_x, test_y)
        return
    make, rows, test_rows, features = plan(name)
    seed = list(name.encode())
    simulate(folder, "train", [*seed, 0], make, rows, features)
    simulate(folder, "test", [*seed, 1], make, test_rows, features)


def describe(folder, version):
    x, y = np.load(folder / "train.npy", mmap_mode="r"), np.load(folder / "train-labels.npy")
    test = np.load(folder / "test.npy", mmap_mode="r")
    return {"version": version, "rows": x.shape[0], "features": x.shape[1],
            "classes": len(np.unique(y)), "test_rows": test.shape[0]}


def main():
    name, folder = sys.argv[1], Path(sys.argv[2])
    about = folder / "about.json"
    version = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    if about.exists() and json.loads(about.read_text())["version"] == version:
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    about.unlink(missing_ok=True)
    try:
        make_workload(name, folder)
    except NotThere as reason:
        print(reason)
        return 3
    about.write_text(json.dumps(describe(folder, version)) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
