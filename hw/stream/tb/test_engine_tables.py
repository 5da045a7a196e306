# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/engines.md: what clusters in lock step share, how many products a limb has, and what counts of multipliers have to agree."""

from types import SimpleNamespace

import engine_tables
import pytest
from engine_tables import Engine, cluster_cycles, engines, products, stream_cycles, stream_multipliers


def block(module, depth, instances, lut):
    figures = dict.fromkeys(engine_tables.UNITS, 0) | {"lut": lut}
    return SimpleNamespace(module=module, depth=depth, instances=instances, total=SimpleNamespace(**figures))


def fake(extra):
    """As rs_yosys.measured answers, with so many multipliers more than there are."""

    def measured(device, top, parameters):
        if top == "rs_stream_unit":
            count = stream_multipliers(parameters["P"], parameters["LogNMax"])
            return None, None, [block(top, 0, 1, 1000), block("rs_modmul", 2, count + extra, 10)], 2
        lanes, twiddles = parameters["Lanes"], 30 if parameters["OnTheFly"] else 10
        blocks = [block(top, 0, 1, 200), block("rs_ntt_addr", 1, 1, 5), block("rs_twiddles", 1, 1, twiddles)]
        return None, None, [*blocks, block("rs_modmul", 2, lanes * (1 + parameters["OnTheFly"]) + extra, 10)], 4

    return measured


def test_what_clusters_share_is_counted_once(monkeypatch):
    monkeypatch.setattr(engine_tables, "measured", fake(0))
    found = {engine.name: engine for engine in engines((2, 4))}
    luts = [engine.figures["lut"] for engine in found.values()]
    assert luts == [1000, 1000, 200, 3 * 200 - 2 * 35, 200, 3 * 200 - 2 * 15]
    multipliers = [engine.multipliers for engine in found.values()]
    lanes = engine_tables.LANES
    assert multipliers == [58, 116, 2 * lanes, 4 * lanes, lanes, 3 * lanes]
    assert all(0.5 < engine.utilisation <= 1 for name, engine in found.items() if "fly" not in name)


def test_multipliers_have_to_agree(monkeypatch):
    monkeypatch.setattr(engine_tables, "measured", fake(1))
    with pytest.raises(AssertionError):
        engines((2,))


def test_products_of_a_limb():
    # one cluster with stored twiddles does nothing else
    assert cluster_cycles(4, 16, 1) * 4 == products(16) == 28 << 16
    assert cluster_cycles(4, 16, 3) * 4 * 3 == (24 + 6) << 16
    # a streaming engine leaves the generator's products and no others out
    idle = stream_multipliers(2, 16) * stream_cycles(2, 16) - products(16)
    assert idle == 2 * stream_cycles(2, 16)
    assert Engine("", 58, stream_cycles(2, 16), 0, 5, {}).utilisation == pytest.approx(28 / 29)
