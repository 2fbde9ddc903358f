#!/bin/sh
# The tests of the Python package that are marked as slow. Speaks TAP, as run.sh does.
# Labels: slow
set -u
. "$SPORF_ROOT/bindings/python/tests/lib.sh"

prepare "$SPORF_ROOT/bindings/python/tests/requirements.txt"
cd "$SPORF_ROOT/bindings/python/tests" || exit 2
export PYTHONPATH=.
exec "$python" -m pytest -p tap -p no:terminal -p no:cacheprovider -m slow .
