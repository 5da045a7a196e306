# SPDX-License-Identifier: Apache-2.0
"""What a design costs on an FPGA: Yosys, part by part. It needs the package pyosys."""
