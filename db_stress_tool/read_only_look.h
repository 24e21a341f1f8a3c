// What a database shows that is opened for reading only, before it is opened
// for writing: both recover the same files, so both must show the same.
//
// Threads    Confined to one; nobody else uses the database.
// Errors     Corruption if they differ; those of the engine.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db_stress_tool/flags.h"
#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::stress {

class ReadOnlyLook {
 public:
  explicit ReadOnlyLook(const Flags& flags) : flags_(flags) {}

  // Opens the database for reading only, reads all of it, and closes it. Does
  // nothing if there is no database.
  Status Take(const Options& options);
  // Compares with the same database, open now. OK if Take() was not called.
  Status Compare(DB* db, const std::vector<ColumnFamilyHandle*>& families);

 private:
  Status ReadAll(DB* db, ColumnFamilyHandle* family, uint64_t* fingerprint);

  const Flags& flags_;
  // A fingerprint of all that a family holds, by the family's name.
  std::map<std::string, uint64_t> fingerprints_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
