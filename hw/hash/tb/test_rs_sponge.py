# SPDX-License-Identifier: Apache-2.0
"""rs_sponge compared with hashlib: every rate, lengths around ends of beats and blocks, both sides waiting; cycles; nothing stays."""

import hashlib
import itertools
import random

import sampler_bench as bench
from cocotb.triggers import FallingEdge
from rs_block import Block, soak
from rs_cocotb import settings

# rate in bytes, code, SHA-3; the digest of 700 bytes or of what SHA-3 gives
HASHES = {
    "shake_128": (168, 0, 0), "shake_256": (136, 1, 0), "sha3_256": (136, 1, 1), "sha3_384": (104, 2, 1),
    "sha3_512": (72, 3, 1),
}  # fmt: skip
BLOCK = Block("rs_sponge", "RoundsPerCycle BeatLanes SeedLanes")
test_sponge = BLOCK.runs(__file__, [(1, 1, 9), (2, 2, 5), *soak((12, 1, 9), (1, 2, 5), (3, 2, 5))], inside=True)
test_sponge_lint = BLOCK.lints([(1, 1), (2, 2), (12, 1)])
REFUSED = ("below 24", 24, "must divide 24", 5, "1 or 2", {"BeatLanes": 3}, "1 to 9", {"SeedLanes": 10})
test_sponge_illegal = BLOCK.refuses(*REFUSED)


def digest(name, message, size):
    made = getattr(hashlib, name)(message)
    return made.digest(size) if name.startswith("shake") else made.digest()


def lengths(rate):
    """Around the ends of lanes, beats and blocks."""
    ends = [0, 8, 16, 24, rate - 8, rate, rate + 8, 2 * rate, 3 * rate]
    return sorted({max(0, end + step) for end in ends for step in (-1, 0, 1)} | {random.randrange(4 * rate)})


class Driver:
    def __init__(self, dut):
        self.dut = dut
        parameters = settings()["parameters"]
        self.size = 8 * parameters.get("BeatLanes", 1)
        self.cycles = 24 // parameters.get("RoundsPerCycle", 1)

    async def begin(self, name):
        _, code, sha3 = HASHES[name]
        self.dut.rate_i.value = code
        self.dut.sha3_i.value = sha3
        await bench.pulse(self.dut, "start_i")

    async def hash(self, name, message, size, offer=None, take=None):
        """The digest's first bytes, and what happened at both ends in each cycle."""
        dut, step = self.dut, self.size
        offer, take = offer or bench.always, take or bench.always
        await self.begin(name)
        beats = [message[at : at + step] for at in range(0, len(message), step)] or [b""]
        if len(beats[-1]) == step and random.random() < 0.5:
            beats.append(b"")  # an end that comes alone
        out, trace, at, offered, waiting = b"", [], 0, False, None
        while len(out) < size:
            offered = at < len(beats) and (offered or offer())
            dut.valid_i.value = int(offered)
            ready = take()
            dut.ready_i.value = int(ready)
            dut.last_i.value = int(at == len(beats) - 1) if offered else random.getrandbits(1)
            dut.bytes_i.value = len(beats[at]) if offered and at == len(beats) - 1 else random.randrange(step)
            # what is behind the message does not matter
            beat = beats[at] + random.randbytes(step - len(beats[at])) if offered else random.randbytes(step)
            dut.data_sec_i.value = int.from_bytes(beat, "little")
            await bench.settle()
            valid, taken = int(dut.valid_o.value), offered and int(dut.ready_o.value)
            if valid:
                lanes = 8 if step > 8 and int(dut.half_o.value) else step
                now = int(dut.data_sec_o.value).to_bytes(step, "little")[:lanes]
                assert waiting in (None, now), "a waiting beat changed"
                waiting = None if ready else now
                if ready:
                    out += now
            else:
                assert waiting is None, "a beat was withdrawn"
            trace.append((valid, int(dut.ready_o.value)))
            assert len(trace) < 40_000
            at += bool(taken)
            offered = offered and not taken
            await FallingEdge(dut.clk_i)
        for port in (dut.valid_i, dut.ready_i):
            port.value = 0
        return out[:size], trace

    async def clear(self):
        await bench.pulse(self.dut, "clear_i")


@bench.test
async def every_hash_and_length(dut):
    driver = Driver(dut)
    for name, (rate, _, _) in HASHES.items():
        for index, length in enumerate(lengths(rate)):
            message = random.randbytes(length)
            want = digest(name, message, 700 if index % 8 == 0 else 40)
            chance = (1, 1, 0.2, 0.6)[index % 4]
            offer, take = bench.sometimes(chance, index), bench.sometimes((1, 0.3)[index % 2], index)
            got, _ = await driver.hash(name, message, len(want), offer, take)
            assert got == want, (name, length)
            if index % 3:
                await driver.clear()  # else the next start stops it


@bench.test
async def cycles(dut):
    """From the last beat to the first one of the digest, and from block to block in both directions."""
    driver = Driver(dut)
    beat, permutation = driver.size, driver.cycles
    for name, (rate, _, _) in HASHES.items():
        lanes = rate // 8
        for blocks in (1, 4):
            message = random.randbytes(blocks * rate - beat - 3)
            _, trace = await driver.hash(name, message, 5 * rate if name.startswith("shake") else 32)
            first = [valid for valid, _ in trace].index(1)
            # beats of all blocks but the last, at the pace of permutations or of beats
            fill = -(-lanes * 8 // beat)
            one = -(-len(message) // beat)
            if blocks == 1:
                assert first == one + 2 + permutation, (name, first)
            elif permutation >= fill + (beat == 8):
                assert first <= fill + 2 + blocks * permutation, (name, first)
            else:
                assert first <= 2 + permutation + blocks * (fill + 1), (name, first)
            if name.startswith("shake"):
                period = max(permutation, fill + 1)
                begins = [i for i in range(1, len(trace)) if trace[i][0] and not trace[i - 1][0]]
                if period > fill:
                    assert {b - a for a, b in itertools.pairwise(begins)} == {period}, name
            await driver.clear()


@bench.test
async def time_depends_on_lengths_only(dut):
    driver = Driver(dut)
    for name, (rate, _, _) in HASHES.items():
        traces = []
        for message in (bytes(2 * rate + 9), b"\xff" * (2 * rate + 9), random.randbytes(2 * rate + 9)):
            offer, take = bench.sometimes(0.7, 1), bench.sometimes(0.7, 2)
            traces.append((await driver.hash(name, message, 32, offer, take))[1])
            await driver.clear()
        assert traces[0] == traces[1] == traces[2]


@bench.test
async def seeds_in_a_row(dut):
    """Without a gap: the first permutation of a seed runs while the last block of the one before is read."""
    driver = Driver(dut)
    lanes, step = settings()["parameters"]["SeedLanes"], driver.size
    for name in ("shake_128", "shake_256"):
        rate, code, _ = HASHES[name]
        for blocks, chance, drops in ((1, 1, False), (3, 1, False), (2, 0.6, False), (2, 0.6, True)):
            size = 8 * (lanes - 1) + 2
            seeds = [random.randbytes(size) for _ in range(5)]
            dut.rate_i.value = code
            dut.sha3_i.value = 0
            dut.seed_i.value = 1
            dut.blocks_i.value = blocks
            dut.next_i.value = 1
            await bench.pulse(dut, "start_i")
            dut.seed_i.value = 0
            loaded, got, out, count, begins, take = 0, [], b"", 0, [], bench.sometimes(chance, 7)
            while len(got) < len(seeds):
                left = loaded < len(seeds)
                dut.next_i.value = int(left)
                dut.seed_sec_i.value = int.from_bytes(seeds[loaded] + b"\x1f", "little") if left else 0
                ready = take()
                dut.ready_i.value = int(ready)
                drop = drops and len(out) >= rate * (blocks - 1) + 2 * step
                dut.drop_i.value = int(drop)
                await bench.settle()
                loaded += int(dut.seed_taken_o.value)
                if int(dut.valid_o.value) and ready:
                    if not out:
                        begins.append(count)
                    half = int(dut.half_o.value)
                    out += int(dut.data_sec_o.value).to_bytes(step, "little")[: 8 if half else step]
                    ends = drop or len(out) == rate * blocks
                    # the last seed's stream goes on
                    assert int(dut.last_o.value) == int(ends and len(got) < len(seeds) - 1)
                    if ends:
                        got.append(out)
                        out = b""
                count += 1
                assert count < 4000
                await FallingEdge(dut.clk_i)
            dut.drop_i.value = 0
            assert got == [digest(name, seed, len(out)) for seed, out in zip(seeds, got, strict=True)]
            if chance == 1:
                pace = blocks * max(driver.cycles, -(-rate // step) + 1)
                assert {b - a for a, b in itertools.pairwise(begins)} == {pace}, (name, blocks)
            await driver.clear()


@bench.test
async def cleared_at_any_time(dut):
    """Nothing of the message stays, and the next one is right."""
    driver = Driver(dut)
    dut.rate_i.value = 0
    for cut in range(1, 90, 4):
        await driver.begin("shake_128")
        for _ in range(cut):
            dut.valid_i.value = 1
            dut.last_i.value = int(random.random() < 0.05)
            dut.bytes_i.value = driver.size - 1
            dut.ready_i.value = random.getrandbits(1)
            dut.data_sec_i.value = random.getrandbits(8 * driver.size)
            await FallingEdge(dut.clk_i)
        dut.valid_i.value = 0
        await driver.clear()
        await FallingEdge(dut.clk_i)
        assert not any(int(lane.value) for lane in dut.block_sec_q)
        assert (int(dut.carry_sec_q.value), int(dut.u_keccak.state_q.value)) == (0, 0)
        assert (int(dut.valid_o.value), int(dut.ready_o.value)) == (0, 0)
        message = random.randbytes(cut)
        assert (await driver.hash("sha3_512", message, 64))[0] == hashlib.sha3_512(message).digest()
