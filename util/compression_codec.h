#pragma once

// What one compression library does for the built-in compressor: raw streams in
// and out, without the size in front. One .cc file for each library.
//
// Threads  A CodecCompressor is used by one thread at a time; a
//          CodecDecompressor is immutable, with scratch state per thread.

#include <cstddef>
#include <memory>
#include <string>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {

// With its context it is the working area of the built-in compressor.
class CodecCompressor : public Compressor::WorkingArea {
 public:
  virtual ~CodecCompressor() = default;

  // Compresses into out[0, capacity). False if it does not fit or fails.
  virtual bool Compress(Slice raw, char* out, size_t capacity,
                        size_t* written) = 0;

  // Only kAsAsked unless HasQuick().
  virtual bool HasQuick() const { return false; }
  virtual void SetEffort(CompressionEffort /*effort*/) {}
};

class CodecDecompressor {
 public:
  virtual ~CodecDecompressor() = default;

  // The greatest size that `n` compressed bytes can expand to.
  virtual size_t LargestExpansion(size_t n) const = 0;
  // Fills out[0, size) exactly; false if the stream is bad or of other size.
  virtual bool Decompress(Slice stream, char* out, size_t size) const = 0;
  // The size of a stream that does not come with it; false if it is bad or
  // expands to `limit` bytes or more, or the codec cannot tell.
  virtual bool CountExpanded(Slice /*stream*/, size_t /*limit*/,
                             size_t* /*size*/) const {
    return false;
  }
};

// How a codec is made. Both fields are null in a build without the library.
// `dictionary` outlives what is made with it.
struct Codec {
  Status (*new_compressor)(const CompressionOptions& options,
                           const std::string& dictionary,
                           std::unique_ptr<CodecCompressor>* result) = nullptr;
  std::unique_ptr<CodecDecompressor> (*new_decompressor)(
      const std::string& dictionary) = nullptr;
};

extern const Codec kSnappyCodec;
extern const Codec kZlibCodec;
extern const Codec kBzip2Codec;
extern const Codec kLz4Codec;
extern const Codec kLz4HcCodec;
extern const Codec kZstdCodec;

// Null for what is no built-in compression.
const Codec* CodecOf(CompressionType type);

}  // namespace ROCKSDB_NAMESPACE
