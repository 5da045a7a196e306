// SPDX-License-Identifier: Apache-2.0
// What the JavaScript of the package calls. Objects are pointers to blocks of js_alloc, which js_free wipes; a function that makes one
// writes the pointer through its last arguments, and writes NULL where it fails. All others return a status of base.h.
#ifndef RINGSIDE_JS_CLIENT_H
#define RINGSIDE_JS_CLIENT_H

#include <ringside/ckks.h>
#include <ringside/wire.h>

#define JS_TRY(call)                                        \
    do {                                                    \
        const rs_status_t status_of_call = (call);          \
        if (status_of_call != RS_OK) return status_of_call; \
    } while (0)

// A function that JavaScript calls. Before its type.
#define JS_EXPORT(name) __attribute__((export_name(#name)))

// What was made goes to the caller, or its memory is freed. The status.
#define JS_GIVE(status, made, out) ((status) == RS_OK ? (void)(*(out) = (made)) : js_free(made), (status))

// A context, and the memory that its calls share: one call at a time.
typedef struct js_client {
    const rs_context_t *context;
    void *context_memory;
    rs_memory_t workspace; // for the largest call; wiped by each
    rs_rng_t rng;
} js_client_t;

// memory.c: blocks at multiples of 64 bytes, filled with zeros. NULL: no memory.
void *js_alloc(size_t bytes);
void js_free(void *block);

// client.c
rs_secret_key_t *js_secret_block(const js_client_t *client);
// Room for `polys` polynomials of `limbs` limbs.
rs_ciphertext_t *js_ciphertext_block(const js_client_t *client, uint32_t polys, uint32_t limbs);

#endif
