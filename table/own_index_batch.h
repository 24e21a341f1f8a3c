#pragma once

// A lookup of several keys in one table file by an application's index: one key
// after another, as Get() does it.
//
// Threads    One thread.
// Ownership  Borrows the reader and the lookups.
// Errors     In each lookup.

#include "table/table_reader.h"

namespace ROCKSDB_NAMESPACE {

class OwnIndexBatch final : public TableBatch {
 public:
  OwnIndexBatch(const TableReader& reader, const TableBatchOptions& options,
                TableLookup* lookups, size_t count)
      : reader_(reader), options_(options), lookups_(lookups), count_(count) {}

  void Start() override {}
  bool ReadsFile() const override { return count_ > 0; }
  void Finish() override {
    for (TableLookup* it = lookups_; it != lookups_ + count_; ++it) {
      if (it->is_fed) continue;
      it->status = reader_.Get(*options_.read_options, it->internal_key,
                               options_.prefix_extractor, it->lookup);
    }
  }

 private:
  const TableReader& reader_;
  const TableBatchOptions options_;
  TableLookup* const lookups_;
  const size_t count_;
};

}  // namespace ROCKSDB_NAMESPACE
