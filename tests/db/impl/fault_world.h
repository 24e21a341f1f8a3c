// A database with column families over a file system in memory that fails and
// crashes on purpose.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "tests/db/impl/faults/sync_watch.h"
#include "tests/db/impl/faults/write_history.h"
#include "util/ignore_error.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {

class FaultWorld {
 public:
  FaultWorld(uint64_t seed, bool is_direct, size_t value_bytes)
      : fs_(std::make_shared<FaultInjectionFileSystem>(
            std::make_shared<MemFileSystem>(SystemClock::Default(), InMemory()),
            seed)),
        watch_(std::make_shared<SyncWatch>(fs_)),
        env_(NewCompositeEnv(watch_)),
        history_(value_bytes) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.disable_auto_compactions = true;
    // Tables take more than one call to write.
    options_.writable_file_max_buffer_size = 4 << 10;
    options_.info_log_level = InfoLogLevel::FATAL_LEVEL;
    options_.use_direct_io_for_compaction_reads = is_direct;
    options_.use_direct_io_for_flush_and_compaction = is_direct;
  }
  ~FaultWorld() { IgnoreError(Close(), "the world ends"); }

  // Values go to blob files, which every compaction collects.
  void UseBlobs() {
    options_.enable_blob_files = true;
    options_.min_blob_size = 100;
    options_.blob_file_size = 2 << 10;
    options_.enable_blob_garbage_collection = true;
    options_.blob_garbage_collection_age_cutoff = 0.8;
  }
  // They go there before the log has the references to them.
  void UseDirectBlobs() {
    UseBlobs();
    options_.enable_blob_direct_write = true;
    options_.blob_direct_write_partitions = 2;
    options_.allow_concurrent_memtable_write = false;
    options_.enable_pipelined_write = false;
    options_.unordered_write = false;
    options_.two_write_queues = false;
    options_.comparator = BytewiseComparator();
    options_.persist_user_defined_timestamps = true;
  }
  // In memory and in logs; tables do without.
  void UseTimestampsInMemory() {
    options_.comparator = BytewiseComparatorWithU64Ts();
    options_.persist_user_defined_timestamps = false;
    options_.allow_concurrent_memtable_write = false;
    options_.unordered_write = false;
    options_.atomic_flush = false;
  }
  // What was written so far is history, up to the last few writes.
  Status RaiseHistory(ColumnFamilyHandle* handle) {
    std::string low;
    EncodeU64Ts(history_.size() - std::min<size_t>(history_.size(), 5), &low);
    return db_->IncreaseFullHistoryTsLow(handle, low);
  }
  bool HasTimestamps() const {
    return options_.comparator->timestamp_size() > 0;
  }
  // Tables and blob files that lie there and belong to no version.
  std::vector<std::string> Orphans() {
    std::vector<std::string> live, names, orphans;
    uint64_t manifest_bytes = 0;
    Status s = db_->GetLiveFiles(live, &manifest_bytes, false);
    if (s.ok()) s = watch_->GetChildren(kPath, IOOptions(), &names, nullptr);
    if (!s.ok()) return {s.ToString()};
    for (const std::string& name : names) {
      const bool is_data = name.find(".sst") != std::string::npos ||
                           name.find(".blob") != std::string::npos;
      if (is_data &&
          std::find(live.begin(), live.end(), "/" + name) == live.end()) {
        orphans.push_back(name);
      }
    }
    return orphans;
  }

  // With every family that is there.
  Status Open() {
    IgnoreError(Close(), "whoever cares for it closes before");
    std::vector<std::string> names;
    Status s = DB::ListColumnFamilies(options_, kPath, &names);
    if (!s.ok()) names = {kDefaultColumnFamilyName};
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, ColumnFamilyOptions(options_));
    }
    return DB::Open(options_, kPath, families, &handles_, &db_);
  }
  Status Close() {
    Status s;
    for (ColumnFamilyHandle* handle : handles_) {
      IgnoreError(db_->DestroyColumnFamilyHandle(handle),
                  "a handle of this database is always given back");
    }
    handles_.clear();
    if (db_ != nullptr) s = db_->Close();
    db_.reset();
    return s;
  }
  // The handle of the family; null if it is not there.
  ColumnFamilyHandle* Handle(const std::string& name) const {
    for (ColumnFamilyHandle* handle : handles_) {
      if (handle->GetName() == name) return handle;
    }
    return nullptr;
  }
  Status Write(const std::string& family, bool sync = false) {
    return history_.Write(db_.get(), Handle(family), sync);
  }
  Status CreateFamily(const std::string& name) {
    ColumnFamilyHandle* handle = nullptr;
    Status s =
        db_->CreateColumnFamily(ColumnFamilyOptions(options_), name, &handle);
    // It is there even if it could not be noted in the options file.
    if (handle != nullptr) handles_.push_back(handle);
    return s;
  }
  Status FlushAll() {
    Status s = db_->Flush(FlushOptions(), handles_);
    if (s.ok()) history_.NoteAllDurable();
    return s;
  }
  Status CompactAll(ColumnFamilyHandle* handle) {
    CompactRangeOptions options;
    options.bottommost_level_compaction = BottommostLevelCompaction::kForce;
    return db_->CompactRange(options, handle, nullptr, nullptr);
  }
  std::string Check(bool is_live) {
    return history_.Check(db_.get(), handles_, is_live);
  }

  static constexpr const char* kPath = "/db";

  std::shared_ptr<FaultInjectionFileSystem> fs_;
  std::shared_ptr<SyncWatch> watch_;
  std::unique_ptr<Env> env_;
  Options options_;
  WriteHistory history_;
  std::unique_ptr<DB> db_;
  std::vector<ColumnFamilyHandle*> handles_;

 private:
  static MemFileSystemOptions InMemory() {
    MemFileSystemOptions options;
    options.implicit_directories = true;
    return options;
  }
};

}  // namespace ROCKSDB_NAMESPACE
