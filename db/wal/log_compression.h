// Compresses the records of a log: each becomes one Zstandard frame with a
// checksum (db-format.md 2.4).
//
// Threads  One thread.
// Errors   NotSupported where the codec is not in this build.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::log {

class Compression {
  struct PassKey {};  // Only Create() makes one.

 public:
  explicit Compression(PassKey);
  static Status Create(std::unique_ptr<Compression>* result);

  ~Compression();
  Compression(const Compression&) = delete;
  Compression& operator=(const Compression&) = delete;

  // Replaces *frame. An empty record is an empty frame.
  Status Compress(const Slice& record, std::string* frame);

 private:
  struct Context;

  std::unique_ptr<Context> context_;
};

}  // namespace ROCKSDB_NAMESPACE::log
