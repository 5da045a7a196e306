# SPDX-License-Identifier: Apache-2.0
"""The system on a chip: what is made for it from the sources, and the library's bits from every part of it.

The second half builds Rocket, one or two minutes of processor time, and simulates whole encryptions.
"""

import ctypes
import dataclasses
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asserting import raises
from builds import ROOT, output_of
from cli_runner import CommandLine
from ringside import Ciphertext, Context, designs
from ringside.cycles import profile, system
from ringside.cycles.operation import SEED, frame_seeds, parameters
from ringside.devices import on_chip
from ringside.devices.calls import Encryption, Plaintexts
from ringside.devices.cpu import CPU
from ringside.devices.names import parse, word_bits
from ringside.errors import DeviceError, InputError
from ringside.native.library import ffi, lib
from ringside.sim.verilate import SimulationError
from ringside.soc import build, job, limits, rocket, top
from ringside.soc.run import FirmwareError, Ran, Waves, prepare, run

CORE = ROOT / "hw" / "core" / "rtl" / "rs_core.sv"


# ---- what is made from the sources ----------------------------------------------------------------------------------
def test_job_is_the_firmwares(tmp_path: Path) -> None:
    """Every member of job_t is where Python's structure has it; stages and steps have the same order."""
    structs: dict[str, Any] = {
        "job_t": job.NativeJob, "frame_t": job.NativeFrame, "array_t": job.NativeArray,
        "profile_t": profile.NativeProfile, "kernel_count_t": profile.NativeKernel,
        "program_t": profile.NativeProgram,
    }  # fmt: skip
    kinds = [*structs.items(), ("frame_t", job._FrameArrays), ("frame_t", job._CallArrays)]
    names = [(struct, name) for struct, kind in kinds for name, *_ in kind._fields_ if not name.startswith("_")]
    python = {"inputs": "in", "outputs": "out"}
    prints = "".join(f'printf("%zu\\n", offsetof({struct}, {python.get(name, name)}));' for struct, name in names)
    prints += "".join(f'printf("%zu\\n", sizeof({struct}));' for struct in structs)
    source = tmp_path / "layout.c"
    source.write_text(
        '#include <stddef.h>\n#include <stdio.h>\n#include "profile/profile.h"\n'
        f'int main(void) {{ {prints} printf("%zu\\n%d\\n%llx\\n%lx\\n", sizeof(job_t), STAGE_COUNT, JOB_MAGIC, JOB_ADDRESS); }}\n'
    )
    program = tmp_path / "layout"
    output_of("gcc", "-DRS_CORE_ONLY", f"-I{ROOT / 'lib/include'}", f"-I{ROOT / 'soc/firmware'}", source, "-o", program)
    *found, size, stages, magic, place = output_of(program).split()
    sizes = [ctypes.sizeof(kind) for kind in structs.values()]
    assert list(map(int, found)) == [*(getattr(structs[struct], name).offset for struct, name in names), *sizes]
    assert (int(size), int(stages)) == (ctypes.sizeof(job.NativeJob), len(job.STAGES))
    assert (int(magic, 16), int(place, 16)) == (job.MAGIC, job.PLACE)
    text = (ROOT / "soc" / "firmware" / "job.h").read_text(encoding="utf-8")
    assert re.findall(r"\bSTAGE_(\w+),", text) == [name.upper() for name in job.STAGES]
    operations = re.findall(r"\bOP_((?:MLKEM|MLDSA|NEWHOPE|BLISS)_\w+),", text)
    assert [getattr(job, name) for name in operations] == list(
        range(job.DECRYPT + 1, job.DECRYPT + 1 + len(operations))
    )
    design = re.search(
        r"typedef struct rs_design \{(.*?)\}", (ROOT / "lib/include/ringside/program.h").read_text("utf-8"), re.DOTALL
    )
    assert design is not None
    assert tuple(re.findall(r"(\w+);", design[1])) == job.DESIGN
    steps = re.search(r"enum \{\s*(STEP_NONE[^}]*)\}", (ROOT / "soc/firmware/firmware.h").read_text(encoding="utf-8"))
    assert steps is not None
    assert len(re.findall(r"\bSTEP_", steps[1])) == len(job.STEPS)


@pytest.mark.parametrize("name", ["rise-1", "race", "ringside-32"])
def test_accelerator_has_the_core_s_ports_and_the_design_s_parameters(name: str) -> None:
    design = designs.load(name)
    text = top.accelerator(design, ROOT)
    ports = top.ports_of(CORE, "rs_core")
    instance = re.search(r"rs_core #\((.*?)\) u_core \((.*?)\);", text)
    assert instance is not None
    given = dict(re.findall(r"\.(\w+)\(((?:[^()]|\([^()]*\))*)\)", instance[1]))
    assert given.keys() == design.parameters.keys()
    assert given["BusBits"] == str(design.parameters["BusBits"])
    pins = dict(re.findall(r"\.(\w+)\(([^)]*)\)", instance[2]))
    assert list(pins) == [port for _, port in ports]
    for way, port in ports:
        if way == "input":
            assert pins[port], f"{port} hangs in the air"
        if port.startswith(("m_axi_", "s_axil_")) and not port.endswith(("prot", "cache", "qos", "user")):
            assert pins[port] not in ("", "'0"), f"{port} is not connected"
    assert f".BusBits({design.parameters['BusBits']})" in text.partition("rs_axi_lines")[2]


def test_a_port_that_no_soc_knows_is_tied_or_left_open(tmp_path: Path) -> None:
    text = CORE.read_text(encoding="utf-8").replace(
        "    input logic rst_ni,",
        "    input logic rst_ni,\n    input logic [3:0] strange_i,\n    output logic odd_o,  // input logic no",
        1,
    )
    source = tmp_path / "rs_core.sv"
    source.write_text(text, encoding="utf-8")
    ports = top.ports_of(source, "rs_core")
    assert ("input", "strange_i") in ports
    assert ("output", "odd_o") in ports
    assert ("input", "no") not in ports
    made = top._core(designs.load("rise-1"), source, "rs_core")
    assert ".strange_i('0)" in made
    assert ".odd_o()" in made


def test_two_ports_to_memory_are_refused() -> None:
    raises(SimulationError, "ringside-stream has two ports", top.accelerator, designs.load("ringside-stream"), ROOT)


def test_no_such_module() -> None:
    raises(SimulationError, "no module rs_score", top.ports_of, CORE, "rs_score")


def test_memory_has_room_for_everything() -> None:
    frames = [
        job.GivenFrame(
            form=job.REAL, scale=2.0, limbs=1, values=b"v" * 4096, value_count=512, entropy=(b"a" * 64, b"b" * 64)
        ),
        job.GivenFrame(form=job.RESIDUES, scale=2.0, limbs=2, polys=3, kept=True),
    ]
    one = job.Given(
        op=1, log_n=10, moduli=[17, 19], frames=frames, public_key=b"p" * 32768, secret_key=b"s" * 16384, design=(1,) * len(job.DESIGN),
        shared_bytes=100_000,
    )  # fmt: skip
    memory = job.MemoryImage(one, 50_000)
    placed = memory.job
    assert job.PLACE - job.RAM + len(memory.content()) == memory.size
    first, second = memory.frames
    arrays = [(placed.public_key, 32768), (placed.secret_key, 16384)]
    arrays += [(first.values, 4096), (first.plaintext, 8192), (first.ciphertext, 16384)]
    arrays += [(second.values, 16384), (second.plaintext, 16384), (second.kept, 16384), (second.ciphertext, 49152)]
    assert [array.bytes for array, _ in arrays] == [size for _, size in arrays]
    assert [array.secret for array, _ in arrays] == [0, 1, 1, 1, 0, 1, 1, 1, 0]
    places = [(array.address, size) for array, size in arrays]
    places += [(placed.frames, 2 * ctypes.sizeof(job.NativeFrame))]
    places += [(placed.arena.address, 50_000), (placed.shared.address, 100_000)]
    for (start, size), (following, _) in zip(places, [*places[1:], (job.RAM + memory.size, 0)], strict=True):
        assert start % 4096 == 0
        assert start + size <= following
    content = memory.content()
    assert content[placed.public_key.address - job.PLACE :][:32768] == b"p" * 32768
    image = bytes(job.PLACE - job.RAM) + content
    assert job.job_in(job.with_phase(image, job.RUN)).phase == job.RUN
    found = job.frames_in(image, job.job_in(image))
    assert bytes(found[0].entropy[1]) == b"b" * 64
    assert (found[1].kept.address, found[1].polys) == (second.kept.address, 3)


def test_ciphertexts_of_a_core_that_encodes_lie_in_a_row() -> None:
    """Then it reads or writes those of a program itself. Halves and ciphertexts of several sizes; each where its frame says."""
    halves = [job.GivenFrame(form=job.NUMBERS, scale=2.0, limbs=2, value_count=5, number_bytes=4, seeded=True)] * 2
    whole = job.GivenFrame(
        form=job.NUMBERS, scale=2.0, limbs=1, value_count=5, number_bytes=4, ciphertext=b"c" * 65536, ciphertext_limbs=2, polys=4,
    )  # fmt: skip
    frames = [*halves, whole, dataclasses.replace(whole, polys=2, ciphertext=b"d" * 32768)]
    memory = job.MemoryImage(
        job.Given(op=0, log_n=10, moduli=[17, 19], frames=frames, layout=LAYOUT, overlap=4), 50_000
    )
    first = memory.frames[0].ciphertext.address
    assert [frame.ciphertext.address - first for frame in memory.frames] == [0, 16384, 32768, 98304]
    content = memory.content()[first - job.PLACE :]
    assert content[:131072] == bytes(32768) + b"c" * 65536 + b"d" * 32768
    assert memory.job.frames >= first + 131072


def test_without_rocket_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    raises(SimulationError, "make soc", rocket.sources)


@pytest.mark.parametrize(
    ("design", "op", "n", "limbs", "frames", "latency", "measured"),
    [
        (None, "encrypt-sk", 1024, 1, 1, 20, 996_000),
        (None, "encrypt-pk", 4096, 3, 1, 20, 12_430_000),
        (None, "encrypt-pk-direct", 4096, 3, 1, 20, 8_440_000),
        (None, "decrypt", 4096, 1, 1, 20, 1_380_000),
        ("race", "encrypt-pk-direct", 1024, 1, 1, 20, 1_083_000),
        ("rise-1", "encrypt-sk", 1024, 1, 1, 20, 256_000),
        ("rise-1", "decrypt", 1024, 1, 1, 20, 249_000),
        ("rise-4", "encrypt-pk-direct", 4096, 3, 3, 20, 3 * 639_000),
        ("rise-4", "encrypt-pk-direct", 4096, 3, 3, 60, 9 * 639_000),
    ],
)
def test_a_job_has_a_few_times_the_cycles_that_it_takes(
    design: str | None, op: str, n: int, limbs: int, frames: int, latency: int, measured: int
) -> None:
    """A core that hangs is found long before the job is taken for lost. measured: of such runs, without setting up and the end."""
    context, core = Context(parameters(op, n, limbs, 30)), designs.load(design) if design else None
    given = system._case(context, core, op, limbs, frames, overlap=False).given
    limit = limits.job_limit(given, latency, 0)
    assert 4 * measured < limit < 80 * measured + 10_000_000
    assert limits.job_limit(given, latency, 128) == pytest.approx(2 * limit, abs=2)
    if core:
        assert 300 * n * limbs < limits.core_limit(given, latency, 0) < limit / 2


def test_a_soc_that_does_not_end_is_stopped_and_the_remedy_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not after hours: by a limit that is the job's, or the caller's."""
    program = tmp_path / "soc"
    program.write_text(
        '#!/bin/sh\nfor word; do case $word in limit=*) limit=${word#limit=};; out=*) : > "${word#out=}";; esac; done\n'
        'echo half a word\nprintf "stopped %s\\n\\n" "$limit" >&2\n'
    )
    program.chmod(0o755)
    images: list[bytes] = []

    def prepares(elf: Path, memory: job.MemoryImage, *_: Any) -> bytes:
        images.append(bytes(job.PLACE - job.RAM) + memory.content())
        return images[-1]

    monkeypatch.setattr("ringside.soc.run.prepare", prepares)
    one = given(design=tuple(on_chip.design_words(designs.load("rise-1"))), shared_bytes=4096)
    memory = job.MemoryImage(one, 4096)
    limit = limits.job_limit(one, 60, 0)
    told = str(raises(SimulationError, None, run, program, Path(), memory, latency=60))
    for word in (f"after {limit:,} cycles", "half a word", "--limit", ",limit=", f"--waves-from {limit - 10_000}"):
        assert word in told
    assert job.job_in(images[0]).time_limit == limits.core_limit(one, 60, 0)
    raises(SimulationError, "after 777 cycles", run, program, Path(), memory, limit=777)


@pytest.mark.parametrize("device", ["soc:rise-1", "soc:none,limit=777,latency=5"])
def test_devices_have_limits_and_overlap_batches(monkeypatch: pytest.MonkeyPatch, device: str) -> None:
    asked: list[Any] = []

    def runs(program: Path, firmware: Path, memory: job.MemoryImage, **options: Any) -> None:
        asked.append((options["limit"], int(memory.job.overlap)))
        raise SimulationError("no time")

    monkeypatch.setattr(on_chip, "run", runs)
    monkeypatch.setattr(on_chip, "build_soc", lambda *_, **__: (Path(), Path()))
    context = Context(parameters("encrypt-sk", 1024, 1, 30), device=device)
    limit = 777 if "limit" in device else None
    with context.keygen() as key:
        raises(DeviceError, "no time", context.encrypt, [1.0], key)
        raises(DeviceError, "no time", context.encrypt_batch, [[1.0], [2.0]], key, threads=1)
    assert asked == [(limit, 0), (limit, 1)]


# the layout of numbers that a core encodes
FIXED: dict[str, Any] = {"exponent": -30, "bound": 1, "scale": 1.25 * 2.0**20, "level": 0}


@pytest.mark.parametrize(
    ("device", "values", "changes", "in_core"),
    [
        ("soc:rise-4e", [5, -6], {}, True),
        ("soc:rise-4e", [5, -6], {"word_bits": 54}, False),
        ("soc:rise-4e", [5.0, -6.0], {"exponent": 0, "bound": 3}, False),
        ("soc:rise-4e", [], {"bound": 1, "word_bits": 32}, False),
        ("soc:rise-4", [5, -6], {}, False),
    ],
)
def test_devices_encode_what_their_core_can(
    monkeypatch: pytest.MonkeyPatch, device: str, values: list[float], changes: dict[str, Any], in_core: bool
) -> None:
    """Integers in words of the core's width; else the library encodes, as for a device sim:DESIGN."""
    asked: list[job.MemoryImage] = []

    def runs(program: Path, firmware: Path, memory: job.MemoryImage, **_: Any) -> None:
        asked.append(memory)
        raise SimulationError("no time")

    monkeypatch.setattr(on_chip, "run", runs)
    monkeypatch.setattr(on_chip, "build_soc", lambda *_, **__: (Path(), Path()))
    context = Context(parameters("encrypt-sk", 1024, 2, 30), device=device)
    assert context.fixed_bits == (32 if device == "soc:rise-4e" else 0)
    array = np.array(values, np.int16 if values and isinstance(values[0], int) else None)
    with context.keygen() as key, pytest.raises(DeviceError, match="no time"):
        context.encrypt_fixed(array, key, **FIXED | changes)
    (memory,) = asked
    assert memory.job.in_core == in_core
    assert isinstance(memory.given, job.Given)
    (frame,) = memory.given.frames
    assert frame.form == (job.NUMBERS if in_core else job.RESIDUES)
    if in_core:
        assert (frame.values, frame.value_count, memory.given.layout) == (array.tobytes(), 2, (2, 0, 2, -30, 1))
        assert (frame.scale, frame.limbs) == (FIXED["scale"], 1)


def test_what_a_core_cannot_encode_is_said_as_by_a_device_sim(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a status of the firmware, or before a SoC starts. Frames of a batch fail on SoCs side by side, in any order."""
    current = lib.RS_OK
    failed: list[int] = []

    def fails(program: Path, firmware: Path, memory: job.MemoryImage, **_: Any) -> Ran:
        memory.job.status, memory.job.current = current, 1
        failed.append(current)
        raise FirmwareError("the firmware failed", Ran(memory.job, b"", 1, ""))

    monkeypatch.setattr(on_chip, "run", fails)
    monkeypatch.setattr(on_chip, "build_soc", lambda *_, **__: (Path(), Path()))
    context = Context(parameters("encrypt-sk", 1024, 2, 30), device="soc:rise-4e")
    two = list(np.zeros((2, 5), np.int32))
    with context.keygen() as key:
        fresh = Context(context.params).encrypt([1.0], key)
        for status, error, word, operation in (
            (lib.RS_ERR_VALUE_RANGE, InputError, r"^A value is outside.*magnitudes must stay below 2\^1 \(",
             lambda: context.encrypt_fixed_batch(two, key, **FIXED)),
            (lib.RS_ERR_DESIGN, DeviceError, r"cannot do this.*: soc:rise-4e\.",
             lambda: context.encrypt_fixed(two[0], key, **FIXED)),
            (lib.RS_ERR_VALUE_RANGE, InputError, r"^A value is outside.*slots must stay below 2\^1\.",
             lambda: context.decrypt_fixed_batch([fresh], key, dtype=np.int8, bound=1)),
        ):  # fmt: skip
            current = int(status)
            failed.clear()
            raises(error, word, operation)
            assert set(failed) == {current}
        failed.clear()
        raises(InputError, "600 values, 512 slots", context.encrypt_fixed, np.zeros(600, np.int32), key, **FIXED)
        assert not failed


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("soc:rise-9", "rise-9"),
        ("soc:rise-1,bandwidth=8", "no option 'bandwidth=8'"),
        ("soc:none,latency=0", "latency must be"),
        ("soc:none,limit=0", "limit must be"),
    ],
)
def test_devices_that_are_none(name: str, word: str) -> None:
    raises(DeviceError, word, parse, name)


def test_word_bits_of_devices() -> None:
    assert [word_bits(name) for name in ("cpu:", "sim:rise-4", "soc:rise-4,stall=3", "soc:none")] == [64, 32, 32, 64]


def test_overlap_needs_a_core_and_frames(ringside: CommandLine) -> None:
    for words in (("none", "--frames", "3"), ("rise-1",), ("rise-1", "--frames", "2")):
        assert "--frames 4 and a design" in ringside("soc", "run", *words, "--overlap").err
    for frames in ("1", "9"):
        refused = ("rise-4e", "--op", "encode-encrypt-sk", "--frames", frames)
        assert f"Two to 8 frames that a core encodes or decodes share a program, not {frames}." in ringside("soc", "run", *refused, "--overlap").err  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("rise-1", "--waves", "run.fst"), "Name the file run.vcd"),
        (("none", "--waves", "run.vcd"), "Add --waves-from"),
        (("rise-1", "--waves-from", "5"), "Add --waves run.vcd"),
        (("rise-1", "--waves-cycles", "5"), "Add --waves run.vcd"),
        (("rise-1", "--waves", "nowhere/run.vcd"), "Cannot write nowhere/run.vcd"),
    ],
)
def test_waves_that_cannot_be(
    ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: tuple[str, ...], word: str
) -> None:
    """It is said before anything is built."""
    monkeypatch.setattr("ringside.devices.on_chip.build_soc", lambda *_, **__: pytest.fail("it builds"))
    monkeypatch.chdir(tmp_path)
    done = ringside("soc", "run", *arguments)
    assert done.code in (2, 4)
    assert word in done.err
    assert not list(tmp_path.iterdir())


def test_an_old_file_stays_where_no_waves_are_written(
    ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither a model that does not build nor a window behind the end of the run touches it; a run that fails leaves what it has written."""
    file = tmp_path / "run.vcd"
    file.write_text("old")
    asked: dict[str, Any] = {}

    def builds(*_: Any, **changes: Any) -> None:
        asked.update(changes)

    def ends(*_: Any, waves: Waves, **__: Any) -> system.System:
        asked["options"] = waves.options
        return system.System(
            "rise-1", "encrypt-pk", 1024, 1, [], 20, 1, False, 1, 1, {}, system.Count(1, 1), {}, 0, 0, 77, True
        )  # fmt: skip

    def fails(*_: Any, waves: Waves, **__: Any) -> None:
        os.write(waves.file, b"new")
        raise DeviceError("SIMULATION", "it hangs")

    def does_not_build(*_: Any, **__: Any) -> None:
        raise DeviceError("SIMULATION", "no compiler")

    words = ("soc", "run", "rise-1", "--waves", str(file), "--waves-from", "99", "--waves-cycles", "5")
    monkeypatch.setattr("ringside.devices.on_chip.build_soc", does_not_build)
    assert "no compiler" in ringside(*words).err
    assert file.read_text() == "old"
    monkeypatch.setattr("ringside.devices.on_chip.build_soc", builds)
    monkeypatch.setattr("ringside.cycles.system.measure", ends)
    assert "after 77 cycles" in ringside(*words).err
    assert file.read_text() == "old"
    assert asked["waves"] is True
    assert (asked["options"]["waves_from"], asked["options"]["waves_cycles"]) == (99, 5)
    monkeypatch.setattr("ringside.cycles.system.measure", fails)
    assert "it hangs" in ringside(*words).err
    assert file.read_text() == "new"


def test_errors_of_batches_name_their_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """The frame that the firmware worked on, which is not the one after those that are done if frames overlap."""
    params = parameters("encrypt-sk", 1024, 1, 30)
    chip = on_chip.SystemOnChip("soc:rise-1", designs.load("rise-1"), Path(), Path(), {})
    context = Context(params).on(chip)

    def fails(program: Path, firmware: Path, memory: job.MemoryImage, **_: Any) -> Ran:
        memory.job.status, memory.job.done, memory.job.current = lib.RS_ERR_NOT_FINITE, 1, 2
        raise FirmwareError("the firmware failed in encode", Ran(memory.job, b"", 1, ""))

    monkeypatch.setattr(on_chip, "run", fails)
    with (
        context.keygen(insecure_deterministic_seed=SEED) as secret,
        pytest.raises(InputError, match=r"^Frame 2: ") as caught,
    ):
        context.encrypt_batch(np.zeros((4, 512)), secret, threads=1)
    assert caught.value.frame == 2


def test_help_teaches(ringside: CommandLine) -> None:
    text = ringside("soc", "run", "--help").out
    for word in ("Rocket", "--latency", "make soc", "Examples: ringside soc run"):
        assert word in re.sub(r"\s+", " ", text)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("rise-9",), "no design 'rise-9'"),
        (("rise-1", "--n", "1000"), "N = 512, 1024"),
        (("rise-1", "--bits", "40"), "32 bits"),
        (("rise-1", "--n", "131072"), "log_n_max"),
        (("rise-1", "--op", "encode-encrypt-sk"), "rise-1 does not encode with the core"),
        (("none", "--op", "decrypt-decode"), "Software does not encode with the core"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_built(
    ringside: CommandLine, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], word: str
) -> None:
    monkeypatch.setattr("ringside.devices.on_chip.build_soc", lambda *_, **__: pytest.fail("it builds"))
    ringside("soc", "run", *arguments).ends(3, word)


LAYOUT = (int(lib.RS_FIXED_INT32), 0, 512, -30, 1)  # what only a core that encodes understands


# ---- the firmware in QEMU -------------------------------------------------------------------------------------------
def given(**changes: Any) -> job.Given:
    params = parameters("encrypt-sk", 1024, 1, 30)
    frame = job.GivenFrame(form=job.REAL, scale=2.0**20, limbs=1, values=bytes(4096), value_count=512)
    values: dict[str, Any] = {"op": 0, "log_n": 10, "moduli": list(params.moduli), "frames": [frame]}
    return job.Given(**(values | changes))


def change(struct: Any, values: dict[str, Any]) -> None:
    """Members of a struct; of an array in it those that are named."""
    for name, value in values.items():
        if isinstance(value, dict):
            change(getattr(struct, name), value)
        else:
            setattr(struct, name, value)


@pytest.mark.soak
def test_the_firmware_prepares_a_context(tmp_path: Path) -> None:
    memory = job.MemoryImage(given(), 1 << 20)
    image = prepare(build.firmware(), memory, tmp_path)
    assert len(image) == memory.size
    found = job.job_in(image)
    assert (found.status, found.step) == (0, 0)
    assert 0 <= found.context - memory.job.arena.address < found.used


RISE_1 = {"design": on_chip.design_words(designs.load("rise-1")), "opened": True, "shared_bytes": 1 << 20}


HOSTILE: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"log_n": 18}, {}, "in parameters: RS_ERR_DEGREE"),
    ({"moduli": [1024 * 1024 + 1, 17]}, {}, "in parameters: RS_ERR_MODULUS"),
    ({"layout": LAYOUT}, {}, "in job: RS_ERR_FORM"),
    (RISE_1 | {"layout": LAYOUT, "overlap": 8}, {}, "in loading roots: RS_ERR_DESIGN"),
    (RISE_1 | {"layout": LAYOUT, "overlap": 9}, {}, "in job: RS_ERR_FORM"),
    # the firmware itself is no place for keys or the arena; sums of address and size do not wrap around
    ({}, {"arena": {"bytes": 4096}}, "in memory: RS_ERR_TOO_SMALL"),
    ({}, {"secret_key": {"address": job.RAM}}, "in memory: RS_ERR_TOO_SMALL"),
    ({}, {"arena": {"address": job.RAM}}, "in memory: RS_ERR_TOO_SMALL"),
    ({}, {"arena": {"bytes": 2**64 - 4096}}, "in memory: RS_ERR_TOO_SMALL"),
    ({}, {"public_key": {"address": 2**64 - 8}}, "in memory: RS_ERR_TOO_SMALL"),
    ({}, {"secret_key": {"bytes": 8184}}, "in memory: RS_ERR_TOO_SMALL"),
    # sizes that lose their upper bits in 32 bits, where these are the job's own
    ({"moduli": given().moduli[:1]}, {"log_n": (1 << 32) + 10}, "in parameters: RS_ERR_DEGREE"),
    ({"moduli": given().moduli[:1]}, {"limb_count": (1 << 32) + 1}, "in parameters: RS_ERR_DEGREE"),
    ({}, {"bytes": ctypes.sizeof(job.NativeJob) + 8}, "in job: RS_ERR_MAGIC"),  # another version
]


@pytest.mark.parametrize(("changes", "members", "word"), HOSTILE)
def test_hostile_jobs_end_in_a_status(
    tmp_path: Path, changes: dict[str, Any], members: dict[str, Any], word: str
) -> None:
    memory = job.MemoryImage(given(**changes), 1 << 20)
    change(memory.job, members)
    raises(SimulationError, word, prepare, build.firmware(), memory, tmp_path)


# ---- the comparison -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("op", ["encrypt-pk", "encrypt-sk", "decrypt"])
def test_one_wrong_bit_is_seen(op: str) -> None:
    """In the last word of each result, of the second of two frames."""
    context = Context(parameters(op, 1024, 1, 30))
    case = system._case(context, None, op, 1, 2, overlap=False)
    one = job.MemoryImage(case.given, 4096)
    image = bytearray(job.PLACE - job.RAM) + bytearray(one.content())
    ends = []
    with context.keygen(insecure_deterministic_seed=SEED) as secret:
        public = context.public_key(secret, insecure_deterministic_seed=SEED)
        for index, frame in enumerate(one.frames):
            values = np.random.default_rng(1 + index).normal(size=512)
            key, kind = (public, system.OPS[op]) if op == "encrypt-pk" else (secret, 0)
            ciphertext = Ciphertext._new(context, 1, kind == 0, "shake256")
            with context.encode(values, scale=frame.scale, level=0) as plaintext:
                messages, rng = Plaintexts([plaintext._native]), frame_seeds(index)
                CPU.run(Encryption(context._handle, key._handle, messages, [ciphertext._native], kind, 1, rng))
            results = {frame.ciphertext.address: ciphertext.data.tobytes()}
            if op == "decrypt":
                plaintext = context.decrypt(ciphertext, secret)
                results = {
                    frame.kept.address: plaintext.data.tobytes(),
                    frame.values.address: context.decode(plaintext).tobytes(),
                }
            if op == "encrypt-sk":
                results[one.job.frames + index * ctypes.sizeof(job.NativeFrame) + job.NativeFrame.seed.offset] = bytes(
                    frame.entropy[1]
                )
            for address, words in results.items():
                at = address - job.RAM
                image[at : at + len(words)] = words
                ends.append(at + len(words) - 1)

    def same() -> bool:
        return case.check(Ran(job.job_in(bytes(image)), bytes(image), 0, ""))

    assert same()
    for end in ends:
        image[end] ^= 1
        assert not same()
        image[end] ^= 1
    assert same()


# ---- the whole ------------------------------------------------------------------------------------------------------
SOFTWARE = {"encode", "encrypt"}
CALL = {"program", "message in", "registers", "core", "interrupt", "wipe", "ciphertext out"}
DECRYPTION = {"ciphertext in", "registers", "core", "interrupt", "plaintext out", "decode"}  # nothing is copied
MAKING = {"program", "seed", "secret in", "registers", "core", "interrupt", "wipe", "row out"}
ENCODING = {"seed", *CALL} - {"wipe"}  # the core reads the caller's numbers, and the driver has no copy
DECODING = {"ciphertext in", "registers", "core", "interrupt", "values out"}
CASES = [
    pytest.param("none", "encrypt-sk", SOFTWARE, marks=pytest.mark.soak),
    ("rise-1", "encrypt-sk", {"encode", "seed", *CALL}),
    ("rise-1", "decrypt", DECRYPTION),
    ("rise-1", "switch-key", MAKING),
    pytest.param("rise-1", "encrypt-pk", {"encode", "seed", *CALL}, marks=pytest.mark.soak),
    pytest.param("race", "encrypt-pk-direct", {"encode", "seed", *CALL}, marks=pytest.mark.soak),
    pytest.param("rise-4e", "encode-encrypt-sk", ENCODING, marks=pytest.mark.soak),
    pytest.param("rise-4e", "encode-encrypt-pk-direct", ENCODING, marks=pytest.mark.soak),
    pytest.param("rise-4e", "decrypt-decode", DECODING, marks=pytest.mark.soak),
    pytest.param("none", "encrypt-pk", SOFTWARE, marks=pytest.mark.soak),
    pytest.param("none", "decrypt", {"decrypt", "decode"}, marks=pytest.mark.soak),
    pytest.param("rise-4", "encrypt-pk", {"encode", "seed", *CALL}, marks=pytest.mark.soak),
    pytest.param("none", "bfv-encrypt-sk", {"encrypt"}, marks=pytest.mark.soak),
    ("rise-1", "bfv-encrypt-sk", {"seed", *CALL}),
    ("rise-1", "bgv-decrypt", DECRYPTION - {"decode"} | {"wipe"}),
    pytest.param("rise-1", "bgv-encrypt-pk", {"seed", *CALL}, marks=pytest.mark.soak),
    pytest.param("rise-4", "bfv-encrypt-pk-direct", {"seed", *CALL}, marks=pytest.mark.soak),
    pytest.param("aloha-he", "bfv-decrypt", DECRYPTION - {"decode"} | {"wipe"}, marks=pytest.mark.soak),
    pytest.param("aloha-he", "bgv-encrypt-sk", {"seed", *CALL}, marks=pytest.mark.soak),
]


@pytest.mark.slow  # the first one builds Rocket
@pytest.mark.parametrize(("design", "op", "stages"), CASES)
@pytest.mark.alike(3)
def test_bit_exact(ringside: CommandLine, design: str, op: str, stages: set[str]) -> None:
    found = ringside("soc", "run", design, "--op", op, "--json").ends(0).json
    assert found["bit_exact"] is True
    assert found["stages"].keys() == stages
    for figure in ("cycles", "instructions"):
        assert found[figure] == sum(stage[figure] for stage in found["stages"].values())
    assert found["cycles"] < found["simulated"]
    if design == "none":
        return
    assert 0 < max(found["units"].values()) <= found["stages"]["core"]["cycles"]
    # doorbell to caller; the core's own cycles are not in it, and the interrupt's instructions are in the cache by then
    assert 50 < found["stages"]["interrupt"]["cycles"] <= 220
    assert found["stages"]["core"]["instructions"] == 0


@pytest.mark.soak  # minutes; the last one an hour
@pytest.mark.parametrize(
    ("op", "n", "limbs"), [("encrypt-pk-direct", 4096, 3), ("encrypt-sk", 8192, 6), ("encrypt-sk", 16384, 13)]
)
def test_larger_sets_are_bit_exact(ringside: CommandLine, op: str, n: int, limbs: int) -> None:
    """SEAL-Embedded's, the second of two frames. At N = 4096 the driver is a small part of it."""
    done = ringside(
        "soc", "run", "rise-4", "--op", op, "--n", str(n), "--limbs", str(limbs), "--frames", "2", "--json"
    ).ends(0)
    assert done.json["bit_exact"] is True
    stages = done.json["stages"]
    driver = sum(stage["cycles"] for name, stage in stages.items() if name not in ("encode", "core"))
    assert driver <= 120_000


@pytest.mark.soak  # a minute, and it needs Rocket
def test_frames_overlap(ringside: CommandLine) -> None:
    """Every frame is right, and the core's time is hidden behind the encoding: a public key's on a design with few groups is long."""
    found = {}
    for words in (("2",), ("3", "--overlap")):
        done = ringside("soc", "run", "rise-1", "--frames", *words, "--json").ends(0)
        found[words] = done.json
        assert done.json["bit_exact"] is True
    apart, together = found.values()
    assert together["stages"].keys() == {"encode", "core"}
    encode, core = (together["stages"][name]["cycles"] for name in ("encode", "core"))
    assert max(encode, core) < together["cycles"] < apart["cycles"] - 0.8 * core


@pytest.mark.slow  # half a minute
@pytest.mark.parametrize(
    ("op", "limbs", "frames", "stages"),
    [
        pytest.param("encode-encrypt-sk", 1, 2, ENCODING, marks=pytest.mark.soak),
        pytest.param("encode-encrypt-sk", 1, 8, ENCODING, marks=pytest.mark.soak),
        pytest.param("encode-encrypt-pk-direct", 2, 4, ENCODING, marks=pytest.mark.soak),
        pytest.param("decrypt-decode", 2, 3, DECODING - {"program"} | {"wipe"}, marks=pytest.mark.soak),
    ],
)
def test_frames_share_a_program(ringside: CommandLine, op: str, limbs: int, frames: int, stages: set[str]) -> None:
    """A core that encodes works on several: each is right, and a further one takes much less than one alone. Nothing is copied."""
    words = ("soc", "run", "rise-4e", "--op", op, "--limbs", str(limbs), "--frames", str(frames), "--overlap")
    found = ringside(*words, "--json").ends(0).json
    assert found["bit_exact"] is True
    assert found["program_frames"] == frames
    assert found["stages"].keys() == stages
    assert found["cycles"] == sum(stage["cycles"] for stage in found["stages"].values())
    alone, further = found["single_cycles"], found["cycles_per_frame"]
    assert frames * found["cycles"] == pytest.approx(alone + (frames - 1) * further, rel=0.01)
    assert further < alone - 4000
    copied = found["stages"]["values out" if op == "decrypt-decode" else "ciphertext out"]["cycles"]
    assert copied < 1500
    assert op == "decrypt-decode" or found["stages"]["program"]["cycles"] < 20_000 / frames  # it is there


@pytest.mark.soak  # half a minute
def test_frames_that_do_not_fit_a_program() -> None:
    """Here for want of memory: the driver halves their number, and later calls begin with that. Each is right."""
    context, design = Context(parameters("encode-encrypt-sk", 1024, 1, 30)), designs.load("rise-4e")
    case = system._case(context, design, "encode-encrypt-sk", 1, 2, overlap=True)
    native = context.params._native
    less = on_chip.shared_bytes(design, native) // 2
    whole = dataclasses.replace(case.given, opened=True, singles=0, overlap=6, shared_bytes=less)
    memory = job.MemoryImage(whole, on_chip.arena_bytes(context._pointer, native, encodes=True))
    ran = run(*on_chip.build_soc(design), memory, latency=5)
    assert (ran.job.done, ran.job.program_frames) == (6, 3)
    assert case.check(ran)


@pytest.mark.soak  # two minutes: a model of its own
def test_waves(ringside: CommandLine, tmp_path: Path) -> None:
    """They hold the core's signals, of the cycles that were asked for; result and cycles stay the same."""
    file = tmp_path / "run.vcd"
    words = ("soc", "run", "rise-1", "--op", "encrypt-sk", "--json")
    done = ringside(*words, "--waves", str(file), "--waves-cycles", "300").ends(0)
    first, last = done.json["waves"]
    assert last - first == 299
    assert done.json["bit_exact"] is True
    head, changes = file.read_text(encoding="utf-8").split("$enddefinitions $end", 1)
    scopes: list[str] = []
    names: dict[str, str] = {}
    for kind, rest in re.findall(r"\$(scope|upscope|var)(.*?)\$end", head):
        if kind == "scope":
            scopes.append(rest.split()[1])
        elif kind == "upscope":
            scopes.pop()
        else:
            names[".".join([*scopes, rest.split()[3]])] = rest.split()[2]
    clock, read = (next(sign for name, sign in names.items() if name.endswith(end)) for end in (
        "u_accelerator.u_core.clk_i", "u_accelerator.u_core.m_axi_arvalid"))  # fmt: skip
    times = [int(time) for time in re.findall(r"^#(\d+)$", changes, re.MULTILINE)]
    assert (times[0], times[-1]) == (2 * first, 2 * last + 1)
    assert len(re.findall(rf"^1{re.escape(clock)}$", changes, re.MULTILINE)) == 300
    assert re.search(rf"^1{re.escape(read)}$", changes, re.MULTILINE)  # the core loads
    plain = ringside(*words).json
    assert (plain["cycles"], plain["simulated"]) == (done.json["cycles"], done.json["simulated"])


@pytest.mark.soak  # a minute, and it needs Rocket
def test_as_a_device() -> None:
    """Batches and single operations give the processor's bits; messages of each form, seeded ciphertexts, a longer one, fewer limbs."""
    params = parameters("encrypt-sk", 1024, 2, 30)
    here, chip = Context(params), Context(params, device="soc:rise-1,latency=5")
    assert chip.counting is not None
    seed = bytes(range(64))
    frames = np.random.default_rng(3).normal(size=(2, 100)) + 1j
    with here.keygen(insecure_deterministic_seed=seed) as key:
        public = here.public_key(key, insecure_deterministic_seed=seed)
        wanted = here.encrypt_batch(frames, key, insecure_deterministic_seed=seed)
        got = chip.encrypt_batch(frames, key, insecure_deterministic_seed=seed, threads=1)
        assert [one.data.tobytes() for one in got] == [one.data.tobytes() for one in wanted]
        assert [one.to_bytes() for one in got] == [one.to_bytes() for one in wanted]
        single = [context.encrypt(frames[0], public, insecure_deterministic_seed=seed) for context in (here, chip)]
        assert single[0].to_bytes() == single[1].to_bytes()
        values = [context.decrypt_batch(wanted, key, limbs=1, real=False, threads=2) for context in (here, chip)]
        assert values[0].tobytes() == values[1].tobytes()
        plaintexts = [context.decrypt(single[0], key) for context in (here, chip)]
        assert plaintexts[0].data.tobytes() == plaintexts[1].data.tobytes()
        for context in (here, chip):
            raises(InputError, r"^Frame 1: ", context.encrypt_batch, np.array([[1.0], [np.nan]]), key, threads=1)
    totals = chip.counting.totals
    assert {op: total.operations for op, total in totals.items()} == {"encrypt-sk": 2, "encrypt-pk": 1, "decrypt": 3}
    assert all(total.cycles > total.busy["COMPUTE"] > 0 for total in totals.values())


@pytest.mark.soak  # a minute, and it needs Rocket
def test_batches_overlap_on_a_device() -> None:
    """Three frames of each kind: the second overlaps with both of the others."""
    params = parameters("encrypt-pk", 1024, 1, 30)
    here, chip = Context(params), Context(params, device="soc:rise-4")
    frames = np.random.default_rng(3).normal(size=(3, 512))
    with here.keygen(insecure_deterministic_seed=SEED) as key:
        public = here.public_key(key, insecure_deterministic_seed=SEED)
        for one, special_prime in ((key, True), (public, True), (public, False)):
            wanted, got = (
                context.encrypt_batch(
                    frames, one, threads=1, special_prime=special_prime, insecure_deterministic_seed=SEED
                )
                for context in (here, chip)
            )
            assert [ciphertext.to_bytes() for ciphertext in got] == [ciphertext.to_bytes() for ciphertext in wanted]
        values = [context.decrypt_batch(wanted, key, real=False, threads=1) for context in (here, chip)]
    assert values[0].tobytes() == values[1].tobytes()


@pytest.mark.slow  # half a minute, and it needs Rocket
@pytest.mark.soak
def test_a_device_encodes_and_decodes_in_its_core() -> None:
    """Two frames to ciphertexts and back: the bits of the library's fixed encoder and decoder."""
    params = parameters("encode-encrypt-sk", 1024, 2, 30)
    here, chip = Context(params), Context(params, device="soc:rise-4e,latency=5")
    frames = list(np.random.default_rng(3).integers(-(1 << 29), 1 << 29, (2, 512), np.int32))
    meaning: dict[str, Any] = {"word_bits": 32, "exponent": -30, "bound": 1}
    seed: dict[str, Any] = {"insecure_deterministic_seed": SEED}
    with here.keygen(**seed) as key:
        wanted, got = (context.encrypt_fixed_batch(frames, key, scale=2.0**24, threads=1, **meaning, **seed) for context in (here, chip))  # fmt: skip
        assert [one.to_bytes() for one in got] == [one.to_bytes() for one in wanted]
        values = [context.decrypt_fixed_batch([wanted[1], wanted[0]], key, 7, dtype=np.int64, threads=1, **meaning) for context in (here, chip)]  # fmt: skip
        # what the first modulus does not hold
        beyond = here.encrypt_fixed(frames[0], key, scale=2.0**36, **meaning, **seed)
        for context, numbers in zip((here, chip), values, strict=True):
            numbers.append(context.decrypt_fixed(beyond, key, 7, dtype=np.int64, limbs=2, **meaning))
        for one, other in zip(*values, strict=True):
            assert one.tobytes() == other.tobytes()
    assert chip.counting is not None
    totals = chip.counting.totals
    assert {op: total.operations for op, total in totals.items()} == {"encode-encrypt-sk": 2, "decrypt-decode": 3}


@pytest.mark.soak  # a minute, and it needs Rocket
def test_a_device_that_encodes_takes_every_kind() -> None:
    """Public keys, few slots, other formats; and what its core cannot do, the library encodes or an error says."""
    params = parameters("encode-encrypt-sk", 1024, 2, 30)
    here, chip = Context(params), Context(params, device="soc:rise-4e,latency=5")
    seed: dict[str, Any] = {"insecure_deterministic_seed": SEED}
    numbers = np.random.default_rng(3).integers(-128, 128, 5)
    cases: list[tuple[NDArray[Any], dict[str, Any], dict[str, Any]]] = [
        (numbers.astype(np.int8), {"exponent": -7}, {"special_prime": False}),
        (numbers.astype(np.int64), {"exponent": -7, "bound": 1}, {"special_prime": False}),
        (numbers / 128.0, {"exponent": 0, "bound": 1}, {}),
    ]
    with here.keygen(**seed) as key:
        public = here.public_key(key, **seed)
        for values, meaning, options in cases:
            both = [
                context.encrypt_fixed(values, public, word_bits=32, scale=2.0**20, **meaning, **options, **seed)
                for context in (here, chip)
            ]
            assert both[0].to_bytes() == both[1].to_bytes()
        raises(DeviceError, "six groups", chip.encrypt_fixed, cases[0][0], public, exponent=-7, scale=2.0**20)
        with pytest.raises(InputError, match="magnitudes must stay below"):
            chip.encrypt_fixed(np.full(4, 1 << 30, np.int32), key, exponent=-30, bound=0, scale=2.0**20)


# ---- faults ---------------------------------------------------------------------------------------------------------
class Faulty:
    """One encryption on rise-1 whose context and key are in memory; what goes wrong is said by each test."""

    def __init__(self) -> None:
        self.design = designs.load("rise-1")
        self.context = Context(parameters("encrypt-sk", 1024, 1, 30))
        self.program, self.firmware = on_chip.build_soc(self.design)
        params = self.context.params
        scale = 2.0**20
        self.message = np.random.default_rng(5).integers(-(1 << 20), 1 << 20, 1024).astype(np.float64)
        with self.context.keygen(insecure_deterministic_seed=SEED) as secret, secret._handle.borrow() as native:
            self.key = bytes(ffi.buffer(native.ntt, 8 * 1024 * len(params.moduli)))
        frame = job.GivenFrame(
            form=job.COEFFICIENTS, scale=scale, limbs=1, values=self.message.tobytes(), seeded=True,
            seed_type=int(lib.RS_SEED_SHAKE256), entropy=(b"private " * 8, b"public. " * 8),
        )  # fmt: skip
        self.given = job.Given(
            op=0, log_n=10, moduli=list(params.moduli), frames=[frame], secret_key=self.key,
            design=on_chip.design_words(self.design), opened=True,
            shared_bytes=on_chip.shared_bytes(self.design, params._native), wait_cycles=5_000, time_limit=100_000,
        )  # fmt: skip

    def memory(self, **changes: Any) -> job.MemoryImage:
        given = dataclasses.replace(self.given, **changes)
        return job.MemoryImage(given, on_chip.arena_bytes(self.context._pointer, self.context.params._native))

    def run(self, memory: job.MemoryImage, limit: int = 3_000_000, **faults: int) -> Ran:
        return run(self.program, self.firmware, memory, latency=4, faults=faults, limit=limit)

    def line_of(self, function: str) -> int:
        """The first line of the cache that holds instructions of this function only."""
        symbols = output_of("riscv64-unknown-elf-nm", self.firmware).splitlines()
        (address,) = [int(words[0], 16) for words in map(str.split, symbols) if words[2:] == [function]]
        return -(-address // 64) * 64

    def fails(self, memory: job.MemoryImage, word: str, limit: int = 3_000_000, **faults: int) -> None:
        """With this on the console, and nothing secret in memory: not in the stack, not in the workspace."""
        error = raises(FirmwareError, word, self.run, memory, limit, **faults)
        image, ended = error.ran.image, error.ran.job
        for secret in (self.key[:64], b"private " * 8, self.message.tobytes()[:64]):
            assert secret not in image
        arena = ended.arena
        taken = slice(arena.address + ended.prepared - job.RAM, arena.address + arena.bytes - job.RAM)
        assert arena.bytes > ended.prepared > 0
        assert not any(image[taken])
        words = np.frombuffer(self.key, np.uint64)[:1024]
        at = ended.shared.address - job.RAM
        shared = image[at : at + self.given.shared_bytes]
        q = self.given.moduli[0]
        for factor in (1, pow(2, 33, q)):  # as word-level Montgomery wants it
            scaled = (words.astype(object) * factor % q)[:16].astype(np.uint32)
            assert scaled.tobytes() not in shared


@pytest.fixture(scope="module")
def faulty() -> Faulty:
    return Faulty()


@pytest.mark.soak  # a minute
def test_a_second_processor_behind_the_same_ports() -> None:
    """PicoRV32: no cache, no interrupt, no floating point, 32 bits. Firmware, driver and core give the library's ciphertext."""
    context, design = Context(parameters("encrypt-sk", 1024, 1, 30)), designs.load("rise-1")
    case = system._case(context, design, "encrypt-sk", 1, 1, overlap=False)
    words = ffi.new("uint64_t[]", 1024)
    with context.encode(np.frombuffer(case.given.frames[0].values), level=0) as plaintext:
        assert lib.rs_plaintext_limb(context._pointer, plaintext._native, 0, words) == 0
    message = bytes(ffi.buffer(words))
    # the message in NTT form: soft floating point would take minutes
    frame = dataclasses.replace(case.given.frames[0], form=job.RESIDUES, values=message, value_count=0)
    given = dataclasses.replace(case.given, frames=[frame], opened=True)
    cpu = build.PICORV32
    memory = job.MemoryImage(given, on_chip.arena_bytes(context._pointer, context.params._native))
    ran = run(build.program(design, cpu=cpu), build.firmware(cpu), memory, latency=1, cpu=cpu, limit=20_000_000)
    assert case.check(ran)
    assert ran.job.core_cycles > 0


@pytest.mark.soak  # it needs Rocket
def test_a_lost_interrupt_costs_time_only(faulty: Faulty) -> None:
    good, lost = faulty.run(faulty.memory()), faulty.run(faulty.memory(), faults=1)
    words = [ran.at(ran.frames[0].ciphertext, 8 * 1024) for ran in (good, lost)]
    assert words[0] == words[1] != bytes(8 * 1024)
    assert good.cycles < lost.cycles


@pytest.mark.soak  # it needs Rocket
@pytest.mark.parametrize("function", ["stages_seed_end", "rs_machine_begin"])
def test_a_trap_wipes_what_was_broken_off(faulty: Faulty, function: str) -> None:
    """RAM does not give some instructions: behind the drawing of the seed, which is on the stack by then, or where the core is started. Then the
    message's residues are in the workspace, too.
    """
    word = "trap 0000000000000001 at 00000000"
    faulty.fails(faulty.memory(), word, error=faulty.line_of(function), error_bytes=8)


@pytest.mark.soak  # five million cycles
def test_a_job_does_not_say_how_long_a_core_may_be_silent(faulty: Faulty) -> None:
    """An interrupt that never comes is waited for as long as the job says, but not for ever."""
    memory = faulty.memory(wait_cycles=2**63)
    faulty.fails(memory, "in the operation: RS_ERR_DEVICE_STALL", limit=8_000_000, faults=2)


@pytest.mark.parametrize(
    ("faults", "word"),
    [
        pytest.param({"faults": 2}, "in the operation: RS_ERR_DEVICE_STALL", marks=pytest.mark.slow),
        pytest.param({"faults": 4}, "in opening the core: RS_ERR_DEVICE_ABSENT", marks=pytest.mark.soak),
        pytest.param({"reset": 20_000}, "in the middle: it was reset: RS_ERR_DEVICE_ABORTED", marks=pytest.mark.soak),
        pytest.param({"error": 0, "error_bytes": 64}, "in the operation: RS_ERR_DEVICE_BUS", marks=pytest.mark.soak),
    ],
)
def test_a_core_that_fails(faulty: Faulty, faults: dict[str, int], word: str) -> None:
    """Memory that does not answer it, registers that do not answer, a reset while it works, an error of the bus in its first context."""
    memory = faulty.memory()
    if "error" in faults:
        faults = faults | {"error": memory.job.shared.address}
    faulty.fails(memory, word, **faults)


@pytest.mark.soak  # it needs Rocket
@pytest.mark.parametrize(
    ("changes", "frame", "word"),
    [
        ({}, {"ciphertext": {"address": job.RAM}}, "in memory: RS_ERR_TOO_SMALL"),
        ({}, {"ciphertext": {"address": 2**64 - 8}}, "in memory: RS_ERR_TOO_SMALL"),
        ({}, {"values": {"address": 2**64 - 4096}}, "in memory: RS_ERR_TOO_SMALL"),
        ({}, {"limbs": 2**40}, "in job: RS_ERR_LEVEL"),
        ({}, {"polys": 2**60}, "in job: RS_ERR_POLY_COUNT"),
        ({}, {"form": 4}, "in job: RS_ERR_FORM"),
        ({"op": 2}, {}, "in job: RS_ERR_FORM"),  # half a ciphertext with the public key
        ({"frame_count": 2**60}, {}, "in job: RS_ERR_FORM"),
    ],
)
def test_hostile_frames(faulty: Faulty, changes: dict[str, int], frame: dict[str, Any], word: str) -> None:
    """They are looked at before anything is done with them."""
    memory = faulty.memory()
    change(memory.frames[0], frame)
    change(memory.job, changes)
    assert faulty.key[:64] not in raises(FirmwareError, word, faulty.run, memory).ran.image


@pytest.mark.soak  # it needs Rocket
@pytest.mark.parametrize(
    ("changes", "frame", "word"),
    [
        ({}, {"form": job.REAL}, "in job: RS_ERR_FORM"),
        ({}, {"value_count": 5}, "in job: RS_ERR_VALUE_COUNT"),
        ({}, {"values": {"address": 2**64 - 4096}}, "in memory: RS_ERR_TOO_SMALL"),
        ({}, {"ciphertext": {"address": 2**64 - 8}}, "in memory: RS_ERR_TOO_SMALL"),
        ({}, {"limbs": 1}, "in job: RS_ERR_LEVEL"),  # than the others of its program
        ({}, {"limbs": 1, "ciphertext_limbs": 1}, "in job: RS_ERR_LEVEL"),
        ({}, {"scale": 2.0}, "in job: RS_ERR_SCALE"),
        ({"frame_count": 4097}, {}, "in job: RS_ERR_FORM"),
    ],
)
def test_hostile_numbers(changes: dict[str, int], frame: dict[str, Any], word: str) -> None:
    """A core encodes: what the last of some frames says of them is looked at, and what is secret is wiped."""
    context, design = Context(parameters("encode-encrypt-sk", 1024, 2, 30)), designs.load("rise-4e")
    case = system._case(context, design, "encode-encrypt-sk", 2, 2, overlap=True)
    bytes_of_arena = on_chip.arena_bytes(context._pointer, context.params._native, encodes=True)
    memory = job.MemoryImage(dataclasses.replace(case.given, opened=True), bytes_of_arena)
    change(memory.frames[-1], frame)
    change(memory.job, changes)
    image = raises(FirmwareError, word, run, *on_chip.build_soc(design), memory, limit=8_000_000).ran.image
    assert case.given.secret_key[:64] not in image
    assert case.given.frames[0].entropy[0] not in image


@pytest.mark.soak  # minutes, and it needs Rocket
def test_another_memory_gives_the_same_bits_later(ringside: CommandLine) -> None:
    found = []
    for latency in ("10", "60"):
        done = ringside("soc", "run", "rise-1", "--op", "encrypt-sk", "--latency", latency, "--json").ends(0)
        found.append(done.json)
    assert all(one["bit_exact"] for one in found)
    assert found[0]["stages"]["core"]["cycles"] < found[1]["stages"]["core"]["cycles"]
    assert found[0]["instructions"] == pytest.approx(found[1]["instructions"], rel=0.01)
