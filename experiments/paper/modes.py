"""How much is run: a smoke test, the quick version of `make paper`, the paper's own settings."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mode:
    """Numbers that all figures share; what belongs to one figure stands in its script."""

    name: str
    trees: int
    trials: int
    test_rows: int

    def pick(self, *, smoke, quick, full):
        """What this mode has of three."""
        return {"smoke": smoke, "quick": quick, "full": full}[self.name]


MODES = {
    "smoke": Mode("smoke", trees=5, trials=1, test_rows=200),
    "quick": Mode("quick", trees=100, trials=3, test_rows=5000),
    "full": Mode("full", trees=500, trials=10, test_rows=10000),
}
