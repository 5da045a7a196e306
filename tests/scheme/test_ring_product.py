# SPDX-License-Identifier: Apache-2.0
"""What a new scheme needs, at its smallest: products in a ring of NewHope's, on the CPU and on a simulated core, without CKKS.

It uses plans (plan.h), memory formats and `rs_device_run` (program.h, device.h). No room of the library, hardware or package knows it.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from ringside.devices.simulated import SimulatedDevice, open_simulated
from ringside.native.library import CData, check, ffi, lib, span
from ringside.sim.asm import assemble
from ringside.sim.options import parse_simulated

LOG_N, Q = 10, 12289  # Alkim et al. 2016; it is 1 mod 2N, and 1 mod 2^11, which word-level Montgomery wants
N = 1 << LOG_N
PRODUCT = """
    CONTEXT ctx0 [p0 + 0x0]
    LOAD g0 ctx0 [p1 + 0x0]
    NTT g0 ctx0
    LOAD g1 ctx0 [p2 + 0x0]
    NTT g1 ctx0
    MUL g0 g0 g1 ctx0
    INTT g0 ctx0
    STORE g0 [p3 + 0x0]
    END
"""
Poly = NDArray[np.uint64]


class RingProduct:
    """The scheme: c = a b in Z_q[X]/(X^N + 1)."""

    def __init__(self) -> None:
        self._memory = ffi.new("uint64_t[]", int(lib.rs_plan_size(LOG_N)) // 8 + 1)
        plan = ffi.new("const rs_plan_t **")
        check(lib.rs_plan_init(plan, span(self._memory), LOG_N, Q, 0), "plan")
        self.plan: CData = plan[0]

    def on_cpu(self, a: Poly, b: Poly) -> Poly:
        x, y = a.copy(), b.copy()
        for poly in (x, y):
            lib.rs_plan_forward(self.plan, _words(poly))
        lib.rs_plan_mul(self.plan, _words(x), _words(x), _words(y))
        lib.rs_plan_inverse(self.plan, _words(x))
        return x

    def on_core(self, device: CData, a: Poly, b: Poly) -> Poly:
        design = lib.rs_device_design(device)
        address = ffi.new("uint64_t *")
        memory = lib.rs_device_memory(device, ffi.NULL, address)
        context, poly = int(lib.rs_design_context_bytes(design, LOG_N)), int(lib.rs_design_poly_bytes(design, LOG_N))
        at = [0, context, context + poly, context + 2 * poly]  # context, a, b, c
        lib.rs_image_context(design, self.plan, 1, 1, memory)
        lib.rs_image_write(design, self.plan, memory + at[1], _words(a), 0)
        lib.rs_image_write(design, self.plan, memory + at[2], _words(b), 1)
        words = ffi.new("uint64_t[]", assemble(PRODUCT))
        pointers = ffi.new("uint64_t[]", [address[0] + offset for offset in at])
        run = {"words": words, "length": len(words), "log_n": LOG_N, "pointers": pointers, "pointer_count": len(at)}
        check(lib.rs_device_run(device, ffi.new("rs_run_t *", run)), "run")
        c = np.zeros(N, np.uint64)
        lib.rs_image_read(design, self.plan, _words(c), memory + at[3])
        return c


def _words(poly: Poly) -> CData:
    return ffi.from_buffer("uint64_t[]", poly)


def schoolbook(a: Poly, b: Poly) -> Poly:
    product = np.convolve(a.astype(np.int64), b.astype(np.int64))  # below N q^2 < 2^38
    low, high = product[:N], np.append(product[N:], 0)
    return np.asarray((low - high) % Q, np.uint64)


@pytest.fixture(scope="module")
def core() -> Iterator[SimulatedDevice]:
    device = open_simulated(parse_simulated("rise-1,checked"))
    yield device
    device.close()


OPERANDS: dict[str, Callable[[], Poly]] = {
    "random": lambda: np.random.default_rng(1).integers(0, Q, (2, N), np.uint64),
    "largest": lambda: np.full((2, N), Q - 1, np.uint64),
    "X^(N-1) times X": lambda: np.eye(N, dtype=np.uint64)[[N - 1, 1]],
    "zero": lambda: np.zeros((2, N), np.uint64),
}


@pytest.mark.parametrize("operands", OPERANDS)
def test_cpu_and_core_compute_the_schoolbook_product(core: SimulatedDevice, operands: str) -> None:
    a, b = OPERANDS[operands]()
    want = schoolbook(a, b)
    scheme = RingProduct()
    assert np.array_equal(scheme.on_cpu(a, b), want)
    assert np.array_equal(scheme.on_core(core._device, a, b), want)
