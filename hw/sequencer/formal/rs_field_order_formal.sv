// SPDX-License-Identifier: Apache-2.0
// rs_field_order_formal: any words, any times of the units of a core with fields. HASH and LOADD start only while PACK does not run, and so when
// what it wrote is in memory; LOADF and STOREF only while no STORED runs.
module rs_field_order_formal
  import rs_isa_pkg::*;
(
    input logic             clk_i,
    input logic             rst_ni,
    input logic             clear_i,
    input logic             hold_i,
    input logic             word_valid_i,
    input logic [     63:0] word_i,
    input logic             word_past_i,
    input logic [     63:0] pointer_i,
    input logic [Units-1:0] done_i,
    input logic             give_up_i,
    input logic             load_room_i
);
  logic [Units-1:0] unit_start_o, unit_busy_o;
  logic [Units-1:0][63:0] unit_instr_o;

  rs_issue #(
      .Groups   (2),
      .Contexts (1),
      .Slots    (0),
      .HasExpand(1'b0),
      .HasFields(1'b1)
  ) u_dut (
      .*,
      .cleared_i(1'b0),
      .forget_i(1'b0),
      .renew_i(1'b0),
      .frame_i('0),
      .no_encrypt_i(1'b0),
      .no_decrypt_i(1'b0),
      .log_n_i(5'd10),
      .pointer_index_o(),
      .word_ready_o(),
      .word_pc_i('0),
      .unit_pc_o(),
      .unit_addr_o(),
      .unit_release_i(done_i),
      .load_stream_o(),
      .fault_o(),
      .end_o(),
      .pc_o(),
      .word_odd_i(),
      .alert_o()
  );

  logic reset_q = 1'b0;
  logic next_hears, next_moves, hold_q, clear_q;
  logic [Units-1:0] issue, begins, conflict;
  assign issue      = u_dut.issue_q;
  assign begins     = u_dut.start;
  assign conflict   = u_dut.u_scoreboard.conflict_q[Units-1:0];
  assign next_hears = u_dut.instr_q.op == OP_HASH || u_dut.instr_q.op == OP_LOADD;
  assign next_moves = u_dut.instr_q.op == OP_LOADF || u_dut.instr_q.op == OP_STOREF;

  function automatic logic stores(input logic [63:0] word);
    return word[OpLsb+:OpBits] == OP_STORED;
  endfunction
  function automatic logic hears(input logic [63:0] word);
    return word[OpLsb+:OpBits] == OP_HASH || word[OpLsb+:OpBits] == OP_LOADD;
  endfunction
  function automatic logic moves(input logic [63:0] word);
    return word[OpLsb+:OpBits] == OP_LOADF || word[OpLsb+:OpBits] == OP_STOREF;
  endfunction

  always_ff @(posedge clk_i) begin
    reset_q <= reset_q || !rst_ni;
    if (!reset_q) assume (!rst_ni);
    hold_q  <= hold_i;
    clear_q <= clear_i;
    // a program begins when all is done, and what holds stays until then
    if (clear_i) assume (hold_i && unit_busy_o == '0);
    if (reset_q && hold_q && !clear_q) assume (hold_i);
    if (give_up_i) assume (hold_i);
    if (reset_q) begin
      // what is claimed
      if (unit_start_o[UNIT_SPONGE] && hears(unit_instr_o[UNIT_SPONGE])) assert (!unit_busy_o[UNIT_PACK]);
      if (unit_start_o[UNIT_PACK] && moves(unit_instr_o[UNIT_PACK]))
        assert (!(unit_busy_o[UNIT_SPONGE] && stores(unit_instr_o[UNIT_SPONGE])));
      // why
      assert ((issue & (issue - 1'b1)) == '0);
      if (unit_busy_o[UNIT_SPONGE])
        assert (u_dut.u_scoreboard.gen_entry[UNIT_SPONGE].gen_built.gen_sponge.stores_q == stores(unit_instr_o[UNIT_SPONGE]));
      assert (32'(u_dut.look_q) + 32'(u_dut.judge_q) + 32'(u_dut.held_q) + 32'(u_dut.commit_q) <= 1);
      if (issue != '0) assert (u_dut.commit_q);
      if (u_dut.ready_q) assert (u_dut.held_q);
      if (u_dut.look_q || u_dut.judge_q || u_dut.held_q || u_dut.commit_q)
        assert (u_dut.form_q == form_with_fields(u_dut.instr_q.op));
      if (issue != '0) assert (issue == u_dut.unit);
      if (u_dut.ready_q) begin
        if (next_hears) assert (u_dut.unit[UNIT_SPONGE] && conflict[UNIT_PACK]);
        if (next_moves) assert (u_dut.unit[UNIT_PACK]);
        if (next_moves && unit_busy_o[UNIT_SPONGE] && stores(unit_instr_o[UNIT_SPONGE])) assert (conflict[UNIT_SPONGE]);
      end
      if (issue[UNIT_SPONGE] && next_hears) assert (!unit_busy_o[UNIT_PACK]);
      if (issue[UNIT_PACK] && next_moves) assert (!(unit_busy_o[UNIT_SPONGE] && stores(unit_instr_o[UNIT_SPONGE])));
    end
  end
endmodule
