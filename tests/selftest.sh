#!/bin/sh
# Tests of tests/run itself, on a small tree of programs that pass, fail, crash, skip and say
# nothing, and of the check of layers, on small trees of files. Speaks TAP.
set -u

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
number=0 failures=0

# program NAME BODY [LABELS]: one in the place of a built unit test.
program() {
    mkdir -p "$work/tree/tests/unit/base" "$work/build/tests/unit"
    echo "/* Labels: ${3-} */" >"$work/tree/tests/unit/base/$1.c"
    printf '#!/bin/sh\n%s\n' "$2" >"$work/build/tests/unit/$1"
    chmod +x "$work/build/tests/unit/$1"
}

# expect WHAT LAST_LINE STATUS [TEXT]: runs the tree, compares the last line and the exit status, and
# looks for a text in the output; then clears the tree. `option` may hold an option of tests/run.
expect() {
    # shellcheck disable=SC2086  # an option or nothing
    TEST_ROOT=$work/tree TEST_TIMEOUT=2 "$here/run" ${option-} "$work/build" >"$work/out" 2>"$work/err"
    status=$?
    last=$(tail -n 1 "$work/out")
    number=$((number + 1))
    if [ "$last" = "$2" ] && [ "$status" -eq "$3" ] && grep -qF -- "${4-}" "$work/out" && ! [ -s "$work/err" ]; then
        echo "ok $number - $1"
    else
        failures=$((failures + 1))
        echo "not ok $number - $1"
        echo "# wanted: $2, exit status $3, text: ${4-}"
        echo "# got: $last, exit status $status"
        sed 's/^/# | /' "$work/out" "$work/err"
    fi
    rm -rf "$work/tree" "$work/build"
}

echo 1..36
program a 'sleep 1; echo 1..1; echo ok 1 - a'
program b 'echo 1..1; echo ok 1 - b'
program c 'echo 1..1; echo ok 1 - c'
TEST_JOBS=2
export TEST_JOBS
expect "programs that run at a time are all counted" "3 passed, 0 failed" 0
[ "$(sed 's/ .*//' "$work/out" | tr '\n' ' ')" = "unit/base/a unit/base/b unit/base/c 3 " ] || ordered=not
number=$((number + 1))
echo "${ordered-} ok $number - their results come in order" | sed 's/^ //'
[ -z "${ordered-}" ] || failures=$((failures + 1))

program alone 'touch alone; sleep 1; rm alone; echo 1..1; echo ok 1 - a' alone
program x 'sleep 0.5; echo 1..1; [ -e alone ] && printf "not "; echo ok 1 - b'
program y 'sleep 0.5; echo 1..1; [ -e alone ] && printf "not "; echo ok 1 - b'
TEST_JOBS=3
expect "a program that runs alone has no company" "3 passed, 0 failed" 0
unset TEST_JOBS

# four_kinds: a program without labels, one that is full, one that is slow and has threads, one that has threads.
four_kinds() {
    program a 'echo 1..1; echo ok 1 - a'
    program b 'echo 1..2; echo ok 1 - a; echo ok 2 - b' full
    program c 'echo 1..4; yes ok | head -n 4' 'slow, threads'
    program d 'echo 1..8; yes ok | head -n 8' threads
}
four_kinds
expect "without an option all programs run but the slow ones" "11 passed, 0 failed" 0
four_kinds
option=--quick
expect "the quick programs are those without a label that says otherwise" "9 passed, 0 failed" 0
four_kinds
option=--rest
expect "the rest are those that are not quick" "6 passed, 0 failed" 0
four_kinds
option=--all
expect "all programs run if that is asked for" "15 passed, 0 failed" 0
four_kinds
option=--threads
expect "programs with threads run by themselves" "12 passed, 0 failed" 0
option=

program good 'echo 1..2; echo ok 1 - a; echo ok 2 - b'
expect "passing tests are counted" "2 passed, 0 failed" 0

program bad 'echo 1..2; echo ok 1 - a; echo not ok 2 - wrong; echo "# 0x1 != 0x2"; exit 1'
program good 'echo 1..1; echo ok 1 - a'
expect "a failing test is counted and its reason shown" "2 passed, 1 failed" 1 "# 0x1 != 0x2"

program bad 'echo 1..1; echo not ok 1 - wrong'
expect "a failing test with exit status 0 still fails" "0 passed, 1 failed" 1

program liar 'echo 1..1; echo ok 1 - a; exit 3'
expect "an exit status without a failing test is a failure" "1 passed, 1 failed" 1 "exit status 3"

program crash 'echo 1..3; echo ok 1 - a; kill -ABRT $$'
expect "after a crash the tests that did not run fail" "1 passed, 2 failed" 1 "signal 6"

program crash 'echo 1..1; echo ok 1 - a; kill -SEGV $$'
expect "a crash after the last test fails" "1 passed, 1 failed" 1 "signal 11"

program empty ':'
expect "a program that says nothing fails" "0 passed, 1 failed" 1 "no plan"

program empty 'echo 1..0'
expect "a plan of nothing fails" "0 passed, 1 failed" 1 "planned no tests"

program short 'echo 1..3; echo ok 1 - a'
expect "missing tests fail" "1 passed, 2 failed" 1 "planned 3 tests and ran 1"

program long 'echo 1..1; echo ok 1 - a; echo ok 2 - b'
expect "more tests than planned fail" "2 passed, 1 failed" 1 "planned 1 tests and ran 2"

program skips 'echo 1..2; echo "ok 1 - a # SKIP no data here"; echo ok 2 - b'
expect "a skipped test is counted apart, with its reason" \
    "1 passed, 0 failed, 1 skipped" 0 "no data here"

program skips 'echo 1..2; echo ok 1 - a; echo "not ok 2 # SKIP b"'
expect "cmocka's way to say skip is understood" "1 passed, 0 failed, 1 skipped" 0

program skips 'echo "1..0 # SKIP no compiler"'
expect "a program may be skipped as a whole" "0 passed, 0 failed, 1 skipped" 0 "no compiler"

program groups 'echo 1..1; echo ok 1 - a; echo 1..2; echo ok 1 - b; echo ok 2 - c'
expect "several groups in one program add up" "3 passed, 0 failed" 0

program setup 'echo 1..2; echo "not ok 0 - g [  FAILED  ] GROUP SETUP"; exit 1'
expect "a failing group setup fails the group's tests" "0 passed, 2 failed" 1 "GROUP SETUP"

program hangs 'echo 1..1; sleep 20'
expect "a program that hangs is ended and fails" "0 passed, 1 failed" 1 "longer than 2 seconds"

program unbuilt ':'
rm "$work/build/tests/unit/unbuilt"
expect "a program that was not built fails" "0 passed, 1 failed" 1 "was not built"

# shellcheck disable=SC2016  # the programs themselves expand these
program tidy 'echo 1..1; : >"$TMPDIR/x" && [ "$(ls "$TMPDIR")" = x ] && echo ok 1'
# shellcheck disable=SC2016
program tidy2 'echo 1..1; : >"$TMPDIR/y" && [ "$(ls "$TMPDIR")" = y ] && echo ok 1'
expect "each program has an empty directory for its files" "2 passed, 0 failed" 0

mkdir -p "$work/tree/tests" "$work/build"
expect "nothing to run is a failure" "0 passed, 1 failed" 1 "no test program"

# file PATH LINE: a C file of one line in the tree.
file() {
    mkdir -p "$work/tree/$(dirname "$1")"
    echo "$2" >"$work/tree/$1"
}

# layers WHAT STATUS TEXT: checks the tree, then clears it.
layers() {
    python3 "$here/../tools/check_layers.py" "$work/tree" >"$work/out" 2>&1
    status=$?
    number=$((number + 1))
    if [ "$status" -eq "$2" ] && grep -qF -- "$3" "$work/out"; then
        echo "ok $number - $1"
    else
        failures=$((failures + 1))
        echo "not ok $number - $1"
        sed 's/^/# | /' "$work/out"
    fi
    rm -rf "$work/tree"
}

file src/base/a.h '#include <stdio.h>'
file src/learn/b.c '#include "base/a.h"'
file cli/c.c '#include "sporf.h"'
layers "includes that go down are allowed" 0 "every include, call and import is allowed"

file src/base/place.h '#include <stddef.h>'
file cli/c.c '#include "base/place.h"'
layers "the command may use the way that files are written" 0 "every include, call and import is allowed"

file src/base/place.h '#include "base/error.h"'
file src/base/error.h ''
layers "which must not need anything else of the library" 1 "may not include base/error.h"

file src/learn/b.h ''
file src/base/a.c '#include "learn/b.h"'
layers "an include that goes up is an offence" 1 "src/base/a.c:1: base may not include learn/b.h"

file src/io/b.h ''
file src/learn/a.c '# include <io/b.h>'
layers "an include between siblings is an offence, in any spelling" 1 "learn may not include io/b.h"

file src/api/b.h ''
file src/gpu/a.cu '#include "api/b.h"'
layers "so it is in a CUDA file" 1 "src/gpu/a.cu:1: gpu may not include api/b.h"

file src/learn/a.h ''
file src/learn/a.c '#include "learn/b.h"'
file src/learn/b.h ''
file src/learn/b.c '#include "learn/a.h"'
layers "two modules that include each other are an offence" 1 "in a circle"

file src/learn/a.h ''
file src/learn/a.c '#include "a.h"'
layers "an include without its layer is an offence" 1 'src/learn/a.c:1: "a.h" is not found'

file src/model/a.h ''
file examples/b.c '#include "model/a.h"'
layers "an example that looks inside is an offence" 1 "examples/b.c:1"

file src/extra/a.c ''
layers "a directory that is not in the table is an offence" 1 "src/extra has no row"

file src/read/a.c 'int spf_a(void) {
    return 0;
}'
file src/base/b.c 'int spf_b(void) {
    return spf_a();
}'
layers "a call that goes up is an offence, without any include" 1 "src/base/b.c:2: base may not call spf_a of read"

file src/base/a.h 'int spf_a(void);'
file src/base/a.c '__attribute__((noinline)) int spf_a(void) {
    return 0;
}'
layers "a function whose definition is not recognised is an offence" 1 "src/base/a.h:1: no definition of spf_a"

file src/api/a.c 'int sporf_a(void) {
    return 0;
}'
file src/tune/b.c 'int spf_b(void) {
    return sporf_a();
}'
layers "tune may call what is public" 0 "every include, call and import is allowed"

file src/learn/a.c 'int spf_a(void) {
    return spf_b();
}'
file src/learn/b.c 'const int spf_c = 1;
int spf_b(void) {
    return 0;
}'
layers "a call within a room is allowed" 0 "every include, call and import is allowed"

file src/learn/a.c 'int spf_a(void) {
    return spf_b();
}'
file src/learn/b.c 'int spf_b(void) {
    return 1; /* spf_a() */
}
static const char *text = "spf_a()";'
layers "comments and strings call nothing" 0 "every include, call and import is allowed"

file src/learn/a.c 'int spf_a(void) {
    return spf_b();
}'
file src/learn/b.c 'static int (*const table[])(void) = {spf_a};
int spf_b(void) {
    return table[0]();
}'
layers "calls in a circle are an offence, through a table as well" 1 "spf_a: calls go in a circle: src/learn/a -> src/learn/b -> src/learn/a"

file cli/a.c 'int a(void) {
    return b();
}'
file cli/b.c 'int b(void) {
    int a = 1;
    return x->a() + x.a() + a;
}'
layers "a variable or a member of the same name is no call" 0 "every include, call and import is allowed"

file cli/a.c 'int a(void) {
    return b();
}'
file cli/b.c 'int b(void) {
    return a();
}'
layers "the command's files may not call each other in a circle" 1 "calls go in a circle: cli/a -> cli/b -> cli/a"

file cli/a.h '#include "b.h"'
file cli/b.h '#include "a.h"'
layers "nor include each other in one" 1 "includes go in a circle: cli/a -> cli/b -> cli/a"

file bindings/python/sporf/a.py 'from .b import x'
file bindings/python/sporf/b.py 'from . import _core'
layers "imports that go one way are allowed" 0 "every include, call and import is allowed"

file bindings/python/sporf/a.py 'from .b import x'
file bindings/python/sporf/b.py 'def f():
    from . import a'
layers "imports in a circle are an offence, within functions as well" 1 "b.py:2: imports go in a circle"

[ "$failures" -eq 0 ]
