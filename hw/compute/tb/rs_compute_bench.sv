// SPDX-License-Identifier: Apache-2.0
// rs_compute_bench: rs_compute with its bank groups, whose lanes' side has rs_poly_memory's register; whole rows are loaded and
//          stored through the chunk port.
module rs_compute_bench #(
    parameter  int unsigned W        = 32,
    parameter  int unsigned LogNMax  = 10,
    parameter  int unsigned Lanes    = 2,
    parameter  int unsigned Groups   = 3,
    parameter  int unsigned Contexts = 1,
    parameter  bit          OnTheFly = 1'b0,
    parameter  bit          Encode   = 1'b0,
    parameter  bit          Sliced   = 1'b0,
    localparam int unsigned LogLanes = $clog2(Lanes),
    localparam int unsigned AddrBits = LogNMax - 2 - LogLanes
) (
    input  logic                                                clk_i,
    input  logic                                                rst_ni,
    input  logic                                                start_i,
    input  logic [                    63:0]                     instr_i,
    output logic                                                done_o,
    output logic                                                active_o,
    output logic                                                over_o,
    input  logic [rs_ntt_pkg::LogNBits-1:0]                     log_n_i,
    input  logic [                   W-1:0]                     q_i,
    input  logic [                   W-1:0]                     constant_i,
    input  logic [              Groups-1:0]                     row_groups_i,
    input  logic                                                row_we_i,
    input  logic [            AddrBits-1:0]                     row_addr_i,
    input  logic [             4*Lanes-1:0][      W-1:0]        row_data_i,
    output logic [              Groups-1:0][4*Lanes-1:0][W-1:0] row_data_o,
    input  logic                                                twiddle_start_i,
    input  logic [                     1:0]                     twiddle_ctx_i,
    input  logic                                                twiddle_roots_i,
    input  logic [                     1:0]                     twiddle_part_i,
    input  logic                                                twiddle_valid_i,
    output logic                                                twiddle_ready_o,
    input  logic [             4*Lanes-1:0][      W-1:0]        twiddle_i,
    output logic                                                twiddle_done_o,
    output logic [               LogNMax:0]                     twiddle_words_o
);
  logic read, read_half, write, write_half;

  logic [(Sliced ? Groups : 1)-1:0][AddrBits-1:0] read_addr;
  logic [AddrBits-1:0] write_addr;
  logic [Groups-1:0] read_groups, write_groups;
  logic [2*Lanes-1:0][W-1:0] result;
  logic [Groups-1:0][1:0][2*Lanes-1:0][W-1:0] data;

  rs_compute #(
      .W         (W),
      .LogNMax   (LogNMax),
      .Lanes     (Lanes),
      .Groups    (Groups),
      .Contexts  (Contexts),
      .OnTheFly  (OnTheFly),
      .Encode    (Encode),
      .ChunkWords(4 * Lanes),
      .Sliced    (Sliced)
  ) u_compute (
      .clk_i,
      .rst_ni,
      .clear_i        (1'b0),
      .rinse_i        (1'b0),
      .start_i,
      .instr_i,
      .done_o,
      .active_o,
      .over_o,
      .log_n_i,
      .twiddle_log_n_i(log_n_i),
      .q_i,
      .constant_i,
      .read_o         (read),
      .read_half_o    (read_half),
      .read_addr_o    (read_addr),
      .read_groups_o  (read_groups),
      .write_o        (write),
      .write_half_o   (write_half),
      .write_addr_o   (write_addr),
      .write_groups_o (write_groups),
      .data_o         (result),
      .data_i         (data),
      .stream_valid_i (1'b0),
      .stream_ready_o (),
      .stream_sec_i   ('0),
      .twiddle_start_i,
      .twiddle_ctx_i,
      .twiddle_roots_i,
      .twiddle_part_i,
      .twiddle_valid_i,
      .twiddle_ready_o,
      .twiddle_i,
      .twiddle_done_o,
      .twiddle_words_o
  );

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [1:0] req, we, req_q, we_q;
    logic [1:0][AddrBits-1:0] addr, addr_q;
    for (genvar half = 0; half < 2; half++) begin : gen_half
      assign we[half]   = write && write_groups[g] && write_half == 1'(half);
      assign req[half]  = we[half] || (read && read_groups[g] && read_half == 1'(half));
      assign addr[half] = we[half] ? write_addr : read_addr[Sliced?g : 0];
    end
    always_ff @(posedge clk_i) begin
      req_q  <= rst_ni ? req : '0;
      we_q   <= rst_ni ? we : '0;
      addr_q <= addr;
    end
    rs_bank_group #(
        .W         (W),
        .LogNMax   (LogNMax),
        .LogLanes  (LogLanes),
        .ChunkWords(4 * Lanes)
    ) u_group (
        .clk_i,
        .half_req_i (req_q),
        .half_we_i  (we_q),
        .half_addr_i(addr_q),
        .half_data_i(result),
        .half_data_o(data[g]),
        .row_we_i   (row_groups_i[g] && row_we_i),
        .row_addr_i (row_groups_i[g] ? row_addr_i : '0),
        .row_half_i (1'b0),
        .row_mask_i ({4 * Lanes{row_groups_i[g]}}),
        .row_data_i (row_groups_i[g] && row_we_i ? row_data_i : '0),
        .row_data_o (row_data_o[g]),
        .wipe_i     (1'b0),
        .rinse_i    (1'b0),
        .wipe_half_i(1'b0),
        .wipe_addr_i('0)
    );
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        for (int half = 0; half < 2; half++) begin
          assert (!(we[half] && read && read_groups[g] && read_half == 1'(half)))
          else $error("%m: a read and a write of half %0d", half);
        end
        assert (!(|req_q && row_groups_i[g]))
        else $error("%m: two ports in one cycle");
      end
    end
`endif
  end
endmodule
