"""Whether the bars of prediction are cleared: one thread, sporf at lambda = 1/p, medians."""

from bars import verdict


def find(rows, learner):
    return next((row for row in rows if row["learner"] == learner and row["threads"] == 1
                 and "rows_per_second" in row), None)


def judge_batch(setting, rows, bar):
    ours, peer = find(rows, "sporf"), find(rows, bar.learner)
    wanted = f"batch {bar.limit:g}x {bar.learner} per row and tree"
    if not ours or not peer:
        return verdict(setting, bar.learner, 1, wanted, "not run", None)
    ratio = peer["ns_per_row_and_tree"] / ours["ns_per_row_and_tree"]
    return verdict(setting, bar.learner, 1, wanted, f"{ratio:.1f}x", ratio >= bar.limit)


def judge_batch_ns(setting, rows, bar):
    ours = find(rows, "sporf")
    wanted = f"at most {bar.limit:g} ns per row and tree"
    if not ours:
        return verdict(setting, "sporf", 1, wanted, "not run", None)
    ns = ours["ns_per_row_and_tree"]
    return verdict(setting, "sporf", 1, wanted, f"{ns:.1f} ns", ns <= bar.limit)


def judge_row_us(setting, rows, bar):
    ours = find(rows, "sporf")
    wanted = f"one row p50 below {bar.limit:g} us"
    if not ours:
        return verdict(setting, "sporf", 1, wanted, "not run", None)
    p50 = ours["one_row"]["p50_us"]
    return verdict(setting, "sporf", 1, wanted, f"{p50:.1f} us", p50 < bar.limit)


def judge_row(setting, rows, bar):
    ours, peer = find(rows, "sporf"), find(rows, bar.learner)
    wanted = f"one row {bar.limit:g}x {bar.learner}"
    if not ours or not peer:
        return verdict(setting, bar.learner, 1, wanted, "not run", None)
    ratio = peer["one_row"]["p50_us"] / ours["one_row"]["p50_us"]
    return verdict(setting, bar.learner, 1, wanted, f"{ratio:.1f}x", ratio >= bar.limit)


JUDGES = {"batch": judge_batch, "batch-ns": judge_batch_ns, "row-us": judge_row_us, "row": judge_row}


def judge(setting, rows):
    verdicts = []
    for bar in setting.bars:
        judged = JUDGES[bar.kind](setting, rows, bar)
        verdicts.append({**judged, "wanted": judged["wanted"] + (f", {bar.note}" if bar.note else "")})
    return verdicts
