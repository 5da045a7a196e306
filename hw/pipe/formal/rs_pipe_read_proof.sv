// SPDX-License-Identifier: Apache-2.0
// rs_pipe_read_proof: for ever, by induction: what rs_pipe_bursts says of AR; every line that is asked for has its place in its stream's
//                     buffer, whatever the memory and the readers do, so that RREADY may always be 1; each stream has its own lines in
//                     order, none lost and none twice, and after clear_i none of those that were under way. idle_o: nothing is. An address waits
//                     for nothing but room, the address ahead of it, and answers when Outstanding lines are under way.
module rs_pipe_read_proof #(
    parameter  int unsigned Streams     = 2,
    parameter  int unsigned Depth       = 3,
    parameter  int unsigned Outstanding = 5,
    parameter  int unsigned LinesBits   = 3,
    localparam int unsigned AddrBits    = 12,
    localparam int unsigned StreamBits  = Streams > 1 ? $clog2(Streams) : 1
) (
    input logic                              clk_i,
    input logic                              rst_ni,
    input logic                              clear_i,
    input logic                              wipe_i,
    input logic [Streams-1:0]                job_valid_i,
    input logic [Streams-1:0][ AddrBits-1:0] job_addr_i,
    input logic [Streams-1:0][LinesBits-1:0] job_lines_i,
    input logic [Streams-1:0]                line_ready_i,
    input logic                              arready_i,
    input logic                              rvalid_i,
    input logic [        1:0]                rresp_i,
    input logic [        3:0]                rid_i,
    input logic                              rlast_i
);
  localparam int unsigned NumberBits = 4;
  localparam int unsigned TextBits = StreamBits + NumberBits;

  logic idle_o, error_o, arvalid, rready;
  logic [Streams-1:0] job_ready_o, line_valid_o;
  logic [Streams-1:0][511:0] line_o;
  rs_axi_pkg::read_req_t read_o;
  assign {arvalid, rready} = {read_o.ar_valid, read_o.r_ready};

  // what the memory answers: the lines that it was asked for, in order. Those of a stream are numbered; the low bits of a number are enough
  logic [Outstanding-1:0][StreamBits-1:0] asked_q;
  logic [Streams-1:0][NumberBits-1:0] came_q, out_q;
  logic [StreamBits-1:0] head;
  assign head = asked_q[0];

  rs_pipe_read #(
      .Streams    (Streams),
      .Depth      (Depth),
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding),
      .LinesBits  (LinesBits)
  ) u_dut (
      .*,
      .read_i ('{ar_ready: arready_i, r_valid: rvalid_i, r_id: rid_i, r_resp: rresp_i, r_last: rlast_i}),
      .rdata_i(512'({head, came_q[head]}))
  );

  rs_pipe_bursts #(
      .Streams    (Streams),
      .Depth      (Depth),
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding),
      .LinesBits  (LinesBits)
  ) u_bursts (
      .*,
      .valid_i (arvalid),
      .ready_i (arready_i),
      .burst_i (read_o.ar),
      .answer_i(rvalid_i)
  );

  // lines under way: taken and not answered, and that on offer
  logic [7:0] open;
  logic [Outstanding-1:0][StreamBits-1:0] asked;
  always_comb begin
    open  = u_bursts.taken_q + 8'(arvalid);
    asked = asked_q;
    for (int unsigned i = 0; i < Outstanding; i++) if (arvalid && 32'(u_bursts.taken_q) == i) asked[i] = u_bursts.whose;
  end

  logic reset_q = 1'b0;
  logic [Streams-1:0] may;  // a job and room
  logic due_q;
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    if (rvalid_i) assume (u_bursts.taken_q != '0);
    if (wipe_i) assume (job_valid_i == '0 && (u_bursts.drop_q || (idle_o && line_valid_o == '0)));
    for (int unsigned i = 0; i < Outstanding; i++)
    asked_q[i] <= rvalid_i ? (i + 1 < Outstanding ? asked[(i+1)%Outstanding] : '0) : asked[i];
    due_q <= rst_ni && !clear_i && !u_bursts.drop_q && (!arvalid || arready_i) && 32'(open) < Outstanding && may != '0;

    if (reset_q) begin
      assert (rready);
      if (due_q) assert (arvalid && u_bursts.offer);
      assert (error_o == (rvalid_i && (rresp_i != 2'b00 || rid_i != '0 || !rlast_i) && !u_bursts.drop_q));
      if (idle_o) assert (!arvalid && u_bursts.taken_q == '0 && u_bursts.jobs == '0);

      // what makes the above inductive
      assert (32'(u_dut.open_q) == 32'(open) && u_dut.drop_q == u_bursts.drop_q);
      assert (32'(u_dut.take_q) < Outstanding && 32'(u_dut.put_q) == (32'(u_dut.take_q) + 32'(open)) % Outstanding);
      for (int unsigned i = 0; i < Outstanding; i++) begin
        if (i < 32'(open)) assert (u_dut.u_order.mem_q[(32'(u_dut.take_q)+i)%Outstanding] == asked[i] && 32'(asked[i]) < Streams);
      end
    end
  end

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    logic [7:0] under_way, here;
    logic [StreamBits+NumberBits-1:0] text;
    assign text = line_o[s][StreamBits+NumberBits-1:0];
    assign here = 8'(u_dut.gen_stream[s].lines);
    always_comb begin
      under_way = '0;
      for (int unsigned i = 0; i < Outstanding; i++) under_way += 8'(i < 32'(open) && asked[i] == StreamBits'(s));
    end
    assign may[s] = u_bursts.jobs[s] != '0 && u_dut.gen_stream[s].room_q != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i || u_bursts.drop_q) begin
        came_q[s] <= '0;
        out_q[s]  <= '0;
      end else begin
        came_q[s] <= came_q[s] + NumberBits'(rvalid_i && 32'(head) == s);
        out_q[s]  <= out_q[s] + NumberBits'(line_valid_o[s] && line_ready_i[s]);
      end

      if (reset_q) begin
        if (line_valid_o[s]) assert (text == {StreamBits'(s), out_q[s]} && line_o[s][511:TextBits] == '0);
        // room for all that comes
        if (u_bursts.drop_q)
          assert (here == '0 && 32'(u_dut.gen_stream[s].room_q) == Depth);
          else assert (32'(here) + 32'(under_way) + 32'(u_dut.gen_stream[s].room_q) == Depth);

        assert (32'(here) <= Depth && came_q[s] == out_q[s] + NumberBits'(here));
        for (int unsigned i = 0; i < Depth; i++) begin
          if (i < 32'(here))
            assert (u_dut.gen_stream[s].u_lines.u_lines.mem_q[(32'(u_dut.gen_stream[s].u_lines.take_q)+i)%Depth]
                    == 512'({StreamBits'(s), NumberBits'(out_q[s] + NumberBits'(i))}));
        end
      end
    end
  end
endmodule
