/* Decodes UTF-8, and tells which characters a terminal must not get. */
#include "characters.h"

size_t character_read(const char *text, uint32_t *point) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char lead = bytes[0];
    *point = lead;
    if (lead < 0x80) return 1;
    unsigned length = lead >= 0xf8 ? 0 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 0;
    if (length == 0) return 0;
    *point = lead & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) return 0;
        *point = *point << 6 | (bytes[i] & 0x3fu);
    }
    int surrogate = *point >= 0xd800 && *point <= 0xdfff;
    return *point >= least[length] && *point <= 0x10ffff && !surrogate ? length : 0;
}

int character_drives(uint32_t point) {
    int control = point < 0x20 || (point >= 0x7f && point < 0xa0);
    int line_end = point == 0x2028 || point == 0x2029;
    int turns = (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
    return control || line_end || turns;
}

size_t character_shown(const char *text, int *shown) {
    uint32_t point;
    size_t length = character_read(text, &point);
    *shown = length > 0 ? !character_drives(point) : (unsigned char)*text >= 0xa0;
    return length > 0 ? length : 1;
}
