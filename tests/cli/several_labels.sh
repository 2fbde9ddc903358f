#!/bin/sh
# Forests that predict several labels, from the command line.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3
reader=$SPORF_ROOT/tests/support/read_model.py

table() { # seed, rows
    python3 - "$1" "$2" <<'PYTHON'
import random, sys
draw = random.Random(int(sys.argv[1]))
print("a,b,c,d,kind,colour,size,shape")
for i in range(int(sys.argv[2])):
    a, b, c, d = (draw.gauss(0, 1) for _ in range(4))
    colour = "red" if a + b > 0.5 else "blue" if a + b < -0.5 else "green"
    shape = '"round, big"' if c - d > 0 else "flat"
    cells = ["" if draw.random() < 0.02 else "%.4f" % x for x in (a, b, c, d)]
    print(*cells, "xyz"[i % 3], colour, int(c > 0), shape, sep=",")
PYTHON
}
table 1 400 >train.csv
table 2 300 >test.csv

it "train reports the error of each label" '
    run 0 train --data train.csv --labels colour,size,shape --trees 50 --model m.sporf
    grep -q "^labels  *3: colour, size, shape" "$work/out"
    grep -q "^out of bag  *error 0[.][0-9]* over 400 rows and all labels" "$work/out"
    grep -q "colour: error 0[.][0-9]*, 3 classes" "$work/out"
    run 0 train --data train.csv --labels colour,size,shape --trees 50 --model m.sporf --json
    json "[label[\"name\"] for label in d[\"labels\"]] == [\"colour\", \"size\", \"shape\"]"
    json "d[\"labels\"][2][\"class_names\"] == [\"flat\", \"round, big\"]"
    json "d[\"oob_error\"] < 0.1 and d[\"oob_error\"] <= d[\"oob_subset_error\"] < 0.2"
    json "abs(sum(label[\"oob_error\"] for label in d[\"labels\"]) / 3 - d[\"oob_error\"]) < 1e-12"
    json "d[\"classes\"] == 0 and d[\"samples\"] == False and len(d[\"oob_curve\"]) == 50"
'
it "predict writes a column for each label, and shares if asked for" '
    run 0 predict --data test.csv --model m.sporf
    test "$(head -n 1 "$work/out")" = colour,size,shape
    test "$(wc -l <"$work/out")" -eq 301
    cp "$work/out" classes.csv
    run 0 predict --data test.csv --model m.sporf --proba
    test "$(head -n 1 "$work/out")" = "colour,size,shape,colour=blue,colour=green,colour=red,size=0,size=1,shape=flat,\"shape=round, big\""
    cp "$work/out" shares.csv
    python3 -c "
import csv
plain, rows = list(csv.reader(open(\"classes.csv\"))), list(csv.reader(open(\"shares.csv\")))
names = rows[0]
for row, classes in zip(rows[1:], plain[1:]):
    assert row[:3] == classes
    for label, (begin, end) in enumerate([(3, 6), (6, 8), (8, 10)]):
        own = [float(cell) for cell in row[begin:end]]
        assert abs(sum(own) - 1) < 1e-6
        best = names[begin + own.index(max(own))]
        assert best == names[label] + \"=\" + row[label]"
    run 0 predict --data test.csv --model m.sporf --threads 3
    cmp classes.csv "$work/out"
    cut -d, -f1-5 test.csv >features.csv
    run 0 predict --data features.csv --model m.sporf
    cmp classes.csv "$work/out"
'
it "a reader written from the description predicts the same" '
    head -n 31 test.csv >few.csv
    run 0 predict --data few.csv --model m.sporf
    tail -n +2 "$work/out" | tr -d "\"" >own
    python3 "$reader" m.sporf few.csv --header >other
    cmp own other
'
it "evaluate counts wrong labels and rows with some wrong label" '
    run 0 evaluate --data test.csv --model m.sporf --json
    cp "$work/out" scores.json
    python3 -c "
import csv, json
d = json.load(open(\"scores.json\"))
truth = [row[5:] for row in csv.reader(open(\"test.csv\"))][1:]
found = list(csv.reader(open(\"classes.csv\")))[1:]
wrong = [[a != b for a, b in zip(x, y)] for x, y in zip(truth, found)]
for k, label in enumerate(d[\"labels\"]):
    assert abs(label[\"error\"] - sum(w[k] for w in wrong) / 300) < 1e-12
assert abs(d[\"error\"] - sum(map(sum, wrong)) / 900) < 1e-12
assert abs(d[\"subset_error\"] - sum(map(any, wrong)) / 300) < 1e-12
assert d[\"unknown_labels\"] == 0 and d[\"error\"] < 0.1"
    run 0 evaluate --data test.csv --model m.sporf --labels shape,colour,size --json
    json "d[\"error\"] == __import__(\"json\").load(open(\"scores.json\"))[\"error\"]"
    run 0 evaluate --data test.csv --model m.sporf
    grep -q "^shape  *error 0" "$work/out"
    sed "s/red/purple/" test.csv >strange.csv
    run 0 evaluate --data strange.csv --model m.sporf --json
    json "d[\"unknown_labels\"] > 50 and d[\"labels\"][0][\"error\"] > 0.2"
'
it "trees are added as if they had been grown at once" '
    run 0 train --data train.csv --labels colour,size,shape --trees 20 --projections 8 --model a.sporf
    run 0 train --data train.csv --labels colour,size,shape --trees 30 --extend a.sporf --model b.sporf
    run 0 train --data train.csv --labels colour,size,shape --trees 30 --projections 8 --model c.sporf
    cmp b.sporf c.sporf
    run 1 train --data train.csv --labels colour,size --trees 30 --extend a.sporf --model b.sporf
    grep -q "label 3 is .* in the data, but .shape. in the forest" "$work/err"
'
it "importances, dependence and explanations are those of the classes of each label" '
    run 0 importance --model m.sporf --permutation --data train.csv --json
    run 0 dependence --model m.sporf --data test.csv --features a --grid 4
    test "$(head -n 1 "$work/out" | cut -d, -f3)" = colour=blue
    run 0 explain --model m.sporf --data few.csv
    test "$(sed -n 2p "$work/out" | cut -d, -f2)" = colour=blue
    run 0 inspect --model m.sporf --tree 1
'
it "what is for one label is refused" '
    for options in "--class-weights balanced" "--cost red:blue=2" "--criterion entropy" "--method ccf"; do
        run 2 train --data train.csv --labels colour,size --model x.sporf $options
        grep -q "is for one label, but the data have several" "$work/err"
    done
    run 2 boost --data train.csv --labels colour,size --model x.sporf
    grep -q "boosting is for one label" "$work/err"
    run 2 tune --data train.csv --labels colour,size --model x.sporf
    grep -q "cannot be used with several labels" "$work/err"
    run 2 crossval --data train.csv --labels colour,size --folds 3
    grep -q "cannot be used with several labels" "$work/err"
    run 2 train --data train.csv --labels colour,size --part 1/2 --model x.part
    grep -q "cannot be used with several labels" "$work/err"
    run 2 strength --model m.sporf --data train.csv
    run 2 predict --model m.sporf --data test.csv --combine votes
    grep -q "for a single label, but the model is for several" "$work/err"
    run 2 predict --model m.sporf --data test.csv --quantiles 0.5
    run 2 evaluate --model m.sporf --data test.csv --label colour
    grep -q "the model predicts several labels" "$work/err"
'
it "columns of labels are checked" '
    run 2 train --data train.csv --labels colour,size --label shape --model x.sporf
    grep -q -- "--labels and --label exclude each other" "$work/err"
    run 2 train --data train.csv --labels colour,size --target a --model x.sporf
    grep -q "give --labels or --target, not both" "$work/err"
    run 1 train --data train.csv --labels colour,colour --model x.sporf
    grep -q "named twice as label" "$work/err"
    run 1 train --data train.csv --labels colour,a --model x.sporf
    grep -q "the label column .a. is missing in" "$work/err"
    run 1 train --data train.csv --labels colour,nothing --model x.sporf
    grep -q "no label column .nothing." "$work/err"
'
finish
