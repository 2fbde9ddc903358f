"""The command sporf, where a figure asks it. Figures are skipped where it is not there."""

import json
import os
import subprocess
from pathlib import Path

from context import ROOT, Skipped


def path() -> Path:
    """SPORF, or the one in build/."""
    program = Path(os.environ.get("SPORF", ROOT / "build" / "sporf"))
    if not program.exists():
        raise Skipped(f"{program} is not there: make builds it")
    return program


def ask(verb: str, *words) -> dict:
    """The answer of a command in JSON."""
    line = [path(), verb, *map(str, words), "--json"]
    answer = subprocess.run(line, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise RuntimeError(f"sporf {verb}: {answer.stderr.strip()}")
    return json.loads(answer.stdout)
