# SPDX-License-Identifier: Apache-2.0
"""How objects look in notebooks: facts in a table, nothing of a key, and no text that is taken for HTML."""

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

import ringside as rs
from ringside import designs, notebook
from ringside.designs.units import UNITS
from ringside.devices.device import Run
from ringside.report.run import Report
from ringside.synth.resources import Block, FpgaReport
from ringside.synth.yosys import XC7, Resources


class Table(HTMLParser):
    """The rows of a table, by their first cell; tags that are still open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert not self.open
        self.rows = dict(zip(self.cells[::2], self.cells[1::2], strict=True))

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] in ("th", "td"):
            self.cells.append(data)


CONTEXT = rs.Context(rs.Parameters.named("lee-12"))


def test_objects_tell_what_they_are() -> None:
    context = CONTEXT
    with CONTEXT.keygen() as secret:
        public = CONTEXT.public_key(secret)
        ciphertext = CONTEXT.encrypt([1.0], secret)
        plaintext = CONTEXT.encode([1.0])
        shown = {name: Table(one._repr_html_()).rows for name, one in locals().items() if hasattr(one, "_repr_html_")}
        assert set(shown) == {"context", "secret", "public", "ciphertext", "plaintext"}
        assert shown["context"]["device"] == "cpu:"
        assert shown["context"]["set"] == "lee-12"
        assert shown["context"]["bits of the moduli"] == "30, 20, 20, 30: 100"
        assert shown["secret"] == {"N": "4096", "state": "open"}
        assert shown["public"]["parms_id"] == public.parms_id
        assert shown["ciphertext"] == {
            "N": "4096",
            "polynomials": "2",
            "level": "2",
            "scale": "2^20",
            "bytes": f"{ciphertext.nbytes:,}",
            "half of it": "a seed of shake256",
            "parms_id": ciphertext.parms_id,
        }
        assert shown["plaintext"]["form"] == plaintext.form
    assert Table(secret._repr_html_()).rows["state"] == "closed"


def test_a_design_tells_its_fields() -> None:
    rows = Table(designs.load("rise-4")._repr_html_()).rows
    assert rows["core.lanes"].startswith("4 (")
    assert rows["core.word_bits"].startswith("32 (")


def test_files_and_key_directories_tell_what_they_are(tmp_path: Path) -> None:
    rs.make_keys(CONTEXT.params, tmp_path / "keys")
    rows = Table(rs.KeyDirectory(tmp_path / "keys")._repr_html_()).rows
    assert (rows["secret.key"], rows["relin.key"]) == ("present", "absent")
    keys = rs.KeyDirectory(tmp_path / "keys")
    keys.ckks_context().encrypt([1.0], keys.public_key(), scale=2**20).save(tmp_path / "a.seal")
    rows = Table(rs.inspect(tmp_path / "a.seal", CONTEXT.params)._repr_html_()).rows
    assert (rows["kind"], rows["scale"], rows["named"]) == ("ciphertext", "2^20", "lee-12")
    assert "parameters" not in rows


def test_runs_and_reports_tell_what_they_are() -> None:
    run = Run("encrypt-sk", 1024, 1, 2000, dict.fromkeys(UNITS, 0) | {"COMPUTE": 500})
    assert Table(run._repr_html_()).rows == {"N": "1024", "limbs": "1", "cycles": "2,000", "COMPUTE busy": "25%"}
    report = FpgaReport("x", XC7, [Block("rs_core", 0, 1, Resources(), Resources(lut=1234))], Resources(), 1, 0)
    assert Table(report._repr_html_()).rows["lut"] == "1,234"
    assert Table(Report([], "ringside report", 500)._repr_html_()).rows == {"failed": "0"}


def test_batches_in_fixed_point_tell_how_far_they_are() -> None:
    steps: list[tuple[int, int]] = []
    frames = [np.arange(4, dtype=np.int16) + k for k in range(3)]
    with CONTEXT.keygen() as key:
        done = CONTEXT.encrypt_fixed_batch(frames, key, scale=2.0**14, progress=lambda *step: steps.append(step))
        assert steps[-1] == (3, 3)
        steps.clear()
        back = CONTEXT.decrypt_fixed_batch(done, key, 4, bound=4, progress=lambda *step: steps.append(step))
    assert steps == [(1, 3), (2, 3), (3, 3)]
    assert all(np.abs(got - want).max() < 0.5 for got, want in zip(back, frames, strict=True))


def test_texts_are_escaped() -> None:
    text = notebook.facts_html("<b>&", [("<i>", "</table><script>")])
    assert "<b>" not in text
    assert "<script>" not in text
    assert Table(text).rows == {"<i>": "</table><script>"}
