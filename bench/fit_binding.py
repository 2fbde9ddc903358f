"""One fit of the Python package for binding.py: FOLDER LAYOUT TREES. Prints JSON."""

import json
import resource
import sys
import timeit
from pathlib import Path

import numpy as np

from sporf import SporfClassifier

LAYOUTS = {"float32-fortran": (np.float32, "F"), "float32-c": (np.float32, "C"), "float64-c": (np.float64, "C"),
           "uint8": (np.uint8, "C")}


def held_bytes():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


def read(path, dtype, order):
    """The array alone, without a second one in memory while it is made."""
    with open(path, "rb") as file:
        np.lib.format.read_magic(file)
        shape, _, stored = np.lib.format.read_array_header_1_0(file)
        x = np.empty(shape, dtype, order)
        for begin in range(0, len(x), 1000):
            part = np.fromfile(file, stored, 1000 * shape[1]).reshape(-1, shape[1])
            x[begin : begin + 1000] = part
    return x


def one_row(forest, x):
    times = {}
    for method in ("predict", "predict_proba"):
        call = getattr(forest, method)
        rows = [np.ascontiguousarray(x[i : i + 1]) for i in range(0, 5000, 5)]
        seconds = timeit.repeat(lambda: [call(row) for row in rows], number=1, repeat=5)
        times[f"{method}_us"] = min(seconds) / len(rows) * 1e6
    return times


def main():
    folder, layout, trees = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    y = np.load(folder / "y.npy")
    before = held_bytes()
    x = read(folder / "X.npy", *LAYOUTS[layout])
    forest = SporfClassifier(trees, max_features="sqrt", random_state=1, n_jobs=1)
    seconds = timeit.timeit(lambda: forest.fit(x, y), number=1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    forest.save(folder / "python.sporf")
    print(json.dumps({"seconds": seconds, "peak_bytes": peak, **one_row(forest, x)}))


main()
