#!/bin/sh
# sporf inspect: summary, trees as text, everything as JSON.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
sed 1d iris.csv >bare.csv
"$SPORF" train --data iris.csv --label species --trees 6 --model m.sporf --json >trained.json || exit 2
"$SPORF" train --data bare.csv --label last --trees 6 --model bare.sporf >/dev/null || exit 2

it "the summary tells what the model is" '
    run 0 inspect --model m.sporf
    said_nothing
    printed m.sporf sporf "3: setosa, versicolor, virginica" species "6 with" "out of bag" "seed 1"
'
it "--json tells the same as training did" '
    run 0 inspect --model m.sporf --json
    cp "$work/out" inspected.json
    python3 - <<EOF
import json
trained, inspected = json.load(open("trained.json")), json.load(open("inspected.json"))
for key in ("features classes trees method settings nodes leaves mean_depth max_depth mean_nonzeros "
            "oob_rows oob_error oob_kappa oob_curve oob_log_loss oob_brier calibration class_names model "
            "model_bytes").split():
    assert trained[key] == inspected[key], key
assert inspected["label"] == "species" and len(inspected["feature_names"]) == 4
assert "structure" not in inspected
assert inspected["oob_log_loss"] == inspected["calibration"]["votes"]["oob_log_loss"] > 0
EOF
'
it "a tree is printed with names, a line for each node" '
    run 0 inspect --model m.sporf --tree 2
    head -n 1 "$work/out" | grep -Eq "^tree 2 of 6: [0-9]+ nodes$"
    nodes=$(sed -n "1s/.*: \([0-9]*\) nodes/\1/p" "$work/out")
    [ "$(wc -l <"$work/out")" -eq $((nodes + 1)) ]
    printed "petal_" "yes: " "no: " " <= " "setosa  (setosa"
    [ "$(grep -c "yes: " "$work/out")" -eq "$(grep -c "no: " "$work/out")" ]
'
it "features without names are numbered from 1" '
    run 0 inspect --model bare.sporf --tree 1
    grep -Eq "[+-][0-9.]+ x[1-4] " "$work/out"
    if grep -q "x0" "$work/out"; then exit 1; fi
'
it "--tree all prints every tree" '
    run 0 inspect --model m.sporf --tree all && cp "$work/out" all
    [ "$(grep -c "^tree" all)" -eq 6 ]
    for tree in 1 2 3 4 5 6; do run 0 inspect --model m.sporf --tree $tree; cat "$work/out"; done >each
    same all each
'
it "a tree that is not there is refused with the number of trees" '
    refused 2 "1 to 6" inspect --model m.sporf --tree 7
    refused 2 "--tree" inspect --model m.sporf --tree 0
    refused 2 "--tree" inspect --model m.sporf --tree first
    refused 2 "--tree" inspect --model m.sporf --tree -1
'
it "the trees in JSON predict what predict predicts" '
    run 0 inspect --model m.sporf --tree all --json && cp "$work/out" m.json
    run 0 predict --model m.sporf --data iris.csv && cp "$work/out" p.csv
    python3 - <<EOF
import csv, json, struct
def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]
model = json.load(open("m.json"))
assert [tree["tree"] for tree in model["structure"]] == [1, 2, 3, 4, 5, 6]
assert sum(len(tree["nodes"]) for tree in model["structure"]) == model["nodes"]
def vote(nodes, row):
    node = nodes[0]
    while "threshold" in node:
        total = 0.0
        for j, w in zip(node["features"], node["weights"]):
            total = single(total + single(single(w) * row[j]))
        node = nodes[node["left"] if total <= single(node["threshold"]) else node["right"]]
    best = max(node["class_weights"])
    return min(c for c, w in zip(node["classes"], node["class_weights"]) if w == best)
predicted = [row["prediction"] for row in csv.DictReader(open("p.csv"))]
for row, expected in zip(csv.DictReader(open("iris.csv")), predicted):
    values = [single(float(row[name])) for name in model["feature_names"]]
    votes = [vote(tree["nodes"], values) for tree in model["structure"]]
    best = max(range(3), key=lambda k: (votes.count(k), -k))
    assert model["class_names"][best] == expected, (row, votes, expected)
EOF
'
# Numbers, an order, a small and a large category; every column has holes.
python3 - <<'END'
import random
random.seed(5)
gap = lambda text: text if random.random() < .9 else ""
with open("typed.csv", "w") as file:
    file.write("height,mass,colour,size,town,class\n")
    for i in range(1200):
        height, mass = random.gauss(170, 10), random.gauss(70, 12)
        colour, size, town = random.choice(["red", "green", "blue"]), random.choice("SML"), random.randrange(60)
        score = height - mass + 20 * (colour == "red") + 12 * (town % 3 == 1) + 5 * "SML".index(size)
        label = "abc"[(score > 105) + (score > 120)]
        if random.random() < .1: height = ""
        file.write("%s,%s,%s,%s,%s,%s\n" % (height and "%.1f" % height, gap("%.1f" % mass), gap(colour), gap(size),
                                           gap("town%d" % town), label))
END
"$SPORF" train --data typed.csv --label class --ordinal "size=S<M<L" --trees 12 --model typed.sporf >/dev/null || exit 2

cat >follow.py <<'END'
# Follows the trees of inspect --json as the manual describes them, and compares with predict.
import csv, json, struct, sys
single = lambda x: struct.unpack("f", struct.pack("f", x))[0]
model = json.load(open(sys.argv[1]))
names, sets = model["feature_names"], model["sets"]
levels = {entry["feature"]: entry["levels"] for entry in model["levels"]}
def cell(feature, text):
    if text == "": return None
    if feature not in levels: return single(float(text))
    return levels[feature].index(text) if text in levels[feature] else None
def term(row, feature):
    if feature < len(names): return row[feature]
    about = sets[feature - len(names)]
    level = row[about["feature"]]
    if level is None: return about["fill"] if about["fill"] is None else single(about["fill"])
    return float(level in about["levels"]) if about["levels"] is not None else level
def side(node, row):
    values = [term(row, feature) for feature in node["features"]]
    if None in values: return node["missing"]
    total = 0.0
    for value, weight in zip(values, node["weights"]): total = single(total + single(single(weight) * value))
    return "left" if total <= single(node["threshold"]) else "right"
def vote(nodes, row):
    node = nodes[0]
    while "threshold" in node: node = nodes[node[side(node, row)]]
    best = max(node["class_weights"])
    return min(c for c, w in zip(node["classes"], node["class_weights"]) if w == best)
predicted = [row["prediction"] for row in csv.DictReader(open(sys.argv[2]))]
rows, changed = list(csv.DictReader(open(sys.argv[3]))), set()
assert len(rows) == len(predicted) > 100
for row, expected in zip(rows, predicted):
    values = [cell(j, row[name]) for j, name in enumerate(names)]
    votes = [vote(tree["nodes"], values) for tree in model["structure"]]
    best = max(range(len(model["class_names"])), key=lambda k: (votes.count(k), -k))
    assert model["class_names"][best] == expected, (row, votes, expected)
used = {f for tree in model["structure"] for node in tree["nodes"] for f in node.get("features", [])}
assert max(used) >= len(names) and max(used) < len(names) + len(sets), (max(used), len(sets))
sides = {node["missing"] for tree in model["structure"] for node in tree["nodes"] if "missing" in node}
assert sides == {"left", "right"}, sides
END

it "a stranger can follow trees with categories and missing values" '
    run 0 inspect --model typed.sporf --tree all --json && cp "$work/out" typed.json
    run 0 predict --model typed.sporf --data typed.csv && cp "$work/out" p.csv
    python3 follow.py typed.json p.csv typed.csv
    sed "2,200s/red/pink/; 2,99s/town1/city1/; 100,140s/^[0-9.]*,/,/" typed.csv >other.csv
    run 0 predict --model typed.sporf --data other.csv && cp "$work/out" p.csv
    python3 follow.py typed.json p.csv other.csv
    for method in rf frc; do
        run 0 train --data typed.csv --label class --trees 9 --method $method --scale sd --model x.sporf
        run 0 inspect --model x.sporf --tree all --json && cp "$work/out" x.json
        run 0 predict --model x.sporf --data typed.csv && cp "$work/out" p.csv
        python3 follow.py x.json p.csv typed.csv
    done
'
it "sets come with the trees, and none without" '
    run 0 inspect --model typed.sporf --json
    json "\"sets\" not in d" "[c[\"kind\"] for c in d[\"levels\"]] == [\"category\", \"ordinal\", \"category\"]" \
        "[c[\"feature\"] for c in d[\"levels\"]] == [2, 3, 4]"
    run 0 inspect --model typed.sporf --tree 1 --json
    json "len(d[\"sets\"]) > 10" "all((s[\"levels\"] is not None) == (s[\"feature\"] in (2, 4)) for s in d[\"sets\"])" \
        "all(max(s[\"levels\"] or [], default=0) < (3 if s[\"feature\"] == 2 else 60) for s in d[\"sets\"])" \
        "any(len(s[\"levels\"] or []) > 5 for s in d[\"sets\"])"
    run 0 inspect --model m.sporf --tree 1 --json
    json "d[\"sets\"] == []"
'
it "as text, splits name levels and say where missing values go" '
    run 0 inspect --model typed.sporf --tree all
    grep -Eq "[+-][0-9.]+ \[colour in (blue|green|red)(, (blue|green|red))*\] <= [-0-9.]+ or missing$" "$work/out"
    run 0 train --data typed.csv --label class --method rf --trees 5 --model x.sporf
    run 0 inspect --model x.sporf --tree all
    grep -Eq "\[town in town[0-9]+, town[0-9]+, town[0-9]+, town[0-9]+, town[0-9]+ and [0-9]+ more\] <= " "$work/out"
    grep -Eq "[+]1 height <= [0-9.]+$" "$work/out"
'
it "a split by nothing but missing values says so" '
    awk "BEGIN { print \"x,y,class\"; for (i = 0; i < 60; i++)
        print (i % 2 ? \"\" : i * 7 % 60) \",\" i % 5 \",\" (i % 2 ? \"gone\" : \"here\") }" >holes.csv
    run 0 train --data holes.csv --label class --method rf --trees 9 --model holes.sporf
    run 0 inspect --model holes.sporf --tree all
    grep -Eq "^x (known|missing)$" "$work/out"
    if grep -q "e+38" "$work/out"; then exit 1; fi
'
it "--tree with a number and --json gives that tree alone" '
    run 0 inspect --model m.sporf --tree 3 --json
    json "[t[\"tree\"] for t in d[\"structure\"]] == [3]"
'
it "a very deep tree is printed without trouble" '
    awk "BEGIN { for (i = 0; i < 3000; i++) print i \",\" i % 2 }" >deep.csv
    run 0 train --data deep.csv --label last --method rf --trees 1 --bag none --model deep.sporf --json
    json "d[\"nodes\"] >= 5999"
    run 0 inspect --model deep.sporf --tree 1
    [ "$(wc -l <"$work/out")" -eq 6000 ]
    run 0 inspect --model deep.sporf --tree 1 --json
    json "len(d[\"structure\"][0][\"nodes\"]) == 5999"
'
it "names that are not text are made harmless" '
    printf "a\033[1mb,\"x\ny\",z\n1,2,p\302\n2,1,q\t\n1,3,p\302\n3,1,q\t\n" >odd.csv
    run 0 train --data odd.csv --label 3 --header yes --trees 3 --model odd.sporf
    run 0 inspect --model odd.sporf
    if grep -q "$(printf "\033")" "$work/out"; then exit 1; fi
    run 0 inspect --model odd.sporf --tree all
    if grep -q "$(printf "\033")" "$work/out"; then exit 1; fi
    run 0 inspect --model odd.sporf --tree all --json
    json "d[\"feature_names\"] == [\"a\\u001b[1mb\", \"x\\ny\"]" "\"p\\ufffd\" in d[\"class_names\"]"
'
it "an output that cannot be written is an error, a reader that leaves is none" '
    got=0
    "$SPORF" inspect --model m.sporf --tree all >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "sporf inspect: cannot write to standard output: No space left"
    {
        got=0
        "$SPORF" inspect --model deep.sporf --tree all --json 2>err || got=$?
        echo $got >code
    } | head -n 1 >first
    [ "$(cat first)" = "{" ]
    [ "$(cat code)" -eq 1 ]
    is_empty err
'
finish
