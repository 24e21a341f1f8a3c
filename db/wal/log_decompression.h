// Expands the records of a compressed log: each is one Zstandard frame.
//
// Threads  One thread.
// Errors   Corruption for anything but one whole frame, NotSupported where the
//          codec is not in this build.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::log {

class Decompression {
  struct PassKey {};  // Only Create() makes one.

 public:
  explicit Decompression(PassKey);
  static Status Create(std::unique_ptr<Decompression>* result);

  ~Decompression();
  Decompression(const Decompression&) = delete;
  Decompression& operator=(const Decompression&) = delete;

  // Replaces *output by the record. An empty frame is an empty record.
  Status Expand(const Slice& frame, std::string* output);

 private:
  struct Context;

  std::unique_ptr<Context> context_;
};

// True for bytes that begin as a frame does.
bool LooksCompressed(const Slice& bytes);

}  // namespace ROCKSDB_NAMESPACE::log
