"""The page's tables come from results; the words around them stay."""

import pytest

import lambda_sensitivity.run as lambda_sensitivity
import markdown
import report
import run
from context import unfinished
from modes import MODES


def test_every_figure_has_a_table_and_a_place_in_the_page():
    assert tuple(markdown.TABLES) == run.FIGURES
    places = [match.group(2) for match in report.PLACE.finditer(report.PAGE.read_text())]
    assert sorted(places) == sorted(run.FIGURES)


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "results_folder", lambda mode: tmp_path / mode)
    monkeypatch.setattr(report, "COPIES", tmp_path / "docs")
    for mode, error in (("quick", 0.2), ("long", 0.25), ("full", 0.3)):
        (tmp_path / mode).mkdir()
        (tmp_path / mode / "consistency.csv").write_text(
            f"kind,n,method,trials,error,standard_error,authors\nlog2,100,rf,3,{error},0.01,0.231\n"
        )
        (tmp_path / mode / "consistency.svg").write_text("<svg/>")
    return tmp_path


def test_a_table_is_replaced_and_the_words_stay(results):
    old = "before\n<!-- consistency -->\nold\n<!-- end -->\nafter\n"
    new = report.refresh(old)
    assert new.startswith("before\n<!-- consistency -->\n") and new.endswith(
        "<!-- end -->\nafter\n"
    )
    assert "| log2 | 100 | 3 | .300 (.231) |" in new and "old" not in new
    assert (results / "docs" / "consistency.svg").exists()
    assert report.refresh(new) == new


PAGE = "<!-- consistency -->\n<!-- end -->\n"


def test_the_papers_settings_go_before_the_long_ones_and_these_before_the_quick_ones(results):
    for mode, error in (("full", ".300"), ("long", ".250"), ("quick", ".200")):
        page = report.refresh(PAGE)
        assert f"With {MODES[mode].words}: " in page
        assert f"{MODES[mode].trees} trees." in page
        assert ("up to" in page) == MODES[mode].thrifty
        assert f"| {error} (.231) |" in page
        (results / mode / "consistency.csv").unlink()


def test_finished_results_go_first_and_others_say_how_far_they_are(results):
    note = "3 of 4 units are not done yet"
    for mode, best in (("full", "long"), ("long", "quick"), ("quick", "full")):
        unfinished(results / mode, "consistency").write_text(note + "\n")
        page = report.refresh(PAGE)
        assert f"With {MODES[best].words}: " in page
        assert (f"**Not finished**: {note}." in page) == (mode == "quick")


def test_figures_with_trees_of_their_own_do_not_name_those_of_the_mode(results):
    assert "trees" in report.settings("consistency", results / "quick")
    assert set(report.OWN_TREES) < set(run.FIGURES)
    for figure in report.OWN_TREES:
        assert report.settings(figure, results / "quick") == "With the quick settings."


def test_features_in_a_candidate_come_in_their_order(results):
    lines = {
        (problem, 50, method, k): [{"test_error": 0.1}]
        for k in (2, 3, 4, 5, 1)
        for method in ("sporf", "frc")
        for problem in ("sparse-parity", "orthant")
    }
    rows = [{k: str(v) for k, v in row.items()} for row in lambda_sensitivity.summary(lines)]
    table = markdown.TABLES["lambda_sensitivity"](rows).splitlines()[2:]
    assert [line.split(" | ")[2] for line in table] == 2 * ["1", "2", "3", "4", "5"]


def test_a_table_without_results_stays(results, capsys):
    page = "<!-- uci -->\nold\n<!-- end -->\n"
    assert report.refresh(page) == page
    assert "uci: no results" in capsys.readouterr().out
