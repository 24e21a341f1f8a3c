// Appends version edits to the manifest, and starts a new one when it is
// time, or after a failure (db-format.md 4.9, 4.10, 1.3, 1.6).
//
// Contract   Append() returns OK only when every record is synced and, for a
//            new manifest, CURRENT names it. After a failure the manifest
//            before stays in force here, and the next Append() must start a
//            new one: a failed sync is never retried on the same file. The
//            records of a failed call may still be found by the next open:
//            they may be durable, and CURRENT may name the new file. So no
//            manifest that CURRENT may name is ever deleted here.
// Threads    One caller at a time (VersionSet sees to it); no DB mutex held.
//            manifest_number() and size_bytes() from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/manifest/manifest_limits.h"
#include "db/wal/log_writer.h"
#include "file/file_io_context.h"
#include "rocksdb/file_system.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// A manifest that a session before has left.
struct LeftManifest {
  uint64_t number = 0;
  uint64_t size_bytes = 0;  // up to its last whole record
  uint64_t record_count = 0;
  uint64_t compacted_bytes = 0;  // right after its head; 0: not known
};

class ManifestWriter {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    std::string db_path;
    FileOptions file_options;
    FSDirectory* directory = nullptr;  // the DB directory, to be synced
  };
  explicit ManifestWriter(Context context);
  ~ManifestWriter();

  // A new manifest must be started by the next Append().
  bool NeedsNew(const ManifestLimits& limits) const;
  // To the manifest in force. !NeedsNew() because of a failure.
  Status Append(const std::vector<std::string>& records);

  struct NewManifest {
    uint64_t number = 0;  // greater than that of any before
    // The full state, then the records that caused the start.
    std::vector<std::string> head;
    std::vector<std::string> records;
    size_t preallocation_bytes = 0;
  };
  Status Start(const NewManifest& manifest);

  // Instead of a first Start(): goes on with that one. On a failure nothing
  // has changed.
  Status GoOnWith(const LeftManifest& left, size_t preallocation_bytes);
  // Before a first Start(): makes that one durable, and its name, since the
  // session that wrote it may have been killed before it came to that.
  Status Settle(const LeftManifest& left) const;
  // Reads the manifest in force back: Corruption where it is not what was
  // written. OK for one that has failed.
  Status Verify() const;
  // The next records go to a new one.
  void Abandon() { has_failed_ = true; }

  // The number and the size of the manifest in force; 0: none was started here.
  uint64_t manifest_number() const {
    return number_.load(std::memory_order_relaxed);
  }
  uint64_t size_bytes() const {
    return size_bytes_.load(std::memory_order_relaxed);
  }
  Status Close();

 private:
  FileOptions OptionsOfFile() const;
  FileIoContext IoContext() const;
  Status OpenNew(const NewManifest& manifest,
                 std::unique_ptr<log::Writer>* writer) const;
  // Aborted where it has more than whole records: its end is torn, or a sync of
  // it has failed.
  Status Reopen(const LeftManifest& left,
                std::unique_ptr<FSWritableFile>* file) const;
  Status SyncDirectory() const;
  Status WriteHead(const NewManifest& manifest, log::Writer* writer,
                   uint64_t* head_bytes) const;
  Status SyncFile(log::Writer* writer) const;
  static Status AddRecords(const std::vector<std::string>& records,
                           log::Writer* writer);
  // Takes back what Start() has written, if CURRENT cannot name it.
  void DropUnused(uint64_t number) const;

  const Context context_;
  std::unique_ptr<log::Writer> writer_;
  std::atomic<uint64_t> number_{0};
  std::atomic<uint64_t> size_bytes_{0};
  uint64_t compacted_bytes_ = 0;  // right after the head
  uint64_t record_count_ = 0;     // records in the manifest in force
  bool has_failed_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
