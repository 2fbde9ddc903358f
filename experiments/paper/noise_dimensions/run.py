"""The UCI sets with columns of Gaussian noise beside their own (the paper's figure 7)."""

import benchmark
import stats
import style
from uci.run import kappas_paper

METHODS = ("sporf", "rf", "xgboost", "rr-rf", "ccf")


def sets(mode) -> list[str]:
    every = benchmark.names()
    small = [name for name in every if len(benchmark.table(name)[0]) >= 100]
    return mode.pick(smoke=small[:1], quick=small[:5], full=list(every))


def dimensions(mode) -> list[int]:
    return mode.pick(smoke=[0, 3], quick=[0, 10, 100], full=[0, 10, 100, 1000])


def keep(mode):
    """Which settings are tuned over: all, or the larger d up to p, and one or three features."""
    if mode.pick(smoke=False, quick=False, full=True):
        return None
    return lambda grid, p: [x for x in grid if p**0.5 <= x["d"] <= p and x["nonzeros"] in (1, 3)]


def run(context) -> None:
    mode = context.mode
    chosen_sets, methods = sets(mode), METHODS
    wanted = {
        noise: benchmark.units(mode, chosen_sets, methods, noise, keep(mode))
        for noise in dimensions(mode)
    }
    rows = []
    for noise, units in wanted.items():
        chosen = benchmark.tuned(context, units)
        finished = [s for s in chosen_sets if all((s, method) in chosen for method in methods)]
        rows += [row_of(noise, method, finished, chosen) for method in methods if finished]
    context.table(rows)
    draw(context, rows)


def row_of(noise: int, method: str, finished: list[str], chosen: dict) -> dict:
    """Mean over the sets; the standard error is that of the mean over sets."""
    kappas = [stats.mean(kappas_paper(name, chosen[name, method])) for name in finished]
    errors = [
        stats.mean([line["test_error"] for line in chosen[name, method]]) for name in finished
    ]
    return {
        "noise": noise,
        "method": method,
        "sets": len(finished),
        "error": stats.mean(errors),
        "kappa_paper": stats.mean(kappas),
        "kappa_paper se": stats.standard_error(kappas),
    }


def draw(context, rows: list[dict]) -> None:
    count = rows[0]["sets"] if rows else 0
    figure, (axis,) = style.panels(f"{count} UCI sets with noise", width=4.6, height=3.4)
    for method in METHODS:
        mine = [row for row in rows if row["method"] == method]
        places = [dimensions(context.mode).index(row["noise"]) for row in mine]
        style.ours(axis, method, places, [row["kappa_paper"] for row in mine])
    axis.set_xticks(range(len(dimensions(context.mode))), dimensions(context.mode))
    axis.set(xlabel="columns of noise", ylabel="mean kappa (the paper's)")
    style.explain(axis, theirs=False)
    context.picture(figure)
