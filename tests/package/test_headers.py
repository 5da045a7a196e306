# SPDX-License-Identifier: Apache-2.0
"""Every public header compiles alone, as C11 and as C++17, and no status of the library is dropped by accident."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIB = ROOT / "lib"
INCLUDE = LIB / "include"
HEADERS = sorted(str(path.relative_to(INCLUDE / "ringside")) for path in (INCLUDE / "ringside").rglob("*.h"))
STRICT = ["-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", str(INCLUDE)]
LANGUAGES = {"c": ["gcc", "-std=c11", "-xc"], "c++": ["g++", "-std=c++17", "-xc++"]}


def compile_text(*command: str, text: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, "-"], input=text, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("header", HEADERS)
def test_each_header_compiles_alone(header: str, language: str) -> None:
    # once more: the guards hold
    text = f"#include <ringside/{header}>\n#include <ringside/{header}>\nint done;\n"
    done = compile_text(*LANGUAGES[language], *STRICT, text=text)
    assert done.returncode == 0, done.stderr


def test_functions_have_c_linkage_in_cpp(tmp_path: Path) -> None:
    """One undefined symbol per function that a C++ program names, and none of them mangled."""
    text = """#include <ringside/golden.h>
    const void *const USED[] = {(const void *)rs_version, (const void *)rs_status_name, (const void *)rs_params_init,
        (const void *)rs_context_init, (const void *)rs_encrypt, (const void *)rs_plan_forward, (const void *)rs_shake256,
        (const void *)rs_sample_cbd21, (const void *)rs_wire_open, (const void *)rs_rng_os, (const void *)rs_backend_name,
        (const void *)rs_pool_create, (const void *)rs_encrypt_batch, (const void *)rs_device_open,
        (const void *)rs_program_build};
    """
    unit = tmp_path / "unit.o"
    done = compile_text("g++", "-std=c++17", "-xc++", "-I", str(INCLUDE), "-c", "-o", str(unit), text=text)
    assert done.returncode == 0, done.stderr
    names = subprocess.run(["nm", "-u", unit], capture_output=True, text=True, check=True).stdout.split()
    wanted = {name for name in names if name != "U"}
    assert len(wanted) == 15
    assert all(name.startswith("rs_") for name in wanted), wanted


def test_every_public_function_is_used() -> None:
    """By the library, the package, hardware or a test: besides its definition something names it."""
    declared = {
        name
        for header in (INCLUDE / "ringside").rglob("*.h")
        for name in re.findall(
            r"^RS_(?:API|GOLDEN)[^;({]*?\b(rs_\w+)\(", header.read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    assert len(declared) > 200
    named: Counter[str] = Counter()
    places = [
        *(path for path in LIB.iterdir() if path.name != "include"),
        *(ROOT / name for name in ("py", "sim", "soc", "tests", "hw")),
    ]
    for path in (path for place in places for path in place.rglob("*") if path.suffix in (".c", ".h", ".cpp", ".py")):
        named.update(re.findall(r"\brs_\w+", path.read_text(encoding="utf-8")))
    assert {name for name in declared if named[name] < 2} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dropped_status_warns(language: str) -> None:
    text = "#include <ringside/ckks.h>\nvoid f(rs_secret_key_t *k) { CALL; }\nvoid g(void *p) { rs_zeroize(p, 1); }\n"
    # not -fsyntax-only: GCC finds it after parsing
    command = [*LANGUAGES[language], "-Wall", "-Werror", "-I", str(INCLUDE), "-S", "-o", "/dev/null"]
    call = "rs_keygen_secret(0, k, 0)"
    dropped = compile_text(*command, f"-DCALL={call}", text=text)
    assert dropped.returncode != 0
    assert "unused-result" in dropped.stderr
    for used in (f"if ({call} != RS_OK) return", f"rs_ignore({call})"):
        assert compile_text(*command, f"-DCALL={used}", text=text).returncode == 0


@pytest.mark.alike(4)
@pytest.mark.parametrize("part", range(8))
def test_the_library_drops_no_status(part: int) -> None:
    """clang attaches the attribute to the type, so that internal functions and pointers to functions count too."""
    clang = shutil.which("clang-14") or shutil.which("clang")
    assert clang, "missing: clang; `make test` installs the package clang-14"
    folders = [LIB / "src", *(path for path in sorted((LIB / "src").rglob("*")) if path.is_dir()), LIB / "tests"]
    sources = sorted((LIB / "src").rglob("*.c"))
    assert len(sources) > 50
    include = [f"-I{folder}" for folder in [INCLUDE, *folders]]
    options = ["-std=c11", "-fsyntax-only", "-Werror=unused-result", "-DRS_BACKENDS", '-DRS_VERSION="0"', *include]
    done = subprocess.run([clang, *options, *sources[part::8]], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
