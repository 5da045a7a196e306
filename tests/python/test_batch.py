# SPDX-License-Identifier: Apache-2.0
"""Batches: the ciphertexts and values of one frame after the other, whatever the number of threads."""

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises, written
from cli_runner import CommandLine
from ringside.devices.calls import Call, Decryption, Encryption, Rows
from ringside.devices.cpu import Cpu

SEED = bytes(range(1, 65))
FRAMES = 7
KINDS: list[dict[str, Any]] = [
    {}, {"seeded": False}, {"seed_type": "blake2xb", "level": 0}, {"public": True},
    {"public": True, "special_prime": False, "scale": 2.0**20},
]  # fmt: skip


@pytest.fixture(scope="module")
def frames(context: rs.Context) -> Any:
    return np.random.default_rng(11).normal(size=(FRAMES, context.slots))


def files(ciphertexts: list[rs.Ciphertext]) -> list[bytes]:
    return [ciphertext.to_bytes(compression="none") for ciphertext in ciphertexts]


@pytest.mark.parametrize("options", KINDS)
def test_same_ciphertexts(
    context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey, frames: Any, options: dict[str, Any]
) -> None:
    options = dict(options)
    key: rs.SecretKey | rs.PublicKey = public if options.pop("public", False) else secret
    seed: Any = {"insecure_deterministic_seed": SEED}
    alone = [
        context.encrypt(frame, key, **seed, insecure_deterministic_index=index, **options)
        for index, frame in enumerate(frames)
    ]
    assert len(set(files(alone))) == FRAMES
    for threads in (1, 2, 3, 8, None):
        assert files(context.encrypt_batch(frames, key, threads=threads, **seed, **options)) == files(alone)


def test_fresh_seeds(context: rs.Context, secret: rs.SecretKey, frames: Any) -> None:
    same = np.stack([frames[0]] * FRAMES)
    made = files(context.encrypt_batch(same, secret) + context.encrypt_batch(same, secret, threads=1))
    assert len(set(made)) == 2 * FRAMES


@pytest.mark.parametrize("options", [{}, {"real": False}, {"count": 100}, {"max_abs": 10.0}, {"limbs": 1, "count": 0}])
def test_same_values(context: rs.Context, secret: rs.SecretKey, frames: Any, options: dict[str, Any]) -> None:
    options = {"real": True} | options
    ciphertexts = context.encrypt_batch(frames * (1 - 1j), secret)
    ciphertexts[2] = context.encrypt(frames[2], secret, level=0, scale=2.0**24)
    alone = np.stack([context.decrypt_values(ciphertext, secret, **options) for ciphertext in ciphertexts])
    for threads in (1, 2, 8, None):
        together = context.decrypt_batch(ciphertexts, secret, threads=threads, **options)
        assert together.dtype == alone.dtype
        assert together.shape == alone.shape
        assert together.tobytes() == alone.tobytes()
    assert np.allclose(together.real, frames[:, : together.shape[1]], atol=1e-3)


def test_any_sequence_of_arrays(context: rs.Context, secret: rs.SecretKey) -> None:
    frames: list[Any] = [
        [1, 2, 3], np.arange(12.0).reshape(3, 4), np.array([1 + 2j, -3j]), np.zeros(0),
        np.arange(40, dtype=np.int16)[::2], (0.5,),
    ]  # fmt: skip
    ciphertexts = context.encrypt_batch(iter(frames), secret, threads=2)
    values = context.decrypt_batch(iter(ciphertexts), secret, real=False, threads=2)
    assert values.shape == (len(frames), context.slots)
    for row, frame in zip(values, frames, strict=True):
        flat = np.asarray(frame).reshape(-1)
        assert np.allclose(row[: flat.size], flat, atol=1e-3)
        assert np.allclose(row[flat.size :], 0, atol=1e-3)


class Parts(Cpu):
    """The processor, which notes how many frames it gets at a time."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def compute(self, call: Call) -> None:
        if isinstance(call, Encryption | Decryption) and isinstance(call.messages, Rows):
            self.sizes.append(len(call.ciphertexts))
        super().compute(call)


def test_progress_changes_nothing(context: rs.Context, secret: rs.SecretKey) -> None:
    parts = Parts()
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))

    frames = np.random.default_rng(5).normal(size=(37, 9))
    options: dict[str, Any] = {"threads": 2, "insecure_deterministic_seed": bytes(64)}
    plain = context.encrypt_batch(frames, secret, **options)
    part = context.on(parts)
    same = part.encrypt_batch(frames, secret, progress=progress, **options)
    assert [one.to_bytes() for one in same] == [one.to_bytes() for one in plain]
    values = part.decrypt_batch(plain, secret, 9, threads=2, progress=progress)
    assert np.array_equal(values, context.decrypt_batch(plain, secret, 9))
    assert told == [(16, 37), (32, 37), (37, 37)] * 2
    assert parts.sizes == [16, 16, 5] * 2
    parts.sizes.clear()
    part.encrypt_batch(frames, secret)
    assert parts.sizes == [37]
    told.clear()
    flooded = context.decrypt_batch(plain[:2], secret, 9, progress=progress, publish_bits=4, flood_bits=8)
    assert np.allclose(flooded, frames[:2], atol=0.1)
    assert told == [(1, 2), (2, 2)]
    frames[34, 1] = np.nan
    with pytest.raises(rs.InputError, match=r"Frame 34: .*value 1 is nan") as error:
        context.encrypt_batch(frames, secret, progress=progress)
    assert error.value.frame == 34
    raises(KeyboardInterrupt, None, context.decrypt_batch, plain, secret, progress=interrupt)


def interrupt(done: int, total: int) -> None:
    raise KeyboardInterrupt


def test_no_frames(context: rs.Context, secret: rs.SecretKey, public: rs.PublicKey) -> None:
    assert context.encrypt_batch([], secret) == []
    assert context.encrypt_batch(np.zeros((0, 5)), public) == []
    assert context.decrypt_batch([], secret, 3).shape == (0, 3)


def test_frames_that_cannot_be_encrypted(context: rs.Context, secret: rs.SecretKey, frames: Any) -> None:
    bad = frames.copy()
    bad[4, 17] = np.nan
    bad[6, 0] = np.inf
    for threads in (1, 3):
        with pytest.raises(rs.InputError, match=r"Frame 4: .*value 17 is nan") as caught:
            context.encrypt_batch(bad, secret, threads=threads)
        assert caught.value.code == "RS_ERR_NOT_FINITE"
        assert caught.value.frame == 4
    bad[2, 5] = 1e30
    raises(rs.InputError, r"Frame 2: .*1e\+30", context.encrypt_batch, bad, secret)
    raises(rs.InputError, r"Frame 1: .*2049 values", context.encrypt_batch, [frames[0], np.zeros(2049)], secret)
    raises(rs.InputError, r"Frame 1: .*not text", context.encrypt_batch, [frames[0], ["a"]], secret)
    raises(rs.InputError, "Frame 0 is a single value", context.encrypt_batch, frames[0], secret)
    assert raises(rs.InputError, "levels 0 to 1", context.encrypt_batch, frames, secret, level=2).frame is None


def test_ciphertexts_that_cannot_be_decrypted(context: rs.Context, secret: rs.SecretKey, frames: Any) -> None:
    ciphertexts = context.encrypt_batch(frames, secret)
    with context.keygen() as another:
        ciphertexts[3] = context.encrypt(frames[3], another)
    assert raises(rs.SecretKeyError, r"Frame 3: .*noise", context.decrypt_batch, ciphertexts, secret).frame == 3
    elsewhere = rs.Context(rs.Parameters.from_bits(4096, [36, 36, 37], security=128))
    with elsewhere.keygen() as key:
        ciphertexts[2] = elsewhere.encrypt([1.0], key)
        raises(rs.MismatchError, "Frame 2: ", context.decrypt_batch, ciphertexts, secret)
        raises(rs.MismatchError, None, context.decrypt_batch, ciphertexts[:2], key)
        raises(rs.MismatchError, None, context.encrypt_batch, frames, key)
    ciphertexts[1] = context.encrypt(frames[1], secret, level=0)
    raises(rs.InputError, r"Frame 1: .*2 limbs", context.decrypt_batch, ciphertexts, secret, limbs=2)
    raises(rs.InputError, "2049", context.decrypt_batch, ciphertexts, secret, 2049)
    raises(TypeError, "Ciphertext", context.decrypt_batch, [frames[0]], secret)
    closed = context.keygen()
    closed.close()
    raises(rs.SecretKeyError, "closed", context.encrypt_batch, frames, closed)


@pytest.mark.parametrize("threads", [0, -1, 257])
def test_bad_threads(context: rs.Context, secret: rs.SecretKey, frames: Any, threads: int) -> None:
    caught = raises(rs.InputError, f"{threads} threads", context.encrypt_batch, frames, secret, threads=threads)
    assert caught.code == "RS_ERR_THREADS"
    raises(rs.InputError, f"{threads} threads", context.decrypt_batch, [], secret, threads=threads)


def test_python_goes_on_meanwhile(context: rs.Context, secret: rs.SecretKey, frames: Any) -> None:
    """The interpreter's lock is released: another thread goes on while a batch is computed."""
    many = np.tile(frames, (100, 1))
    # where other programs have all processors, this thread may have to wait; if the batch kept the lock, it would wait every time
    shares = (longest_pause(lambda: context.encrypt_batch(many, secret, threads=1)) for _ in range(10))
    assert any(share < 0.5 for share in shares)
    assert longest_pause(lambda: pow(3, 1 << 20)) > 0.5  # the control: one operation of the interpreter keeps it


def longest_pause(work: Callable[[], object]) -> float:
    """While another thread works: its share of the work between two moments of this thread, in processor time."""
    done, measured = threading.Event(), threading.Event()

    def run() -> None:
        work()
        done.set()
        measured.wait()

    worker = threading.Thread(target=run)
    worker.start()
    assert worker.ident is not None
    clock = time.pthread_getcpuclockid(worker.ident)
    longest = before = 0.0
    while not done.is_set():
        time.sleep(0.001)
        now = time.clock_gettime(clock)
        longest, before = max(longest, now - before), now
    measured.set()
    worker.join()
    return longest / before


# ---- command line --------------------------------------------------------------------------------
@pytest.fixture
def days(tmp_path: Path) -> list[Path]:
    """20 files: more than the command holds in memory at a time."""
    paths = [tmp_path / f"day-{number:02d}.npy" for number in range(20)]
    for number, path in enumerate(paths):
        np.save(path, np.full(5 + number, float(number)))
    return paths


def test_many_files(tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path]) -> None:
    folder, out = tmp_path / "deep" / "uploads", tmp_path / "out.npy"
    done = ringside("encrypt", "--keys", keys, *days, folder, "--threads", 2, "--json").ends(0)
    sealed = [folder / f"{day.stem}.seal" for day in days]
    assert [item["path"] for item in done.json["files"]] == [str(path) for path in sealed]
    assert [item["values"] for item in done.json["files"]] == [5 + number for number in range(20)]
    assert [item["bytes"] for item in done.json["files"]] == [path.stat().st_size for path in sealed]
    assert sorted(folder.iterdir()) == sealed
    ringside("decrypt", "--keys", keys, *sealed, out, "--threads", 3).ends(0)
    values = np.load(out).reshape(20, -1)
    for number, row in enumerate(values):
        assert np.allclose(row[: 5 + number], number, atol=0.01)
        assert np.allclose(row[5 + number :], 0, atol=0.01)


def test_many_files_are_split(tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path]) -> None:
    np.save(days[1], np.ones(3000))
    folder = tmp_path / "uploads"
    assert ringside("encrypt", "--keys", keys, *days[:2], folder).code == 3
    assert ringside("encrypt", "--keys", keys, *days[:2], folder, "--split").code == 0
    assert {path.name for path in folder.iterdir()} == {"day-00-0.seal", "day-01-0.seal", "day-01-1.seal"}
    # again, with fewer values: the last part of before is named, and left
    np.save(days[1], np.ones(2000))
    done = ringside("encrypt", "--keys", keys, *days[:2], folder, "--split")
    assert (done.code, done.err.count("of an earlier run")) == (0, 1)
    assert f"warning: {folder / 'day-01-1.seal'} is of an earlier run" in done.err


def test_parts_in_the_order_of_a_shell_are_told_of(tmp_path: Path, ringside: CommandLine, keys: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones(4))
    parts = [tmp_path / f"x-{number}.seal" for number in (0, 1, 10, 2)]
    ringside("encrypt", "--keys", keys, tmp_path / "x.npy", parts[0])
    for part in parts[1:]:
        shutil.copy(parts[0], part)
    done = ringside("decrypt", "--keys", keys, *parts, tmp_path / "out.npy")
    assert (done.code, f"warning: {parts[2]} stands before {parts[3]}: " in done.err) == (0, True)
    parts.sort(key=lambda part: int(part.stem[2:]))
    done = ringside("decrypt", "--keys", keys, *parts, tmp_path / "out.npy")
    assert (done.code, "stands before" in done.err) == (0, False)


def test_all_files_or_none(tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path]) -> None:
    folder = tmp_path / "uploads"
    np.save(days[18], np.array([1.0, 1e300]))  # in the second batch
    done = ringside("encrypt", "--keys", keys, *days, folder).ends(3, "day-18.npy: ", "values up to 1e+300")
    assert "Frame" not in done.err
    assert not folder.exists()


def test_many_files_are_one_line(tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path]) -> None:
    encrypt = ("encrypt", "--keys", keys, *days, tmp_path / "uploads")
    lines = ringside(*encrypt).out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(f"{len(days)} files, ")
    lines = ringside(*encrypt, "--verbose").out.splitlines()
    assert len(lines) == 2 + len(days)
    assert all(any(f"{day.stem}.seal" in line for line in lines) for day in days)
    assert len(ringside(*encrypt, "--json").json["files"]) == len(days)
    assert "1 files" not in ringside("encrypt", "--keys", keys, days[0], tmp_path / "one.seal").out


def test_bad_many_files(tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path]) -> None:
    encrypt = ("encrypt", "--keys", keys)
    assert ringside(*encrypt, days[0]).code == 2
    ringside(*encrypt, *days[:3]).ends(2, "not a directory")
    other = tmp_path / "other"
    other.mkdir()
    twin = written(other / days[0].name, days[0].read_bytes())
    ringside(*encrypt, days[0], twin, tmp_path / "uploads").ends(2, "day-00.seal")
    for threads in ("0", "257", "x"):
        assert ringside(*encrypt, *days, tmp_path / "uploads", "--threads", threads).code == 2
    assert not (tmp_path / "uploads").exists()


def test_the_ciphertext_at_fault_is_named(tmp_path: Path, ringside: CommandLine, keys: Path, days: list[Path]) -> None:
    other, folder = tmp_path / "other", tmp_path / "uploads"
    assert ringside("keygen", "--params", "lee-12", "--out", other).code == 0
    assert ringside("encrypt", "--keys", keys, *days, folder).code == 0
    assert ringside("encrypt", "--keys", other, days[17], folder / "day-17.seal").code == 0
    ringside("decrypt", "--keys", keys, *sorted(folder.iterdir()), tmp_path / "out.npy").ends(5, "day-17.seal: ")
    assert not (tmp_path / "out.npy").exists()


# ---- accelerator ---------------------------------------------------------------------------------
@pytest.mark.soak
def test_on_an_accelerator() -> None:
    params = rs.Parameters.from_bits(2048, [30, 30, 30], security=0)
    processor, hardware = rs.Context(params), rs.Context(params, device="sim:rise-4")
    frames = np.random.default_rng(3).normal(size=(3, processor.slots))
    with processor.keygen() as key, hardware.keygen() as own:
        options: dict[str, Any] = {"scale": 2.0**20, "insecure_deterministic_seed": SEED}
        want = processor.encrypt_batch(frames, key, **options)
        got = hardware.encrypt_batch(frames, key, **options)
        assert files(got) == files(want)
        values = hardware.decrypt_batch(got, key, 9, max_abs=10)
        assert np.array_equal(values, processor.decrypt_batch(want, key, 9, max_abs=10))
        told: list[tuple[int, int]] = []
        hardware.encrypt_batch(frames[:2], key, scale=2.0**20, progress=lambda done, total: told.append((done, total)))
        assert told == [(1, 2), (2, 2)]
        assert hardware.accelerator is not None
        assert [run.op for run in hardware.accelerator.runs] == ["encrypt-sk"] * 3 + ["decrypt"] * 3 + [
            "encrypt-sk"
        ] * 2
        raises(rs.SecretKeyError, "Frame 0: ", hardware.decrypt_batch, got, own)
        frames[1, 3] = np.nan
        raises(rs.InputError, "Frame 1: ", hardware.encrypt_batch, frames, key)
