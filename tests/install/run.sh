#!/bin/sh
# Installs into an empty prefix and builds a stranger's program against what lies there, the ways
# strangers do. Speaks TAP; wants SPORF_BUILD and SPORF_ROOT, as tests/run sets them.
# Labels: full
set -u

if grep -q '^SPORF_SANITIZE:STRING=.' "$SPORF_BUILD/CMakeCache.txt"; then
    echo "1..0 # SKIP the build has sanitizers, which a stranger's program does not"
    exit 0
fi

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
here=$SPORF_ROOT/tests/install
prefix=$work/prefix
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$SPORF_BUILD/CMakeCache.txt")
number=0 failures=0

# check WHAT COMMAND...: one test, whose output is shown when it fails.
check() {
    what=$1
    shift
    number=$((number + 1))
    if "$@" >"$work/log" 2>&1; then
        echo "ok $number - $what"
    else
        failures=$((failures + 1))
        echo "not ok $number - $what"
        sed 's/^/# /' "$work/log"
    fi
}

# found PATTERN...: each pattern names a file below the prefix.
found() {
    for pattern; do
        [ -n "$(find "$prefix" -path "$prefix/$pattern")" ] || {
            echo "no $pattern below the prefix; there are:"
            find "$prefix" -type f
            return 1
        }
    done
}

uses_shared() { readelf -d "$1" | grep -q 'NEEDED.*libsporf\.so\.0'; }

pc() { PKG_CONFIG_PATH=$pc_dir pkg-config "$@"; }

# shellcheck disable=SC2046  # pkg-config's answers are lists of words
with_pkg_config_shared() {
    "$compiler" "$here/stranger.c" $(pc --cflags --libs sporf) -o "$work/shared" &&
        uses_shared "$work/shared" && LD_LIBRARY_PATH=$lib_dir "$work/shared"
}

# From a prefix without the shared library, as a distribution's static-only install would be.
# shellcheck disable=SC2046
with_pkg_config_static() (
    cp -R "$prefix" "$work/static-prefix" &&
        find "$work/static-prefix" -name 'libsporf.so*' -exec rm {} + &&
        pc_dir=$work/static-prefix/${pc_dir#"$prefix"/} &&
        "$compiler" "$here/stranger.c" $(pc --static --cflags --libs sporf) -o "$work/static" &&
        ! uses_shared "$work/static" && "$work/static"
)

with_find_package() { # ON or OFF for the static library
    cmake -S "$here/package" -B "$work/package-$1" -DSTATIC="$1" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$compiler" && cmake --build "$work/package-$1" &&
        "$work/package-$1/stranger"
}

wrong_version() {
    sed 's/sporf 0\.1 /sporf 99.0 /' "$here/package/CMakeLists.txt" >"$work/CMakeLists.txt" &&
        ! cmake -S "$work" -B "$work/wrong" -DCMAKE_PREFIX_PATH="$prefix" >"$work/wrong.log" 2>&1 &&
        grep -q 'with requested version "99.0"' "$work/wrong.log"
}

# block DOCUMENT LANGUAGE: the document's first block of code in it.
block() { awk -v fence="\`\`\`$2" '$0 == fence { on = 1; next } /^```/ && on { exit } on' "$SPORF_ROOT/$1"; }

# The documents' examples; the README's C program reads what its commands wrote.
commands_of() {
    mkdir -p "$work/readme" && block "$1" sh >"$work/readme/example.sh" &&
        grep -q '^sporf train' "$work/readme/example.sh" &&
        (cd "$work/readme" && PATH=$prefix/bin:$PATH sh -e example.sh)
}

# shellcheck disable=SC2046
readme_program() {
    block README.md c >"$work/readme/example.c" &&
        "$compiler" "$work/readme/example.c" $(pc --cflags --libs sporf) -o "$work/readme/example" &&
        (cd "$work/readme" && LD_LIBRARY_PATH=$lib_dir ./example && test -s forest.sporf)
}

# The program at the top of the header prints what the command predicts.
# shellcheck disable=SC2046
header_program() {
    awk '/^ [*] Contents/ { exit } /^ [*]     #include <sporf.h>/ { on = 1 } on { sub(/^ [*]( {5})?/, ""); print }' \
        "$prefix/include/sporf.h" >"$work/readme/header.c" &&
        "$compiler" -std=c99 -Wall -Wextra -Werror "$work/readme/header.c" $(pc --cflags --libs sporf) \
            -o "$work/readme/header" &&
        (cd "$work/readme" && LD_LIBRARY_PATH=$lib_dir ./header >classes &&
            "$prefix/bin/sporf" predict --data test.csv --model forest.sporf | sed 1d | cmp - classes)
}

# shellcheck disable=SC2046
examples() {
    for source in "$SPORF_ROOT"/examples/*.c; do
        echo "$source"
        "$compiler" "$source" $(pc --cflags --libs sporf) -lm -o "$work/readme/example" &&
            (cd "$work/readme" && LD_LIBRARY_PATH=$lib_dir ./example) || return 1
    done
}

# completes ANSWER WORD...: bash answers so when a key asks for the rest of the last word.
completes() {
    answer=$1
    shift
    got=$(bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sporf; echo "${COMPREPLY[*]}"' \
        "$prefix/share/bash-completion/completions/sporf" sporf "$@")
    [ "$got" = "$answer" ] || echo "not '$answer' but '$got': sporf $*"
    [ "$got" = "$answer" ]
}

shells_complete() {
    completes train tra && completes --method train --met && completes "rf rr-rf" train --method r &&
        completes export help expo && completes "--proba" predict --model m --pro || return 1
    for shell in zsh/site-functions/_sporf fish/vendor_completions.d/sporf.fish; do
        grep -q "rr-rf" "$prefix/share/$shell" || return 1
        command -v "${shell%%/*}" >/dev/null || continue
        "${shell%%/*}" -n "$prefix/share/$shell" || return 1
    done
}

command_says_version() {
    version=$(pc --modversion sporf) && "$prefix/bin/sporf" --version | grep -qF "$version"
}

# The real one would change the machine; this one counts, and lists what the test says.
pretend_ldconfig() {
    mkdir -p "$work/sbin" && cat >"$work/sbin/ldconfig" <<END
#!/bin/sh
[ "\${1-}" = -p ] && exec cat "$work/listed"
echo called >>"$work/calls"
END
    chmod +x "$work/sbin/ldconfig" && : >"$work/calls" && : >"$work/listed"
}

# loader PREFIX [DESTDIR]: the last step of an installation there; what it says is kept.
loader() {
    DESTDIR=${2-} PATH=$work/sbin:$PATH cmake -DCMAKE_INSTALL_PREFIX="$1" -Dlibrary_dir=lib \
        -P "$SPORF_ROOT/cmake/loader.cmake" >"$work/said" 2>&1
}

finds_the_library() {
    pretend_ldconfig || return
    echo "  libsporf.so.0.1 (libc6) => /usr/local/lib/libsporf.so.0.1" >"$work/listed"
    loader /usr/local && [ -s "$work/calls" ] && [ ! -s "$work/said" ]
}

says_the_way() {
    pretend_ldconfig || return
    loader "$prefix" && [ ! -s "$work/calls" ] && grep -qF "LD_LIBRARY_PATH=$prefix/lib" "$work/said"
}

leaves_the_machine_alone() {
    pretend_ldconfig || return
    loader /usr/local "$work/stage" && [ ! -s "$work/calls" ] && [ ! -s "$work/said" ]
}

# files DIRECTORY: all that is no directory.
files() { find "$1" ! -type d | sort; }

# Beside files of others, below a name with a blank, staged as packages are.
takes_away_what_it_put() (
    stage="$work/a stage" to=$work/elsewhere
    mkdir -p "$stage$to/lib" "$stage$to/share/man/man1" && echo x >"$stage$to/lib/libother.so" &&
        echo x >"$stage$to/share/man/man1/other.1" && files "$stage" >"$work/before" || exit 1
    export DESTDIR="$stage"
    cmake --install "$SPORF_BUILD" --prefix "$to" &&
        [ -f "$stage$to/bin/sporf" ] && "$SPORF_ROOT/tools/uninstall.sh" "$SPORF_BUILD" "$to" &&
        files "$stage" | diff "$work/before" - && [ -z "$(find "$stage" -name 'sporf*')" ]
)

# Files of an installation elsewhere stay.
refuses_another_prefix() {
    ! "$SPORF_ROOT/tools/uninstall.sh" "$SPORF_BUILD" "$work/other" >"$work/said" 2>&1 &&
        grep -qF "not below $work/other" "$work/said" && found bin/sporf
}

# syntax FLAG...: whether a file that all of the library includes compiles.
syntax() { "$compiler" -fsyntax-only -w -I"$SPORF_ROOT/src" -I"$SPORF_ROOT/include" "$@"; }

# Compilers then call FLT_EVAL_METHOD 16.
half_precision() {
    case $(uname -m) in
    aarch64) set -- -march=armv8.2-a+fp16 ;;
    x86_64) set -- -mavx512fp16 ;;
    *) set -- ;;
    esac
    syntax "$@" "$SPORF_ROOT/src/model/forest.c" || ! "$compiler" "$@" -E -x c /dev/null
}

# refused WORD FLAG...: with the reason.
refused() {
    word=$1
    shift
    ! syntax "$@" >"$work/said" 2>&1 && grep -q "#error.*$word" "$work/said"
}

unsuitable_machines() {
    source=$SPORF_ROOT/src/base/error.c
    refused 64-bit -D__SIZEOF_POINTER__=4 "$source" &&
        refused little-endian -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__ "$source" &&
        refused single-precision -D__FLT_EVAL_METHOD__=2 "$source" &&
        { [ "$(uname)" = Darwin ] || refused MinGW -U__linux__ "$source"; }
}

echo 1..21
check "programs find a library below /usr/local without further ado" finds_the_library
check "below another prefix it is said how programs find the library" says_the_way
check "a staged installation leaves the machine as it is" leaves_the_machine_alone
check "uninstalling takes away what was installed, and nothing else" takes_away_what_it_put
check "the install target succeeds" cmake --install "$SPORF_BUILD" --prefix "$prefix"
check "uninstalling from another prefix is refused" refuses_another_prefix
check "it compiles for processors with half-precision arithmetic" half_precision
check "a machine that it is not made for is refused, with the reason" unsuitable_machines
check "everything is where it belongs" found include/sporf.h bin/sporf '*/libsporf.so' \
    '*/libsporf.so.0.1' '*/libsporf.a' '*/pkgconfig/sporf.pc' '*/cmake/sporf/sporf-config.cmake' \
    '*/man1/sporf*.1' '*/doc/sporf/LICENSE' '*/doc/sporf/examples/train_predict.c'
pc_dir=$(dirname "$(find "$prefix" -name sporf.pc)")
lib_dir=$(dirname "$pc_dir")
check "a program builds with pkg-config and the shared library" with_pkg_config_shared
check "a program builds with pkg-config and the static library" with_pkg_config_static
check "a program builds with find_package and the shared library" with_find_package OFF
check "a program builds with find_package and the static library" with_find_package ON
check "find_package refuses a version that is not there" wrong_version
check "the installed command runs and has the version of the library" command_says_version
if command -v bash >/dev/null; then
    check "bash, zsh and fish complete verbs, options and choices" shells_complete
else
    check "bash, zsh and fish complete verbs, options and choices # SKIP there is no bash" true
fi
check "the README's commands run as they stand" commands_of README.md
check "the commands of the tour of the verbs run as they stand" commands_of docs/cli.md
check "the README's C program builds and runs as it stands" readme_program
check "the program at the top of sporf.h builds and predicts what the command does" header_program
check "the examples build and run" examples
[ "$failures" -eq 0 ]
