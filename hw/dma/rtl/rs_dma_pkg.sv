// SPDX-License-Identifier: Apache-2.0
// rs_dma_pkg: words of a chunk, the unit in which groups are read and written; numbers that are slots (docs/core.md).
package rs_dma_pkg;

  // As many as a beat has, of 4 bytes for W <= 32 and of 8 above, but not more than there are banks.
  function automatic int unsigned chunk_words(input int unsigned w, input int unsigned lanes, input int unsigned bus_bits);
    int unsigned beat;
    beat = bus_bits / (w <= 32 ? 32 : 64);
    return beat < 4 * lanes ? beat : 4 * lanes;
  endfunction

  // imm of LOADS and STORES
  typedef struct packed {
    logic [15:0] last;  // slots, less one
    logic signed [7:0] shift;
    logic pairs;
    logic [2:0] format;
  } numbers_t;

  // rs_fixed_format_bytes, as a power of two
  function automatic logic [1:0] log_bytes(input logic [2:0] format);
    case (format)
      3'd0, 3'd1: return 2'd0;
      3'd2, 3'd3: return 2'd1;
      3'd4: return 2'd2;
      default: return 2'd3;
    endcase
  endfunction

  // Bytes of a number, less one.
  function automatic logic [2:0] last_byte(input logic [2:0] format);
    return ~(3'b111 << log_bytes(format));
  endfunction

  // Lines of 64 bytes that hold `last` + 1 slots, less one.
  function automatic logic [31:0] number_lines(input logic [15:0] last, input logic pairs, input logic [2:0] format);
    return 32'(pairs ? {last, 1'b1} : {1'b0, last}) >> (3'd6 - 3'(log_bytes(format)));
  endfunction

  // The bit of a position that tells an imaginary part from a real one: the top one of the banks, or with one lane the lowest of the address.
  function automatic int unsigned im_bit(input int unsigned lanes);
    return lanes == 1 ? 2 : 1 + $clog2(lanes);
  endfunction

endpackage
