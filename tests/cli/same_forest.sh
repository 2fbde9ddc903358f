#!/bin/sh
# The same seed gives the same model file: for every method, any number of threads, any run.
# Labels: threads
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"

"$SPORF" simulate sparse-parity --rows 400 --features 10 --seed 3 --output data.csv || exit 2
train="train --data data.csv --label last --seed 11 --trees 20"
given="--projections p" # where settings are not what is tested, so that no small forests choose them

# same_for ARGUMENT...: 1, 2 and 8 threads and a second run give the same bytes, another seed others.
same_for() {
    run 0 $train --model 1.sporf --threads 1 "$@"
    for threads in 1 2 8 0; do
        run 0 $train --model n.sporf --threads "$threads" "$@"
        same 1.sporf n.sporf
    done
    run 0 train --data data.csv --label last --seed 12 --trees 20 --model n.sporf "$@"
    differ 1.sporf n.sporf
}

for method in sporf rf frc rr-rf ccf patch; do
    it "$method grows the same forest with 1, 2 and 8 threads and again" "same_for --method $method"
done
it "so do the variants of the sparse sampler" '
    for weights in sign one uniform normal; do
        for nonzeros in grid poisson; do
            same_for $given --weights $weights --nonzeros $nonzeros
        done
    done
'
it "so do all ways to bag and to scale" '
    for bag in bootstrap stratified subsample none; do same_for $given --bag $bag; done
    for scale in sd range iqr; do same_for $given --scale $scale --criterion entropy; done
'
it "a forest starts with the trees of a smaller one" '
    run 0 $train $given --model big.sporf
    run 0 train --data data.csv --label last --seed 11 --trees 7 $given --model small.sporf
    for tree in 1 4 7; do
        run 0 inspect --model big.sporf --tree $tree && sed 1d "$work/out" >big.tree
        run 0 inspect --model small.sporf --tree $tree && sed 1d "$work/out" >small.tree
        same big.tree small.tree
    done
'
it "the number of threads does not change predictions or scores" '
    run 0 $train $given --model m.sporf
    for threads in 1 2 8; do
        run 0 predict --model m.sporf --data data.csv --proba --threads $threads \
            --output p.$threads
        same p.1 p.$threads
        run 0 evaluate --model m.sporf --data data.csv --label last --threads $threads
        cp "$work/out" e.$threads
        same e.1 e.$threads
    done
'
finish
