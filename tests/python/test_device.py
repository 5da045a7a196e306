# SPDX-License-Identifier: Apache-2.0
"""The simulated device: the same bits as the processor, errors, and what the commands say about it."""

import gc
import weakref
import xml.etree.ElementTree as ET
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import ringside as rs
from asserting import raises, some
from cli_runner import CommandLine
from ringside import designs
from ringside.cycles import operation
from ringside.demo.client import Camera, Clock
from ringside.devices.calls import Decryption, Transform
from ringside.devices.device import RUNS_MAX, summary
from ringside.devices.simulated import SimulatedDevice, open_simulated
from ringside.native.library import ffi, lib, words_of
from ringside.sim.asm import assemble, disassemble
from ringside.sim.options import Simulated, parse_simulated
from ringside.sim.program import native_design

SEED = bytes(range(64))
TWO_GROUPS = """
[design]
name = "two-groups"
source = "test"
[core]
lanes = 4
word_bits = 32
log_n_max = 11
bank_groups = 2
contexts = 2
twiddles = "stored"
[sampler]
slots = 2
lanes = 4
keccak_cores = 2
ternary_bytes = 1
[expand]
present = true
[dma]
bus_bits = 128
outstanding = 16
[sequencer]
program_depth = 256
"""
# tests/device has its model; memories of another size would be another model
MODELS = Path(__file__).resolve().parents[1] / "device" / "designs"
LANES4 = MODELS / "lanes4-w32.toml"
PARAMS = rs.Parameters.from_bits(1024, [30, 30, 30], security=0)  # two data limbs and a special prime
PROCESSOR = rs.Context(PARAMS)
FILES = {"two-groups": TWO_GROUPS, "five-groups": LANES4.read_text(encoding="utf-8")}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("designs")
    for name, text in FILES.items():
        (path / f"{name}.toml").write_text(text)
    return path


@pytest.fixture(scope="session", params=[pytest.param("two-groups", marks=pytest.mark.soak), "five-groups"])
def device(request: pytest.FixtureRequest, folder: Path) -> str:
    """Memory that answers late and pauses, and the RTL's assertions."""
    return f"sim:{folder / request.param}.toml,latency=30,stall=40,checked"


@pytest.fixture(scope="session")
def simulated(device: str) -> Iterator[rs.Context]:
    context = rs.Context(PARAMS, device=device)
    yield context
    some(context.accelerator).close()


@pytest.fixture(scope="session")
def secret() -> Iterator[rs.SecretKey]:
    with PROCESSOR.keygen(insecure_deterministic_seed=SEED) as key:
        yield key


@pytest.fixture(scope="session")
def public(secret: rs.SecretKey) -> rs.PublicKey:
    return PROCESSOR.public_key(secret, insecure_deterministic_seed=SEED)


VALUES = np.linspace(-1, 1, 512)


def test_registers_say_what_the_design_file_says(simulated: rs.Context, device: str) -> None:
    found = some(simulated.accelerator).design
    wanted = native_design(parse_simulated(device.removeprefix("sim:")).design)
    names = [name for name, _ in ffi.typeof("rs_design_t").fields]
    assert {name: getattr(found, name) for name in names} == {name: getattr(wanted, name) for name in names}


# ---- the same bits ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("kind", ["secret", "secret, blake2xb", "secret, full", "public", "direct"])
def test_ciphertexts_are_the_processors(
    simulated: rs.Context, secret: rs.SecretKey, public: rs.PublicKey, kind: str, level: int
) -> None:
    def encrypt(context: rs.Context) -> rs.Ciphertext:
        return context.encrypt(
            VALUES,
            public if kind in ("public", "direct") else secret,
            scale=2**20,
            level=level,
            special_prime=kind != "direct",
            seeded=False if kind == "secret, full" else None,
            seed_type="blake2xb" if "blake2xb" in kind else "shake256",
            insecure_deterministic_seed=SEED,
        )

    wanted = encrypt(PROCESSOR)
    got = encrypt(simulated)
    assert np.array_equal(got.data, wanted.data)
    assert got.to_bytes() == wanted.to_bytes()
    run = some(simulated.accelerator).runs[-1]
    assert run.limbs == level + 1
    # no unit can be busier than the program is long, and the lanes have most to do, or the bus where it brings the random polynomial
    busiest = max(run.busy, key=lambda unit: run.busy[unit])
    assert 0 < run.busy[busiest] < run.cycles
    assert busiest == "COMPUTE" or (busiest, kind) == ("LOAD", "secret, blake2xb")


@pytest.mark.parametrize("limbs", [1, 2])
@pytest.mark.parametrize("seeded", [True, False])
def test_plaintexts_are_the_processors(simulated: rs.Context, secret: rs.SecretKey, seeded: bool, limbs: int) -> None:
    ciphertext = PROCESSOR.encrypt(VALUES, secret, scale=2**20, seeded=seeded)
    wanted = PROCESSOR.decrypt(ciphertext, secret, limbs=limbs)
    got = simulated.decrypt(ciphertext, secret, limbs=limbs)
    assert np.array_equal(got.data, wanted.data)
    assert np.allclose(simulated.decrypt_values(ciphertext, secret), VALUES, atol=1e-3)


def test_keys_and_contexts_take_turns(simulated: rs.Context, secret: rs.SecretKey) -> None:
    with PROCESSOR.keygen() as other:
        for key in (secret, other, secret):
            ciphertext = simulated.encrypt(VALUES, key, scale=2**20)
            assert np.allclose(PROCESSOR.decrypt_values(ciphertext, key), VALUES, atol=1e-3)
    raises(rs.SecretKeyError, "closed", simulated.encrypt, VALUES, other)


# ---- errors ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("n", "bits", "code"),
    [
        (4096, [30, 30], "RS_ERR_DESIGN_DEGREE"),
        (512, [30, 30], "RS_ERR_DESIGN_DEGREE"),
        (1024, [30, 40], "RS_ERR_DESIGN_MODULUS"),
    ],
)
def test_parameters_that_the_design_cannot_do(folder: Path, n: int, bits: list[int], code: str) -> None:
    with pytest.raises(rs.DeviceError, match="two-groups has N = 1024 to 2048 and 32-bit words") as caught:
        rs.Context(rs.Parameters.from_bits(n, bits, security=0), device=f"sim:{folder}/two-groups.toml")
    assert caught.value.code == code
    assert caught.value.hint


def test_keys_of_the_readme_on_a_design_name_sets_that_work(tmp_path: Path, ringside: CommandLine) -> None:
    """lee-14 has primes of 60 bits; the sets that the message names can be used."""
    np.save(tmp_path / "in.npy", np.zeros(4))
    keys = tmp_path / "keys"
    assert ringside("keygen", "--params", "lee-14", "--out", keys).code == 0
    done = ringside(
        "encrypt", "--keys", keys, "--device", "sim:rise-4", tmp_path / "in.npy", tmp_path / "out.seal"
    ).ends(3)
    for name in ("lee-12", "lee-13"):
        assert name in done.err
        rs.Context(rs.Parameters.named(name), device="sim:rise-4")
    assert "--bits 8192:30,30,30" in done.err


@pytest.fixture
def own(folder: Path) -> Iterator[SimulatedDevice]:
    device = open_simulated(parse_simulated(f"{folder}/two-groups.toml,checked"), PARAMS._native)
    yield device
    device.close()


@pytest.mark.parametrize(("start", "instruction"), [(0, "CONTEXT|LOAD|STREAM"), (1 << 14, "STREAM|LOAD|STORE|CONTEXT")])
def test_errors_of_the_memory_are_reported(
    own: SimulatedDevice, secret: rs.SecretKey, start: int, instruction: str
) -> None:
    own.load_context(PROCESSOR._handle)
    simulated = PROCESSOR.on(own)
    own.core.set_error(own.core.memory_address + start, own.core.memory.size - start)
    with pytest.raises(rs.DeviceError, match=rf"sim:two-groups, instruction \d+: ({instruction}) ") as caught:
        simulated.encrypt(VALUES, secret, scale=2**20)
    assert caught.value.code == "RS_ERR_DEVICE_BUS"
    own.core.set_error(0, 0)
    ciphertext = simulated.encrypt(VALUES, secret, scale=2**20)  # the core has recovered
    assert np.allclose(PROCESSOR.decrypt_values(ciphertext, secret), VALUES, atol=1e-3)


@pytest.mark.parametrize(
    ("program", "fault", "pc"),
    [
        ("LIFT g0 s0 ctx0\nEND", "EMPTY", 0),
        ("SAMPLE s1 1\nNTT g2 ctx0\nEND", "RANGE", 1),
        ("SAMPLE s0 1\nCONTEXT ctx0 [p5 + 0x0]\nEND", "ALIGN", 1),
        ("SAMPLE s0 1\nCONTEXT ctx0 [p0 + 0x0]\nLIFT g0 s0 ctx0\nNTT g0 ctx0\nSTORE g0 [p1 + 0x0]\nEND", "SECRET", 4),
        (".word 0x3f\nEND", "ILLEGAL", 0),
        ("SAMPLE s0 1", "PROGRAM", 1),
        ("SAMPLE s0 1\nCONTEXT ctx0 [p0 + 0x0]\nEND", "NONE", 2),
    ],
)
def test_programs_of_ones_own(own: SimulatedDevice, program: str, fault: str, pc: int) -> None:
    """Through the registers, without the driver; the memory holds no key and the secret never leaves."""
    own.load_context(PROCESSOR._handle)
    core = own.core
    image = ffi.new("uint8_t[]", int(lib.rs_design_context_bytes(ffi.addressof(own.design), 10)))
    lib.rs_device_image_context(ffi.addressof(own.design), PROCESSOR._pointer, 0, 0, image)
    core.memory[: len(image)] = np.frombuffer(ffi.buffer(image), np.uint8)
    before = core.memory.copy()
    core.write(lib.RS_REG_LOG_N, 10)
    for pointer in range(2):
        address = core.memory_address + pointer * len(image)
        core.write(lib.RS_REG_POINTER + 8 * pointer, address & 0xFFFFFFFF)
        core.write(lib.RS_REG_POINTER + 8 * pointer + 4, address >> 32)
    core.write(lib.RS_REG_PROGRAM_INDEX, 0)
    for word in assemble(program):
        core.write(lib.RS_REG_PROGRAM_LO, word & 0xFFFFFFFF)
        core.write(lib.RS_REG_PROGRAM_HI, word >> 32)
    core.write(lib.RS_REG_CONTROL, 1 << lib.RS_REG_CONTROL_START_SHIFT | 1 << lib.RS_REG_CONTROL_IRQ_ENABLE_SHIFT)
    core.wait()
    status = core.read(lib.RS_REG_STATUS)
    assert status >> lib.RS_REG_STATUS_CAUSE_SHIFT & 15 == getattr(lib, f"RS_FAULT_{fault}")
    assert status >> lib.RS_REG_STATUS_PC_SHIFT == pc
    assert np.array_equal(core.memory, before)


def test_too_little_memory(folder: Path) -> None:
    params = rs.Parameters.from_bits(2048, [30] * 40, security=0)
    context = rs.Context(params, device=f"sim:{folder}/two-groups.toml,memory=1,checked")
    with context.keygen() as secret:
        error = raises(rs.DeviceError, None, context.encrypt, VALUES, secret)
    assert error.code == "RS_ERR_DEVICE_MEMORY"
    assert "memory=MiB" in error.hint


def test_memory_is_wiped_of_the_key(own: SimulatedDevice, secret: rs.SecretKey) -> None:
    PROCESSOR.on(own).encrypt(VALUES, secret, scale=2**20)
    image = image_of(own, PROCESSOR, secret)
    place = own.core.memory.tobytes().index(image)
    key = slice(place, place + 2 * len(image))
    assert np.count_nonzero(own.core.memory[key]) > PROCESSOR.n
    own.close()
    assert not own.core.memory[key].any()


def image_of(device: SimulatedDevice, context: rs.Context, key: rs.SecretKey) -> bytes:
    """The first limb of the key as the device's memory holds it, from the library's description of the format."""
    size = int(lib.rs_design_poly_bytes(ffi.addressof(device.design), context.params.log_n))
    image = ffi.new("uint8_t[]", size)
    with key._borrow() as native:
        plan = lib.rs_context_plan(context._pointer, 0)
        lib.rs_image_write(ffi.addressof(device.design), plan, image, native.ntt, 1)
    return bytes(ffi.buffer(image))


def used_by(device: SimulatedDevice) -> int:
    """Bytes of its memory that what is loaded takes."""
    left = ffi.new("size_t *")
    lib.rs_device_memory(device._device, left, ffi.NULL)
    return device.core.memory.size - int(left[0])


@pytest.mark.parametrize("end", ["close", "garbage", "another key is closed"])
@pytest.mark.parametrize("public_first", [False, True])
def test_a_closed_key_is_wiped_on_the_device(own: SimulatedDevice, end: str, public_first: bool) -> None:
    context = rs.Context(PARAMS).on(own)
    key = context.keygen()
    image = image_of(own, context, key)
    public = context.public_key(key)
    if public_first:
        context.encrypt(VALUES, public, scale=2**20, special_prime=False)
    ciphertext = context.encrypt(VALUES, key, scale=2**20)
    assert image in own.core.memory.tobytes()
    if end == "close":
        key.close()
    elif end == "garbage":
        del key
        gc.collect()
    else:
        context.keygen().close()
        assert image in own.core.memory.tobytes()  # still in use
        assert np.allclose(context.decrypt_values(ciphertext, key), VALUES, atol=1e-3)
        key.close()
    assert image not in own.core.memory.tobytes()
    # the device goes on: with the public key that it holds, and with another secret key in the same place
    used = used_by(own)
    with context.keygen() as other:
        encrypted = context.encrypt(VALUES, other, scale=2**20)
        assert np.allclose(context.decrypt_values(encrypted, other), VALUES, atol=1e-3)
        assert used_by(own) == used
        context.encrypt(VALUES, public, scale=2**20, special_prime=False)


def test_a_refused_context_does_not_hide_the_key(own: SimulatedDevice) -> None:
    """The device keeps what it had, so the image of the key that it holds still goes with the key."""
    context = rs.Context(PARAMS).on(own)
    wide = rs.Context(rs.Parameters.from_bits(1024, [40, 40], security=0)).on(own)
    with wide.keygen() as other, context.keygen() as key:
        context.encrypt(VALUES, key, scale=2**20)
        image = image_of(own, context, key)
        assert raises(rs.DeviceError, None, wide.encrypt, VALUES, other, scale=2**20).code == "RS_ERR_DESIGN_MODULUS"
        assert image in own.core.memory.tobytes()
        key.close()
        assert image not in own.core.memory.tobytes()


class Breakable:
    """The device's bus. While `broken` is set the core answers nothing, as one that has hung."""

    def __init__(self, device: SimulatedDevice) -> None:
        self.broken = False
        self.refused = 0
        write = device._bus.write

        def through(state: Any, offset: int, value: int) -> int:
            self.refused += self.broken
            return int(lib.RS_ERR_DEVICE_BUSY if self.broken else write(state, offset, value))

        self._write = ffi.callback("rs_status_t(void *, uint32_t, uint32_t)", through)
        device._bus.write = self._write
        weakref.finalize(device, lambda kept: None, self._write)  # the device calls it as long as it is there
        opened = ffi.new("rs_device_t **")
        assert lib.rs_device_open(opened, (device._memory, ffi.sizeof(device._memory)), device._bus) == lib.RS_OK


@pytest.mark.parametrize("end", ["close", "garbage"])
def test_a_failed_wipe_is_told_and_tried_again(own: SimulatedDevice, end: str) -> None:
    """Once it was lost: nobody learned that the core might hold a key, and nobody tried again."""
    plain = rs.Context(PARAMS)
    context, bus = plain.on(own), Breakable(own)
    key = plain.keygen()
    ciphertext = plain.encrypt(VALUES, key, scale=2**20)
    context.encrypt(VALUES, key, scale=2**20)
    bus.broken = True
    if end == "close":
        assert raises(rs.DeviceError, None, key.close).code == "RS_ERR_DEVICE_UNWIPED"
        assert key.closed
    else:
        del key
        gc.collect()  # an exception in here would be nobody's
    with plain.keygen() as other:
        for _ in range(2):
            before = bus.refused
            error = raises(rs.DeviceError, "may still hold secrets", context.decrypt, ciphertext, other)
            assert error.code == "RS_ERR_DEVICE_UNWIPED"
            assert bus.refused > before  # tried again
        raises(rs.DeviceError, "may still hold secrets", own.close)
        bus.broken = False
        encrypted = context.encrypt(VALUES, other, scale=2**20)
        assert np.allclose(context.decrypt_values(encrypted, other), VALUES, atol=1e-3)
    own.close()
    own.close()


def test_every_copy_of_a_key_is_wiped_if_one_fails() -> None:
    class Copy:
        forgotten = 0

        def forget(self, key: object) -> None:
            self.forgotten += 1
            raise rs.DeviceError("RS_ERR_DEVICE_UNWIPED", "no")

    key, copies = PROCESSOR.keygen(), [Copy(), Copy()]
    for copy in copies:
        key._handle.copied_to(copy)
    raises(rs.DeviceError, None, key.close)
    assert [copy.forgotten for copy in copies] == [1, 1]


@pytest.mark.parametrize(
    ("code", "tries"), [("RS_ERR_DEVICE_STALL", 0), ("RS_ERR_DEVICE_WATCHDOG", 0), ("RS_ERR_DEVICE_RESIDUE", 3)]
)
def test_faults_of_the_device_are_not_tried_again_as_a_frames(
    own: SimulatedDevice, monkeypatch: pytest.MonkeyPatch, code: str, tries: int
) -> None:
    """A batch on a bus that hangs was started once more, frame by frame, and reported as the fault of a frame."""
    calls = []

    def counted(call: Decryption, plaintexts: Sequence[Any]) -> None:
        if len(plaintexts) > 1:
            raise rs.DeviceError(code, "It failed.")
        calls.append(call)
        decrypt(call, plaintexts)

    decrypt = own._decrypt
    monkeypatch.setattr(SimulatedDevice, "streams", True)
    monkeypatch.setattr(own, "_decrypt", counted)
    with PROCESSOR.keygen() as key:
        given = PROCESSOR.encrypt_batch([VALUES] * 3, key, scale=2**20, seeded=False)
        if tries:
            PROCESSOR.on(own).decrypt_batch(given, key)
        else:
            error = raises(rs.DeviceError, None, PROCESSOR.on(own).decrypt_batch, given, key)
            assert (error.code, error.frame, error.message) == (code, None, "It failed.")
    assert len(calls) == tries


def test_a_dead_bus_is_no_frames_fault(own: SimulatedDevice) -> None:
    bus, context = Breakable(own), PROCESSOR.on(own)
    with PROCESSOR.keygen() as key:
        given = PROCESSOR.encrypt_batch([VALUES] * 3, key, scale=2**20)
        for call in (
            lambda: context.decrypt_batch(given, key),
            lambda: context.encrypt_batch([VALUES] * 3, key, scale=2**20),
        ):
            bus.broken = True
            error = raises(rs.DeviceError, None, call)
            assert error.frame is None
            assert "Frame" not in error.message
            bus.broken = False
        given[1].data[0, 0, 0] = context.params.moduli[0]  # no residue: that is frame 1's
        raises(rs.RingsideError, r"^Frame 1: ", context.decrypt_batch, given, key)


def test_runs_do_not_grow_without_limit(own: SimulatedDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    words = np.zeros(PROCESSOR.n, np.uint64)
    assert own.runs.maxlen == RUNS_MAX
    monkeypatch.setattr(own, "runs", deque(maxlen=2))
    for _ in range(3):
        own.run(Transform(PROCESSOR._handle, 0, words_of(words), inverse=False))
    assert len(own.runs) == 2
    total = own.totals["ntt"]
    assert total.operations == 3
    assert total.cycles > sum(run.cycles for run in own.runs)
    facts = summary(own.name, own.totals.values(), 500)
    assert facts["operations"] == 3
    assert facts["cycles"] == total.cycles


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gpu:", "no device 'gpu:'"),
        ("sim:", "no design ''"),
        ("sim:rise-64", "no design 'rise-64'"),
        ("sim:rise-4,speed=9", "no option 'speed=9'"),
        ("sim:rise-4,latency", "no option 'latency'"),
        ("sim:rise-4,latency=0", "latency must be 1 to"),
        ("sim:rise-4,stall=256", "stall must be 0 to 255"),
        ("sim:rise-4,bandwidth=x", "bandwidth must be"),
    ],
)
def test_names_of_devices(name: str, words: str) -> None:
    with pytest.raises(rs.DeviceError, match=words):
        rs.Context(rs.Parameters.named("lee-12"), device=name)


# ---- commands --------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "keys"
    rs.make_keys(PARAMS, path)
    return path


def test_encrypt_and_decrypt_on_a_device(ringside: CommandLine, folder: Path, keys: Path, tmp_path: Path) -> None:
    device = f"sim:{folder}/two-groups.toml,checked"
    np.save(tmp_path / "in.npy", VALUES)
    options = ["--keys", keys, "--device", device]
    done = ringside("encrypt", *options, "--scale", "2^20", "--json", tmp_path / "in.npy", tmp_path / "c.seal").ends(0)
    facts = done.json["device"]
    assert facts["device"] == "sim:two-groups"
    assert facts["operations"] == 1
    assert facts["clock_mhz"] == 500
    assert facts["seconds"] == pytest.approx(facts["cycles"] / 500e6)
    assert set(facts["stages"]) == {"sampling", "lifting", "compute", "memory_read", "memory_write", "idle", "overlap"}
    assert all(0 < cycles < facts["cycles"] for cycles in facts["stages"].values())
    ringside(
        "decrypt", *options, "--clock", "250", tmp_path / "c.seal", tmp_path / "out.npy", "--truth", tmp_path / "in.npy"
    ).ends(0).shows("at 250 MHz")
    assert np.allclose(np.load(tmp_path / "out.npy"), VALUES, atol=1e-3)


def test_keys_are_made_by_the_processor(ringside: CommandLine, folder: Path, tmp_path: Path) -> None:
    device = f"sim:{folder}/two-groups.toml"
    ringside("keygen", "--bits", "1024:27", "--out", tmp_path / "k", "--device", device).ends(
        0, "keys are made on this machine's processor"
    )


MEASURED = {
    "design", "lanes", "op", "params", "n", "limbs", "moduli", "instructions", "cycles", "bound", "bound_by", "ratio", "chain", "transforms",
    "passes", "fixed_transforms", "frames", "cycles_per_frame", "batch_cycles", "read_beats", "write_beats", "keccak_permutations", "idle", "overlap", "units", "clock_mhz", "seconds",
}  # fmt: skip


@pytest.mark.parametrize(
    ("op", "limbs", "transforms", "passes"),
    [
        ("ntt", 1, 1, 0),
        ("intt", 1, 1, 0),
        ("encrypt-pk-direct", 2, 8, 8),
        ("encrypt-sk", 2, 2, 4),
        ("switch-key", 1, 2, 5),
        ("decrypt", 2, 0, 4),
    ],
)
def test_cycles_are_measured_and_explained(
    ringside: CommandLine, folder: Path, op: str, limbs: int, transforms: int, passes: int
) -> None:
    n, lanes, log_n = 1024, 4, 10
    arguments = ["--op", op, "--n", n, "--limbs", limbs, "--json"]
    found = ringside("cycles", f"{folder}/two-groups.toml,checked", *arguments).ends(0).json
    assert set(found) == MEASURED
    assert (found["transforms"], found["passes"]) == (transforms, passes)
    compute = found["units"]["COMPUTE"]
    assert compute["bound"] == transforms * n // 2 * log_n // lanes + passes * n // lanes
    assert compute["bound"] == compute["active"] <= compute["busy"]
    # a transform and a pass are pipelines: some thirty cycles each until they are empty
    assert compute["busy"] - compute["bound"] <= 40 * (transforms + passes)
    assert found["bound"] == max(unit["bound"] for unit in found["units"].values()) < found["cycles"]
    assert found["ratio"] == pytest.approx(found["cycles"] / found["bound"])
    # two groups: encryption by a public key is one chain, with a fill of 4 words per cycle before every transform; its ends are more
    if op == "encrypt-pk-direct":
        assert 0 < found["chain"] - compute["bound"] - transforms * n // 4 < n
    assert compute["bound"] / limbs <= found["chain"] < found["cycles"]
    assert found["bound_by"] == ("memory bus" if op == "decrypt" else "arithmetic")
    for unit in found["units"].values():
        assert unit["utilisation"] == pytest.approx(unit["busy"] / found["cycles"])
        assert unit["busy"] <= found["cycles"]
    polys = {"encrypt-pk-direct": 2 * limbs, "switch-key": limbs + 1}.get(op, limbs)
    assert found["write_beats"] == polys * 4 * n // 16


@pytest.mark.parametrize("rescaled", ["", "-rescaled"])
@pytest.mark.parametrize(
    "op", [f"encode-encrypt-{kind}" for kind in ("pk-direct", "pk", "sk")] + ["decrypt-decode", "decrypt-decode-two"]
)
def test_cycles_of_slots_to_ciphertexts_and_back(ringside: CommandLine, op: str, rescaled: str) -> None:
    """Each of three frames is compared with the library's by the command. They overlap."""
    n, lanes, log_n = 1024, 4, 10
    found = (
        ringside("cycles", f"{LANES4},checked", "--op", op + rescaled, "--n", n, "--limbs", 2, "--frames", 3, "--json")
        .ends(0)
        .json
    )
    assert set(found) == MEASURED
    assert (found["frames"], found["fixed_transforms"]) == (3, 1)
    compute = found["units"]["COMPUTE"]
    fixed = n * (log_n - 1) // lanes  # passes of two cycles for each operand
    assert compute["bound"] == (found["transforms"] * n // 2 * log_n + found["passes"] * n) // lanes + fixed
    assert compute["active"] == compute["bound"]
    assert found["batch_cycles"] == found["cycles"] + 2 * found["cycles_per_frame"]
    assert 3 * compute["bound"] < found["batch_cycles"]
    # filling and emptying the core are paid once: a slot per cycle in LOADS or STORES, and a polynomial
    assert found["cycles_per_frame"] < found["cycles"] - n // 2


@pytest.mark.slow  # needs a model
@pytest.mark.parametrize(
    ("wanted", "n", "bits", "passes"),
    [
        pytest.param("lanes2-w54.toml", 1024, 50, 5, marks=pytest.mark.soak),
        pytest.param("lanes2-w54.toml", 8192, 54, 5, marks=pytest.mark.soak),
        pytest.param("aloha-he", 8192, 54, 5, marks=pytest.mark.soak),
    ],
)
def test_two_limbs_of_wide_words(ringside: CommandLine, wanted: str, n: int, bits: int, passes: int) -> None:
    """The first design has one context and four groups, with which one limb waits for the other."""
    design = MODELS / wanted if wanted.endswith(".toml") else wanted
    for op, more in (("decrypt-decode-two", 0), ("decrypt-decode-two-rescaled", 1)):
        done = ringside(
            "cycles", f"{design},checked", "--op", op, "--n", n, "--limbs", 2, "--bits", bits, "--json"
        ).ends(0)
        assert (done.json["transforms"], done.json["fixed_transforms"], done.json["passes"]) == (2, 1, passes + more)


def test_timeline_and_program_agree(ringside: CommandLine, folder: Path, tmp_path: Path) -> None:
    design = f"{folder}/two-groups.toml,checked"
    arguments = ["--op", "encrypt-sk", "--n", "1024", "--limbs", "2"]
    done = ringside("timeline", design, *arguments, "-o", tmp_path / "t.svg", "--json").ends(0)
    events = done.json["events"]
    program = ringside("program", design, *arguments, "--json").json
    assert [entry["text"] for entry in program][-1] == "END"
    assert sorted(event["pc"] for event in events) == list(range(len(program) - 1))  # each ran, once
    for event in events:
        assert event["instruction"] == program[event["pc"]]["text"]
        assert 0 <= event["start"] <= event["end"] <= done.json["cycles"]
    in_order = sorted(events, key=lambda event: event["pc"])
    assert [event["start"] for event in in_order] == sorted(event["start"] for event in events)
    root = ET.parse(tmp_path / "t.svg").getroot()
    titles = [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert len(titles) == len(events)
    assert any("NTT g" in title for title in titles)
    assert ringside("timeline", design, *arguments, "-o", tmp_path / "t.png").code == 0
    assert Image.open(tmp_path / "t.png").size[0] == 1200
    assert ringside("timeline", design, *arguments, "-o", tmp_path / "t.pdf").code == 2


def test_a_timeline_is_foreseen(ringside: CommandLine, tmp_path: Path) -> None:
    """Nothing is simulated: `ringside cycles ringside-32 --op encrypt-pk-direct --n 8192 --limbs 6` has 35,638 cycles."""
    arguments = ["--op", "encrypt-pk-direct", "--n", "8192", "--limbs", "6"]
    found = ringside("timeline", "ringside-32", *arguments, "--model", "-o", tmp_path / "t.svg", "--json").json
    program = ringside("program", "ringside-32", *arguments, "--json").json
    events = found["events"]
    assert found["cycles"] == pytest.approx(35_638, rel=0.001)
    assert [event["instruction"] for event in events] == [entry["text"] for entry in program][:-1]
    assert max(event["end"] for event in events) < found["cycles"]
    ended = dict.fromkeys((event["unit"] for event in events), -1)
    for event in events:  # a unit shows one instruction at a time
        assert ended[event["unit"]] < event["start"] <= event["end"]
        ended[event["unit"]] = event["end"]
    slow = ringside("timeline", "ringside-32,latency=400", *arguments, "--model", "-o", tmp_path / "u.svg", "--json")
    assert slow.json["cycles"] > found["cycles"]


@pytest.mark.parametrize(
    "op", ["encrypt-pk-direct", "encrypt-sk", "switch-key", "encode-encrypt-sk", "decrypt", "decrypt-decode-two"]
)
def test_the_program_is_the_drivers(op: str) -> None:
    """A core that reduces reads a message as signed words: programs were once made for residues, and stood for none that runs."""
    wanted = Simulated(designs.load(str(LANES4)), checked=True)
    ran = operation.record(wanted, op, 1024, 2, 30).program
    assert [disassemble(word) for word in operation.program(wanted.design, op, 1024, 2, 30)] == ran


def test_program_listing_can_be_assembled(ringside: CommandLine, folder: Path) -> None:
    design = folder / "five-groups.toml"
    arguments = ["--op", "encrypt-pk", "--n", "1024", "--limbs", "2"]
    done = ringside("program", design, *arguments).ends(0)
    words = [int(entry["word"], 16) for entry in ringside("program", design, *arguments, "--json").json]
    assert assemble(done.out) == words


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["cycles", "rise-64"], "no design"),
        (["cycles", "rise-4", "--n", "32768"], "1024 to 16384"),
        (["cycles", "rise-4", "--n", "1000"], "N"),
        (["cycles", "rise-4", "--bits", "33"], "32-bit words"),
        (["cycles", "rise-4", "--bits", "5"], "modulus"),
        (["cycles", "rise-4", "--op", "encode-encrypt-sk"], "does not encode"),
        (["cycles", "rise-4e", "--op", "decrypt-decode-two", "--limbs", "1"], "two limbs"),
        (["program", "rise-4", "--n", "1000"], "N"),
        (["program", "rise-4", "--n", "512"], "N"),
        (["program", "race", "--op", "encrypt-pk"], "groups"),
        (["program", "rise-4", "--limbs", "60"], "program"),
    ],
)
def test_commands_refuse(ringside: CommandLine, arguments: list[str], words: str) -> None:
    done = ringside(*arguments).ends(3, words)
    assert "Traceback" not in done.err


def test_the_demo_asks_for_a_device_that_encodes(ringside: CommandLine, tmp_path: Path) -> None:
    ringside("demo", "--encode", "device", "--out", tmp_path / "demo").ends(2, "The device cpu: does not encode")
    assert not (tmp_path / "demo").exists()


@pytest.mark.slow  # needs a model
def test_a_camera_lets_the_device_encode_and_decode(tmp_path: Path) -> None:
    """The device encodes for the demo, if it may: pixels go in, a ciphertext comes out, and numbers come back at any scale."""
    params = rs.Parameters.from_bits(2048, [32, 30, 30, 30, 32], security=0)
    tile = np.linspace(0, 1, 1024).reshape(32, 32)
    device, processor = (Camera(params, Clock(), f"sim:{LANES4},checked", encode=where) for where in ("device", "cpu"))
    assert (device.encodes, processor.encodes) == (True, False)
    with device.secret_key as key, processor.secret_key:
        for special_prime, with_key in ((False, device.public_key), (True, device.public_key), (True, key)):
            (ciphertext,) = device.encrypt([tile], with_key is not key, special_prime)
            values = device.context.decrypt_values(ciphertext, key, 1024, max_abs=1.0)
            assert np.abs(values - tile.ravel()).max() < 2.0**-12  # the noise of a public key
        accelerator = some(device.context.accelerator)
        assert set(accelerator.totals) >= {"encode-encrypt-pk", "encode-encrypt-sk"}
        ciphertext.save(tmp_path / "fresh")
        device.context.encrypt(tile, key, scale=device.scale / 1.3, level=0).save(tmp_path / "rescaled")
        assert "decrypt-decode" not in accelerator.totals
        for values in device.decrypt([tmp_path / "fresh", tmp_path / "rescaled"], 1024):
            assert np.abs(values - tile.ravel()).max() < 2.0**-16
        assert "decrypt-decode" in accelerator.totals


def test_build_runs_the_self_test(ringside: CommandLine, folder: Path) -> None:
    design = folder / "two-groups.toml"
    built = ringside("build", design, "--checked", "--json").ends(0).json
    assert built["cached"] in (True, False)
    assert built["self_test_cycles"] > 10_000
    assert ringside("build", f"{design},checked", "--json").json["cached"] is True
