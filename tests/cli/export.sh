#!/bin/sh
# sporf export: the C source compiles everywhere without a warning and predicts what predict predicts.
# Labels: full
# shellcheck disable=SC2016,SC2034,SC2046,SC2086,SC2317  # tests are evaluated later; lists are split
. "$SPORF_ROOT/tests/cli/lib/tap.sh"
need python3 cc

flowers iris.csv
sed 1d iris.csv >bare.csv
"$SPORF" simulate sparse-parity --rows 300 --seed 1 --output parity.csv || exit 2
"$SPORF" train --data iris.csv --label species --trees 15 --model iris.sporf >/dev/null || exit 2
compilers=
for compiler in gcc clang; do
    command -v $compiler >/dev/null 2>&1 && compilers="$compilers $compiler"
done
is_sanitized && compilers=cc # the sources are those of any build, which all compilers have seen
: "${compilers:=cc}"
for compiler in $compilers; do # all instructions of this machine, where the compiler knows them
    if $compiler -march=native -E -x c /dev/null >/dev/null 2>&1; then
        echo -march=native
    fi >native.$compiler
done
strict="-std=c99 -pedantic -Wall -Wextra -Werror"
joined="-O3 -ffp-contract=fast" # where a product and a sum may become one operation

# Reads a CSV file with a header and prints for each row what it predicts: class, votes, probabilities.
cat >driver.c <<'END'
#include "m.h"
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    static float row[M_FEATURES];
    static unsigned votes[M_CLASSES];
    static double shares[M_CLASSES];
    int c;
    while ((c = getchar()) != '\n' && c != EOF) continue;
    for (;;) {
        char word[64];
        for (int j = 0; j < M_FEATURES; j++) {
            if (scanf(" %63[^,\r\n]", word) != 1) return 0;
            row[j] = strtof(word, NULL);
            scanf(",");
        }
        m_votes(row, votes);
        printf("%d", m_predict(row));
        for (int k = 0; k < M_CLASSES; k++) printf(",%u", votes[k]);
        m_probabilities(row, shares);
        for (int k = 0; k < M_CLASSES; k++) printf(",%.17g", shares[k]);
        printf("\n");
    }
}
END
cat >compare.py <<'END'
import csv, json, sys
model, ours = json.load(open(sys.argv[1])), list(csv.reader(open(sys.argv[3])))
theirs = list(csv.reader(open(sys.argv[2])))[1:]
assert len(ours) == len(theirs) > 0, (len(ours), len(theirs))
shares = list(csv.reader(open("shares.csv")))[1:]
classes = model["classes"]
for number, (mine, other, plain) in enumerate(zip(ours, theirs, shares)):
    votes, mine_shares = list(map(int, mine[1 : classes + 1])), list(map(float, mine[classes + 1 :]))
    assert model["class_names"][int(mine[0])] == other[0] == plain[0], (number, mine, other)
    assert [v / model["trees"] for v in votes] == list(map(float, plain[1:])), (number, mine, plain)
    assert not mine_shares or mine_shares == list(map(float, other[1:])), (number, mine, other)
END

# exports MODEL: m.c and m.h of a model.
exports() {
    run 0 export --c --model "$1" --output m.c
    said_nothing
    printed m.c m.h m_predict
}

# builds COMPILER FLAGS DRIVER: makes ./m of the export, unless it was made just so before.
builds() {
    kept=built.$(cat m.c m.h "$3" | cksum | tr " " -).$(echo "$1 $2" | cksum | tr " " -)
    [ -x "$kept" ] || $1 $strict $2 $(cat native.$1) m.c "$3" -o "$kept"
    cp "$kept" m
}

# answers TABLE DRIVER FLAGS...: got.csv is what m.c predicts, the same with every compiler and all flags.
answers() {
    table=$1 driver=$2
    shift 2
    rm -f got.csv
    for flags; do
        for compiler in $compilers; do
            builds $compiler "$flags" $driver
            ./m <"$table" >one.csv
            [ ! -e got.csv ] || same got.csv one.csv
            mv one.csv got.csv
        done
    done
}

# agrees MODEL TABLE FLAGS...: m.c predicts each row as sporf does.
agrees() {
    model=$1 table=$2
    shift 2
    answers "$table" driver.c "$@"
    votes_agree "$model" "$table"
}

# votes_agree MODEL TABLE: got.csv has the classes and votes of sporf.
votes_agree() {
    "$SPORF" inspect --model "$1" --json >agrees.json
    "$SPORF" predict --model "$1" --data "$2" --proba --combine votes >expected.csv 2>/dev/null
    "$SPORF" predict --model "$1" --data "$2" --proba --calibration none >shares.csv 2>/dev/null
    python3 compare.py agrees.json expected.csv got.csv
}

# at_edges MODEL ROWS: writes edges.csv for it.
at_edges() {
    "$SPORF" inspect --model "$1" --tree all --json >edges.json
    python3 "$SPORF_ROOT/tests/support/edge_rows.py" edges.json "$2" 7 >edges.csv
}

it "every method predicts the same, whatever the compiler may join" '
    for method in sporf rf frc rr-rf ccf patch; do
        run 0 train --projections p --data parity.csv --label last --method $method --trees 6 --model x.sporf
        exports x.sporf
        at_edges x.sporf 2000
        cut -d, -f1-20 parity.csv >rows.csv
        agrees x.sporf rows.csv -O3
        agrees x.sporf edges.csv -O3 "$joined" -O0
    done
'
it "weights that are scaled, normal, or drawn by Poisson counts predict the same" '
    for options in "--scale sd" "--weights normal" "--nonzeros poisson --density 0.4" "--weights one"; do
        run 0 train --projections p --data iris.csv --label species --trees 15 --model x.sporf $options
        exports x.sporf
        at_edges x.sporf 1000
        agrees x.sporf edges.csv "$joined"
    done
'
it "ties go to the same class" '
    for trees in 1 2 4; do
        run 0 train --projections p --data iris.csv --label species --trees $trees --max-depth 2 --model x.sporf
        exports x.sporf
        at_edges x.sporf 500
        agrees x.sporf edges.csv -O3
    done
'
it "trees that are a single leaf, and forests of nothing else" '
    run 0 train --projections p --data iris.csv --label species --trees 5 --min-split 1000 --model x.sporf
    exports x.sporf
    cut -d, -f1-4 iris.csv >rows.csv
    agrees x.sporf rows.csv -O3
    awk "BEGIN { print \"a,class\"; for (i = 0; i < 9; i++) print (i == 4) \",\" (i == 4) }" >rare.csv
    run 0 train --projections p --data rare.csv --label class --trees 9 --model x.sporf
    exports x.sporf
    cut -d, -f1 rare.csv >rows.csv
    agrees x.sporf rows.csv -O3
'
it "a very deep tree" '
    awk "BEGIN { print \"a,class\"; for (i = 0; i < 3000; i++) print i \",\" i % 2 }" >deep.csv
    run 0 train --projections p --data deep.csv --label class --method rf --trees 1 --bag none --model x.sporf
    exports x.sporf
    cut -d, -f1 deep.csv >rows.csv
    agrees x.sporf rows.csv -O3
'
it "1,000 classes" '
    awk "BEGIN { print \"a,b,class\"; for (i = 0; i < 3000; i++)
        print i % 1000 + i % 7 / 9 \",\" i * 37 % 1000 \",c\" i % 1000 }" >many.csv
    run 0 train --projections p --data many.csv --label class --trees 3 --model x.sporf
    exports x.sporf
    cut -d, -f1,2 many.csv >rows.csv
    agrees x.sporf rows.csv -O3
    grep -q "define M_CLASSES 1000" m.h
'
it "100,000 columns" '
    awk "BEGIN { for (i = 0; i < 12; i++) { for (j = 0; j < 100000; j++) printf \"%d,\", (i * 31 + j * 17) % 97
        print i % 2 } }" >wide.csv
    run 0 train --data wide.csv --label last --method rf --projections 100 --trees 5 --model x.sporf
    exports x.sporf
    grep -q "define M_FEATURES 100000" m.h
    {
        echo header
        cut -d, -f1-100000 wide.csv
    } >rows.csv
    cut -d, -f1-100000 wide.csv >nameless.csv
    "$SPORF" inspect --model x.sporf --json >agrees.json
    "$SPORF" predict --model x.sporf --data nameless.csv --proba >expected.csv
    "$SPORF" predict --model x.sporf --data nameless.csv --proba --calibration none >shares.csv
    cc $strict m.c driver.c -o m
    ./m <rows.csv >got.csv
    python3 compare.py agrees.json expected.csv got.csv
'
# ---- categories, orders and missing values ----

# Numbers, an order, categories of 3, 70 and 300 levels, every column with holes.
python3 - <<'END'
import random
random.seed(8)
gap = lambda text: text if random.random() < .92 else ""
with open("typed.csv", "w") as file:
    file.write("height,mass,colour,size,town,street,class\n")
    for i in range(900):
        height, mass = random.gauss(170, 10), random.gauss(70, 12)
        colour, size = random.choice(["red", "dark green", "blue??/"]), random.choice("SML")
        town, street = random.randrange(70), int(300 * random.random() ** 2)
        score = height - mass + 20 * (colour == "red") + 12 * (town % 3 == 1) + 9 * (street % 5 == 2) + 5 * "SML".index(size)
        file.write(",".join([gap("%.1f" % height), gap("%.1f" % mass), gap(colour), gap(size), gap("town%d" % town),
                             gap("st%d" % street), "abc"[(score > 108) + (score > 122)]]) + "\n")
END
cut -d, -f1-6 typed.csv >typed_rows.csv

# typed_edges MODEL ROWS: writes edges.csv: numbers at the thresholds, less weights of levels, levels
# of all kinds, unknown ones among them, and holes.
typed_edges() {
    "$SPORF" inspect --model "$1" --tree all --json >edges.json
    python3 - edges.json "$2" <<'END' >edges.csv
import json, random, struct, sys
single = lambda x: struct.unpack("f", struct.pack("f", x))[0]
model, chance = json.load(open(sys.argv[1])), random.Random(9)
splits = [n for tree in model["structure"] for n in tree["nodes"] if "threshold" in n and abs(n["threshold"]) < 1e30]
levels = {entry["feature"]: entry["levels"] for entry in model["levels"]}
numbers = [single(n["threshold"]) for n in splits] + [single(n["threshold"]) - w for n in splits for w in n["weights"]]
def cell(j):
    if chance.random() < .08: return ""
    if j not in levels: return "%.9g" % chance.choice(numbers + [0.0, 170, 70])
    return "unknown" if chance.random() < .05 else chance.choice(levels[j])
print(",".join(model["feature_names"]))
for i in range(int(sys.argv[2])): print(",".join(cell(j) for j in range(model["features"])))
END
}

# The same as driver.c for fields that may be empty or names of levels.
cat >typed.c <<'END'
#include "m.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static float row[M_FEATURES];
static void fill(char *line) {
    for (int j = 0; j < M_FEATURES; j++) {
        size_t length = strcspn(line, ",\r\n");
        char *next = line + length + (line[length] == ',');
        line[length] = '\0';
        row[j] = m_levels(j) > 0 ? (float)m_level(j, line) : *line ? strtof(line, NULL) : NAN;
        line = next;
    }
}
/* Whatever is no level counts as missing. */
static void check_strangers(void) {
    static const float strangers[] = {-1, -0.5f, 1e9f, -1e30f, 1e30f};
    unsigned wanted[M_CLASSES], got[M_CLASSES];
    for (int j = 0; j < M_FEATURES; j++) {
        float kept = row[j];
        if (m_levels(j) == 0) continue;
        row[j] = NAN;
        m_votes(row, wanted);
        for (int i = -1; i < 5; i++) {
            row[j] = i < 0 ? (float)m_levels(j) : strangers[i];
            m_votes(row, got);
            if (memcmp(wanted, got, sizeof got) != 0) exit(1);
        }
        row[j] = kept;
    }
}
int main(void) {
    static unsigned votes[M_CLASSES];
    char line[4096];
    if (!fgets(line, sizeof line, stdin)) return 1;
    for (int number = 0; fgets(line, sizeof line, stdin); number++) {
        fill(line);
        m_votes(row, votes);
        printf("%d", m_predict(row));
        for (int k = 0; k < M_CLASSES; k++) printf(",%u", votes[k]);
        printf("\n");
        if (number % 8 == 0) check_strangers();
    }
    return 0;
}
END

# typed_agrees MODEL TABLE FLAGS...: as agrees.
typed_agrees() {
    model=$1 table=$2
    shift 2
    answers "$table" typed.c "$@"
    votes_agree "$model" "$table"
}

it "categories, orders and missing values predict the same" '
    for options in "--method sporf" "--method rf" "--method frc" "--scale sd" "--method patch"; do
        run 0 train --projections p --data typed.csv --label class --trees 7 --ordinal "size=S<M<L" $options --model x.sporf
        exports x.sporf
        typed_edges x.sporf 1500
        typed_agrees x.sporf typed_rows.csv -O3
        typed_agrees x.sporf edges.csv -O3 "$joined" -O0
    done
'
it "forests of orders, and of nothing but categories" '
    cut -d, -f1,2,4,7 typed.csv >t.csv
    run 0 train --projections p --data t.csv --label class --trees 9 --ordinal "size=S<M<L" --model x.sporf
    exports x.sporf
    typed_edges x.sporf 500
    typed_agrees x.sporf edges.csv -O3
    cut -d, -f3,5-7 typed.csv >t.csv
    run 0 train --projections p --data t.csv --label class --trees 9 --model x.sporf
    exports x.sporf
    typed_edges x.sporf 500
    typed_agrees x.sporf edges.csv -O3
    cut -d, -f1-3 t.csv >rows.csv
    typed_agrees x.sporf rows.csv -O3
'
it "trees of a single leaf with categories" '
    run 0 train --projections p --data typed.csv --label class --trees 3 --min-split 10000 --model x.sporf
    exports x.sporf
    typed_agrees x.sporf typed_rows.csv -O3
'
it "levels have the numbers that inspect shows, and any name" '
    awk "BEGIN { print \"a,b,class\"; for (i = 0; i < 90; i++) print i % 7 \",\" \"l\\\"\" i % 3 \"\\\\?,\" i % 2 }" |
        sed "s/,\(l[^,]*\),/,\"\1\",/; s/l\"/l\"\"/" >t.csv
    run 0 train --projections p --data t.csv --label class --categorical a --trees 3 --model x.sporf
    exports x.sporf
    grep -q "^ \*     0 a (7 levels)$" m.h
    grep -q "^ \*     1 b (3 levels)$" m.h
    cat >levels.c <<END
#include "m.h"
#include <stdio.h>
int main(void) {
    printf("%d %d %d %d\\n", m_levels(0), m_levels(1), m_levels(-1), m_levels(2));
    printf("%d %d %d\\n", m_level(0, "3"), m_level(0, "30"), m_level(0, ""));
    printf("%d %d %d\\n", m_level(1, "l\\"2\\\\?"), m_level(-1, "3"), m_level(2, "3"));
    return 0;
}
END
    for compiler in $compilers; do
        $compiler $strict m.c levels.c -o levels
        [ "$(./levels | tr "\n" " ")" = "7 3 0 0 3 -1 -1 2 -1 -1 " ]
    done
'
it "the source of categories needs nothing, and is C++ as well" '
    run 0 train --projections p --data typed.csv --label class --trees 9 --model x.sporf
    exports x.sporf
    cc $strict -ffreestanding -O2 -fno-stack-protector -c m.c -o m.o
    [ -z "$(nm -u m.o | grep -v memset || true)" ]
    [ -z "$(nm m.o | grep " [BbDdCc] " | grep -v "_names$" || true)" ]
    [ "$(nm -g --defined-only m.o | sed "s/.* //" | sort | tr "\n" " ")" = \
        "m_class_name m_feature_name m_level m_levels m_predict m_probabilities m_votes " ]
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null 2>&1 || continue
        $compiler -std=c++98 -Wno-long-long -pedantic -Wall -Wextra -Werror -x c++ -c m.c -o m.o
    done
'
# foresees DATA COLUMN METHOD...: whether the size of an export is never exceeded and never far off;
# the column is that of --label or --target.
foresees() {
    data=$1 column=$2
    shift 2
    for method in "$@"; do
        for trees in 1 40; do
            run 0 train --projections p --data "$data" $column --method "$method" --trees $trees --model x.sporf
            exports x.sporf
            size=$(wc -c <m.c)
            refused 1 "may take" export --c --model x.sporf --output m.c --max-size $((size - 1))
            run 0 export --c --model x.sporf --output m.c --max-size $((size * 2 + 6000))
        done
    done
}
it "the size of categories is foreseen, too" '
    foresees typed.csv "--label class" sporf rf frc
'
# ---- numbers ----

"$SPORF" simulate friedman1 --rows 300 --seed 3 --output friedman.csv || exit 2
cut -d, -f1-10 friedman.csv >friedman_rows.csv
awk -F, 'NR == 1 { print $0 ",second one,third" } NR > 1 { print $0 "," 3 * $1 - $2 "," 1e20 * $4 }' \
    friedman.csv >several.csv
python3 - <<'END'
import csv, random
random.seed(4)
rows = list(csv.reader(open("typed.csv")))
with open("typed_numbers.csv", "w") as file:
    file.write(",".join(rows[0][:6]) + ",price,weight\n")
    for row in rows[1:]:
        price = 30 * "abc".index(row[6]) + random.gauss(0, 3)
        file.write(",".join(row[:6]) + ",%.3f,%d\n" % (price, price * random.random()))
END

# Reads a CSV file with a header, names of levels with -DTYPED, and writes what sporf predict writes.
cat >numbers.c <<'END'
#include "m.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static float value_of(int feature, const char *text) {
#ifdef TYPED
    if (m_levels(feature) > 0) return (float)m_level(feature, text);
#endif
    (void)feature;
    return *text ? strtof(text, NULL) : NAN;
}
static void fill(float *row, char *line) {
    for (int j = 0; j < M_FEATURES; j++) {
        size_t length = strcspn(line, ",\r\n");
        char *next = line + length + (line[length] == ',');
        line[length] = '\0';
        row[j] = value_of(j, line);
        line = next;
    }
}
static void write(double value, char end) {
    char text[64];
    for (int digits = 15; digits <= 17; digits++) {
        sprintf(text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    printf("%s%c", text, end);
}
int main(void) {
    static char line[1 << 16];
    static float row[M_FEATURES];
    double values[M_TARGETS];
    for (int t = 0; t < M_TARGETS; t++)
        printf("%s%c", M_TARGETS > 1 ? m_target_name(t) : "prediction", t + 1 < M_TARGETS ? ',' : '\n');
    if (!fgets(line, sizeof line, stdin)) return 1;
    while (fgets(line, sizeof line, stdin)) {
        fill(row, line);
#if M_TARGETS > 1
        m_predict(row, values);
#else
        values[0] = m_predict(row);
#endif
        for (int t = 0; t < M_TARGETS; t++) write(values[t], t + 1 < M_TARGETS ? ',' : '\n');
    }
    return 0;
}
END

# numbers_agree MODEL TABLE FLAGS...: as agrees, to the last bit.
numbers_agree() {
    model=$1 table=$2
    shift 2
    answers "$table" numbers.c "$@"
    "$SPORF" predict --model "$model" --data "$table" >expected.csv 2>/dev/null
    same expected.csv got.csv
}

it "numbers of every method are the same to the last bit, whatever the compiler may join" '
    for method in sporf rf frc rr-rf patch; do
        run 0 train --projections p --data friedman.csv --target y --method $method --trees 7 --model x.sporf
        exports x.sporf
        at_edges x.sporf 1000
        numbers_agree x.sporf friedman_rows.csv -O2
        numbers_agree x.sporf edges.csv -O2 "$joined" -O0
    done
'
it "several targets are predicted at once" '
    run 0 train --projections p --data several.csv --target "third,y,second one" --trees 21 --model x.sporf
    exports x.sporf
    holds m.h "#define M_TARGETS 3" "void m_predict(const float *row, double values[M_TARGETS]);"
    at_edges x.sporf 1000
    numbers_agree x.sporf friedman_rows.csv -O2
    numbers_agree x.sporf edges.csv "$joined" -O0
'
it "numbers from categories, orders and missing values" '
    cut -d, -f1-7 typed_numbers.csv >priced.csv
    for options in "priced.csv --target price" "priced.csv --target price --method frc" \
        "typed_numbers.csv --target weight,price" "typed_numbers.csv --target price,weight --method rf"; do
        run 0 train --projections p --data $options --trees 7 --ordinal "size=S<M<L" --model x.sporf
        exports x.sporf
        typed_edges x.sporf 1000
        numbers_agree x.sporf typed_rows.csv "-O2 -DTYPED"
        numbers_agree x.sporf edges.csv "-O2 -DTYPED" "$joined -DTYPED"
    done
'
it "numbers with holes and no categories" '
    awk -F, "BEGIN { OFS = FS } NR > 1 { \$(NR % 10 + 1) = \"\" } { print }" friedman.csv >t.csv
    run 0 train --projections p --data t.csv --target y --trees 15 --model x.sporf
    exports x.sporf
    cut -d, -f1-10 t.csv >rows.csv
    flags=-O2
    grep -q "m_levels" m.h && flags="-O2 -DTYPED"
    numbers_agree x.sporf rows.csv "$flags"
'
it "numbers of any size, whose sums depend on their order" '
    awk "BEGIN { print \"a,y\"; split(\"1e30 -1e30 1e-40 -3 0 7e12 -7e12 0.1\", y, \" \")
        for (i = 0; i < 400; i++) print i \",\" y[i * 7 % 8 + 1] }" >t.csv
    run 0 train --projections p --data t.csv --target y --trees 50 --model x.sporf
    exports x.sporf
    cut -d, -f1 t.csv >rows.csv
    numbers_agree x.sporf rows.csv -O2 "$joined"
'
it "forests of numbers whose trees are a single leaf, or very deep" '
    run 0 train --projections p --data several.csv --target "y,second one" --ignore third --trees 4 --min-split 1000 --model x.sporf
    exports x.sporf
    numbers_agree x.sporf friedman_rows.csv -O2
    awk "BEGIN { print \"a,y\"; y = 1; for (i = 0; i < 60; i++) { print i \",\" y; y *= 3 } }" >deep.csv
    run 0 train --projections p --data deep.csv --target y --min-split 2 --method rf --trees 1 --bag none --model x.sporf
    exports x.sporf
    cut -d, -f1 deep.csv >rows.csv
    numbers_agree x.sporf rows.csv -O2
'
it "forests of numbers have targets and nothing of classes, need nothing, and are C++ as well" '
    for target in y "y,second one"; do
        run 0 train --projections p --data several.csv --target "$target" --ignore third --trees 9 --model x.sporf
        exports x.sporf
        [ -z "$(cat m.h m.c | grep -i "class\|vote" | grep -v " class-weights " || true)" ]
        cc $strict -ffreestanding -O2 -fno-stack-protector -c m.c -o m.o
        [ -z "$(nm -u m.o | grep -v memset || true)" ]
        [ -z "$(nm m.o | grep " [BbDdCc] " | grep -v "_names$" || true)" ]
        [ "$(nm -g --defined-only m.o | sed "s/.* //" | sort | tr "\n" " ")" = "m_feature_name m_predict m_target_name " ]
        for compiler in g++ clang++; do
            command -v $compiler >/dev/null 2>&1 || continue
            $compiler -std=c++98 -Wno-long-long -pedantic -Wall -Wextra -Werror -x c++ -c m.c -o m.o
        done
    done
'
it "names of targets, of any bytes" '
    python3 - <<END
names = [b"quote\" \\\\back", b"??/ ??= trigraph", b"*/ /* \xc3\xa4 \x01", b"n" * 5000]
quoted = lambda name: b"\"" + name.replace(b"\"", b"\"\"") + b"\""
with open("odd.csv", "wb") as file:
    file.write(b",".join([b"a"] + [quoted(name) for name in names]) + b"\n")
    for i in range(60):
        file.write(b"%d,%d,%d,%d,%d\n" % (i, i % 6, i % 5, i * i, -i))
with open("odd.txt", "wb") as file:
    file.write(b"\n".join(names + [b""]))
END
    run 0 train --projections p --data odd.csv --target 2,3,4,5 --header yes --trees 5 --model x.sporf
    exports x.sporf
    cat >targets.c <<END
#include "m.h"
#include <stdio.h>
int main(void) {
    for (int t = 0; t < M_TARGETS; t++) puts(m_target_name(t));
    return m_target_name(-1) || m_target_name(M_TARGETS);
}
END
    for compiler in $compilers; do
        $compiler $strict m.c targets.c -o targets
        ./targets >got
        same odd.txt got
    done
'
it "the size of numbers is foreseen, too" '
    foresees friedman.csv "--target y" sporf rf frc rr-rf patch
    foresees several.csv "--target y,third --ignore 12" sporf rf
    foresees typed_numbers.csv "--target price,weight" sporf rf
'
# ---- names, files and usage ----

it "names of classes and features, and none" '
    exports iris.sporf
    cat >names.c <<END
#include "m.h"
#include <stdio.h>
int main(void) {
    for (int k = 0; k < M_CLASSES; k++) puts(m_class_name(k));
    for (int j = 0; j < M_FEATURES; j++) puts(m_feature_name(j) ? m_feature_name(j) : "-");
    return m_class_name(-1) || m_class_name(M_CLASSES) || m_feature_name(-1) || m_feature_name(M_FEATURES);
}
END
    cc $strict m.c names.c -o names
    [ "$(./names | tr "\n" " ")" = \
        "setosa versicolor virginica sepal_length sepal_width petal_length petal_width " ]
    run 0 train --projections p --data bare.csv --label last --trees 3 --model x.sporf
    exports x.sporf
    cc $strict m.c names.c -o names
    [ "$(./names | tr "\n" " ")" = "setosa versicolor virginica - - - - " ]
'
it "names of any bytes and any length" '
    python3 - <<END
long = b"n" * 5000
names = [b"quote\" \\\\back", b"??/ ??= trigraph", b"*/ /* end", b"\xc3\xa4 \xff\x01", b"tab\there", b"0digit7"]
quoted = lambda name: b"\"" + name.replace(b"\"", b"\"\"") + b"\""
with open("odd.csv", "wb") as file:
    file.write(b",".join([quoted(names[0]), quoted(long), b"class"]) + b"\n")
    for i in range(60):
        file.write(b"%d,%d," % (i % 6, i % 5) + quoted((names + [long])[i % 7]) + b"\n")
with open("odd.txt", "wb") as file:
    file.write(b"\n".join(sorted(names + [long]) + [names[0], long, b""]))
END
    run 0 train --projections p --data odd.csv --label class --header yes --trees 5 --model x.sporf
    exports x.sporf
    for compiler in $compilers; do
        $compiler $strict m.c names.c -o names
        ./names >got
        same odd.txt got
    done
'
it "C++ takes the header, and the source too" '
    exports iris.sporf
    for compiler in g++ clang++; do
        command -v $compiler >/dev/null 2>&1 || continue
        flags="-pedantic -Wall -Wextra -Werror"
        cc $strict -c m.c -o m.o
        $compiler -std=c++11 $flags -x c++ -c driver.c -o driver.o
        $compiler m.o driver.o -o m
        $compiler -std=c++98 -Wno-long-long $flags -x c++ -c m.c -o m.o
    done
'
it "the object needs nothing, and changes nothing" '
    exports iris.sporf
    cc $strict -ffreestanding -O2 -fno-stack-protector -c m.c -o m.o
    [ -z "$(nm -u m.o | grep -v memset || true)" ]
    [ -z "$(nm m.o | grep " [BbDdCc] " | grep -v "_names$" || true)" ]
    [ "$(nm -g --defined-only m.o | sed "s/.* //" | sort | tr "\n" " ")" = \
        "m_class_name m_feature_name m_predict m_probabilities m_votes " ]
'
it "a source and a header of different forests do not compile" '
    exports iris.sporf
    sed "s/^\(#define M_TREES\).*/\1 14/" m.h >other.h && mv other.h m.h
    got=0
    cc -c m.c -o m.o 2>err || got=$?
    [ "$got" -ne 0 ]
    holds err "export both files again"
    sed "s/setosa/0/; s/versicolor/1/; s/virginica/2/" iris.csv >t.csv
    run 0 train --projections p --data t.csv --target species --trees 15 --model x.sporf
    run 0 export --c --model x.sporf --output other.c --name m
    mv other.h m.h
    got=0
    cc -c m.c -o m.o 2>err || got=$?
    [ "$got" -ne 0 ]
    holds err "export both files again"
'
it "the same model gives the same bytes" '
    exports iris.sporf
    cp m.c first.c && cp m.h first.h
    exports iris.sporf
    same m.c first.c
    same m.h first.h
'
it "names come from --name or from the file, and must be names" '
    run 0 export --c --model iris.sporf --output "my-forest 2.c"
    holds "my-forest 2.h" "my_forest_2_predict" "MY_FOREST_2_CLASSES"
    cc $strict -c "my-forest 2.c" -o m.o
    run 0 export --c --model iris.sporf --output m.c --name Iris
    holds m.h "int Iris_predict(const float *row);" "#define IRIS_CLASSES 3"
    cc $strict -c m.c -o m.o
    refused 2 "name must be" export --c --model iris.sporf --output m.c --name 2x
    refused 2 "name must be" export --c --model iris.sporf --output m.c --name a-b
    refused 2 "name must be" export --c --model iris.sporf --output m.c --name=
    refused 2 "name must be" export --c --model iris.sporf --output m.c --name _x
    long=$(printf "%070d" 0 | tr 0 a)
    refused 2 "name must be" export --c --model iris.sporf --output m.c --name $long
    run 0 export --c --model iris.sporf --output $long.c
    cc $strict -c $long.c -o m.o
    refused 2 "give another with --name" export --c --model iris.sporf --output 2.c
    run 0 export --c --model iris.sporf --output 2.c --name two
'
it "wrong usage is refused" '
    refused 2 "--c is required" export --model iris.sporf --output m.c
    refused 2 "--model is missing" export --c --output m.c
    refused 2 "--output is missing" export --c --model iris.sporf
    for bad in m m.h m.cc .c folder/ - "a\"b.c" "a\\b.c"; do
        refused 2 "--output must name a C source" export --c --model iris.sporf --output "$bad"
    done
    refused 1 "nowhere.sporf" export --c --model nowhere.sporf --output m.c
    refused 1 "not a sporf model" export --c --model iris.csv --output m.c
    for bad in x -1 5X ""; do
        refused 2 "max-size must be" export --c --model iris.sporf --output m.c "--max-size=$bad"
    done
'
it "above --max-size nothing is written, and the message says how to raise it" '
    rm -f m.c m.h
    refused 1 "--max-size 1M" export --c --model iris.sporf --output m.c --max-size 2K
    [ ! -e m.c ] && [ ! -e m.h ]
    run 0 export --c --model iris.sporf --output m.c --max-size 1M
    run 0 export --c --model iris.sporf --output m.c --max-size 0
'
it "the size is foreseen: never exceeded, never far off" '
    foresees parity.csv "--label last" sporf rf frc rr-rf ccf patch
'
it "the model is not overwritten" '
    cp iris.sporf own.c && cp iris.sporf own.h
    refused 2 "same file" export --c --model own.c --output own.c
    refused 2 "same file" export --c --model own.h --output own.c
    same own.c iris.sporf
    same own.h iris.sporf
'
old_source="/* Tables and functions of a decision forest, written by sporf of old. */"
old_header="/* A decision forest that needs nothing but the source beside this header, of old. */"
it "a file that was not exported is not replaced" '
    mkdir -p mine && echo "int mine;" >mine/own.c
    refused 2 "mine/own.c exists and was not written by sporf export" \
        export --c --model iris.sporf --output mine/own.c
    [ "$(cat mine/own.c)" = "int mine;" ]
    rm mine/own.c && echo "int mine(void);" >mine/own.h
    refused 2 "mine/own.h exists" export --c --model iris.sporf --output mine/own.c
    [ "$(ls -A mine)" = own.h ]
'
it "both files are replaced whole, and nothing is left beside them" '
    mkdir -p clean
    echo "$old_source" >clean/m.c && chmod 640 clean/m.c
    run 0 export --c --model iris.sporf --output clean/m.c
    [ "$(ls -A clean | tr "\n" " ")" = "m.c m.h " ]
    case $(ls -l clean/m.c) in -rw-r-----*) ;; *) exit 1 ;; esac
'
it "where one of the files cannot be written, both stay as they were" '
    rm -rf half && mkdir -p half/m.h
    echo "$old_source" >half/m.c
    refused 1 "half/m.h" export --c --model iris.sporf --output half/m.c
    [ "$(cat half/m.c)" = "$old_source" ]
    rmdir half/m.h && ln -s /dev/full half/m.h
    refused 1 "/dev/full: cannot write: No space left" export --c --model iris.sporf --output half/m.c
    [ "$(cat half/m.c)" = "$old_source" ]
    rm half/m.h && echo "$old_header" >half/m.h
    rm half/m.c && ln -s /dev/full half/m.c
    refused 1 "/dev/full: cannot write: No space left" export --c --model iris.sporf --output half/m.c
    [ "$(cat half/m.h)" = "$old_header" ]
    [ "$(ls -A half | tr "\n" " ")" = "m.c m.h " ]
    refused 1 "nowhere/m.c" export --c --model iris.sporf --output nowhere/m.c
'
unless_threads "cannot live with a limit on files" "a full disk leaves the old files and no rest of the new ones" '
    rm -rf full && mkdir full
    echo "$old_source" >full/m.c && echo "$old_header" >full/m.h
    (
        limit_files 4
        refused 1 "full/m.c: cannot write" export --c --model iris.sporf --output full/m.c
    )
    [ "$(cat full/m.c)" = "$old_source" ]
    [ "$(cat full/m.h)" = "$old_header" ]
    [ "$(ls -A full | tr "\n" " ")" = "m.c m.h " ]
'
if env --default-signal=INT true 2>/dev/null; then
    it "Ctrl-C leaves nothing of either file" '
        rm -rf stopped && mkdir stopped
        mkfifo pipe
        run 0 train --data parity.csv --label last --trees 300 --projections p --model x.sporf
        ln -s ../pipe stopped/m.c
        env --default-signal=INT "$SPORF" export --c --model x.sporf --output stopped/m.c &
        pid=$!
        exec 3<pipe
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            [ -n "$(find stopped -name ".m.h.*")" ] && break
            sleep 0.1
        done
        kill -INT $pid
        got=0
        wait $pid || got=$?
        [ "$got" -eq 130 ]
        [ "$(ls -A stopped)" = m.c ]
    '
else
    skip "Ctrl-C leaves nothing of either file" "env cannot reset signals"
fi
# ---- boosted models ----

# Rows for the boosted models that the fuzzer starts from, which have no names.
python3 - <<'END'
import random
random.seed(6)
for count in (2, 5, 6, 8):
    with open("rows%d.csv" % count, "w") as file:
        file.write(",".join("abcdefgh"[:count]) + "\n")
        for i in range(300):
            row = [random.choice((-0.5, 0, 1, random.gauss(0, 3), random.randint(-4, 4))) for _ in range(count)]
            file.write(",".join(map(repr, row)) + "\n")
END
cat >shares.c <<'END'
#include "m.h"
#include <stdio.h>
int main(void) {
    static float row[M_FEATURES];
    double shares[M_CLASSES];
    while (getchar() != '\n') continue;
    for (;;) {
        for (int j = 0; j < M_FEATURES; j++)
            if (scanf("%f%*[,\n]", &row[j]) < 1) return 0;
        m_probabilities(row, shares);
        printf("%s", m_class_name(m_predict(row)));
        for (int k = 0; k < M_CLASSES; k++) printf(",%.17g", shares[k]);
        printf("\n");
    }
}
END
cat >same_shares.py <<'END'
import csv
got, expected = (list(csv.reader(open(name + ".csv"))) for name in ("got", "expected"))
same = lambda a, b: a[0] == b[0] and list(map(float, a[1:])) == list(map(float, b[1:]))
assert len(got) == len(expected) - 1 > 0
assert all(map(same, got, expected[1:]))
END
seeds=$SPORF_ROOT/tests/fuzz/corpus/model

it "boosted classes are the same to the last bit, whatever the compiler may join" '
    for kind in -odds:5 :8; do
        exports "$seeds/boosted${kind%:*}.sporf"
        answers rows${kind#*:}.csv shares.c -O2 "$joined" -O0
        "$SPORF" predict --model "$seeds/boosted${kind%:*}.sporf" --data rows${kind#*:}.csv --proba >expected.csv
        python3 same_shares.py
    done
'
it "boosted numbers are the same to the last bit, whatever the compiler may join" '
    for kind in counts:2 numbers:6; do
        exports "$seeds/boosted-${kind%:*}.sporf"
        numbers_agree "$seeds/boosted-${kind%:*}.sporf" rows${kind#*:}.csv -O2 "$joined" -O0
    done
'
it "the source of boosted models needs nothing, is C++ as well, and its size is foreseen" '
    for kind in "" -odds -counts -numbers -categories; do
        exports "$seeds/boosted$kind.sporf"
        cc $strict -ffreestanding -O2 -fno-stack-protector -c m.c -o m.o
        [ -z "$(nm -u m.o | grep -v memset || true)" ]
        for compiler in g++ clang++; do
            command -v $compiler >/dev/null 2>&1 || continue
            $compiler -std=c++98 -Wno-long-long -pedantic -Wall -Wextra -Werror -x c++ -c m.c -o m.o
        done
        size=$(wc -c <m.c)
        refused 1 "may take" export --c --model "$seeds/boosted$kind.sporf" --output m.c --max-size $((size - 1))
        run 0 export --c --model "$seeds/boosted$kind.sporf" --output m.c --max-size $((size * 2 + 9000))
    done
'
finish
