// SPDX-License-Identifier: Apache-2.0
// SEAL's files for JavaScript (client.h): what is written is a block of its exact size, what is read is checked whole before it is an object.
#include <string.h>

#include "client.h"

// ---- write -------------------------------------------------------------------------------------------------------------
typedef struct target {
    rs_sink_t sink;
    rs_memory_sink_t memory;
} target_t;

// A block for what the request writes.
static rs_status_t begin(target_t *target, rs_wire_write_request_t *request, uint32_t version, uint8_t **out) {
    *out = NULL;
    request->size = sizeof *request;
    request->sink = &target->sink;
    request->format.version = version;
    const uint64_t bytes = rs_wire_bytes(request);
    if (bytes > SIZE_MAX / 2) return RS_ERR_NO_MEMORY;
    uint8_t *block = js_alloc((size_t)bytes);
    if (!block) return RS_ERR_NO_MEMORY;
    rs_sink_to_memory(&target->sink, &target->memory, block, (size_t)bytes);
    return RS_OK;
}

static rs_status_t end(target_t *target, rs_status_t status, uint8_t **out, size_t *bytes) {
    if (status != RS_OK) {
        js_free(target->memory.data);
        return status;
    }
    *out = target->memory.data;
    *bytes = target->memory.bytes;
    return RS_OK;
}

static rs_status_t write_object(rs_wire_write_request_t *request, uint32_t version, uint8_t **out, size_t *bytes) {
    target_t target;
    JS_TRY(begin(&target, request, version, out));
    return end(&target, request->kind == RS_WIRE_SECRET_KEY ? rs_wire_write_secret_key(request) : rs_wire_write(request), out,
               bytes);
}

JS_EXPORT(js_params_write) rs_status_t js_params_write(const rs_params_t *params, uint32_t version, uint8_t **out, size_t *bytes) {
    rs_wire_write_request_t request = {.kind = RS_WIRE_PARAMS, .params = params};
    return write_object(&request, version, out, bytes);
}

JS_EXPORT(js_secret_write)
rs_status_t js_secret_write(const js_client_t *client, const rs_secret_key_t *key, uint32_t version, uint8_t **out, size_t *bytes) {
    rs_wire_write_request_t request = {.kind = RS_WIRE_SECRET_KEY, .context = client->context, .secret_key = key};
    return write_object(&request, version, out, bytes);
}

// A public key too: what has scale 1 and every limb.
JS_EXPORT(js_ciphertext_write)
rs_status_t js_ciphertext_write(const js_client_t *client, const rs_ciphertext_t *ciphertext, uint32_t version, uint8_t **out,
                                size_t *bytes) {
    const int is_key = ciphertext->limb_count > rs_params_data_limbs(rs_context_params(client->context));
    rs_wire_write_request_t request = {
        .kind = is_key ? RS_WIRE_PUBLIC_KEY : RS_WIRE_CIPHERTEXT, .context = client->context, .ciphertext = ciphertext};
    return write_object(&request, version, out, bytes);
}

// The components of one entry.
static rs_status_t write_entry(js_client_t *client, rs_wire_writer_t *writer, const rs_secret_key_t *secret, uint32_t element,
                               rs_ciphertext_t *component) {
    const uint32_t components = rs_params_data_limbs(rs_context_params(client->context));
    JS_TRY(rs_wire_writer_entry(writer, components));
    for (uint32_t i = 0; i < components; i++) {
        JS_TRY(rs_keygen(RS_REQUEST(rs_keygen_request_t, .kind = RS_KEY_SWITCH, .element = element, .index = i, .seeded = 1,
                                    .context = client->context, .secret_key = secret, .key = component, .rng = &client->rng,
                                    .workspace = client->workspace)));
        JS_TRY(rs_wire_writer_component(writer, component));
    }
    return RS_OK;
}

// elements ascending, each once. `count` 0: a relinearisation key.
static rs_status_t write_entries(js_client_t *client, rs_wire_writer_t *writer, const rs_secret_key_t *secret,
                                 const uint32_t *elements, uint32_t count, rs_ciphertext_t *component) {
    if (!count) return write_entry(client, writer, secret, 0, component);
    uint32_t next = 0;
    for (uint32_t entry = 0; entry < rs_context_n(client->context); entry++) {
        if (next < count && (elements[next] - 1) / 2 == entry) {
            JS_TRY(write_entry(client, writer, secret, elements[next++], component));
        } else {
            JS_TRY(rs_wire_writer_entry(writer, 0));
        }
    }
    return next == count ? RS_OK : RS_ERR_GALOIS;
}

// A file of Galois keys for these elements or, if there are none, of a relinearisation key. One half of each component stays a seed.
JS_EXPORT(js_switch_write)
rs_status_t js_switch_write(js_client_t *client, const rs_secret_key_t *secret, const uint32_t *elements, uint32_t count,
                            uint32_t version, uint8_t **out, size_t *bytes) {
    const rs_params_t *params = rs_context_params(client->context);
    rs_wire_write_request_t request = {.kind = count ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS,
                                       .context = client->context,
                                       .entries = count ? rs_context_n(client->context) : 1,
                                       .components = (uint64_t)(count ? count : 1) * rs_params_data_limbs(params),
                                       .seeded = 1};
    *out = NULL;
    if (params->limb_count == 1) return RS_ERR_NO_SPECIAL;
    rs_ciphertext_t *component = js_ciphertext_block(client, 1, params->limb_count);
    if (!component) return RS_ERR_NO_MEMORY;
    target_t target;
    rs_status_t status = begin(&target, &request, version, out);
    if (status == RS_OK) {
        rs_wire_writer_t writer;
        status = rs_wire_writer_open(&writer, &request);
        if (status == RS_OK) status = write_entries(client, &writer, secret, elements, count, component);
        const rs_status_t closed = rs_wire_writer_close(&writer, NULL);
        status = end(&target, status == RS_OK ? closed : status, out, bytes);
    }
    js_free(component);
    return status;
}

// ---- read --------------------------------------------------------------------------------------------------------------
typedef struct origin {
    rs_source_t source;
    rs_memory_source_t memory;
    rs_wire_reader_t reader;
} origin_t;

static rs_status_t open(origin_t *origin, const uint8_t *data, size_t bytes) {
    rs_source_from_memory(&origin->source, &origin->memory, data, bytes);
    return rs_wire_open(&origin->reader, &origin->source, NULL);
}

// What was read counts only if all of the file is as it should be.
static rs_status_t closed(origin_t *origin, rs_status_t status) {
    const rs_status_t end = rs_wire_close(&origin->reader, 1);
    return status == RS_OK ? end : status;
}

JS_EXPORT(js_params_read) rs_status_t js_params_read(rs_params_t *params, const uint8_t *data, size_t bytes, uint32_t security) {
    origin_t origin;
    rs_status_t status = open(&origin, data, bytes);
    if (status == RS_OK) status = rs_wire_read_params(&origin.reader, params, security);
    return closed(&origin, status);
}

static rs_status_t read_secret(js_client_t *client, rs_wire_reader_t *reader, rs_secret_key_t *key) {
    const rs_wire_target_t target = {.size = sizeof target, .kind = RS_WIRE_SECRET_KEY, .secret_key = key};
    JS_TRY(rs_wire_read_begin(reader, client->context, &target));
    JS_TRY(rs_wire_read_words(reader, &target));
    return rs_key_check(client->context, key, NULL, client->workspace);
}

JS_EXPORT(js_secret_read)
rs_status_t js_secret_read(js_client_t *client, const uint8_t *data, size_t bytes, rs_secret_key_t **out) {
    *out = NULL;
    rs_secret_key_t *key = js_secret_block(client);
    if (!key) return RS_ERR_NO_MEMORY;
    origin_t origin;
    rs_status_t status = open(&origin, data, bytes);
    if (status == RS_OK) status = read_secret(client, &origin.reader, key);
    status = closed(&origin, status);
    return JS_GIVE(status, key, out);
}

// A public key is expanded, so that it encrypts; a ciphertext stays as it is.
static rs_status_t read_ciphertext(js_client_t *client, rs_wire_reader_t *reader, int is_key, rs_ciphertext_t **made) {
    rs_ciphertext_t told = {0};
    rs_wire_target_t target = {
        .size = sizeof target, .kind = is_key ? RS_WIRE_PUBLIC_KEY : RS_WIRE_CIPHERTEXT, .ciphertext = &told};
    JS_TRY(rs_wire_read_begin(reader, client->context, &target));
    *made = js_ciphertext_block(client, told.seeded && !is_key ? 1 : told.poly_count, told.limb_count);
    if (!*made) return RS_ERR_NO_MEMORY;
    told.data = (*made)->data;
    **made = told;
    target.ciphertext = *made;
    JS_TRY(rs_wire_read_words(reader, &target));
    return is_key && (*made)->seeded ? rs_expand(client->context, *made) : RS_OK;
}

JS_EXPORT(js_ciphertext_read)
rs_status_t js_ciphertext_read(js_client_t *client, const uint8_t *data, size_t bytes, int is_key, rs_ciphertext_t **out) {
    *out = NULL;
    rs_ciphertext_t *made = NULL;
    origin_t origin;
    rs_status_t status = open(&origin, data, bytes);
    if (status == RS_OK) status = read_ciphertext(client, &origin.reader, is_key, &made);
    status = closed(&origin, status);
    return JS_GIVE(status, made, out);
}

// The kind of an object by its first bytes (rs_wire_kind_t), and its compression; client may be NULL.
JS_EXPORT(js_kind) rs_status_t js_kind(const js_client_t *client, const uint8_t *data, size_t bytes, uint32_t *kind) {
    origin_t origin;
    rs_wire_info_t info = {0};
    rs_status_t status = open(&origin, data, bytes);
    if (status == RS_OK) status = rs_wire_info(&origin.reader, client ? client->context : NULL, &info);
    *kind = info.kind;
    rs_ignore(rs_wire_close(&origin.reader, 0));
    return status;
}
