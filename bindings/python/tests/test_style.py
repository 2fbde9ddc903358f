"""The code is laid out alike, and its types agree."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.slow
@pytest.mark.parametrize(
    "tool",
    [
        ["ruff", "check", "-q", "--no-cache"],
        ["ruff", "format", "-q", "--check", "--no-cache"],
        ["mypy", "--cache-dir=/dev/null"],
    ],
)
def test_the_code_is_as_its_tools_want_it(tool):
    answer = subprocess.run(
        [sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
