# SPDX-License-Identifier: Apache-2.0
"""The machines that lib/bare is built for, and how QEMU runs them."""

import os
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "lib" / "bare"
ALL_SETS = 6
FEW_SETS = 4  # the small ones, where doubles are computed in software
SOAK = "RINGSIDE_SOAK" in os.environ


@dataclass(frozen=True)
class Target:
    title: str
    folder: str  # folder of lib/bare, where its toolchain file is
    prefix: str  # the prefix of compiler and binutils
    qemu: tuple[str, ...]
    packages: tuple[str, str]  # what brings compiler and QEMU
    sets: int = ALL_SETS
    program: str = "firmware.elf"
    clang: str = ""  # where GCC only brings binutils and libgcc

    @property
    def needed(self) -> dict[str, str]:
        """Programs and the packages that bring them."""
        more = {self.clang: self.clang} if self.clang else {}
        return {f"{self.prefix}gcc": self.packages[0], self.qemu[0]: self.packages[1], **more}

    def options(self, name: str) -> list[str]:
        toolchain = SOURCE / self.folder / f"{name}.cmake"
        return ["-DCMAKE_BUILD_TYPE=MinSizeRel", f"-DTRACE_SETS={self.sets}", "--toolchain", str(toolchain)]


CONSOLE = ("-display", "none", "-monitor", "none", "-no-reboot")
VIRT = ("-machine", "virt", "-m", "128M", "-bios", "none", *CONSOLE, "-serial", "stdio", "-kernel")
SEMIHOSTING = ("-chardev", "stdio,id=out", "-semihosting-config", "enable=on,target=native,chardev=out")
MPS2 = ("-machine", "mps2-an386", *CONSOLE, "-serial", "none", *SEMIHOSTING, "-kernel")
RISCV = ("gcc-riscv64-unknown-elf", "qemu-system-misc")
ARM = ("gcc-arm-none-eabi", "qemu-system-arm")
VECTORS = ("qemu-system-riscv64", "-cpu", "rv64,v=true,vlen=256,vext_spec=v1.0", *VIRT)
SOFT_SETS = ALL_SETS if SOAK else FEW_SETS


def linux(title: str, machine: str, qemu: str) -> Target:
    packages = (f"gcc-{machine}", "qemu-user")
    return Target(f"{title}, Linux", "linux", f"{machine}-", (qemu,), packages, program="host")


TARGETS = {
    "rv64": Target("RV64GC", "riscv-virt", "riscv64-unknown-elf-", ("qemu-system-riscv64", *VIRT), RISCV),
    "rv64v": Target("RV64GCV", "riscv-virt", "riscv64-unknown-elf-", VECTORS, RISCV, clang="clang-16"),
    "rv32": Target("RV32IMAC", "riscv-virt", "riscv64-unknown-elf-", ("qemu-system-riscv32", *VIRT), RISCV, SOFT_SETS),
    "cortex-m4": Target("Cortex-M4", "mps2", "arm-none-eabi-", ("qemu-system-arm", *MPS2), ARM, SOFT_SETS),
    "aarch64": linux("AArch64", "aarch64-linux-gnu", "qemu-aarch64"),
    "s390x": linux("s390x", "s390x-linux-gnu", "qemu-s390x"),
}
LINUX = [name for name, target in TARGETS.items() if target.folder == "linux"]
BARE = [name for name in TARGETS if name not in LINUX]
