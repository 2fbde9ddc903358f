#!/bin/sh
# sporf importance: features and projections by what their splits take away.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" train --data iris.csv --label species --trees 40 --model m.sporf >/dev/null || exit 2
sed 1d iris.csv >bare.csv
"$SPORF" train --data bare.csv --label last --trees 5 --model bare.sporf >/dev/null || exit 2
"$SPORF" simulate friedman1 --rows 600 --features 30 --output f.csv || exit 2
"$SPORF" train --data f.csv --target y --trees 20 --model f.sporf >/dev/null || exit 2

it "features are listed by importance, with their names" '
    run 0 importance --model m.sporf
    said_nothing
    [ "$(head -n 1 "$work/out")" = "importance  feature" ]
    [ "$(wc -l <"$work/out")" -eq 5 ]
    printed petal_length petal_width sepal_length sepal_width
    sed 1d "$work/out" | awk "{ if (NR > 1 && \$1 > last) exit 1; last = \$1; sum += \$1 } END { exit sum < .999 || sum > 1.001 }"
    sed -n 2p "$work/out" | grep -q petal
'
it "features without names are numbered from 1" '
    run 0 importance --model bare.sporf --projections
    [ "$(sed -n "2,5p" "$work/out" | awk "{ print \$2 }" | sort | tr "\n" " ")" = "x1 x2 x3 x4 " ]
    if grep -q "x0" "$work/out"; then exit 1; fi
'
it "projections are listed as inspect writes them" '
    run 0 importance --model m.sporf --projections --top 3
    [ "$(sed -n 6p "$work/out")" = "" ]
    [ "$(sed -n 7p "$work/out")" = "importance    splits  projection" ]
    grep -q "^and 1 more features$" "$work/out"
    tail -n 1 "$work/out" | grep -Eq "^and [0-9,]+ more projections$"
    sed -n "8,10p" "$work/out" | sed "s/^ *[0-9.]*  *[0-9,]*  //" >lines
    run 0 inspect --model m.sporf --tree all && cp "$work/out" trees
    while read -r line; do grep -qF -- "$line <= " trees || exit 1; done <lines
'
it "--json has the same numbers, and all of them with --top all" '
    run 0 importance --model m.sporf --projections --top all --json
    json "d[\"features\"] == 4 and d[\"trees\"] == 40" \
        "abs(sum(f[\"importance\"] for f in d[\"importances\"]) - 1) < 1e-12" \
        "sorted(f[\"feature\"] for f in d[\"importances\"]) == [0, 1, 2, 3]" \
        "abs(sum(p[\"importance\"] for p in d[\"projections\"]) - 1) < 1e-9" \
        "len(d[\"projections\"]) == d[\"distinct_projections\"]" "d[\"sets\"] == []" \
        "len({(tuple(p[\"features\"]), tuple(p[\"weights\"])) for p in d[\"projections\"]}) == len(d[\"projections\"])"
    cp "$work/out" all.json
    run 0 inspect --model m.sporf --json
    python3 - "$work/out" <<EOF
import json, sys
all, inspected = json.load(open("all.json")), json.load(open(sys.argv[1]))
assert sum(p["splits"] for p in all["projections"]) == inspected["nodes"] - inspected["leaves"]
EOF
    run 0 importance --model m.sporf --json
    json "\"projections\" not in d and \"sets\" not in d"
'
it "a stranger can recount them from the trees" '
    run 0 importance --model m.sporf --projections --top all --json && cp "$work/out" found.json
    run 0 inspect --model m.sporf --tree all --json && cp "$work/out" trees.json
    python3 - <<EOF
import json
from collections import defaultdict
found, model = json.load(open("found.json")), json.load(open("trees.json"))
features, lines = defaultdict(float), defaultdict(float)
def below(nodes, at):
    node, counts = nodes[at], defaultdict(float)
    if "classes" in node:
        counts.update(zip(node["classes"], node["class_weights"]))
        return counts
    left, right = below(nodes, node["left"]), below(nodes, node["right"])
    for side in left, right:
        for k, w in side.items(): counts[k] += w
    impure = lambda c: sum(c.values()) - sum(w * w for w in c.values()) / sum(c.values())
    gain = impure(counts) - impure(left) - impure(right)
    lines[tuple(node["features"]), tuple(node["weights"])] += gain
    for j in node["features"]: features[j] += gain / len(node["features"])
    return counts
for tree in model["structure"]: below(tree["nodes"], 0)
total = sum(lines.values())
for f in found["importances"]: assert abs(f["importance"] - features[f["feature"]] / total) < 1e-9, f
assert len(found["projections"]) == len(lines)
for p in found["projections"]:
    assert abs(p["importance"] - lines[tuple(p["features"]), tuple(p["weights"])] / total) < 1e-9, p
EOF
'
it "20 are shown by default" '
    run 0 importance --model f.sporf --projections
    [ "$(sed -n "2,\$p" "$work/out" | grep -c "^ *0\.[0-9]* *x")" -eq 20 ]
    grep -q "^and 10 more features$" "$work/out"
    [ "$(grep -c " [+][0-9.]* x" "$work/out")" -eq 20 ]
'
it "numbers: the features that make them up come first" '
    run 0 importance --model f.sporf --top 5
    [ "$(sed -n "2,6p" "$work/out" | awk "{ print \$2 }" | sort | tr "\n" " ")" = "x1 x2 x3 x4 x5 " ]
'
it "categories are one feature, and projections name their levels" '
    awk "BEGIN { print \"plan,age,left\"; split(\"basic plus family\", plan, \" \"); for (i = 0; i < 300; i++) {
        p = plan[1 + i * 7 % 3]; age = 20 + i * 37 % 50
        print (i % 20 ? p : \"\") \",\" age \",\" ((p == \"basic\") + (age > 45) > 1 ? \"yes\" : \"no\") } }" >plans.csv
    run 0 train --data plans.csv --label left --trees 20 --model plans.sporf
    run 0 importance --model plans.sporf --projections
    [ "$(sed -n "2,3p" "$work/out" | awk "{ print \$2 }" | sort | tr "\n" " ")" = "age plan " ]
    printed "[plan in basic]"
    run 0 importance --model plans.sporf --projections --json
    json "len(d[\"sets\"]) > 0" "any(f >= 2 for p in d[\"projections\"] for f in p[\"features\"])"
'
it "--output writes a CSV file, and not over the model" '
    run 0 importance --model m.sporf --output table.csv
    printed_nothing
    said_nothing
    [ "$(head -n 1 table.csv)" = "kind,name,importance" ]
    run 0 importance --model m.sporf --json && cp "$work/out" table.json
    python3 - <<EOF
import csv, json
rows, said = list(csv.DictReader(open("table.csv"))), json.load(open("table.json"))["importances"]
assert [(r["kind"], r["name"], float(r["importance"])) for r in rows] == [
    ("feature", f["name"], f["importance"]) for f in said]
EOF
    run 0 importance --model m.sporf --output - && cp "$work/out" dash
    run 0 importance --model m.sporf && same dash "$work/out"
    run 0 importance --model m.sporf --output said.json --json && printed_nothing && same said.json table.json
    refused 2 "would be lost" importance --model m.sporf --output m.sporf
    refused 1 "nowhere" importance --model m.sporf --output nowhere/table.csv
'
it "the CSV file has projections and permutations, and all of them unless --top is given" '
    run 0 importance --model f.sporf --projections --permutation --data f.csv --output all.csv
    run 0 importance --model f.sporf --projections --permutation --data f.csv --top all --json
    cp "$work/out" all.json
    python3 - <<EOF
import csv, json
rows, said = list(csv.DictReader(open("all.csv"))), json.load(open("all.json"))
features = [r for r in rows if r["kind"] == "feature"]
projections = [r for r in rows if r["kind"] == "projection"]
assert rows == features + projections and len(features) == 30
assert len(projections) == said["distinct_projections"]
for row, one in zip(features, said["importances"]):
    assert row["name"] == one["name"] and row["splits"] == ""
    for key in "importance", "permutation", "permutation_error": assert float(row[key]) == one[key]
for row, one in zip(projections, said["projections"]):
    assert float(row["importance"]) == one["importance"] and int(row["splits"]) == one["splits"]
    assert row["permutation"] == row["permutation_error"] == ""
    assert row["name"].count(" x") == len(one["features"])
EOF
    run 0 importance --model f.sporf --projections --top 3 --output three.csv
    [ "$(grep -c "^feature," three.csv) $(grep -c "^projection," three.csv) $(wc -l <three.csv)" = "3 3 7" ]
    run 0 importance --model bare.sporf --output bare.out
    [ "$(sed 1d bare.out | cut -d, -f2 | sort | tr "\n" " ")" = "x1 x2 x3 x4 " ]
'
it "what is not known is empty there" '
    run 0 train --data iris.csv --label species --trees 1 --model one.sporf
    run 0 importance --model one.sporf --permutation --data iris.csv --output one.csv
    [ "$(sed 1d one.csv | grep -c ",$")" -eq 4 ]
'
it "text with commas is quoted there" '
    sed "1s/petal_length/\"petal, long\"/" iris.csv >comma.csv
    run 0 train --data comma.csv --label species --trees 5 --model comma.sporf
    run 0 importance --model comma.sporf --projections --output comma.out
    python3 - <<EOF
import csv
rows = list(csv.DictReader(open("comma.out")))
assert "petal, long" in [r["name"] for r in rows if r["kind"] == "feature"]
assert any("petal, long" in r["name"] for r in rows if r["kind"] == "projection")
assert all(float(r["importance"]) >= 0 and None not in r for r in rows)
EOF
'
it "wrong calls are refused" '
    refused 2 "--model is missing" importance
    refused 2 "--top" importance --model m.sporf --top 0
    refused 2 "--top" importance --model m.sporf --top some
    refused 1 "nowhere.sporf" importance --model nowhere.sporf
    head -c 3000 m.sporf >cut.sporf
    refused 1 "cut.sporf" importance --model cut.sporf
'
it "an output that cannot be written is an error" '
    got=0
    "$SPORF" importance --model m.sporf --projections >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "sporf importance: cannot write to standard output: No space left"
'
it "--permutation adds how much the error grows, and orders by it" '
    run 0 importance --model m.sporf --permutation --data iris.csv
    said_nothing
    [ "$(head -n 1 "$work/out")" = "importance   permutation     std error  feature" ]
    [ "$(wc -l <"$work/out")" -eq 5 ]
    sed 1d "$work/out" | awk "{ if (NR > 1 && \$2 > last) exit 1; last = \$2 }"
    run 0 importance --model m.sporf --permutation --data iris.csv --json --projections
    json "len(d[\"importances\"]) == 4 and \"projections\" in d" \
        "all(0 <= f[\"permutation_error\"] < .1 and -.1 < f[\"permutation\"] < 1 for f in d[\"importances\"])" \
        "max(f[\"permutation\"] for f in d[\"importances\"]) > .05" \
        "abs(sum(f[\"importance\"] for f in d[\"importances\"]) - 1) < 1e-12"
'
it "--permutation finds the features of friedman1, in squared units" '
    run 0 importance --model f.sporf --permutation --data f.csv --top 5
    [ "$(sed -n "2,5p" "$work/out" | awk "{ print \$4 }" | sort | tr "\n" " ")" = "x1 x2 x4 x5 " ]
    sed -n 2p "$work/out" | awk "{ exit !(\$2 > 3) }"
'
it "shuffles depend on the seed, not on threads" '
    run 0 importance --model m.sporf --permutation --data iris.csv --json --threads 1 && cp "$work/out" one
    run 0 importance --model m.sporf --permutation --data iris.csv --json --threads 4 && same one "$work/out"
    run 0 importance --model m.sporf --permutation --data iris.csv --json --seed 1 && same one "$work/out"
    run 0 importance --model m.sporf --permutation --data iris.csv --json --seed 2 && differ one "$work/out"
'
it "--permutation needs the training table, which is for it alone" '
    refused 2 "--permutation needs --data" importance --model m.sporf --permutation
    refused 2 "--data is for --permutation" importance --model m.sporf --data iris.csv
    sed 40q iris.csv >fewer.csv
    refused 1 "not those that the forest was trained on" importance --model m.sporf --permutation --data fewer.csv
    refused 2 "--seed" importance --model m.sporf --permutation --data iris.csv --seed x
    refused 2 "would be lost" importance --model m.sporf --permutation --data iris.csv --output iris.csv
'
it "--group makes one line of several features, in every column" '
    run 0 importance --model m.sporf --group "petal=petal_*" --permutation --corrected --drop-column --data iris.csv --json && cp "$work/out" grouped
    json "[f.get(\"group\") for f in d[\"importances\"]].count(\"petal\") == 1 and len(d[\"importances\"]) == 3" \
        "d[\"importances\"][0][\"group\"] == \"petal\" and d[\"importances\"][0][\"features\"] == [2, 3]" \
        "all(k in f for f in d[\"importances\"] for k in (\"permutation\", \"corrected\", \"drop_column\", \"drop_column_error\"))"
    run 0 importance --model m.sporf --group "petal=petal_*" --permutation --corrected --drop-column --data iris.csv --json --threads 3 && same grouped "$work/out"
    run 0 importance --model m.sporf --group "a=sepal_width, 3" --group b=petal_length --output groups.csv
    [ "$(head -n 1 groups.csv)" = "kind,name,importance" ]
    [ "$(cut -d, -f1,2 groups.csv | sort | tr "\n" " ")" = "feature,petal_width feature,sepal_length group,a group,b kind,name " ]
'
it "a group that is wrong is refused, with the nearest name" '
    refused 2 "did you mean" importance --model m.sporf --group a=petal_widht
    refused 2 "no feature of the model matches" importance --model m.sporf --group "a=leaf*"
    refused 2 "NAME=C" importance --model m.sporf --group petal_width
    refused 2 "without a name" importance --model m.sporf --group a=
    refused 2 "twice" importance --model m.sporf --group a=1 --group a=2
    refused 2 "no feature" importance --model m.sporf --group "a=1,\"a,b\""
    refused 2 "nothing would be left" importance --model m.sporf --group "all=*" --drop-column --data iris.csv
'
it "p-values come from as many forests as asked for, and need the table" '
    run 0 importance --model m.sporf --p-values 3 --data iris.csv --json
    json "all(f[\"p_value\"] in (.25, .5, .75, 1) for f in d[\"importances\"])" "d[\"importances\"][0][\"p_value\"] == .25"
    run 0 importance --model m.sporf --p-values 3 --data iris.csv
    [ "$(head -n 1 "$work/out")" = "importance     corrected       p-value  feature" ]
    refused 2 "--p-values needs --data" importance --model m.sporf --p-values
    refused 2 "--p-values" importance --model m.sporf --p-values 0 --data iris.csv
    refused 2 "--time is for" importance --model m.sporf --time 5s --permutation --data iris.csv
'
it "--drop-column drops the first of --top, and stops in time" '
    run 0 importance --model m.sporf --drop-column --top 2 --data iris.csv --output dropped.csv
    [ "$(head -n 1 dropped.csv)" = "kind,name,importance,drop_column,drop_column_error" ]
    [ "$(grep -c petal dropped.csv)" -eq 2 ]
    run 0 importance --model m.sporf --drop-column --time 0.000001s --data iris.csv --json
    json "all(f[\"drop_column\"] is None for f in d[\"importances\"])"
'
finish
