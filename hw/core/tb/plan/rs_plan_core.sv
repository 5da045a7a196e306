// SPDX-License-Identifier: Apache-2.0
// rs_plan_core: in which states of its units a core is stopped, and how memory takes what they read and write, as lines of a file:
//               scripts/plugins/functional_plan.py makes crosses of them.
// Params:  those of rs_core
// Bounds:  `make coverage` alone builds it, into rs_core; one port
module rs_plan_core
  import rs_isa_pkg::*;
#(
    parameter int unsigned W          = 32,
    parameter int unsigned LogNMax    = 13,
    parameter int unsigned Groups     = 4,
    parameter bit          Encode     = 1'b0,
    parameter bit          Fields     = 1'b0,
    parameter bit          Sealed     = 1'b0,
    parameter int unsigned TraceUnits = 7
) (
    input logic clk_i,
    input logic rst_ni,
    // commands and the watchdog, while a program runs, or drains
    input logic abort_i,
    input logic zeroize_i,
    input logic late_i,
    input logic running_i,
    input logic draining_i,
    input logic [TraceUnits-1:0] busy_i,
    input logic [TraceUnits-1:0] active_i,
    // the port
    input logic ar_valid_i,
    input logic ar_ready_i,
    input logic [3:0] ar_id_i,
    input logic aw_valid_i,
    input logic aw_ready_i,
    input logic [3:0] aw_id_i,
    input logic w_valid_i,
    input logic w_ready_i,
    input logic w_last_i
);
  int fd;
  initial fd = $fopen("build/coverage/raw/plan", "a");

  logic [2:0] stops, stops_q;
  assign stops = {late_i, zeroize_i && running_i, abort_i};
  always_ff @(posedge clk_i) begin
    stops_q <= stops;
    for (int s = 0; s < 3; s++) begin
      if (fd != 0 && rst_ni && stops[s] && !stops_q[s]) begin
        $fwrite(fd, "A %0d.%0d.%0d.%b%b%b %0d %0d %0d %b\n", W, Groups, LogNMax, Encode, Fields, Sealed, s, busy_i, active_i,
                draining_i);
        $fflush(fd);
      end
    end
  end

  // state of each burst, by the unit's bits of its ID, once: whether memory takes its address before its first data, with it or after it;
  // and whether it lets the address of a read wait
  logic [3:0][2:0] wrote_q;
  logic [3:0][1:0] read_q;
  logic first_q, waited_q;  // the next beat is the first of its burst; memory lets an address wait
  int unsigned addresses_q, data_q;  // bursts whose address, whose first data was taken
  logic first;
  logic [1:0] order;
  assign first = w_valid_i && w_ready_i && first_q;
  assign order = data_q > addresses_q ? 2'd2 : data_q == addresses_q && first ? 2'd1 : 2'd0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {first_q, waited_q, addresses_q, data_q} <= {2'b10, 32'd0, 32'd0};
      {wrote_q, read_q} <= '0;
    end else begin
      if (w_valid_i && w_ready_i) first_q <= w_last_i;
      if (first) data_q <= data_q + 1;
      if (aw_valid_i && aw_ready_i) begin
        addresses_q <= addresses_q + 1;
        if (fd != 0 && !wrote_q[aw_id_i[3:2]][order]) begin
          wrote_q[aw_id_i[3:2]][order] <= 1'b1;
          $fwrite(fd, "W %0d.%0d.%0d.%b%b%b %0d %0d\n", W, Groups, LogNMax, Encode, Fields, Sealed, aw_id_i[3:2], order);
          $fflush(fd);
        end
      end
      waited_q <= ar_valid_i && !ar_ready_i;
      if (fd != 0 && ar_valid_i && ar_ready_i && !read_q[ar_id_i[3:2]][waited_q]) begin
        read_q[ar_id_i[3:2]][waited_q] <= 1'b1;
        $fwrite(fd, "R %0d.%0d.%0d.%b%b%b %0d %b\n", W, Groups, LogNMax, Encode, Fields, Sealed, ar_id_i[3:2], waited_q);
        $fflush(fd);
      end
    end
  end
  final if (fd != 0) $fclose(fd);
endmodule

bind rs_core rs_plan_core #(
    .W         (W),
    .LogNMax   (LogNMax),
    .Groups    (Groups),
    .Encode    (Encode),
    .Fields    (Fields),
    .Sealed    (Sealed),
    .TraceUnits(TraceUnits)
) u_plan (
    .clk_i,
    .rst_ni,
    .abort_i   (u_control.u_sequencer.abort_q),
    .zeroize_i (u_control.zeroize),
    .late_i    (u_control.u_sequencer.late_q),
    .running_i (u_control.u_sequencer.running),
    .draining_i(u_control.u_sequencer.state_q == 2'd3),
    .busy_i    (trace_busy_o),
    .active_i  (trace_active_o),
    .ar_valid_i(m_axi_arvalid[0]),
    .ar_ready_i(m_axi_arready[0]),
    .ar_id_i   (m_axi_arid[0]),
    .aw_valid_i(m_axi_awvalid[0]),
    .aw_ready_i(m_axi_awready[0]),
    .aw_id_i   (m_axi_awid[0]),
    .w_valid_i (m_axi_wvalid[0]),
    .w_ready_i (m_axi_wready[0]),
    .w_last_i  (m_axi_wlast[0])
);
