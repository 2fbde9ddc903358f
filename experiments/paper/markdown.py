"""The tables of docs/paper.md: ours, with the authors' values in brackets."""

from methods import NAMES


def number(text: str, digits: int = 4) -> str:
    """A number as the page shows it: a share without its 0.

    >>> number("0.15792"), number("12.345", 1), number("")
    ('.1579', '12.3', '-')
    """
    if text in ("", "nan", "None"):
        return "-"
    shown = f"{float(text):.{digits}f}"
    return shown.replace("0.", ".", 1) if shown.startswith(("0.", "-0.")) else shown


def chance(text: str) -> str:
    """A p-value.

    >>> chance("0.0312"), chance("0.00002"), chance("")
    ('.0312', '< .0001', '-')
    """
    return "< .0001" if text and float(text) < 0.0001 else number(text)


def beside(row: dict, ours: str, theirs: str, digits: int = 4, spread: str = "") -> str:
    """Ours, its standard error where there is one, and the authors' in brackets."""
    text = number(row[ours], digits)
    if spread and number(row[spread]) != "-":
        text += f" ± {number(row[spread], digits)}"
    return text if number(row.get(theirs, "")) == "-" else f"{text} ({number(row[theirs], digits)})"


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def pivot(rows: list[dict], index: dict, column: str, cell, names: dict = NAMES) -> str:
    """One line for each value of the index, one column for each of a name."""
    columns = [name for name in names if any(row[column] == name for row in rows)]
    keys = list(dict.fromkeys(tuple(row[name] for name in index) for row in rows))
    body = []
    for key in keys:
        cells = {row[column]: cell(row) for row in rows if tuple(row[n] for n in index) == key}
        body.append([*key, *[cells.get(name, "-") for name in columns]])
    return table([*index.values(), *[names[name].replace("\n", " ") for name in columns]], body)


def consistency(rows) -> str:
    return pivot(rows, {"kind": "kind", "n": "n", "trials": "trials"}, "method",
                 lambda row: beside(row, "error", "authors", 3))  # fmt: skip


def error_vs_n(rows) -> str:
    return pivot(rows, {"problem": "problem", "n": "n", "trials": "trials"}, "method",
                 lambda row: beside(row, "error", "authors", 4, "standard_error"))  # fmt: skip


def lambda_sensitivity(rows) -> str:
    return pivot(rows, {"problem": "problem", "n": "n", "features": "features"}, "method",
                 lambda row: beside(row, "error", "authors"))  # fmt: skip


def importance_trunk(rows) -> str:
    lines = [
        [NAMES[r["method"]], r["rank"], number(r["share"], 4), number(r["importance"], 2),
         number(r["bayes_error"], 3), r["features"]]
        for r in rows
        if int(r["rank"]) in (1, 2, 3, 5, 10)
    ]  # fmt: skip
    header = ["method", "rank", "share of all importance", "relative to the method's first"]
    return table([*header, "Bayes error", "features in it"], lines)


def uci(rows) -> str:
    """Each group of sets: the forests alone, then with XGBoost where that is finished."""
    header = ["methods", "sets", "method", "mean error (authors)", "difference", "kappa_paper",
              "Cohen's kappa", "mean rank (authors)", "p: SPORF better",
              "SPORF wins/ties/losses"]  # fmt: skip
    lines = [
        [r["methods"], f"{r['sets']} {r['group']}", NAMES[r["method"]],
         beside(r, "error", "authors"),
         f"{float(r['difference']):+.4f}",
         number(r["kappa_paper"], 4), number(r["kappa"], 4), beside(r, "rank", "authors_rank", 2),
         chance(r["p_sporf_better"]),
         "-" if r["method"] == "sporf" else r["sporf_wins_ties_losses"]]
        for r in rows
    ]  # fmt: skip
    return table(header, lines)


def untuned(rows) -> str:
    header = ["group", "sets", "default", "tuned", "difference", "wins/ties/losses",
              "authors, tuned", "difference", "wins/ties/losses"]  # fmt: skip
    lines = [
        [r["group"], r["sets"], number(r["untuned"]),
         *[cell for name in ("tuned", "authors") for cell in difference(r, name)]]
        for r in rows
    ]  # fmt: skip
    return table(header, lines)


def difference(row: dict, name: str) -> list[str]:
    """The mean of those that are named, and how the default differs from them."""
    if number(row[name]) == "-":
        return ["-", "-", "-"]
    gap, spread = float(row[f"{name}_difference"]), number(row[f"{name}_standard_error"])
    return [number(row[name]), f"{gap:+.4f} ± {spread}", row[f"{name}_wins_ties_losses"]]


def default_hyperparameters(rows) -> str:
    names = {str(k): f"lambda = {k}/p" for k in range(1, 6)}
    return pivot(
        rows, {"d": "d", "sets": "sets"}, "lambda_p",
        lambda r: f"{number(r['mean_kappa_paper'], 2)}, rank {number(r['median_rank'], 1)}", names,
    )  # fmt: skip


def noise_dimensions(rows) -> str:
    def cell(row):
        return f"{number(row['kappa_paper'], 3)}, error {number(row['error'], 3)}"

    return pivot(rows, {"noise": "columns of noise", "sets": "sets"}, "method", cell)


def training_time(rows) -> str:
    parts = []
    for panel, name, digits in (
        ("time by n", "n", 2),
        ("time by d", "d", 2),
        ("error by d", "d", 4),
    ):
        mine = [row for row in rows if row["panel"] == panel]
        parts.append(
            f"{panel.capitalize()}{' (s)' if digits == 2 else ''}:\n\n"
            + pivot(mine, {name: name}, "method",
                    lambda r, digits=digits: beside(r, "value", "authors", digits))
        )  # fmt: skip
    return "\n\n".join(parts)


def strong_scaling(rows) -> str:
    def cell(row):
        times = beside(row, "seconds_per_tree", "authors_seconds_per_tree", 3)
        return f"{times}, x{number(row['speed_up'], 2)}"

    return pivot(rows, {"data": "data", "rows": "rows", "threads": "threads"}, "method", cell)


def prediction_times(rows) -> str:
    names = {"sporf": "SPORF", "sporf rows": "SPORF, row by row", "sporf 3/p": "SPORF, 3/p",
             "sporf 3/p rows": "SPORF, 3/p, row by row", "rf": "RF",
             "rf rows": "RF, row by row", "xgboost": "XGBoost",
             "xgboost rows": "XGBoost, row by row"}  # fmt: skip
    return pivot(rows, {"data": "data"}, "system",
                 lambda row: beside(row, "microseconds_per_row", "authors", 1), names)  # fmt: skip


def strength_correlation(rows) -> str:
    def cell(row):
        strength = beside(row, "strength", "strength authors", 3)
        return f"{strength}; {beside(row, 'correlation', 'correlation authors', 3)}"

    return pivot(rows, {"problem": "problem", "p": "p", "n": "n"}, "method", cell)


def bias_variance(rows) -> str:
    measures = {"bias": "bias", "variance": "variance", "variance_effect": "variance effect",
                "error": "error"}  # fmt: skip
    lines = [
        [r["n"], r["repeats"], NAMES[r["method"]],
         *[beside(r, name, f"{name} authors", 3) for name in measures]]
        for r in rows
    ]  # fmt: skip
    return table(["n", "repeats", "method", *measures.values()], lines)


TABLES = {
    function.__name__: function
    for function in (
        consistency,
        error_vs_n,
        lambda_sensitivity,
        importance_trunk,
        uci,
        untuned,
        default_hyperparameters,
        noise_dimensions,
        training_time,
        strong_scaling,
        prediction_times,
        strength_correlation,
        bias_variance,
    )
}
