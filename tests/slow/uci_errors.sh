#!/bin/sh
# Ten of the paper's UCI sets with its folds: the mean error of each method at default settings, with
# features scaled as in the paper, lies within .02 of the authors' mean, whose forests were tuned.
# SPORF_DATA is the folder with uci/ and figures/.
# Labels: slow
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

case ${SPORF_DATA:=../shared/data} in /*) ;; *) SPORF_DATA=$SPORF_ROOT/$SPORF_DATA ;; esac
export SPORF_DATA
if [ ! -d "$SPORF_DATA/uci" ]; then
    echo "1..0 # SKIP the UCI sets are not in $SPORF_DATA: set SPORF_DATA to the folder they are in"
    exit 0
fi

for method in rf sporf frc rr-rf ccf; do
    it "$method lands within 2 points of the authors' mean error" "
        python3 $SPORF_ROOT/tests/slow/uci_errors.py $method
    "
done
finish
