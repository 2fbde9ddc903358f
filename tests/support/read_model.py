#!/usr/bin/env python3
"""A second reader of model files, written from docs/model-format.md alone.

It shares no code with the library, so that the two check each other and the page. Only the
standard library is needed; checksums are compared where the xxhash module is installed.

    read_model.py MODEL                         print a summary as JSON
    read_model.py MODEL ROWS.csv                print the predicted class name of each row, or
                                                those of its labels
        --posteriors      average leaf posteriors instead of counting votes
        --probabilities   print the probability of each class instead
        --quantiles Q,Q   print these quantiles of each target instead
        --scores          print the scores of a boosted model instead
        --header          the first line of ROWS.csv names the columns; known names are matched
"""

import argparse
import csv
import json
import math
import struct
import sys

try:
    import xxhash
except ImportError:
    xxhash = None

MAGIC = b"\x89SPORF\r\n"
OPTIONAL = {2, 3, 4, 5, 6, 13, *range(17, 31), 34, 35, 36}
REQUIRED = {1, 7, 8, 9, 10, 11, 12, 14, 15, 16}
KIND, VALUE = 0xC0000000, 0x3FFFFFFF
SHORT, LEAF, LONG = 0, 0x80000000, 0xC0000000
MIXED = 0x80000000
PART = 0x7FC00000
SHORT_TERMS = 8


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


def float_of(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def is_finite(value):
    return value - value == 0


def mirrored(threshold):
    """The float32 next to -threshold towards minus infinity."""
    (bits,) = struct.unpack("<i", struct.pack("<f", -threshold + 0.0))
    return struct.unpack("<f", struct.pack("<I", 0x80000001 if bits == 0 else
                                           (bits - 1 if bits > 0 else (bits + 1) & 0xFFFFFFFF)))[0]


class Split:
    """As it is, not as its mirror image."""

    def __init__(self, parts, terms, threshold, missing):
        self.parts = parts
        self.terms = terms  # [(feature, weight)]
        self.threshold = threshold
        self.missing = missing  # the side of a missing value
        self.children = []  # left, right: each a Split or the number of a leaf

    def side(self, row):
        feature, weight = self.terms[0]
        value = float32(weight * self.parts.value(row, feature))
        for feature, weight in self.terms[1:]:
            value = float32(value + float32(weight * self.parts.value(row, feature)))
        if value != value:
            return self.missing
        return 0 if value <= self.threshold else 1


def check_terms(terms, features, sets):
    numbers = [feature for feature, _ in terms]
    check(all(a < b for a, b in zip(numbers, numbers[1:]) if b < features), "features do not ascend")
    check(max(numbers) < features + sets, "a feature does not exist")
    check(all(0 < abs(w) <= 1 for _, w in terms), "a weight is zero or too large")
    check(terms[0][1] > 0, "the first weight is negative")


def check_entries(entries, classes):
    numbers = [number for number, _ in entries]
    check(all(a < b for a, b in zip(numbers, numbers[1:])), "classes do not ascend")
    check(numbers[-1] < classes, "a class does not exist")
    check(all(is_finite(w) and w > 0 for _, w in entries), "a class weight is not positive")


class Parts:
    """Sections 8 to 16: what the trees are made of, and what of it trees have taken so far."""

    def __init__(self, model, most_leaves):
        part = model.sections.get
        self.features = model.features
        self.classes = 1 if model.boosting else model.classes
        check(len(part(8)) % 28 == 0, "a node is cut off")
        self.nodes = list(struct.iter_unpack("<IIIIIff", part(8)))
        self.projection_starts = array(part(9), "Q")
        self.terms = list(zip(array(part(10), "I"), array(part(11), "f")))
        self.leaf_weights = array(part(12), "I")
        self.leaf_classes = array(part(13), "I") if part(13) is not None else None
        self.mixed_starts = array(part(14), "Q")
        self.entries = list(zip(array(part(15), "I"), array(part(16), "f")))
        check(len(part(10)) == len(part(11)), "terms are missing")
        check(len(part(15)) == len(part(16)), "entries are missing")
        check_starts(self.projection_starts, len(self.terms), SHORT_TERMS + 1)
        check_starts(self.mixed_starts, len(self.entries), 2)
        self.class_bits = (self.classes - 1).bit_length()
        crowded = self.class_bits > 29 or most_leaves << self.class_bits > 1 << 30
        check(crowded == (self.leaf_classes is not None), "leaf classes are missing or too many")
        if crowded:
            self.class_bits = 0
            check(len(self.leaf_classes) == len(self.leaf_weights), "leaf classes are missing")
        check((part(19) is None) == (part(20) is None), "sets without words")
        self.set_words = array(part(20) or b"", "I")
        check(len(part(19) or b"") % 20 == 0, "a set is cut off")
        self.sets = list(struct.iter_unpack("<IIIIf", part(19) or b""))
        for feature, _, start, words, fill in self.sets:
            check(feature < self.features and abs(fill) != float("inf"), "a bad set")
            check(start + words <= len(self.set_words), "a set has no words")
        self.taken = [False] * len(self.nodes)
        self.mixed = 0

    def value(self, row, feature):
        if feature < self.features:
            return row[feature]
        category, first, start, words, fill = self.sets[feature - self.features]
        level = row[category]
        if words == 0:
            return level if level == level else fill
        if not 0 <= level < 1 << 24:
            return fill
        place = int(level) - first
        if not 0 <= place < 32 * words:
            return 0.0
        return float(self.set_words[start + place // 32] >> place % 32 & 1)

    def take(self, at):
        check(at < len(self.nodes), "a child lies beyond the nodes")
        check(not self.taken[at], "a node is reached twice")
        self.taken[at] = True
        return self.nodes[at]

    def short_terms(self, at):
        """The terms of the short projection whose first node is `at`, and its last node."""
        terms = []
        while True:
            left, right, threshold, first, second, first_weight, second_weight = self.take(at)
            terms.append((first, first_weight))
            part = threshold == PART
            if struct.pack("<f", second_weight) != bytes(4):
                terms.append((second, second_weight))
            else:
                check(not part and first == second, "a term is missing")
            check(len(terms) <= SHORT_TERMS, "a long projection does not lie aside")
            if not part:
                return terms, at
            check((left, right) == (1, 1), "part of a projection has children")
            at += 1

    def long_terms(self, at):
        """The number and the terms of the long projection that node `at` names, with its sign."""
        _, _, _, number, zero, sign, weight = self.take(at)
        check(zero == 0 and struct.pack("<f", weight) == bytes(4), "a bad long projection")
        check(abs(sign) == 1, "a bad sign")
        check(number < len(self.projection_starts) - 1, "a projection does not exist")
        start, end = self.projection_starts[number : number + 2]
        return number, [(feature, sign * weight) for feature, weight in self.terms[start:end]]

    def leaf_entries(self, index, vote):
        """[(class, weight)] of a leaf, its only one or those of a mixed leaf."""
        weight = self.leaf_weights[index]
        entries = [(vote, float_of(weight))]
        if weight & MIXED:
            check(weight & ~MIXED == self.mixed, "mixed leaves are not in order")
            check(self.mixed < len(self.mixed_starts) - 1, "a mixed leaf does not exist")
            self.mixed += 1
            start, end = self.mixed_starts[self.mixed - 1 : self.mixed + 1]
            entries = self.entries[start:end]
        check_entries(entries, self.classes)
        best = max(weight for _, weight in entries)
        check(min(c for c, w in entries if w == best) == vote, "a leaf votes against its entries")
        return entries

    def check_all_taken(self):
        check(all(self.taken), "a node belongs to no tree")
        check(self.mixed == len(self.mixed_starts) - 1, "a mixed leaf belongs to no tree")


def check_starts(starts, items, least):
    check(len(starts) > 0 and starts[0] == 0 and starts[-1] == items, "starts do not lead through")
    check(all(b - a >= least for a, b in zip(starts, starts[1:])), "something is too short")


class Samples:
    """Sections 21 to 27: the numbers that are predicted, and what came into each leaf."""

    def __init__(self, model, tree_table):
        part = model.sections.get
        self.targets = strings(part(21))
        self.values = array(part(22) or b"", "f")
        leaves = sum(entry[3] for entry in tree_table)
        width = 1 if model.boosting else len(self.targets)
        check(len(self.values) == leaves * width, "leaf values are missing")
        check(all(map(is_finite, self.values)), "a leaf value is not finite")
        self.kept = part(23) is not None
        self.starts = array(part(23) or b"", "Q")
        self.ends = array(part(24) or b"", "I")
        self.samples = array(part(25) or b"", "f")
        self.weights = array(part(26), "f") if part(26) is not None else None
        self.levels = array(part(27) or b"", "f")
        if not self.kept:
            check(not any(part(id) for id in (24, 25, 26, 27)), "samples of no tree")
            return
        check(self.targets, "samples of classes")
        self.check_places(tree_table, leaves)
        self.check_levels()

    def check_places(self, tree_table, leaves):
        width = len(self.targets)
        count = len(self.samples) // width
        check(len(self.samples) == count * width, "a sample is cut off")
        check(len(self.starts) == len(tree_table) + 1, "starts of samples are missing")
        check(self.starts[0] == 0 and self.starts[-1] == count, "starts do not lead through")
        check(len(self.ends) == (leaves if count else 0), "ends of samples are missing")
        check(all(map(is_finite, self.samples)), "a sample is not finite")
        if self.weights is not None:
            check(len(self.weights) == count, "sample weights are missing")
            check(all(is_finite(w) and w > 0 for w in self.weights), "a bad sample weight")
        for i, entry in enumerate(tree_table if count else []):
            own = (0,) + self.ends[entry[1] : entry[1] + entry[3]]
            check(all(a <= b for a, b in zip(own, own[1:])), "samples run backwards")
            check(own[-1] == self.starts[i + 1] - self.starts[i], "samples of no leaf")

    def check_levels(self):
        check(len(self.levels) in (0, 1001 * len(self.targets)), "levels are missing")
        for t in range(len(self.levels) // 1001):
            own = self.levels[1001 * t : 1001 * (t + 1)]
            check(0 <= own[0] and own[-1] <= 1, "a level is out of range")
            check(all(a <= b for a, b in zip(own, own[1:])), "levels do not ascend")

    def of_leaf(self, number, tree, leaf, target):
        """[(value, weight)]: all of them weigh 1."""
        width, at = len(self.targets), tree.first_leaf + leaf
        begin = self.ends[at - 1] if self.ends and leaf > 0 else 0
        end = self.ends[at] if self.ends else 0
        if begin == end:
            return [(self.values[at * width + target], 1.0)]
        own = range(self.starts[number] + begin, self.starts[number] + end)
        weights = [self.weights[i] if self.weights else 1.0 for i in own]
        return [(self.samples[i * width + target], w / sum(weights)) for i, w in zip(own, weights)]


class Boosting:
    """Section 30: how the leaves of a boosted model add up."""

    def __init__(self, model, data):
        self.link, self.outputs, self.bags, valid_rows, tried = struct.unpack_from("<5Q", data)
        targets, classes = len(strings(model.sections.get(21))), model.classes
        wanted = {0: targets, 1: targets, 2: classes == 2, 3: classes}
        check(self.outputs == wanted.get(self.link), "outputs do not fit the link")
        check((self.link < 2) == (targets > 0) and self.outputs > 0, "outputs do not fit the link")
        check(self.bags > 0 and model.tree_count % (self.outputs * self.bags) == 0, "a cut off round")
        check(tried * self.outputs * self.bags >= model.tree_count, "losses are missing")
        numbers = array(data[40:], "d")
        check(len(numbers) == self.outputs + tried * (2 if valid_rows else 1), "a bad boosting")
        check(all(map(is_finite, numbers)), "a base or a loss is not finite")
        self.base = numbers[: self.outputs]

    def predictions(self, scores):
        """Probabilities of classes, or values of targets."""

        def power(x):
            return math.exp(min(x, 700)) if x >= -700 else 0.0

        if self.link == 0:
            return scores
        if self.link == 1:
            return [power(score) for score in scores]
        if self.link == 2:
            return [1 / (1 + power(scores[0])), 1 / (1 + power(-scores[0]))]
        shares = [power(score - max(scores)) for score in scores]
        return [share / sum(shares) for share in shares]


class Tree:
    def __init__(self, parts, entry):
        self.parts = parts
        self.start, self.first_leaf, root, self.leaves, self.first_projection, count = entry
        self.projections = count
        self.entries = []  # of each leaf
        self.votes = []
        self.splits = []
        self.used = set()  # its long projections
        self.root = self.read(root)
        check(len(self.entries) == self.leaves, "a tree has fewer leaves than it says")
        check(len(self.used) == self.projections, "a projection is never used")

    def read(self, root):
        """Follows all references, left before right; trees may be deep, so without recursion."""
        if root & KIND == LEAF:
            check(self.start == 0, "a leaf has a place among the nodes")
            return self.read_leaf(root)
        check(root in (SHORT, LONG), "a bad root")
        top = []
        waiting = [(top, self.start, root)]
        while waiting:
            siblings, origin, reference = waiting.pop()
            if reference & KIND == LEAF:
                siblings.append(self.read_leaf(reference))
                continue
            check(siblings is top or reference & VALUE > 0, "a node is its own child")
            split, at, left, right = self.read_split(origin + (reference & VALUE), reference & KIND)
            siblings.append(split)
            waiting.append((split.children, at, right))
            waiting.append((split.children, at, left))
        return top[0]

    def read_split(self, at, kind):
        check(kind in (SHORT, LONG), "a reference of no kind")
        if kind == LONG:
            number, terms = self.parts.long_terms(at)
            own = number - self.first_projection
            check(0 <= own < self.projections, "a projection belongs to another tree")
            self.used.add(number)
        else:
            terms, at = self.parts.short_terms(at)
        first, second, bits = self.parts.nodes[at][:3]
        threshold = float_of(bits)
        check(is_finite(threshold), "a threshold is not finite")
        left, right, missing = first, second, 1
        if terms[0][1] < 0:
            terms = [(feature, -weight) for feature, weight in terms]
            left, right, missing, threshold = second, first, 0, mirrored(threshold)
        check_terms(terms, self.parts.features, len(self.parts.sets))
        split = Split(self.parts, terms, threshold, missing)
        self.splits.append(split)
        check(len(self.splits) < self.leaves, "a tree has more splits than its leaves allow")
        return split, at, left, right

    def read_leaf(self, reference):
        parts, value = self.parts, reference & VALUE
        leaf = value >> parts.class_bits
        check(leaf == len(self.entries) < self.leaves, "a leaf is not in order")
        index = self.first_leaf + leaf
        vote = value & ((1 << parts.class_bits) - 1)
        if parts.leaf_classes is not None:
            vote = parts.leaf_classes[index]
        self.entries.append(parts.leaf_entries(index, vote))
        self.votes.append(vote)
        return leaf

    def leaf(self, row):
        """The number of the leaf that a row ends in."""
        place = self.root
        while isinstance(place, Split):
            place = place.children[place.side(row)]
        return place


class Model:
    def __init__(self, data):
        self.read_frame(data)
        part = self.sections.get
        check((self.version == 4) == (part(30) is not None), "boosting is missing or in a forest")
        self.boosting = Boosting(self, part(30)) if self.version == 4 else None
        self.class_names = strings(part(1))
        self.feature_names = strings(part(2))
        self.label_name = (strings(part(3)) or [None])[0]
        settings = strings(part(4))
        self.settings = dict(zip(settings[::2], settings[1::2]))
        self.scale = array(part(5), "f") if part(5) is not None else None
        self.oob = self.read_oob(part(6))
        self.calibration = self.read_calibration(part(29))
        self.oob_targets = list(struct.iter_unpack("<3d", part(28) or b""))
        targets = len(strings(part(21)))
        check(len(self.oob_targets) in (0, targets), "out-of-bag results of targets are missing")
        check(len(self.class_names) == self.classes, "class names are missing")
        check(len(self.feature_names) in (0, self.features), "feature names are missing")
        check(self.scale is None or len(self.scale) == self.features, "scale factors are missing")
        self.levels = self.read_levels(part(17), part(18))
        self.labels = self.read_labels(strings(part(34)), array(part(35) or b"", "Q"))
        self.trees = self.read_trees()

    def read_levels(self, kinds, names):
        """For each feature the names of its levels: none for numbers."""
        check((kinds is None) == (names is None), "kinds without names of levels")
        if kinds is None:
            return [[]] * self.features
        check(len(kinds) == 8 * self.features, "kinds are missing")
        names, levels = strings(names), []
        for kind, count in struct.iter_unpack("<II", kinds):
            check(kind <= 2 and (kind == 0) == (count == 0), "a bad kind")
            levels.append(names[:count])
            names = names[count:]
            check(len(levels[-1]) == count, "names of levels are missing")
        check(not names, "levels of no feature")
        return levels

    def read_labels(self, names, ends):
        """The names of the classes of each of several labels."""
        targets = strings(self.sections.get(21))
        check((self.version == 6) == bool(names), "label columns are missing or in the way")
        check(len(names) == len(ends) and len(set(names)) == len(names), "bad label columns")
        check(not names or ends[-1] == len(targets), "targets of no label")
        errors = array(self.sections.get(36) or b"", "d")
        check(len(errors) in (0, len(names) + 1), "out-of-bag results of labels are missing")
        labels, begin = {}, 0
        for name, end in zip(names, ends):
            own = targets[begin:end]
            check(own and all(t.startswith(name + "=") for t in own), "a class of another label")
            labels[name] = [target[len(name) + 1 :] for target in own]
            begin = end
        return labels

    def read_frame(self, data):
        check(data[:8] == MAGIC, "not a sporf model")
        check(len(data) >= 64, "cut off")
        (checksum, self.version, count, size, self.tree_count, self.features, self.classes,
         reserved) = struct.unpack_from("<QIIQQQQQ", data, 8)  # fmt: skip
        check(self.version in (3, 4, 6), "unknown version %d" % self.version)
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

    def read_calibration(self, data):
        """(smoothing, power) of votes and of shares; none where they are taken as they are."""
        if data is None:
            return None
        check(len(data) == 64 and not strings(self.sections.get(21)), "a bad calibration")
        records = list(struct.iter_unpack("<4d", data))
        for smoothing, power, log_loss, brier in records:
            check(2**-14 <= smoothing <= 1 and 1 / 16 <= power <= 16, "a bad calibration")
            check(is_finite(log_loss) and log_loss >= 0 and 0 <= brier <= 2, "a bad calibration")
        return [record[:2] for record in records]

    def calibrated(self, totals, smoothing, power):
        trees = len(self.trees)

        def weight(votes):
            return ((votes + 0.25 + smoothing * trees) / (trees + 0.25 + smoothing * trees)) ** power

        def between(votes):
            whole = min(int(votes), trees - 1)
            low, high = weight(whole), weight(whole + 1)
            return low + (votes - whole) * (high - low)

        weights = [between(total) for total in totals]
        return [w / sum(weights) for w in weights]

    def read_trees(self):
        check(len(self.sections[7]) == 32 * self.tree_count, "a bad tree table")
        table = list(struct.iter_unpack("<QQIIII", self.sections[7]))
        parts = Parts(self, max(entry[3] for entry in table))
        leaves = projections = 0
        for _, leaf, _, leaf_count, projection, projection_count in table:
            check((leaf, projection) == (leaves, projections), "trees do not follow each other")
            check(leaf_count > 0, "a tree has no leaf")
            leaves += leaf_count
            projections += projection_count
        check(leaves == len(parts.leaf_weights), "leaves are missing or belong to no tree")
        check(projections == len(parts.projection_starts) - 1, "projections of no tree")
        self.samples = Samples(self, table)
        trees = [Tree(parts, entry) for entry in table]
        parts.check_all_taken()
        return trees

    def scores(self, row):
        """The scores of a row by a boosted model."""
        boosting = self.boosting
        sums = [0.0] * boosting.outputs
        for number, tree in enumerate(self.trees):
            value = self.samples.values[tree.first_leaf + tree.leaf(row)]
            sums[number % boosting.outputs] += value
        return [base + total / boosting.bags for base, total in zip(boosting.base, sums)]

    def predict(self, row, posteriors=False, raw=False):
        """(class index, probabilities) of one row of float32 values.

        Calibrated probabilities agree with the library's up to the last digits of powers.
        """
        if self.boosting:
            shares = self.boosting.predictions(self.scores(row))
            return shares.index(max(shares)), shares
        totals = [0.0] * self.classes
        for tree in self.trees:
            leaf = tree.leaf(row)
            entries = tree.entries[leaf]
            if not posteriors:
                totals[tree.votes[leaf]] += 1
            elif len(entries) == 1:
                totals[entries[0][0]] += 1
            else:
                total = 0.0
                for _, weight in entries:
                    total += weight
                for index, weight in entries:
                    totals[index] += weight / total
        shares = [total / len(self.trees) for total in totals]
        best = shares.index(max(shares))
        if self.calibration and not raw:
            shares = self.calibrated(totals, *self.calibration[posteriors])
        return best, shares

    def predict_labels(self, row):
        """The class of each of several labels, and the shares of all classes of all of them."""
        width = len(self.samples.targets)
        totals = [0.0] * width
        for tree in self.trees:
            at = (tree.first_leaf + tree.leaf(row)) * width
            totals = [t + v for t, v in zip(totals, self.samples.values[at : at + width])]
        shares = [total / len(self.trees) for total in totals]
        result, begin = [], 0
        for classes in self.labels.values():
            own = shares[begin : begin + len(classes)]
            result.append(classes[own.index(max(own))])
            begin += len(classes)
        return result, shares

    def quantiles(self, row, levels):
        """For each target the values that these shares of the weight lie up to."""
        check(self.samples.kept, "no samples are kept")
        result = []
        for target in range(len(self.samples.targets)):
            all = []
            for number, tree in enumerate(self.trees):
                all += self.samples.of_leaf(number, tree, tree.leaf(row), target)
            all.sort()
            for level in levels:
                total = 0.0
                for value, weight in all:
                    total += weight
                    if total >= level * len(self.trees) - 1e-9 * len(all):
                        break
                result.append(value)
        return result


def read_model(path):
    with open(path, "rb") as file:
        return Model(file.read())


def value(text, levels):
    """A number, or the index of a level; NaN where it is missing or not known."""
    if levels and text in levels:
        return float(levels.index(text))
    return float("nan") if levels or not text else float32(float(text))


def read_rows(path, model, header):
    with open(path, newline="") as file:
        lines = csv.reader(file)
        columns = range(model.features)
        if header:
            names = next(lines)
            if model.feature_names:
                columns = [names.index(name) for name in model.feature_names]
        for line in lines:
            yield [value(line[column], model.levels[i]) for i, column in enumerate(columns)]


def summary(model):
    return {
        "trees": model.tree_count,
        "features": model.features,
        "classes": model.class_names,
        "feature_names": model.feature_names,
        "label_name": model.label_name,
        "settings": model.settings,
        "nodes": sum(2 * tree.leaves - 1 for tree in model.trees),
        "terms": sum(len(split.terms) for tree in model.trees for split in tree.splits),
        "oob_rows": model.oob["rows"] if model.oob else 0,
        "checksums": "compared" if xxhash else "not compared",
    }


def main():
    parser = argparse.ArgumentParser(description="Reads a model file by its description.")
    parser.add_argument("model")
    parser.add_argument("rows", nargs="?")
    parser.add_argument("--posteriors", action="store_true")
    parser.add_argument("--probabilities", action="store_true")
    parser.add_argument("--raw", action="store_true")
    parser.add_argument("--quantiles")
    parser.add_argument("--scores", action="store_true")
    parser.add_argument("--header", action="store_true")
    options = parser.parse_args()
    try:
        model = read_model(options.model)
        if options.rows is None:
            print(json.dumps(summary(model), indent=2))
            return 0
        for row in read_rows(options.rows, model, options.header):
            if options.quantiles:
                levels = [float(level) for level in options.quantiles.split(",")]
                print(",".join(map(repr, model.quantiles(row, levels))))
                continue
            if options.scores:
                print(",".join(map(repr, model.scores(row))))
                continue
            if model.labels:
                classes, shares = model.predict_labels(row)
                print(",".join(map(repr, shares) if options.probabilities else classes))
                continue
            index, shares = model.predict(row, options.posteriors, options.raw)
            print(",".join(map(repr, shares)) if options.probabilities else model.class_names[index])
    except (ModelError, OSError, ValueError, struct.error) as error:
        print("read_model: %s: %s" % (options.model, error), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
