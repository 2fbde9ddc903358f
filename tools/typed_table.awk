# Makes a typed table of a simulated one, whose last column is the class or number: categories of few and of many levels,
# an ordered one, missing values, weights that are not whole numbers, counts, and a second target.
BEGIN { FS = OFS = "," }
NR == 1 { print "colour", "town", "size", $0, "weight", "count", "second"; next }
{
    colour = NR % 19 == 0 ? "" : substr("rgbyk", 1 + int(($1 * 37 + NR) % 5 + 5) % 5, 1)
    for (i = 1; i < NF; i++) if ((NR * 13 + i * 29) % 17 == 0) $i = "NA"
    print colour, "t" NR * 7 % 31, 1 + NR % 4, $0, (NR % 7 + 1) / 4, NR % 3 + 1, $2 == "NA" ? 0.5 : $2 * 3 - NR % 5
}
