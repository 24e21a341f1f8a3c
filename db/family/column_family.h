// One column family: its options, memtables, files, and the SuperVersion that
// reads see; and the set of them.
//
// Threads    Marked (mutex): under the DB mutex. The rest: any thread.
// Ownership  ColumnFamilyData is shared by the set, handles and SuperVersions;
//            a dropped family lives until the last of them goes.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "db/family/memtable_list.h"
#include "db/family/read_states.h"
#include "db/family/super_version.h"
#include "db/tables/table_cache.h"
#include "db/version/version.h"
#include "options/cf_options.h"
#include "options/db_options.h"
#include "util/invariant.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BlobSource;
class ChargedMemory;
class TrackedNames;
class WriteBufferManager;
enum class TrackedWork : uint64_t;

// What is under way for a family. (mutex)
struct FamilySchedule {
  bool queued_for_flush = false;
  bool queued_for_compaction = false;
  int running_compactions = 0;
  // More than zero: none may run. Changed under the mutex; jobs look at it.
  std::atomic<int> compaction_aborts{0};
};

class ColumnFamilyData : public std::enable_shared_from_this<ColumnFamilyData> {
 public:
  struct Context {
    const ImmutableDBOptions* db = nullptr;
    TableCache::Context tables;  // `cf` and `paths` are filled in here
    // A follower's, where all files are; empty: they are in cf_paths.
    std::string links_directory;
    WriteBufferManager* write_buffer_manager = nullptr;
    Mutex* mutex = nullptr;  // the DB mutex
    std::string db_name;     // that threads tell; empty: they tell nothing
  };
  ColumnFamilyData(uint32_t id, std::string name,
                   const ColumnFamilyOptions& sanitized,
                   const Context& context);
  ~ColumnFamilyData();

  uint32_t id() const { return id_; }
  const std::string& name() const { return name_; }
  const ImmutableCFOptions& ioptions() const { return ioptions_; }
  const InternalKeyComparator& order() const {
    return ioptions_.internal_comparator;
  }
  const Comparator* user_comparator() const {
    return ioptions_.user_comparator;
  }
  TableCache* tables() { return &tables_; }
  BlobSource* blobs() { return blobs_.get(); }
  // What its files are charged to; null: they are not.
  const std::shared_ptr<ChargedMemory>& file_charge() const {
    return file_charge_;
  }
  // Follows the option; files that outlive the family share it.
  std::shared_ptr<const std::atomic<uint32_t>> uncache_aggressiveness() const {
    return uncache_aggressiveness_;
  }
  Statistics* statistics() const { return context_.db->stats; }
  // What threads tell that work for it; kNone, without
  // enable_thread_tracking: nothing.
  TrackedWork tracked_work() const { return tracked_work_; }
  bool is_dropped() const { return dropped_.load(std::memory_order_relaxed); }
  void MarkDropped() { dropped_.store(true, std::memory_order_relaxed); }

  // Takes the DB mutex.
  ColumnFamilyOptions CopyOptions() const;

  // --- state (mutex)
  const std::shared_ptr<const MutableCFOptions>& options() const {
    return options_;
  }
  void SetOptions(std::shared_ptr<const MutableCFOptions> options);
  const MemTableRef& mem() const { return mem_; }
  MemTableList* imm() { return &imm_; }
  const VersionRef& current() const { return current_; }
  void InstallVersion(VersionRef version) {
    INVARIANT(version != nullptr && version->cfd() == this);
    current_ = std::move(version);
  }
  // WALs with smaller numbers hold nothing that this family still needs.
  // Also without the mutex: a write that meets the number before a flush is
  // installed, or the one after, is newer than both.
  uint64_t log_number() const {
    return log_number_.load(std::memory_order_relaxed);
  }
  void set_log_number(uint64_t number) {
    INVARIANT(number >= log_number());
    log_number_.store(number, std::memory_order_relaxed);
  }
  uint64_t NewEpoch() { return next_epoch_++; }
  void set_next_epoch(uint64_t epoch) { next_epoch_ = epoch; }
  uint64_t next_epoch() const { return next_epoch_; }
  // Versions older than this timestamp may be gone; empty = none is set.
  const std::string& full_history_ts_low() const { return ts_low_; }
  void set_full_history_ts_low(std::string ts) { ts_low_ = std::move(ts); }
  // Compaction cursors by level (round-robin picking).
  std::map<int, InternalKey>* compaction_cursors() { return &cursors_; }
  const std::map<int, InternalKey>& cursors() const { return cursors_; }

  // A fresh, empty memtable for sequences from `earliest` on.
  MemTableRef NewMemTable(SequenceNumber earliest);
  // For what is left of these, which are sealed, oldest first.
  MemTableRef NewPurgedMemTable(const MemTableVector& sealed);
  // (mutex) Bytes of all memtables that live, those too that only readers
  // hold.
  size_t AllMemTableBytes();
  // Makes `mem` the active memtable; the one before, if any, is returned.
  MemTableRef SwitchMemTable(MemTableRef mem);

  // The smallest WAL number with data of this family that is in no file.
  // Of the memtables beside those up to `newest_id`.
  uint64_t OldestLogBeside(uint64_t newest_id) const;
  uint64_t MinLogNumberNeeded() const;

  FamilySchedule schedule;

  // Handles that users hold; the last one of a dropped family frees its data.
  std::atomic<int> handle_count{0};

  // --- what reads see, as ReadStates has it
  // (mutex) Publishes mem, imm, current and options.
  void InstallSuperVersion(WriteStallCondition stall,
                           std::vector<SuperVersion*>* garbage);
  SuperVersion* Acquire() { return states_.Acquire(); }
  bool Return(SuperVersion* state) { return states_.Return(state); }
  SuperVersion* AcquireReferenced() { return states_.AcquireReferenced(); }
  // Null where the last handle of a dropped family is gone.
  SuperVersion* TryAcquire() { return states_.TryAcquire(); }
  SuperVersion* TryAcquireReferenced() {
    return states_.TryAcquireReferenced();
  }
  static bool Release(SuperVersion* state) {
    return ReadStates::Release(state);
  }
  // (mutex) Drops every reference that the family itself holds: at close, and
  // when the last handle of a dropped family goes.
  void DropReferences(std::vector<SuperVersion*>* garbage) {
    states_.DropAll(garbage);
  }
  uint64_t super_version_number() const { return states_.number(); }

 private:
  const uint32_t id_;
  const std::string name_;
  const Context context_;
  const std::unique_ptr<TrackedNames> tracked_names_;  // null: tells nothing
  ImmutableCFOptions ioptions_;
  std::shared_ptr<const MutableCFOptions> options_;
  TableCache tables_;
  std::unique_ptr<BlobSource> blobs_;
  const std::shared_ptr<ChargedMemory> file_charge_;
  const std::shared_ptr<std::atomic<uint32_t>> uncache_aggressiveness_;
  std::atomic<bool> dropped_{false};

  MemTableRef mem_;
  MemTableList imm_;
  VersionRef current_;
  std::atomic<uint64_t> log_number_{0};
  uint64_t next_epoch_ = kReservedEpoch;
  MemTableRef MakeMemTable(SequenceNumber earliest, uint64_t id);

  uint64_t next_memtable_id_ = 1;
  std::vector<std::weak_ptr<MemTable>> memtables_;  // some are gone
  std::map<int, InternalKey> cursors_;
  std::string ts_low_;

  const TrackedWork tracked_work_;  // read together with what is beside it
  ReadStates states_;
};

using ColumnFamilyRef = std::shared_ptr<ColumnFamilyData>;

// The families of a database, in order of creation, the default one first.
class ColumnFamilySet {
 public:
  // All (mutex). Families that are dropped are out of the set.
  void Add(ColumnFamilyRef cfd);
  void Remove(uint32_t id);
  ColumnFamilyData* Find(uint32_t id) const;
  ColumnFamilyData* Find(const std::string& name) const;
  const std::vector<ColumnFamilyRef>& all() const { return families_; }
  ColumnFamilyData* default_family() const {
    INVARIANT(!families_.empty());
    return families_.front().get();
  }
  // Do values change where they stand, in one of them?
  bool changes_in_place() const { return in_place_count_ > 0; }
  uint32_t max_id() const { return max_id_; }
  void NoteMaxId(uint32_t id) { max_id_ = std::max(max_id_, id); }

 private:
  std::vector<ColumnFamilyRef> families_;
  std::unordered_map<std::string, ColumnFamilyData*> by_name_;
  std::unordered_map<uint32_t, ColumnFamilyData*> by_id_;
  size_t in_place_count_ = 0;
  uint32_t max_id_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
