"""Model files that somebody forged or damaged: they are refused, or they predict."""

import random
import struct
import threading
import time

import numpy as np
import pytest
from conftest import model_of
from sealed import SETTINGS, put_together, settings, strings, take_apart

import sporf
from sporf import SporfClassifier, SporfRegressor


@pytest.fixture(scope="module")
def models(customers, friedman):
    frame, left = customers
    X, y = friedman
    weighted = SporfClassifier(3, class_weight={"no": 2}, max_features="p", random_state=0)
    regressor = SporfRegressor(3, random_state=0)
    return [
        (model_of(weighted.fit(frame, left)), frame),
        (model_of(regressor.fit(X, np.column_stack([y, -y]))), X),
    ]


def opened(model: bytes, path, X):
    """Whether a model is taken; what is taken predicts, and what is not is refused as promised."""
    path.write_bytes(model)
    try:
        forest = sporf.load(path)
        forest.set_params(handle_unknown="missing").predict(X)
        repr(forest), forest.settings_, forest.projection_importances(5)
    except (ValueError, OSError, MemoryError) as error:
        assert not isinstance(error, UnicodeError)
        return False
    return True


def test_a_model_without_settings_predicts(models, tmp_path):
    for model, X in models:
        header, sections = take_apart(model)
        del sections[SETTINGS]
        (tmp_path / "model").write_bytes(put_together(header, sections))
        forest = sporf.load(tmp_path / "model")
        assert forest.n_estimators == len(forest) == 3
        (tmp_path / "whole").write_bytes(model)
        np.testing.assert_array_equal(forest.predict(X), sporf.load(tmp_path / "whole").predict(X))


@pytest.mark.parametrize(
    "changed",
    [
        {"max-depth": None},
        {"method": None, "sampler": None, "bag": None},
        {"max-depth": "deep"},
        {"max-depth": "9" * 5000},
        {"projections": "1e999"},
        {"projections": "p^^p"},
        {"density": "p/p/p"},
        {"honest": "nan."},
        {"trees": "\udcff"},
        {"seed": ""},
    ],
)
def test_settings_that_make_no_sense_are_refused(models, tmp_path, changed):
    model, _ = models[0]
    (tmp_path / "model").write_bytes(settings(changed, model))
    with pytest.raises(ValueError, match="model.*settings|settings.*model"):
        sporf.load(tmp_path / "model")


@pytest.mark.parametrize("text", ["=" * 30_000, "a," * 30_000, "=1=1" * 10_000])
def test_weights_of_classes_are_read_in_time(models, tmp_path, text):
    model, _ = models[0]
    (tmp_path / "model").write_bytes(settings({"class-weights": text}, model))
    began = time.monotonic()
    assert isinstance(sporf.load(tmp_path / "model").class_weight, dict)
    assert time.monotonic() - began < 1


def test_weights_of_classes_keep_odd_names():
    from sporf._settings import _weights

    for names in (["a", "b"], ["a,b", "c=d"], ["=", ",", "a=,"], ["", "x"][1:], ["\udce9=é"]):
        text = ",".join(f"{name}={k + 0.5}" for k, name in enumerate(names))
        assert list(_weights(text)) == [(name, k + 0.5) for k, name in enumerate(names)]


def test_other_threads_run_while_a_model_is_looked_through(parity, tmp_path):
    X, y = parity
    header, sections = take_apart(model_of(SporfClassifier(3, random_state=0).fit(X, y)))
    for number in (2, 5):
        sections.pop(number, None)
    header = header[:40] + struct.pack("<Q", 100_000_000) + header[48:]
    (tmp_path / "model").write_bytes(put_together(header, sections))
    turns, done = 0, threading.Event()

    def work():
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    began = time.monotonic()
    try:
        sporf.load(tmp_path / "model")
    except ValueError:
        pass
    finally:
        seconds = time.monotonic() - began
        done.set()
        thread.join()
    assert turns > 20 * seconds


def test_forests_of_a_single_class_are_not_measured():
    """No training makes such a forest, but a file may hold one."""
    X, y = sporf.simulate("friedman1", 100, random_state=1)
    header, sections = take_apart(model_of(SporfRegressor(5, random_state=0).fit(X, y)))
    kept = {number: content for number, content in sections.items() if number < 21 and number != 6}
    kept[1] = strings([b"0"])
    forged = sporf._core.Forest.from_bytes(put_together(header, kept))
    data = sporf._core.Dataset.from_matrix(X)
    data.set_labels_int(np.zeros(len(X), dtype=np.int64))
    with pytest.raises(ValueError, match="only one class"):
        forged.permutation_importances(data, None, 1, 1)
    with pytest.raises(ValueError, match="only one class"):
        forged.strength(data, 1)


def test_damaged_models_are_refused(models, tmp_path):
    """Bytes changed at random: a checksum is wrong."""
    rng = random.Random(1)
    for model, X in models:
        for _ in range(60):
            damaged = bytearray(model)
            for _ in range(rng.randint(1, 4)):
                damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
            if rng.random() < 0.3:
                del damaged[rng.randrange(len(damaged)) :]
            assert not opened(bytes(damaged), tmp_path / "model", X)


def mutate(rng, content: bytes) -> bytes:
    """Other words, another length, or nothing."""
    data = bytearray(content)
    kind = rng.randrange(5)
    if kind == 0 or not data:
        return b""
    if kind == 1:
        return bytes(data[: rng.randrange(len(data))])
    if kind == 2:
        return bytes(data + data[: rng.randrange(1, 65)])
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(data)) // 4 * 4
        words = [0, 1, 0xFFFFFFFF, 0x7FC00000, 0x7F800000, rng.randrange(2**32)]
        data[place : place + 4] = struct.pack("<I", rng.choice(words))[: len(data) - place]
    return bytes(data)


def test_forged_models_are_refused_or_predict(models, tmp_path):
    """Sections changed at random, with checksums that are right."""
    rng = random.Random(2)
    for model, X in models:
        header, sections = take_apart(model)
        taken = 0
        for _ in range(150):
            forged = dict(sections)
            number = rng.choice(sorted(forged))
            if rng.random() < 0.2:
                del forged[number]
            else:
                forged[number] = mutate(rng, forged[number])
            taken += opened(put_together(header, forged), tmp_path / "model", X)
        assert 0 < taken < 150
