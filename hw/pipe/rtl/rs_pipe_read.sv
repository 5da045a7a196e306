// SPDX-License-Identifier: Apache-2.0
// rs_pipe_read: several streams of 64-byte lines from memory at once, each through a buffer of its own.
// Model:   hw/pipe/tb/test_rs_pipe_dma.py
// Params:  Streams; Depth: lines of a stream in its buffer or under way; AddrBits; Outstanding: lines under way
// Bounds:  addresses are multiples of 64, jobs have a line at least. All bursts are single lines of ID 0, a beat each, so answers come in
//          order (formal/rs_pipe_read_proof.sv)
// Timing:  an address per cycle, a line per cycle; a line is there in the cycle after its beat. RREADY is always 1, as each line that is
//          asked for has its place
//
// A stream asks when it has a job and room; of several that ask, they take turns (rs_pipe_turns). After clear_i nothing new goes on offer, and lines that
// are under way are dropped as they come: jobs are taken again when all have come.
//
// Buffers keep lines that were taken until others come. wipe_i writes zeros over them, while nothing is under way or after clear_i.
module rs_pipe_read #(
    parameter  int unsigned Streams     = 2,
    parameter  int unsigned Depth       = 16,
    parameter  int unsigned AddrBits    = 64,
    parameter  int unsigned Outstanding = 64,
    parameter  int unsigned LinesBits   = 18,
    localparam int unsigned LineBits    = 512
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic wipe_i,  // for Depth cycles at least
    output logic idle_o,  // no job, nothing on offer or under way
    output logic error_o,  // pulse: an answer was not OKAY, of another ID or not the last of its burst; its line comes out as well
    input logic [Streams-1:0] job_valid_i,
    output logic [Streams-1:0] job_ready_o,
    input logic [Streams-1:0][AddrBits-1:0] job_addr_i,
    input logic [Streams-1:0][LinesBits-1:0] job_lines_i,
    output logic [Streams-1:0] line_valid_o,
    input logic [Streams-1:0] line_ready_i,
    output logic [Streams-1:0][LineBits-1:0] line_o,
    output rs_axi_pkg::read_req_t read_o,
    input rs_axi_pkg::read_rsp_t read_i,
    input logic [LineBits-1:0] rdata_i
);
  localparam int unsigned StreamBits = Streams > 1 ? $clog2(Streams) : 1;
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned OrderBits = $clog2(Outstanding);
  localparam int unsigned OpenBits = $clog2(Outstanding + 1);
  localparam int unsigned AtBits = AddrBits - 6;

  if (Streams == 0 || Depth < 2 || Outstanding < 2) begin : gen_illegal
    $fatal(1, "%m: Streams, Depth and Outstanding must be at least 1, 2 and 2");
  end

  // ---- requests: streams take turns ------------------------------------------------------------------------------------------
  logic drop_q;  // since clear_i, until nothing is under way
  logic ar_q;
  logic [AtBits-1:0] ar_at_q;
  logic [OpenBits-1:0] open_q;  // lines that are on offer, or taken and not answered
  logic [Streams-1:0] chosen, room;
  logic [AtBits-1:0] chosen_at;
  logic [StreamBits-1:0] chosen_number, head;
  logic ask, answered, quiet;

  rs_pipe_turns #(
      .Streams  (Streams),
      .AddrBits (AddrBits),
      .LinesBits(LinesBits)
  ) u_turns (
      .clk_i,
      .rst_ni,
      .clear_i(clear_i || drop_q),
      .idle_o (quiet),
      .job_valid_i,
      .job_ready_o,
      .job_addr_i,
      .job_lines_i,
      .may_i  (room),
      .ready_i((!ar_q || read_i.ar_ready) && open_q != OpenBits'(Outstanding) && !drop_q && !clear_i),
      .go_o   (ask),
      .whose_o(chosen),
      .at_o   (chosen_at)
  );

  always_comb begin
    chosen_number = '0;
    for (int unsigned s = 0; s < Streams; s++) if (chosen[s]) chosen_number |= StreamBits'(s);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_q   <= 1'b0;
      open_q <= '0;
      drop_q <= 1'b0;
    end else begin
      ar_q   <= ask || (ar_q && !read_i.ar_ready);
      open_q <= open_q + OpenBits'(ask) - OpenBits'(answered);
      drop_q <= clear_i || (drop_q && open_q != '0);
    end
    if (ask) ar_at_q <= chosen_at;
  end

  assign read_o = '{ar_valid: ar_q, ar: '{id: '0, addr: rs_axi_pkg::AddrBits'({ar_at_q, 6'd0}), len: '0}, r_ready: 1'b1};

  // ---- whose lines are under way, in order
  logic [OrderBits-1:0] put_q, take_q;
  rs_ram_1r1w #(
      .Width(StreamBits),
      .Depth(Outstanding)
  ) u_order (
      .clk_i,
      .we_i   (ask),
      .waddr_i(put_q),
      .wdata_i(chosen_number),
      .raddr_i(take_q),
      .rdata_o(head)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      put_q  <= '0;
      take_q <= '0;
    end else begin
      if (ask) put_q <= put_q == OrderBits'(Outstanding - 1) ? '0 : put_q + 1'b1;
      if (answered) take_q <= take_q == OrderBits'(Outstanding - 1) ? '0 : take_q + 1'b1;
    end
  end

  assign answered = read_i.r_valid;
  assign error_o  = read_i.r_valid && (read_i.r_resp != 2'b00 || read_i.r_id != '0 || !read_i.r_last) && !drop_q;

  // ---- streams: a buffer for each ---------------------------------------------------------------------------------------------
  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    logic [CountBits-1:0] room_q, lines;  // places that are free; lines in the buffer
    logic asked, came, taken;

    assign asked = ask && chosen[s];
    assign came = answered && !drop_q && head == StreamBits'(s);
    assign taken = line_valid_o[s] && line_ready_i[s];
    assign room[s] = room_q != '0;
    assign line_valid_o[s] = lines != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i || drop_q) room_q <= CountBits'(Depth);
      else room_q <= room_q + CountBits'(taken) - CountBits'(asked);
    end

    rs_pipe_queue #(
        .Width(LineBits),
        .Depth(Depth)
    ) u_lines (
        .clk_i,
        .rst_ni,
        .clear_i(clear_i || drop_q),
        .wipe_i,
        .put_i  (came),
        .line_i (rdata_i),
        .take_i (taken),
        .count_o(lines),
        .line_o (line_o[s])
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni && wipe_i) begin
        assert (lines == '0 && quiet)
        else $error("%m: wiped with a job or lines");
      end
    end
`endif
  end

  assign idle_o = quiet && open_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && read_i.r_valid) begin
      assert (open_q != OpenBits'(ar_q))
      else $error("%m: a beat that nobody asked for");
    end
  end
`endif
endmodule
