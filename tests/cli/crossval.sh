#!/bin/sh
# sporf crossval: folds from files and by number, scores, predictions, nested searches.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" simulate friedman1 --rows 200 --seed 1 --output numbers.csv || exit 2
iris="--data iris.csv --label species --trees 20"

# part K: the training and test rows of fold K of kept.folds, in train.csv and test.csv.
part() {
    sed -n "${1}p" kept.folds | tr "," "\n" >rows
    awk 'NR == FNR { test[$1 + 1]; next } FNR == 1 || !(FNR in test)' rows iris.csv >train.csv
    awk 'NR == FNR { test[$1 + 1]; next } FNR == 1 || FNR in test' rows iris.csv >test.csv
}

# timeless FILE: what was printed without the times.
timeless() { grep -v "^  \"seconds\"" "$work/out" | sed "s/\"seconds\": [^,}]*//" >"$1"; }

it "a table of folds, their means and standard errors is printed" '
    run 0 crossval $iris --folds 5
    said_nothing
    head -n 1 "$work/out" | grep -q "^fold *rows *error *kappa *kappa_paper *log_loss *projections *density *min-leaf$"
    printed "mean " "+- "
    sed -n 9p "$work/out" | grep -q "^\$"
    printed "settings      method sporf, trees 20, " "chosen  " "by pilot forests" "time  "
    sed -n "2,6p" "$work/out" | awk "{ if (\$1 != NR || \$2 != 30) exit 1 }"
'
it "--json has the scores of all folds, their means and standard errors" '
    run 0 crossval $iris --folds 4 --json
    python3 - "$work/out" <<EOF
import json, math, sys
d = json.load(open(sys.argv[1]))
assert len(d["folds"]) == 4 and sum(f["rows"] for f in d["folds"]) == d["rows"] == 150
assert d["tuned"] is False and d["settings"]["trees"] == "20"
for key in "error", "kappa", "kappa_paper", "log_loss":
    values = [f[key] for f in d["folds"]]
    mean = sum(values) / 4
    se = math.sqrt(sum((v - mean) ** 2 for v in values) / 3 / 4)
    assert abs(d[key] - mean) < 1e-12 and abs(d[key + "_se"] - se) < 1e-12, key
EOF
'
it "what was chosen for each fold is told" '
    run 0 crossval $iris --folds 3 --seed 3 --keep-folds kept.folds --json
    cp "$work/out" said.json
    json "d[\"chosen\"] == [\"projections\", \"density\", \"min-leaf\"]" \
        "d[\"interrupted\"] is False and d[\"folds_requested\"] == 3"
    part 2
    run 0 train --data train.csv --label species --trees 20 --seed 3 --model m.sporf --json
    cp "$work/out" fold.json
    python3 - <<EOF
import json
said, train = json.load(open("said.json")), json.load(open("fold.json"))
fold, settings = said["folds"][1], train["settings"]
assert train["chosen"] == said["chosen"]
assert fold["projections"] == settings["projections"] and fold["density"] == settings["density"]
assert str(fold["min_leaf"]) == settings["min-leaf"] and fold["scale"] == settings["scale"]
EOF
    run 0 crossval $iris --folds 3 --seed 3
    sed -n 3p "$work/out" >row
    python3 - <<EOF
import json
fold = json.load(open("said.json"))["folds"][1]
assert open("row").read().split()[-3:] == [fold["projections"], fold["density"], str(fold["min_leaf"])]
EOF
    run 0 crossval $iris --folds 3 --density 2/p --json
    json "d[\"chosen\"] == [\"projections\", \"min-leaf\"]" "all(f[\"density\"] == \"2/p\" for f in d[\"folds\"])"
    run 0 crossval $iris --folds 3 --method rf
    printed "settings      method rf, trees 20, projections p^0.5, "
    ! grep -q "density\|chosen" "$work/out"
'
it "a class with fewer rows than folds is noted" '
    awk "BEGIN { print \"x,kind\"; for (i = 0; i < 60; i++) print i * 7 % 60 \",\" (i < 3 ? \"rare\" : i % 2 ? \"odd\" : \"even\") }" >rare.csv
    run 0 crossval --data rare.csv --label kind --trees 5 --folds 4 --keep-folds rare.folds
    said "sporf crossval: class '\''rare'\'' has 3 rows, fewer than the 4 folds: some folds test none"
    run 0 crossval --data rare.csv --label kind --trees 5 --folds 3
    said_nothing
    run 0 crossval --data rare.csv --label kind --trees 5 --folds rare.folds
    said_nothing
    run 0 crossval --data rare.csv --label kind --trees 2 --folds 30
    said "3 classes have fewer rows than the 30 folds, '\''even'\'' among them with 28"
    run 0 crossval --data numbers.csv --target y --trees 2 --folds 4
    said_nothing
'
it "so is one that a file puts into one fold" '
    awk "BEGIN { for (i = 1; i <= 60; i++) a[i % 5] = a[i % 5] (a[i % 5] ? \",\" : \"\") i; for (k = 0; k < 5; k++) print a[k] }" >even.folds
    run 0 crossval --data rare.csv --label kind --trees 5 --folds even.folds
    said_nothing
    { seq -s , 1 30; seq -s , 31 60; } >halves.folds
    run 0 crossval --data rare.csv --label kind --trees 5 --folds halves.folds
    said "sporf crossval: all rows of class '\''rare'\'' are in fold 1: the forest that is tested there is grown without it"
    [ "$(wc -l <"$work/err")" -eq 1 ]
    run 0 tune --data rare.csv --label kind --trees 5 --method ccf --folds halves.folds --model ccf.sporf
    said "sporf tune: all rows of class '\''rare'\'' are in fold 1"
    sed "s/even/few/; s/odd/many/" rare.csv | awk -F, "NR > 40 { sub(/few/, \"late\") } 1" >late.csv
    run 0 crossval --data late.csv --label kind --trees 5 --folds halves.folds
    said "sporf crossval: 2 classes have all of their rows in one fold, '\''late'\'' among them in fold 2: the forests"
    run 0 crossval --data rare.csv --target x --trees 5 --folds halves.folds
    said_nothing
'
it "drawn folds are kept, and give the same scores when read" '
    run 0 crossval $iris --folds 5 --keep-folds kept.folds --json
    timeless drawn.json
    [ "$(wc -l <kept.folds)" -eq 5 ]
    [ "$(tr "," "\n" <kept.folds | sort -n | uniq | wc -l)" -eq 150 ]
    run 0 crossval $iris --folds kept.folds --json
    timeless read.json
    same drawn.json read.json
    run 0 crossval $iris --folds 5 --seed 2 --keep-folds other.folds
    differ kept.folds other.folds
'
it "it is what a loop over train and evaluate gives" '
    run 0 crossval $iris --folds 5 --seed 3 --keep-folds kept.folds --json
    cp "$work/out" said.json
    for k in 1 2 3 4 5; do
        part $k
        run 0 train --data train.csv --label species --trees 20 --seed 3 --model m.sporf
        run 0 evaluate --model m.sporf --data test.csv --json
        cp "$work/out" fold$k.json
    done
    python3 - <<EOF
import json
said = json.load(open("said.json"))["folds"]
for k in range(5):
    fold = json.load(open(f"fold{k + 1}.json"))
    for key in "rows", "error", "kappa", "kappa_paper", "log_loss":
        assert fold[key] == said[k][key], (k, key)
EOF
'
it "predictions are those of the forests without the row" '
    run 0 crossval $iris --folds 5 --keep-folds kept.folds --output p.csv --proba --json
    cp "$work/out" said.json
    python3 - <<EOF
import csv, json
rows, said = list(csv.DictReader(open("p.csv"))), json.load(open("said.json"))["folds"]
truth = [r["species"] for r in csv.DictReader(open("iris.csv"))]
assert [r["truth"] for r in rows] == truth
assert [r["row"] for r in rows] == [str(i + 1) for i in range(150)]
kept = [line.strip().split(",") for line in open("kept.folds")]
assert all(r["row"] in kept[int(r["fold"]) - 1] for r in rows)
for k in range(5):
    fold = [r for r in rows if r["fold"] == str(k + 1)]
    wrong = sum(r["truth"] != r["prediction"] for r in fold)
    assert len(fold) == said[k]["rows"] and abs(wrong / len(fold) - said[k]["error"]) < 1e-12
for r in rows:
    shares = {c: float(r[c]) for c in ("setosa", "versicolor", "virginica")}
    assert abs(sum(shares.values()) - 1) < 1e-9 and shares[r["prediction"]] == max(shares.values())
EOF
    run 0 crossval $iris --folds 5 --output q.csv
    [ "$(head -n 1 q.csv)" = "row,fold,truth,prediction" ]
'
it "numbers have rmse, mae and r2" '
    run 0 crossval --data numbers.csv --target y --trees 20 --folds 4 --output n.csv --json
    json "0 < d[\"mae\"] < d[\"rmse\"]" "0 < d[\"r2\"] < 1" "d[\"rmse_se\"] > 0" "\"error\" not in d"
    cp "$work/out" said.json
    python3 - <<EOF
import csv, json, math
rows, said = list(csv.DictReader(open("n.csv"))), json.load(open("said.json"))["folds"]
for k in range(4):
    fold = [r for r in rows if r["fold"] == str(k + 1)]
    square = sum((float(r["truth"]) - float(r["prediction"])) ** 2 for r in fold)
    assert abs(math.sqrt(square / len(fold)) - said[k]["rmse"]) < 1e-5
EOF
    run 0 crossval --data numbers.csv --target y,x1 --trees 5 --folds 3 --output two.csv
    [ "$(head -n 1 two.csv)" = "row,fold,true_y,y,true_x1,x1" ]
    printed "rmse" "r2"
'
it "--tune searches settings without the fold" '
    run 0 crossval $iris --folds 3 --tune --search all --keep-folds kept.folds --json
    cp "$work/out" said.json
    json "d[\"tuned\"]" "all(f[\"setting\"][\"trees\"] == 20 for f in d[\"folds\"])" \
        "\"projections\" not in d[\"settings\"]"
    part 2
    run 0 tune --data train.csv --label species --trees 20 --search all --model m.sporf
    run 0 evaluate --model m.sporf --data test.csv --json
    cp "$work/out" fold.json
    python3 - <<EOF
import json
fold, said = json.load(open("fold.json")), json.load(open("said.json"))["folds"][1]
for key in "error", "kappa", "log_loss": assert fold[key] == said[key], key
EOF
    run 0 crossval $iris --folds 3 --tune --projections 1,p --density 1/p --json
    json "all(f[\"setting\"][\"projections\"] in (\"1\", \"p\") for f in d[\"folds\"])"
    run 0 crossval $iris --folds 3 --tune
    printed "projections  density" "projections and density, on the training rows of each fold"
'
it "scores of a fold that has none are left out of the mean" '
    awk "BEGIN { print \"x,y,kind\"; for (i = 1; i <= 60; i++)
        print (i > 40 ? 9 : 0) + i % 7 / 10 \",\" (i > 20 ? i : 5) \",\" (i > 40 ? \"b\" : \"a\") }" >sorted.csv
    awk "BEGIN { for (i = 1; i <= 20; i++) printf \"%d%s\", i, i < 20 ? \",\" : \"\n\"
        for (i = 21; i <= 60; i += 2) printf \"%d%s\", i, i < 59 ? \",\" : \"\n\"
        for (i = 22; i <= 60; i += 2) printf \"%d%s\", i, i < 60 ? \",\" : \"\n\" }" >sorted.folds
    run 0 crossval --data sorted.csv --label kind --folds sorted.folds --trees 20 --ignore y --json
    json "[f[\"kappa\"] for f in d[\"folds\"]] == [None, 1, 1]" "d[\"kappa\"] == 1 and d[\"kappa_se\"] == 0"
    run 0 crossval --data sorted.csv --label kind --folds sorted.folds --trees 20 --ignore y
    grep -Eq "^1 +20 +0.0000 +- +1.0000 " "$work/out"
    run 0 crossval --data sorted.csv --target y --folds sorted.folds --trees 20 --ignore kind --json
    json "d[\"folds\"][0][\"r2\"] is None" "d[\"r2\"] is not None"
    run 0 crossval --data sorted.csv --target y --folds sorted.folds --trees 20 --ignore kind
    grep -Eq "^1 +20 .* -( |$)" "$work/out"
    ! grep -q nan "$work/out"
'
it "a fold whose rows all weigh 0 is left out of the means" '
    awk -F, "NR == 1 { print \"w,\" \$0 } NR > 1 { print (NR <= 51 ? 0 : 1) \",\" \$0 }" iris.csv >light.csv
    { seq -s , 2 2 50; seq -s , 1 2 50; seq -s , 51 2 150; seq -s , 52 2 150; } >light.folds
    light="--data light.csv --weight w --folds light.folds --trees 10"
    run 0 crossval $light --label species --output light.out --json
    said "sporf crossval: 2 of 4 folds, the first of them 1, cannot be judged: the rows all weigh 0; the means leave them out"
    json "[f[\"error\"] is None for f in d[\"folds\"]] == [True, True, False, False]" \
        "abs(d[\"error\"] - (d[\"folds\"][2][\"error\"] + d[\"folds\"][3][\"error\"]) / 2) < 1e-12"
    [ "$(wc -l <light.out)" -eq 151 ]
    run 0 crossval $light --label species
    grep -Eq "^1 +25 +- +- +- +- " "$work/out"
    run 0 crossval $light --target petal_width --ignore species --json
    said "2 of 4 folds, the first of them 1, cannot be judged"
    json "d[\"folds\"][0][\"rmse\"] is None" "d[\"rmse\"] > 0"
    { seq -s , 1 50; seq -s , 51 150; } >heavy.folds
    run 1 crossval --data light.csv --weight w --folds heavy.folds --trees 5 --label species
    said "all weights are 0: no row is left to learn from"
'
it "rows that are left out one by one have no kappa" '
    sed "s/setosa/virginica/" iris.csv | awk "NR == 1 || NR % 5 == 0" >few.csv
    run 0 crossval --data few.csv --label species --trees 5 --folds 30 --json
    said "sporf crossval: 30 of 30 folds, the first of them 1, test one class only, where kappa says nothing; its mean leaves them out"
    json "d[\"kappa\"] is None and d[\"kappa_paper\"] is None and d[\"kappa_se\"] is None" \
        "d[\"error\"] == sum(f[\"error\"] for f in d[\"folds\"]) / 30"
    run 0 crossval --data few.csv --label species --trees 5 --folds 30
    grep -Eq "^mean +30 +0\.[0-9]+ +- +- +[0-9.]+$" "$work/out"
    run 0 crossval --data sorted.csv --label kind --folds sorted.folds --trees 20 --ignore y
    said "sporf crossval: fold 1 tests one class only, where kappa says nothing; its mean leaves it out"
'
it "threads change nothing" '
    run 0 crossval $iris --folds 3 --threads 1 --output one.csv --proba
    run 0 crossval $iris --folds 3 --threads 3 --output three.csv --proba
    same one.csv three.csv
'
it "fold files that do not fit are refused with file and line" '
    awk "BEGIN { for (i = 1; i <= 150; i++) printf \"%d%s\", i, i % 50 ? \",\" : \"\n\" }" >good.folds
    run 0 crossval $iris --folds good.folds
    sed "s/\$/\r/" good.folds >dos.folds
    run 0 crossval $iris --folds dos.folds
    sed "2s/51/151/" good.folds >far.folds
    refused 1 "far.folds, line 2: there is no row 151" crossval $iris --folds far.folds
    sed "3s/101/7/" good.folds >twice.folds
    refused 1 "twice.folds, line 3: row 7 is already in line 1" crossval $iris --folds twice.folds
    sed "3s/101,//" good.folds >lost.folds
    refused 1 "lost.folds: row 101 of 150 is in none" crossval $iris --folds lost.folds
    sed "1s/2,/two,/" good.folds >word.folds
    refused 1 "is not a row number" crossval $iris --folds word.folds
    : >empty.folds
    refused 1 "empty.folds" crossval $iris --folds empty.folds
    refused 1 "iris.csv, line 1" crossval $iris --folds iris.csv
    refused 1 "nowhere.folds" crossval $iris --folds nowhere.folds
'
it "scores are told even if the predictions cannot be written" '
    run 1 crossval --data iris.csv --label species --trees 5 --folds 3 --output /dev/full
    printed "kappa" "mean"
    said "/dev/full: cannot write: No space left"
'

it "wrong calls are refused" '
    for option in "--proba --output x.csv" "--combine posteriors"; do
        refused 2 "is for classification, but --target asks for regression" \
            crossval --data numbers.csv --target y --folds 4 $option
    done
    refused 2 "--folds is missing" crossval $iris
    for odd in 1 0 -5 2.5 +3 1e1 -0; do
        refused 2 "--folds must be a whole number of folds, at least 2, or a file that lists them, got '\''$odd'\''" \
            crossval $iris --folds=$odd
    done
    refused 2 "--folds must be" tune $iris --method ccf --folds=-5 --model none.sporf
    refused 2 "--proba adds to the file of --output" crossval $iris --folds 3 --proba
    refused 2 "are the same file" crossval $iris --folds 3 --output both --keep-folds both
    refused 2 "are the same file" crossval $iris --folds 3 --output both --curves both
    refused 2 "--curves is for classification" crossval --data iris.csv --target petal_width --folds 3 --curves c.csv
    refused 2 "got 151" crossval $iris --folds 151
    refused 2 "--search" crossval $iris --folds 3 --search all
    refused 2 "projections must be" crossval $iris --folds 3 --projections 1,p
    said "lists of values to try need --tune"
    refused 2 "lists of values to try need --tune" crossval $iris --folds 3 --projections p --density 1/p,2/p
    refused 2 "sporf tune takes lists" train $iris --projections 1,p --model none.sporf
    refused 2 "would be lost" crossval $iris --folds 3 --output iris.csv
    refused 2 "would be lost" crossval $iris --folds good.folds --keep-folds good.folds
    refused 1 "nowhere" crossval $iris --folds 3 --output nowhere/p.csv
    refused 1 "nowhere" crossval $iris --folds 3 --keep-folds nowhere/p.folds
    refused 2 "--label or --target, not both" crossval --data iris.csv --label species --target petal_width --folds 3
    refused 1 "too little" crossval $iris --folds 3 --max-memory 50K
'
it "scores of all folds have intervals and curves" '
    run 0 crossval $iris --folds 3 --intervals 100 --curves curves.csv --json
    json "d[\"scores\"][\"auc\"][\"low\"] <= d[\"scores\"][\"auc\"][\"value\"] <= d[\"scores\"][\"auc\"][\"high\"]" \
        "d[\"scores\"][\"log_loss\"][\"low\"] < d[\"scores\"][\"log_loss\"][\"value\"] < d[\"scores\"][\"log_loss\"][\"high\"]"
    head -1 curves.csv | grep -qx "class,threshold,false_positive_rate,recall,precision"
    [ "$(cut -d, -f1 curves.csv | sort -u | wc -l)" -eq 4 ]
'
it "categories, missing values and weights go along" '
    awk "BEGIN { print \"plan,age,w,left\"; split(\"basic plus family\", plan, \" \"); for (i = 0; i < 300; i++) {
        p = plan[1 + i * 7 % 3]; age = 20 + i * 37 % 50
        print (i % 20 ? p : \"\") \",\" age \",\" 1 + i % 3 \",\" ((p == \"basic\") + (age > 45) > 1 ? \"yes\" : \"no\") } }" >plans.csv
    run 0 crossval --data plans.csv --label left --weight w --trees 20 --folds 3 --json
    json "d[\"error\"] < 0.1" "d[\"weights\"][\"column\"] == \"w\""
'
finish
