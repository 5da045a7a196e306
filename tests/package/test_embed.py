# SPDX-License-Identifier: Apache-2.0
"""The lean client's folder and the recipes of `make embed`: compilers of small machines build the examples by each manifest; each night the manifests'
own tools read them, and stock SEAL decrypts what the example sends."""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import ringside
from bare.machines import SOURCE, TARGETS
from bench.peers.base import PLACE, AbsentError, built
from builds import ROOT, cmake, need, output_of, run
from exclusive import exclusive
from interop.judges import skip_without
from interop.peers import SealNative
from tree_scripts import script

embed = script("releasing.embed")
HERE = Path(__file__).resolve().parent
TOOLS = HERE / "embed" / "requirements.txt"
XTENSA = "xtensa-lx106-elf-gcc"
RAMP = 16 * (np.arange(2048) - 1024) / 2**15


@pytest.fixture(scope="module")
def folders() -> dict[str, Path]:
    """In a place that stays, so that what is compiled there is kept."""
    place = ROOT / "build" / "package" / "embed"
    with exclusive(place):
        return {part: embed.make(part, place / part) for part in ("ringside", "packages")}


@pytest.fixture(scope="module")
def client(folders: dict[str, Path]) -> Path:
    return folders["ringside"]


@pytest.fixture(scope="module")
def tools() -> Path:
    """Programs of the manifests' makers, in an environment of their own: their versions of common packages contradict ours."""
    try:
        with built(
            "embed-tools", "Conan, PlatformIO, ESP-IDF's component manager and others", [TOOLS], sys.version
        ) as place:
            if place:
                output_of(sys.executable, "-m", "venv", place / "venv")
                done = run(place / "venv" / "bin" / "python", "-m", "pip", "install", "--quiet", "-r", TOOLS)
                if done.returncode:
                    raise AbsentError(done.stderr.strip().splitlines()[-1])
    except AbsentError as error:
        skip_without("tools of manifests", error)
    return PLACE / "embed-tools" / "venv" / "bin"


# ---- what is in the folder ------------------------------------------------------------------------------------------
def test_no_mark_is_left_and_the_version_is_the_projects(folders: dict[str, Path]) -> None:
    for path in (
        path for folder in folders.values() for path in folder.rglob("*") if path.is_file() and path.suffix != ".gz"
    ):
        if "lib" not in path.relative_to(folders["packages"].parent).parts[1:2]:
            assert not re.search(r"@[A-Z_]+@", path.read_text(encoding="utf-8")), path
    manifests = (
        "library.properties",
        "library.json",
        "idf_component.yml",
        "CMakeLists.txt",
        "meson.build",
        "ringside.pdsc",
    )
    for name in manifests:
        assert embed.VERSION in (folders["ringside"] / name).read_text(encoding="utf-8"), name


def test_the_folder_has_the_librarys_files_and_no_others(client: Path) -> None:
    for path in (client / "src").rglob("*.*"):
        name = path.relative_to(client / "src")
        where = ROOT / "lib" / ("include" if name.parts[0] == "ringside" else "src")
        assert path.read_bytes() == (where / name).read_bytes(), name
    assert sorted(str(path.relative_to(client / "src")) for path in (client / "src").rglob("*.c")) == sorted(
        embed.lean_sources()
    )


# ---- compilers ------------------------------------------------------------------------------------------------------
def toolchain(name: str) -> Iterator[str]:
    if name != "xtensa":
        need({f"{TARGETS[name].prefix}gcc": TARGETS[name].packages[0]})
        yield from ("--toolchain", str(SOURCE / TARGETS[name].folder / f"{name}.cmake"))
        return
    if not shutil.which(XTENSA):
        skip_without("Xtensa", AbsentError(f"no {XTENSA} on PATH (Debian: gcc-xtensa-lx106)"))
    yield "-DCMAKE_SYSTEM_NAME=Generic"
    yield "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY"
    yield f"-DCMAKE_C_COMPILER={XTENSA}"
    yield f"-DCMAKE_C_FLAGS=-ffreestanding -mlongcalls -I{SOURCE / 'include'}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "system"), [("cortex-m4", "zephyr"), ("rv32", "esp"), ("xtensa", "esp")])
def test_small_machines_compile_the_example_by_its_manifest(name: str, system: str, client: Path) -> None:
    build = ROOT / "build" / "package" / f"embed-{name}"
    options = (f"-DCLIENT={client}", f"-DSYSTEM={system}", "-DCMAKE_BUILD_TYPE=MinSizeRel", *toolchain(name))
    cmake(HERE / "embed", build, *options)
    archive = next(build.rglob("libringside.a"))
    assert len(output_of("ar", "t", archive).split()) == len(embed.lean_sources())
    example = next(path for path in build.rglob("*.a") if path.name in ("libapp.a", "libmain.a"))
    symbols = output_of("nm", example)
    assert re.search(r"T (main|app_main)$", symbols, re.MULTILINE)
    assert re.search(rf"U {'sys_csrand_get' if system == 'zephyr' else 'esp_fill_random'}$", symbols, re.MULTILINE)


@pytest.mark.parametrize("compiler", ["gcc", "arm-none-eabi-gcc", "riscv64-unknown-elf-gcc"])
def test_the_example_has_no_random_numbers_of_its_own(compiler: str, client: Path) -> None:
    need({compiler: f"gcc-{compiler.removesuffix('-gcc')}"})
    includes = (f"-I{client / 'src'}", f"-I{SOURCE / 'include'}")
    command = (
        compiler,
        "-std=c11",
        "-ffreestanding",
        "-fsyntax-only",
        *includes,
        client / "examples" / "sensor" / "sensor_client.c",
    )
    refused = run(*command)
    assert refused.returncode != 0
    assert "#error" in refused.stderr
    assert "true random number generator" in refused.stderr
    output_of(*command, "-DRS_INSECURE_DEMO")


def test_the_sketch_is_cpp(client: Path) -> None:
    """As Arduino's builder takes it: with Arduino.h before it."""
    need({"g++": "g++"})
    options = ("-xc++", "-std=gnu++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{client / 'src'}")
    output_of("g++", *options, "-include", HERE / "embed" / "Arduino.h", client / "examples" / "sensor" / "sensor.ino")


# ---- what it sends --------------------------------------------------------------------------------------------------
@pytest.mark.soak
def test_meson_builds_what_seal_decrypts(client: Path, folders: dict[str, Path], tools: Path, tmp_path: Path) -> None:
    """As a subproject, by the wrap and the archive of the release."""
    project = tmp_path / "project"
    shutil.copytree(folders["packages"] / "meson", project / "subprojects")
    text = "project('user', 'c')\ndependency('ringside-lean')\n"
    (project / "meson.build").write_text(text, encoding="utf-8")
    meson, ninja = tools / "meson", ("ninja", "-C", tmp_path / "build")
    output_of(meson, "setup", tmp_path / "build", project, "-Dringside-lean:example=true")
    output_of(*ninja)
    (program,) = (tmp_path / "build").rglob("sensor")
    key, message, _ = output_of(program).splitlines()
    for name, digits in (("key", key), ("message", message)):
        (tmp_path / name).write_bytes(bytes.fromhex(digits))
    ringside.Parameters.named("seal-embedded-4096").save(tmp_path / "parameters")
    seal = SealNative()
    seal.use(tmp_path / "parameters")
    values = seal.decrypt_values(
        seal.load("ciphertext", tmp_path / "message"), seal.load("secret_key", tmp_path / "key")
    )
    assert np.abs(values - RAMP).max() < 2e-4


# ---- manifests ------------------------------------------------------------------------------------------------------
PLATFORMIO = """
import json, sys
from pathlib import Path
from platformio.package.manifest.parser import ManifestParserFactory
from platformio.package.manifest.schema import ManifestSchema
# else it fetches the list of all licences
ManifestSchema.load_spdx_licenses = staticmethod(lambda: {"licenses": [{"licenseId": "Apache-2.0"}]})
found = ManifestParserFactory.new_from_file(sys.argv[1]).as_dict()
print(json.dumps(ManifestSchema().load_manifest(found)))
"""
IDF = """
import sys
from idf_component_tools.manager import ManifestManager
print(ManifestManager(sys.argv[1], "ringside").load().version)
"""
KCONFIG = """
import sys, kconfiglib
found = kconfiglib.Kconfig(sys.argv[1], warn_to_stderr=False)
assert not found.warnings, found.warnings
found.load_config(sys.argv[2])
print(found.syms["RINGSIDE"].str_value)
"""
# Zephyr's schema for module.yml, as its documentation of modules describes it: the keys that ours has
MODULE = """
import sys, yaml
from pykwalify.core import Core
text = {"type": "str", "required": True}
build = {"type": "map", "mapping": {"cmake": text, "kconfig": text}}
samples = {"type": "seq", "sequence": [{"type": "str"}]}
schema = {"type": "map", "mapping": {"name": text, "build": build, "samples": samples}}
print(Core(source_data=yaml.safe_load(open(sys.argv[1])), schema_data=schema).validate()["name"])
"""
PACK = """
import sys
from cmsis_pack_manager import Cache
found = Cache(True, True, json_path=sys.argv[2], data_path=sys.argv[2])
found.add_pack_from_path(sys.argv[1])
"""


def told_by(tools: Path, code: str, *words: str | Path) -> str:
    return output_of(tools / "python", "-c", code, *words).strip()


@pytest.mark.soak
@pytest.mark.parametrize("name", ["library.json", "library.properties"])
def test_platformio_reads(name: str, client: Path, tools: Path) -> None:
    """Its parser reads Arduino's manifest, too."""
    found = json.loads(told_by(tools, PLATFORMIO, client / name).splitlines()[-1])
    assert found["version"] == embed.VERSION
    assert found["license"] == "Apache-2.0"


@pytest.mark.soak
def test_idf_component_manager_reads(client: Path, tools: Path) -> None:
    assert told_by(tools, IDF, client / "idf_component.yml") == embed.VERSION


@pytest.mark.soak
def test_zephyr_reads(client: Path, tools: Path) -> None:
    """Kconfig by kconfiglib, which is Zephyr's; module.yml by pykwalify, which is too."""
    module = client / "zephyr" / "module.yml"
    assert told_by(tools, MODULE, module) == "ringside"
    text = module.read_text(encoding="utf-8")
    folder, kconfig = (re.search(rf"  {key}: (.*)", text)[1] for key in ("cmake", "kconfig"))  # type: ignore[index]
    assert (client / folder / "CMakeLists.txt").is_file()
    (ROOT / "build" / "package" / "prj.conf").write_text("CONFIG_RINGSIDE=y\n", encoding="utf-8")
    assert told_by(tools, KCONFIG, client / kconfig, ROOT / "build" / "package" / "prj.conf") == "y"


def test_arduino_manifest_has_what_its_specification_asks(client: Path) -> None:
    lines = (client / "library.properties").read_text(encoding="utf-8").splitlines()
    found = dict(line.split("=", 1) for line in lines)
    needed = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures"}
    assert needed <= set(found)
    assert found["category"] in {
        "Display", "Communication", "Signal Input/Output", "Sensors", "Device Control", "Timing", "Data Storage",
        "Data Processing", "Other",
    }  # fmt: skip
    assert (client / "src" / found["includes"]).is_file()
    assert found["sentence"].endswith(".")


def test_pack_description_names_files_that_are_there(client: Path) -> None:
    root = ET.parse(client / "ringside.pdsc").getroot()
    assert [child.tag for child in root] == [
        "vendor",
        "name",
        "description",
        "url",
        "license",
        "releases",
        "components",
    ]
    assert root.find("releases/release").get("version") == embed.VERSION  # type: ignore[union-attr]
    files = root.findall("components/component/files/file")
    assert all((client / str(file.get("name"))).exists() for file in files)
    sources = [str(file.get("name")) for file in files if file.get("category") == "sourceC"]
    assert sorted(sources) == sorted(f"src/{name}" for name in embed.lean_sources())


@pytest.mark.soak
def test_cmsis_pack_manager_reads(client: Path, tools: Path, tmp_path: Path) -> None:
    told_by(tools, PACK, client / "ringside.pdsc", tmp_path)


@pytest.mark.soak
def test_conan_builds_the_core(folders: dict[str, Path], tools: Path, tmp_path: Path) -> None:
    recipe = folders["packages"] / "packaging" / "conan"

    def conan(*words: str | Path) -> str:
        path = f"{tools}:{os.environ['PATH']}"
        return output_of(tools / "conan", *words, PATH=path, CONAN_HOME=str(tmp_path))

    found = json.loads(conan("inspect", recipe, "--format=json"))
    assert (found["name"], found["version"]) == ("ringside", embed.VERSION)
    conan("profile", "detect")
    conan("create", recipe, "-o", "ringside/*:core=True")
    (package,) = tmp_path.glob("p/b/*/p/lib/libringside.a")
    assert (package.parents[1] / "licenses" / "LICENSE").is_file()
    assert (package.parents[1] / "include" / "ringside" / "lean.h").is_file()


VCPKG = """
function(vcpkg_check_features)
    set(rs_features -DRS_CODEC=ON PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
    cmake_parse_arguments(given "" "SOURCE_PATH" "OPTIONS" ${ARGN})
    if(NOT EXISTS "${given_SOURCE_PATH}/CMakeLists.txt")
        message(FATAL_ERROR "no sources in ${given_SOURCE_PATH}")
    endif()
    message(STATUS "configure ${given_OPTIONS}")
endfunction()
function(vcpkg_cmake_install)
endfunction()
function(vcpkg_cmake_config_fixup)
    message(STATUS "fixup ${ARGN}")
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_install_copyright)
    cmake_parse_arguments(given "" "" "FILE_LIST" ${ARGN})
    if(NOT EXISTS "${given_FILE_LIST}")
        message(FATAL_ERROR "no licence")
    endif()
endfunction()
set(CURRENT_PACKAGES_DIR "${CMAKE_CURRENT_BINARY_DIR}/packages")
include("${PORT}/portfile.cmake")
"""


def test_vcpkg_port(folders: dict[str, Path], tmp_path: Path) -> None:
    """No index has vcpkg: CMake runs the port with stand-ins for vcpkg's functions, and the manifest has the documented keys."""
    port = folders["packages"] / "packaging" / "vcpkg"
    (tmp_path / "port.cmake").write_text(VCPKG, encoding="utf-8")
    done = subprocess.run(
        ["cmake", f"-DPORT={port}", "-P", tmp_path / "port.cmake"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "configure -DRS_CODEC=ON;-DRS_BUILD_TESTS=OFF;-DRS_EVALUATOR=OFF" in done.stdout
    assert "fixup CONFIG_PATH;lib/cmake/ringside" in done.stdout
    manifest = json.loads((port / "vcpkg.json").read_text(encoding="utf-8"))
    known = {
        "name",
        "version",
        "description",
        "homepage",
        "license",
        "supports",
        "dependencies",
        "default-features",
        "features",
    }
    assert set(manifest) == known
    assert manifest["version"] == embed.VERSION
    assert set(manifest["default-features"]) <= set(manifest["features"])
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in (manifest["name"], *manifest["features"]))
