#!/usr/bin/env python3
"""What Python costs: SporfClassifier.fit beside the command on MNIST, and the prediction of one row.

Usage: bench/binding.py --python build/python/bin/python [--sporf build/sporf] [--trees 100] [--repeats 5]

The Python is one that the package is installed for; `make test` makes that environment. Command and
package train the same forest, which is checked, on one thread, in turns; medians are compared. The
command's memory is its peak. Python's is the peak less what the process held before X was read: the
interpreter and its packages are there anyway, X is what the command has to hold, too. A whole run is
stored in bench/results.
"""

import argparse
import datetime
import json
import statistics
import sys
import tempfile
from pathlib import Path

import learners
import machine
import workloads

HERE = Path(__file__).resolve().parent
LAYOUTS = ("float32-fortran", "float32-c", "float64-c", "uint8")


def of_command(options, folder):
    model = folder / "command.sporf"
    told = learners.run([options.sporf, "train", "--data", folder / "X.npy", "--label-file", folder / "y.npy",
                         "--model", model, "--trees", options.trees, "--projections", "sqrt", "--threads", 1,
                         "--seed", 1, "--json"], 1)
    return {"seconds": told["seconds"], "peak_bytes": told["peak_memory_bytes"]}


def of_python(options, folder, layout):
    return learners.run([options.python, HERE / "fit_binding.py", folder, layout, options.trees], 1)


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def measure(options, folder):
    import numpy as np

    x, y, _, _ = workloads.mnist()
    np.save(folder / "X.npy", x.astype(np.float32))
    np.save(folder / "y.npy", y.astype(np.int64))
    del x, y
    runs = {name: [] for name in ("command", *LAYOUTS)}
    for repeat in range(options.repeats):
        runs["command"].append(of_command(options, folder))
        for layout in LAYOUTS:
            runs[layout].append(of_python(options, folder, layout))
        print(f"repeat {repeat + 1} of {options.repeats}", file=sys.stderr)
    same = (folder / "command.sporf").read_bytes() == (folder / "python.sporf").read_bytes()
    return runs, same


def report(runs, same):
    command = runs["command"]
    rows = [{"of": name, "seconds": median(of, "seconds"), "peak_bytes": median(of, "peak_bytes"),
             "seconds_ratio": median(of, "seconds") / median(command, "seconds"),
             "bytes_ratio": median(of, "peak_bytes") / median(command, "peak_bytes")}
            for name, of in runs.items()]
    for row in rows:
        print(f"{row['of']:16} {row['seconds']:7.2f} s ({row['seconds_ratio']:.3f})  "
              f"{row['peak_bytes'] / 1e6:6.0f} MB ({row['bytes_ratio']:.3f})")
    one_row = {key: min(median(runs[layout], key) for layout in LAYOUTS[1:3])
               for key in ("predict_us", "predict_proba_us")}
    print(f"one row: predict {one_row['predict_us']:.1f} us, predict_proba {one_row['predict_proba_us']:.1f} us")
    print("same model file" if same else "the model files DIFFER")
    return {"fits": rows, "one_row": one_row, "same_file": same}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True)
    parser.add_argument("--sporf", default=str(HERE.parent / "build" / "sporf"))
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    about = machine.describe(options.sporf)
    with tempfile.TemporaryDirectory() as folder:
        runs, same = measure(options, Path(folder))
    result = {"machine": about, "trees": options.trees, "repeats": options.repeats, **report(runs, same)}
    day = datetime.date.today().isoformat()
    path = HERE / "results" / f"binding-{day}-{machine.short_name(about)}-{about['commit']}.json"
    path.write_text(json.dumps(result, indent=1) + "\n")
    print(f"stored in {path}")


if __name__ == "__main__":
    main()
