#!/bin/sh
# The library as one file, as `make amalgamation` writes it: it compiles alone without a warning, exports what the
# library exports, and behaves as the library does. Wants SPORF_BUILD as tests/run sets it.
# Labels: slow
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3 nm objcopy

if grep -q '^SPORF_SANITIZE:STRING=.' "$SPORF_BUILD/CMakeCache.txt"; then
    echo "1..0 # SKIP the build has sanitizers, which this file is compiled without"
    exit 0
fi
zlib='' libraries='-lm -lpthread'
if grep -q '^SPORF_ZLIB:BOOL=ON' "$SPORF_BUILD/CMakeCache.txt"; then
    zlib=-DSPORF_ZLIB libraries="-lz $libraries"
fi

# compile COMPILER FLAG...: into COMPILER.o, with warnings being errors.
compile() {
    compiler=$1
    shift
    # shellcheck disable=SC2086  # a flag, or none
    $compiler -O2 -Wall -Wextra -Werror $zlib "$@" -c sporf.c -o "$compiler.o"
}

symbols() { nm "$@" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort; }

exports_the_interface() { # object
    symbols -g --defined-only "$1" >exported
    symbols -D --defined-only "$SPORF_BUILD/libsporf.so" >interface
    diff interface exported
}

# Internals that the tests and the command share with the library come from the usual one. What is public does not.
objcopy --wildcard --weaken-symbol='sporf_*' "$SPORF_BUILD/libsporf.a" internals.a || exit 2

# link COMPILER OUTPUT FILE...
link() {
    compiler=$1 output=$2
    shift 2
    # shellcheck disable=SC2086  # a list of libraries
    "$compiler" "$@" "$compiler.o" internals.a -o "$output" -lcmocka -lxxhash $libraries
}

runs_the_examples() { # compiler
    for source in "$SPORF_ROOT"/examples/*.c; do
        # shellcheck disable=SC2086  # a list of libraries
        "$1" "$source" -I. "$1.o" -o example $libraries
        ./example
    done
}

# object TARGET SOURCE: where the build has it.
object() { echo "$SPORF_BUILD/CMakeFiles/$1.dir/$2.o"; }

# Programs of tests/unit that call no internal function; those that replace malloc as well are linked in another way.
public_tests() {
    (cd "$SPORF_ROOT" && find tests/unit -name 'test_*.c' ! -name '*oom*') | sort | while read -r source; do
        object=$(object "$(basename "$source" .c)" "$source")
        nm -u "$object" | grep -q ' _*spf_' || echo "$object"
    done
}

passes_the_unit_tests() { # compiler
    public_tests >objects
    [ "$(wc -l <objects)" -ge 10 ]
    while read -r object; do
        link "$1" unit_test "$object" "$SPORF_BUILD/libtest_support.a"
        (cd "$SPORF_ROOT" && "$work/at/unit_test") || { echo "$object failed"; exit 1; }
    done <objects
}

trains_the_same_forests() { # compiler
    set -- "$1" "$(object sporf_command cli/main.c)"
    for source in "$SPORF_ROOT"/cli/*.c; do
        [ "$source" = "$SPORF_ROOT/cli/main.c" ] || set -- "$@" "$(object command_objects "cli/$(basename "$source")")"
    done
    compiler=$1
    shift
    link "$compiler" command "$@"
    for method in sporf rf frc rr-rf ccf; do
        set -- train --data table.csv --label last --method $method --trees 10 --seed 3
        "$SPORF" "$@" --model wanted.sporf
        ./command "$@" --model got.sporf
        cmp wanted.sporf got.sporf
    done
}

it "all files of the library become one, with the header beside it" '
    python3 "$SPORF_ROOT/tools/amalgamate.py" . >/dev/null
    cmp sporf.h "$SPORF_ROOT/include/sporf.h"
    ! grep -q "#include \"[^s]" sporf.c
'
"$SPORF" simulate trunk --rows 3000 --features 12 --seed 5 --output table.csv >/dev/null 2>&1

compile gcc -std=gnu11 >gcc.log 2>&1 &
gcc=$!
compile clang -std=c11 >clang.log 2>&1 &
clang=$!
wait $gcc
gcc=$?
wait $clang
clang=$?

for compiler in gcc clang; do
    if ! command -v $compiler >/dev/null; then
        skip "$compiler compiles it" "$compiler is not installed"
        continue
    fi
    tested=$compiler
    [ $compiler = gcc ] && other=c11 || other=gnu11
    it "$compiler compiles it without a warning" "cat $compiler.log; [ \$$compiler -eq 0 ]"
    it "$compiler knows it in the other dialect of C, without zlib, without a warning" "
        $compiler -Wall -Wextra -Werror -fsyntax-only -std=$other sporf.c
    "
    it "$compiler exports the functions of sporf.h, no more" "exports_the_interface $compiler.o"
    it "the examples run with what $compiler makes of it" "runs_the_examples $compiler"
    it "what $compiler makes of it grows the same forests" "trains_the_same_forests $compiler"
done
it "the unit tests that need no internals pass with it" "passes_the_unit_tests $tested"
finish
