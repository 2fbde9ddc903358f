"""The larger tables: MNIST, and the part of Higgs that is there."""

import csv
import gzip
from functools import cache

import numpy as np

from context import need

TITLES = {"mnist": "MNIST", "higgs": "Higgs (subset)"}


def idx(name: str) -> np.ndarray:
    """The numbers of an idx file: the fourth byte is the number of dimensions."""
    with gzip.open(need("mnist") / f"{name}.gz") as file:
        data = file.read()
    shape = np.frombuffer(data, ">i4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)


@cache
def mnist():
    """Training rows and test rows."""
    parts = []
    for part in ("train", "t10k"):
        X = idx(f"{part}-images-idx3-ubyte").astype(np.float32)
        parts.append((X.reshape(len(X), -1), idx(f"{part}-labels-idx1-ubyte").astype(int)))
    return parts


@cache
def higgs():
    """Three quarters of the rows to train with, and the others."""
    with gzip.open(need("tables") / "higgs_uci_subset.csv.gz", "rt", newline="") as file:
        header, *lines = csv.reader(file)
    label = header.index("class")
    y = np.unique([line[label] for line in lines], return_inverse=True)[1]
    X = np.array(
        [[float(cell or "nan") for j, cell in enumerate(x) if j != label] for x in lines],
        dtype=np.float32,
    )
    cut = len(X) * 3 // 4
    return [(X[:cut], y[:cut]), (X[cut:], y[cut:])]


def load(name: str, rows: int):
    """Training rows, at most so many, and test rows."""
    (X, y), test = {"mnist": mnist, "higgs": higgs}[name]()
    return (np.asfortranarray(X[:rows]), y[:rows]), test
