"""The virtual environments below build/, one for each file in requirements/.

Peers are kept apart because they ask for different versions of the same packages, and one that does
not install must not hinder the others. An environment is made once, and again when its file changes.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "bench" / "requirements"
FOLDER = ROOT / "build" / "bench-venv"


class Missing(Exception):
    """Something that is not on this machine, with the reason."""


def run(command, **more):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                            env={**os.environ, **more})
    if result.returncode != 0:
        lines = (result.stderr + result.stdout).strip().splitlines() or ["no message"]
        raise Missing(next((line for line in reversed(lines) if "ERROR" in line), lines[-1])
                      .replace("ERROR: ", "").strip())


def make(name, folder, wanted):
    """Installs without pip's cache, which may hold a package built for another version of what it
    uses. For a package built here the versions wanted hold while building, too; older and newer
    pips are told so in two ways."""
    slowly = ", from source: several minutes" if "--no-binary" in wanted else ""
    print(f"installing {name} below {FOLDER.relative_to(ROOT)}{slowly}", file=sys.stderr)
    file = str(REQUIREMENTS / f"{name}.txt")
    run([sys.executable, "-m", "venv", "--clear", folder])
    building = {"PIP_CONSTRAINT": file, "PIP_BUILD_CONSTRAINT": file}
    run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--no-cache-dir",
         "--requirement", file], **(building if "--no-binary" in wanted else {}))
    (folder / "installed.txt").write_text(wanted)


def python(name):
    """The interpreter that has what requirements/NAME.txt lists. Raises Missing."""
    folder, wanted = FOLDER / name, (REQUIREMENTS / f"{name}.txt").read_text()
    installed = folder / "installed.txt"
    if not installed.exists() or installed.read_text() != wanted:
        try:
            make(name, folder, wanted)
        except Missing as reason:
            raise Missing(f"does not install on {platform.machine()} with Python "
                          f"{platform.python_version()}: {reason}") from None
    return folder / "bin" / "python"
