"""Speaks TAP instead of pytest's own words: python -m pytest -p tap -p no:terminal."""

_reports = []


def _name(report):
    return report.nodeid.replace("#", "")


def pytest_runtest_logreport(report):
    # A test that fails while it is set up or cleaned up fails; one that passes is counted once.
    if report.when != "call" and report.outcome == "passed":
        return
    if report.when == "teardown" and report.outcome == "skipped":
        return
    _reports.append(report)
    number = len(_reports)
    if report.outcome == "failed":
        lines = [f"not ok {number} - {_name(report)}"]
        lines += [f"# {line}" for line in str(report.longreprtext).splitlines()]
    elif hasattr(report, "wasxfail"):
        lines = [f"ok {number} - {_name(report)}"]
    elif report.outcome == "skipped":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        lines = [f"ok {number} - {_name(report)} # SKIP {reason}"]
    else:
        lines = [f"ok {number} - {_name(report)}"]
    print("\n".join(lines), flush=True)


def pytest_collectreport(report):
    if report.failed:
        _reports.append(report)
        print(f"not ok {len(_reports)} - {report.nodeid} could not be read")
        print("\n".join(f"# {line}" for line in str(report.longrepr).splitlines()))


def pytest_sessionfinish():
    print(f"1..{len(_reports)}")
