#!/bin/sh
# How the command is called: verbs, options, help, manual pages, and what is said about mistakes.
# shellcheck disable=SC2016,SC2034,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3

verbs="train boost predict evaluate inspect importance dependence plot export simulate bench-predict tune crossval strength noise prepare join"
flowers iris.csv
"$SPORF" train --data iris.csv --label last --model nine.sporf --trees 9 --projections 2 >log 2>&1

# help_options VERB, manual_options VERB: the long options they name, one to a line, sorted.
help_options() {
    "$SPORF" "$1" --help | sed -n 's/^  --\([a-z0-9-]*\).*/\1/p' | sort -u
}
manual_options() {
    sed -n 's/\\-/-/g; s/^\.BR\{0,1\} --\([a-z0-9-]*\).*/\1/p; s/^\.BI "\{0,1\}--\([a-z0-9-]*\).*/\1/p' \
        "$SPORF_ROOT/cli/man/sporf-$1.1" | sort -u
}

it "without arguments the verbs are listed on standard error" '
    run 2
    printed_nothing
    said $verbs
'
it "--version prints name and version" '
    run 0 --version
    said_nothing
    grep -Eqx "sporf [0-9]+\.[0-9]+\.[0-9]+" "$work/out"
'
it "help, --help and -h print the same" '
    run 0 help && cp "$work/out" help.1
    run 0 --help && same help.1 "$work/out"
    run 0 -h && same help.1 "$work/out"
    said_nothing
'
it "help of a verb is the verb --help and -h" '
    for verb in $verbs; do
        run 0 help "$verb" && cp "$work/out" help.1
        run 0 "$verb" --help && same help.1 "$work/out"
        run 0 "$verb" -h && same help.1 "$work/out"
        printed "Usage: sporf $verb" "Example:" "--help"
        said_nothing
    done
'
it "--help wins over whatever else is wrong on the line" '
    run 0 train --nonsense --help
    printed "Usage: sporf train"
'
it "help screens fit in 80 columns" '
    for verb in "" $verbs; do
        run 0 help $verb
        if grep -nE "^.{81}" "$work/out"; then exit 1; fi
    done
'
it "every verb has the options of its manual page, and the other way round" '
    for verb in $verbs; do
        help_options "$verb" >help.options
        manual_options "$verb" >manual.options
        [ -s help.options ]
        diff help.options manual.options
    done
'
it "the manual pages name the choices and the defaults that the help screens name" '
    for verb in $verbs; do
        run 0 "$verb" --help
        python3 - "$work/out" "$SPORF_ROOT/cli/man/sporf-$verb.1" <<EOF
import re, sys
entries = re.split(r"\n  --", open(sys.argv[1]).read())[1:]
page = re.sub(r"\s+", " ", open(sys.argv[2]).read().replace("\\\\-", "-"))
found = [(re.match(r"[a-z0-9-]+", entry).group(), re.sub(r"\s+", " ", told.group(1)))
         for entry in entries for told in [re.search(r"\[([^\]]+)\]\s*(?:\n\n|$)", entry)] if told]
assert len(found) > 15 or "train" not in sys.argv[2], found
for name, told in found:
    # the part of the page from this option to the next
    part = re.search(r"\.BI \"?--%s(.*?)(\.TP|\.SH|\.SS)" % name, page).group(1)
    if ".TQ" in part or "See there." in part:
        continue  # explained by the page of train
    default = re.search(r"default (.*)$", told)
    assert not default or re.search(r"Default: %s[.,]" % re.escape(default.group(1)), part), (name, told, part)
    for choice in told.split(";")[0].split("|") if "|" in told else []:
        assert re.search(r"(^|\W)%s(\W|$)" % re.escape(choice), part), (name, choice, part)
EOF
    done
'
it "the manual page of the command has an entry for every verb, and its list of pages has commas" '
    python3 - "$SPORF_ROOT"/cli/man $verbs <<EOF
import re, sys
from pathlib import Path
pages = {p.stem: p.read_text().replace("\\\\-", "-") for p in Path(sys.argv[1]).glob("*.1")}
see = {name: page.split(".SH SEE ALSO\n")[1].split(".PP")[0].split("\n") for name, page in pages.items()}
for name, lines in see.items():
    lines = [line for line in lines if line]
    assert all(line.endswith(",") for line in lines[:-1]), (name, lines)
for verb in sys.argv[2:]:
    assert ".TP\n.B %s\n" % verb in pages["sporf"], verb
    assert ".BR sporf-%s (1)" % verb in "\n".join(see["sporf"]), verb
EOF
'
it "help, manual and README say classification and regression" '
    run 0 help
    printed classification regression
    run 0 train --help
    printed classification regression
    holds "$SPORF_ROOT/README.md" classification regression
    holds "$SPORF_ROOT/cli/man/sporf.1" classification regression
'
it "model files have one ending in all examples" '
    if grep -n "[a-z]\.model\b" "$SPORF_ROOT"/README.md "$SPORF_ROOT"/docs/*.md "$SPORF_ROOT"/cli/man/*.1; then exit 1; fi
'
if command -v groff >/dev/null 2>&1; then
    it "groff formats every manual page without a warning" '
        for page in "$SPORF_ROOT"/cli/man/*.1; do
            groff -man -Tutf8 -ww "$page" >page.txt 2>warnings
            is_empty warnings
            [ -s page.txt ]
        done
    '
else
    skip "groff formats every manual page without a warning" "groff is not installed"
fi
it "there is a manual page for the command and for every verb" '
    for page in sporf $(for verb in $verbs; do echo "sporf-$verb"; done); do
        [ -s "$SPORF_ROOT/cli/man/$page.1" ]
    done
'
it "the reference page names every option" '
    for verb in $verbs; do
        for option in $(help_options "$verb"); do
            holds "$SPORF_ROOT/docs/cli.md" "--$option"
        done
    done
'

it "an unknown verb is answered with the nearest one" '
    run 2 trian
    printed_nothing
    said "sporf: unknown verb" "trian" "did you mean" "train"
'
it "a verb that is like no other is refused all the same" '
    run 2 xylophone
    said "unknown verb" "sporf help"
    run 2 help xylophone
    said "unknown verb"
    run 2 --verison
    said "unknown option" "--version"
'
it "an unknown option is answered with the nearest one" '
    refused 2 "unknown option --tres; did you mean --trees?" train --tres 5
    refused 2 "unknown option --lable; did you mean --label?" evaluate --lable=x
    refused 2 "unknown option --xylophone" predict --xylophone
    refused 2 "unknown option -x" inspect -x
'
it "an option without its value is refused" '
    refused 2 "--data needs a value: --data F" train --label last --data
    refused 2 "--data needs a value" train --data --label last
'
it "a value may follow an equals sign, even an odd one" '
    refused 1 " --odd: No such file" predict --model=--odd --data=iris.csv
'
it "a flag takes no value" '
    refused 2 "--json takes no value" train --json=yes
'
it "an option given twice is refused" '
    refused 2 "--trees is given twice" train --trees 5 --trees 6
    refused 2 "--json is given twice" evaluate --json --json
'
it "a word that belongs to no option is refused" '
    refused 2 "iris.csv" train iris.csv
    refused 2 "only one PROBLEM" simulate trunk orthant --rows 5
'
it "a missing option is named" '
    refused 2 "--data is missing" train --label last --model m
    refused 2 "--model is missing" train --data iris.csv --label last
    refused 2 "--model is missing" predict --data iris.csv
    refused 2 "--data is missing" predict --model m
    refused 2 "--model is missing" evaluate --data iris.csv --label last
    refused 2 "--model is missing" inspect
    refused 2 "--rows is missing" simulate trunk
'
it "a wrong value of a choice is answered with the choices" '
    refused 2 "auto|csv|npy|idx|svmlight" train --data iris.csv --model m --format xls
    refused 2 "auto|yes|no" train --data iris.csv --model m --header maybe
    refused 2 "votes|posteriors" predict --data iris.csv --model m --combine average
    refused 2 "sporf|rf|frc|rr-rf|ccf" train --data iris.csv --model m --label last --method svm
'
it "values out of range are refused, with the range" '
    for bad in "trees 0" "trees -1" "trees many" "trees 99999999999" "max-depth -1" "min-split 1" \
        "min-leaf 0" "density 0" "density x" "projections 0" "projections p^" "bag-fraction 0" \
        "bag-fraction 1.5" "seed -1" "seed 18446744073709551616" "threads -2" "max-memory 5X" "honest 1" \
        "honest -0.5" "honest half" "min-leaf-weight 0.6" "min-leaf-weight -0.1" "min-leaf-weight some"; do
        option=${bad% *}
        refused 2 ": --$option must be" train --data iris.csv --label last --model m \
            "--$option=${bad#* }"
        said "${bad#* }"
    done
    [ ! -e m ]
'
it "messages of the library name options as they are typed" '
    refused 2 ": --class-weights names the class '\''rose'\''" train --data iris.csv --label last --model m --class-weights rose=2
    refused 2 ": --patch-min is 6, above --patch-max, which is 5" train --data iris.csv --label last --model m --method patch \
        --patch-min 6
    refused 2 ": --trees is 5, but the forest already has 9" train --data iris.csv --model m --trees 5 --extend nine.sporf
'
it "options that the method has no use for are refused, unless they are auto" '
    for useless in "density rf sporf|frc 0.3" "density ccf sporf|frc 2/p" "density rr-rf sporf|frc 2/p" \
        "density patch sporf|frc 2/p" "weights rf sporf|frc|patch one" "weights ccf sporf|frc|patch one" \
        "nonzeros frc sporf poisson" "image-width sporf patch 2" "patch-min rf patch 2" "patch-max frc patch 2"; do
        set -- $useless
        for verb in "train --model m" "tune --model m" "crossval --folds 3" "crossval --tune --folds 3"; do
            refused 2 "--$1 is for --method $3, $2 does not use it; leave it out" \
                $verb --data iris.csv --label last --method $2 --$1 $4
        done
    done
    [ ! -e m ]
    refused 2 "sporf does not use it" train --data iris.csv --target sepal_length --model m --patch-max 3
    run 0 train --data iris.csv --label last --trees 2 --model rf.sporf --method rf --density auto --weights auto
    printed "method rf, trees 2, projections p^0.5, min-split 2, min-leaf 1"
    refused 2 "rf does not use it" train --data iris.csv --extend rf.sporf --trees 3 --model m --density 2/p
'
it "wrong limits are refused by every verb that takes them" '
    for verb in train predict evaluate; do
        refused 2 ": --threads must be" "$verb" --data iris.csv --model m --threads x
        refused 2 ": --max-memory must be" "$verb" --data iris.csv --model m --max-memory x
    done
'
it "a control character in a name does not reach the terminal" '
    name=$(printf "bad\033[2Jname")
    run 1 predict --data iris.csv --model "$name"
    if grep -q "$(printf "\033")" "$work/err"; then exit 1; fi
'
it "closed standard streams do no harm" '
    got=0
    "$SPORF" --version >&- 2>err || got=$?
    [ "$got" -eq 1 ]
    holds err "standard output"
    got=0
    "$SPORF" train --data iris.csv --label last --trees 2 --model closed.sporf >&- 2>&- || got=$?
    [ "$got" -eq 1 ]
    run 0 inspect --model closed.sporf
'
finish
