// The parts that flush and compact, put together: what is due, what runs it,
// what users ask of it, and what becomes of its errors.
//
// Threads    As each part says. Run...() by threads of the environment, without
//            the DB mutex.
// Ownership  Owns the parts, which borrow from each other and from what is
//            given.
#pragma once

#include <memory>

#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {

class BackgroundParts;
class CleanUp;
class CompactionDesk;
class CompactionQueue;
class CompactionRunner;
class DB;
class FamilyParts;
class FileParts;
class FlushDesk;
class FlushRunner;
class JobContexts;
class JobPressure;
class LeaderAttention;
class LevelPlacing;
class ManualCompactions;
class PickerInputs;
class ReadPort;
class RemoteRuns;
class ResumeControl;
class SequenceAges;
class SnapshotList;
class VersionSet;
class WriteController;
class WrittenFiles;
struct Foundation;

class JobParts {
 public:
  struct Context {
    DB* handed_out = nullptr;  // what listeners are handed
    Foundation* base = nullptr;
    const FamilyParts* families = nullptr;
    const FileParts* files = nullptr;
    BackgroundParts* background = nullptr;
    LeaderAttention* attention = nullptr;
    const WriteController* writes = nullptr;
  };
  explicit JobParts(const Context& context);
  ~JobParts();
  JobParts(const JobParts&) = delete;
  JobParts& operator=(const JobParts&) = delete;

  // What jobs read and write; the parts below that say so are made then.
  struct Stored {
    VersionSet* versions = nullptr;
    const WrittenFiles* written = nullptr;
    const SnapshotList* snapshots = nullptr;  // (mutex)
    CleanUp* clean_up = nullptr;
  };
  void Open(const Stored& stored);

  LevelPlacing* placing() const { return placing_.get(); }  // (mutex)
  FlushDesk* flushes() const { return flushes_.get(); }
  const RemoteRuns* remote() const { return remote_.get(); }
  ResumeControl* resume() const { return resume_.get(); }
  // --- from Open() on
  SequenceAges* ages() const { return ages_.get(); }
  CompactionQueue* queue() const { return queue_.get(); }
  JobContexts* contexts() const { return contexts_.get(); }
  ManualCompactions* on_request() const { return on_request_.get(); }
  FlushRunner* flush_runner() const { return flush_runner_.get(); }

  // --- jobs, which leave nothing behind that can go
  void RunFlushes();
  void RunCompactions();
  void RunBottomCompactions();
  // Looks for obsolete files that no job knows of, unless that was done within
  // the last delete_obsolete_files_period_micros.
  void ScanFiles() EXCLUDES(mutex_);

  // --- the end, in this order: from the first on nothing is begun that waits
  // for its time, from the second on nothing by others; then no job runs
  void StopTimers();
  void LeaveOthers();
  void StopRetries();

 private:
  template <class Job>
  void Run(const Job& job);
  void MakeQueue();
  void MakeRunners();
  void MakeDesks();

  const Context context_;
  Mutex* const mutex_;
  Stored stored_;
  // In the order in which they are made.
  const std::unique_ptr<LevelPlacing> placing_;
  const std::unique_ptr<const RemoteRuns> remote_;
  const std::unique_ptr<FlushDesk> flushes_;
  const std::unique_ptr<ResumeControl> resume_;
  const std::unique_ptr<JobPressure> pressure_;
  std::unique_ptr<SequenceAges> ages_;
  std::unique_ptr<CompactionQueue> queue_;
  std::unique_ptr<JobContexts> contexts_;
  std::unique_ptr<CompactionRunner> runner_;
  std::unique_ptr<const PickerInputs> inputs_;
  std::unique_ptr<CompactionDesk> desk_;
  std::unique_ptr<ManualCompactions> on_request_;
  std::unique_ptr<FlushRunner> flush_runner_;
};

}  // namespace ROCKSDB_NAMESPACE
