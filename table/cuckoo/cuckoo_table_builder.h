// Writes a cuckoo table: all entries are kept in memory, and get their buckets
// when the table is finished.
//
// Threads    One thread.
// Errors     As TableBuilder's: NotSupported for what the format has no place
//            for: keys or values of another length than the first, entries that
//            are neither values nor deletions, a second version of a key, range
//            tombstones, timestamps, more keys than buckets can have numbers.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/table.h"
#include "table/cuckoo/cuckoo_format.h"
#include "table/properties_gatherer.h"
#include "table/table_builder.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class CuckooTableBuilder final : public TableBuilder {
 public:
  CuckooTableBuilder(const CuckooTableOptions& table_options,
                     const TableBuilderOptions& options,
                     WritableFileWriter* file);
  ~CuckooTableBuilder() override;

  void Add(const Slice& key, const Slice& value) override;
  void AddTombstone(const Slice& key, const Slice& end) override;
  Status status() const override { return status_; }
  Status Finish() override;
  void Abandon() override;
  uint64_t NumEntries() const override { return properties().num_entries; }
  uint64_t FileSize() const override { return offset_; }
  uint64_t EstimatedFileSize() const override;
  uint64_t TailSize() const override { return tail_bytes_; }
  bool NeedCompact() const override { return gatherer_.NeedCompact(); }
  const TableProperties& properties() const override {
    return gatherer_.properties();
  }

 private:
  bool CheckEntry(const Slice& key, const Slice& value);
  const char* LacksPlaceFor(const Slice& key, const Slice& value) const;
  uint32_t put_count() const;
  uint32_t entry_count() const { return put_count() + deletion_count_; }
  // Entries are counted as they are hashed: values, then deletions.
  Slice KeyOf(uint32_t entry) const;
  Slice UserKeyOf(uint32_t entry) const;
  uint64_t HomeCount() const;
  bool ChooseEmptyKey();
  Status WriteBuckets();
  Status AppendBucket(uint32_t entry, std::string* bucket);
  void Note(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  const CuckooTableOptions table_options_;
  const InternalKeyComparator order_;
  const KeyText key_text_;
  WritableFileWriter* const file_;
  PropertiesGatherer gatherer_;
  CuckooShape shape_;
  Status status_;
  // Internal keys, one behind the other; values likewise.
  std::string put_keys_;
  std::string put_values_;
  std::string deleted_keys_;
  uint32_t deletion_count_ = 0;
  std::string first_key_;  // internal; empty: none
  std::string last_key_;
  // No entry needs its sequence or type.
  bool is_plain_data_ = true;
  bool has_values_ = false;
  uint64_t offset_ = 0;
  uint64_t tail_bytes_ = 0;
  bool is_closed_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
