// Tables made beside a database, to be ingested into it.
//
// Threads    Confined to one thread, whose worker it borrows.
// Errors     As the engine's SstFileWriter. What is left of the files goes away
//            with this.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/sst_file_writer.h"
#include "rocksdb/status.h"
#include "tools/db_bench/worker.h"

namespace ROCKSDB_NAMESPACE::bench {

class ExternalFiles {
 public:
  explicit ExternalFiles(Worker& worker);
  ~ExternalFiles();
  ExternalFiles(const ExternalFiles&) = delete;
  ExternalFiles& operator=(const ExternalFiles&) = delete;

  // The path of a file that is not there yet, in a directory that is.
  Status NextPath(std::string* path);

  // A writer with the options of the databases.
  SstFileWriter MakeWriter() const;

 private:
  Worker& worker_;
  const std::string directory_;
  uint64_t next_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::bench
