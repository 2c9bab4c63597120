/* Groth16 from C: open a key, prove, verify, print proof.json.   prove KEY.zkey WITNESS.wtns */
#include <stdio.h>
#include <stdlib.h>

#include "vouch/capi/vouch.h"

static int failed(void) {
  fprintf(stderr, "error: %s\n", vouch_last_error());
  return 1;
}

/* The whole file, or exit. */
static unsigned char* read_file(const char* path, size_t* size) {
  FILE* f = fopen(path, "rb");
  unsigned char* data = NULL;
  if (f && fseek(f, 0, SEEK_END) == 0) {
    *size = (size_t)ftell(f);
    rewind(f);
    data = malloc(*size);
  }
  if (!data || fread(data, 1, *size, f) != *size)
    return fprintf(stderr, "error: cannot read %s\n", path), exit(1), data;
  fclose(f);
  return data;
}

int main(int argc, char** argv) {
  vouch_engine* engine;
  vouch_groth16_key* key;
  vouch_bytes vkey, proof, publics;
  unsigned char* witness;
  size_t size = 0;
  if (argc != 3) return fputs("usage: prove KEY.zkey WITNESS.wtns\n", stderr), 2;
  if (vouch_engine_open(&engine, NULL)) return failed();
  if (vouch_groth16_key_open(&key, engine, argv[1])) return failed();
  if (vouch_groth16_export_verification_key(key, &vkey)) return failed();
  witness = read_file(argv[2], &size);
  /* any number of times, from any thread */
  if (vouch_groth16_prove(key, &proof, &publics, witness, size)) return failed();
  if (vouch_groth16_verify(vkey.data, vkey.size, publics.data, publics.size, proof.data, proof.size))
    return failed();
  puts((const char*)proof.data);
  vouch_bytes_free(&proof);
  vouch_bytes_free(&publics);
  vouch_bytes_free(&vkey);
  vouch_groth16_key_close(key);
  vouch_engine_close(engine);
  free(witness);
  return 0;
}
