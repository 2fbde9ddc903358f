#!/bin/sh
# Costs and recalls: what a model decides by them, what it tells, and what cannot be.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

python3 - <<'END'
import random
random.seed(3)
with open("two.csv", "w") as two, open("three.csv", "w") as three:
    two.write("a,b,state\n")
    three.write("a,b,state\n")
    for i in range(400):
        a, b = random.gauss(0, 1), random.gauss(0, 1)
        x = a + b + random.gauss(0, 1)
        two.write("%.3f,%.3f,%s\n" % (a, b, "sick" if x > 1.6 else "well: very"))
        three.write("%.3f,%.3f,%s\n" % (a, b, "high" if x > 1.2 else "low" if x < -1.2 else "in between"))
END
cat >cheapest.py <<'END'
# cheapest.py OUT TRUE:PREDICTED=COST...: whether each prediction has the least expected cost.
import csv, sys
costs = {}
for text in sys.argv[2:]:
    pair, cost = text.rsplit("=", 1)
    costs[tuple(pair.split("|"))] = float(cost)
rows = list(csv.DictReader(open(sys.argv[1])))
for row in rows:
    classes = [name for name in row if name != "prediction"]
    expected = {k: sum(float(row[t]) * costs.get((t, k), t != k) for t in classes) for k in classes}
    assert expected[row["prediction"]] <= min(expected.values()) + 1e-9, row
assert len(rows) == 400
END
two="--data two.csv --label state --trees 40 --effort low"
three="--data three.csv --label state --trees 40 --effort low"

it "the class with the least expected cost is predicted" '
    run 0 train $two --cost "sick:well: very=10" --model m.sporf
    run 0 predict --model m.sporf --data two.csv --proba
    python3 cheapest.py "$work/out" "sick|well: very=10"
    run 0 predict --model m.sporf --data two.csv --proba --combine posteriors
    python3 cheapest.py "$work/out" "sick|well: very=10"
    run 0 predict --model m.sporf --data two.csv --proba --calibration none
    python3 cheapest.py "$work/out" "sick|well: very=10"
    run 0 train $three --cost "low:high=9,in between:high=0.5,high:low=4" --model m.sporf
    run 0 predict --model m.sporf --data three.csv --proba
    python3 cheapest.py "$work/out" "low|high=9" "in between|high=0.5" "high|low=4"
'
it "the trees, votes and probabilities do not change" '
    run 0 train $two --model plain.sporf
    run 0 predict --model plain.sporf --data two.csv --proba && cp "$work/out" plain
    run 0 train $two --cost "sick:well: very=10" --model m.sporf
    run 0 predict --model m.sporf --data two.csv --proba --decision plain && same plain "$work/out"
    run 0 predict --model m.sporf --data two.csv --proba && differ plain "$work/out"
    cut -d, -f2- plain >a && cut -d, -f2- "$work/out" >b && same a b
    run 0 predict --model plain.sporf --data two.csv --decision model && cut -d, -f1 plain >a && same a "$work/out"
'
it "a recall is reached out of bag, and costs precision" '
    run 0 train $two --recall sick=0.95 --model m.sporf --json
    json "d[\"oob_by_class\"][0][\"recall\"] >= .95" "d[\"oob_by_class\"][0][\"precision\"] < .7" \
        "d[\"decision\"][\"class\"] == \"sick\"" "0 < d[\"decision\"][\"threshold\"] < .5" \
        "d[\"decision\"][\"recall\"] == \"sick=0.95\"" "d[\"decision\"][\"cost\"] is None" \
        "d[\"settings\"][\"recall\"] == \"sick=0.95\"" \
        "float(d[\"settings\"][\"threshold\"]) == d[\"decision\"][\"threshold\"]"
    run 0 evaluate --model m.sporf --data two.csv --json
    json "d[\"by_class\"][0][\"recall\"] > .95"
    run 0 inspect --model m.sporf
    printed "decision      sick if its probability is at least" "recall sick=0.95"
    run 0 train $two --model m.sporf --json
    json "d[\"decision\"] is None" "\"recall\" not in d[\"settings\"]"
'
it "train tells the error of the decision beside that of the votes" '
    run 0 train $two --cost "sick:well: very=10" --model m.sporf
    printed "decision      the class with the least expected cost: sick:well: very=10" "oob decision  error 0."
    run 0 train $two --model m.sporf
    ! grep -q decision "$work/out"
'
it "added trees, parts and boosted models keep the decision" '
    run 0 train $two --cost "sick:well: very=10" --model whole.sporf
    for part in 1 2; do
        run 0 train $two --cost "sick:well: very=10" --part $part/2 --model $part.part
    done
    run 0 join --model joined.sporf 1.part 2.part && same whole.sporf joined.sporf
    run 0 train $two --settle two.settings --cost "sick:well: very=10"
    run 0 train $two --settle two.settings --cost "sick:well: very=10" --part 1/1 --model 1.part
    run 0 join --model joined.sporf 1.part && same whole.sporf joined.sporf
    run 0 train $two --recall sick=0.8 --model whole.sporf
    run 0 train --data two.csv --label state --trees 15 --effort low --recall sick=0.8 --model few.sporf
    run 0 train --data two.csv --recall sick=0.8 --extend few.sporf --trees 40 --model more.sporf && same whole.sporf more.sporf
    run 0 boost --data two.csv --label state --rounds 20 --cost "sick:well: very=10" --model b.sporf
    run 0 predict --model b.sporf --data two.csv --proba
    python3 cheapest.py "$work/out" "sick|well: very=10"
    run 0 crossval --data two.csv --label state --trees 20 --folds 3 --cost "sick:well: very=10" --json
    run 0 tune --data two.csv --label state --trees 20 --recall sick=0.9 --model t.sporf
'
it "evaluate reports the cost of a row, and that of the cheapest class for all" '
    run 0 train $two --cost "sick:well: very=10" --model m.sporf
    run 0 evaluate --model m.sporf --data two.csv --json
    json "d[\"classes\"] == [\"sick\", \"well: very\"]" \
        "abs(d[\"cost\"][\"value\"] * d[\"rows\"] - 10 * d[\"confusion\"][0][1] - d[\"confusion\"][1][0]) < 1e-9" \
        "d[\"cost\"][\"value\"] <= d[\"cost\"][\"baseline\"][\"value\"]" \
        "d[\"baseline\"][\"error\"] * d[\"rows\"] == min(map(sum, d[\"confusion\"]))"
    run 0 evaluate --model m.sporf --data two.csv
    grep -q "^cost .* if every row were predicted as" "$work/out"
    run 0 train $two --model plain.sporf && run 0 evaluate --model plain.sporf --data two.csv --json
    json "d[\"cost\"] is None"
'
it "what cannot be decided is refused" '
    refused 2 "'\''sick:well=10'\'' at character 1: no class is called '\''well'\''" train $two --cost "sick:well=10" --model no.sporf
    refused 2 "did you mean '\''sick'\''" train $two --cost "sik:well: very=10" --model no.sporf
    refused 2 "--recall must be CLASS=SHARE" train $two --recall sick=95% --model no.sporf
    refused 2 "is for two classes, but there are 3" train $three --recall low=0.9 --model no.sporf
    refused 2 "give one of them" train $two --recall sick=0.9 --cost "sick:well: very=10" --model no.sporf
    refused 2 "needs out-of-bag rows" train $two --recall sick=0.9 --bag none --model no.sporf
    refused 2 "cannot be used for parts" train $two --recall sick=0.9 --part 1/2 --model no.sporf
    refused 2 "is for classification" train --data two.csv --target a --ignore state --cost a:b=2 --model no.sporf
    refused 2 "--recall is not an option of boost" boost --data two.csv --label state --recall sick=0.9 --model no.sporf
    run 0 train $two --recall sick=0.9 --model m.sporf
    refused 2 "its threshold is for calibrated probabilities" predict --model m.sporf --data two.csv --calibration none
    refused 1 "the model decides by --recall" export --c --model m.sporf --output m.c
    refused 2 "can only be added with the same settings" train --data two.csv --recall sick=0.8 --extend m.sporf --trees 50 --model no.sporf
'
finish
