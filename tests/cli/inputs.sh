#!/bin/sh
# Every kind of table gives the forest that the plain CSV file gives.
# Labels: full
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3 gzip

flowers iris.csv
sed 1d iris.csv >bare.csv
settings="--seed 5 --trees 5"
"$SPORF" train --data iris.csv --label last $settings --model named.sporf >/dev/null || exit 2
"$SPORF" train --data bare.csv --label last $settings --model bare.sporf >/dev/null || exit 2
"$SPORF" predict --model named.sporf --data iris.csv --output expected.csv || exit 2

# named FILE ARGUMENT..., bare FILE ARGUMENT...: training on the file gives the very model that the
# CSV file with, without a header gives.
named() { gives named.sporf "$@"; }
bare() { gives bare.sporf "$@"; }
gives() {
    model=$1 file=$2
    shift 2
    run 0 train --data "$file" $settings --model got.sporf "$@"
    same "$model" got.sporf
}

it "a header is seen, and its absence too" '
    run 0 inspect --model named.sporf --json
    json "d[\"feature_names\"][3] == \"petal_width\"" "d[\"label\"] == \"species\""
    run 0 inspect --model bare.sporf --json
    json "d[\"feature_names\"] == []" "d[\"label\"] is None"
'
it "names that are numbers from 0 are those of a header for a model that knows them" '
    sed "1s/.*/0,1,2,3,species/" iris.csv >numbered.csv
    run 0 train --data numbered.csv --label species $settings --model numbered.sporf
    cut -d, -f1-4 numbered.csv >features.csv
    for file in numbered.csv features.csv; do
        run 0 predict --model numbered.sporf --data $file --output got.csv
        same expected.csv got.csv
    done
    printf "0,2,1,3\n5,3,1,0.2\n" >rows.csv
    run 0 predict --model numbered.sporf --data rows.csv --output got.csv
    [ "$(wc -l <got.csv)" -eq 3 ]
    printf "0,1,y\n0.5,0.25,a\n0.75,0.5,b\n0.25,1,a\n1,0.25,b\n" >two.csv
    run 0 train --data two.csv --label y $settings --model two.sporf
    printf "0,1\n1,0\n" >rows.csv
    run 0 predict --model two.sporf --data rows.csv --output got.csv
    [ "$(wc -l <got.csv)" -eq 3 ]
'
it "--header yes and no decide instead" '
    named iris.csv --label last --header yes
    bare bare.csv --label last --header no
    run 0 train --data bare.csv --label last $settings --model got.sporf --header yes --json
    json "d[\"rows\"] == 149"
    run 1 train --data iris.csv --label last $settings --model got.sporf --header no
    said "iris.csv" "1"
'
with_gzip "gzip" '
    gzip -c iris.csv >iris.csv.gz
    named iris.csv.gz --label last
'
it "tabs and semicolons" '
    tr "," "\t" <iris.csv >iris.tsv
    named iris.tsv --label last
    tr "," ";" <iris.csv >semi.csv
    named semi.csv --label last --format csv
'
it "CRLF line ends, a byte order mark, no newline at the end" '
    sed "s/\$/\r/" iris.csv >crlf.csv
    named crlf.csv --label last
    { printf "\357\273\277"; cat iris.csv; } >bom.csv
    named bom.csv --label last
    named bom.csv --label species
    printf "%s" "$(cat iris.csv)" >open.csv
    named open.csv --label last
'
it "quoted fields" '
    sed "s/,/\",\"/g; s/^/\"/; s/\$/\"/" iris.csv >quoted.csv
    named quoted.csv --label species
'
it "labels and names with commas, quotes and newlines survive the round trip" '
    awk -F, "BEGIN { OFS = FS } NR > 1 {
        \$5 = (\$5 == \"setosa\") ? \"\\\"a, b\\\"\" : (\$5 == \"virginica\") ? \"\\\"say \\\"\\\"hi\\\"\\\"\\\"\" : \"\\\"two\nlines\\\"\"
    } { print }" iris.csv >odd.csv
    run 0 train --data odd.csv --label last $settings --model odd.sporf --json
    json "sorted(d[\"class_names\"]) == [\"a, b\", \"say \\\"hi\\\"\", \"two\\nlines\"]"
    run 0 predict --model odd.sporf --data odd.csv --output odd.out --proba
    python3 - <<EOF
import csv
rows = list(csv.reader(open("odd.out", newline="")))
assert sorted(rows[0][1:]) == ["a, b", "say \"hi\"", "two\nlines"], rows[0]
assert len(rows) == 151 and {row[0] for row in rows[1:]} == set(rows[0][1:])
assert all(len(row) == 4 for row in rows)
EOF
'
it "the label may be any column" '
    awk -F, "BEGIN { OFS = FS } { print \$5, \$1, \$2, \$3, \$4 }" iris.csv >first.csv
    named first.csv --label 1
    named first.csv --label species
'
it "integers as labels are sorted by value" '
    awk -F, "BEGIN { OFS = FS } { \$5 = NR == 1 ? \"y\" : (NR % 3) * 10 - 5; print }" iris.csv >whole.csv
    run 0 train --data whole.csv --label y $settings --model w.sporf --json
    json "d[\"class_names\"] == [\"-5\", \"5\", \"15\"]"
'
it "NumPy files" '
    python3 - <<EOF
import csv, struct
rows = [list(map(float, row[:4])) + [{"setosa": 0, "versicolor": 1, "virginica": 2}[row[4]]]
        for row in csv.reader(open("bare.csv"))]
def write(name, rows, code, dtype):
    shape = "(%d, %d)" % (len(rows), len(rows[0]))
    text = "{\"descr\": \"%s\", \"fortran_order\": False, \"shape\": %s, }" % (dtype, shape)
    text = text.replace("\"", chr(39)).ljust(117) + "\n"
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
        for row in rows:
            file.write(struct.pack("<%d%s" % (len(row), code), *row))
write("iris.npy", rows, "d", "<f8")
write("x.npy", [row[:4] for row in rows], "f", "<f4")
with open("numbers.csv", "w") as file:
    for row in rows:
        file.write(",".join(map(repr, row[:4])) + ",%d\n" % row[4])
EOF
    run 0 train --data numbers.csv --label last $settings --model numbers.sporf
    for arguments in "iris.npy --label last" "iris.npy --label 5 --format npy"; do
        gives numbers.sporf $arguments
    done
    cut -d, -f5 numbers.csv >names.txt
    gives numbers.sporf x.npy --label-file names.txt
    run 0 predict --model numbers.sporf --data x.npy && cp "$work/out" a
    run 0 predict --model numbers.sporf --data iris.npy --label last && same a "$work/out"
'
it "idx files, with the labels in a file of their own" '
    python3 - <<EOF
import struct
pixels = [[(7 * i * j + i * i + 40 * (i % 3)) % 256 for j in range(6)] for i in range(90)]
with open("images.idx", "wb") as file:
    file.write(struct.pack(">BBBBIII", 0, 0, 8, 3, 90, 2, 3))
    for row in pixels:
        file.write(bytes(row))
with open("labels.idx", "wb") as file:
    file.write(struct.pack(">BBBBI", 0, 0, 8, 1, 90) + bytes(i % 3 for i in range(90)))
with open("images.csv", "w") as file:
    for i, row in enumerate(pixels):
        file.write(",".join(map(str, row)) + ",%d\n" % (i % 3))
EOF
    run 0 train --data images.csv --label last $settings --model images.sporf
    gives images.sporf images.idx --label-file labels.idx
    gives images.sporf images.idx --label-file labels.idx --format idx
'
with_gzip "so do packed ones" '
    gzip images.idx labels.idx
    gives images.sporf images.idx.gz --label-file labels.idx.gz
    run 0 evaluate --model images.sporf --data images.idx.gz --label-file labels.idx.gz --json
    json "d[\"rows\"] == 90"
'
it "svmlight files bring their own labels, and features that are 0 may be left out" '
    python3 - <<EOF
import csv
rows = list(csv.reader(open("bare.csv")))
number = {"setosa": 1, "versicolor": 2, "virginica": 3}
for name, base in ("iris.svm", 1), ("zero.svm", 0):
    with open(name, "w") as file:
        for i, row in enumerate(rows):
            cells = ["%d:%s" % (j + base, x) for j, x in enumerate(row[:4]) if (i, j) != (5, 3)]
            file.write("%d %s\n" % (number[row[4]], " ".join(cells)))
with open("dense.csv", "w") as file:
    for i, row in enumerate(rows):
        if i == 5:
            row[3] = "0"
        file.write(",".join(row[:4]) + ",%d\n" % number[row[4]])
EOF
    run 0 train --data dense.csv --label last $settings --model dense.sporf
    gives dense.sporf iris.svm
    gives dense.sporf iris.svm --format svmlight
    gives dense.sporf zero.svm --zero-based --format svmlight
    run 0 predict --model dense.sporf --data dense.csv --label last && cp "$work/out" a
    run 0 predict --model dense.sporf --data iris.svm && same a "$work/out"
    run 0 predict --model dense.sporf --data zero.svm --zero-based && same a "$work/out"
    run 0 evaluate --model dense.sporf --data iris.svm --json
    json "d[\"unknown_labels\"] == 0" "d[\"rows\"] == 150"
    echo "1 1:2.5" >one.svm
    run 0 predict --model dense.sporf --data one.svm
'
it "duplicate rows with different labels are a right answer, not an error" '
    { echo "x,y,class"; for i in 1 2 3 4 5 6; do echo "1,2,a"; echo "1,2,b"; echo "3,4,b"; done; } >dup.csv
    run 0 train --data dup.csv --label class --trees 30 --model dup.sporf --json
    json "d[\"rows\"] == 18"
    run 0 evaluate --model dup.sporf --data dup.csv --label class --json
    json "abs(d[\"error\"] - 6 / 18) < 1e-12"
'
it "constant columns do no harm" '
    awk -F, "BEGIN { OFS = FS } { print NR == 1 ? \"c\" : 7, \$0, NR == 1 ? \"species\" : 0 }" iris.csv |
        cut -d, -f1-6 >constant.csv
    for method in sporf rf frc rr-rf ccf patch; do
        for scale in none sd range iqr; do
            run 0 train --data constant.csv --label last --trees 10 --method $method \
                --scale $scale --model c.sporf
            run 0 evaluate --model c.sporf --data constant.csv --label last --json
            json "d[\"error\"] < .2"
        done
    done
    { echo "a,b,class"; for i in 1 2 3 4; do echo "5,5,p"; echo "5,5,q"; done; } >flat.csv
    run 0 train --data flat.csv --label class --trees 5 --model flat.sporf --json
    json "d[\"nodes\"] == 5"
'
it "a hundred thousand columns" '
    awk "BEGIN { for (i = 0; i < 6; i++) { for (j = 0; j < 100000; j++) printf \"%d,\", (i * j) % 7; print i % 2 } }" >wide.csv
    run 0 train --data wide.csv --label last --trees 3 --model wide.sporf --json
    json "d[\"features\"] == 100000"
    run 0 predict --model wide.sporf --data wide.csv --label last
    [ "$(wc -l <"$work/out")" -eq 7 ]
'
it "several files of one shape are one table, for every verb" '
    head -n 81 iris.csv >a.csv
    { head -n 1 iris.csv; tail -n +82 iris.csv; } >b.csv
    both="--data a.csv --data=b.csv"
    run 0 train --data iris.csv --label species --trees 5 --model one.sporf
    run 0 train $both --label species --trees 5 --model two.sporf
    same one.sporf two.sporf
    for verb in "predict --model one.sporf" "evaluate --model one.sporf --label species" \
        "strength --model one.sporf" "dependence --model one.sporf --grid 5" "crossval --label species --folds 3 --trees 3"; do
        run 0 $verb --data iris.csv && cp "$work/out" one
        run 0 $verb $both
        grep -v time one >expected
        grep -v time "$work/out" | cmp - expected
    done
    "$SPORF" predict --model one.sporf --data a.csv --data - <b.csv >piped
    run 0 predict --model one.sporf --data iris.csv
    same piped "$work/out"
    sed "s/,/;/g" b.csv >c.csv
    refused 1 "c.csv: fields or lines are separated differently than in a.csv" \
        train --data a.csv --data c.csv --label species --trees 5 --model no.sporf
    refused 2 "are the same file" predict --model one.sporf $both --output b.csv
    refused 2 "given twice" noise $both --columns 1
    refused 2 "--data b.csv and --data ./b.csv are the same file: its rows would count twice" \
        train $both --data ./b.csv --label species --trees 5 --model no.sporf
    refused 2 "of several files each is named: --data a.csv --data b.csv" \
        train --data a.csv b.csv --label species --trees 5 --model no.sporf
'
finish
