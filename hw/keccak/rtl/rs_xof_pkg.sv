// SPDX-License-Identifier: Apache-2.0
// rs_xof_pkg: numbers of blocks that the modules of both streams agree on.
package rs_xof_pkg;
  parameter int unsigned BlockBytes = 136;  // bytes of a block of the private stream: SHAKE256's rate
  parameter int unsigned LogBlockWords = 9;  // log2 of the words of a public block: 4096 bytes
  parameter int unsigned LimbBits = 8;  // width of the number of limbs of an expansion

  // blocks that hold 6 bytes per coefficient
  function automatic int unsigned cbd_blocks(input int unsigned n);
    return (6 * n + BlockBytes - 1) / BlockBytes;
  endfunction

  // rs_sample_ternary_bytes(n) / 136
  function automatic int unsigned ternary_blocks(input int unsigned n);
    int unsigned needed;
    needed = (n + 4) / 5;
    return (needed + needed / 12 + 96 + BlockBytes - 1) / BlockBytes;
  endfunction

  // Width of a private block's number: of the larger of the two counts, and one more for a budget that does not suffice.
  function automatic int unsigned private_bits(input int unsigned log_n_max);
    return $clog2((6 * 2 ** log_n_max) / BlockBytes + 3) + 1;
  endfunction

  // Width of a public block's number: those of all limbs, and as many for replacements.
  function automatic int unsigned public_bits(input int unsigned log_n_max, input int unsigned limb_bits = LimbBits);
    return log_n_max - LogBlockWords + limb_bits + 2;
  endfunction

  // The low `bits` bits of a number, reversed.
  function automatic int unsigned reversed(input int unsigned number, input int unsigned bits);
    int unsigned found;
    found = 0;
    for (int unsigned i = 0; i < 8; i++) if (i < bits && ((number >> i) & 1) != 0) found |= 1 << (bits - 1 - i);
    return found;
  endfunction
endpackage
