// What tables share whose data are in memory as a whole: mapped, or read there.
//
// Threads    As each says.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE {

class RandomAccessFileReader;

// The first bytes of a file. Immutable once loaded.
class MemoryData {
 public:
  // Corruption: the file ends before.
  Status Load(const RandomAccessFileReader& file, uint64_t size);

  const Slice& bytes() const { return bytes_; }
  // Bytes on the heap: none where the file is mapped.
  size_t memory_bytes() const { return copy_ != nullptr ? bytes_.size() : 0; }

 private:
  std::unique_ptr<char[]> copy_;  // where nothing is mapped
  Slice bytes_;
};

// A batch of lookups, one after the other: nothing is gained by asking early.
class MemoryBatch final : public TableBatch {
 public:
  // All outlive it.
  MemoryBatch(const TableReader& table, const TableBatchOptions& options,
              TableLookup* lookups, size_t count)
      : table_(table), options_(options), lookups_(lookups), count_(count) {
    assert(options.read_options != nullptr);
  }
  void Start() override {}
  bool ReadsFile() const override { return false; }
  void Finish() override {
    for (size_t i = 0; i < count_; ++i) {
      TableLookup& one = lookups_[i];
      if (one.is_fed) continue;
      one.status = table_.Get(*options_.read_options, one.internal_key,
                              options_.prefix_extractor, one.lookup);
    }
  }

 private:
  const TableReader& table_;
  const TableBatchOptions options_;
  TableLookup* const lookups_;
  const size_t count_;
};

}  // namespace ROCKSDB_NAMESPACE
