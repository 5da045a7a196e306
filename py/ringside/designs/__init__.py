# SPDX-License-Identifier: Apache-2.0
"""Hardware designs: the table of their fields (design.py), what rules out a combination (rules.py), and the files that name one (files.py)."""

from .design import Design
from .files import FOLDER, load, names, supported

__all__ = ["FOLDER", "Design", "load", "names", "supported"]
