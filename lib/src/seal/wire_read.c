// SPDX-License-Identifier: Apache-2.0
// Reading SEAL's files. The input is hostile: no field is used before it has been checked, nothing is allocated, and every byte comes
// through rs_wire_take, which knows how much the header promised. The first error sticks.
#include "base/declassify.h"
#include "seal/wire_internal.h"

enum {
    STAGE_OPEN = 0, // nothing but the peek was read
    STAGE_STARTED,
    STAGE_WORDS,
    STAGE_ENTRY,
    STAGE_COMPONENT,
    STAGE_DONE,
};

static rs_wire_in_t *inside(rs_wire_reader_t *reader) { return (rs_wire_in_t *)(void *)reader; }

rs_status_t rs_wire_reader_fail(rs_wire_in_t *reader, rs_status_t status) {
    if (status != RS_OK && reader->failed == RS_OK) reader->failed = status;
    return reader->failed;
}

// ---- bytes ---------------------------------------------------------------------------------------------------------------
// Member bytes from the codec or the source, past the peek. *got < bytes at the end of the data.
static rs_status_t pull(rs_wire_in_t *reader, uint8_t *out, size_t bytes, size_t *got) {
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

rs_status_t rs_wire_take(rs_wire_in_t *reader, uint8_t *out, size_t bytes) {
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

rs_status_t rs_wire_take_u64(rs_wire_in_t *reader, uint64_t *value) {
    uint8_t bytes[8];
    if (rs_wire_take(reader, bytes, sizeof bytes) != RS_OK) return reader->failed;
    *value = rs_load64(bytes);
    return RS_OK;
}

static rs_status_t take_nested(rs_wire_in_t *reader, rs_wire_header_t *header) {
    uint8_t bytes[RS_WIRE_HEADER_BYTES];
    if (rs_wire_take(reader, bytes, sizeof bytes) != RS_OK) return reader->failed;
    return rs_wire_reader_fail(reader, rs_wire_nested_decode(bytes, reader->info.version, header));
}

// The header of an object of that size.
static rs_status_t take_sized(rs_wire_in_t *reader, uint64_t bytes) {
    rs_wire_header_t header;
    if (take_nested(reader, &header) != RS_OK) return reader->failed;
    return header.bytes == bytes ? RS_OK : rs_wire_reader_fail(reader, RS_ERR_LENGTH);
}

rs_status_t rs_wire_take_modulus(rs_wire_in_t *reader, uint64_t *value) {
    return take_sized(reader, RS_WIRE_MODULUS_BYTES) == RS_OK ? rs_wire_take_u64(reader, value) : reader->failed;
}

// Header and count of a DynArray, checked against each other.
static rs_status_t take_array(rs_wire_in_t *reader, uint64_t *words) {
    rs_wire_header_t header;
    if (take_nested(reader, &header) != RS_OK) return reader->failed;
    if (rs_wire_take_u64(reader, words) != RS_OK) return reader->failed;
    if (header.bytes < RS_WIRE_ARRAY_BYTES || (header.bytes - RS_WIRE_ARRAY_BYTES) % 8 != 0 ||
        *words != (header.bytes - RS_WIRE_ARRAY_BYTES) / 8) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    return RS_OK;
}

rs_status_t rs_wire_take_seed(rs_wire_in_t *reader, uint8_t *type, uint8_t *seed) {
    if (take_sized(reader, RS_WIRE_SEED_BYTES) != RS_OK) return reader->failed;
    if (rs_wire_take(reader, type, 1) != RS_OK) return reader->failed;
    if (*type != RS_SEED_BLAKE2XB && *type != RS_SEED_SHAKE256) return rs_wire_reader_fail(reader, RS_ERR_SEED_TYPE);
    return rs_wire_take(reader, seed, RS_SEED_BYTES);
}

// `count` words of one limb into host order; below q unless q is 0.
static rs_status_t take_residues(rs_wire_in_t *reader, uint64_t *words, size_t count, uint64_t q) {
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
static rs_status_t take_words(rs_wire_in_t *reader, uint64_t *words) {
    const uint64_t *moduli = reader->context ? rs_context_params(reader->context)->moduli : NULL;
    const size_t total = (size_t)reader->members.words, n = (size_t)reader->members.n;
    uint32_t limb = 0;
    if (reader->kind == RS_WIRE_PLAINTEXT && !reader->members.ntt) {
        memset(words, 0, 8 * n);
        if (take_residues(reader, words, total, rs_context_params(reader->context)->plain_modulus) != RS_OK)
            rs_zeroize(words, 8 * n);
        return reader->failed;
    }
    for (size_t i = 0; i < total && reader->failed == RS_OK; i += n) {
        rs_ignore(take_residues(reader, words + i, n, moduli ? moduli[limb] : 0));
        limb = limb + 1 == reader->members.limb_count ? 0 : limb + 1;
    }
    if (reader->failed != RS_OK) rs_zeroize(words, 8 * total);
    return reader->failed;
}

// ---- opening -------------------------------------------------------------------------------------------------------------
// A nested header at this member offset, as far as the peek reaches.
static int nested_at(const rs_wire_in_t *reader, uint32_t offset, rs_wire_header_t *header) {
    if (offset + RS_WIRE_HEADER_BYTES > reader->peek_bytes) return 0;
    return rs_wire_nested_decode(reader->peek + offset, reader->info.version, header) == RS_OK;
}

// A DynArray at this member offset whose size and count agree.
static int array_at(const rs_wire_in_t *reader, uint32_t offset, uint64_t *words) {
    rs_wire_header_t header;
    if (offset + RS_WIRE_ARRAY_BYTES > reader->peek_bytes || !nested_at(reader, offset, &header)) return 0;
    *words = rs_load64(reader->peek + offset + RS_WIRE_HEADER_BYTES);
    return *words < UINT64_MAX / 16 && header.bytes == RS_WIRE_ARRAY_BYTES + 8 * *words;
}

// Notes the members of a ciphertext that starts at this member offset, if one does.
static int ciphertext_at(rs_wire_in_t *reader, uint32_t offset) {
    rs_wire_info_t *info = &reader->info;
    uint64_t words = 0;
    if (!array_at(reader, offset + rs_wire_prefix_bytes(info->version, 2), &words)) return 0;
    const uint8_t *members = reader->peek + offset;
    info->ntt = members[32] == 1;
    info->poly_count = rs_load64(members + 33);
    info->n = rs_load64(members + 41);
    info->limb_count = rs_load64(members + 49);
    info->scale = rs_wire_load_f64(members + 57);
    info->correction_factor = info->version >= RS_WIRE_4 ? rs_load64(members + 65) : 1;
    info->words = words;
    // Wrapping products are harmless: these are only reported, and reading checks the factors first.
    info->seeded = info->poly_count == 2 && words != 0 && words == info->n * info->limb_count;
    return 1;
}

static int params_at_start(rs_wire_in_t *reader) {
    rs_wire_header_t header;
    if (!nested_at(reader, RS_WIRE_PARAMS_PREFIX_BYTES, &header) || header.bytes != RS_WIRE_MODULUS_BYTES) return 0;
    reader->info.scheme = reader->peek[0];
    reader->info.n = rs_load64(reader->peek + 1);
    reader->info.limb_count = rs_load64(reader->peek + 9);
    return 1;
}

static int plaintext_at_start(rs_wire_in_t *reader) {
    uint64_t words = 0;
    if (!array_at(reader, RS_WIRE_PLAINTEXT_PREFIX_BYTES, &words)) return 0;
    static const uint8_t zero[RS_PARMS_ID_BYTES];
    reader->info.ntt = memcmp(reader->peek, zero, sizeof zero) != 0;
    reader->info.scale = rs_wire_load_f64(reader->peek + 40);
    reader->info.words = words;
    return 1;
}

// Walks over empty entries to the first key, if the peek reaches that far.
static int kswitch_at_start(rs_wire_in_t *reader) {
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

static void recognise(rs_wire_in_t *reader) {
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

rs_status_t rs_wire_in_open(rs_wire_in_t *reader, const rs_source_t *source, const rs_codec_t *codec) {
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
    reader->info.version = header.version;
    reader->info.compression = header.compression;
    reader->info.total_bytes = header.bytes;

    const uint64_t stored = header.bytes - RS_WIRE_HEADER_BYTES;
    size_t want = sizeof reader->peek;
    if (header.compression == RS_COMPRESSION_NONE) {
        reader->members_left = stored;
        if (want > stored) want = (size_t)stored;
    } else {
        status = codec ? RS_CHECK_REQUEST(codec) : RS_ERR_COMPRESSION;
        if (status != RS_OK) return rs_wire_reader_fail(reader, status);
        reader->members_left = UINT64_MAX;
        status = codec->read_begin(&reader->codec_state, (rs_compression_t)header.compression, &reader->source, stored);
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

rs_status_t rs_wire_open(rs_wire_reader_t *reader, const rs_source_t *source, const rs_codec_t *codec) {
    return reader ? rs_wire_in_open(inside(reader), source, codec) : RS_ERR_NULL;
}

rs_status_t rs_wire_info(const rs_wire_reader_t *reader, const rs_context_t *context, rs_wire_info_t *info) {
    if (!reader || !info) return RS_ERR_NULL;
    *info = ((const rs_wire_in_t *)(const void *)reader)->info;
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
        if (key && info->ntt) info->kind = RS_WIRE_PUBLIC_KEY;
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
static rs_status_t end_check(rs_wire_in_t *reader, int check) {
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

rs_status_t rs_wire_in_close(rs_wire_in_t *reader, int check) {
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

rs_status_t rs_wire_close(rs_wire_reader_t *reader, int check) {
    return reader ? rs_wire_in_close(inside(reader), check) : RS_ERR_NULL;
}

// ---- starting ------------------------------------------------------------------------------------------------------------
// The first bytes tell kinds apart but for pairs: plaintext and secret key, ciphertext and public key, relinearisation and Galois keys.
static uint32_t layout_of(uint32_t kind) { return kind > RS_WIRE_PARAMS ? kind & ~1u : kind; }

rs_status_t rs_wire_reader_start(rs_wire_in_t *reader, uint32_t kind) {
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_OPEN) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    reader->stage = STAGE_STARTED;
    reader->kind = kind;
    const uint32_t found = layout_of(reader->info.kind);
    return found == layout_of(kind) || found == RS_WIRE_UNKNOWN ? RS_OK : rs_wire_reader_fail(reader, RS_ERR_KIND);
}

void rs_wire_reader_done(rs_wire_in_t *reader) { reader->stage = STAGE_DONE; }

// ---- parameters ----------------------------------------------------------------------------------------------------------
rs_status_t rs_wire_read_params(rs_wire_reader_t *handle, rs_params_t *params, uint32_t security) {
    if (!handle || !params) return RS_ERR_NULL;
    rs_wire_in_t *reader = inside(handle);
    if (rs_wire_reader_start(reader, RS_WIRE_PARAMS) != RS_OK) return reader->failed;
    uint8_t scheme = 0;
    uint64_t n = 0, count = 0;
    rs_ignore(rs_wire_take(reader, &scheme, 1));
    rs_ignore(rs_wire_take_u64(reader, &n));
    if (rs_wire_take_u64(reader, &count) != RS_OK) return reader->failed;
    if (scheme < RS_SCHEME_BFV || scheme > RS_SCHEME_BGV) return rs_wire_reader_fail(reader, RS_ERR_SCHEME);
    if (n < (uint64_t)1 << RS_LOG_N_MIN || n > (uint64_t)1 << RS_LOG_N_MAX || (n & (n - 1)) != 0) {
        return rs_wire_reader_fail(reader, RS_ERR_DEGREE);
    }
    if (count == 0 || count > RS_LIMBS_MAX) return rs_wire_reader_fail(reader, RS_ERR_LIMB_COUNT);
    if (reader->members_left != UINT64_MAX && reader->info.total_bytes != rs_wire_params_bytes(count)) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    rs_params_t found;
    memset(&found, 0, sizeof found);
    found.log_n = (uint32_t)__builtin_ctzll(n);
    found.limb_count = (uint32_t)count;
    found.scheme = scheme;
    for (uint32_t i = 0; i <= found.limb_count; i++) {
        uint64_t value = 0;
        if (rs_wire_take_modulus(reader, &value) != RS_OK) return reader->failed;
        if (i < found.limb_count) {
            found.moduli[i] = value;
        } else {
            found.plain_modulus = value;
        }
    }
    if (scheme == RS_SCHEME_CKKS && found.plain_modulus) return rs_wire_reader_fail(reader, RS_ERR_SCHEME);
    const rs_status_t status = rs_params_check(&found, security);
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    *params = found;
    reader->stage = STAGE_DONE;
    return RS_OK;
}

// ---- members of every other kind -----------------------------------------------------------------------------------------
static rs_status_t plaintext_check(const rs_wire_members_t *members, uint64_t stated_words) {
    const int good = members->words == stated_words && members->words <= (uint64_t)RS_WIRE_LIMBS_MAX << RS_WIRE_LOG_N_MAX;
    return good ? RS_OK : RS_ERR_LENGTH;
}

static rs_status_t ciphertext_check(rs_wire_members_t *members, uint32_t version) {
    if (members->ntt > 1) return RS_ERR_NOT_NTT;
    if (members->poly_count < 2 || members->poly_count > RS_POLYS_MAX) return RS_ERR_POLY_COUNT;
    if (members->n < 2 || members->n > (uint64_t)1 << RS_WIRE_LOG_N_MAX || (members->n & (members->n - 1)) != 0 ||
        members->limb_count == 0 || members->limb_count > RS_WIRE_LIMBS_MAX) {
        return RS_ERR_LENGTH;
    }
    const uint64_t poly_words = members->n * members->limb_count; // at most 2^23
    members->seeded = members->poly_count == 2 && members->words == poly_words;
    if (!members->seeded && members->words != members->poly_count * poly_words) return RS_ERR_LENGTH;
    return members->seeded && version < RS_WIRE_3_SEEDED ? RS_ERR_VERSION : RS_OK;
}

// Up to the words. object: header of the object itself; exact: its size must be right (else it is that of compressed data).
static rs_status_t take_members(rs_wire_in_t *reader, int plain, const rs_wire_header_t *object, int exact,
                                rs_wire_members_t *members) {
    static const uint8_t zero[RS_PARMS_ID_BYTES];
    uint8_t bytes[RS_WIRE_CIPHERTEXT_PREFIX_BYTES + 8];
    if (rs_wire_take(reader, bytes, rs_wire_prefix_bytes(object->version, plain ? 1 : 2)) != RS_OK) return reader->failed;
    memset(members, 0, sizeof *members);
    memcpy(members->parms_id, bytes, RS_PARMS_ID_BYTES);
    members->correction = 1;
    if (plain) {
        members->ntt = memcmp(bytes, zero, sizeof zero) != 0;
        members->poly_count = 1;
        members->scale = rs_wire_load_f64(bytes + 40);
    } else {
        members->ntt = bytes[32];
        members->poly_count = rs_load64(bytes + 33);
        members->n = rs_load64(bytes + 41);
        members->limb_count = rs_load64(bytes + 49);
        members->scale = rs_wire_load_f64(bytes + 57);
        if (object->version >= RS_WIRE_4) members->correction = rs_load64(bytes + 65);
    }
    if (take_array(reader, &members->words) != RS_OK) return reader->failed;
    rs_status_t status = plain ? plaintext_check(members, rs_load64(bytes + 32)) : ciphertext_check(members, object->version);
    if (status == RS_OK && exact && object->bytes != rs_wire_object_bytes(object->version, members)) status = RS_ERR_LENGTH;
    return rs_wire_reader_fail(reader, status);
}

// A component: an object of its own, under the parms_id of the keys.
static rs_status_t take_component(rs_wire_in_t *reader, rs_wire_members_t *members) {
    rs_wire_header_t object;
    if (take_nested(reader, &object) != RS_OK) return reader->failed;
    if (reader->members_left != UINT64_MAX && object.bytes > reader->members_left + RS_WIRE_HEADER_BYTES) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    if (take_members(reader, 0, &object, 1, members) != RS_OK) return reader->failed;
    if (memcmp(members->parms_id, reader->info.parms_id, RS_PARMS_ID_BYTES) != 0) {
        return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    }
    return members->poly_count == 2 ? RS_OK : rs_wire_reader_fail(reader, RS_ERR_POLY_COUNT);
}

rs_status_t rs_wire_take_members(rs_wire_in_t *reader, uint32_t kind, rs_wire_members_t *members) {
    if (rs_wire_has_entries(kind)) return take_component(reader, members);
    const rs_wire_header_t object = {.version = reader->info.version, .bytes = reader->info.total_bytes};
    return take_members(reader, rs_wire_is_plain(kind), &object, reader->info.compression == RS_COMPRESSION_NONE, members);
}

rs_status_t rs_wire_take_keys(rs_wire_in_t *reader, uint64_t *entries) {
    rs_ignore(rs_wire_take(reader, reader->info.parms_id, RS_PARMS_ID_BYTES)); // every component must repeat it
    if (rs_wire_take_u64(reader, entries) != RS_OK) return reader->failed;
    const int possible = *entries != 0 && *entries <= (uint64_t)1 << RS_WIRE_LOG_N_MAX &&
                         (reader->members_left == UINT64_MAX || reader->members_left >= 8 * *entries);
    return possible ? RS_OK : rs_wire_reader_fail(reader, RS_ERR_LENGTH);
}

rs_status_t rs_wire_take_entry(rs_wire_in_t *reader, uint64_t *components) {
    if (rs_wire_take_u64(reader, components) != RS_OK) return reader->failed;
    return *components <= RS_WIRE_LIMBS_MAX ? RS_OK : rs_wire_reader_fail(reader, RS_ERR_LENGTH);
}

// ---- a target's descriptor -----------------------------------------------------------------------------------------------
typedef struct descriptor {
    uint8_t *parms_id;
    uint64_t *words;
    uint32_t *limb_count; // a secret key has all limbs
    rs_ciphertext_t *ciphertext;
} descriptor_t;

static rs_status_t descriptor_of(const rs_wire_target_t *target, descriptor_t *to) {
    RS_TRY(RS_CHECK_REQUEST(target));
    rs_plaintext_t *plaintext = target->plaintext;
    rs_ciphertext_t *ciphertext = target->ciphertext;
    rs_secret_key_t *key = target->secret_key;
    switch (target->kind) {
    case RS_WIRE_PLAINTEXT:
        if (!plaintext) return RS_ERR_NULL;
        *to = (descriptor_t){plaintext->parms_id, plaintext->form == RS_FORM_WORDS ? plaintext->message : plaintext->ntt,
                             &plaintext->limb_count, NULL};
        return RS_OK;
    case RS_WIRE_SECRET_KEY:
        if (!key) return RS_ERR_NULL;
        *to = (descriptor_t){key->parms_id, key->ntt, NULL, NULL};
        return RS_OK;
    case RS_WIRE_CIPHERTEXT:
    case RS_WIRE_PUBLIC_KEY:
    case RS_WIRE_RELIN_KEYS:
    case RS_WIRE_GALOIS_KEYS:
        if (!ciphertext) return RS_ERR_NULL;
        *to = (descriptor_t){ciphertext->parms_id, ciphertext->data, &ciphertext->limb_count, ciphertext};
        return RS_OK;
    default: return RS_ERR_KIND;
    }
}

static void fill(const rs_context_t *context, const rs_wire_target_t *target, const descriptor_t *to,
                 const rs_wire_members_t *members) {
    const uint32_t limb_count = (uint32_t)members->limb_count;
    const uint64_t correction = rs_wire_is_exact(context) ? members->correction : 0;
    if (to->ciphertext) {
        *to->ciphertext = (rs_ciphertext_t){.poly_count = (uint32_t)members->poly_count,
                                            .limb_count = limb_count,
                                            .seeded = members->seeded,
                                            .scale = members->scale,
                                            .data = to->words,
                                            .form = members->ntt ? RS_FORM_NTT : RS_FORM_COEF,
                                            .correction_factor = correction};
    } else if (target->kind == RS_WIRE_PLAINTEXT) {
        *target->plaintext = (rs_plaintext_t){.form = members->ntt ? RS_FORM_NTT : RS_FORM_WORDS,
                                              .limb_count = limb_count,
                                              .scale = members->scale,
                                              .message = target->plaintext->message,
                                              .ntt = target->plaintext->ntt,
                                              .correction_factor = correction};
    } else {
        *target->secret_key = (rs_secret_key_t){.ntt = to->words};
    }
    if (members->ntt || to->ciphertext) {
        memcpy(to->parms_id, members->parms_id, RS_PARMS_ID_BYTES);
    } else { // a plaintext modulo t, whose file names no level
        memcpy(to->parms_id, rs_context_parms_id(context, limb_count), RS_PARMS_ID_BYTES);
    }
}

// The caller's array was sized by this descriptor: it must still be the one that `begin` filled in.
static int is_unchanged(const descriptor_t *to, const rs_wire_members_t *members) {
    return (memcmp(to->parms_id, members->parms_id, RS_PARMS_ID_BYTES) == 0 || !members->ntt) &&
           (!to->limb_count || *to->limb_count == members->limb_count) &&
           (!to->ciphertext || (to->ciphertext->poly_count == members->poly_count && to->ciphertext->seeded == members->seeded));
}

// ---- words ---------------------------------------------------------------------------------------------------------------
// Checks against the context; gives a plaintext the n and limb_count that its file does not say.
static rs_status_t context_check(const rs_context_t *context, uint32_t kind, rs_wire_members_t *members) {
    const uint32_t limb_count = rs_context_find_id(context, members->parms_id);
    const uint64_t n = rs_context_n(context);
    const int plain = rs_wire_is_plain(kind);
    if (kind == RS_WIRE_PLAINTEXT && rs_wire_is_exact(context)) { // coefficients modulo t, cut behind the last one that is not 0
        if (members->ntt) return limb_count ? RS_ERR_FORM : RS_ERR_MISMATCH;
        members->n = n;
        members->limb_count = rs_params_data_limbs(rs_context_params(context));
        if (members->words > n) return RS_ERR_LENGTH;
        return members->scale == 1.0 ? RS_OK : RS_ERR_SCALE;
    }
    if (limb_count == 0) return plain && !members->ntt ? RS_ERR_NOT_NTT : RS_ERR_MISMATCH;
    if (plain ? members->words != limb_count * n : members->n != n || members->limb_count != limb_count) return RS_ERR_LENGTH;
    members->n = n;
    members->limb_count = limb_count;
    return rs_wire_level_check(context, kind, members);
}

rs_status_t rs_wire_read_begin(rs_wire_reader_t *handle, const rs_context_t *context, const rs_wire_target_t *target) {
    descriptor_t to;
    if (!handle) return RS_ERR_NULL;
    RS_TRY(descriptor_of(target, &to));
    if (!context && !to.ciphertext) return RS_ERR_NULL;
    rs_wire_in_t *reader = inside(handle);
    if (!rs_wire_has_entries(target->kind)) {
        if (rs_wire_reader_start(reader, target->kind) != RS_OK) return reader->failed;
        reader->context = context;
    }
    if (reader->failed != RS_OK) return reader->failed;
    const uint32_t stage = rs_wire_has_entries(target->kind) ? STAGE_COMPONENT : STAGE_STARTED;
    if (reader->stage != stage || reader->kind != target->kind) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    if (reader->context != context) return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    rs_wire_members_t *members = &reader->members;
    if (rs_wire_take_members(reader, target->kind, members) != RS_OK) return reader->failed;
    if (context && rs_wire_reader_fail(reader, context_check(context, target->kind, members)) != RS_OK) return reader->failed;
    fill(context, target, &to, members);
    reader->info.words = members->words;
    reader->stage = STAGE_WORDS;
    return RS_OK;
}

static void next_entry(rs_wire_in_t *reader) {
    reader->stage = reader->components != 0 ? STAGE_COMPONENT : reader->entries != 0 ? STAGE_ENTRY : STAGE_DONE;
}

rs_status_t rs_wire_read_words(rs_wire_reader_t *handle, const rs_wire_target_t *target) {
    descriptor_t to;
    if (!handle) return RS_ERR_NULL;
    RS_TRY(descriptor_of(target, &to));
    if (!to.words) return RS_ERR_NULL;
    rs_wire_in_t *reader = inside(handle);
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_WORDS || reader->kind != target->kind) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    if (!is_unchanged(&to, &reader->members)) return rs_wire_reader_fail(reader, RS_ERR_MISMATCH);
    if (take_words(reader, to.words) != RS_OK) return reader->failed;
    if (reader->members.seeded) {
        uint8_t type = 0;
        rs_seed_t seed = {{0}};
        if (rs_wire_take_seed(reader, &type, seed.bytes) != RS_OK) {
            rs_zeroize(to.words, 8 * (size_t)reader->members.words);
            return reader->failed;
        }
        to.ciphertext->seed_type = (rs_seed_type_t)type;
        to.ciphertext->seed = seed;
    }
    if (reader->components) reader->components--;
    next_entry(reader);
    return RS_OK;
}

// ---- key-switching keys --------------------------------------------------------------------------------------------------
static rs_status_t keys_check(const rs_context_t *context, uint32_t kind, const uint8_t *parms_id, uint64_t entries) {
    const rs_params_t *params = rs_context_params(context);
    const uint32_t limb_count = rs_context_find_id(context, parms_id);
    const int all = entries == rs_context_n(context);
    if (params->limb_count < 2) return RS_ERR_NO_SPECIAL;
    if (limb_count == 0) return RS_ERR_MISMATCH;
    if (limb_count != params->limb_count) return RS_ERR_LEVEL;
    if (entries > RS_WIRE_RELIN_ENTRIES_MAX && !all) return RS_ERR_LENGTH;
    return all == (kind == RS_WIRE_GALOIS_KEYS) ? RS_OK : RS_ERR_KIND;
}

rs_status_t rs_wire_read_entries(rs_wire_reader_t *handle, const rs_context_t *context, uint32_t kind, uint64_t *entries) {
    if (!handle || !entries) return RS_ERR_NULL;
    if (!rs_wire_has_entries(kind)) return RS_ERR_KIND;
    rs_wire_in_t *reader = inside(handle);
    uint64_t found = 0;
    if (rs_wire_reader_start(reader, kind) != RS_OK) return reader->failed;
    if (rs_wire_take_keys(reader, &found) != RS_OK) return reader->failed;
    const rs_status_t status = context ? keys_check(context, kind, reader->info.parms_id, found) : RS_OK;
    if (status != RS_OK) return rs_wire_reader_fail(reader, status);
    reader->context = context;
    reader->entries = found;
    reader->stage = STAGE_ENTRY;
    *entries = found;
    return RS_OK;
}

rs_status_t rs_wire_read_entry(rs_wire_reader_t *handle, uint64_t *components) {
    if (!handle || !components) return RS_ERR_NULL;
    rs_wire_in_t *reader = inside(handle);
    if (reader->failed != RS_OK) return reader->failed;
    if (reader->stage != STAGE_ENTRY) return rs_wire_reader_fail(reader, RS_ERR_SEQUENCE);
    uint64_t found = 0;
    if (rs_wire_take_entry(reader, &found) != RS_OK) return reader->failed;
    if (found != 0 && reader->context && found != rs_params_data_limbs(rs_context_params(reader->context))) {
        return rs_wire_reader_fail(reader, RS_ERR_LENGTH);
    }
    reader->entries--;
    reader->components = found;
    next_entry(reader);
    *components = found;
    return RS_OK;
}
