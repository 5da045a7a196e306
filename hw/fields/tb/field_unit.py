# SPDX-License-Identifier: Apache-2.0
"""rs_pack_unit or rs_sponge_unit between a memory and a group by positions, cycle by cycle."""

from axi_memory import Memory, Unit
from rs_orders import reverse

from ringside.sim import verilate

LOG_N_MAX, LOG_N = 11, 11
LOADF, STOREF, NORM = 38, 39, 40
OLD = 0xFF


class FieldUnit(Unit):
    """places: least bits of the instruction's fields; ports: what is seen from outside; words: of a put; empty: the group at first."""

    def __init__(self, block, case, places, ports, words, empty, seed=1, outstanding=8, **memory):
        self.places, self.ports, self.words = places, ports, words
        self.w, self.bus_bits = case[:2]
        library = verilate.build(block.top, block.sources, block.parameters(case))
        super().__init__(library, self.bus_bits, 1 << 16, seed, **memory)
        self.reads = self.memory
        self.writes = Memory(self.bus_bits, self.base, 1 << 16, seed=seed + 1, outstanding=outstanding, **memory)
        self.writes.data = self.reads.data
        self.reads.data[:] = self.random.randbytes(1 << 16)
        self.group = [empty] * (1 << LOG_N_MAX)
        self.op = self.words_put = 0
        self.trace = []
        self.q = 8380417
        self.sim.step(2)
        self.sim.set(rst_ni=1, log_n_i=LOG_N)
        self.sim.step()

    def drive(self):
        """What else changes at the beginning of a cycle."""

    def cycle(self):
        sim = self.sim
        self.reads.drive_read(sim)
        self.writes.drive_write(sim)
        self.drive()
        if sim.get("put_valid_o"):
            pos, data = sim.get("put_pos_o"), sim.get("put_data_sec_o")
            assert pos % self.words == 0
            self.group[pos : pos + self.words] = [data >> self.w * i & (1 << self.w) - 1 for i in range(self.words)]
            self.words_put += self.words
        elif self.op not in (STOREF, NORM):
            assert not sim.get("put_data_sec_o")
        self.trace.append(tuple(sim.get(name) for name in self.ports))
        done = sim.get("fault_o") if sim.get("done_o") else None
        self.reads.sample_read(sim)
        self.writes.sample_write(sim)
        sim.step()
        return done

    def begin(self, op, address=0, clear=0, **fields):
        word = op + sum(value << self.places[name] for name, value in fields.items())
        for memory in (self.reads, self.writes):
            memory.bursts.clear()
        self.op, self.words_put, self.trace = op, 0, []
        self.sim.set(instr_i=word, addr_i=address, q_i=self.q, start_i=1, clear_i=clear)
        assert self.cycle() is None
        self.sim.set(start_i=0, clear_i=0)

    def clear(self, when, done=None):
        """In that cycle of an instruction, if it is not done before: the unit drains."""
        for _ in range(1, when):
            done = self.cycle()
            if done is not None:
                break
        if done is None:
            self.sim.set(clear_i=1)
            done = self.cycle()
            self.sim.set(clear_i=0)
            put = self.words_put
            for _ in range(2000):
                if done is not None:
                    break
                done = self.cycle()
            assert done is not None
            assert self.words_put == put, "something is put after clear_i"
        self.reads.check_drained()
        self.writes.check_drained()

    def check_beats(self, at, want):
        """Each beat of a store that was cleared is written, zeros, or OLD as before."""
        beat = self.bus_bits // 8
        for k in range(0, len(want), beat):
            old = bytes([OLD] * beat)
            assert bytes(self.reads.data[at][k : k + beat]) in (want[k : k + beat], bytes(beat), old)

    def poly(self, log_size, number):
        """Coefficients of a polynomial of the group."""
        return [self.group[(number << log_size) + reverse(i, log_size)] for i in range(1 << log_size)]
