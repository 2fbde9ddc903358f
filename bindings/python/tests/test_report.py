"""Reports: the page of the command, in notebooks and files."""

import os
import subprocess
import xml.etree.ElementTree as tree

import numpy as np
import pandas as pd
import pytest

from sporf import (
    SporfBoostingRegressor,
    SporfClassifier,
    SporfRegressor,
    simulate,
)


def parsed(report):
    return tree.fromstring(report.html.replace("<!DOCTYPE html>", ""))


def chapters(report):
    return {section.get("id") for section in parsed(report).iter("section")}


@pytest.fixture(scope="module")
def parity():
    X, y = simulate("sparse-parity", 300, random_state=1)
    return X, y, SporfClassifier(20, combine="votes", random_state=1).fit(X, y)


def test_a_model_alone_shows_what_it_knows(parity):
    report = parity[2].report()
    assert {"glance", "training", "importance", "settings"} <= chapters(report)
    assert "scores" not in chapters(report)


def test_rows_of_the_training_are_scored_out_of_bag(parity):
    X, y, forest = parity
    report = forest.report(X, y)
    assert {"scores", "calibration", "dependence", "rows"} <= chapters(report)
    assert "did not see it" in report.html
    assert "did not see it" not in forest.report(*simulate("sparse-parity", 300)).html


def test_without_y_there_are_no_scores(parity):
    X, _, forest = parity
    found = chapters(forest.report(X))
    assert "scores" not in found
    assert "rows" in found


def test_a_notebook_shows_it_in_a_frame_of_its_own(parity, tmp_path):
    X, y, forest = parity
    report = forest.report(X, y, tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == report.html
    report.save(tmp_path / "again.html")
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "report.html").read_bytes()
    frame = tree.fromstring(report._repr_html_())
    assert frame.tag == "iframe"
    assert frame.get("srcdoc") == report.html.replace("\n", " ")  # as XML reads attributes
    assert frame.get("sandbox") == ""
    assert "save(path)" in repr(report)


def test_frames_with_categories_in_another_order():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"plan": rng.choice(["a", "b", "c"], 200), "size": rng.normal(size=200)})
    y = np.where((X["plan"] == "b") & (X["size"] > 0), "yes", "no")
    forest = SporfClassifier(20, random_state=1).fit(X, y)
    test = X[X["plan"] != "a"]
    report = forest.report(test, y[test.index], title="a <title>")
    texts = "".join(parsed(report).itertext())
    assert "a <title>" in texts
    assert "2 levels" in texts


def test_models_are_compared(parity):
    X, y, forest = parity
    other = SporfClassifier(10, projection="rf", random_state=2).fit(X, y)
    report = forest.report(X, y, compare={"<plain>": other}, name="oblique")
    assert "Compared with oblique" in "".join(parsed(report).itertext())
    assert "model 2" in "".join(parsed(forest.report(compare=[other])).itertext())
    with pytest.raises(ValueError, match="at most 8 models"):
        forest.report(compare=[other] * 8)


def test_regression():
    X, y = simulate("friedman1", 150, random_state=1)
    forest = SporfRegressor(10, random_state=1).fit(X, y)
    booster = SporfBoostingRegressor(max_iter=5, random_state=1).fit(X, y)
    assert "RMSE" in forest.report(X, y, compare=[booster]).html
    assert {"scores", "rows"} <= chapters(booster.report(X, y))
    classifier = SporfClassifier(5).fit(X, y > 10)
    with pytest.raises(ValueError, match="different classes or targets"):
        forest.report(compare=[classifier])


def test_y_needs_x(parity):
    with pytest.raises(ValueError, match="without X"):
        parity[2].report(y=parity[1])


def test_the_command_shows_the_same(parity, tmp_path):
    command = os.environ.get("SPORF")
    if not command:
        pytest.skip("the command is not there")
    X, y, forest = parity
    forest.save(tmp_path / "m.sporf")
    table = pd.DataFrame(X).assign(y=y)
    table.to_csv(tmp_path / "t.csv", index=False, header=False)
    line = [command, "report", "--model", "m.sporf", "--data", "t.csv", "--label", "last"]
    subprocess.run([*line, "--output", "r.html"], cwd=tmp_path, check=True)
    shown = (tmp_path / "r.html").read_text(encoding="utf-8")
    ours = forest.report(X, y, name="m.sporf").html
    start, end = "<section id='scores'", "<section id='settings'"
    assert shown[shown.index(start) : shown.index(end)] == ours[ours.index(start) : ours.index(end)]
