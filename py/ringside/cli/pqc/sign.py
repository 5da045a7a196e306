# SPDX-License-Identifier: Apache-2.0
"""`ringside sign`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ...errors import InputError, UsageError
from ...pqc import MLDSA, SIGNATURE_SETS
from ..common.commands import App
from ..common.options import JsonFlag, SchemeDeviceOption
from ..common.output import print_facts, print_json
from ..common.places import messages_beside
from . import files as pairs

app = App(
    help="Sign files and verify signatures with ML-DSA (FIPS 204).\n\n"
    "Examples: ringside sign keygen signer.key signer.pub; ringside sign sign signer.key report.pdf report.sig; "
    "ringside sign verify signer.pub report.pdf report.sig",
    no_args_is_help=True,
)
NOT_VALID = 1  # exit code of a signature that does not verify

Prehash = Literal[
    "SHA2-224", "SHA2-256", "SHA2-384", "SHA2-512", "SHA2-512/224", "SHA2-512/256", "SHA3-224", "SHA3-256",
    "SHA3-384", "SHA3-512", "SHAKE128", "SHAKE256",
]  # fmt: skip
MessageArgument = Annotated[Path, typer.Argument(metavar="MESSAGE", help="Any file; - is standard input.")]
SignatureSetOption = Annotated[
    pairs.SignatureSet | None, typer.Option("--set", help="Parameter set. Default: the one that the key file names.")
]
ContextOption = Annotated[
    str,
    typer.Option(
        "--context",
        metavar="TEXT",
        help="Purpose of the signature, up to 255 bytes; signing and verifying need the same.",
    ),
]
ContextHexOption = Annotated[
    str | None, typer.Option("--context-hex", metavar="HEX", help="The same as bytes in hexadecimal digits.")
]
PrehashOption = Annotated[
    Prehash | None,
    typer.Option(
        "--prehash",
        help="Hash function, if the message's digest is signed (HashML-DSA). Default: the message itself is.",
    ),
]


def _context(text: str, digits: str | None) -> bytes:
    if digits is None:
        return text.encode("utf-8", "surrogateescape")
    if text:
        raise UsageError("USAGE", "Give either --context or --context-hex, not both.")
    try:
        return bytes.fromhex(digits)
    except ValueError as error:
        message = f"--context-hex {digits!r} is not pairs of hexadecimal digits."
        raise InputError("HEX", message, "Write 00ff, for example.") from error


@app.command("keygen")
def keygen(
    key: pairs.NewKeyArgument,
    public: pairs.NewPublicArgument,
    set_: Annotated[
        pairs.SignatureSet,
        typer.Option("--set", help="Parameter set; 44, 65 and 87 have security categories 2, 3 and 5."),
    ] = "ML-DSA-65",
    form: pairs.FormOption = "seed",
    raw: pairs.RawFlag = False,
    der: pairs.DerFlag = False,
    device: SchemeDeviceOption = "cpu:",
    force: pairs.ReplaceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Make a pair of keys: a private one, which signs and stays here, and a public one, which verifies.

    The files are PEM as OpenSSL 3.5 and other libraries read it (RFC 9881). The private key is not
    encrypted: keep its file where only you can read it. No file is replaced unless --force is given.

    Examples: ringside sign keygen signer.key signer.pub;
    ringside sign keygen signer.key signer.pub --set ML-DSA-87
    """
    pairs.make_pair(pairs.on_device(MLDSA, set_, device), key, public, pairs.encoding_of(raw, der), form, force, json)


@app.command("sign")
def sign(
    key: pairs.KeyArgument,
    message: MessageArgument,
    signature: Annotated[
        Path, typer.Argument(metavar="SIGNATURE", help="File for the signature; - is standard output.")
    ],
    context: ContextOption = "",
    context_hex: ContextHexOption = None,
    prehash: PrehashOption = None,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic",
            help="Use no randomness: one signature per message. Weaker against faults and power analysis.",
        ),
    ] = False,
    set_: SignatureSetOption = None,
    raw: pairs.RawFlag = False,
    device: SchemeDeviceOption = "cpu:",
    sealed: Annotated[
        bool,
        typer.Option(
            "--sealed",
            help="Put the key's seed into a core that keeps it, such as sim:pqc-4s, and let the signature alone leave.",
        ),
    ] = False,
    force: pairs.ReplaceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Sign a file. The signature is a file of its own.

    Signatures are made with fresh randomness: two of the same message differ, and both verify.

    Examples: ringside sign sign signer.key report.pdf report.sig;
    ringside sign sign signer.key firmware.bin firmware.sig --context firmware --prehash SHA2-512;
    ringside sign sign signer.key report.pdf report.sig --device sim:pqc-4s --sealed
    """
    pairs.check_places([key, message], [signature], json)
    about = _context(context, context_hex)
    scheme, private = pairs.read_private(MLDSA, key, set_, raw, sealed=sealed)
    data = pairs.read(message, "a message")
    signer = pairs.on_device(MLDSA, scheme.name, device)
    if sealed:
        signer.seal(private)
        signed = signer.sign_sealed(data, about, deterministic, prehash)
    else:
        signed = signer.sign(private, data, about, deterministic, prehash)
    result = pairs.NewFile(signature, "signature", signed)
    pairs.write_all([result], force=force, replace=True)
    if json:
        facts: dict[str, Any] = {"set": scheme.name, "prehash": prehash, "deterministic": deterministic}
        print_json(facts | {"signature": result.as_dict()})
        return
    with messages_beside(signature):
        print(f"{scheme.name}{'' if prehash is None else f' of a digest by {prehash}'}")
        print_facts([result.fact()])


@app.command("verify")
def verify(
    public: pairs.PublicArgument,
    message: MessageArgument,
    signature: Annotated[Path, typer.Argument(metavar="SIGNATURE", help="File of the signature; - is standard input.")],
    context: ContextOption = "",
    context_hex: ContextHexOption = None,
    prehash: PrehashOption = None,
    set_: SignatureSetOption = None,
    raw: pairs.RawFlag = False,
    device: SchemeDeviceOption = "cpu:",
    json: JsonFlag = False,
) -> None:
    """Tell whether a signature is that of a file, by the owner of a public key. Exit code 0 if it is, 1 if it is not.

    Message, context and --prehash must be those that were signed.

    Examples: ringside sign verify signer.pub report.pdf report.sig;
    ringside sign verify signer.pub firmware.bin firmware.sig --context firmware --prehash SHA2-512
    """
    pairs.check_places([public, message, signature], [], json)
    about = _context(context, context_hex)
    scheme, pk = pairs.read_public(MLDSA, public, set_, raw)
    data, given = pairs.read(message, "a message"), pairs.read(signature, "a signature")
    verifier = pairs.on_device(MLDSA, scheme.name, device)
    with pairs.of_file(signature):
        valid = verifier.verify(pk, data, given, about, prehash)
    if json:
        print_json({"set": scheme.name, "prehash": prehash, "valid": valid})
    else:
        print(f"{signature}: {'a valid signature' if valid else 'NOT a valid signature'} of {message}, {scheme.name}")
    if not valid:
        raise typer.Exit(NOT_VALID)


@app.command("sets")
def sets(json: JsonFlag = False) -> None:
    """List the parameter sets, with the bytes of their keys and signatures.

    Category 2 is as hard to break as a collision of SHA-256, 3 as AES-192, 5 as AES-256.

    Example: ringside sign sets
    """
    rows = []
    for dsa in map(MLDSA, SIGNATURE_SETS):
        row = {
            "set": dsa.name,
            "category": dsa.category,
            "public_key_bytes": dsa.pk_bytes,
            "private_key_bytes": dsa.sk_bytes,
        }
        rows.append(row | {"seed_bytes": dsa.seed_bytes, "signature_bytes": dsa.signature_bytes})
    pairs.show_sets(rows, json)
