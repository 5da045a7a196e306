# SPDX-License-Identifier: Apache-2.0
"""Secrets under hidden names go when a command is told to end, and when the next one finds what a killed one has left."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli_runner import CommandLine
from ringside.native.leftovers import held, remove_leftovers
from ringside.objects.keydir import NAMES

# the command line, which stops where keys are whole under hidden names until a signal comes
PAUSED = """
import signal, sys
from ringside.native import files
from ringside.objects import keydir
def paused(*arguments):
    print("ready", flush=True)
    signal.pause()
keydir._install = paused
files._sync_file = paused  # before files take their names
from ringside.cli import main
sys.exit(main())
"""
HEX = "0123456789ab"


@contextmanager
def paused(place: Path, *arguments: str, ignored: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A process that has written its secrets. ignored: it was started by nohup."""

    def heed() -> None:
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(each, signal.SIG_IGN if ignored and each == signal.SIGHUP else signal.SIG_DFL)

    program = place / "program" / "ringside"
    program.parent.mkdir()
    program.write_text(PAUSED, encoding="utf-8")
    command = [sys.executable, str(program), *arguments]
    process = subprocess.Popen(
        command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def secrets_in(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir() if path.name != "program")


KEYGEN = ("keygen", "--params", "lee-12", "--out", "keys")
KEM = ("kem", "keygen", "private.pem", "public.pem")


@pytest.mark.parametrize(
    ("command", "number"), [(KEYGEN, signal.SIGTERM), (KEYGEN, signal.SIGHUP), (KEM, signal.SIGTERM)]
)
def test_a_signal_leaves_no_key(command: tuple[str, ...], number: signal.Signals, tmp_path: Path) -> None:
    with paused(tmp_path, *command) as process:
        assert any(name.endswith(".new") for name in secrets_in(tmp_path))
        process.send_signal(number)
        told = process.communicate(timeout=600)[1]
    assert (process.returncode, told) == (128 + number, "ringside: Terminated.\n")
    assert secrets_in(tmp_path) == []


def test_nohup_holds(tmp_path: Path) -> None:
    with paused(tmp_path, *KEYGEN, ignored=True) as process:
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)  # the first one did nothing, or it would have said so
        process.communicate(timeout=600)
    assert process.returncode == 128 + signal.SIGTERM


def test_keys_of_a_killed_run_are_removed_and_those_of_a_living_one_stay(tmp_path: Path, ringside: CommandLine) -> None:
    command = ("keygen", "--params", "lee-12", "--out", str(tmp_path / "other"))
    with paused(tmp_path, *KEYGEN) as process:
        hidden = secrets_in(tmp_path)
        assert len(hidden) == 1
        done = ringside(*command)
        assert (done.code, "was removed" in done.err) == (0, False)
        assert secrets_in(tmp_path) == sorted([*hidden, "other"])
        process.kill()
        process.communicate(timeout=600)
    assert (tmp_path / hidden[0] / "secret.key").exists()
    ringside(*command, "--force").ends(0, f"{tmp_path / hidden[0]} was removed")
    assert secrets_in(tmp_path) == ["other"]


def test_what_is_not_its_own_is_not_removed(tmp_path: Path) -> None:
    def hidden(name: str, *files: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for file in files:
            (folder / file).write_bytes(b"")
        return folder

    left = hidden(f".keys.{HEX}.new", "secret.key", f".relin.key.{HEX}.tmp")
    stay = [
        hidden(f".empty.{HEX}.new"),  # its owner may not hold it yet
        hidden(f".more.{HEX}.new", "secret.key", "notes.txt"),
        hidden(f".old.{HEX}.old", "secret.key"),
        hidden(".keys.0123.new", "secret.key"),
        hidden("keys", "secret.key"),
        hidden(f".held.{HEX}.new", "secret.key"),
    ]
    (stay[3] / "folder").mkdir()
    (tmp_path / f".link.{HEX}.new").symlink_to(stay[4])
    (tmp_path / f".file.{HEX}.new").write_bytes(b"")
    with held(stay[5]):
        assert remove_leftovers(tmp_path, NAMES.__contains__) == [left]
    assert not left.exists()
    assert all(folder.is_dir() for folder in stay)
    assert (stay[4] / "secret.key").exists()
    assert remove_leftovers(tmp_path, NAMES.__contains__) == [stay[5]]
    assert remove_leftovers(tmp_path / "none", NAMES.__contains__) == []


# ---- standard output that is closed ---------------------------------------------------------------------------------------
CLOSED = """
import sys
from ringside.cli import main
for line in sys.argv[1:]:
    print(main(line.split()), file=sys.stderr)
"""


def test_a_closed_standard_output_is_an_error(keys: Path, tmp_path: Path, ringside: CommandLine) -> None:
    (tmp_path / "v.csv").write_text("0.5\n", encoding="utf-8")
    assert ringside("encrypt", "--keys", keys, tmp_path / "v.csv", tmp_path / "c.seal").code == 0
    assert ringside("sign", "keygen", tmp_path / "private.pem", tmp_path / "public.pem").code == 0
    lines = [
        f"encrypt --keys {keys} v.csv -", f"encrypt --keys {keys} --format tenseal v.csv -",
        f"decrypt --keys {keys} c.seal - --format csv", "convert c.seal -", "kem keygen more.pem -",
        "sign sign private.pem v.csv -", "program rise-1 --out -",
    ]  # fmt: skip
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-c", CLOSED, *lines]
    done = subprocess.run(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, check=True)
    told = done.stderr.splitlines()
    assert [line for line in told if not line.startswith(("ringside: ", "  hint: "))] == ["4"] * len(lines), told
    assert told.count("ringside: Cannot write to standard output: it is closed.") == len(lines)
    assert sorted(os.listdir(tmp_path)) == ["c.seal", "private.pem", "public.pem", "v.csv"]
