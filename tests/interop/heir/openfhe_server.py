# SPDX-License-Identifier: Apache-2.0
"""A server of OpenFHE that makes the calls of HEIR's generated C++, line by line, from Python 3.10: `openfhe_server.py CODE FUNCTION context|run FOLDER`.

It knows code without loops: calls of a context, vectors, assignments. What it does not know, it refuses.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"  # read when the library is loaded
import openfhe

Names = dict[str, Any]
DECLARED = re.compile(r"(?:const )?(?:auto&?|\w+T|Plaintext|size_t|std::vector<\w+>) (\w+)(?: = (.*)|\((.*)\))?$")
REPEATED = re.compile(
    r"auto pt\d*_filled_n = .*|pt\d*_filled\.\w+\(.*|for \(auto i = 0; i < pt.*|\}"
)  # values to all slots, which `run` does itself


def body(code: str, function: str) -> list[str]:
    """The lines of a function, without their semicolons."""
    found = re.search(rf"^\S[^\n]*\b{function}\([^\n]*\) \{{\n(.*?)^\}}", code, re.MULTILINE | re.DOTALL)
    assert found is not None, function
    return [line.strip().removesuffix(";").replace("[[maybe_unused]] ", "") for line in found[1].splitlines()]


def value_of(text: str, names: Names) -> Any:
    """Of an expression that is a call, a list or a name: with the names alone, as in C++."""
    text = text.replace("->", ".")
    if text.startswith("{"):
        text = f"[{text[1:-1]}]"
    return eval(text, {"__builtins__": {}}, names)


def run(lines: list[str], names: Names) -> Any:
    padded: dict[str, str] = {}
    for line in lines:
        copied = re.fullmatch(r"auto (pt\d*_filled) = (\w+)", line)
        encoded = re.fullmatch(r"auto (\w+) = cc->MakeCKKSPackedPlaintext\((\w+)\)", line)
        vector = re.fullmatch(r"std::vector<\w+> (\w+)\((\d+)(?:, (\S+))?\)", line)
        stored = re.fullmatch(r"(\w+)\[(\d+)\] = (\w+)", line)
        if copied:
            padded[copied[1]] = copied[2]
        elif encoded:
            row = names[padded[encoded[2]]]
            names[encoded[1]] = names["cc"].MakeCKKSPackedPlaintext(
                row * (names["cc"].GetRingDimension() // 2 // len(row))
            )
        elif REPEATED.fullmatch(line):
            continue
        elif vector:
            names[vector[1]] = [float(vector[3] or 0)] * int(vector[2])
        elif stored:
            names[stored[1]][int(stored[2])] = names[stored[3]]
        elif line == "CCParamsT params":
            names["params"] = openfhe.CCParamsCKKSRNS()
        elif line.startswith("return "):
            return value_of(line.removeprefix("return "), names)
        elif declared := DECLARED.fullmatch(line):
            names[declared[1]] = value_of(declared[2], names)
        elif re.match(r"(?:cc->|params\.)\w+\(", line):
            value_of(line, names)
        else:
            raise ValueError(f"not known: {line[:80]}")
    return None


def main(code: str, function: str, action: str, folder: Path) -> None:
    constants = {name: getattr(openfhe.PKESchemeFeature, name) for name in ("PKE", "KEYSWITCH", "LEVELEDSHE")}
    constants |= {"HYBRID": openfhe.KeySwitchTechnique.HYBRID, "FIXEDMANUAL": openfhe.ScalingTechnique.FIXEDMANUAL}
    place = str(folder / "cryptocontext.txt")
    if action == "context":
        names = constants | {"GenCryptoContext": openfhe.GenCryptoContext}
        context = run(body(code, f"{function}__generate_crypto_context"), names)
        assert openfhe.SerializeToFile(place, context, openfhe.BINARY)
        return
    context, ok = openfhe.DeserializeCryptoContext(place, openfhe.BINARY)
    assert ok
    for name, read in (("mult", context.DeserializeEvalMultKey), ("rot", context.DeserializeEvalAutomorphismKey)):
        path = folder / f"key-eval-{name}.txt"
        assert not path.exists() or read(str(path), openfhe.BINARY)
    count = len({path.name.split("-")[0] for path in folder.glob("arg*.openfhe")})
    arguments = []
    for index in range(count):
        ciphertext, ok = openfhe.DeserializeCiphertext(str(folder / f"arg{index}-0.openfhe"), openfhe.BINARY)
        assert ok
        arguments.append([ciphertext])
    plaintexts = run(body(code, f"{function}__preprocessing"), {"cc": context})
    names = {"cc": context} | {f"v{index}": one for index, one in enumerate([*arguments, plaintexts])}
    for index, answer in enumerate(run(body(code, f"{function}__preprocessed"), names)):
        assert openfhe.SerializeToFile(str(folder / f"result0-{index}.openfhe"), answer, openfhe.BINARY)


if __name__ == "__main__":
    main(Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
