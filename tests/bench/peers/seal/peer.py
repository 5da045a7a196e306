# SPDX-License-Identifier: Apache-2.0
"""Microsoft SEAL 4.0.0 with Intel HEXL 1.2.3, native, built as well as can be: clang where there is one, -O3 -march=native.

The Rust crate seal_fhe carries SEAL's C++ tree (MIT) with HEXL (Apache-2.0), zlib and zstd. Only that tree is taken out of the crate;
nothing of the Rust wrapper, which is under another licence, is compiled, linked or kept. SEAL's own defaults are left as they are,
noise included (centred binomial; the wrappers switch to a Gaussian).
"""

import hashlib
import os
import tarfile
from pathlib import Path

from bench.peers.base import PLACE, AbsentError, Peer, built, processor, run, tool, version_of
from bench.plan import CLIENT, NTT, SEAL

HERE = Path(__file__).resolve().parent
CRATE = "seal_fhe"
VERSION = "0.8.1"
SHA256 = "dc3c40172acf7bb633a063025f2f8c8613350534615156994cb44ef5f2a8f254"
CPU_FEATURES = Path("/usr/include/cpu_features/cpuinfo_x86.h")

OPTIONS = {
    "CMAKE_BUILD_TYPE": "Release",
    "CMAKE_C_FLAGS": "-march=native",
    "CMAKE_CXX_FLAGS": "-march=native",
    "CMAKE_CXX_FLAGS_RELEASE": "-O3 -DNDEBUG",
    "CMAKE_C_FLAGS_RELEASE": "-O3 -DNDEBUG",
}
SEAL_OPTIONS = {"SEAL_USE_INTEL_HEXL": "ON", "SEAL_USE_MSGSL": "OFF", "SEAL_USE_GAUSSIAN_NOISE": "OFF"}


def fetch(place: Path) -> Path:
    """SEAL's tree. `cargo info` downloads a crate without those that it depends on."""
    cargo = tool("cargo", hint="1.82 or newer; Debian 12's is in cargo-web")
    run(SEAL, [cargo, "info", "--quiet", f"{CRATE}@{VERSION}"], cwd=place)  # cwd: outside any Rust project
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    crate = next(home.glob(f"registry/cache/*/{CRATE}-{VERSION}.crate"), None)
    if crate is None:
        raise AbsentError(f"cargo did not leave {CRATE} {VERSION} in its cache")
    if hashlib.sha256(crate.read_bytes()).hexdigest() != SHA256:
        raise AbsentError(f"{CRATE} {VERSION} is not the crate that was pinned (SHA-256 differs)")
    top = f"{CRATE}-{VERSION}/SEAL/"
    with tarfile.open(crate) as archive:
        for member in archive.getmembers():
            if member.name.startswith(top):
                member.name = member.name.removeprefix(top)
                archive.extract(member, place / "source", filter="data")
    return place / "source"


def cmake(source: Path, build: Path, options: dict[str, str], *targets: str) -> None:
    run(
        SEAL,
        ["cmake", "-S", source, "-B", build, "-G", "Ninja", *(f"-D{key}={value}" for key, value in options.items())],
    )
    run(SEAL, ["cmake", "--build", build, "-j", "2", *(part for target in targets for part in ("--target", target))])


def prepare() -> list[Path]:
    cxx = tool("clang++-14", "clang++", "g++", hint="Debian: clang-14")
    cc = tool(cxx.replace("clang++", "clang").replace("g++", "gcc"), hint="the C compiler beside the C++ one")
    if not CPU_FEATURES.exists():
        raise AbsentError("HEXL needs Debian's libcpu-features-dev")
    what = "Microsoft SEAL 4.0.0 with Intel HEXL (a minute or two)"
    options = OPTIONS | {"CMAKE_C_COMPILER": cc, "CMAKE_CXX_COMPILER": cxx}
    with built(
        "seal", what, [], SHA256, str(options | SEAL_OPTIONS), version_of(cxx, "--version"), processor()
    ) as place:
        if place:
            cmake(fetch(place), place / "build", options | SEAL_OPTIONS, "seal")
    place = PLACE / "seal"
    cmake(HERE, place / "worker", options | {"SEAL_SOURCE": str(place / "source"), "SEAL_BUILD": str(place / "build")})
    return [place / "worker" / "worker"]


PEER = Peer(SEAL, "SEAL with Intel HEXL", (*CLIENT, *NTT), prepare)
