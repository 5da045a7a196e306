// SPDX-License-Identifier: Apache-2.0
// rs_keccak_fold: the permutation Keccak-f[1600], Slices of its 64 slices per clock cycle; the state is in small memories.
// Model:   lib/include/ringside/golden/hash.h rs_keccak_f1600 (bit-exact)
// Params:  Slices: 8, 16 or 32
// Bounds:  row s is the slices Slices * s to Slices * (s + 1) - 1; bit z of it in lane (x, y) is [x + 5 * y][z]
// Timing:  Steps = 64 / Slices. A permutation takes 24 Steps cycles, a load Steps more. start_i comes with ready_o, which is there in
//          the last cycle of a permutation too: one follows the other without a gap. Whatever the state. start_i with load_i may come
//          at any time except during a wipe; what is under way is lost.
//
// A pass of Steps cycles makes a round: in step s the row s of the new state, after chi and iota. What is stored has theta of the next
// round in it already, except in slice 0, whose parities of slice 63 come last: they are added when it is read (edge_q).
// rho asks each bit of row s from one row of the old state, s - d, with a distance d that is a constant of the bit. Bits of equal
// distance share a memory of Steps words, which is read and written at one address in each cycle: what is read is not needed again, and
// the new row s takes its place. So row s of pass t is at the address s - t d modulo Steps. A load is a pass, too, that reads nothing.

module rs_keccak_fold #(
    parameter  int unsigned Slices   = 32,
    localparam int unsigned Steps    = 64 / Slices,
    localparam int unsigned StepBits = $clog2(Steps)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic                            clear_i,  // overwrites the state and stops: Steps cycles from the next one on
    input  logic                            start_i,  // with ready_o, or with load_i
    input  logic                            load_i,   // with start_i: begin from row_i, else from the state that is held
    input  logic [        24:0][Slices-1:0] row_i,    // while load_o: row step_o of the state that is loaded
    input  logic                            hold_i,   // the last round does not begin
    output logic                            ready_o,
    output logic                            load_o,   // a state is loaded
    output logic                            wipe_o,   // with load_o: only to overwrite what was there, with anything public
    output logic [StepBits-1:0]             step_o,
    output logic                            last_o,   // the last round: row_o is row step_o of the result, with theta
    output logic [        24:0][Slices-1:0] row_o,    // lane (x, y) of the result is row_o[x + 5 * y] ^ theta_o[x]
    output logic [         4:0][Slices-1:0] theta_o,
    output logic [        24:0][Slices-1:0] plain_o   // row_o[x + 5 * y] ^ theta_o[x]; LUTs have no such net
);
  localparam int unsigned Rounds = 24;

  if (Slices != 8 && Slices != 16 && Slices != 32) begin : gen_illegal
    $fatal(1, "%m: Slices must be 8, 16 or 32, not %0d", Slices);
  end

  // rho, FIPS 202, table 2, modulo 64: lane 24 first
  localparam logic [24:0][5:0] Rho = {
    {6'd14, 6'd56, 6'd61, 6'd2, 6'd18},
    {6'd8, 6'd21, 6'd15, 6'd45, 6'd41},
    {6'd39, 6'd25, 6'd43, 6'd10, 6'd3},
    {6'd20, 6'd55, 6'd6, 6'd44, 6'd36},
    {6'd27, 6'd28, 6'd62, 6'd1, 6'd0}
  };

  // iota, FIPS 202 section 3.2.5: round 23 first; bit j of a number is bit 2^j - 1 of the constant
  localparam logic [23:0][6:0] Iota = {
    {7'h74, 7'h21, 7'h58, 7'h79, 7'h66, 7'h16, 7'h48, 7'h52},
    {7'h53, 7'h5d, 7'h4f, 7'h3f, 7'h26, 7'h35, 7'h0c, 7'h0e},
    {7'h55, 7'h79, 7'h21, 7'h1f, 7'h70, 7'h5e, 7'h1a, 7'h01}
  };

  typedef logic [24:0][Slices-1:0] row_t;

  // ---- control ----------------------------------------------------------------------------------------------------------------------
  logic busy_q, load_q, wipe_q, last_q;
  logic [StepBits-1:0] step_q, pass_q;
  logic [StepBits-1:0] step_d, pass_d;
  logic [4:0] round_d, round_q;
  logic move, turn, over;  // a row is made; the last one of a pass; of a permutation or of a wipe

  assign move = busy_q && !(last_q && hold_i && step_q == '0);
  assign turn = move && step_q == '1;
  assign over = turn && (last_q || wipe_q);
  assign ready_o = (!busy_q || (over && !wipe_q)) && !clear_i;

  // what follows a row that is made: whether it is comes late
  assign step_d = step_q + 1'b1;
  assign pass_d = pass_q + StepBits'(step_q == '1);
  assign round_d = round_q + 5'(step_q == '1 && !load_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) begin
      step_q  <= '0;
      round_q <= '0;
    end else if (move) begin
      step_q  <= step_d;
      round_q <= round_d;
    end
    if (!rst_ni) pass_q <= '0;
    else if (turn) pass_q <= pass_d;
    if (!rst_ni || clear_i) begin
      busy_q <= 1'b1;
      load_q <= 1'b1;
      wipe_q <= 1'b1;
      last_q <= 1'b0;
    end else begin
      if (start_i) begin
        busy_q <= 1'b1;
        load_q <= load_i;
        wipe_q <= 1'b0;
        last_q <= 1'b0;
      end else if (turn) begin
        busy_q <= !over;
        load_q <= 1'b0;
        wipe_q <= 1'b0;
        last_q <= !load_q && round_q == 5'(Rounds - 2);
      end
    end
  end

  assign load_o = busy_q && load_q;
  assign wipe_o = wipe_q;
  assign step_o = step_q;
  assign last_o = move && last_q;

  // ---- the old state, after rho ------------------------------------------------------------------------------------------------------
  row_t stored, turned, new_row;
  logic [4:0] edge_q;  // parities of slice 63

  // lane i brings Slices - Rho mod Slices bits to the memory of distance Rho / Slices, the others to the next one
  function automatic int unsigned bits_of(int unsigned i, int unsigned d);
    int unsigned near, far;
    near = 32'(Rho[i]) / Slices;
    far  = (near + 1) % Steps;
    if (d == near) return Slices - 32'(Rho[i]) % Slices;
    if (d == far) return 32'(Rho[i]) % Slices;
    return 0;
  endfunction

  function automatic int unsigned first_of(int unsigned i, int unsigned d);
    int unsigned found;
    found = 0;
    for (int unsigned k = 0; k < 25; k++) if (k < i) found += bits_of(k, d);
    return found;
  endfunction

  for (genvar d = 0; d < Steps; d++) begin : gen_distance
    localparam int unsigned Width = first_of(25, d);
    logic [StepBits-1:0] addr;  // step_q - d pass_q
    logic [Width-1:0] wdata, rdata;
    (* ram_style = "distributed" *)
    logic [Width-1:0] mem_q[Steps];

    if (d == 0) begin : gen_same
      assign addr = step_q;
    end else begin : gen_turned
      logic [StepBits-1:0] addr_q;  // a register: many bits of memory hang on it
      always_ff @(posedge clk_i) begin
        if (!rst_ni) addr_q <= '0;
        else if (turn) addr_q <= StepBits'(-(d * 32'(pass_d)));
        else if (clear_i || start_i) addr_q <= StepBits'(-(d * 32'(pass_q)));
        else if (move) addr_q <= StepBits'(step_d - StepBits'(d * 32'(pass_q)));
      end
      assign addr = addr_q;
    end
    assign rdata = mem_q[addr];
    always_ff @(posedge clk_i) if (move) mem_q[addr] <= wdata;

    for (genvar i = 0; i < 25; i++) begin : gen_lane
      localparam int unsigned Turn = 32'(Rho[i]) % Slices;
      localparam int unsigned Bits = bits_of(i, d);
      localparam int unsigned First = first_of(i, d);
      if (Bits != 0 && d == 32'(Rho[i]) / Slices) begin : gen_near
        assign wdata[First+:Bits] = new_row[i][Bits-1:0];
        assign stored[i][Slices-1:Turn] = rdata[First+:Bits];
      end else if (Bits != 0) begin : gen_far
        assign wdata[First+:Bits]  = new_row[i][Slices-1-:Bits];
        assign stored[i][Bits-1:0] = rdata[First+:Bits];
      end
    end
  end

  // theta: what slice 0 still lacks
  always_comb begin
    turned = stored;
    for (int unsigned i = 0; i < 25; i++) begin
      turned[i][32'(Rho[i])%Slices] = stored[i][32'(Rho[i])%Slices] ^ (edge_q[(i+1)%5] && 32'(step_q) == 32'(Rho[i]) / Slices);
    end
  end

  // ---- pi, chi, iota; theta of the next round -------------------------------------------------------------------------------------------
  // Written for LUTs of six inputs: a bit that is stored is chi, the choice of the load and theta in one; two bits after chi are one
  // LUT of a parity.
  row_t moved, made, plain;
  logic [4:0][Slices-1:0] parity, loaded, theta;
  logic [4:0] carry_q;  // parities of the slice before this row
  logic [4:0] first;
  logic [63:0] iota_d;  // the constant of the next row
  logic [Slices-1:0] iota_q;

  // the constant of the first round is 1
  always_comb begin
    iota_d = '0;
    for (int unsigned j = 0; j < 7; j++) iota_d[(1<<j)-1] = Iota[round_d][j];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) iota_q <= Slices'(1);
    else if (move) iota_q <= iota_d[32'(step_d)*Slices+:Slices];
  end

  always_comb begin
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) moved[y+5*((2*x+3*y)%5)] = turned[x+5*y];
    end
    for (int unsigned y = 0; y < 5; y++) begin
      for (int unsigned x = 0; x < 5; x++) begin
        made[x+5*y] = moved[x+5*y] ^ (~moved[(x+1)%5+5*y] & moved[(x+2)%5+5*y]);
      end
    end
    made[0] = made[0] ^ iota_q;
    for (int unsigned x = 0; x < 5; x++) begin
      parity[x] = (made[x] ^ made[x+5]) ^ (made[x+10] ^ made[x+15]) ^ made[x+20];
      loaded[x] = row_i[x] ^ row_i[x+5] ^ row_i[x+10] ^ row_i[x+15] ^ row_i[x+20];
      first[x]  = carry_q[x] && step_q != '0;
    end
    for (int unsigned x = 0; x < 5; x++) begin
      theta[x] = load_q ? loaded[(x+4)%5] ^ {loaded[(x+1)%5][Slices-2:0], 1'b0} :
          parity[(x+4)%5] ^ {parity[(x+1)%5][Slices-2:0], 1'b0};
      theta[x][0] = theta[x][0] ^ first[(x+1)%5];
    end
    for (int unsigned i = 0; i < 25; i++) begin
      plain[i]   = load_q ? row_i[i] : made[i];
      new_row[i] = plain[i] ^ theta[i%5];
    end
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      for (int unsigned x = 0; x < 5; x++) begin
        carry_q[x] <= load_q ? loaded[x][Slices-1] : parity[x][Slices-1];
        if (step_q == '1) edge_q[x] <= load_q ? loaded[x][Slices-1] : parity[x][Slices-1];
      end
    end
  end

  assign row_o   = new_row;
  assign theta_o = theta;
  assign plain_o = plain;
endmodule
