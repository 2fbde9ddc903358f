"""What the page's tables say follows from hand-made results; what is chosen with fewer trees is
grown with all."""

import pytest

import benchmark
import boosting
import protocol
import simulated
import strength_correlation.run as strength_correlation
import training_time.run as training_time
import uci.run as uci
import untuned.run as untuned
from context import Context
from methods import FORESTS
from modes import MODES, Mode

THRIFTY = Mode("long", "few trees", trees=12, trials=2, test_rows=60, thrifty=True)


def test_chosen_settings_are_grown_again_where_they_have_fewer_trees():
    short = {"set": "iris", "fold": 1, "method": "rf", "d": 2, "nonzeros": 1, "trees": 5,
             "oob_error": 0.1, "test_error": 0.3}  # fmt: skip
    whole = {**short, "fold": 2, "trees": 20}
    asked = []

    def lines(context, units):
        asked.extend(units)
        return [unit | {"test_error": 0.2} for unit in units if unit["method"] == "rf"]

    found = protocol.grown(
        None,
        {"rf": [short, whole], "sporf": [{**short, "method": "sporf"}]},
        lambda line: 20,
        lines,
    )
    assert [(unit["trees"], unit["judged"]) for unit in asked] == [(20, False)] * 2
    assert [line["test_error"] for line in found["rf"]] == [0.2, 0.3]
    assert "sporf" not in found  # as its forest is not finished


def test_a_thrifty_run_ends_with_all_trees(tmp_path, monkeypatch):
    monkeypatch.setattr(simulated, "SEARCHED", {1000: 3})
    context = Context("training_time", THRIFTY, tmp_path)
    wanted = training_time.at_each_d(THRIFTY, 40)
    searched = {unit["method"]: unit["trees"] for unit in wanted}
    assert searched == {"rf": 12, "sporf": 3, "frc": 3}  # 40 rows, at most 20 or 400 candidates
    grown = simulated.tuned(context, wanted, "method", "d")
    assert {len(lines) for lines in grown.values()} == {THRIFTY.trials}
    assert {line["trees"] for lines in grown.values() for line in lines} == {12}


def test_boosting_has_a_short_grid_but_in_the_full_version():
    counts = {name: len(boosting.grid(mode)) for name, mode in MODES.items()}
    assert counts == {"smoke": 1, "quick": 2, "long": 2, "full": 120}


def row(name, errors, theirs, categories=False):
    found = {"set": name, "categories": categories}
    for method, error, value in zip(FORESTS, errors, theirs, strict=True):
        found |= {f"{method} error": error, f"{method} authors": value}
        found |= {f"{method} kappa": 0.5, f"{method} kappa_paper": 0.5}
    return found | {"xgboost error": None, "xgboost authors": None}


def test_means_ranks_and_differences_are_of_the_sets_that_the_authors_have():
    rows = [
        row("a", (0.1, 0.2, 0.3, 0.4, 0.5), (0.2, 0.2, 0.3, 0.4, 0.6)),
        row("b", (0.3, 0.2, 0.1, 0.4, 0.5), (0.3, 0.2, 0.1, 0.4, 0.5), categories=True),
        row("c", (0.9, 0.9, 0.9, 0.9, 0.9), (0.1, 0.1, 0.1, None, 0.1)),
    ]
    table = {(x["group"], x["method"]): x for x in uci.summary(rows)}
    assert {x["methods"] for x in table.values()} == {len(FORESTS)}
    assert {group: table[group, "rf"]["sets"] for group in uci.GROUPS} == {
        "numeric": 1, "with categories": 1, "all": 2}  # fmt: skip
    first = table["all", FORESTS[0]]
    assert first["error"] == pytest.approx(0.2) and first["authors"] == pytest.approx(0.25)
    assert first["difference"] == pytest.approx(-0.05)
    assert first["rank"] == 2 and first["authors_rank"] == pytest.approx(2.25)
    without = uci.summary([x | {f"{m} authors": None for m in FORESTS} for x in rows])
    assert {x["sets"] for x in without if x["group"] == "all"} == {3}


def test_the_default_is_compared_by_halves_and_without_the_smallest_sets():
    rows = [
        {"set": "a", "n": 10, "half": "first", "untuned": 0.1, "tuned": 0.4, "authors": 0.5},
        {"set": "b", "n": 500, "half": "other", "untuned": 0.3, "tuned": 0.2, "authors": None},
        {"set": "c", "n": 100, "half": "first", "untuned": 0.2, "tuned": 0.2, "authors": 0.2},
    ]
    table = {x["group"]: x for x in untuned.summary(rows)}
    assert list(table) == list(untuned.GROUPS)
    assert [table[group]["sets"] for group in untuned.GROUPS] == [3, 2, 1, 2, 1]
    assert table["all"]["tuned_difference"] == pytest.approx(-0.2 / 3)
    assert table["all"]["tuned_wins_ties_losses"] == "1/1/1"
    assert table["all"]["authors_difference"] == pytest.approx(-0.2)
    assert table["100 rows or more"]["tuned_difference"] == pytest.approx(0.05)
    assert table["other half"]["authors"] is None and table["other half"]["authors_sets"] == 0


def test_trees_that_are_always_right_have_no_correlation():
    place = {"problem": "trunk", "p": 10, "n": 10, "method": "rf"}
    lines = [
        place | {"strength": 1.0, "correlation": None},
        place | {"strength": 0.5, "correlation": 0.2},
    ]
    (found,) = strength_correlation.summary(strength_correlation.with_correlation(lines))
    assert found["trials"] == 1 and found["correlation"] == 0.2


def test_a_set_is_chosen_only_where_its_grid_is_finished():
    units = [
        {"set": "x", "method": "rf", "fold": fold, "d": d} for fold in range(1, 6) for d in (1, 2)
    ]
    lines = [unit | {"oob_error": unit["d"] / 10, "oob_auc": 0.5} for unit in units]
    assert [line["d"] for line in benchmark.chosen(units, lines)["x", "rf"]] == [1] * 5
    assert benchmark.chosen(units, lines[:-1]) == {}
