"""Progress on standard error, in a step for settings that are chosen and one for the trees, or
rounds.

It is tqdm's bar where that is installed."""

import sys
import time

CHOOSING = "sporf: choosing settings"


class _Lines:
    """A line when a tenth is done."""

    def __init__(self, total):
        self.total, self.done, self.started = total, 0, time.monotonic()

    def update(self, new):
        before, self.done = self.done, self.done + new
        if int(before * 10 / self.total) != int(self.done * 10 / self.total):
            print(self.line(time.monotonic() - self.started), file=sys.stderr, flush=True)

    def close(self):
        pass


class _CountLines(_Lines):
    """A line after each hundred, where the total is not known."""

    def __init__(self, unit):
        super().__init__(1000)
        self.unit = unit

    def line(self, seconds):
        return f"sporf: {self.done} {self.unit}s, {seconds:.0f} s"


class _UnitLines(_Lines):
    def __init__(self, total, unit):
        super().__init__(total)
        self.unit = unit

    def line(self, seconds):
        left = seconds / self.done * (self.total - self.done)
        return (
            f"sporf: {self.done} of {self.total} {self.unit}s, {seconds:.0f} s, {left:.0f} s left"
        )


class _ChoosingLines(_Lines):
    def line(self, seconds):
        return f"{CHOOSING}, {100 * self.done:.0f}% of what the search may take, {seconds:.0f} s"


def _bar_of_units(total, unit):
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _CountLines(unit) if total is None else _UnitLines(total, unit)
    return tqdm(total=total, desc="sporf", unit=unit, file=sys.stderr)


def _bar_of_choosing():
    try:
        from tqdm.auto import tqdm
    except ImportError:
        print(CHOOSING, file=sys.stderr, flush=True)
        return _ChoosingLines(1)
    form = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}"
    return tqdm(total=1, desc=CHOOSING, bar_format=form, file=sys.stderr)


def _begin_before(bar, seconds):
    if isinstance(bar, _Lines):
        bar.started -= seconds
    else:
        bar.start_t -= seconds


class Progress:
    """Called with the number of trees, or rounds, that are done; before that, while pilot forests
    choose settings, with the number of their trees and the share of the work allowed to them. The
    total may be None: nobody knows."""

    def __init__(self, total, unit="tree"):
        self.total, self.unit = total, unit
        self.bar, self.done, self.choosing = None, 0, False
        self.began = time.monotonic()  # the step, of which the first news may come late

    def __call__(self, done, share=None):
        if share is not None:
            self._start(True, _bar_of_choosing)
            self._advance(max(share, self.done))
        else:
            self._start(False, lambda: _bar_of_units(self.total, self.unit))
            self._advance(done)

    def _start(self, choosing, make):
        """The bar of a step, unless it is there; a search that ends before its time is done."""
        if self.bar is not None and self.choosing == choosing:
            return
        if self.bar is not None:
            self._advance(1)
            self.bar.close()
            self.began = time.monotonic()
        self.bar, self.done, self.choosing = make(), 0, choosing
        _begin_before(self.bar, time.monotonic() - self.began)

    def _advance(self, done):
        self.bar.update(done - self.done)
        self.done = done

    def close(self):
        if self.bar is not None:
            self.bar.close()
