# SPDX-License-Identifier: Apache-2.0
"""An exploration as one HTML page without any other file, and a server of a run that goes on."""
