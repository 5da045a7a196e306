// SPDX-License-Identifier: Apache-2.0
// Names and sentences of the status codes.
#include <ringside/base.h>

typedef struct status_text {
    rs_status_t status;
    const char *name;
    const char *message;
} status_text_t;

#define TEXT(code, message) {code, #code, message}

static const status_text_t STATUS_TEXT[] = {
    TEXT(RS_OK, "success"),
    TEXT(RS_ERR_NULL, "a required pointer is NULL"),
    TEXT(RS_ERR_STRUCT, "the request is of another version of this library, or its size is not set"),
    TEXT(RS_ERR_OPTION, "members of the request contradict each other, or one has a value that it cannot have"),
    TEXT(RS_ERR_TOO_SMALL, "the memory handed in is too small: ask the matching size function"),
    TEXT(RS_ERR_ALIGNMENT, "the memory handed in is not aligned to 8 bytes"),
    TEXT(RS_ERR_NO_MEMORY, "the host is out of memory"),
    TEXT(RS_ERR_BYTES, "an array has another length than its parameter set demands"),
    TEXT(RS_ERR_DEGREE, "N must be a power of two in the range that is supported"),
    TEXT(RS_ERR_LIMB_COUNT, "the modulus chain must have 1 to 64 limbs"),
    TEXT(RS_ERR_MODULUS_RANGE, "every modulus must lie between 2N and 2^60 (that of a ring alone, 2^61 and a little more)"),
    TEXT(RS_ERR_MODULUS_PRIME, "every modulus must be prime"),
    TEXT(RS_ERR_MODULUS_NTT, "every modulus must be 1 modulo 2N, otherwise it has no negacyclic NTT"),
    TEXT(RS_ERR_MODULUS_TWICE, "a modulus occurs twice in the chain"),
    TEXT(RS_ERR_PRIMES, "there are not enough NTT primes of this bit size for this N"),
    TEXT(RS_ERR_SET, "there is no parameter set of this name or number"),
    TEXT(RS_ERR_SECURITY_LEVEL, "the security level must be 128, 192 or 256, or the checks be waived by name"),
    TEXT(RS_ERR_INSECURE, "the moduli are too large for this N at the wanted security level"),
    TEXT(RS_ERR_PLAIN_MODULUS,
         "the plain modulus is not from 2 to 2^60 - 1, has a common factor with a modulus, or is not below their product"),
    TEXT(RS_ERR_BATCHING, "slots need a plain modulus that is prime and 1 mod 2N: take another one, or coefficients"),
    TEXT(RS_ERR_MISMATCH, "the object belongs to other parameters or another level"),
    TEXT(RS_ERR_LEVEL, "the level is outside the modulus chain"),
    TEXT(RS_ERR_SCALE, "the scale must be positive, finite and below the modulus of its level"),
    TEXT(RS_ERR_VALUE_COUNT, "there are more values than the N/2 slots of a ciphertext"),
    TEXT(RS_ERR_NOT_FINITE, "a value is NaN or infinite"),
    TEXT(RS_ERR_OVERFLOW, "the values times the scale do not fit below the modulus of the level"),
    TEXT(RS_ERR_VALUE_RANGE, "a value is outside the range of a double, of the words or of the numbers"),
    TEXT(RS_ERR_FORM, "the plaintext is in the wrong form: coefficients where NTT is needed, or the reverse"),
    TEXT(RS_ERR_SEEDED, "the ciphertext must be expanded from its seed first"),
    TEXT(RS_ERR_POLY_COUNT, "the ciphertext has an unsupported number of polynomials"),
    TEXT(RS_ERR_NO_SPECIAL, "key switching needs a special prime: a last modulus, not far below the others"),
    TEXT(RS_ERR_GALOIS,
         "the rotation must be smaller than N/2, the Galois element odd and below 2N, and several of them ascending"),
    TEXT(RS_ERR_SEED_TYPE, "the seed expansion must be BLAKE2Xb (1) or SHAKE256 (2)"),
    TEXT(RS_ERR_PUBLISH, "published values have -256 to 256 bits after the point, and noise of 4 to 57 bits or none"),
    TEXT(RS_ERR_WORD_BITS, "words of fixed point must have 24 to 64 bits"),
    TEXT(RS_ERR_LAYOUT, "this is no format of numbers, or its exponent or bound is outside of -1023 to 1023"),
    TEXT(RS_ERR_CORRECTION, "the correction factor is not invertible modulo the plain modulus, or is not 1 in BFV"),
    TEXT(RS_ERR_NOISE, "the noise is too near to its limit to be sure of the result"),
    TEXT(RS_ERR_IO, "reading or writing failed"),
    TEXT(RS_ERR_DISK_FULL, "there is no space left to write to"),
    TEXT(RS_ERR_TRUNCATED, "the data end before the object does"),
    TEXT(RS_ERR_TRAILING, "data follow the end of the object"),
    TEXT(RS_ERR_MAGIC, "this is not a SEAL object"),
    TEXT(RS_ERR_VERSION, "this version of the SEAL format is not supported"),
    TEXT(RS_ERR_COMPRESSION, "the compression is unknown or not available here"),
    TEXT(RS_ERR_CODEC, "the compressed data are damaged"),
    TEXT(RS_ERR_LENGTH, "a length or size field contradicts the rest of the object"),
    TEXT(RS_ERR_KIND, "the object is of another kind than asked for"),
    TEXT(RS_ERR_SCHEME, "the parameters or the object belong to another scheme than this operation is for"),
    TEXT(RS_ERR_RESIDUE, "a residue is not below its modulus"),
    TEXT(RS_ERR_NOT_NTT, "the object is not in NTT form"),
    TEXT(RS_ERR_SEQUENCE, "reader or writer calls came in the wrong order"),
    TEXT(RS_ERR_DESIGN,
         "the design cannot do this: public-key encryption with a special prime needs a slot, and five groups or two "
         "contexts, with slots as the message six groups (take the direct form), expansion of seeds needs its unit"),
    TEXT(RS_ERR_DESIGN_DEGREE, "the design is not built for this N: take another N, or a design whose range includes it"),
    TEXT(RS_ERR_DESIGN_MODULUS, "a modulus is wider than the design's words: take smaller primes or a design with wider words"),
    TEXT(RS_ERR_PROGRAM_LENGTH, "the program does not fit: take fewer limbs or a design with more program memory"),
    TEXT(RS_ERR_TIME, "the program has an instruction whose time nobody has measured"),
    TEXT(RS_ERR_DEVICE_ABSENT, "no accelerator core answers there: check the address and the clock"),
    TEXT(RS_ERR_DEVICE_VERSION,
         "the accelerator core is older than this library, or newer: its instructions are of another version; rebuild one of them"),
    TEXT(RS_ERR_DEVICE_DESIGN, "the core's configuration registers are of no core that this library knows: check the bus, and that "
                               "core and library are of one version"),
    TEXT(RS_ERR_DEVICE_ADDRESS, "the device's memory must begin at a multiple of 4096"),
    TEXT(RS_ERR_DEVICE_MEMORY,
         "the device's memory is too small for these parameters: rs_device_memory_bytes() tells how much is needed"),
    TEXT(RS_ERR_DEVICE_NOT_LOADED, "load a context and the key into the device first"),
    TEXT(RS_ERR_DEVICE_BUSY, "the core does not become idle: reset it"),
    TEXT(RS_ERR_DEVICE_STALL,
         "memory does not answer the core, which has wiped its secrets: reset the interconnect and call rs_device_reset_bus"),
    TEXT(RS_ERR_DEVICE_BUS, "memory answered the core with a bus error: check the address of the device's memory"),
    TEXT(RS_ERR_DEVICE_RESIDUE,
         "the device's memory holds data above their modulus: something else wrote there; load the keys again"),
    TEXT(RS_ERR_DEVICE_WATCHDOG, "the core's watchdog ended the program: memory is too slow or does not answer"),
    TEXT(RS_ERR_DEVICE_ABORTED, "the program was aborted"),
    TEXT(RS_ERR_DEVICE_ALERT,
         "the core saw a bit flip and ended the program: reset the core; if it happens again, somebody may be attacking it"),
    TEXT(RS_ERR_DEVICE_PROGRAM, "the core refused the program: core and library do not belong together, or memory was changed"),
    TEXT(RS_ERR_DEVICE_SELFTEST, "the core computes wrong results: do not use it"),
    TEXT(RS_ERR_DEVICE_KEY_USE, "the core's register KEY_USE forbids to encrypt, or to decrypt, until the core is reset"),
    TEXT(RS_ERR_DEVICE_UNWIPED,
         "the core could not be wiped and may still hold secrets: reset it; the next call on this device tries again"),
    TEXT(RS_ERR_SECRET_KEY, "the secret key is damaged: values in it are out of range or contradict each other, or it is zero"),
    TEXT(RS_ERR_PUBLIC_KEY, "the public key is damaged, or none of this set: a coefficient is not below its modulus"),
    TEXT(RS_ERR_KEY_PAIR, "the public key does not belong to the secret key: they are of two pairs, or a fault damaged them"),
    TEXT(RS_ERR_SIGNATURE, "the signature is not valid for this message and key, or not with this context"),
    TEXT(RS_ERR_ROUNDS, "no signature was found in 814 rounds: the secret key is damaged"),
    TEXT(RS_ERR_CONTEXT_STRING, "a context string has at most 255 bytes"),
    TEXT(RS_ERR_PREHASH, "the hash function of the message is unknown, or the digest is not of its length"),
    TEXT(RS_ERR_RNG, "the source of random seeds failed"),
    TEXT(RS_ERR_THREADS, "a pool has 1 to 256 threads, and the system must let them start"),
    TEXT(RS_ERR_BACKEND, "no back end of this name runs on this machine: the names are portable, avx2, avx512; RINGSIDE_BACKEND "
                         "must be one or empty"),
    TEXT(RS_ERR_SELFTEST, "a known-answer test failed: this build computes wrong results"),
    TEXT(RS_ERR_CONSENT, "this is for research or tests alone, and wants consent by name"),
};

static const status_text_t UNKNOWN = {RS_STATUS_MAX, "RS_ERR_UNKNOWN", "unknown status code"};

static const status_text_t *find(rs_status_t status) {
    for (size_t i = 0; i < sizeof STATUS_TEXT / sizeof *STATUS_TEXT; i++)
        if (STATUS_TEXT[i].status == status) return &STATUS_TEXT[i];
    return &UNKNOWN;
}

const char *rs_status_name(rs_status_t status) { return find(status)->name; }

const char *rs_status_message(rs_status_t status) { return find(status)->message; }
