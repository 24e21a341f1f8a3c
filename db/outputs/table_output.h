// One table file that a flush or compaction writes: opened, filled, finished,
// synced, read back once, and described by a FileMeta.
//
// Contract   Open(), Add()..., AddTombstone()..., Seal(), Join(). Between the
//            last two the device makes the file durable, while the job goes on
//            with the next one. A file that is not joined well is deleted: by
//            Join() when it fails, else by the destructor.
// Errors     Name the file. The first one sticks; Add() cannot fail, status()
//            tells.
// Threads    One thread; no lock needed.
// Ownership  Owns the file being written. The FileMeta is shared.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "db/outputs/job_context.h"
#include "db/outputs/output_file.h"
#include "db/tables/file_meta.h"
#include "rocksdb/options.h"
#include "table/table_builder.h"
#include "util/key/copy_key.h"
#include "util/key/range_tombstones.h"
#include "util/value/blob_references.h"

namespace ROCKSDB_NAMESPACE {

class BlobFlow;
class FreshImage;

class IoPace;

struct TableOutputRequest {
  const JobContext* job = nullptr;
  const MutableCFOptions* options = nullptr;
  TableFileCreationReason reason = TableFileCreationReason::kMisc;
  int level = 0;
  uint32_t path_id = 0;
  bool is_bottommost = false;
  CompressionType compression = kNoCompression;
  CompressionOptions compression_options;
  uint64_t file_number = 0;  // 0: a new one
  uint64_t epoch_number = kUnknownEpoch;
  uint64_t oldest_ancestor_time = kUnknownTime;  // seconds since 1970
  uint64_t oldest_key_time = 0;                  // 0: unknown
  uint64_t file_creation_time = kUnknownTime;
  uint64_t expected_bytes = 0;  // for preallocation; 0 = unknown
  uint64_t target_file_bytes = 0;
  // Told to the file system; kUnknown: nothing is.
  Temperature temperature = Temperature::kUnknown;
  // Likewise, where the options ask for it.
  Env::WriteLifeTimeHint lifetime = Env::WLTH_NOT_SET;
  Env::IOPriority io_priority = Env::IO_TOTAL;
  IoClass io_class = IoClass::kDeep;
  IoPace* pace = nullptr;  // null: not spread over time
  // Is told of every reference to a blob that is written; may be null.
  BlobFlow* blob_flow = nullptr;
};

// How long a table of `level` is expected to live, for families whose style
// is in calculate_sst_write_lifetime_hint_set: the deeper, the longer.
// `base_level` is the first level below level 0 that is used, or 0.
Env::WriteLifeTimeHint LifetimeOfTables(const JobContext& job, int level,
                                        int base_level);

class TableOutput {
  struct PassKey {};  // Only Open() makes one.

 public:
  static Status Open(const TableOutputRequest& request,
                     std::unique_ptr<TableOutput>* result);
  TableOutput(PassKey, const TableOutputRequest& request,
              std::unique_ptr<OutputFile> output, uint64_t number,
              std::shared_ptr<FreshImage> image);
  ~TableOutput();
  TableOutput(const TableOutput&) = delete;
  TableOutput& operator=(const TableOutput&) = delete;

  // An internal key greater than every one before. `source`, if not null: the
  // block that the entry was alone in.
  [[gnu::always_inline]] void Add(const Slice& key, const Slice& value,
                                  const WholeBlock* source = nullptr) {
    assert(!is_closed_ && !has_tombstones_);
    assert(key.size() >= kInternalKeyTrailerBytes);
    builder_->Add(key, value);
    if (source != nullptr) builder_->Reuse(*source);
    if (meta_->smallest.empty()) [[unlikely]] {
      *meta_->smallest.rep() = key.ToString();
    }
    CopyKey(key, &last_key_);
    const SequenceNumber sequence = ExtractSequence(key);
    if (sequence < smallest_sequence_) smallest_sequence_ = sequence;
    if (sequence > largest_sequence_) largest_sequence_ = sequence;
    payload_bytes_ += key.size() + value.size();
    if (MayReferToBlobs(ExtractType(key))) [[unlikely]] {
      NoteReferences(key, value);
    }
    if (is_hashing_) [[unlikely]] {
      content_hash_ = Fold(content_hash_, key, value);
    }
  }
  // After all points, in ascending order of internal keys.
  void AddTombstone(const RangeTombstone& tombstone);
  // How many bytes of older tables they cover: compacting the table frees them.
  void NoteCoveredBytes(uint64_t bytes) {
    meta_->compensated_range_deletion_bytes = bytes;
  }

  uint64_t EstimatedBytes() const { return builder_->EstimatedFileSize(); }
  uint64_t EstimatedTailBytes() const { return builder_->EstimatedTailSize(); }
  // Bytes of keys and values, before compression.
  uint64_t payload_bytes() const { return payload_bytes_; }
  Status status() const { return builder_->status(); }

  // Writes the rest, and has it synced by another thread. file() says where
  // the file begins and ends from now on. Join() reports what fails.
  void Seal();
  // Waits for the sync, closes the file, and opens it as readers will.
  Status Join();
  Status Finish() {
    Seal();
    return Join();
  }

  // Complete after Join().
  const FileRef& file() const { return meta_; }
  const std::shared_ptr<const TableProperties>& properties() const {
    return properties_;
  }
  uint64_t entry_count() const { return properties_->num_entries; }

  // Deletes a finished file that no version will list: I/O, so without the
  // DB mutex.
  static void Discard(const JobContext& job, const FileMeta& file);

 private:
  void NoteReferences(const Slice& key, const Slice& value);
  static uint64_t Fold(uint64_t hash, const Slice& key, const Slice& value);
  Status FinishBuilder();
  void DescribeFile();
  void KeepImage();
  Status ReadBack() const;
  bool IsAskedToCheck(VerifyOutputFlags what) const;
  Status CheckContent() const;
  void NotifyStarted() const;
  void NotifyFinished(const Status& status) const;
  void Drop();

  const TableOutputRequest request_;
  std::shared_ptr<FreshImage> image_;  // null: none is kept
  const std::unique_ptr<OutputFile> output_;
  std::unique_ptr<TableBuilder> builder_;
  FileRef meta_;
  std::shared_ptr<const TableProperties> properties_;
  std::string last_key_;
  SequenceNumber smallest_sequence_ = kMaxSequenceNumber;
  SequenceNumber largest_sequence_ = 0;
  uint64_t payload_bytes_ = 0;
  uint64_t content_hash_ = 0;
  const bool is_hashing_;
  bool has_tombstones_ = false;
  // The first failure on the way from Seal() to Join().
  Status status_;
  bool is_sealed_ = false;
  bool is_closed_ = false;
};

// Makes the names of new files in their directory durable, as the manifest
// must not name a file that a crash can take away.
Status SyncOutputDirectory(const JobContext& job, uint32_t path_id);

// Frees the images in memory of files that nobody will compact again.
void DropImages(const JobContext& job, const std::vector<FileRef>& files);

// The path of a family in which its blob files lie.
inline constexpr uint32_t kBlobPathId = 0;
// Where a blob file of the family is.
std::string BlobPathOf(ColumnFamilyData* cfd, uint64_t number);
// Deletes a finished blob file that no version will list: I/O, so without the
// DB mutex.
void DiscardBlobFile(const JobContext& job, uint64_t number);

// Seconds since 1970; 0 if the clock cannot tell.
uint64_t NowSeconds(const JobContext& job);

}  // namespace ROCKSDB_NAMESPACE
