"""Arrow streams that lie: read before, of another kind, or failing half-way."""

import ctypes

import numpy as np
import pyarrow as pa
import pytest

from sporf import SporfClassifier, _core


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


GET_SCHEMA = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
GET_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))
RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
Schema._fields_ = [("words", ctypes.c_int64 * 9)]
Array._fields_ = [("words", ctypes.c_int64 * 10)]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_ERROR),
    ("release", RELEASE),
    ("private_data", ctypes.c_void_p),
]
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

TABLE = pa.table({"a": np.arange(6, dtype=np.float32), "b": [1.5, None, 2, 3, 4, 5]})


class Lying:
    """A table whose stream fails where it is told to: an error, or nothing, at the n-th batch."""

    shape = (6, 2)
    schema = TABLE.schema

    def __init__(self, batches, fails_at=None, why=None, schema_fails=False, without=None):
        self.given, self.fails_at, self.why = 0, fails_at, why
        self.schema_fails, self.batches = schema_fails, batches
        self.stream = Stream(
            GET_SCHEMA(self.get_schema),
            GET_NEXT(self.get_next),
            GET_ERROR(lambda _: ctypes.cast(self.why, ctypes.c_void_p).value if self.why else None),
            RELEASE(lambda _: None),
        )
        if without:
            setattr(self.stream, without, dict(Stream._fields_)[without](0))

    def get_schema(self, _, out):
        if self.schema_fails:
            return 5
        TABLE.schema._export_to_c(ctypes.addressof(out.contents))
        return 0

    def get_next(self, _, out):
        if self.given == self.fails_at:
            return 5
        ctypes.memset(out, 0, ctypes.sizeof(Array))
        if self.given < len(self.batches):
            self.batches[self.given]._export_to_c(ctypes.addressof(out.contents))
        self.given += 1
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        return new_capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)


BATCHES = TABLE.to_batches(max_chunksize=6)
NOTHING = TABLE.slice(0, 0).combine_chunks().to_batches() or [BATCHES[0].slice(0, 0)]


def test_a_stream_that_tells_the_truth_is_taken():
    f = SporfClassifier(3, random_state=0).fit(Lying(NOTHING + BATCHES + NOTHING), [0, 1] * 3)
    assert f.predict(TABLE).shape == (6,)


def test_a_stream_that_was_read_before_is_refused():
    capsule = TABLE.__arrow_c_stream__()
    _core.Dataset.from_arrow(capsule)
    pa.table(Consumed(capsule))  # takes it over
    with pytest.raises(ValueError, match="read before"):
        _core.Dataset.from_arrow(capsule)
    with pytest.raises(ValueError, match="read before"):
        SporfClassifier(3).fit(Consumed(capsule), [0, 1] * 3)


class Consumed:
    shape = (6, 2)
    schema = TABLE.schema

    def __init__(self, capsule):
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule


@pytest.mark.parametrize(
    "lie, message",
    [
        ({"batches": [], "schema_fails": True}, "it does not say why"),
        ({"batches": [], "schema_fails": True, "why": b"caf\xe9"}, "caf\ufffd"),
        ({"batches": BATCHES, "fails_at": 0, "why": b"no disk"}, "no disk"),
        ({"batches": BATCHES, "fails_at": 1, "why": b"no disk"}, "no disk"),
        ({"batches": BATCHES, "fails_at": 1, "without": "get_last_error"}, "does not say why"),
        ({"batches": BATCHES + BATCHES}, "several batches"),
        ({"batches": []}, "0 sample"),
        ({"batches": NOTHING}, "0 sample"),
        ({"batches": BATCHES, "without": "release"}, "read before"),
        ({"batches": BATCHES, "without": "get_schema"}, "read before"),
        ({"batches": BATCHES, "without": "get_next"}, "read before"),
    ],
)
def test_a_stream_that_fails_is_refused_with_its_own_reason(lie, message):
    with pytest.raises(ValueError, match=message):
        SporfClassifier(3).fit(Lying(**lie), [0, 1] * 3)


@pytest.mark.parametrize("answer", [None, 5, TABLE.schema.__arrow_c_schema__(), "stream"])
def test_what_is_no_stream_is_refused(answer):
    with pytest.raises(ValueError, match="did not return an Arrow stream"):
        SporfClassifier(3).fit(Consumed(answer), [0, 1] * 3)
