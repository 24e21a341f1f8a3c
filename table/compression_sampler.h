#pragma once

// What a table's data would take with a fast and with a strong codec, told from
// some of its blocks (sample_for_compression).
//
// Threads    One.
// Errors     A build without a codec estimates nothing for it.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

struct TableProperties;

class CompressionSampler {
 public:
  // Looks at every `every`-th block, the first one included; > 0.
  explicit CompressionSampler(uint64_t every);

  // Every data block, in order.
  void Note(const Slice& raw);
  void Store(TableProperties* properties) const;

 private:
  struct Codec {
    // Null: not in this build.
    std::unique_ptr<Compressor> compressor = nullptr;
    Compressor::ManagedWorkingArea area = {};  // goes before compressor
    uint64_t bytes = 0;
  };

  static Codec FirstOf(std::initializer_list<CompressionType> types);
  void Sample(const Slice& raw, Codec* codec);
  uint64_t Estimate(const Codec& codec) const;

  const uint64_t every_;
  uint64_t block_count_ = 0;
  uint64_t raw_bytes_ = 0;      // the size of all blocks
  uint64_t sampled_bytes_ = 0;  // the size of those that were looked at
  Codec fast_;
  Codec slow_;
  std::string output_;
};

}  // namespace ROCKSDB_NAMESPACE
