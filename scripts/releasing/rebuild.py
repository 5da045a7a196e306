# SPDX-License-Identifier: Apache-2.0
"""Whether a stranger's build has the same bits: pieces of a release, made twice from copies of the tree.

    rebuild.py [PIECE ...]

The copies stand in folders of unlike depth. Their builds have another user, home, umask, clock, language and time of
files; what is made is compared by SHA-256. They share tools: the virtual environment with the installed package, and
Node's modules. Default: wheels, source, npm, a kit, what is embedded, the site.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from common import BUILD, ROOT, StopError, finish, say, tracked
from releasing.pieces import chosen, file_hash
from releasing.release import pieces

DEFAULT = ("wheels", "wheels-ltv", "source", "npm", "kits:rise-4", "embed", "site")
SHARED = ("venv", "node", "vectors")
# a stranger's machine: what of the environment may not show in the bits
PLACES = (
    ("here", 0o022, {"TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "USER": "root"}),
    ("a/folder/of/another/depth", 0o077, {"TZ": "Asia/Kathmandu", "LANG": "C", "LC_ALL": "POSIX", "USER": "stranger"}),
)  # fmt: skip
OTHER_USER = ("unshare", "--user", "--map-user=4711", "--map-group=4711")


def copied(place: Path) -> Path:
    """The tree without git, at the time of the copy, with the tools that are shared."""
    for path in tracked():
        target = place / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        target.chmod(target.stat().st_mode | (path.stat().st_mode & 0o100))
    (place / "build").mkdir()
    for name in SHARED:
        if (BUILD / name).exists():
            (place / "build" / name).symlink_to(BUILD / name)
    return place


def build(place: Path, names: Sequence[str], mask: int, about: dict[str, str], user: Sequence[str]) -> dict[str, str]:
    """SHA-256 of what is made, by name. StopError: it cannot be made."""
    home = place.parent / f"home-{about['USER']}"
    home.mkdir()
    keep = {name: os.environ[name] for name in ("PATH", "RINGSIDE_NO_APT") if name in os.environ}
    told = place.parent / "outputs"
    script = place / "scripts" / "releasing" / "release.py"
    command = [*user, place / "build" / "venv" / "bin" / "python", script, "--outputs", told, *names]
    env = {**keep, **about, "HOME": str(home), "TMPDIR": str(home)}
    done = subprocess.run(list(map(str, command)), cwd=place, env=env, umask=mask, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise StopError(f"The build in {place} has failed; what it says is above.")
    return {Path(line).name: file_hash(Path(line)) for line in told.read_text(encoding="utf-8").splitlines()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PIECE", help="as of release.py")
    names = [piece.name for piece in chosen(pieces(), parser.parse_args().names or DEFAULT)]
    other = subprocess.run([*OTHER_USER, "true"], capture_output=True).returncode == 0
    if not other:
        say("This machine gives no other user: both builds are by the same one.")
    found = []
    with tempfile.TemporaryDirectory(prefix="ringside-rebuild-") as folder:
        for number, (name, mask, about) in enumerate(PLACES):
            mask_before = os.umask(mask)
            place = Path(folder) / str(number) / name
            place.mkdir(parents=True)
            copied(place)
            os.umask(mask_before)
            say(f"[{number + 1}/2] umask {mask:03o}, {about['TZ']}, {about['LANG']}: {', '.join(names)}")
            found.append(build(place, names, mask, about, OTHER_USER if number and other else ()))
    unlike = [name for name in sorted({*found[0], *found[1]}) if found[0].get(name) != found[1].get(name)]
    say(
        "\n".join(
            f"{'DIFFERS' if name in unlike else 'the same'}  {digest}  {name}"
            for name, digest in sorted(found[0].items())
        )
    )
    if unlike or not found[0]:
        raise StopError(f"{len(unlike)} of {len(found[0])} files have other bits in the second build.")
    return 0


if __name__ == "__main__":
    finish(main)
