"""The paper's UCI sets: reading, the grid of all methods on each fold, and what tuning takes."""

import gzip
from functools import cache

import numpy as np

import boosting
import protocol
from context import data_folder, need
from methods import FORESTS, WITHOUT_BAG
from seeds import seed_of
from work import finish

FOLDS = 5
# Trees beyond so many rows times candidates, where trees are saved: of all settings that are
# compared, and of what is chosen.
SEARCHED = {8e4: 60, 1e6: 24}
GROWN = {4e5: 100}


@cache
def names() -> tuple[str, ...]:
    """All sets, the smallest first."""
    sets = [path.name.removesuffix(".csv.gz") for path in need("uci").glob("*.csv.gz")]
    return tuple(sorted(sets, key=lambda name: (size(name), name)))


@cache
def raw(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The features in their own units, and the class."""
    with gzip.open(need("uci") / f"{name}.csv.gz", "rt") as file:
        values = np.loadtxt(file, delimiter=",", ndmin=2)
    return values[:, :-1], values[:, -1].astype(int)


@cache
def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The features, each with mean 0 and standard deviation 1 over the whole set, and the class."""
    X, y = raw(name)
    spread = X.std(axis=0, ddof=1)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1), y


def size(name: str) -> int:
    """Rows times the largest number of candidates: about what a forest costs."""
    X, _ = table(name)
    return len(X) * protocol.candidates("sporf", X.shape[1])[-1]


def features(name: str) -> int:
    return table(name)[0].shape[1]


def has_categories(name: str) -> bool:
    return (data_folder() / "uci" / f"{name}.catmap").exists()


def held_out(name: str, fold: int) -> np.ndarray:
    """Which rows the given fold tests, from 0."""
    lines = (need("uci") / f"{name}.folds").read_text().splitlines()
    return np.array([int(word) - 1 for word in lines[fold - 1].split(",") if word.strip()])


def part(name: str, fold: int, noise: int = 0, scaled: bool = True):
    """The training and the test rows of a fold, with columns of Gaussian noise where wanted."""
    X, y = table(name) if scaled else raw(name)
    if noise:
        rng = np.random.default_rng(seed_of(name, noise))
        X = np.hstack([X, rng.standard_normal((len(X), noise))])
    test = np.zeros(len(X), dtype=bool)
    test[held_out(name, fold)] = True
    X = X.astype(np.float32)
    return (np.asfortranarray(X[~test]), y[~test]), (X[test], y[test])


def units(mode, sets, methods, noise: int = 0, keep=None) -> list[dict]:
    """One for each set, fold, method and setting; keep says which settings of a grid to take."""
    more = {"noise": noise} if noise else {}
    found = []
    for name in sets:
        p = features(name) + noise
        for method in methods:
            grid = boosting.grid(mode) if method == "xgboost" else protocol.grid(method, p)
            trees = {} if method == "xgboost" else {"trees": trees_to_search(mode, name, method, p)}
            found += [
                {"set": name, "fold": fold, "method": method, **setting, **trees, **more}
                for setting in (keep(grid, p) if keep and method != "xgboost" else grid)
                for fold in range(1, FOLDS + 1)
            ]
    return found


def trees_to_search(mode, name: str, method: str, p: int) -> int:
    """With how many trees the settings of a method are compared on a set."""
    folds = 25 if method in WITHOUT_BAG else 1
    largest = protocol.candidates(method, p)[-1] * folds
    return mode.trees_for(len(table(name)[0]) * largest, SEARCHED)


def do(unit: dict) -> dict:
    """All settings have the seed of their fold, and with it its bags and inner folds."""
    train, test = part(unit["set"], unit["fold"], unit.get("noise", 0))
    seed = seed_of(unit["set"], unit["fold"], unit.get("noise", 0))
    if unit["method"] == "xgboost":
        return boosting.evaluate(train, test, seed, unit)
    if len(np.unique(train[1])) < 2:
        return protocol.scores(test[1], np.full(len(test[1]), train[1][0])) | {"oob_error": 0}
    return protocol.evaluate(train, test, seed, **protocol.settings(unit))


def cost(unit: dict) -> float:
    """About how long a unit takes, in units of its own."""
    rows = len(table(unit["set"])[0])
    if unit["method"] == "xgboost":
        return rows * 5000.0 * boosting.FOLDS
    folds = 20 if unit["method"] in WITHOUT_BAG and unit.get("judged", True) else 1
    return rows * unit["trees"] * (unit["d"] * folds + 10)


def lines(context, wanted: list[dict]) -> list[dict]:
    """Does what is missing of them, and returns the results; those with noise have their own file,
    as a unit without it would be taken for one with it."""
    plain = [unit for unit in wanted if "noise" not in unit]
    noisy = [unit for unit in wanted if "noise" in unit]
    return [
        line
        for name, units in (("uci.jsonl", plain), ("noise_dimensions.jsonl", noisy))
        if units
        for line in finish(context, context.store(name), units, do, cost)
    ]


def chosen(wanted: list[dict], found: list[dict]) -> dict[tuple, list[dict]]:
    """For each set and method whose grid is finished: the chosen line of each fold."""
    count: dict[tuple, int] = {}
    for unit in wanted:
        count[key(unit)] = count.get(key(unit), 0) + 1
    groups: dict[tuple, list[dict]] = {}
    for line in found:
        groups.setdefault(key(line), []).append(line)
    return {
        name: [
            protocol.choose([line for line in group if line["fold"] == fold], seed_of(*name, fold))
            for fold in range(1, FOLDS + 1)
        ]
        for name, group in groups.items()
        if len(group) == count[name]
    }


def tuned(context, wanted: list[dict]) -> dict[tuple, list[dict]]:
    """Does what is missing; for each set and method that is finished: the chosen line of each fold,
    with all trees. Where trees are saved, a set is finished before the next is begun."""
    mode = context.mode

    def trees(line: dict) -> int:
        return mode.trees_for(len(table(line["set"])[0]) * line["d"], GROWN)

    answer = {}
    for units in by_set(wanted) if mode.thrifty else [wanted]:
        searched = chosen(units, lines(context, units))
        answer |= protocol.grown(context, searched, trees, lines)
    return answer


def by_set(units: list[dict]) -> list[list[dict]]:
    groups: dict[str, list[dict]] = {}
    for unit in units:
        groups.setdefault(unit["set"], []).append(unit)
    return list(groups.values())


def key(line: dict) -> tuple:
    return line["set"], line["method"]


ALL_METHODS = (*FORESTS, "xgboost")
