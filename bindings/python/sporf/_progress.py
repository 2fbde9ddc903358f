"""Progress while trees grow, on standard error: tqdm's bar where that is installed."""

import sys
import time


class _Lines:
    """A line when a tenth of the trees is done."""

    def __init__(self, trees):
        self.trees, self.done, self.started = trees, 0, time.monotonic()

    def update(self, new):
        before, self.done = self.done, self.done + new
        if before * 10 // self.trees == self.done * 10 // self.trees:
            return
        seconds = time.monotonic() - self.started
        left = seconds / self.done * (self.trees - self.done)
        print(
            f"sporf: {self.done} of {self.trees} trees, {seconds:.0f} s, {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )

    def close(self):
        pass


class Progress:
    """Called with the number of trees that are done."""

    def __init__(self, trees):
        try:
            from tqdm.auto import tqdm

            self.bar = tqdm(total=trees, desc="sporf", unit="tree", file=sys.stderr)
        except ImportError:
            self.bar = _Lines(trees)
        self.done = 0

    def __call__(self, done):
        self.bar.update(done - self.done)
        self.done = done

    def close(self):
        self.bar.close()
