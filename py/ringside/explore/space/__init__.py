# SPDX-License-Identifier: Apache-2.0
"""Spaces of designs: their files, and the points in them."""
