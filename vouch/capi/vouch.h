/* vouch from C and whatever can call C: Groth16 over BN254 with circom and snarkjs files, WHIR over 31-bit
 * fields.
 *
 * Conventions. Every call returns a vouch_status; on anything but VOUCH_OK no output is written and
 * vouch_last_error() is one sentence about the cause, of this thread's last failed call. Arguments come in
 * the order handle, outputs, inputs; the length follows its array. Option structs start with struct_size,
 * which VOUCH_..._INIT sets, so that later versions can add fields. No call throws, prints or exits. Handles
 * may be used by several threads at once; closing one that is in use is the caller's mistake. */
#ifndef VOUCH_CAPI_VOUCH_H
#define VOUCH_CAPI_VOUCH_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define VOUCH_API
#else
#define VOUCH_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef int vouch_status;
enum {
  VOUCH_OK = 0,
  VOUCH_INVALID_ARGUMENT = 1, /* the caller broke a documented precondition */
  VOUCH_MALFORMED = 2,        /* bytes do not decode: truncated, non-canonical, off the curve */
  VOUCH_UNSATISFIED = 3,      /* the witness does not satisfy the circuit */
  VOUCH_REJECTED = 4,         /* a well-formed proof that does not verify */
  VOUCH_UNSUPPORTED = 5,      /* this backend, field or size is not available here */
  VOUCH_OUT_OF_MEMORY = 6,
  VOUCH_DEVICE = 7, /* a GPU driver failed; the message carries its words */
  VOUCH_IO = 8,
  VOUCH_INTERNAL = 9 /* a bug in vouch: please report it */
};

VOUCH_API const char* vouch_version(void);
/* Never null; valid until this thread's next failed call. Empty if none has failed. */
VOUCH_API const char* vouch_last_error(void);

/* Bytes that a call made; released by vouch_bytes_free, which takes {0, 0} too. data is followed by a zero
 * byte that size does not count, so that JSON can be used as a string. */
typedef struct vouch_bytes {
  uint8_t* data;
  size_t size;
} vouch_bytes;
VOUCH_API void vouch_bytes_free(vouch_bytes* bytes);

/* ---- where work runs */

typedef struct vouch_engine vouch_engine;
typedef struct vouch_engine_options {
  size_t struct_size;
  const char* backend; /* null or "auto", "cpu", "reference", or a device: "opencl:0", "cuda:0", "metal" */
  const char* instructions; /* null or "auto", or one form of arithmetic, for tests and benchmarks */
  int threads;              /* 0: every core this process may use */
  int constant_work; /* not 0: sums make as many additions, products and launches whatever the witness is */
} vouch_engine_options;
#define VOUCH_ENGINE_OPTIONS_INIT {sizeof(vouch_engine_options), 0, 0, 0, 0}

/* options may be null. The engine must outlive the keys opened with it. "auto" is the processor: how large
 * the work will be, and so whether a device pays, is not known yet. A device has to be named; it is tested
 * when it is opened first. */
VOUCH_API vouch_status vouch_engine_open(vouch_engine** out, const vouch_engine_options* options);
VOUCH_API void vouch_engine_close(vouch_engine* engine);
/* A JSON object: backend, device, threads. */
VOUCH_API vouch_status vouch_engine_describe(const vouch_engine* engine, vouch_bytes* json);

/* ---- Groth16 over BN254 */

/* A proving key (.zkey): mapped or borrowed, its structure checked, never copied. Taken once, used for many
 * proofs. */
typedef struct vouch_groth16_key vouch_groth16_key;
VOUCH_API vouch_status vouch_groth16_key_open(vouch_groth16_key** out, const vouch_engine* engine,
                                              const char* path);
/* zkey must stay valid until the key is closed. */
VOUCH_API vouch_status vouch_groth16_key_borrow(vouch_groth16_key** out, const vouch_engine* engine,
                                                const uint8_t* zkey, size_t zkey_size);
VOUCH_API void vouch_groth16_key_close(vouch_groth16_key* key);
/* Every point of the key on its curve and in its group. Takes a part of the time of a proof. */
VOUCH_API vouch_status vouch_groth16_key_check(const vouch_groth16_key* key);
/* From now on proofs with this key use tables of multiples of its points, which take up to `memory` bytes (0:
 * as much as pays) while it is open: many proofs from one process are faster. They are made once, which takes
 * as long as some twenty proofs, and kept in the file `path`; a file that is stale or damaged is made anew.
 * Not while another call uses the key. VOUCH_UNSUPPORTED on a GPU. */
VOUCH_API vouch_status vouch_groth16_key_precompute(vouch_groth16_key* key, const char* path,
                                                    uint64_t memory);
/* verification_key.json, byte for byte as snarkjs writes it. */
VOUCH_API vouch_status vouch_groth16_export_verification_key(const vouch_groth16_key* key,
                                                             vouch_bytes* vkey_json);

/* wtns: the content of a .wtns file. proof_json and public_json: as snarkjs writes them. The proof is
 * verified before it is returned; VOUCH_UNSATISFIED when the witness does not fit. Blinders come from the
 * operating system. */
VOUCH_API vouch_status vouch_groth16_prove(const vouch_groth16_key* key, vouch_bytes* proof_json,
                                           vouch_bytes* public_json, const uint8_t* wtns, size_t wtns_size);
/* VOUCH_OK: valid. A key that nobody has contributed to (gamma2 = delta2) is VOUCH_MALFORMED. */
VOUCH_API vouch_status vouch_groth16_verify(const uint8_t* vkey_json, size_t vkey_size,
                                            const uint8_t* public_json, size_t public_size,
                                            const uint8_t* proof_json, size_t proof_size);

/* ---- WHIR, wire-compatible with p3-whir 0.7 */

typedef struct vouch_whir_options {
  size_t struct_size;
  const char* field;   /* null or "BabyBear", or "KoalaBear" */
  int degree;          /* of the extension: 4 or 5; 0: 5 */
  int fold;            /* variables folded per round; 0: 4 */
  int log_inv_rate;    /* of the first code; 0: 1 */
  int security;        /* bits; 0: 100 */
  int pow_bits;        /* most bits of grinding a step may need; -1: none, 0: 16 */
  const char* layout;  /* null or "prefix", or "suffix" */
  const char* backend; /* as in vouch_engine_options; null or "auto": a GPU where one is worth it and computes
                          rightly, and the processor when it fails */
  int threads;
  uint64_t memory; /* bytes to stay within where lower tree layers can be hashed again for it; 0: no limit */
} vouch_whir_options;
#define VOUCH_WHIR_OPTIONS_INIT {sizeof(vouch_whir_options), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}

/* Commits to the multilinear polynomial with these `count` = 2^n values (canonical, below the modulus) and
 * opens it at one point drawn from the transcript. proof: postcard. claims_json: statement, commitment and
 * value, as `vouch whir prove` writes them. The proof is verified before it is returned. options may be
 * null. */
VOUCH_API vouch_status vouch_whir_prove(vouch_bytes* proof, vouch_bytes* claims_json, const uint32_t* values,
                                        size_t count, const vouch_whir_options* options);
/* VOUCH_OK: the proof shows what claims_json claims, at the security its parameters state. Whoever verifies
 * must look at those parameters, unless they wrote the claims themselves. */
VOUCH_API vouch_status vouch_whir_verify(const uint8_t* proof, size_t proof_size, const uint8_t* claims_json,
                                         size_t claims_size);

#ifdef __cplusplus
}
#endif
#endif
