# SPDX-License-Identifier: Apache-2.0
"""Write what is installed below share/, made from the commands and their help: the manual page and the shells' completions.

    build/venv/bin/python scripts/manual.py

A test says when it has to be run: after a change of commands, options or help.
"""

from common import ROOT, finish, say
from ringside.cli import manual

SHARE = ROOT / "py" / "share"


def main() -> int:
    for name, text in manual.files().items():
        path = SHARE / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            say(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    finish(main)
