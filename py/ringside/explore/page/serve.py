# SPDX-License-Identifier: Apache-2.0
"""A run's page on this machine, made again when somebody looks and the journal has grown."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from ...errors import FileError
from .pack import PAGE

JOURNAL, MODEL = "journal.jsonl", "model.npz"
RELOAD_SECONDS = 10


def serve(folder: Path, port: int, ready: Callable[[str], None]) -> None:
    """Until it is interrupted. ready: is told the address. FileError: there is no run in the folder, or the port is taken."""
    server = make_server(folder, port)
    ready(f"http://127.0.0.1:{server.server_port}/")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def make_server(folder: Path, port: int) -> ThreadingHTTPServer:
    hint = "Run `ringside explore SPACE -o DIR` first."
    if not folder.is_dir():
        raise FileError("FOLDER", f"There is no folder {folder}.", hint)
    if not any((folder / name).exists() for name in (JOURNAL, MODEL, PAGE)):
        raise FileError("FOLDER", f"{folder} holds no run.", hint)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, text = _answer(folder, self.path)
            self.send_response(200 if text is not None else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(text or b"There is no such page.\n")

        def log_message(self, *_: object) -> None:
            return

    try:
        return ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        raise FileError("PORT", f"Port {port} cannot be used: {error.strerror}.", "Give another --port.") from error


def _answer(folder: Path, path: str) -> tuple[str, bytes | None]:
    if path == "/answers.json":
        return "application/json", json.dumps({"answers": _answers(folder)}).encode()
    if path.partition("?")[0] != "/":
        return "text/plain", None
    page = folder / PAGE
    live = f"<p class=note role=status>Answers in the journal: {len(_answers(folder))}. The page loads again every {RELOAD_SECONDS} seconds.</p>"
    if not page.is_file():
        return "text/html; charset=utf-8", _reloading(f"<h1>Computing</h1>{live}".encode())
    return "text/html; charset=utf-8", _reloading(page.read_bytes().replace(b"<main>", b"<main>" + live.encode(), 1))


def _reloading(text: bytes) -> bytes:
    return text + f"<script>setTimeout(() => location.reload(), {RELOAD_SECONDS}000)</script>".encode()


def _answers(folder: Path) -> list[dict[str, object]]:
    found = []
    try:
        lines = (folder / JOURNAL).read_bytes().splitlines()
    except OSError:
        return []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue  # the line that is being written, or a damaged one
    return found
