"""Pickles, copies and files."""

import copy
import pickle
import subprocess
import sys

import joblib
import numpy as np
import pytest
from conftest import model_of

import sporf
from sporf import SporfClassifier, SporfRegressor


def test_a_pickle_holds_the_bytes_of_the_model_file(parity, tmp_path):
    forest = SporfClassifier(10, random_state=0).fit(*parity)
    forest.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() in pickle.dumps(forest)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_of_pickle_brings_the_forest_back(parity, protocol):
    forest = SporfClassifier(10, oob_score=True, random_state=0).fit(*parity)
    again = pickle.loads(pickle.dumps(forest, protocol))
    assert model_of(again) == model_of(forest)
    assert again.oob_score_ == forest.oob_score_


def test_pickles_are_read_in_another_process(parity, tmp_path):
    X, y = parity
    labels = np.array(["no", "yes"])[y]
    forest = SporfClassifier(10, random_state=0).fit(X, labels)
    joblib.dump((forest, X), tmp_path / "forest.joblib")
    program = (
        "import joblib, sys\n"
        "forest, X = joblib.load(sys.argv[1])\n"
        "print(*forest.predict(X), sep='\\n')\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "forest.joblib"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert answer.stdout.split() == forest.predict(X).tolist()


def test_copies_predict_the_same(friedman):
    X, y = friedman
    forest = SporfRegressor(10, random_state=0).fit(X, y)
    for again in (copy.copy(forest), copy.deepcopy(forest)):
        np.testing.assert_array_equal(again.predict(X), forest.predict(X))
    changed = copy.deepcopy(forest).fit(X, -y)
    assert not np.array_equal(changed.predict(X), forest.predict(X))


def test_what_is_saved_is_loaded(customers, friedman, tmp_path):
    frame, left = customers
    forest = SporfClassifier(10, random_state=0).fit(frame, left)
    forest.save(tmp_path / "model")
    again = SporfClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(again.predict_proba(frame), forest.predict_proba(frame))
    assert again.feature_names_in_.tolist() == frame.columns.tolist()
    assert again.classes_.tolist() == ["no", "yes"]

    X, y = friedman
    SporfRegressor(10, random_state=0).fit(X, np.column_stack([y, -y])).save(tmp_path / "model")
    again = sporf.load(str(tmp_path / "model"))
    assert again.predict(X).shape == (len(X), 2)
    with pytest.raises(ValueError, match="SporfRegressor, not a SporfClassifier"):
        SporfClassifier.load(tmp_path / "model")


def test_a_damaged_file_is_refused_and_a_missing_one_too(parity, tmp_path):
    forest = SporfClassifier(10, random_state=0).fit(*parity)
    bytes_ = bytearray(model_of(forest))
    bytes_[len(bytes_) // 2] ^= 1
    (tmp_path / "damaged").write_bytes(bytes_)
    with pytest.raises(ValueError, match="damaged"):
        sporf.load(tmp_path / "damaged")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        sporf.load(tmp_path / "nowhere")
    with pytest.raises(OSError):
        forest.save(tmp_path / "no" / "such" / "folder")
