// Writes a plain table: rows in order, then filter and index, if the options
// want them in the file, and properties.
//
// Threads    One thread.
// Errors     As TableBuilder's: NotSupported for range tombstones and for files
//            that are to be ingested, InvalidArgument for a user key of another
//            length than PlainTableOptions::user_key_len, and for a file that
//            is larger than its index can tell.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "table/format.h"
#include "table/plain/plain_file_index.h"
#include "table/plain/plain_row.h"
#include "table/properties_gatherer.h"
#include "table/table_builder.h"

namespace ROCKSDB_NAMESPACE {

class PlainTableBuilder final : public TableBuilder {
 public:
  PlainTableBuilder(const PlainTableOptions& table_options,
                    const TableBuilderOptions& options,
                    WritableFileWriter* file);
  ~PlainTableBuilder() override;

  void Add(const Slice& key, const Slice& value) override;
  void AddTombstone(const Slice& key, const Slice& end) override;
  Status status() const override { return status_; }
  Status Finish() override;
  void Abandon() override;
  uint64_t NumEntries() const override { return properties().num_entries; }
  uint64_t FileSize() const override { return offset_; }
  uint64_t TailSize() const override;
  bool NeedCompact() const override { return gatherer_.NeedCompact(); }
  const TableProperties& properties() const override {
    return gatherer_.properties();
  }

 private:
  bool CheckEntry(const Slice& key, const Slice& value);
  void AppendKey(const Slice& user_key);
  void AppendParts(const Slice& user_key);
  Slice PrefixOf(const Slice& user_key) const;
  void AddToIndex(const Slice& user_key);
  std::map<std::string, BlockHandle> WriteIndex();
  BlockHandle WriteBlock(const std::string& block);
  void Note(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  const PlainTableOptions table_options_;
  const InternalKeyComparator order_;
  const size_t timestamp_bytes_;
  const KeyText key_text_;
  const std::shared_ptr<const SliceTransform> prefix_extractor_;
  WritableFileWriter* const file_;
  PropertiesGatherer gatherer_;
  Status status_;
  uint64_t offset_ = 0;
  uint64_t rows_end_ = 0;
  bool is_closed_ = false;
  std::string row_;       // being made
  std::string last_key_;  // internal; empty: none
  // kPrefix: of the last full key.
  std::string prefix_;
  size_t rows_since_full_key_ = 0;
  // Nothing: the file gets none.
  std::optional<PlainFileIndexBuilder> index_;
};

}  // namespace ROCKSDB_NAMESPACE
