"""Runs tests of other projects with the estimators exchanged, and compares with a list of those
that fail."""

import fnmatch
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree


def results(folder: pathlib.Path) -> dict[str, bool]:
    """The tests in the files of a folder, as FILE::NAME without "test_" and ".py" of the file:
    whether each passed. Those that were skipped are not there."""
    report = folder / "report.xml"
    earlier = filter(None, [os.environ.get("PYTHONPATH")])
    path = os.pathsep.join([str(pathlib.Path(__file__).parent), *earlier])
    answer = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "sklearn.conftest", "-p", "no:cacheprovider"]
        + [f"--junitxml={report}", "."],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), answer.stdout + answer.stderr
    passed = {}
    for case in ElementTree.parse(report).iter("testcase"):
        assert case.find("error") is None, answer.stdout + answer.stderr
        if case.find("skipped") is None:
            name = f"{case.get('classname', '').removeprefix('test_')}::{case.get('name')}"
            passed[name] = case.find("failure") is None
    return passed


def check(passed: dict[str, bool], expected: dict[str, str]) -> None:
    """Fails if the tests that failed are not those that match a pattern of the list."""
    unexpected, matched = [], set()
    for name, is_passed in passed.items():
        listed = [pattern for pattern in expected if _matches(name, pattern)]
        matched.update(listed)
        if is_passed == bool(listed):
            unexpected.append(f"{name} {'passes and is listed' if is_passed else 'fails'}")
    assert not unexpected, "\n".join(unexpected)
    unused = set(expected) - matched
    assert not unused, f"patterns that match no test: {unused}"


def _matches(name, pattern) -> bool:
    """Brackets belong to the names of tests, except for those with an exclamation mark."""
    escaped = pattern.replace("[!", "\0").replace("[", "[[]").replace("\0", "[!")
    return fnmatch.fnmatchcase(name, escaped)
