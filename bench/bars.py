"""Whether the bars are cleared: each becomes what was measured beside the limit, met or missed."""

MEMORY_SHARE, MEMORY_BESIDE = 1.2, 100e6  # times the table, bytes beside table and forest


def verdict(setting, learner, threads, wanted, measured, met):
    return {"setting": setting.name, "learner": learner, "threads": threads, "wanted": wanted,
            "measured": measured, "met": met}


def find(rows, learner, threads=1):
    return next((row for row in rows if row["learner"] == learner and row["threads"] == threads
                 and "seconds_per_tree" in row), None)


def judge_ratio(setting, rows, bar):
    ours, peer = find(rows, "sporf"), find(rows, bar.learner)
    wanted = f"{bar.limit:g}x {bar.learner}"
    if not ours or not peer:
        return verdict(setting, bar.learner, 1, wanted, "not run", None)
    ratio = peer["seconds_per_tree"] / ours["seconds_per_tree"]
    return verdict(setting, bar.learner, 1, wanted, f"{ratio:.1f}x", ratio >= bar.limit)


def judge_threads(setting, rows, bar):
    one, two = find(rows, "sporf", 1), find(rows, "sporf", 2)
    wanted = f"2 threads {bar.limit:g}x 1"
    if not one or not two:
        return verdict(setting, "sporf", 2, wanted, "not run", None)
    ratio = one["seconds_per_tree"] / two["seconds_per_tree"]
    return verdict(setting, "sporf", 2, wanted, f"{ratio:.2f}x", ratio >= bar.limit)


def judge_total(setting, rows, bar):
    ours = find(rows, "sporf")
    wanted = f"at most {bar.limit:g} s in all"
    if not ours:
        return verdict(setting, "sporf", 1, wanted, "not run", None)
    total = ours["seconds_per_tree"] * ours["trees"]
    return verdict(setting, "sporf", 1, wanted, f"{total:.2f} s", total <= bar.limit)


def judge_ns(setting, rows, bar):
    ours = find(rows, "sporf")
    wanted = f"at most {bar.limit:g} ns per row and projection"
    if not ours or not ours.get("row_projections"):
        return verdict(setting, "sporf", 1, wanted, "not told by sporf train --profile", None)
    ns = 1e9 * ours["seconds_per_tree"] * ours["trees"] / ours["row_projections"]
    return verdict(setting, "sporf", 1, wanted, f"{ns:.1f} ns", ns <= bar.limit)


def memory_bound(row):
    return MEMORY_SHARE * row["table_bytes"] + row["model_bytes"] + MEMORY_BESIDE


def judge_memory(setting, row):
    allowed = memory_bound(row)
    return verdict(setting, "sporf", row["threads"], f"peak at most {allowed / 1e6:.0f} MB",
                   f"{row['peak_bytes'] / 1e6:.0f} MB", row["peak_bytes"] <= allowed)


JUDGES = {"ratio": judge_ratio, "threads": judge_threads, "total": judge_total, "ns": judge_ns}


def judge(setting, rows):
    """Verdicts on a setting's bars and on the memory of each of our own rows."""
    verdicts = [JUDGES[bar.kind](setting, rows, bar) for bar in setting.bars]
    ours = [row for row in rows if row["learner"] == "sporf" and "seconds_per_tree" in row]
    return verdicts + [judge_memory(setting, row) for row in ours]
