#!/bin/sh
# The columns of what predict and crossval write: no two of one name, labels that are read back as they
# are, columns of the input that are kept, and nothing that drives a terminal.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

# table FILE CLASS CLASS: two classes that a tree tells apart, with names for the rows.
table() {
    python3 - "$@" <<'END'
import csv, sys
with open(sys.argv[1], "w", newline="", errors="surrogateescape") as file:
    out = csv.writer(file, quoting=csv.QUOTE_ALL)
    out.writerow(["id", "x", "z", "class"])
    for i in range(40):
        out.writerow([f"row {i}", i, i * 7 % 11, sys.argv[2 + (i >= 20)]])
END
}

# targets FILE NAME NAME: two numbers to predict.
targets() {
    awk -v a="$2" -v b="$3" 'BEGIN {
        print "x,z," a "," b
        for (i = 0; i < 40; i++) print i "," i * 7 % 11 "," i * 2 "," 100 - i
    }' >"$1"
}

quick="--trees 5 --projections 2 --min-leaf 1"

# header TEXT: what was printed begins with this line, and no two of its names are alike.
header() {
    [ "$(head -n 1 "$work/out")" = "$1" ] || { head -n 1 "$work/out" && exit 1; }
    head -n 1 "$work/out" | tr , "\n" | sort | uniq -d >twice
    is_empty twice
}

it "a class called prediction does not make two columns of one name" '
    table t.csv prediction other
    run 0 train --data t.csv --label class --ignore id --model t.sporf $quick
    run 0 predict --model t.sporf --data t.csv --proba
    header "prediction,other,prediction_2"
    run 0 crossval --data t.csv --label class --ignore id --folds 2 --output rows.csv --proba $quick
    cp rows.csv "$work/out"
    header "row,fold,truth,prediction,other,prediction_2"
'
it "names that are made do not meet those of other columns" '
    table t.csv prediction prediction_2
    run 0 train --data t.csv --label class --ignore id --model t.sporf $quick
    run 0 predict --model t.sporf --data t.csv --proba
    header "prediction,prediction_3,prediction_2"
'
it "quantiles and intervals of one target are told from another target" '
    targets t.csv a a_q0.5
    run 0 train --data t.csv --target a,a_q0.5 --model t.sporf $quick
    run 0 predict --model t.sporf --data t.csv --quantiles 0.5
    header "a,a_q0.5_2,a_q0.5,a_q0.5_q0.5"
    targets t.csv a a_upper
    run 0 train --data t.csv --target a,a_upper --model t.sporf $quick
    run 0 predict --model t.sporf --data t.csv --interval 0.5
    header "a,a_lower,a_upper_2,a_upper,a_upper_lower,a_upper_upper"
    run 0 predict --model t.sporf --data t.csv --quantiles 0.5,0.5
    header "a,a_q0.5,a_q0.5_2,a_upper,a_upper_q0.5,a_upper_q0.5_2"
'
it "targets called as columns of crossval are" '
    targets t.csv row true_row
    run 0 crossval --data t.csv --target row,true_row --folds 2 --output rows.csv $quick
    cp rows.csv "$work/out"
    header "row,fold,true_row_2,row_2,true_true_row,true_row"
    targets t.csv "a b" "\"c,d\""
    run 0 crossval --data t.csv --target "a b,4" --folds 2 --output rows.csv $quick
    [ "$(head -n 1 rows.csv)" = "row,fold,true_a b,a b,\"true_c,d\",\"c,d\"" ]
'
it "labels are written so that they are read back as they are" '
    python3 - <<END
import csv, json
odd = ["NA", " lead", "trail ", "?", "a;b", "a|b", "a,b", "say \"so\"", "#1", "null", "=1+2", "007x", "two\nlines", "plain"]
json.dump(sorted(odd), open("odd.json", "w"))
with open("t.csv", "w", newline="") as file:
    out = csv.writer(file, quoting=csv.QUOTE_ALL)
    out.writerow(["x", "z", "class"])
    for i in range(140):
        out.writerow([i, i * 7 % 11, odd[i // 10]])
END
    run 0 train --data t.csv --label class --model t.sporf $quick
    run 0 predict --model t.sporf --data t.csv --output back.csv --keep x
    run 0 train --data back.csv --label prediction --model back.sporf --json $quick
    json "sorted(d[\"class_names\"]) == json.load(open(\"odd.json\"))"
    run 0 crossval --data t.csv --label class --folds 2 --output back.csv --proba $quick
    run 0 train --data back.csv --label truth --ignore prediction,fold --model back.sporf --json $quick
    json "sorted(d[\"class_names\"]) == json.load(open(\"odd.json\"))"
    run 0 inspect --model back.sporf --json
    json "set(json.load(open(\"odd.json\"))) <= set(d[\"feature_names\"])"
'

table t.csv yes no
"$SPORF" train --data t.csv --label class --ignore id --model t.sporf $quick >log 2>&1

it "kept columns stand in front of the prediction as they are written" '
    printf "id,z,note,x\n7,1,plain,3\n  8 ,2,\"a, b\",30\n\"9\",3,\"say \"\"so\"\"\",4\nNA,4,\"NA\",31\n,5,,5\n" >n.csv
    run 0 predict --model t.sporf --data n.csv --keep id,note
    printf "id,note,prediction\n7,plain,yes\n8,\"a, b\",no\n\"9\",\"say \"\"so\"\"\",yes\nNA,\"NA\",no\n,,yes\n" >wanted
    diff wanted "$work/out"
'
it "they come in the order asked for, and may be features, or columns by number" '
    printf "id;z;x\n7,5;1;3\n8;2;30\n" >n.csv
    run 0 predict --model t.sporf --data n.csv --keep last,1 --proba --calibration none
    printf "x,id,prediction,no,yes\n3,\"7,5\",yes,0,1\n30,8,no,1,0\n" >wanted
    diff wanted "$work/out"
'
it "pipes, gzip and small blocks give the same" '
    { echo "id,x,z"; awk "BEGIN { for (i = 0; i < 20000; i++) print \"r\" i \",\" i % 40 \",\" i % 11 }"; } >n.csv
    run 0 predict --model t.sporf --data n.csv --keep id --output all.csv
    python3 - <<END
lines = open("all.csv").read().split("\n")
assert lines[0] == "id,prediction" and len(lines) == 20002
for i, line in enumerate(lines[1:-1]):
    assert line == "r%d,%s" % (i, "yes" if i % 40 < 20 else "no"), line
END
    "$SPORF" predict --model t.sporf --data - --keep id <n.csv >piped.csv
    same all.csv piped.csv
    run 0 predict --model t.sporf --data n.csv --keep id --max-memory 256K --output small.csv
    same all.csv small.csv
'
with_gzip "packed tables are kept from, too" '
    gzip -c n.csv >n.csv.gz
    run 0 predict --model t.sporf --data n.csv.gz --keep id --output packed.csv
    same all.csv packed.csv
'
it "columns without names are kept by number" '
    printf "1,7,5\n2,8,30\n" >bare.csv
    awk "BEGIN { for (i = 0; i < 40; i++) print i \",\" i * 7 % 11 \",\" i \",\" (i < 20 ? \"yes\" : \"no\") }" >t0.csv
    run 0 train --data t0.csv --label 4 --ignore 1 --model bare.sporf $quick
    run 0 predict --model bare.sporf --data bare.csv --keep 1
    printf "column1,prediction\n1,yes\n2,no\n" >wanted
    diff wanted "$work/out"
    python3 - <<END
import struct
header = "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (2, 3), }"
header += " " * (117 - len(header)) + "\n"
with open("bare.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack("<6d", 1.5, 7, 5, float("nan"), 8, 30))
END
    run 0 predict --model bare.sporf --data bare.npy --keep 1,3
    printf "column1,column3,prediction\n1.5,5,yes\n,30,no\n" >wanted
    diff wanted "$work/out"
    printf "1 1:3\n" >n.svm
    refused 1 "no columns that could be kept" predict --model bare.sporf --data n.svm --keep 1 --format svmlight
'
it "a column that is not there is answered with the nearest" '
    refused 1 "no kept column '\''ids'\''; did you mean '\''id'\''?" predict --model t.sporf --data t.csv --keep ids
    refused 1 "named twice" predict --model t.sporf --data t.csv --keep id,x,id
    refused 2 "names a column without a name" predict --model t.sporf --data t.csv --keep id,
'
it "a kept column must not be called as one of the predictions" '
    printf "prediction,x,z,yes\n7,1,3,1\n" >n.csv
    refused 1 "--keep '\''prediction'\''" predict --model t.sporf --data n.csv --keep prediction --output kept.csv
    [ ! -e kept.csv ]
    run 0 predict --model t.sporf --data n.csv --keep yes
    header "yes,prediction"
    refused 1 "--keep '\''yes'\''" predict --model t.sporf --data n.csv --keep yes --proba
'
it "two kept columns of one name are told apart" '
    printf "note,note,x,z\na,b,1,3\n" >n.csv
    run 0 predict --model t.sporf --data n.csv --keep 1,2
    header "note,note_2,prediction"
    tail -n 1 "$work/out" | grep -qx "a,b,yes"
'

# on_terminal ARGUMENT...: what the command writes to a terminal, both streams, in the file `screen`.
on_terminal() {
    python3 - "$SPORF" "$@" <<'END'
import os, pty, sys
with open("screen", "wb") as screen:
    def keep(handle):
        data = os.read(handle, 65536)
        screen.write(data)
        return data
    status = pty.spawn(sys.argv[1:], keep, lambda handle: b"")
END
}

# harmless FILE: it has line ends, and nothing else that drives a terminal.
harmless() {
    python3 - "$1" <<'END'
import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8", "surrogateescape")
bad = [c for c in text if c not in "\r\n" and (unicodedata.category(c) == "Cc" or c in "\u2028\u2029\u202e\u2066"
       or "\udc80" <= c <= "\udc9f")]
assert not bad, bad
assert len(text) > 5
END
}

# U+009B starts a sequence for terminals that know it, as the byte 9b does; U+202E turns the text around.
evil=$(printf 'a\302\2332J\033[2J\342\200\256b')
it "class names with control characters are harmless on a terminal and exact in a file" '
    table evil.csv "$evil" "$(printf "raw\2332J")"
    run 0 train --data evil.csv --label class --ignore id --model evil.sporf $quick
    harmless "$work/out"
    TERM=dumb on_terminal predict --model evil.sporf --data evil.csv --proba --keep id
    harmless screen
    run 0 predict --model evil.sporf --data evil.csv
    grep -qF "$evil" "$work/out"
    run 0 evaluate --model evil.sporf --data evil.csv
    harmless "$work/out"
    run 0 inspect --model evil.sporf --tree all
    harmless "$work/out"
    run 0 train --data evil.csv --label class --ignore id --model evil.sporf --json $quick
    harmless "$work/out"
    EVIL=$evil json "__import__(\"os\").environ[\"EVIL\"] in d[\"class_names\"]"
'
it "kept cells and column names are harmless, too" '
    { printf "%s,x,z\n" "$evil"; printf "%s,1,2\n" "$evil"; } >n.csv
    TERM=dumb on_terminal predict --model t.sporf --data n.csv --keep 1
    harmless screen
    run 0 predict --model t.sporf --data n.csv --keep 1
    [ "$(grep -cF "$evil" "$work/out")" -eq 2 ]
    { printf "%s,class\n" "$evil"; printf "1,%s\n1,yes\n0,no\nx,yes\n" "$evil"; } >n.csv
    run 1 train --data n.csv --label classs --model n.sporf $quick
    harmless "$work/err"
    run 1 train --data n.csv --label "$evil" --weight class --model n.sporf $quick
    harmless "$work/err"
'
it "a name with a comma stands in quotes in a list" '
    printf "\"a,b\",c,\"d \"\"x\"\"\",class\n" >comma.csv
    for i in 1 2 3 4; do printf "%d,2,3,yes\n%d,1,3,no\n" $i $((9 - i)); done >>comma.csv
    run 0 train --data comma.csv --label class --ignore "c, \"a,b\" " --model comma.sporf --json $quick
    json "d[\"features\"] == 1"
    run 0 train --data comma.csv --label class --ignore "\"d \"\"x\"\"\"" --model comma.sporf --json $quick
    json "d[\"features\"] == 2"
    run 0 dependence --model comma.sporf --data comma.csv --features "\"a,b\",c" --json
    run 0 predict --model comma.sporf --data comma.csv --keep "\"a,b\""
    grep -q "^\"a,b\"" "$work/out"
    run 2 train --data comma.csv --label class --ignore "\"\"" --model comma.sporf $quick
    run 1 train --data comma.csv --label class --ignore "\"a" --model comma.sporf $quick
'
finish
