// Dumps a database into one file, and makes a database of such a file. The file
// does not depend on options, versions or machines.
//
// What is dumped  The plain values of the default column family.
// Threads         Every call from any thread, on a database that is not open.
// Errors          False; what was wrong goes to the standard error stream.
#pragma once

#include <string>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct DumpOptions {
  // The directory of the database.
  std::string db_path;
  // The file to be written; one that is there is replaced. A pipe or a device,
  // such as /dev/stdout, is written to.
  std::string dump_location;
  // Leave out where, when and on which host it was written.
  bool anonymous = false;
};

class DbDumpTool {
 public:
  // `options` are those of the database, which is opened for reading. A file
  // that could not be completed is removed; one that was there before is left
  // empty.
  bool Run(const DumpOptions& dump_options, Options options = Options());
};

struct UndumpOptions {
  // The directory of the database, which is created if it is missing. Keys of
  // the dump replace those that are there.
  std::string db_path;
  // The file to be read.
  std::string dump_location;
  // Compact the whole database at the end.
  bool compact_db = false;
};

class DbUndumpTool {
 public:
  // False for a file that ends within a record too: what stood before it is in
  // the database then.
  bool Run(const UndumpOptions& undump_options, Options options = Options());
};

}  // namespace ROCKSDB_NAMESPACE
