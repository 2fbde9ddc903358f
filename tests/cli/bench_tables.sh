#!/bin/sh
# The comparisons of bench/tables.py and bench/missing.py, on tables whose outcome is known.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3
if ! unpacks; then
    echo "1..0 # SKIP built without zlib"
    exit 0
fi
PYTHONPATH=$SPORF_ROOT/bench PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# data/: the flowers as a typed table, and without header and names as its numeric version, in the same order.
flowers iris.csv
mkdir -p data/tables data/uci
sed "1s/.*/num_a,num_b,num_c,num_d,class/" iris.csv | gzip >data/tables/iris.csv.gz
sed "1d; s/setosa/0/; s/versicolor/1/; s/virginica/2/" iris.csv | gzip >data/uci/iris.csv.gz
for k in 1 2 3 4 5; do seq -s , $k 5 150; done >data/uci/iris.folds

it "rows in the same order are told from rows in another, whatever their codes and holes" '
    python3 - <<EOF
import random, pairing
chance = random.Random(1)
colours, labels = ["red", "green", "blue", "grey"], ["no", "perhaps", "yes"]
typed, onehot = [], []
for i in range(1500):
    colour, size, two, label = chance.choice(colours), chance.randrange(60) / 4, chance.choice("12"), chance.choice(labels)
    hole = "" if chance.random() < .2 else str(chance.randrange(9))
    typed.append([colour, f"{size:.3f}", two, hole, "constant", label])
    onehot.append([str(int(colour == c)) for c in colours] + [str(2 - int(two)), repr(size), hole or "4.1", "0",
                  str(labels.index(label))])
assert pairing.same_order(typed, onehot)
assert not pairing.same_order(typed, onehot[1:])
assert not pairing.same_order(typed, onehot[::-1])
by_class = sorted(onehot, key=lambda row: row[-1])
assert not pairing.same_order(sorted(typed, key=lambda row: row[-1]), sorted(by_class))
EOF
'
it "stratified folds part the rows, and every class evenly" '
    python3 - <<EOF
import crossval
labels = ["a"] * 23 + ["b"] * 50 + ["c"] * 4
folds = crossval.stratified(labels, 1)
assert sorted(row for fold in folds for row in fold) == list(range(77))
for name in "abc":
    counts = [sum(labels[row] == name for row in fold) for fold in folds]
    assert max(counts) - min(counts) <= 1, counts
assert folds == crossval.stratified(labels, 1) != crossval.stratified(labels, 2)
EOF
'
it "both versions of a table of numbers have the same errors" '
    python3 $SPORF_ROOT/bench/tables.py --sporf $SPORF --data data --all --trees 3 --repeats 2 --json out.json \
        -- --max-depth 2 >report
    grep -q "numbers only" report
    python3 - <<EOF
import json
report = json.load(open("out.json"))
(iris,) = report["sets"]
assert iris["rows"] == 150 and iris["features"] == iris["onehot_features"] == 4 and iris["categories"] == 0
assert iris["folds"] == "given" and not iris["counts"] and report["mean"]["sets"] == 0
assert len(iris["typed_by_fold"]) == 10 and iris["typed_by_fold"] == iris["onehot_by_fold"]
assert 0 < iris["typed"] < .5 and iris["difference"] == 0
assert report["settings"]["train"] == ["--max-depth", "2"]
EOF
'
it "the errors of the one-hot side may come from an earlier run with the same settings" '
    python3 $SPORF_ROOT/bench/tables.py --sporf $SPORF --data data --all --trees 3 --repeats 1 --json a.json >/dev/null
    python3 - <<EOF
import json
report = json.load(open("a.json"))
report["sets"][0]["onehot_by_fold"] = [1] * 5
json.dump(report, open("b.json", "w"))
EOF
    python3 $SPORF_ROOT/bench/tables.py --sporf $SPORF --data data --all --trees 3 --repeats 1 --json c.json \
        --onehot-from b.json >/dev/null
    python3 -c "import json; assert json.load(open(\"c.json\"))[\"sets\"][0][\"onehot\"] == 1"
    if python3 $SPORF_ROOT/bench/tables.py --sporf $SPORF --data data --all --trees 4 --repeats 1 \
        --onehot-from b.json 2>err; then exit 1; fi
    holds err "other settings"
'
it "a set that cannot be run is named with the reason, and is a failure" '
    if python3 $SPORF_ROOT/bench/tables.py --sporf $SPORF --data data --all --trees 3 --repeats 1 \
        -- --no-such-option >report; then exit 1; fi
    grep -q "iris.*no-such-option" report
'
it "cells are removed at the rate asked for, by value the larger ones" '
    python3 - <<EOF
import random, missing
chance = random.Random(3)
rows = [[repr(chance.random()), repr(chance.gauss(0, 9)), "label"] for _ in range(2000)]
for kind, remove in missing.KINDS.items():
    for share in missing.SHARES:
        gone = remove(rows, share, random.Random(4))
        assert abs(sum(map(sum, gone)) / 4000 - share) < .03
        for column in 0, 1:
            lost = sorted(float(row[column]) for row, cells in zip(rows, gone) if cells[column])
            kept = sorted(float(row[column]) for row, cells in zip(rows, gone) if not cells[column])
            larger = lost[len(lost) // 2] > kept[int(len(kept) * .55)]
            assert larger == (kind == "mnar"), (kind, share, column)
train, test = missing.filled([["1", "", "a"], ["3", "", "b"], ["", "", "a"]], [["", "5", "b"]])
assert train == [["1", "0", "a"], ["3", "0", "b"], ["2.0", "0", "a"]] and test == [["2.0", "5", "b"]]
EOF
'
it "where nothing was removed holes and means are the same" '
    python3 $SPORF_ROOT/bench/missing.py --sporf $SPORF --data data --sets iris --shares 0 --trees 3 --json out.json \
        >report
    grep -q "holes against means: 0 wins, 1 ties, 0 losses" report
    python3 -c "import json; assert [p[\"kind\"] for p in json.load(open(\"out.json\"))[\"parts\"]] == [\"mcar\", \"mnar\"]"
'
finish
