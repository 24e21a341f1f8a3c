// Values as blob files store them: compressed by the family's options.
//
// Threads    One.
// Errors     NotSupported for a codec that this build lacks.
#pragma once

#include <memory>
#include <string>

#include "options/cf_options.h"
#include "rocksdb/advanced_compression.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class BlobCompressor {
 public:
  BlobCompressor(const ImmutableDBOptions& db, const MutableCFOptions& options);

  CompressionType type() const { return type_; }
  Status status() const { return status_; }
  // *stored is good until the next call. False: the codec cannot take a value
  // of this size.
  bool Compress(const Slice& value, Slice* stored);

 private:
  const ImmutableDBOptions& db_;
  const CompressionType type_;
  Status status_;
  std::unique_ptr<Compressor> compressor_;  // null: values are stored plain
  Compressor::ManagedWorkingArea area_;
  std::string compressed_;
};

}  // namespace ROCKSDB_NAMESPACE
