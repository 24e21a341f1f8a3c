// Compactions that users ask for, and wait for: whole ranges level by level,
// files by name, and files that go to another level as they are.
//
// Threads    Any; the DB mutex is taken, but for what is marked (mutex), which
//            is called under it and gives it back while it waits.
// Ownership  Borrows what it is given.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "db/background/manual_compaction.h"
#include "db/compaction/compaction.h"
#include "rocksdb/listener.h"
#include "rocksdb/options.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundScheduler;
class ChangeSignal;
class ColumnFamilyData;
class CompactionQueue;
class CompactionRunner;
class ErrorHandler;
class FamilyPublisher;
class FamilyRegistry;
class JobErrors;
class LevelPlacing;
class ManualQueue;
class PickerInputs;
class SpaceReserve;
class StopSignals;
class VersionSet;
struct FamilyEntry;

class ManualCompactions {
 public:
  struct Context {
    Mutex* mutex = nullptr;
    const FamilyRegistry* families PT_GUARDED_BY(mutex) = nullptr;
    BackgroundScheduler* scheduler PT_GUARDED_BY(mutex) = nullptr;
    ManualQueue* manual PT_GUARDED_BY(mutex) = nullptr;
    LevelPlacing* placing PT_GUARDED_BY(mutex) = nullptr;
    FamilyPublisher* publisher PT_GUARDED_BY(mutex) = nullptr;
    const ErrorHandler* error PT_GUARDED_BY(mutex) = nullptr;
    VersionSet* versions = nullptr;
    FSDirectory* directory = nullptr;
    CompactionQueue* queue = nullptr;
    CompactionRunner* runner = nullptr;
    const PickerInputs* inputs = nullptr;
    const SpaceReserve* space = nullptr;
    const StopSignals* stop = nullptr;
    ChangeSignal* changes = nullptr;
    JobErrors* errors = nullptr;
  };
  explicit ManualCompactions(const Context& context) : context_(context) {}
  ManualCompactions(const ManualCompactions&) = delete;
  ManualCompactions& operator=(const ManualCompactions&) = delete;

  // `manual` says of which family and which keys; its levels are filled in.
  Status CompactRange(const CompactRangeOptions& options,
                      ManualCompaction* manual) EXCLUDES(context_.mutex);

  struct Files {
    std::vector<uint64_t> numbers;
    int output_level = 0;
    int output_path_id = -1;  // below 0: the picker's choice
  };
  // `done` is filled in as soon as it runs, whatever becomes of it.
  Status CompactFiles(const CompactionOptions& options, ColumnFamilyData* cfd,
                      const Files& files,
                      std::optional<CompactionJobInfo>* done)
      EXCLUDES(context_.mutex);

  // The files of `from` to `target`, below 0: to the shallowest level that can
  // take them. (mutex)
  Status MoveToLevel(ColumnFamilyData* cfd, int from, int target);

 private:
  Status BecomeExclusive(const ManualCompaction* manual)
      REQUIRES(context_.mutex);
  Status Check(const ManualCompaction& manual) const REQUIRES(context_.mutex);
  static bool HasFilesToRewrite(const ManualCompaction& manual);
  Status CompactDown(const CompactRangeOptions& options,
                     ManualCompaction* manual) REQUIRES(context_.mutex);
  Status CompactWhole(const CompactRangeOptions& options,
                      ManualCompaction* manual) REQUIRES(context_.mutex);
  Status CompactLevel(ManualCompaction* manual) REQUIRES(context_.mutex);
  // Where `canceled` is given, it ends the wait for others.
  Status MoveLocked(ColumnFamilyData* cfd, int from, int target,
                    const std::atomic<bool>* canceled) REQUIRES(context_.mutex);
  Status MoveFiles(ColumnFamilyData* cfd, int from, int target)
      REQUIRES(context_.mutex);
  Status PickFiles(const CompactionOptions& options, FamilyEntry* family,
                   const Files& files, std::unique_ptr<Compaction>* result)
      REQUIRES(context_.mutex);

  const Context context_;
};

}  // namespace ROCKSDB_NAMESPACE
