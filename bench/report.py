"""Rows and verdicts as a Markdown table, which is also what the terminal shows."""

import json

COLUMNS = ("setting", "rows", "features", "d", "density", "trees", "threads", "learner", "s/tree",
           "x sporf", "bar", "peak MB", "test error")
TEXT = {"setting", "learner", "bar", "table", "settings", "settings now"}


def learner_name(row):
    return f"{row['learner']} {row['version']}" if "version" in row else row["learner"]


def outcome(row):
    """Why there is no time, in a word or two; the list below the table says more."""
    kinds = {"left out": "left out", "missing": "missing", "no table": "no table",
             "took more": row["failure"]}
    return next((word for start, word in kinds.items() if row["failure"].startswith(start)), "failed")


def bar_text(row, verdicts):
    words = {True: "met", False: "missed", None: "not run"}
    return "; ".join(f"{v['wanted']}: {words[v['met']]}" for v in verdicts
                     if (v["setting"], v["learner"], v["threads"]) ==
                     (row["setting"], row["learner"], row["threads"]))


def cells(row, ours, verdicts):
    start = [row["setting"], f"{row['rows']:,}" if "rows" in row else "", row.get("features", ""),
             row["d"], f"{row['nonzeros']}/p", row["trees"], row["threads"], learner_name(row)]
    if "seconds_per_tree" not in row:
        return [*start, outcome(row), "", bar_text(row, verdicts), "", ""]
    ratio = f"{row['seconds_per_tree'] / ours['seconds_per_tree']:.2f}" if ours else ""
    return [*start, f"{row['seconds_per_tree']:.4g}", ratio, bar_text(row, verdicts),
            f"{row['peak_bytes'] / 1e6:.0f}", f"{row['error']:.4f}"]


def markdown(columns, rows):
    """A table of cells, each column as wide as its widest; numbers go to the right."""
    lines = [[str(cell) for cell in line] for line in (columns, *rows)]
    widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(columns))]
    rule = ["-" * width if name in TEXT else "-" * (width - 1) + ":"
            for name, width in zip(columns, widths)]

    def written(line):
        return "| " + " | ".join(cell.ljust(width) if name in TEXT else cell.rjust(width) for
                                 cell, width, name in zip(line, widths, columns)) + " |"

    return "\n".join([written(lines[0]), written(rule), *map(written, lines[1:])])


def table(rows, verdicts):
    lines = []
    for row in rows:
        ours = next((r for r in rows if r["setting"] == row["setting"] and r["learner"] == "sporf"
                     and r["threads"] == 1 and "seconds_per_tree" in r), None)
        lines.append(cells(row, ours, verdicts))
    return markdown(COLUMNS, lines)


def verdict_list(verdicts):
    titles = {False: "Bars missed", None: "Bars not run", True: "Bars met"}
    parts = []
    for met, title in titles.items():
        chosen = [v for v in verdicts if v["met"] is met]
        parts.append(f"{title}: {len(chosen)}")
        parts += [f"- {v['setting']}, {v['wanted']}: {v['measured']}" for v in chosen]
        parts.append("")
    return "\n".join(parts)


def reasons(rows):
    """Why rows have no time, those of a setting with the same reason together."""
    groups = {}
    for row in rows:
        if "failure" in row:
            groups.setdefault((row["setting"], row["failure"]), []).append(row["learner"])
    lines = [f"- {setting}, {', '.join(dict.fromkeys(names))}: {why}" for (setting, why), names in groups.items()]
    return "\n".join(["Without a time:", *lines, ""]) if lines else ""


def machine_line(about):
    return (f"{about['cpu']}, {about['cores']} cores, {about['memory_gb']} GB, "
            f"{about['kernel']}, {about['architecture']}; {about['compiler']}; commit "
            f"{about['commit']}; {about['date']}; load before the start {about['load_before']}")


def text(about, rows, verdicts):
    note = ("Medians of three fits or more, each in a process of its own. s/tree is training alone; "
            "x sporf is that of the learner over ours. XGBoost grows one tree for each class where "
            "there are more than two; its s/tree is for all of these. What each learner is given is "
            "told in bench/README.md.")
    return "\n".join([f"# Training time, {about['date']}", "", machine_line(about), "", note, "",
                      table(rows, verdicts), "", verdict_list(verdicts), reasons(rows)]).rstrip() + "\n"


def store(folder, name, page, about, rows, verdicts):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(page)
    content = {"machine": about, "rows": rows, "bars": verdicts}
    (folder / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n")
    return folder / f"{name}.md"
