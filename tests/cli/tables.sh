#!/bin/sh
# Tables as people have them: kinds of columns, what options say instead, what is left out.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

python3 - <<'END'
with open("shop.csv", "w") as f:
    f.write("order,date,row_id,city,size,price,none,class\n")
    for i in range(60):
        f.write("o%d,2024-01-%02d,%d,%s,%s,%d,,%s\n" % (i, i % 28 + 1, i, ["Rome", "Oslo", "Bonn"][i % 3],
                ["small", "large"][i % 2], i % 7, "yes" if i % 3 == 1 else "no"))
END
train="train --data shop.csv --label class --trees 5 --model shop.sporf"

it "identifiers, dates and empty columns are left out and named" '
    run 0 $train
    said "column '\''order'\'' is left out: an identifier"
    said "column '\''date'\'' is left out: dates"
    said "column '\''none'\'' is left out: no value"
    said "column '\''row_id'\'' is left out: an identifier: it counts the rows"
    printed "1 number, 2 categories (2 to 3 levels)"
'
it "an index is left out and named by its number, one under another name is noted" '
    awk "NR == 1 { print \",\" \$0; next } { print NR - 2 \",\" \$0 }" shop.csv >indexed.csv
    run 0 train --data indexed.csv --label class --trees 5 --model indexed.sporf
    said "column '\''1'\'' is left out: an identifier: it counts the rows"
    sed "1s/^/day/" indexed.csv >named.csv
    run 0 train --data named.csv --label class --trees 5 --model named.sporf
    said "column '\''day'\'' may be an identifier: it counts the rows"
    run 0 predict --model indexed.sporf --data indexed.csv
    run 0 predict --model indexed.sporf --data shop.csv
'
it "--json tells the same" '
    run 0 $train --json
    json "d[\"features\"] == 3" \
        "[c[\"name\"] for c in d[\"left_out\"]] == [\"order\", \"date\", \"row_id\", \"none\"]" \
        "len(d[\"notes\"]) == 0" "d[\"kinds\"][\"categories\"] == 2" "d[\"kinds\"][\"numbers\"] == 1" \
        "d[\"kinds\"][\"most_levels\"] == 3" "d[\"features_with_missing\"] == 0"
'
it "--categorical takes columns in, --ignore leaves them out" '
    run 0 $train --categorical order,price --ignore "row_id, da*" --json
    json "d[\"features\"] == 4" "[c[\"name\"] for c in d[\"left_out\"]] == [\"none\"]" \
        "d[\"kinds\"][\"categories\"] == 4"
'
it "--ordinal gives an order" '
    run 0 $train --ordinal "size=small<large;price" --json
    json "d[\"kinds\"][\"ordinals\"] == 2"
    refused 1 "not a level of its order" $train --ordinal "size=small<medium"
    refused 1 "list them in order" $train --ordinal size
'
it "a name that is not there is corrected" '
    refused 1 "did you mean '\''city'\''" $train --categorical citty
    for name in clas cls Clss; do
        refused 1 "no label column '\''$name'\''; did you mean '\''class'\''?" \
            train --data shop.csv --label $name --model no.sporf
    done
    refused 1 "ignored and as categorical" $train --categorical city --ignore city
    refused 2 "without a name" $train --categorical city,,size
'
it "a list of columns has the last one, too" '
    echo "a,b,c,d,e,f,g,h,i,last_of_all" >many.csv
    echo "1,2,3,4,5,6,7,8,9,yes" >>many.csv
    refused 1 "its columns are: a, b, c, d, e, f, g, h, ..., last_of_all (10 in all)" \
        train --data many.csv --label outcome --model no.sporf
'
it "without a label, classes and numbers to predict are asked for" '
    refused 2 "--target C" train --data shop.csv --model no.sporf
    said "--label"
'
it "text among numbers says what can be done" '
    sed "20s/,[0-9],,/,cheap,,/" shop.csv >slip.csv
    refused 1 "slip.csv line 20, column 6" train --data slip.csv --label class --model no.sporf
    said "--categorical price"
    said "--ignore price"
'
it "missing labels are counted" '
    sed "5s/,[a-z]*$/,/; 9s/,[a-z]*$/,NA/" shop.csv >unlabelled.csv
    refused 1 "line 5" train --data unlabelled.csv --label class --model no.sporf
    said "in 2 of 60 rows"
'
it "a column that was renamed is suggested" '
    cut -d, -f3,6,8 shop.csv >numbers.csv
    run 0 train --data numbers.csv --label class --trees 3 --model numbers.sporf
    sed "1s/price/prize/" numbers.csv >renamed.csv
    refused 1 "is '\''prize'\'' meant for '\''price'\''" predict --data renamed.csv --model numbers.sporf
'
it "of two columns of one name one is ignored, by every verb that reads the table" '
    awk -F, -v OFS=, "{ print \$6, \$5, NR == 1 ? \"price\" : NR * 7 % 13, \$8 }" shop.csv >twice.csv
    refused 1 "columns 1 and 3 are both named" train --data twice.csv --label class --model no.sporf
    run 0 train --data twice.csv --label class --trees 5 --ignore 3 --model twice.sporf
    refused 1 "two columns named '\''price'\'', 1 and 3; remove or rename one of them, or leave it out (--ignore 3)" \
        predict --model twice.sporf --data twice.csv
    run 0 predict --model twice.sporf --data twice.csv --ignore 3
    run 0 evaluate --model twice.sporf --data twice.csv --ignore 3
    run 0 importance --model twice.sporf --data twice.csv --permutation --ignore 3
    run 0 train --data twice.csv --target 3 --trees 5 --ignore 1,class --model number.sporf
    run 0 predict --model number.sporf --data twice.csv --label 3 --ignore 1
'
it "a column without values is not said to be of use as a category" '
    cut -d, -f5,6,7,8 shop.csv >empty.csv
    for option in "--ignore price" "--categorical none"; do
        run 0 train --data empty.csv --label class --trees 2 $option --model e.sporf
        said "column '\''none'\'' is left out: no value"
        if grep -q "taken in" "$work/err"; then exit 1; fi
    done
    run 0 $train && said "to keep an identifier, name it in --categorical"
'
it "nor are dates" '
    cut -d, -f2,6,8 shop.csv >dated.csv
    run 0 train --data dated.csv --label class --trees 2 --model e.sporf
    said "column '\''date'\'' is left out: dates"
    if grep -q "taken in" "$work/err"; then exit 1; fi
    refused 1 "no column can be used as a feature" train --data dated.csv --label class --ignore price --model no.sporf
    if grep -q categorical "$work/err"; then exit 1; fi
'
it "numbers with a sign or a unit are read as numbers, which is noted" '
    for form in "%d%%" "\$%d.50" "€ %d" "%d.4 m2" "%d,5 EUR"; do
        awk -v form="$form" "BEGIN { print \"amount;x;class\"
            for (i = 0; i < 40; i++) printf(form \";%d;%s\n\", i % 30, i % 7, i % 2 ? \"yes\" : \"no\") }" >signs.csv
        run 0 train --data signs.csv --label class --trees 2 --model s.sporf
        said "column '\''amount'\'' is read as numbers: '\''"
        run 0 train --data signs.csv --label class --trees 2 --categorical amount --model s.sporf
        said_nothing
    done
    python3 - >codes.csv <<END
print("span,code,grade,zip,class")
for i in range(40):
    print("%d-%d,z%d,%d%s,%d %s,%s" % (i % 9, i, i % 9, i % 9, "abc"[i % 3], i, "ABCD"[i % 4], "no" if i % 2 else "yes"))
END
    run 0 train --data codes.csv --label class --trees 2 --model s.sporf
    if grep -q "sign or unit" "$work/err"; then cat "$work/err"; exit 1; fi
'
it "a category of one level has one level" '
    awk -F, "BEGIN { OFS = FS } { print NR == 1 ? \"only\" : \"red\", \$6, \$8 }" shop.csv >only.csv
    run 0 train --data only.csv --label class --trees 2 --model o.sporf
    printed "1 number, 1 category (1 level)"
'
it "a table whose every column is something else says that no feature is left" '
    cut -d, -f3,6 shop.csv >two.csv
    left="no feature is left: every column is ignored, or the label, the weight or a target"
    refused 1 "$left" train --data two.csv --target row_id,price --model no.sporf
    refused 1 "$left" train --data two.csv --target price --ignore row_id --model no.sporf
    refused 1 "$left" train --data two.csv --label price --weight row_id --model no.sporf
    cut -d, -f6 shop.csv >one.csv
    refused 1 "one column, the label, and no features" train --data one.csv --label price --model no.sporf
'
it "short names are not corrected to others as short" '
    sed "1s/.*/a,b,c/" numbers.csv >letters.csv
    refused 1 "no target column '\''y'\''; its columns are: a, b, c" train --data letters.csv --target y --model no.sporf
    refused 1 "did you mean '\''price'\''" train --data numbers.csv --target prise --model no.sporf
'
it "columns for all uses are given as the last one, too" '
    run 0 train --data numbers.csv --label class --trees 3 --ignore 1 --json --model a.sporf && json "d[\"features\"] == 1"
    cut -d, -f8,3,6 shop.csv | awk -F, "BEGIN { OFS = FS } { print \$3, \$2, \$1 }" >turned.csv
    run 0 train --data turned.csv --label class --trees 3 --weight last --model b.sporf --json
    json "d[\"weights\"][\"least\"] == 0" "d[\"features\"] == 1"
    run 0 train --data turned.csv --label class --trees 3 --ignore last --model b.sporf && same a.sporf b.sporf
    run 0 train --data turned.csv --target last --ignore class --trees 3 --model b.sporf --json
    json "d[\"targets\"] == [\"row_id\"]"
'
finish
