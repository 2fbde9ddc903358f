"""The fits of boosting.py as a page: losses, ranks, wins, times, and which bars are cleared."""

import math

import crossval
import report
from defaults_means import averaged, ranks

OURS = "sporf boost"
NAMES = {OURS: "sporf boost", "catboost": "CatBoost", "lightgbm": "LightGBM", "xgboost": "XGBoost",
         "hist-gradient-boosting": "HistGradientBoosting", "random-forest": "scikit-learn RF",
         "extra-trees": "ExtraTrees", "sporf": "sporf train"}
TWIN = "sporf boost as LightGBM"  # single features, with LightGBM's rounds, rate, leaves and L2
TWINS = "lightgbm", TWIN
DIVERGES = "class-krkopt"  # LightGBM without L2 is worse there than equal shares of all classes
ALL = (*NAMES, TWIN)
HALVES = "choosing", "reporting"
MOST_TWIN_DIFFERENCE = 0.005
LEAST_WINS = {"catboost": 0.6, "lightgbm": 0.8, "xgboost": 0.8}
LEAST_FALL = {"lightgbm": 0.03, "xgboost": 0.05}  # of the log loss


def loss_of(row):
    return row["log_loss"] if "log_loss" in row else row["one_minus_r2"]


def losses(rows):
    """{(kind, table): {learner: mean loss over the splits}}, tables that all learners of the run have."""
    tables = averaged(rows)
    learners = {name for some in tables.values() for name in some if name in NAMES}
    return {where: {name: loss_of(some[name]) for name in NAMES if name in some}
            for where, some in tables.items() if learners <= set(some)}


def mean_ranks(tables):
    names = list(next(iter(tables.values())))
    columns = [ranks([some[name] for name in names]) for some in tables.values()]
    return {name: crossval.mean([column[i] for column in columns]) for i, name in enumerate(names)}


def share_of_wins(tables, peer):
    return crossval.mean([float(some[OURS] < some[peer]) for some in tables.values()])


def mean_log_ratio(tables, peer):
    """Of our loss to a peer's; a loss below 1e-4 counts as that, since nothing is left to gain."""
    return crossval.mean([math.log(max(some[OURS], 1e-4) / max(some[peer], 1e-4)) for some in tables.values()])


# ---- bars ----------------------------------------------------------------------------------------


def verdict(wanted, measured, met):
    return {"setting": "boosting", "learner": OURS, "threads": 1, "wanted": wanted, "measured": measured, "met": met}


def judge_rank(tables):
    ranked = mean_ranks(tables)
    best = min((name for name in ranked if name != OURS), key=ranked.get)
    return verdict("the best mean rank", f"{ranked[OURS]:.2f}; next {NAMES[best]} {ranked[best]:.2f}",
                   ranked[OURS] < ranked[best])


def judge_twin(rows):
    """How far the losses of both are apart, on average over all tables."""
    wanted = f"single features as LightGBM boosts them: mean loss within {MOST_TWIN_DIFFERENCE:.1%} of LightGBM's"
    both = [(max(loss_of(some[TWIN]), 1e-4), max(loss_of(some["lightgbm"]), 1e-4))
            for (_, name), some in averaged(rows).items() if set(TWINS) <= set(some) and name != DIVERGES]
    if not both:
        return verdict(wanted, "not run", None)
    ratios = [math.log(ours / theirs) for ours, theirs in both]
    mean, error = crossval.mean(ratios), crossval.standard_error(ratios)
    return verdict(wanted, f"{mean:+.1%} (s.e. {error:.1%}) over {len(both)} tables of both halves, without {DIVERGES}", abs(mean) <= MOST_TWIN_DIFFERENCE)


def judge_time(rows):
    tables = averaged(rows)
    ratios = {name: some[OURS]["cpu_seconds"] / some["catboost"]["cpu_seconds"]
              for (_, name), some in tables.items() if OURS in some and "catboost" in some}
    if not ratios:
        return verdict("time at most CatBoost's on every table", "not run", None)
    slowest = max(ratios, key=ratios.get)
    return verdict("time at most CatBoost's on every table", f"at most {ratios[slowest]:.2f}, {slowest}",
                   ratios[slowest] <= 1)


def of_half(half, rows):
    return [row for row in rows if row["half"] == half]


def judge(half, rows):
    reported = of_half(half, rows)
    tables = losses(reported)
    present = next(iter(tables.values()), {})
    if OURS not in present or len(present) < 2:
        return []
    classes = {where: some for where, some in tables.items() if where[0] == "class"}
    found = [judge_rank(tables)]
    for peer, least in LEAST_WINS.items():
        if peer in present:
            share = share_of_wins(tables, peer)
            found.append(verdict(f"at least {least:.0%} wins against {NAMES[peer]}", f"{share:.0%}", share >= least))
    for peer, least in LEAST_FALL.items():
        if peer in present and classes:
            fall = -mean_log_ratio(classes, peer)
            found.append(verdict(f"log loss at least {least:.0%} below {NAMES[peer]}'s on average",
                                 f"{1 - math.exp(-fall):.1%}", 1 - math.exp(-fall) >= least))
    return [*found, judge_time(reported), judge_twin(rows)]


# ---- the page ------------------------------------------------------------------------------------


def losses_table(rows):
    lines = []
    for (_, name), some in averaged(rows).items():
        sizes = next(iter(some.values()))
        best = min(loss_of(row) for row in some.values())
        lines.append([name, f"{sizes['rows']:,} x {sizes['features']}",
                      *((f"{loss_of(some[one]):.4f}" + ("*" if loss_of(some[one]) == best else "")) if one in some
                        else "-" for one in NAMES)])
    return report.markdown(("table", "trained on", *NAMES.values()), lines)


def times_table(rows):
    lines = [[name, *(f"{some[one]['cpu_seconds']:.2f}" if one in some else "-" for one in NAMES)]
             for (_, name), some in averaged(rows).items()]
    return report.markdown(("table", *NAMES.values()), lines)


def means_table(rows):
    tables = losses(rows)
    if not tables:
        return ""
    kinds = ("all", tables), *((kind, {where: some for where, some in tables.items() if where[0] == kind})
                               for kind in ("class", "number"))
    lines = []
    for kind, some in kinds:
        if not some:
            continue
        ranked = mean_ranks(some)
        lines.append([f"mean rank, {kind}", len(some), *(f"{ranked[one]:.2f}" if one in ranked else "-"
                                                         for one in NAMES)])
        if OURS in ranked:
            lines.append([f"our wins, {kind}", len(some), *(
                f"{share_of_wins(some, one):.0%}" if one in ranked and one != OURS else "-" for one in NAMES)])
            lines.append([f"our loss, {kind}", len(some), *(
                f"{math.exp(mean_log_ratio(some, one)) - 1:+.1%}" if one in ranked and one != OURS else "-"
                for one in NAMES)])
    return report.markdown(("table", "tables", *NAMES.values()), lines)


def verdicts_text(verdicts):
    words = {True: "met", False: "missed", None: "not run"}
    return "\n".join(f"- {one['wanted']}: {one['measured']}; {words[one['met']]}" for one in verdicts)


def text(about, half, rows, verdicts):
    rows = of_half(half, rows)
    splits = 1 + max(row["split"] for row in rows)
    failed = "\n".join(f"- {row['table']}, {row['learner']}: {row['failure']}" for row in rows
                       if "failure" in row)
    parts = [f"# Boosting without options, the {half} half of the tables, {splits} splits",
             ", ".join(f"{key} {value}" for key, value in about.items()), verdicts_text(verdicts),
             "## Ranks and wins", means_table(rows),
             "## Losses: log loss of classes, 1 - R2 of numbers; the least has a star", losses_table(rows),
             "## Processor seconds of the training", times_table(rows), failed and f"## Failures\n\n{failed}"]
    return "\n\n".join(part for part in parts if part) + "\n"
