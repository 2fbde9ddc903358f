"""The documents do what they say: their Python code runs, from top to bottom in one namespace, and
prints what they show; so do the commands of the story.

A block marked `text` right behind one marked `python` or `sh` is what that block prints; three dots
in it stand for anything. Code with `>>>` is checked by doctest.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(
    r"^```(?P<language>python|sh)\n(?P<code>.*?)^```\n(?:\s*^```text\n(?P<output>.*?)^```$)?",
    re.MULTILINE | re.DOTALL,
)
DOTS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture
def folder(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    import matplotlib.pyplot as plt

    plt.close("all")


def run_session(code, names, where):
    test = doctest.DocTestParser().get_doctest(code, names, where, where, 0)
    test.globs = names  # not a copy: later blocks go on with it
    report = io.StringIO()
    doctest.DocTestRunner(optionflags=DOTS).run(test, out=report.write, clear_globs=False)
    assert not report.getvalue(), report.getvalue()


def check_output(wanted, printed, where):
    if wanted is not None:
        right = doctest.OutputChecker().check_output(wanted, printed, DOTS)
        assert right, f"{where}\nshows\n{wanted}\nbut prints\n{printed}"


def run_block(code, wanted, names, where):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, where, "exec"), names)
    check_output(wanted, printed.getvalue(), where)


def run_commands(code, wanted, where, command):
    folder = Path("bin")
    folder.mkdir(exist_ok=True)
    if not (folder / "sporf").exists():
        (folder / "sporf").symlink_to(command)
    found = subprocess.run(
        ["sh", "-eu", "-c", code],
        env={**os.environ, "PATH": f"{folder.resolve()}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, f"{where}\n{found.stderr}"
    check_output(wanted, found.stdout, where)


def run_document(name, command=None):
    """Runs the blocks of a document, those of commands only if there is one; returns how many there
    are."""
    text = (ROOT / name).read_text(encoding="utf-8")
    names = {"__name__": "__main__"}
    blocks = [b for b in BLOCK.finditer(text) if command or b["language"] == "python"]
    for block in blocks:
        where = f"{name}, line {text.count(chr(10), 0, block.start()) + 1}"
        if block["language"] == "sh":
            run_commands(block["code"], block["output"], where, command)
        elif block["code"].startswith(">>> "):
            run_session(block["code"], names, where)
        else:
            run_block(block["code"], block["output"], names, where)
    return len(blocks)


def test_the_readme_runs(folder):
    run_document("README.md")


@pytest.mark.slow
def test_the_guide_runs_and_shows_what_it_prints(folder):
    assert run_document("docs/python.md") > 5


def test_the_page_for_those_who_come_from_elsewhere_runs(folder):
    assert run_document("docs/migration.md") > 2


def test_the_page_on_several_machines_runs(folder):
    pytest.importorskip("distributed")
    assert run_document("docs/distributed.md") == 1


@pytest.mark.slow
def test_the_tutorial_runs_and_shows_what_it_prints(folder):
    assert run_document("docs/tutorial.md") > 5


@pytest.mark.slow
def test_the_story_runs_and_shows_what_it_prints(folder):
    command = os.environ.get("SPORF")
    if not command:
        pytest.skip("SPORF does not name the command; run the tests with: make test")
    assert run_document("docs/story.md", command) > 8


def test_the_pictures_of_the_documents_are_drawn(folder):
    script = ROOT / "bindings/python/examples/pictures.py"
    names = {"__name__": "pictures", "__file__": str(script)}
    exec(compile(script.read_text(encoding="utf-8"), script, "exec"), names)
    for draw in (names["boundaries"], names["tree"]):
        assert draw().axes
