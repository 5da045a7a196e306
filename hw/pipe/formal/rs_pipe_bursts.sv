// SPDX-License-Identifier: Apache-2.0
// rs_pipe_bursts: for the proofs of rs_pipe_read and rs_pipe_write: what the jobs of all streams ask for, and what the memory has seen of it
//                 on AR or AW. Bursts are legal single lines, stay on offer unchanged, are the lines of the jobs in order, none left out and
//                 none twice, and never too many are without an answer. It reads their u_dut.
//
// The highest bits of an address are the stream's number, so that the memory knows whose line it is.
module rs_pipe_bursts #(
    parameter int unsigned Streams = 2,
    parameter int unsigned Depth = 3,
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
    input logic [Streams-1:0][AddrBits-1:0] job_addr_i,
    input logic [Streams-1:0][LinesBits-1:0] job_lines_i,
    input logic valid_i,
    input logic ready_i,
    input rs_axi_pkg::burst_t burst_i,
    input logic answer_i
);
  logic waiting_q, offer;  // a burst is new on offer
  logic drop_q;  // since clear_i: something is under way that nobody waits for
  logic [AddrBits-1:0] addr, addr_q;
  logic [StreamBits-1:0] whose;  // the burst on offer
  logic [7:0] taken_q;  // bursts that were taken and not answered
  // jobs of each stream that are left, the oldest first: before the burst on offer, with it
  logic [Streams-1:0][1:0] jobs_q, jobs;
  logic [Streams-1:0][Jobs-1:0][AtBits-1:0] at_q, at;
  logic [Streams-1:0][Jobs-1:0][LinesBits-1:0] lines_q, lines;
  logic [Streams-1:0] offers, right;
  logic reset_q = 1'b0;

  assign addr  = burst_i.addr[AddrBits-1:0];
  assign offer = valid_i && !waiting_q;
  assign whose = addr[AddrBits-1-:StreamBits];

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    assign offers[s] = offer && whose == StreamBits'(s);
    assign right[s]  = jobs_q[s] != '0 && addr == {at_q[s][0], 6'd0};

    always_comb begin
      jobs[s] = jobs_q[s];
      at[s] = at_q[s];
      lines[s] = lines_q[s];
      if (offers[s] && lines_q[s][0] == LinesBits'(1)) begin
        jobs[s] = jobs_q[s] - 1'b1;
        for (int unsigned k = 0; k < Jobs; k++) begin
          at[s][k] = k + 1 < Jobs ? at_q[s][(k+1)%Jobs] : '0;
          lines[s][k] = k + 1 < Jobs ? lines_q[s][(k+1)%Jobs] : '0;
        end
      end else if (offers[s]) begin
        at[s][0] = at_q[s][0] + 1'b1;
        lines[s][0] = lines_q[s][0] - 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin
      if (job_valid_i[s])
        assume (job_lines_i[s] != '0 && job_addr_i[s][5:0] == '0 && job_addr_i[s][AddrBits-1-:StreamBits] == StreamBits'(s)
                && 32'(job_addr_i[s][AddrBits-1-StreamBits:6]) + 32'(job_lines_i[s]) <= 32'd1 << (AtBits - StreamBits));
      at_q[s] <= at[s];
      lines_q[s] <= lines[s];
      if (!rst_ni || clear_i) jobs_q[s] <= '0;
      else if (job_valid_i[s] && u_dut.job_ready_o[s]) begin
        jobs_q[s] <= jobs[s] + 1'b1;
        at_q[s][jobs[s]] <= job_addr_i[s][AddrBits-1:6];
        lines_q[s][jobs[s]] <= job_lines_i[s];
      end else jobs_q[s] <= jobs[s];

      // what makes the proofs inductive: the jobs in u_turns, the rows of the buffer
      if (reset_q) begin
        assert (u_dut.u_turns.gen_stream[s].active_q == (jobs[s] != '0));
        assert (u_dut.u_turns.gen_stream[s].next_q == (32'(jobs[s]) == 32'd2));
        if (jobs[s] != '0)
          assert (u_dut.u_turns.gen_stream[s].at_q == at[s][0] && u_dut.u_turns.gen_stream[s].left_q == lines[s][0] - 1'b1);
        if (32'(jobs[s]) == 32'd2)
          assert (u_dut.u_turns.gen_stream[s].next_at_q == at[s][1]
                  && u_dut.u_turns.gen_stream[s].next_left_q == lines[s][1] - 1'b1);
        assert (32'(u_dut.gen_stream[s].u_lines.take_q) < Depth && 32'(u_dut.gen_stream[s].u_lines.put_q) ==
                (32'(u_dut.gen_stream[s].u_lines.take_q) + 32'(u_dut.gen_stream[s].lines)) % Depth);
      end
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
      if (offer) assert (!drop_q && (offers & right) != '0);
      if (drop_q) assert (u_dut.job_ready_o == '0 && jobs_q == '0);
      if (answer_i) assert (taken_q != '0);  // the harness's memory answers nothing else

      // what makes the above inductive
      assert (32'(taken_q) <= Outstanding);
      for (int unsigned s = 0; s < Streams; s++) begin
        assert (32'(jobs[s]) < Jobs);
        for (int unsigned k = 0; k < Jobs; k++) begin
          if (k < 32'(jobs_q[s]))
            assert (lines_q[s][k] != '0 && at_q[s][k][AtBits-1-:StreamBits] == StreamBits'(s)
                    && 32'(at_q[s][k][AtBits-1-StreamBits:0]) + 32'(lines_q[s][k]) <= 32'd1 << (AtBits - StreamBits));
        end
      end
    end
  end
endmodule
