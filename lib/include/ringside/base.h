// SPDX-License-Identifier: Apache-2.0
// What every header needs: status codes, spans of memory, requests, the version, wiping of memory.
// Every function that can fail returns a status, whose number never changes: 1xx arguments and memory, 2xx parameters, 3xx objects, 5xx files,
// 6xx designs, 7xx devices, 8xx keys and signatures, 9xx this machine. No function prints, aborts or returns plausible garbage.
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
// What golden.h declares. A shared library exports it if it was built with RS_EXPORT_GOLDEN, as that of the Python package is.
#ifdef RS_EXPORT_GOLDEN
#define RS_GOLDEN RS_API
#else
#define RS_GOLDEN
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
    RS_ERR_NULL = 101, // a required pointer is NULL
    RS_ERR_STRUCT = 102, // a request of a size that this library does not know, or with members that it does not know
    RS_ERR_OPTION = 103, // members of a request contradict each other, or one has a value that it cannot have
    RS_ERR_TOO_SMALL = 104, // caller's memory is smaller than the matching rs_*_size()
    RS_ERR_ALIGNMENT = 105, // caller's memory is not aligned to 8 bytes
    RS_ERR_NO_MEMORY = 106, // the host ran out of memory (host/ functions only; the core never allocates)
    RS_ERR_BYTES = 107, // a key, ciphertext, seed, secret or signature of another length than the set's
    // Parameters
    RS_ERR_DEGREE = 201, // N is not a power of two in the range of this function
    RS_ERR_LIMB_COUNT = 202, // no limbs, or more than RS_LIMBS_MAX
    RS_ERR_MODULUS_RANGE = 203, // a modulus is not in (2N, 2^60), of a plan (2N, 2^61 + 2^57)
    RS_ERR_MODULUS_PRIME = 204, // a modulus is not prime
    RS_ERR_MODULUS_NTT = 205, // a modulus is not 1 mod 2N
    RS_ERR_MODULUS_TWICE = 206, // a modulus occurs twice
    RS_ERR_PRIMES = 207, // there are too few NTT primes of the requested size
    RS_ERR_SET = 208, // no parameter set of that name or number
    RS_ERR_SECURITY_LEVEL = 209, // security level other than 128, 192, 256, or none by name
    RS_ERR_INSECURE = 210, // parameters below the wanted security level
    RS_ERR_PLAIN_MODULUS =
        211, // a plain modulus that is not in [2, 2^60), shares a factor with a modulus, or is not below their product
    RS_ERR_BATCHING = 212, // slots need a plain modulus that is prime and 1 mod 2N
    // Objects and operations
    RS_ERR_MISMATCH = 301, // object made under other parameters or at another level
    RS_ERR_LEVEL = 302, // level outside the modulus chain
    RS_ERR_SCALE = 303, // scale not positive and finite, or too large for the level
    RS_ERR_VALUE_COUNT = 304, // more values than N/2 slots
    RS_ERR_NOT_FINITE = 305, // a value is NaN or infinite
    RS_ERR_OVERFLOW = 306, // encoded value does not fit below the modulus of its level
    RS_ERR_VALUE_RANGE = 307, // a value is out of the range of doubles, words or numbers
    RS_ERR_FORM = 308, // plaintext is in the other form (coefficients or NTT)
    RS_ERR_SEEDED = 309, // ciphertext must be expanded from its seed first
    RS_ERR_POLY_COUNT = 310, // ciphertext has an unsupported number of polynomials
    RS_ERR_NO_SPECIAL = 311, // no key switching: parameters have a single limb, or a special prime far below the others
    RS_ERR_GALOIS = 312, // rotation or Galois element out of range; no elements, or not in order
    RS_ERR_SEED_TYPE = 313, // unknown seed expansion
    RS_ERR_PUBLISH = 314, // bits to publish, or bits of noise to add, out of range
    RS_ERR_WORD_BITS = 315, // words of fewer than 24 or more than 64 bits
    RS_ERR_LAYOUT = 316, // unknown format of numbers, or an exponent out of range
    RS_ERR_CORRECTION = 317, // a correction factor that is not invertible modulo the plain modulus, or not 1 in BFV
    RS_ERR_NOISE = 318, // the noise of a ciphertext is too near to its limit
    // Files
    RS_ERR_IO = 501, // reading or writing failed
    RS_ERR_DISK_FULL = 502, // no space left to write
    RS_ERR_TRUNCATED = 503, // the data ends before the object does
    RS_ERR_TRAILING = 504, // data follow the end of the object
    RS_ERR_MAGIC = 505, // not a SEAL object
    RS_ERR_VERSION = 506, // SEAL format version that cannot be read or written
    RS_ERR_COMPRESSION = 507, // unknown compression, or this build has no codec for it
    RS_ERR_CODEC = 508, // compressed data are damaged
    RS_ERR_LENGTH = 509, // a length or size field contradicts the rest of the object
    RS_ERR_KIND = 510, // the object is not of the requested kind
    RS_ERR_SCHEME = 511, // parameters or an object of another scheme than this operation is for
    RS_ERR_RESIDUE = 512, // a residue is not below its modulus
    RS_ERR_NOT_NTT = 513, // the object is not in NTT form
    RS_ERR_SEQUENCE = 514, // calls in the wrong order on a reader or writer
    // Accelerator: what a design cannot do
    RS_ERR_DESIGN = 601, // too few groups, no slots, or no unit for this job
    RS_ERR_DESIGN_DEGREE = 602, // N outside the range that is built
    RS_ERR_DESIGN_MODULUS = 603, // a modulus is wider than the design's words, or not 1 mod 2^11, as word-level Montgomery needs
    RS_ERR_PROGRAM_LENGTH = 604, // the program is longer than program memory
    RS_ERR_TIME = 605, // an instruction that nobody has measured
    // Accelerator: the device
    RS_ERR_DEVICE_ABSENT = 701, // no core answers
    RS_ERR_DEVICE_VERSION = 702, // a core of another version
    RS_ERR_DEVICE_DESIGN = 703, // configuration registers that no core can have
    RS_ERR_DEVICE_ADDRESS = 704, // memory that does not begin at a multiple of 4096
    RS_ERR_DEVICE_MEMORY = 705, // bus memory is too small
    RS_ERR_DEVICE_NOT_LOADED = 706, // no context or no key has been loaded
    RS_ERR_DEVICE_BUSY = 707, // the core does not become idle
    RS_ERR_DEVICE_STALL = 708, // memory does not answer the core
    RS_ERR_DEVICE_BUS = 709, // memory answered the core with an error
    RS_ERR_DEVICE_RESIDUE = 710, // the core found data in memory that are not below their modulus
    RS_ERR_DEVICE_WATCHDOG = 711, // a program took too long
    RS_ERR_DEVICE_ABORTED = 712, // a program was aborted
    RS_ERR_DEVICE_ALERT = 713, // a flip-flop of the core has flipped
    RS_ERR_DEVICE_PROGRAM = 714, // the core refused the library's program
    RS_ERR_DEVICE_SELFTEST = 715, // the core computes wrong results
    RS_ERR_DEVICE_KEY_USE = 716, // the core's register KEY_USE forbids what was asked
    RS_ERR_DEVICE_UNWIPED = 717, // the core could not be wiped, and may hold secrets
    // Keys and signatures
    RS_ERR_SECRET_KEY = 801, // the secret key has values out of range, or they contradict each other
    RS_ERR_PUBLIC_KEY = 802, // the bytes are no public key of the set
    RS_ERR_KEY_PAIR = 803, // public key is not that of the secret key
    RS_ERR_SIGNATURE = 804, // the signature is not valid
    RS_ERR_ROUNDS = 805, // no signature was found in all the attempts there may be
    RS_ERR_CONTEXT_STRING = 806, // a context string of more than 255 bytes
    RS_ERR_PREHASH = 807, // unknown hash function of a message, or a digest of another length
    // This machine and this build
    RS_ERR_RNG = 901, // the source of random seeds failed
    RS_ERR_THREADS = 902, // a pool of no threads, of too many, or the system refuses to start them
    RS_ERR_BACKEND = 903, // no back end of that name on this machine
    RS_ERR_SELFTEST = 904, // a built-in known-answer test failed
    RS_ERR_CONSENT = 905, // a scheme for research, or deterministic seeds, without consent by name
    RS_STATUS_MAX = 0x7fffffff
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
static inline void rs_ignore(rs_status_t status) { (void)status; }
#endif

#ifdef __cplusplus
}
#endif

#endif
