#!/usr/bin/env python3
"""Checks who uses whom: by includes and calls in C (in CUDA by includes), by imports in Python. Prints each offender as
file:line and exits with 1.

A room of src/ (a folder) may include and call only what the table allows; the command, the examples
and the bindings see sporf.h alone, except what the command shares with the library, which includes
nothing else of it. No modules (a .c file and its .h file, or a Python file) use each other in a circle.
Strings of the library name no flag of the command.
"""

import ast
import re
import sys
from pathlib import Path

# What each room may use beside itself. A folder within a layer may have a row of its own.
ALLOWED = {
    "base": set(),
    "data": {"base"},
    "read": {"data", "base"},
    "score": {"base"},
    "draw": {"base"},
    "simulate": {"read", "data", "base"},
    "model": {"data", "base"},
    "learn/rows": {"model", "data", "base"},
    "learn/sampling": {"learn/rows", "model", "data", "base"},
    "learn/splitting": {"model", "data", "base"},
    "learn/growing": {"learn/splitting", "learn/sampling", "learn/rows", "model", "data", "base"},
    "learn/outcome": {"learn/growing", "learn/splitting", "learn/sampling", "learn/rows", "score", "model", "data", "base"},
    "learn/settings": {"learn/outcome", "learn/growing", "learn/splitting", "learn/sampling", "learn/rows", "model", "data", "base"},
    "learn/replay": {"learn/settings", "learn/outcome", "learn/growing", "learn/sampling", "learn/rows", "score", "model", "data", "base"},
    "learn/boosting": {"learn/settings", "learn/outcome", "learn/growing", "learn/sampling", "learn/rows", "model", "data", "base"},
    "learn/apart": {"learn/settings", "learn/outcome", "learn/growing", "learn/splitting", "learn/sampling", "learn/rows", "model", "data", "base"},
    "learn": {"learn/apart", "learn/boosting", "learn/replay", "learn/settings", "learn/outcome", "learn/growing", "learn/splitting", "learn/sampling", "learn/rows", "score", "model", "data", "base"},
    "predict": {"model", "data", "base"},
    "io": {"model", "data", "base"},
    "gpu": {"learn", "predict", "model", "data", "base"},
    "api": {"gpu", "learn", "predict", "io", "score", "read", "model", "data", "base"},
    "picture": {"api", "draw", "data", "base"},  # above api, too
    "report": {"picture", "draw", "base"},  # above api, too
    "tune": {"score", "read", "data", "base"},  # above api, which it uses through sporf.h
}
PUBLIC = "sporf.h"
# Rooms that call public functions of any other, as a program of anybody's could.
CUSTOMERS = {"tune", "picture", "report"}
# Headers of src/ that know nothing of the library, so that the command writes files by the same laws.
SHARED = {"base/place.h", "base/replace.h", "base/system.h"}
FLAG = re.compile(r'"(?:[^"\\\n]|\\.)*?--[a-z]')
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')

NOISE = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
# Functions and objects that other files can see, as clang-format lays them out.
NOT_STATIC = r"^(?!static\b|typedef\b|extern\b|struct \w+ \{|else\b)[A-Za-z_][\w \n*]*?"
FUNCTION = re.compile(NOT_STATIC + r"\b(\w+)\((?:[^;{}()]|\([^()]*\))*\)\s*\{", re.MULTILINE)
OBJECT = re.compile(NOT_STATIC + r"\b(\w+)(?:\[[^\]]*\])?\s*=[^=]", re.MULTILINE)
DECLARATION = re.compile(r"^(?!static\b|typedef\b)[A-Za-z_][\w \n*]*?\b(spf_\w+)\([^;{}]*\)[^;{}()]*;", re.MULTILINE)
STATIC = re.compile(r"^static\b[^;{(=]*?\b(\w+)\(", re.MULTILINE)
# A name that is no member, and whether it is called.
USE = re.compile(r"(?<![\w.>])([A-Za-z_]\w*)(\s*\()?")
PREFIXED = ("spf_", "sporf_")
CUDA = (".cu", ".cuh")  # whose includes may leave out their own folder


def c_files(directory):
    return sorted(p for p in directory.rglob("*.[ch]"))


def cuda_files(directory):
    return sorted(p for p in directory.rglob("*.cu*") if p.suffix in CUDA)


def module_of(path, root):
    return str(path.relative_to(root).with_suffix(""))


def room_of(module):
    return "/".join(Path(module).parts[1:-1])


# ---- includes ------------------------------------------------------------------------------------


def includes(path):
    """(line number, quote, name) of every include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def may_use(room, other):
    """A layer in the table stands for its folders too, seen from another layer."""
    return other == room or not {other, other.split("/")[0]}.isdisjoint(ALLOWED[room])


def check_library(root, offences):
    """Checks the includes of src/ against the table and returns the graph of modules."""
    graph = {}
    for path in c_files(root / "src") + cuda_files(root / "src"):
        where = path.relative_to(root)
        room = "/".join(where.parts[1:-1])
        if room not in ALLOWED:
            offences.append(f"{where}:1: src/{room} has no row in the table of layers")
            continue
        module = module_of(path, root)
        edges = graph.setdefault(module, {})
        for number, quote, name in includes(path):
            if name == PUBLIC:
                continue
            if path.suffix in CUDA and (path.parent / name).exists():
                edges.setdefault(module_of(path.parent / name, root), f"{where}:{number}")
                continue
            if not (root / "src" / name).exists():
                if quote == '"':
                    offences.append(
                        f'{where}:{number}: "{name}" is not found; write "layer/file.h"'
                    )
                continue
            if not may_use(room, name.rpartition("/")[0]):
                offences.append(f"{where}:{number}: {room} may not include {name}")
            edges.setdefault(str(Path("src", name).with_suffix("")), f"{where}:{number}")
    return graph


def check_customers(root, offences):
    """The command, the examples and the bindings include sporf.h, headers of their own and the
    system's. Returns the graph of their modules."""
    graph = {}
    for directory in ("cli", "examples", "bindings"):
        for path in c_files(root / directory):
            where = path.relative_to(root)
            edges = graph.setdefault(module_of(path, root), {})
            for number, quote, name in includes(path):
                if directory == "cli" and name in SHARED:
                    continue
                inside = (root / "src" / name).exists()
                own = (path.parent / name).exists() and ".." not in name
                if inside or (quote == '"' and name != PUBLIC and not own):
                    offences.append(f"{where}:{number}: {directory} may include sporf.h, not {name}")
                elif quote == '"' and own:
                    edges.setdefault(module_of(path.parent / name, root), f"{where}:{number}")
    return graph


def check_shared(root, offences):
    """What the command shares with the library includes the same and the system's."""
    for header in sorted(SHARED):
        place = root / "src" / header
        files = [*place.parent.glob(f"{place.stem}.[ch]"), *place.parent.glob(f"{place.stem}_*.c")]
        for path in sorted(files):
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


# ---- calls ---------------------------------------------------------------------------------------


def code_of(path):
    """A file's text without comments and strings, its lines where they were."""
    text = path.read_text(encoding="utf-8")
    return NOISE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def without_declarations(code):
    """Of a header only macros and what stands in braces: a declaration is no use."""
    depth, kept = 0, []
    for line in code.split("\n"):
        in_use = depth > 0 or "{" in line or line.startswith("#define")
        kept.append(line if in_use else "")
        depth += line.count("{") - line.count("}")
    return "\n".join(kept)


def definitions(codes):
    """The file of each function and object that other files can see."""
    found = {}
    for path, code in codes.items():
        if path.suffix in (".c", ".cu"):
            for match in (*FUNCTION.finditer(code), *OBJECT.finditer(code)):
                found[match.group(1)] = path
    return found


def check_found(root, offences):
    """Every function that a header of src/ declares is found by the rules above: none escapes the check."""
    codes = {path: code_of(path) for path in c_files(root / "src") + cuda_files(root / "src")}
    defined = definitions(codes)
    for path, code in codes.items():
        for match in DECLARATION.finditer(code) if path.suffix == ".h" else ():
            if match.group(1) not in defined:
                number = code.count("\n", 0, match.start(1)) + 1
                offences.append(f"{path.relative_to(root)}:{number}: no definition of {match.group(1)} is found")


def uses(path, code, defined):
    """(line number, name) of what a file uses of others. Names without a prefix may be those of
    variables as well: only calls count."""
    own = set(STATIC.findall(code))
    text = code if path.suffix == ".c" else without_declarations(code)
    for match in USE.finditer(text):
        name = match.group(1)
        if name in defined and name not in own and (match.group(2) or name.startswith(PREFIXED)):
            yield text.count("\n", 0, match.start()) + 1, name


def calls(root, directory):
    """(module, its or another module, name, where) of every use of what that defines."""
    codes = {path: code_of(path) for path in c_files(root / directory)}
    defined = definitions(codes)
    for path, code in codes.items():
        module = module_of(path, root)
        for number, name in uses(path, code, defined):
            yield module, module_of(defined[name], root), name, f"{path.relative_to(root)}:{number}"


def check_calls(root, offences):
    """Checks the calls of src/ against the table and returns the graph of all modules."""
    graph = {}
    for directory in ("src", "cli", "bindings"):
        for module, other, name, where in calls(root, directory):
            graph.setdefault(module, {}).setdefault(other, f"{where}: {name}")
            room, below = room_of(module), room_of(other)
            public = room in CUSTOMERS and name.startswith("sporf_")
            if directory == "src" and room in ALLOWED and not public and not may_use(room, below):
                offences.append(f"{where}: {room} may not call {name} of {below}")
    return graph


# ---- imports -------------------------------------------------------------------------------------


def imports(tree, package):
    """(line number, module) of every import of a package's own, also within functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(filter(None, (package if node.level else None, node.module)))
            yield node.lineno, base
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def check_imports(root):
    """The graph of the Python package's modules."""
    graph = {}
    folder = root / "bindings" / "python" / "sporf"
    known = {f"sporf.{path.stem}": path for path in sorted(folder.glob("*.py"))}
    for path in known.values():
        where = path.relative_to(root)
        for number, other in imports(ast.parse(path.read_text(encoding="utf-8")), "sporf"):
            if other in known:
                graph.setdefault(module_of(path, root), {}).setdefault(
                    module_of(known[other], root), f"{where}:{number}"
                )
    return graph


# ---- circles -------------------------------------------------------------------------------------


def check_circles(graph, what, offences):
    """Depth first; an edge back to a module on the path closes a circle."""
    done, path = set(), []

    def visit(module):
        if module in done:
            return
        path.append(module)
        for other, where in graph.get(module, {}).items():
            if other == module:
                continue
            if other in path:
                circle = path[path.index(other):] + [other]
                offences.append(f"{where}: {what} go in a circle: {' -> '.join(circle)}")
            else:
                visit(other)
        path.pop()
        done.add(module)

    for module in sorted(graph):
        visit(module)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    offences = []
    check_circles(check_library(root, offences), "includes", offences)
    check_circles(check_customers(root, offences), "includes", offences)
    check_shared(root, offences)
    check_flags(root, offences)
    check_found(root, offences)
    check_circles(check_calls(root, offences), "calls", offences)
    check_circles(check_imports(root), "imports", offences)
    print("\n".join(offences) if offences else "layers: every include, call and import is allowed")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
