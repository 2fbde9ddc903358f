"""How much is run: a smoke test, the quick version of `make paper`, a long one that saves trees,
and the paper's own settings."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mode:
    """Numbers that all figures share, and what they are called; what belongs to one figure stands
    in its script."""

    name: str
    words: str
    trees: int
    trials: int
    test_rows: int
    thrifty: bool = False

    def pick(self, *, smoke, quick, full, long=None):
        """What this mode has of these; the long one has what the full one has, unless said."""
        long = full if long is None else long
        return {"smoke": smoke, "quick": quick, "long": long, "full": full}[self.name]

    def trees_within(self, budget: float, cost: float, least: int) -> int:
        """All trees; where trees are saved, as many of such a cost as the budget has.

        >>> MODES["full"].trees_within(1000, 10, 24), MODES["long"].trees_within(1000, 10, 24)
        (500, 100)
        """
        if not self.thrifty:
            return self.trees
        return min(self.trees, max(least, int(budget / cost)))


MODES = {
    "smoke": Mode("smoke", "tiny settings", trees=5, trials=1, test_rows=200),
    "quick": Mode("quick", "the quick settings", trees=100, trials=3, test_rows=5000),
    "long": Mode("long", "the long settings", trees=500, trials=3, test_rows=10000, thrifty=True),
    "full": Mode("full", "the paper's own settings", trees=500, trials=10, test_rows=10000),
}
