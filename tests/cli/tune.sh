#!/bin/sh
# sporf tune: the settings of least error, and the model that training with them gives.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

flowers iris.csv
"$SPORF" simulate friedman1 --rows 200 --features 6 --seed 1 --output numbers.csv || exit 2
"$SPORF" simulate sparse-parity --rows 400 --features 10 --seed 1 --output parity.csv || exit 2
iris="--data iris.csv --label species --trees 24"

# settings: --projections and --density of the setting that was found, as JSON of the last run says.
settings() {
    python3 - "$work/out" <<'EOF'
import json, sys
d = json.load(open(sys.argv[1]))
best = d["tried"][d["best"]]
print("--projections", best["projections"], "--density", best["density"])
EOF
}

it "a method without a density shows none" '
    run 0 tune $iris --method rf --projections 1,2 --model m.sporf
    [ "$(sed -n "2,3p" "$work/out" | awk "{print \$2}" | sort -u)" = - ]
'

it "settings are listed and the best is marked" '
    run 0 tune $iris --model m.sporf
    said_nothing
    head -n 1 "$work/out" | grep -q "^projections *density *d *trees *error *auc *seconds$"
    [ "$(grep -c " best$" "$work/out")" -eq 1 ]
    [ "$(sed -n "2,\$p" "$work/out" | sed "/^$/,\$d" | wc -l)" -eq 15 ]
    printed "compared by" "out of bag" "m.sporf"
    run 0 inspect --model m.sporf
    printed "24"
'
it "the model is the one that train writes with these settings" '
    for how in "--search race" "--search all" "--method rf" "--method frc" "--method ccf" "--bag none" "--scale sd --bag stratified"; do
        run 0 tune $iris $how --model tuned.sporf --json
        found=$(settings)
        run 0 train $iris $(echo "$how" | sed "s/--search [a-z]*//") $found --model trained.sporf
        same tuned.sporf trained.sporf
    done
    run 0 tune --data numbers.csv --target y --trees 80 --model tuned.sporf --json
    found=$(settings)
    run 0 train --data numbers.csv --target y --trees 80 $found --model trained.sporf
    same tuned.sporf trained.sporf
'
it "all grows every setting to the end and takes the least error" '
    run 0 tune $iris --search all --model m.sporf --json
    json "len(d[\"tried\"]) == 15 and all(t[\"trees\"] == 24 for t in d[\"tried\"])" \
        "d[\"tried\"][d[\"best\"]][\"error\"] == min(t[\"error\"] for t in d[\"tried\"]) == d[\"oob_error\"]" \
        "d[\"search\"] == \"all\" and d[\"compared_by\"] == \"out of bag\" and not d[\"interrupted\"]"
'
it "the race grows fewer trees and finds what parity needs" '
    run 0 tune --data parity.csv --label class --trees 128 --model m.sporf --json
    json "d[\"tried\"][d[\"best\"]][\"d\"] == 100" "d[\"tried\"][d[\"best\"]][\"trees\"] == 128" \
        "sum(t[\"trees\"] for t in d[\"tried\"]) < 64 * len(d[\"tried\"])" "d[\"trees\"] == 128"
'
it "lists of values are tried together, the same numbers once" '
    run 0 tune $iris --projections "1, p,4" --density 1/p,0.5 --model m.sporf --json
    json "[(t[\"d\"], t[\"nonzeros\"]) for t in d[\"tried\"]] == [(1, 1), (1, 2), (4, 1), (4, 2)]"
    run 0 tune $iris --method rf --projections 2 --model m.sporf --json
    json "len(d[\"tried\"]) == 1" "d[\"tried\"][0][\"trees\"] == 24"
'
it "p counts features; a category is drawn as its levels, three at most, which are all candidates where rf has p" '
    awk "BEGIN { print \"x,many,three,two,kind\"; for (i = 0; i < 240; i++)
        print i % 17 \",m\" i % 40 \",t\" i % 3 \",w\" i % 2 \",\" (i % 17 > 8 ? \"a\" : \"b\") }" >mixed.csv
    for asked in "sporf p 4" "rf 3 3" "rf p 8" "patch p 4"; do
        set -- $asked
        run 0 tune --data mixed.csv --label kind --trees 2 --method $1 --projections $2 --model m.sporf --json
        json "{t[\"d\"] for t in d[\"tried\"]} == {$3}"
    done
    run 0 tune --data mixed.csv --label kind --trees 2 --method rf --model m.sporf --json
    json "[t[\"d\"] for t in d[\"tried\"]] == [1, 2, 3, 8]"
'
it "without bags settings are compared in folds" '
    run 0 tune $iris --method ccf --search all --model m.sporf --json
    json "d[\"compared_by\"] == \"folds\"" "[t[\"d\"] for t in d[\"tried\"]] == [1, 2, 3, 4]" "d[\"oob_error\"] is None"
    run 0 crossval $iris --method ccf --projections 2 --folds 4 --output p.csv
    wrong=$(sed 1d p.csv | awk -F, "\$3 != \$4" | wc -l)
    run 0 tune $iris --method ccf --search all --folds 4 --model m.sporf --json
    json "abs(d[\"tried\"][1][\"error\"] - $wrong / 150) < 1e-12"
    run 0 tune $iris --bag subsample --bag-fraction 1 --projections 1,p --density 1/p --model m.sporf --json
    json "d[\"compared_by\"] == \"folds\"" "all(t[\"error\"] < .5 for t in d[\"tried\"])"
    run 0 tune $iris --bag subsample --bag-fraction 1 --folds 3 --projections p --density 1/p --model m.sporf
    printed "compared by   folds"
'
it "threads change nothing" '
    run 0 tune $iris --threads 1 --model one.sporf
    run 0 tune $iris --threads 3 --model three.sporf
    same one.sporf three.sporf
'
it "--max-memory is checked with the largest d before the first tree" '
    run 0 simulate trunk --rows 500 --features 40 --output forty.csv
    forty="--data forty.csv --label last --trees 2 --threads 1"
    run 0 tune $forty --projections 1,2 --max-memory 4M --model m.sporf
    refused 1 "--max-memory 4.0 MiB is too little" tune $forty --projections 1,100000 --max-memory 4M --model no.sporf
    run 0 crossval $forty --folds 2 --tune --projections 1,2 --max-memory 4M
    refused 1 "--max-memory 4.0 MiB is too little" crossval $forty --folds 2 --tune --projections 1,100000 --max-memory 4M
'
it "folds count as tables of their own in --max-memory" '
    "$SPORF" simulate trunk --rows 4000 --features 50 --seed 1 --output wide.csv
    wide="--data wide.csv --label last --trees 2 --max-depth 2 --threads 1 --bag none --method rf --projections 2"
    run 0 tune $wide --folds 2 --max-memory 12M --model m.sporf
    refused 1 "too little" tune $wide --folds 20 --max-memory 12M --model m.sporf
'
it "wrong calls are refused" '
    rm -f x.sporf
    refused 2 "--model is missing" tune $iris
    refused 2 "projections must be" tune $iris --projections p,,2 --model x.sporf
    refused 2 "projections must be" tune $iris --projections p,many --model x.sporf
    refused 2 "density must be" tune $iris --density 0 --model x.sporf
    refused 2 "give at most that many" tune $iris --method rf --projections p^2 --model x.sporf
    refused 2 "--search" tune $iris --search some --model x.sporf
    refused 1 "nowhere" tune $iris --model nowhere/x.sporf
    refused 1 "not a sporf model" tune --data iris.csv --label species --model numbers.csv
    refused 2 "would be lost" tune --data iris.csv --label species --model iris.csv
    refused 2 "--folds is for trees without out-of-bag rows" tune $iris --folds 3 --model x.sporf
    refused 1 "nowhere.folds" tune $iris --method ccf --folds nowhere.folds --model x.sporf
    refused 1 "too little" tune $iris --max-memory 50K --model x.sporf
    [ ! -e x.sporf ]
'
finish
