#!/bin/sh
# What train says about tables that can be trained on but hardly learned from.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

quick="--label y --trees 3 --projections 1 --min-leaf 1 --model m.sporf"

# noted TEXT FILE: training on the file succeeds and says this, and nothing else.
noted() {
    run 0 train --data "$2" $quick
    said "sporf train: $1"
    [ "$(wc -l <"$work/err")" -eq 1 ] || { cat "$work/err" && exit 1; }
}

# table ROWS EXPRESSION...: rows whose cells are what awk makes of the expressions, with i from 0.
table() {
    rows=$1
    shift
    names=x cells=$1
    shift
    for cell; do
        names=$names,$([ $# -eq 1 ] && echo y || echo z$#)
        cells="$cells \",\" $cell"
        shift
    done
    awk "BEGIN { print \"$names\"; for (i = 0; i < $rows; i++) print $cells }" >t.csv
}

it "nearly as many classes as rows" '
    table 1000 "i % 97" "\"c\" (i < 999 ? i : 0)"
    noted "the label has 999 classes in 1,000 rows, too few of each to learn from: is it the right column?" t.csv
'
it "a class of one row, and several of them" '
    table 100 "i % 97" "(i == 4 ? \"rare\" : i % 2 ? \"a\" : \"b\")"
    noted "class '\''rare'\'' has one row only: its error cannot be estimated" t.csv
    table 100 "i % 97" "(i < 5 ? \"c\" i : i % 2 ? \"a\" : \"b\")"
    noted "5 classes, such as '\''c0'\'', have one row only: their error cannot be estimated" t.csv
'
it "features that do not vary" '
    table 100 1 2 "(i % 2 ? \"a\" : \"b\")"
    noted "no feature varies: the same is predicted for every row" t.csv
    awk "BEGIN { print \"x,z,y\"; for (i = 0; i < 100; i++) print \"1,2,\" i * i }" >n.csv
    run 0 train --data n.csv --target y --trees 3 --model m.sporf
    said "no feature varies"
'
it "very few rows" '
    table 2 i "(i ? \"a\" : \"b\")"
    noted "the table has 2 rows: too few to learn from" t.csv
'
it "out-of-bag errors of few votes, which the default of a tall table has with few trees" '
    table 10001 "i * 7919 % 9973" "i * 31 % 101" "(i % 9973 % 3 ? \"a\" : \"b\")"
    few="the out-of-bag error reads high: a row has votes of about"
    run 0 train --data t.csv --label y --effort low --max-depth 2 --trees 249 --model m.sporf
    said "sporf train: $few 50 of the 249 trees"
    run 0 train --data t.csv --label y --effort low --max-depth 2 --trees 3 --model m.sporf
    run 0 train --data t.csv --extend m.sporf --trees 4 --model n.sporf
    said "sporf train: $few 1 of the 4 trees"
    run 0 train --data t.csv --label y --effort low --max-depth 2 --trees 250 --model m.sporf
    said_nothing
    run 0 train --data t.csv --label y --effort low --max-depth 2 --trees 3 --bag bootstrap --model m.sporf
    said_nothing
    run 0 train --data t.csv --label y --effort low --max-depth 2 --trees 1 --model m.sporf
    said_nothing
    run 0 train --data t.csv --label y --max-depth 2 --bag-fraction 0.9 --bag subsample --trees 30 --model m.sporf
    said "sporf train: $few 3 of the 30 trees"
    run 0 train --data t.csv --label y --effort low --max-depth 2 --trees 20 --part 1/1 --model p.part
    run 0 join --model m.sporf p.part
    said "sporf join: $few 4 of the 20 trees"
'
it "a rare class whose rows are hardly ever predicted as such, and what finds more of them" '
    awk "BEGIN { print \"x,z,y\"; for (i = 0; i < 2000; i++) {
        x = i * 7919 % 1999; rare = x > 1700 && i % 3 == 0
        print x \",\" i * 31 % 101 \",\" (rare ? \"sick\" : \"well\") } }" >r.csv
    run 0 train --data r.csv --label y --trees 30 --min-leaf 1 --model m.sporf
    said "% of the rows of class '"'sick'"' are predicted as such"
    said "as in --recall '"'sick=0.8'"', and --cost, as in --cost '"'sick:well=10'"'"
    run 0 train --data r.csv --label y --trees 30 --min-leaf 1 --recall sick=0.8 --model m.sporf
    said_nothing
    run 0 train --data r.csv --label y --trees 30 --min-leaf 1 --class-weights balanced --model m.sporf
    said "with class weights, larger leaves find more, as in --min-leaf 20"
    run 0 evaluate --data r.csv --model m.sporf
    said_nothing # errors out of bag are weighted by class
    run 0 train --data r.csv --label y --trees 30 --min-leaf 20 --class-weights balanced --model m.sporf
    said_nothing
    awk -F, "NR > 1 && \$1 < 900 { \$3 = \"other\" } { print \$1 \",\" \$2 \",\" \$3 }" r.csv >three.csv
    run 0 train --data three.csv --label y --trees 30 --min-leaf 1 --model m.sporf
    said "to find more, see --class-weights balanced with larger leaves, as in --min-leaf 20, and --cost"
'
it "letters that are not UTF-8, in names, classes or levels" '
    say="the file is not UTF-8, as"
    awk "BEGIN { print \"x,z,y\"; for (i = 0; i < 100; i++) print i * 7 % 31 \",\" (i % 3 ? \"S\374d\" : \"Nord\") \",\" (i % 2 ? \"ja\" : \"nein\") }" >l.csv
    run 0 train --data l.csv $quick
    said "sporf train: $say '"'S\\xfcd'"' shows" "CSV UTF-8"
    sed "s/Nord/N/; s/S.*d,/S,/; 1s/z/Gr\o366\o337e/" l.csv >n.csv
    run 0 train --data n.csv $quick
    said "$say '"'Gr\\xf6\\xdfe'"' shows"
    LC_ALL=C sed "s/S\o374d/S\o303\o274d \o357\o277\o275/" l.csv >u.csv
    run 0 train --data u.csv $quick
    said_nothing
'
it "a table without any of this is met with silence" '
    table 100 "i * 7 % 31" "(i % 2 ? \"a\" : \"b\")"
    run 0 train --data t.csv $quick
    said_nothing
    table 10 "i * 7 % 31" "(i % 2 ? \"a\" : \"b\")"
    run 0 train --data t.csv $quick
    said_nothing
'
finish
