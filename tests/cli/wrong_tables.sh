#!/bin/sh
# A model meets tables that are not like the one it was trained on: each is taken, or refused with a
# message that says what is wrong and what to do.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

python3 - <<'END'
import csv, random
random.seed(3)
rows = [["height [cm]", "weight [kg]", "colour", "size", "city", "class"]]
for i in range(300):
    height, weight = random.gauss(170, 10), random.gauss(70, 12)
    colour, size = random.choice(["red", "green", "blue"]), random.choice(["small", "medium", "large"])
    city = random.choice(["Rome", "Oslo", "Bonn", "Kyiv", "Lima", "Bern", "Baku"]) if i % 17 else ""
    score = height - weight + 20 * (colour == "red") - 15 * (city in ("Rome", "Oslo")) + random.gauss(0, 5)
    rows.append(["%.1f" % height, "%.1f" % weight, colour, size, city, "yes" if score > 100 else "no"])
csv.writer(open("all.csv", "w", newline=""), lineterminator="\n").writerows(rows)
csv.writer(open("good.csv", "w", newline=""), lineterminator="\n").writerows(rows[:201])
END
"$SPORF" train --data all.csv --label class --ordinal "size=small<medium<large" --trees 25 --model m.sporf \
    >/dev/null || exit 2
"$SPORF" predict --model m.sporf --data good.csv --proba >good.out || exit 2
"$SPORF" evaluate --model m.sporf --data good.csv >good.scores || exit 2

# change FILE STATEMENTS: writes good.csv to the file after the Python statements changed its rows.
change() {
    python3 - "$@" <<'END'
import csv, sys
rows = list(csv.reader(open("good.csv")))
exec(sys.argv[2])
csv.writer(open(sys.argv[1], "w", newline=""), lineterminator="\n").writerows(rows)
END
}

# taken FILE: both verbs say of it what they say of the good table, and nothing else.
taken() {
    run 0 predict --model m.sporf --data "$1" --proba
    said_nothing
    same "$work/out" good.out
    run 0 evaluate --model m.sporf --data "$1"
    said_nothing
    same "$work/out" good.scores
}

# wrong FILE TEXT...: both verbs refuse it, name the file and say each of the texts.
wrong() {
    table=$1
    shift
    for verb in predict evaluate; do
        refused 1 "$table" $verb --model m.sporf --data "$table"
        said "$@"
    done
}

# noted FILE TEXT...: both verbs take it, and say each of the texts and no other line.
noted() {
    table=$1
    shift
    for verb in predict evaluate; do
        run 0 $verb --model m.sporf --data "$table"
        said "$@"
        [ "$(wc -l <"$work/err")" -eq $# ]
    done
}

it "a renamed column is named, and so is the new one" '
    change t.csv "rows[0][2] = \"color\""
    wrong t.csv "no column '\''colour'\''" "'\''color'\''" "is '\''color'\'' meant for '\''colour'\''?"
    change t.csv "rows[0][2] = \"shade\""
    wrong t.csv "no column '\''colour'\''" "other columns are '\''shade'\''"
    if grep -q "meant for" "$work/err"; then exit 1; fi
    change t.csv "rows[0][4] = \"CITY\""
    wrong t.csv "is '\''CITY'\'' meant for '\''city'\''?"
'
it "columns in another order are taken" '
    change t.csv "rows = [row[::-1] for row in rows]"
    taken t.csv
    change t.csv "rows = [row[3:] + row[:3] for row in rows]"
    taken t.csv
'
it "columns that are new are passed over, whatever they hold" '
    change t.csv "rows = [[\"id\"] + rows[0] + [\"note\"]] + [[str(i)] + row + [\"any, \\\"thing\\\"\"]
        for i, row in enumerate(rows[1:])]"
    taken t.csv
'
it "all missing columns are listed" '
    change t.csv "rows = [[row[0], row[3], row[5]] for row in rows]"
    wrong t.csv "no column '\''weight [kg]'\'', '\''colour'\'', '\''city'\'', of the 5"
'
it "without the classes there is nothing to evaluate, but to predict" '
    change t.csv "rows = [row[:5] for row in rows]"
    run 0 predict --model m.sporf --data t.csv --proba && same "$work/out" good.out
    refused 1 "no label column '\''class'\''" evaluate --model m.sporf --data t.csv
'
it "text where numbers were is named with line and column" '
    change t.csv "rows[7][1] = \"heavy\""
    wrong t.csv "t.csv line 8, column 2 ('\''weight [kg]'\''): '\''heavy'\'' is not a number" "the model was trained on"
    change t.csv "for row in rows[1:]: row[1] = \"heavy\""
    wrong t.csv "line 2, column 2"
    change t.csv "rows[7][1] = \"70,5\""
    wrong t.csv "line 8, column 2" "decimal point"
    change t.csv "rows[7][1] = \"1e999\""
    wrong t.csv "line 8, column 2"
'
it "new levels are counted and taken as missing values" '
    change t.csv "rows[3][2] = rows[4][2] = rows[5][2] = \"purple\"; rows[9][4] = \"Wien\"; rows[10][3] = \"huge\""
    noted t.csv "column '\''colour'\'': 3 of 200 cells have a level that the model does not know, such as '\''purple'\'', taken as missing; it knows '\''blue'\'', '\''green'\'', '\''red'\''" \
        "column '\''size'\'': 1 of 200 cells has" \
        "column '\''city'\'': 1 of 188 cells has a level that the model does not know, '\''Wien'\'', taken as missing; it knows '\''Baku'\'', '\''Bern'\'', '\''Bonn'\'', '\''Kyiv'\'', '\''Lima'\'' and 2 more"
    run 0 predict --model m.sporf --data t.csv --proba && cp "$work/out" new.out
    change t.csv "rows[3][2] = rows[4][2] = rows[5][2] = rows[9][4] = rows[10][3] = \"\""
    run 0 predict --model m.sporf --data t.csv --proba && said_nothing && same "$work/out" new.out
'
it "numbers where a category was are levels that it does not know" '
    change t.csv "for i, row in enumerate(rows[1:]): row[2] = i % 3"
    noted t.csv "column '\''colour'\'': all 200 cells have a level that the model does not know, such as '\''0'\'', taken as missing; it knows '\''blue'\''"
'
it "levels in another case, too" '
    change t.csv "for row in rows[1:]: row[4] = row[4].upper()"
    noted t.csv "column '\''city'\'': all 188 cells"
'
it "without a header places count, and a column too many is explained" '
    change t.csv "rows = [row[:5] for row in rows[1:]]"
    run 0 predict --model m.sporf --data t.csv --proba && said_nothing && same "$work/out" good.out
    change t.csv "rows = rows[1:]"
    refused 1 "t.csv: the data have 6 features, but the model was trained with 5" predict --model m.sporf --data t.csv
    said "--label" "name them in a header"
    run 0 predict --model m.sporf --data t.csv --label last --proba && same "$work/out" good.out
    refused 1 "6 columns without names" evaluate --model m.sporf --data t.csv
    run 0 evaluate --model m.sporf --data t.csv --label last && same "$work/out" good.scores
'
it "without a header in another order, text stands where numbers were" '
    change t.csv "rows = [row[4::-1] for row in rows[1:]]"
    refused 1 "line 1, column 2" predict --model m.sporf --data t.csv
'
it "another unit is refused, none is taken" '
    change t.csv "rows[0][0] = \"height [m]\""
    wrong t.csv "column '\''height [m]'\'': the model was trained with '\''height [cm]'\''" "convert"
    change t.csv "rows[0][0] = \"height\""
    taken t.csv
'
it "a column that is there twice is refused" '
    change t.csv "rows = [row + [row[2]] for row in rows]"
    wrong t.csv "two columns named '\''colour'\''"
'
it "an empty file, and a header alone" '
    : >t.csv
    wrong t.csv "the file is empty"
    change t.csv "rows = rows[:1]"
    refused 1 "a header and no rows" evaluate --model m.sporf --data t.csv
    run 0 predict --model m.sporf --data t.csv --proba
    head -n 1 good.out >first
    same "$work/out" first
'
it "CRLF line ends, a BOM, blanks, tabs and semicolons change nothing" '
    sed "s/\$/\r/" good.csv >t.csv
    taken t.csv
    { printf "\357\273\277"; cat good.csv; } >t.csv
    taken t.csv
    { printf "\357\273\277"; sed "s/\$/\r/" good.csv; } >t.csv
    taken t.csv
    sed "s/,/, /g" good.csv >t.csv
    taken t.csv
    tr , "\t" <good.csv >t.tsv
    taken t.tsv
    tr , ";" <good.csv >t.csv
    taken t.csv
    printf "%s" "$(cat good.csv)" >t.csv
    taken t.csv
'
with_gzip "and packed with gzip" '
    gzip -c good.csv >t.csv.gz
    taken t.csv.gz
'
it "a row with a field too few is named with its line" '
    change t.csv "rows[6] = rows[6][:5]"
    wrong t.csv "line 7" "5 fields"
'
it "missing values where there were none are taken" '
    change t.csv "rows[2][0] = rows[3][1] = rows[4][2] = \"NA\""
    run 0 predict --model m.sporf --data t.csv
    said_nothing
'
it "matrices of numbers are taken by place, as unknown levels or not at all" '
    python3 - <<END
import struct
def save(name, rows, columns):
    head = "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (%d, %d), }" % (rows, columns)
    head = head.replace(chr(34), chr(39)).ljust(117) + "\n"
    data = struct.pack("<%df" % (rows * columns), *range(rows * columns))
    open(name, "wb").write(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() + data)
save("five.npy", 4, 5)
save("six.npy", 4, 6)
END
    run 0 predict --model m.sporf --data five.npy
    said "column '\''colour'\'': all 4 cells"
    refused 1 "six.npy: the data have 6 features, but the model was trained with 5" predict --model m.sporf --data six.npy
'
it "a forest of numbers names what it misses, too" '
    cut -d, -f1,2,6 good.csv >numbers.csv
    run 0 train --data numbers.csv --label class --trees 5 --model n.sporf
    sed "1s/weight/wieght/" numbers.csv >t.csv
    for verb in predict evaluate; do
        refused 1 "is '\''wieght [kg]'\'' meant for '\''weight [kg]'\''?" $verb --model n.sporf --data t.csv
    done
    sed "5s/^[0-9.]*/tall/" numbers.csv >t.csv
    for verb in predict evaluate; do
        refused 1 "t.csv line 5, column 1 ('\''height [cm]'\'')" $verb --model n.sporf --data t.csv
    done
'
finish
