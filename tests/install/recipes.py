"""Applies a recipe of CONTRIBUTING.md, a block of ```diff, to a copy of the sources.

Usage: recipes.py SOURCES NAME MOST    the block that adds NAME, which may touch at most MOST files

A diff has no line numbers: lines that are kept or removed are looked for in order, and have to be there.
"""

import re
import sys
from pathlib import Path

FILE = re.compile(r"^--- (\S+)\n\+\+\+ b/(\S+)\n", re.MULTILINE)
FROM_TEST = re.compile(r"from its include to the end of its table, but not static")


def block_of(text, name):
    (block,) = [b for b in re.findall(r"```diff\n(.*?)```", text, re.DOTALL) if f"_{name}.c\n" in b]
    return block


def parts_of(block):
    """(old path, path, lines) of each file of a diff."""
    pieces = FILE.split(block)[1:]
    return [(pieces[i], pieces[i + 1], pieces[i + 2].splitlines()) for i in range(0, len(pieces), 3)]


def apply(path, lines):
    text = path.read_text(encoding="utf-8").splitlines()
    at = 0
    for line in lines:
        if line[0] == "+":
            text.insert(at, line[1:])
        else:
            at = text.index(line[1:], at)
            if line[0] == "-":
                del text[at]
                continue
        at += 1
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def taken_from_test(sources, name):
    """The criterion of its test, from its include to the end of its table, but not static."""
    test = (sources / "tests/unit/learn/test_criterion.c").read_text(encoding="utf-8")
    include = re.search(r"#include \"learn/[^\n]*\n", test).group()
    table = f"static const spf_criterion {name} = {{"
    body = test[test.index("/* ---- the criterion") : test.index(table)]
    rows = test[test.index(table) :].split("};", 1)[0]
    return include + body + rows.replace(table, f"const spf_criterion spf_criterion_{name} = {{") + "};\n"


def main(sources, name, most):
    text = (sources / "CONTRIBUTING.md").read_text(encoding="utf-8")
    parts = parts_of(block_of(text, name))
    for old, path, lines in parts:
        if old != "/dev/null":
            apply(sources / path, lines)
        elif any(FROM_TEST.search(line) for line in lines):
            (sources / path).write_text(taken_from_test(sources, name), encoding="utf-8")
        else:
            (sources / path).write_text("\n".join(line[1:] for line in lines) + "\n", encoding="utf-8")
    print(f"{name}: {len(parts)} files")
    return len(parts) > most


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
