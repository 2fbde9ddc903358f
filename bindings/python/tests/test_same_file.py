"""A forest trained in Python is the command's, byte for byte."""

import numpy as np
import pytest
from conftest import model_of

from sporf import Patches, SporfClassifier, SporfRegressor, load, simulate

CLASSIFIERS = [
    ({}, []),
    ({"projection": "rf", "max_features": "sqrt"}, ["--method", "rf", "--projections", "sqrt"]),
    ({"projection": "frc", "feature_combinations": 2}, ["--method", "frc", "--density", "2/p"]),
    ({"projection": "rr-rf"}, ["--method", "rr-rf"]),
    ({"projection": "ccf"}, ["--method", "ccf"]),
    (
        {"projection": Patches(image_width=5, max_size=3)},
        ["--method", "patch", "--image-width", "5", "--patch-max", "3"],
    ),
    ({"max_features": "2p", "scale": "sd"}, ["--projections", "2p", "--scale", "sd"]),
    ({"criterion": "log_loss", "max_depth": 5}, ["--criterion", "entropy", "--max-depth", "5"]),
    ({"min_samples_leaf": 3, "min_samples_split": 8}, ["--min-leaf", "3", "--min-split", "8"]),
    (
        {"min_weight_fraction_leaf": 0.05, "class_weight": {1: 3}},
        ["--min-leaf-weight", "0.05", "--class-weights", "1=3"],
    ),
    ({"bootstrap": False, "splitter": "exact"}, ["--bag", "none", "--split", "exact"]),
    ({"bootstrap": "stratified"}, ["--bag", "stratified"]),
    (
        {"bootstrap": "subsample", "max_samples": 0.5},
        ["--bag", "subsample", "--bag-fraction", "0.5"],
    ),
    ({"class_weight": {1: 2.5}}, ["--class-weights", "1=2.5"]),
    ({"honest": True}, ["--honest", "0.5"]),
    (
        {"nonzeros": "poisson", "projection_weights": "normal"},
        ["--nonzeros", "poisson", "--weights", "normal"],
    ),
]


@pytest.mark.parametrize("parameters, options", CLASSIFIERS)
def test_classifiers_are_the_commands(command, tmp_path, parity, parameters, options):
    X, y = parity
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    command(
        "train", "--data", tmp_path / "X.npy", "--label-file", tmp_path / "y.npy",
        "--model", tmp_path / "model", "--trees", "20", "--seed", "3", *options,
    )  # fmt: skip
    forest = SporfClassifier(20, random_state=3, n_jobs=2, **parameters)
    if "bootstrap" not in parameters:
        forest.set_params(bootstrap="auto")
    assert model_of(forest.fit(X, y)) == (tmp_path / "model").read_bytes()


def test_names_and_holes_of_a_csv_file_come_out_the_same(command, tmp_path, customers):
    frame, left = customers
    frame.assign(left=left).to_csv(tmp_path / "customers.csv", index=False)
    command(
        "train", "--data", tmp_path / "customers.csv", "--label", "left",
        "--model", tmp_path / "model", "--trees", "20", "--seed", "3",
    )  # fmt: skip
    forest = SporfClassifier(20, random_state=3).fit(frame, left)
    assert model_of(forest) == (tmp_path / "model").read_bytes()


def test_weights_come_out_the_same(command, tmp_path, customers):
    import pandas as pd

    frame, left = customers
    numbers = frame[["age", "income"]]
    weights = pd.Series(np.arange(len(frame)) % 4 + 0.5, name="weight")
    pd.concat([numbers, weights, left], axis=1).to_csv(tmp_path / "data.csv", index=False)
    command(
        "train", "--data", tmp_path / "data.csv", "--label", "left", "--weight", "weight",
        "--model", tmp_path / "model", "--trees", "20", "--seed", "3",
    )  # fmt: skip
    forest = SporfClassifier(20, random_state=3).fit(numbers, left, sample_weight=weights)
    assert model_of(forest) == (tmp_path / "model").read_bytes()


def test_regressors_are_the_commands(command, tmp_path, friedman):
    import pandas as pd

    X, y = friedman
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    target = pd.Series(y.astype(np.float32), name="y")
    frame.assign(y=target).to_csv(tmp_path / "data.csv", index=False)
    for options, parameters in (([], {}), (["--samples", "drop"], {"keep_samples": False})):
        command(
            "train", "--data", tmp_path / "data.csv", "--target", "y",
            "--model", tmp_path / "model", "--trees", "20", "--seed", "3", *options,
        )  # fmt: skip
        forest = SporfRegressor(20, random_state=3, **parameters).fit(frame, target)
        assert model_of(forest) == (tmp_path / "model").read_bytes()


def test_simulations_are_the_commands(command, tmp_path):
    for problem in ("sparse-parity", "orthant", "trunk", "friedman1"):
        path = tmp_path / f"{problem}.csv"
        command("simulate", problem, "--rows", 50, "--seed", 9, "--output", path)
        table = np.loadtxt(path, delimiter=",", skiprows=1, dtype=np.float32)
        X, y = simulate(problem, 50, random_state=9)
        np.testing.assert_array_equal(X, table[:, :-1])
        np.testing.assert_array_equal(y.astype(np.float32), table[:, -1])


def test_the_command_reads_what_python_saves_and_predicts_the_same(command, tmp_path, parity):
    X, y = parity
    np.save(tmp_path / "X.npy", X)
    forest = SporfClassifier(20, random_state=3).fit(X, y)
    forest.save(tmp_path / "model")
    answer = command(
        "predict", "--model", tmp_path / "model", "--data", tmp_path / "X.npy", "--proba",
        "--combine", "posteriors",
    ).stdout.decode()  # fmt: skip
    lines = [line.split(",") for line in answer.strip().splitlines()[1:]]
    assert [int(line[0]) for line in lines] == forest.predict(X).tolist()
    shares = np.array([line[1:] for line in lines], dtype=float)
    np.testing.assert_allclose(shares, forest.predict_proba(X), atol=1e-6)


def test_a_model_of_the_command_can_be_loaded_and_trained_again(command, tmp_path, parity):
    X, y = parity
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    command(
        "train", "--data", tmp_path / "X.npy", "--label-file", tmp_path / "y.npy",
        "--model", tmp_path / "model", "--trees", "15", "--projections", "p^0.7",
        "--density", "2/p", "--bag", "subsample", "--class-weights", "0=2", "--seed", "5",
    )  # fmt: skip
    forest = load(tmp_path / "model")
    assert isinstance(forest, SporfClassifier)
    assert forest.classes_.tolist() == [0, 1]
    assert forest.n_trees_ == 15
    again = SporfClassifier(**forest.get_params()).fit(X, y)
    assert model_of(again) == (tmp_path / "model").read_bytes()
