// SPDX-License-Identifier: Apache-2.0
// rs_slots: the slots: small secret polynomials, 6 bits per coefficient, a memory of rows of ChunkWords values each.
// Params:  LogNMax; Slots >= 1; ChunkWords V, a power of two below 2^LogNMax; Pipe: PIPE reads three slots side by side
// Bounds:  value i of a row is the one at position V * row + i (docs/core.md); SAMPLE, LIFT and PIPE never in one slot at once (asserted)
// Timing:  lift_rdata_sec_o and pipe_rdata_sec_o are valid in the cycle after a read, and only there (rs_ram_1rw)

module rs_slots #(
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Slots = 3,
    parameter int unsigned ChunkWords = 8,
    parameter bit Pipe = 1'b0,
    localparam int unsigned RowBits = LogNMax - $clog2(ChunkWords)
) (
    input logic clk_i,

    // zeros to this row of all slots, whatever the others want; a sweep over all rows, and the cycle after it, leaves nothing
    input logic               wipe_i,
    input logic [RowBits-1:0] wipe_row_i,

    // SAMPLE
    input logic [     Slots-1:0]      sample_we_i,
    input logic [   RowBits-1:0]      sample_row_i,
    input logic [ChunkWords-1:0][5:0] sample_data_sec_i,

    // LIFT
    input  logic                       lift_req_i,
    input  logic                       lift_we_i,
    input  logic [           3:0]      lift_slot_i,       // below Slots whenever lift_req_i
    input  logic [   RowBits-1:0]      lift_row_i,
    input  logic [ChunkWords-1:0][5:0] lift_wdata_sec_i,
    output logic [ChunkWords-1:0][5:0] lift_rdata_sec_o,

    // PIPE: a row of this slot and of the two behind it
    input  logic                                    pipe_req_i,
    input  logic [        3:0]                      pipe_first_i,     // below Slots - 2 whenever pipe_req_i
    input  logic [RowBits-1:0]                      pipe_row_i,
    output logic [        2:0][ChunkWords-1:0][5:0] pipe_rdata_sec_o
);
  if (Slots == 0 || Slots > 16) begin : gen_illegal_slots
    $fatal(1, "%m: Slots must be 1 to 16");
  end
  if (ChunkWords == 0 || (ChunkWords & (ChunkWords - 1)) != 0 || ChunkWords >= 2 ** LogNMax) begin : gen_illegal_chunk
    $fatal(1, "%m: ChunkWords must be a power of two below 2^LogNMax");
  end

  logic wiped_q;
  logic [3:0] slot_q;
  logic [Slots-1:0] lift, pipe;
  logic [Slots-1:0][6*ChunkWords-1:0] rdata_sec;

  always_ff @(posedge clk_i) begin
    wiped_q <= wipe_i;
    slot_q  <= lift_slot_i;
  end

  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    assign lift[s] = lift_req_i && lift_slot_i == 4'(s);
    assign pipe[s] = Pipe && pipe_req_i && 4'(s) - pipe_first_i < 4'd3;

    // The read after a wipe overwrites what the memory's output register still holds.
    rs_ram_1rw #(
        .Width(6 * ChunkWords),
        .Depth(2 ** RowBits)
    ) u_ram (
        .clk_i,
        .req_i  (wipe_i || wiped_q || sample_we_i[s] || lift[s] || pipe[s]),
        .we_i   (wipe_i || (!wiped_q && (sample_we_i[s] || (lift[s] && lift_we_i)))),
        .addr_i (wipe_i ? wipe_row_i : sample_we_i[s] ? sample_row_i : pipe[s] ? pipe_row_i : lift_row_i),
        .wdata_i(wipe_i ? '0 : sample_we_i[s] ? sample_data_sec_i : lift_wdata_sec_i),
        .rdata_o(rdata_sec[s])
    );
  end

  always_comb begin
    lift_rdata_sec_o = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      if (slot_q == 4'(s)) lift_rdata_sec_o = rdata_sec[s];
    end
  end

  if (Pipe) begin : gen_pipe
    logic [3:0] first_q;
    always_ff @(posedge clk_i) first_q <= pipe_first_i;
    always_comb begin
      pipe_rdata_sec_o = '0;
      for (int unsigned s = 0; s < Slots; s++) begin
        for (int unsigned i = 0; i < 3; i++) if (4'(s) - first_q == 4'(i)) pipe_rdata_sec_o[i] = rdata_sec[s];
      end
    end
  end else begin : gen_no_pipe
    logic unused;
    assign unused = ^{pipe_req_i, pipe_first_i, pipe_row_i};
    assign pipe_rdata_sec_o = '0;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    assert ((sample_we_i & lift) == '0 && $onehot0(sample_we_i) && (pipe & (sample_we_i | lift)) == '0);
    if (Pipe && pipe_req_i) assert (32'(pipe_first_i) + 3 <= Slots);
    if (lift_req_i) assert (32'(lift_slot_i) < Slots);
  end
`endif
endmodule
