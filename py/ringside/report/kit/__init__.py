# SPDX-License-Identifier: Apache-2.0
"""The kit that every page of ours is made with: one HTML file each, which needs no other file and no network.
Charts in it are drawings (drawing.py of the package), which take their colours from the page.

page.html     the frame of a page; templates of pages extend it (Jinja2)
parts.html    macros: tiles, panels, tables
kit.css       colours for light and dark, letters, panels, tables; a page may add its own
kit.js        texts beside the pointer, legends that fade a series
"""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

FOLDER = Path(__file__).parent


def render(template: Path, **values: Any) -> str:
    """The page of a template, with its folder's files and the kit's at hand. Texts are escaped, Markup is not."""
    loader = FileSystemLoader([template.parent, FOLDER])
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(template.name).render(**values) + "\n"
