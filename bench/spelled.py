"""A typed table made of numbers alone: categories as a column for each level, holes filled with what the
training rows have most of, the mean of numbers or the commonest level. Nothing but the training rows is
looked at, and their labels are not."""

from collections import Counter


def mean(cells):
    numbers = [float(cell) for cell in cells if cell != ""]
    return repr(sum(numbers) / len(numbers)) if numbers else "0"


def spell_number(train, test, j):
    fill = mean([row[j] for row in train])
    return ([[row[j] or fill] for row in rows] for rows in (train, test))


def spell_category(train, test, j):
    counts = Counter(row[j] for row in train if row[j] != "")
    if not counts:
        return [[] for _ in train], [[] for _ in test]
    levels, fill = sorted(counts), max(sorted(counts), key=counts.get)
    return ([["1" if (row[j] or fill) == level else "0" for level in levels] for row in rows]
            for rows in (train, test))


def spelled_out(header, train, test):
    """Both parts, label last, without a header."""
    parts = [[] for _ in train], [[] for _ in test]
    for j, name in enumerate(header[:-1]):
        spell = spell_category if name.startswith("cat_") else spell_number
        for part, spelled in zip(parts, spell(train, test, j)):
            for i, cells in enumerate(spelled):
                part[i] = part[i] + cells
    return tuple([cells + [row[-1]] for cells, row in zip(part, rows)]
                 for part, rows in zip(parts, (train, test)))
