// SPDX-License-Identifier: Apache-2.0
// rs_scoreboard: which units run, and what they hold.
// Params:  HasPipe: PIPE is built; HasFields: SPONGE and PACK; HasSlices: LOAD has slices; Checked: a flip-flop that flips is told
// Model:   docs/core.md: a group or slot has one user, a context any number of readers or one writer; LOAD runs Loads instructions
// Bounds:  the next instruction is stable from the cycle before free_o is asked until issue_i; issue_i one-hot, in the cycle after
//          free_o; start_i is issue_i or nothing, and after nothing no more is issued until all units are done; LOAD gives
//          release_i once per instruction, in order
// Timing:  free_o follows release_i by a cycle; held from the cycle after start_i to that of release_i
//
// There is an entry for each unit, and more for LOAD (from number Units on): its instructions take them in turns. They agree in `wide`
// and in log_size, one of them is a CONTEXT at most, and a message is alone (rs_dma_load). They reach memory in order, so they may read what a CONTEXT
// before them brings.
module rs_scoreboard
  import rs_isa_pkg::*;
#(
    parameter  bit          HasPipe   = 1'b0,
    parameter  bit          HasFields = 1'b0,
    parameter  bit          HasSlices = 1'b0,
    parameter  bit          Checked   = 1'b0,
    localparam int unsigned Entries   = Units + Loads - 1
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    // the next instruction
    input  logic [   Units-1:0] unit_i,
    input  logic [        15:0] groups_i,
    input  logic [SlotsMax-1:0] slots_i,
    input  logic [         3:0] ctx_read_i,
    input  logic [         3:0] ctx_write_i,
    input  logic                wide_i,       // words of 8 bytes
    input  logic                message_i,    // and to be reduced
    input  logic [         3:0] log_size_i,   // with HasSlices
    input  logic                hears_i,      // with HasFields: SPONGE reads memory, where PACK may have written
    input  logic                moves_i,      // PACK reads or writes memory
    input  logic                stores_i,     // SPONGE writes memory
    input  logic                load_room_i,  // LOAD can take another instruction
    output logic                free_o,       // it can start
    input  logic [   Units-1:0] issue_i,      // its unit takes it
    input  logic [   Units-1:0] start_i,      // and runs it
    input  logic [   Units-1:0] release_i,
    input  logic                give_up_i,    // LOAD releases all
    output logic [   Units-1:0] busy_o,
    output logic [         1:0] load_turn_o,  // the entry of LOAD that is next to be issued, and to be released
    output logic [         1:0] load_end_o,
    output logic                error_o
);

  logic [Entries-1:0] busy_q, conflict_q, issue, start, released;
  logic [Entries-1:0][15:0] groups_q;
  logic [Entries-1:0][SlotsMax-1:0] slots_q;
  logic [Entries-1:0][3:0] ctx_read_q, ctx_write_q;
  logic [Loads-1:0] wide_q, message_q;  // kinds of LOAD
  logic [Loads-1:0][3:0] log_size_q;
  logic [1:0] turn_q, end_q;
  logic loads_q;  // the next instruction is one of LOAD
  logic [Entries-1:0] error, odd_error;
  logic turn_error;
  logic odd;  // parity of what the next instruction uses
  assign odd = ^{groups_i, slots_i, ctx_read_i, ctx_write_i};

  // the number of an entry of LOAD among them, and the entry with that number
  function automatic logic [1:0] after(input logic [1:0] turn);
    return turn == 2'(Loads - 1) ? '0 : turn + 1'b1;
  endfunction

  function automatic int unsigned entry_of(input int unsigned turn);
    return turn == 0 ? int'(UNIT_LOAD) : Units + turn - 1;
  endfunction

  // an entry of LOAD is that of a unit while it is its turn
  always_comb begin
    issue    = Entries'(issue_i);
    start    = Entries'(start_i);
    released = Entries'(release_i);
    for (int unsigned l = 0; l < Loads; l++) begin
      issue[entry_of(l)]    = issue_i[UNIT_LOAD] && turn_q == 2'(l);
      start[entry_of(l)]    = start_i[UNIT_LOAD] && turn_q == 2'(l);
      released[entry_of(l)] = (release_i[UNIT_LOAD] && end_q == 2'(l)) || give_up_i;
    end
  end

  for (genvar u = 0; u < Entries; u++) begin : gen_entry
    if (u < Units && !is_built(u, HasPipe, HasFields)) begin : gen_none
      logic unused;
      assign {busy_q[u], conflict_q[u], groups_q[u], slots_q[u], ctx_read_q[u], ctx_write_q[u], error[u], odd_error[u]} = '0;
      assign unused = ^{issue[u], start[u], released[u], groups_q[u], slots_q[u], ctx_read_q[u], ctx_write_q[u]};
    end else begin : gen_built
      logic taken;  // by the unit, whatever it uses
      logic comes;  // a context that the entry brings is there in time
      if (u == int'(UNIT_LOAD) || u >= Units) begin : gen_load
        logic resized;
        localparam int unsigned Turn = u == int'(UNIT_LOAD) ? 0 : u - Units + 1;
        if (HasSlices) begin : gen_size
          always_ff @(posedge clk_i) if (issue[u]) log_size_q[Turn] <= log_size_i;
          assign resized = log_size_i != log_size_q[Turn];
        end else begin : gen_whole
          assign log_size_q[Turn] = '0;
          assign resized = 1'b0;
        end
        assign taken = unit_i[UNIT_LOAD] && (turn_q == 2'(Turn) || wide_i != wide_q[Turn] || resized ||  // other lines
            message_i || message_q[Turn] || (ctx_write_i != '0 && ctx_write_q[u] != '0));
        assign comes = unit_i[UNIT_LOAD];
        always_ff @(posedge clk_i) begin
          if (issue[u]) begin
            wide_q[Turn]    <= wide_i;
            message_q[Turn] <= message_i;
          end
        end
      end else if (u == int'(UNIT_SPONGE)) begin : gen_sponge
        logic stores_q;
        always_ff @(posedge clk_i) if (issue[u]) stores_q <= stores_i;
        assign taken = unit_i[u] || (moves_i && stores_q);
        assign comes = 1'b0;
      end else if (u == int'(UNIT_PACK)) begin : gen_pack
        assign taken = unit_i[u] || hears_i;  // it is done when all is in memory
        assign comes = 1'b0;
      end else begin : gen_other
        assign taken = unit_i[u];
        assign comes = 1'b0;
      end

      // what the unit holds does not change while the next instruction waits: only whether it runs
      logic conflict, odd_q;
      assign conflict = taken || (groups_i & groups_q[u]) != '0 || (slots_i & slots_q[u]) != '0 ||
          (ctx_write_i & (ctx_read_q[u] | ctx_write_q[u])) != '0 || (!comes && (ctx_read_i & ctx_write_q[u]) != '0);
      rs_checked #(
          .Width  (2),
          .Checked(Checked)
      ) u_runs (
          .clk_i,
          .clear_i(!rst_ni),
          .en_i   (1'b1),
          .data_i ({start[u] || (busy_q[u] && !released[u]), conflict}),
          .data_o ({busy_q[u], conflict_q[u]}),
          .error_o(error[u])
      );
      assign odd_error[u] = Checked && busy_q[u] && ^{groups_q[u], slots_q[u], ctx_read_q[u], ctx_write_q[u]} != odd_q;
      always_ff @(posedge clk_i) begin
        if (issue[u]) begin
          odd_q <= odd;
          groups_q[u] <= groups_i;
          slots_q[u] <= slots_i;
          ctx_read_q[u] <= ctx_read_i;
          ctx_write_q[u] <= ctx_write_i;
        end
      end
    end
  end

  // when the turns meet, all entries are free or none is
  logic [1:0] turn, ending;
  assign turn   = start_i[UNIT_LOAD] ? after(turn_q) : turn_q;
  assign ending = give_up_i ? turn_q : release_i[UNIT_LOAD] && busy_o[UNIT_LOAD] ? after(end_q) : end_q;
  rs_checked #(
      .Width  (4),
      .Checked(Checked)
  ) u_turns (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (1'b1),
      .data_i ({turn, ending}),
      .data_o ({turn_q, end_q}),
      .error_o(turn_error)
  );
  always_ff @(posedge clk_i) loads_q <= unit_i[UNIT_LOAD];
  assign error_o = error != '0 || odd_error != '0 || turn_error;

  if (!HasFields) begin : gen_no_fields
    logic unused_order;
    assign unused_order = ^{hears_i, moves_i, stores_i};
  end
  if (!HasSlices) begin : gen_no_slices
    logic unused_size;
    assign unused_size = ^{log_size_i, log_size_q};
  end

  assign free_o = (conflict_q & busy_q) == '0 && (load_room_i || !loads_q);
  always_comb begin
    busy_o            = busy_q[Units-1:0];
    busy_o[UNIT_LOAD] = busy_q[int'(UNIT_LOAD)] || busy_q[Entries-1:Units] != '0;
  end
  assign load_turn_o = turn_q;
  assign load_end_o  = end_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && issue_i != '0) begin
      assert (issue_i == unit_i && $onehot(unit_i) && (issue & busy_q) == '0)
      else $error("%m: issued to a unit that runs");
    end
  end
`endif

endmodule
