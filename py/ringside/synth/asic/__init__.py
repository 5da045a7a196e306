# SPDX-License-Identifier: Apache-2.0
"""The cost of a design as an ASIC: cells of a Liberty library (Yosys), timing (OpenSTA), memories (CACTI), energy (toggle counts).

liberty  -> cells, tables, logic functions        mapping -> a part's netlist of library cells
timing   -> OpenSTA on a netlist                  sram    -> memories: area, energy, delay
activity -> toggles of the netlists, fed by the ports of the RTL while it encrypts
power    -> toggles and tables to energy          flow    -> the whole design, cached part by part
clocks   -> what gates the flip-flops' clocks      gates   -> a netlist as arrays
figures  -> what is known at the end              technology -> a target with a name, or one of files
"""
