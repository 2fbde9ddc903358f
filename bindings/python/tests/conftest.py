"""What several tests share."""

import os
import subprocess

import numpy as np
import pytest

import sporf


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes seconds; run_slow.sh runs it")


@pytest.fixture(scope="session")
def command():
    """Runs the command line of the same build."""
    program = os.environ.get("SPORF")
    if not program:
        pytest.skip("SPORF does not name the command; run the tests with: make test")

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], check=True, capture_output=True)

    return run


@pytest.fixture(scope="session")
def parity():
    """300 rows x 20 features of sparse parity."""
    return sporf.simulate("sparse-parity", 300, random_state=1)


@pytest.fixture(scope="session")
def friedman():
    """300 rows x 10 features and a number."""
    return sporf.simulate("friedman1", 300, random_state=1)


@pytest.fixture(scope="session")
def customers():
    """A table of numbers, holes, strings and categories, and a column of labels."""
    import pandas as pd

    rng = np.random.default_rng(7)
    rows = 300
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, rows),
            "income": rng.normal(2500, 800, rows),
            "plan": rng.choice(["basic", "family", "plus"], rows),
            "town": pd.Categorical(rng.choice(["Bonn", "Lima", "Oslo", "Rome"], rows)),
        }
    )
    left = (frame.plan == "basic").astype(int) + (frame.income < 2000) + (frame.town == "Oslo")
    frame.loc[::11, "income"] = np.nan
    frame.loc[::13, "plan"] = None
    return frame, pd.Series(np.where(left > 1, "yes", "no"), name="left")


def model_of(estimator) -> bytes:
    """The bytes of a forest's model file."""
    return estimator._forest.to_bytes()
