# SPDX-License-Identifier: Apache-2.0
"""Build the site in build/site: pages of the tree and references read from the sources. It needs no network once it is set up.

    make.py [--check]

Every warning is an error, and so is a name of the sources that has no entry. --check: look at the pages in a browser, in both schemes and
widths, for what overflows and what axe calls serious.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from common import BUILD, ROOT, StopError, finish, help_wanted, say  # noqa: E402

PLACE = BUILD / "docs"
SOURCE = PLACE / "source"
SITE = BUILD / "site"
LIVE = PLACE / "live"  # conf.py names it, too


def write_source() -> None:
    """The pages, as Sphinx reads them. Files whose text is as before keep their time, and are not read again."""
    from pages import everything

    fresh = PLACE / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    everything.write(ROOT, fresh)
    wanted = {path.relative_to(fresh) for path in fresh.rglob("*") if path.is_file()}
    for path in SOURCE.rglob("*"):
        if path.is_file() and path.relative_to(SOURCE) not in wanted:
            path.unlink()
    for name in wanted:
        new, old = fresh / name, SOURCE / name
        if not old.is_file() or new.read_bytes() != old.read_bytes():
            old.parent.mkdir(parents=True, exist_ok=True)
            new.replace(old)
    shutil.rmtree(fresh)


def build() -> None:
    shutil.rmtree(SITE, ignore_errors=True)  # pages that are no more
    from sphinx.cmd.build import main as sphinx

    options = ["-b", "html", "-n", "-W", "--keep-going", "-q", "-j", "auto", "-d", PLACE / "doctrees", "-c", HERE]
    if sphinx([*map(str, options), str(SOURCE), str(SITE)]):
        raise StopError("Sphinx has warnings, which are above: a site is built without one.")
    (SITE / ".buildinfo").unlink()  # a hash of paths of this machine


def without_entry() -> Iterator[str]:
    """Names of the sources that the built site has no entry for."""
    from sphinx.util.inventory import InventoryFile

    from pages import everything

    with (SITE / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, uri: uri)
    for kind, names in everything.names(ROOT).items():
        found = {name for role, entries in inventory.items() if role.startswith(kind) for name in entries}
        yield from (f"{kind} {name}" for name in sorted(names - found))


def main() -> int:
    if help_wanted(__doc__):
        return 0
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    from pages import gallery

    start = time.monotonic()
    gallery.make(ROOT, LIVE)
    write_source()
    build()
    if missing := list(without_entry()):
        raise StopError("Without an entry on the site:\n" + "\n".join(missing))
    say(
        f"{SITE.relative_to(ROOT)}/index.html: {len(list(SITE.rglob('*.html')))} pages in {time.monotonic() - start:.0f} s"
    )
    if chosen.check:
        from pages import browser

        if found := list(browser.findings(SITE, say)):
            raise StopError("\n".join(found))
        say("in a browser: nothing overflows, axe finds nothing serious")
    return 0


if __name__ == "__main__":
    finish(main)
