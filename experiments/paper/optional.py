"""What other parts of the project bring: measures, and the command. Figures that need what is not
there are skipped."""

import importlib
import json
import os
import subprocess
from pathlib import Path

from context import ROOT, Skipped


def measure(name: str):
    """A function of experiments/paper/measures.py."""
    try:
        return getattr(importlib.import_module("measures"), name)
    except (ImportError, AttributeError):
        raise Skipped(f"experiments/paper/measures.py has no {name}") from None


def command() -> Path:
    """The command sporf: SPORF, or the one in build/."""
    path = Path(os.environ.get("SPORF", ROOT / "build" / "sporf"))
    if not path.exists():
        raise Skipped(f"{path} is not there: make builds it")
    return path


def need_command(verb: str) -> None:
    answer = subprocess.run([command(), verb, "--help"], capture_output=True, check=False)
    if answer.returncode != 0:
        raise Skipped(f"{command()} has no command {verb}")


def ask(verb: str, *words) -> dict:
    """The answer of a command in JSON."""
    line = [command(), verb, *map(str, words), "--json"]
    answer = subprocess.run(line, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise RuntimeError(f"sporf {verb}: {answer.stderr.strip()}")
    return json.loads(answer.stdout)
