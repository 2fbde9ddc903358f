#!/bin/sh
# The tests of the R package, as TAP. It is laid out and installed below the build directory.
# Labels: full
set -eu
. "$SPORF_ROOT/bindings/R/tests/lib.sh"

need_r testthat
library=$SPORF_BUILD/r/library
mkdir -p "$library"
"$SPORF_ROOT/tools/r_package.sh" --sources "$SPORF_BUILD"
if ! R CMD INSTALL --no-docs --library="$library" "$SPORF_BUILD/r/sporf" >"$TMPDIR/install" 2>&1; then
    cat "$TMPDIR/install" >&2
    echo "Bail out! the package cannot be installed"
    exit 1
fi
cd "$SPORF_ROOT/bindings/R/tests"
R_LIBS=$library${R_LIBS:+:$R_LIBS} TZ=UTC Rscript run_tap.R
