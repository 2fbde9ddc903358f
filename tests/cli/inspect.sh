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
            "oob_rows oob_error oob_kappa oob_curve class_names model model_bytes").split():
    assert trained[key] == inspected[key], key
assert inspected["label"] == "species" and len(inspected["feature_names"]) == 4
assert "structure" not in inspected
EOF
'
it "a tree is printed with names, a line for each node" '
    run 0 inspect --model m.sporf --tree 2
    head -n 1 "$work/out" | grep -Eq "^tree 2 of 6: [0-9]+ nodes$"
    nodes=$(sed -n "1s/.*: \([0-9]*\) nodes/\1/p" "$work/out")
    [ "$(wc -l <"$work/out")" -eq $((nodes + 1)) ]
    printed "petal_length" "yes: " "no: " " <= " "setosa  (setosa"
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
