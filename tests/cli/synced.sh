#!/bin/sh
# A model is on the disk before its name points to it: the file is synced before the rename, the
# directory after it.
# shellcheck disable=SC2016  # tests are evaluated later
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need strace
strace -o probe true 2>/dev/null || {
    echo "1..0 # SKIP strace may not trace here"
    exit 0
}

it "saving syncs the file, renames it and syncs the directory" '
    run 0 simulate trunk --rows 60 --seed 1 --output data.csv
    ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=fsync,fdatasync,rename,renameat,renameat2 -o trace \
        "$SPORF" train --data data.csv --label last --model m.sporf --trees 3 >out
    sed -n "s/^[0-9]* *\([a-z]*sync\|rename\).*= 0\$/\1/p" trace | tr "\n" " " >order
    cat trace order
    grep -q "^f[a-z]*sync rename f[a-z]*sync \$" order
'
finish
