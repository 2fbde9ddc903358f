#!/bin/sh
# The demonstration: it must end within a minute, and show what it is there to show. Speaks TAP.
# Labels: full, alone
set -u

echo 1..3
work=${TMPDIR:-/tmp}
failures=0

# verdict NUMBER WHAT STATUS
verdict() {
    if [ "$3" -eq 0 ]; then
        echo "ok $1 - $2"
    else
        failures=$((failures + 1))
        echo "not ok $1 - $2"
        sed 's/^/# /' "$work/demo.out"
    fi
}

started=$(date +%s)
"$SPORF_ROOT/tools/demo.sh" "$SPORF" >"$work/demo.out" 2>&1
status=$?
seconds=$(($(date +%s) - started))
verdict 1 "the demonstration runs to its end" $status

[ "$seconds" -lt 60 ]
verdict 2 "it takes less than a minute" $?

awk '/--method sporf/ { sporf = $(NF - 2) } /--method rf/ { rf = $(NF - 2) }
     END { exit !(sporf != "" && rf != "" && sporf < 0.01 && rf > 0.03 && rf < 0.3) }' "$work/demo.out"
verdict 3 "sporf learns sparse parity, and the random forest much less of it" $?

[ "$failures" -eq 0 ]
