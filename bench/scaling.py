#!/usr/bin/env python3
"""How training time and memory grow, one factor at a time, beside the growth that the paper states.

The paper (Tomita et al. 2020) has O(T d n log^2 n + T d n p lambda) for T trees, d
projections, n rows, p features and density lambda. Fits log time against log size by least squares
and compares the slope with that of the steeper term over the same sizes. One of the logarithms is
the number of levels of a balanced tree; where the data give other trees, as many classes do, the
slope with the trees' own depth in its place stands beside it. Prints a table, writes
bench/results/scaling-*.json and draws docs/scaling.svg. make scaling runs it.
"""

import argparse
import datetime
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

import bars
import environment
import learners
import machine
import measure

ROOT = Path(__file__).resolve().parent.parent
BASE = {"rows": 10_000, "features": 20, "d": 20, "nonzeros": 3, "classes": 2, "trees": 10}
# A factor's values, and where the other factors differ from the base.
SWEEPS = {
    "rows": ([10**4, 3 * 10**4, 10**5, 3 * 10**5, 10**6, 3 * 10**6, 10**7], {"trees": 1}),
    "features": ([10, 100, 1000, 10**4, 10**5], {"rows": 2000, "trees": 100}),
    "d": ([2, 6, 20, 60, 200], {}),
    "nonzeros": ([1, 3, 10, 30, 100], {"features": 1000}),
    "classes": ([2, 10, 30, 100, 300, 1000], {}),
    "trees": ([1, 3, 10, 30, 100], {}),
}
# Over three decades a tenth is a factor of two. That much comes from the caches alone: what the
# formula counts as equal steps costs more where a column no longer fits them.
TOLERANCE = 0.1
REPEAT_BELOW = 20  # seconds; longer fits are measured once


def slope(xs, ys):
    """Of the least-squares line through the logarithms."""
    x, y = [math.log(v) for v in xs], [math.log(v) for v in ys]
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    across = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    return across / sum((a - mean_x) ** 2 for a in x)


def stated_terms(sizes, levels):
    """Both terms of the paper, for a whole forest; it takes log2 n for the levels of a tree."""
    logarithm = math.log2(sizes["rows"])
    work = sizes["trees"] * sizes["d"] * sizes["rows"] * levels
    return work * logarithm, work * sizes["nonzeros"] / logarithm


def stated_exponent(factor, points, levels):
    terms = zip(*(stated_terms(point, levels(point)) for point in points))
    return max(slope([point[factor] for point in points], term) for term in terms)


def fit(sporf, sizes):
    table = measure.prepare(f"growth-{sizes['rows']}x{sizes['features']}x{sizes['classes']}")
    job = {**table, **{key: sizes[key] for key in ("d", "nonzeros", "trees")}, "threads": 1}
    fits = []
    for seed in (1, 2, 3):
        fits.append(sporf.fit({**job, "seed": seed}))
        if fits[-1]["seconds"] > REPEAT_BELOW:
            break
    return {key: statistics.median(one[key] for one in fits)
            for key in ("seconds", "peak_bytes", "model_bytes", "mean_depth")}


def verdict(sweep):
    if sweep["exponent"] <= sweep["stated"] + TOLERANCE:
        return "within"
    return "deeper trees" if sweep["exponent"] <= sweep["at_depth"] + TOLERANCE else "grows faster"


def measure_factor(sporf, factor):
    values, others = SWEEPS[factor]
    points = []
    for value in values:
        point = {**BASE, **others, factor: value}
        point.update(fit(sporf, point), table_bytes=4 * point["rows"] * point["features"])
        point["memory_bound"] = bars.memory_bound(point)
        print(f"{factor} {value}: {point['seconds']:.3g} s, {point['peak_bytes'] / 1e6:.0f} MB",
              file=sys.stderr)
        points.append(point)
    sizes, seconds = [p[factor] for p in points], [p["seconds"] for p in points]
    sweep = {"factor": factor, "points": points, "exponent": slope(sizes, seconds),
             "last_step": slope(sizes[-2:], seconds[-2:]),
             "stated": stated_exponent(factor, points, lambda point: math.log2(point["rows"])),
             "at_depth": stated_exponent(factor, points, lambda point: point["mean_depth"])}
    sweep["verdict"] = verdict(sweep)
    sweep["too_much_memory"] = any(p["peak_bytes"] > p["memory_bound"] for p in points)
    return sweep


def table(sweeps):
    lines = ["| factor    | from to           | exponent | last step | paper | at trees' depth | time         | memory         |",
             "| --------- | ----------------- | -------: | --------: | ----: | --------------: | ------------ | -------------- |"]
    for s in sweeps:
        sizes = f"{s['points'][0][s['factor']]:,} {s['points'][-1][s['factor']]:,}"
        memory = "above its bar" if s["too_much_memory"] else "within its bar"
        lines.append(f"| {s['factor']:<9} | {sizes:<17} | {s['exponent']:8.2f} | {s['last_step']:9.2f} "
                     f"| {s['stated']:5.2f} | {s['at_depth']:15.2f} | {s['verdict']:<12} | {memory:<14} |")
    return "\n".join(lines)


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("factors", nargs="*", metavar="FACTOR",
                        help=f"which of {', '.join(SWEEPS)}; all if none")
    parser.add_argument("--sporf", default=str(ROOT / "build" / "sporf"), metavar="COMMAND",
                        help="the command to measure; build/sporf if not given")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.factors if name not in SWEEPS]
    if unknown:
        parser.error(f"no factor {', '.join(unknown)}; there are {', '.join(SWEEPS)}")
    return arguments


def store(about, sweeps):
    """A whole run goes among the results and the documents, a part of one below build/."""
    whole = len(sweeps) == len(SWEEPS)
    folder = ROOT / "bench" / "results" if whole else ROOT / "build" / "bench-results"
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / f"scaling-{about['date']}-{machine.short_name(about)}-{about['commit']}.json"
    page.write_text(json.dumps({"machine": about, "sweeps": sweeps}, indent=1) + "\n")
    picture = ROOT / "docs" / "scaling.svg" if whole else folder / "scaling.svg"
    subprocess.run([environment.python("tools"), ROOT / "bench" / "chart.py", page, picture],
                   check=True)
    print(f"stored as {page.relative_to(ROOT)}, drawn as {picture.relative_to(ROOT)}")


def main():
    arguments = read_arguments()
    try:
        sporf = learners.Sporf(arguments.sporf)
        about = {"date": datetime.date.today().isoformat(), **machine.describe(arguments.sporf)}
        sweeps = [measure_factor(sporf, factor) for factor in arguments.factors or SWEEPS]
    except (environment.Missing, learners.Failed) as reason:
        sys.exit(f"bench/scaling.py: {reason}")
    print(table(sweeps))
    store(about, sweeps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
