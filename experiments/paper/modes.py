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

    def pick(self, *, smoke, quick, full):
        """What this mode has of three: the long one has what the full one has."""
        return {"smoke": smoke, "quick": quick}.get(self.name, full)

    def trees_for(self, cost: float, fewer: dict[float, int]) -> int:
        """All trees; where trees are saved, as many as the largest cost that is exceeded allows.

        >>> MODES["full"].trees_for(900, {100: 60, 500: 24})
        500
        >>> [MODES["long"].trees_for(cost, {100: 60, 500: 24}) for cost in (50, 400, 900)]
        [500, 60, 24]
        """
        exceeded = [limit for limit in fewer if cost > limit] if self.thrifty else []
        return fewer[max(exceeded)] if exceeded else self.trees


MODES = {
    "smoke": Mode("smoke", "tiny settings", trees=5, trials=1, test_rows=200),
    "quick": Mode("quick", "the quick settings", trees=100, trials=3, test_rows=5000),
    "long": Mode("long", "the long settings", trees=500, trials=3, test_rows=10000, thrifty=True),
    "full": Mode("full", "the paper's own settings", trees=500, trials=10, test_rows=10000),
}
