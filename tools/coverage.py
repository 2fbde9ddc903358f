#!/usr/bin/env python3
"""Reports the share of the lines of src/ that the tests ran: tools/coverage.py BUILD_DIR [--lines]

BUILD_DIR was configured with SPORF_COVERAGE, as the preset coverage is, and tests have run in it. Prints a row for each file
that has lines which never ran, with their numbers after --lines, and the share in total. Fails below the
floor in tests/coverage_floor. That number only rises: whoever adds lines adds tests that run them.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOOR = ROOT / "tests" / "coverage_floor"


def gcov(notes):
    """What gcov says of some objects, as one document each."""
    said = subprocess.run([os.environ.get("GCOV", "gcov"), "--json-format", "--stdout", *notes],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout
    return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


def counts_of(build):
    """How often each line ran: {file: {line: count}}. A header's lines count in every object that has them."""
    counts = collections.defaultdict(collections.Counter)
    notes = sorted(map(str, (build / "CMakeFiles" / "sporf_objects.dir").rglob("*.gcno")))
    if not notes:
        sys.exit(f"coverage: {build} was not built with SPORF_COVERAGE; try: cmake --preset coverage")
    for document in gcov(notes):
        for entry in document["files"]:
            path = pathlib.Path(document["current_working_directory"], entry["file"]).resolve()
            if path.is_relative_to(ROOT / "src") and path.exists():  # files that were moved leave notes behind
                for line in entry["lines"]:
                    counts[path.relative_to(ROOT)][line["line_number"]] += line["count"]
    return counts


def ranges(numbers):
    """[3, 4, 5, 9] as '3-5 9'."""
    parts = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    lines = ran = 0
    for path, counts in sorted(counts_of(build).items()):
        never = sorted(number for number, count in counts.items() if count == 0)
        lines += len(counts)
        ran += len(counts) - len(never)
        if never:
            share = 100 * (1 - len(never) / len(counts))
            print(f"{share:6.1f}%  {path}" + (f": {ranges(never)}" if "--lines" in sys.argv[2:] else ""))
    share, floor = 100 * ran / lines, float(FLOOR.read_text())
    print(f"coverage: {ran} of {lines} lines of src/ ran, {share:.2f}%; the floor is {floor}%")
    if share < floor:
        sys.exit("coverage: below the floor; `make coverage` lists the lines that no test runs")


if __name__ == "__main__":
    main()
