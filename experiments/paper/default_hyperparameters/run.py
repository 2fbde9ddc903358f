"""Which (d, lambda) of SPORF does well without tuning (the paper's figure 6, whose published heat
map has the number of the fold on its lambda axis)."""

import numpy as np

import benchmark
import protocol
import stats
import style
import uci.run as uci
from context import Skipped

POWERS = ("p^1/4", "p^1/2", "p^3/4", "p", "p^2")
NONZEROS = (1, 2, 3, 4, 5)


def sets(mode) -> list[str]:
    """Those with the whole grid: five values of d that differ, five of lambda."""
    return [
        name
        for name in uci.sets(mode)
        if benchmark.features(name) >= 6
        and len(protocol.candidates("sporf", benchmark.features(name))) == len(POWERS)
    ]


def errors(name: str, lines: list[dict]) -> np.ndarray | None:
    """Test errors by fold, d and lambda; None where the grid is not finished."""
    ds = protocol.candidates("sporf", benchmark.features(name))
    found = np.full((benchmark.FOLDS, len(POWERS), len(NONZEROS)), np.nan)
    for line in lines:
        place = line["fold"] - 1, ds.index(line["d"]), NONZEROS.index(line["nonzeros"])
        found[place] = line["test_error"]
    return None if np.isnan(found).any() else found


def kappa(name: str, found: np.ndarray) -> np.ndarray:
    """The paper's kappa of each setting, averaged over the folds."""
    _, y = benchmark.table(name)
    folds = range(1, benchmark.FOLDS + 1)
    chance = [stats.chance_error_paper(y[benchmark.held_out(name, fold)]) for fold in folds]
    folds = [1 - found[i] / c for i, c in enumerate(chance) if c > 0]
    return np.mean(folds, axis=0)


def rank(found: np.ndarray) -> np.ndarray:
    """The rank of each setting in each fold, 1 for the least error, averaged over the folds."""
    flat = found.reshape(len(found), -1)
    return stats.ranks(flat).mean(axis=0).reshape(found.shape[1:])


def run(context) -> None:
    chosen = sets(context.mode)
    wanted = benchmark.units(context.mode, chosen, ["sporf"])
    lines = benchmark.lines(context, wanted)
    grids = {name: errors(name, [x for x in lines if x["set"] == name]) for name in chosen}
    grids = {name: found for name, found in grids.items() if found is not None}
    if not grids:
        raise Skipped("no set has its whole grid finished")
    ranks = np.median([rank(found) for found in grids.values()], axis=0)
    scores = 100 * np.mean([kappa(name, found) for name, found in grids.items()], axis=0)
    error = np.mean([found.mean(axis=0) for found in grids.values()], axis=0)
    context.table(
        [
            {"d": POWERS[i], "lambda_p": k, "sets": len(grids), "median_rank": float(ranks[i, j]),
             "mean_kappa_paper": float(scores[i, j]), "mean_error": float(error[i, j])}
            for i in range(len(POWERS))
            for j, k in enumerate(NONZEROS)
        ]
    )  # fmt: skip
    draw(context, ranks, scores, len(grids))


def draw(context, ranks, scores, count: int) -> None:
    figure, axes = style.panels(
        f"Median rank of 25 settings, {count} sets", "Mean kappa (the paper's), in %"
    )
    for axis, values, colours in zip(axes, (ranks, scores), ("viridis", "viridis_r"), strict=True):
        style.heat_map(axis, values, colours, "{:.1f}", origin="lower")
        axis.set_xticks(range(len(NONZEROS)), [f"{k}/p" for k in NONZEROS])
        axis.set_yticks(range(len(POWERS)), POWERS)
        axis.set(xlabel="lambda", ylabel="candidates d in a node")
    context.picture(figure)
