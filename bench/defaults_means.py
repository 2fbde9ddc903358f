"""Means, time ratios and ranks of the fits without options.

A line is a fit, as defaults.py writes it. Times are processor seconds of the training, which other work on the
machine disturbs least. Splits of a table are averaged first, those that all its learners have.
"""

import math

import crossval

LEARNERS = ("sporf", "random-forest", "extra-trees", "lightgbm", "xgboost", "catboost")
MEASURES = ("cpu_seconds", "seconds", "search_seconds", "error", "log_loss", "raw_error", "raw_log_loss",
            "one_minus_r2")


def averaged(rows):
    """{(kind, table): {learner: means over splits}} of the fits that came to an end."""
    groups = {}
    for row in rows:
        if "failure" not in row:
            groups.setdefault((row["kind"], row["table"]), {}).setdefault(row["learner"], []).append(row)
    return {where: means_of_learners(by_learner) for where, by_learner in sorted(groups.items())}


def means_of_learners(by_learner):
    """Over the splits that all have; if there is none, over each learner's own."""
    shared = set.intersection(*({row["split"] for row in some} for some in by_learner.values()))
    return {learner: means([row for row in some if row["split"] in shared or not shared])
            for learner, some in by_learner.items()}


def means(some):
    keys = [key for key in MEASURES if all(key in row for row in some)]
    return {**some[0], **{key: crossval.mean([row[key] for row in some]) for key in keys}}


def of_kind(tables, kind):
    return {name: by_learner for (one, name), by_learner in tables.items() if one == kind}


def geometric_mean(values):
    return math.exp(crossval.mean([math.log(value) for value in values]))


def time_ratios(tables):
    """Our processor time over that of scikit-learn's forest, by table."""
    return {name: some["sporf"]["cpu_seconds"] / some["random-forest"]["cpu_seconds"]
            for (kind, name), some in tables.items() if "sporf" in some and "random-forest" in some}


def common(tables, score, learners):
    """The learners that have a score on most tables, and the tables where all of these have it."""
    counts = {learner: sum(score in some.get(learner, {}) for some in tables.values()) for learner in learners}
    chosen = [learner for learner in learners if counts[learner] and 2 * counts[learner] > max(counts.values())]
    return chosen, {name: some for name, some in tables.items()
                    if all(score in some.get(learner, {}) for learner in chosen)}


def ranks(values):
    """From 1, the least first; equal values share the mean of their ranks."""
    return [(sum(other < value for other in values) + sum(other <= value for other in values) + 1) / 2
            for value in values]


def standings(tables, score, learners=LEARNERS):
    """Mean score and mean rank of each learner over the tables that all have."""
    chosen, shared = common(tables, score, learners)
    if not shared:
        return {}
    columns = [[some[learner][score] for learner in chosen] for some in shared.values()]
    ranked = [ranks(column) for column in columns]
    return {learner: {"tables": len(shared), "mean": crossval.mean([column[i] for column in columns]),
                      "rank": crossval.mean([column[i] for column in ranked])} for i, learner in enumerate(chosen)}


def paired(rows, baseline, kind):
    """{table: (ours, ours of the baseline)} over the splits that both have with as many trees."""
    def ours(lines):
        return {(line["table"], line["split"], line["trees"]): line for line in lines
                if line["learner"] == "sporf" and line["kind"] == kind and "failure" not in line}

    now, before = ours(rows), ours(baseline)
    both = [averaged([lines[key] for key in now if key in before]) for lines in (now, before)]
    return {name: (both[0][kind, name]["sporf"], both[1][kind, name]["sporf"]) for _, name in both[0]}
