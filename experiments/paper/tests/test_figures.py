"""Every figure runs with tiny settings, leaves its numbers and pictures, and finds its work."""

import pytest

import run
import work
from context import Context
from modes import MODES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("paper")


@pytest.mark.parametrize("figure", run.FIGURES)
def test_the_figure_runs_and_does_nothing_twice(figure, folder, monkeypatch):
    answer = run.make(figure, Context(figure, MODES["smoke"], folder))
    if answer.startswith("skipped"):
        pytest.skip(answer)
    assert (folder / f"{figure}.csv").stat().st_size > 0
    assert (folder / f"{figure}.svg").stat().st_size > 0
    before = {path: path.read_bytes() for path in folder.glob(f"{figure}*")}

    def refuse(do, units, alone):
        assert units == [], "finished work is done again"
        return iter(())

    monkeypatch.setattr(work, "results", refuse)
    assert run.make(figure, Context(figure, MODES["smoke"], folder)).startswith("done")
    assert {path: path.read_bytes() for path in folder.glob(f"{figure}*")} == before


def test_one_mode_is_enough():
    with pytest.raises(SystemExit):
        run.read_arguments(["--quick", "--full"])
    assert run.read_arguments(["--full"]).mode == "full"
    assert run.read_arguments([]).mode == "quick"
