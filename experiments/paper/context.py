"""Where a figure finds data and leaves results."""

import csv
import os
from dataclasses import dataclass, field
from pathlib import Path

import matplotlib.pyplot as plt

from modes import Mode
from store import Store

ROOT = Path(__file__).resolve().parents[2]


class Skipped(Exception):
    """A figure that cannot be made here, with the reason."""


def results_folder(mode: str) -> Path:
    return ROOT / "build" / "paper" / mode


def unfinished(folder: Path, figure: str) -> Path:
    """The file beside the results of a figure that are not whole."""
    return folder / f"{figure}.unfinished"


def data_folder() -> Path:
    """SPORF_DATA, or the folder shared/data beside the repository."""
    return ROOT / os.environ.get("SPORF_DATA", "../shared/data")


def need(*parts: str) -> Path:
    """A file or folder of the data; raises Skipped where it is not there."""
    path = data_folder().joinpath(*parts)
    if not path.exists():
        raise Skipped(f"{path} is not there: set SPORF_DATA to the folder with {parts[0]}/")
    return path


@dataclass
class Context:
    """One figure in one mode."""

    figure: str
    mode: Mode
    folder: Path
    draw_only: bool = False
    units: set = field(default_factory=set)  # of work that it has asked for,
    missing: set = field(default_factory=set)  # and those that are not done

    def note(self, store: Store, units: list[dict]) -> None:
        """Units of work that are needed, whether or not the store has them."""
        for all_of_them, these in ((self.units, units), (self.missing, store.missing(units))):
            all_of_them |= {(store.path, *sorted(unit.items())) for unit in these}

    def store(self, name: str) -> Store:
        return Store(self.folder / name)

    def table(self, rows: list[dict], name: str = "") -> None:
        """Writes the numbers as CSV, floats with six digits; skips a figure that has none."""
        if not rows:
            raise Skipped("nothing of it is finished yet")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.mark()
        path = self.folder / f"{self.figure}{'-' + name if name else ''}.csv"
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows({key: plain(value) for key, value in row.items()} for row in rows)

    def progress(self) -> str:
        return f"{len(self.missing):,} of {len(self.units):,} units are not done yet"

    def mark(self) -> None:
        """Leaves a file that says how much is missing, for report.py, where something is."""
        path = unfinished(self.folder, self.figure)
        if self.missing:
            path.write_text(self.progress() + "\n")
        else:
            path.unlink(missing_ok=True)

    def picture(self, figure, name: str = "") -> None:
        """Writes a figure as SVG, the same bytes for the same numbers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{self.figure}{'-' + name if name else ''}.svg"
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


def plain(value):
    return f"{value:.6g}" if isinstance(value, float) else value
