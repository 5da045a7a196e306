// SPDX-License-Identifier: Apache-2.0
// How tags follow, for the model of the core.
// Made from hw/sequencer/isa.toml by scripts/generate.py: do not edit.
#ifndef RINGSIDE_MODEL_TAGS_H
#define RINGSIDE_MODEL_TAGS_H

#ifdef __cplusplus
extern "C" {
#endif

#include <ringside/isa.h>

// What is known about what a group or slot holds.
typedef enum model_tag {
    MODEL_EMPTY = 0,
    MODEL_PUBLIC = 1,
    MODEL_SECRET = 2,
    MODEL_PRODUCT = 3,
    MODEL_MASK = 4,
    MODEL_ROUNDED = 5,
    MODEL_SPENT = 6,
    MODEL_MESSAGE = 7,
} model_tag_t;

typedef struct model_facts {
    int encode; // the core has messages
    int here; // the error in dst was lifted to the modulus of ctx
    int here_a; // the error in a was
    int encrypts; // KEY_USE.no_encrypt is not set
    int decrypts; // KEY_USE.no_decrypt is not set, and the program has sampled nothing
    int linked; // the error in dst was rounded with a, and a is still this product
    int unlinked; // the error in slot dst was rounded with nothing in this program, or with a, still this product
    int lifts; // the error in slot a, without factor, the first time for this modulus, whose context is for its frame
    int secret; // the flag secret
    int error; // the flag error
    int slots; // the core has slots
    int ternary; // the flag ternary
    int errors; // the domain is one of errors: 2 or 3
    int under_way; // the frame is under way, or begins
    int paired; // both are errors 0 and 1 of one frame
    int both_linked; // they were rounded with a and b, which are still these products
    int unlifted; // no context for errors of their frame has been loaded
} model_facts_t;

// a secret that depends on no error
static inline int model_is_hidden(model_tag_t tag) { return tag == MODEL_SECRET || tag == MODEL_PRODUCT; }

// what depends on an error
static inline int model_is_erroneous(model_tag_t tag) { return tag == MODEL_MASK || tag == MODEL_ROUNDED || tag == MODEL_SPENT; }

// what no product or sum may leave the core with
static inline int model_is_unfit(model_tag_t tag) {
    return tag == MODEL_MASK || tag == MODEL_ROUNDED || tag == MODEL_SPENT || tag == MODEL_MESSAGE;
}

// what is public, or the caller's own
static inline int model_is_readable(model_tag_t tag) { return tag == MODEL_PUBLIC || tag == MODEL_MESSAGE; }

// a sum that makes nothing public
static inline model_tag_t model_worst(model_tag_t dst, model_tag_t term) {
    if (model_is_unfit(dst)) return MODEL_SPENT;
    if (model_is_unfit(term)) return MODEL_SPENT;
    if (dst == MODEL_PRODUCT) return MODEL_PRODUCT;
    if (term == MODEL_PRODUCT) return MODEL_PRODUCT;
    if (model_is_hidden(dst)) return MODEL_SECRET;
    if (model_is_hidden(term)) return MODEL_SECRET;
    return MODEL_PUBLIC;
}

// the tag of a group of which a part is written: what was there, and what comes
static inline model_tag_t model_mixed(model_tag_t dst, model_tag_t term) {
    if (model_is_unfit(dst)) return MODEL_SPENT;
    if (model_is_unfit(term)) return MODEL_SPENT;
    if (dst == MODEL_PUBLIC && term == MODEL_PUBLIC) return MODEL_PUBLIC;
    if (dst == MODEL_PRODUCT && term == MODEL_PRODUCT) return MODEL_PRODUCT;
    return MODEL_SECRET;
}

// What the operation adds to dst, or makes.
static inline model_tag_t model_term(uint32_t op, model_tag_t a, model_tag_t b) {
    switch (op) {
    case RS_OP_MUL:
    case RS_OP_MAC:
    case RS_OP_MSUB:
        if (model_is_unfit(a)) return MODEL_SPENT;
        if (model_is_unfit(b)) return MODEL_SPENT;
        if (model_is_hidden(a)) return MODEL_PRODUCT;
        if (model_is_hidden(b)) return MODEL_PRODUCT;
        return MODEL_PUBLIC;
    case RS_OP_LIFTON: return b;
    case RS_OP_MSUBS:
        if (model_is_unfit(a)) return MODEL_SPENT;
        return MODEL_PRODUCT;
    default: return a;
    }
}

// The new tag of dst, a group or a slot; slot: the tag of slot a.
static inline model_tag_t model_tag_after(uint32_t op, model_tag_t dst, model_tag_t slot, model_tag_t term,
                                          const model_facts_t *is) {
    switch (op) {
    case RS_OP_EXPAND:
    case RS_OP_DRAW: return MODEL_PUBLIC;
    case RS_OP_LOADS: return MODEL_MESSAGE;
    case RS_OP_LOAD:
    case RS_OP_LOADF:
        if (is->error && !is->slots) return MODEL_MASK;
        if (is->error) return MODEL_SPENT;
        if (is->secret) return MODEL_SECRET;
        return MODEL_PUBLIC;
    case RS_OP_SAMPLE:
        if (is->ternary && !is->errors) return MODEL_SECRET;
        if (!is->ternary && is->errors && is->under_way) return MODEL_MASK;
        return MODEL_SPENT;
    case RS_OP_ROUND:
        if (is->unlinked && dst == MODEL_MASK && term == MODEL_PRODUCT) return MODEL_ROUNDED;
        return MODEL_SPENT;
    case RS_OP_LIFT:
        if (slot == MODEL_SECRET) return MODEL_SECRET;
        if (is->lifts) return slot;
        return MODEL_SPENT;
    case RS_OP_LIFTW:
        if (is->lifts) return slot;
        return MODEL_SPENT;
    case RS_OP_NTT:
    case RS_OP_INTT:
        if (!is->here && model_is_erroneous(dst)) return MODEL_SPENT;
        return dst;
    case RS_OP_MUL: return term;
    case RS_OP_SCALE:
        if (model_is_unfit(term)) return MODEL_SPENT;
        return term;
    case RS_OP_MAC:
    case RS_OP_MSUB:
    case RS_OP_ADD:
    case RS_OP_SUB:
    case RS_OP_MSUBS:
        if (is->here && is->encrypts && dst == MODEL_MASK && term == MODEL_PRODUCT) return MODEL_PUBLIC;
        if (is->here_a && is->encrypts && dst == MODEL_PRODUCT && term == MODEL_MASK) return MODEL_PUBLIC;
        if (is->decrypts && dst == MODEL_PUBLIC && term == MODEL_PRODUCT) return MODEL_PUBLIC;
        if (is->decrypts && dst == MODEL_PRODUCT && term == MODEL_PUBLIC) return MODEL_PUBLIC;
        if (is->here && dst == MODEL_MASK && term == MODEL_PUBLIC) return MODEL_MASK;
        return model_worst(dst, term);
    case RS_OP_MSUBC:
        if (is->here && is->linked && dst == MODEL_ROUNDED && term == MODEL_PRODUCT) return MODEL_MASK;
        if (is->here && dst == MODEL_MASK && term == MODEL_PUBLIC) return MODEL_MASK;
        return model_worst(dst, term);
    case RS_OP_CENTRE:
    case RS_OP_SCALEW:
        if (model_is_readable(term)) return term;
        return MODEL_SPENT;
    case RS_OP_IFFT:
    case RS_OP_FFT:
        if (model_is_readable(dst)) return dst;
        return MODEL_SPENT;
    case RS_OP_MACW:
        if (model_is_readable(dst) && term == MODEL_PUBLIC) return dst;
        if (model_is_readable(dst) && term == MODEL_MESSAGE) return MODEL_MESSAGE;
        return MODEL_SPENT;
    case RS_OP_LIFTON:
        if (is->lifts && is->encrypts && slot == MODEL_MASK && term == MODEL_PRODUCT) return MODEL_PUBLIC;
        if (is->lifts && slot == MODEL_MASK && term == MODEL_PUBLIC) return MODEL_MASK;
        return MODEL_SPENT;
    default: return MODEL_EMPTY;
    }
}

// Whether operands have other tags than the operation allows; first, second: of the slots behind slot.
static inline int model_refuses(uint32_t op, model_tag_t dst, model_tag_t a, model_tag_t b, model_tag_t slot, model_tag_t first,
                                model_tag_t second, const model_facts_t *is) {
    switch (op) {
    case RS_OP_STORE:
    case RS_OP_STORES:
    case RS_OP_STOREF:
    case RS_OP_NORM: return !(a == MODEL_PUBLIC);
    case RS_OP_IFFT:
    case RS_OP_FFT: return !(model_is_readable(dst));
    case RS_OP_CENTRE:
    case RS_OP_SCALEW: return !(model_is_readable(a));
    case RS_OP_LIFTW: return !(model_is_readable(b));
    case RS_OP_MACW: return !(model_is_readable(dst) && model_is_readable(a));
    case RS_OP_PIPE:
        return !(is->encrypts && is->paired && is->both_linked && is->unlifted && slot == MODEL_SECRET && first == MODEL_ROUNDED &&
                 second == MODEL_ROUNDED && a == MODEL_PRODUCT && b == MODEL_PRODUCT);
    case RS_OP_PIPEM:
        return !(is->encrypts && is->paired && is->unlifted && model_is_readable(a) && second == MODEL_MASK &&
                 first == MODEL_MASK && slot == MODEL_SECRET);
    case RS_OP_PIPED:
        return !(is->encrypts && is->paired && is->unlifted && slot == MODEL_SECRET && first == MODEL_MASK && second == MODEL_MASK);
    default: return 0;
    }
}

#ifdef __cplusplus
}
#endif

#endif
