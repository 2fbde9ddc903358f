"""Seeds that follow from what they are for, so that each unit of work has its own and keeps it."""

import zlib


def seed_of(*words) -> int:
    """A seed for what the words say.

    >>> seed_of("trunk", 100, 1) == seed_of("trunk", 100, 1) != seed_of("trunk", 100, 2)
    True
    """
    return zlib.crc32(repr(words).encode())
