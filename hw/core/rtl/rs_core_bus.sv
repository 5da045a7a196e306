// SPDX-License-Identifier: Apache-2.0
// rs_core_bus: what of rs_core goes to memory: LOAD, STORE and PIPE, who share a port, with SPONGE and PACK too, and how long they may drain.
// Model:   lib/tests/model_core.c
// Params:  C: rs_core
// Bounds:  of its parts
// Timing:  of its parts
module rs_core_bus
  import rs_isa_pkg::*;
#(
    parameter rs_core_pkg::config_t C = rs_core_pkg::Smallest,
    localparam int unsigned W = C.W,
    localparam int unsigned V = rs_core_pkg::chunk(C),
    localparam int unsigned Ports = C.AxiPorts,
    localparam int unsigned PipeWords = rs_core_pkg::pipe_words(C)
) (
    input logic clk_i,
    input logic rst_ni,
    input rs_core_pkg::command_t command_i,
    output rs_core_pkg::result_t result_o,
    input rs_core_pkg::log_n_t log_n_i,
    input logic wipe_i,
    output logic load_room_o,
    output logic give_up_o,
    output logic pipe_idle_o,
    output logic pipe_wiping_o,
    output logic bus_wiping_o,
    output logic bound_o,  // what is bound to a key changes, or may (rs_axi_vault)
    input rs_core_pkg::word_t written_i,
    input logic bus_reset_i,
    output logic bus_hung_o,
    // contexts
    output rs_core_pkg::context_t context_o,
    output logic [512/C.BusBits-1:0] header_write_o,
    output logic [C.BusBits-1:0] header_beat_o,
    output logic twiddle_valid_o,
    input logic twiddle_ready_i,
    output logic [V-1:0][W-1:0] twiddle_o,
    input logic twiddle_done_i,
    input logic [C.LogNMax:0] twiddle_words_i,
    input logic [W-1:0] q_i,  // the modulus of the context that LOAD wants
    input logic [63:0] ratio64_i,
    // STREAM
    output logic stream_valid_o,
    input logic stream_ready_i,
    output logic [V-1:0][W-1:0] stream_o,
    output logic stream_secret_o,
    // groups
    output rs_core_pkg::writer_t load_o,
    output logic [V-1:0][W-1:0] load_data_o,
    output logic [W-1:0] load_other_o,
    output rs_core_pkg::reader_t store_o,
    input logic [V-1:0][W-1:0] store_data_i,
    output rs_core_pkg::pipe_t pipe_o,
    input logic [1:0][PipeWords-1:0][W-1:0] pipe_words_sec_i,
    input logic [2:0][V-1:0][5:0] pipe_slots_sec_i,
    // descriptors: they are read while LOAD is idle
    input logic ring_reading_i,
    input rs_axi_pkg::read_req_t ring_read_i,
    output rs_axi_pkg::read_rsp_t ring_read_o,
    // SPONGE and PACK
    output logic units_rst_no,
    input logic fields_idle_i,
    input rs_axi_pkg::read_req_t fields_read_i,
    output rs_axi_pkg::read_rsp_t fields_read_o,
    output logic [C.BusBits-1:0] fields_rdata_o,
    input rs_axi_pkg::write_req_t fields_write_i,
    output rs_axi_pkg::write_rsp_t fields_write_o,
    input logic [C.BusBits-1:0] fields_wdata_i,
    // memory
    output rs_axi_pkg::read_req_t [Ports-1:0] read_o,
    input rs_axi_pkg::read_rsp_t [Ports-1:0] read_i,
    input logic [Ports-1:0][C.BusBits-1:0] rdata_i,
    output rs_axi_pkg::write_req_t [Ports-1:0] write_o,
    input rs_axi_pkg::write_rsp_t [Ports-1:0] write_i,
    output logic [Ports-1:0][C.BusBits-1:0] wdata_o
);
  localparam int unsigned LogNMax = C.LogNMax;
  localparam int unsigned BusBits = C.BusBits;
  localparam int unsigned SlotRowBits = rs_core_pkg::slot_row_bits(C);

  logic units_rst_n, vault_wiping;
  logic [LogNMax-1:0] load_pos, store_pos;
  // wires of LOAD and STORE, and of each port
  rs_axi_pkg::read_req_t own_read_req;
  rs_axi_pkg::read_rsp_t own_read_rsp;
  rs_axi_pkg::write_req_t own_write_req;
  rs_axi_pkg::write_rsp_t own_write_rsp;
  rs_axi_pkg::read_req_t [Ports-1:0] read_req;
  rs_axi_pkg::read_rsp_t [Ports-1:0] read_rsp;
  rs_axi_pkg::write_req_t [Ports-1:0] write_req;
  rs_axi_pkg::write_rsp_t [Ports-1:0] write_rsp;
  logic [BusBits-1:0] own_wdata;
  logic [Ports-1:0][BusBits-1:0] rdata, wdata;

  for (genvar u = 0; u < Units; u++) begin : gen_unit
    if (u != int'(UNIT_LOAD) && u != int'(UNIT_STORE) && u != int'(UNIT_PIPE)) begin : gen_other
      assign {result_o.done[u], result_o.fault[u], result_o.active[u]} = '0;
    end
  end
  assign result_o.active[UNIT_LOAD]  = read_i[0].r_valid && read_o[0].r_ready;
  assign result_o.active[UNIT_STORE] = write_o[0].w_valid && write_i[0].w_ready;

  rs_bus_guard #(
      .DrainCycles(C.DrainCycles)
  ) u_bus_guard (
      .clk_i,
      .rst_ni,
      .start_i({command_i.start[UNIT_STORE], command_i.start[UNIT_LOAD]}),
      .done_i ({result_o.done[UNIT_STORE], result_o.done[UNIT_LOAD]}),
      .pipe_i (!pipe_idle_o || (C.Fields && !fields_idle_i) || (C.Ring && ring_reading_i)),
      .clear_i(command_i.clear),
      .reset_i(bus_reset_i),
      .give_up_o,
      .hung_o (bus_hung_o),
      .rst_no (units_rst_n)
  );

  assign units_rst_no = units_rst_n;
  // data for a sealed core behind the vault
  logic [BusBits-1:0] own_rdata;
  assign fields_rdata_o = own_rdata;

  // ---- LOAD, STORE -----------------------------------------------------------------------------------------------------------
  rs_dma_load #(
      .W          (W),
      .LogNMax    (LogNMax),
      .Lanes      (C.Lanes),
      .BusBits    (BusBits),
      .Outstanding(C.Outstanding),
      .Reducers   (C.Reducers),
      .Encode     (C.Encode),
      .LogNMin    (C.LogNMin),
      .SlotWords  (C.SlotWords),
      .Sliced     (C.Slices > 1),
      .BurstLines (C.BurstLines),
      .Short      (C.Short)
  ) u_load (
      .clk_i,
      .rst_ni         (units_rst_n),
      .start_i        (command_i.start[UNIT_LOAD]),
      .instr_i        (command_i.instr[UNIT_LOAD]),
      .clear_i        (command_i.clear),
      .addr_i         (command_i.addr[UNIT_LOAD]),
      .log_n_i        (log_n_i[UNIT_LOAD]),
      .q_i,
      .ratio64_i,
      .ctx_o          (context_o.wanted),
      .twiddle_words_i,
      .room_o         (load_room_o),
      .done_o         (result_o.done[UNIT_LOAD]),
      .fault_o        (result_o.fault[UNIT_LOAD]),
      .chunk_valid_o  (load_o.valid),
      .chunk_word_o   (load_o.word),
      .chunk_real_o   (load_o.is_real),
      .chunk_other_o  (load_other_o),
      .chunk_group_o  (load_o.group),
      .chunk_ntt_o    (load_o.ntt),
      .chunk_pos_o    (load_pos),
      .chunk_data_o   (load_data_o),
      .stream_valid_o,
      .stream_ready_i,
      .stream_o,
      .stream_secret_o,
      .context_o      (context_o.coming),
      .roots_o        (context_o.roots),
      .part_o         (context_o.part),
      .header_write_o,
      .header_beat_o,
      .header_valid_o (context_o.header_valid),
      .twiddle_valid_o,
      .twiddle_ready_i,
      .twiddle_o,
      .twiddles_done_i(twiddle_done_i),
      .read_o         (own_read_req),
      .read_i         (own_read_rsp),
      .rdata_i        (own_rdata)
  );
  assign load_o.pos = rs_core_pkg::PosBits'(load_pos);

  rs_dma_store #(
      .W          (W),
      .LogNMax    (LogNMax),
      .Lanes      (C.Lanes),
      .BusBits    (BusBits),
      .Outstanding(C.Outstanding),
      .Encode     (C.Encode),
      .LogNMin    (C.LogNMin),
      .Sliced     (C.Slices > 1),
      .BurstLines (C.BurstLines),
      .Short      (C.Short)
  ) u_store (
      .clk_i,
      .rst_ni      (units_rst_n),
      .start_i     (command_i.start[UNIT_STORE]),
      .instr_i     (command_i.instr[UNIT_STORE]),
      .clear_i     (command_i.clear),
      .addr_i      (command_i.addr[UNIT_STORE]),
      .log_n_i     (log_n_i[UNIT_STORE]),
      .done_o      (result_o.done[UNIT_STORE]),
      .fault_o     (result_o.fault[UNIT_STORE]),
      .chunk_req_o (store_o.req),
      .chunk_pos_o (store_pos),
      .chunk_data_i(store_data_i),
      .write_o     (own_write_req),
      .write_i     (own_write_rsp),
      .wdata_o     (own_wdata)
  );
  assign store_o.group = command_i.instr[UNIT_STORE][ALsb+:4];
  assign store_o.ntt   = command_i.instr[UNIT_STORE][NttLsb];
  assign store_o.pos   = rs_core_pkg::PosBits'(store_pos);

  // ---- PIPE ------------------------------------------------------------------------------------------------------------------
  if (C.StreamLanes != 0) begin : gen_pipe
    rs_axi_pkg::read_req_t [Ports-1:0] pipe_read_req;
    rs_axi_pkg::read_rsp_t [Ports-1:0] pipe_read_rsp;
    rs_axi_pkg::write_req_t [Ports-1:0] pipe_write_req;
    rs_axi_pkg::write_rsp_t [Ports-1:0] pipe_write_rsp;
    logic [Ports-1:0][BusBits-1:0] pipe_wdata;
    logic [SlotRowBits-1:0] slot_row;
    logic [LogNMax-1:0] chunk_pos;

    rs_pipe_unit #(
        .W         (W),
        .LogNMin   (C.LogNMin),
        .LogNMax   (LogNMax),
        .P         (C.StreamLanes),
        .Ports     (Ports),
        .ChunkWords(V),
        .Encode    (C.Encode)
    ) u_pipe (
        .clk_i,
        .rst_ni          (units_rst_n),
        .start_i         (command_i.start[UNIT_PIPE]),
        .instr_i         (command_i.instr[UNIT_PIPE]),
        .clear_i         (command_i.pipe_clear),
        .addr_i          (command_i.addr[2]),
        .log_n_i         (log_n_i[rs_core_pkg::Memory]),
        .done_o          (result_o.done[UNIT_PIPE]),
        .fault_o         (result_o.fault[UNIT_PIPE]),
        .idle_o          (pipe_idle_o),
        .active_o        (result_o.active[UNIT_PIPE]),
        .wipe_i,
        .wiping_o        (pipe_wiping_o),
        .slot_req_o      (pipe_o.slot_req),
        .slot_row_o      (slot_row),
        .slot_first_o    (pipe_o.slot),
        .slot_data_sec_i (pipe_slots_sec_i),
        .chunk_req_o     (pipe_o.chunk_req),
        .chunk_pos_o     (chunk_pos),
        .chunk_data_sec_i(pipe_words_sec_i),
        .read_o          (pipe_read_req),
        .read_i          (pipe_read_rsp),
        .rdata_i         (rdata),
        .write_o         (pipe_write_req),
        .write_i         (pipe_write_rsp),
        .wdata_o         (pipe_wdata)
    );
    assign pipe_o.slot_row  = rs_core_pkg::PosBits'(slot_row);
    assign pipe_o.chunk_pos = rs_core_pkg::PosBits'(chunk_pos);

    rs_axi_share #(
        .BusBits(BusBits),
        .Reads  (4)         // PIPE wants 3 / 4 of a bus of 512 bits, at two words per cycle; 5 / 8 of port 0 of two, at four
    ) u_share (
        .clk_i,
        .rst_ni   (units_rst_n),
        .s_read_i ({pipe_read_req[0], own_read_req}),
        .s_read_o ({pipe_read_rsp[0], own_read_rsp}),
        .s_write_i({pipe_write_req[0], own_write_req}),
        .s_write_o({pipe_write_rsp[0], own_write_rsp}),
        .s_wdata_i({pipe_wdata[0], own_wdata}),
        .m_read_o (read_req[0]),
        .m_read_i (read_rsp[0]),
        .m_write_o(write_req[0]),
        .m_write_i(write_rsp[0]),
        .m_wdata_o(wdata[0])
    );

    for (genvar p = 1; p < Ports; p++) begin : gen_port
      assign {read_req[p], pipe_read_rsp[p]} = {pipe_read_req[p], read_rsp[p]};
      assign {write_req[p], wdata[p], pipe_write_rsp[p]} = {pipe_write_req[p], pipe_wdata[p], write_rsp[p]};
    end
    assign {fields_read_o, fields_write_o} = '0;
  end else begin : gen_no_pipe
    assign {result_o.done[UNIT_PIPE], result_o.fault[UNIT_PIPE], result_o.active[UNIT_PIPE]} = '0;
    assign {pipe_idle_o, pipe_wiping_o} = 2'b10;
    assign pipe_o = '0;
    if (C.Fields && C.Sealed) begin : gen_vault
      rs_axi_pkg::read_req_t read_shared;
      rs_axi_pkg::read_rsp_t read_answer;
      rs_axi_pkg::write_req_t write_shared;
      rs_axi_pkg::write_rsp_t write_answer;
      logic [BusBits-1:0] wdata_shared;
      rs_axi_share #(
          .BusBits(BusBits)
      ) u_share (
          .clk_i,
          .rst_ni   (units_rst_n),
          .s_read_i ({fields_read_i, own_read_req}),
          .s_read_o ({fields_read_o, own_read_rsp}),
          .s_write_i({fields_write_i, own_write_req}),
          .s_write_o({fields_write_o, own_write_rsp}),
          .s_wdata_i({fields_wdata_i, own_wdata}),
          .m_read_o (read_shared),
          .m_read_i (read_answer),
          .m_write_o(write_shared),
          .m_write_i(write_answer),
          .m_wdata_o(wdata_shared)
      );
      // the last word of a mask, its round, is not bound
      logic mask_word;
      logic [63:0] bound_word;
      assign mask_word = written_i.data[OpLsb+:OpBits] == OP_DRAW &&
          (written_i.data[DrawLsb+:DrawBits] == 4'd13 || written_i.data[DrawLsb+:DrawBits] == 4'd14);
      always_comb begin
        bound_word = written_i.data;
        if (mask_word) bound_word[NumberLsb+:NumberBits] = '0;
      end
      rs_axi_vault #(
          .BusBits    (BusBits),
          .Bytes      (4 * 64 * VaultLines),
          .ProgramByte(64 * VaultLines)
      ) u_vault (
          .clk_i,
          .rst_ni,
          .units_rst_ni(units_rst_n),
          .word_we_i   (written_i.valid && 32'(written_i.index) < C.ProgramDepth),
          .word_index_i(written_i.index),
          .word_i      (bound_word),
          .wipe_i,
          .wiping_o    (vault_wiping),
          .bound_o,
          .idle_i      (fields_idle_i),
          .s_read_i    (read_shared),
          .s_read_o    (read_answer),
          .s_rdata_o   (own_rdata),
          .s_write_i   (write_shared),
          .s_write_o   (write_answer),
          .s_wdata_i   (wdata_shared),
          .m_read_o    (read_req[0]),
          .m_read_i    (read_rsp[0]),
          .m_rdata_i   (rdata[0]),
          .m_write_o   (write_req[0]),
          .m_write_i   (write_rsp[0]),
          .m_wdata_o   (wdata[0])
      );
    end else if (C.Fields) begin : gen_share
      rs_axi_share #(
          .BusBits(BusBits)
      ) u_share (
          .clk_i,
          .rst_ni   (units_rst_n),
          .s_read_i ({fields_read_i, own_read_req}),
          .s_read_o ({fields_read_o, own_read_rsp}),
          .s_write_i({fields_write_i, own_write_req}),
          .s_write_o({fields_write_o, own_write_rsp}),
          .s_wdata_i({fields_wdata_i, own_wdata}),
          .m_read_o (read_req[0]),
          .m_read_i (read_rsp[0]),
          .m_write_o(write_req[0]),
          .m_write_i(write_rsp[0]),
          .m_wdata_o(wdata[0])
      );
    end else begin : gen_alone
      if (C.Ring) begin : gen_ring
        assign read_req[0]  = ring_reading_i ? ring_read_i : own_read_req;
        assign own_read_rsp = ring_reading_i ? '0 : read_rsp[0];
      end else begin : gen_no_ring
        assign {read_req[0], own_read_rsp} = {own_read_req, read_rsp[0]};
      end
      assign {write_req[0], wdata[0], own_write_rsp} = {own_write_req, own_wdata, write_rsp[0]};
      assign {fields_read_o, fields_write_o} = '0;
    end

    logic unused_pipe;
    assign unused_pipe = ^{wipe_i, pipe_words_sec_i, pipe_slots_sec_i};
  end

  if (!C.Sealed) begin : gen_no_vault
    assign own_rdata = rdata[0];
    assign {vault_wiping, bound_o} = '0;
  end

  assign {read_o, read_rsp, rdata} = {read_req, read_i, rdata_i};
  assign {write_o, wdata_o, write_rsp} = {write_req, wdata, write_i};
  assign bus_wiping_o = vault_wiping;
  assign ring_read_o = C.Ring && ring_reading_i ? read_rsp[0] : '0;

  logic unused_bits;
  assign unused_bits = ^{ring_reading_i, ring_read_i} ^
      ^{command_i, log_n_i, fields_idle_i, fields_read_i, fields_write_i, fields_wdata_i, written_i};
endmodule
