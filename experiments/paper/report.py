#!/usr/bin/env python3
"""Refreshes docs/paper.md: the tables of numbers and the pictures, from what run.py left below
build/paper. The words around them are written by hand.

A table stands between the lines `<!-- FIGURE -->` and `<!-- end -->`. Where a figure has been made
with the paper's own settings, that is what is shown, otherwise the quick version.
"""

import csv
import re
import shutil
import sys
from pathlib import Path

import markdown
from context import ROOT, results_folder
from modes import MODES

PAGE = ROOT / "docs" / "paper.md"
COPIES = ROOT / "docs" / "paper"
PLACE = re.compile(r"(<!-- ([a-z_]+) -->\n).*?(<!-- end -->)", re.DOTALL)
LARGEST_COPY = 20_000  # bytes of a CSV


def read(path: Path) -> list[dict]:
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def source(figure: str) -> Path | None:
    """The folder of the best results of a figure."""
    for mode in ("full", "quick"):
        if (results_folder(mode) / f"{figure}.csv").exists():
            return results_folder(mode)
    return None


def settings(folder: Path) -> str:
    mode = MODES[folder.name]
    words = "the paper's own settings" if mode.name == "full" else "the quick settings"
    return f"With {words}: {mode.trees} trees."


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
    return f"{settings(folder)}\n\n{table}\n"


def refresh(text: str) -> str:
    def replace(match):
        start, figure, end = match.groups()
        old = match.group()[len(start) : -len(end)]
        return start + section(figure, old) + end

    return PLACE.sub(replace, text)


def main() -> int:
    PAGE.write_text(refresh(PAGE.read_text()))
    print(f"{PAGE.relative_to(ROOT)} is refreshed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
