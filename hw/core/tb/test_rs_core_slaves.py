# SPDX-License-Identifier: Apache-2.0
"""Every unit that writes, on every kind of slave: AXI4 lets a slave take the address of a write before its data, with them or after them, so no write
may wait for AWREADY. docs/core.md, On the bus. And wipes of what is on the way to memory."""

import pytest
from test_rs_core import Twin, registers
from test_rs_core_bus import bit, pass_cycles
from test_rs_core_fields import Fields
from test_rs_core_sealed import Sealed, both

from ringside import designs
from ringside.cycles import schemes
from ringside.cycles.operation import record
from ringside.sim.core import SLAVES
from ringside.sim.options import Simulated

LIMIT = 1 << 16  # cycles of a program that does not hang
ONE = {"latency": 3, "wait_cycles": LIMIT}
every_slave = pytest.mark.parametrize("slave", SLAVES)


# both units, a line and several; a sealed core inside and outside in turns
OUTSIDE = """
    CONTEXT ctx0 [ctx] log_size7
    LOADD d0 [seed]
    STORED d0 [out]
    DRAW g0 ctx0 number_bytes2 log_size8 draws3
    STOREF g0 ctx0 [packed] field_width_out7 log_size8 polys3
    LOADF g1 ctx0 [packed] field_width7 log_size8 polys3
    STOREF g1 ctx0 [more] field_width_out7 log_size8 polys3
    {more}
    STORED d0 [out + 0x80]
"""
INSIDE = """
    STOREF g0 ctx0 [vault + 0x2000] field_width_out7 log_size8 polys1
    STOREF g0 ctx0 [out + 0x200] field_width_out7 log_size8 polys1
    LOADD d2 [message]
    STORED d2 [out + 0x40]
    HASH d6 d0 [vault + 0x2000] hash2 bytes640
    STOREF g0 ctx0 [vault + 0x2400] field_width_out7 log_size8 polys1
    STORED d0 [vault + 0x2000]
    STOREF g0 ctx0 [out + 0x600] field_width_out7 log_size8 polys1
    HASH d6 d0 [vault + 0x2000] hash2 bytes640
"""


@every_slave
@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
def test_fields(port, slave, sealed):
    with (Sealed if sealed else Fields)(slave=slave, stall=32, **ONE) as dut, Twin(port, dut) as twin:
        assert both(dut, twin, OUTSIDE.format(more=INSIDE if sealed else ""))[0] == "NONE"


@pytest.mark.soak  # builds models of whole designs
@every_slave
@pytest.mark.parametrize(
    ("name", "op"),
    [
        ("rise-4", "encrypt-pk"),
        ("aloha-he", "encode-encrypt-pk-direct"),
        ("pqc-4", "ml-kem-512-encaps"),
        ("pqc-4s", "ml-kem-512-decaps-sealed"),
        ("pqc-4s", "ml-dsa-44-sign-sealed"),
    ],
)
def test_designs(name, op, slave):
    """The library's results, or there is a DeviceError."""
    wanted = Simulated(designs.load(name), {"slave": slave, "stall": 32})
    if designs.load(name).fields:
        schemes.measure(wanted, op)
    else:
        record(wanted, op, 4096, 1, 30)


# ---- wipes -------------------------------------------------------------------------------------------------------------
FILL = """
    CONTEXT ctx0 [ctx] log_size7
    DRAW g0 ctx0 number_bytes2 log_size8 draws3
    STOREF g0 ctx0 [vault + 0x2000] field_width_out7 log_size8 polys3
    LOAD g1 ctx0 [packed] log_size8
    HASH d6 d0 [vault + 0x2000] hash2 bytes4096
    HASH d6 d0 [vault + 0x2000] hash2 bytes4096
"""


@pytest.mark.parametrize("slave", ["any", "data_first"])
def test_a_wipe_while_memory_is_slow(slave):
    """Memory stops in a LOAD, a HASH of the vault waits behind it; zeroise; memory goes on before, in and after the wipe, or never. When STATUS says
    that it is over the vault is empty, and stays so."""
    r = registers()
    with Sealed(latency=3, slave=slave, wait_cycles=LIMIT) as dut:
        words = dut.program(FILL)
        cause, _, job = dut.run(words)
        assert cause == "NONE"
        full = dut.core.look("u_vault")[1]
        for wait in (0, 40, 300, 600, 850, 1500, None):
            dut.core.kill_bus("R", job.read_beats - 5)
            dut.start(words)
            while not dut.core.bus_is_dead:
                dut.core.read(r["STATUS"])
            pass_cycles(dut, 3000)
            assert dut.core.look("u_vault")[1] >= full - 64
            dut.core.write(r["CONTROL"], bit("CONTROL_ZEROIZE") | bit("CONTROL_IRQ_ENABLE"))
            if wait is not None:
                pass_cycles(dut, wait)
                dut.core.revive_bus()
            dut.wait_wiped()
            assert dut.core.look("u_vault")[1] == 0
            dut.core.wait()
            assert dut.status()[0] == "ABORTED"
            if wait is None:
                dut.core.revive_bus()
                while dut.core.read(r["STATUS"]) & bit("STATUS_BUS_HUNG"):
                    pass
            dut.wait_wiped()
            pass_cycles(dut, 100)
            assert dut.core.look("u_vault")[1] == 0
        assert dut.run(words)[0] == "NONE"
