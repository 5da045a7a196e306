// SPDX-License-Identifier: Apache-2.0
// rs_dma_pkg: words of a chunk, the unit in which groups are read and written (docs/core.md).
package rs_dma_pkg;

  // As many as a beat has, of 4 bytes for W <= 32 and of 8 above, but not more than there are banks.
  function automatic int unsigned chunk_words(input int unsigned w, input int unsigned lanes, input int unsigned bus_bits);
    int unsigned beat;
    beat = bus_bits / (w <= 32 ? 32 : 64);
    return beat < 4 * lanes ? beat : 4 * lanes;
  endfunction

endpackage
