// The file of a key's tables of multiples (groth16/tables.h): what `--precompute` keeps beside the key.
//
// A header of 4096 bytes, then the tables. The header names the key by a fingerprint of all its bytes that
// matter and the tables by one of theirs: neither is cryptographic, they tell what is stale or damaged.
// Tables that are wrong all the same give a proof that does not verify, which Prover notices.
//
// Header, little-endian: "vouchtab", u32 version, u32 tables, u32 bits between them, u32 log2 of the domain,
// u64 wires, u64 public signals, u64 bytes of tables, u64[4] fingerprint of the key, u64[4] of the tables,
// zeros.
#pragma once

#include <string>

#include "vouch/groth16/tables.h"

namespace vouch::formats {

// Read into memory with large pages, where sums over them take a fifth less than over a mapped file.
// Code::malformed: of another key, of another plan, truncated or damaged. Code::io: not to be read.
Result<groth16::Tables> read_tables(const std::string& path, const groth16::ProvingKey& key,
                                    const groth16::TablesPlan& plan, const Threads& threads);
Status write_tables(const std::string& path, const groth16::ProvingKey& key, const groth16::Tables& tables,
                    const Threads& threads);

struct OpenedTables {
  groth16::Tables tables;
  bool made = false;    // now, and not read from the file
  std::string trouble;  // a sentence: why the file was made anew, or could not be written; else empty
};
// The tables in the file, or new ones, which are kept there. A file that holds anything else is an error.
Result<OpenedTables> open_tables(const std::string& path, const groth16::ProvingKey& key,
                                 const groth16::TablesPlan& plan, Backend& backend, const Threads& threads,
                                 Progress* progress = nullptr);

}  // namespace vouch::formats
