#!/bin/sh
# Installs the package into a virtual environment, as its users do, and runs its tests but for those
# marked as slow. Speaks TAP; wants SPORF, SPORF_BUILD and SPORF_ROOT, as tests/run sets them.
# Labels: full
set -u
. "$SPORF_ROOT/bindings/python/tests/lib.sh"

prepare "$SPORF_ROOT/bindings/python/tests/requirements.txt"
cd "$SPORF_ROOT/bindings/python/tests" || exit 2
export PYTHONPATH=.
exec "$python" -m pytest -p tap -p no:terminal -p no:cacheprovider -m "not slow" \
    --doctest-modules --pyargs . sporf
