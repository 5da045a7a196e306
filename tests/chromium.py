# SPDX-License-Identifier: Apache-2.0
"""Chromium, with which tests look at pages."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest

PROGRAM = os.environ.get("RINGSIDE_CHROMIUM") or shutil.which("chromium") or ""


@contextmanager
def chromium(*options: str) -> Iterator[Any]:
    """Playwright's browser; without one the test is skipped."""
    playwright = pytest.importorskip("playwright.sync_api")
    if not PROGRAM:
        pytest.skip("there is no chromium")
    with playwright.sync_playwright() as running:
        words = ["--no-sandbox", "--disable-gpu", *options]
        with closing(running.chromium.launch(executable_path=PROGRAM, args=words)) as found:
            yield found


def errors_of(page: Any) -> list[str]:
    """What the page throws and writes to its console as errors, from now on."""
    found: list[str] = []
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found
