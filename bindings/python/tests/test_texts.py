"""Texts that are not UTF-8: in paths, messages, names, classes and levels."""

import os
import pickle
import sys

import numpy as np
import pandas as pd
import pytest
from conftest import model_of
from sealed import settings

import sporf
from sporf import SporfClassifier, SporfRegressor, plot_tree

LATIN = "\udce9"  # what the byte 0xe9 is in Python, which is é in Latin-1 and nothing in UTF-8


@pytest.fixture
def drinks():
    """A table of names, levels and classes in Latin-1, as a frame and as the bytes of a file."""
    rng = np.random.default_rng(3)
    rows = 80
    levels = [f"caf{LATIN}", "tea", f"th{LATIN}", "wasser", "\u00e4pfel"]
    numbers, kinds = rng.normal(size=rows).round(2), rng.choice(levels, rows)
    names = pd.Index([f"gr{LATIN}", f"typ{LATIN}"], dtype=object)
    frame = pd.concat([pd.Series(numbers), pd.Series(kinds, dtype=object)], axis=1)
    frame.columns = names
    labels = np.where(numbers > 0, f"ch{LATIN}re", "bon march\u00e9")
    y = pd.Series(labels, dtype=object, name=f"prix{LATIN}")
    lines = [(*names, y.name), *zip(numbers, kinds, labels, strict=True)]
    text = "".join(f"{a},{b},{c}\n" for a, b, c in lines).encode("utf-8", "surrogateescape")
    return frame, y, text


def test_paths_that_are_not_utf8_are_named_in_the_right_exception(parity, tmp_path):
    forest = SporfClassifier(3, random_state=0).fit(*parity)
    folder = os.fsencode(tmp_path)
    with pytest.raises(OSError, match="bad\ufffd"):
        forest.save(folder + b"/bad\xff/model")
    (tmp_path / "bad\udcff").write_bytes(b"no model")
    for load in (sporf.load, sporf._core.Forest.load):
        with pytest.raises(ValueError) as refused:
            load(folder + b"/bad\xff")
        assert not isinstance(refused.value, UnicodeError)
    forest.save(folder + b"/good\xff")
    assert model_of(sporf.load(folder + b"/good\xff")) == model_of(forest)


def test_messages_cut_inside_a_character_are_told():
    for extra in range(4):
        with pytest.raises(ValueError) as refused:
            sporf.simulate("a" * extra + "\u20ac" * 3000, 10)
        assert not isinstance(refused.value, UnicodeError)


def test_a_path_of_any_length_is_cut_as_text(parity, tmp_path):
    forest = SporfClassifier(3, random_state=0).fit(*parity)
    for extra in range(3):
        with pytest.raises(OSError):
            forest.save(str(tmp_path) + "/" + "a" * extra + ("\u20ac" * 60 + "/") * 20)


def test_the_commands_model_of_a_table_in_latin_1_serves_frames(drinks, command, tmp_path):
    frame, y, text = drinks
    (tmp_path / "data.csv").write_bytes(text)
    command(
        "train", "--data", tmp_path / "data.csv", "--label", "last", "--trees", 10, "--seed", 4,
        "--model", tmp_path / "model",
    )  # fmt: skip
    loaded = sporf.load(tmp_path / "model")
    assert loaded.feature_names_in_.tolist() == frame.columns.tolist()
    assert loaded.classes_.tolist() == ["bon march\u00e9", f"ch{LATIN}re"]
    fitted = SporfClassifier(10, random_state=4).fit(frame, y)
    assert model_of(fitted) == (tmp_path / "model").read_bytes()
    np.testing.assert_array_equal(
        loaded.set_params(handle_unknown="error").predict(frame), fitted.predict(frame)
    )


def test_names_that_are_not_utf8_survive_files_and_pickles(drinks, tmp_path):
    frame, y, _ = drinks
    weights = {f"ch{LATIN}re": 2, "bon march\u00e9": 1}
    forest = SporfClassifier(5, class_weight=weights, random_state=0).fit(frame, y)
    forest.save(tmp_path / "model")
    loaded = sporf.load(tmp_path / "model")
    assert loaded.class_weight == weights
    assert model_of(loaded) == model_of(forest)
    for again in (loaded, pickle.loads(pickle.dumps(forest))):
        assert again.predict(frame).tolist() == forest.predict(frame).tolist()
    assert model_of(loaded.set_params(categorical_features=[1]).fit(frame, y)) == model_of(forest)


def test_targets_may_have_such_names(drinks):
    frame, _, _ = drinks
    y = pd.DataFrame(np.column_stack([np.arange(80.0), np.ones(80)]))
    y.columns = pd.Index([f"a{LATIN}", "b"], dtype=object)
    assert SporfRegressor(3, random_state=0).fit(frame, y).predict(frame).shape == (80, 2)


def test_what_is_shown_to_people_can_be_printed(drinks):
    frame, y, _ = drinks
    forest = SporfClassifier(5, random_state=0).fit(frame, y)
    texts = [projection.text for projection in forest.projection_importances_]
    assert any("gr\ufffd" in text for text in texts)
    "".join(texts).encode()
    plot_tree(forest, 0)


def test_settings_of_a_model_may_be_of_any_bytes(parity, tmp_path):
    forest = SporfClassifier(3, random_state=0).fit(*parity)
    changed = {f"od{LATIN}": f"va{LATIN}lue"}
    (tmp_path / "model").write_bytes(settings(changed, model_of(forest)))
    assert sporf.load(tmp_path / "model").settings_[f"od{LATIN}"] == f"va{LATIN}lue"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths")
def test_characters_that_no_file_can_hold_are_refused(parity):
    X, y = parity
    for label in ("\ud800", "a\0b"):
        with pytest.raises(ValueError):
            SporfClassifier(3).fit(X, np.array([label, "b"], dtype=object)[y])
