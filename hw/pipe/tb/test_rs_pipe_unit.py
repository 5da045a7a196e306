# SPDX-License-Identifier: Apache-2.0
"""rs_pipe_unit: whole frames from slots, groups and memory to memory, compared with the library's encryptions; faults, clear, wipe, cycles."""

import numpy as np
import pytest
from pipe_bench import (
    BASE,
    BUS_READ,
    BUS_WRITE,
    CONTEXT,
    DRAIN,
    NONE,
    PIPE,
    PIPED,
    PIPEKEY,
    PIPEM,
    RESIDUE,
    VALUE,
    Bench,
    bench,
    model_of,
    pipe_sources,
)
from rs_formal import mutated
from stream_design import Design
from stream_frames import public_frame

from ringside.sim.verilate import SimulationError

SMALL = Design(2, 11, 32, (30, 29, 28, 31))
DESIGNS = [
    SMALL,
    pytest.param(Design(4, 11, 40, (40, 37, 31, 40)), marks=pytest.mark.soak),
    pytest.param(Design(2, 13, 64, (60, 50, 48, 59)), marks=pytest.mark.soak),
    pytest.param(Design(8, 12, 60, (60, 50, 48, 59)), marks=pytest.mark.soak),
]
KEY = BASE
LATENCY = 20  # the latency of the memory
SHIFT = -8  # by which messages' words are shifted
KINDS = pytest.mark.parametrize("kind", [PIPE, PIPED, PIPEM], ids=["rounds", "direct", "words"])


@pytest.fixture(autouse=True, scope="module")
def ended():
    """Models of two builds do not outlive the tests: at the interpreter's end they are torn down in any order."""
    yield
    bench.cache_clear()


class Job:
    """Frames of one key, in memory and in slots."""

    def __init__(self, dut, log_n, rng, frames=2, kind=PIPE, bound=1 << 20):
        design, rounds = dut.design, kind == PIPE
        self.dut, self.kind, self.rng = dut, kind, rng
        self.model = model = model_of(design, log_n)
        dut.sim.set(log_n_i=log_n)
        self.keys = [rng.integers(0, q, (2, model.n), np.uint64) for q in model.moduli]
        self.frames = [public_frame(design, model, rng, rounds, self.keys, bound) for _ in range(frames)]
        self.limbs = len(design.bits) - 1
        size = dut.put_key(model, KEY, self.keys, rounds)
        self.end = KEY + size  # the end of the image
        self.places = [self.end + i * (1 + 2 * self.limbs) * 8 * model.n for i in range(frames)]
        for number, frame in enumerate(self.frames):
            dut.put_frame(model, self.places[number], frame, 3 * (number % 2))
            if kind == PIPEM:  # no message is read
                dut.at(self.places[number], model.n)[:] = 1 << 63

    def words(self, message):
        """Fixed-point words of it times 2^SHIFT, to the nearest: and v_1, which is none."""
        near = self.rng.integers(-(1 << -SHIFT - 1) + 1, 1 << -SHIFT - 1, len(message))
        words = (message << -SHIFT) + near
        assert abs(words).max() < 1 << self.dut.design.width - 1
        mask = np.uint64((1 << self.dut.design.width) - 1)
        return [words.astype(np.uint64) & mask, self.rng.integers(0, 1 << 62, len(message), np.uint64) & mask]

    def start(self, number, limbs=None):
        first, frame = 3 * (number % 2), self.frames[number][0]
        self.dut.put_slots(first, frame.small)
        groups = self.words(frame.message) if self.kind == PIPEM else frame.words[1:]
        shift = SHIFT if self.kind == PIPEM else 0
        self.dut.start(self.kind, self.places[number], limbs=limbs or self.limbs, dst=first, groups=groups, shift=shift)

    def run(self, number, limbs=None):
        self.start(number, limbs)
        return self.dut.finish()

    def check(self, number, limbs=None):
        count = limbs or self.limbs
        want = np.stack([limb.want[1:] for limb in self.frames[number][:count]], axis=1)
        np.testing.assert_array_equal(self.dut.results(self.model, self.places[number], count), want)


def begin(design, log_n=10, seed=1, frames=2, kind=PIPE, **memory):
    dut = bench(design, encode=kind == PIPEM)
    dut.reset()
    dut.memory(**memory)
    return dut, Job(dut, log_n, np.random.default_rng(seed), frames, kind)


@KINDS
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_frames_back_to_back(design, kind):
    """N/P cycles per limb, or what the bus needs for its words per token; between two PIPEs the memory's latency and some cycles."""
    share = max(1, (2 if kind == PIPEM else 3) * design.lanes / 8)
    for log_n in {10, design.log_n_max} if kind != PIPED else [10]:
        dut, job = begin(design, log_n, kind=kind, latency=LATENCY)
        last, tokens = 0, job.limbs * job.model.n // design.lanes
        assert dut.do(PIPEKEY, KEY) == NONE
        for number in range(2):
            dut.entered.clear()
            assert job.run(number) == NONE
            cycles = dut.entered[-1] - dut.entered[0] + 1
            assert cycles == tokens if share == 1 else tokens <= cycles <= 1.03 * share * tokens
            assert dut.time - dut.entered[-1] == (9 if kind == PIPEM else 5)
            if number and share == 1:
                # words are there, a message has to come
                assert (
                    (0 if kind == PIPEM else LATENCY) < dut.entered[0] - last <= (LATENCY + 14 if kind != PIPEM else 16)
                )
            last = dut.entered[-1]
        assert dut.do(DRAIN) == NONE
        assert dut.rest() == 0
        for number in range(2):
            job.check(number)


def soak(*values):
    return pytest.param(*values, marks=pytest.mark.soak)


@pytest.mark.parametrize("slave", ["together", *map(soak, ["address_first", "any", "data_first"])])
def test_a_slow_memory(slave):
    """Waits on every channel, and a latency for which the buffers are too short."""
    dut, job = begin(SMALL, seed=2, pace=0.7, latency=150, write_latency=80, slave=slave)
    dut.do(PIPEKEY, KEY)
    for number in range(2):
        assert job.run(number) == NONE
    assert dut.do(DRAIN) == NONE
    assert dut.rest() == 0
    for number in range(2):
        job.check(number)


def test_other_limbs_and_keys():
    """What was loaded ahead is not used where the next PIPE has another number of limbs, or another key."""
    dut, job = begin(SMALL, seed=3)
    other = Job(dut, 10, np.random.default_rng(4), frames=1)
    # its image is behind all that the first job has
    end = job.places[-1] + (1 + 2 * job.limbs) * 8 * job.model.n
    for address, polys in [(KEY, job.keys), (end, other.keys)]:
        size = dut.put_key(job.model, address, polys)
    other.places = [end + size]
    for number, frame in enumerate(job.frames):
        dut.put_frame(job.model, job.places[number], frame, 3 * number)
    dut.put_frame(job.model, other.places[0], other.frames[0], 0)
    dut.do(PIPEKEY, KEY)
    assert job.run(0, limbs=1) == NONE
    assert job.run(1) == NONE
    # a limb of the first key is being loaded, and will not count
    headers = [KEY + i * size // job.limbs for i in range(job.limbs)]
    for _ in range(1000):
        dut.cycle()
        if dut.reads.bursts[-1][0] in headers:
            break
    assert dut.reads.bursts[-1][0] in headers
    dut.do(PIPEKEY, end)
    assert other.run(0) == NONE
    assert dut.do(DRAIN) == NONE
    job.check(0, limbs=1)
    job.check(1)
    other.check(0)
    # contexts are loaded anew behind a DRAIN
    size = dut.put_key(job.model, end, job.keys)
    job.places[0] = other.places[0]
    dut.put_frame(job.model, job.places[0], job.frames[0], 0)
    assert job.run(0, limbs=2) == NONE
    assert dut.do(DRAIN) == NONE
    job.check(0, limbs=2)
    # nothing to wait for
    assert dut.do(DRAIN) == NONE


def test_kinds_in_turns():
    """On a core that encodes: each kind behind each other one, with another latency from slots to tokens, and another image."""
    dut = bench(SMALL, encode=True)
    dut.reset()
    dut.memory(pace=0.8, latency=40)
    rng = np.random.default_rng(10)
    image = KEY
    jobs = []
    for kind in (PIPEM, PIPE, PIPEM, PIPED, PIPE, PIPED, PIPEM):
        job = Job(dut, 10, rng, 0, kind)
        size = dut.put_key(job.model, image, job.keys, kind == PIPE)
        job.image, job.places = image, [image + size]
        image += size + (1 + 2 * job.limbs) * 8 * job.model.n
        job.frames = [public_frame(SMALL, job.model, rng, kind == PIPE, job.keys)]
        jobs.append(job)
    for job in jobs:
        dut.put_key(job.model, job.image, job.keys, job.kind == PIPE)
        dut.put_frame(job.model, job.places[0], job.frames[0], 0)
        assert dut.do(PIPEKEY, job.image) == NONE
        assert job.run(0) == NONE
    assert dut.do(DRAIN) == NONE
    for job in jobs:
        job.check(0)


def again(dut, job):
    """Clear, and a frame as it should be."""
    dut.clear()
    dut.rest()
    assert not dut.faults
    dut.memory()
    job = Job(dut, 10, np.random.default_rng(9), frames=1, kind=job.kind)
    dut.do(PIPEKEY, KEY)
    assert job.run(0) == NONE
    assert dut.do(DRAIN) == NONE
    job.check(0)


def bad_message(job, rng, sign):
    word = rng.integers(job.model.n)
    job.dut.at(job.places[0], job.model.n)[word] = np.int64(sign * min(job.model.moduli[: job.limbs])).view(np.uint64)


def bad_word(job, rng):
    image = (job.places[0] - KEY) // 8 // job.limbs
    word = KEY + 8 * (2 * image - 1 - int(rng.integers(2 * job.model.n)))
    job.dut.at(word, 1)[:] = job.model.moduli[1]


def bad_modulus(job, _):
    job.dut.at(KEY + (job.places[0] - KEY) // job.limbs, 1)[:] ^= np.uint64(1 << 3)


def no_answer(job, _, memory, offset):
    getattr(job.dut, memory).errors[job.places[0] + offset] = 2


@pytest.mark.parametrize(
    ("fault", "break_it", "more"),
    [
        (VALUE, bad_message, {"sign": 1}),
        (VALUE, bad_message, {"sign": -1}),
        (RESIDUE, bad_word, {}),
        (CONTEXT, bad_modulus, {}),
        (BUS_READ, no_answer, {"memory": "reads", "offset": 1024}),
        (BUS_READ, no_answer, {"memory": "reads", "offset": -64}),
        (BUS_WRITE, no_answer, {"memory": "writes", "offset": 8192 + 256}),
    ],
    ids=["above", "below", "residue", "context", "read", "read key", "write"],
)
@pytest.mark.alike(4)
def test_faults(fault, break_it, more):
    dut, job = begin(SMALL, seed=5, frames=1)
    break_it(job, np.random.default_rng(5), **more)
    dut.do(PIPEKEY, KEY)
    told = job.run(0)
    # a fault that comes out late is reported by DRAIN
    if told == NONE:
        assert fault in {RESIDUE, BUS_READ, BUS_WRITE}
        told = dut.do(DRAIN)
    assert told == fault
    again(dut, job)


def test_the_greatest_message():
    """|m| = q - 1 of the least modulus is no fault, and the time is that of any frame with one that is."""
    design = SMALL
    q = min(model_of(design, 10).moduli[:-1])
    dut = bench(design)
    times = []
    for bad in (0, 1):
        dut.reset()
        job = Job(dut, 10, np.random.default_rng(6), frames=0)
        job.frames = [public_frame(design, job.model, np.random.default_rng(6), True, job.keys, bound=q - 1)]
        job.places = [job.end]
        dut.put_frame(job.model, job.places[0], job.frames[0], 0)
        dut.at(job.places[0], 1)[:] += np.uint64(bad)
        start = dut.time
        dut.do(PIPEKEY, KEY)
        assert job.run(0) == (VALUE if bad else NONE)
        times.append(dut.time - start)
        if not bad:
            assert dut.do(DRAIN) == NONE
            job.check(0)
    assert times[0] == times[1]
    again(dut, job)


@pytest.mark.parametrize("kind", [PIPE, PIPEM], ids=["message", "words"])
@pytest.mark.parametrize("when", [40, 700, 2600, *map(soak, [3, 300, 1900])])
@pytest.mark.alike(4)
def test_clear(when, kind):
    """In the middle of anything: nothing new on the bus but what was on offer, and the next frame is right."""
    dut, job = begin(SMALL, seed=7, kind=kind, pace=0.8, latency=40, write_latency=40)
    dut.do(PIPEKEY, KEY)
    dut.cycles(2)
    frames = iter(range(2))
    job.start(next(frames))
    for _ in range(when):
        dut.cycle()
        if dut.faults:
            assert dut.faults.pop() == NONE
            number = next(frames, None)
            job.start(number) if number is not None else dut.start(DRAIN)
    asked = len(dut.reads.bursts), len(dut.writes.bursts)
    dut.clear()
    dut.rest()
    assert len(dut.reads.bursts) - asked[0] <= 2
    assert len(dut.writes.bursts) - asked[1] <= 2
    again(dut, job)


@pytest.mark.parametrize("sign", [1, -1])
def test_words_that_are_below_q_or_not(sign):
    """As the greatest message: of the least modulus alone, at its last token, where the next limb's modulus is there already."""
    dut = bench(SMALL, encode=True)
    model = model_of(SMALL, 10)
    moduli = model.moduli[:-1]
    least, q = moduli.index(min(moduli)), min(moduli)
    times = []
    for bad in (0, 1):
        dut.reset()
        job = Job(dut, 10, np.random.default_rng(6), 1, PIPEM, bound=1 << 20)
        message = job.frames[0][0].message
        message[:2] = 0
        message[-1] = sign * (q - 1 + bad)
        job.words = lambda message: [
            (message << 1).astype(np.uint64) & np.uint64(0xFFFFFFFF),
            message.astype(np.uint64),
        ]
        start = dut.time
        dut.do(PIPEKEY, KEY)
        dut.put_slots(0, job.frames[0][0].small)
        dut.start(PIPEM, job.places[0], limbs=job.limbs, groups=job.words(message), shift=-1)
        assert dut.finish() == (VALUE if bad else NONE)
        times.append(dut.time - start)
    assert least < len(moduli)
    assert times[0] == times[1]
    again(dut, job)


@pytest.mark.parametrize("kind", [PIPE, PIPEM], ids=["message", "words"])
def test_nothing_depends_on_words(kind):
    """Two keys, messages, randomness and products: the same cycle for everything."""
    moves = []
    for seed in (11, 12):
        dut, job = begin(SMALL, seed=seed, kind=kind, pace=0.8, latency=30)
        dut.watch = True
        dut.do(PIPEKEY, KEY)
        for number in range(2):
            assert job.run(number) == NONE
        assert dut.do(DRAIN) == NONE
        moves.append(dut.moves)
    assert len(moves[0]) > 3000
    assert moves[0] == moves[1]


@pytest.mark.parametrize("kind", [PIPE, PIPEM], ids=["message", "words"])
def test_wipe(kind):
    """Words of frames are all over the unit; behind a wipe there are none but tables of twiddles and lines that were written."""
    dut, job = begin(SMALL, log_n=11, seed=8, kind=kind)
    dut.do(PIPEKEY, KEY)
    if kind == PIPEM:  # it ends in the middle, so that words are in the converters
        job.start(0)
        dut.cycles(1500)
        assert dut.look(".u_word")[1] > 10
    else:
        assert job.run(0) == NONE
    assert dut.look("u_tokens.")[1] > 100
    assert dut.look("u_read.")[1] > 3000
    dut.clear()
    dut.cycles(33)
    dut.sim.set(wipe_i=1)
    dut.cycles(64)
    dut.sim.set(wipe_i=0)
    assert dut.sim.get("wiping_o")
    dut.sim.wait("wiping_o", 0)
    for part in (
        "u_tokens.",
        *[".u_word"] * (kind == PIPEM),
        ".u_commutator.",
        ".u_queue",
        ".u_out",
        "u_read.gen_stream",
    ):
        size, left = dut.look(part)
        assert size, part
        assert not left, part
    # the next frame waits for the end of a wipe
    dut.cycle(wipe_i=1)
    dut.sim.set(wipe_i=0)
    again(dut, job)
    assert dut.entered[0] > 1 << 9


@pytest.mark.soak
@pytest.mark.parametrize(
    ("old", "new", "test", "given"),
    [
        ("(restart_i || restart_q) && state_q != IDLE && !ends", "1'b0", "test_other_limbs_and_keys", {}),
        (" && !busy_i[put_q]", "", "test_frames_back_to_back", {"design": SMALL, "kind": PIPE}),
        ("q[WordBits-1:1] != '0", "1'b0", "test_faults", {"fault": CONTEXT, "break_it": bad_modulus}),
        ("instr_i[LastLimbLsb+:LimbBits] != last_limb_q", "1'b0", "test_other_limbs_and_keys", {}),
        ("starts_key && addr_i != base_q", "1'b0", "test_other_limbs_and_keys", {}),
        (".clear_i     (!open_q)", ".clear_i", "test_clear", {"when": 2600, "kind": PIPE}),
        (">= 64'(out_modulus_q)", "> 64'(out_modulus_q)", "test_faults", {"fault": RESIDUE, "break_it": bad_word}),
        ("pipe_q && value_q ? FAULT_VALUE", "1'b0 ? FAULT_VALUE", "test_the_greatest_message", {}),
        ("write_idle_i;\n  assign drained", "1'b1;\n  assign drained", "test_a_slow_memory", {"slave": "any"}),
        ("65'({q_i[W-1:1], 1'b0})", "65'(q_i)", "test_faults", {"fault": VALUE, "break_it": bad_message, "sign": -1}),
        ("(enters || wipe_i),", "(enters),", "test_wipe", {"kind": PIPE}),
        # words: the modulus of the next limb, or of the limb before; the message of memory; what is over, and a token's place; what stays
        (".q_i       (q),", ".q_i       (q_i),", "test_frames_back_to_back", {"design": SMALL, "kind": PIPEM}),
        (
            "first_q <= issue && place_q == '0",
            "first_q <= issue && last",
            "test_frames_back_to_back",
            {"design": SMALL, "kind": PIPEM},
        ),
        ("(first_q && !worded_q) ||", "first_q ||", "test_frames_back_to_back", {"design": SMALL, "kind": PIPEM}),
        ("worded && way_q[Late] && over_sec", "1'b0 && over_sec", "test_words_that_are_below_q_or_not", {"sign": 1}),
        ("worded ? way_q[Late] : way_q[2]", "way_q[Late]", "test_kinds_in_turns", {}),
        ("wipe_i || way_q[Late:2] != '0", "way_q[Late:2] != '0", "test_wipe", {"kind": PIPEM}),
        ("total_d != (PlaceBits + 1)'(Depth)", "1'b1", "test_a_slow_memory", {"slave": "any"}),
    ],
)
def test_broken_units_are_found(tmp_path, monkeypatch, old, new, test, given):
    encode = given.get("kind") == PIPEM or test in {"test_words_that_are_below_q_or_not", "test_kinds_in_turns"}
    broken = Bench(SMALL, mutated(pipe_sources(), (old, new), tmp_path), encode)
    monkeypatch.setitem(globals(), "bench", lambda _, encode=False: broken)
    more = {name: value for name, value in given.items() if name not in {"fault", "break_it"}}
    fixed = {name: value for name, value in given.items() if name in {"fault", "break_it"}} | {"more": more}
    with pytest.raises((AssertionError, SimulationError)):
        globals()[test](**(fixed if test == "test_faults" else given))
