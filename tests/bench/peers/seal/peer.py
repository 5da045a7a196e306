# SPDX-License-Identifier: Apache-2.0
"""SEAL 4.0.0 with Intel HEXL 1.2.3, native, built as well as can be: clang where there is one, -O3 -march=native.

The Rust crate seal_fhe carries a C++ tree of SEAL (MIT) with HEXL (Apache-2.0), zlib and zstd. Only that tree is taken out of the crate;
nothing of the Rust wrapper, which is under another licence, is compiled, linked or kept. SEAL's own defaults are left as they are,
noise included (centred binomial; the wrappers switch to a Gaussian).

The tree is not Microsoft's release 4.0.0 to the letter: its makers added `seal/polyarray.h` and functions that give out the randomness of an
encryption, for which encryptor.cpp and util/rlwe.cpp were changed. The functions that are timed here are called as in the release.

The AVX2 variant is what the same build gives on a processor without AVX-512: HEXL's CMake files ask for -march=native, and there the
architecture is put in its place. HEXL has no AVX2 kernels of its transforms, so its portable ones run, as they would on such a processor.
"""

import hashlib
import os
import tarfile
from pathlib import Path

from bench.peers.base import PLACE, AbsentError, Peer, built, processor, run, tool, version_of
from bench.plan import AVX2, CLIENT, EXACT, NTT, SEAL, SEAL_AVX2

HERE = Path(__file__).resolve().parent
CRATE = "seal_fhe"
VERSION = "0.8.1"
SHA256 = "dc3c40172acf7bb633a063025f2f8c8613350534615156994cb44ef5f2a8f254"
CPU_FEATURES = Path("/usr/include/cpu_features/cpuinfo_x86.h")

NATIVE, HASWELL = "native", "haswell"  # haswell: AVX2, FMA, BMI2, no AVX-512
OPTIONS = {
    "CMAKE_BUILD_TYPE": "Release",
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


def retarget(source: Path, architecture: str) -> None:
    """HEXL's own CMake files name the architecture too."""
    for name in ("cmake/hexl/hexl-util.cmake", "hexl/CMakeLists.txt"):
        path = source / "thirdparty" / "hexl" / name
        text = path.read_text(encoding="utf-8")
        if "-march=native" not in text:
            raise AbsentError(f"{name} of HEXL does not name the architecture where it was")
        path.write_text(text.replace("-march=native", f"-march={architecture}"), encoding="utf-8")


def prepare_for(architecture: str, folder: str) -> list[Path]:
    cxx = tool("clang++-14", "clang++", "g++", hint="Debian: clang-14")
    cc = tool(cxx.replace("clang++", "clang").replace("g++", "gcc"), hint="the C compiler beside the C++ one")
    if not CPU_FEATURES.exists():
        raise AbsentError("HEXL needs Debian's libcpu-features-dev")
    what = f"SEAL 4.0.0 with Intel HEXL, -march={architecture} (a minute or two)"
    options = OPTIONS | {"CMAKE_C_COMPILER": cc, "CMAKE_CXX_COMPILER": cxx}
    options |= dict.fromkeys(("CMAKE_C_FLAGS", "CMAKE_CXX_FLAGS"), f"-march={architecture}")
    with built(
        folder, what, [], SHA256, str(options | SEAL_OPTIONS), version_of(cxx, "--version"), processor()
    ) as place:
        if place:
            source = fetch(place)
            if architecture != NATIVE:
                retarget(source, architecture)
            cmake(source, place / "build", options | SEAL_OPTIONS, "seal")
    place = PLACE / folder
    cmake(HERE, place / "worker", options | {"SEAL_SOURCE": str(place / "source"), "SEAL_BUILD": str(place / "build")})
    return [place / "worker" / "worker"]


ORIGIN = f"the C++ tree in the Rust crate {CRATE} {VERSION}: SEAL 4.0.0 with additions that are not Microsoft's"
PEER = Peer(SEAL, "SEAL with Intel HEXL", (*CLIENT, *EXACT, *NTT), lambda: prepare_for(NATIVE, "seal"), ORIGIN)
PEER_AVX2 = Peer(
    SEAL_AVX2,
    "SEAL with Intel HEXL, built for AVX2",
    AVX2,
    lambda: prepare_for(HASWELL, "seal-avx2"),
    f"{ORIGIN}; -march={HASWELL}",
    # cpu_features sees the processor as it is
    {"HEXL_DISABLE_AVX512DQ": "1"},
)
