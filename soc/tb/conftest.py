# SPDX-License-Identifier: Apache-2.0
"""Helpers beside the tests are imported from here."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
