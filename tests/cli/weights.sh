#!/bin/sh
# Weights of rows and of classes: their scale does not matter, counts behave like repeated rows, and both
# verbs tell of them.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

# weighted.csv has numbers, a category, holes and whole weights; repeated.csv has each row as often.
python3 - <<'END'
import random
random.seed(7)
with open("weighted.csv", "w") as weighted, open("repeated.csv", "w") as repeated:
    weighted.write("x,y,city,w,class\n")
    repeated.write("x,y,city,class\n")
    for i in range(120):
        x, y = "%.2f" % random.random(), "%.2f" % random.random() if random.random() < .9 else ""
        city, weight = random.choice(["Rome", "Oslo", "Bonn", "Kyiv", "NA"]), random.choice([0, 1, 1, 2, 3])
        label = "yes" if float(x) + .3 * (city in ("Rome", "Kyiv")) + .2 * random.random() > .8 else "no"
        weighted.write("%s,%s,%s,%d,%s\n" % (x, y, city, weight, label))
        repeated.write(("%s,%s,%s,%s\n" % (x, y, city, label)) * weight)
END
cut -d, -f1-3,5 weighted.csv >plain.csv
train="train --data weighted.csv --label class --trees 20"

# structure MODEL FILE: its trees.
structure() {
    run 0 inspect --model "$1" --tree all --json
    python3 -c "import json, sys; json.dump(json.load(sys.stdin)[\"structure\"], sys.stdout)" <"$work/out" >"$2"
    [ "$(wc -c <"$2")" -gt 1000 ]
}

it "counts give the trees of the repeated rows" '
    run 0 $train --weight w --weight-is count --bag none --split exact --model w.sporf
    run 0 train --data repeated.csv --label class --trees 20 --bag none --split exact --model r.sporf
    structure w.sporf w.json
    structure r.sporf r.json
    same w.json r.json
    run 0 train --data plain.csv --label class --trees 20 --bag none --split exact --model p.sporf
    structure p.sporf p.json
    differ w.json p.json
'
it "and with a bootstrap, too" '
    run 0 $train --weight w --weight-is count --projections p --split exact --model w.sporf
    run 0 train --data repeated.csv --label class --trees 20 --projections p --split exact --model r.sporf
    structure w.sporf w.json
    structure r.sporf r.json
    same w.json r.json
'
it "weights times a number give the same model" '
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$4 *= 250 } { print }" weighted.csv >hundreds.csv
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$4 = 250 } { print }" weighted.csv >equal.csv
    run 0 $train --weight w --min-leaf 4 --model a.sporf
    run 0 train --data hundreds.csv --label class --trees 20 --weight w --min-leaf 4 --model b.sporf
    same a.sporf b.sporf
    run 0 inspect --model a.sporf --json
    json "d[\"settings\"][\"weight\"] == \"w\"" "d[\"settings\"][\"weight-is\"] == \"relative\""
    run 0 train --data equal.csv --label class --trees 20 --weight w --model a.sporf
    run 0 train --data plain.csv --label class --trees 20 --model b.sporf
    same a.sporf b.sporf
'
it "a model knows the column of its weights" '
    for kind in relative count; do
        run 0 $train --projections p --weight w --weight-is $kind --model w.sporf
        run 0 importance --model w.sporf --data weighted.csv --permutation && cp "$work/out" alone
        run 0 importance --model w.sporf --data weighted.csv --permutation --weight w && same alone "$work/out"
        run 0 strength --model w.sporf --data weighted.csv
        run 0 train --data weighted.csv --extend w.sporf --trees 25 --model more.sporf
        run 0 train --data weighted.csv --label class --trees 25 --projections p --weight w --weight-is $kind --model whole.sporf
        same more.sporf whole.sporf
    done
    refused 1 "no weight column '\''w'\''" importance --model w.sporf --data plain.csv --permutation
    run 0 $train --weight 4 --model w.sporf
    run 0 strength --model w.sporf --data weighted.csv
    sed 1d weighted.csv >bare.csv
    run 0 train --data bare.csv --label 5 --weight 4 --trees 20 --model bare.sporf
    refused 1 "trained with row weights, but the data have none; give the same weights (--weight)" \
        strength --model bare.sporf --data bare.csv --label 5
    awk -F, "BEGIN { OFS = FS } { \$4 = 1 + NR % 3; print }" bare.csv >other.csv
    refused 1 "with the same labels (--label-file) and weights (--weight)" \
        strength --model bare.sporf --data other.csv --label 5 --weight 4
'
it "scores count rows as they weigh" '
    run 0 train --data plain.csv --label class --trees 3 --max-depth 2 --model s.sporf
    run 0 evaluate --model s.sporf --data weighted.csv --weight w --json && cp "$work/out" w.json
    run 0 evaluate --model s.sporf --data repeated.csv --json && cp "$work/out" r.json
    run 0 evaluate --model s.sporf --data weighted.csv --json && cp "$work/out" p.json
    python3 - <<END
import json
w, r, p = (json.load(open(name + ".json")) for name in "wrp")
for key in "error kappa kappa_paper log_loss brier calibration_error".split():
    assert abs(w[key] - r[key]) < 1e-9, (key, w[key], r[key])
    assert abs(w[key] - p[key]) > 1e-6, (key, w[key], p[key])
assert w["rows"] == p["rows"] == 120 and sum(map(sum, w["confusion"])) == 120
assert p["weights"] is None and w["weights"]["sum"] == r["rows"]
END
'
it "the out-of-bag error counts rows as they weigh" '
    awk "BEGIN { print \"x,w,class\"; for (i = 0; i < 60; i++)
        print i % 2 \",\" (i < 20 ? 9 : 1) \",\" (i < 20 ? i % 2 : (i + (i < 30)) % 2) }" >slips.csv
    slips="train --data slips.csv --label class --bag subsample --trees 200 --model x.sporf --json"
    run 0 $slips --weight w
    json "d[\"oob_rows\"] == 60" "abs(d[\"oob_error\"] - 10 / 220) < 1e-9"
    run 0 $slips --ignore w
    json "d[\"oob_rows\"] == 60" "abs(d[\"oob_error\"] - 10 / 60) < 1e-9" "d[\"weights\"] is None"
'
it "both verbs tell what the weights are" '
    run 0 $train --weight w --model w.sporf --json
    json "d[\"weights\"][\"column\"] == \"w\"" "d[\"weights\"][\"least\"] == 0" \
        "d[\"weights\"][\"largest\"] == 3" "d[\"weights\"][\"zero_rows\"] > 0" \
        "d[\"weights\"][\"sum\"] == $(($(wc -l <repeated.csv) - 1))" "d[\"features\"] == 3" "d[\"rows\"] == 120"
    run 0 $train --weight w --model w.sporf
    printed "weights       w: 0 to 3 for a row, $(($(wc -l <repeated.csv) - 1)) in all" "of weight 0"
    run 0 evaluate --model w.sporf --data weighted.csv --weight w
    printed "weights       w: 0 to 3 for a row"
    said_nothing
    run 0 evaluate --model w.sporf --data weighted.csv
    if grep -q "^weights" "$work/out"; then exit 1; fi
    said "the scores are unweighted" "column '\''w'\''" "--weight"
    run 0 crossval --data weighted.csv --label class --weight w --trees 5 --projections p --folds 2
    printed "weights       w: 0 to 3 for a row"
    run 0 tune --data weighted.csv --label class --weight w --trees 5 --projections p --model t.sporf
    printed "weights       w: 0 to 3 for a row" "compared by   out-of-bag error"
    run 0 train --help
    printed "--weight C"
    run 0 evaluate --help
    printed "--weight C"
'
it "a column is named by its number as well, and weights need not be whole" '
    sed "2,\$s/,\([0-9]*\),\([a-z]*\)\$/,\1.5,\2/" weighted.csv >half.csv
    run 0 train --data half.csv --label class --weight 4 --trees 5 --model x.sporf --json
    json "d[\"weights\"][\"least\"] == 0.5" "d[\"weights\"][\"zero_rows\"] == 0" "d[\"features\"] == 3"
    run 0 evaluate --model x.sporf --data half.csv --weight 4
    sed 1d half.csv >bare.csv
    run 0 train --data bare.csv --label 5 --weight 4 --trees 5 --model bare.sporf
    run 0 evaluate --model bare.sporf --data bare.csv --label 5 --weight 4
'
it "prediction passes the column over" '
    run 0 $train --weight w --model w.sporf
    run 0 predict --model w.sporf --data weighted.csv && cp "$work/out" with
    run 0 predict --model w.sporf --data plain.csv && same with "$work/out"
'
# wrong CELL TEXT: with the cell as the weight of the first row, both verbs refuse and say the text.
wrong() {
    awk -F, -v cell="$1" "BEGIN { OFS = FS } NR == 2 { \$4 = cell } { print }" weighted.csv >wrong.csv
    refused 1 "$2" train --data wrong.csv --label class --weight w --model no.sporf
    said wrong.csv
    refused 1 "$2" evaluate --data wrong.csv --weight w --model w.sporf
    said wrong.csv
    [ ! -e no.sporf ]
}
it "weights that are none are refused with their place" '
    run 0 $train --weight w --model w.sporf
    wrong -1 "row 1: weight -1; weights must not be negative"
    wrong "" "the weight column '\''w'\'' is missing in 1 of 120 rows, first in row 1"
    wrong NA "missing in 1 of 120 rows"
    wrong heavy "line 2, column 4 ('\''w'\''): '\''heavy'\'' is not a number"
    wrong inf "line 2, column 4"
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$4 = 0 } { print }" weighted.csv >zero.csv
    refused 1 "all weights are 0" train --data zero.csv --label class --weight w --model no.sporf
    refused 1 "all weights are 0" evaluate --data zero.csv --weight w --model w.sporf
    awk -F, "BEGIN { OFS = FS } NR > 1 && \$5 == \"yes\" { \$4 = 0 } { print }" weighted.csv >one.csv
    refused 1 "only the class '\''no'\'' has rows of weight above 0" \
        train --data one.csv --label class --weight w --model no.sporf
'
it "a column that is not there, or is something else, is refused" '
    run 0 $train --weight w --model w.sporf
    refused 1 "did you mean '\''city'\''" $train --weight citi --model no.sporf
    refused 1 "weight" $train --weight 9 --model no.sporf
    refused 1 "weight" $train --weight class --model no.sporf
    refused 1 "weight" $train --weight w --ignore w --model no.sporf
    refused 1 "weight" evaluate --data plain.csv --weight w --model w.sporf
    refused 1 "is not a number" $train --weight city --model no.sporf
    refused 2 "--weight" predict --data plain.csv --weight w --model w.sporf
'
it "--class-weights shape the forest and stay with it" '
    run 0 train --data plain.csv --label class --trees 9 --projections p --model a.sporf
    for value in balanced yes=5 "no=0.5,yes=2"; do
        run 0 train --data plain.csv --label class --trees 9 --projections p --class-weights $value --model b.sporf --json
        json "d[\"settings\"][\"class-weights\"] == \"$value\""
        run 0 inspect --model b.sporf
        tr -s " \n" " " <"$work/out" >words
        holds words "class-weights $value, scale none, seed 1" "weighted by class"
        structure a.sporf a.json
        structure b.sporf b.json
        differ a.json b.json
    done
    run 0 train --data plain.csv --label class --trees 9 --projections p --class-weights none --model b.sporf
    same a.sporf b.sporf
'
it "a weight for all rows of a class is the weight of the class" '
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$4 = \$5 == \"yes\" ? 3 : 1 } { print }" weighted.csv >classes.csv
    run 0 train --data classes.csv --label class --weight w --trees 9 --model a.sporf
    run 0 train --data plain.csv --label class --class-weights yes=3 --trees 9 --model b.sporf
    structure a.sporf a.json
    structure b.sporf b.json
    same a.json b.json
'
it "balanced classes have the same weight at the root" '
    run 0 train --data plain.csv --label class --trees 1 --bag none --min-split 100000 --class-weights balanced \
        --model b.sporf
    run 0 inspect --model b.sporf --tree 1 --json
    json "max(d[\"structure\"][0][\"nodes\"][0][\"class_weights\"]) / min(d[\"structure\"][0][\"nodes\"][0][\"class_weights\"]) < 1.001"
    run 0 train --data plain.csv --label class --trees 1 --bag none --min-split 100000 --class-weights balanced \
        --weight-is count --model b.sporf
    run 0 inspect --model b.sporf --tree 1 --json
    json "max(d[\"structure\"][0][\"nodes\"][0][\"class_weights\"]) - 60 < .01" \
        "60 - min(d[\"structure\"][0][\"nodes\"][0][\"class_weights\"]) < .01"
'
it "train says where large counts leave too few rows out of bag" '
    python3 -c "
import random
random.seed(3)
print(\"x,w,y,class\")
for i in range(300):
    x = random.random()
    print(\"%.3f,%d,%.2f,%s\" % (x, 40 + i % 9, x, \"yes\" if i % 60 == 0 else \"no\" if i % 3 else \"so\"))" >heavy.csv
    heavy="train --data heavy.csv --model h.sporf --weight-is count --trees"
    run 0 $heavy 30 --label class --weight w --ignore y
    said "only 0 of 300 rows were out of bag: rows of large counts are in every bootstrap; --bag subsample leaves out"
    run 0 $heavy 30 --target y --weight w --ignore class
    said "only 0 of 300 rows were out of bag"
    run 0 $heavy 30 --label class --class-weights balanced --ignore y,w
    said "only 0 of 5 rows of class '\''yes'\'' were out of bag: rows of large counts are in every bootstrap"
    for more in "30 --bag subsample" "30 --bag none" 9; do
        run 0 $heavy $more --label class --class-weights balanced --ignore y,w
        said_nothing
    done
    run 0 $heavy 30 --label class --class-weights no=0 --ignore y,w
    said_nothing
    run 0 $heavy 30 --label class --ignore y,w
    said_nothing
    for more in "--label class --weight w --ignore y" "--target y --weight w --ignore class" \
        "--label class --class-weights balanced --ignore y,w"; do
        run 0 train --data heavy.csv --model h.sporf --trees 30 $more --json
        said_nothing
        json "d[\"oob_rows\"] == 300"
    done
'
it "class weights that are none are refused" '
    for value in -1 yes=-1 yes=NaN yes= =3 yes yes=1,no ""; do
        refused 2 "class-weights" $train "--class-weights=$value" --model no.sporf
    done
    refused 2 "did you mean '\''yes'\''" $train --class-weights yess=2 --model no.sporf
    refused 2 "'\''balanced'\'' stands alone" $train --class-weights balanced,yes=3 --model no.sporf
    refused 2 "twice" $train --class-weights yes=2,yes=3 --model no.sporf
    refused 1 "weights are 0" $train --class-weights yes=0,no=0 --model no.sporf
'
finish
