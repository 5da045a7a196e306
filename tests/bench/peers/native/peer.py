# SPDX-License-Identifier: Apache-2.0
"""mlkem-native and mldsa-native as two Rust crates build them, in one program with the C library of this tree."""

import re
from pathlib import Path

from bench.peers.base import PLACE, AbsentError, built, run, tool, version_of

HERE = Path(__file__).resolve().parent
VERSIONS = dict(re.findall(r'(aws-lc|oqs)-sys = .*"=([0-9.]+)"', (HERE / "Cargo.toml").read_text(encoding="utf-8")))
AWS_LC = f"aws_lc_{VERSIONS['aws-lc'].replace('.', '_')}_"  # what its names begin with
# Neither has kernels for AVX-512 in these two schemes.
TITLES = {
    "aws-lc": f"mlkem-native and mldsa-native of AWS-LC in aws-lc-sys {VERSIONS['aws-lc']}, AVX2, Keccak too",
    "liboqs": f"mlkem-native, and Dilithium's authors' code for ML-DSA, of liboqs in oqs-sys {VERSIONS['oqs']}, AVX2, Keccak too",
}


def prepare() -> Path:
    cargo = tool("cargo", hint="Debian's is in cargo-web and rustc-web")
    with built("native", "Rust crates", [HERE / "Cargo.toml"], version_of(cargo, "--version")) as place:
        if place:
            (place / "empty.rs").touch()
            (place / "Cargo.toml").write_bytes((HERE / "Cargo.toml").read_bytes())
            run("native", [cargo, "build", "--release", "-j", "2"], cwd=place)
    outputs = PLACE / "native" / "target" / "release" / "build"
    archives = [*outputs.glob("aws-lc-sys-*/out/lib*_crypto.a"), *outputs.glob("oqs-sys-*/out/lib*/liboqs.a")]
    if len(archives) != len(TITLES):
        raise AbsentError("the crates have not made their archives")
    build = PLACE / "native_worker"
    options = [f"-DRS_PEERS={';'.join(map(str, archives))}", f"-DRS_AWS_LC={AWS_LC}", "-DRS_BUILD_TESTS=OFF"]
    run("native", ["cmake", "-S", HERE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options])
    run("native", ["cmake", "--build", build, "-j", "2"])
    return build / "worker"
