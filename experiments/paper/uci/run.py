"""All methods on the UCI sets: the table, effect sizes against random forests, ranks and tests (the
paper's figure 5 and its table)."""

import numpy as np

import authors
import benchmark
import stats
import style
from methods import FORESTS, NAMES

SHOWN = benchmark.ALL_METHODS
LARGEST_EFFECT = 0.1
GROUPS = {
    "numeric": lambda row: not row["categories"],
    "with categories": lambda row: row["categories"],
    "all": lambda row: True,
}


def small_sets() -> list[str]:
    """Those that cost little, but for the smallest: with ten rows a single one moves the mean error
    of all sets by more than methods differ."""
    return [
        name
        for name in benchmark.names()
        if benchmark.size(name) <= 60_000 and len(benchmark.table(name)[0]) >= 100
    ]


def sets(mode) -> list[str]:
    small = small_sets()
    wide = [name for name in small if benchmark.features(name) >= 6]
    return mode.pick(smoke=[small[0], wide[0]], quick=small, full=list(benchmark.names()))


def units(mode) -> list[dict]:
    """Where trees are saved, XGBoost joins on the smaller sets alone."""
    forests = benchmark.units(mode, sets(mode), FORESTS)
    boosted = small_sets() if mode.thrifty else sets(mode)
    return forests + benchmark.units(mode, boosted, ["xgboost"])


def kappas_paper(name: str, lines: list[dict]) -> list[float]:
    """The paper's kappa of each fold that has one."""
    _, y = benchmark.table(name)
    chances = [
        stats.chance_error_paper(y[benchmark.held_out(name, line["fold"])]) for line in lines
    ]
    return [
        stats.kappa_paper(line["test_error"], chance)
        for line, chance in zip(lines, chances, strict=True)
        if chance > 0
    ]


def row_of(name: str, chosen: dict) -> dict:
    """A data set: its shape, and for each method error, both kappas and the authors' error."""
    X, y = benchmark.table(name)
    row = {"set": name, "n": len(y), "p": X.shape[1], "classes": len(np.unique(y)),
           "categories": benchmark.has_categories(name)}  # fmt: skip
    for method in SHOWN:
        lines = chosen.get((name, method), [])
        whole = bool(lines) and all("kappa" in line for line in lines)
        row |= {
            f"{method} error": errors(lines)[0],
            f"{method} error se": errors(lines)[1],
            f"{method} kappa": stats.mean([line["kappa"] for line in lines]) if whole else None,
            f"{method} kappa_paper": stats.mean(kappas_paper(name, lines)) if lines else None,
            f"{method} authors": authors.uci_errors().get((name, method)),
        }
    return row


def without_authors(row: dict) -> dict:
    """The table of all sets is ours alone; the authors' stands in their paper."""
    return {name: value for name, value in row.items() if not name.endswith("authors")}


def errors(lines: list[dict]) -> tuple:
    values = [line["test_error"] for line in lines]
    return (stats.mean(values), stats.standard_error(values)) if values else (None, None)


def compared(rows: list[dict], methods) -> list[dict]:
    """The sets on which all of these methods are finished."""
    return [row for row in rows if all(row[f"{m} error"] is not None for m in methods)]


def known(rows: list[dict], methods) -> list[dict]:
    """The sets for which the authors have a value of each of these methods; all where they have
    none, as where their values are not there."""
    found = [row for row in rows if all(row[f"{m} authors"] is not None for m in methods)]
    return found or rows


def summary(rows: list[dict]) -> list[dict]:
    """For each group of sets and each method: means, ranks, and tests against SPORF and RF, over
    the sets that the authors have as well."""
    table = []
    for methods in (FORESTS, SHOWN):
        these = known(compared(rows, methods), methods)
        for group, belongs in GROUPS.items():
            members = [row for row in these if belongs(row)]
            if members:
                table += summary_of(group, members, methods)
    return table


def summary_of(group: str, rows: list[dict], methods) -> list[dict]:
    error = np.array([[row[f"{m} error"] for m in methods] for row in rows])
    theirs = np.array([[row[f"{m} authors"] for m in methods] for row in rows], dtype=float)
    place, their_place = (stats.ranks(errors).mean(axis=0) for errors in (error, theirs))
    sporf, rf = error[:, methods.index("sporf")], error[:, methods.index("rf")]
    return [
        {"methods": len(methods), "group": group, "sets": len(rows), "method": method,
         "error": float(error[:, i].mean()), "authors": float(theirs[:, i].mean()),
         "difference": float((error - theirs)[:, i].mean()),
         "kappa_paper": stats.mean([row[f"{method} kappa_paper"] for row in rows]),
         "kappa": mean_or_none([row[f"{method} kappa"] for row in rows]),
         "rank": float(place[i]), "authors_rank": float(their_place[i]),
         "p_sporf_better": stats.wilcoxon(sporf, error[:, i]) if method != "sporf" else None,
         "p_better_than_rf": stats.wilcoxon(error[:, i], rf) if method != "rf" else None,
         "sporf_wins_ties_losses": "/".join(map(str, stats.wins(sporf, error[:, i])))}
        for i, method in enumerate(methods)
    ]  # fmt: skip


def mean_or_none(values):
    return stats.mean(values) if all(value is not None for value in values) else None


def run(context) -> None:
    wanted = units(context.mode)
    chosen = benchmark.tuned(context, wanted)
    rows = [row_of(name, chosen) for name in sets(context.mode)]
    rows = [row for row in rows if any(row[f"{method} error"] is not None for method in SHOWN)]
    context.table([without_authors(row) for row in rows], "sets")
    context.table(summary(rows))
    draw(context, rows)


def draw(context, rows: list[dict]) -> None:
    figure, axes = style.panels(
        *[f"Effect size, {group}" for group in GROUPS], *[f"Ranks, {group}" for group in GROUPS],
        rows=2, height=2.8, width=3.6,
    )  # fmt: skip
    for i, (_, belongs) in enumerate(GROUPS.items()):
        members = [row for row in rows if belongs(row)]
        beeswarm(axes[i], members)
        rank_shares(axes[i + len(GROUPS)], members)
    context.picture(figure)


def beeswarm(axis, rows: list[dict]) -> None:
    """The kappa of RF less that of each other method: below 0, RF is worse. Triangles at the edge
    stand for what lies beyond it."""
    others = [method for method in SHOWN if method != "rf" and compared(rows, ("rf", method))]
    for place, method in enumerate(others):
        both = compared(rows, ("rf", method))
        effect = [row["rf kappa_paper"] - row[f"{method} kappa_paper"] for row in both]
        style.swarm(axis, place, effect, method, LARGEST_EFFECT)
        if effect:
            axis.plot(place, np.clip(np.mean(effect), *axis.get_ylim()), "kx", markersize=7)
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set_xticks(range(len(others)), [NAMES[method] for method in others], fontsize=8)
    axis.set(ylabel="kappa of RF minus kappa of the method", ylim=(-0.105, 0.105))


def rank_shares(axis, rows: list[dict]) -> None:
    """How often each method has each place, and the p-value of SPORF being better than it."""
    rows = compared(rows, FORESTS)
    if not rows:
        return
    methods = SHOWN if compared(rows, SHOWN) == rows else FORESTS
    error = np.array([[row[f"{m} error"] for m in methods] for row in rows])
    style.heat_map(axis, stats.place_shares(error), "Blues", "{:.0%}", vmin=0, vmax=0.6)
    sporf = error[:, methods.index("sporf")]
    labels = [
        NAMES[m] + ("" if m == "sporf" else f"\np = {stats.wilcoxon(sporf, error[:, i]):.2g}")
        for i, m in enumerate(methods)
    ]
    axis.set_xticks(range(len(methods)), labels, fontsize=6.5)
    axis.set_yticks(range(len(methods)), range(1, len(methods) + 1))
    axis.set(ylabel="rank by error")
