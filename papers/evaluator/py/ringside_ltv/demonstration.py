# SPDX-License-Identifier: Apache-2.0
"""`ringside ltv demo`: client and server in one process, and its page."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from ringside.errors import FileError
from ringside.native.files import make_directories, write_bytes
from ringside.progress import Progress

from . import client, server
from .outcome import DemoOutcome, Seen
from .scheme import BLOCK, Bytes, LtvParameters, RoundRecord, Scheme, Words, encrypt_plain

# FIPS-197, appendix C.1
KEY = bytes(range(16))
PLAIN = bytes(17 * i for i in range(16))
CIPHER = bytes.fromhex("69c4e0d86a7b0430d8cdb78070b4c55a")
# height and width of a picture of all slots' bytes
SHAPES = {16: (16, 16), 256: (64, 64), 1024: (128, 128), 2048: (128, 256)}


@dataclass(frozen=True)
class Options:
    parameters: LtvParameters
    picture: bool
    image: Path | None
    out: Path | None
    backend: str
    threads: int
    command: str


def drawn(height: int, width: int) -> Bytes:
    """A picture to send where none is given: a gradient, rings and letters."""
    y, x = np.mgrid[0:height, 0:width]
    far = np.hypot(x - width / 2, y - height / 2) / height
    grey = 110 + 70 * np.cos(28 * far) * np.exp(-2 * far) + 60 * (y / height - 0.5)
    image = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))
    ImageDraw.Draw(image).text((width / 2, height / 2), "LTV", fill=255, anchor="mm", font_size=height // 3)
    return np.asarray(image, dtype=np.uint8)


def picture_of(path: Path | None, slots: int) -> Bytes:
    height, width = SHAPES[slots]
    if path is None:
        return drawn(height, width)
    try:
        with Image.open(path) as image:
            return np.asarray(image.convert("L").resize((width, height)), dtype=np.uint8)
    except OSError as error:
        raise FileError("RS_ERR_IO", f"Cannot read {path} as a picture.", "Give a PNG or JPEG file.") from error


def run(options: Options, progress: Progress, told: Callable[[RoundRecord, int], None]) -> DemoOutcome:
    with Scheme(options.parameters, backend=options.backend, threads=options.threads) as scheme:
        slots = scheme.info.slots
        start = time.monotonic()
        make_all_keys(scheme, _random(32))
        key_seconds, key = time.monotonic() - start, KEY if not options.picture else _random(BLOCK)
        original = picture_of(options.image, slots) if options.picture else None
        sent = (
            client.prepare(slots, key, None, PLAIN) if original is None else client.hide(slots, key, original.tobytes())
        )
        spent = [0.0]
        seed = _random(32)

        def round_key(number: int) -> Words:
            began = time.monotonic()
            state = scheme.encrypt_round_key(seed, number, key)
            spent[0] += time.monotonic() - began
            return state

        ended = server.evaluate(
            scheme,
            lambda: server.begin(scheme, round_key, sent.blocks),
            round_key,
            progress=progress,
            done=lambda record, state: told(record, scheme.info.relinearisations),
            noise=True,
        )
        if sent.data is not None:
            scheme.add_blocks(ended.state, sent.data)
        got, noise = scheme.decrypt_state(ended.state)
        wanted = encrypt_plain(key, sent.blocks) ^ (0 if sent.data is None else sent.data)
        right = int(np.all(got == wanted, axis=1).sum())
        passed = right == slots and (original is not None or got[0].tobytes() == CIPHER)
        bound = math.log2(1 << scheme.parameters.prime_bits) - 1
        outcome = DemoOutcome(
            options.parameters,
            slots,
            scheme.backend,
            scheme.info.threads,
            passed,
            right,
            noise,
            bound,
            key_seconds,
            spent[0],
            ended.records,
            None,
        )
    if original is None or sent.data is None:
        return outcome
    seen = Seen(original, sent.data.reshape(original.shape), got.reshape(original.shape))
    return _with_page(outcome, seen, options)


def _random(count: int) -> bytes:
    import secrets

    return secrets.token_bytes(count)


def make_all_keys(scheme: Scheme, seed: bytes) -> None:
    """And load them."""
    scheme.make_secret(seed)
    scheme.make_public(seed)
    for digit in range(scheme.info.digits):
        scheme.make_evaluation(seed, digit)


def _with_page(outcome: DemoOutcome, seen: Seen, options: Options) -> DemoOutcome:
    from .page import render

    folder = options.out or (Path("build/ltv-demo") if Path("build").is_dir() else Path("ltv-demo"))
    make_directories(folder)
    page = folder / "index.html"
    write_bytes(page, render(outcome, seen, options.command).encode())
    return replace(outcome, page=page)
