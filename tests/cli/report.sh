#!/bin/sh
# sporf report: one page of HTML on a model, or on several.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" train --data iris.csv --label species --trees 20 --model m.sporf >/dev/null || exit 2
"$SPORF" train --data iris.csv --label species --trees 20 --method rf --model rf.sporf >/dev/null || exit 2
"$SPORF" simulate friedman1 --rows 200 --features 6 --output f.csv || exit 2
"$SPORF" train --data f.csv --target y --trees 20 --model f.sporf >/dev/null || exit 2
"$SPORF" boost --data iris.csv --label species --rounds 10 --model b.sporf >/dev/null 2>&1 || exit 2
# names with tags, quotes, entities, control characters, right-to-left text and bytes that are not UTF-8
python3 - <<EOF || exit 2
names = [b'"><script>alert(1)</script>', b"a&amp;b'<b", b"\xd9\x85\xe2\x80\xaex\x01\xff", b"<class>"]
levels, classes = [b"<img src=x onerror=alert(2)>", b'" onload="alert(3)'], [b"</td><script>alert(4)</script>", b"\xe2\x80\xaeno"]
quoted = lambda text: b'"' + text.replace(b'"', b'""') + b'"'
with open("hostile.csv", "wb") as file:
    file.write(b",".join(map(quoted, names)) + b"\n")
    for i in range(90):
        cells = levels[i % 3 == 0], b"%d" % (i * 7 % 11), b"%d" % (i * 5 % 13), classes[i % 3 + (i * 7 % 11 > 5) > 1]
        file.write(b",".join(map(quoted, cells)) + b"\n")
EOF
"$SPORF" train --data hostile.csv --label '<class>' --trees 5 --model hostile.sporf >/dev/null || exit 2

# page FILE CHECK: parses the page as XML, which is stricter than HTML; CHECK is Python that sees `page`, `texts`
# and `ids`.
page() {
    python3 - "$1" <<EOF
import re, sys, xml.etree.ElementTree as tree
page = open(sys.argv[1], encoding="utf-8").read()
root = tree.fromstring(page.replace("<!DOCTYPE html>", ""))
names = {element.tag for element in root.iter()}
ids = [element.get("id") for element in root.iter() if element.get("id")]
texts = "".join(root.itertext())
assert len(ids) == len(set(ids)), "an id is there twice"
assert not names & {"script", "img", "iframe", "object", "embed", "link", "form", "base"}, names
for element in root.iter():
    for name, value in element.items():
        assert not name.startswith("on"), name
        assert name not in ("src", "srcset", "action", "data"), name
        assert name != "href" or value[1:] in ids and value[0] == "#", value
    for name in (element.get("aria-labelledby") or "").split():
        assert name in ids, name
assert "default-src 'none'" in page
assert not re.search(r"https?://|url\(|@import", page)
levels = [int(e.tag[1]) for e in root.iter() if e.tag in ("h1", "h2", "h3")]
assert levels[0] == 1 and levels.count(1) == 1
assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels
for table in root.iter("table"):
    assert table.find("caption") is not None and table.find("caption").text
    assert all(th.get("scope") for th in table.iter("th"))
for svg in root.iter("svg"):
    assert svg.get("role") == "img" and svg.find("title") is not None and svg.find("desc") is not None
assert root.find(".//main") is not None and root.find(".//nav") is not None
$2
EOF
}

it "a model alone shows what it knows" '
    run 0 report --model m.sporf --output m.html
    said_nothing
    page m.html "assert \"settings\" in ids and \"training\" in ids and \"scores\" not in ids"
'
it "with the training table, rows are scored by the trees that did not see them" '
    run 0 report --model m.sporf --data iris.csv --output m.html
    said_nothing
    page m.html "
for chapter in (\"glance\", \"data\", \"training\", \"scores\", \"calibration\", \"importance\", \"dependence\", \"projections\", \"rows\",
                \"settings\", \"reproduce\"):
    assert chapter in ids, chapter
assert \"out of bag\" in texts
assert \"sporf report --model m.sporf --data iris.csv --output report.html\" in texts
assert \"sporf train --data TABLE --label species\" in texts"
'
it "its error is the out-of-bag error of the model" '
    run 0 inspect --model m.sporf --json
    python3 - "$work/out" <<EOF
import json, re, sys
error = json.load(open(sys.argv[1]))["oob_error"]
page = open("m.html").read()
accuracy = float(re.search(r"<th scope=.row.>accuracy</th><td class=.n.>([0-9.]+)", page).group(1))
assert abs(1 - error - accuracy) < 6e-4, (error, accuracy)
EOF
'
it "the same inputs give the same bytes, with any number of threads" '
    run 0 report --model m.sporf --data iris.csv --output again.html --threads 3
    cmp m.html again.html
    run 0 report --model m.sporf --data iris.csv --output -
    cmp m.html "$work/out"
'
# again MODEL TABLE: runs the command of the page that trains the model, which must give the same bytes.
again() {
    "$SPORF" report --model "$1" --output again.html || return 1
    python3 - "$2" >again.sh <<'EOF' || return 1
import html, re, sys
lines = re.findall("<code>(.*?)</code>", open("again.html").read(), re.S)
line, = (html.unescape(line) for line in lines if " --data TABLE" in line)
line = line.replace("sporf", '"$SPORF"', 1).replace(" TABLE", " " + sys.argv[1], 1)
print(line.replace("--model MODEL", "--model again.sporf"))
EOF
    sh ./again.sh >/dev/null 2>again.txt || { cat again.sh again.txt; return 1; }
    cmp "$1" again.sporf
}
python3 - <<EOF || exit 2
import random
draw = random.Random(3)
with open("two.csv", "w") as two:
    two.write("a,b c,kind,one label,it's,weight,state\n")
    for i in range(300):
        a, b = draw.gauss(0, 1), draw.gauss(0, 1)
        cells = "xyz"[i % 3], "red" if a > 0 else "blue", i % 4, i % 3 + 1, "it's sick" if a + b > 1.2 else "well"
        two.write("%.3f,%.3f,%s,%s,%s,%s,%s\n" % (a, b, *cells))
EOF
sick="it's sick"

it "the command that trains the model gives the same bytes: forests" '
    again m.sporf iris.csv
    again rf.sporf iris.csv
    again f.sporf f.csv
    for method in frc rr-rf ccf patch; do
        "$SPORF" train --data iris.csv --label species --trees 5 --method $method --model x.sporf >/dev/null
        again x.sporf iris.csv
    done
    "$SPORF" train --data iris.csv --label species --trees auto --seed 7 --model x.sporf >/dev/null
    again x.sporf iris.csv
    grep -q -e "--trees auto" again.sh
'
it "a forest out of bag is not compared with a model that saw the rows" '
    run 0 report --model m.sporf --model b.sporf --data iris.csv --output unfair.html
    grep -q "not compared: only one of both is scored out of bag" unfair.html
    ! grep -q "no clear difference\|>better<\|>worse<" unfair.html
'
it "and boosting" '
    again b.sporf iris.csv
    "$SPORF" boost --data f.csv --target y --rounds 10 --valid 0 --loss quantile --quantile 0.9 --model x.sporf >/dev/null
    again x.sporf f.csv
'
it "and decisions, weights, several labels and targets with unusual names" '
    "$SPORF" train --data two.csv --label state --weight weight --trees 10 --cost "$sick:well=5" --model x.sporf >/dev/null
    again x.sporf two.csv
    "$SPORF" train --data two.csv --label state --trees 10 --recall "$sick=0.9" --class-weights balanced --model x.sporf >/dev/null
    again x.sporf two.csv
    "$SPORF" train --data two.csv --labels "one label,${sick% *},state" --trees 10 --model x.sporf >/dev/null
    again x.sporf two.csv
    "$SPORF" train --data two.csv --target "b c,a" --trees 10 --samples drop --model x.sporf >/dev/null
    again x.sporf two.csv
'
it "a training that ended by its time cannot be repeated, which the page says" '
    "$SPORF" train --data iris.csv --label species --trees 100000 --time 0.1s --model x.sporf >/dev/null 2>&1
    run 0 report --model x.sporf --output x.html
    page x.html "assert \"ended when its time was over\" in texts"
    rm x.html
'
it "settings that the method does not use are not listed" '
    run 0 report --model rf.sporf --output x.html
    page x.html "assert \"image-width\" not in texts and \"density\" not in texts and \"min-leaf\" in texts"
    rm x.html
'
it "a table of other size is not suspected to be that of the training" '
    sed 2,91d iris.csv >some.csv
    run 0 report --model m.sporf --data some.csv --output x.html
    page x.html "assert \"60 rows.\" in texts and \"scores are fair\" not in texts"
    run 0 report --model b.sporf --data some.csv --output x.html
    page x.html "assert \"scores are fair if\" in texts"
    rm x.html
'
it "models are compared on the same rows" '
    run 0 report --model m.sporf --model rf.sporf --model b.sporf --data iris.csv --output c.html --title "Three <models>"
    page c.html "
assert \"Three <models>\" in texts and \"Compared with m.sporf\" in texts
assert texts.count(\"differs\") > 1"
'
it "regression has errors and residuals" '
    run 0 report --model f.sporf --data f.csv --output f.html
    page f.html "
assert \"RMSE\" in texts and \"calibration\" not in ids and \"rows\" in ids
picture = next(f for f in root.iter(\"figure\") if \"predicted against true\" in \"\".join(f.itertext()))
ticks = [t.text for t in picture.find(\"svg\").iter(\"text\") if re.fullmatch(\"[0-9.]+\", t.text or \"\")]
assert len(ticks) > 5 and len(ticks) == 2 * len(set(ticks)), ticks  # the same on both axes"
'
it "several labels have an error rate each, not errors of values" '
    "$SPORF" train --data two.csv --labels kind,state --trees 10 --model x.sporf >/dev/null
    head -n 31 two.csv >some.csv
    run 0 report --model x.sporf --model x.sporf --data some.csv --output x.html
    page x.html "assert \"RMSE\" not in texts and \"Regression\" not in texts and \"share of wrong labels\" in texts"
    "$SPORF" evaluate --model x.sporf --data some.csv --json >x.json
    python3 - <<EOF
import json, re
wanted = json.load(open("x.json"))
page = open("x.html").read()
for label in wanted["labels"] + [dict(name="all labels", error=wanted["error"])]:
    shown = re.search(">%s</th><td>x.sporf</td><td class=.n.>([0-9.]+)" % label["name"], page).group(1)
    assert abs(float(shown) - label["error"]) < 1e-4, label
EOF
    rm x.html
'
it "decisions are told, with the costs of evaluate" '
    "$SPORF" train --data two.csv --label state --trees 20 --cost "$sick:well=5" --model x.sporf >/dev/null
    head -n 101 two.csv >some.csv
    "$SPORF" evaluate --model x.sporf --data some.csv --json >x.json
    run 0 report --model x.sporf --data some.csv --output x.html
    page x.html "assert texts.count(\"the class with the least expected cost\") == 2"
    python3 - <<EOF
import json, re
wanted = json.load(open("x.json"))
page = open("x.html").read()
shown = lambda name: float(re.search(">%s</th><td[^>]*>([0-9.]+)" % name, page).group(1))
assert abs(shown("mean cost of a row") - wanted["cost"]["value"]) < 1e-4
assert abs(shown("mean cost of always predicting the cheapest class") - wanted["cost"]["baseline"]["value"]) < 1e-4
assert abs(1 - shown("accuracy of a guess") - wanted["baseline"]["error"]) < 1e-4
EOF
    "$SPORF" train --data two.csv --label state --trees 20 --recall "$sick=0.9" --model x.sporf >/dev/null
    run 0 report --model x.sporf --data some.csv --output x.html
    page x.html "assert texts.count(\"sick if its probability is at least 0.\") == 2"
    rm x.html
'
it "a model that is no better than a guess is called so" '
    run 0 report --model m.sporf --data iris.csv --output x.html
    page x.html "assert \"than a guess\" not in texts and \"accuracy of always predicting the most frequent class\" in texts"
    "$SPORF" train --data two.csv --label kind --ignore state,weight --trees 20 --model x.sporf >/dev/null
    run 0 report --model x.sporf --data two.csv --output x.html
    page x.html "assert \"x.sporf is not clearly better than a guess, by accuracy: predicting x for every row is right in 33.3% of the rows\" in texts"
    rm x.html
'
it "a table without classes has no scores, which is reported" '
    cut -d, -f1-4 iris.csv >bare.csv
    run 0 report --model m.sporf --data bare.csv --output bare.html
    said "no scores"
    page bare.html "assert \"scores\" not in ids and \"dependence\" in ids and \"rows\" in ids"
'
it "hostile names do no harm" '
    run 0 report --model hostile.sporf --model hostile.sporf --data hostile.csv --output h.html --title "</title><script>"
    page h.html "
assert \"<script>alert(1)</script>\" in texts
assert not any(ord(c) < 32 and c not in \"\\n\" for c in page)
assert \"\\u202e\" not in page"
'
it "timing is shown if it is asked for" '
    run 0 report --model m.sporf --data iris.csv --output t.html --timing
    page t.html "assert \"s for 150 rows\" in texts"
'
it "models of other classes are not compared" '
    run 2 report --model m.sporf --model f.sporf --output x.html
    said "different classes or targets"
    [ ! -e x.html ]
'
it "the output may not be a file that is read" '
    run 2 report --model m.sporf --model rf.sporf --output rf.sporf
    said "would be lost"
    run 2 report --model m.sporf --data iris.csv --output iris.csv
    said "would be lost"
'
it "a model that is not there is named" '
    run 1 report --model m.sporf --model none.sporf --output x.html
    said "none.sporf"
    run 2 report --output x.html
    said "--model"
    run 2 report --model m.sporf
    said "--output"
'

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
if [ -n "$browser" ] && "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --dump-dom about:blank >/dev/null 2>&1; then
    it "a browser opens it without errors" '
        "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr --dump-dom "file://$PWD/h.html" >dom 2>browser
        grep -q "</footer>" dom
        ! grep -q "CONSOLE" browser
    '
else
    skip "a browser opens it without errors" "no Chromium is here"
fi
finish
