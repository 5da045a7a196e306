// SPDX-License-Identifier: Apache-2.0
// rs_key_slots: of a sealed core, which key slots are whole, whether what is compared was equal so far, and the verdict of HASH 13, kept for each slot.
// Model:   lib/tests/model_seal.c, which keeps no verdict and hashes each time
// Bounds:  key_i and slot_i are stable from start_i to the next one; compare_i for each lane of a hash, then judge_i once; none of them after clear_i
// Timing:  outputs come out of flip-flops; kept_o and equal_o may be trusted in any cycle
//
// A slot is valid when its lanes were written in their order. A verdict says that the hash of what is bound, as it stands in the vault, is that of the
// slot (hw/fields/formal/rs_key_slots_formal.sv). Any write of what is bound ends all verdicts, whoever it comes from, and so do a wipe, a reset and a
// program that is stopped; a lane of a key ends that of its slot. The same during a HASH 13 makes it fail.
module rs_key_slots
  import rs_isa_pkg::*;
#(
    localparam int unsigned SlotBits = $clog2(KeySlots)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                wipe_i,       // all slots are empty
    input  logic                clear_i,      // a program is stopped
    input  logic                bound_i,      // in this cycle what is bound changes, or may
    // a lane of a key: of another place none is valid
    input  logic                key_we_i,
    input  logic [        14:0] key_index_i,  // slot 16 + lane
    output logic                key_we_o,     // a place that there is
    // an instruction
    input  logic                start_i,
    input  logic                key_i,        // it is HASH 13
    input  logic [SlotBits-1:0] slot_i,
    input  logic                compare_i,    // two lanes are there
    input  logic                same_i,       // they are equal
    input  logic                rest_i,       // the choice is over: nothing depends on it
    input  logic                judge_i,      // HASH 13: all lanes were compared, or a verdict was there
    output logic                equal_o,      // so far, of a slot that is valid
    output logic                kept_o,       // the slot's verdict
    output logic                error_o       // a flip-flop has flipped
);
  localparam int unsigned SlotRows = 16;

  logic [KeySlots-1:0] valid_q, valid, verdict_q, verdict_error;
  logic [KeySlots-1:0][3:0] next_q, next;  // lane
  logic [SlotBits-1:0] given;
  logic [3:0] lane;
  logic disturbs, equal, slots_error, equal_error;
  assign given    = key_index_i[4+:SlotBits];
  assign lane     = key_index_i[3:0];
  assign key_we_o = key_we_i && 32'(key_index_i) < SlotRows * KeySlots && 32'(lane) < KeyLanes;

  // ---- slots ----
  always_comb begin
    {valid, next} = {valid_q, next_q};
    // a lane in another order ends what was there
    valid[given]  = lane == 4'(KeyLanes - 1) && next_q[given] == lane;
    next[given]   = lane == '0 || lane == next_q[given] ? lane + 4'd1 : '0;
  end
  rs_checked #(
      .Width(5 * KeySlots)
  ) u_slots (
      .clk_i,
      .clear_i(!rst_ni || wipe_i),
      .en_i   (key_we_o),
      .data_i ({valid, next}),
      .data_o ({valid_q, next_q}),
      .error_o(slots_error)
  );

  // ---- equal so far ----
  assign disturbs = bound_i || key_we_o || wipe_i;
  always_comb begin
    equal = compare_i ? equal_o && same_i : rest_i;
    if (start_i) equal = !key_i || valid_q[slot_i];
    if (key_i && disturbs) equal = 1'b0;
  end
  rs_checked u_equal (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (start_i || compare_i || rest_i || (key_i && disturbs)),
      .data_i (equal),
      .data_o (equal_o),
      .error_o(equal_error)
  );

  // ---- verdicts: pairs of complementary flip-flops ----
  for (genvar s = 0; s < int'(KeySlots); s++) begin : gen_slot
    logic renewed;
    assign renewed = key_we_o && given == SlotBits'(s);
    rs_checked u_verdict (
        .clk_i,
        .clear_i(!rst_ni || wipe_i || clear_i || bound_i || renewed),
        .en_i   (judge_i && slot_i == SlotBits'(s)),
        .data_i (equal_o),
        .data_o (verdict_q[s]),
        .error_o(verdict_error[s])
    );
  end
  assign kept_o  = verdict_q[slot_i];
  assign error_o = slots_error || equal_error || verdict_error != '0;
endmodule
