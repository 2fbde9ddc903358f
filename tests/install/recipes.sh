#!/bin/sh
# The recipes of CONTRIBUTING.md work: a copy of the sources with both changes compiles, and its command grows forests
# with the new method and the new criterion, without a change elsewhere.
# Labels: slow
# shellcheck disable=SC2016  # tests are evaluated later
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3 cmake

if is_sanitized; then
    echo "1..0 # SKIP the copy is built without sanitizers"
    exit 0
fi
mkdir copy && (cd "$SPORF_ROOT" && tar cf - --exclude=./build --exclude='./build-*' --exclude=./.git .) | tar xf - -C copy || exit 2

it "a method takes four files" '
    python3 "$SPORF_ROOT/tests/install/recipes.py" copy pairs 4
'
it "a criterion takes three" '
    python3 "$SPORF_ROOT/tests/install/recipes.py" copy majority 3
'
it "with both the command compiles without a warning" '
    cmake -S copy -B made -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DSPORF_WERROR=ON >log 2>&1 &&
        cmake --build made --target sporf_command >log 2>&1 || { tail -n 20 log; exit 1; }
'
it "both are options, and --help has them" '
    made/sporf train --help >help
    grep -q "patch|pairs" help
    grep -q "entropy|majority" help
'
it "they grow a forest that predicts better than chance" '
    flowers iris.csv
    made/sporf train --data iris.csv --label species --method pairs --criterion majority --trees 20 --model m.sporf --json >json
    python3 -c "import json; assert json.load(open(\"json\"))[\"oob_error\"] < .4"
'
it "others are what they were" '
    for options in "--method frc" "--criterion entropy --projections p"; do
        made/sporf train --data iris.csv --label species --trees 5 $options --model new.sporf >/dev/null
        "$SPORF" train --data iris.csv --label species --trees 5 $options --model old.sporf >/dev/null
        same old.sporf new.sporf
    done
'
finish
