#!/bin/sh
# Compares two builds of the command: model files byte by byte, predictions and reports as they are printed.
# check_same_forest.sh COMMAND COMMAND [DATA]
# A command may be a script that runs another machine's build in an emulator. DATA is a folder with tables to
# train on as well: tables/*.csv.gz (label 'class'), medium/class-*.csv.gz and medium/number-*.csv.gz ('target'),
# uci/*.csv.gz (label last), mnist/t10k-*.
# What one command refuses the other has to refuse, in words of its own.
set -eu

[ $# -eq 2 ] || [ $# -eq 3 ] || {
    echo "usage: check_same_forest.sh COMMAND COMMAND [DATA]" >&2
    exit 2
}
absolute() { echo "$(cd "$(dirname "$1")" && pwd)/$(basename "$1")"; }
first=$(absolute "$1") second=$(absolute "$2") data=${3:+$(cd "$3" && pwd)}
typed=$(cd "$(dirname "$0")" && pwd)/typed_table.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/1" "$work/2"
cd "$work"
forests=0 refused=0 outputs=0

fail() {
    echo "not the same: sporf $*" >&2
    exit 1
}

# in_folder FOLDER COMMAND ARGUMENT...: what it prints goes to `printed`.
in_folder() (
    cd "$1"
    shift
    "$@" >printed 2>errors
)

# both ARGUMENT...: runs the two commands, each in a folder of its own. Both work, or both refuse, which is a status
# of 1 here; another end of one of them is a failure.
both() {
    status=0 other=0
    in_folder 1 "$first" "$@" || status=$?
    in_folder 2 "$second" "$@" || other=$?
    if [ $status -ne $other ] || [ $status -gt 2 ]; then
        tail -n 3 1/errors 2/errors >&2
        fail "$* (exit status $status and $other)"
    fi
    [ $status -eq 0 ]
}

# printed ARGUMENT...: the same output, but for times, memory and sentences for people.
printed() {
    both "$@" || fail "$* (refused: $(tail -n 1 1/errors))"
    for side in 1 2; do grep -vE 'seconds|memory|"notes"|"left_out"|"reason"' $side/printed >$side/compared || true; done
    cmp -s 1/compared 2/compared || {
        diff 1/compared 2/compared | head -n 5 >&2
        fail "$*"
    }
    outputs=$((outputs + 1))
}

# same_on TABLE TRAIN_OPTION...: the same model, or both refuse.
same_on() {
    table=$1
    shift
    if both train --data "$table" --model model --trees $trees --seed 7 --threads 2 "$@"; then
        cmp -s 1/model 2/model || fail "train --data $table $*"
        forests=$((forests + 1))
    else
        refused=$((refused + 1))
    fi
}

# boosted_on TABLE BOOST_OPTION...: the same boosted model, which both have to make.
boosted_on() {
    table=$1
    shift
    both boost --data "$table" --model model --rounds 6 --seed 7 --threads 2 "$@" ||
        fail "boost --data $table $* (refused: $(tail -n 1 1/errors))"
    cmp -s 1/model 2/model || fail "boost --data $table $*"
    forests=$((forests + 1))
}

# trained_on TABLE TRAIN_OPTION...: the same model, which both have to make.
trained_on() {
    before=$forests
    same_on "$@"
    [ $forests -gt "$before" ] || fail "train --data $* (refused: $(tail -n 1 1/errors))"
}

# reports_on TABLE: what the last model predicts, and what is told about it.
reports_on() {
    printed predict --model model --data "$1"
    printed evaluate --model model --data "$1" --json
    printed inspect --model model --tree all --json
    printed importance --model model --projections --top all --json
}

# written FILE ARGUMENT...: the same file.
written() {
    file=$1
    shift
    both "$@" || fail "$* (refused: $(tail -n 1 1/errors))"
    cmp -s "1/$file" "2/$file" || fail "$*"
    outputs=$((outputs + 1))
}

# table NAME PROBLEM ROWS [OPTION...]: a simulated table, the same from both.
table() {
    name=$1 problem=$2 rows=$3
    shift 3
    written table.csv simulate "$problem" --rows "$rows" --seed 7 --output table.csv "$@"
    mv 1/table.csv "$work/$name.csv"
}

table classes trunk 300 --features 16
table many orthant 300
table numbers friedman1 300
awk '{ print $0 "," (NR == 1 ? "weight" : (NR % 7 + 1) / 4) }' many.csv >weighted.csv
awk -f "$typed" many.csv >typed_classes.csv
awk -f "$typed" numbers.csv >typed_numbers.csv
rest="--ignore weight,count,second"

# Every method, bag and criterion, on tables of numbers, of several classes, with categories, missing values and
# weights; honest or not.
trees=3
for method in sporf rf frc rr-rf ccf patch; do
    for bag in auto bootstrap stratified subsample none; do
        for honest in 0 0.4; do
            for criterion in gini entropy; do
                set -- --method $method --bag $bag --criterion $criterion --honest $honest
                trained_on "$work/classes.csv" --label class "$@"
                trained_on "$work/many.csv" --label class --class-weights balanced "$@"
                # shellcheck disable=SC2086  # a list of options
                same_on "$work/typed_classes.csv" --label class $rest "$@"
                trained_on "$work/weighted.csv" --label class --weight weight "$@"
                same_on "$work/typed_classes.csv" --label class --weight count --weight-is count --ignore weight,second "$@"
            done
            set -- --method $method --bag $bag --honest $honest
            same_on "$work/numbers.csv" --target y "$@"
            same_on "$work/numbers.csv" --target y --samples drop "$@"
            # shellcheck disable=SC2086
            same_on "$work/typed_numbers.csv" --target y $rest "$@"
            same_on "$work/typed_numbers.csv" --target y,second --weight weight --ignore count "$@"
            same_on "$work/typed_numbers.csv" --target y,second --weight count --weight-is count --ignore weight "$@"
        done
    done
done

# Boosting, on the same tables.
for options in "" "--method frc --bags 2" "--max-leaves 9 --subsample 0.6" "--method rf --l2 0 --valid 0"; do
    # shellcheck disable=SC2086
    {
        boosted_on "$work/classes.csv" --label class $options
        boosted_on "$work/many.csv" --label class --class-weights balanced $options
        boosted_on "$work/typed_classes.csv" --label class $rest $options
        boosted_on "$work/weighted.csv" --label class --weight weight $options
        boosted_on "$work/numbers.csv" --target y $options
        boosted_on "$work/typed_numbers.csv" --target y,second --weight weight --ignore count $options
        boosted_on "$work/numbers.csv" --target y --loss absolute $options
        boosted_on "$work/numbers.csv" --target y --loss poisson $options
    }
done
printed predict --model model --data "$work/numbers.csv"

# Further options, each on three tables.
for options in "--projections 2p" "--projections sqrt --density 2/p" "--projections 5 --density 0.4 --weights normal" \
    "--weights uniform --nonzeros poisson" "--weights one --scale none" "--scale sd" "--scale range" "--scale iqr" \
    "--split exact" "--max-depth 4" "--min-split 12 --min-leaf 4" "--min-leaf-weight 0.05" "--bag-fraction 0.4" \
    "--bag subsample --bag-fraction 0.8" "--method frc --density 3/p --scale iqr" "--method frc --weights normal" \
    "--method ccf --projections 5 --scale iqr --bag bootstrap" "--method rr-rf --scale sd --projections 4" \
    "--method patch --image-width 4 --patch-max 3" "--method patch --patch-min 2 --weights sign"; do
    # shellcheck disable=SC2086
    {
        trained_on "$work/classes.csv" --label class $options
        same_on "$work/numbers.csv" --target y $options
        same_on "$work/typed_classes.csv" --label class --ordinal size $rest $options
    }
done

# What is printed of models, and the other verbs.
trees=5
trained_on "$work/many.csv" --label class
reports_on "$work/many.csv"
printed predict --model model --data "$work/many.csv" --proba --combine posteriors --keep class
printed importance --model model --permutation --data "$work/many.csv" --label class --json
printed strength --model model --data "$work/many.csv" --json
written forest.c export --c --model model --output forest.c
for side in 1 2; do mv $side/model $side/old; done
written model train --data "$work/many.csv" --extend old --trees 8 --model model
# shellcheck disable=SC2086
trained_on "$work/typed_classes.csv" --label class --ordinal size --projections p $rest
reports_on "$work/typed_classes.csv"
# shellcheck disable=SC2086
trained_on "$work/typed_numbers.csv" --target y --projections p $rest
reports_on "$work/typed_numbers.csv"
printed predict --model model --data "$work/typed_numbers.csv" --quantiles 0.1,0.5,0.9 --interval 0.8
printed evaluate --model model --data "$work/typed_numbers.csv" --quantiles 0.25 --interval 0.8 --json
printed train --data "$work/typed_numbers.csv" --target y,second --weight weight --trees 5 --model model --json
reports_on "$work/typed_numbers.csv"
printed crossval --data "$work/classes.csv" --label class --folds 3 --trees 3 --threads 2 --min-split 2 --json
written model tune --data "$work/classes.csv" --label class --trees 10 --model model

# Nodes that are large enough for bins, blocks and copies.
trees=2
for problem in trunk orthant friedman1; do
    table large $problem 20000
    outcome=--label
    [ "$problem" = friedman1 ] && outcome=--target
    same_on "$work/large.csv" $outcome last
    same_on "$work/large.csv" $outcome last --split exact --projections sqrt
    same_on "$work/large.csv" $outcome last --method rr-rf
    same_on "$work/large.csv" $outcome last --method ccf
done
table wide trunk 300 --features 300
same_on "$work/wide.csv" --label last --method rr-rf
same_on "$work/wide.csv" --label last --method ccf --projections 60

if [ -n "$data" ]; then
    trees=3
    for table in "$data"/tables/*.csv.gz; do same_on "$table" --label class --projections sqrt; done
    for table in "$data"/medium/class-*.csv.gz; do same_on "$table" --label target --projections sqrt; done
    for table in "$data"/medium/number-*.csv.gz; do same_on "$table" --target target; done
    for table in "$data"/uci/*.csv.gz; do same_on "$table" --label last --method rf; done
    for images in "$data"/mnist/t10k-images*; do
        [ -e "$images" ] || continue
        labels=$(echo "$images" | sed 's/images-idx3/labels-idx1/')
        for method in sporf rf "patch --image-width 28"; do
            # shellcheck disable=SC2086
            trained_on "$images" --label-file "$labels" --projections sqrt --method $method
        done
    done
fi
echo "same forest: $forests models and $outputs other outputs are equal, $refused trainings are refused by both"
