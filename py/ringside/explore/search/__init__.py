# SPDX-License-Identifier: Apache-2.0
"""From a space to its best designs: all points in the model, their front, and the front in RTL."""
