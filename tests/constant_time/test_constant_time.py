# SPDX-License-Identifier: Apache-2.0
"""The C core under valgrind with its secrets marked (lib/tests/test_constant_time.c), compiled as it is released, by gcc and clang."""

import platform
import re
import subprocess
from pathlib import Path

import pytest

from builds import run

FOUND = 99  # valgrind's exit code if it reported anything
CONTROLS = ["control_branch", "control_index", "control_library"]


def valgrind(program: Path, *tests: str, backend: str = "") -> subprocess.CompletedProcess[str]:
    options = ["--quiet", f"--error-exitcode={FOUND}", "--error-limit=no", "--leak-check=full"]
    return run("valgrind", *options, program, *tests, RINGSIDE_BACKEND=backend)


# "": the best that valgrind knows, avx2 where the machine has it
@pytest.mark.parametrize("backend", ["portable", "fma", ""])
def test_no_branch_or_index_depends_on_a_secret(program: Path, backend: str) -> None:
    names = run(program, "--list").stdout.split()
    assert set(CONTROLS) < set(names)
    operations = [name for name in names if name not in CONTROLS]
    assert len(operations) >= 11
    done = valgrind(program, *operations, backend=backend)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(operations)} tests, 0 failed" in done.stdout
    assert done.stderr == ""


# From vectors to flags and addresses, or longer for some operands. Not among them: moves of single values to general registers, because
# compilers keep addresses and constant masks in vector and mask registers when they run out of others.
DECIDES = re.compile(r"\tv?(p?test[bwdq]? +%[xyz]|testp[sd]|p?movmsk|p?gather|p?scatter|pcompress|pexpand|idiv)")
MAKES_MASK = re.compile(r"\tv(pcmp|cmp|ptestn?m|pmov[bwdq]2m|fpclass)\w* .*%k\d")
READS_MASK = re.compile(r"\t(kortest|ktest|kmov\w+ +%k\d,%[er])")
# Decisions that are public by design, by function
PUBLIC_DECISIONS = {
    "disagrees": "whether a limb has the residues of fewer digits (ckks/decode.c)",
    "take_uniform": "which candidates of a public matrix are refused (mlkem/x86/codes.h)",
    "rs_mlkem_sample_rows_avx512": "the same where it is inlined",
    "rs_uniform_avx512": "which words of a public stream are refused",
    "make_elements": "which words of a public stream are refused (mldsa/expand.c)",
    "rs_mldsa_expand_s_avx512": "which half-bytes are refused, whatever the others are",
    "rs_mldsa_verify_avx512": "signatures and public keys",
}


def decisions(code: str) -> set[str]:
    """Functions of a disassembly in which vectors decide something."""
    bodies = re.split(r"^[0-9a-f]+ <(\w+)[.\w]*>:$", code, flags=re.MULTILINE)
    return {
        function
        for function, body in zip(bodies[1::2], bodies[2::2], strict=True)
        if DECIDES.search(body) or (MAKES_MASK.search(body) and READS_MASK.search(body))
    }


def test_avx512_code_decides_nothing_by_secrets(program: Path) -> None:
    """valgrind cannot run AVX-512. Its kernels keep secrets in vector registers, and nothing goes from there to flags or addresses."""
    if platform.machine() != "x86_64":
        pytest.skip("no vector back ends here")
    place = program.parents[1] / "CMakeFiles" / "ringside.dir" / "src"
    objects = [path for path in place.rglob("*.o") if re.search("avx512|ifma", path.name)]
    assert len(objects) >= 11
    for path in objects:
        code = run("objdump", "-d", "--no-show-raw-insn", path).stdout
        assert len(re.findall(r"%zmm", code)) > 50, path
        assert decisions(code) <= set(PUBLIC_DECISIONS), path


@pytest.mark.parametrize(
    "leak",
    [
        "vptest %ymm0,%ymm1",
        "vpcmpgtq %zmm1,%zmm0,%k0\n  14:\tkortestb %k0,%k0",
        "vptestmq %zmm0,%zmm0,%k1\n  14:\tkmovb  %k1,%eax",
        "vpgatherqq (%rax,%zmm1,8),%zmm0{%k1}",
        "vpmovmskb %ymm0,%eax",
        "idiv   %ecx",
    ],
)
def test_a_decision_would_be_found(leak: str) -> None:
    harmless = "0000 <other>:\n  12:\tvpaddq %zmm0,%zmm1,%zmm2\n  14:\tkmovb  %k1,%eax\n"
    assert decisions(f"{harmless}0000 <kernel>:\n  12:\t{leak}\n") == {"kernel"}


@pytest.mark.parametrize("control", CONTROLS)
def test_a_leak_would_be_reported(program: Path, control: str) -> None:
    """Code that leaks on purpose: valgrind must object, with the very options of the test above."""
    done = valgrind(program, control)
    assert done.returncode == FOUND, done.stdout + done.stderr
    assert "depends on uninitialised value" in done.stderr or "Use of uninit" in done.stderr
    assert f"{control}: ok" in done.stdout


def test_marks_need_valgrind(program: Path) -> None:
    """Outside valgrind the program fails instead of passing without having tested anything."""
    assert run(program, "keygen").returncode != 0
