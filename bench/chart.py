#!/usr/bin/env python3
"""Draws the growth of time and memory from a file of scaling.py. Usage: chart.py JSON PICTURE"""

import json
import math
import statistics
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

MEASURED, STATED, BOUND = "#2c70b2", "#ca3c32", "#8a8a8a"
TITLES = {"rows": "rows n", "features": "features p", "d": "projections d",
          "nonzeros": "non-zeros per projection", "classes": "classes", "trees": "trees T"}


def mean(values):
    """Geometric: the middle on a logarithmic axis."""
    return math.exp(statistics.fmean(math.log(value) for value in values))


def line_through(sizes, seconds, exponent):
    """The line of that slope through the middle of the points; for the fitted slope, the fit."""
    x, y = mean(sizes), mean(seconds)
    return sizes, [y * (size / x) ** exponent for size in sizes]


def draw_time(axes, sweep):
    sizes = [point[sweep["factor"]] for point in sweep["points"]]
    seconds = [point["seconds"] for point in sweep["points"]]
    axes.plot(*line_through(sizes, seconds, sweep["stated"]), "--", color=STATED, linewidth=1.2,
              label="growth stated in the paper")
    axes.plot(*line_through(sizes, seconds, sweep["exponent"]), color=MEASURED, linewidth=1, alpha=0.5)
    axes.plot(sizes, seconds, "o", color=MEASURED, markersize=5, label="measured, with fitted line")
    axes.set_title(TITLES[sweep["factor"]], fontsize=10)
    words = f"exponent {sweep['exponent']:.2f}\nin the paper {sweep['stated']:.2f}"
    if abs(sweep["at_depth"] - sweep["stated"]) > 0.05:
        words += f",\nwith the trees' depth {sweep['at_depth']:.2f}"
    axes.text(0.04, 0.95, words, transform=axes.transAxes, va="top", fontsize=8.5)


def draw_memory(axes, sweep):
    factor, points = sweep["factor"], sweep["points"]
    sizes = [p[factor] for p in points]
    axes.plot(sizes, [p["memory_bound"] / 1e6 for p in points], ":", color=BOUND, linewidth=1.2,
              label="1.2 x table + forest + 100 MB")
    axes.plot(sizes, [p["peak_bytes"] / 1e6 for p in points], "s", color=MEASURED, markersize=4)


def finish(axes, ticks):
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.tick_params(labelsize=8)
    low, high = axes.get_ylim()
    stretch = max(1.3, (100 * low / high) ** 0.5)  # an almost level line should look level
    axes.set_ylim(low / stretch, high * stretch)
    axes.yaxis.set_major_locator(LogLocator(numticks=5))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(ticks, [short(tick) for tick in ticks])
    axes.grid(True, color="#e6e6e6", linewidth=0.6)


def short(number):
    for limit, unit in ((10**6, "M"), (10**3, "k")):
        if number >= limit:
            return f"{number / limit:g}{unit}"
    return f"{number:g}"


def draw_all(grid, sweeps, across):
    """Time above memory for each factor, so many factors across."""
    for k, sweep in enumerate(sweeps):
        band, column = divmod(k, across)
        ticks = [point[sweep["factor"]] for point in sweep["points"]]
        for part, draw in enumerate((draw_time, draw_memory)):
            axes = grid[2 * band + part][column]
            draw(axes, sweep)
            finish(axes, ticks)
            if column == 0:
                axes.set_ylabel(("training, seconds", "peak memory, MB")[part], fontsize=9)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        content = json.load(file)
    sweeps, about = content["sweeps"], content["machine"]
    across = min(3, len(sweeps))
    bands = -(-len(sweeps) // across)
    plt.rcParams.update({"font.family": "sans-serif", "svg.fonttype": "none", "svg.hashsalt": "sporf"})
    figure, grid = plt.subplots(2 * bands, across, squeeze=False, figsize=(max(3.3 * across, 8), 4.0 * bands),
                                gridspec_kw={"height_ratios": [3, 2] * bands}, layout="constrained")
    draw_all(grid, sweeps, across)
    for axes in grid.flat:
        axes.set_visible(axes.has_data())
    legends = [axes.get_legend_handles_labels() for axes in (grid[0][0], grid[1][0])]
    figure.legend(sum((handles for handles, _ in legends), []), sum((names for _, names in legends), []),
                  loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    figure.suptitle(f"How training time grows: one thread of {about['cpu']}, commit {about['commit']}",
                    fontsize=11)
    figure.savefig(sys.argv[2], metadata={"Date": None} if sys.argv[2].endswith(".svg") else None)


if __name__ == "__main__":
    main()
