// The compression libraries, for the benchmarks that measure them alone.
//
// The engine's public interface has no call that compresses a buffer, so
// these call the libraries themselves, in the way that block compression
// does: one buffer, the default level or --compression_level.
//
// Threads    A codec is confined to one thread.
// Errors     NotSupported for a codec that this program was built without.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/compression_type.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE::bench {

// The engine's number of a codec of that name, as in --compression_type.
Status CompressionTypeOf(const std::string& name, CompressionType* type);

class Codec {
 public:
  // `name` and `level` as in --compression_type and --compression_level.
  static Status Create(const std::string& name, int level,
                       std::unique_ptr<Codec>* result);

  virtual ~Codec() = default;

  // False if the library fails.
  virtual bool Compress(const Slice& raw, std::string* output) = 0;

  // `output` has the size of what was compressed.
  virtual bool Uncompress(const Slice& compressed, std::string* output) = 0;
};

}  // namespace ROCKSDB_NAMESPACE::bench
