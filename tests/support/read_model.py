#!/usr/bin/env python3
"""A second reader of model files, written from docs/model-format.md alone.

It shares no code with the library, so that the two check each other and the page. Only the
standard library is needed; checksums are compared where the xxhash module is installed.

    read_model.py MODEL                         print a summary as JSON
    read_model.py MODEL ROWS.csv                print the predicted class name of each row
        --posteriors      average leaf posteriors instead of counting votes
        --probabilities   print the probability of each class instead
        --header          the first line of ROWS.csv names the columns; known names are matched
"""

import argparse
import csv
import json
import struct
import sys

try:
    import xxhash
except ImportError:
    xxhash = None

MAGIC = b"\x89SPORF\r\n"
OPTIONAL = {2, 3, 4, 5, 6}
REQUIRED = {1, 7, 8, 9, 10, 11, 12, 13, 14}


class ModelError(Exception):
    pass


def check(condition, message):
    if not condition:
        raise ModelError(message)


def same_checksum(data, expected):
    return xxhash is None or xxhash.xxh3_64_intdigest(data) == expected


def float32(value):
    """The nearest float32; beyond the largest one, infinity."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def array(data, code):
    size = struct.calcsize("<" + code)
    check(len(data) % size == 0, "a section ends in the middle of an element")
    return struct.unpack("<%d%s" % (len(data) // size, code), data)


def strings(data):
    if data is None:
        return []
    (count,) = struct.unpack_from("<Q", data)
    check(1 <= count <= len(data) // 8 - 2, "a list of strings does not fit")
    offsets = struct.unpack_from("<%dQ" % (count + 1), data, 8)
    text = data[8 * (count + 2) :]
    check(offsets[0] == 0 and offsets[-1] == len(text), "a list of strings has gaps")
    result = []
    for start, end in zip(offsets, offsets[1:]):
        check(start < end and text.find(b"\0", start) == end - 1, "a string is not closed")
        result.append(text[start : end - 1].decode("utf-8", "replace"))
    return result


class Tree:
    def __init__(self, nodes, starts, features, weights, leaf_starts, classes, class_weights):
        self.nodes = nodes  # (threshold, right, content)
        self.starts, self.features, self.weights = starts, features, weights
        self.leaf_starts, self.classes, self.class_weights = leaf_starts, classes, class_weights

    def check(self, features, classes):
        leaves = len(self.leaf_starts) - 1
        check(len(self.nodes) == 2 * leaves - 1, "nodes and leaves do not agree")
        waiting, leaf = [], 0
        for index, (threshold, right, content) in enumerate(self.nodes):
            if right:
                check(index + 1 < right < len(self.nodes), "a right child is out of range")
                check(threshold - threshold == 0, "a threshold is not finite")
                check(content < len(self.starts) - 1, "a projection does not exist")
                waiting.append(right)
            else:
                check(content == leaf and threshold == 0, "a leaf is not in order")
                leaf += 1
                last = index + 1 == len(self.nodes)
                check(bool(waiting) != last, "a node belongs to no split")
                check(last or waiting.pop() == index + 1, "a right child is not where it belongs")
        check_parts(self.starts, self.features, features)
        check_parts(self.leaf_starts, self.classes, classes)
        check(all(w - w == 0 and w != 0 for w in self.weights), "a weight is zero or not finite")
        check(all(w - w == 0 and w > 0 for w in self.class_weights), "a class weight is not positive")

    def project(self, projection, row):
        start, end = self.starts[projection], self.starts[projection + 1]
        value = float32(self.weights[start] * row[self.features[start]])
        for i in range(start + 1, end):
            value = float32(value + float32(self.weights[i] * row[self.features[i]]))
        return value

    def leaf(self, row):
        """The entries of the leaf that a row ends in: [(class, weight)]."""
        index = 0
        while self.nodes[index][1]:
            threshold, right, projection = self.nodes[index]
            index = index + 1 if self.project(projection, row) <= threshold else right
        leaf = self.nodes[index][2]
        part = slice(self.leaf_starts[leaf], self.leaf_starts[leaf + 1])
        return list(zip(self.classes[part], self.class_weights[part]))


def check_parts(starts, numbers, bound):
    check(starts[0] == 0 and starts[-1] == len(numbers), "starts and elements do not agree")
    for start, end in zip(starts, starts[1:]):
        check(start < end, "a projection or leaf is empty")
        part = numbers[start:end]
        check(all(a < b for a, b in zip(part, part[1:])), "features or classes do not ascend")
        check(part[-1] < bound, "a feature or class does not exist")


class Model:
    def __init__(self, data):
        self.read_frame(data)
        part = self.sections.get
        self.class_names = strings(part(1))
        self.feature_names = strings(part(2))
        self.label_name = (strings(part(3)) or [None])[0]
        settings = strings(part(4))
        self.settings = dict(zip(settings[::2], settings[1::2]))
        self.scale = array(part(5), "f") if part(5) is not None else None
        self.oob = self.read_oob(part(6))
        check(len(self.class_names) == self.classes, "class names are missing")
        check(len(self.feature_names) in (0, self.features), "feature names are missing")
        check(self.scale is None or len(self.scale) == self.features, "scale factors are missing")
        self.trees = self.read_trees()

    def read_frame(self, data):
        check(data[:8] == MAGIC, "not a sporf model")
        check(len(data) >= 64, "cut off")
        (checksum, version, count, size, self.tree_count, self.features, self.classes,
         reserved) = struct.unpack_from("<QIIQQQQQ", data, 8)  # fmt: skip
        check(version == 1, "unknown version %d" % version)
        check(size == len(data), "has %d bytes instead of %d" % (len(data), size))
        end = 64 + 32 * count
        check(end <= size and reserved == 0, "a bad header")
        check(same_checksum(data[16:end], checksum), "the header's checksum does not match")
        self.sections, last = {}, 0
        for i in range(count):
            id, flags, offset, length, checksum = struct.unpack_from("<IIQQQ", data, 64 + 32 * i)
            check(id > last and flags == 0, "a bad section table")
            check(offset % 64 == 0 and end <= offset <= offset + length <= size, "a bad section")
            check(not any(data[end:offset]), "padding is not zero")
            section = data[offset : offset + length]
            check(same_checksum(section, checksum), "checksum of section %d does not match" % id)
            check(id in REQUIRED | OPTIONAL or id & 0x80000000, "unknown section %d" % id)
            self.sections[id] = section
            end, last = offset + length, id
        check(end == size, "bytes follow the last section")
        check(REQUIRED <= self.sections.keys(), "a section is missing")

    def read_oob(self, data):
        if data is None:
            return None
        rows, error, kappa, curve = struct.unpack_from("<QddQ", data)
        check(curve in (0, self.tree_count) and len(data) == 32 + 8 * curve, "a bad curve")
        return {"rows": rows, "error": error, "kappa": kappa, "curve": array(data[32:], "d")}

    def read_trees(self):
        check(len(self.sections[7]) == 64 * self.tree_count, "a bad tree table")
        nodes = list(struct.iter_unpack("<fII", self.sections[8]))
        codes = {9: "I", 10: "I", 11: "f", 12: "I", 13: "I", 14: "f"}
        pools = {id: array(self.sections[id], code) for id, code in codes.items()}
        pools[8] = nodes
        ends = dict.fromkeys(pools, 0)
        trees = []
        for entry in struct.iter_unpack("<5Q6I", self.sections[7]):
            node, projection, term, leaf, leaf_entry = entry[:5]
            n_nodes, n_projections, n_terms, n_leaves, n_entries, reserved = entry[5:]
            check(reserved == 0, "a reserved field is not 0")
            wanted = {8: (node, n_nodes), 9: (projection, n_projections + 1), 10: (term, n_terms),
                      11: (term, n_terms), 12: (leaf, n_leaves + 1), 13: (leaf_entry, n_entries),
                      14: (leaf_entry, n_entries)}  # fmt: skip
            parts = {}
            for id, (start, length) in wanted.items():
                check(start == ends[id], "trees do not lie one after the other")
                ends[id] += length
                parts[id] = pools[id][start : ends[id]]
                check(len(parts[id]) == length, "a tree is cut off")
            trees.append(Tree(*(parts[id] for id in range(8, 15))))
            trees[-1].check(self.features, self.classes)
        check(all(ends[id] == len(pools[id]) for id in pools), "elements belong to no tree")
        return trees

    def predict(self, row, posteriors=False):
        """(class index, probabilities) of one row of float32 values."""
        totals = [0.0] * self.classes
        for tree in self.trees:
            entries = tree.leaf(row)
            if posteriors:
                total = 0.0
                for _, weight in entries:
                    total += weight
                for index, weight in entries:
                    totals[index] += weight / total
            else:
                best = max(weight for _, weight in entries)
                totals[min(index for index, weight in entries if weight == best)] += 1
        shares = [total / len(self.trees) for total in totals]
        return shares.index(max(shares)), shares


def read_model(path):
    with open(path, "rb") as file:
        return Model(file.read())


def read_rows(path, model, header):
    with open(path, newline="") as file:
        lines = csv.reader(file)
        columns = range(model.features)
        if header:
            names = next(lines)
            if model.feature_names:
                columns = [names.index(name) for name in model.feature_names]
        for line in lines:
            yield [float32(float(line[column])) for column in columns]


def summary(model):
    return {
        "trees": model.tree_count,
        "features": model.features,
        "classes": model.class_names,
        "feature_names": model.feature_names,
        "label_name": model.label_name,
        "settings": model.settings,
        "nodes": sum(len(tree.nodes) for tree in model.trees),
        "terms": sum(len(tree.features) for tree in model.trees),
        "oob_rows": model.oob["rows"] if model.oob else 0,
        "checksums": "compared" if xxhash else "not compared",
    }


def main():
    parser = argparse.ArgumentParser(description="Reads a model file by its description.")
    parser.add_argument("model")
    parser.add_argument("rows", nargs="?")
    parser.add_argument("--posteriors", action="store_true")
    parser.add_argument("--probabilities", action="store_true")
    parser.add_argument("--header", action="store_true")
    options = parser.parse_args()
    try:
        model = read_model(options.model)
        if options.rows is None:
            print(json.dumps(summary(model), indent=2))
            return 0
        for row in read_rows(options.rows, model, options.header):
            index, shares = model.predict(row, options.posteriors)
            print(",".join(map(repr, shares)) if options.probabilities else model.class_names[index])
    except (ModelError, OSError, ValueError, struct.error) as error:
        print("read_model: %s: %s" % (options.model, error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
