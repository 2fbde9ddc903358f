"""Pickles, copies and files."""

import copy
import pickle
import subprocess
import sys

import joblib
import numpy as np
import pytest
from conftest import model_of
from sklearn.base import clone

import sporf
from sporf import Patches, SporfClassifier, SporfRegressor


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


PARAMETERS = [
    {"max_features": 3},
    {"max_features": 0.00001},
    {"max_features": "log2"},
    {"max_features": "p^0.7", "feature_combinations": 2},
    {"max_samples": 0.4},
    {"bootstrap": "stratified", "max_samples": 0.5},
    {"bootstrap": "subsample"},
    {"bootstrap": False, "max_depth": 3},
    {"class_weight": {0: 0.5, 1: 2}},
    {"class_weight": "balanced", "criterion": "entropy"},
    {"honest": 0.3, "scale": "iqr", "splitter": "exact"},
    {"projection": Patches(5, 2, 3), "nonzeros": "poisson", "projection_weights": "normal"},
    {"projection": "rr-rf", "min_samples_split": 7, "min_samples_leaf": 3},
    {"min_weight_fraction_leaf": 0.02, "class_weight": {0: 3}},
    {"categorical_features": [1, 2]},
]


@pytest.mark.parametrize("parameters", PARAMETERS)
def test_a_loaded_model_can_be_trained_again_and_grown_further(parity, tmp_path, parameters):
    X, y = parity
    X = np.round(X * 5)
    forest = SporfClassifier(6, random_state=2, **parameters).fit(X, y)
    forest.save(tmp_path / "model")
    again = clone(sporf.load(tmp_path / "model")).fit(X, y)
    assert model_of(again) == model_of(forest)
    further = sporf.load(tmp_path / "model").set_params(warm_start=True, n_estimators=9)
    at_once = clone(sporf.load(tmp_path / "model")).set_params(n_estimators=9).fit(X, y)
    assert model_of(further.fit(X, y)) == model_of(at_once)


def test_class_names_with_commas_come_back(parity, tmp_path):
    X, y = parity
    names = np.array(["a,b", "c=d"])[y]
    forest = SporfClassifier(6, random_state=2, class_weight={"a,b": 1, "c=d": 5}).fit(X, names)
    forest.save(tmp_path / "model")
    again = sporf.load(tmp_path / "model")
    assert again.classes_.tolist() == ["a,b", "c=d"]
    assert again.class_weight == {"a,b": 1, "c=d": 5}


def test_models_of_the_command_with_other_amounts_and_letters_are_loaded(command, tmp_path):
    rows = b"".join(b"%d,%d,%s\n" % (i, i % 7, (b"caf\xe9", b"th\xe9")[i % 2]) for i in range(40))
    (tmp_path / "data.csv").write_bytes(b"a,b,c\n" + rows)
    command(
        "train", "--data", tmp_path / "data.csv", "--label", "c", "--trees", 5,
        "--density", "p^-0.5", "--model", tmp_path / "model",
    )  # fmt: skip
    forest = sporf.load(tmp_path / "model")
    assert forest.classes_.tolist() == ["caf\udce9", "th\udce9"]
    assert forest.feature_combinations == pytest.approx(2**0.5)


def test_a_model_of_a_sampler_does_not_pretend_to_be_another(parity, tmp_path):
    def rf(node, rng):
        return [([0, 1], [1, -1])]

    SporfClassifier(3, projection=rf).fit(*parity).save(tmp_path / "model")
    forest = sporf.load(tmp_path / "model")
    assert forest.projection == "<sampler rf>"
    assert forest.predict(parity[0]).shape == (300,)
    with pytest.raises(ValueError, match="projection must be one of"):
        clone(forest).fit(*parity)


def test_labels_beyond_int64_keep_their_names(parity, tmp_path):
    X, y = parity
    labels = np.array([2**63 + 1, 5], dtype=np.uint64)[y]
    SporfClassifier(3).fit(X, labels).save(tmp_path / "model")
    assert set(map(str, sporf.load(tmp_path / "model").classes_)) == {"5", str(2**63 + 1)}


def test_pickles_of_earlier_versions_get_default_parameters(parity):
    forest = SporfClassifier(5, random_state=0).fit(*parity)
    state = {k: v for k, v in forest.__getstate__().items() if k not in ("calibration", "honest")}
    again = SporfClassifier.__new__(SporfClassifier)
    again.__setstate__(state)
    np.testing.assert_array_equal(again.predict(parity[0]), forest.predict(parity[0]))


class Demanding(SporfClassifier):
    """A subclass whose first parameter has no default."""

    def __init__(self, alpha, n_estimators=5):
        super().__init__(n_estimators)
        self.alpha = alpha


def test_subclasses_may_demand_parameters(parity):
    forest = Demanding(2.0).fit(*parity)
    again = copy.deepcopy(forest)
    assert again.alpha == 2.0
    np.testing.assert_array_equal(again.predict(parity[0]), forest.predict(parity[0]))
