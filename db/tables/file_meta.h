// One table file as the version state knows it: what the manifest says about
// it, and what this process has learned since.
//
// Threads    The manifest part is constant once the file is in a Version.
//            `being_compacted` is guarded by the DB mutex. The rest is atomic.
// Ownership  Shared (FileRef) by every Version that lists the file. When the
//            last one lets go, the destructor reports the number to the
//            ObsoleteFileSink, which is how files get deleted.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "db/blob/blob_file.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/types.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class MemoryCharge;
class TableReader;
struct TableProperties;

inline constexpr uint64_t kUnknownTime = 0;
inline constexpr uint64_t kUnknownEpoch = 0;
// Epoch of files ingested behind everything else (db-format.md 5.7).
inline constexpr uint64_t kReservedEpoch = 1;

// How those that ask for files are told the function of a checksum: a file
// without one has it of an unknown function.
inline std::string ChecksumFunctionName(const std::string& recorded) {
  return recorded.empty() ? kUnknownFileChecksumFuncName : recorded;
}

struct UniqueId64x2 {
  uint64_t id0 = 0;
  uint64_t id1 = 0;
  bool IsZero() const { return id0 == 0 && id1 == 0; }
  bool operator==(const UniqueId64x2& other) const = default;
};

// A table file that no Version lists any more.
struct UnreferencedTable {
  std::string path;
  uint64_t number = 0;
  uint64_t size_bytes = 0;
  // The one that was pinned; null: none was, the table cache may have one.
  std::shared_ptr<const TableReader> reader = nullptr;
  uint32_t uncache_aggressiveness = 0;  // the family's option
};

// Where a file goes when no Version lists it any more.
class ObsoleteFileSink : public BlobFileSink {
 public:
  // There is an object for the table or blob file, which reports itself here
  // when it goes. (mutex)
  virtual void OnReferenced(uint64_t number) = 0;
  // Called from any thread, with or without the DB mutex: must not take it,
  // nor close the reader.
  virtual void OnUnreferenced(UnreferencedTable table) = 0;
};

struct FileMeta {
  FileMeta() = default;
  FileMeta(const FileMeta&) = delete;
  FileMeta& operator=(const FileMeta&) = delete;
  ~FileMeta();

  // --- as in the manifest (db-format.md 4.3)
  uint64_t number = 0;
  uint32_t path_id = 0;
  uint64_t size_bytes = 0;
  InternalKey smallest;  // Covers point entries and range tombstones.
  InternalKey largest;
  SequenceNumber smallest_sequence = kMaxSequenceNumber;
  SequenceNumber largest_sequence = 0;
  bool is_marked_for_compaction = false;
  uint64_t oldest_blob_file = 0;                 // 0 = none
  uint64_t oldest_ancestor_time = kUnknownTime;  // seconds since 1970
  uint64_t file_creation_time = kUnknownTime;    // seconds since 1970
  uint64_t epoch_number = kUnknownEpoch;
  std::string checksum;
  std::string checksum_function;
  Temperature temperature = Temperature::kUnknown;
  UniqueId64x2 unique_id;
  uint64_t compensated_range_deletion_bytes = 0;
  uint64_t tail_size_bytes = 0;
  bool has_persisted_timestamps = true;
  // The size of the timestamps that the bounds have here, and not in the
  // manifest; 0: none are left out.
  size_t left_out_timestamp_bytes = 0;
  std::string smallest_timestamp;
  std::string largest_timestamp;
  // By which the file system opens the file sooner (fast_sst_open); empty: it
  // has said nothing.
  std::string open_metadata;

  // Copies the manifest part only.
  void CopyManifestPartFrom(const FileMeta& other);

  // Widens the bounds and sequences to hold an entry.
  void NoteEntry(const Slice& internal_key, SequenceNumber sequence);
  void NoteTombstone(const InternalKey& begin, const InternalKey& end,
                     SequenceNumber sequence, const InternalKeyComparator& c);

  // Takes the bounds of timestamps from the table's properties, if it has them.
  void NoteTimestamps(const TableProperties& properties);

  // For a file that was just written or read, and leaves out timestamps of
  // `size` bytes: its bounds, which have some, become what a restart makes of
  // them. 0: nothing changes.
  void LeaveOutTimestamps(size_t size);
  // For a file from the manifest that leaves out timestamps: gives its bounds,
  // which have none, some of `size` bytes. Changes no other file.
  void RestoreTimestamps(size_t size);
  // A bound for the manifest.
  InternalKey StoredBound(const InternalKey& bound) const;

  // What this object takes, about.
  size_t MemoryBytes() const;

  // --- learned in this process
  bool being_compacted = false;
  bool is_suggested = false;  // by DB::SuggestCompactRange()
  bool WantsCompaction() const {
    return is_marked_for_compaction || is_suggested;
  }

  // From the table's properties, once it was opened; 0 before.
  std::atomic<uint64_t> entry_count{0};
  std::atomic<uint64_t> deletion_count{0};  // range deletions included
  std::atomic<uint64_t> range_deletion_count{0};
  std::atomic<uint64_t> raw_key_bytes{0};
  std::atomic<uint64_t> raw_value_bytes{0};
  std::atomic<bool> has_properties{false};
  // A file whose properties were never read may have some.
  bool MayHaveTombstones() const {
    return !has_properties.load(std::memory_order_relaxed) ||
           range_deletion_count.load(std::memory_order_relaxed) > 0;
  }

  // A user looks up a key in the file, or an iterator comes to it. One in so
  // many counts, for all of them.
  static constexpr uint32_t kReadSampling = 64;
  void NoteRead() const {
    // By chance, so that no rhythm of the reader hides a file.
    thread_local uint32_t chance = 1;
    chance = chance * 1664525u + 1013904223u;
    if (chance >= UINT32_MAX / kReadSampling) [[likely]]
      return;
    sampled_reads.fetch_add(kReadSampling, std::memory_order_relaxed);
  }
  // An estimate, of this process.
  mutable std::atomic<uint64_t> sampled_reads{0};

  // The reader that stays open as long as the file lives (max_open_files =
  // -1); set once by the table cache, which owns the pin through
  // `pinned_owner`. release/acquire: a reader that sees it sees it whole.
  mutable std::atomic<const TableReader*> pinned_reader{nullptr};
  mutable std::shared_ptr<const TableReader> pinned_owner;

  // Set when the file first enters an installed Version.
  std::string path;
  std::shared_ptr<ObsoleteFileSink> sink;
  std::shared_ptr<MemoryCharge> charge;  // null: not charged
  // The family's, as it is when the file goes; null: 0.
  std::shared_ptr<const std::atomic<uint32_t>> uncache_aggressiveness;
};

using FileRef = std::shared_ptr<FileMeta>;

}  // namespace ROCKSDB_NAMESPACE
