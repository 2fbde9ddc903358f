# What the tests of the command share: small checks, and TAP about them on standard output.
#
# A test is a sentence and the commands that make it true:
#
#     it "an unknown verb is refused" '
#         run 2 trian
#         said "did you mean"
#     '
#     finish
#
# The commands run in a shell of their own with -eu, in an empty directory that the tests of one
# file share. SPORF is the command under test, SPORF_ROOT the root of the sources.
# shellcheck shell=sh
set -u

: "${SPORF:?must name the command under test}" "${SPORF_ROOT:?must name the root of the sources}"
work=$(mktemp -d) || exit 2
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/at"
cd "$work/at" || exit 2
number=0 failures=0
TERM=dumb
unset COLUMNS
export TERM

# it SENTENCE COMMANDS: one test, whose output is shown when it fails.
it() {
    number=$((number + 1))
    (
        set -eu
        eval "$2"
    ) >"$work/log" 2>&1
    # shellcheck disable=SC2181  # in a condition the shell would not stop at the first failure
    if [ $? -eq 0 ]; then
        echo "ok $number - $1"
        return
    fi
    failures=$((failures + 1))
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/log"
}

# skip SENTENCE REASON
skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

finish() {
    echo "1..$number"
    [ "$failures" -eq 0 ]
    exit
}

# need PROGRAM...: leaves the whole file out where one of them is missing.
need() {
    for program; do
        command -v "$program" >/dev/null 2>&1 || {
            echo "1..0 # SKIP $program is not installed"
            exit 0
        }
    done
}

# unless_threads REASON SENTENCE COMMANDS: a test that a build with the thread sanitizer cannot pass.
unless_threads() {
    if grep -qs "^SPORF_SANITIZE:STRING=.*thread" "${SPORF_BUILD:-.}/CMakeCache.txt"; then
        skip "$2" "the thread sanitizer $1"
    else
        it "$2" "$3"
    fi
}

# is_sanitized: whether the build has sanitizers.
is_sanitized() { grep -qs "^SPORF_SANITIZE:STRING=." "${SPORF_BUILD:-.}/CMakeCache.txt"; }

# limit_files BLOCKS: from now on no file may be larger; a build that counts lines keeps its counts, which may
# not fit, apart from those of other tests.
limit_files() {
    mkdir -p "$work/counts"
    export GCOV_PREFIX="$work/counts" GCOV_PREFIX_STRIP=50 GCOV_ERROR_FILE=/dev/null
    ulimit -f "$1"
}

# unpacks: whether the build reads gzip.
unpacks() { ! grep -qs "^SPORF_ZLIB:BOOL=\(OFF\|0\|NO\)" "${SPORF_BUILD:-.}/CMakeCache.txt"; }

# with_gzip SENTENCE COMMANDS: a test that a build without zlib cannot pass.
with_gzip() {
    if unpacks; then it "$1" "$2"; else skip "$1" "built without zlib"; fi
}

# run CODE ARGUMENT...: runs the command and compares its exit code. What it wrote is kept for
# `printed`, `said` and the like.
run() {
    wanted=$1
    shift
    got=0
    "$SPORF" "$@" >"$work/out" 2>"$work/err" </dev/null || got=$?
    [ "$got" -eq "$wanted" ] && return
    echo "sporf $*: exit code $got, wanted $wanted; on standard output and standard error:"
    cat "$work/out" "$work/err"
    return 1
}

# printed TEXT..., said TEXT...: standard output, standard error hold each of the texts.
printed() { holds "$work/out" "$@"; }
said() { holds "$work/err" "$@"; }
holds() {
    file=$1
    shift
    for text; do
        grep -qF -e "$text" "$file" && continue
        echo "'$text' is not in:"
        cat "$file"
        return 1
    done
}

# printed_nothing, said_nothing: standard output, standard error are empty.
printed_nothing() { is_empty "$work/out"; }
said_nothing() { is_empty "$work/err"; }
is_empty() {
    [ ! -s "$1" ] && return
    echo "not empty:"
    cat "$1"
    return 1
}

# refused CODE TEXT ARGUMENT...: the command fails with the code, prints nothing, and its one message
# starts with "sporf VERB: " and holds the text.
refused() {
    code=$1 text=$2
    shift 2
    run "$code" "$@"
    printed_nothing
    said "$text"
    [ "$(wc -l <"$work/err")" -eq 1 ] || {
        echo "more than one line:"
        cat "$work/err"
        return 1
    }
    grep -q "^sporf $1: " "$work/err" || {
        echo "not 'sporf $1: ...':"
        cat "$work/err"
        return 1
    }
}

# reads FILE EXPRESSION...: the file holds JSON, and the Python expressions about it, named `d`, are
# true.
reads() {
    python3 - "$@" <<'EOF'
import json, sys
def strict(constant):
    raise ValueError("%s is not JSON" % constant)
with open(sys.argv[1]) as file:
    d = json.load(file, parse_constant=strict)
for expression in sys.argv[2:]:
    if not eval(expression):
        sys.exit("not true: %s\n%s" % (expression, json.dumps(d, indent=1)[:4000]))
EOF
}

# json EXPRESSION...: the same for what the command printed.
json() { reads "$work/out" "$@"; }

# same FILE FILE: two files have the same bytes.
same() {
    cmp "$1" "$2"
}

# differ FILE FILE: two files have not.
differ() {
    cmp -s "$1" "$2" || return 0
    echo "$1 and $2 are the same"
    return 1
}

# flowers FILE: a small table with a header, four features and three classes, of which two overlap.
flowers() {
    awk 'BEGIN {
        print "sepal_length,sepal_width,petal_length,petal_width,species"
        split("setosa versicolor virginica", name, " ")
        state = 12345
        for (i = 0; i < 150; i++) {
            k = i % 3
            for (j = 0; j < 4; j++) {
                state = (state * 1103 + 12345) % 65536
                printf "%.2f,", 1 + j + k * (j + 1) * 0.4 + state / 65536 * 1.2
            }
            print name[k + 1]
        }
    }' >"$1"
}
