#!/bin/sh
# sporf noise: columns of noise beside those of a table.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv

it "noise comes after the last column, and the rest stays as it is" '
    run 0 noise --data iris.csv --columns 3
    said_nothing
    cut -d, -f1-5 "$work/out" >rest && same rest iris.csv
    [ "$(head -n 1 "$work/out")" = "sepal_length,sepal_width,petal_length,petal_width,species,noise1,noise2,noise3" ]
    [ "$(awk -F, "NF != 8" "$work/out" | wc -l)" -eq 0 ]
'
it "a label that is last stays last" '
    run 0 noise --data iris.csv --columns 2 --label species
    cut -d, -f1-4,7 "$work/out" >rest && same rest iris.csv
    run 0 noise --data iris.csv --columns 2 --label last --output o.csv
    said_nothing && printed_nothing
    run 0 noise --data iris.csv --columns 2 --label species && same o.csv "$work/out"
    run 0 noise --data iris.csv --columns 2 --label sepal_width
    cut -d, -f1-5 "$work/out" >rest && same rest iris.csv
'
it "so do targets" '
    run 0 noise --data iris.csv --columns 2 --target petal_width,species
    cut -d, -f1-3,6,7 "$work/out" >rest && same rest iris.csv
    cut -d, -f1-4 iris.csv >numbers.csv
    run 0 noise --data numbers.csv --columns 2 --target last
    cut -d, -f1-3,6 "$work/out" >rest && same rest numbers.csv
    run 0 noise --data numbers.csv --columns 2 --target sepal_width
    cut -d, -f1-4 "$work/out" >rest && same rest numbers.csv
'
it "decimal commas are refused" '
    tr ",." ";," <iris.csv >commas.csv
    refused 1 "commas.csv line 2, column 1 ('\''sepal_length'\''): '\''2,15'\'' has a decimal comma, and noise is written with decimal points" \
        noise --data commas.csv --columns 2 --output o3.csv
    [ ! -e o3.csv ]
    printf "a;b\n1.234,56;x\n1234;y\n" >thousands.csv
    refused 1 "thousands.csv line 2, column 1" noise --data thousands.csv --columns 2 --output o3.csv
    tr "," ";" <iris.csv >points.csv
    run 0 noise --data points.csv --columns 2
    cut -d";" -f1-5 "$work/out" >rest && same rest points.csv
    printf "a;kind\n1;\"1,5\"\n2;\"2,5\"\n" >kinds.csv
    run 0 noise --data kinds.csv --columns 1 --label kind
'
it "more columns extend fewer, and the seed changes all" '
    run 0 noise --data iris.csv --columns 2 && cp "$work/out" two
    run 0 noise --data iris.csv --columns 9 --seed 1 && cut -d, -f1-7 "$work/out" >first && same first two
    run 0 noise --data iris.csv --columns 2 --seed 2 && differ two "$work/out"
    run 0 noise --data iris.csv --columns 2 --threads 1 && same two "$work/out"
'
it "a table without a header gets none" '
    sed 1d iris.csv >bare.csv
    run 0 noise --data bare.csv --columns 2 --label last
    cut -d, -f1-4,7 "$work/out" >rest && same rest bare.csv
    run 0 noise --data bare.csv --columns 2 --header no && [ "$(wc -l <"$work/out")" -eq 150 ]
'
it "a pipe is read and written" '
    "$SPORF" noise --data - --columns 2 <iris.csv | sed 1q | grep -q "species,noise1,noise2$"
'
with_gzip "gzip is read" '
    gzip -c iris.csv >iris.csv.gz
    run 0 noise --data iris.csv.gz --columns 2 && cp "$work/out" two
    run 0 noise --data iris.csv --columns 2 && same two "$work/out"
'
it "the numbers are normal" '
    run 0 noise --data iris.csv --columns 100
    python3 - "$work/out" <<EOF
import sys
rows = [line.split(",")[5:] for line in open(sys.argv[1])][1:]
values = [float(v) for row in rows for v in row]
n = len(values)
mean = sum(values) / n
assert n == 15000 and abs(mean) < .03 and abs(sum(v * v for v in values) / n - 1) < .05
assert len(set(values)) > 14900
EOF
'
it "an output that cannot be written is an error, and an old one stays" '
    got=0
    "$SPORF" noise --data iris.csv --columns 2 >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "sporf noise: cannot write to standard output: No space left"
    refused 1 "/dev/full: cannot write: No space left" noise --data iris.csv --columns 2 --output /dev/full
    echo old >kept.csv
    chmod 600 kept.csv
    (limit_files 1; "$SPORF" noise --data iris.csv --columns 100 --output kept.csv >out 2>err) && exit 1
    holds err "kept.csv: cannot write: File too large"
    is_empty out
    [ "$(cat kept.csv)" = old ]
    run 0 noise --data iris.csv --columns 2 --output kept.csv
    ls -l kept.csv | grep -q "^-rw-------"
    [ -z "$(find . -name "*kept.csv?*")" ]
'
it "what is wrong is refused" '
    refused 2 "--columns is missing" noise --data iris.csv
    refused 2 "--columns" noise --data iris.csv --columns 0
    refused 2 "--data is missing" noise --columns 2
    refused 1 "nowhere.csv" noise --data nowhere.csv --columns 2
    refused 2 "would be lost" noise --data iris.csv --columns 2 --output iris.csv
    refused 1 "colour" noise --data iris.csv --columns 2 --label colour
    echo "1,2,3" >>bare.csv
    refused 1 "bare.csv line 151" noise --data bare.csv --columns 2 --output o2.csv
    [ ! -e o2.csv ]
    run 0 noise --data iris.csv --columns 2 --output once.csv
    refused 1 "a column" noise --data once.csv --columns 2 --output o2.csv
'
finish
