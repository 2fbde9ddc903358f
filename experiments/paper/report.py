#!/usr/bin/env python3
"""Refreshes docs/paper.md: the tables of numbers and the pictures, from what run.py left below
build/paper. The words around them are written by hand.

A table stands between the lines `<!-- FIGURE -->` and `<!-- end -->`. Of finished results those
with the paper's own settings are shown before the long version's, and these before the quick
version's; where none are finished, those that are not in the same order, with how far they are.
"""

import argparse
import csv
import re
import shutil
import sys
from pathlib import Path

import markdown
from context import ROOT, results_folder, unfinished
from modes import MODES

PAGE = ROOT / "docs" / "paper.md"
COPIES = ROOT / "docs" / "paper"
PLACE = re.compile(r"(<!-- ([a-z_]+) -->\n).*?(<!-- end -->)", re.DOTALL)
LARGEST_COPY = 20_000  # bytes of a CSV
BEST_FIRST = ("full", "long", "quick")
OWN_TREES = ("strong_scaling", "prediction_times")  # which do not have those of the mode


def read(path: Path) -> list[dict]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def source(figure: str) -> Path | None:
    """The folder of the best results of a figure, finished ones first."""
    folders = [results_folder(mode) for mode in BEST_FIRST]
    folders = [folder for folder in folders if (folder / f"{figure}.csv").exists()]
    return min(folders, key=lambda folder: unfinished(folder, figure).exists(), default=None)


def settings(figure: str, folder: Path) -> str:
    """What the results were made with, and how far they are where they are not finished."""
    mode = MODES[folder.name]
    trees = f"{'up to ' if mode.thrifty else ''}{mode.trees} trees"
    words = f"With {mode.words}." if figure in OWN_TREES else f"With {mode.words}: {trees}."
    mark = unfinished(folder, figure)
    return f"{words} **Not finished**: {mark.read_text().strip()}." if mark.exists() else words


def keep(figure: str, folder: Path) -> None:
    """Copies pictures and small tables beside the page."""
    COPIES.mkdir(exist_ok=True)
    for path in folder.glob(f"{figure}*"):
        small = path.suffix == ".csv" and path.stat().st_size <= LARGEST_COPY
        if path.stem.split("-")[0] == figure and (path.suffix == ".svg" or small):
            shutil.copyfile(path, COPIES / path.name)


def section(figure: str, old: str) -> str:
    """The table of a figure, or the old text where there are no results."""
    folder = source(figure)
    if folder is None:
        print(f"{figure}: no results below build/paper; its table stays as it is")
        return old
    keep(figure, folder)
    table = markdown.TABLES[figure](read(folder / f"{figure}.csv"))
    return f"{settings(figure, folder)}\n\n{table}\n"


def refresh(text: str) -> str:
    def replace(match):
        start, figure, end = match.groups()
        old = match.group()[len(start) : -len(end)]
        return start + section(figure, old) + end

    return PLACE.sub(replace, text)


def main() -> int:
    argparse.ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(refresh(PAGE.read_text()))
    print(f"{PAGE.relative_to(ROOT)} is refreshed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
