"""Threads, processes, Ctrl-C and what is printed."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import model_of

from sporf import SporfClassifier, simulate

LONG = """
import os, signal, sys, threading, time
from sporf import SporfClassifier, simulate
X, y = simulate("sparse-parity", 20000, random_state=1)
pressed = []
def press():
    time.sleep(1.0)
    pressed.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press, daemon=True).start()
forest = SporfClassifier(5000, max_features={candidates}, random_state=1{more})
try:
    forest.fit(X, y)
except KeyboardInterrupt:
    late = time.monotonic() - pressed[0]
    print("stopped", late < 1, forest.__sklearn_is_fitted__() and 0 < forest.n_trees_ < 5000)
    print(forest.predict(X[:5]).shape)
"""


@pytest.mark.parametrize("more", ["", ", n_jobs=2", ", verbose=1"])
def test_ctrl_c_stops_within_a_second_and_keeps_the_finished_trees(more):
    answer = subprocess.run(
        [sys.executable, "-c", LONG.format(candidates="'p'", more=more)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert answer.stdout.splitlines() == ["stopped True True", "(5,)"], answer.stderr


def test_ctrl_c_before_the_first_tree_leaves_an_unfitted_forest():
    program = LONG.replace("20000", "200000").replace("0 < forest.n_trees_ < 5000", "None")
    program = program.replace("print(forest.predict(X[:5]).shape)", "")
    answer = subprocess.run(
        [sys.executable, "-c", program.format(candidates="'50p'", more="")],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert answer.stdout.split() == ["stopped", "True", "False"], answer.stderr


def test_nothing_is_printed_unless_asked_for(parity, capfd):
    SporfClassifier(20).fit(*parity)
    assert capfd.readouterr() == ("", "")
    SporfClassifier(20, verbose=1).fit(*parity)
    out, err = capfd.readouterr()
    assert out == ""
    assert "sporf" in err


def test_progress_needs_no_tqdm(parity, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    SporfClassifier(200, verbose=1).fit(*parity)
    out, err = capfd.readouterr()
    assert out == ""
    assert "200 of 200 trees" in err


def test_choosing_settings_is_a_step_of_its_own(parity, capfd, monkeypatch):
    SporfClassifier(60, verbose=1).fit(*parity)
    assert "choosing settings: 100%" in capfd.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    SporfClassifier(60, verbose=1).fit(*parity)
    err = capfd.readouterr().err
    assert err.index("choosing settings") < err.index("60 of 60 trees")
    SporfClassifier(60, verbose=1, effort="low").fit(*parity)
    assert "choosing" not in capfd.readouterr().err


def test_progress_counts_the_trees_that_are_added(parity, capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    forest = SporfClassifier(50, warm_start=True).fit(*parity)
    forest.set_params(n_estimators=150, verbose=1).fit(*parity)
    assert "100 of 100 trees" in capfd.readouterr().err


def test_other_threads_run_while_a_forest_grows():
    X, y = simulate("sparse-parity", 5000, random_state=1)
    done = threading.Event()
    turns = 0

    def work():
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    began = time.monotonic()
    SporfClassifier(100, random_state=1).fit(X, y)
    seconds = time.monotonic() - began
    done.set()
    thread.join()
    assert turns > 20 * seconds


def test_many_threads_fit_and_predict_at_once(parity):
    X, y = parity
    forest = SporfClassifier(20, random_state=0).fit(X, y)
    expected = forest.predict_proba(X)
    with ThreadPoolExecutor(8) as pool:
        for result in pool.map(lambda _: forest.predict_proba(X), range(50)):
            np.testing.assert_array_equal(result, expected)
        for other in pool.map(lambda _: SporfClassifier(20, random_state=0).fit(X, y), range(16)):
            assert model_of(other) == model_of(forest)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forests_grow_and_predict_after_a_fork(parity):
    X, y = parity
    forest = SporfClassifier(20, random_state=0, n_jobs=2).fit(X, y)
    expected = forest.predict(X)
    child = os.fork()
    if child == 0:
        same = np.array_equal(forest.predict(X), expected)
        again = SporfClassifier(20, random_state=0, n_jobs=2).fit(X, y)
        os._exit(0 if same and model_of(again) == model_of(forest) else 1)
    for _ in range(600):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0
