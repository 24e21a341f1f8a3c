// What the manifest of a database says of its files, and how it is changed
// while nobody has the database open.
//
// A change is a new manifest: the records of the one in force, up to its last
// whole atomic group, and one more. CURRENT names it once it is durable, so
// that a crash leaves the one or the other.
//
// Threads  One; the caller holds the lock of the database for changes.
// Errors   NotFound: no such table or family is listed. Corruption, IOError:
//          the manifest could not be read or written; the one before is in
//          force.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

struct ListedChecksum {
  uint64_t number = 0;
  std::string function;
  std::string checksum;
};

// Lists the checksums of all tables and blob files, sorted by number.
Status ListFileChecksums(Env* env, const std::string& db_path,
                         std::vector<ListedChecksum>* checksums);

// One more than the deepest level on which the family has a table.
Status CountLevelsInUse(Env* env, const std::string& db_path,
                        const std::string& family, int* count);

Status RemoveTableFromManifest(const DBOptions& options,
                               const std::string& db_path, uint64_t number);

// Asks the file system for the temperature of each table. *changed_count: how
// many had another one.
Status UpdateTemperatures(const DBOptions& options, const std::string& db_path,
                          uint64_t* changed_count);

}  // namespace ROCKSDB_NAMESPACE
