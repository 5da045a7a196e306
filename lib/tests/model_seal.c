// SPDX-License-Identifier: Apache-2.0
// What is sealed in the model core (docs/core.md, Sealed fields): keys in slots, the vault, what digests stand for, and what may leave.
#include <string.h>

#include "base/bytes.h"
#include "machine/fields/fields.h"
#include "model_parts.h"

enum { LOST, OPEN, ROOT, RAW, HASHED, KEY, REFUSAL, GIVEN, MADE, SHARED }; // what a digest is
enum { NOTHING, CIPHERTEXT, DECODED, AGAIN }; // the steps of a choice
enum { PUBLIC_PART, PROGRAM_PART, CIPHERTEXT_PART, SECRET_PART }; // parts of the vault
enum { PART_BYTES = RS_VAULT_LINES * RS_ISA_LINE_BYTES, PARTS = 4 };

static uint32_t op_of(uint64_t word) { return RS_GET_FIELD(OP, word); }

static int is_hash(uint64_t word, uint32_t kind) { return op_of(word) == RS_OP_HASH && RS_GET_FIELD(HASH, word) == kind; }

int model_is_keyed_op(const model_core_t *c, uint64_t word) {
    return model_is_sealed(c) && (is_hash(word, RS_HASH_KEY) || is_hash(word, RS_HASH_CHOICE));
}

int model_is_inside(const model_core_t *c, uint64_t word) {
    const rs_op_info_t *info = rs_op_info(word);
    return model_is_sealed(c) && info->uses & (RS_USES_MEMORY | RS_USES_NEAR) && !model_is_keyed_op(c, word) &&
           RS_GET_FIELD(POINTER, word) == RS_VAULT_POINTER;
}

uint8_t *model_vault(model_core_t *c, uint64_t offset, size_t bytes) {
    return offset <= sizeof c->seal.vault && bytes <= sizeof c->seal.vault - offset ? c->seal.vault + offset : NULL;
}

static uint32_t part_of(uint64_t word) { return RS_GET_FIELD(NEAR, word) / RS_VAULT_LINES % PARTS; }

static uint32_t line_of(uint64_t word) { return RS_GET_FIELD(NEAR, word) % RS_VAULT_LINES; }

// Lines that it reads or writes there, some of them in part.
static uint32_t lines_of(uint64_t word) {
    const uint32_t first = RS_GET_FIELD(SKIP, word) * RS_DIGEST_BYTES;
    switch (op_of(word)) {
    case RS_OP_LOAD:
    case RS_OP_CONTEXT: // slices of 128 and 256 words: 17 and 33 lines at most
        return RS_GET_FIELD(LOG_SIZE, word) == 8 ? 33 : 17;
    case RS_OP_HASH: return (first + RS_GET_FIELD(BYTES, word) + RS_ISA_LINE_BYTES - 1) / RS_ISA_LINE_BYTES;
    case RS_OP_LOADF:
    case RS_OP_STOREF: // polynomials of 256 fields
        return (model_field_width(word) * (RS_GET_FIELD(POLYS, word) + 1) + 1) / 2;
    default: return 1;
    }
}

// Whether what is read or written is not in one part; and all but what reads and writes there.
static int is_beyond(uint64_t word) {
    const uint32_t far = RS_GET_FIELD(NEAR, word) >= PARTS * RS_VAULT_LINES, log_size = RS_GET_FIELD(LOG_SIZE, word);
    const int behind = line_of(word) + lines_of(word) > RS_VAULT_LINES;
    switch (op_of(word)) {
    case RS_OP_LOAD:
    case RS_OP_CONTEXT: // a read of the first part
        return RS_GET_FIELD(OFFSET, word) >= RS_VAULT_LINES || behind || (log_size != 7 && log_size != 8);
    case RS_OP_HASH: return RS_GET_FIELD(BYTES, word) && (far || behind);
    case RS_OP_LOADD:
    case RS_OP_STORED: return (int)far;
    case RS_OP_LOADF:
    case RS_OP_STOREF: return far || behind || log_size != 8;
    default: return 1;
    }
}

// Those lines, of secrets that are read: this program has not written all of them.
static int is_foreign(const model_core_t *c, uint64_t word) {
    for (uint32_t i = 0; i < lines_of(word); i++) {
        if (!c->seal.written[line_of(word) + i]) return 1;
    }
    return 0;
}

static int is_public(int digest) { return digest == OPEN || digest == GIVEN; }

static int may_leave(int digest) { return is_public(digest) || digest == SHARED; }

static int reads_digest(uint64_t word) {
    return op_of(word) == RS_OP_HASH && (RS_GET_FIELD(APPEND, word) || RS_GET_FIELD(HASH, word) >= RS_HASH_PREFIX);
}

// Whether HASH reads the vault.
static int hashes_vault(const model_core_t *c, uint64_t word) { return model_is_inside(c, word) && RS_GET_FIELD(BYTES, word) != 0; }

// Digests that a DRAW reads: a challenge is of four.
static uint32_t seeds_of(uint64_t word) {
    return RS_GET_FIELD(DRAW, word) == RS_DRAW_BALL ? RS_BALL_DIGESTS : RS_GET_FIELD(LONG_SEED, word) + 1;
}

static int is_secret_seed(const model_core_t *c, uint64_t word) {
    const uint32_t seed = RS_GET_FIELD(SEED_DIGEST, word);
    int secret = 0;
    for (uint32_t i = 0; i < seeds_of(word); i++) secret |= !is_public(c->seal.tags[seed + i]);
    return secret;
}

int model_seal_lost(const model_core_t *c, uint64_t word) {
    const int *tags = c->seal.tags;
    const uint32_t dst = RS_GET_FIELD(DST, word), a = RS_GET_FIELD(A, word), seed = RS_GET_FIELD(SEED_DIGEST, word);
    int lost = 0;
    if (!model_is_sealed(c)) return 0;
    if (is_hash(word, RS_HASH_KEY)) return 0;
    if (is_hash(word, RS_HASH_CHOICE)) {
        return tags[dst] == LOST || tags[a] == LOST || tags[RS_GET_FIELD(POINTER, word)] == LOST ||
               tags[RS_GET_FIELD(HALVES, word)] == LOST;
    }
    if (reads_digest(word)) return tags[a] == LOST;
    if (op_of(word) == RS_OP_STORED) return tags[a] == LOST || tags[a + 1] == LOST;
    if (op_of(word) == RS_OP_DRAW) {
        for (uint32_t i = 0; i < seeds_of(word); i++) lost |= tags[seed + i] == LOST;
    }
    return lost;
}

static int is_message(const model_core_t *c, uint64_t word) {
    return model_is_inside(c, word) && op_of(word) == RS_OP_STOREF && part_of(word) == SECRET_PART && line_of(word) == 0;
}

static int is_again(const model_core_t *c, uint64_t word) {
    return model_is_inside(c, word) && op_of(word) == RS_OP_STOREF && part_of(word) == SECRET_PART &&
           line_of(word) >= RS_VAULT_MADE;
}

int model_seal_told(const model_core_t *c, uint64_t word) {
    const struct model_seal *s = &c->seal;
    const uint32_t a = RS_GET_FIELD(A, word), draw = RS_GET_FIELD(DRAW, word), part = part_of(word);
    if (!model_is_sealed(c)) return 0;
    const int inside = model_is_inside(c, word);
    if (model_sign_blocks(c, word)) return 1;
    if (is_hash(word, RS_HASH_KEY)) return s->keyed; // one slot in a program
    if (is_hash(word, RS_HASH_CHOICE)) {
        return s->step != AGAIN || s->tags[RS_GET_FIELD(DST, word)] != KEY || s->tags[a] != GIVEN ||
               s->tags[RS_GET_FIELD(POINTER, word)] != MADE || s->tags[RS_GET_FIELD(HALVES, word)] != REFUSAL;
    }
    if (inside && is_beyond(word)) return 1;
    if (model_sign_allows(c, word)) return 0;
    switch (op_of(word)) {
    case RS_OP_HASH: return hashes_vault(c, word) && part == SECRET_PART && is_foreign(c, word);
    case RS_OP_LOADD: return inside && part == SECRET_PART && is_foreign(c, word);
    case RS_OP_STORED:
        if (!inside) return !may_leave(s->tags[a]) || !may_leave(s->tags[a + 1]);
        return !is_public(s->tags[a]) || !is_public(s->tags[a + 1]) ||
               !(part == CIPHERTEXT_PART || (part == PUBLIC_PART && !s->keyed));
    case RS_OP_DRAW: return is_secret_seed(c, word) && !(draw >= RS_DRAW_CBD2 && draw != RS_DRAW_ETA2 && draw != RS_DRAW_ETA4);
    case RS_OP_LOADF: return inside && part == SECRET_PART && (is_foreign(c, word) || !RS_GET_FIELD(SECRET, word));
    case RS_OP_STOREF:
        if (!inside) return 0;
        if (part == SECRET_PART) return !s->keyed || !(is_message(c, word) || is_again(c, word));
        return part == PROGRAM_PART || (part == PUBLIC_PART && s->keyed);
    default: return 0;
    }
}

int model_seal_is_public(const model_core_t *c, uint32_t digest) { return is_public(c->seal.tags[digest]); }

int model_seal_hidden(const model_core_t *c, uint64_t word) {
    return model_is_sealed(c) && op_of(word) == RS_OP_DRAW && is_secret_seed(c, word);
}

int model_seal_keeps(const model_core_t *c, uint64_t word) {
    return model_is_inside(c, word) && op_of(word) == RS_OP_STOREF && part_of(word) == SECRET_PART;
}

// ---- what is there afterwards ----------------------------------------------------------------------------------------------
static int hashed(const model_core_t *c, uint64_t word) {
    const struct model_seal *s = &c->seal;
    const uint32_t kind = RS_GET_FIELD(HASH, word), part = part_of(word), line = line_of(word);
    const int memory = hashes_vault(c, word), append = (int)RS_GET_FIELD(APPEND, word), prefix = kind >= RS_HASH_PREFIX;
    const int tag = append || prefix ? s->tags[RS_GET_FIELD(A, word)] : OPEN;
    const int from_start = memory && !RS_GET_FIELD(SKIP, word), alone = from_start && !append && !prefix;
    const int one = kind == RS_HASH_SHA3_256 && RS_GET_FIELD(HALVES, word) == 0;
    if (alone && one && part == CIPHERTEXT_PART && line == 0 && s->step != NOTHING) return GIVEN;
    if (alone && one && part == SECRET_PART && line == RS_VAULT_MADE && s->step == AGAIN) return MADE;
    if (prefix && tag == ROOT && from_start && part == CIPHERTEXT_PART && line == 0 && s->step != NOTHING) return REFUSAL;
    if (kind == RS_HASH_SHA3_512 && append && tag == OPEN && from_start && part == SECRET_PART && line == 0 &&
        RS_GET_FIELD(BYTES, word) == RS_DIGEST_BYTES && s->step >= DECODED)
        return KEY;
    return !is_public(tag) || (memory && part == SECRET_PART) ? HASHED : OPEN;
}

static void spoil(struct model_seal *s, int tag, int becomes) {
    for (unsigned i = 0; i < RS_DIGESTS; i++) {
        if (s->tags[i] == tag) s->tags[i] = becomes;
    }
}

static void after_hash(model_core_t *c, uint64_t word) {
    const uint32_t dst = RS_GET_FIELD(DST, word);
    const int first = hashed(c, word);
    const int others = is_public(first) ? OPEN : HASHED;
    for (uint32_t i = 0; i <= RS_GET_FIELD(HALVES, word); i++) c->seal.tags[dst + i] = i ? others : first;
}

void model_seal_after(model_core_t *c, uint64_t word) {
    struct model_seal *s = &c->seal;
    const uint32_t op = op_of(word), dst = RS_GET_FIELD(DST, word), part = part_of(word);
    if (!model_is_sealed(c)) return;
    const int inside = model_is_inside(c, word), message = is_message(c, word), again = is_again(c, word);
    const int given = (op == RS_OP_STORED || op == RS_OP_STOREF) && inside && part == CIPHERTEXT_PART;
    if (is_hash(word, RS_HASH_KEY)) {
        s->tags[dst] = s->tags[dst + 1] = ROOT;
        s->keyed = 1;
    } else if (is_hash(word, RS_HASH_CHOICE)) {
        spoil(s, KEY, HASHED);
        spoil(s, REFUSAL, HASHED);
        spoil(s, MADE, HASHED);
        s->tags[dst] = SHARED;
        s->step = NOTHING;
    } else if (op == RS_OP_HASH) {
        after_hash(c, word);
    } else if (op == RS_OP_LOADD) {
        s->tags[dst] = s->tags[dst + 1] = inside && part == SECRET_PART ? RAW : OPEN;
    }
    if (inside && part == SECRET_PART && (op == RS_OP_STORED || op == RS_OP_STOREF))
        memset(s->written + line_of(word), 1, lines_of(word));
    if (given || message || again) spoil(s, MADE, HASHED);
    if (given || message) spoil(s, KEY, HASHED);
    if (given) spoil(s, REFUSAL, HASHED);
    if (given) spoil(s, GIVEN, OPEN);
    if (given) s->step = CIPHERTEXT;
    if (message && s->step != NOTHING) s->step = DECODED;
    if (again && s->step == DECODED) s->step = AGAIN;
}

void model_seal_begin(model_core_t *c) {
    // what was to be written last may not be there
    for (unsigned i = 0; i < RS_DIGESTS; i++) c->seal.tags[i] = is_public(c->seal.tags[i]) && !c->seal.cleared ? OPEN : LOST;
    c->seal.step = NOTHING;
    c->seal.keyed = 0;
    memset(c->seal.written, 0, sizeof c->seal.written);
    model_sign_begin(c);
}

void model_seal_wipe(model_core_t *c) {
    memset(&c->seal, 0, sizeof c->seal);
    model_sign_begin(c);
    for (unsigned i = 0; i < RS_DIGESTS; i++) c->seal.tags[i] = OPEN;
}

// ---- keys ------------------------------------------------------------------------------------------------------------------
// What is bound of a word: of a mask all but the round.
static uint64_t bound(uint64_t word) {
    const uint32_t draw = RS_GET_FIELD(DRAW, word);
    const int mask = op_of(word) == RS_OP_DRAW && (draw == RS_DRAW_MASK18 || draw == RS_DRAW_MASK20);
    return mask ? word & ~RS_FIELD(NUMBER, (1 << RS_ISA_NUMBER_BITS) - 1) : word;
}

void model_seal_written(model_core_t *c, uint32_t index, uint64_t word) {
    enum { SLOT_LANES = 16 };
    const uint32_t key = index - RS_KEY_INDEX, slot = key / SLOT_LANES, lane = key % SLOT_LANES;
    struct model_seal *s = &c->seal;
    if (!model_is_sealed(c)) return;
    if (index < c->design.program_depth) rs_store64(s->vault + PROGRAM_PART * PART_BYTES + 8 * index, bound(word));
    if (index < RS_KEY_INDEX || slot >= RS_KEY_SLOTS || lane >= RS_KEY_LANES) return;
    s->keys[slot][lane] = word;
    s->key_valid[slot] = lane == RS_KEY_LANES - 1 && s->key_next[slot] == lane;
    s->key_next[slot] = !lane || lane == s->key_next[slot] ? lane + 1 : 0;
}

// The two roots, if the hash of what is bound is that of the slot.
rs_fault_t model_run_key(model_core_t *c, uint64_t word) {
    enum { ROOT_LANES = 8, BOUND_BYTES = (RS_VAULT_LINES + RS_VAULT_PROGRAM) * RS_ISA_LINE_BYTES };
    const uint32_t slot = RS_GET_FIELD(A, word), dst = RS_GET_FIELD(DST, word);
    const uint64_t *key = c->seal.keys[slot];
    uint8_t hash[RS_DIGEST_BYTES];
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHA3_256);
    rs_sponge_absorb(&sponge, c->seal.vault, BOUND_BYTES);
    rs_sponge_squeeze(&sponge, hash, sizeof hash);
    int same = c->seal.key_valid[slot];
    for (unsigned i = 0; i < RS_KEY_LANES - ROOT_LANES; i++) same &= rs_load64(hash + 8 * i) == key[ROOT_LANES + i];
    if (!same) return RS_FAULT_SECRET;
    for (unsigned i = 0; i < ROOT_LANES; i++) rs_store64(c->digests[dst + i / 4] + 8 * (i % 4), key[i]);
    return RS_FAULT_NONE;
}

rs_fault_t model_run_choice(model_core_t *c, uint64_t word) {
    const uint8_t *given = c->digests[RS_GET_FIELD(A, word)], *made = c->digests[RS_GET_FIELD(POINTER, word)];
    if (memcmp(given, made, RS_DIGEST_BYTES) != 0)
        memcpy(c->digests[RS_GET_FIELD(DST, word)], c->digests[RS_GET_FIELD(HALVES, word)], RS_DIGEST_BYTES);
    return RS_FAULT_NONE;
}
