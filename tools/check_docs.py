#!/usr/bin/env python3
"""Checks that the documents fit the tree: every source file has its line in ARCHITECTURE.md and every
line a file; in Markdown files every relative link leads to a file and, behind a #, to a heading of it, and every path
of the sources, such as `learn/train` or `tests/run`, exists; names of the C interface are in the header, or exported
by the R package, except in decisions, which tell of their time, and the old names in tables of the changelog; the workflow file runs the
checks on both systems."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?[^)]*\)")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
# A path in backticks; with capital letters it stands for many.
PATH = re.compile(r"`([a-z_]+)/([a-z0-9_./-]+)`")
PUBLIC = re.compile(r"\bsporf_[a-z0-9_]+")
FIRST_CELL = re.compile(r"^\|[^|]*\|", re.MULTILINE)  # of a table of old names and new ones
# A line of the list of files: four spaces, a path, two spaces or more, what it is for.
ENTRY = re.compile(r"^    (\S*/\S+\.\w+)  +\S", re.MULTILINE)
# Lines of the workflow file.
WORKFLOW = ("on:", "jobs:", "  linux:", "  macos:", "      - run: .ci/run", "      - run: make quick")


def modules():
    """The source files, a .c and its .h as one: src/base/rng.c stands for both. Tests have none."""
    files = [p for d in ("src", "cli", "examples", "bindings") for p in (ROOT / d).rglob("*.[ch]")]
    files += [p for p in (ROOT / "src").rglob("*.cu*") if p.suffix in (".cu", ".cuh")]
    python = [p for p in (ROOT / "bindings").rglob("*") if p.suffix in (".py", ".pyi")]
    files += [p for p in python if "tests" not in p.parts]
    for path in files:
        headed = [path.with_suffix(suffix) for suffix in (".c", ".cu")]
        if path in headed or not any(other.exists() for other in headed):
            yield str(path.relative_to(ROOT))


def anchors(page):
    """The names that links give to the headings of a page."""
    headings = HEADING.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def leads(page, name, anchor):
    target = page.parent / name if name else page
    return target.exists() and (not anchor or target.suffix != ".md" or anchor in anchors(target))


def dead_paths(page):
    """The paths in backticks that begin with a folder of the sources and lead nowhere; .c and .h may be left out."""
    for folder, rest in PATH.findall(page.read_text(encoding="utf-8")):
        for top in (ROOT, ROOT / "src"):
            path = top / folder / rest
            known = (top / folder).is_dir() and not folder.startswith("build")
            if known and not any(Path(f"{path}{suffix}").exists() for suffix in ("", ".c", ".h", ".cu")):
                yield f"{folder}/{rest}"


def unknown_names(page):
    """The names of the C interface that no public header has, nor the R package."""
    interfaces = [*(ROOT / "include").glob("*.h"), ROOT / "bindings/R/NAMESPACE"]
    headers = "".join(p.read_text(encoding="utf-8") for p in interfaces)
    text = page.read_text(encoding="utf-8")
    if page.name == "CHANGELOG.md":
        text = FIRST_CELL.sub("", text)
    return sorted(set(PUBLIC.findall(text)) - set(PUBLIC.findall(headers)))


def main():
    offences = []
    listed = set(ENTRY.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    there = set(modules())
    offences += [f"ARCHITECTURE.md: no line for {name}" for name in sorted(there - listed)]
    for name in sorted(listed - there):
        if not (ROOT / name).exists():
            offences.append(f"ARCHITECTURE.md: {name} does not exist")
    pages = [p for p in ROOT.rglob("*.md") if not p.relative_to(ROOT).parts[0].startswith("build")]
    for page in sorted(pages):
        for name, anchor in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" not in name and not leads(page, name, anchor):
                link = f"{name}#{anchor}" if anchor else name
                offences.append(f"{page.relative_to(ROOT)}: the link to {link} leads nowhere")
        offences += [f"{page.relative_to(ROOT)}: there is no {path}" for path in dead_paths(page)]
        if "decisions" not in page.parts:
            offences += [f"{page.relative_to(ROOT)}: {name} is not in the header" for name in unknown_names(page)]
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8").splitlines()
    offences += [f".github/workflows/ci.yml: no line '{line}'" for line in WORKFLOW if line not in workflow]
    print("\n".join(offences) if offences else "documents: files and links are as they say")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
