"""Whether the bars of the learners without options are cleared."""

import crossval
from defaults_means import averaged, geometric_mean, of_kind, paired, standings, time_ratios

MOST_MEAN_RATIO, MOST_RATIO, MOST_ERROR_RISE = 0.5, 2.0, 0.0003
LEAST_LOG_LOSS_FALL = 0.1
MNIST_RATIO, MNIST_ERROR = 1.0, 0.0292 + 0.0005
NAMES = {"random-forest": "scikit-learn's forest", "extra-trees": "ExtraTrees"}


def verdict(wanted, measured, met):
    return {"setting": "defaults", "learner": "sporf", "threads": 1, "wanted": wanted, "measured": measured, "met": met}


def judge_times(tables):
    ratios = time_ratios(tables)
    mean_bar = f"time over scikit-learn's forest, geometric mean at most {MOST_MEAN_RATIO}"
    most_bar = f"time over scikit-learn's forest, no table above {MOST_RATIO}"
    if not ratios:
        return [verdict(bar, "not run", None) for bar in (mean_bar, most_bar)]
    mean, slowest = geometric_mean(ratios.values()), max(ratios, key=ratios.get)
    return [verdict(mean_bar, f"{mean:.3f} over {len(ratios)} tables", mean <= MOST_MEAN_RATIO),
            verdict(most_bar, f"{ratios[slowest]:.2f}, {slowest}", ratios[slowest] <= MOST_RATIO)]


def judge_rise(rows, baseline, kind, score, words):
    bar = f"{words}: mean at most {MOST_ERROR_RISE} above the baseline's"
    pairs = [(ours[score], before[score]) for ours, before in paired(rows, baseline, kind).values()]
    if not pairs:
        return verdict(bar, "not run", None)
    differences = [ours - before for ours, before in pairs]
    rise, error = crossval.mean(differences), crossval.standard_error(differences)
    ours, before = (crossval.mean([pair[i] for pair in pairs]) for i in (0, 1))
    return verdict(bar, f"{ours:.5f} against {before:.5f}, {rise:+.5f} (s.e. {error:.5f}) over {len(pairs)}",
                   rise <= MOST_ERROR_RISE)


def judge_numbers(stands, peer, measure, words):
    bar = f"number tables: {words} at most that of {NAMES[peer]}"
    if "sporf" not in stands or peer not in stands:
        return verdict(bar, "not run", None)
    ours, other = stands["sporf"][measure], stands[peer][measure]
    return verdict(bar, f"{ours:.4f} against {other:.4f} over {stands['sporf']['tables']}", ours <= other)


def judge_log_loss(tables):
    bar = f"mean log loss at least {LEAST_LOG_LOSS_FALL:.0%} below that of raw votes, with the same errors"
    ours = [some["sporf"] for some in of_kind(tables, "class").values() if "raw_log_loss" in some.get("sporf", {})]
    if not ours:
        return verdict(bar, "not run", None)
    said, raw = (crossval.mean([one[key] for one in ours]) for key in ("log_loss", "raw_log_loss"))
    same = all(one["error"] == one["raw_error"] for one in ours)
    return verdict(bar, f"{said:.4f} against {raw:.4f} over {len(ours)}, {'the same' if same else 'other'} errors",
                   same and said <= (1 - LEAST_LOG_LOSS_FALL) * raw)


def judge_mnist(tables):
    some = tables.get(("class", "mnist"), {})
    time_bar = f"MNIST, 100 trees: time at most {MNIST_RATIO} x scikit-learn's forest"
    error_bar = f"MNIST, 100 trees: error at most {MNIST_ERROR:.4f}"
    if "sporf" not in some or "random-forest" not in some or some["sporf"]["trees"] != 100:
        return [verdict(bar, "not run", None) for bar in (time_bar, error_bar)]
    ratio, error = time_ratios(tables)["mnist"], some["sporf"]["error"]
    return [verdict(time_bar, f"{ratio:.2f}", ratio <= MNIST_RATIO),
            verdict(error_bar, f"{error:.4f}", error <= MNIST_ERROR)]


def judge(rows, baseline):
    tables = averaged(rows)
    numbers = of_kind(tables, "number")
    both = standings(numbers, "one_minus_r2", ("sporf", "random-forest"))
    everyone = standings(numbers, "one_minus_r2")
    return [*judge_times(tables), judge_rise(rows, baseline, "class", "error", "error on classes"),
            judge_rise(rows, baseline, "number", "one_minus_r2", "1 - R2 on numbers"),
            judge_rise(rows, baseline, "uci", "error", "error on the UCI sets"),
            judge_numbers(both, "random-forest", "mean", "mean 1 - R2"),
            judge_numbers(everyone, "extra-trees", "rank", "mean rank"), judge_log_loss(tables), *judge_mnist(tables)]
