# SPDX-License-Identifier: Apache-2.0
"""Errors say what to do, as JSON too: usage errors, weak messages, Ctrl-C during imports."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises, written
from cli_runner import CommandLine, python
from ringside import designs
from ringside.cli.common.output import print_json, print_table

USAGE = [
    ["keygen"],
    ["keygen", "--out", "x", "--bits", "4096"],
    ["keygen", "--out", "x", "--bits", "a:b"],
    ["keygen", "--out", "x", "--params", "lee-12", "--galois", "x"],
    ["keygen", "--out", "x", "--params", "lee-12", "--security", "100"],
    ["keygen", "--nothing"],
    ["encrypt", "--keys", "x"],
    ["encrypt", "--keys", "x", "a.npy", "b.seal", "--level", "one"],
    ["decrypt", "--keys", "x", "a.seal"],
    ["decrypt", "--keys", "x", "a.seal", "b.npy", "--shape", "2y2"],
    ["convert", "a", "b", "--seal-version", "2.0"],
    ["inspect"],
    ["cycles", "rise-4", "--op", "nothing"],
    ["cycles", "rise-4", "--clock", "nan"],
    ["report", "--clock", "inf"],
    ["soc", "report", "--clock", "0"],
    ["soc", "report", "--uplink", "-1"],
    ["soc", "report", "--n", "3"],
    ["rtl", "rise-1", "-o", "x", "--base", "0x123"],
    ["nothing"],
]


@pytest.mark.parametrize("arguments", USAGE, ids=[" ".join(words[:4]) for words in USAGE])
def test_usage_errors_obey_json(ringside: CommandLine, arguments: list[str]) -> None:
    """The same object, the same exit code and the same sentence as for other errors."""
    plain, as_json = ringside(*arguments), ringside(*arguments, "--json")
    assert (plain.code, plain.out) == (2, "")
    assert plain.err.startswith("ringside: ")
    assert "Usage: ringside keygen" in plain.err or arguments[0] != "keygen"
    assert len(plain.err.splitlines()) <= 2
    assert as_json.code == 2
    error = as_json.json["error"]
    assert set(error) == {"code", "message", "hint"}
    assert as_json.err == plain.err
    assert error["message"] in plain.err
    assert error["hint"] in plain.err


def test_usage_is_named(ringside: CommandLine) -> None:
    done = ringside("keygen", "--params", "lee-12")
    assert "--out is missing." in done.err
    assert "Usage: ringside keygen" in done.err
    assert "ringside keygen --help" in done.err
    assert "No such command 'keyge'" in ringside("keyge").err
    assert "Hardware:" in ringside().out  # the help
    assert ringside().code == 2


def test_spaces_are_found_by_name(ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those that the package brings, wherever the command runs."""
    monkeypatch.chdir(tmp_path)
    assert ringside("explore", "tiny", "-o", "out", "--json").json["points"] == 216
    for given, meant in (("tyny", True), ("designs/spaces/tiny.toml", True), ("mine.toml", False)):
        done = ringside("explore", given)
        assert f"There is no space '{given}'." in done.err
        assert ("Did you mean 'tiny'?" in done.err) == meant
        assert "aloha-task" in done.err


def test_help_is_a_word_too(ringside: CommandLine) -> None:
    assert ringside("help", "encrypt").out == ringside("encrypt", "--help").out
    assert ringside("help", "soc", "run").out == ringside("soc", "run", "--help").out
    assert ringside("help").out == ringside("--help").out
    assert "No such command 'nope'" in ringside("help", "nope").err


def test_quiet_leaves_notes_out_and_warnings_in(ringside: CommandLine, tmp_path: Path) -> None:
    loud = ringside("params")
    assert "note: " in loud.err
    for words in (("-q", "params"), ("params", "--quiet")):
        done = ringside(*words)
        assert (done.code, done.out, done.err) == (0, loud.out, "")
    assert "note: " in ringside("params").err  # the next run is as loud as before
    assert "There is no design" in ringside("-q", "designs", "nothing").err
    assert ringside("inspect", "--", "-q").code == 4  # a file of that name


def test_one_value_is_one_value(ringside: CommandLine, tmp_path: Path, keys: Path) -> None:
    values, sealed = tmp_path / "v.csv", tmp_path / "v.seal"
    values.write_text("1.5\n", encoding="utf-8")
    assert re.search(r"  1 value, ", ringside("encrypt", "--keys", keys, values, sealed).out)
    out = ("decrypt", "--keys", keys, sealed, tmp_path / "o.csv", "--count")
    assert ": 1 real value\n" in ringside(*out, 1).out
    assert ": 2 real values\n" in ringside(*out, 2).out


def test_hints_name_options_and_no_arguments_of_python(ringside: CommandLine, keys: Path) -> None:
    assert "hint: Pass --force to replace it." in ringside("keygen", "--params", "lee-12", "--out", keys).err


# ---- tables -----------------------------------------------------------------------------------------------------------
ADVISE = "advise --precision 20 --depth 3 --slots 4096 --no-measure"


@pytest.mark.parametrize("words", ["params", ADVISE, "designs"])
def test_tables_fit_a_terminal(ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """A pipe gets whole lines, or what COLUMNS says; names are never broken, and no line ends in blanks."""
    names = {
        words: [one.get("name", "") for one in ringside(*words.split(), "--json").json]
        for words in ("params", "designs")
    }
    monkeypatch.delenv("COLUMNS", raising=False)
    whole = ringside(*words.split()).out.splitlines()
    monkeypatch.setenv("COLUMNS", "80")
    lines = ringside(*words.split()).out.splitlines()
    table = [
        line
        for line in lines
        if not line.startswith((" " * 2, "security and precision", "Not precise enough", "The first"))
    ]
    assert max(map(len, table)) <= 80
    assert [line for line in [*lines, *whole] if line != line.rstrip()] == []
    known = {name for name in names.get(words, ["lee-14"]) if name}
    assert known <= {line.split()[0] for line in lines if line.strip()}
    assert len(whole) <= len(lines)
    assert words == ADVISE or max(map(len, whole)) > 80 or words == "params"


def test_what_of_a_table_is_broken(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Words of heads and of columns of words, at blanks; numbers and single words stay, though they are too wide."""
    monkeypatch.setenv("COLUMNS", "31")
    print_table(["name", "a large number", "what it is", "left out"], [["  inner-name", "1,234,567", "two words", "y"]], "T", ["left out"])  # fmt: skip
    assert capsys.readouterr().out.splitlines() == [
        "T",
        "",
        " name            a large  what",
        "                  number  it is",
        " " + "─" * 30,
        "   inner-name  1,234,567  two",
        "                          words",
        "",
    ]


@pytest.mark.soak  # nobody is forbidden anything where root runs the tests: capabilities are taken away
def test_what_may_not_be_read_is_told(tmp_path: Path, keys: Path) -> None:
    """Typer reported it as wrong usage, with exit code 2."""
    drop = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
    if os.geteuid() == 0 and subprocess.run([*drop, "true"], capture_output=True).returncode:
        pytest.skip("setpriv takes no capabilities away here")
    for name in ("in.npy", "in.parquet", "in.key"):
        (tmp_path / name).write_bytes(b"")
        (tmp_path / name).chmod(0o200)
    np.save(tmp_path / "good.npy", np.ones(3))
    start = [*(drop if os.geteuid() == 0 else []), sys.executable, "-m", "ringside"]
    for line, code, words in (
        ("encrypt --keys KEYS in.npy x.seal", 4, "Cannot read in.npy: Permission denied."),
        ("sign sign in.key good.npy x.sig", 4, "ringside: Cannot read in.key: Permission denied."),
        ("table encrypt in.parquet --keys KEYS --out x", 4, "Cannot read in.parquet: Permission denied."),
    ):
        arguments = [str(keys) if word == "KEYS" else word for word in line.split()]
        done = subprocess.run([*start, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, words in done.stderr) == (code, True), done.stderr


@pytest.mark.parametrize(
    ("start", "hint"),
    [
        (b"-----BEGIN PRIVATE KEY", "for `ringside kem`"),
        (b"\x93NUMPY", "`ringside encrypt` takes those"),
        (b"PAR1", "`ringside table encrypt`"),
        (b"something", "Name a file that SEAL, TenSEAL, Lattigo"),
    ],
)
def test_inspect_says_what_else_a_file_is(ringside: CommandLine, tmp_path: Path, start: bytes, hint: str) -> None:
    """It said to run `ringside inspect`."""
    (tmp_path / "file").write_bytes(start + bytes(100))
    ringside("inspect", tmp_path / "file").ends(4, hint)


def test_inspect_directory(ringside: CommandLine, keys: Path, tmp_path: Path) -> None:
    ringside("inspect", keys).ends(4, "is a directory", "params.seal")
    assert ringside("inspect", tmp_path).code == 4


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("public.key", "public key"),
        ("secret.key", "secret key"),
        ("relin.key", "relinearisation keys"),
        ("galois.key", "Galois keys"),
        ("params.seal", "parameters"),
    ],
)
def test_decrypting_a_key(ringside: CommandLine, keys: Path, tmp_path: Path, name: str, word: str) -> None:
    ringside("decrypt", "--keys", keys, keys / name, tmp_path / "out.npy").ends(4, name, word, "not a ciphertext")


def test_count(ringside: CommandLine, keys: Path, tmp_path: Path, context: rs.Context, secret: rs.SecretKey) -> None:
    np.save(tmp_path / "n.npy", np.ones(3))
    ringside("encrypt", "--keys", keys, tmp_path / "n.npy", tmp_path / "x.seal")
    done = ringside("decrypt", "--keys", keys, tmp_path / "x.seal", tmp_path / "o.npy", "--count", -1)
    done.ends(3, "--count is -1", "1 to 2048")
    ciphertext = context.encrypt([1.0], secret)
    for count in (-1, context.slots + 1):
        raises(rs.InputError, f"count is {count}; .* 0 to 2048", context.decrypt_values, ciphertext, secret, count)


def test_the_option_that_says_the_count_is_named(ringside: CommandLine, keys: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "n.npy", np.ones(3000))
    ringside("encrypt", "--keys", keys, "--split", tmp_path / "n.npy", tmp_path / "x.seal")
    words = ["decrypt", "--keys", keys, tmp_path / "x-0.seal", tmp_path / "o.npy"]
    for option, value, said in (
        ("--truth", tmp_path / "n.npy", "--truth has 3000 values"),
        ("--shape", "50x60", "--shape has 3000 values"),
    ):
        ringside(*words, option, value).ends(3, said, "all of them, in order")


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("params >&-", 0, ""),  # these ended as faults of Ringside, or in a traceback
        *(
            pytest.param(*case, marks=pytest.mark.soak)
            for case in (
                ("params lee-12 --json > /dev/full", 4, "ringside: No space left on device."),
                ("inspect - <&-", 2, "ringside: Standard input is empty"),
                ("inspect nothing 2>&-", 4, ""),
                ("doctor", 0, "none: RINGSIDE_BACKEND is 'mmx'"),
                ("selftest", 3, "`ringside doctor` lists them"),
                ("build rise-4", 4, "RINGSIDE_CACHE has to name a folder"),
            )
        ),
    ],
)
def test_streams_and_settings_that_are_not_there(line: str, code: int, words: str) -> None:
    env = os.environ | {"RINGSIDE_BACKEND": "mmx" if line in ("doctor", "selftest") else ""}
    env |= {"RINGSIDE_CACHE": "/proc/none"} if line.startswith("build") else {}
    command = f"{shlex.quote(sys.executable)} -m ringside {line}"
    done = subprocess.run(["sh", "-c", command], env=env, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "fault of Ringside" not in done.stderr


def test_answers_that_are_not_there_are_told(ringside: CommandLine) -> None:
    done = ringside("figures", "list", "--only", "ringside nothing")
    assert (done.code, done.out) == (0, "")
    assert "no recorded answer is of a command with 'ringside nothing'" in done.err


def test_a_directory_is_told_where_a_file_is_read(ringside: CommandLine, keys: Path, tmp_path: Path) -> None:
    for words in (
        ["decrypt", "--keys", keys, tmp_path, tmp_path / "o.npy"],
        ["inspect", "--params", tmp_path, keys / "public.key"],
    ):
        ringside(*words).ends(4, "Is a directory")
    ringside("convert", keys, tmp_path / "copy").ends(2, "give --format")
    assert list(tmp_path.iterdir()) == []


def test_keys_for_the_parameters_of_a_server(ringside: CommandLine, keys: Path, tmp_path: Path) -> None:
    assert ringside("keygen", "--params", keys / "params.seal", "--out", tmp_path / "own").code == 0
    assert rs.KeyDirectory(tmp_path / "own").params == rs.KeyDirectory(keys).params
    np.save(tmp_path / "n.npy", np.ones(3))
    ringside("keygen", "--params", tmp_path / "n.npy", "--out", tmp_path / "other").ends(4, "is not a SEAL object")


def test_json_has_no_number_that_json_has_not(capsys: pytest.CaptureFixture[str]) -> None:
    """Python reads NaN and Infinity, other readers of JSON do not."""
    print_json({"rows": [(float("inf"), 1.5), {"nan": np.float64("nan")}], "path": Path("x")})
    assert json.loads(capsys.readouterr().out) == {"rows": [[None, 1.5], {"nan": None}], "path": "x"}


def test_context_of_a_name() -> None:
    raises(TypeError, r"Parameters\.named\('lee-14'\)", rs.Context, "lee-14")  # type: ignore[arg-type]
    raises(TypeError, "int", rs.Context, 5)  # type: ignore[arg-type]


# ---- designs -------------------------------------------------------------------------------------
def design_text() -> str:
    return (designs.FOLDER / "rise-4.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [["designs"], ["explore", "run"]])
def test_a_directory_is_no_file_of_a_design_or_space(ringside: CommandLine, tmp_path: Path, words: list[str]) -> None:
    (tmp_path / "mine.toml").mkdir()
    done = ringside(*words, tmp_path / "mine.toml")
    assert (done.code, "mine.toml: Is a directory. " in done.err.replace("\n  hint:", "")) == (3, True), done.err
    assert "Errno" not in done.err


@pytest.mark.parametrize("name", [None, 5, b"rise-4", "\0", "\ud800"])
def test_what_is_no_name_of_a_design(name: Any) -> None:
    raises(rs.ArgumentError if not isinstance(name, str) else rs.ParameterError, "design", designs.load, name)


@pytest.mark.parametrize("table", ["design", "core", "dma", "sequencer"])
def test_missing_section(tmp_path: Path, table: str) -> None:
    lines, skip = [], False
    for line in design_text().splitlines():
        if line.startswith("["):
            skip = line.strip() == f"[{table}]"
        if not skip:
            lines.append(line)
    path = written(tmp_path / "mine.toml", "\n".join(lines))
    raises(rs.ParameterError, rf"mine\.toml: the section \[{table}\] is missing", designs.load, str(path))


@pytest.mark.parametrize("name", ["", " ", "a/b", "../x", ".hidden", "x y"])
def test_design_name(tmp_path: Path, name: str) -> None:
    path = written(tmp_path / "mine.toml", design_text().replace('name = "rise-4"', f'name = "{name}"'))
    raises(rs.ParameterError, r"\[design\] name", designs.load, str(path))


def test_other_kinds_are_named(context: rs.Context, secret: rs.SecretKey, tmp_path: Path) -> None:
    """For every class that a file can be loaded as."""
    path = tmp_path / "file"
    files = {
        "a secret key": secret.save,
        "a public key": context.public_key(secret).save,
        "a ciphertext": context.encrypt([1.0], secret).save,
        "a plaintext": context.encode([1.0]).save,
    }
    classes: tuple[Any, ...] = (rs.SecretKey, rs.PublicKey, rs.Ciphertext, rs.Plaintext)
    for (name, save), own in zip(files.items(), classes, strict=True):
        save(path, overwrite=True)
        for other, wanted in zip(classes, files, strict=True):
            if other is own:
                other.load(context, path)
                continue
            raises((rs.WireError, rs.MismatchError), f"holds {name}, not {wanted}", other.load, context, path)


def test_designs_that_do_not_fit_name_a_set_that_does() -> None:
    """README's keys, lee-14, have 60-bit primes, and every design 32-bit words."""
    error = raises(rs.DeviceError, None, rs.Context, rs.Parameters.named("lee-14"), device="sim:rise-4")
    assert error.code == "RS_ERR_DESIGN_MODULUS"
    named = re.findall(r"lee-\d+", error.hint)
    assert named
    for name in named:
        assert max(rs.Parameters.named(name).moduli) < 1 << 32
    assert "--bits 8192:30,30,30" in error.hint


# ---- Ctrl-C --------------------------------------------------------------------------------------
INTERRUPTED = """
import runpy, sys
class Finder:
    def find_spec(self, name, *rest):
        if name == {module!r}:
            import os, signal, time
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
sys.meta_path.insert(0, Finder())
sys.argv[:] = {argv!r}
sys.orig_argv = ["python", "-m", "ringside"]
{start}
"""
SCRIPT = "from ringside.cli import main\nsys.exit(main())"  # as the installed command does
MODULE = "runpy.run_module('ringside', run_name='__main__', alter_sys=True)"


def heed_interrupts() -> None:
    """In the child, before it starts: a shell that puts the tests in the background has SIGINT ignored, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("module", ["numpy", "ringside.native.library", "typer", "ringside.objects.ckks.context"])
@pytest.mark.parametrize(
    ("argv", "start"), [(["/usr/bin/ringside", "params"], SCRIPT), (["-m", "params"], MODULE)], ids=["script", "module"]
)
def test_interrupted_import(module: str, argv: list[str], start: str) -> None:
    """Ctrl-C while Python imports: one line, 130."""
    code = INTERRUPTED.format(module=module, argv=argv, start=start)
    done = python(code, preexec_fn=heed_interrupts)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "ringside: Interrupted.\n")
    code = INTERRUPTED.format(module=module, argv=[*argv, "--json"], start=start)
    done = python(code, preexec_fn=heed_interrupts)
    assert done.returncode == 130
    assert json.loads(done.stdout)["error"]["code"] == "INTERRUPTED"


def test_interrupted_command(tmp_path: Path) -> None:
    """Ctrl-C while keys are made: one line, 130, nothing left behind."""
    out = tmp_path / "keys"
    command = [sys.executable, "-m", "ringside", "keygen", "--params", "lee-16", "--galois", "pow2", "--out", str(out)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    end = time.monotonic() + 1200
    while not list(tmp_path.iterdir()) and time.monotonic() < end:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    printed, told = process.communicate(timeout=1200)
    assert (process.returncode, printed, told) == (130, "", "ringside: Interrupted.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_library_user_keeps_his_own_handler() -> None:
    code = "import signal, ringside; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert python(code, check=True, preexec_fn=heed_interrupts).stdout == "True\n"
