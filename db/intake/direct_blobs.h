// Large values on their way into blob files before the log has the references
// to them (enable_blob_direct_write).
//
// The leader of a group replaces each batch with large values by one with
// references. The files belong to the memtable that the group will go to: it
// has been switched before, if it was due. So a flush of a memtable gives all
// its files their end, and no file waits for two flushes.
//
//   values -> files, to the operating system (and the device, if the group is
//   to be synced) -> log -> memtable
//
// Not replaced: batches with merges, whose operands stay together with what
// they are merged with; prepared sections and what ends them; timed puts;
// deltas of an inplace_callback.
//
// Threads    Marked (turn): by the leader of all writes. The rest any.
// Ownership  Borrows what it is given; shares the files with the memtables.
// Errors     What is in the files and not in the log is garbage of the files,
//            and the group has failed as a whole.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/write/write_thread.h"
#include "options/cf_options.h"
#include "rocksdb/write_batch.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
class FamilyRegistry;
class JobContexts;
class MemTableBlobs;
struct BatchEntry;
struct StoredColumns;
struct UnlistedBlobFile;

class DirectBlobs {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    const JobContexts* jobs = nullptr;
  };
  explicit DirectBlobs(const Context& context) : context_(context) {}
  DirectBlobs(const DirectBlobs&) = delete;
  DirectBlobs& operator=(const DirectBlobs&) = delete;

  // A family with the option was opened or created.
  void TurnOn() { is_on_.store(true, std::memory_order_relaxed); }
  bool is_on() const { return is_on_.load(std::memory_order_relaxed); }

  // Sets `stored` of writers with large values; good until the next call.
  // (turn)
  Status Store(WriteThread::Group* group) EXCLUDES(context_.mutex);
  // Before a log is synced: what it refers to is on the device.
  Status Sync();
  // Files that no version lists, and that logs may refer to. (mutex)
  std::vector<UnlistedBlobFile> Unlisted() const;
  bool HasUnlisted() const EXCLUDES(context_.mutex);

 private:
  // Where a family's values go, as long as one group is written.
  struct Target {
    bool is_direct = false;
    ColumnFamilyData* cfd = nullptr;
    std::shared_ptr<const MutableCFOptions> options;
    MemTableBlobs* blobs = nullptr;  // null: not needed yet
  };
  using Targets = std::map<uint32_t, Target>;

  Target* TargetOf(uint32_t id, Targets* targets) EXCLUDES(context_.mutex);
  MemTableBlobs* BlobsOf(Target* target) EXCLUDES(context_.mutex);
  Status StoreOne(WriteThread::Writer* writer, Targets* targets);
  Status HasLarge(const WriteBatch& batch, Targets* targets, bool* result);
  Status CheckEntity(const BatchEntry& entry, const Target& target,
                     bool* has_large) const;
  Status StoreEntry(const BatchEntry& entry, Targets* targets, WriteBatch* to);
  Status StoreValue(const BatchEntry& entry, Target* target, WriteBatch* to);
  Status StoreEntity(const BatchEntry& entry, Target* target, WriteBatch* to);
  // *reference: empty if the value stays where it is.
  Status Put(Target* target, uint32_t partition, const Slice& key,
             const Slice& value, std::string* reference);
  template <class Value>
  Status Partition(const Target& target, const Slice& key, const Value& value,
                   uint32_t* partition);
  std::vector<std::shared_ptr<MemTableBlobs>> Live() const;

  const Context context_;
  std::atomic<bool> is_on_{false};
  std::deque<WriteBatch> stored_;  // the last group's, with references to blobs
  uint32_t next_partition_ = 0;
  mutable Mutex live_mutex_;
  mutable std::vector<std::weak_ptr<MemTableBlobs>> live_
      GUARDED_BY(live_mutex_);
};

}  // namespace ROCKSDB_NAMESPACE
