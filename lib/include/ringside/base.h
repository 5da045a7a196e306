// SPDX-License-Identifier: Apache-2.0
// What every header needs: status codes, spans of memory, requests, the version, wiping of memory.
// Every function that can fail returns a status. No function prints, aborts or returns plausible garbage.
#ifndef RINGSIDE_BASE_H
#define RINGSIDE_BASE_H

#ifndef RS_CDEF
#include <stddef.h>
#include <stdint.h>
#if defined(_WIN32) && defined(RS_EXPORTS) // the library's own build; its users need nothing
#define RS_API __declspec(dllexport)
#elif defined(_WIN32)
#define RS_API
#else
#define RS_API __attribute__((visibility("default")))
#endif
// The compiler warns where such a function's result is not used.
#define RS_MUST_CHECK __attribute__((warn_unused_result))
#else
#define RS_API
#define RS_MUST_CHECK
#endif
// The same for every function, pointers to functions and internal ones included, where the compiler lets a type say so.
#if defined(__clang__) && !defined(RS_CDEF)
#define RS_MUST_CHECK_TYPE __attribute__((warn_unused_result))
#else
#define RS_MUST_CHECK_TYPE
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Marks what is secret. A test poisons each marked member and demands that no branch and no index depends on it.
#if defined(__clang__) && !defined(RS_CDEF)
#define RS_SECRET __attribute__((annotate("rs_secret")))
#else
#define RS_SECRET
#endif

typedef enum RS_MUST_CHECK_TYPE rs_status {
    RS_OK = 0,
    // Arguments and memory
    RS_ERR_NULL, // a required pointer is NULL
    RS_ERR_STRUCT, // a request of a size that this library does not know, or with members that it does not know
    RS_ERR_OPTION, // members of a request contradict each other, or one has a value that it cannot have
    RS_ERR_MEMORY, // caller's memory is smaller than the matching rs_*_size()
    RS_ERR_ALIGNMENT, // caller's memory is not aligned to 8 bytes
    RS_ERR_NO_MEMORY, // the host ran out of memory (host/ functions only; the core never allocates)
    // Parameters
    RS_ERR_DEGREE, // N is not a power of two from 2^9 to 2^17
    RS_ERR_LIMB_COUNT, // no limbs, or more than RS_LIMBS_MAX
    RS_ERR_MODULUS_RANGE, // a modulus is not in (2N, 2^60)
    RS_ERR_MODULUS_PRIME, // a modulus is not prime
    RS_ERR_MODULUS_NTT, // a modulus is not 1 mod 2N
    RS_ERR_MODULUS_TWICE, // a modulus occurs twice
    RS_ERR_PRIMES, // there are too few NTT primes of the requested size
    RS_ERR_SET_NAME, // no parameter set of that name
    RS_ERR_SECURITY_LEVEL, // security level other than 128, 192, 256, or none by name
    RS_ERR_INSECURE, // parameters below the wanted security level
    // Objects and operations
    RS_ERR_MISMATCH, // object made under other parameters or at another level
    RS_ERR_LEVEL, // level outside the modulus chain
    RS_ERR_SCALE, // scale not positive and finite, or too large for the level
    RS_ERR_VALUE_COUNT, // more values than N/2 slots
    RS_ERR_NOT_FINITE, // a value is NaN or infinite
    RS_ERR_OVERFLOW, // encoded value does not fit below the modulus of its level
    RS_ERR_DECODE_RANGE, // decoded value exceeds the range of a double
    RS_ERR_FORM, // plaintext is in the other form (coefficients or NTT)
    RS_ERR_SEEDED, // ciphertext must be expanded from its seed first
    RS_ERR_POLY_COUNT, // ciphertext has an unsupported number of polynomials
    RS_ERR_NO_SPECIAL, // parameters have a single limb: no special prime, no key switching
    RS_ERR_GALOIS, // rotation or Galois element out of range
    RS_ERR_SEED_TYPE, // unknown seed expansion
    RS_ERR_RNG, // the source of random seeds failed
    RS_ERR_DETERMINISTIC, // deterministic seeds refused: not a test build and no consent by name
    RS_ERR_SECRET_KEY, // secret key is not a ternary polynomial, or it is zero
    RS_ERR_KEY_PAIR, // public key is not that of the secret key
    RS_ERR_SELFTEST, // a built-in known-answer test failed
    RS_ERR_BACKEND, // no back end of that name on this machine
    RS_ERR_THREADS, // a pool of no threads, of too many, or the system refuses to start them
    // Wire
    RS_ERR_IO, // reading or writing failed
    RS_ERR_DISK_FULL, // no space left to write
    RS_ERR_TRUNCATED, // the data ends before the object does
    RS_ERR_TRAILING, // data follow the end of the object
    RS_ERR_MAGIC, // not a SEAL object
    RS_ERR_VERSION, // SEAL format version that cannot be read or written
    RS_ERR_COMPRESSION, // unknown compression, or this build has no codec for it
    RS_ERR_CODEC, // compressed data are damaged
    RS_ERR_LENGTH, // a length or size field contradicts the rest of the object
    RS_ERR_KIND, // the object is not of the requested kind
    RS_ERR_SCHEME, // parameters of another scheme than CKKS
    RS_ERR_RESIDUE, // a residue is not below its modulus
    RS_ERR_NOT_NTT, // the object is not in NTT form
    RS_ERR_SEQUENCE, // calls in the wrong order on a reader or writer
    // Accelerator: what a design cannot do
    RS_ERR_DESIGN, // too few groups, no slots, or no unit for this job
    RS_ERR_DESIGN_DEGREE, // N outside the range that is built
    RS_ERR_DESIGN_WIDTH, // a modulus is wider than its words
    RS_ERR_DESIGN_REDUCTION, // a modulus is not 1 mod 2^11, as word-level Montgomery needs
    RS_ERR_PROGRAM_LENGTH, // the program is longer than program memory
    // Accelerator: the device
    RS_ERR_DEVICE_ABSENT, // no core answers
    RS_ERR_DEVICE_VERSION, // a core of another version
    RS_ERR_DEVICE_DESIGN, // configuration registers that no core can have
    RS_ERR_DEVICE_ADDRESS, // memory that does not begin at a multiple of 4096
    RS_ERR_DEVICE_MEMORY, // bus memory is too small
    RS_ERR_DEVICE_EMPTY, // no context or no key has been loaded
    RS_ERR_DEVICE_BUSY, // the core does not become idle
    RS_ERR_DEVICE_HUNG, // memory does not answer the core
    RS_ERR_DEVICE_BUS, // memory answered the core with an error
    RS_ERR_DEVICE_RESIDUE, // the core found data in memory that are not below their modulus
    RS_ERR_DEVICE_WATCHDOG, // a program took too long
    RS_ERR_DEVICE_ABORTED, // a program was aborted
    RS_ERR_DEVICE_ALERT, // a flip-flop of the core has flipped
    RS_ERR_DEVICE_PROGRAM, // the core refused the library's program
    RS_ERR_DEVICE_SELFTEST, // the core computes wrong results
    // Plans of a single ring
    RS_ERR_PLAN_DEGREE, // N is not a power of two from 4 to 2^17
    // Publishing
    RS_ERR_PUBLISH, // bits to publish, or bits of noise to add, out of range
    // Fixed point
    RS_ERR_FIXED_BITS, // words of fewer than 24 or more than 64 bits
    RS_ERR_FIXED_FORMAT, // unknown format of numbers, or an exponent out of range
    RS_ERR_FIXED_RANGE, // a value is out of the range of its words or numbers
    // Accelerator: keys
    RS_ERR_DEVICE_KEY_USE, // the core's register KEY_USE forbids what was asked
    RS_ERR_DEVICE_UNWIPED, // the core could not be wiped, and may hold secrets
    // Accelerator: time
    RS_ERR_TIME, // an instruction that nobody has measured
    // ML-KEM
    RS_ERR_MLKEM_SET, // no set of that number
    RS_ERR_MLKEM_BYTES, // a key, ciphertext, seed or secret of another length than the set's
    RS_ERR_MLKEM_EK, // the encapsulation key has a coefficient that is not below q
    RS_ERR_MLKEM_DK, // the decapsulation key has another hash than that of its encapsulation key
    // ML-DSA
    RS_ERR_MLDSA_SET, // no parameter set of that number
    RS_ERR_MLDSA_BYTES, // an array has not the length that its parameter set demands
    RS_ERR_MLDSA_KEY, // values in a key are out of range, or contradict each other
    RS_ERR_SIGNATURE, // the signature is not valid
    RS_ERR_MLDSA_ROUNDS, // no signature was found in all the attempts there may be
    RS_ERR_MLDSA_CONTEXT, // a context string of more than 255 bytes
    RS_ERR_MLDSA_PREHASH, // unknown hash function of a message, or a digest of another length
    // FN-DSA
    RS_ERR_FNDSA_SET, // no parameter set of that number
    RS_ERR_FNDSA_BYTES, // a public key or a padded signature of another length than the set's
    RS_ERR_FNDSA_KEY, // bytes that are no public key
    // Schemes for research
    RS_ERR_RESEARCH, // no consent by name to a scheme that is for research only
    RS_STATUS_COUNT
} rs_status_t;

// Memory of the caller. p may be NULL if n is 0.
typedef struct rs_view {
    const uint8_t *p; // read only
    size_t n; // bytes
} rs_view_t;
typedef struct rs_bytes {
    uint8_t *p; // written
    size_t n; // bytes: exactly as many as the result has
} rs_bytes_t;
typedef struct rs_memory {
    void *p; // room to work in, 8-byte aligned
    size_t n; // bytes: at least as many as were asked for
} rs_memory_t;

// A request is a const struct that says what a function shall do. Its first member, size, is sizeof the struct: a library with a longer
// struct of that name takes what is missing as 0. A member left out is 0, and 0 is the usual and the safe choice. A request holds
// pointers to secrets, never secrets. A size below that of version 0.1.0, or a tail that is not 0 and that this library does not know:
// RS_ERR_STRUCT.
//     rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = RS_MLKEM_768, .dk = dk, .ct = ct, ...))
// In C++17: rs_mlkem_decaps_request_t request{}; request.size = sizeof request.
#if !defined(RS_CDEF) && !defined(__cplusplus)
#define RS_REQUEST(type, ...) (&(const type){.size = sizeof(type), __VA_ARGS__})
#endif

// Name of a code ("RS_ERR_DEGREE") and one clear sentence on what is wrong. Never NULL.
RS_API const char *rs_status_name(rs_status_t status);
RS_API const char *rs_status_message(rs_status_t status);

// The library's version: "0.1.0".
RS_API const char *rs_version(void);

// Overwrites memory in a way that the compiler cannot drop.
RS_API void rs_zeroize(void *memory, size_t bytes);

#ifndef RS_CDEF
// Drops a status on purpose: nothing can go wrong there, or an earlier error is what counts. (A cast to void does not silence GCC.)
static inline void rs_ignore(rs_status_t status) {
    (void)status;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
