#!/bin/sh
# sporf bench-predict: what it reports, how its numbers belong together, and which tables it takes.
# Labels: full
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
sed 1d iris.csv >bare.csv
"$SPORF" train --data iris.csv --label species --trees 25 --model m.sporf >/dev/null || exit 2
"$SPORF" train --data bare.csv --label last --trees 25 --model bare.sporf >/dev/null || exit 2
bench="bench-predict --seconds 0.005 --threads 2"

it "--json has every number of threads up to the one asked for" '
    run 0 bench-predict --seconds 0.005 --threads 3 --model m.sporf --data iris.csv --json
    said_nothing
    json "list(d) == [\"model\", \"data\", \"rows\", \"features\", \"classes\", \"trees\", \"mean_depth\",
            \"combine\", \"clock_ns\", \"batch\", \"one_row\"]" \
        "(d[\"model\"], d[\"data\"], d[\"combine\"]) == (\"m.sporf\", \"iris.csv\", \"votes\")" \
        "(d[\"rows\"], d[\"features\"], d[\"classes\"], d[\"trees\"]) == (150, 4, 3, 25)" \
        "[x[\"threads\"] for x in d[\"batch\"]] == [1, 2, 3]" \
        "[x[\"threads\"] for x in d[\"one_row\"]] == [1, 2, 3]"
'
it "the mean depth is that of inspect" '
    run 0 inspect --model m.sporf --json && cp "$work/out" inspected
    run 0 $bench --model m.sporf --data iris.csv --json
    json "d[\"mean_depth\"] == json.load(open(\"inspected\"))[\"mean_depth\"]"
'
it "the numbers belong together" '
    run 0 $bench --model m.sporf --data iris.csv --json
    json "all(abs(x[\"rows_per_second\"] * x[\"ns_per_row_and_tree\"] * d[\"trees\"] / 1e9 - 1) < 1e-9
            for x in d[\"batch\"])" \
        "all(0 < x[\"p50_us\"] <= x[\"p99_us\"] for x in d[\"one_row\"])" \
        "1e6 / d[\"one_row\"][0][\"rows_per_second\"] >= d[\"one_row\"][0][\"p50_us\"] / 2" \
        "d[\"clock_ns\"] > 0"
'
it "without --json there is a line for each number of threads" '
    run 0 $bench --model m.sporf --data iris.csv
    said_nothing
    [ "$(grep -c "^ *[12] .*[0-9]\$" "$work/out")" -eq 2 ]
    printed threads p50 p99 "25, leaves" "150, 4 features"
'
it "a table is taken as predict takes it" '
    awk -F, "BEGIN { OFS = FS } { print \$4, NR == 1 ? \"note\" : \"text\", \$2, \$1, \$3 }" iris.csv >mixed.csv
    run 0 $bench --model m.sporf --data mixed.csv --json
    json "(d[\"rows\"], d[\"features\"]) == (150, 4)"
    run 0 $bench --model bare.sporf --data bare.csv --label last --combine posteriors --json
    json "(d[\"rows\"], d[\"combine\"]) == (150, \"posteriors\")"
    sed "s/\$/\\r/" iris.csv >windows.csv
    run 0 $bench --model m.sporf --data windows.csv
    "$SPORF" $bench --model m.sporf --data - <iris.csv >piped
    holds piped "150, 4 features"
'
it "a single row is enough, none is not" '
    head -n 2 iris.csv >one.csv
    run 0 $bench --model m.sporf --data one.csv --json
    json "d[\"rows\"] == 1" "d[\"one_row\"][1][\"rows_per_second\"] > 0"
    head -n 1 iris.csv >none.csv
    refused 1 none.csv $bench --model m.sporf --data none.csv
    : >empty.csv
    refused 1 empty.csv $bench --model m.sporf --data empty.csv
'
it "a hundred thousand columns and a thousand classes are measured, too" '
    python3 -c "
for i in range(20):
    print(*((i * k) % 7 for k in range(100000)), i % 2, sep=\",\")" >wide.csv
    run 0 train --data wide.csv --label last --trees 2 --projections 5 --model wide.sporf
    run 0 $bench --model wide.sporf --data wide.csv --label last --json
    json "d[\"features\"] == 100000"
    seq 2000 | awk "{ print \$1 % 1000 \",\" \$1 % 7 \",class\" \$1 % 1000 }" >classes.csv
    run 0 train --data classes.csv --label last --trees 2 --model classes.sporf
    run 0 $bench --model classes.sporf --data classes.csv --label last --json
    json "d[\"classes\"] == 1000"
'
it "forests of numbers are measured, with one target and with several" '
    run 0 simulate friedman1 --rows 200 --output numbers.csv
    run 0 train --data numbers.csv --target y --trees 12 --model numbers.sporf
    run 0 $bench --model numbers.sporf --data numbers.csv --json
    said_nothing
    json "list(d) == [\"model\", \"data\", \"rows\", \"features\", \"classes\", \"targets\", \"trees\", \"mean_depth\",
            \"combine\", \"clock_ns\", \"batch\", \"one_row\"]" \
        "(d[\"rows\"], d[\"features\"], d[\"classes\"], d[\"targets\"], d[\"trees\"]) == (200, 10, 0, [\"y\"], 12)" \
        "d[\"combine\"] == \"means\"" \
        "[x[\"threads\"] for x in d[\"batch\"]] == [x[\"threads\"] for x in d[\"one_row\"]] == [1, 2]" \
        "all(abs(x[\"rows_per_second\"] * x[\"ns_per_row_and_tree\"] * 12 / 1e9 - 1) < 1e-9 for x in d[\"batch\"])" \
        "all(0 < x[\"p50_us\"] <= x[\"p99_us\"] for x in d[\"one_row\"])"
    run 0 train --data numbers.csv --target y,x1,x2 --trees 12 --model numbers.sporf
    run 0 $bench --model numbers.sporf --data numbers.csv --json
    json "(d[\"features\"], d[\"targets\"]) == (8, [\"y\", \"x1\", \"x2\"])"
    run 0 $bench --model numbers.sporf --data numbers.csv
    printed "12, leaves" "200, 8 features"
    [ "$(grep -c "^ *[12] .*[0-9]\$" "$work/out")" -eq 2 ]
    cut -d, -f3-9 numbers.csv >seven.csv
    refused 1 x10 $bench --model numbers.sporf --data seven.csv
'
it "what is wrong is said" '
    refused 1 "--label C" $bench --model bare.sporf --data bare.csv
    sed "s/[a-z]*\$/1/" bare.csv >numeric.csv
    refused 1 "--label C" $bench --model bare.sporf --data numeric.csv
    cut -d, -f1-3 iris.csv >three.csv
    refused 1 petal_width $bench --model m.sporf --data three.csv
    refused 1 nowhere.sporf $bench --model nowhere.sporf --data iris.csv
    for seconds in 0 -1 1e9 nan x ""; do
        refused 2 "--seconds must be" bench-predict --model m.sporf --data iris.csv --seconds=$seconds
    done
    refused 2 threads bench-predict --model m.sporf --data iris.csv --threads many
'
it "output that cannot be written is an error" '
    got=0
    "$SPORF" $bench --model m.sporf --data iris.csv --json >/dev/full 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "cannot write to standard output: No space left"
'
if env --default-signal=INT true 2>/dev/null; then
    it "Ctrl-C ends it" '
        env --default-signal=INT "$SPORF" bench-predict --model m.sporf --data iris.csv \
            --seconds 600 >out 2>err &
        pid=$!
        sleep 0.5
        kill -INT "$pid"
        got=0
        wait "$pid" || got=$?
        [ "$got" -eq 130 ]
        is_empty out
    '
else
    skip "Ctrl-C ends it" "env cannot reset signals"
fi
finish
