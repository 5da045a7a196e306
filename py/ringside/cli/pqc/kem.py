# SPDX-License-Identifier: Apache-2.0
"""`ringside kem`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...pqc import KEM_SETS, MLKEM
from ..common.commands import App
from ..common.options import JsonFlag, SchemeDeviceOption
from . import files as pairs

app = App(
    help="Agree on a secret with ML-KEM (FIPS 203): one side makes keys, the other a secret for them.\n\n"
    "Examples: ringside kem keygen alice.key alice.pub; ringside kem encaps alice.pub to-alice.ct secret.bin; "
    "ringside kem decaps alice.key to-alice.ct same-secret.bin",
    no_args_is_help=True,
)
SecretArgument = Annotated[
    Path,
    typer.Argument(metavar="SECRET", help="File for the shared secret, 32 bytes, mode 0600; - is standard output."),
]
KemSetOption = Annotated[
    pairs.KemSet | None, typer.Option("--set", help="Parameter set. Default: the one that the key file names.")
]


@app.command("keygen")
def keygen(
    key: pairs.NewKeyArgument,
    public: pairs.NewPublicArgument,
    set_: Annotated[
        pairs.KemSet,
        typer.Option("--set", help="Parameter set; 512, 768 and 1024 are as hard to break as AES-128, 192 and 256."),
    ] = "ML-KEM-768",
    form: pairs.FormOption = "seed",
    raw: pairs.RawFlag = False,
    der: pairs.DerFlag = False,
    device: SchemeDeviceOption = "cpu:",
    force: pairs.ReplaceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Make a pair of keys: a private one, which stays here, and a public one for whoever sends.

    The files are PEM as OpenSSL 3.5 and other libraries read it (RFC 9935). The private key is not
    encrypted: keep its file where only you can read it. No file is replaced unless --force is given.

    Examples: ringside kem keygen alice.key alice.pub;
    ringside kem keygen alice.key alice.pub --set ML-KEM-1024 --form both;
    ringside kem keygen alice.key alice.pub --device sim:pqc-4
    """
    pairs.make_pair(pairs.on_device(MLKEM, set_, device), key, public, pairs.encoding_of(raw, der), form, force, json)


@app.command("encaps")
def encaps(
    public: pairs.PublicArgument,
    ciphertext: Annotated[
        Path, typer.Argument(metavar="CIPHERTEXT", help="File for the ciphertext, which is sent; - is standard output.")
    ],
    secret: SecretArgument,
    set_: KemSetOption = None,
    raw: pairs.RawFlag = False,
    device: SchemeDeviceOption = "cpu:",
    force: pairs.ReplaceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Make a fresh secret for the owner of a public key, and the ciphertext that carries it.

    Send the ciphertext. The 32 bytes of the secret stay here, as the key of a cipher such as AES-256-GCM.
    A ciphertext says nothing about who sent it: sign it, or use a protocol that does.

    Example: ringside kem encaps alice.pub to-alice.ct secret.bin
    """
    pairs.check_places([public], [ciphertext, secret], json)
    scheme, ek = pairs.read_public(MLKEM, public, set_, raw)
    shared, ct = pairs.on_device(MLKEM, scheme.name, device).encaps(ek)
    files = {
        "ciphertext": pairs.NewFile(ciphertext, "ciphertext", ct),
        "secret": pairs.NewFile(secret, "shared secret", shared, private=True),
    }
    pairs.write_all(list(files.values()), force=force)
    pairs.tell(scheme.name, files, json)


@app.command("decaps")
def decaps(
    key: pairs.KeyArgument,
    ciphertext: Annotated[
        Path, typer.Argument(metavar="CIPHERTEXT", help="File of the ciphertext; - is standard input.")
    ],
    secret: SecretArgument,
    set_: KemSetOption = None,
    raw: pairs.RawFlag = False,
    device: SchemeDeviceOption = "cpu:",
    sealed: Annotated[
        bool,
        typer.Option(
            "--sealed",
            help="Put the key's seed into a core that keeps it, such as sim:pqc-4s, and let the secret alone leave.",
        ),
    ] = False,
    force: pairs.ReplaceFlag = False,
    json: JsonFlag = False,
) -> None:
    """Compute the secret that a ciphertext carries.

    A ciphertext for another key, or a damaged one, gives 32 other bytes and no error, as FIPS 203 demands:
    the two sides find out when what one encrypts does not decrypt.

    Examples: ringside kem decaps alice.key to-alice.ct same-secret.bin;
    ringside kem decaps alice.key to-alice.ct same-secret.bin --device sim:pqc-4s --sealed
    """
    pairs.check_places([key, ciphertext], [secret], json)
    scheme, private = pairs.read_private(MLKEM, key, set_, raw, sealed=sealed)
    ct = pairs.read_sized(ciphertext, scheme.ct_bytes, f"a ciphertext of {scheme.name}")
    kem = pairs.on_device(MLKEM, scheme.name, device)
    if sealed:
        kem.seal(private)
    shared = kem.decaps_sealed(ct) if sealed else kem.decaps(private, ct)
    result = pairs.NewFile(secret, "shared secret", shared, private=True)
    pairs.write_all([result], force=force)
    pairs.tell(scheme.name, {"secret": result}, json)


@app.command("sets")
def sets(json: JsonFlag = False) -> None:
    """List the parameter sets, with the bytes of their keys, ciphertexts and secrets.

    Category 1 is as hard to break as AES-128, 3 as AES-192, 5 as AES-256.

    Example: ringside kem sets
    """
    rows = []
    for kem in map(MLKEM, KEM_SETS):
        row = {
            "set": kem.name,
            "category": kem.category,
            "public_key_bytes": kem.ek_bytes,
            "private_key_bytes": kem.dk_bytes,
        }
        rows.append(
            row | {"seed_bytes": kem.seed_bytes, "ciphertext_bytes": kem.ct_bytes, "secret_bytes": kem.shared_bytes}
        )
    pairs.show_sets(rows, json)
