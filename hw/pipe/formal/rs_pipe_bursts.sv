// SPDX-License-Identifier: Apache-2.0
// rs_pipe_bursts: for the proofs of rs_pipe_read and rs_pipe_write: what the jobs of all streams ask for, and what the memory has seen of it
//                 on AR or AW. Bursts are legal single lines, stay on offer unchanged, are the lines of the jobs in order, none left out and
//                 none twice, and never too many are without an answer.
//
// The highest bits of an address are the stream's number, so that the memory knows whose line it is.
module rs_pipe_bursts #(
    parameter int unsigned Streams = 2,
    parameter int unsigned AddrBits = 13,
    parameter int unsigned Outstanding = 5,
    parameter int unsigned LinesBits = 3,
    localparam int unsigned AtBits = AddrBits - 6,
    localparam int unsigned StreamBits = Streams > 1 ? $clog2(Streams) : 1,
    localparam int unsigned Jobs = 3  // jobs of a stream: two in its queue, one whose last line was just offered
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [Streams-1:0] job_valid_i,
    input logic [Streams-1:0] job_ready_i,
    input logic [Streams-1:0][AddrBits-1:0] job_addr_i,
    input logic [Streams-1:0][LinesBits-1:0] job_lines_i,
    input logic valid_i,
    input logic ready_i,
    input rs_axi_pkg::burst_t burst_i,
    input logic answer_i,
    output logic offer_o,  // a burst is new on offer
    output logic drop_o,  // since clear_i: something is under way that nobody waits for
    output logic [StreamBits-1:0] whose_o,  // the burst on offer
    output logic [7:0] taken_o,  // bursts that were taken and not answered
    // with the burst on offer: jobs of each stream that are left, the oldest first
    output logic [Streams-1:0][1:0] jobs_o,
    output logic [Streams-1:0][Jobs-1:0][AtBits-1:0] at_o,
    output logic [Streams-1:0][Jobs-1:0][LinesBits-1:0] lines_o
);
  logic waiting_q, drop_q;
  logic [AddrBits-1:0] addr;
  logic [7:0] taken_q;
  logic [AddrBits-1:0] addr_q;
  logic [Streams-1:0][1:0] jobs_q;
  logic [Streams-1:0][Jobs-1:0][AtBits-1:0] at_q;
  logic [Streams-1:0][Jobs-1:0][LinesBits-1:0] lines_q;
  logic [Streams-1:0] offers, right;
  logic reset_q = 1'b0;

  assign addr = burst_i.addr[AddrBits-1:0];
  assign offer_o = valid_i && !waiting_q;
  assign drop_o = drop_q;
  assign whose_o = addr[AddrBits-1-:StreamBits];
  assign taken_o = taken_q;

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    assign offers[s] = offer_o && whose_o == StreamBits'(s);
    assign right[s]  = jobs_q[s] != '0 && addr == {at_q[s][0], 6'd0};

    always_comb begin
      jobs_o[s] = jobs_q[s];
      at_o[s] = at_q[s];
      lines_o[s] = lines_q[s];
      if (offers[s] && lines_q[s][0] == LinesBits'(1)) begin
        jobs_o[s] = jobs_q[s] - 1'b1;
        for (int unsigned k = 0; k < Jobs; k++) begin
          at_o[s][k] = k + 1 < Jobs ? at_q[s][(k+1)%Jobs] : '0;
          lines_o[s][k] = k + 1 < Jobs ? lines_q[s][(k+1)%Jobs] : '0;
        end
      end else if (offers[s]) begin
        at_o[s][0] = at_q[s][0] + 1'b1;
        lines_o[s][0] = lines_q[s][0] - 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin
      if (job_valid_i[s])
        assume (job_lines_i[s] != '0 && job_addr_i[s][5:0] == '0 && job_addr_i[s][AddrBits-1-:StreamBits] == StreamBits'(s)
                && 32'(job_addr_i[s][AddrBits-1-StreamBits:6]) + 32'(job_lines_i[s]) <= 32'd1 << (AtBits - StreamBits));
      at_q[s] <= at_o[s];
      lines_q[s] <= lines_o[s];
      if (!rst_ni || clear_i) jobs_q[s] <= '0;
      else if (job_valid_i[s] && job_ready_i[s]) begin
        jobs_q[s] <= jobs_o[s] + 1'b1;
        at_q[s][jobs_o[s]] <= job_addr_i[s][AddrBits-1:6];
        lines_q[s][jobs_o[s]] <= job_lines_i[s];
      end else jobs_q[s] <= jobs_o[s];
    end
  end

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    waiting_q <= rst_ni && valid_i && !ready_i;
    addr_q <= addr;
    taken_q <= rst_ni ? taken_q + 8'(valid_i && ready_i) - 8'(answer_i) : '0;
    drop_q <= rst_ni && (clear_i || (drop_q && (valid_i || taken_q != '0)));

    if (reset_q) begin
      if (waiting_q) assert (valid_i && addr == addr_q);
      if (valid_i) begin
        assert (burst_i.id == '0 && burst_i.len == '0 && burst_i.addr[5:0] == '0);  // a line: so none crosses 4 KiB
        assert (burst_i.addr >> AddrBits == '0);
        assert (32'(taken_q) < Outstanding);
      end
      if (offer_o) assert (!drop_q && (offers & right) != '0);
      if (drop_q) assert (job_ready_i == '0 && jobs_q == '0);
      if (answer_i) assert (taken_q != '0);  // the harness's memory answers nothing else

      // what makes the above inductive
      assert (32'(taken_q) <= Outstanding);
      for (int unsigned s = 0; s < Streams; s++) begin
        assert (32'(jobs_o[s]) < Jobs);
        for (int unsigned k = 0; k < Jobs; k++) begin
          if (k < 32'(jobs_q[s]))
            assert (lines_q[s][k] != '0 && at_q[s][k][AtBits-1-:StreamBits] == StreamBits'(s)
                    && 32'(at_q[s][k][AtBits-1-StreamBits:0]) + 32'(lines_q[s][k]) <= 32'd1 << (AtBits - StreamBits));
        end
      end
    end
  end
endmodule
