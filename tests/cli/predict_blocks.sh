#!/bin/sh
# sporf predict in blocks: tables larger than a block, from files and pipes, with faults late in them.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3 gzip mkfifo seq

flowers iris.csv
"$SPORF" train --data iris.csv --label species --trees 5 --model m.sporf --max-depth 4 >/dev/null || exit 2
sed 1d iris.csv >rows
for i in $(seq 200); do cat rows; done >bare.csv
{ head -n 1 iris.csv && cat bare.csv; } >long.csv
"$SPORF" predict --model m.sporf --data long.csv --proba --output expected || exit 2
small="--max-memory 300K" # blocks of 75 KB, some fifteen of them

# gives FILE ARGUMENT...: the predictions of the file, read in small blocks, are those expected.
gives() {
    table=$1
    shift
    run 0 predict --model m.sporf --data "$table" --proba $small "$@"
    said_nothing
    same expected "$work/out"
}

it "small blocks of a file and of a pipe give what large ones give" '
    gives long.csv
    mkfifo pipe
    cat long.csv >pipe &
    gives pipe
    cat long.csv | "$SPORF" predict --model m.sporf --data - --proba $small >out
    same expected out
'
with_gzip "so do packed files, several in one, and packed bytes from a pipe" '
    { head -n 9000 long.csv | gzip; tail -n +9001 long.csv | gzip; } >long.csv.gz
    gives long.csv.gz
    cat long.csv.gz | "$SPORF" predict --model m.sporf --data - --proba $small >out
    same expected out
'
it "so do Windows line ends, quoted fields, and no line end at the end" '
    sed "s/\$/\r/" long.csv >crlf.csv
    gives crlf.csv
    awk -F, "BEGIN { OFS = FS } { print (NR == 1) ? \"note\" : \"\\\"a\n\\\"\\\"\" NR \"\\\"\", \$0 }" long.csv >notes.csv
    gives notes.csv
    printf "%s" "$(cat long.csv)" >open.csv
    gives open.csv
    { cat long.csv; printf "\n\n  \n"; } >blank.csv
    gives blank.csv
'
it "columns are matched by name and the label is left out in every block" '
    awk -F, "BEGIN { OFS = FS } { print \$4, \$5, \$2, \$1, \$3 }" long.csv >mixed.csv
    gives mixed.csv
    gives mixed.csv --label species
    gives bare.csv --label last
'
it "a fault in a late row names its line, and no output is left" '
    awk "NR == 29000 { sub(/,[^,]*/, \"\") } { print }" long.csv >short.csv
    awk -F, "BEGIN { OFS = FS } NR == 29000 { \$3 = \"text\" } { print }" long.csv >text.csv
    awk "NR == 29000 { print \"#\" } { print }" long.csv >gap.csv
    echo old >p.csv
    for bad in short.csv text.csv gap.csv; do
        refused 1 "$bad line 29000" predict --model m.sporf --data $bad $small --output p.csv
        [ "$(cat p.csv)" = old ]
        [ -z "$(find . -name "*p.csv?*")" ]
        run 1 predict --model m.sporf --data $bad --proba $small
        said "$bad line 29000"
        rows=$(wc -l <"$work/out")
        [ "$rows" -gt 10000 ] && [ "$rows" -lt 29000 ]
        head -n "$rows" expected | cmp - "$work/out"
    done
'
with_gzip "so does a packed file that ends too early" '
    echo old >p.csv
    gzip -c long.csv >whole.gz
    head -c $(($(wc -c <whole.gz) / 2)) whole.gz >cut.gz
    refused 1 "end too early" predict --model m.sporf --data cut.gz $small --output p.csv
    [ "$(cat p.csv)" = old ]
'
it "a quote out of place is refused without the rest of the table" '
    awk "NR == 29 { \$0 = \$0 \"\\\"\" } { print }" long.csv >stray.csv
    { cat stray.csv; yes 1,2,3,4,a; } | {
        got=0
        "$SPORF" predict --model m.sporf --data - $small >out 2>err || got=$?
        echo $got >code
    }
    [ "$(cat code)" -eq 1 ]
    holds err "standard input line 29, column 5" "quote"
'
it "svmlight and NumPy files" '
    python3 - <<PYTHON
import csv, struct
rows = [row[:4] for row in csv.reader(open("bare.csv"))]
with open("long.svm", "w") as file:
    for row in rows:
        file.write("1 " + " ".join("%d:%s" % (j + 1, x) for j, x in enumerate(row)) + " # note\n")
def write(name, fortran):
    text = "{\"descr\": \"<f8\", \"fortran_order\": %s, \"shape\": (%d, 4), }" % (fortran, len(rows))
    text = text.replace("\"", chr(39)).ljust(117) + "\n"
    values = [float(x) for row in (zip(*rows) if fortran else rows) for x in row]
    with open(name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
        file.write(struct.pack("<%dd" % len(values), *values))
write("c.npy", False)
write("fortran.npy", True)
PYTHON
    gives long.svm
    gives c.npy
    gives fortran.npy
    for file in long.svm c.npy; do
        cat $file | "$SPORF" predict --model m.sporf --data - --proba $small >out
        same expected out
    done
    cat fortran.npy | "$SPORF" predict --model m.sporf --data - --proba --max-memory 2M >out
    same expected out
    cat fortran.npy >pipe &
    refused 1 "memory" predict --model m.sporf --data pipe $small
'
it "a row from a pipe is answered before the next one comes" '
    sed -n "2p;60p;120p" long.csv >three
    { head -n 1 long.csv && cat three; } >four.csv
    "$SPORF" predict --model m.sporf --data four.csv --proba >wanted
    for start in "head -n 1 long.csv" true; do
        rm -f trickle
        mkfifo trickle
        "$SPORF" predict --model m.sporf --data trickle --proba >out &
        pid=$!
        exec 3>trickle
        $start >&3
        sent=1
        # without a header the first answer needs a second row
        while read -r row; do
            if [ "$start" = true ]; then echo "${row%,*}" >&3; else echo "$row" >&3; fi
            sent=$((sent + 1))
            [ "$start" = true ] && [ $sent = 2 ] && continue
            for i in $(seq 600); do
                [ "$(wc -l <out)" -ge $sent ] && break
                sleep 0.05
            done
            [ "$(wc -l <out)" -eq "$sent" ]
        done <three
        exec 3>&-
        wait $pid
        same wanted out
    done
'
it "rows come out before the last ones go in" '
    mkfifo slow
    "$SPORF" predict --model m.sporf --data slow $small >out &
    pid=$!
    exec 3>slow
    head -n 20000 long.csv >&3
    for i in $(seq 600); do
        [ "$(wc -l <out)" -gt 5000 ] && break
        sleep 0.05
    done
    [ "$(wc -l <out)" -gt 5000 ]
    tail -n +20001 long.csv >&3
    exec 3>&-
    wait $pid
    cut -d, -f1 expected | cmp - out
'
it "a reader that leaves ends an endless table" '
    "$SPORF" train --data rows --label last --trees 2 --model bare.sporf >/dev/null
    yes 1,2,3,4 | {
        got=0
        "$SPORF" predict --model bare.sporf --data - $small 2>err || got=$?
        echo $got >code
    } | head -n 1 >first
    [ "$(cat first)" = prediction ]
    [ "$(cat code)" -eq 1 ]
    is_empty err
'
finish
