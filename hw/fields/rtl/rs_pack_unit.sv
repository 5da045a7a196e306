// SPDX-License-Identifier: Apache-2.0
// rs_pack_unit: the unit PACK: fields of bits in memory -> polynomials of a group (LOADF) and back (STOREF), and bounds of a polynomial (NORM).
// Model:   docs/core.md: instructions, faults; FIPS 203 and 204 as rs_load_fields and rs_store_fields say
// Params:  W: 24 to 64; LogNMax: of a group; LogSizeMin, LogSizeMax: of a polynomial; Words: coefficients per cycle, 2 or 4; V: of a chunk that
//          a reader gets, at least Words; BusBits, Outstanding, MaxBurstBytes (rs_axi_address)
// Bounds:  addr_i a multiple of 64; polynomials within the group (the sequencer's work). All inputs but the handshakes are stable from start_i to
//          done_o; get_data_sec_i comes two cycles after a request that get_ready_i takes, whatever happens; nothing is put or asked for in the
//          first two cycles, in which size_o settles
// Timing:  a polynomial takes its coefficients / Words cycles, or its bits / 64 where that is more, and polynomials follow each other so. Depends on no
//          data. done_o comes with the last answer of memory; after it no register depends on data, wipe_i zeros the memory in here
module rs_pack_unit #(
    parameter  int unsigned W             = 32,
    parameter  int unsigned LogNMax       = 11,
    parameter  int unsigned LogSizeMin    = 7,
    parameter  int unsigned LogSizeMax    = 10,
    parameter  int unsigned Words         = 4,
    parameter  int unsigned V             = 4,
    parameter  int unsigned BusBits       = 128,
    parameter  int unsigned Outstanding   = 8,
    parameter  int unsigned MaxBurstBytes = 1024
) (
    input  logic                                    clk_i,
    input  logic                                    rst_ni,
    // unit
    input  logic                                    start_i,
    input  logic                   [       63:0]    instr_i,
    input  logic                                    clear_i,         // drains, then done_o as always
    input  logic                   [       63:0]    addr_i,          // pointer + near, of LOADF and STOREF
    input  logic                   [        4:0]    log_n_i,
    input  logic                   [      W-1:0]    q_i,             // of the instruction's context, from the second cycle after start_i on
    output logic                                    done_o,
    output logic                   [        3:0]    fault_o,         // with done_o
    output logic                                    idle_o,          // nothing is under way, on the bus neither
    output logic                                    active_o,        // a beat of memory, or a chunk of NORM
    input  logic                                    wipe_i,          // idle or cleared: zeros everywhere, from this cycle on
    output logic                                    wiping_o,        // from the next cycle on, until that is done
    // group
    output logic                   [        3:0]    group_o,         // of the instruction, as the next two
    output logic                                    ntt_o,           // NTT form: addresses are turned, of a transform with
    output logic                   [        4:0]    size_o,          // so many words (log2): of 12-bit fields half a polynomial (two slices of ML-KEM)
    output logic                                    put_valid_o,     // a chunk of Words positions: always taken
    output logic                   [LogNMax-1:0]    put_pos_o,
    output logic [Words-1:0][W-1:0]                 put_data_sec_o,
    output logic                                    get_req_o,       // a chunk of V positions
    input  logic                                    get_ready_i,
    output logic                   [LogNMax-1:0]    get_pos_o,       // a multiple of V
    input  logic [    V-1:0][W-1:0]                 get_data_sec_i,
    // memory
    output rs_axi_pkg::read_req_t                   read_o,
    input  rs_axi_pkg::read_rsp_t                   read_i,
    input  logic                   [BusBits-1:0]    rdata_i,
    output rs_axi_pkg::write_req_t                  write_o,
    input  rs_axi_pkg::write_rsp_t                  write_i,
    output logic                   [BusBits-1:0]    wdata_o
);
endmodule
