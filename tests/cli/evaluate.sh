#!/bin/sh
# sporf evaluate: its numbers follow from the predictions.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

# One split cannot tell three classes apart: some rows are predicted wrongly, whatever the split.
flowers iris.csv
"$SPORF" train --data iris.csv --label species --trees 1 --model m.sporf --max-depth 1 --seed 4 >/dev/null || exit 2
evaluate="evaluate --model m.sporf --data iris.csv --label species"

it "scores and confusion follow from predictions and labels" '
    for combine in votes posteriors; do
        run 0 $evaluate --json --combine $combine
        said_nothing
        cp "$work/out" scores.json
        run 0 predict --model m.sporf --data iris.csv --proba --combine $combine
        python3 - scores.json "$work/out" iris.csv $combine <<EOF
import csv, json, math, sys
scores = json.load(open(sys.argv[1]))
predictions = list(csv.DictReader(open(sys.argv[2])))
truth = [row["species"] for row in csv.DictReader(open(sys.argv[3]))]
names, n = scores["classes"], len(truth)
assert names == ["setosa", "versicolor", "virginica"]
table = [[sum(t == a and p["prediction"] == b for t, p in zip(truth, predictions)) for b in names]
         for a in names]
assert scores["confusion"] == table, scores
assert scores["rows"] == n == 150 and scores["combine"] == sys.argv[4] and scores["trees"] == 1
agree = sum(table[k][k] for k in range(3)) / n
chance = sum(sum(table[k]) * sum(row[k] for row in table) for k in range(3)) / n ** 2
loss = -sum(math.log(max(float(p[t]), 1e-15)) for t, p in zip(truth, predictions)) / n
largest = max(sum(table[k]) for k in (1, 2)) / n
for key, value in (("error", 1 - agree), ("accuracy", agree), ("kappa", (agree - chance) / (1 - chance)),
                   ("kappa_paper", 1 - (1 - agree) / (1 - largest)), ("log_loss", loss)):
    assert abs(scores[key] - value) < 1e-9, (key, scores[key], value)
assert 0 < scores["error"] < 1, "the forest is too good for this test"
for k in range(3):
    assert abs(scores["recall"][k] - table[k][k] / sum(table[k])) < 1e-12
assert scores["unknown_labels"] == 0 and scores["unknown_confusion"] == [0, 0, 0]
brier = sum((float(p[c]) - (c == t)) ** 2 for t, p in zip(truth, predictions) for c in names) / n
assert abs(scores["brier"] - brier) < 1e-9, (scores["brier"], brier)
gap = 0
for k, bin in enumerate(scores["calibration"]):
    rows = [(float(p[p["prediction"]]), p["prediction"] == t) for t, p in zip(truth, predictions)
            if min(int(float(p[p["prediction"]]) * 10), 9) == k]
    assert (bin["from"], bin["to"]) == (k / 10, (k + 1) / 10) and bin["rows"] == bin["weight"] == len(rows)
    if not rows:
        assert bin["confidence"] is None and bin["accuracy"] is None
        continue
    confidence, accuracy = (sum(values) / len(rows) for values in zip(*rows))
    assert abs(bin["confidence"] - confidence) < 1e-9 and abs(bin["accuracy"] - accuracy) < 1e-9
    gap += abs(confidence - accuracy) * len(rows) / n
assert len(scores["calibration"]) == 10 and abs(scores["calibration_error"] - gap) < 1e-9
EOF
    done
'
it "scores by class and curves agree with the confusion matrix" '
    run 0 $evaluate --json --curves curves.csv --intervals 50
    json "abs(d[\"scores\"][\"accuracy\"][\"value\"] - d[\"accuracy\"]) < 1e-12" "d[\"scores\"][\"replicates\"] == 50" \
        "d[\"scores\"][\"mcc\"][\"low\"] <= d[\"scores\"][\"mcc\"][\"value\"]" \
        "all(abs(c[\"recall\"] - r) < 1e-12 for c, r in zip(d[\"by_class\"], d[\"recall\"]))"
    head -1 curves.csv | grep -qx "class,threshold,false_positive_rate,recall,precision"
    grep -q "^virginica,inf,0,0,1$" curves.csv
    run 2 $evaluate --intervals 100001
'
it "the table for people holds the same" '
    run 0 $evaluate --json
    error=$(python3 -c "import json, sys; print(\"%.4f\" % json.load(open(sys.argv[1]))[\"error\"])" "$work/out")
    run 0 $evaluate
    said_nothing
    printed "rows          150" "error         $error" "accuracy      $(python3 -c "print(\"%.4f\" % (1 - $error))")" kappa kappa_paper "log loss" brier calibration predicted \
        recall setosa versicolor virginica accuracy
    if grep -nE "^.{101}" "$work/out"; then exit 1; fi
'
it "without --label the column is found by the name it had in training" '
    run 0 $evaluate && cp "$work/out" a
    run 0 evaluate --model m.sporf --data iris.csv && same a "$work/out"
    cut -d, -f1-4 iris.csv >new.csv
    refused 1 "species" evaluate --model m.sporf --data new.csv
'
it "classes may come from a file of their own" '
    run 0 $evaluate && cp "$work/out" a
    cut -d, -f1-4 iris.csv >new.csv
    sed 1d iris.csv | cut -d, -f5 >names.txt
    run 0 evaluate --model m.sporf --data new.csv --label-file names.txt && same a "$work/out"
'
it "rows of classes that the model has never seen count as errors" '
    sed "2,16s/,[a-z]*\$/,tulip/; 17,20s/,[a-z]*\$/,rose/" iris.csv >other.csv
    run 0 evaluate --model m.sporf --data other.csv --label species --json
    json "d[\"unknown_labels\"] == 19" "sum(d[\"unknown_confusion\"]) == 19" "d[\"rows\"] == 150" \
        "sum(map(sum, d[\"confusion\"])) == 131" "d[\"error\"] >= 19 / 150"
    run 0 evaluate --model m.sporf --data other.csv --label species
    printed "never seen" "(unknown)"
'
it "a class without rows has no recall" '
    grep -v virginica iris.csv >two.csv
    run 0 evaluate --model m.sporf --data two.csv --label species --json
    json "d[\"recall\"][2] is None" "d[\"confusion\"][2] == [0, 0, 0]"
'
it "many classes are shown by their lowest recall" '
    run 0 simulate orthant --rows 3000 --output o.csv
    run 0 train --data o.csv --label last --trees 5 --max-depth 5 --model o.sporf
    run 0 evaluate --model o.sporf --data o.csv --label last
    printed "The 20 of 64 classes with the lowest recall"
    [ "$(grep -c "(" "$work/out")" -ge 20 ]
    if grep -nE "^.{101}" "$work/out"; then exit 1; fi
'
it "a handful of classes with long names fit in 100 columns" '
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$5 = \"a_class_with_a_very_long_name_number_\" (NR % 9) } { print }" iris.csv >long.csv
    run 0 train --data long.csv --label last --trees 5 --max-depth 2 --model long.sporf
    run 0 evaluate --model long.sporf --data long.csv --label last
    printed "most often taken for"
    if grep -nE "^.{101}" "$work/out"; then exit 1; fi
'
it "an output that cannot be written is an error" '
    got=0
    "$SPORF" $evaluate --json >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "sporf evaluate: cannot write to standard output"
'
it "scores of training rows are said to be too good" '
    "$SPORF" simulate orthant --rows 300 --seed 1 --output rows.csv && "$SPORF" simulate orthant --rows 300 --seed 2 --output new.csv
    "$SPORF" train --data rows.csv --label last --trees 50 --model rows.sporf --json >trained
    grep -q "\"oob_baseline\": {\"class\": " trained
    run 0 evaluate --model rows.sporf --data rows.csv
    said "if these are the rows of training"
    run 0 evaluate --model rows.sporf --data new.csv
    ! grep -q "rows of training" "$work/err"
'
finish
