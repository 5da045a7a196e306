# SPDX-License-Identifier: Apache-2.0
"""Whatever is passed to the public API, an error is a RingsideError: every argument of every function, found by inspection."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside as rs
from asserting import raises
from interop.openfhe_contexts import context_file
from ringside.arguments import checked

WRONG: list[Any] = [
    *[None, object(), object, "big", "a\0b", "\udcff", b"x", b"", -1, 0, 1.5, 2**70, -(2**70), 10**400, True],
    *[float("nan"), float("inf"), 1j, [], [1, [2]], [None], ["x"], [object()], {}, range(3), (-1,), iter([1])],
    *[np.array(3), np.zeros((2, 2)), np.array(["x"]), np.array([None]), np.float32(1.5), np.int64(-1), Path("nodir/x")],
]
MADE_HERE = {rs.FileInfo, rs.HeirProgram, rs.NamedSet, rs.SecurityTable}  # results, which nobody else makes
OWN: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {  # where the name alone does not say what is right
    "Parameters.from_bytes": lambda good: {"data": good["params"].to_bytes()},
    "Ciphertext.from_data": lambda good: {"data": good["ciphertext"].expand().data},
    "OpenFHE": lambda good: {"context": good["openfhe"].context, "parameters": good["openfhe"].parameters},
}
CALLED = {"progress", "more", "removed"}  # their own errors are the caller's


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A right value for each name of an argument, of small parameters."""
    context = rs.Context(rs.Parameters.from_bits(512, [30, 30], security=0))
    keys = tmp_path_factory.mktemp("keys") / "keys"
    rs.make_keys(context.params, keys)
    secret = context.keygen()
    public = context.public_key(secret)
    ciphertext, plaintext = context.encrypt([1.0], secret), context.encode([1.0])
    with secret:
        yield {
            "params": context.params, "context": context, "executor": context._device, "item": context, "keys": keys,
            "secret_key": secret, "secret": secret, "key": secret, "master": bytes(64), "literal": b"{}", "public_key": public, "spec": rs.KeySpec(),
            "path": "out.seal", "target": "out.seal", "data": ciphertext.to_bytes(), "source": ciphertext.to_bytes(),
            "ciphertext": ciphertext, "ciphertexts": (ciphertext,), "plaintext": plaintext, "sizes": (1,),
            "values": [1.0], "frames": [[1.0]], "got": [1.0], "truth": [1.0], "rotations": [1], "elements": [5],
            "galois": False, "level": 0, "index": 0, "scale": 2.0**20, "publish_bits": 10, "consent": "owner",
            "n": 512, "bits": [30, 30], "moduli": context.params.moduli, "name": "lee-12",
            "openfhe": rs.OpenFHE.read(context_file(3), security=0), "parameters": None,  # see OWN
        }  # fmt: skip


def functions(good: dict[str, Any]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """All that is public: functions, constructors, methods of a class and of an object."""
    objects = {rs.SecretKey: "secret", rs.Plaintext: "plaintext", rs.Ciphertext: "ciphertext", rs.Context: "context"}
    objects |= {rs.PublicKey: "public_key", rs.Parameters: "params"}
    made = {kind: good[name] for kind, name in objects.items()}
    made[rs.KeyDirectory] = rs.KeyDirectory(good["keys"])
    made[rs.KeySpec], made[rs.TensealContext] = rs.KeySpec(), rs.TensealContext(good["context"])
    made[rs.ExactContext] = rs.ExactContext(rs.Parameters.named("bfv-12"))
    made[rs.Lattigo], made[rs.OpenFHE] = rs.Lattigo(good["context"]), good["openfhe"]
    made[rs.TensealVector] = rs.TensealVector.of([good["ciphertext"]])
    for name in rs.__all__:
        item = getattr(rs, name)
        if inspect.isfunction(item):
            yield name, item
        elif inspect.isclass(item) and not issubclass(item, Exception) and item not in MADE_HERE:
            if "native" not in inspect.signature(item).parameters:  # else the package makes it
                yield name, item
            for member, _ in inspect.getmembers(item, callable):
                if not member.startswith("_") and member != "close":
                    yield f"{name}.{member}", getattr(made[item], member)


def test_every_error_is_a_ringside_error(good: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong: list[str] = []
    count = 0
    for name, function in functions(good):
        parameters = inspect.signature(function).parameters.values()
        needed = [one.name for one in parameters if one.default is one.empty and one.kind not in (one.VAR_KEYWORD,)]
        assert set(needed) <= set(good), f"{name} has a new argument: give `good` a value for it"
        right = {argument: good[argument] for argument in needed}
        right |= OWN[name](good) if name in OWN else {}
        for parameter in parameters:
            for value in WRONG if parameter.kind is not parameter.VAR_KEYWORD else ():
                if parameter.name in CALLED and callable(value):
                    continue
                count += 1
                try:
                    function(**right | {parameter.name: value})
                except Exception as error:
                    told = isinstance(error, rs.RingsideError) and error.message.endswith(".")
                    if not told or not error.hint:  # type: ignore[attr-defined]
                        wrong.append(f"{name}({parameter.name}={str(value)[:40]!r}): {type(error).__name__}: {error}")
    assert wrong == [], "\n".join(wrong)
    assert count > 5000


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda _: rs.Parameters.named(12), "Parameters.named: `name` cannot be 12. Pass a string."),  # type: ignore[arg-type]
        (lambda _: rs.Parameters.from_bits(4096, 60), "Pass a list, each item a whole number."),  # type: ignore[arg-type]
        (lambda context: context.encode([1, [2]]), "rows of one length"),
        (lambda c: c.encode([1.0], scale="big"), "Context.encode: `scale` cannot be 'big'. Pass a number or None."),
        (lambda context: context.encode([1.0], level=1.5), "`level` cannot be 1.5. Pass a whole number or None."),
        (lambda context: context.encrypt([1.0], "key"), "Pass a SecretKey or a PublicKey."),
        (lambda context: context.decrypt(b"x", b"y"), "`ciphertext` cannot be a bytes. Pass a Ciphertext."),
    ],
)
def test_errors_say_what_to_pass(context: rs.Context, call: Callable[[rs.Context], object], words: str) -> None:
    error = raises(rs.RingsideError, None, call, context)
    assert words in str(error)
    assert isinstance(error, ValueError)


def test_every_public_function_with_arguments_is_checked(good: dict[str, Any]) -> None:
    """One that is not could name its arguments as it likes."""
    for name, function in functions(good):
        takes = [one for one in inspect.signature(function).parameters if one != "executor"]
        if takes and name != "Context":
            inner: Any = vars(function)["__init__"] if inspect.isclass(function) else function
            assert hasattr(inner, "__wrapped__"), name


def test_what_numpy_makes_is_taken(context: rs.Context, secret: rs.SecretKey) -> None:
    ciphertext = context.encrypt(np.ones(2), secret, level=np.int64(1), scale=np.float64(2**20), seeded=np.True_)  # type: ignore[arg-type]
    assert np.allclose(context.decrypt_values(ciphertext, secret, np.int32(2)), 1, atol=0.01)  # type: ignore[arg-type]
    assert context.galois_elements(np.array([1, 2])) == context.galois_elements((1, 2))  # type: ignore[arg-type]
    assert len(context.encrypt_batch((row for row in np.ones((2, 3))), secret)) == 2
    assert rs.Parameters.from_bytes(memoryview(context.params.to_bytes())) == context.params


def test_the_check_reads_annotations_only_once() -> None:
    @checked
    def function(count: int, other: "str | None" = None) -> int:
        return count

    assert (function(3), function(3, "x"), function(count=4)) == (3, 3, 4)
    for wrong in ({"count": "x"}, {"count": 1, "other": 2}, {"count": None}):
        raises(rs.ArgumentError, "function: `", function, **wrong)


def test_options_that_methods_share_are_parameters_of_each(context: rs.Context, secret: rs.SecretKey) -> None:
    """They are written once (objects/ckks/options.py), and shown, filled in and checked as if each method named them."""
    shown = inspect.signature(context.encrypt_fixed_batch).parameters
    wanted = {"threads": None, "special_prime": True, "seed_type": "shake256", "bound": None}
    assert {name: shown[name].default for name in wanted} == wanted
    assert inspect.signature(context.decrypt_fixed).parameters["bound"].default == 1
    with pytest.raises(TypeError, match=r"Context.encrypt\(\) got an unexpected keyword argument 'scal'"):
        context.encrypt([1.0], secret, scal=2.0)  # type: ignore[call-arg]
