#!/bin/sh
# R CMD build and R CMD check --as-cran, of which nothing may remain but notes that every first submission gets and those
# that come from having no network. Speaks TAP; wants SPORF_BUILD and SPORF_ROOT, as tests/run sets them.
# Labels: slow
set -u
for program in Rscript pandoc; do
    if ! command -v "$program" >/dev/null; then
        echo "1..0 # SKIP $program is not installed"
        exit 0
    fi
done
if ! Rscript -e 'stopifnot(nzchar(system.file(package = "rmarkdown")))' >/dev/null 2>&1; then
    echo "1..0 # SKIP the R package rmarkdown is not installed"
    exit 0
fi
echo 1..4
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

# The tests have run already, with what they compare with.
export _R_CHECK_FORCE_SUGGESTS_=false TZ=UTC
started=$(date +%s)
R CMD check --as-cran --no-manual --no-tests "$package" >check.log 2>&1
seconds=$(($(date +%s) - started))
echo "# R CMD check took $seconds s"
ok 2 "R CMD check has no errors and no warnings" sh -c '! grep -E "(ERROR|WARNING)$" check.log'

# What has no network cannot look up the time, addresses or whether the package is new.
allowed='checking CRAN incoming feasibility|checking for future file timestamps'
notes=$(grep -E ' NOTE$' check.log | grep -vE "$allowed")
[ -z "$notes" ] || cat check.log >&2
ok 3 "R CMD check has no notes but those of a new submission and of a machine without network" [ -z "$notes" ]

no_sanitizer_errors() { sh "$SPORF_ROOT/bindings/R/tests/torture.sh" "$TMPDIR/sporf.Rcheck"; }
ok 4 "a small run under gctorture gives the same model" no_sanitizer_errors
