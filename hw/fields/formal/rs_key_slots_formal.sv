// SPDX-License-Identifier: Apache-2.0
// rs_key_slots_formal: for ever, by induction, over all sequences of programs, keys and stops: a verdict says that its slot is whole and that the hash of
// what is bound, as it stands there now, is the slot's; and a HASH 13 of that slot has compared all four lanes since the last stop, wipe or reset.
// Beside rs_key_slots stands what it knows nothing of:
//   vault    the hash of what is bound, a bit for each lane. It changes in any way in any cycle with bound_i, and in no other (rs_axi_vault_proof)
//   hash     that of a slot, as its lanes were written
//   digest   what SPONGE has hashed: if what is bound did not change since the instruction began, the hash of that, else anything
// SPONGE begins, is stopped, compares and judges as its states let it: with a verdict it judges at once, else after four lanes. Other instructions compare
// what they like. Lanes come at any time, also while a HASH 13 runs.
// Assumed: what is bound has no other of the same hash (SHA3-256); a bit stands for a lane.
module rs_key_slots_formal
  import rs_isa_pkg::*;
#(
    localparam int unsigned SlotBits = $clog2(KeySlots)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic wipe_i,
    input logic clear_i,
    input logic bound_i,
    input logic key_we_i,
    input logic [14:0] key_index_i,
    input logic key_bit_i,
    input logic start_i,
    input logic new_key_i,
    input logic [SlotBits-1:0] new_slot_i,
    input logic go_i,     // SPONGE's next step
    input logic other_i,  // what another instruction compares; and rests
    input logic [3:0] any_i
);
  localparam int unsigned HashLane = 8;  // behind those of the roots
  typedef enum logic [1:0] {
    Idle,
    Begin,
    Digest,
    Check
  } state_e;

  logic   reset_q = 1'b0;
  state_e state_q;
  logic key_q, key, keeps, compares, same, lane_in;
  logic [SlotBits-1:0] slot_q, slot, given;
  logic [2:0] count_q;
  logic [3:0] vault_q, digest;
  logic [KeySlots-1:0][3:0] hash_q;
  logic [KeySlots-1:0][3:0] lanes_q;  // lanes in their order so far; KeyLanes: a whole slot
  logic [KeySlots-1:0]      since_q;  // it was judged equal since the last stop
  logic                     same_vault_q;  // what is bound has not changed since the instruction began
  logic key_we_o, equal_o, kept_o, error_o;
  logic [3:0] lane;

  // stable from start_i on
  assign key = start_i ? new_key_i : key_q;
  assign slot = start_i ? new_slot_i : slot_q;
  assign digest = same_vault_q && !bound_i ? vault_q : any_i;
  assign compares = state_q == Digest && go_i && !clear_i && (!key_q || count_q < 3'd4);
  assign same = key_q ? digest[count_q[1:0]] == hash_q[slot_q][count_q[1:0]] : other_i;
  assign keeps = key_q && kept_o;
  assign {given, lane} = {key_index_i[4+:SlotBits], key_index_i[3:0]};
  assign lane_in = key_we_i && 32'(key_index_i) < 16 * KeySlots && 32'(lane) < KeyLanes;

  rs_key_slots u_dut (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .clear_i,
      .bound_i,
      .key_we_i,
      .key_index_i,
      .key_we_o,
      .start_i,
      .key_i    (key),
      .slot_i   (slot),
      .compare_i(compares),
      .same_i   (same),
      .rest_i   (!key && state_q == Check),
      .judge_i  (key && state_q == Check && !clear_i),
      .equal_o,
      .kept_o,
      .error_o
  );

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    if (start_i) assume (state_q == Idle && rst_ni);

    // ---- SPONGE
    if (start_i) {key_q, slot_q, count_q} <= {new_key_i, new_slot_i, 3'd0};
    if (!rst_ni || clear_i) state_q <= Idle;
    else
      case (state_q)
        Idle: if (start_i) state_q <= Begin;
        Begin: state_q <= keeps ? Check : Digest;
        Digest: begin
          if (compares) count_q <= count_q + 3'd1;
          if (go_i && (key_q ? count_q == 3'd3 : other_i)) state_q <= Check;
        end
        default: state_q <= Idle;
      endcase

    // ---- what is bound, and slots
    if (bound_i || wipe_i) vault_q <= any_i;
    same_vault_q <= !bound_i && !wipe_i && (start_i || same_vault_q);
    if (lane_in && 32'(lane) >= HashLane) hash_q[given][lane[1:0]] <= key_bit_i;
    for (int s = 0; s < int'(KeySlots); s++) begin
      if (!rst_ni || wipe_i) lanes_q[s] <= '0;
      else if (lane_in && given == SlotBits'(s)) lanes_q[s] <= lane == lanes_q[s] || lane == '0 ? lane + 4'd1 : '0;
      if (!rst_ni || wipe_i || clear_i) since_q[s] <= 1'b0;
      else if (key && state_q == Check && equal_o && slot == SlotBits'(s)) since_q[s] <= 1'b1;
    end

    if (reset_q && rst_ni) begin
      // ---- what is wanted
      for (int s = 0; s < int'(KeySlots); s++) begin
        if (u_dut.verdict_q[s]) assert (hash_q[s] == vault_q && 32'(lanes_q[s]) == KeyLanes && since_q[s]);
      end
      // roots go to digests in this cycle at the earliest: of a slot whose hash it was when the instruction read the last of what is bound
      if (key_q && state_q == Check && equal_o)
        assert (32'(lanes_q[slot_q]) == KeyLanes && same_vault_q && hash_q[slot_q] == vault_q);
      assert (key_we_o == lane_in && !error_o);

      // ---- what makes it inductive
      for (int s = 0; s < int'(KeySlots); s++) begin
        assert (u_dut.valid_q[s] == (32'(lanes_q[s]) == KeyLanes));
        assert (u_dut.next_q[s] == lanes_q[s] && 32'(lanes_q[s]) <= KeyLanes);
      end
      if (key_q && state_q != Idle && equal_o) begin
        assert (same_vault_q && 32'(lanes_q[slot_q]) == KeyLanes);
        for (int l = 0; l < 4; l++) if (3'(l) < count_q || u_dut.verdict_q[slot_q]) assert (hash_q[slot_q][l] == vault_q[l]);
      end
      if (state_q == Begin) assert (count_q == '0);
      if (key_q && state_q == Digest) assert (count_q < 3'd4);
      if (key_q && state_q == Check && equal_o) assert (count_q == 3'd4 || u_dut.verdict_q[slot_q]);
    end
  end
endmodule
