#!/usr/bin/env python3
"""Rows that a wrong walk would send the wrong way, for a model in the JSON of `sporf inspect --tree all`.

usage: edge_rows.py MODEL.json ROWS SEED

Writes CSV. Every other row is aimed at a split, mostly at a root, which every row comes to: its projected
value, added up in single precision as the model file format says, is the threshold or lies a step or two
beside it. The values of the others are thresholds, zeros of both signs, and the largest and smallest
numbers there are."""

import json
import random
import struct
import sys

EDGES = [0.0, -0.0, 1.0, -1.0, 1e30, -1e30, 1e-30, 1.4e-45, -1.4e-45, 1.1754942e-38, 1.1754944e-38]


def single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def step(value, steps):
    """The single-precision number that many places further away from zero; near it, where it ends."""
    bits = struct.unpack("I", struct.pack("f", value))[0]
    return struct.unpack("f", struct.pack("I", max(bits + steps, bits & 0x80000000)))[0]


def aim(split, row, chance):
    """Sets the last feature of a split so that its projected value comes close to the threshold."""
    features, weights = split["features"], [single(w) for w in split["weights"]]
    total = 0.0
    for j, w in zip(features[:-1], weights[:-1]):
        row[j] = single(chance.uniform(-3, 3) * (abs(split["threshold"]) or 1))
        total = single(total + single(w * row[j]))
    value = (single(split["threshold"]) - total) / weights[-1]
    row[features[-1]] = step(single(max(-1e30, min(1e30, value))), chance.randint(-2, 2))


def main():
    model = json.load(open(sys.argv[1], encoding="utf-8"))
    chance = random.Random(int(sys.argv[3]))
    splits = [n for tree in model["structure"] for n in tree["nodes"] if "threshold" in n]
    roots = [n for tree in model["structure"] for n in tree["nodes"][:1] if "threshold" in n]
    pool = EDGES + [single(n["threshold"]) for n in chance.sample(splits, min(200, len(splits)))]
    names = model["feature_names"] or ["x%d" % (j + 1) for j in range(model["features"])]
    print(",".join(names))
    for i in range(int(sys.argv[2])):
        row = [chance.choice(pool) for _ in names]
        if roots and i % 2 == 0:
            aim(chance.choice(chance.choice([roots, roots, splits])), row, chance)
        print(",".join("%.9g" % value for value in row))


if __name__ == "__main__":
    main()
