# SPDX-License-Identifier: Apache-2.0
"""TenSEAL's messages without TenSEAL: the codec, and what is refused. (With it: tests/interop/test_tenseal_files.py.)"""

import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from ringside.tenseal import protobuf
from ringside.tenseal.protobuf import MessageField, WireKind, bytes_field, number_field, packed_field, pieces, varint

VALUES = np.linspace(-1, 1, 7)
FIELDS = (
    MessageField(1, "one", WireKind.UINT32),
    MessageField(2, "flag", WireKind.BOOL),
    MessageField(3, "real", WireKind.DOUBLE),
    MessageField(4, "data", WireKind.BYTES),
    MessageField(5, "many", WireKind.UINT32, repeated=True),
    MessageField(6, "blocks", WireKind.BYTES, repeated=True),
)


def read(data: bytes) -> protobuf.Message:
    return protobuf.read(memoryview(data), "test", FIELDS)


def join(parts: Any) -> bytes:
    return b"".join(pieces(parts))


@pytest.fixture(scope="module")
def message(context: rs.Context, public: rs.PublicKey, secret: rs.SecretKey, tmp_path_factory: Any) -> bytes:
    folder = tmp_path_factory.mktemp("keys")
    context.write_relin_keys(secret, folder / "relin.key")
    context.write_galois_keys(secret, folder / "galois.key", [1])
    return rs.to_tenseal(context, public_key=public, relin_keys=folder / "relin.key", galois_keys=folder / "galois.key")


@pytest.fixture(scope="module")
def vector(context: rs.Context, public: rs.PublicKey) -> bytes:
    return rs.TensealVector.encrypt(context, VALUES, public).to_bytes()


# ---- codec ----------------------------------------------------------------------------------------------------------
# from the description of the format (Protocol Buffers, "Encoding")
@pytest.mark.parametrize(
    ("value", "data"), [(0, "00"), (1, "01"), (127, "7f"), (150, "9601"), (2**32 - 1, "ffffffff0f")]
)
def test_varint(value: int, data: str) -> None:
    assert varint(value).hex() == data
    assert read(bytes([8]) + varint(value)).number("one") == value


def test_known_answers() -> None:
    """The examples of that description: field 1 = 150; field 4, packed 3, 270, 86942 as field 5; a string in field 2 here 4."""
    assert join(number_field(1, 150)).hex() == "089601"
    assert join(packed_field(5, [3, 270, 86942])).hex() == "2a06038e029ea705"
    assert join(bytes_field(4, [b"testing"])).hex() == "220774657374696e67"
    assert join(protobuf.double_field(3, 1.0)).hex() == "19000000000000f03f"
    assert number_field(1, 0) == packed_field(5, []) == protobuf.double_field(3, 0.0) == []


def test_everything_that_is_written_is_read() -> None:
    parts = [*number_field(1, 7), *number_field(2, 1), *protobuf.double_field(3, -2.5)]
    parts += [*bytes_field(4, [b"abc", b"d"]), *packed_field(5, [1, 300])]
    got = read(join([*parts, *bytes_field(6, [b""]), *bytes_field(6, [b"x"])]))
    assert (got.number("one"), got.number("flag"), got.doubles["real"]) == (7, 1, -2.5)
    assert bytes(got.data("data") or b"") == b"abcd"
    assert got.numbers["many"] == [1, 300]
    assert [bytes(block) for block in got.bytes["blocks"]] == [b"", b"x"]
    # numbers that are not packed, and an empty message
    assert read(bytes.fromhex("28012802")).numbers["many"] == [1, 2]
    assert read(b"").number("one") == 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("08", "longer than"),  # a tag without value
        ("08ff", "longer than"),
        ("08" + "80" * 10 + "01", "64 bits"),
        ("08ffffffffffffffffff7f", "64 bits"),
        ("088080808010", "one is 4294967296"),
        ("1002", "flag is 2"),
        ("1a080000000000000000", "real has wire type 2"),
        ("190000", "longer than"),
        ("2205616263", "longer than"),
        ("22ffffffffffffffff7f", "longer than"),
        ("0d00000000", "one has wire type 5"),
        ("0b0c", "one has wire type 3"),  # groups
        ("0a0101", "one has wire type 2"),
        ("0f", "one has wire type 7"),
        ("3801", "a field 7"),
        ("0001", "a field 0"),
        ("08010802", "one is there twice"),
        ("22002200", "data is there twice"),
        ("2a0180", "longer than"),  # a packed number that goes on behind its block
    ],
)
def test_malformed(data: str, words: str) -> None:
    caught = raises(rs.WireError, "not a test of TenSEAL", read, bytes.fromhex(data))
    assert words in caught.message
    assert caught.code == "TENSEAL_FORMAT"


def test_a_message_that_no_reader_takes_is_not_written(
    tmp_path: Path, context: rs.Context, public: rs.PublicKey
) -> None:
    huge = tmp_path / "huge"
    public.save(huge)
    with huge.open("r+b") as file:
        file.truncate(2**31)  # sparse
    raises(rs.WireError, "2147483647", protobuf.check_size, bytes_field(1, [huge]))
    raises(rs.WireError, "2147483647", rs.from_tenseal, huge)


# ---- whole messages -------------------------------------------------------------------------------------------------
def test_round_trip(context: rs.Context, public: rs.PublicKey, message: bytes, tmp_path: Path) -> None:
    got = rs.from_tenseal(message)
    assert got.params == context.params
    assert got.public_key is not None
    assert np.array_equal(got.public_key.data, public.data)
    assert (got.auto_relin, got.auto_rescale, got.auto_mod_switch) == (True, True, True)
    assert (got.symmetric, got.has_secret_key, got.scale) == (False, False, context.params.default_scale)
    assert rs.to_tenseal(got) == message
    path = tmp_path / "context"
    assert got.save(path) == len(message)
    assert path.read_bytes() == message
    raises(rs.SecretKeyError, "no secret key", rs.secret_key_from_tenseal, path)


def test_a_key_directory(keys: Path) -> None:
    """Its public part: no secret key, and the evaluation keys as they are on the disk."""
    got = rs.from_tenseal(rs.to_tenseal(rs.KeyDirectory(keys), scale=2.0**19))
    assert got.relin_keys == (keys / "relin.key").read_bytes()
    assert got.galois_keys == (keys / "galois.key").read_bytes()
    assert (got.scale, got.has_secret_key) == (2.0**19, False)


def test_vector_round_trip(context: rs.Context, secret: rs.SecretKey, vector: bytes, tmp_path: Path) -> None:
    got = rs.from_tenseal(vector, context)
    assert got.to_bytes() == vector
    assert np.abs(got.decrypt_values(secret) - VALUES).max() < 1e-2
    # repeated until the slots are full, as TenSEAL has it
    all_slots = context.decrypt_values(got.ciphertexts[0], secret)
    assert np.abs(all_slots - np.resize(VALUES, context.slots)).max() < 1e-2
    got.save(tmp_path / "vector")
    assert rs.from_tenseal(tmp_path / "vector", context).sizes == (VALUES.size,)


def test_every_truncation_is_refused(context: rs.Context, message: bytes, vector: bytes) -> None:
    """At the borders of fields too: what is left is then a message, but not a whole one."""
    draw = random.Random(5)
    for data, read_it in ((message, rs.from_tenseal), (vector, lambda some: rs.from_tenseal(some, context))):
        cuts = {
            0, 1, 2, 3, 10, len(data) - 1, len(data) - 8, len(data) - 9,
            *(draw.randrange(len(data)) for _ in range(30)),
        }  # fmt: skip
        for cut in sorted(cuts):
            raises(rs.RingsideError, None, read_it, data[:cut])


def test_damage_is_refused_or_harmless(context: rs.Context, message: bytes, vector: bytes) -> None:
    """Bytes changed at random, most of them near the beginning, where the structure is: an error of ours, or an object."""
    draw = random.Random(6)
    refused = 0
    for data, read_it in ((message, rs.from_tenseal), (vector, lambda some: rs.from_tenseal(some, context))):
        for _ in range(150):
            damaged = bytearray(data)
            for _ in range(draw.randint(1, 3)):
                place = draw.randrange(200) if draw.random() < 0.8 else draw.randrange(len(damaged))
                damaged[place] = draw.randrange(256)
            try:
                read_it(bytes(damaged))
            except rs.RingsideError:
                refused += 1
    assert refused > 200


def test_no_memory_is_taken_for_what_a_length_claims() -> None:
    claim = bytes([0x0A]) + varint(2**60)
    raises(rs.WireError, None, rs.from_tenseal, claim)


def inner(context: rs.Context, **public: Any) -> bytes:
    """A context message with these members of its public part."""
    parts = bytes_field(1, [context.params.to_bytes()])
    body = []
    if "flags" in public:
        body += number_field(2, public["flags"])
    if "scale" in public:
        body += [bytes([3 << 3 | 1]) + struct.pack("<d", public["scale"])]
    if "relin" in public:
        body += bytes_field(4, [public["relin"]])
    return join([*parts, *bytes_field(2, body), *number_field(4, public.get("kind", 0))])


@pytest.mark.parametrize(
    ("public", "words"),
    [
        ({"flags": 8}, "auto_flags are 8"),
        ({"scale": float("nan")}, "scale is nan"),
        ({"scale": -2.0}, "scale is -2"),
        ({"kind": 2}, "encryption_type is 2"),
    ],
)
def test_members_out_of_range(context: rs.Context, public: dict[str, Any], words: str) -> None:
    assert words in raises(rs.WireError, "context of TenSEAL", rs.from_tenseal, inner(context, **public)).message


def test_a_context_without_scale(context: rs.Context) -> None:
    assert rs.from_tenseal(inner(context, scale=-1.0)).scale == context.params.default_scale


def test_keys_of_the_wrong_kind_or_parameters(context: rs.Context, secret: rs.SecretKey, tmp_path: Path) -> None:
    relin, galois = tmp_path / "relin.key", tmp_path / "galois.key"
    context.write_relin_keys(secret, relin)
    context.write_galois_keys(secret, galois, [1])
    raises(rs.WireError, "Galois keys", rs.to_tenseal, context, galois_keys=relin)
    raises(rs.WireError, "relinearisation keys", rs.from_tenseal, inner(context, relin=galois.read_bytes()))
    other = rs.Context(rs.Parameters.from_bits(4096, [36, 36, 37]))
    raises(rs.MismatchError, "other parameters", rs.to_tenseal, other, relin_keys=relin)
    raises(rs.WireError, "as long as its header says", rs.to_tenseal, context, relin_keys=relin.read_bytes()[:-1])
    raises(rs.FileError, None, rs.to_tenseal, context, relin_keys=tmp_path / "nothing")


def test_weak_parameters_need_to_be_waived() -> None:
    weak = rs.Context(rs.Parameters.from_bits(1024, [30, 30], security=0))
    data = rs.to_tenseal(weak, scale=2.0**20)
    raises(rs.ParameterError, None, rs.from_tenseal, data)
    assert rs.from_tenseal(data, security=0).params == weak.params


def test_vectors_that_cannot_be(context: rs.Context, secret: rs.SecretKey) -> None:
    ciphertext = context.encrypt(VALUES, secret)
    data = [ciphertext.to_bytes()]
    scale = protobuf.double_field(3, 2.0**20)
    for parts, words in (
        ([*bytes_field(2, data), *scale], "1 ciphertexts and 0 sizes"),
        ([*packed_field(1, [1, 2]), *bytes_field(2, data), *scale], "1 ciphertexts and 2 sizes"),
        ([*packed_field(1, [context.slots + 1]), *bytes_field(2, data), *scale], "cannot hold"),
        ([*packed_field(1, [3]), *bytes_field(2, data)], "scale is 0"),
        ([*packed_field(1, [3]), *bytes_field(2, data), *scale, *number_field(4, 1)], "a field 4"),  # a tensor's
    ):
        assert words in raises(rs.WireError, None, rs.from_tenseal, join(parts), context).message
    other = rs.Context(rs.Parameters.from_bits(4096, [36, 36, 37]))
    raises(rs.MismatchError, None, rs.from_tenseal, rs.to_tenseal(ciphertext), other)
    raises(rs.InputError, "at least one value", rs.TensealVector.encrypt, context, [], secret)
    raises(rs.InputError, "do not fill", rs.to_tenseal, [ciphertext, ciphertext], count=5)
    with pytest.raises(rs.MismatchError, match="Ciphertext 1"):
        rs.to_tenseal([ciphertext, context.encrypt(VALUES, secret, scale=2.0**20)])


def test_missing_file(tmp_path: Path, context: rs.Context) -> None:
    assert raises(rs.FileError, None, rs.from_tenseal, tmp_path / "nothing", context).code == "FILE_MISSING"
