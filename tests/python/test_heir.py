# SPDX-License-Identifier: Apache-2.0
"""What `ringside heir` refuses, and what its manifest and stubs do, without a compiler or a server: tests/interop/test_heir.py has both."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from cli_runner import CommandLine
from ringside.exchange.heir.layouts import runs_of, spread, values_of_slots
from ringside.exchange.heir.reading import read_program
from ringside.formats.mlir import TEXT_BYTES_MAX

TEXTS = Path(__file__).resolve().parents[1] / "interop" / "heir"
DOT = (TEXTS / "dot.lattigo.mlir").read_text()
OPENFHE = (TEXTS / "dot.openfhe.mlir").read_text()
Q, P = "36028797017456641, 35184371138561, 35184372121601", "1152921504607338497, 1152921504608747521"
LAYOUT = "ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047"
BOOTSTRAP = "    %ct_9 = lattigo.ckks.bootstrap %evaluator, %ct : (!evaluator, !ct) -> !ct\n  }\n"


def literal(moduli: str) -> str:
    return DOT.replace(f"Q = [{Q}]", f"Q = [{moduli}]")


def layout(constraints: str) -> str:
    return DOT.replace(LAYOUT, constraints)


# What is wrong, and words of the message and of the hint.
REFUSED = {
    "nothing": ("", "no module with attributes", "--scheme-to-lattigo"),
    "no text": ("\xff\0", "no text of MLIR", "heir-opt"),
    "too long": ("\n" * (TEXT_BYTES_MAX + 1), f"{TEXT_BYTES_MAX} are read", "constants"),
    "open bracket": (DOT.replace(") -> (memref<1x!ct>", " -> (memref<1x!ct>", 1), "line", "bracket"),
    "open quote": (DOT.replace('slot = 0 }">', "slot = 0 }>", 1).replace('layout = #layout', 'layout = "', 1), "line", "heir-opt"),
    "quotes": (DOT.replace("#layout = #", '#layout = "' + '\\"' * 10**5), "line 17", "heir-opt"),
    "name": (DOT.replace("@dot(", "@dot-9("), "no name in Go", "another name"),
    "no level": (DOT.replace("<level = 2>", "<level = x>"), "the level is x", "heir-opt"),
    "no layouts": (DOT.replace("tensor_ext.original_type =", "other ="), "has no layout", "original_type"),
    "no alias": (DOT.replace("#layout = #", "#other = #"), "alias #layout is not defined", "heir-opt"),
    "not a relation": (DOT.replace('"{ [] -> [ct, slot]', '"map { [] -> [ct, slot]'), "no relation of isl", "heir-opt"),
    "another scheme": (DOT.replace("scheme.ckks,", "scheme.cggi,"), "its scheme is scheme.cggi", "ckks, bgv and bfv"),
    "no backend": (DOT.replace("backend.lattigo,", ""), "neither Lattigo nor OpenFHE", "backend=lattigo"),
    "bgv for openfhe": (OPENFHE.replace("scheme.ckks", "scheme.bgv"), "for Lattigo alone", "backend=lattigo"),
    "no entry": (DOT.replace('"entry"', '"other"'), "0 functions are entries", "heir-opt"),
    "no helper": (DOT.replace("client.encrypt", "client.other"), "no function of the role client.encrypt", "heir-opt"),
    "bootstraps": (DOT.replace("  }\n", BOOTSTRAP, 1), "the program bootstraps", "fewer levels"),
    "two values": (layout("ct = 0 and 0 <= i0 <= 7 and slot = 0"), "two values into one slot", "heir-opt"),
    "beyond": (layout("ct = 0 and slot = i0 + 2048 and 0 <= i0 <= 7"), "leads beyond", "heir-opt"),
    "more values": (layout("ct = 0 and slot = i0 and 0 <= i0 <= 8"), "beyond the shape [8]", "heir-opt"),
    "no end": (layout("ct = 0 and slot = i0"), "leads beyond", "heir-opt"),
    "another space": (DOT.replace("[i0] -> [ct, slot]", "[i0, i1] -> [ct, slot]"), "does not lead from 1", "heir-opt"),
    "no constraint": (layout("ct = = 0"), "none that isl reads", "heir-opt"),
    "10^6 constraints": (layout(" and ".join(["ct = 0"] * 10**6)), "characters, and 1048576 are read", "heir-opt"),
    "10^4 constraints": (layout(" and ".join(["ct = 0"] * 10**4)), "characters, and 16384 are read", "heir-opt"),
    "2^31 slots": (DOT.replace("_slot_count = 2048", f"_slot_count = {2**31}"), f"{2**31} slots", "min-slot-count"),
    "no slots": (DOT.replace("scheme.requested_slot_count = 2048 : i64", "other"), "how many slots", "heir-opt"),
    "more slots": (DOT.replace("_slot_count = 2048", "_slot_count = 16384"), "do not fit into 8192", "min-slot-count"),
    "many ciphertexts": (DOT.replace("memref<1x!ct", "memref<1000x!ct"), "1000 ciphertexts of 2048", "min-slot-count"),
    "not 1 mod 2N": (literal("36028797017456641, 35184371138561, 35184372088833"), "1 mod 2N = 32768", "HEIR chooses"),
    "no prime": (literal("36028797017456641, 32769"), "32769 is no prime", "HEIR chooses"),
    "repeated": (literal("36028797017456641, 36028797017456641"), "is there twice", "HEIR chooses"),
    "Q of 61 bits": (literal("1152921504609239041"), "above 2^60", "first-mod-bits=58"),
    "P of 63 bits": (DOT.replace(P, "9223372036853661697"), "of P is above 2^61", "HEIR chooses"),
    "no P": (DOT.replace(P, ""), "Q or P is empty", "HEIR chooses"),
    "no literal": (DOT.replace("new_parameters_from_literal", "other"), "0 literals", "__configure"),
    "log N": (DOT.replace("logN = 14", "logN = 40"), "logN is 40", "min-slot-count"),
    "element": (DOT.replace("<galoisElement = 25 : i64> :", "<galoisElement = 26 : i64> :"), "26 is the Galois", "heir-opt"),
    "type": (DOT.replace("originalType = f32", "originalType = complex<f32>"), "no type of numbers", "heir-opt"),
    "scaling": (OPENFHE.replace("FixedManual = true", "FixedManual = false"), "FIXEDMANUAL", "scaling-technique"),
    "weak": (DOT.replace("logN = 14", "logN = 12"), "", "security"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refuses(name: str, tmp_path: Path, ringside: CommandLine) -> None:
    """With the sentence that helps, and nothing is written."""
    text, *words = REFUSED[name]
    path = tmp_path / "program.mlir"
    path.write_bytes(text.encode("latin-1"))
    done = ringside("heir", path, "--out", tmp_path / "client").ends(3, *words)
    assert done.out == ""
    assert not (tmp_path / "client").exists()


def test_layouts_are_what_isl_says() -> None:
    """Against the relation's own formula, and there and back as runs."""
    relation = "{ [i0, i1] -> [ct, slot] : 64ct <= 8i0 + i1 <= 64ct + 63 and slot = (40 - 8i0 - i1) mod 64 and 0 <= i0 < 16 and 0 <= i1 < 8 }"
    found = values_of_slots(relation, (16, 8), 2, 64)
    assert [int(value) for value in found] == [next(v for v in range(64 * ct, 64 * ct + 64) if (40 - v) % 64 == slot) for ct in range(2) for slot in range(64)]  # fmt: skip
    values, slots = spread(runs := runs_of(found, np.arange(128)))
    assert len(runs) == 4
    assert found[slots].tolist() == values.tolist()
    draws = np.random.default_rng(5)
    values, slots = draws.integers(0, 1 << 20, 300), draws.permutation(1 << 18)[:300]
    again = spread(runs_of(values, slots))
    assert sorted(zip(*again, strict=True)) == sorted(zip(values, slots, strict=True))


def test_manifest_is_read_strictly() -> None:
    program = read_program(DOT.encode(), "dot")
    text = program.text()
    assert rs.HeirProgram.of_text(text, "it") == program
    assert (program.rotations, program.relin, program.slots) == ((1, 2, 4), True, 2048)
    members = json.loads(text)
    for change in (
        {"kind": "other"}, {"slots": 2**31}, {"slots": 4}, {"rotations": ["1"]}, {"library": "seal"}, {"function": "a/b"},
        {"arguments": [members["arguments"][0] | {"runs": [[0, 0, 2, 5, 0]]}]},  # a slot twice
        {"arguments": [members["arguments"][0] | {"runs": [[8, 0, 1, 0, 0]]}]},
        {"arguments": [members["arguments"][0] | {"runs": [[0, 0, 2**40, 0, 0]]}]},
        {"arguments": [members["arguments"][0] | {"name": "../arg"}]},
        {"results": [members["results"][0] | {"runs": []}]},
        {"results": 3}, {"more": 1},
    ):  # fmt: skip
        raises(rs.InputError, "not the manifest", rs.HeirProgram.of_text, json.dumps(members | change), "it")
    raises(rs.InputError, "8 values; 7 are given", program.pack, program.arguments[0], np.zeros(7), 8192)


def test_commands_refuse_what_does_not_fit(tmp_path: Path, ringside: CommandLine) -> None:
    """Other keys, other numbers of files, options that the manifest says."""
    source, client, keys = (tmp_path / name for name in ("program.mlir", "client", "keys"))
    source.write_text(DOT)
    np.save(tmp_path / "a.npy", np.zeros(8))
    ringside("heir", source, "--out", client).ends(0)
    manifest = client / "manifest.json"
    ringside("keygen", "--program", manifest, "--relin", "--out", keys).refused(2, "--relin is said by the manifest")
    ringside("keygen", "--params", "lee-14", "--out", keys).ends(0)
    a, up = tmp_path / "a.npy", tmp_path / "up"
    encrypt = ("encrypt", "--program", manifest, "--keys", keys)
    ringside(*encrypt, a, up).refused(2, "encrypts 2 arguments, and 1", "arg0 (tensor<8xf32>)")
    ringside(*encrypt, a, a, up).refused(5, "these keys are for other parameters", "keygen --program")
    ringside(*encrypt, a, a, up, "--level", "1").refused(2, "--level is said by the manifest")
    decrypt = ("decrypt", "--program", manifest, "--keys", keys)
    ringside(*decrypt, a, a, tmp_path / "out.npy").refused(2, "result0 is in 1 ciphertexts; 2 are given")
    ringside(*decrypt, "--result", "1", a, tmp_path / "out.npy").refused(2, "has 1 results")
    ringside("encrypt", "--program", source, "--keys", keys, a, a, up).refused(3, "not the manifest")
    assert not up.exists()


def test_without_islpy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ringside: CommandLine) -> None:
    """A sentence that says how to get it. A manifest needs none."""
    monkeypatch.setitem(sys.modules, "islpy", None)
    source = tmp_path / "program.mlir"
    source.write_text(DOT)
    ringside("heir", source, "--out", tmp_path / "client").refused(2, "islpy is not installed", "in the source tree")


def test_stubs_put_values_where_the_library_does(tmp_path: Path, ringside: CommandLine) -> None:
    """JavaScript by Node, Python as a module; C is compiled by tests/interop/test_heir.py."""
    source, client = tmp_path / "program.mlir", tmp_path / "client"
    source.write_text(DOT)
    ringside("heir", source, "--out", client).ends(0)
    program = rs.HeirProgram.read(client / "manifest.json")
    server = rs.Lattigo.read(client / "params.json")
    values = np.arange(1.0, 9)
    wanted = server.to_seal_slots(program.pack(program.arguments[0], values, server.context.slots)[0])
    (client / "package.json").write_text('{"type": "module"}')
    code = f"import {{ pack, unpack, parameters }} from '{client}/client.js'\n"
    code += f"const slots = pack('arg0', {values.tolist()})\n"
    code += "console.log(JSON.stringify([[...slots], unpack('result0', slots), parameters.moduli.map(String)]))\n"
    node = Path(sys.executable).with_name("node")
    done = subprocess.run([node, "--input-type=module", "-e", code], capture_output=True, text=True, check=True)
    slots, result, moduli = json.loads(done.stdout)
    assert slots == wanted.tolist()
    assert result == [1.0]
    assert moduli == [str(q) for q in server.context.params.moduli]
    spec = importlib.util.spec_from_file_location("client", client / "client.py")
    assert spec is not None
    assert spec.loader is not None
    stub = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(stub)
    with server.context.keygen() as key:
        files = stub.encrypt(server, key, values, values)
        assert [len(one) for one in files] == [1, 1]
        assert (
            np.abs(server.decrypt_values(server.read_ciphertext(files[0][0]), key)[:16] - np.tile(values, 2)).max()
            < 1e-6
        )
        assert abs(stub.decrypt(server, key, files[0]) - 1) < 1e-6
