"""The authors' values: those of the figures as their stored results give them, read from
SPORF_DATA, and a few that are quoted here from the same source."""

import csv
from functools import cache

from context import data_folder

ALGORITHMS = {"rf": "rf", "rerf": "sporf", "frc": "frc", "ccf": "ccf", "rr-rf": "rr-rf"}
PROBLEMS = {
    "sparse-parity": "fig_error_vs_n_sparse_parity.csv",
    "orthant": "fig_error_vs_n_orthant.csv",
    "trunk": "fig_trunk.csv",
}

# Depth log2(n), d = 2, lambda = 1/2; error by n.
CONSISTENCY = {
    "sporf": {100: 0.245, 1000: 0.078, 5000: 0.036, 10000: 0.022},
    "rf": {100: 0.231, 1000: 0.165, 5000: 0.178, 10000: 0.171},
}
# Error by lambda p of SPORF and by L of F-RC, d by out-of-bag error.
LAMBDA = {
    "sparse-parity": {
        "sporf": {1: 0.0018, 2: 0.0018, 3: 0.0016, 4: 0.0023, 5: 0.0151},
        "frc": {2: 0.0154, 3: 0.0286, 4: 0.0554, 5: 0.0815},
    },
    "orthant": {
        "sporf": {1: 0.048, 2: 0.062, 3: 0.162, 4: 0.308, 5: 0.402},
        "frc": {2: 0.104, 3: 0.252, 4: 0.360, 5: 0.388},
    },
}
# Error by d on sparse parity, n = 5,000, lambda = 2/p.
ERROR_BY_D = {
    "sporf": {3: 0.318, 5: 0.266, 10: 0.178, 20: 0.071, 400: 0.0018},
    "rf": {3: 0.333, 5: 0.286, 10: 0.209, 20: 0.160},
}


@cache
def rows(name: str) -> tuple[dict, ...]:
    """The lines of a file of the authors' values; none where the data are missing."""
    path = data_folder() / "figures" / name
    if not path.exists():
        return ()
    with open(path, newline="") as file:
        return tuple(csv.DictReader(file))


def simulated(problem: str, column: str = "err") -> dict[tuple, float]:
    """A column of a simulation, by (method, p, n)."""
    return {
        (ALGORITHMS[row["alg"]], int(row["p"]), int(row["n"])): float(row[column])
        for row in rows(PROBLEMS[problem])
        if row["alg"] in ALGORITHMS and row[column] != "NA"
    }


UCI_ALGORITHMS = {
    "RF": "rf",
    "SPORF": "sporf",
    "F-RC": "frc",
    "RR-RF": "rr-rf",
    "CCF(naive one-hot; used in paper)": "ccf",
    "XGBoost": "xgboost",
}


@cache
def uci_errors() -> dict[tuple, float]:
    """Mean error over the five folds, by (set, method)."""
    folds: dict[tuple, list[float]] = {}
    for row in rows("uci_errors_by_fold.csv"):
        method = UCI_ALGORITHMS.get(row["algorithm"])
        if method:
            folds.setdefault((row["dataset"], method), []).append(float(row["test_error"]))
    return {key: sum(errors) / len(errors) for key, errors in folds.items()}


@cache
def bias_variance() -> dict[tuple, dict]:
    """By (method, n)."""
    found = {}
    for row in rows("fig_bias_variance_sparse_parity.csv"):
        found[ALGORITHMS[row["alg"]], int(row["n"])] = {
            "bias": float(row["bias"]),
            "variance": float(row["var"]),
            "variance_effect": float(row["VE"]),
            "error": float(row["SE"]) + float(row["VE"]),
        }
    return found


SYSTEMS = {"RerF": "sporf", "XGBoost": "xgboost"}


@cache
def training_times() -> dict[tuple, float]:
    """Seconds for a tree, by (data, method, cores)."""
    return {
        (row["dataset"].lower(), SYSTEMS[row["Line_Type"]], int(row["Cores_Used"])): float(
            row["Time_Sec"]
        )
        for row in rows("fig_training_time_scaling.csv")
        if row["fig"].startswith("per_tree") and row["Line_Type"] in SYSTEMS
    }


TEST_ROWS = {"Higgs": 50000, "MNIST": 10000}
PREDICTORS = {"RerF": "sporf rows", "XGBoost": "xgboost rows", "FP": "Forest\nPacking",
              "Ranger": "Ranger"}  # fmt: skip


@cache
def prediction_times() -> dict[tuple, float]:
    """Microseconds for a row, by (data, system); the median of ten."""
    seconds: dict[tuple, list[float]] = {}
    for row in rows("fig_prediction_times.csv"):
        if row["dataset"] in TEST_ROWS:
            key = row["dataset"], PREDICTORS[row["system"]]
            seconds.setdefault(key, []).append(float(row["seconds"]))
    return {
        (data.lower(), system): 1e6 * sorted(times)[len(times) // 2] / TEST_ROWS[data]
        for (data, system), times in seconds.items()
    }
