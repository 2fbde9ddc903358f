#include "base/utf8.h"

const char *spf_utf8_next(const char *text, uint32_t *character) {
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*text++;
    *character = first;
    if (first < 0x80) return text;
    *character = SPF_UTF8_REPLACEMENT;
    int more = first >= 0xF8 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    if (more == 0) return text;
    uint32_t value = first & (0x3Fu >> more);
    for (int i = 0; i < more; i++) {
        unsigned char next = (unsigned char)text[i];
        if ((next & 0xC0) != 0x80) return text;
        value = value << 6 | (next & 0x3F);
    }
    if (value < least[more] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return text;
    *character = value;
    return text + more;
}

/* U+FFFD itself has three bytes. */
int spf_is_utf8(const char *text) {
    uint32_t character;
    while (*text) {
        const char *next = spf_utf8_next(text, &character);
        if (character == SPF_UTF8_REPLACEMENT && next - text != 3) return 0;
        text = next;
    }
    return 1;
}
