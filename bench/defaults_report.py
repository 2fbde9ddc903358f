"""The fits without options as a page: times, scores, means and ranks, and which bars are cleared."""

import crossval
import report
from defaults_means import averaged, of_kind, paired, standings, time_ratios

NAMES = {"sporf": "sporf", "random-forest": "scikit-learn RF", "extra-trees": "ExtraTrees", "lightgbm": "LightGBM",
         "xgboost": "XGBoost", "catboost": "CatBoost"}
SCORES = ("class", "error", "error"), ("class", "log_loss", "log loss"), ("number", "one_minus_r2", "1 - R2")
KINDS = {"class": "error on classes", "number": "1 - R2 on numbers", "uci": "error on the UCI sets"}


def short(line):
    """A fit in a line, while the run goes on."""
    if "failure" in line:
        return f"{line['table']:52s} {line['learner']:14s} {line['failure']}"
    scores = "  ".join(f"{name} {line[name]:.4f}" for name in ("error", "log_loss", "one_minus_r2") if name in line)
    return f"{line['table']:52s} {line['learner']:14s} {line['cpu_seconds']:8.2f} s  {scores}"


def cell(some, learner, key, form=".4f"):
    return f"{some[learner][key]:{form}}" if key in some.get(learner, {}) else "-"


def settings_of(ours):
    """d, density, smallest leaf and scale."""
    return ", ".join(ours.get("settings", {}).values())


def times_table(tables):
    ratios, lines = time_ratios(tables), []
    for (kind, name), some in tables.items():
        if kind != "uci":
            sizes = next(iter(some.values()))
            lines.append([name, f"{sizes['rows']:,} x {sizes['features']}",
                          *(cell(some, learner, "cpu_seconds", ".2f") for learner in NAMES),
                          cell(some, "sporf", "search_seconds", ".2f"),
                          f"{ratios[name]:.2f}" if name in ratios else "-", settings_of(some.get("sporf", {}))])
    return report.markdown(("table", "trained on", *NAMES.values(), "search", "x RF", "settings"), lines)


def scores_table(tables, score):
    lines = [[name, *(cell(some, learner, score) for learner in NAMES)] for name, some in tables.items()]
    return report.markdown(("table", *NAMES.values()), lines)


def standings_table(tables):
    lines = []
    for kind, score, words in SCORES:
        stands = standings(of_kind(tables, kind), score)
        for measure in ("mean", "rank") if stands else ():
            count = next(iter(stands.values()))["tables"]
            title, form = (words, ".4f") if measure == "mean" else (f"{words}, mean rank", ".2f")
            lines.append([title, count, *(cell(stands, learner, measure, form) for learner in NAMES)])
    return report.markdown(("table", "tables", *NAMES.values()), lines)


def baseline_table(rows, baseline, kind, score, timed):
    """Ours beside the baseline: score and settings of both, and seconds if they are of the same machine."""
    lines = []
    for name, (ours, before) in paired(rows, baseline, kind).items():
        times = [f"{before['cpu_seconds']:.2f}", f"{ours['cpu_seconds']:.2f}",
                 f"{ours['cpu_seconds'] / before['cpu_seconds']:.2f}"] if timed else []
        lines.append([name, *times, *(f"{one[score]:.4f}" for one in (before, ours)),
                      f"{ours[score] - before[score]:+.4f}", settings_of(before), settings_of(ours)])
    titles = ("table", *(("s before", "s", "ratio") if timed else ()), "before", "now", "differ.", "settings",
              "settings now")
    return report.markdown(titles, lines) if lines else ""


def uci_table(tables):
    lines = [[name, some["sporf"]["trees"], f"{some['sporf']['cpu_seconds']:.2f}", f"{some['sporf']['error']:.4f}"]
             for name, some in tables.items()]
    errors = [some["sporf"]["error"] for some in tables.values()]
    return report.markdown(("table", "trees", "seconds", "error"),
                           [*lines, ["mean", "", "", f"{crossval.mean(errors):.5f}"]]) if lines else ""


def failures(rows):
    return "\n".join(f"- {row['table']}, {NAMES[row['learner']]}: {row['failure']}" for row in rows if "failure" in row)


def sections(rows, baseline, timed):
    """(title, table) of each part of the page; a part that was not run has no table."""
    tables = averaged(rows)
    classes, numbers = of_kind(tables, "class"), of_kind(tables, "number")
    if classes or numbers:
        yield "Processor seconds", times_table(tables)
        yield "Means and mean ranks over the tables that all these learners have", standings_table(tables)
    for some, (_, score, words) in zip((classes, classes, numbers), SCORES):
        yield words[0].upper() + words[1:], scores_table(some, score) if some else ""
    yield "UCI sets, mean of the paper's folds", uci_table(of_kind(tables, "uci"))
    for kind, score in ("class", "error"), ("number", "one_minus_r2"), ("uci", "error"):
        yield f"sporf beside the baseline: {KINDS[kind]}", baseline_table(rows, baseline, kind, score, timed)
    yield "Without a result", failures(rows)


def text(about, rows, baseline, verdicts, timed):
    note = ("Learners without options, one thread each; forests have the same number of trees. Seconds are processor "
            "seconds of the training; x RF is ours over scikit-learn's forest; settings are d, density, smallest leaf "
            "and scale, as sporf chose them. See bench/README.md.")
    parts = [f"## {title}\n\n{part}\n" for title, part in sections(rows, baseline, timed) if part]
    return "\n".join([f"# Learners without options, {about['date']}", "", report.machine_line(about), "", note, "",
                      *parts, "## Bars", "", report.verdict_list(verdicts)]).rstrip() + "\n"
