#!/bin/sh
# sporf predict: the classes, the probabilities, and where they are written.
# Labels: full
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
sed 1d iris.csv >bare.csv
cut -d, -f1-4 iris.csv >new.csv
"$SPORF" train --data iris.csv --label species --trees 25 --model m.sporf --max-depth 4 >/dev/null || exit 2
"$SPORF" train --data bare.csv --label last --trees 25 --model bare.sporf --max-depth 4 >/dev/null || exit 2
reader=$SPORF_ROOT/tests/support/read_model.py

it "a header and a class for each row" '
    run 0 predict --model m.sporf --data new.csv
    said_nothing
    [ "$(wc -l <"$work/out")" -eq 151 ]
    [ "$(head -n 1 "$work/out")" = prediction ]
    [ "$(sed 1d "$work/out" | sort -u | tr "\n" " ")" = "setosa versicolor virginica " ]
'
it "--proba adds a column for each class, and they sum to 1" '
    run 0 predict --model m.sporf --data new.csv && cp "$work/out" classes.csv
    run 0 predict --model m.sporf --data new.csv --proba
    [ "$(head -n 1 "$work/out")" = prediction,setosa,versicolor,virginica ]
    cut -d, -f1 "$work/out" | cmp - classes.csv
    awk -F, "NR > 1 && (\$2 + \$3 + \$4 < .999999 || \$2 + \$3 + \$4 > 1.000001) { bad = 1 }
        END { exit bad || NR != 151 }" "$work/out"
'
it "the device does not change a prediction" '
    for more in "" "--combine posteriors" "--calibration none"; do
        run 0 predict --model m.sporf --data new.csv --proba $more && cp "$work/out" usual.csv
        for device in cpu auto; do
            run 0 predict --model m.sporf --data new.csv --proba $more --device $device
            said_nothing
            same usual.csv "$work/out"
        done
    done
    refused 2 "--device must be one of auto|cpu|gpu" predict --model m.sporf --data new.csv --device tpu
'
# A build with GPU support, on a machine with a GPU, has make gpu-check.
if "$SPORF" predict --model m.sporf --data new.csv --device gpu >/dev/null 2>&1; then
    skip "a GPU that is not there predicts nothing, and the error says what to do" "there is a GPU"
else
    it "a GPU that is not there predicts nothing, and the error says what to do" '
        refused 1 "use --device cpu, or --device auto" predict --model m.sporf --data new.csv --output g.csv --device gpu
        [ ! -e g.csv ]
    '
fi
it "--map gives what a model that was read gives, for few rows and for many" '
    head -n 11 new.csv >few.csv
    for table in few.csv new.csv; do
        run 0 predict --model m.sporf --data $table --proba && cp "$work/out" read.csv
        run 0 predict --model m.sporf --data $table --proba --map
        same read.csv "$work/out"
    done
'
it "a model that is cut while rows are awaited has been read already" '
    cp m.sporf cut.sporf
    run 0 predict --model m.sporf --data new.csv && cp "$work/out" whole.csv
    { head -n 1 new.csv; sleep 0.3; : >cut.sporf; sed 1d new.csv; } |
        "$SPORF" predict --model cut.sporf --data - >out
    same whole.csv out
'
it "the independent reader of model files predicts the same" '
    for method in sporf rf frc rr-rf ccf patch; do
        run 0 train --data iris.csv --label species --trees 15 --model x.sporf --method $method \
            --max-depth 3 --scale sd
        python3 "$reader" x.sporf new.csv --header >expected
        run 0 predict --model x.sporf --data new.csv
        sed 1d "$work/out" | cmp - expected
        python3 "$reader" x.sporf new.csv --header --posteriors >expected
        run 0 predict --model x.sporf --data new.csv --combine posteriors
        sed 1d "$work/out" | cmp - expected
        for combine in votes posteriors; do
            case $combine in posteriors) option=--posteriors ;; *) option= ;; esac
            python3 "$reader" x.sporf new.csv --header --probabilities $option >expected
            run 0 predict --model x.sporf --data new.csv --combine $combine --proba
            python3 - "$work/out" expected <<EOF
import csv, sys
ours = [list(map(float, row[1:])) for row in list(csv.reader(open(sys.argv[1])))[1:]]
theirs = [list(map(float, line.split(","))) for line in open(sys.argv[2])]
assert len(ours) == len(theirs) == 150
assert all(abs(a - b) < 1e-12 for x, y in zip(ours, theirs) for a, b in zip(x, y))
EOF
        done
    done
'
it "votes are shares of the trees, posteriors are finer" '
    run 0 train --data iris.csv --label species --trees 25 --max-depth 1 --model low.sporf
    run 0 predict --model low.sporf --data new.csv --proba --combine votes --calibration none
    cp "$work/out" votes.csv
    awk -F, "NR > 1 { v = \$2 * 25; if (v - int(v + .5) > 1e-9 || v - int(v + .5) < -1e-9) exit 1 }" votes.csv
    run 0 predict --model low.sporf --data new.csv --proba --combine posteriors --calibration none
    differ votes.csv "$work/out"
'
it "probabilities are calibrated, and no class changes" '
    run 0 train --data iris.csv --label species --trees 25 --model m25.sporf
    run 0 train --data iris.csv --label species --trees 25 --calibration none --model plain.sporf
    for combine in votes posteriors; do
        run 0 predict --model m25.sporf --data new.csv --proba --combine $combine && cp "$work/out" calibrated.csv
        run 0 predict --model m25.sporf --data new.csv --proba --combine $combine --calibration none
        cp "$work/out" shares.csv
        differ calibrated.csv shares.csv
        cut -d, -f1 calibrated.csv >a && cut -d, -f1 shares.csv >b && same a b
        run 0 predict --model plain.sporf --data new.csv --proba --combine $combine && same shares.csv "$work/out"
        awk -F, "NR > 1 && (\$2 <= 0 || \$3 <= 0 || \$4 <= 0) { exit 1 }" calibrated.csv
    done
    refused 2 "--calibration must be" predict --model m25.sporf --data new.csv --calibration isotonic
'
it "a label column of the same name is left out" '
    run 0 predict --model m.sporf --data new.csv && cp "$work/out" a
    run 0 predict --model m.sporf --data iris.csv && same a "$work/out"
'
it "without names --label leaves the label column out" '
    cut -d, -f1-4 bare.csv >four.csv
    run 0 predict --model bare.sporf --data four.csv && cp "$work/out" a
    run 0 predict --model bare.sporf --data bare.csv --label last && same a "$work/out"
    run 0 predict --model bare.sporf --data bare.csv --label 5 && same a "$work/out"
    refused 1 "--label C" predict --model bare.sporf --data bare.csv
    sed "s/[a-z]*\$/1/" bare.csv >numeric.csv
    refused 1 "--label C" predict --model bare.sporf --data numeric.csv
'
it "columns are matched by name, in any order and with others between" '
    run 0 predict --model m.sporf --data new.csv && cp "$work/out" a
    awk -F, "BEGIN { OFS = FS } { print \$4, NR == 1 ? \"other\" : 5, \$2, \$1, \$3 }" new.csv >mixed.csv
    run 0 predict --model m.sporf --data mixed.csv && same a "$work/out"
'
it "a model without names takes columns by their place" '
    run 0 predict --model bare.sporf --data new.csv
    [ "$(wc -l <"$work/out")" -eq 151 ]
'
it "--output writes the same to a file, and - to standard output" '
    run 0 predict --model m.sporf --data new.csv --proba && cp "$work/out" a
    run 0 predict --model m.sporf --data new.csv --proba --output b
    printed_nothing
    same a b
    run 0 predict --model m.sporf --data new.csv --proba --output - && same a "$work/out"
'
it "standard input may be the table" '
    run 0 predict --model m.sporf --data new.csv && cp "$work/out" a
    "$SPORF" predict --model m.sporf --data - <new.csv >b
    same a b
'
it "a file is replaced whole, keeps its mode, and nothing is left beside it" '
    mkdir -p clean
    echo old >clean/p.csv && chmod 640 clean/p.csv
    run 0 predict --model m.sporf --data new.csv --output clean/p.csv
    [ "$(wc -l <clean/p.csv)" -eq 151 ]
    [ "$(ls -A clean)" = p.csv ]
    case $(ls -l clean/p.csv) in -rw-r-----*) ;; *) exit 1 ;; esac
'
it "a link to a file stays a link" '
    echo old >target.csv
    ln -sf target.csv link.csv
    run 0 predict --model m.sporf --data new.csv --output link.csv
    [ -h link.csv ]
    [ "$(wc -l <target.csv)" -eq 151 ]
'
it "a failure leaves an old file as it was" '
    echo old >p.csv
    run 1 predict --model m.sporf --data nowhere.csv --output p.csv
    [ "$(cat p.csv)" = old ]
    [ -z "$(find . -name "*p.csv?*")" ]
'
it "an output that cannot be written is an error" '
    refused 1 "/dev/full: cannot write: No space left" predict --model m.sporf --data new.csv \
        --output /dev/full
    refused 1 "nowhere/p.csv" predict --model m.sporf --data new.csv --output nowhere/p.csv
    mkdir -p folder
    refused 1 "folder" predict --model m.sporf --data new.csv --output folder
    got=0
    "$SPORF" predict --model m.sporf --data new.csv >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "cannot write to standard output: No space left"
    [ -c /dev/full ]
'
unless_threads "cannot live with a limit on files" "a full disk leaves the old file and no rest of the new one" '
    mkdir -p full
    echo old >full/p.csv
    (
        limit_files 1
        refused 1 "full/p.csv: cannot write" predict --model m.sporf --data new.csv --proba \
            --output full/p.csv
    )
    [ "$(cat full/p.csv)" = old ]
    [ "$(ls -A full)" = p.csv ]
'
it "a reader that leaves early is no reason for a message" '
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sed 1d new.csv; done >rows
    for i in 1 2 3 4 5 6 7 8 9 10; do cat rows; done >many.csv
    {
        got=0
        "$SPORF" predict --model bare.sporf --data many.csv --proba 2>err || got=$?
        echo $got >code
    } | head -n 1 >first
    [ "$(cat first)" = prediction,setosa,versicolor,virginica ]
    [ "$(cat code)" -eq 1 ]
    is_empty err
'
it "neither the table nor the model is overwritten" '
    cp new.csv own.csv
    cp m.sporf own.sporf
    refused 2 "same file" predict --model own.sporf --data own.csv --output own.csv
    refused 2 "same file" predict --model own.sporf --data own.csv --output own.sporf
    same own.csv new.csv
    same own.sporf m.sporf
'
it "columns that the model does not know may hold text" '
    run 0 predict --model m.sporf --data new.csv
    cp "$work/out" plain
    awk "NR == 1 { print \"id,\" \$0 \",note\"; next } { print \"x\" NR \",\" \$0 \",some words\" }" new.csv >more.csv
    run 0 predict --model m.sporf --data more.csv
    same plain "$work/out"
'
it "a model given as a table is recognised" '
    refused 1 "a sporf model, not a table" predict --model m.sporf --data m.sporf
'
finish
