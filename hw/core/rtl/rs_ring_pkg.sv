// SPDX-License-Identifier: Apache-2.0
// rs_ring_pkg: registers of the ring of descriptors (rs_ring.sv).
// Made from hw/core/ring.rdl by scripts/generate.py: do not edit.
package rs_ring_pkg;
  // verilator lint_off UNUSEDPARAM
  parameter int unsigned RingBaseLo = 32'h400;
  parameter int unsigned RingBaseHi = 32'h404;
  parameter int unsigned RingSize = 32'h408;
  parameter int unsigned RingTail = 32'h40c;
  parameter int unsigned RingHead = 32'h410;
  parameter int unsigned RingControl = 32'h414;
  parameter int unsigned RingControlEnableBit = 0;
  parameter int unsigned RingControlIrqEnableBit = 1;
  parameter int unsigned RingControlIrqBit = 2;
  parameter int unsigned RingControlErrorBit = 3;
  parameter int unsigned RingControlBusyBit = 4;
  // verilator lint_on UNUSEDPARAM
endpackage
