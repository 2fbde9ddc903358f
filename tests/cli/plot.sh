#!/bin/sh
# sporf plot: trees, boundaries and curves as pictures, and trees as text.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" train --data iris.csv --label species --trees 6 --model m.sporf >/dev/null || exit 2
"$SPORF" simulate friedman1 --rows 200 --features 8 --output f.csv || exit 2
"$SPORF" train --data f.csv --target y --trees 6 --model f.sporf >/dev/null || exit 2
"$SPORF" boost --data iris.csv --label species --rounds 3 --model b.sporf >/dev/null || exit 2
"$SPORF" train --data iris.csv --label species --trees 2 --bag none --model all.sporf >/dev/null || exit 2
# names and levels that are markup, control a terminal, or run from right to left
python3 - <<EOF
import random
random.seed(1)
levels = ["<script>alert(1)</script>", "\"\"quoted\"\" & \x1b[31mred", "\u05d0\u05d1", "plain"]
with open("hostile.csv", "w", encoding="utf-8") as file:
    file.write("\"<b>'name' & \x07\",level,number,y\n")
    for i in range(300):
        a, level, c = random.random(), random.randrange(4), random.random()
        file.write("%g,\"%s\",%s,\"%s\"\n" % (a, levels[level], c if i % 9 else "", "<i>yes" if (level < 2) ^ (a > 0.5) else "no"))
EOF
"$SPORF" train --data hostile.csv --label y --trees 5 --max-depth 4 --model h.sporf >/dev/null || exit 2

# is_picture DEFINITION: standard output is XML; Python that sees `text`, all its words, and `tags`.
is_picture() {
    python3 - "$work/out" <<EOF
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == "{http://www.w3.org/2000/svg}svg"
tags = {element.tag.split("}")[1] for element in root.iter()}
assert tags <= {"svg", "title", "desc", "style", "rect", "line", "text", "circle", "path", "g"}, tags
text = "\n".join(element.text or "" for element in root.iter() if not element.tag.endswith("style"))
$1
EOF
}

it "a tree as a picture: splits with names, counts, classes" '
    run 0 plot --model m.sporf --tree 1
    said_nothing
    is_picture "
assert \"tree 1 of 6\" in text and \"petal\" in text and \"n = 150\" in text and \"setosa\" in text
assert \"yes\" in text and \"no\" in text"
'
it "a tree as text has the leaves that inspect prints" '
    run 0 plot --model m.sporf --tree 2 --text
    cp "$work/out" plotted.txt
    run 0 inspect --model m.sporf --tree 2
    [ "$(grep -c "yes: \|no: " plotted.txt)" -eq "$(grep -c "yes: \|no: " "$work/out")" ]
    [ "$(wc -l <plotted.txt)" -eq "$(wc -l <"$work/out")" ]
'
it "weights of children add up to that of their parent" '
    run 0 plot --model f.sporf --tree 1 --text
    python3 - "$work/out" <<EOF
import re, sys
lines = open(sys.argv[1], encoding="utf-8").read().splitlines()[1:]
below = {}
for line in lines:
    depth = (len(line) - len(line.lstrip())) // 2
    weight = float(re.search(r"n = ([\d,.]+)", line)[1].replace(",", ""))
    if depth:
        below[depth - 1][1] += weight
        below[depth - 1][2] += 1
        if below[depth - 1][2] == 2:
            assert below[depth - 1][0] == below[depth - 1][1], line
    below[depth] = [weight, 0, 0]
EOF
'
it "--depth cuts a tree short, and says how much is left out" '
    run 0 plot --model f.sporf --tree 1 --depth 1
    is_picture "assert \"nodes below\" in text and \"mean\" in text and text.count(\"n = \") == 3"
    run 0 plot --model f.sporf --tree 1 --depth 0 --text
    [ "$(wc -l <"$work/out")" -eq 2 ]
    run 0 plot --model f.sporf --tree 1 --depth all
    is_picture "assert \"nodes below\" not in text"
'
it "boosted models show what leaves add, and the losses of rounds" '
    run 0 plot --model b.sporf --tree 1
    is_picture "assert \"hessian = \" in text"
    run 0 plot --model b.sporf --oob
    is_picture "assert \"rounds\" in text"
'
it "the out-of-bag curve, if there is one" '
    run 0 plot --model m.sporf --oob --output curve.svg
    printed_nothing
    cp curve.svg "$work/out"
    is_picture "assert \"trees\" in text and \"error rate\" in text"
    run 1 plot --model all.sporf --oob
    said "no curve"
'
it "the boundary of two features, with rows as points" '
    run 0 plot --model m.sporf --data iris.csv --label species --boundary petal_length,petal_width
    is_picture "
assert \"2 other features at the median\" in text and \"setosa\" in text and \"petal_width\" in text
assert len([e for e in root.iter() if e.tag.endswith(\"circle\")]) == 150"
    cp "$work/out" labelled.svg
    run 0 plot --model m.sporf --data iris.csv --boundary petal_length,petal_width
    cmp "$work/out" labelled.svg
    cut -d, -f1-4 iris.csv >features.csv
    run 0 plot --model m.sporf --data features.csv --boundary petal_length,petal_width
    said_nothing
    is_picture "assert len([e for e in root.iter() if e.tag.endswith(\"circle\")]) == 150"
    ! cmp -s "$work/out" labelled.svg
    run 0 plot --model f.sporf --data f.csv --boundary 4,5
    is_picture "
assert \"Prediction from\" in text and \"x5\" in text
assert \"\\nor most frequent level\" in text or \"frequent level\\n\" in text and \"…\" not in text"
'
it "sums show what replaces a missing value, single features where it goes" '
    python3 - >gaps.csv <<EOF
import random
random.seed(2)
print("debt,income,colour,y")
for i in range(400):
    debt, income, colour = random.random(), random.random(), random.choice("rgb")
    good = debt < income + 0.2 * (colour == "r")
    print("%g,%s,%s,%s" % (debt, "%g" % income if i % 7 else "", colour if i % 5 else "", good))
EOF
    run 0 train --data gaps.csv --label y --trees 8 --projections 8 --model gaps.sporf
    for tree in 1 2 3 4 5 6 7 8; do
        run 0 plot --model gaps.sporf --tree $tree --text
        cat "$work/out" >>plotted.all
        run 0 inspect --model gaps.sporf --tree $tree
        cat "$work/out" >>inspected.all
    done
    grep -Eq "debt - ([0-9.]+ )?\[income or 0\.[0-9]+\] ≤ [-0-9.e]+  " plotted.all
    grep -Eq ": income ≤ [-0-9.e]+ or missing  " plotted.all
    ! grep -E " [-+] .* or missing  |[-+] income" plotted.all
    [ "$(grep -c "income or " plotted.all)" -eq "$(grep -c "income or " inspected.all)" ]
    grep -q "debt .*income or .* or missing" inspected.all
    run 0 report --model gaps.sporf --output gaps.html
    grep -Eq "debt - \[income or 0\.[0-9]+\]" gaps.html
    ! grep -E "^ *(yes: |no: )?([+-][0-9.]+ \[[^]]*\] ){2,}<= .* or missing" inspected.all
'
it "a boundary is where predictions change, with the decision of the model" '
    grep -v setosa iris.csv >two_classes.csv
    "$SPORF" train --data two_classes.csv --label species --trees 7 --max-depth 3 --seed 1 \
        --cost "virginica:versicolor=1000" --model cost.sporf >/dev/null
    run 0 predict --model cost.sporf --data two_classes.csv
    ! grep -q versicolor "$work/out"
    run 0 plot --model cost.sporf --data two_classes.csv --boundary petal_length,petal_width
    grep -q "class=.b1" "$work/out"
    ! grep -q "class=.b0" "$work/out"
'
it "of several labels, the boundary is that of the first, or of --label" '
    awk -F, -v OFS=, "NR == 1 { print \$0, \"size\" } NR > 1 { print \$0, (\$1 > 2.5 ? \"big\" : \"small\") }" iris.csv >two.csv
    run 0 train --data two.csv --labels species,size --trees 4 --model two.sporf
    run 0 plot --model two.sporf --data two.csv --boundary petal_length,sepal_length
    is_picture "
assert \"Decision boundary of species;\" in text and \"virginica\" in text
assert {e.get(\"class\") for e in root.iter() if e.tag.endswith(\"circle\")} == {\"a0\", \"a1\", \"a2\"}"
    run 0 plot --model two.sporf --data two.csv --boundary petal_length,sepal_length --label size
    is_picture "
assert \"Decision boundary of size;\" in text and \"small\" in text and \"setosa\" not in text
assert {e.get(\"class\") for e in root.iter() if e.tag.endswith(\"circle\")} == {\"a0\", \"a1\"}"
'
it "trees of several labels show the class of each, trees of several targets name the first" '
    run 0 plot --model two.sporf --tree 1 --text
    grep -Eq "yes: species=[a-z]+( [0-9.]+%)?, size=(big|small)( [0-9.]+%)?  \(n = " "$work/out"
    grep -Eq "≤ .*  \(n = 150: species=[a-z]+ [0-9.]+%, size=(big|small) [0-9.]+%\)" "$work/out"
    run 0 plot --model two.sporf --tree 1
    is_picture "assert \"\\nspecies=\" in text and \"\\nsize=\" in text and \"mean\" not in text"
    run 0 train --data iris.csv --target sepal_length,sepal_width --ignore species --trees 2 --model t2.sporf
    run 0 plot --model t2.sporf --tree 1 --text
    printed "; means of sepal_length, the first of 2 targets"
'
it "hostile names do no harm" '
    run 0 plot --model h.sporf --tree 1 --depth all
    is_picture "assert \"<script>\" in text or \"<b>\" in text"
    run 0 plot --model h.sporf --data hostile.csv --label y --boundary "1,number"
    is_picture "assert \"<i>yes\" in text"
    run 0 plot --model h.sporf --tree 1 --text
    ! grep -q "$(printf "\033")" "$work/out"
    ! grep -q "$(printf "\007")" "$work/out"
'
it "what cannot be drawn is named" '
    run 2 plot --model m.sporf
    said "give one of --tree, --oob and --boundary"
    run 2 plot --model m.sporf --tree 1 --oob
    said "not several"
    run 2 plot --model m.sporf --tree 7
    said "--tree must be from 1 to 6"
    run 2 plot --model m.sporf --oob --text
    said "--text is for --tree"
    run 2 plot --model m.sporf --boundary petal_length,petal_width
    said "--boundary needs --data"
    run 2 plot --model m.sporf --data iris.csv --boundary petal_length
    said "takes two features"
    run 2 plot --model m.sporf --data iris.csv --boundary petal_length,petal_lenght
    said "did you mean"
    run 2 plot --model m.sporf --data iris.csv --boundary petal_length,3
    said "twice"
    run 2 plot --model h.sporf --data hostile.csv --boundary level,number
    said "not numeric"
'
finish
