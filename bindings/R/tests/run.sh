#!/bin/sh
# The tests of the R package, as TAP. It is laid out and installed below the build directory.
# Labels: full
set -eu
if ! command -v Rscript >/dev/null; then
    echo "1..0 # SKIP R is not installed; on Debian or Ubuntu: apt-get install r-base-core r-cran-testthat"
    exit 0
fi
if ! Rscript -e 'library(testthat)' >/dev/null 2>&1; then
    echo "1..0 # SKIP the R package testthat is not installed; on Debian or Ubuntu: apt-get install r-cran-testthat"
    exit 0
fi
library=$SPORF_BUILD/r/library
mkdir -p "$library"
"$SPORF_ROOT/tools/r_package.sh" --sources "$SPORF_BUILD"
if ! R CMD INSTALL --no-docs --library="$library" "$SPORF_BUILD/r/sporf" >"$TMPDIR/install" 2>&1; then
    cat "$TMPDIR/install" >&2
    echo "Bail out! the package cannot be installed"
    exit 1
fi
cd "$SPORF_ROOT/bindings/R/tests"
R_LIBS=$library${R_LIBS:+:$R_LIBS} Rscript run_tap.R
