// SPDX-License-Identifier: Apache-2.0
// rs_pipe_unit: the unit PIPE: encryption as a stream, from slots, groups and memory to memory: rs_pipe_engine and its transfers.
// Model:   lib/src/ckks/encrypt.c (bit-exact); README.md, "Frames"; docs/core.md
// Params:  see rs_pipe_engine; Depth: lines that each stream of reads may have here or under way; BusBits, IdBits, Outstanding: rs_pipe_read
// Bounds:  see rs_pipe_engine
// Timing:  N / P cycles per limb without pauses, if memory brings 3 P words and takes 2 P words per cycle, and if Depth lines last longer
//          than its latency: a line of pk 8 / P cycles, one of a message 8
module rs_pipe_unit #(
    parameter  int unsigned        W           = 32,
    parameter  rs_pkg::reduction_e Reduction   = rs_pkg::RS_WLM,
    parameter  int unsigned        LogNMin     = 10,
    parameter  int unsigned        LogNMax     = 12,
    parameter  int unsigned        P           = 2,
    parameter  int unsigned        ChunkWords  = 8,
    parameter  int unsigned        BusBits     = 512,
    parameter  int unsigned        AddrBits    = 64,
    parameter  int unsigned        IdBits      = 4,
    parameter  int unsigned        Outstanding = 64,
    parameter  int unsigned        Depth       = 32,
    localparam int unsigned        SlotBits    = LogNMax - $clog2(ChunkWords)
) (
    input  logic                                        clk_i,
    input  logic                                        rst_ni,
    // unit
    input  logic                                        start_i,
    input  logic [         63:0]                        instr_i,
    input  logic                                        clear_i,
    input  logic [ AddrBits-1:0]                        addr_i,
    input  logic [          4:0]                        log_n_i,
    output logic                                        done_o,
    output logic [          3:0]                        fault_o,           // with done_o
    output logic                                        idle_o,
    output logic                                        active_o,
    input  logic                                        wipe_i,
    output logic                                        wiping_o,
    // slots: three side by side, a cycle later
    output logic                                        slot_req_o,
    output logic [ SlotBits-1:0]                        slot_row_o,
    output logic [          3:0]                        slot_first_o,
    input  logic [          2:0][ChunkWords-1:0][  5:0] slot_data_sec_i,
    // groups a and b, two cycles later
    output logic                                        chunk_req_o,
    output logic [  LogNMax-1:0]                        chunk_pos_o,
    input  logic [          1:0][         P-1:0][W-1:0] chunk_data_sec_i,
    // memory
    output logic                                        arvalid_o,
    input  logic                                        arready_i,
    output logic [   IdBits-1:0]                        arid_o,
    output logic [ AddrBits-1:0]                        araddr_o,
    output logic [          7:0]                        arlen_o,
    output logic [          2:0]                        arsize_o,
    output logic [          1:0]                        arburst_o,
    input  logic                                        rvalid_i,
    output logic                                        rready_o,
    input  logic [  BusBits-1:0]                        rdata_i,
    input  logic [          1:0]                        rresp_i,
    input  logic                                        rlast_i,
    output logic                                        awvalid_o,
    input  logic                                        awready_i,
    output logic [   IdBits-1:0]                        awid_o,
    output logic [ AddrBits-1:0]                        awaddr_o,
    output logic [          7:0]                        awlen_o,
    output logic [          2:0]                        awsize_o,
    output logic [          1:0]                        awburst_o,
    output logic                                        wvalid_o,
    input  logic                                        wready_i,
    output logic [  BusBits-1:0]                        wdata_o,
    output logic [BusBits/8-1:0]                        wstrb_o,
    output logic                                        wlast_o,
    input  logic                                        bvalid_i,
    output logic                                        bready_o,
    input  logic [          1:0]                        bresp_i
);
  localparam int unsigned Reads = P + 3;
  localparam int unsigned LinesBits = LogNMax - 2;

  logic [Reads-1:0] read_valid, read_ready, in_valid, in_ready;
  logic [Reads-1:0][AddrBits-1:0] read_addr;
  logic [Reads-1:0][LinesBits-1:0] read_lines;
  logic [Reads-1:0][511:0] in_line;
  logic [1:0] write_valid, write_ready, out_valid, out_ready;
  logic [1:0][AddrBits-1:0] write_addr;
  logic [1:0][LinesBits-1:0] write_lines;
  logic [1:0][511:0] out_line;
  logic read_error, read_idle, write_error, write_idle;

  rs_pipe_engine #(
      .W         (W),
      .Reduction (Reduction),
      .LogNMin   (LogNMin),
      .LogNMax   (LogNMax),
      .P         (P),
      .ChunkWords(ChunkWords),
      .AddrBits  (AddrBits),
      .LinesBits (LinesBits)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .start_i,
      .instr_i,
      .clear_i,
      .addr_i,
      .log_n_i,
      .done_o,
      .fault_o,
      .idle_o,
      .active_o,
      .wipe_i,
      .wiping_o,
      .slot_req_o,
      .slot_row_o,
      .slot_first_o,
      .slot_data_sec_i,
      .chunk_req_o,
      .chunk_pos_o,
      .chunk_data_sec_i,
      .read_valid_o (read_valid),
      .read_ready_i (read_ready),
      .read_addr_o  (read_addr),
      .read_lines_o (read_lines),
      .in_valid_i   (in_valid),
      .in_ready_o   (in_ready),
      .in_line_i    (in_line),
      .read_error_i (read_error),
      .read_idle_i  (read_idle),
      .write_valid_o(write_valid),
      .write_ready_i(write_ready),
      .write_addr_o (write_addr),
      .write_lines_o(write_lines),
      .out_valid_o  (out_valid),
      .out_ready_i  (out_ready),
      .out_line_o   (out_line),
      .write_error_i(write_error),
      .write_idle_i (write_idle)
  );

  rs_pipe_read #(
      .Streams    (Reads),
      .Depth      (Depth),
      .BusBits    (BusBits),
      .AddrBits   (AddrBits),
      .IdBits     (IdBits),
      .Outstanding(Outstanding),
      .LinesBits  (LinesBits)
  ) u_read (
      .clk_i,
      .rst_ni,
      .clear_i,
      .wipe_i,
      .idle_o      (read_idle),
      .error_o     (read_error),
      .job_valid_i (read_valid),
      .job_ready_o (read_ready),
      .job_addr_i  (read_addr),
      .job_lines_i (read_lines),
      .line_valid_o(in_valid),
      .line_ready_i(in_ready),
      .line_o      (in_line),
      .arvalid_o,
      .arready_i,
      .arid_o,
      .araddr_o,
      .arlen_o,
      .arsize_o,
      .arburst_o,
      .rvalid_i,
      .rready_o,
      .rdata_i,
      .rresp_i,
      .rlast_i
  );

  rs_pipe_write #(
      .Streams    (2),
      .BusBits    (BusBits),
      .AddrBits   (AddrBits),
      .IdBits     (IdBits),
      .Outstanding(Outstanding),
      .LinesBits  (LinesBits)
  ) u_write (
      .clk_i,
      .rst_ni,
      .clear_i,
      .idle_o      (write_idle),
      .error_o     (write_error),
      .job_valid_i (write_valid),
      .job_ready_o (write_ready),
      .job_addr_i  (write_addr),
      .job_lines_i (write_lines),
      .line_valid_i(out_valid),
      .line_ready_o(out_ready),
      .line_i      (out_line),
      .awvalid_o,
      .awready_i,
      .awid_o,
      .awaddr_o,
      .awlen_o,
      .awsize_o,
      .awburst_o,
      .wvalid_o,
      .wready_i,
      .wdata_o,
      .wstrb_o,
      .wlast_o,
      .bvalid_i,
      .bready_o,
      .bresp_i
  );

endmodule
