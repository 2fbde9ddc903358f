"""Finished work is kept, found again, and survives a run that was killed."""

from pathlib import Path

import pytest

import benchmark
from context import Context, unfinished
from modes import MODES
from store import Store
from work import finish

CONTEXT = Context("a figure", MODES["smoke"], Path("nowhere"))
UNITS = [{"n": n, "method": method} for n in (10, 20) for method in ("rf", "sporf")]


def double(unit):
    return {"value": 2 * unit["n"]}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "work.jsonl"


def test_a_second_run_does_nothing_again(path):
    first = finish(CONTEXT, Store(path), UNITS, double)

    def refuse(unit):
        raise AssertionError("this was finished")

    assert finish(CONTEXT, Store(path), UNITS, refuse) == first
    assert [line["value"] for line in first] == [20, 20, 40, 40]


def test_a_run_that_was_killed_goes_on_where_it_stopped(path):
    def fail_at_the_third(unit):
        if unit == UNITS[2]:
            raise KeyboardInterrupt
        return double(unit)

    with pytest.raises(KeyboardInterrupt):
        finish(CONTEXT, Store(path), UNITS, fail_at_the_third, alone=True)
    assert Store(path).missing(UNITS) == UNITS[2:]
    assert len(finish(CONTEXT, Store(path), UNITS, double)) == 4


@pytest.mark.parametrize("cut", [1, 2, 10])
def test_a_torn_last_line_is_done_again_and_spoils_no_other(path, cut):
    finish(CONTEXT, Store(path), UNITS, double, alone=True)
    path.write_bytes(path.read_bytes()[:-cut])
    store = Store(path)
    assert len(store.missing(UNITS)) == (0 if cut == 1 else 1)
    store.add(UNITS[3], {"value": 40})
    store.add({"n": 30, "method": "rf"}, {"value": 60})
    assert Store(path).missing([*UNITS, {"n": 30, "method": "rf"}]) == []


def test_other_settings_are_other_units(path):
    store = Store(path)
    store.add({"n": 10, "trees": 5}, {"value": 1})
    assert store.missing([{"n": 10, "trees": 50}]) == [{"n": 10, "trees": 50}]


def test_the_same_unit_is_done_once(path):
    assert Store(path).missing([UNITS[0], dict(UNITS[0])]) == [UNITS[0]]


def test_drawing_only_does_no_work_and_says_how_far_it_is(path):
    store = Store(path)
    store.add(UNITS[0], double(UNITS[0]))
    drawing = Context("a figure", MODES["smoke"], path.parent, draw_only=True)
    mark = unfinished(path.parent, "a figure")
    for _ in range(2):  # what is asked for twice is counted once
        drawing.table(finish(drawing, store, UNITS, double))
    assert len(store.missing(UNITS)) == 3
    assert mark.read_text() == "3 of 4 units are not done yet\n"
    other = Store(path.parent / "other.jsonl")
    finish(drawing, other, UNITS, double)
    assert drawing.progress() == "7 of 8 units are not done yet"


def test_nothing_is_said_of_figures_that_are_finished(path):
    mark = unfinished(path.parent, "a figure")
    for draw_only in (True, False, True):
        context = Context("a figure", MODES["smoke"], path.parent, draw_only)
        store = Store(path)
        if not path.exists():
            store.add(UNITS[0], double(UNITS[0]))
        context.table(finish(context, store, UNITS, double, alone=True))
        assert mark.exists() == (len(store.lines_of(UNITS)) < len(UNITS))
    assert not mark.exists()


def test_sets_with_noise_are_not_taken_for_sets_without(tmp_path, monkeypatch):
    monkeypatch.setattr(benchmark, "do", lambda unit: {"noisy": "noise" in unit})
    monkeypatch.setattr(benchmark, "cost", lambda unit: 1.0)
    context = Context("a figure", MODES["smoke"], tmp_path)
    plain = {"set": "iris", "fold": 1, "method": "rf", "d": 2, "nonzeros": 1, "trees": 5}
    for units in ([plain | {"noise": 3}], [plain], [plain, plain | {"noise": 3}]):
        found = benchmark.lines(context, units)
        assert [line["noisy"] for line in found] == ["noise" in unit for unit in units]
