"""The page's tables come from results; the words around them stay."""

import pytest

import markdown
import report
import run
from modes import MODES


def test_every_figure_has_a_table_and_a_place_in_the_page():
    assert tuple(markdown.TABLES) == run.FIGURES
    places = [match.group(2) for match in report.PLACE.finditer(report.PAGE.read_text())]
    assert sorted(places) == sorted(run.FIGURES)


@pytest.fixture
def results(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "results_folder", lambda mode: tmp_path / mode)
    monkeypatch.setattr(report, "COPIES", tmp_path / "docs")
    for mode in ("quick", "full"):
        (tmp_path / mode).mkdir()
        (tmp_path / mode / "consistency.csv").write_text(
            "kind,n,method,trials,error,standard_error,authors\n"
            f"log2,100,rf,3,{0.2 if mode == 'quick' else 0.3},0.01,0.231\n"
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


def test_the_papers_settings_go_before_the_quick_ones(results):
    page = "<!-- consistency -->\n<!-- end -->\n"
    assert f"{MODES['full'].trees} trees" in report.refresh(page)
    (results / "full" / "consistency.csv").unlink()
    assert f"{MODES['quick'].trees} trees" in report.refresh(page)


def test_a_table_without_results_stays(results, capsys):
    page = "<!-- uci -->\nold\n<!-- end -->\n"
    assert report.refresh(page) == page
    assert "uci: no results" in capsys.readouterr().out
