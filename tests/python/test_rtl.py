# SPDX-License-Identifier: Apache-2.0
"""`ringside rtl`: what it writes passes every tool outside of this tree, follows from the sources, and never takes another's place."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import ringside as rs
from asserting import raises, some, written
from cli_runner import CommandLine
from recipes import fenced
from ringside import designs
from ringside.designs import Design
from ringside.designs.design import OTHERS
from ringside.hints import install
from ringside.rtl import constraints, kit, lists, module, registers, vectors, wrapper
from ringside.sim import core
from ringside.sim.verilate import source_tree
from ringside.synth import yosys
from tree_scripts import script

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent


def small() -> Design:
    """Fast to simulate: its memories are wiped in a moment."""
    return replace(designs.load("rise-1"), name="small.1", log_n_max=10)


DESIGNS: dict[str, Callable[[], Design]] = {
    "small.1": small,
    "ringside-32": lambda: designs.load("ringside-32"),
    "ringside-4": lambda: designs.load("ringside-4"),
}
PARAMETERS = [pytest.param(name, marks=pytest.mark.soak) for name in DESIGNS]  # half a minute each


@pytest.fixture(scope="module")
def made() -> kit.Kit:
    return kit.make(small())


def run(place: Path, *command: object, code: int = 0) -> str:
    return shell(place, shlex.join(map(str, command)), code=code)


def shell(place: Path, script: str, *, code: int = 0) -> str:
    """What a script prints in a shell in which nothing is set but a path to the system's tools and to those that pip has installed, and how little
    make's compilers optimise: half of their time."""
    clean = {"PATH": f"{BIN}:/usr/bin:/bin", "MAKEFLAGS": "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"}
    done = subprocess.run(["/bin/sh", "-c", script], cwd=place, env=clean, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


# ---- tools ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", PARAMETERS)
def test_tools_take_it_elsewhere(name: str, tmp_path: Path) -> None:
    """Lint in Verilator, Verible and slang; Yosys; a Vivado project; the self-test, which also finds wrong answers."""
    found = kit.make(DESIGNS[name]())
    place = tmp_path / "ip"
    kit.write(found, place)
    names = found.names
    sources = [place / path for path in names.rtl]

    # as the README of the kit prints them
    script, where_verilator_is, fusesoc = fenced((place / "README.md").read_text(), "sh")
    ways = {re.search(r"--target=(\w+)", line)[1]: line for line in fusesoc.splitlines()}  # type: ignore[index]
    assert list(ways) == ["sim", "lint", "waves", "synth"]
    for way in ways if os.environ.get("RINGSIDE_SOAK") else ("lint", "synth"):  # the others build what run.sh does
        log = shell(place, where_verilator_is + ways[way])
        assert "%Warning" not in log or way != "lint"
        assert "PASS: " in log or way not in ("sim", "waves")
    assert "%" not in run(place / "sim", "verilator-cli", "-F", "lint.f")
    project = "".join(path.read_text() for path in (place / "build").glob("*/synth/*.tcl"))
    assert re.search(rf"set_property top {names.block}\b", project)
    assert all(Path(path).name in project for path in (*names.rtl, names.wrapper))

    bench = [place / "sim" / f"{names.bench}{suffix}.sv" for suffix in ("", "_tb")]
    run(tmp_path, BIN / "verible-verilog-lint", "--rules_config", ROOT / "hw" / "verible.rules", *sources, *bench)
    layout = ("--column_limit=132", "--verify", "--failsafe_success=false")
    for file in (place / "rtl" / f"{names.shell}.sv", *bench):
        run(tmp_path, BIN / "verible-verilog-format", *layout, file)
    module.elaborate(f"{names.bench}_tb", [*sources, place / names.wrapper, *bench])  # slang; raises for errors
    where = os.getcwd()
    os.chdir(place)
    try:
        options = "--no-implicit-memories --unroll-limit 20000 -D SYNTHESIS"
        read = f"read_slang {options} --top {names.block} -F {names.block}.f"
        log = yosys.run([read, f"hierarchy -check -top {names.block}", "check -assert"])
        assert "Found and reported 0 problems" in log
        yosys.run([f"read_verilog {names.wrapper}"])  # Verilog-2005
    finally:
        os.chdir(where)

    assert f"PASS: {len(found.jobs)} jobs" in shell(place, script)
    binary = place / "sim" / "obj_dir" / f"V{names.bench}"
    check_that_the_self_test_can_fail(tmp_path, place / "sim", binary)


def check_that_the_self_test_can_fail(place: Path, folder: Path, binary: Path) -> None:
    """It is run on vectors in which one thing is changed."""

    def changed(file: str, pattern: str, text: str | Callable[[re.Match[str]], str]) -> str:
        vectors = place / "changed"
        shutil.copytree(folder, vectors)
        path = vectors / file
        content, count = re.subn(pattern, text, path.read_text(), count=1, flags=re.MULTILINE)
        assert count == 1
        path.write_text(content)
        log = run(place, binary, f"+vectors={vectors}", code=1)
        shutil.rmtree(vectors)
        return log

    log = changed("answers.hex", r"(?<=// ntt\n)[0-9a-f]", "f")
    assert "FAIL: ntt, N = 1024" in log
    assert "of the memory is" in log
    last_digit = r"(?<=// decrypt\n)((?:\w+\n)*\w+)(\w)(?=\n@)"  # the last digit of the ciphertext
    other = {"7": "8"}
    assert "FAIL: decrypt" in changed("memory.hex", last_digit, lambda found: found[1] + other.get(found[2], "7"))
    for wanted, pattern, text in (
        (r"register 008 is 000000.., not 00000063", r"^02_00000008_\w{8}", "02_00000008_00000063"),
        (r"register 044 is 0\d\d\d0\w\w\w, not", r"^01_00000048_\w{8}(.*LOG_N)", r"01_00000048_00000003\1"),
        (r"FAIL.* rows were compared, not ", r"^05_.*\n", ""),
    ):
        assert re.search(wanted, changed("script.hex", pattern, text))
    assert "damaged or was not found" in run(place, binary, "+vectors=nowhere", code=1)


# ---- what it says follows from the sources --------------------------------------------------------------------------
def test_registers_are_those_of_the_header(made: kit.Kit) -> None:
    header = made.files["registers/regs.h"].decode()
    offsets = {name: int(value, 16) for name, value in re.findall(r"RS_REG_([A-Z_]+) =\s+(0x[0-9a-f]+),", header)}
    assert len(offsets) > 20
    names = made.names
    svd = ET.fromstring(made.files[f"registers/{names.block}.svd"])
    found = {
        (one.findtext("name") or "").removesuffix("%s"): int(one.findtext("addressOffset") or "", 16)
        for one in svd.iter("register")
    }
    assert found.items() <= offsets.items()
    assert {name for name in offsets if not name.startswith(("ID_", "VERSION_"))} >= found.keys()
    assert len(found) == len(registers.read(source_tree()).all)
    fields = {one.findtext("name"): one for one in svd.iter("field")}
    assert fields["cause"].findtext("bitOffset") == re.search(r"STATUS_CAUSE_SHIFT = (\d+)", header)[1]  # type: ignore[index]
    assert fields["start"].findtext("modifiedWriteValues") == "modify"
    assert "readAction" not in made.files[f"registers/{names.block}.svd"].decode()


def test_base_address_is_in_the_svd() -> None:
    text = registers.svd(registers.read(source_tree()), "x", "1", "about", 0x40000000)
    assert ET.fromstring(text).findtext(".//baseAddress") == "0x40000000"


def test_ipxact_can_be_read_back(made: kit.Kit, tmp_path: Path) -> None:
    """By PeakRDL's importer: the same registers. Buses and ports are in the order of the standard, and complete."""
    from peakrdl_ipxact import IPXACTImporter
    from systemrdl.compiler import RDLCompiler
    from systemrdl.node import RegNode

    path = written(tmp_path / "component.xml", made.files[f"registers/{made.names.block}.xml"])
    compiler = RDLCompiler()
    IPXACTImporter(compiler).import_file(str(path))
    top = compiler.elaborate().top
    found = {node.inst_name: node.raw_address_offset for node in top.registers(unroll=False)} or {
        node.inst_name: node.raw_absolute_address - top.raw_absolute_address
        for node in top.descendants(unroll=False)
        if isinstance(node, RegNode)
    }
    assert found == {one.name: one.offset for one in registers.read(source_tree()).all}

    space = {"ipxact": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
    root = ET.parse(path).getroot()
    order = [child.tag.partition("}")[2] for child in root]
    identifier, interfaces = ["vendor", "library", "name", "version"], ["busInterfaces", "addressSpaces", "memoryMaps"]
    assert order == [*identifier, *interfaces, "model", "fileSets", "description"]
    ports = [node.text for node in root.findall(".//ipxact:port/ipxact:name", space)]
    mapped = {node.text for node in root.findall(".//ipxact:physicalPort/ipxact:name", space)}
    assert mapped == set(ports) - {"irq_o", "alert_o", "scan_mode_i", "scan_ready_o"}
    reference = some(root.find(".//ipxact:memoryMapRef", space))
    assert reference.get("memoryMapRef") == root.findtext(".//ipxact:memoryMap/ipxact:name", namespaces=space)
    files = {node.text for node in root.findall(".//ipxact:file/ipxact:name", space)}
    assert {str(name) for name in files} <= made.files.keys()


def test_lists_name_the_files(made: kit.Kit) -> None:
    names = made.names
    listed = [line for line in made.files[f"{names.block}.f"].decode().splitlines() if not line.startswith("//")]
    assert listed == [*names.rtl, names.wrapper]
    assert {path for path in made.files if path.startswith("rtl/")} == set(listed)
    assert {f"rtl/{name}.sv" for name in kit.BRIDGES} < set(listed)
    known = [path.name for path in core.sources()]
    assert [Path(path).name for path in names.rtl[:-1]] == [name for name in known if f"rtl/{name}" in listed]
    assert re.findall(r"rtl/[\w.]+", made.files[f"{names.block}.tcl"].decode()) == listed
    for path, content in made.files.items():
        assert str(ROOT).encode() not in content, path


def test_constraints_name_every_port(made: kit.Kit) -> None:
    sdc = made.files[f"constraints/{made.names.block}.sdc"].decode()
    assert "create_clock -name clk_i -period 10.000 " in sdc  # 100 MHz, as the design states
    ports = module.read("rs_core", core.sources(), small().parameters).outside
    inputs, outputs = (set(re.search(rf"{way}.*{{(.*)}}", sdc)[1].split()) for way in ("set_input", "set_output"))  # type: ignore[index]
    assert inputs == {port.name for port in ports if not port.is_output} - {"clk_i"}
    assert outputs == {port.name for port in ports if port.is_output}
    assert "-period 6.667 " in constraints.xdc("x", 150, "")


@pytest.mark.soak  # elaborates it for each technology
def test_units_that_the_design_does_not_have_are_left_out(made: kit.Kit) -> None:
    """By elaboration: rise-1 streams nothing, and encodes nothing. Every macro of a technology finds its units."""
    files = {Path(path).stem for path in made.names.rtl}
    assert not {name for name in files if re.match("rs_(stream|pipe)_|rs_load_slots|rs_fixed_word", name)}
    assert {"rs_core", "rs_mul_carry_save", "rs_ram_1rw", "rs_ram_2rw", "rs_isa_pkg"} <= files
    top = module.read("rs_core", core.sources(), small().owned)
    given = ", ".join(f".{one.name}({one.literal})" for one in top.parameters)
    probe = f"module probe; rs_core #({given}) u_top (); endmodule\n"
    for macro in module.TECHNOLOGIES:
        module.elaborate("probe", top.sources, probe, macro)  # a unit that is missing is an error
    streaming = module.read("rs_core", core.sources(), replace(designs.load("ringside-stream"), ports=1).owned)
    assert "rs_stream_ntt" in {path.stem for path in streaming.sources}


def test_open_parameters_are_those_that_a_system_may_change(made: kit.Kit) -> None:
    """Each with another value than its default still elaborates, from the files of the kit; no other parameter is offered."""
    top = module.read("rs_core", core.sources(), small().owned)
    assert [one.name for one in top.free] == [row.rtl for row in OTHERS]
    shell_text = made.files[made.names.rtl[-1]].decode()
    assert re.findall(r"^ +parameter .*?(\w+) +=", shell_text, re.MULTILINE) == [one.name for one in top.free]
    for changed in top.free:
        value = 1 if changed.value != 1 else 2
        given = ", ".join(
            f".{one.name}({one.text(value) if one is changed else one.literal})" for one in top.parameters
        )
        module.elaborate("probe", top.sources, f"module probe; rs_core #({given}) u_top (); endmodule\n")


FAKE = """package rs_fake_pkg;
  typedef enum logic [1:0] {RED, GREEN} colour_e;
endpackage
module rs_fake #(
    parameter int unsigned          W     = 8,
    parameter rs_fake_pkg::colour_e Paint = rs_fake_pkg::RED,
    parameter rs_fake_pkg::colour_e Trim  = rs_fake_pkg::GREEN,
    parameter bit                   Fast  = 1'b1,
    // what memory may do
    parameter logic [3:0]           Cache = 4'hf,
    localparam int unsigned         Twice = 2 * W
) (
    input  logic             clk_i,
    input  logic [W-1:0]     extra_i,
    output logic [Twice-1:0] m_axi_awuser,
    output logic [3:0]       m_axi_arid,
    output logic [39:0]      m_axi_araddr,
    input  logic [63:0]      m_axi_rdata,
    output logic             trace_x_o
);
  assign m_axi_awuser = {Twice{Fast}} ^ Twice'(extra_i) ^ Twice'(Paint) ^ Twice'(Trim) ^ Twice'(Cache);
  assign m_axi_arid   = Cache;
  assign m_axi_araddr = m_axi_rdata[39:0];
  assign trace_x_o    = clk_i;
endmodule
"""


def test_ports_and_parameters_are_read_and_not_typed(tmp_path: Path) -> None:
    """They are read from any module: what its design does not set is left to the integrator, enumerations as numbers, with the module's defaults."""
    source = written(tmp_path / "rs_fake.sv", FAKE)
    top = module.read("rs_fake", [source], {"W": 12, "Paint": 1})
    widths = {"clk_i": 1, "extra_i": 12, "m_axi_awuser": 24, "m_axi_arid": 4, "m_axi_araddr": 40, "m_axi_rdata": 64}
    assert [(port.name, port.bits) for port in top.outside] == [*widths.items()]
    assert {port.name for port in top.outside if port.is_output} == {"m_axi_awuser", "m_axi_arid", "m_axi_araddr"}
    free = [("Trim", "int unsigned", 1), ("Fast", "bit", 1), ("Cache", "logic[3:0]", 15)]
    assert [(one.name, one.plain, one.value) for one in top.free] == free
    assert [one.about for one in top.parameters if one.about] == ["what memory may do"]
    shell, outer = tmp_path / "fake_shell.sv", tmp_path / "fake.v"
    shell.write_text(wrapper.shell(top, "fake_shell", "made here"))
    outer.write_text(wrapper.wrapper(top, "fake", "fake_shell", "made here"))
    body, _owner = module.elaborate("fake", [source, shell, outer])
    assert [(port.name, port.type.bitWidth) for port in body.portList] == [
        (port.name, port.bits) for port in top.outside
    ]
    assert 'm_axi AWUSER" *)' in outer.read_text()
    assert re.search(
        r"DATA_WIDTH 64, ADDR_WIDTH 40, .*ID_WIDTH 4, .*AWUSER_WIDTH 24, ARUSER_WIDTH 0", outer.read_text()
    )
    yosys.run([f"read_verilog {outer}"])
    yosys.run([f"read_slang --top fake {source} {shell} {outer}"])
    raises(rs.DeviceError, "rs_fake has no parameter Weight", module.read, "rs_fake", [source], {"Weight": 1})
    source.write_text(FAKE.replace("Twice'(extra_i)", "nobody"))
    with pytest.raises(rs.DeviceError, match=r"slang cannot elaborate rs_fake: .*UndeclaredIdentifier"):
        module.read("rs_fake", [source], {})


def test_the_recording_does_not_depend_on_how_images_are_written() -> None:
    """The answers are every word of the library's result, once, whatever the place that the driver reads it from."""
    design = small()
    for job in vectors.record(design, registers.read(source_tree())):
        words = 2 if job.op == "encrypt-pk-direct" else 1
        assert sum(len(data) for _, data in job.answers) == words * job.n * 4
        assert [step.kind for step in job.steps].count(vectors.WAIT) == 1
        assert all(begin >= 64 for begin, _ in job.answers)


def test_a_design_with_smaller_rings_than_the_librarys_has_jobs() -> None:
    """The transforms of post-quantum schemes begin at N = 256, the library's parameters at 512."""
    jobs = vectors.record(designs.load("newhope"), registers.read(source_tree()))
    assert {job.n for job in jobs} == {512}
    assert "ntt" in {job.op for job in jobs}


@pytest.mark.soak
@pytest.mark.parametrize("name", script("releasing.release").KITS)
def test_every_design_of_a_release_is_a_kit(name: str) -> None:
    assert {"README.md"} < set(kit.make(designs.load(name)).files)


def test_a_design_without_sampler_has_a_self_test_too() -> None:
    jobs = vectors.record(designs.load("race"), registers.read(source_tree()))
    assert [job.op for job in jobs] == list(vectors.OPERATIONS)


def test_states_its_clock(tmp_path: Path) -> None:
    text = (ROOT / "designs" / "rise-1.toml").read_text()
    for given, wanted in (("", 100), ("[target]\nclock_mhz = 75\n", 75)):
        path = written(tmp_path / "one.toml", text[: text.index("[target]")] + given)
        assert designs.load(str(path)).clock_mhz == wanted
    path.write_text(text[: text.index("[target]")] + "[target]\nclock_mhz = 0\n")
    raises(rs.ParameterError, "clock_mhz must be 1 to", designs.load, str(path))


# ---- the directory, and the command ---------------------------------------------------------------------------------
def test_it_replaces_its_own_directory_only(made: kit.Kit, tmp_path: Path) -> None:
    place = tmp_path / "ip"
    kit.write(made, place)
    before = {path: path.stat().st_ino for path in place.rglob("*") if path.is_file()}
    assert len(before) == len(made.files) + 1
    kit.write(made, place)  # nobody has changed it
    assert all(path.stat().st_ino != number for path, number in before.items())
    for change in ("rtl/rs_core.sv", "notes.txt"):
        (place / change).open("a").write("mine")
        raises(rs.FileError, rf"{change} is not as `ringside rtl` has made it", kit.write, made, place)
        assert "mine" in (place / change).read_text()
        kit.write(made, place, force=True)
    assert not (place / "notes.txt").exists()
    (place / "sim" / "obj_dir").mkdir()
    (place / "sim" / "obj_dir" / "bench.o").touch()
    (place / "sim" / "build.log").touch()
    kit.write(made, place)  # what the self-test has built is not missed
    assert not (place / "sim" / "obj_dir").exists()
    other = tmp_path / "other"
    other.mkdir()
    kit.write(made, other)  # empty
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("years of work")
    raises(rs.FileError, "`ringside rtl` has not made it", kit.write, made, foreign)
    raises(rs.FileError, "is no directory", kit.write, made, foreign / "thesis.tex", force=True)
    assert (foreign / "thesis.tex").read_text() == "years of work"


def test_an_error_leaves_the_old_directory(made: kit.Kit, tmp_path: Path) -> None:
    place = tmp_path / "ip"
    kit.write(made, place)
    broken = replace(made, files={**made.files, "rtl": b"a file where a folder is"})
    raises(rs.FileError, "Cannot write", kit.write, broken, place)
    assert [path.name for path in tmp_path.iterdir()] == ["ip"]
    kit.check_place(place, force=False)  # as it was


def test_the_command(ringside: CommandLine, tmp_path: Path) -> None:
    place = tmp_path / "ip"
    done = ringside("rtl", "rise-1", "-o", place, "--clock", "150", "--base", "0x40000000", "--json").ends(0)
    assert done.json["output"] == str(place)
    assert done.json["top"] == "ringside_rise_1"
    assert done.json["self_test"] == list(vectors.OPERATIONS)
    manifest = json.loads((place / "kit.json").read_text())
    assert manifest["clock_mhz"] == 150
    assert manifest["files"] == done.json["files"]
    assert "-period 6.667" in (place / "constraints" / "ringside_rise_1.sdc").read_text()
    assert "0x40000000" in (place / "registers" / "ringside_rise_1.svd").read_text()
    (place / "README.md").write_text("mine")
    assert ringside("rtl", "rise-1", "-o", place, "--json").ends(4).json["error"]["code"] == "FILE_EXISTS"
    done = ringside("rtl", "rise-1", "-o", place, "--force")
    assert (done.code, done.err) == (0, "")
    (printed,) = re.findall(r"^run it +(.*)$", done.out, re.MULTILINE)
    assert printed == f"sh {place}/sim/run.sh"
    for arguments, code, words in (
        (["rise-99", "-o", place / "x"], 3, "There is no design"),
        (["rise-1"], 2, "--out"),
        (["rise-1", "-o", "-"], 2, "a directory"),
        (["rise-1", "-o", place / "x", "--base", "here"], 2, "is not an address"),
    ):
        ringside("rtl", *arguments).ends(code, words)
    assert not (place / "x").exists()


@pytest.mark.parametrize("name", ["pyslang", "systemrdl", "peakrdl_ipxact"])
def test_missing_tools_are_named(
    ringside: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for loaded in [one for one in sys.modules if one.partition(".")[0] == name]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, name, None)
    ringside("rtl", "rise-1", "-o", tmp_path / "ip").ends(3, "is not installed", install("rtl"))
    assert not (tmp_path / "ip").exists()


def test_two_ports_to_memory_are_refused(ringside: CommandLine, tmp_path: Path) -> None:
    ringside("rtl", "ringside-stream", "-o", tmp_path / "ip").ends(3, "has 2 ports to memory")
    assert not (tmp_path / "ip").exists()


def test_names_of_modules() -> None:
    names = [kit.block_name(name) for name in ("rise-1", "a.b_c", "ringside-32")]
    assert names == ["ringside_rise_1", "ringside_a_b_c", "ringside_32"]


def test_the_fusesoc_core_is_whole(made: kit.Kit) -> None:
    """Every file that it names is there."""
    import yaml

    text = made.files[f"{made.names.block}.core"].decode()
    content: dict[str, Any] = yaml.safe_load(text)
    assert content["name"] == made.names.vlnv
    assert set(content["targets"]) == {"default", "lint", "sim", "waves", "synth"}
    named = set()
    for fileset in content["filesets"].values():
        named |= {one if isinstance(one, str) else next(iter(one)) for one in fileset["files"]}
    assert named <= made.files.keys()
    assert {path for path in made.files if path.endswith((".v", ".sv"))} - named == {f"sim/{made.names.bench}_tb.sv"}
    assert lists.PART in text
    bender = yaml.safe_load(made.files["Bender.yml"])
    assert bender["package"]["name"] == made.names.block
    assert bender["sources"] == [*made.names.rtl, made.names.wrapper]
