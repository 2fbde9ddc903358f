#!/usr/bin/env python3
"""Writes the whole library as one C file, beside a copy of its header: amalgamate.py DIRECTORY

Every header of src/ comes once, after those that it includes; then every .c file. What is different from the files
that stand apart: internal functions become static; a name with file scope that several files give to different things
ends in the file that it belongs to; a macro of a .c file ends with the file; a header whose name ends in .inc.h, which
several files include, stands in each of them. A mistake in that shows when the result is
compiled, since a name is then not declared: no other meaning can slip in.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = "sporf.h"
PART = ".inc.h"
OF_CUDA = {ROOT / "src/gpu" / name for name in ("gpu.c", "gpu_predict.c", "predict.h", "trainer.h")}  # only with CUDA

HEAD = """\
/* The library sporf {version} as one file. It is made by `make amalgamation`; change the files of src/ instead.
 *
 *     cc -O2 -c sporf.c                     link with -lm -lpthread
 *     cc -O2 -DSPORF_ZLIB -c sporf.c        gzipped files can be read; link with -lz too
 *     cc -O2 -DSPORF_NO_STDOUT -c sporf.c   nothing is written to the standard output, not even if asked to
 *
{licence}
 */
{features}
#if defined(__MINGW32__) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1 /* MinGW's own printf and strtod follow C11 and round correctly */
#endif

/* A product and a sum must not become one operation with one rounding: forests would depend on the machine. gcc makes
 * few vectors at -O2, with which training takes up to a third more time. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#ifdef __OPTIMIZE__
#pragma GCC optimize("O3")
#endif
#endif

{system}

#include "{public}"

#define SPF_INTERNAL static __attribute__((unused))
"""

TOKEN = re.compile(
    r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<text>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|[uUL]?'(?:\\.|[^'\\\n])*')
  | (?P<name>[A-Za-z_]\w*)
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<space>(?:\s|\\\n)+)
  | (?P<sign>->|\#\#|.)
    """,
    re.VERBOSE | re.DOTALL,
)
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(\w+)((?:\\\n|[^\n])*)\n", re.MULTILINE)
INCLUDE = re.compile(r'[<"]([^>"]+)[>"]')
TAGGED = ("struct", "union", "enum")
FEATURE = re.compile(r"_[A-Z_]+_SOURCE\b")


class Token:
    def __init__(self, kind, text):
        self.kind, self.text = kind, text


class Source:
    """A file of src/: the text that goes into the result, as tokens, and what was taken out of it."""

    def __init__(self, path):
        self.path = path.relative_to(ROOT / "src")
        self.includes, self.system, self.features, self.macros = [], [], [], []
        self.depth = 0
        text = DIRECTIVE.sub(self.take, path.read_text(encoding="utf-8"))
        self.tokens = [Token(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]
        self.code = [t for t in code_of(self.tokens) if t.kind not in ("comment", "space")]
        self.declarations = list(declarations(self.code))
        self.names = {name for d in self.declarations for name in names_of(d)}

    @property
    def is_header(self):
        return self.path.suffix == ".h"

    def take(self, match):
        """Takes out includes and the features of the system that the file asks for; notes macros."""
        word, rest = match.group(1), match.group(2).strip()
        self.depth += {"if": 1, "ifdef": 1, "ifndef": 1, "endif": -1}.get(word, 0)
        if word == "define" and FEATURE.match(rest):
            self.features.append(FEATURE.match(rest).group())
            return ""
        if word == "define":
            self.macros.append(re.match(r"\w+", rest).group())
        if word != "include":
            return match.group()
        name = INCLUDE.match(rest).group(1)
        if name.endswith(PART):
            return DIRECTIVE.sub(self.take, (ROOT / "src" / name).read_text(encoding="utf-8"))
        if rest.startswith('"'):
            self.includes.append(name)
            return ""
        # Within a condition a header of the system stays where it is.
        if self.depth > int(self.is_header):
            return match.group()
        self.system.append(name)
        return ""


def code_of(tokens):
    """The tokens outside of directives, which end with their line."""
    line_start, inside = True, False
    for token in tokens:
        if inside and token.kind == "space" and "\n" in token.text.replace("\\\n", ""):
            inside = False
        elif line_start and token.text == "#":
            inside = True
        if token.kind != "comment":
            line_start = token.kind == "space" and ("\n" in token.text or line_start)
        if not inside:
            yield token


def declarations(code):
    """The declarations and definitions with file scope, each as a list of tokens."""
    part, depth, is_body = [], 0, False
    for token in code:
        part.append(token)
        if token.text == "{":
            is_body = is_body or (depth == 0 and len(part) > 1 and part[-2].text == ")")
            depth += 1
        elif token.text == "}":
            depth -= 1
        if depth == 0 and (token.text == ";" or (token.text == "}" and is_body)):
            yield part
            part, is_body = [], False


def matching(part, start):
    """The place of the bracket that closes the one at `start`."""
    depth = 0
    for place in range(start, len(part)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(part[place].text, 0)
        if depth == 0:
            return place
    raise ValueError(f"nothing closes {part[start].text} after {part[max(start - 1, 0)].text}")


def without_bodies(part):
    """A declaration up to its value, without what stands in braces and square brackets, and without attributes."""
    kept, place = [], 0
    while place < len(part) and part[place].text != "=":
        if part[place].text == "__attribute__":
            place = matching(part, place + 1)
        elif part[place].text in ("{", "["):
            place = matching(part, place)
        else:
            kept.append(part[place])
        place += 1
    return kept


def declared(part):
    """The name that a declaration gives to a function, an object or a type, or None."""
    rest = without_bodies(part)
    for place, token in enumerate(rest[:-2]):
        if token.text == "(" and rest[place + 1].text == "*":
            return rest[place + 2].text
        if token.kind == "name" and rest[place + 1].text == "(" and part[0].text != "typedef":
            return None if token.text == "_Static_assert" else token.text
    names = [token.text for token in rest if token.kind == "name"]
    only_a_tag = names[0] in TAGGED and len(names) <= 2
    return None if only_a_tag else names[-1]


def names_of(part):
    """Every name with file scope that a declaration brings: its own, tags and the constants of enumerations."""
    own = declared(part)
    if own:
        yield own
    if part[-1].text == "}":
        return
    for place, token in enumerate(part):
        if token.text in TAGGED:
            open_at = place + 1
            if part[open_at].kind == "name":
                open_at += 1
                if part[open_at].text == "{":
                    yield part[place + 1].text
            if token.text == "enum" and part[open_at].text == "{":
                body = part[open_at : matching(part, open_at)]
                yield from (b.text for a, b in zip(body, body[1:]) if a.text in "{," and b.kind == "name")


def is_internal(part):
    """Whether a declaration is of a function or an object of the library that is not public."""
    name = declared(part)
    return name is not None and name.startswith("spf_") and part[0].text != "typedef"


def in_order(sources):
    """Headers after those that they include, then the .c files."""
    order = []

    def visit(source):
        if source in order:
            return
        for name in source.includes:
            if name != PUBLIC:
                visit(sources[name])
        order.append(source)

    for name in sorted(sources):
        visit(sources[name])
    return sorted(order, key=lambda source: not source.is_header)


def seen_by(source, sources, seen=None):
    """A file and all that it includes."""
    seen = set() if seen is None else seen
    if source not in seen:
        seen.add(source)
        for name in source.includes:
            if name != PUBLIC:
                seen_by(sources[name], sources, seen)
    return seen


def renamed(sources):
    """For each file, the names in it that have to change. Declarations of one name that some file sees together are
    of one thing; a name of several things changes."""
    things = {}  # name: list of sets of files
    for source in sources.values():
        visible = seen_by(source, sources)
        for name in {name for other in visible for name in other.names}:
            files = {other for other in visible if name in other.names}
            apart = [thing for thing in things.get(name, []) if not thing & files]
            joined = [thing for thing in things.get(name, []) if thing & files]
            things[name] = apart + [files.union(*joined)]
    changes = {source: {} for source in sources.values()}
    for source in sources.values():
        visible = seen_by(source, sources)
        for name in {name for other in visible for name in other.names}:
            if len(things[name]) > 1:
                owners = next(thing for thing in things[name] if thing & visible)
                owner = min(str(other.path.with_suffix("")) for other in owners)
                changes[source][name] = f"{name}_{re.sub(r'[^A-Za-z0-9]', '_', owner)}"
    return changes


def members(tokens):
    """The tokens that name members of structures where these are declared."""
    found, braces, brackets = set(), [], 0
    for place, token in enumerate(tokens[:-1]):
        if token.text == "{":
            before = [t.text for t in tokens[max(place - 2, 0) : place]]
            braces.append("struct" in before or "union" in before)
        elif token.text == "}" and braces:
            braces.pop()
        brackets += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token.text, 0)
        if not braces or not braces[-1] or token.kind != "name":
            continue
        if brackets == 0 and tokens[place + 1].text in (";", ",", "[", ":"):
            found.add(token)
        if tokens[place - 1].text == "*" and tokens[place - 2].text == "(":
            found.add(token)
    return found


def rename(source, changes):
    """Changes names, but for members and for what is pasted together."""
    tokens = [t for t in source.tokens if t.kind not in ("comment", "space")]
    left = members(source.code)
    for place, token in enumerate(tokens):
        before = [t.text for t in tokens[max(place - 4, 0) : place]]
        around = before[-1:] + [t.text for t in tokens[place + 1 : place + 2]]
        is_member = token in left or before[-1:] in (["."], ["->"]) or before[:1] == ["offsetof"]
        if token.kind == "name" and token.text in changes and not is_member and "##" not in around:
            token.text = changes[token.text]


def emit(source):
    """The text of a file in the result."""
    for part in source.declarations:
        if is_internal(part):
            linkage = part[0].text in ("extern", "static")
            part[0].text = "SPF_INTERNAL" + ("" if linkage else " " + part[0].text)
    ends = [] if source.is_header else [f"#undef {name}\n" for name in dict.fromkeys(source.macros)]
    text = re.sub(r"\n{3,}", "\n\n", "".join(token.text for token in source.tokens).strip())
    return f"\n/* ---- src/{source.path} ---- */\n\n{text}\n" + "".join(ends)


def head(order):
    header = (ROOT / "include" / PUBLIC).read_text(encoding="utf-8")
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8").strip().splitlines()
    features = sorted({name for source in order for name in source.features})
    return HEAD.format(
        version=re.search(r'#define SPORF_VERSION "([^"]+)"', header).group(1),
        licence="\n".join(f" * {line}".rstrip() for line in licence),
        features="".join(f"#ifndef {name}\n#define {name}\n#endif\n" for name in features),
        system="\n".join(f"#include <{name}>" for name in sorted({n for s in order for n in s.system})),
        public=PUBLIC,
    )


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: amalgamate.py DIRECTORY")
    directory = Path(sys.argv[1])
    files = sorted(p for p in (ROOT / "src").rglob("*.[ch]") if not p.name.endswith(PART) and p not in OF_CUDA)
    sources = {str(s.path): s for s in map(Source, files)}
    changes = renamed(sources)
    order = in_order(sources)
    for source in order:
        rename(source, changes[source])
    directory.mkdir(parents=True, exist_ok=True)
    text = head(order) + "".join(emit(source) for source in order)
    (directory / "sporf.c").write_text(text, encoding="utf-8")
    (directory / PUBLIC).write_bytes((ROOT / "include" / PUBLIC).read_bytes())
    print(f"{directory}/sporf.c: {len(order)} files, {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
