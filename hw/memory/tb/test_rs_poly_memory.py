# SPDX-License-Identifier: Apache-2.0
"""rs_poly_memory: every unit finds what another unit wrote, in the row and bank that docs/core.md states; wiping; collisions."""

from functools import cache

import numpy as np
import pytest
from compute_bench import places
from rs_cocotb import BUILD, elaborate, enum, rtl

from ringside.sim import SimulationError, Simulator, build
from ringside.sim.verilate import pack, unpack

LOG_LANES, LOG_N, GROUPS, CHUNK, WIDTH = 1, 7, 3, 4, 32
LANES, N = 1 << LOG_LANES, 1 << LOG_N
SOURCES = ["rs_ntt_pkg", "rs_ram_1rw", "rs_bank_group", "rs_chunk_place", "rs_poly_memory"]
PARAMETERS = {"W": WIDTH, "LogNMax": 8, "LogLanes": LOG_LANES, "Groups": GROUPS, "ChunkWords": CHUNK}


@cache
def library():
    assert enum("RS_WLM") == 1
    return build("rs_poly_memory", rtl(*SOURCES), PARAMETERS, cache=BUILD / "sim")


class Memory:
    def __init__(self):
        self.sim = Simulator(library())
        self.sim.set(log_n_i=LOG_N)
        self.sim.step(2)
        self.sim.set(rst_ni=1)
        self.sim.step(2)

    def chunks(self, user, group, values, ntt=0):
        """LOAD or LIFT of a polynomial in memory order."""
        position = np.arange(0, N, CHUNK, dtype=np.uint32)
        self.sim.set(**{f"{user}_valid_i": 1, f"{user}_group_i": group})
        if user == "load":
            self.sim.set(load_ntt_i=ntt)
        data = pack(np.asarray(values, np.uint64).reshape(-1, CHUNK), WIDTH)
        self.sim.play({f"{user}_pos_i": position, f"{user}_data_i": data})
        self.sim.set(**{f"{user}_valid_i": 0})
        self.sim.step(2)

    def expand(self, group, values):
        self.sim.set(expand_valid_i=1, expand_group_i=group)
        data = pack(np.asarray(values, np.uint64)[:, None], WIDTH)
        self.sim.play({"expand_index_i": np.arange(N, dtype=np.uint32), "expand_data_i": data})
        self.sim.set(expand_valid_i=0)
        self.sim.step(2)

    def read(self, user, group, ntt=0):
        """STORE or ROUND, two cycles later."""
        position = np.append(np.arange(0, N, CHUNK, dtype=np.uint32), np.zeros(2, np.uint32))
        self.sim.set(**{f"{user}_req_i": 1, f"{user}_group_i": group})
        if user == "store":
            self.sim.set(store_ntt_i=ntt)
        taken = self.sim.play({f"{user}_pos_i": position}, [f"{user}_data_o"])[f"{user}_data_o"]
        self.sim.set(**{f"{user}_req_i": 0})
        self.sim.step(2)
        return unpack(taken[2:], WIDTH, CHUNK).ravel()

    def banks(self, group, row):
        """A row as the lanes see it, by {g, h, lane}."""
        self.sim.set(lanes_read_i=1, lanes_read_groups_i=1 << group, lanes_read_addr_i=row)
        halves = []
        for half in (0, 1):
            self.sim.set(lanes_read_half_i=half)
            self.sim.step(2)
            words = self.sim.get("lanes_data_o").to_bytes(GROUPS * 4 * LANES * 4, "little")
            groups = np.frombuffer(words, "<u4").reshape(GROUPS, 2, 2 * LANES)
            halves.append(groups[group, half])
        self.sim.set(lanes_read_i=0)
        self.sim.step()
        return np.concatenate(halves)


@pytest.fixture
def memory():
    dut = Memory()
    yield dut
    dut.sim.close()


def polynomial(seed):
    return np.random.default_rng(seed).integers(0, 1 << 32, N, np.uint64)


@pytest.mark.parametrize("ntt", [0, 1])
def test_chunks_come_back_and_lie_where_the_lanes_look(memory, ntt):
    values = [polynomial(group) for group in range(GROUPS)]
    for group in range(GROUPS):
        memory.chunks("load", group, values[group], ntt)
    for group in range(GROUPS):
        np.testing.assert_array_equal(memory.read("store", group, ntt), values[group])
    reverse = [int(f"{k:0{LOG_N}b}"[::-1], 2) for k in range(N)]
    by_index = values[1][reverse]
    row, word = places(LOG_N, LANES, bool(ntt))
    for address in range(N // (4 * LANES)):
        found = memory.banks(1, address)
        for index in np.flatnonzero(row == address):
            lane, g, h = word[index] >> 2, word[index] >> 1 & 1, word[index] & 1
            assert found[g * 2 * LANES + h * LANES + lane] == by_index[index]


def test_users_meet(memory):
    lifted, expanded = polynomial(1), polynomial(2)
    memory.chunks("lift", 2, lifted)
    memory.expand(0, expanded)
    np.testing.assert_array_equal(memory.read("round", 2), lifted)
    np.testing.assert_array_equal(memory.read("store", 2), lifted)
    reverse = [int(f"{k:0{LOG_N}b}"[::-1], 2) for k in range(N)]
    np.testing.assert_array_equal(memory.read("store", 0, ntt=1), expanded[reverse])


def test_wipe_leaves_zeros_everywhere(memory):
    for group in range(GROUPS):
        memory.chunks("load", group, polynomial(group))
    memory.sim.set(wipe_i=1)
    memory.sim.play({"wipe_addr_i": np.arange(N // (4 * LANES), dtype=np.uint32)})
    memory.sim.set(wipe_i=0)
    for group in range(GROUPS):
        assert not memory.read("store", group).any()


def test_two_users_of_a_group_stop_the_simulation(memory):
    memory.sim.set(load_valid_i=1, load_group_i=1, store_req_i=1, store_group_i=1)
    with pytest.raises(SimulationError, match="two ports"):
        memory.sim.step(3)


def test_different_groups_do_not_collide(memory):
    memory.chunks("load", 1, polynomial(5))
    memory.sim.set(lift_valid_i=1, lift_group_i=0)
    np.testing.assert_array_equal(memory.read("store", 1), polynomial(5))


@pytest.mark.parametrize("parameters", [{"ChunkWords": 3}, {"ChunkWords": 16, "LogLanes": 1}, {"LogNMax": 18}])
def test_illegal_parameters(parameters):
    assert "%Error" in elaborate("rs_poly_memory", rtl(*SOURCES), parameters)
