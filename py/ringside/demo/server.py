# SPDX-License-Identifier: Apache-2.0
"""The cloud of the demo: stock Microsoft SEAL, as TenSEAL ships it, and not a line of Ringside.

    python -I server.py INBOX OUTBOX

INBOX holds job.json, params.seal, relin.seal, galois.seal and the encrypted tiles; OUTBOX receives
the encrypted results, server.json (times, sizes) and seen.bin (what a tile looks like from here).

Per tile, for a pixel x with its 3x3 neighbourhood, in real numbers:

    v   = 16 blur(x)                      4 rotations, additions: [1 2 1] x [1 2 1]
    s   = (1 + k) x - k blur(x)           unsharp mask: plaintext multiplications, rescale
    out = 1/2 + a (s - 1/2) - b (s - 1/2)^3       contrast curve

With y = b^(1/3) (s - 1/2), whose factor goes into the plaintext weights, the curve is
1/2 + (a b^(-1/3) - y^2) y: one square and one product of ciphertexts, each relinearised and
rescaled. Three levels in all.
"""

import json
import sys
import time
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

START = time.perf_counter()

import tenseal.sealapi as seal  # noqa: E402  (its import is part of what is timed)

FOREIGN = "ringside"


def refuse_ringside() -> None:
    """This process proves what stock SEAL can do with the files, so nothing of Ringside may be in it."""
    guilty = sorted(name for name in sys.modules if name.partition(".")[0] == FOREIGN)
    maps = Path("/proc/self/maps")
    if maps.exists() and f"lib{FOREIGN}" in maps.read_text(encoding="utf-8", errors="replace"):
        guilty.append(f"lib{FOREIGN}")
    if guilty:
        sys.exit(f"server.py: refusing to run, this process has loaded {', '.join(guilty)}")


class Work:
    """Seconds and number of calls of each kind of work, in order of first use."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, int] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
        self.calls[name] = self.calls.get(name, 0) + 1


class Server:
    """Everything but the secret key, and the filter."""

    def __init__(self, inbox: Path, clock: Work) -> None:
        self.inbox = inbox
        self.clock = clock
        self.job: dict[str, Any] = json.loads((inbox / "job.json").read_text(encoding="utf-8"))
        with clock.stage("load parameters"):
            parms = seal.EncryptionParameters(seal.SCHEME_TYPE.CKKS)
            parms.load(str(inbox / "params.seal"))
            self.context = seal.SEALContext(parms, True, seal.SEC_LEVEL_TYPE.TC128)
        if not self.context.parameters_set():
            sys.exit(f"server.py: SEAL refuses the parameters: {self.context.parameters_error_message()}")
        self.encoder = seal.CKKSEncoder(self.context)
        self.evaluator = seal.Evaluator(self.context)
        with clock.stage("load keys"):
            self.relin_keys = seal.RelinKeys()
            self.relin_keys.load(self.context, str(inbox / "relin.seal"))
            self.galois_keys = seal.GaloisKeys()
            self.galois_keys.load(self.context, str(inbox / "galois.seal"))

    def load(self, name: str) -> Any:
        ciphertext = seal.Ciphertext()
        with self.clock.stage("load ciphertexts"):
            ciphertext.load(self.context, str(self.inbox / name))
        return ciphertext

    def constant(self, value: float, like: Any, scale: float) -> Any:
        """A number in every slot, at the level of another ciphertext."""
        plain = seal.Plaintext()
        with self.clock.stage("encode weights"):
            self.encoder.encode(value, like.parms_id(), scale, plain)
        return plain

    def last_prime(self, like: Any) -> float:
        """The prime that the next rescaling divides by."""
        parms = self.context.get_context_data(like.parms_id()).parms()
        return float(parms.coeff_modulus()[-1].value())

    def both_sides(self, x: Any, steps: int) -> Any:
        """The sum of the two neighbours of every slot."""
        left, right = seal.Ciphertext(), seal.Ciphertext()
        with self.clock.stage("rotate"):
            self.evaluator.rotate_vector(x, steps, self.galois_keys, left)
        with self.clock.stage("rotate"):
            self.evaluator.rotate_vector(x, -steps, self.galois_keys, right)
        with self.clock.stage("add"):
            self.evaluator.add_inplace(left, right)
        return left

    def one_two_one(self, x: Any, steps: int) -> Any:
        total = self.both_sides(x, steps)
        with self.clock.stage("add"):
            self.evaluator.add_inplace(total, x)
            self.evaluator.add_inplace(total, x)
        return total

    def weigh(self, x: Any, weight: float) -> None:
        """x *= weight. The weight's scale is the prime that rescaling removes, so x keeps its own but for the bits that the job adds."""
        plain = self.constant(weight, x, self.last_prime(x) * 2.0 ** int(self.job["weigh_bits"]))
        with self.clock.stage("multiply by plaintext"):
            self.evaluator.multiply_plain_inplace(x, plain)

    def add_constant(self, x: Any, value: float) -> None:
        plain = self.constant(value, x, x.scale)
        with self.clock.stage("add"):
            self.evaluator.add_plain_inplace(x, plain)

    def relinearise_rescale(self, x: Any) -> None:
        with self.clock.stage("relinearise"):
            self.evaluator.relinearize_inplace(x, self.relin_keys)
        self.rescale(x)

    def rescale(self, x: Any) -> None:
        with self.clock.stage("rescale"):
            self.evaluator.rescale_to_next_inplace(x)

    def filter(self, x: Any) -> Any:
        """The picture's filter on one tile; x is used up."""
        amount, gain, cubic = (float(self.job[name]) for name in ("amount", "gain", "cubic"))
        root = cubic ** (1 / 3)

        blurred = self.one_two_one(self.one_two_one(x, 1), int(self.job["stride"]))
        self.weigh(x, root * (1 + amount))
        self.weigh(blurred, -root * amount / 16)
        with self.clock.stage("add"):
            self.evaluator.add_inplace(x, blurred)
        self.rescale(x)
        self.add_constant(x, -root / 2)  # y

        factor = seal.Ciphertext()
        with self.clock.stage("multiply ciphertexts"):
            self.evaluator.square(x, factor)
        self.relinearise_rescale(factor)
        with self.clock.stage("add"):
            self.evaluator.negate_inplace(factor)
        self.add_constant(factor, gain / root)  # a b^(-1/3) - y^2

        with self.clock.stage("switch modulus"):
            self.evaluator.mod_switch_to_inplace(x, factor.parms_id())
        with self.clock.stage("multiply ciphertexts"):
            self.evaluator.multiply_inplace(x, factor)
        self.relinearise_rescale(x)
        self.add_constant(x, 0.5)
        with self.clock.stage("switch modulus"):
            self.evaluator.mod_switch_to_inplace(x, self.context.last_parms_id())
        return x


def main() -> int:
    refuse_ringside()
    if len(sys.argv) != 3:
        sys.exit("usage: python -I server.py INBOX OUTBOX")
    inbox, outbox = Path(sys.argv[1]), Path(sys.argv[2])
    clock = Work()
    clock.seconds["start SEAL"] = time.perf_counter() - START
    clock.calls["start SEAL"] = 1
    server = Server(inbox, clock)
    seen = array("Q")
    limbs = []
    for tile, name in enumerate(server.job["tiles"]):
        x = server.load(name)
        limbs.append(x.coeff_modulus_size())
        words = x.dyn_array()
        seen.extend(words.at(i) for i in range(int(server.job["seen_words"][tile])))
        result = server.filter(x)
        limbs.append(result.coeff_modulus_size())
        with clock.stage("save ciphertexts"):
            result.save(str(outbox / f"result-{tile:02d}.seal"))
    with (outbox / "seen.bin").open("wb") as file:
        seen.tofile(file)
    refuse_ringside()
    header = seal.Serialization.SEALHeader()
    report = {
        "seal_version": f"{header.version_major}.{header.version_minor}",
        "seconds": clock.seconds,
        "calls": clock.calls,
        "total_seconds": time.perf_counter() - START,
        "limbs_in": limbs[0],
        "limbs_out": limbs[-1],
        "ringside_loaded": False,
    }
    (outbox / "server.json").write_text(json.dumps(report), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
