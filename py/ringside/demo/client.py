# SPDX-License-Identifier: Apache-2.0
"""The camera of the demo: everything that Ringside does."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..devices.device import Watch, summary
from ..objects.ckks.context import Context
from ..objects.common.ciphertext import Ciphertext
from ..objects.common.evaluation import PUBLIC_KEY_DIRECT
from ..objects.common.keys import PublicKey, SecretKey
from ..objects.common.params import Parameters
from .frame import AMOUNT, CUBIC, GAIN, SIZES, DemoError, Image2d, plan_tiles
from .outcome import CAMERA, ERROR_BITS, FAILURE_BITS, GREY_BITS, DemoDevice, Size, Stage

# 218 bits are allowed for N = 2^13 at 128-bit security; 172 are enough. The three primes of 32 bits
# are the cloud's three levels, the first one holds the result. The special prime is larger than all
# of them because SEAL's key switching does not centre its digits: at the few slots whose root of
# unity is nearest to 1 its noise is some hundred times that of the others.
DEFAULT_NAME = "demo-8192"
DEFAULT_N = 8192
DEFAULT_BITS = (36, 32, 32, 32, 40)
# the same for hardware with words of 32 bits
NARROW_NAME = "demo-8192-narrow"
NARROW_BITS = (32, 30, 30, 30, 32)

PIXEL_EXPONENT, PIXEL_BOUND = -30, 1  # layout of grey levels from 0 to 1 in 32 bits, for a device that encodes
RESULT_EXPONENT, RESULT_BOUND = -28, 3  # layout of what comes back to it
LIMBS = 4  # that the cloud's filter needs: three levels and the one that is sent back
HEADROOM_BITS = 4  # bits of the last limb, above the scale: results up to 8, and the sign
STEEPEST = GAIN / CUBIC ** (1 / 3)  # the curve in terms of y, see frame.py and server.py
FILTER_NORM = 2.22  # the norm of the filter where it is steepest: sqrt(1.75^2 + 4/8^2 + 4/16^2) GAIN


class Clock:
    """Collects the stages in order of first use."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[float, int]] = {}

    @contextmanager
    def stage(self, name: str, calls: int = 1) -> Iterator[None]:
        start = time.perf_counter()
        yield
        seconds, before = self.found.get(name, (0.0, 0))
        self.found[name] = seconds + time.perf_counter() - start, before + calls

    def stages(self) -> list[Stage]:
        return [Stage(CAMERA, name, *found) for name, found in self.found.items()]


def choose_parameters(name: str | None, word_bits: int = 64) -> Parameters:
    """The named set, or the demo's own that words of this size can hold."""
    own = DEFAULT_BITS if word_bits >= max(DEFAULT_BITS) else NARROW_BITS
    params = Parameters.named(name) if name else Parameters.from_bits(DEFAULT_N, list(own))
    if params.data_limbs < LIMBS or params.special_prime is None:
        message = f"The cloud's filter needs {LIMBS} and a special prime: lee-14, for example."
        raise DemoError(f"The set {name} has {params.data_limbs} data limbs.", message)
    return params


def choose_scale_bits(params: Parameters) -> int:
    """The largest scale that the filter can keep.

    Weighing leaves the scale D as it is, the square makes it D^2/q2, the product D^3/(q2 q1): that
    has to stay below q0 by the headroom. Nor is D larger than the prime that follows it.
    """
    bits = [q.bit_length() for q in params.moduli[:LIMBS]]
    return min(bits[3], (sum(bits[:3]) - HEADROOM_BITS) // 3)


class Camera:
    """Keys and frames of one run."""

    def __init__(
        self,
        params: Parameters,
        clock: Clock,
        device: str = "cpu:",
        threads: int = 1,
        encode: str | None = None,
        watch: Watch | None = None,
    ) -> None:
        """encode: "device" or "cpu"; None: the device, if it can. watch: shows how far a simulated SoC is. DemoError: it cannot."""
        self.params = params
        self.clock = clock
        self.threads = threads
        self.level = LIMBS - 1
        with clock.stage("precompute tables"):
            self.context = Context(params, device=device)
            self.context._device.watch = watch
        if encode == "device" and not self.context.fixed_bits:
            message = "Designs such as aloha-he and rise-4e do: sim:rise-4e, soc:rise-4e."
            raise DemoError(f"The device {device} does not encode.", message)
        self.encodes = encode != "cpu" and self.context.fixed_bits > 0
        self.filter_bits = bits = choose_scale_bits(params)
        if self.encodes:  # a coefficient stays below every modulus
            bits = min(bits, min(q.bit_length() for q in params.moduli[:LIMBS]) - 1 - PIXEL_BOUND)
        self.scale = 2.0**bits
        with clock.stage("secret key"):
            self.secret_key: SecretKey = self.context.keygen()
        with clock.stage("public key"):
            self.public_key: PublicKey = self.context.public_key(self.secret_key)

    def write_keys(self, inbox: Path, rotations: list[int]) -> list[Size]:
        """Writes what the cloud needs to load ciphertexts, multiply and rotate."""
        parameters = self.params.save(inbox / "params.seal")
        with self.clock.stage("relinearisation key"):
            relin = self.context.write_relin_keys(self.secret_key, inbox / "relin.seal")
        with self.clock.stage("Galois keys", len(rotations)):
            galois = self.context.write_galois_keys(self.secret_key, inbox / "galois.seal", rotations)
        steps = ", ".join(f"{step:+d}" for step in rotations)
        return [
            Size("Parameters", "primes and ring degree", parameters, True),
            Size("Relinearisation key", "seeded, zstd", relin, True),
            Size("Galois keys", f"seeded, zstd; rotations by {steps}", galois, True),
        ]

    def other_keys(self, folder: Path, with_public_key: bool) -> list[Size]:
        """Keys that are not sent, for comparison."""
        path = folder / "key"
        default_set = self.context.write_galois_keys(self.secret_key, path)
        count = len(self.context.galois_elements("pow2"))
        seeded = self.public_key.save(path)
        expanded = self.context.public_key(self.secret_key, seeded=False)
        full = expanded.save(path, compression="none")
        where = "encrypts here" if with_public_key else "for cameras without the secret key"
        return [
            Size("Galois keys, SEAL's default set", f"seeded, zstd; {count} keys", default_set, False),
            Size("Public key", f"seeded, zstd; {where}", seeded, False),
            Size("Public key, full", "no compression", full, False),
        ]

    def encrypt(self, tiles: list[Image2d], with_public_key: bool, special_prime: bool) -> list[Ciphertext]:
        key = self.public_key if with_public_key else self.secret_key
        how: Any = {"threads": self.threads, "scale": self.scale, "level": self.level, "special_prime": special_prime}
        with self.clock.stage("encode, encrypt", len(tiles)):
            if not self.encodes:
                return self.context.encrypt_batch(tiles, key, **how)
            pixels = [np.rint(tile * 2.0**-PIXEL_EXPONENT).astype(np.int32) for tile in tiles]
            return self.context.encrypt_fixed_batch(pixels, key, exponent=PIXEL_EXPONENT, bound=PIXEL_BOUND, **how)

    def save(self, ciphertexts: list[Ciphertext], inbox: Path) -> tuple[list[str], int]:
        """Names and bytes of the files that travel."""
        names, total = [], 0
        for number, ciphertext in enumerate(ciphertexts):
            names.append(f"frame-{number:02d}.seal")
            with self.clock.stage("save ciphertexts"):
                total += ciphertext.save(inbox / names[-1])
        return names, total

    def decrypt(self, paths: list[Path], slots: int) -> list[NDArray[np.float64]]:
        with self.clock.stage("load results", len(paths)):
            ciphertexts = [Ciphertext.load(self.context, path) for path in paths]
        with self.clock.stage("decrypt, decode", len(paths)):
            if self.encodes:
                meaning: dict[str, Any] = {"exponent": RESULT_EXPONENT, "bound": RESULT_BOUND, "dtype": np.int32}
                found = self.context.decrypt_fixed_batch(
                    ciphertexts, self.secret_key, slots, threads=self.threads, **meaning
                )
                return [one * 2.0**RESULT_EXPONENT for one in found]
            return list(
                self.context.decrypt_batch(ciphertexts, self.secret_key, slots, threads=self.threads, real=True)
            )

    def device(self, tiles: int, clock_mhz: float) -> DemoDevice | None:
        """Cycles that the simulated hardware needed for the ciphertexts of a frame; None on the processor."""
        accelerator = self.context.counting
        if accelerator is None:
            return None
        totals = accelerator.totals
        encryptions = [total for op, total in totals.items() if "encrypt" in op]
        decryptions = [total for op, total in totals.items() if op.startswith("decrypt")]
        cycles = sum(total.cycles for total in encryptions) // tiles
        rates = {
            name: clock_mhz * 1e6 / (cycles * len(plan_tiles(size, self.params.slots).origins))
            for name, size in SIZES.items()
        }
        return DemoDevice(
            name=accelerator.name,
            clock_mhz=clock_mhz,
            encrypt_cycles=cycles,
            decrypt_cycles=sum(total.cycles for total in decryptions) // tiles,
            stages=summary(accelerator.name, encryptions, clock_mhz)["stages"],
            frames_per_second=rates,
            encodes=self.encodes,
        )

    @property
    def weigh_bits(self) -> int:
        """Bits by which the cloud's weights raise the scale to the one that suits the filter."""
        return self.filter_bits - round(math.log2(self.scale))

    def spread(self, kind: str) -> float:
        """Standard deviation of most pixels' errors, at most: what encryption and rescaling leave.

        Rescaling rounds c1 by something uniform, which the secret multiplies: Re(r s) in a slot, with E|r|^2 = N/12 and
        E|s|^2 = 2N/3. There are three: of y, which the curve stretches by up to STEEPEST, of y^2, which y multiplies, and
        of the result. Rotations add less than a third.
        """
        q2, q1 = self.params.moduli[2], self.params.moduli[1]
        first = 2.0**self.filter_bits
        square = first * first / q2
        rescaled = self.params.n / 6 * math.hypot(STEEPEST / first, 0.5 / square, q1 / (first * square))
        fresh = math.sqrt(self.params.n / 2 * self.context.noise_variance(kind, self.level)) / self.scale
        return math.hypot(1.33 * rescaled, FILTER_NORM * fresh)

    def worst_spread(self) -> float:
        """Standard deviation in the slot where rotations leave most, of those that are shown.

        SEAL's digits are not centred: their mean q/2 multiplies sum X^j, which is 2N/(pi k) at the k-th root from 1. The
        roots with k = 1 and 3 are in borders. Keys have errors of variance 10.5; the blur takes two rotations twice and two once.
        """
        n, special = self.params.n, self.params.moduli[-1]
        digits = math.hypot(*self.params.moduli[:LIMBS]) / 2 / special
        return (
            digits * 2 * n / (5 * math.pi) * math.sqrt(10.5 * n / 2) * GAIN * AMOUNT * math.sqrt(10) / 16 / self.scale
        )

    def error_bits(self, kind: str, pixels: int) -> int:
        """The largest error that is allowed, -log2: noise exceeds it in less than one of 2^FAILURE_BITS runs.

        Re(r s) is a product of two complex Gaussians, so it has Laplace's distribution: it exceeds t with probability
        exp(-sqrt(2) t / spread). Without the special prime, encryption is nearly all there is, a sum of two such: beyond k
        spreads with probability (1 + k) exp(-2 k). Of rotations it is Gaussian.
        """
        chances = math.log(pixels * 2.0**FAILURE_BITS)
        spreads = chances / math.sqrt(2)
        if kind == PUBLIC_KEY_DIRECT:
            for _ in range(9):  # it converges
                spreads = (chances + math.log1p(spreads)) / 2
        largest = max(self.spread(kind) * spreads, self.worst_spread() * math.sqrt(2 * chances))
        return max(GREY_BITS, min(ERROR_BITS, math.floor(-math.log2(largest))))


def measure(ciphertexts: list[Ciphertext], path: Path, compression: str) -> int:
    """Bytes of these ciphertexts as files."""
    return sum(ciphertext.save(path, compression=compression) for ciphertext in ciphertexts)
