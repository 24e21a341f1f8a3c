// Writes one table file from entries in ascending order.
//
// Threads    One thread.
// Errors     The first error sticks: later Add() calls do nothing, status()
//            and Finish() answer it. A builder dropped without Finish() must be
//            told Abandon() first.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

struct WholeBlock;

class SequenceTimes;
class TableReader;
class RandomAccessFileReader;
class WritableFileWriter;

struct TableBuilderOptions {
  const ImmutableDBOptions* db = nullptr;
  const ImmutableCFOptions* cf = nullptr;
  const MutableCFOptions* mutable_cf = nullptr;
  CompressionType compression = kNoCompression;
  CompressionOptions compression_options;
  uint32_t column_family_id = 0;
  std::string column_family_name;
  int level = -1;  // -1 = unknown
  bool is_bottommost = false;
  TableFileCreationReason reason = TableFileCreationReason::kMisc;
  uint64_t creation_time = 0;       // newest of "now" and the data's, seconds
  uint64_t oldest_key_time = 0;     // seconds; 0 = unknown
  uint64_t file_creation_time = 0;  // seconds
  uint64_t target_file_size = 0;
  std::string db_id;
  std::string db_session_id;
  uint64_t file_number = 0;
  // Tells when the database wrote which sequence numbers; null: the file says
  // nothing of times.
  std::shared_ptr<const SequenceTimes> sequence_times;
  // Entries up to it are old enough for the last level; kMaxSequenceNumber:
  // age does not count. For collectors.
  SequenceNumber last_level_up_to = kMaxSequenceNumber;
  // Made outside a database: the properties say so, and leave room for the
  // sequence number that ingestion may give to all entries.
  bool is_external = false;
  bool skip_filters = false;
  // AddBlob() will be called.
  bool embeds_blobs = false;
};

class TableBuilder {
 public:
  virtual ~TableBuilder() = default;

  // `key` is an internal key greater than every one before. Range tombstones
  // (type 0x0f) go through AddTombstone().
  virtual void Add(const Slice& key, const Slice& value) = 0;
  // Behind Add() of an entry that was alone in `source`: the stored form may be
  // taken over where the new block is the same.
  virtual void Reuse(const WholeBlock& /*source*/) {}
  // A fragment's piece: internal key (begin, sequence, 0x0f) and end user key.
  // In ascending internal-key order among themselves, at any time.
  virtual void AddTombstone(const Slice& key, const Slice& end) = 0;
  // Puts `value` beside the data blocks (sst-format.md 8.9); *reference is
  // then the value of the entry that is added next. Only of a builder with
  // embeds_blobs, which formats without such records refuse.
  virtual Status AddBlob(const Slice& value, std::string* reference) {
    static_cast<void>(value), static_cast<void>(reference);
    return Status::NotSupported("the table format has no embedded blobs");
  }

  virtual Status status() const = 0;
  virtual Status Finish() = 0;
  virtual void Abandon() = 0;

  virtual uint64_t NumEntries() const = 0;
  virtual bool IsEmpty() const { return NumEntries() == 0; }
  // Bytes written so far; after Finish() the file's size.
  virtual uint64_t FileSize() const = 0;
  // FileSize() plus what is held back in memory.
  virtual uint64_t EstimatedFileSize() const { return FileSize(); }
  // About what Finish() would put behind that now, rather more than less.
  virtual uint64_t EstimatedTailSize() const { return 0; }
  // Bytes from the end of the data blocks to the end of the file.
  virtual uint64_t TailSize() const { return 0; }
  // Some collector asks for the file to be compacted.
  virtual bool NeedCompact() const { return false; }
  virtual const TableProperties& properties() const = 0;
};

}  // namespace ROCKSDB_NAMESPACE
