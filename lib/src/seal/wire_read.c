// SPDX-License-Identifier: Apache-2.0
// Reading SEAL's files. The input is hostile: no field is used before it has been checked, nothing is allocated, and every byte comes
// through rs_wire_take, which knows how much the header promised. The first error sticks.
#include "seal/wire_internal.h"

enum {
    STAGE_OPEN = 0, // nothing but the peek was read
    STAGE_STARTED,
    STAGE_PLAINTEXT_WORDS,
    STAGE_SECRET_KEY_WORDS,
    STAGE_CIPHERTEXT_WORDS,
    STAGE_KSWITCH_ENTRY,
    STAGE_KSWITCH_COMPONENT,
    STAGE_KSWITCH_WORDS,
    STAGE_DONE,
};

rs_status_t rs_wire_reader_fail(rs_wire_reader_t *reader, rs_status_t status) {
    if (status != RS_OK && reader->failed == RS_OK) reader->failed = status;
    return reader->failed;
}

// ---- bytes ---------------------------------------------------------------------------------------------------------------
// Member bytes from the codec or the source, past the peek. *got < bytes at the end of the data.
static rs_status_t pull(rs_wire_reader_t *reader, uint8_t *out, size_t bytes, size_t *got) {
    *got = 0;
    while (*got < bytes) {
        size_t part = 0;
        const size_t left = bytes - *got;
        const rs_status_t status = reader->codec_state ? reader->codec->read(reader->codec_state, out + *got, left, &part)
                                                       : reader->source.read(reader->source.state, out + *got, left, &part);
        if (status != RS_OK) return status;
        if (part > left) return RS_ERR_IO; // broken source
        if (part == 0) break;
        *got += part;
    }
    return RS_OK;
}

rs_status_t rs_wire_take(rs_wire_reader_t *reader, uint8_t *out, size_t bytes) {
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->members_left != UINT64_MAX) {
        if (bytes > reader->members_left) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
        reader->members_left -= bytes;
    }
    const size_t kept = reader->peek_bytes - reader->peek_position;
    const size_t head = bytes < kept ? bytes : kept;
    if (head) memcpy(out, reader->peek + reader->peek_position, head);
    reader->peek_position += (uint32_t)head;
    if (head == bytes) return RS_OK;
    size_t got = 0;
    const rs_status_t status = pull(reader, out + head, bytes - head, &got);
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    return got == bytes - head ? RS_OK : rs_wire_reader_fail(reader, RS_ERR_TRUNCATED);
}

rs_status_t rs_wire_take_u64(rs_wire_reader_t *reader, uint64_t *value) {
    uint8_t bytes[8];
    if (rs_wire_take(reader, bytes, sizeof bytes) != RS_OK) return reader->failed;
    *value = rs_load64(bytes);
    return RS_OK;
}

rs_status_t rs_wire_take_nested(rs_wire_reader_t *reader, rs_wire_header_t *header) {
    uint8_t bytes[RS_WIRE_HEADER_BYTES];
    if (rs_wire_take(reader, bytes, sizeof bytes) != RS_OK) return reader->failed;
    return rs_wire_reader_fail(reader,
                               rs_wire_nested_decode(bytes, reader->info.version_major, reader->info.version_minor, header));
}

rs_status_t rs_wire_take_array(rs_wire_reader_t *reader, uint64_t *words) {
    rs_wire_header_t header;
    if (rs_wire_take_nested(reader, &header) != RS_OK) return reader->failed;
    if (rs_wire_take_u64(reader, words) != RS_OK) return reader->failed;
    if (header.bytes < RS_WIRE_ARRAY_BYTES || (header.bytes - RS_WIRE_ARRAY_BYTES) % 8 != 0 ||
        *words != (header.bytes - RS_WIRE_ARRAY_BYTES) / 8) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    return RS_OK;
}

rs_status_t rs_wire_take_seed(rs_wire_reader_t *reader, uint8_t *type, uint8_t *seed) {
    rs_wire_header_t header;
    if (rs_wire_take_nested(reader, &header) != RS_OK) return reader->failed;
    if (header.bytes != RS_WIRE_SEED_BYTES) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    if (rs_wire_take(reader, type, 1) != RS_OK) return reader->failed;
    if (*type != RS_SEED_BLAKE2XB && *type != RS_SEED_SHAKE256) return rs_wire_reader_fail(reader, RS_ERR_SEED_TYPE);
    return rs_wire_take(reader, seed, RS_SEED_BYTES);
}

// `count` words of one limb into host order; below q unless q is 0.
static rs_status_t take_residues(rs_wire_reader_t *reader, uint64_t *words, size_t count, uint64_t q) {
    if (rs_wire_take(reader, (uint8_t *)words, 8 * count) != RS_OK) return reader->failed;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; i++) words[i] = rs_load64((const uint8_t *)(words + i));
#endif
    if (q == 0) return RS_OK;
    uint64_t excess = rs_wire_residue_excess(words, count, q);
    RS_DECLASSIFY(&excess, sizeof excess); // one bit: whether the file is valid
    return excess ? rs_wire_reader_fail(reader, RS_ERR_RESIDUE) : RS_OK;
}

// All words of the open object, limb after limb; wiped if anything is wrong.
static rs_status_t take_words(rs_wire_reader_t *reader, const rs_context_t *context, uint64_t *words) {
    const uint64_t *moduli = context ? rs_context_params(context)->moduli : NULL;
    const size_t total = (size_t)reader->words, n = reader->n;
    uint32_t limb = 0;
    for (size_t i = 0; i < total && reader->failed == RS_OK; i += n) {
        rs_ignore(take_residues(reader, words + i, n, moduli ? moduli[limb] : 0));
        limb = limb + 1 == reader->limb_count ? 0 : limb + 1;
    }
    reader->words = 0;
    if (reader->failed != RS_OK) rs_zeroize(words, 8 * total);
    return reader->failed;
}

// ---- opening -------------------------------------------------------------------------------------------------------------
// A nested header at this member offset, as far as the peek reaches.
static int nested_at(const rs_wire_reader_t *reader, uint32_t offset, rs_wire_header_t *header) {
    if (offset + RS_WIRE_HEADER_BYTES > reader->peek_bytes) return 0;
    return rs_wire_nested_decode(reader->peek + offset, reader->info.version_major, reader->info.version_minor, header) == RS_OK;
}

// A DynArray at this member offset whose size and count agree.
static int array_at(const rs_wire_reader_t *reader, uint32_t offset, uint64_t *words) {
    rs_wire_header_t header;
    if (offset + RS_WIRE_ARRAY_BYTES > reader->peek_bytes || !nested_at(reader, offset, &header)) return 0;
    *words = rs_load64(reader->peek + offset + RS_WIRE_HEADER_BYTES);
    return *words < UINT64_MAX / 16 && header.bytes == RS_WIRE_ARRAY_BYTES + 8 * *words;
}

static uint32_t ciphertext_prefix_bytes(uint8_t major) {
    return RS_WIRE_CIPHERTEXT_PREFIX_BYTES + (major >= 4 ? 8u : 0u);
}

// Notes the members of a ciphertext that starts at this member offset, if one does.
static int ciphertext_at(rs_wire_reader_t *reader, uint32_t offset) {
    rs_wire_info_t *info = &reader->info;
    uint64_t words = 0;
    if (!array_at(reader, offset + ciphertext_prefix_bytes(info->version_major), &words)) return 0;
    const uint8_t *members = reader->peek + offset;
    info->ntt = members[32] == 1;
    info->poly_count = rs_load64(members + 33);
    info->n = rs_load64(members + 41);
    info->limb_count = rs_load64(members + 49);
    info->scale = rs_wire_load_f64(members + 57);
    info->words = words;
    // Wrapping products are harmless: these are only reported, and reading checks the factors first.
    info->seeded = info->poly_count == 2 && words != 0 && words == info->n * info->limb_count;
    return 1;
}

static int params_at_start(rs_wire_reader_t *reader) {
    rs_wire_header_t header;
    if (!nested_at(reader, RS_WIRE_PARAMS_PREFIX_BYTES, &header) || header.bytes != RS_WIRE_MODULUS_BYTES) return 0;
    reader->info.scheme = reader->peek[0];
    reader->info.n = rs_load64(reader->peek + 1);
    reader->info.limb_count = rs_load64(reader->peek + 9);
    return 1;
}

static int plaintext_at_start(rs_wire_reader_t *reader) {
    uint64_t words = 0;
    if (!array_at(reader, RS_WIRE_PLAINTEXT_PREFIX_BYTES, &words)) return 0;
    static const uint8_t zero[RS_PARMS_ID_BYTES];
    reader->info.ntt = memcmp(reader->peek, zero, sizeof zero) != 0;
    reader->info.scale = rs_wire_load_f64(reader->peek + 40);
    reader->info.words = words;
    return 1;
}

// Walks over empty entries to the first key, if the peek reaches that far.
static int kswitch_at_start(rs_wire_reader_t *reader) {
    if (reader->peek_bytes < RS_WIRE_KSWITCH_PREFIX_BYTES + 8) return 0;
    const uint64_t entries = rs_load64(reader->peek + 32);
    if (entries == 0 || entries > (uint64_t)1 << RS_WIRE_LOG_N_MAX) return 0;
    reader->info.entries = entries;
    uint32_t offset = RS_WIRE_KSWITCH_PREFIX_BYTES;
    for (uint64_t i = 0; i < entries && offset + 8 <= reader->peek_bytes; i++, offset += 8) {
        const uint64_t components = rs_load64(reader->peek + offset);
        if (components == 0) continue;
        if (components > RS_WIRE_LIMBS_MAX) return 0;
        rs_wire_header_t header;
        if (offset + 8 + RS_WIRE_HEADER_BYTES <= reader->peek_bytes) {
            if (!nested_at(reader, offset + 8, &header)) return 0;
            ciphertext_at(reader, offset + 8 + RS_WIRE_HEADER_BYTES);
        }
        break;
    }
    return 1;
}

static void recognise(rs_wire_reader_t *reader) {
    rs_wire_info_t *info = &reader->info;
    if (params_at_start(reader)) {
        info->kind = RS_WIRE_PARAMS;
        return;
    }
    if (reader->peek_bytes >= RS_PARMS_ID_BYTES) memcpy(info->parms_id, reader->peek, RS_PARMS_ID_BYTES);
    if (ciphertext_at(reader, 0)) {
        info->kind = RS_WIRE_CIPHERTEXT;
    } else if (plaintext_at_start(reader)) {
        info->kind = RS_WIRE_PLAINTEXT;
    } else if (kswitch_at_start(reader)) {
        info->kind = info->entries > RS_WIRE_RELIN_ENTRIES_MAX ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS;
        if (info->n != 0 && info->entries == info->n) info->kind = RS_WIRE_GALOIS_KEYS; // foreign files with tiny N
    }
}

rs_status_t rs_wire_open(rs_wire_reader_t *reader, const rs_source_t *source, const rs_codec_t *codec) {
    if (!reader) return RS_ERR_NULL;
    memset(reader, 0, sizeof *reader);
    if (!source || !source->read) return rs_wire_reader_fail(reader, RS_ERR_NULL);
    reader->source = *source;
    reader->codec = codec;

    uint8_t bytes[RS_WIRE_HEADER_BYTES];
    size_t got = 0;
    rs_status_t status = pull(reader, bytes, sizeof bytes, &got);
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    // What is there must at least begin like a header, so that a short text file is not called truncated.
    if ((got >= 1 && bytes[0] != (RS_WIRE_MAGIC & 0xff)) || (got >= 2 && bytes[1] != RS_WIRE_MAGIC >> 8)) {
        return rs_wire_reader_fail(reader, RS_ERR_MAGIC);
    }
    if (got < sizeof bytes) return rs_wire_reader_fail(reader, RS_ERR_TRUNCATED);
    rs_wire_header_t header;
    status = rs_wire_header_decode(bytes, &header);
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    if (header.bytes <= RS_WIRE_HEADER_BYTES) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    reader->info.version_major = header.major;
    reader->info.version_minor = header.minor;
    reader->info.compression = (rs_compression_t)header.compression;
    reader->info.total_bytes = header.bytes;

    const uint64_t stored = header.bytes - RS_WIRE_HEADER_BYTES;
    size_t want = sizeof reader->peek;
    if (header.compression == RS_COMPRESSION_NONE) {
        reader->members_left = stored;
        if (want > stored) want = (size_t)stored;
    } else {
        if (!codec) return rs_wire_reader_fail(reader, RS_ERR_COMPRESSION);
        reader->members_left = UINT64_MAX;
        status = codec->read_begin(&reader->codec_state, reader->info.compression, &reader->source, stored);
        if (status != RS_OK) {
            reader->codec_state = NULL;
            return rs_wire_reader_fail(reader, status);
        }
    }
    status = pull(reader, reader->peek, want, &got);
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    reader->peek_bytes = (uint32_t)got;
    if (got < want && reader->members_left != UINT64_MAX) return rs_wire_reader_fail(reader, RS_ERR_TRUNCATED);
    recognise(reader);
    return RS_OK;
}

rs_status_t rs_wire_info(const rs_wire_reader_t *reader, const rs_context_t *context, rs_wire_info_t *info) {
    if (!reader || !info) return RS_ERR_NULL;
    *info = reader->info;
    if (!context || info->kind == RS_WIRE_PARAMS || info->kind == RS_WIRE_UNKNOWN) return RS_OK;
    const uint32_t limb_count = rs_context_find_id(context, info->parms_id);
    if (limb_count == 0) return RS_OK;
    const uint32_t n = rs_context_n(context);
    const int key = limb_count == rs_context_params(context)->limb_count && info->scale == 1.0;
    switch (info->kind) {
    case RS_WIRE_PLAINTEXT:
        info->n = n;
        info->limb_count = limb_count;
        if (key) info->kind = RS_WIRE_SECRET_KEY;
        break;
    case RS_WIRE_CIPHERTEXT:
        if (key) info->kind = RS_WIRE_PUBLIC_KEY;
        break;
    default: // key-switching keys, also where the first key lies beyond the peek
        info->n = n;
        info->limb_count = limb_count;
        info->kind = info->entries == n ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS;
        break;
    }
    return RS_OK;
}

// Nothing may follow: neither members nor, with check 1, bytes of the source.
static rs_status_t end_check(rs_wire_reader_t *reader, int check) {
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_DONE) return RS_ERR_SEQUENCE;
    if (reader->members_left != UINT64_MAX) {
        if (reader->members_left != 0) return RS_ERR_LENGTH;
    } else if (reader->peek_position != reader->peek_bytes) {
        return RS_ERR_TRAILING;
    }
    if (reader->codec_state) {
        const rs_status_t status = reader->codec->read_end(reader->codec_state, 1);
        reader->codec_state = NULL;
        if (status != RS_OK) return status;
    }
    if (check != 1) return RS_OK;
    uint8_t next;
    size_t got = 0;
    const rs_status_t status = reader->source.read(reader->source.state, &next, 1, &got);
    if (status != RS_OK) return status;
    return got ? RS_ERR_TRAILING : RS_OK;
}

rs_status_t rs_wire_close(rs_wire_reader_t *reader, int check) {
    if (!reader) return RS_ERR_NULL;
    const rs_status_t status = check ? end_check(reader, check) : RS_OK;
    if (reader->codec_state) {
        rs_ignore(reader->codec->read_end(reader->codec_state, 0));
        reader->codec_state = NULL;
    }
    rs_zeroize(reader->peek, sizeof reader->peek);
    reader->peek_bytes = 0;
    reader->peek_position = 0;
    rs_ignore(rs_wire_reader_fail(reader, status == RS_OK ? RS_ERR_SEQUENCE : status)); // nothing can be read any more
    return status;
}

// ---- starting ------------------------------------------------------------------------------------------------------------
rs_wire_header_t rs_wire_reader_header(const rs_wire_reader_t *reader) {
    const rs_wire_header_t header = {
        .major = reader->info.version_major,
        .minor = reader->info.version_minor,
        .compression = (uint8_t)reader->info.compression,
        .bytes = reader->info.total_bytes,
    };
    return header;
}

rs_status_t rs_wire_reader_start(rs_wire_reader_t *reader, rs_wire_kind_t kind) {
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_OPEN) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    reader->stage = STAGE_STARTED;
    rs_wire_kind_t found = reader->info.kind;
    if (found == RS_WIRE_GALOIS_KEYS) found = RS_WIRE_RELIN_KEYS;
    return found == kind || found == RS_WIRE_UNKNOWN ? RS_OK : rs_wire_reader_fail(reader, RS_ERR_KIND);
}

void rs_wire_reader_done(rs_wire_reader_t *reader) {
    reader->stage = STAGE_DONE;
}

// The uncompressed object must be as long as its header says.
static rs_status_t object_bytes_check(rs_wire_reader_t *reader, uint64_t bytes) {
    if (reader->members_left == UINT64_MAX || reader->info.total_bytes == bytes) return RS_OK;
    return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
}

// ---- parameters ----------------------------------------------------------------------------------------------------------
rs_status_t rs_wire_read_params(rs_wire_reader_t *reader, rs_params_t *params, uint32_t security) {
    if (!reader || !params) return RS_ERR_NULL;
    if (rs_wire_reader_start(reader, RS_WIRE_PARAMS) != RS_OK) return reader->failed;
    uint8_t scheme = 0;
    uint64_t n = 0, count = 0;
    rs_ignore(rs_wire_take(reader, &scheme, 1));
    rs_ignore(rs_wire_take_u64(reader, &n));
    if (rs_wire_take_u64(reader, &count) != RS_OK) return reader->failed;
    if (scheme != RS_SCHEME_CKKS) return rs_wire_reader_fail(reader, RS_ERR_SCHEME);
    if (n < (uint64_t)1 << RS_LOG_N_MIN || n > (uint64_t)1 << RS_LOG_N_MAX || (n & (n - 1)) != 0) {
        return rs_wire_reader_fail(reader, RS_ERR_DEGREE);
    }
    if (count == 0 || count > RS_LIMBS_MAX) return rs_wire_reader_fail(reader, RS_ERR_LIMB_COUNT);
    rs_params_t found;
    memset(&found, 0, sizeof found);
    found.log_n = (uint32_t)__builtin_ctzll(n);
    found.limb_count = (uint32_t)count;
    found.scheme = scheme;
    if (object_bytes_check(reader, rs_wire_params_bytes(&found)) != RS_OK) return reader->failed;
    for (uint32_t i = 0; i <= found.limb_count; i++) {
        rs_wire_header_t header;
        uint64_t value = 0;
        if (rs_wire_take_nested(reader, &header) != RS_OK) return reader->failed;
        if (header.bytes != RS_WIRE_MODULUS_BYTES) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
        if (rs_wire_take_u64(reader, &value) != RS_OK) return reader->failed;
        if (i < found.limb_count) {
            found.moduli[i] = value;
        } else if (value != 0) {
            return rs_wire_reader_fail(reader, RS_ERR_SCHEME); // CKKS has no plain modulus
        }
    }
    const rs_status_t status = rs_params_check(&found, security);
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    *params = found;
    reader->stage = STAGE_DONE;
    return RS_OK;
}

// ---- plaintext and secret key --------------------------------------------------------------------------------------------
rs_status_t rs_wire_take_plaintext(rs_wire_reader_t *reader, uint8_t *parms_id, uint64_t *words, double *scale) {
    uint8_t bytes[RS_WIRE_PLAINTEXT_PREFIX_BYTES];
    if (rs_wire_take(reader, bytes, sizeof bytes) != RS_OK) return reader->failed;
    if (rs_wire_take_array(reader, words) != RS_OK) return reader->failed;
    memcpy(parms_id, bytes, RS_PARMS_ID_BYTES);
    *scale = rs_wire_load_f64(bytes + 40);
    if (*words != rs_load64(bytes + 32) || *words > (uint64_t)RS_WIRE_LIMBS_MAX << RS_WIRE_LOG_N_MAX) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    return object_bytes_check(reader, rs_wire_plaintext_bytes(*words));
}

// Common to plaintexts and secret keys: the level that the file names, all its words present.
static rs_status_t plaintext_begin(rs_wire_reader_t *reader, const rs_context_t *context, uint8_t *parms_id, uint32_t *limb_count,
                                   double *scale) {
    uint64_t words = 0;
    if (rs_wire_reader_start(reader, RS_WIRE_PLAINTEXT) != RS_OK) return reader->failed;
    if (rs_wire_take_plaintext(reader, parms_id, &words, scale) != RS_OK) return reader->failed;
    static const uint8_t zero[RS_PARMS_ID_BYTES];
    if (memcmp(parms_id, zero, sizeof zero) == 0) return rs_wire_reader_fail(reader, RS_ERR_NOT_NTT);
    *limb_count = rs_context_find_id(context, parms_id);
    if (*limb_count == 0) return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    const uint32_t n = rs_context_n(context);
    if (words != (uint64_t)*limb_count * n) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    reader->words = words;
    reader->n = n;
    reader->limb_count = *limb_count;
    reader->poly_count = 1;
    reader->checked = 1;
    return RS_OK;
}

rs_status_t rs_wire_read_plaintext_begin(rs_wire_reader_t *reader, const rs_context_t *context, rs_plaintext_t *plaintext) {
    if (!reader || !context || !plaintext) return RS_ERR_NULL;
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint32_t limb_count = 0;
    double scale = 0;
    if (plaintext_begin(reader, context, parms_id, &limb_count, &scale) != RS_OK) return reader->failed;
    const rs_params_t *params = rs_context_params(context);
    if (limb_count > rs_params_data_limbs(params)) return rs_wire_reader_fail(reader, RS_ERR_LEVEL); // a secret key, no message
    if (!rs_wire_scale_ok(scale, rs_params_total_bits(params, limb_count))) return rs_wire_reader_fail(reader, RS_ERR_SCALE);
    *plaintext = (rs_plaintext_t){
        .form = RS_FORM_NTT, .limb_count = limb_count, .scale = scale, .message = plaintext->message, .ntt = plaintext->ntt};
    memcpy(plaintext->parms_id, parms_id, sizeof parms_id);
    reader->stage = STAGE_PLAINTEXT_WORDS;
    return RS_OK;
}

rs_status_t rs_wire_read_plaintext_words(rs_wire_reader_t *reader, const rs_context_t *context, rs_plaintext_t *plaintext) {
    if (!reader || !context || !plaintext || !plaintext->ntt) return RS_ERR_NULL;
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_PLAINTEXT_WORDS) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    if (plaintext->limb_count != reader->limb_count || rs_context_find_id(context, plaintext->parms_id) != reader->limb_count ||
        rs_context_n(context) != reader->n) {
        return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    }
    if (take_words(reader, context, plaintext->ntt) == RS_OK) reader->stage = STAGE_DONE;
    return reader->failed;
}

rs_status_t rs_wire_read_secret_key_begin(rs_wire_reader_t *reader, const rs_context_t *context, rs_secret_key_t *key) {
    if (!reader || !context || !key) return RS_ERR_NULL;
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint32_t limb_count = 0;
    double scale = 0;
    if (plaintext_begin(reader, context, parms_id, &limb_count, &scale) != RS_OK) return reader->failed;
    if (limb_count != rs_context_params(context)->limb_count) return rs_wire_reader_fail(reader, RS_ERR_LEVEL);
    if (scale != 1.0) return rs_wire_reader_fail(reader, RS_ERR_SCALE);
    *key = (rs_secret_key_t){.ntt = key->ntt};
    memcpy(key->parms_id, parms_id, sizeof parms_id);
    reader->stage = STAGE_SECRET_KEY_WORDS;
    return RS_OK;
}

rs_status_t rs_wire_read_secret_key_words(rs_wire_reader_t *reader, const rs_context_t *context, rs_secret_key_t *key) {
    if (!reader || !context || !key || !key->ntt) return RS_ERR_NULL;
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_SECRET_KEY_WORDS) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    if (rs_context_find_id(context, key->parms_id) != reader->limb_count || rs_context_n(context) != reader->n) {
        return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    }
    if (take_words(reader, context, key->ntt) == RS_OK) reader->stage = STAGE_DONE;
    return reader->failed;
}

// ---- ciphertext ----------------------------------------------------------------------------------------------------------
rs_status_t rs_wire_take_ciphertext(rs_wire_reader_t *reader, const rs_wire_header_t *object, int exact,
                                    rs_wire_ciphertext_t *members) {
    uint8_t bytes[RS_WIRE_CIPHERTEXT_PREFIX_BYTES + 8];
    if (rs_wire_take(reader, bytes, ciphertext_prefix_bytes(object->major)) != RS_OK) return reader->failed;
    memcpy(members->parms_id, bytes, RS_PARMS_ID_BYTES);
    members->ntt = bytes[32];
    members->poly_count = rs_load64(bytes + 33);
    members->n = rs_load64(bytes + 41);
    members->limb_count = rs_load64(bytes + 49);
    members->scale = rs_wire_load_f64(bytes + 57);
    members->correction = object->major >= 4 ? rs_load64(bytes + 65) : 1;
    if (rs_wire_take_array(reader, &members->words) != RS_OK) return reader->failed;

    if (members->ntt > 1) return rs_wire_reader_fail(reader, RS_ERR_NOT_NTT);
    if (members->poly_count < 2 || members->poly_count > RS_POLYS_MAX) return rs_wire_reader_fail(reader, RS_ERR_POLY_COUNT);
    if (members->n < 2 || members->n > (uint64_t)1 << RS_WIRE_LOG_N_MAX || (members->n & (members->n - 1)) != 0 ||
        members->limb_count == 0 || members->limb_count > RS_WIRE_LIMBS_MAX) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    const uint64_t poly_words = members->n * members->limb_count; // at most 2^23
    members->seeded = members->poly_count == 2 && members->words == poly_words;
    if (!members->seeded && members->words != members->poly_count * poly_words) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    if (members->seeded && object->major == 3 && object->minor < RS_WIRE_MINOR_3_SEEDED) {
        return rs_wire_reader_fail(reader, RS_ERR_VERSION);
    }
    if (exact && object->bytes != rs_wire_ciphertext_object_bytes(object->major, members->words, members->seeded)) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    return RS_OK;
}

// Checks against the context, if there is one, and notes what the words must be. key: must be at key level with scale 1.
static rs_status_t ciphertext_begin(rs_wire_reader_t *reader, const rs_context_t *context, int key,
                                    const rs_wire_ciphertext_t *members, rs_ciphertext_t *ciphertext) {
    if (context) {
        const rs_params_t *params = rs_context_params(context);
        const uint32_t limb_count = rs_context_find_id(context, members->parms_id);
        if (limb_count == 0) return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
        if (members->n != rs_context_n(context) || members->limb_count != limb_count) {
            return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
        }
        if (members->ntt != 1) return rs_wire_reader_fail(reader, RS_ERR_NOT_NTT);
        if (members->correction != 1) return rs_wire_reader_fail(reader, RS_ERR_SCHEME); // BGV's
        if (key) {
            if (limb_count != params->limb_count) return rs_wire_reader_fail(reader, RS_ERR_LEVEL);
            if (members->poly_count != 2) return rs_wire_reader_fail(reader, RS_ERR_POLY_COUNT);
            if (members->scale != 1.0) return rs_wire_reader_fail(reader, RS_ERR_SCALE);
        } else {
            if (limb_count > rs_params_data_limbs(params)) return rs_wire_reader_fail(reader, RS_ERR_LEVEL);
            if (!rs_wire_scale_ok(members->scale, rs_params_total_bits(params, limb_count))) {
                return rs_wire_reader_fail(reader, RS_ERR_SCALE);
            }
        }
    }
    *ciphertext = (rs_ciphertext_t){.poly_count = (uint32_t)members->poly_count,
                                    .limb_count = (uint32_t)members->limb_count,
                                    .seeded = members->seeded,
                                    .scale = members->scale,
                                    .data = ciphertext->data};
    memcpy(ciphertext->parms_id, members->parms_id, RS_PARMS_ID_BYTES);
    reader->words = members->words;
    reader->n = (uint32_t)members->n;
    reader->poly_count = ciphertext->poly_count;
    reader->limb_count = ciphertext->limb_count;
    reader->seeded = members->seeded;
    reader->checked = context != NULL;
    return RS_OK;
}

static rs_status_t ciphertext_words(rs_wire_reader_t *reader, const rs_context_t *context, rs_ciphertext_t *ciphertext) {
    // The caller's array was sized by this descriptor: it must still be the one that `begin` filled in.
    if (ciphertext->poly_count != reader->poly_count || ciphertext->limb_count != reader->limb_count ||
        ciphertext->seeded != reader->seeded || (context != NULL) != (reader->checked != 0)) {
        return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    }
    if (context &&
        (rs_context_n(context) != reader->n || rs_context_find_id(context, ciphertext->parms_id) != reader->limb_count)) {
        return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    }
    const size_t total = (size_t)reader->words;
    if (take_words(reader, context, ciphertext->data) != RS_OK || !reader->seeded) return reader->failed;
    uint8_t type = 0;
    rs_seed_t seed = {{0}};
    if (rs_wire_take_seed(reader, &type, seed.bytes) != RS_OK) {
        rs_zeroize(ciphertext->data, 8 * total);
        return reader->failed;
    }
    ciphertext->seed_type = type;
    ciphertext->seed = seed;
    return RS_OK;
}

rs_status_t rs_wire_read_ciphertext_begin(rs_wire_reader_t *reader, const rs_context_t *context, int public_key,
                                          rs_ciphertext_t *ciphertext) {
    if (!reader || !ciphertext) return RS_ERR_NULL;
    if (rs_wire_reader_start(reader, RS_WIRE_CIPHERTEXT) != RS_OK) return reader->failed;
    const rs_wire_header_t object = rs_wire_reader_header(reader);
    rs_wire_ciphertext_t members;
    if (rs_wire_take_ciphertext(reader, &object, object.compression == RS_COMPRESSION_NONE, &members) != RS_OK) {
        return reader->failed;
    }
    if (ciphertext_begin(reader, context, public_key, &members, ciphertext) != RS_OK) return reader->failed;
    reader->stage = STAGE_CIPHERTEXT_WORDS;
    return RS_OK;
}

rs_status_t rs_wire_read_ciphertext_words(rs_wire_reader_t *reader, const rs_context_t *context, rs_ciphertext_t *ciphertext) {
    if (!reader || !ciphertext || !ciphertext->data) return RS_ERR_NULL;
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_CIPHERTEXT_WORDS) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    if (ciphertext_words(reader, context, ciphertext) == RS_OK) reader->stage = STAGE_DONE;
    return reader->failed;
}

// ---- key-switching keys --------------------------------------------------------------------------------------------------
static void next_entry(rs_wire_reader_t *reader) {
    reader->stage = reader->entries == 0 ? STAGE_DONE : STAGE_KSWITCH_ENTRY;
}

rs_status_t rs_wire_read_kswitch_begin(rs_wire_reader_t *reader, const rs_context_t *context, uint64_t *entries) {
    if (!reader || !entries) return RS_ERR_NULL;
    if (rs_wire_reader_start(reader, RS_WIRE_RELIN_KEYS) != RS_OK) return reader->failed;
    uint64_t found = 0;
    // Every component must repeat this parms_id.
    if (rs_wire_take(reader, reader->info.parms_id, RS_PARMS_ID_BYTES) != RS_OK) return reader->failed;
    if (rs_wire_take_u64(reader, &found) != RS_OK) return reader->failed;
    if (found == 0 || found > (uint64_t)1 << RS_WIRE_LOG_N_MAX) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    if (reader->members_left != UINT64_MAX && reader->members_left < 8 * found) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    if (context) {
        const rs_params_t *params = rs_context_params(context);
        if (params->limb_count < 2) return rs_wire_reader_fail(reader, RS_ERR_NO_SPECIAL);
        const uint32_t limb_count = rs_context_find_id(context, reader->info.parms_id);
        if (limb_count == 0) return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
        if (limb_count != params->limb_count) return rs_wire_reader_fail(reader, RS_ERR_LEVEL);
        if (found > RS_WIRE_RELIN_ENTRIES_MAX && found != rs_context_n(context)) return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
        reader->components_full = rs_params_data_limbs(params);
    }
    reader->entries = found;
    reader->stage = STAGE_KSWITCH_ENTRY;
    *entries = found;
    return RS_OK;
}

rs_status_t rs_wire_read_kswitch_entry(rs_wire_reader_t *reader, uint64_t *components) {
    if (!reader || !components) return RS_ERR_NULL;
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_KSWITCH_ENTRY) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    uint64_t found = 0;
    if (rs_wire_take_u64(reader, &found) != RS_OK) return reader->failed;
    if (found > RS_WIRE_LIMBS_MAX || (found != 0 && reader->components_full != 0 && found != reader->components_full)) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    reader->entries--;
    reader->components = found;
    if (found) {
        reader->stage = STAGE_KSWITCH_COMPONENT;
    } else {
        next_entry(reader);
    }
    *components = found;
    return RS_OK;
}

rs_status_t rs_wire_read_kswitch_component_begin(rs_wire_reader_t *reader, const rs_context_t *context,
                                                 rs_ciphertext_t *component) {
    if (!reader || !component) return RS_ERR_NULL;
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_KSWITCH_COMPONENT) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    if ((context != NULL) != (reader->components_full != 0)) return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    rs_wire_header_t object;
    rs_wire_ciphertext_t members;
    if (rs_wire_take_nested(reader, &object) != RS_OK) return reader->failed;
    if (reader->members_left != UINT64_MAX && object.bytes > reader->members_left + RS_WIRE_HEADER_BYTES) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    if (rs_wire_take_ciphertext(reader, &object, 1, &members) != RS_OK) return reader->failed;
    if (memcmp(members.parms_id, reader->info.parms_id, RS_PARMS_ID_BYTES) != 0)
        return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    if (members.poly_count != 2) return rs_wire_reader_fail(reader, RS_ERR_POLY_COUNT);
    if (ciphertext_begin(reader, context, 1, &members, component) != RS_OK) return reader->failed;
    reader->stage = STAGE_KSWITCH_WORDS;
    return RS_OK;
}

rs_status_t rs_wire_read_kswitch_component_words(rs_wire_reader_t *reader, const rs_context_t *context,
                                                 rs_ciphertext_t *component) {
    if (!reader || !component || !component->data) return RS_ERR_NULL;
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_KSWITCH_WORDS) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    if (ciphertext_words(reader, context, component) != RS_OK) return reader->failed;
    if (--reader->components != 0) {
        reader->stage = STAGE_KSWITCH_COMPONENT;
    } else {
        next_entry(reader);
    }
    return RS_OK;
}
