#!/bin/sh
# Bad tables, as seen from the command: one clear message with the place, exit code 1, no model.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" train --data iris.csv --label last --trees 5 --model iris.sporf >/dev/null || exit 2

# no_table TEXT FILE: training on the file fails with a message that names the file and holds the
# text; so do prediction and evaluation.
no_table() {
    refused 1 "$1" train --data "$2" --label last --model no.sporf
    said "$2"
    refused 1 "$2" predict --data "$2" --model iris.sporf
    refused 1 "$2" evaluate --data "$2" --label last --model iris.sporf
    [ ! -e no.sporf ]
}

it "an empty file" '
    : >empty.csv
    no_table "empty" empty.csv
'
with_gzip "an empty file, packed" '
    gzip -c </dev/null >empty.csv.gz
    no_table "empty" empty.csv.gz
'
it "a header and nothing else" '
    head -n 1 iris.csv >header.csv
    refused 1 "header.csv: a header and no rows" train --data header.csv --label last --model no.sporf
    refused 1 "header.csv: a header and no rows" evaluate --data header.csv --label last --model iris.sporf
    run 0 predict --data header.csv --model iris.sporf --proba
    said_nothing
    run 0 predict --data iris.csv --model iris.sporf --proba
    head -n 1 "$work/out" >first
    run 0 predict --data header.csv --model iris.sporf --proba
    same "$work/out" first
    echo "id,$(cat header.csv)" >named.csv
    run 0 predict --data named.csv --model iris.sporf --keep id
    [ "$(cat "$work/out")" = "id,prediction" ]
'
it "a row with a field too few or too many names its line" '
    awk "NR == 7 { sub(/,[^,]*/, \"\") } { print }" iris.csv >short.csv
    no_table "line 7" short.csv
    awk "NR == 150 { \$0 = \$0 \",9\" } { print }" iris.csv >long.csv
    no_table "line 150" long.csv
'
it "infinities and text among numbers name line and column" '
    for cell in inf -Infinity 1e39 abc 1.2.3 0x; do
        awk -F, -v cell="$cell" "BEGIN { OFS = FS } NR == 5 { \$3 = cell } { print }" iris.csv >cell.csv
        no_table "line 5" cell.csv
        said "petal_length"
    done
'
it "an empty label names its line" '
    awk -F, "BEGIN { OFS = FS } NR == 9 { \$5 = \"\" } { print }" iris.csv >label.csv
    refused 1 "line 9" train --data label.csv --label last --model no.sporf
'
it "a quote that never closes" '
    { cat iris.csv; echo "\"1,2,3,4,setosa"; } >quote.csv
    no_table "quote" quote.csv
'
it "one class only" '
    grep -e sepal -e setosa iris.csv >one.csv
    refused 1 "class" train --data one.csv --label last --model no.sporf
    [ ! -e no.sporf ]
    run 0 evaluate --data one.csv --label last --model iris.sporf --json
    json "d[\"rows\"] == 50"
'
it "one row" '
    head -n 2 iris.csv >single.csv
    refused 1 "class" train --data single.csv --label last --model no.sporf
    [ ! -e no.sporf ]
    run 0 predict --data single.csv --model iris.sporf
    [ "$(wc -l <"$work/out")" -eq 2 ]
    run 0 evaluate --data single.csv --label last --model iris.sporf --json
    json "d[\"rows\"] == 1"
'
it "bars separate fields, but not those of a file of labels" '
    tr , "|" <iris.csv >bars.csv
    run 0 predict --data iris.csv --model iris.sporf
    cp "$work/out" plain
    run 0 predict --data bars.csv --model iris.sporf
    same "$work/out" plain
    awk "NR > 1 { print \$1 % 2 ? \"a|b\" : \"c|d\" }" iris.csv >labels.txt
    cut -d, -f1-4 iris.csv >features.csv
    run 0 train --data features.csv --label-file labels.txt --trees 2 --model bars.sporf
'
it "commas in numbers are read by what the file proves, and asked for where it proves nothing" '
    for cell in 2,427 2,42; do
        tr , ";" <iris.csv | awk -F";" -v cell=$cell "BEGIN { OFS = FS } NR == 5 { \$3 = cell } { print }" >comma.csv
        if [ $cell = 2,42 ]; then
            no_table "'\''2,42'\'' is a number with a decimal comma, but '\''" comma.csv
        else
            run 0 train --data comma.csv --label last --trees 2 --model marks.sporf
            said "column '\''petal_length'\'' is read as numbers: '\''2,427'\'' is 2427"
        fi
    done
    printf "a;class\n1,234;x\n2,345;y\n" >unclear.csv
    refused 1 "unclear.csv line 2, column 1 ('\''a'\''): '\''1,234'\'' may have a decimal comma" \
        train --data unclear.csv --label last --model no.sporf
    said "(--decimal , or --decimal .)"
    for decimal in . , point comma; do
        run 0 train --data unclear.csv --label last --decimal $decimal --trees 2 --model marks.sporf
    done
'
it "numbers with marks between thousands do not become text, as which they would be left out" '
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$3 = sprintf(\"\\\"%d,%03d.%d\\\"\", NR, NR, NR) } { print }" iris.csv >points.csv
    run 0 train --data points.csv --label last --trees 2 --model marks.sporf
    said "column '\''petal_length'\'' is read as numbers: '\''2,002.2'\'' is 2002.2"
    tr ",." ";," <iris.csv | awk -F";" "BEGIN { OFS = FS } NR > 1 { \$3 = sprintf(\"%d.%03d,%d\", NR, NR, NR) } { print }" |
        cut -d";" -f3,5 >commas.csv
    run 0 train --data commas.csv --label last --trees 2 --model marks.sporf
    said "numbers are read with decimal commas: '\''2.002,2'\'' is 2002.2"
    run 0 train --data points.csv --label last --categorical petal_length --trees 2 --model marks.sporf
    sed 1q iris.csv >one.csv && sed -n 2p points.csv >>one.csv
    run 0 predict --data one.csv --model iris.sporf
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$3 = \"10.0.\" NR % 3 \".\" NR % 5 } { print }" iris.csv >addresses.csv
    run 0 train --data addresses.csv --label last --trees 2 --model marks.sporf
    printed "1 category (15 levels)"
'
it "a label and no features" '
    cut -d, -f5 iris.csv >labels.csv
    refused 1 "labels.csv" train --data labels.csv --label last --model no.sporf
'
it "a file that is not there, a directory, a device of nothing" '
    no_table "No such file" nowhere.csv
    mkdir -p folder
    no_table "directory" folder
    no_table "empty" /dev/null
'
if [ "$(id -u)" -ne 0 ]; then
    it "a file that may not be read" '
        cp iris.csv locked.csv && chmod a-r locked.csv
        no_table "Permission denied" locked.csv
    '
else
    skip "a file that may not be read" "root may read anything"
fi
it "a model that is not there, a directory, or no model" '
    for verb in predict evaluate; do
        refused 1 "nowhere.sporf" $verb --data iris.csv --model nowhere.sporf
        refused 1 "folder" $verb --data iris.csv --model folder
        refused 1 "iris.csv" $verb --data iris.csv --model iris.csv
        refused 1 "/dev/null" $verb --data iris.csv --model /dev/null
    done
    refused 1 "nowhere.sporf" inspect --model nowhere.sporf
    refused 1 "folder" inspect --model folder
    refused 1 "iris.csv" inspect --model iris.csv
'
unpacks || it "a packed file, if the build cannot unpack it" '
    gzip -c iris.csv >whole.gz
    no_table "whole.gz: compressed with gzip" whole.gz
    said "unpack it with gunzip" "-DSPORF_ZLIB=ON"
'
with_gzip "a packed file that is cut off or damaged" '
    gzip -c iris.csv >whole.gz
    head -c 500 whole.gz >cut.gz
    no_table "gzip" cut.gz
    { head -c 300 whole.gz; printf "XXXXXXXX"; tail -c +309 whole.gz; } >damaged.gz
    no_table "gzip" damaged.gz
'
it "npy, idx and svmlight files that are cut off or wrong" '
    printf "\223NUMPY\001\000" >cut.npy
    refused 1 "cut.npy" train --data cut.npy --label last --model no.sporf
    printf "\000\000\010\003\000\000\000\012" >cut.idx
    refused 1 "cut.idx" train --data cut.idx --label-file iris.csv --model no.sporf
    printf "1 1:2\n2 1:3\n1 2:x\n" >bad.svm
    refused 1 "line 3" train --data bad.svm --format svmlight --model no.sporf
    said "bad.svm"
    printf "1 0:2\n2 1:3\n" >zero.svm
    refused 1 "--zero-based" train --data zero.svm --format svmlight --model no.sporf
'
it "a model of another number of features" '
    cut -d, -f1-3 iris.csv >three.csv
    refused 1 "4" predict --data three.csv --model iris.sporf
    sed 1d iris.csv | cut -d, -f1-3 >bare.csv
    refused 1 "4" predict --data bare.csv --model iris.sporf
    said "3"
    cut -d, -f1,2,5 iris.csv >two.csv
    refused 1 "4" evaluate --data two.csv --label last --model iris.sporf
'
it "a column that the model knows by another name" '
    sed "1s/petal_width/width/" iris.csv >renamed.csv
    refused 1 "petal_width" predict --data renamed.csv --model iris.sporf
'
it "two columns of the same name" '
    sed "1s/petal_width/sepal_width/" iris.csv >twice.csv
    refused 1 "twice.csv: the data have two columns named '\''sepal_width'\'', 2 and 4; remove or rename one of them" \
        predict --data twice.csv --model iris.sporf
    for verb in "train --model no.sporf" "tune --model no.sporf" "crossval --folds 2" "prepare --output no.sporf"; do
        refused 1 "twice.csv: columns 2 and 4 are both named '\''sepal_width'\''" $verb --data twice.csv --label last
        said "rename one of them"
        [ ! -e no.sporf ]
    done
    run 0 train --data twice.csv --label last --ignore 4 --trees 2 --model twice.sporf
    printed "3: sepal_length, sepal_width, petal_length"
    sed "1s/species/sepal_width/" iris.csv >classes.csv
    refused 1 "columns 2 and 5 are both named '\''sepal_width'\''" train --data classes.csv --label last --model no.sporf
'
it "--max-memory bounds the table in every verb" '
    for verb in "train --label last" "predict" "evaluate --label last"; do
        case $verb in train*) model=no.sporf ;; *) model=iris.sporf ;; esac
        refused 1 "memory" $verb --data iris.csv --max-memory 1K --model $model
        case $verb in train*) model=ok.sporf ;; esac
        run 0 $verb --data iris.csv --max-memory 1G --model $model
    done
'
it "binary rubbish" '
    head -c 3000 "$SPORF" >rubbish
    run 1 train --data rubbish --label last --model no.sporf
    printed_nothing
    said rubbish
    [ ! -e no.sporf ]
'
finish
