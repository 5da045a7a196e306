# SPDX-License-Identifier: Apache-2.0
"""Values in and out of commands: pipes, formats, CSV tables, complex data that must not vanish."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises, written
from cli_runner import CommandLine, output, piped, python
from ringside.objects.common.csv_file import CsvTable, Reading
from ringside.objects.common.values import format_values, parse_values, read_values


# ---- standard input and output -------------------------------------------------------------------
def test_pipeline_of_all_commands(tmp_path: Path, keys: Path) -> None:
    """encrypt, convert, inspect, decrypt: no file but the keys, and none called -."""
    values = b"1.5\n-2\n0.25\n"
    sealed = output(piped("encrypt", "--keys", keys, "--format", "csv", "-", "-", given=values, cwd=tmp_path))
    plain = output(piped("convert", "-", "-", "--compression", "none", given=sealed, cwd=tmp_path))
    assert len(plain) > len(sealed)
    done = piped("inspect", "-", "--keys", keys, "--full", "--json", given=plain, cwd=tmp_path)
    assert b'"kind": "ciphertext"' in output(done)
    out = output(piped("decrypt", "--keys", keys, "--count", 3, "--format", "csv", "-", "-", given=plain, cwd=tmp_path))
    assert np.allclose([float(line) for line in out.split()], [1.5, -2, 0.25], atol=0.05)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["npy", "csv", "png"])
def test_every_format_through_pipes(keys: Path, kind: str) -> None:
    picture = np.linspace(0, 1, 12).reshape(3, 4)
    out = format_values(picture, kind, picture.shape)
    again = output(piped("encrypt", "--keys", keys, "--format", kind, "-", "-", given=out))
    back = output(piped("decrypt", "--keys", keys, "--shape", "3x4", "--format", kind, "-", "-", given=again))
    assert np.allclose(parse_values("back", back, kind), picture, atol=0.05)


def test_messages_beside_the_output(tmp_path: Path, keys: Path) -> None:
    np.save(tmp_path / "n.npy", np.ones(3))
    done = piped("encrypt", "--keys", keys, tmp_path / "n.npy", "-")
    assert done.stdout[:2] == b"\x5e\xa1"  # SEAL's magic
    assert b"predicted precision" in done.stderr


def test_one_of_several_inputs_from_a_pipe(tmp_path: Path, keys: Path) -> None:
    np.save(tmp_path / "n.npy", np.ones(3))
    stream = io.BytesIO()
    np.save(stream, np.zeros(3))
    done = piped(
        "encrypt", "--keys", keys, "--format", "npy", tmp_path / "n.npy", "-", tmp_path / "out", given=stream.getvalue()
    )
    output(done)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"n.seal", "stdin.seal"}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["encrypt", "-", "x.seal"], "--format"),
        (["decrypt", "x.seal", "-"], "--format"),
        (["encrypt", "n.npy", "-", "--json"], "--json"),
        (["decrypt", "x.seal", "-", "--format", "csv", "--json"], "--json"),
        (["encrypt", "n.npy", "-", "--split"], "one ciphertext"),
        (["encrypt", "n.npy", "n.npy", "-"], "one ciphertext"),
        (["encrypt", "-", "-", "out", "--format", "csv"], "twice"),
        (["encrypt", "-", "x.seal", "--format", "csv"], "empty"),
        (["encrypt", "n.npy", "x.seal", "--columns", "1"], "CSV"),
        (["encrypt", "n.npy", "x.seal", "--header"], "CSV"),
        (["encrypt", "n.npy", "x.seal", "--separator", "tab"], "CSV"),
    ],
)
def test_wrong_use_of_pipes(
    tmp_path: Path, ringside: CommandLine, keys: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str],
    word: str,
) -> None:  # fmt: skip
    np.save(tmp_path / "n.npy", np.ones(3))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    command, *rest = arguments
    ringside(command, "--keys", keys, *rest).ends(2, word)
    assert [path.name for path in tmp_path.iterdir()] == ["n.npy"]


def test_a_file_larger_than_memory(
    tmp_path: Path, keys: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The advice is about the file, not about parameters."""
    huge = tmp_path / "huge.csv"
    with huge.open("wb") as file:
        file.truncate(20_000_000_000)  # no block of it is on the disk
    limited = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
from ringside.cli import main
from ringside.cli.common import places
places.memory_bytes = lambda: 1 << 60
sys.exit(main())
"""
    done = python(limited, "encrypt", "--keys", keys, huge, tmp_path / "out.seal")
    monkeypatch.setattr("ringside.cli.common.places.memory_bytes", lambda: 1 << 30)  # nothing is read then
    told = ringside("encrypt", "--keys", keys, huge, tmp_path / "out.seal")
    for code, err in ((done.returncode, done.stderr), (told.code, told.err)):
        assert code == 1
        assert f"There is not enough memory for {huge} (20 GB): a file of values is read whole." in err
        assert "hint: Split it; or write it as Parquet, which `ringside table encrypt` reads" in err


def test_a_stream_larger_than_memory(
    tmp_path: Path, keys: Path, ringside: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe has no size: it is read as far as memory goes."""
    monkeypatch.setattr("ringside.cli.common.places.memory_bytes", lambda: 1_000_000)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for source, name in ((pipe, str(pipe)), (Path("-"), "standard input")):
        feeder = subprocess.Popen(["sh", "-c", f"yes 1 | head -c 3000000 > {pipe}"], stderr=subprocess.DEVNULL)
        try:
            if source != pipe:
                monkeypatch.setattr(sys, "stdin", pipe.open())
            told = ringside("encrypt", "--keys", keys, "--format", "csv", source, tmp_path / "out.seal")
            sys.stdin.close() if source != pipe else None
        finally:
            feeder.kill()
            feeder.wait()
        assert (told.code, told.err.count(f"not enough memory for {name}: a file of values")) == (1, 1), told.err
    assert not (tmp_path / "out.seal").exists()


def test_binary_does_not_go_to_a_terminal(tmp_path: Path, keys: Path) -> None:
    np.save(tmp_path / "n.npy", np.ones(3))
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "ringside", "encrypt", "--keys", str(keys), str(tmp_path / "n.npy"), "-"]
    done = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2
    assert b"terminal" in done.stderr


def test_secret_keys_do_not_go_through_pipes(tmp_path: Path, keys: Path) -> None:
    done = piped("convert", keys / "secret.key", "-")
    assert (done.returncode, done.stdout) == (5, b"")
    assert b"secret key" in done.stderr
    copy = tmp_path / "copy.key"  # a file can have mode 0600
    output(piped("convert", "-", copy, given=(keys / "secret.key").read_bytes()))
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_reader_that_stops_early(keys: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "n.npy", np.ones(2000))
    output(piped("encrypt", "--keys", keys, tmp_path / "n.npy", tmp_path / "x.seal"))
    command = f"{sys.executable} -m ringside decrypt --keys {keys} --format csv {tmp_path}/x.seal - | head -c 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode in (0, 141)  # all fitted into the pipe, or not


# ---- CSV -----------------------------------------------------------------------------------------
TABLE = "time,price,volume\n1,1.5,10\n2,2.5,20\n"


@pytest.mark.parametrize(
    ("text", "options", "values"),
    [
        (TABLE, [], [1, 1.5, 10, 2, 2.5, 20]),
        (TABLE, ["--columns", "price"], [1.5, 2.5]),
        (TABLE, ["--columns", "volume,time"], [10, 1, 20, 2]),
        (TABLE, ["--columns", "2-3"], [1.5, 10, 2.5, 20]),
        (TABLE, ["--header", "--columns", "3"], [10, 20]),
        ("name,x\nalice,1\nbob,2\n", ["--columns", "x"], [1, 2]),
        (",a,b\n0,1,2\n1,3,4\n", ["--columns", "a,b"], [1, 2, 3, 4]),
        ('"long, name",b\r\n"1",2\r\n', ["--columns", "b"], [2]),
        ("2020,2021\n1,2\n", ["--header"], [1, 2]),
        ("2020,2021\n1,2\n", ["--header", "--columns", "2021"], [2]),
        ("2020,2021\n1,2\n", [], [2020, 2021, 1, 2]),
        ("1,2\n3,4\n", ["--no-header", "--columns", "1"], [1, 3]),
    ],
)
def test_csv_header_and_columns(
    tmp_path: Path, ringside: CommandLine, keys: Path, text: str, options: list[str], values: list[float]
) -> None:
    source, sealed, out = tmp_path / "in.csv", tmp_path / "x.seal", tmp_path / "out.npy"
    source.write_bytes(text.encode())
    done = ringside("encrypt", "--keys", keys, source, sealed, *options, "--scale", "2^24").ends(0)
    assert ("is taken for a header" in done.err) == (not text[0].isdigit() and "--header" not in options)
    assert ringside("decrypt", "--keys", keys, sealed, out, "--count", len(values)).code == 0
    assert np.allclose(np.load(out), values, atol=0.05)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("1,2,3\n4,5\n", [], ["line 2: 2 columns", "line 1 has 3"]),
        ("a,b\n1,2\n3,4,5\n", [], ["line 3: 3 columns", "line 2 has 2"]),
        ("a,b\n1,x\n", [], ["line 2, column 2 (b): 'x' is not a number"]),
        ("1,2\n3,\n", [], ["line 2, column 2: the cell is empty"]),
        ("1,x\n2,3\n", [], ["line 1, column 2: 'x'", "--header"]),
        ("1.o\n2\n", [], ["line 1, column 1: '1.o'"]),
        ("a,b\n1,2\n", ["--no-header"], ["line 1, column 1: 'a'"]),
        ("a,b\n1,2\n", ["--columns", "c"], ["no column 'c'", "It has a, b."]),
        ("1,2\n", ["--columns", "3"], ["no column '3'", "2 columns"]),
        ('1,2\n"3,4\n', [], ["line"]),
        ("a,b\n", [], ["no values"]),
    ],
)
def test_bad_csv(
    tmp_path: Path, ringside: CommandLine, keys: Path, text: str, options: list[str], words: list[str]
) -> None:
    source = written(tmp_path / "in.csv", text)
    done = ringside("encrypt", "--keys", keys, source, tmp_path / "x.seal", *options).ends(3)
    for word in ["in.csv", *words]:
        assert word in done.err
    assert not (tmp_path / "x.seal").exists()


Separated = tuple[str, str | None, Any]
SEPARATED: list[Separated] = [
    ("1 2 3\n", "blank", [[1, 2, 3]]),
    ("  1   2  \n 3 4\n", "blank", [[1, 2], [3, 4]]),
    ('"a b" "c d"\n1 2\n', "blank", [[1, 2]]),
    ("1+2j 3-1i\n", "blank", [[1 + 2j, 3 - 1j]]),
    ("1\t2\n3\t4", "tab", [[1, 2], [3, 4]]),
    ("1\t2\t\n3\t4\t\n", "tab", [[1, 2], [3, 4]]),
    ("1;2\r\n3;4\r\n", "semicolon", [[1, 2], [3, 4]]),
    ("\ufeff1;2\n", "semicolon", [[1, 2]]),
    ("1, 2,  3\n4 , 5,6", "comma", [[1, 2, 3], [4, 5, 6]]),
    ("1 + 2j, 3-1i\n", "comma", [[1 + 2j, 3 - 1j]]),
    ("unit price,v w\n1,2\n", "comma", [[1, 2]]),
    ("a,b\n1,2,\n3,4,\n", "comma", [[1, 2], [3, 4]]),
    ("# two columns, as np.savetxt says\n1,2\n # and more\n3,4\n", "comma", [[1, 2], [3, 4]]),
    ("1\n\n2\r\n3\r4\n", None, [[1], [2], [3], [4]]),
    ("unit price\n1\n2\n", None, [[1], [2]]),
]


@pytest.mark.parametrize(("text", "separator", "values"), SEPARATED)
def test_separators_are_found_and_told(text: str, separator: str | None, values: Any) -> None:
    told: list[Reading] = []
    assert parse_values("in.csv", text.encode(), "csv", CsvTable(told=told.append)).tolist() == values
    assert [reading.separator for reading in told] == [separator]


@pytest.mark.parametrize("options", [{}, {"delimiter": ","}, {"delimiter": "\t", "header": "a b"}, {"newline": "\r\n"}])
@pytest.mark.parametrize("values", [np.arange(6.0).reshape(3, 2), np.array([[1 + 2j, -3 - 4j]]), np.arange(200000.0)])
@pytest.mark.alike(4)
def test_what_numpy_writes(options: dict[str, Any], values: Any) -> None:
    stream = io.BytesIO()
    np.savetxt(stream, values, **options)
    assert np.array_equal(parse_values("in.csv", stream.getvalue(), "csv").reshape(values.shape), values)


@pytest.mark.parametrize(
    ("text", "separator", "place"),
    [
        ("1,5 2,5\n", None, "line 1, column 2: '5 2'"),
        ("1,5 2,5\n", "blank", "line 1, column 1: '1,5'"),
        ("1,5;2,5\n", None, "line 1, column 1: '1,5'"),
        ("1,2;3,4\n", "comma", "line 1, column 2: '2;3'"),
        ("1\n1 234\n", "comma", "line 2, column 1: '1 234'"),
        ("1 234\n567\n", None, "line 1, column 1: '1 234'"),
        ('"1 234",2\n', None, "line 1, column 1: '1 234'"),
        ("1\t2 3\n", None, "line 1, column 2: '2 3'"),
        ("1 2\n1 +2j\n", None, "line 2, column 2: '+2j'"),
        ("1 2\n3 4\n5\n", None, "line 3: 1 column, but line 1 has 2"),
    ],
)
def test_mixtures_of_separators_are_refused(text: str, separator: str | None, place: str) -> None:
    error = raises(rs.InputError, None, parse_values, "in.csv", text.encode(), "csv", CsvTable(separator=separator))
    assert place in error.message
    assert "--separator" in error.hint


def test_two_readings_that_both_make_sense() -> None:
    """The second column is 5 by commas, and 6 by blanks."""
    text = b"a,5,x 6 y\n"
    with pytest.raises(rs.InputError, match=r"by commas and by blanks.*--separator"):
        parse_values("in.csv", text, "csv", CsvTable(header=False, columns=["2"]))
    for separator, value in (("comma", 5), ("blank", 6)):
        table = CsvTable(header=False, columns=["2"], separator=separator)
        assert parse_values("in.csv", text, "csv", table).tolist() == [[value]]


def test_the_command_says_and_takes_the_separator(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    source, sealed = tmp_path / "in.csv", tmp_path / "x.seal"
    source.write_text("1\t2 3\n")
    encrypt = ("encrypt", "--keys", keys, source, sealed)
    ringside(*encrypt).ends(3, "--separator")
    ringside(*encrypt, "--separator", "blank").ends(0, f"{source}: columns are separated by blanks.").shows("3 values")
    done = ringside(*encrypt, "--separator", "blank", "--json")
    assert done.json["csv"] == [{"name": str(source), "separator": "blank", "header": [], "line": 0}]
    source.write_text("1;2;3\n")
    done = ringside("decrypt", "--keys", keys, sealed, tmp_path / "out.npy", "--truth", source)
    done.ends(0, "separated by semicolons").shows("over 3 values")


def test_files_that_are_alike_share_a_note(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    for index in range(5):
        (tmp_path / f"{index}.csv").write_text("a,b\n1,2\n" if index < 4 else "1 2\n")
    done = ringside("encrypt", "--keys", keys, *sorted(tmp_path.glob("*.csv")), tmp_path / "out")
    assert done.err.splitlines() == [
        f"note: {tmp_path}/0.csv and 3 more: columns are separated by commas, line 1 is taken for a header (a, b).",
        f"note: {tmp_path}/4.csv: columns are separated by blanks.",
    ]


@pytest.mark.parametrize("cell", ["nan", "inf", "-Infinity", "1e999", "1+nanj"])
def test_values_that_are_not_finite_have_a_place(tmp_path: Path, cell: str) -> None:
    with pytest.raises(rs.InputError, match=r"in\.csv, line 3, column 2 \(b\): .* is not a finite number"):
        parse_values("in.csv", f"a,b\n1,2\n3,{cell}\n".encode(), "csv")
    path = tmp_path / "in.npy"
    np.save(path, np.array([[1, 2], [3, complex(cell)]]))
    raises(rs.InputError, r"index \[1, 1\]: .* is not a finite number", read_values, path)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ("(1000000000000,)", "claims more numbers than fit into memory"),
        ("(10000000000000000000000,)", "is not a numeric NumPy file"),
        ("(3", "is not a numeric NumPy file"),
    ],
)
def test_a_header_that_lies_is_told(tmp_path: Path, shape: str, words: str) -> None:
    """The last two ended as faults of Ringside."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    path = tmp_path / "in.npy"
    path.write_bytes(b"\x93NUMPY\x01\0" + len(header).to_bytes(2, "little") + header.encode() + bytes(80))
    raises(rs.InputError, rf"in\.npy {words}\. np\.save", read_values, path)


def test_format_overrides_the_name(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    source, out = tmp_path / "table.txt", tmp_path / "out.dat"
    source.write_text(TABLE)
    assert ringside("encrypt", "--keys", keys, source, tmp_path / "x.seal").code == 2
    assert ringside("encrypt", "--keys", keys, source, tmp_path / "x.seal", "--format", "csv").code == 0
    ringside("decrypt", "--keys", keys, tmp_path / "x.seal", out, "--format", "csv", "--count", 2).ends(0)
    assert len(out.read_text().splitlines()) == 2


# ---- complex data --------------------------------------------------------------------------------
def test_imaginary_parts_do_not_vanish(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    source, sealed, out = tmp_path / "in.npy", tmp_path / "x.seal", tmp_path / "out.npy"
    values = np.array([1 + 2j, 3 - 0.5j])
    np.save(source, values)
    assert ringside("encrypt", "--keys", keys, source, sealed).code == 0
    decrypt = ("decrypt", "--keys", keys, sealed, out, "--count", 2)
    ringside(*decrypt).ends(3, "imaginary parts up to 2", "--complex", "--real")
    assert not out.exists()
    assert ringside(*decrypt, "--complex").code == 0
    assert np.allclose(np.load(out), values, atol=0.05)
    assert ringside(*decrypt, "--real", "--json").json["complex"] is False
    assert np.allclose(np.load(out), values.real, atol=0.05)


def test_python_refuses_to_drop_them_too(context: rs.Context, secret: rs.SecretKey) -> None:
    values = [1.0, 2e-3j]
    ciphertext = context.encrypt(values, secret)
    for call in (
        lambda: context.decrypt_values(ciphertext, secret),
        lambda: context.decrypt_batch([ciphertext], secret),
        lambda: context.decode(context.encode([1 + 1j])),
        lambda: context.decode(context.decrypt(ciphertext, secret)),
    ):
        assert raises(rs.InputError, "real=False", call).code == "COMPLEX"
    assert np.allclose(context.decrypt_values(ciphertext, secret, 2, real=False), values, atol=1e-4)
    assert np.allclose(context.decrypt_values(ciphertext, secret, 2, real=True), [1, 0], atol=1e-4)
    assert context.decrypt_values(ciphertext, secret, 1).dtype == np.float64  # what is not asked for does not matter


def test_rare_noise_is_not_taken_for_imaginary_parts(context: rs.Context, secret: rs.SecretKey) -> None:
    """Noise under a public key has long tails: of a thousand ciphertexts one has a slot beyond eight standard deviations, as this one."""
    deterministic: dict[str, Any] = {"insecure_deterministic_seed": bytes(range(64))}
    public = context.public_key(secret, **deterministic)
    ciphertext = context.encrypt(
        [0.0], public, scale=2.0**12, special_prime=False, **deterministic, insecure_deterministic_index=407
    )
    imaginary = context.decrypt_values(ciphertext, secret, real=False).imag
    assert np.abs(imaginary).max() > 8 * 2 ** -context.predicted_precision(scale=2.0**12, kind="public-key-direct")
    assert context.decrypt_values(ciphertext, secret).dtype == np.float64


@pytest.mark.parametrize("kind", ["secret", "public", "direct"])
@pytest.mark.parametrize("scale", [2.0**27, 2.0**12, 2.0])
def test_noise_is_not_taken_for_imaginary_parts(
    context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey, kind: str, scale: float
) -> None:
    """Real data decrypt without a word, whatever part of them is noise: also nothing but zeros."""
    key = secret if kind == "secret" else public
    for values in (np.zeros(5), np.linspace(-1, 1, context.slots), [1000.0]):
        ciphertext = context.encrypt(values, key, scale=scale, special_prime=kind != "direct")
        assert context.decrypt_values(ciphertext, secret).dtype == np.float64
