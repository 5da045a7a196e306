// SPDX-License-Identifier: Apache-2.0
// What the files of the model core share.
#ifndef RS_MODEL_PARTS_H
#define RS_MODEL_PARTS_H

#include "model_core.h"

// ---- model_core.c ------------------------------------------------------------------------------------------------------
// Bytes there, or NULL: no memory there.
uint8_t *model_bytes_at(model_core_t *core, uint64_t address, size_t bytes);
// Where a pointer points.
uint64_t model_pointer(model_core_t *core, uint32_t pointer);
// log2 of the words of an instruction's polynomials.
uint32_t model_log_size(model_core_t *core, uint64_t word);
void model_get_slice(model_core_t *core, const model_group_t *group, uint32_t size, uint32_t slice, uint64_t *out);
void model_put_slice(model_core_t *core, model_group_t *group, uint32_t size, uint32_t slice, const uint64_t *in);
// The form of a slice, and of NTT form the size of the transform.
void model_set_form(model_core_t *core, model_group_t *group, uint32_t size, uint32_t slice, model_form_t form);
int model_has_form(const model_group_t *group, uint32_t size, uint32_t slice, model_form_t form);
// Something new is in the group of dst.
void model_tag_group(model_core_t *core, uint64_t word);

// ---- model_fields.c ----------------------------------------------------------------------------------------------------
// Polynomials of an instruction of a core with fields.
uint32_t model_field_polys(uint64_t word);
// Bits of a field of LOADF or STOREF.
uint32_t model_field_width(uint64_t word);
// Kinds and widths that are none, and digests that are not there: ILLEGAL, RANGE.
rs_fault_t model_check_fields(const model_core_t *core, uint64_t word);
rs_fault_t model_run_fields(model_core_t *core, uint64_t word);

// ---- model_seal.c ------------------------------------------------------------------------------------------------------
static inline int model_is_sealed(const model_core_t *core) {
    return core->design.features & RS_FEATURE_FIELDS && core->design.features & RS_FEATURE_SEALED;
}
// A kind of HASH that has no memory: the key, the choice.
int model_is_keyed_op(const model_core_t *core, uint64_t word);
// Whether an instruction reaches the vault.
int model_is_inside(const model_core_t *core, uint64_t word);
// Bytes of the vault, or NULL.
uint8_t *model_vault(model_core_t *core, uint64_t offset, size_t bytes);
// Before an instruction: it reads a digest that is lost; it would tell or take; a DRAW of a secret seed; a STOREF of any group.
int model_seal_lost(const model_core_t *core, uint64_t word);
int model_seal_told(const model_core_t *core, uint64_t word);
int model_seal_hidden(const model_core_t *core, uint64_t word);
int model_seal_keeps(const model_core_t *core, uint64_t word);
// After it; and when a program begins, everything is wiped, a word is written in the place of a program.
void model_seal_after(model_core_t *core, uint64_t word);
void model_seal_begin(model_core_t *core);
void model_seal_wipe(model_core_t *core);
void model_seal_written(model_core_t *core, uint32_t index, uint64_t word);
int model_seal_is_public(const model_core_t *core, uint32_t digest);
// HASH of a key and of a choice.
rs_fault_t model_run_key(model_core_t *core, uint64_t word);
rs_fault_t model_run_choice(model_core_t *core, uint64_t word);

// ---- model_sign.c ------------------------------------------------------------------------------------------------------
// Before an instruction: one that rs_seal alone would refuse, or that it must; a NORM whose answer is kept (the first one), a STOREF that asks for
// it; a DRAW of a mask, whose number is a round.
int model_sign_allows(const model_core_t *core, uint64_t word);
int model_sign_blocks(const model_core_t *core, uint64_t word);
int model_sign_keeps(const model_core_t *core, uint64_t word, int *first);
int model_sign_releases(const model_core_t *core, uint64_t word);
int model_sign_rounds(const model_core_t *core, uint64_t word);
// As model_seal's.
void model_sign_after(model_core_t *core, uint64_t word);
void model_sign_begin(model_core_t *core);

#endif
