// SPDX-License-Identifier: Apache-2.0
// rs_pipe_unit: the unit PIPE: encryption as a stream, from slots, groups and memory to memory: rs_pipe_engine and its transfers.
// Model:   lib/src/ckks/encrypt.c (bit-exact); README.md, "Frames"; docs/core.md
// Params:  see rs_pipe_engine; Ports: to memory, 1 or 2; Depth: lines that each stream of reads may have here or under way;
//          Outstanding: rs_pipe_read, of each port
// Bounds:  see rs_pipe_engine
// Timing:  N / P cycles per limb without pauses, if memory brings 3 P words and takes 2 P words per cycle, and if Depth lines last longer
//          than its latency: a line of pk 8 / P cycles, one of a message 8
//
// With two ports streams have a port for good: of P lanes' reads, which are 3 P words per cycle, port 0 has pk_0, the first P / 4 parts of a message
// and the key image, port 1 pk_1 and the other parts: 1.25 P and 1.75 P words. What else a core reads, it reads at port 0. Results c_j leave at port j.
module rs_pipe_unit #(
    parameter  int unsigned W           = 32,
    parameter  int unsigned LogNMin     = 10,
    parameter  int unsigned LogNMax     = 12,
    parameter  int unsigned P           = 2,
    parameter  int unsigned Ports       = 1,
    parameter  int unsigned ChunkWords  = 8,
    parameter  int unsigned Outstanding = 64,
    parameter  int unsigned Depth       = 32,
    parameter  bit          Encode      = 1'b0,
    localparam int unsigned AddrBits    = rs_axi_pkg::AddrBits,
    localparam int unsigned SlotBits    = LogNMax - $clog2(ChunkWords)
) (
    input  logic                                                         clk_i,
    input  logic                                                         rst_ni,
    // unit
    input  logic                                                         start_i,
    input  logic                   [        63:0]                        instr_i,
    input  logic                                                         clear_i,
    input  logic                   [AddrBits-1:0]                        addr_i,
    input  logic                   [         4:0]                        log_n_i,
    output logic                                                         done_o,
    output logic                   [         3:0]                        fault_o,           // with done_o
    output logic                                                         idle_o,
    output logic                                                         active_o,
    input  logic                                                         wipe_i,
    output logic                                                         wiping_o,
    // slots: three side by side, a cycle later
    output logic                                                         slot_req_o,
    output logic                   [SlotBits-1:0]                        slot_row_o,
    output logic                   [         3:0]                        slot_first_o,
    input  logic                   [         2:0][ChunkWords-1:0][  5:0] slot_data_sec_i,
    // groups a and b, two cycles later
    output logic                                                         chunk_req_o,
    output logic                   [ LogNMax-1:0]                        chunk_pos_o,
    input  logic                   [         1:0][         P-1:0][W-1:0] chunk_data_sec_i,
    // memory
    output rs_axi_pkg::read_req_t  [   Ports-1:0]                        read_o,
    input  rs_axi_pkg::read_rsp_t  [   Ports-1:0]                        read_i,
    input  logic                   [   Ports-1:0][         511:0]        rdata_i,
    output rs_axi_pkg::write_req_t [   Ports-1:0]                        write_o,
    input  rs_axi_pkg::write_rsp_t [   Ports-1:0]                        write_i,
    output logic                   [   Ports-1:0][         511:0]        wdata_o
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
  logic [Ports-1:0] read_error, read_idle, write_error, write_idle;

  if (Ports != 1 && Ports != 2) begin : gen_illegal
    $fatal(1, "%m: Ports %0d is not 1 or 2", Ports);
  end

  rs_pipe_engine #(
      .W         (W),
      .LogNMin   (LogNMin),
      .LogNMax   (LogNMax),
      .P         (P),
      .ChunkWords(ChunkWords),
      .AddrBits  (AddrBits),
      .LinesBits (LinesBits),
      .Encode    (Encode)
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
      .read_error_i (read_error != '0),
      .read_idle_i  (read_idle == '1),
      .write_valid_o(write_valid),
      .write_ready_i(write_ready),
      .write_addr_o (write_addr),
      .write_lines_o(write_lines),
      .out_valid_o  (out_valid),
      .out_ready_i  (out_ready),
      .out_line_o   (out_line),
      .write_error_i(write_error != '0),
      .write_idle_i (write_idle == '1)
  );

  // ---- streams of a port: numbers of reads are rs_pipe_engine's
  localparam int unsigned PartsFirst = P / 4;  // parts of a message, at port 0 of two

  function automatic int unsigned reads_of(input int unsigned port);
    return Ports == 1 ? Reads : port == 0 ? PartsFirst + 2 : P - PartsFirst + 1;
  endfunction
  function automatic int unsigned stream_of(input int unsigned port, input int unsigned place);
    if (Ports == 1) return place;
    if (port == 0) return place == 0 ? P : place == 1 ? P + 2 : place - 2;
    return place == 0 ? P + 1 : PartsFirst + place - 1;
  endfunction

  for (genvar p = 0; p < Ports; p++) begin : gen_port
    localparam int unsigned Own = reads_of(p);
    localparam int unsigned OwnWrites = Ports == 1 ? 2 : 1;
    logic [Own-1:0] own_valid, own_ready, own_in_valid, own_in_ready;
    logic [Own-1:0][AddrBits-1:0] own_addr;
    logic [Own-1:0][LinesBits-1:0] own_lines;
    logic [Own-1:0][511:0] own_line;

    for (genvar k = 0; k < Own; k++) begin : gen_reads
      localparam int unsigned Stream = stream_of(p, k);
      assign own_valid[k] = read_valid[Stream];
      assign read_ready[Stream] = own_ready[k];
      assign own_addr[k] = read_addr[Stream];
      assign own_lines[k] = read_lines[Stream];
      assign in_valid[Stream] = own_in_valid[k];
      assign own_in_ready[k] = in_ready[Stream];
      assign in_line[Stream] = own_line[k];
    end

    rs_pipe_read #(
        .Streams    (Own),
        .Depth      (Depth),
        .AddrBits   (AddrBits),
        .Outstanding(Outstanding),
        .LinesBits  (LinesBits)
    ) u_read (
        .clk_i,
        .rst_ni,
        .clear_i,
        .wipe_i,
        .idle_o      (read_idle[p]),
        .error_o     (read_error[p]),
        .job_valid_i (own_valid),
        .job_ready_o (own_ready),
        .job_addr_i  (own_addr),
        .job_lines_i (own_lines),
        .line_valid_o(own_in_valid),
        .line_ready_i(own_in_ready),
        .line_o      (own_line),
        .read_o      (read_o[p]),
        .read_i      (read_i[p]),
        .rdata_i     (rdata_i[p])
    );

    rs_pipe_write #(
        .Streams    (OwnWrites),
        .AddrBits   (AddrBits),
        .Outstanding(Outstanding),
        .LinesBits  (LinesBits)
    ) u_write (
        .clk_i,
        .rst_ni,
        .clear_i,
        .idle_o      (write_idle[p]),
        .error_o     (write_error[p]),
        .job_valid_i (write_valid[p+:OwnWrites]),
        .job_ready_o (write_ready[p+:OwnWrites]),
        .job_addr_i  (write_addr[p+:OwnWrites]),
        .job_lines_i (write_lines[p+:OwnWrites]),
        .line_valid_i(out_valid[p+:OwnWrites]),
        .line_ready_o(out_ready[p+:OwnWrites]),
        .line_i      (out_line[p+:OwnWrites]),
        .write_o     (write_o[p]),
        .write_i     (write_i[p]),
        .wdata_o     (wdata_o[p])
    );
  end

endmodule
