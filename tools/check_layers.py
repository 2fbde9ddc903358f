#!/usr/bin/env python3
"""Checks who includes whom. Prints each offender as file:line and exits with 1.

A room of src/ (a folder) may include only what the table allows; the command and the examples see
sporf.h alone, but for what the command shares with the library, which includes nothing else of it; and no two modules (a .c file and its .h file) include each other in a circle.
Strings of the library name no flag of the command.
"""

import re
import sys
from pathlib import Path

# What each room may include beside itself. A folder within a layer may have a row of its own.
ALLOWED = {
    "base": set(),
    "data": {"base"},
    "read": {"data", "base"},
    "score": {"base"},
    "simulate": {"read", "data", "base"},
    "model": {"data", "base"},
    "learn/rows": {"model", "data", "base"},
    "learn/sampling": {"learn/rows", "model", "data", "base"},
    "learn/splitting": {"model", "data", "base"},
    "learn/growing": {"learn/splitting", "learn/sampling", "learn/rows", "model", "data", "base"},
    "learn/outcome": {"learn/growing", "learn/splitting", "learn/sampling", "learn/rows", "score", "model", "data", "base"},
    "learn/oob": {"learn/outcome", "learn/growing", "learn/sampling", "learn/rows", "score", "model", "data", "base"},
    "learn": {"learn/oob", "learn/outcome", "learn/growing", "learn/splitting", "learn/sampling", "learn/rows", "score", "model", "data", "base"},
    "predict": {"model", "data", "base"},
    "io": {"model", "data", "base"},
    "api": {"learn", "predict", "io", "score", "read", "model", "data", "base"},
    "tune": {"score", "read", "data", "base"},  # above api, which it uses through sporf.h
}
PUBLIC = "sporf.h"
# Headers of src/ that know nothing of the library, so that the command writes files by the same laws.
SHARED = {"base/place.h", "base/replace.h"}
FLAG = re.compile(r'"(?:[^"\\\n]|\\.)*?--[a-z]')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes(path):
    """(line number, quote, name) of every include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def c_files(directory):
    return sorted(p for p in directory.rglob("*.[ch]"))


def may_include(room, other):
    """A layer in the table stands for its folders too, seen from another layer."""
    return other == room or not {other, other.split("/")[0]}.isdisjoint(ALLOWED[room])


def check_library(root, offences):
    """Checks src/ against the table and returns the graph of modules."""
    graph = {}
    for path in c_files(root / "src"):
        where = path.relative_to(root)
        room = "/".join(where.parts[1:-1])
        if room not in ALLOWED:
            offences.append(f"{where}:1: src/{room} has no row in the table of layers")
            continue
        module = str(where.with_suffix(""))
        edges = graph.setdefault(module, {})
        for number, quote, name in includes(path):
            target = root / "src" / name
            if name == PUBLIC:
                continue
            if not target.exists():
                if quote == '"':
                    offences.append(
                        f'{where}:{number}: "{name}" is not found; write "layer/file.h"'
                    )
                continue
            if not may_include(room, name.rpartition("/")[0]):
                offences.append(f"{where}:{number}: {room} may not include {name}")
            other = str(Path("src", name).with_suffix(""))
            if other != module:
                edges.setdefault(other, f"{where}:{number}")
    return graph


def check_cycles(graph, offences):
    """Depth first; an edge back to a module on the path closes a circle."""
    done, path = set(), []

    def visit(module):
        if module in done:
            return
        path.append(module)
        for other, where in graph.get(module, {}).items():
            if other in path:
                circle = path[path.index(other):] + [other]
                offences.append(f"{where}: includes go in a circle: {' -> '.join(circle)}")
            else:
                visit(other)
        path.pop()
        done.add(module)

    for module in sorted(graph):
        visit(module)


def check_customers(root, offences):
    """The command, the examples and the bindings include sporf.h, headers of their own and the system's."""
    for directory in ("cli", "examples", "bindings"):
        for path in c_files(root / directory):
            where = path.relative_to(root)
            for number, quote, name in includes(path):
                if directory == "cli" and name in SHARED:
                    continue
                inside = (root / "src" / name).exists()
                own = (path.parent / name).exists() and ".." not in name
                if inside or (quote == '"' and name != PUBLIC and not own):
                    offences.append(f"{where}:{number}: {directory} may include sporf.h, not {name}")


def check_shared(root, offences):
    """What the command shares with the library includes the same and the system's."""
    for header in sorted(SHARED):
        for path in (root / "src" / header, (root / "src" / header).with_suffix(".c")):
            if not path.exists():
                continue
            for number, quote, name in includes(path):
                if quote == '"' and name not in SHARED:
                    where = path.relative_to(root)
                    offences.append(f"{where}:{number}: is shared with the command and may not include {name}")


def check_flags(root, offences):
    """The library names options, and each customer says how they are given: no string has a flag."""
    for path in c_files(root / "src"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if FLAG.search(line):
                where = path.relative_to(root)
                offences.append(f"{where}:{number}: a flag of the command; write SPF_OPTION(name)")


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    offences = []
    check_cycles(check_library(root, offences), offences)
    check_customers(root, offences)
    check_shared(root, offences)
    check_flags(root, offences)
    print("\n".join(offences) if offences else "layers: every include is allowed")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
