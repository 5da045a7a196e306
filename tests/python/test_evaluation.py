# SPDX-License-Identifier: Apache-2.0
"""Scale, level and special prime: the rules of ringside.objects.common.evaluation, and what the commands say by them.

That four libraries keep these promises is in tests/interop/test_depth.py.
"""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from cli_runner import CommandLine, python
from interop import oracle
from interop.openfhe_contexts import context_file
from ringside.cli.common.options import parse_bits
from ringside.objects.common import evaluation
from ringside.objects.common.evaluation import depth, product_scale, rotates
from ringside.objects.common.params import twin

SETS = [item.name for item in rs.named_sets()]


def named(name: str) -> rs.Parameters:
    return rs.Parameters.named(name, security=0)


# ---- sets ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", SETS)
def test_default_scale_is_that_of_products_where_a_set_is_made_for_them(name: str) -> None:
    params = named(name)
    scale = product_scale(params)
    assert scale is None or scale == params.default_scale
    assert (scale is None) == (name.startswith("seal-embedded") or name == "aloha-8192")


@pytest.mark.parametrize("name", SETS)
def test_every_set_has_a_twin_that_multiplies_and_rotates(name: str) -> None:
    other = twin(named(name))
    if name in ("lee-15", "lee-16"):
        assert other in ("lee-15", None)  # lee-16's last levels are for other scales
        return
    assert other is not None
    found = rs.Parameters.named(other)
    assert found.slots >= named(name).slots
    assert depth(found, found.default_scale) == found.max_level > 0
    assert rotates(found, found.default_scale)
    assert found.security_tables["guidelines-2024"].security >= 128


@pytest.mark.parametrize(
    ("n", "bits", "log2"),
    [
        (8192, [60, 40, 40, 60], 40),
        (4096, [27, 25, 25, 30], 25),  # room for values up to 2 in the first prime
        (4096, [26, 25, 25, 30], 19),  # and here is none
        (4096, [36, 36, 36], 27),
        (4096, [40], 30),
        (8192, [50, 40, 41, 60], 38),
    ],
)
def test_default_scale_of_own_bits(n: int, bits: list[int], log2: int) -> None:
    assert rs.Parameters.from_bits(n, bits, security=0).default_scale == 2.0**log2


# ---- the model -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["lee-12", "eval-13", "seal-embedded-4096"])
def test_key_switching_as_the_oracle_has_it(name: str) -> None:
    """Slot by slot there, one root-mean-square and one worst slot here."""
    params = named(name)
    assert params.special_prime is not None
    data, scale = list(params.moduli[: params.data_limbs]), params.default_scale
    slots = oracle.key_switch_slot_error(params.n, data, params.special_prime, scale)
    fresh = replace(params.after(), error=0.0)
    assert fresh.rotated().error == pytest.approx(math.sqrt(np.mean(slots**2)), rel=0.01)
    worst = params.rotation_error()
    others = math.log(params.slots) / math.sqrt(2) * np.median(slots)
    assert worst == pytest.approx(math.hypot(math.sqrt(2) * slots.max(), others), rel=0.05)


def test_levels_end() -> None:
    params = named("eval-12")
    left = params.after(1)
    assert (left.level, left.nominal) == (0, False)
    wrong: list[Callable[[], object]] = [left.product, lambda: params.after(2), lambda: params.after(level=2)]
    for call in wrong:
        assert raises(rs.InputError, None, call).code == "RS_ERR_LEVEL"
    raises(rs.InputError, "one modulus", named("seal-embedded-1024").after, rotations=1)
    assert named("seal-embedded-1024").rotation_error() is None
    raises(rs.InputError, "Unknown encryption", params.after, kind="magic")


def test_values_that_do_not_fit_leave_nothing() -> None:
    params = rs.Parameters.from_bits(8192, [40, 40, 60])
    assert params.after(1, scale=2.0**40).precision_bits == -math.inf
    assert params.after(0, scale=2.0**80).precision_bits == -math.inf
    assert params.after(1, scale=2.0**38).precision_bits > 20


def test_a_power_of_two_drifts_and_the_returning_scale_does_not() -> None:
    params = named("lee-16")
    assert params.after(30).precision_bits == -math.inf
    scale = evaluation.returning_scale(params, 30, params.default_scale)
    assert params.after(30, scale=scale).scale == pytest.approx(params.default_scale, rel=1e-4)
    assert params.after(30, scale=scale).precision_bits > 5


def test_groups_of_bits() -> None:
    assert parse_bits("8192:42,32x2,50") == (8192, [42, 32, 32, 50])
    for wrong in ("8192:42,32x", "8192:32x0", "8192:x2", "8192:32x999999999", "8192:32x-1,40x9"):
        raises(Exception, "is not of the form", parse_bits, wrong)


# ---- commands ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("columns", [80, 60])
def test_params_fits_a_terminal(columns: int) -> None:
    """No name is broken, and a set takes a line."""
    script = "import sys; sys.stdout.isatty = lambda: True; from ringside.cli import main; main(['params'])"
    done = python(script, env={"COLUMNS": str(columns), "TERM": "xterm"})
    assert done.returncode == 0, done.stderr
    lines = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout).splitlines()
    assert max(map(len, lines)) <= columns
    names = [item.name for item in rs.named_sets(None)]
    assert all(any(line.split()[:1] == [name] for line in lines) for name in names)
    assert len(lines) < len(names) + 14  # two tables
    assert any("4096:30,27,32" in line for line in lines) == (columns == 80)


def test_params_says_what_a_set_is_good_for(ringside: CommandLine) -> None:
    done = ringside("params")
    rotation = next(line for line in done.err.splitlines() if "one rotation is off" in line)
    assert all(name in rotation for name in ("lee-12", "lee-13", "seal-embedded-4096"))
    assert "eval" not in rotation
    assert "for products and rotations take eval-12, eval-13, lee-14" in done.err
    found = ringside("params", "aloha-8192").out
    assert "1 of 2 levels leave 18.6 bits" in found
    assert "2^51: 2 leave" in found
    described = ringside("params", "lee-14", "--json").json["evaluation"]
    assert (described["depth"], len(described["precision_bits"])) == (6, 6)
    assert described["rotation_error_log2"] == pytest.approx(math.log2(named("lee-14").rotation_error() or 0))


def test_keygen_measures_rotations(ringside: CommandLine, tmp_path: Path) -> None:
    for name, instead in (("lee-12", "eval-12"), ("lee-13", "eval-13"), ("seal-embedded-4096", "eval-12")):
        ringside("keygen", "--params", name, "--galois", "1", "--out", tmp_path / "no").ends(3, f"Take {instead}")
        assert not (tmp_path / "no").exists()
    done = ringside("keygen", "--params", "lee-12", "--galois", "1", "--coarse", "--out", tmp_path / "coarse", "--json")
    assert "warning: a rotation is off by about 0.26" in done.err
    assert done.json["rotation_error_log2"] == pytest.approx(-1.95, abs=0.01)
    done = ringside("keygen", "--params", "lee-12", "--galois", "1", "--scale", "2^27", "--out", tmp_path / "warned")
    assert (done.code, "warning: a rotation is off" in done.err) == (0, True)
    done = ringside("keygen", "--params", "eval-12", "--galois", "1", "--relin", "--out", tmp_path / "good")
    assert (done.code, done.err) == (0, "")
    assert "one rotation at scale 2^27: off by about 2^-10.9" in done.out


def test_keygen_tells_what_products_leave(ringside: CommandLine, tmp_path: Path) -> None:
    done = ringside("keygen", "--params", "aloha-8192", "--relin", "--out", tmp_path / "a")
    assert "1 of 2 products one after another leave 8 bits. Encrypt with --scale 2^51" in done.err
    done = ringside("keygen", "--params", "aloha-8192", "--relin", "--scale", "2^51", "--out", tmp_path / "b")
    assert "products" not in done.err
    done = ringside("keygen", "--params", "seal-embedded-2048", "--relin", "--out", tmp_path / "c")
    assert "no level is left for a product" in done.err


def test_scales_out_of_range_are_warned_of(ringside: CommandLine, tmp_path: Path) -> None:
    """A ciphertext at 2^6, as two products leave one of aloha-8192, and one above the modulus."""
    keys = tmp_path / "keys"
    rs.make_keys(named("aloha-8192"), keys)
    context = rs.KeyDirectory(keys).context
    with rs.KeyDirectory(keys).secret_key() as secret:
        data = context.encrypt([0.5], secret, level=0).expand().data
    for scale, words in ((2.0**6, "noise covers values of 1"), (2.0**52.5, "above the modulus"), (2.0**40, "")):
        rs.Ciphertext.from_data(context, data, scale=scale).save(tmp_path / "one.seal", overwrite=True)
        for done in (
            ringside("inspect", tmp_path / "one.seal"),  # a named set's, by its parms_id
            ringside("decrypt", "--keys", keys, tmp_path / "one.seal", tmp_path / "out.npy", "--complex"),
        ):
            assert done.code == 0, done.err
            assert (f"warning: The scale 2^{math.log2(scale):g} is " in done.err) == bool(words)
            assert words in done.err
        facts = ringside("inspect", tmp_path / "one.seal", "--json").json
        assert (words in facts["trouble"]) if words else ("trouble" not in facts)


@pytest.mark.parametrize("library", ["tenseal", "lattigo", "openfhe"])
def test_inspect_warns_of_scales_in_files_of_other_libraries(
    library: str, ringside: CommandLine, tmp_path: Path
) -> None:
    keys, given = tmp_path / "keys", tmp_path / "context"
    given.write_bytes(context_file(3))
    source = ("--params", given, "--security", "none") if library == "openfhe" else ("--params", "aloha-8192")
    assert ringside("keygen", *source, "--out", keys).code == 0
    theirs = (
        rs.OpenFHE.read(given, security=0) if library == "openfhe" else rs.Lattigo(rs.KeyDirectory(keys).ckks_context())
    )
    context = theirs.context
    with context.keygen() as secret:
        data = context.encrypt([0.5], secret, level=0).expand().data
    for scale, words in ((2.0**6, "noise covers values of 1"), (2.0**52.5, "above the modulus"), (2.0**30, "")):
        item = rs.Ciphertext.from_data(context, data, scale=scale)
        is_vector = library == "tenseal"
        written = rs.TensealVector.of([item], 1).to_bytes() if is_vector else theirs.ciphertext_to_bytes(item)
        (tmp_path / "one").write_bytes(written)
        done = ringside("inspect", "--keys", keys, tmp_path / "one").ends(0)
        assert (f"warning: The scale 2^{math.log2(scale):g} is " in done.err) == bool(words), done.err
        assert words in done.err
        assert "trouble" not in done.out
        trouble = ringside("inspect", "--keys", keys, tmp_path / "one", "--json").json.get("trouble", "")
        assert (words in trouble) if words else ("above" not in trouble)


def test_contexts_for_tenseal_carry_a_scale_that_its_products_keep(ringside: CommandLine, tmp_path: Path) -> None:
    np.save(tmp_path / "v.npy", [0.5])
    for name, scale, log2, warned in (
        ("eval-12", (), 27, False),
        ("lee-14", (), 48, False),
        ("lee-14", ("--scale", "2^40"), 40, True),
    ):
        keys = tmp_path / f"{name}{len(scale)}"
        upload = keys / "up.tenseal"
        for done in (
            ringside("keygen", "--params", name, "--relin", "--format", "tenseal", "--out", keys, *scale),
            ringside("encrypt", "--keys", keys, tmp_path / "v.npy", upload),
            ringside("convert", keys, keys / "again.tenseal", "--format", "tenseal"),
            ringside("inspect", keys / "context.tenseal"),
        ):
            assert done.code == 0, done.err
            assert ("products come out about 2^-8 times" in done.err) == warned, done.err
        assert ringside("inspect", keys / "again.tenseal", "--json").json["scale_log2"] == log2
        assert ringside("inspect", upload, "--json").json["scale_log2"] == log2
    # the other end: what TenSEAL sends back has fewer levels and the same scale
    context = rs.KeyDirectory(keys).ckks_context()
    with rs.KeyDirectory(keys).secret_key() as secret:
        answer = rs.TensealVector.encrypt(context, [0.5], secret, scale=2.0**40, level=5)
    answer.save(keys / "answer.tenseal")
    for arguments in (
        ("decrypt", "--keys", keys, keys / "answer.tenseal", tmp_path / "out.npy"),
        ("inspect", keys / "answer.tenseal"),  # a named set, by its parms_id
        ("convert", keys / "answer.tenseal", tmp_path / "answer.seal", "--format", "seal", "--keys", keys),
    ):
        ringside(*arguments).ends(0, "products come out about 2^-8 times")
    assert "products" not in ringside("decrypt", "--keys", keys, upload, tmp_path / "out.npy").err


def test_keys_for_a_context_of_tenseal(ringside: CommandLine, tmp_path: Path) -> None:
    rs.TensealContext(rs.Context(named("eval-12")), scale=2.0**26).save(tmp_path / "public.tenseal")
    ringside("keygen", "--params", tmp_path / "public.tenseal", "--out", tmp_path / "keys", "--format", "tenseal").ends(
        0
    )
    assert rs.KeyDirectory(tmp_path / "keys").params == named("eval-12")
    assert ringside("inspect", tmp_path / "keys" / "context.tenseal", "--json").json["scale_log2"] == 26


def test_advice_names_what_it_leaves_out(ringside: CommandLine) -> None:
    """The table has what fits; below it stands what does not, with its bits."""
    arguments = ("advise", "--precision", 20, "--depth", 2, "--slots", 4096, "--no-measure")
    done, rows = ringside(*arguments), ringside(*arguments, "--json").json
    table, below = done.out.split("Not precise enough: ")
    for row in rows:
        place = table if row["fits"] else below.splitlines()[0]
        assert (row["name"] if row["name"] != "custom" else "8192:") in place
        assert row["precision_bits"] >= 20 or not row["fits"]
    assert "after 2 products 23.6 bits, level 0" in below
    more = ringside(*arguments, "--rotations", 7, "--json").json
    assert all("--galois 1" in row["commands"][0] for row in more)
    assert all(row["rotations"] == 7 for row in more)


def test_advice_for_tenseal(ringside: CommandLine) -> None:
    """Where a dropped prime counts as the scale, unequal primes are no answer."""
    arguments = ("advise", "--precision", 20, "--depth", 2, "--slots", 4096, "--no-measure", "--json")
    by_server = {server: ringside(*arguments, "--server", server).json for server in ("seal", "tenseal")}
    assert by_server["seal"][0]["name"] == "aloha-8192"
    first = by_server["tenseal"][0]
    assert first["nominal_precision_bits"] >= 20
    assert "--format tenseal" in first["commands"][0]
    assert "upload.tenseal" in first["commands"][1]
    assert not any(row["fits"] for row in by_server["tenseal"] if row["name"] == "aloha-8192")
