#!/bin/sh
# Every typed table trains, predicts and is evaluated as it is: text, holes, categories, no option about
# columns but the label. SPORF_DATA is the folder with tables/.
# Labels: slow
# shellcheck disable=SC2016,SC2086  # tests are evaluated later
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

case ${SPORF_DATA:=../shared/data} in /*) ;; *) SPORF_DATA=$SPORF_ROOT/$SPORF_DATA ;; esac
if [ ! -d "$SPORF_DATA/tables" ]; then
    echo "1..0 # SKIP the typed tables are not in $SPORF_DATA: set SPORF_DATA to the folder they are in"
    exit 0
fi

if ! unpacks; then
    echo "1..0 # SKIP the tables are packed, and this is built without zlib"
    exit 0
fi

# Every row gets an answer, and most rows that were learned from a right one.
works_as_it_is() {
    run 0 train --data "$1" --label class --trees 3 --projections p --max-depth 12 --model table.sporf
    run 0 predict --data "$1" --model table.sporf --output answers.csv
    [ "$(wc -l <answers.csv)" -eq "$(zcat "$1" | wc -l)" ] || fail "$1: not as many answers as rows"
    run 0 evaluate --data "$1" --model table.sporf --json
    json "d[\"error\"] < 0.5" "d[\"rows\"] > 0"
}

for table in "$SPORF_DATA"/tables/*.csv.gz; do
    it "$(basename "$table" .csv.gz) works as it is" 'works_as_it_is "'"$table"'"'
done
finish
