# SPDX-License-Identifier: Apache-2.0
"""The C library as others use it: installed (CMake package, pkg-config) or among their own sources, from C and C++."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import numpy as np
import pytest

import ringside
from builds import ROOT, cmake, exports, output_of, run
from package.libraries import KINDS, build_of, installed
from recipes import fenced
from tree_scripts import script

HERE = Path(__file__).resolve().parent
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
HOST_KINDS = ["static", "shared"]


@pytest.fixture(scope="module")
def prefixes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: installed(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}


def pkg_config(prefix: Path, *options: str) -> list[str]:
    file = prefix / "lib" / "pkgconfig"
    return output_of("pkg-config", *options, "ringside", PKG_CONFIG_PATH=str(file)).split()


def compile_and_link(prefix: Path, compiler: str, source: Path, program: Path) -> None:
    flags = pkg_config(prefix, "--cflags", "--libs")
    output_of(compiler, "-Wall", "-Wextra", "-Werror", "-o", program, source, *flags)


def consumer(prefix: Path, place: Path, parts: str = "core;host") -> Path:
    """A program of a CMake project that finds the package there."""
    return cmake(HERE / "find_package", place / "b", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DPARTS={parts}") / "consumer"


def needed(program: Path) -> set[str]:
    """Shared libraries that a program or library asks for."""
    return set(re.findall(r"NEEDED.*\[(.*)\]", output_of("readelf", "-d", program)))


@pytest.mark.parametrize("kind", HOST_KINDS)
def test_find_package_from_cpp(kind: str, prefixes: dict[str, Path], tmp_path: Path) -> None:
    program = consumer(prefixes[kind], tmp_path)
    assert output_of(program).startswith(f"ringside {VERSION}: largest error")
    assert ("libringside.so.0.1" in needed(program)) == (kind == "shared")


def test_find_package_core(prefixes: dict[str, Path], tmp_path: Path) -> None:
    program = consumer(prefixes["core"], tmp_path, "core")
    assert output_of(program) == f"ringside {VERSION}: RS_OK\n"
    assert needed(program) == {"libc.so.6"}


def test_a_core_has_no_host(prefixes: dict[str, Path], tmp_path: Path) -> None:
    place = f"-DCMAKE_PREFIX_PATH={prefixes['core']}"
    done = run("cmake", "-S", HERE / "find_package", "-B", tmp_path, place, "-DPARTS=core;host")
    assert done.returncode != 0
    assert "has no component host" in done.stderr


@pytest.mark.parametrize("kind", HOST_KINDS)
def test_pkg_config_builds_the_example(kind: str, prefixes: dict[str, Path], tmp_path: Path) -> None:
    """The example with its own command line, and Python opens what it wrote."""
    program = tmp_path / "client"
    compile_and_link(prefixes[kind], "cc", ROOT / "lib" / "examples" / "client.c", program)
    place = tmp_path / "files"
    place.mkdir()
    libraries = str(prefixes[kind] / "lib")
    assert "5 values encrypted" in output_of(program, place, LD_LIBRARY_PATH=libraries)
    context = ringside.Context(ringside.Parameters.load(place / "parameters.seal"))
    secret = ringside.SecretKey.load(context, place / "secret.key")
    message = ringside.Ciphertext.load(context, place / "message.seal")
    assert message.seeded
    assert np.allclose(context.decrypt_values(message, secret)[:6], [21.5, 21.75, -3.25, 0, 19, 0], atol=1e-6)
    # it overwrites nobody's key
    before = (place / "secret.key").read_bytes()
    done = run(program, place, LD_LIBRARY_PATH=libraries)
    assert done.returncode == 1
    assert "File exists" in done.stderr
    assert (place / "secret.key").read_bytes() == before


@pytest.mark.soak  # half a minute: the library once more, with flags that no other build has
def test_the_recipe_of_the_readme(tmp_path: Path) -> None:
    """Word for word, with no variable set but those of the compiler's cache. It writes into a tree of its own and another home."""
    readme = (ROOT / "lib" / "README.md").read_text(encoding="utf-8")
    (recipe,) = [block for block in fenced(readme, "sh") if "pkg-config" in block]
    tree = build_of("recipe")
    tree.mkdir(parents=True, exist_ok=True)
    for name in ("CMakeLists.txt", "pyproject.toml", "lib"):
        if not (tree / name).exists():
            (tree / name).symlink_to(ROOT / name)
    cached = {name: value for name, value in os.environ.items() if name.startswith(("CCACHE_", "CMAKE_C_COMPILER_L"))}
    home = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    done = subprocess.run(["sh", "-e", "-c", recipe], cwd=tree, env=home | cached, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 values encrypted" in output_of(tree / "client", tmp_path)


def test_the_remedy_for_a_missing_zlib(tmp_path: Path) -> None:
    """What the error proposes works, in the same build directory too."""
    configure = ["cmake", "-S", str(ROOT), "-B", str(tmp_path), "-DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON"]
    done = run(*configure)
    assert done.returncode != 0
    assert "ZLIB is missing for Linux on" in " ".join(done.stderr.split())
    remedy = re.findall(r"-DRS_\w+=\w+", done.stderr)
    assert "-DRS_CORE_ONLY=ON" in remedy
    output_of(*configure, *remedy)


def test_without_zlib_and_zstd(prefixes: dict[str, Path], tmp_path: Path) -> None:
    """RS_CODEC=OFF: keys, encryption, decryption and files as ever, compressed ones refused by a status that says so; no trace of either library."""
    words = pkg_config(prefixes["plain"], "--libs", "--static")
    assert {word for word in words if word.startswith("-l")} <= {"-lringside", "-lpthread", "-lm"}
    compile_and_link(prefixes["plain"], "cc", HERE / "plain_client.c", tmp_path / "client")
    assert needed(tmp_path / "client") <= {"libc.so.6", "libm.so.6"}
    assert (
        output_of(tmp_path / "client") == "plain: RS_OK; zlib: RS_ERR_COMPRESSION; zstd: RS_ERR_COMPRESSION; no codec\n"
    )
    assert output_of(consumer(prefixes["plain"], tmp_path)).startswith(f"ringside {VERSION}: largest error")
    cache = (build_of("plain") / "CMakeCache.txt").read_text(encoding="utf-8")
    assert not re.search("^(zlib|zstd)_", cache, re.IGNORECASE | re.MULTILINE)


@pytest.mark.parametrize(
    "file",
    ["encoding/fft.c", "encoding/fft_roots.c", "fma/ring_fma.c", "x86/reals/reals_avx2.c", "x86/reals/reals_scalar.c"],
)
def test_fast_math_is_refused(file: str) -> None:
    """By the sources, whatever builds them; CMake's build takes the flag back (test_add_subdirectory_with_flags_of_its_own)."""
    library = ROOT / "lib"
    source = library / "src" / file
    command = ["cc", "-std=c11", "-fsyntax-only", "-DRS_BACKENDS", f"-I{library / 'src'}", f"-I{library / 'include'}"]
    output_of(*command, str(source))
    refused = run(*command, "-ffast-math", str(source))
    assert refused.returncode != 0
    assert "build without -ffast-math" in refused.stderr


def test_pkg_config_core(prefixes: dict[str, Path], tmp_path: Path) -> None:
    program = tmp_path / "client"
    compile_and_link(prefixes["core"], "cc", HERE / "core_client.c", program)
    assert output_of(program) == f"ringside {VERSION}: RS_OK\n"
    words = pkg_config(prefixes["core"], "--libs", "--static")
    assert [word for word in words if word.startswith("-l")] == ["-lringside"]


def test_core_only_asks_for_nothing(prefixes: dict[str, Path]) -> None:
    """No zlib, zstd or thread is named in the archive, and configuring it looks for none."""
    archive = prefixes["core"] / "lib" / "libringside.a"
    names = {line.split()[-1] for line in output_of("nm", "-A", "--undefined-only", archive).splitlines()}
    foreign = {name for name in names if not name.startswith(("rs_", "RS_"))}
    arithmetic = {"__udivti3", "_GLOBAL_OFFSET_TABLE_"}  # libgcc, linker
    assert foreign - arithmetic <= {"memcpy", "memmove", "memset", "memcmp"}
    cache = (build_of("core") / "CMakeCache.txt").read_text(encoding="utf-8")
    assert not re.search("^(zlib|zstd|threads)_", cache, re.IGNORECASE | re.MULTILINE)


@pytest.mark.parametrize("kind", HOST_KINDS)
def test_functions_are_bound_at_the_start(kind: str, prefixes: dict[str, Path], tmp_path: Path) -> None:
    """In the library, and in programs that CMake or pkg-config link with it: the lazy binder leaves a key's words on the stack."""
    compile_and_link(prefixes[kind], "cc", ROOT / "lib" / "examples" / "client.c", tmp_path / "client")
    objects = [consumer(prefixes[kind], tmp_path), tmp_path / "client"]
    objects += [prefixes[kind] / "lib" / "libringside.so"] if kind == "shared" else []
    for file in objects:
        assert "Flags: NOW" in output_of("readelf", "-d", file), file


def test_shared_library_has_a_version(prefixes: dict[str, Path]) -> None:
    library = prefixes["shared"] / "lib" / "libringside.so"
    assert library.resolve().name == f"libringside.so.{VERSION}"
    assert "[libringside.so.0.1]" in output_of("readelf", "-d", library)


def test_shared_library_exports_what_is_promised(prefixes: dict[str, Path]) -> None:
    """Nothing golden, nothing internal."""
    promised = script("checks.abi").functions(
        (ROOT / "lib" / "tests" / "abi.txt").read_text(encoding="utf-8").splitlines()
    )
    assert exports(prefixes["shared"] / "lib" / "libringside.so") == set(promised)


def test_installed_files_know_no_path_of_this_machine(prefixes: dict[str, Path]) -> None:
    for prefix in prefixes.values():
        for path in [*prefix.rglob("*.cmake"), *prefix.rglob("*.h")]:
            assert str(ROOT) not in path.read_text(encoding="utf-8"), path


@pytest.mark.soak  # half a minute: the library once more, with flags that no other build has
def test_add_subdirectory_with_flags_of_its_own() -> None:
    """Warnings of the project's own stop nothing, and -ffast-math changes no bit: the self-test has known answers."""
    built = cmake(HERE / "subdirectory", build_of("subdirectory"), f"-DRINGSIDE={ROOT}", "-DBUILD_SHARED_LIBS=ON")
    assert output_of(built / "consumer").startswith(f"ringside {VERSION}: largest error")
    assert output_of(built / "core_client") == f"ringside {VERSION}: RS_OK\n"
    cache = (built / "CMakeCache.txt").read_text(encoding="utf-8")
    assert "CMAKE_BUILD_TYPE:STRING=\n" in cache, "the library chose its user's build type"
    # the object that makes a process flush subnormals, which -ffast-math links into libraries
    assert "set_fast_math" not in output_of("nm", built / "ringside" / "lib" / "libringside.so")
