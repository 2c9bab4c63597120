/* The C interface from a C program: each call right and wrong. Usage: capi_test FOLDER with
 * merkle20.{zkey,wtns} and verification_key.json. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vouch/capi/vouch.h"

static int failures;
#define CHECK(condition)                                                                  \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      printf("line %d: %s (last error: %s)\n", __LINE__, #condition, vouch_last_error()); \
      failures++;                                                                         \
    }                                                                                     \
  } while (0)
#define SAYS(text) (strstr(vouch_last_error(), text) != NULL)

static vouch_bytes read_file(const char* folder, const char* name) {
  char path[4096];
  vouch_bytes all = {0, 0};
  FILE* f;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  f = fopen(path, "rb");
  if (!f) return printf("cannot read %s\n", path), exit(1), all;
  fseek(f, 0, SEEK_END);
  all.size = (size_t)ftell(f);
  rewind(f);
  all.data = malloc(all.size);
  if (!all.data || fread(all.data, 1, all.size, f) != all.size) exit(1);
  fclose(f);
  return all;
}

static void groth16(const char* folder) {
  vouch_engine* engine = NULL;
  vouch_groth16_key* key = NULL;
  vouch_groth16_key* borrowed = NULL;
  vouch_bytes zkey = read_file(folder, "merkle20.zkey"), wtns = read_file(folder, "merkle20.wtns");
  vouch_bytes vkey = {0, 0}, proof = {0, 0}, publics = {0, 0}, json = {0, 0};
  char path[4096];
  vouch_engine_options options = VOUCH_ENGINE_OPTIONS_INIT;

  options.backend = "abacus";
  CHECK(vouch_engine_open(&engine, &options) == VOUCH_INVALID_ARGUMENT && !engine && SAYS("abacus"));
  options.struct_size = 0;
  CHECK(vouch_engine_open(&engine, &options) == VOUCH_INVALID_ARGUMENT && SAYS("struct_size"));
  options.struct_size = sizeof options;
  options.backend = "cpu";
  options.threads = 2;
  CHECK(vouch_engine_open(&engine, &options) == VOUCH_OK);
  CHECK(vouch_engine_describe(engine, &json) == VOUCH_OK && strstr((char*)json.data, "\"backend\":\"cpu\""));
  vouch_bytes_free(&json);
  CHECK(json.data == NULL && json.size == 0);

  CHECK(vouch_groth16_key_open(&key, engine, "/no/such.zkey") == VOUCH_IO && !key && SAYS("/no/such.zkey"));
  CHECK(vouch_groth16_key_open(&key, NULL, "x") == VOUCH_INVALID_ARGUMENT && SAYS("engine: is null"));
  CHECK(vouch_groth16_key_borrow(&key, engine, zkey.data, zkey.size / 2) == VOUCH_MALFORMED && !key);
  snprintf(path, sizeof path, "%s/merkle20.zkey", folder);
  CHECK(vouch_groth16_key_open(&key, engine, path) == VOUCH_OK);
  CHECK(vouch_groth16_key_borrow(&borrowed, engine, zkey.data, zkey.size) == VOUCH_OK);
  if (!key || !borrowed) return;
  CHECK(vouch_groth16_key_check(borrowed) == VOUCH_OK);
  CHECK(vouch_groth16_export_verification_key(key, &vkey) == VOUCH_OK);

  CHECK(vouch_groth16_prove(key, &proof, &publics, wtns.data, wtns.size - 1) == VOUCH_MALFORMED &&
        !proof.data);
  CHECK(vouch_groth16_prove(key, &proof, &publics, wtns.data, wtns.size) == VOUCH_OK);
  CHECK(proof.data && proof.data[proof.size] == 0 && publics.data[publics.size] == 0);
  CHECK(vouch_groth16_verify(vkey.data, vkey.size, publics.data, publics.size, proof.data, proof.size) ==
        VOUCH_OK);
  CHECK(vouch_groth16_verify(vkey.data, vkey.size, publics.data, publics.size, proof.data, 10) ==
            VOUCH_MALFORMED &&
        SAYS("proof_json"));
  CHECK(vouch_groth16_verify(vkey.data, vkey.size, NULL, 0, proof.data, proof.size) ==
            VOUCH_INVALID_ARGUMENT &&
        SAYS("public_json: is null"));
  { /* another public signal: the last digit of the first one */
    char* digit = strchr(strchr((char*)publics.data, '"') + 1, '"') - 1;
    *digit = *digit == '1' ? '2' : '1';
    CHECK(vouch_groth16_verify(vkey.data, vkey.size, publics.data, publics.size, proof.data, proof.size) ==
          VOUCH_REJECTED);
  }
  vouch_bytes_free(&proof);
  vouch_bytes_free(&publics);
  char tables[64];
  snprintf(tables, sizeof tables, "capi_test.%ld.tables", (long)getpid());
  CHECK(vouch_groth16_key_precompute(key, tables, 1) == VOUCH_INVALID_ARGUMENT &&
        SAYS("tables of multiples need"));
  CHECK(vouch_groth16_key_precompute(NULL, tables, 0) == VOUCH_INVALID_ARGUMENT && SAYS("key: is null"));
  CHECK(vouch_groth16_key_precompute(borrowed, "/no/such/folder/t", 64 << 20) ==
        VOUCH_OK); /* used, not kept */
  CHECK(vouch_groth16_key_precompute(key, tables, 64 << 20) == VOUCH_OK);
  CHECK(vouch_groth16_key_precompute(key, tables, 64 << 20) == VOUCH_OK); /* from the file */
  CHECK(remove(tables) == 0);
  CHECK(vouch_groth16_prove(key, &proof, &publics, wtns.data, wtns.size) == VOUCH_OK);
  CHECK(vouch_groth16_verify(vkey.data, vkey.size, publics.data, publics.size, proof.data, proof.size) ==
        VOUCH_OK);
  vouch_bytes_free(&proof);
  vouch_bytes_free(&publics);
  { /* a wire changed in the middle of the witness */
    wtns.data[76 + 32 * 100] ^= 1;
    CHECK(vouch_groth16_prove(borrowed, &proof, &publics, wtns.data, wtns.size) == VOUCH_UNSATISFIED);
    CHECK(proof.data == NULL && publics.data == NULL);
  }
  vouch_groth16_key_close(borrowed);
  vouch_groth16_key_close(key);
  vouch_engine_close(engine);
  { /* the same with sums of constant work */
    options.constant_work = 1;
    engine = NULL, key = NULL;
    wtns.data[76 + 32 * 100] ^= 1;
    CHECK(vouch_engine_open(&engine, &options) == VOUCH_OK);
    CHECK(vouch_groth16_key_open(&key, engine, path) == VOUCH_OK);
    CHECK(vouch_groth16_prove(key, &proof, &publics, wtns.data, wtns.size) == VOUCH_OK);
    CHECK(vouch_groth16_verify(vkey.data, vkey.size, publics.data, publics.size, proof.data, proof.size) ==
          VOUCH_OK);
    vouch_bytes_free(&proof);
    vouch_bytes_free(&publics);
    vouch_groth16_key_close(key);
    vouch_engine_close(engine);
  }
  vouch_bytes_free(&vkey);
  vouch_groth16_key_close(NULL);
  vouch_engine_close(NULL);
  free(zkey.data);
  free(wtns.data);
}

static void whir(void) {
  enum { count = 1 << 12 };
  static uint32_t values[count];
  vouch_bytes proof = {0, 0}, claims = {0, 0};
  vouch_whir_options options = VOUCH_WHIR_OPTIONS_INIT;
  size_t i;
  for (i = 0; i < count; i++) values[i] = (uint32_t)(i * 2654435761u) >> 2;
  CHECK(vouch_whir_prove(&proof, &claims, values, count - 1, NULL) == VOUCH_INVALID_ARGUMENT &&
        SAYS("power of two"));
  options.field = "Mersenne";
  CHECK(vouch_whir_prove(&proof, &claims, values, count, &options) == VOUCH_INVALID_ARGUMENT &&
        SAYS("Mersenne"));
  options.field = "KoalaBear";
  options.layout = "suffix";
  options.degree = 4;
  options.fold = 2;
  options.security = 60;
  CHECK(vouch_whir_prove(&proof, &claims, values, count, &options) == VOUCH_OK);
  if (!proof.data) return;
  CHECK(strstr((char*)claims.data, "KoalaBear") != NULL);
  CHECK(vouch_whir_verify(proof.data, proof.size, claims.data, claims.size) == VOUCH_OK);
  CHECK(vouch_whir_verify(proof.data, proof.size - 1, claims.data, claims.size) == VOUCH_MALFORMED);
  CHECK(vouch_whir_verify(proof.data, proof.size, claims.data, 5) == VOUCH_MALFORMED);
  CHECK(vouch_whir_verify(NULL, 0, claims.data, claims.size) == VOUCH_INVALID_ARGUMENT);
  proof.data[proof.size / 2] ^= 1;
  CHECK(vouch_whir_verify(proof.data, proof.size, claims.data, claims.size) != VOUCH_OK);
  vouch_bytes_free(&proof);
  vouch_bytes_free(&claims);
  options.field = options.layout = NULL;
  values[7] = 0xffffffffu;
  CHECK(vouch_whir_prove(&proof, &claims, values, count, &options) == VOUCH_INVALID_ARGUMENT);
}

int main(int argc, char** argv) {
  if (argc != 2) return puts("usage: capi_test FOLDER"), 2;
  CHECK(strlen(vouch_version()) >= 5 && strlen(vouch_last_error()) == 0);
  groth16(argv[1]);
  whir();
  printf("%d failures\n", failures);
  return failures != 0;
}
