# SPDX-License-Identifier: Apache-2.0
"""Published figures beside ours: one page, pictures, CSV and JSON."""
