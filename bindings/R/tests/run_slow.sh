#!/bin/sh
# R CMD build and R CMD check --as-cran, of which nothing may remain but notes that every first submission gets and those
# that come from having no network; then a run under gctorture. Speaks TAP; wants SPORF_BUILD and SPORF_ROOT, as tests/run
# sets them.
# Labels: slow
set -u
. "$SPORF_ROOT/bindings/R/tests/lib.sh"

need_r rmarkdown
if ! command -v pandoc >/dev/null; then
    echo "1..0 # SKIP pandoc is not installed, which makes the vignettes; on Debian or Ubuntu: apt-get install pandoc"
    exit 0
fi
echo 1..5
cd "$TMPDIR" || exit 2
if ! "$SPORF_ROOT/tools/r_package.sh" "$TMPDIR" >build.log 2>&1; then
    cat build.log >&2
    echo "Bail out! R CMD build failed"
    exit 1
fi
package=$(echo sporf_*.tar.gz)

# ok NUMBER WHAT COMMAND...
ok() {
    number=$1 what=$2
    shift 2
    if "$@"; then echo "ok $number - $what"; else echo "not ok $number - $what"; fi
}

is_small() { [ "$(wc -c <"$package")" -lt 5000000 ]; }
ok 1 "the package is below 5 MB" is_small

# Its tests are run by run.sh, with all that they compare with. A time zone that is named spares R a search for it.
_R_CHECK_FORCE_SUGGESTS_=false TZ=UTC R CMD check --as-cran --no-manual --no-tests "$package" >&2
log=sporf.Rcheck/00check.log
has_no() { ! grep -E "$1$" "$log"; }
ok 2 "R CMD check ends" grep -q '^Status: ' "$log"
ok 3 "R CMD check has no errors and no warnings" has_no 'ERROR|WARNING'

# Other tests run at the same time: of an example that R finds slow, its processor time counts, not the time that passed.
are_examples_quick() {
    awk '/^Examples with CPU/ { listed = 1; next }
         /^\*/ { listed = 0 }
         listed && NF == 4 && $2 + $3 > 5 { slow = 1 }
         END { exit slow }' "$log"
}

# Without network, addresses and the time cannot be looked up.
is_expected='checking CRAN incoming feasibility|checking for future file timestamps'
has_no_notes() {
    ! are_examples_quick || is_expected="$is_expected|checking examples"
    ! grep -E ' NOTE$' "$log" | grep -vE "$is_expected"
}
ok 4 "R CMD check has no notes but those of a new submission and of a machine without network" has_no_notes

ok 5 "garbage collection at any time changes nothing" "$SPORF_ROOT/bindings/R/tests/torture.sh" "$TMPDIR/sporf.Rcheck"
