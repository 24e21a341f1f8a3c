// A table of an application's format, as the engine builds one.
//
// The engine's properties are gathered here and handed to the format, if it has
// a place for them; the bytes go through the engine's writer, which makes the
// checksum of the whole file.
//
// Threads    One thread.
// Errors     As TableBuilder's, and the format's own. NotSupported for what is
//            no plain value, has a sequence number, or is a range tombstone.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/external_table.h"
#include "table/properties_gatherer.h"
#include "table/table_builder.h"

namespace ROCKSDB_NAMESPACE {

class ExternalTableBuilderAdapter final : public TableBuilder {
 public:
  ExternalTableBuilderAdapter(const ExternalTableFactory& factory,
                              const TableBuilderOptions& options,
                              WritableFileWriter* file);
  ~ExternalTableBuilderAdapter() override;

  void Add(const Slice& key, const Slice& value) override;
  void AddTombstone(const Slice& key, const Slice& end) override;
  Status status() const override { return status_; }
  Status Finish() override;
  void Abandon() override;
  uint64_t NumEntries() const override { return properties().num_entries; }
  uint64_t FileSize() const override;
  bool NeedCompact() const override { return gatherer_.NeedCompact(); }
  const TableProperties& properties() const override {
    return gatherer_.properties();
  }

 private:
  class OpenFile;

  bool CheckEntry(const Slice& key);
  Status PutProperties();
  void Note(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }

  const InternalKeyComparator order_;
  const KeyText key_text_;
  const std::string format_;
  PropertiesGatherer gatherer_;
  std::unique_ptr<OpenFile> file_;
  std::unique_ptr<ExternalTableBuilder> inner_;  // null: there is none
  Status status_;
  std::string last_key_;  // internal; empty: none
  bool is_closed_ = false;
};

// NotSupported: keys with timestamps.
Status CheckExternalTableOrder(const Comparator* order,
                               const std::string& format);

}  // namespace ROCKSDB_NAMESPACE
