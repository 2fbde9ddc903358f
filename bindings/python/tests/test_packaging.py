"""What is built, and what it is built of."""

import subprocess
import sys
import tarfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
WITHOUT_OTHERS = """
import sys

class Nothing:
    def find_spec(self, name, *more):
        if name.partition(".")[0] in ("pandas", "polars", "pyarrow", "matplotlib", "tqdm"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Nothing())
"""
FOLDERS = ("include", "src", "cmake", "bindings/python/core", "bindings/python/sporf")


@pytest.mark.slow
def test_the_source_distribution_holds_every_source(tmp_path):
    program = "import sys, scikit_build_core.build as b; print(b.build_sdist(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", program, tmp_path], cwd=ROOT, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        names = {name.split("/", 1)[1] for name in file.getnames() if "/" in name}
    sources = {
        str(path.relative_to(ROOT))
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".c", ".h", ".py", ".pyi", ".cmake", ".in")
    }
    assert sources - names == set()
    assert {"CMakeLists.txt", "LICENSE", "pyproject.toml"} <= names


def test_one_wheel_serves_all_later_versions_of_python():
    tags = distribution("sporf").read_text("WHEEL")
    assert "Tag: cp311-abi3-" in tags


def test_the_version_is_the_librarys():
    import sporf

    assert sporf.__version__ == distribution("sporf").version


def test_the_ten_lines_of_the_readme_need_no_other_packages(tmp_path):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = text.split("```python\n", 1)[1].split("```", 1)[0]
    answer = subprocess.run(
        [sys.executable, "-c", WITHOUT_OTHERS + lines], cwd=tmp_path, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr
    assert (tmp_path / "cancer.sporf").stat().st_size > 0
