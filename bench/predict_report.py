"""The prediction table as Markdown."""

import report

COLUMNS = ("setting", "test rows", "trees", "threads", "learner", "rows/s", "ns/row/tree", "x sporf",
           "p50 us", "p99 us", "one row/s", "x sporf p50", "bar", "test error")
NOTE = ("Medians of three processes or more; each predicts the whole table in one call again and again, "
        "then one row at a time from as many threads at once. All trees are fully grown; trees is how "
        "many a row goes through. x sporf is the time for a row, or the median time of a single one, "
        "over ours with as many threads. sporf is lambda = 1/p. One row at a time is a call of the C "
        "interface for sporf and XGBoost, of Python or R for the others. What each learner is given "
        "is told in bench/README.md.")


def find_ours(rows, row):
    return next((r for r in rows if r["setting"] == row["setting"] and r["learner"] == "sporf"
                 and r["threads"] == row["threads"] and "rows_per_second" in r), None)


def single_cells(row, ours):
    single = row.get("one_row")
    if not single:
        return ["", "", "", ""]
    ratio = f"{single['p50_us'] / ours['one_row']['p50_us']:.2f}" if ours else ""
    return [f"{single['p50_us']:.4g}", f"{single['p99_us']:.4g}",
            f"{single['rows_per_second']:,.0f}", ratio]


def cells(row, ours, verdicts):
    start = [row["setting"], f"{row['rows']:,}" if "rows" in row else "",
             row.get("walked", row["trees"]), row["threads"], report.learner_name(row)]
    if "rows_per_second" not in row:
        return [*start, report.outcome(row), "", "", "", "", "", "", report.bar_text(row, verdicts), ""]
    ratio = f"{ours['rows_per_second'] / row['rows_per_second']:.2f}" if ours else ""
    return [*start, f"{row['rows_per_second']:,.0f}", f"{row['ns_per_row_and_tree']:.1f}", ratio,
            *single_cells(row, ours), report.bar_text(row, verdicts), f"{row['error']:.4f}"]


def our_forests(rows):
    lines = [f"- {row['setting']}, {row['learner']}: leaves at a mean depth of {row['mean_depth']:.1f}, "
             f"{row['model_bytes'] / 1e6:.0f} MB" for row in rows
             if "mean_depth" in row and row["threads"] == 1]
    return "\n".join(["Our forests:", *lines, ""])


def text(about, rows, verdicts):
    table = report.markdown(COLUMNS, [cells(row, find_ours(rows, row), verdicts) for row in rows])
    return "\n".join([f"# Prediction, {about['date']}", "", report.machine_line(about), "", NOTE, "",
                      table, "", report.verdict_list(verdicts), our_forests(rows),
                      report.reasons(rows)]).rstrip() + "\n"
