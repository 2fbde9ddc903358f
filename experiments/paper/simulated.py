"""Forests of all methods and settings on the simulated problems, which several figures share."""

from collections import Counter
from functools import partial

import protocol
from methods import NAMES
from seeds import seed_of
from sporf import simulate
from work import finish

STORE = "simulated.jsonl"
SEARCHED = {4e5: 100}  # trees beyond so many rows times candidates, where trees are saved


def sample(problem: str, n: int, p: int, *words):
    """Rows of a problem; those for other words are others."""
    return simulate(problem, n, p, random_state=seed_of(problem, p, *words))


def problem_rows(unit: dict, test_rows: int):
    """The training and the test rows of a trial: the same for all methods, never one sample."""
    problem, n, p, trial = unit["problem"], unit["n"], unit["p"], unit["trial"]
    return sample(problem, n, p, n, trial, "train"), sample(problem, test_rows, p, n, trial, "test")


def units(mode, problem: str, p: int, ns, methods) -> list[dict]:
    """One for each sample, method and setting of the paper's grid."""
    return [
        {"problem": problem, "p": p, "n": n, "trial": trial, "method": method, **setting,
         "trees": mode.trees_for(n * protocol.candidates(method, p)[-1], SEARCHED)}
        for trial in range(mode.trials)
        for n in ns
        for method in methods
        for setting in protocol.grid(method, p)
    ]  # fmt: skip


def do(test_rows: int, unit: dict) -> dict:
    """All settings have the seed of their sample, and with it its bags and folds."""
    train, test = problem_rows(unit, test_rows)
    seed = seed_of(*(unit[name] for name in ("problem", "p", "n", "trial")))
    return protocol.evaluate(train, test, seed, **protocol.settings(unit))


def cost(unit: dict) -> float:
    """About how long a unit takes, in units of its own."""
    folds = 4 * 5 if unit["method"] == "ccf" else 1
    return unit["trees"] * unit["n"] * (unit["d"] * folds + 20)


def lines(context, wanted: list[dict]) -> list[dict]:
    """Does what is missing of them, and returns the results."""
    store = context.store(STORE)
    task = partial(do, context.mode.test_rows)
    return finish(context, store, wanted, task, cost)


def best(wanted: list[dict], found: list[dict], *names: str) -> dict[tuple, list[dict]]:
    """For each combination of the names' values: the chosen line of each trial all of whose
    settings are finished."""

    def place(unit: dict) -> tuple:
        return tuple(unit[name] for name in names), unit["trial"]

    whole = Counter(map(place, wanted))
    trials: dict[tuple, list[dict]] = {}
    for line in found:
        trials.setdefault(place(line), []).append(line)
    chosen: dict[tuple, list[dict]] = {}
    for (key, trial), group in trials.items():
        if len(group) == whole[key, trial]:
            chosen.setdefault(key, []).append(protocol.choose(group, seed_of(*key, trial)))
    return chosen


def tuned(context, wanted: list[dict], *names: str) -> dict[tuple, list[dict]]:
    """As best, of what is done now; the chosen settings with all trees."""
    searched = best(wanted, lines(context, wanted), *names)
    return protocol.grown(context, searched, lambda unit: context.mode.trees, lines)


def method_order(method: str) -> int:
    return list(NAMES).index(method)
