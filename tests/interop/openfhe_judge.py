# SPDX-License-Identifier: Apache-2.0
"""OpenFHE as judge and server, one JSON request a line, one JSON answer a line. Every object is a binary file of its own. For Python 3.10, in a venv of its own."""

import array
import json
import os
import sys
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # read when the library is loaded
import openfhe

Request = dict[str, Any]
FEATURES = ("PKE", "KEYSWITCH", "LEVELEDSHE")


def read_values(path: str) -> list[complex]:
    """Pairs of doubles as complex numbers."""
    numbers = array.array("d")
    with open(path, "rb") as file:
        numbers.frombytes(file.read())
    return [complex(re, im) for re, im in zip(numbers[::2], numbers[1::2], strict=True)]


def write_values(path: str, values: list[complex]) -> None:
    with open(path, "wb") as file:
        array.array("d", [part for value in values for part in (value.real, value.imag)]).tofile(file)


def read_integers(path: str) -> list[int]:
    numbers = array.array("q")
    with open(path, "rb") as file:
        numbers.frombytes(file.read())
    return numbers.tolist()


def loaded(name: str, path: str) -> Any:
    found, ok = getattr(openfhe, f"Deserialize{name}")(path, openfhe.BINARY)
    if not ok:
        raise ValueError(f"{path} is not read")
    return found


def store(path: str, found: Any) -> None:
    if not openfhe.SerializeToFile(path, found, openfhe.BINARY):
        raise ValueError(f"{path} is not written")


def exact_parameters(asked: Request) -> Any:
    """Of BFV or BGV. set: what is to be set, by the names of OpenFHE."""
    p = getattr(openfhe, f"CCParams{asked['scheme']}RNS")()
    p.SetSecurityLevel(openfhe.SecurityLevel.HEStd_NotSet)
    p.SetRingDim(asked["n"])
    for name, value in asked["set"].items():
        getattr(p, f"Set{name}")(getattr(getattr(openfhe, name), value) if isinstance(value, str) else value)
    return p


def ckks_parameters(asked: Request) -> Any:
    p = openfhe.CCParamsCKKSRNS()
    p.SetSecurityLevel(openfhe.SecurityLevel.HEStd_NotSet)
    p.SetRingDim(asked["n"])
    p.SetBatchSize(asked.get("slots") or asked["n"] // 2)
    p.SetScalingTechnique(getattr(openfhe.ScalingTechnique, asked.get("scaling", "FIXEDMANUAL")))
    p.SetMultiplicativeDepth(asked["depth"])
    if "secret_kind" in asked:
        p.SetSecretKeyDist(getattr(openfhe.SecretKeyDist, asked["secret_kind"]))
    p.SetFirstModSize(asked["first"])
    p.SetScalingModSize(asked["bits"])
    if asked.get("complex"):
        p.SetCKKSDataType(openfhe.CKKSDataType.COMPLEX)
    p.SetKeySwitchTechnique(getattr(openfhe.KeySwitchTechnique, asked.get("switching", "HYBRID")))
    if asked.get("switching", "HYBRID") == "HYBRID":
        p.SetNumLargeDigits(asked["digits"])
    else:
        p.SetDigitSize(10)
    return p


def create(asked: Request) -> None:
    """A context and keys of OpenFHE's own."""
    context = openfhe.GenCryptoContext((exact_parameters if "scheme" in asked else ckks_parameters)(asked))
    for feature in asked.get("features") or FEATURES:
        context.Enable(getattr(openfhe.PKESchemeFeature, feature))
    for slots in asked.get("setups", ()):
        context.EvalBootstrapSetup([1, 1], [0, 0], slots)
    keys = context.KeyGen()
    store(asked["context"], context)
    store(asked["secret"], keys.secretKey)
    store(asked["public"], keys.publicKey)
    if asked.get("relin"):
        context.EvalMultKeyGen(keys.secretKey)
        context.EvalRotateKeyGen(keys.secretKey, asked["rotations"])
        context.SerializeEvalMultKey(asked["relin"], openfhe.BINARY, "")
        context.SerializeEvalAutomorphismKey(asked["galois"], openfhe.BINARY, "")
    forget()


def forget() -> None:
    openfhe.ClearEvalMultKeys()
    openfhe.CryptoContext.ClearEvalAutomorphismKeys()


def encrypt(context: Any, asked: Request) -> None:
    if "scheme" in asked:
        plain = context.MakePackedPlaintext(read_integers(asked["values"]), 1, asked["dropped"])
    else:
        plain = context.MakeCKKSPackedPlaintext(read_values(asked["values"]), 1, asked["dropped"])
    store(asked["out"], context.Encrypt(loaded("PublicKey", asked["public"]), plain))


def decrypt(context: Any, asked: Request) -> None:
    plain = context.Decrypt(loaded("PrivateKey", asked["secret"]), loaded("Ciphertext", asked["ciphertext"]))
    plain.SetLength(asked["count"])
    if "scheme" in asked:
        with open(asked["out"], "wb") as file:
            array.array("q", plain.GetPackedValue()).tofile(file)
    else:
        write_values(asked["out"], plain.GetCKKSPackedValue())


def compute(context: Any, asked: Request) -> None:
    ciphertext, steps = loaded("Ciphertext", asked["ciphertext"]), asked.get("steps")
    forget()
    if asked["do"] == "square":
        context.DeserializeEvalMultKey(asked["relin"], openfhe.BINARY)
        ciphertext = context.EvalMult(ciphertext, loaded("Ciphertext", asked.get("other") or asked["ciphertext"]))
    elif asked["do"] == "rotate":
        context.DeserializeEvalAutomorphismKey(asked["galois"], openfhe.BINARY)
        ciphertext = context.EvalRotate(ciphertext, steps)
    elif asked["do"] == "exchange":
        context.DeserializeEvalAutomorphismKey(asked["galois"], openfhe.BINARY)
        keys = context.GetEvalAutomorphismKeyMap(ciphertext.GetKeyTag())
        ciphertext = context.EvalAutomorphism(ciphertext, 2 * context.GetRingDimension() - 1, keys)
    elif asked["do"] == "square3":
        ciphertext = context.EvalMultNoRelin(ciphertext, ciphertext)
    elif asked["do"] == "compress":
        ciphertext = context.Compress(ciphertext, asked["limbs"])
    elif asked["do"] == "rescale":
        ciphertext = context.Rescale(ciphertext)
    elif asked["do"] == "double":
        ciphertext = context.EvalAdd(ciphertext, loaded("Ciphertext", asked.get("other") or asked["ciphertext"]))
    else:
        raise ValueError(f"unknown request {asked['do']}")
    forget()
    store(asked["out"], ciphertext)


def prepared(context: Any, asked: Request) -> None:
    """The context that bootstraps. Its file was written before: its readers know none of this."""
    context.Enable(openfhe.PKESchemeFeature.ADVANCEDSHE)
    context.Enable(openfhe.PKESchemeFeature.FHE)
    context.EvalBootstrapSetup(asked["budget"], [0, 0], context.GetRingDimension() // 2)


def bootstrap_elements(context: Any, asked: Request) -> None:
    """Which keys it needs: those for a secret key that is thrown away."""
    prepared(context, asked)
    forget()
    keys = context.KeyGen()
    context.EvalBootstrapKeyGen(keys.secretKey, context.GetRingDimension() // 2)
    found = sorted(context.GetExistingEvalAutomorphismKeyIndices(keys.secretKey.GetKeyTag()))
    forget()
    with open(asked["out"], "w", encoding="ascii") as file:
        json.dump(found, file)


def bootstrap(context: Any, asked: Request) -> None:
    """With the client's keys; with its secret key by OpenFHE's own."""
    prepared(context, asked)
    forget()
    if "secret" in asked:
        secret = loaded("PrivateKey", asked["secret"])
        context.EvalMultKeyGen(secret)
        context.EvalBootstrapKeyGen(secret, context.GetRingDimension() // 2)
    else:
        context.DeserializeEvalMultKey(asked["relin"], openfhe.BINARY)
        context.DeserializeEvalAutomorphismKey(asked["galois"], openfhe.BINARY)
    result = context.EvalBootstrap(loaded("Ciphertext", asked["ciphertext"]))
    forget()
    store(asked["out"], result)


def answer(asked: Request) -> None:
    if asked["do"] == "create":
        create(asked)
        return
    context = loaded("CryptoContext", asked["context"])
    known = {"encrypt": encrypt, "decrypt": decrypt, "elements": bootstrap_elements, "bootstrap": bootstrap}
    known.get(asked["do"], compute)(context, asked)


def main() -> None:
    for line in sys.stdin:
        try:
            answer(json.loads(line))
            told = {"ok": "done"}
        except Exception as error:
            told = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(told), flush=True)


main()
