#!/usr/bin/env python3
"""Draws docs/boundaries.svg: what a random forest and SPORF make of the same two features.

Uses the command line only: simulates the Trunk problem with two features, trains both forests,
predicts a grid and draws class probabilities as colours. Usage: tools/draw_boundaries.py build/sporf
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

CELLS, SIDE, SPAN, GAP, TOP = 72, 360, 3.5, 24, 34
BLUE, WHITE, RED = (44, 112, 178), (247, 247, 247), (202, 60, 50)
METHODS = [("rf", "random forest"), ("sporf", "SPORF")]


def mix(a, b, share):
    return tuple(round(x + (y - x) * share) for x, y in zip(a, b))


def colour(probability):
    level = round(probability * 10) / 10
    rgb = mix(BLUE, WHITE, 2 * level) if level < 0.5 else mix(WHITE, RED, 2 * level - 1)
    return "#%02x%02x%02x" % rgb


def grid_value(index):
    return -SPAN + 2 * SPAN * (index + 0.5) / CELLS


def write_grid(path):
    with open(path, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["x1", "x2"])
        rows.writerows([grid_value(x), -grid_value(y)] for y in range(CELLS) for x in range(CELLS))


def probabilities(sporf, folder, method):
    train, model, grid = folder / "train.csv", folder / (method + ".sporf"), folder / "grid.csv"
    subprocess.run([sporf, "train", "--data", train, "--label", "last", "--model", model, "--method",
                    method, "--trees", "200", "--min-leaf", "5"], check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run([sporf, "predict", "--model", model, "--data", grid, "--proba"], check=True,
                          capture_output=True, text=True).stdout
    return [float(row["1"]) for row in csv.DictReader(text.splitlines())]


def place(value):
    return (value + SPAN) / (2 * SPAN) * SIDE


def shading(cells, left):
    """Equal neighbours of a line are drawn as one rectangle."""
    size = SIDE / CELLS
    for y in range(CELLS):
        x = 0
        while x < CELLS:
            fill, end = colour(cells[y * CELLS + x]), x
            while end < CELLS and colour(cells[y * CELLS + end]) == fill:
                end += 1
            yield (f'<rect x="{left + x * size:g}" y="{TOP + y * size:g}" width="{(end - x) * size + .3:g}" '
                   f'height="{size + .3:g}" fill="{fill}"/>')
            x = end


def points(rows, left):
    for row in rows:
        x, y = place(float(row["x1"])), SIDE - place(float(row["x2"]))
        if 0 < x < SIDE and 0 < y < SIDE:
            fill = "#8c1d18" if row["class"] == "1" else "#123f6b"
            yield f'<circle cx="{left + x:.1f}" cy="{TOP + y:.1f}" r="1.7" fill="{fill}"/>'


def draw(sporf, target):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sporf, "simulate", "trunk", "--rows", "600", "--features", "2", "--seed", "7",
                        "--output", folder / "train.csv"], check=True)
        write_grid(folder / "grid.csv")
        rows = list(csv.DictReader(open(folder / "train.csv")))
        width, height = 2 * SIDE + GAP, SIDE + TOP
        parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                 f'width="{width}" height="{height}" font-family="sans-serif">',
                 f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
        for column, (method, title) in enumerate(METHODS):
            left = column * (SIDE + GAP)
            parts += shading(probabilities(sporf, folder, method), left)
            parts += points(rows, left)
            parts.append(f'<text x="{left + SIDE / 2}" y="22" font-size="17" text-anchor="middle" '
                         f'fill="#222222">{title}</text>')
        pathlib.Path(target).write_text("\n".join(parts + ["</svg>"]) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    draw(sys.argv[1], pathlib.Path(__file__).resolve().parent.parent / "docs" / "boundaries.svg")
