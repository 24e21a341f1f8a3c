// The files of a database and of its expected state as they were before this
// process came, kept until they are verified: if they are wrong, opening them
// has not yet changed what shows why.
//
// Table and blob files, which nobody writes again, are links; the rest are
// copies. They are in a directory "unverified" beside what they are copies of.
//
// Threads    Confined to one.
// Errors     Files that cannot be read or written.

#pragma once

#include <string>

#include "db_stress_tool/flags.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::stress {

class KeptFiles {
 public:
  explicit KeptFiles(const Flags& flags) : flags_(flags) {}

  // Before the database is opened; those of before go.
  Status Keep() const;
  // What they hold is verified.
  Status Drop() const;

 private:
  const Flags& flags_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
