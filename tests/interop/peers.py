# SPDX-License-Identifier: Apache-2.0
"""Stock Microsoft SEALs behind one interface: TenSEAL's `sealapi` (native, 4.3), seal-python (native, 4.4) and node-seal (WebAssembly, 4.1.2)."""

from __future__ import annotations

import importlib
import itertools
import re
import sys
import tempfile
import weakref
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interop import oracle
from line_process import LineProcess

NODE_FOLDER = Path(__file__).parent / "node"

KINDS = {
    "plaintext": "Plaintext", "ciphertext": "Ciphertext", "secret_key": "SecretKey", "public_key": "PublicKey",
    "relin_keys": "RelinKeys", "galois_keys": "GaloisKeys",
}  # fmt: skip


class PeerError(Exception):
    """SEAL refused something, or the peer is missing."""


class Seal:
    """One SEAL, and one parameter set in it once `use` was called.

    version: as it stands in the files that it writes. compressions: that `save` can write; None is SEAL's default. reads_compressed: so do all
    but builds without codecs. seeded_kinds: of which it can save the seeded form, the Serializable, which can do nothing else. words: all in memory, seeds expanded. describe: polynomials, limbs, scale.
    """

    reads_compressed = True
    switches, seeds = "mod_switch_to_inplace", "encrypt_symmetric"  # names of methods
    _ids: list[Any]  # native parms_ids: key level first, then the data levels from the top down
    parameters_file: Path | None = None  # file of the set in use
    # new(type, *arguments) is an object; call(on, method, *arguments) is a method's value, get the same where that is an object

    def use(self: Any, path: Path, security: int = 128) -> None:
        """Loads parameters from a file and makes their context; PeerError if SEAL refuses them."""
        self.parameters_file = None
        self._use(path, security)
        self.parameters_file = path

    @property
    def data_limbs(self) -> int:
        return max(1, len(self._ids) - 1)

    def _made(self: Any, type_: str, on: Any, method: str, *arguments: Any) -> Any:
        """What a method of SEAL writes into its last argument."""
        made = self.new(type_)
        self.call(on, method, *arguments, made)
        return made

    def make_secret_key(self: Any) -> Any:
        return self.get(self.new("KeyGenerator", self.context), "secret_key")

    def encrypt(self: Any, plaintext: Any, public_key: Any) -> Any:
        return self._made("Ciphertext", self.new("Encryptor", self.context, public_key), "encrypt", plaintext)

    def _encryptor(self: Any, secret_key: Any) -> Any:
        return self.new("Encryptor", self.context, secret_key)

    def encrypt_symmetric(self: Any, plaintext: Any, secret_key: Any, seeded: bool) -> Any:
        encryptor = self._encryptor(secret_key)
        if seeded:
            return self.get(encryptor, self.seeds, plaintext)
        return self._made("Ciphertext", encryptor, "encrypt_symmetric", plaintext)

    def decrypt(self: Any, ciphertext: Any, secret_key: Any) -> Any:
        return self._made("Plaintext", self.new("Decryptor", self.context, secret_key), "decrypt", ciphertext)

    def decrypt_values(self: Any, ciphertext: Any, secret_key: Any) -> Any:
        return self.decode(self.decrypt(ciphertext, secret_key))

    def multiply(self: Any, a: Any, b: Any) -> Any:
        return self._made("Ciphertext", self.evaluator, "multiply", a, b)

    def relinearize(self: Any, ciphertext: Any, relin_keys: Any) -> None:
        self.call(self.evaluator, "relinearize_inplace", ciphertext, relin_keys)

    def rescale(self: Any, ciphertext: Any) -> None:
        self.call(self.evaluator, "rescale_to_next_inplace", ciphertext)

    def rotate(self: Any, ciphertext: Any, steps: int, galois_keys: Any) -> Any:
        return self._made("Ciphertext", self.evaluator, "rotate_vector", ciphertext, steps, galois_keys)

    def conjugate(self: Any, ciphertext: Any, galois_keys: Any) -> Any:
        return self._made("Ciphertext", self.evaluator, "complex_conjugate", ciphertext, galois_keys)

    def switch_to(self: Any, ciphertext: Any, limb_count: int) -> None:
        self.call(self.evaluator, self.switches, ciphertext, self._ids[-limb_count])

    def noise_budget(self: Any, ciphertext: Any, secret_key: Any) -> int:
        """Of BFV and BGV."""
        return int(self.call(self.new("Decryptor", self.context, secret_key), "invariant_noise_budget", ciphertext))


def missing(what: str, error: object) -> PeerError:
    return PeerError(f"{what} is missing, and these tests are nothing without it ({error}); `make test` installs it")


class SealNative(Seal):
    """The SEAL inside TenSEAL, native code; its version is asked at run time.

    The parameters' scheme decides which encoder there is; in BFV and BGV without slots there is none.
    """

    random_words: list[int] | None = None  # 8, from which the streams of contexts begin that are made after it was set
    compressions = (None,)  # sealapi saves with the default only: zstd
    # Serializable<PublicKey> has no binding
    seeded_kinds: tuple[str, ...] = ("ciphertext", "relin_keys", "galois_keys")

    def __init__(self) -> None:
        try:
            self.seal: Any = importlib.import_module("tenseal.sealapi")
        except ImportError as error:
            raise missing("TenSEAL", error) from error
        header = self.seal.Serialization.SEALHeader()
        self.version = f"{header.version_major}.{header.version_minor}"

    def new(self, type_: str, *arguments: Any) -> Any:
        return getattr(self.seal, type_)(*arguments)

    def call(self, on: Any, method: str, *arguments: Any) -> Any:
        return getattr(on, method)(*arguments)

    get = call

    def create_primes(self, n: int, bits: list[int]) -> list[int]:
        return [prime.value() for prime in self.seal.CoeffModulus.Create(n, bits)]

    def _parameters(self) -> Any:
        return self.seal.EncryptionParameters(self.seal.SCHEME_TYPE.CKKS)

    def _make_context(self, parameters: Any, security: str) -> Any:
        level = getattr(self.seal.SEC_LEVEL_TYPE, security.upper())
        if self.random_words is not None:
            parameters.set_random_generator(self.seal.Blake2xbPRNGFactory(self.random_words))
        context = self.seal.SEALContext(parameters, True, level)
        if not context.parameters_set():
            raise PeerError(context.parameters_error_message())
        return context

    def _use(self, path: Path, security: int) -> None:
        parameters = self._parameters()
        try:
            parameters.load(str(path))
        except (RuntimeError, ValueError) as error:
            raise PeerError(str(error)) from error
        self.context = self._make_context(parameters, {0: "none"}.get(security, f"tc{security}"))
        if parameters.plain_modulus().value() == 0:
            self.encoder = self.seal.CKKSEncoder(self.context)
        else:
            batching = self.context.first_context_data().qualifiers().using_batching
            self.encoder = self.seal.BatchEncoder(self.context) if batching else None
        self.evaluator = self.seal.Evaluator(self.context)
        self._ids = self._chain()

    def _chain(self) -> list[Any]:
        ids = [self.context.key_context_data().parms_id()]
        data = self.context.first_context_data()
        while data is not None:
            if data.parms_id() != ids[-1]:
                ids.append(data.parms_id())
            if data.parms_id() == self.context.last_parms_id():
                break
            data = data.next_context_data()
        return ids

    def make_parameters(self, n: int, moduli: list[int], path: Path) -> None:
        parameters = self._parameters()
        parameters.set_poly_modulus_degree(n)
        parameters.set_coeff_modulus([self.seal.Modulus(q) for q in moduli])
        parameters.save(str(path))

    def parms_ids(self) -> list[str]:
        return [np.array(words, dtype="<u8").tobytes().hex() for words in self._ids]

    def load(self, kind: str, path: Path) -> Any:
        thing = getattr(self.seal, KINDS[kind])()
        try:
            thing.load(self.context, str(path))
        except (RuntimeError, ValueError) as error:
            raise PeerError(str(error)) from error
        return thing

    def save(self, thing: Any, path: Path, compression: str | None = None) -> None:
        assert compression in self.compressions
        thing.save(str(path))

    def words(self, kind: str, thing: Any) -> NDArray[np.uint64]:
        inner = thing.data() if kind in ("secret_key", "public_key") else thing
        array = inner.dyn_array()
        return np.fromiter((array.at(i) for i in range(array.size())), np.uint64, array.size())

    def describe(self, thing: Any) -> tuple[int, int, float]:
        return thing.size(), thing.coeff_modulus_size(), thing.scale

    def encode(self, values: NDArray[Any], scale: float, limb_count: int | None = None) -> Any:
        plaintext = self.seal.Plaintext()
        limbs = self.data_limbs if limb_count is None else limb_count
        self.encoder.encode(values.tolist(), self._ids[-limbs], scale, plaintext)
        return plaintext

    def decode(self, plaintext: Any) -> NDArray[np.float64]:
        return np.array(self.encoder.decode_double(plaintext))

    def _galois(self, steps: list[int]) -> list[int]:
        """Without a negative number among them the binding takes steps for Galois elements."""
        n = self.context.key_context_data().parms().poly_modulus_degree()
        return [pow(3, step, 2 * n) if step else 2 * n - 1 for step in steps]

    def make_keys(self, kind: str, secret_key: Any, seeded: bool, steps: list[int]) -> Any:
        create = getattr(self.seal.KeyGenerator(self.context, secret_key), f"create_{kind}")
        arguments = [self._galois(steps)] if kind == "galois_keys" else []
        if seeded:
            return create(*arguments)
        keys = getattr(self.seal, KINDS[kind])()
        create(*arguments, keys)
        return keys

    # ---- BFV and BGV ------------------------------------------------------------------------------------------------
    def encode_integers(self, values: NDArray[np.int64]) -> Any:
        plaintext = self.seal.Plaintext()
        self.encoder.encode(values.tolist(), plaintext)
        return plaintext

    def decode_integers(self, plaintext: Any) -> NDArray[np.uint64]:
        return np.array(self.encoder.decode_uint64(plaintext), dtype=np.uint64)


class SealNewest(SealNative):
    """The SEAL of seal-python; its version is in what it writes. It saves nothing seeded, and has no codec."""

    reads_compressed = False
    seeded_kinds = ()

    def __init__(self) -> None:
        try:
            self.seal = importlib.import_module("seal")
        except ImportError as error:
            raise missing("seal-python", error) from error
        with tempfile.NamedTemporaryFile() as file:
            self._parameters().save(file.name)
            self.version = oracle.file_version(file.read())

    def _parameters(self) -> Any:
        return self.seal.EncryptionParameters(self.seal.scheme_type.bfv)

    def _make_context(self, parameters: Any, security: str) -> Any:
        context = self.seal.SEALContext(parameters, True, getattr(self.seal.sec_level_type, security))
        if not context.parameters_set():
            raise PeerError(context.parameter_error_message())
        return context

    def _made(self, type_: str, on: Any, method: str, *arguments: Any) -> Any:
        return self.call(on, method, *arguments)

    def _galois(self, steps: list[int]) -> list[int]:
        return steps

    def encode_integers(self, values: NDArray[np.int64]) -> Any:
        return self.encoder.encode(values)

    def words(self, kind: str, thing: Any) -> NDArray[np.uint64]:
        with tempfile.NamedTemporaryFile() as file:
            thing.save(file.name)
            return oracle.file_words(file.read())


class Held:
    """An object inside the node process; freed there when this one goes."""

    def __init__(self, peer: SealWasm, name: str) -> None:
        self.name = name
        weakref.finalize(self, peer.dropped.append, name).atexit = False


class SealWasm(Seal):
    """SEAL 4.1.2 as WebAssembly in one Node process (node/peer.mjs)."""

    version = "4.1"
    switches, seeds = "cipher_mod_switch_to_inplace", "encrypt_symmetric_serializable"
    compressions = ("none", "zlib", "zstd")
    seeded_kinds = ("ciphertext", "public_key", "relin_keys", "galois_keys")

    def __init__(self) -> None:
        node = Path(sys.executable).parent / "node"
        if not node.exists():
            raise missing("Node.js", f"no {node.name} beside {Path(sys.executable).name}")
        if not (NODE_FOLDER / "node_modules" / "node-seal").is_dir():
            raise missing("node-seal", f"not in {NODE_FOLDER.name}/node_modules")
        self._process = LineProcess([node, "peer.mjs"], PeerError, cwd=NODE_FOLDER)
        self.close = self._process.close
        self.dropped: list[str] = []
        self._names = (f"x{number}" for number in itertools.count())

    # ---- the protocol -----------------------------------------------------------------------------------------------
    def ask(self, do: str, **request: Any) -> Any:
        if self.dropped:
            names, self.dropped[:] = list(self.dropped), []
            self._process.ask("free", names=names)
        return self._process.ask(do, **request)

    @staticmethod
    def _argument(value: Any) -> Any:
        return {"ref": value.name} if isinstance(value, Held) else value

    def new(self, type_: str, *arguments: Any) -> Held:
        name = next(self._names)
        args = [self._argument(value) for value in arguments]
        self.ask("new", name=name, type=type_, args=args)
        return Held(self, name)

    def _call(self, name: str | None, on: Held | str, method: str, arguments: tuple[Any, ...]) -> Any:
        where = on.name if isinstance(on, Held) else f".{on}"
        args = [self._argument(value) for value in arguments]
        if method != "push_back":  # a vector's; other names are in camel case
            method = re.sub(r"_(\w)", lambda found: found[1].upper(), method)
        return self.ask("call", on=where, method=method, args=args, name=name)

    def call(self, on: Held | str, method: str, *arguments: Any) -> Any:
        """A method whose result is a value."""
        return self._call(None, on, method, arguments)

    def get(self, on: Held | str, method: str, *arguments: Any) -> Held:
        """A method whose result is an object."""
        name = next(self._names)
        self._call(name, on, method, arguments)
        return Held(self, name)

    # ---- parameters -------------------------------------------------------------------------------------------------
    def create_primes(self, n: int, bits: list[int]) -> list[int]:
        chain = self.get("CoeffModulus", "Create", n, {"ints": bits})
        return [int(self.call(self.get(chain, "get", i), "value")) for i in range(self.call(chain, "size"))]

    def _empty_parameters(self) -> Held:
        return self.new("EncryptionParameters", {"enum": ["SchemeType", "ckks"]})

    def _use(self, path: Path, security: int) -> None:
        parameters = self._empty_parameters()
        self.ask("load", on=parameters.name, path=path)
        levels = {0: "none", 128: "tc128", 192: "tc192", 256: "tc256"}
        level = {"enum": ["SecLevelType", levels[security]]}
        self.context = self.new("SEALContext", parameters, True, level)
        if not self.call(self.context, "parametersSet"):
            raise PeerError("SEAL refuses the parameters")
        if self.call(self.get(parameters, "plainModulus"), "value") == "0":
            self.encoder = self.new("CKKSEncoder", self.context)
        self.evaluator = self.new("Evaluator", self.context)
        self._ids = self._chain()

    def _chain(self) -> list[Held]:
        last = self.call(self.get(self.context, "lastParmsId"), "values")
        ids = [self.get(self.context, "keyParmsId")]
        data = self.get(self.context, "firstContextData")
        while True:
            parms_id = self.get(data, "parmsId")
            if self.call(parms_id, "values") != self.call(ids[-1], "values"):
                ids.append(parms_id)
            if self.call(parms_id, "values") == last:
                return ids
            data = self.get(data, "nextContextData")

    def make_parameters(self, n: int, moduli: list[int], path: Path) -> None:
        parameters = self._empty_parameters()
        self.call(parameters, "setPolyModulusDegree", n)
        chain = self.new("VectorModulus")
        for q in moduli:
            self.call(chain, "push_back", self.new("Modulus", {"int": str(q)}))
        self.call(parameters, "setCoeffModulus", chain)
        self.save(parameters, path)

    def parms_ids(self) -> list[str]:
        values = [self.call(parms_id, "values") for parms_id in self._ids]
        return [np.array([int(w) for w in words], dtype="<u8").tobytes().hex() for words in values]

    # ---- files ------------------------------------------------------------------------------------------------------
    def load(self, kind: str, path: Path) -> Any:
        thing = self.new(KINDS[kind])
        self.ask("load", on=thing.name, path=path, context=self.context.name)
        return thing

    def save(self, thing: Held, path: Path, compression: str | None = None) -> None:
        self.ask("save", on=thing.name, path=path, compression=compression or "zstd")

    def words(self, kind: str, thing: Held) -> NDArray[np.uint64]:
        with tempfile.NamedTemporaryFile() as file:
            self.save(thing, Path(file.name), "none")
            return oracle.file_words(file.read())

    def describe(self, thing: Held) -> tuple[int, int, float]:
        size, limbs, scale = (self.call(thing, name) for name in ("size", "coeffModulusSize", "scale"))
        return size, limbs, float(scale)

    # ---- CKKS -----------------------------------------------------------------------------------------------------
    def encode(self, values: NDArray[Any], scale: float, limb_count: int | None = None) -> Held:
        plaintext = self.new("Plaintext")
        self.call(self.encoder, "encode", {"doubles": values.tolist()}, scale, plaintext)
        if limb_count is not None and limb_count != self.data_limbs:
            self.call(self.evaluator, "plainModSwitchToInplace", plaintext, self._ids[-limb_count])
        return plaintext

    def decode(self, plaintext: Held) -> NDArray[np.float64]:
        return np.array(self.call(self.encoder, "decodeFloat64", plaintext), dtype=np.float64)

    def make_keys(self, kind: str, secret_key: Held, seeded: bool, steps: list[int]) -> Held:
        generator = self.new("KeyGenerator", self.context, secret_key)
        method = "create" + KINDS[kind] + ("Serializable" if seeded else "")
        if kind == "galois_keys":
            return self.get(generator, method + "WithSteps", {"ints": steps})
        return self.get(generator, method)

    def _encryptor(self, secret_key: Held) -> Held:
        # node-seal makes an Encryptor from a public key only; a secret key comes on top
        return self.new("Encryptor", self.context, self.make_keys("public_key", secret_key, False, []), secret_key)


Peer = SealNative | SealWasm
