// SPDX-License-Identifier: Apache-2.0
// rs_core_pkg: what the parts of rs_core know of a design, and what they tell each other.
package rs_core_pkg;
  import rs_isa_pkg::*;

  /* verilator lint_off UNUSEDPARAM */

  parameter int unsigned PosBits = rs_ntt_pkg::LogNLimit;

  // parameters of rs_core
  // Made from py/ringside/designs/design.py by scripts/generate.py: do not edit.
  typedef struct packed {
    int unsigned Lanes;
    int unsigned W;
    int unsigned LogNMin;
    int unsigned LogNMax;
    int unsigned Groups;
    int unsigned Contexts;
    bit OnTheFly;
    bit StreamFactor;
    bit Encode;
    int unsigned FixedWords;
    int unsigned Slices;
    int unsigned Slots;
    int unsigned SampleLanes;
    int unsigned KeccakCores;
    int unsigned TernaryBytes;
    int unsigned KeccakSlices;
    bit Expand;
    int unsigned ExpandWords;
    int unsigned ExpandSteps;
    bit KeccakShared;
    int unsigned BusBits;
    int unsigned Outstanding;
    int unsigned BurstLines;
    bit Short;
    int unsigned SlotWords;
    int unsigned Reducers;
    int unsigned ProgramDepth;
    bit Ring;
    int unsigned StreamLanes;
    int unsigned AxiPorts;
    bit Fields;
    int unsigned FieldRounds;
    int unsigned FieldWords;
    bit Sealed;
    int unsigned DrainCycles;
    bit SecureWrites;
    bit ScanWipe;
    int unsigned AxiProt;
    int unsigned AxiCache;
    int unsigned AxiQos;
    int unsigned AxiUser;
  } config_t;

  // rs_core's own
  // verilog_format: off
  localparam config_t Smallest = '{Lanes: 1, W: 32, LogNMin: 10, LogNMax: 10, Groups: 2, Contexts: 2, OnTheFly: 1'b0,
      StreamFactor: 1'b0, Encode: 1'b0, FixedWords: 0, Slices: 1, Slots: 1, SampleLanes: 1, KeccakCores: 1, TernaryBytes: 1,
      KeccakSlices: 64, Expand: 1'b1, ExpandWords: 1, ExpandSteps: 0, KeccakShared: 1'b0, BusBits: 64, Outstanding: 8,
      BurstLines: 1, Short: 1'b0, SlotWords: 1, Reducers: 0, ProgramDepth: 512, Ring: 1'b0, StreamLanes: 0, AxiPorts: 1,
      Fields: 1'b0, FieldRounds: 1, FieldWords: 1, Sealed: 1'b0, DrainCycles: 3072, SecureWrites: 1'b0, ScanWipe: 1'b0,
      AxiProt: 0, AxiCache: 3, AxiQos: 0, AxiUser: 0};
  // verilog_format: on
  // ---- end of what is made

  /* verilator lint_off UNUSEDSIGNAL */
  // words of a chunk
  function automatic int unsigned chunk(input config_t c);
    return rs_dma_pkg::chunk_words(c.W, c.Lanes, c.BusBits);
  endfunction

  // FPGAs have memories of two ports: rs_bank_group
  function automatic bit stacked(input config_t c);
    return chunk(c) <= 2 && rs_pkg::MulStyle != rs_pkg::MUL_CELLS;
  endfunction

  // Blocks of 18 kbit read and write 36 bits through one port and 18 through two: a bank takes no more of them with two ports if it has 1024
  // rows, or words of 18 bits.
  function automatic bit dual(input config_t c);
    return chunk(c) > 2 && (c.LogNMax - 2 - $clog2(c.Lanes) >= 10 || c.W <= 18) && rs_pkg::MulStyle != rs_pkg::MUL_CELLS;
  endfunction

  // log2 of the smallest slice: that of ML-KEM, or what the lanes and the lines of a chunk's streams need
  function automatic int unsigned log_size_min(input config_t c);
    int unsigned least;
    least = $clog2(c.Lanes) + 3 > 7 ? $clog2(c.Lanes) + 3 : 7;
    return $clog2(chunk(c)) + 4 > least ? $clog2(chunk(c)) + 4 : least;
  endfunction

  // log2 of a polynomial of this instruction, which may be a slice
  function automatic logic [rs_ntt_pkg::LogNBits-1:0] log_size(input config_t c, input logic [63:0] word,
                                                               input logic [rs_ntt_pkg::LogNBits-1:0] log_n);
    return c.Slices > 1 && word[LogSizeLsb+:LogSizeBits] != '0 ? rs_ntt_pkg::LogNBits'(word[LogSizeLsb+:LogSizeBits]) : log_n;
  endfunction

  function automatic int unsigned slot_row_bits(input config_t c);
    return c.LogNMax - $clog2(chunk(c));
  endfunction

  // bits of an address in a bank of a group, with the half of it
  function automatic int unsigned group_row_bits(input config_t c);
    return c.LogNMax - 2 - $clog2(c.Lanes) + 32'(stacked(c));
  endfunction

  function automatic int unsigned wipe_bits(input config_t c);
    return group_row_bits(c) > slot_row_bits(c) ? group_row_bits(c) : slot_row_bits(c);
  endfunction

  // lanes of ports for PIPE: one if there is none
  function automatic int unsigned pipe_words(input config_t c);
    return c.StreamLanes > 0 ? c.StreamLanes : 1;
  endfunction

  // words of a chunk of SPONGE
  function automatic int unsigned sponge_words(input config_t c);
    return chunk(c) < 4 ? chunk(c) : 4;
  endfunction

  // log2 of the largest polynomial of SPONGE and PACK
  function automatic int unsigned field_log_max(input config_t c);
    return c.LogNMax < FieldLogMax ? c.LogNMax : FieldLogMax;
  endfunction

  // slices of the Keccak state per step of a seed, as a number of steps in bits
  function automatic int unsigned step_bits(input config_t c);
    return c.KeccakSlices < 64 ? $clog2(64 / c.KeccakSlices) : 1;
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  // from the sequencer: bit and field u belong to unit u
  typedef struct packed {
    logic [Units-1:0] start;
    logic [Units-1:0][63:0] instr;
    logic [4:0][63:0] addr;  // addresses of LOAD, STORE, PIPE, SPONGE and PACK
    logic clear;
    logic pipe_clear;
  } command_t;

  // to it, and for a trace: the unit moves data in this cycle. A part of the core speaks for its own units; all together they are ORed
  typedef struct packed {
    logic [Units-1:0] done;
    logic [Units-1:0][3:0] fault;
    logic [Units-1:0] active;
  } result_t;

  // copies of LOG_N: of each unit, and of the polynomial memory
  parameter int unsigned Memory = 32'(UNIT_PIPE);
  typedef logic [rs_ntt_pkg::LogNBits-1:0] size_t;
  typedef size_t [Memory:0] log_n_t;

  // a word of a program that was written, or with the highest bit of the index a lane of a key (isa.toml, sealed)
  typedef struct packed {
    logic valid;
    logic [15:0] index;
    logic [63:0] data;
  } word_t;

  // a chunk for a group
  typedef struct packed {
    logic valid;
    logic word;  // one word alone, and
    logic is_real;  // and another one, or zero: rs_poly_memory
    logic [3:0] group;
    logic ntt;
    logic [PosBits-1:0] pos;
  } writer_t;

  typedef struct packed {
    logic req;
    logic [3:0] group;
    logic ntt;
    logic [PosBits-1:0] pos;
  } reader_t;

  // what LOAD says of contexts: whose constants it wants, which one comes, and that its header is whole
  typedef struct packed {
    logic [ContextBits-1:0] wanted;
    logic [ContextBits-1:0] coming;
    logic header_valid;
    logic roots;
    logic [PartBits-1:0] part;
  } context_t;

  // PIPE to slots and groups
  typedef struct packed {
    logic slot_req;
    logic [3:0] slot;
    logic [PosBits-1:0] slot_row;
    logic chunk_req;
    logic [PosBits-1:0] chunk_pos;
  } pipe_t;
endpackage
