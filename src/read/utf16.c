/* UTF-16 to UTF-8, piece by piece. */
#include "read/utf16.h"

spf_encoding_kind spf_text_encoding(const unsigned char *head, size_t size) {
    int four = size >= SPF_UTF16_HEAD;
    if (size < 2) return SPF_TEXT_BYTES;
    if (four && head[0] == 0xff && head[1] == 0xfe && head[2] == 0 && head[3] == 0)
        return SPF_TEXT_UTF32;
    if (four && head[0] == 0 && head[1] == 0 && head[2] == 0xfe && head[3] == 0xff)
        return SPF_TEXT_UTF32;
    if (head[0] == 0xff && head[1] == 0xfe) return SPF_TEXT_UTF16_LE;
    if (head[0] == 0xfe && head[1] == 0xff) return SPF_TEXT_UTF16_BE;
    if (!four) return SPF_TEXT_BYTES;
    if (head[0] && !head[1] && head[2] && !head[3]) return SPF_TEXT_UTF16_LE;
    if (!head[0] && head[1] && !head[2] && head[3]) return SPF_TEXT_UTF16_BE;
    return SPF_TEXT_BYTES;
}

static sporf_status raise_half(const spf_utf16 *text, unsigned unit) {
    return spf_raise(
        SPORF_ERROR_DATA,
        SPF_FILE " " SPF_LINE
                 ": half of a surrogate pair (0x%04X) in UTF-16 text: the file is damaged" SPF_HINT
                 "save it again, best as UTF-8",
        text->name, text->lines + 1, unit);
}

static unsigned char *put(unsigned char *out, unsigned point) {
    static const unsigned char marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    int length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--, point >>= 6) out[i] = (unsigned char)(0x80 | (point & 63));
    out[0] = (unsigned char)(marks[length > 1 ? length : 0] | point);
    return out + length;
}

/* Converts one 16-bit unit. */
static sporf_status take(spf_utf16 *text, unsigned unit, unsigned char **out) {
    int second = unit >= 0xdc00 && unit < 0xe000;
    if (second != (text->first != 0)) return raise_half(text, second ? unit : text->first);
    int is_mark = text->units++ == 0 && unit == 0xfeff;
    text->lines += unit == '\n';
    if (second) *out = put(*out, 0x10000 + ((text->first - 0xd800) << 10) + (unit - 0xdc00));
    text->first = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    if (!second && text->first == 0 && !is_mark) *out = put(*out, unit);
    return SPORF_OK;
}

sporf_status spf_utf16_convert(spf_utf16 *text, const unsigned char *bytes, size_t size,
                               unsigned char *out, size_t *used) {
    unsigned char *at = out;
    for (size_t i = 0; i < size; i++) {
        if (text->odd == 0) {
            text->odd = 256u + bytes[i];
            continue;
        }
        unsigned before = text->odd - 256u, unit = bytes[i];
        text->odd = 0;
        SPF_TRY(take(text, text->big_endian ? before << 8 | unit : unit << 8 | before, &at));
    }
    *used = (size_t)(at - out);
    return SPORF_OK;
}

sporf_status spf_utf16_finish(const spf_utf16 *text) {
    if (text->first) return raise_half(text, text->first);
    if (text->odd == 0) return SPORF_OK;
    return spf_raise(SPORF_ERROR_DATA,
                     SPF_FILE ": UTF-16 text that ends in the middle of a character: the file was "
                              "not written or copied completely",
                     text->name);
}
