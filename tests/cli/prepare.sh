#!/bin/sh
# sporf prepare: the table preparation of the paper's appendix.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

cat >shop.csv <<'EOF'
bought,colour,size,age,shop
yes,red,small,31,1
no,blue,large,,1
no,red,medium,40,1
yes,,small,25,1
no,"light, green",large,52,1
EOF
order='size=small<medium<large'

it "numbers, then a column for each level, then the class from 0" '
    run 0 prepare --data shop.csv --label bought --ordinal "$order"
    cat >wanted <<EOF
1,31,0,0,1,1
3,35.5,1,0,0,0
2,40,0,0,1,0
1,25,0,0,1,1
3,52,0,1,0,0
EOF
    same wanted "$work/out"
    said "column '"'shop'"' is left out: the same in every row" \
        "column '"'age'"': 1 missing, filled with the median, 35.5" \
        "column '"'colour'"': 1 missing, filled with the most frequent, '"'red'"'"
    [ "$(wc -l <"$work/err")" -eq 3 ]
'
it "--catmap has a line of columns for each category" '
    run 0 prepare --data shop.csv --label bought --output o.csv --catmap o.map
    printed_nothing
    printf "2,3,4\n5,6,7\n" | same - o.map
    run 0 prepare --data shop.csv --label bought --ordinal "$order" --output o.csv --catmap o.map
    printf "3,4,5\n" | same - o.map
'
it "--names begins with names" '
    run 0 prepare --data shop.csv --label bought --ordinal "$order" --names
    [ "$(head -n 1 "$work/out")" = "size,age,colour=blue,\"colour=light, green\",colour=red,bought" ]
    [ "$(wc -l <"$work/out")" -eq 6 ]
    sed 1d shop.csv >bare.csv
    run 0 prepare --data bare.csv --label 1 --names
    head -n 1 "$work/out" | grep -q ",class$"
    long=$(printf %0300d 7)
    sed "1s/size/size_$long/; 1s/colour/colour_$long/; s/red/red_$long/" shop.csv >long.csv
    run 0 prepare --data long.csv --label bought --categorical "size_$long" --names
    head -n 1 "$work/out" | grep -q ",colour_$long=red_$long,.*,size_$long=small,"
    sed "1s/age/colour=red/" shop.csv >same.csv
    refused 1 "two columns of the new table would be named '\''colour=red'\''" prepare --data same.csv --label bought
'
it "dates are left out" '
    printf "day,x,kind\n2024-01-02,1,b\n2024-02-03,2,a\n2024-03-05,4,b\n" >days.csv
    run 0 prepare --data days.csv --label kind --names
    printf "x,kind\n1,1\n2,0\n4,1\n" | same - "$work/out"
    said "is left out: dates"
    run 0 prepare --data days.csv --label kind --names --categorical day
    head -n 1 "$work/out" | grep -q "^x,day=2024-01-02,.*,kind$"
'
it "what comes out needs no further preparation" '
    run 0 prepare --data shop.csv --label bought --output o.csv
    run 0 prepare --data o.csv --label last --output again.csv
    said_nothing
    same o.csv again.csv
'
it "--standardise brings columns to one scale" '
    run 0 prepare --data shop.csv --label bought --standardise
    awk -F, "{ for (j = 1; j < NF; j++) { s[j] += \$j; q[j] += \$j ^ 2 } }
        END { for (j = 1; j < NF; j++) if (s[j] ^ 2 > 1e-9 || (q[j] / (NR - 1) - 1) ^ 2 > 1e-9) exit 1 }" "$work/out"
'
it "every method takes the result" '
    flowers iris.csv
    run 0 prepare --data iris.csv --label species --output num.csv
    for method in sporf rf frc rr-rf ccf; do
        run 0 train --data num.csv --label last --method $method --trees 3 --model m.sporf
    done
'
it "numbers to predict stay, in the last columns" '
    refused 1 "age" prepare --data shop.csv --target age
    sed 3d shop.csv >whole.csv
    run 0 prepare --data whole.csv --target age --ordinal "$order"
    [ "$(sed -n 1p "$work/out" | awk -F, "{ print \$NF }")" = 31 ]
'
it "what is wrong is refused" '
    refused 2 "--data is missing" prepare
    refused 1 "nowhere.csv" prepare --data nowhere.csv
    refused 1 "price" prepare --data shop.csv --label price
    refused 2 "would be lost" prepare --data shop.csv --output shop.csv
    refused 2 "would be lost" prepare --data shop.csv --output o.csv --catmap shop.csv
    refused 2 "same file" prepare --data shop.csv --output o.csv --catmap o.csv
    refused 1 "nowhere/o.csv" prepare --data whole.csv --ignore shop,bought,colour,size --output nowhere/o.csv
    printf "a,b\n1,2\n1,2\n" >same.csv
    refused 1 "nothing is left" prepare --data same.csv
'
finish
