#pragma once

// Counts what goes into a table file that is being written, and asks the
// application's collectors.
//
// Threads  One thread.
// Errors   A collector that fails is told nothing more, its properties are
//          left out, and a line goes to the log.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/slice.h"
#include "rocksdb/table_properties.h"
#include "table/table_builder.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class PropertiesGatherer {
 public:
  explicit PropertiesGatherer(const TableBuilderOptions& options);

  // A point entry or, with `value` as its end, a range tombstone. The key has
  // its timestamp, also if the file leaves it out.
  void AddEntry(const Slice& key, const Slice& value, uint64_t file_size) {
    const uint64_t trailer = ExtractTrailer(key);
    const auto type = static_cast<ValueType>(trailer & 0xff);
    properties_.raw_key_size += key.size() - left_out_bytes_;
    properties_.raw_value_size += value.size();
    ++properties_.num_entries;
    if (type != kTypeValue) CountType(type);
    const SequenceNumber sequence = trailer >> 8;
    if (sequence < smallest_) smallest_ = sequence;
    if (sequence > largest_) largest_ = sequence;
    if (!collectors_.empty()) Collect(key, value, file_size);
    if (timestamp_size_ != 0) [[unlikely]] {
      NoteTimestamp(ExtractUserKey(key));
    }
  }
  void AddDataBlock(size_t raw_bytes);

  // Asks the collectors for their properties. Once, after the last entry.
  void Finish();

  bool NeedCompact() const;
  TableProperties& properties() { return properties_; }
  const TableProperties& properties() const { return properties_; }

 private:
  struct Entry {
    std::unique_ptr<TablePropertiesCollector> collector;
    bool has_failed = false;
  };

  void CountType(ValueType type);
  void Collect(const Slice& key, const Slice& value, uint64_t file_size);
  void NoteFailure(Entry* entry, const Status& status);
  void AddExternalProperties();
  void NoteTimestamp(const Slice& stored_key);

  TableProperties properties_;
  SequenceNumber smallest_ = kMaxSequenceNumber;
  SequenceNumber largest_ = 0;
  std::vector<Entry> collectors_;
  Logger* logger_;
  const std::shared_ptr<const SequenceTimes> sequence_times_;
  const bool is_external_;
  const Comparator* const order_;
  const size_t left_out_bytes_;   // timestamp bytes that stored keys lack
  const size_t timestamp_size_;   // timestamp bytes that stored keys have
  std::string oldest_timestamp_;  // empty: no key was added
  std::string newest_timestamp_;
  bool is_finished_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
