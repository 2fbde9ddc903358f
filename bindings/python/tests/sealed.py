"""Model files taken apart and put together again with right checksums, to forge others."""

import struct

import xxhash

ENTRY = struct.Struct("<IIQQQ")
SETTINGS, FEATURE_NAMES = 4, 2


def take_apart(model: bytes) -> tuple[bytes, dict[int, bytes]]:
    """The header, and the bytes of each section by its number."""
    (count,) = struct.unpack_from("<I", model, 20)
    sections = {}
    for i in range(count):
        number, _, offset, size, _ = ENTRY.unpack_from(model, 64 + 32 * i)
        sections[number] = model[offset : offset + size]
    return model[:64], sections


def put_together(header: bytes, sections: dict[int, bytes]) -> bytes:
    table, body = b"", bytearray()
    end = 64 + ENTRY.size * len(sections)
    for number, content in sorted(sections.items()):
        start = -(-end // 64) * 64
        body += bytes(start - end) + content
        table += ENTRY.pack(number, 0, start, len(content), xxhash.xxh3_64_intdigest(content))
        end = start + len(content)
    rest = header[16:20] + struct.pack("<IQ", len(sections), end) + header[32:64] + table
    return header[:8] + struct.pack("<Q", xxhash.xxh3_64_intdigest(rest)) + rest + bytes(body)


def strings(texts: list[bytes]) -> bytes:
    """A section of strings."""
    ends = [0]
    for text in texts:
        ends.append(ends[-1] + len(text) + 1)
    body = b"".join(text + b"\0" for text in texts)
    return struct.pack(f"<{len(ends) + 1}Q", len(texts), *ends) + body


def settings(changed: dict[str, str | None], model: bytes) -> bytes:
    """A model with other settings; None takes one away."""
    header, sections = take_apart(model)
    content = sections[SETTINGS]
    (count,) = struct.unpack_from("<Q", content)
    texts = content[8 * (count + 2) :].split(b"\0")[:-1]
    values = dict(zip(texts[::2], texts[1::2], strict=True))
    for name, value in changed.items():
        key = name.encode("utf-8", "surrogateescape")
        values.pop(key, None)
        if value is not None:
            values[key] = value.encode("utf-8", "surrogateescape")
    sections[SETTINGS] = strings([text for pair in values.items() for text in pair])
    return put_together(header, sections)
