# SPDX-License-Identifier: Apache-2.0
# ruff: noqa
# mypy: ignore-errors
"""Rows of questions become lines of commands; it runs once: migrate_figures.py OLD STATES NEW.

OLD: figures/ours.jsonl as it was; STATES: what `ringside figures list --json` of that version said; NEW: the file to write. What was fresh is fresh by the
new hashes, what was old stays old by the parts that had changed.
"""

import json
import math
import os
import sys
from pathlib import Path

os.environ.setdefault("RINGSIDE_TREE", str(Path(__file__).resolve().parents[1]))
from ringside.figures import command as C
from ringside.figures import content
from ringside.figures.ledger import Ledger, Row
from ringside.soc.build import firmware

firmware()
old = [json.loads(l) for l in open(sys.argv[1])]
state = {}
for x in json.load(open(sys.argv[2])):
    assert state.setdefault(x["command"], x["state"]) == x["state"], x["command"]


def rename(f, names):
    return {names.get(k, k): v for k, v in f.items()}


def frac(busy):
    x = busy / 100
    for c in (x, math.nextafter(x, 0), math.nextafter(x, 1)):
        if 100 * c == busy:
            return c
    raise SystemExit(f"no fraction of {busy}")


def migrated(r):
    q = dict(r["question"])
    f = r["figures"]
    k = q.pop("kind")
    d = q.get("design")
    ref = "refused" in f
    if k == "Simulation":
        return C.cycles(d, q["op"], q["n"], q["limbs"], q["bits"]), f if ref else {
            "cycles": f["cycles"],
            "ratio": f["ratio"],
            "units": {"COMPUTE": {"busy": f["compute"]}},
        }
    if k == "Frames":
        return C.cycles(d, q["op"], q["n"], q["limbs"], q["bits"], frames=4), {
            "cycles": f["first"],
            "cycles_per_frame": f["further"],
        }
    if k in ("Batch", "Decryptions"):
        op = "encrypt-pk" if k == "Batch" else "decrypt"
        a = {"cycles": f["first"], "cycles_per_frame": f["cycles"], "batch_cycles": f["batch"]}
        if k == "Batch":
            a["stream"] = {n: f[n] for n in ("utilisation", "read_bytes", "written_bytes")}
        return C.cycles(d, op, params=q["params"], frames=q["frames"]), a
    if k == "Transform":
        return C.cycles(d, "ntt", log_size=q["log_size"], slices=q["slices"] if q["slices"] > 1 else None), {
            "cycles": f["cycles"],
            "transform": f["busy"],
        }
    if k == "SchemeCycles":
        return C.cycles(d, q["op"]), dict(f)
    if k == "Synthesis":
        assert not q["part"]
        return C.synth(d, q["device"]), {n: {"value": v} for n, v in f.items()}
    if k == "Asic":
        a = rename(f, {"cells_um2": "area_um2"})
        ff = a.pop("flip_flops", None)
        if ff is not None:
            a["blocks"] = [{"module": "rs_core", "instances": 1, "flip_flops": ff}]
        return C.asic(d), a
    if k == "Energy":
        return C.asic(d, energy=True), {"energy": dict(f)}
    if k == "SocRun":
        return C.soc_run(
            d,
            q["op"],
            q["n"],
            q["limbs"],
            q["bits"],
            latency=q["latency"] if q["latency"] != 20 else None,
            frames=q["frames"] if q["frames"] > 1 else None,
            overlap=q["overlap"],
        ), dict(f)
    if k == "SocScheme":
        return C.soc_run(
            d,
            q["op"],
            latency=q["latency"] if q["latency"] != 20 else None,
            frames=q["calls"] if q["calls"] > 1 else None,
        ), dict(f)
    if k == "SchemeProfile":
        names = ("rest", "transform", "product", "keccak", "chacha20", "sampler", "gaussian", "coding")
        ker = {n: {"cycles": f[n]} for n in names if f[n]}
        for n, c in (("transform", "transforms"), ("keccak", "permutations")):
            if n in ker:
                ker[n]["calls"] = f[c]
        return C.soc_profile(q["op"], d, q["runs"], q["divider"]), {
            "cycles": f["cycles"],
            "instructions": f["instructions"],
            "kernels": ker,
            "core_cycles": f["core_cycles"],
        }
    if k == "Processor":
        return C.line("soc area", target="osu018"), rename(f, {"cells_um2": "area_um2"})
    if k == "Evaluator" or k == "EvaluatorAes":
        return C.line(
            "ltv time", ring=q["m"], sbox=q["sbox"], key_switching=q["switching"], skip_aes=k == "Evaluator"
        ), dict(f)
    if k == "EvaluatorCore":
        return C.line("ltv cycles", d, op=q["op"], batch=q["batch"] if q["batch"] > 1 else None, hybrid=q["hybrid"]), {
            "part": {"measured": f["part"], "modelled": f["modelled"]},
            "counted": f["counted"],
            "milliseconds": f["ms"],
            "lanes_busy": frac(f["busy"]),
        }
    raise SystemExit(k)


rows = []
bench = None
for r in old:
    if r["question"]["kind"] == "Bench":
        q = r["question"]
        bench = bench or {"command": "make bench", "answer": {}, "row": r}
        bench["answer"].setdefault(q["params"], {}).setdefault(q["operation"], {})[q["who"]] = {
            "rate": r["figures"]["rate"]
        }
        continue
    c, a = migrated(r)
    rows.append((c, a, r))
rows.append(("make bench", bench["answer"], bench["row"]))
out = []
for c, a, r in rows:
    st = state[r["command"]]
    today = content.of(c)
    was = r["made_from"]
    kept = {n: was[n] for n in ("netlist", "program", "witnessed") if n in was}
    if st == "fresh":
        made = today | kept
    else:
        assert st.startswith("old: ")
        changed = set(st[5:].split(", "))
        made = {}
        for n, h in today.items():
            if n in changed:
                if n in was:
                    assert was[n] != h
                    made[n] = was[n]
            elif n in was or n == "command":
                made[n] = h
        made |= kept
    row = Row(c, a, made, r["version"], r["date"])
    want = st.split(":")[0]
    assert row.state() == want, (c, st, row.state(), row.changed())
    out.append(row)
place = Path(sys.argv[3])
place.unlink(missing_ok=True)
book = Ledger(place)
book.put(*out)
place.with_name(f".{place.name}.lock").unlink(missing_ok=True)
assert len(list(book)) == len(out) == len(old) - 19, (len(list(book)), len(out))
print(len(out), "rows")
