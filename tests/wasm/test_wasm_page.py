# SPDX-License-Identifier: Apache-2.0
"""The page in Debian's Chromium: a table and the camera become ciphertexts, and stock SEAL decrypts what was downloaded."""

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ringside
from chromium import chromium, errors_of
from interop.peers import SealNative
from wasm.packed import package

# a picture that moves in place of a camera, and no question whether the page may use it
CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
TIMEOUT_MS = 60_000
SLOTS = 2048  # slots of lee-12, and the pixels of a picture
TOLERANCE = 0.02
HEADER_SIZE = slice(8, 16)  # SEAL's header: bytes of the object, little-endian


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(package())))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/page/index.html"
    server.shutdown()


@pytest.fixture(scope="module")
def browser(address: str) -> Iterator[Any]:
    with chromium(*CAMERA) as found:
        yield found


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(accept_downloads=True)
    shown = context.new_page()
    shown.set_default_timeout(TIMEOUT_MS)
    errors = errors_of(shown)
    shown.goto(address)
    shown.wait_for_selector("body[data-ready=page]")
    yield shown
    assert errors == []
    context.close()


def make_keys(page: Any) -> None:
    page.select_option("#set", "lee-12")
    page.click("#make")
    page.wait_for_selector("body[data-ready=keys], body[data-failed]")
    assert page.inner_text("#told") == ""


def download(page: Any, name: str, place: Path) -> Path:
    with page.expect_download() as started:
        page.click(f"a[download='{name}']")
    path = place / name
    started.value.save_as(path)
    return path


def decrypted(page: Any, place: Path) -> list[Any]:
    """All ciphertexts of the download, by stock SEAL with the downloaded key."""
    server = SealNative()
    server.use(download(page, "parameters.seal", place))
    secret = server.load("secret_key", download(page, "secret.key", place))
    data = download(page, "ciphertexts.seal", place).read_bytes()
    frames = []
    one = place / "one.seal"
    while data:
        size = int.from_bytes(data[HEADER_SIZE], "little")
        one.write_bytes(data[:size])
        data = data[size:]
        frames.append(np.real(server.decode(server.decrypt(server.load("ciphertext", one), secret)))[:SLOTS])
    return frames


def test_a_table(page: Any, tmp_path: Path) -> None:
    table = np.random.default_rng(3).uniform(-1, 1, (1500, 2))
    rows = [f"{a!r},{b!r}" for a, b in table.tolist()]
    (tmp_path / "table.csv").write_text("\n".join(["first,second", *rows, ""]), encoding="utf-8")
    make_keys(page)
    page.set_input_files("#csv", tmp_path / "table.csv")
    page.wait_for_selector("body[data-done]")
    assert "2 ciphertexts of 3000 numbers in 2 columns" in page.inner_text("#told")
    got = np.concatenate(decrypted(page, tmp_path))
    assert np.abs(got[:3000] - table.ravel()).max() < TOLERANCE
    assert np.abs(got[3000:]).max() < TOLERANCE


def test_a_bad_table_is_refused(page: Any, tmp_path: Path) -> None:
    make_keys(page)
    (tmp_path / "bad.csv").write_text("1,2\n3,x\n", encoding="utf-8")
    page.set_input_files("#csv", tmp_path / "bad.csv")
    page.wait_for_selector("body[data-failed]")
    assert page.inner_text("#told") == 'Line 2, column 2: "x" is no number.'
    assert page.query_selector("#links a") is None


def values_of(page: Any, place: Path) -> Any:
    """The numbers that the page decrypted, as they are downloaded."""
    page.wait_for_selector("body[data-decrypted], body[data-failed]")
    assert page.get_attribute("body", "data-failed") is None, page.inner_text("#decrypted")
    return np.loadtxt(download(page, "values.csv", place), delimiter=",")


def test_a_picture_goes_and_comes_back(page: Any, tmp_path: Path) -> None:
    """What is encrypted, what a server sees and what comes back stand beside each other, with their sizes."""
    make_keys(page)
    page.click("#example")
    page.wait_for_selector("#back-figure:not([hidden])")
    assert page.inner_text("#told").startswith("1 ciphertext of 64 x 32 pixels in ")
    grey = {
        name: np.array(page.evaluate(f"[...document.getElementById('{name}').getContext('2d').getImageData(0, 0, 64, 32).data]"))[::4] / 255
        for name in ("preview", "seen", "back")
    }  # fmt: skip
    assert np.ptp(grey["preview"]) > 0.8
    assert np.abs(grey["back"] - grey["preview"]).max() < TOLERANCE
    assert abs(np.corrcoef(grey["seen"], grey["preview"])[0, 1]) < 0.15  # noise
    assert len(np.unique(grey["seen"])) > 200
    sizes = [row.split("\t")[1] for row in page.inner_text("#sizes").splitlines() if "\t" in row]
    size = download(page, "ciphertexts.seal", tmp_path).stat().st_size
    assert sizes == ["16.4 kB", f"{size / 1e3:.3g} kB", "16.4 kB"]


def test_results_of_a_server_are_decrypted(page: Any, tmp_path: Path) -> None:
    """The table's own ciphertexts; what stock SEAL made of one, with keys from files; and what is no file."""
    (tmp_path / "table.csv").write_text("1,2\n3,4.5\n", encoding="utf-8")
    make_keys(page)
    assert not page.is_enabled("#decrypt")
    page.set_input_files("#csv", tmp_path / "table.csv")
    page.wait_for_selector("body[data-done]")
    page.click("#decrypt")
    assert np.abs(values_of(page, tmp_path) - [[1, 2], [3, 4.5]]).max() < TOLERANCE
    server = SealNative()
    keys = [download(page, name, tmp_path) for name in ("parameters.seal", "secret.key")]
    server.use(keys[0])
    sent = server.load("ciphertext", download(page, "ciphertexts.seal", tmp_path))
    server.save(server.multiply(sent, sent), tmp_path / "zstd.seal")  # which Chromium does not know
    context = ringside.Context(ringside.Parameters.named("lee-12"))
    ringside.Ciphertext.load(context, tmp_path / "zstd.seal").save(tmp_path / "square.seal", compression="zlib")
    page.set_input_files("#parameters-file", keys[0])
    page.set_input_files("#key-file", keys[1])
    page.wait_for_selector("#results:enabled")
    page.set_input_files("#results", tmp_path / "square.seal")
    assert np.abs(values_of(page, tmp_path)[:4] - [1, 4, 9, 20.25]).max() < 10 * TOLERANCE
    page.set_input_files("#results", tmp_path / "table.csv")
    page.wait_for_selector("body[data-failed]")
    assert page.inner_text("#decrypted") == "This is no file of ciphertexts of SEAL, or a part of one."
    assert page.query_selector("#value-links a") is None


def test_nothing_old_stays_beside_an_error(page: Any, tmp_path: Path) -> None:
    (tmp_path / "good.csv").write_text("1\n", encoding="utf-8")
    (tmp_path / "bad.csv").write_text("1\nx\n", encoding="utf-8")
    make_keys(page)
    page.set_input_files("#csv", tmp_path / "good.csv")
    page.wait_for_selector("#links a")
    page.set_input_files("#csv", tmp_path / "bad.csv")
    page.wait_for_selector("body[data-failed]")
    assert page.query_selector("#links a") is None
    assert not page.is_visible("#sizes")
    page.set_input_files("#parameters-file", tmp_path / "bad.csv")
    page.wait_for_selector("#told.error:has-text('The data end before the object does.')")


@pytest.mark.parametrize("count", [5, pytest.param(100, marks=pytest.mark.soak)])
def test_the_camera(page: Any, tmp_path: Path, count: int) -> None:
    make_keys(page)
    page.fill("#frames", str(count))
    page.click("#camera")
    page.wait_for_selector("body[data-done], body[data-failed]")
    assert f"{count} ciphertexts" in page.inner_text("#told")
    frames = decrypted(page, tmp_path)
    assert len(frames) == count
    for frame in frames:
        assert frame.min() > -TOLERANCE
        assert frame.max() < 1 + TOLERANCE
        assert np.ptp(frame) > 0.2  # a picture
    shown = page.evaluate(
        "() => [...document.getElementById('preview').getContext('2d').getImageData(0, 0, 64, 32).data]"
    )
    grey = np.array(shown).reshape(-1, 4)[:, :3] @ [0.299, 0.587, 0.114] / 255
    assert np.abs(frames[-1] - grey).max() < TOLERANCE
    assert any(np.abs(frame - frames[0]).max() > 0.1 for frame in frames[1:])  # that moves


def test_the_keys_of_a_server(page: Any, tmp_path: Path) -> None:
    """Parameters and public key come from files, which Chromium decompresses; the page has no secret key then."""
    context = ringside.Context(ringside.Parameters.named("lee-12"))
    context.params.save(tmp_path / "parameters.seal", compression="zlib")
    with context.keygen() as key:
        context.public_key(key).save(tmp_path / "public.key", compression="zlib")
        page.set_input_files("#parameters-file", tmp_path / "parameters.seal")
        page.set_input_files("#key-file", tmp_path / "public.key")
        page.wait_for_selector("body[data-ready=keys], body[data-failed]")
        assert page.inner_text("#told") == ""
        (tmp_path / "table.csv").write_text("1;2;3\n4;5;6\n", encoding="utf-8")
        page.set_input_files("#csv", tmp_path / "table.csv")
        page.wait_for_selector("body[data-done]")
        assert page.query_selector("#key-links a") is None
        sent = download(page, "ciphertexts.seal", tmp_path)
        got = context.decrypt_values(ringside.Ciphertext.load(context, sent), key)
    assert np.abs(np.array(got[:6]).real - np.arange(1, 7)).max() < TOLERANCE
