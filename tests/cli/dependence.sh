#!/bin/sh
# sporf dependence: how predictions change with features, and which features act together.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" train --data iris.csv --label species --trees 20 --model m.sporf >/dev/null || exit 2
sed 1d iris.csv >bare.csv
"$SPORF" train --data bare.csv --label last --trees 5 --model bare.sporf >/dev/null || exit 2
"$SPORF" simulate friedman1 --rows 200 --features 8 --output f.csv || exit 2
"$SPORF" train --data f.csv --target y --trees 20 --model f.sporf >/dev/null || exit 2
# a name with a comma and quotes, one that is not ASCII, levels with commas, an order, missing values
awk 'BEGIN { print "\"plan, \"\"new\"\"\",größe,size,left"; split("basic,plus,fam", plan, ","); split("small medium large", size, " ")
    for (i = 0; i < 240; i++) { p = 1 + i * 7 % 3; g = 150 + i * 37 % 41
        print (p == 2 ? "\"plus, more\"" : plan[p]) "," (i % 20 ? g : "") "," size[1 + i % 3] "," ((p == 1) + (g > 170) > 1 ? "yes" : "no") } }' >plans.csv
"$SPORF" train --data plans.csv --label left --ordinal "size=small<medium<large" --trees 10 --model plans.sporf >/dev/null || exit 2

# expects DEFINITION: Python that sees `table`, the lines of standard output by column.
expects() {
    python3 - "$work/out" <<EOF
import csv, sys
table = list(csv.DictReader(open(sys.argv[1], newline="")))
$1
EOF
}

it "a curve for each of the five features that matter most, the most important first" '
    run 0 dependence --model f.sporf --data f.csv
    said_nothing
    cp "$work/out" curves.csv
    run 0 importance --model f.sporf --top 5 --json
    python3 - "$work/out" <<EOF
import csv, json, sys
wanted = [f["name"] for f in json.load(open(sys.argv[1]))["importances"]]
table = list(csv.DictReader(open("curves.csv")))
assert list(table[0]) == ["feature", "value", "prediction"]
assert list(dict.fromkeys(line["feature"] for line in table)) == wanted
assert len(table) == 500
EOF
    run 0 dependence --model f.sporf --data f.csv --top 1 --grid 7
    [ "$(wc -l <"$work/out")" -eq 8 ]
'
it "it is the mean of what predict gives with the feature replaced" '
    run 0 dependence --model m.sporf --data iris.csv --features petal_length --kind ice --grid 3
    cp "$work/out" curves.csv
    python3 - <<EOF
import csv
lines = list(csv.DictReader(open("iris.csv")))
values = list(dict.fromkeys(line["value"] for line in csv.DictReader(open("curves.csv"))))
for i, value in enumerate(values):
    with open("replaced%d.csv" % i, "w", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows({**line, "petal_length": value} for line in lines)
EOF
    for i in 0 1 2; do "$SPORF" predict --model m.sporf --data "replaced$i.csv" --proba --output "said$i.csv"; done
    python3 - <<EOF
import csv
curves = list(csv.DictReader(open("curves.csv")))
names = list(curves[0])[3:]
means, rows = [c for c in curves if not c["row"]], [c for c in curves if c["row"]]
assert len(means) == 3
for i, mean in enumerate(means):
    said = list(csv.DictReader(open("said%d.csv" % i)))
    assert len(rows) == 3 * len(said)
    for line in rows:
        if line["value"] == mean["value"]:
            assert [line[n] for n in names] == [said[int(line["row"]) - 1][n] for n in names]
    for name in names:
        assert abs(float(mean[name]) - sum(float(s[name]) for s in said) / len(said)) < 1e-12
EOF
'
it "names are quoted where they need it, and values are levels" '
    run 0 dependence --model plans.sporf --data plans.csv --grid 4 --class yes
    expects "
assert list(table[0]) == [\"feature\", \"value\", \"yes\"], table[0]
by = {}
for line in table: by.setdefault(line[\"feature\"], []).append(line[\"value\"])
assert by[\"plan, \\\"new\\\"\"] == [\"basic\", \"fam\", \"plus, more\"], by
assert by[\"size\"] == [\"small\", \"medium\", \"large\"] and len(by[\"größe\"]) == 4, by"
    grep -v medium plans.csv >fewer.csv
    run 0 dependence --model plans.sporf --data fewer.csv --features size
    [ "$(cut -d, -f2 "$work/out" | tr "\n" " ")" = "value small large " ]
'
it "pairs have all combinations of their values" '
    run 0 dependence --model plans.sporf --data plans.csv --features 1,size --pairs
    expects "
assert list(table[0]) == [\"feature\", \"feature_2\", \"value\", \"value_2\", \"no\", \"yes\"]
assert len({(t[\"value\"], t[\"value_2\"]) for t in table}) == 9 == len(table)"
    run 0 dependence --model m.sporf --data iris.csv --pairs --grid 3 --top 3
    expects "assert len(table) == 27 and len({(t[\"feature\"], t[\"feature_2\"]) for t in table}) == 3"
'
it "local effects are around 0, and leave out what has no order" '
    run 0 dependence --model plans.sporf --data plans.csv --kind ale --grid 5 --class yes
    expects "
assert {t[\"feature\"] for t in table} == {\"größe\", \"size\"}
effects = [float(t[\"yes\"]) for t in table if t[\"feature\"] == \"größe\"]
assert len(effects) == 6 and effects[0] < 0 < effects[-1]"
    refused 2 "needs an order" dependence --model plans.sporf --data plans.csv --kind ale --features 1
    refused 2 "single features" dependence --model m.sporf --data iris.csv --kind ale --pairs
'
it "interactions: the strongest pairs first, then each feature with all others" '
    run 0 dependence --model f.sporf --data f.csv --interactions 2 --sample 40
    expects "
assert list(table[0]) == [\"feature\", \"feature_2\", \"h\", \"strength\"]
pairs, single = table[:2], table[2:]
assert {pairs[0][\"feature\"], pairs[0][\"feature_2\"]} == {\"x1\", \"x2\"}
assert float(pairs[0][\"strength\"]) >= float(pairs[1][\"strength\"])
assert len(single) == 5 and all(t[\"feature_2\"] == t[\"strength\"] == \"\" for t in single)"
    run 0 dependence --model f.sporf --data f.csv --interactions --features x1,x2,x4 --sample 40 --json
    json "d[\"rows\"] == 40 and len(d[\"interactions\"]) == 3 and len(d[\"total\"]) == 3" \
        "d[\"interactions\"][0][\"names\"] == [\"x1\", \"x2\"] and d[\"interactions\"][0][\"features\"] == [0, 1]"
    refused 2 "does not go with --interactions" dependence --model f.sporf --data f.csv --interactions --grid 5
    refused 2 "at least 2 features" dependence --model f.sporf --data f.csv --interactions --features x1
'
it "--json has the same numbers" '
    run 0 dependence --model plans.sporf --data plans.csv --features size,größe --grid 3 --kind ice --sample 9 --output c.csv
    printed_nothing
    run 0 dependence --model plans.sporf --data plans.csv --features size,größe --grid 3 --kind ice --sample 9 --json
    python3 - "$work/out" <<EOF
import csv, json, sys
d, table = json.load(open(sys.argv[1])), iter(list(csv.DictReader(open("c.csv"))))
assert d["kind"] == "ice" and d["outputs"] == ["no", "yes"] and d["model"] == "plans.sporf"
assert [f["names"] for f in d["dependence"]] == [["size"], ["größe"]] and d["dependence"][0]["rows"] == 9
for found in d["dependence"]:
    curves = [("", found["mean"])] + [(str(c["row"] + 1), c["predictions"]) for c in found["individual"]]
    assert len(curves) == 10
    for row, curve in curves:
        for value, outputs in zip(found["values"][0], curve):
            line = next(table)
            assert line["row"] == row and line["value"] == (value if isinstance(value, str) else "%g" % value), line
            assert [float(line["no"]), float(line["yes"])] == outputs
assert next(table, None) is None
EOF
'
it "weights and samples count, threads do not" '
    awk -F, "NR == 1 { print \$0 \",w\"; next } { print \$0 \",\" (NR % 3) }" f.csv >weighted.csv
    run 0 dependence --model f.sporf --data f.csv --top 2 --grid 9 --threads 1 && cp "$work/out" one
    run 0 dependence --model f.sporf --data f.csv --top 2 --grid 9 --threads 4 && same one "$work/out"
    run 0 dependence --model f.sporf --data weighted.csv --top 2 --grid 9 && same one "$work/out"
    run 0 dependence --model f.sporf --data weighted.csv --weight w --top 2 --grid 9 && differ one "$work/out"
    run 0 dependence --model f.sporf --data f.csv --top 2 --sample 50 --seed 1 && cp "$work/out" sample
    run 0 dependence --model f.sporf --data f.csv --top 2 --sample 50 --seed 1 && same sample "$work/out"
    run 0 dependence --model f.sporf --data f.csv --top 2 --sample 50 --seed 2 && differ sample "$work/out"
'
it "boosted models: probabilities, or scores" '
    run 0 boost --data plans.csv --label left --rounds 5 --model b.sporf
    run 0 dependence --model b.sporf --data plans.csv --top 1
    [ "$(head -n 1 "$work/out")" = feature,value,no,yes ]
    run 0 dependence --model b.sporf --data plans.csv --top 1 --scores
    [ "$(head -n 1 "$work/out")" = feature,value,score ]
    refused 2 "one score" dependence --model b.sporf --data plans.csv --scores --class yes
    refused 2 "--scores is for boosted models" dependence --model m.sporf --data iris.csv --scores
    refused 2 "--combine is for forests" dependence --model b.sporf --data plans.csv --combine votes
'
it "a model without names takes numbers, and a label column is left out" '
    run 0 dependence --model bare.sporf --data bare.csv --label last --features 3,x1 --grid 4
    [ "$(cut -d, -f1 "$work/out" | sort -u | tr "\n" " ")" = "feature x1 x3 " ]
    refused 2 "give a number from 1 to 4" dependence --model bare.sporf --data bare.csv --label last --features 5
    refused 1 "left out with --label C" dependence --model bare.sporf --data bare.csv
    run 0 dependence --model f.sporf --data f.csv --label y --top 1
'
it "one row, and a feature with one value, are enough" '
    sed 2q iris.csv >row.csv
    run 0 dependence --model m.sporf --data row.csv --features petal_length
    [ "$(wc -l <"$work/out")" -eq 2 ]
    run 0 dependence --model m.sporf --data row.csv --features petal_length --kind ale
    [ "$(wc -l <"$work/out")" -eq 2 ]
'
it "what cannot be is refused" '
    refused 2 "no feature '\''petal_lenth'\''; did you mean '\''petal_length'\''?" \
        dependence --model m.sporf --data iris.csv --features petal_lenth
    refused 2 "names '\''1'\'' twice" dependence --model m.sporf --data iris.csv --features sepal_length,1
    refused 2 "without a name" dependence --model m.sporf --data iris.csv --features a,,b
    refused 2 "no class '\''setossa'\''; did you mean '\''setosa'\''?" dependence --model m.sporf --data iris.csv --class setossa
    refused 2 "--class is for classification" dependence --model f.sporf --data f.csv --class a
    refused 2 "--top does not go with --features" dependence --model f.sporf --data f.csv --features x1 --top 2
    refused 2 "--grid must be a whole number, at least 2" dependence --model m.sporf --data iris.csv --grid 1
    refused 2 "--kind must be one of pdp|ice|ale" dependence --model m.sporf --data iris.csv --kind pd
    head -n 1 iris.csv >none.csv
    refused 1 "no rows" dependence --model m.sporf --data none.csv
    python3 - <<EOF
import csv
lines = list(csv.reader(open("plans.csv")))
with open("missing.csv", "w", newline="") as file:
    csv.writer(file).writerows([lines[0]] + [[p, "", s, y] for p, g, s, y in lines[1:]])
EOF
    refused 1 "'\''größe'\'' has no values in the table" dependence --model plans.sporf --data missing.csv --features größe
    sed "s/basic/odd/" plans.csv >odd.csv
    run 0 dependence --model plans.sporf --data odd.csv --features size
    said "a level that the model does not know"
'
it "outputs that would overwrite inputs, or cannot be written, are refused" '
    refused 2 "would be lost" dependence --model m.sporf --data iris.csv --output iris.csv
    refused 1 "nowhere" dependence --model m.sporf --data iris.csv --output nowhere/c.csv
    got=0
    "$SPORF" dependence --model m.sporf --data iris.csv >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "cannot write to standard output: No space left"
'
finish
