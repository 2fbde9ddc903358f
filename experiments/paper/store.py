"""Finished work, one JSON line each, so that a run that was killed goes on where it stopped."""

import json
from pathlib import Path


def read_lines(path: Path) -> list[dict]:
    """The whole lines of a file; what was being written when a run was killed is left out."""
    if not path.exists():
        return []
    lines = []
    for text in path.read_text().splitlines():
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError:
            continue
    return lines


class Store:
    """The results of units of work.

    A unit is a dictionary that says what is done and with which settings; a line holds the unit and
    its result. A unit is finished if there is a line that agrees with it in all its values, so the
    values of a unit must tell it from every other one in the file: what only some units have, such
    as columns of noise, belongs into a file of its own.

    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()) / "work.jsonl")
    >>> store.add({"n": 10, "method": "rf"}, {"error": 0.25})
    >>> Store(store.path).lines_of([{"method": "rf", "n": 10}, {"method": "rf", "n": 20}])
    [{'n': 10, 'method': 'rf', 'error': 0.25}]
    """

    def __init__(self, path: Path):
        self.path = path
        self._lines = read_lines(path)
        self._indices: dict[tuple, dict] = {}

    def _index(self, names: tuple) -> dict:
        """The lines that have these values, by their values."""
        if names not in self._indices:
            self._indices[names] = {
                tuple(line[name] for name in names): line
                for line in self._lines
                if all(name in line for name in names)
            }
        return self._indices[names]

    def find(self, unit: dict) -> dict | None:
        """The line of a unit, if it is finished."""
        names = tuple(sorted(unit))
        return self._index(names).get(tuple(unit[name] for name in names))

    def lines_of(self, units) -> list[dict]:
        """The lines of those units that are finished."""
        return [line for line in map(self.find, units) if line is not None]

    def missing(self, units) -> list[dict]:
        """The units that are not finished, each once."""
        keys = {tuple(sorted(unit.items())): unit for unit in units}
        return [unit for unit in keys.values() if self.find(unit) is None]

    def add(self, unit: dict, result: dict) -> None:
        """Keeps a result on disk. A torn last line is ended first, so that it spoils no other."""
        line = {**unit, **result}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "ab+") as file:
            torn = file.tell() > 0 and (file.seek(-1, 2), file.read())[1] != b"\n"
            file.write((b"\n" if torn else b"") + json.dumps(line).encode() + b"\n")
        self._lines.append(line)
        for names, index in self._indices.items():
            if all(name in line for name in names):
                index[tuple(line[name] for name in names)] = line
