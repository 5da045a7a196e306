# SPDX-License-Identifier: Apache-2.0
"""What `make docs` builds the site from: pages of the tree, and references that are read from the sources (make.py)."""
