// ManagedDB: flushes and compactions that users ask for.
#include <algorithm>

#include "db/background/manual_compaction.h"
#include "db/family/memtable_overlap.h"
#include "db/files/obsolete_files.h"
#include "db/impl/job_parts.h"
#include "db/impl/managed_db.h"
#include "db/impl/stored_range.h"
#include "db/intake/changes.h"
#include "db/intake/family_changes.h"
#include "db/intake/flush_requests.h"
#include "db/intake/intake.h"
#include "db/jobs/background_control.h"
#include "db/jobs/clean_up.h"
#include "db/jobs/manual_compactions.h"
#include "db/jobs/resume_control.h"
#include "db/registry/family_handle.h"
#include "file/filename.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckRange(const CompactRangeOptions& options, ColumnFamilyData* cfd) {
  INVARIANT(cfd != nullptr);
  const int level_count = cfd->ioptions().num_levels;
  const size_t path_count = cfd->tables()->paths().size();
  INVARIANT(level_count > 0);
  INVARIANT(path_count > 0);
  if (options.change_level &&
      (options.target_level < -1 || options.target_level >= level_count)) {
    return Status::InvalidArgument(
        "target_level", std::to_string(options.target_level) +
                            " is not one of " + std::to_string(level_count) +
                            " levels");
  }
  if (options.change_level && options.target_level > 0 &&
      TraitsOf(cfd->ioptions().compaction_style).has_only_level0) {
    return Status::InvalidArgument("FIFO compaction keeps files in level 0");
  }
  if (options.target_path_id >= path_count) {
    return Status::InvalidArgument(
        "Invalid target path ID",
        "target_path_id=" + std::to_string(options.target_path_id));
  }
  return Status::OK();
}

// A range without both of its ends is flushed in any case, as in RocksDB.
bool NeedsFlush(ColumnFamilyData* cfd, const Slice* begin, const Slice* end) {
  if (begin == nullptr || end == nullptr) return true;
  SuperVersion* const state = cfd->AcquireReferenced();
  const bool needs = MayOverlap(*state, *begin, *end);
  ColumnFamilyData::Release(state);
  return needs;
}

}  // namespace

Status ManagedDB::CompactRange(const CompactRangeOptions& options,
                               ColumnFamilyHandle* family, const Slice* begin,
                               const Slice* end) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(family);
  Status s = CheckRange(options, cfd);
  if (!s.ok()) return s;
  if (options.canceled != nullptr && options.canceled->load()) {
    return Status::Incomplete(Status::SubCode::kManualCompactionPaused);
  }
  if (base_.stop.IsAborting()) return base_.stop.CheckManual();
  if (options.full_history_ts_low != nullptr) {
    s = on_demand_->families()->RaiseHistory(cfd, *options.full_history_ts_low);
    if (!s.ok()) return s;
  }
  if (begin != nullptr && end != nullptr &&
      cfd->order().CompareGiven(*begin, *end) > 0) {
    return Status::OK();  // There is nothing between them.
  }
  // All versions of the keys in the range.
  const StoredRange range({begin, end}, cfd->order().timestamp_size());
  if (NeedsFlush(cfd, range.begin(), range.end())) {
    FlushOptions flush;
    flush.allow_write_stall = options.allow_write_stall;
    s = intake_->flush_requests()->Flush(flush, {cfd},
                                         FlushReason::kManualCompaction);
    if (!s.ok()) return s;
  }
  ManualCompaction manual;
  manual.cfd = cfd;
  manual.canceled = options.canceled;
  manual.blob_policy = options.blob_garbage_collection_policy;
  manual.blob_age_cutoff = options.blob_garbage_collection_age_cutoff;
  manual.range.begin = range.begin();
  manual.range.end = range.end();
  manual.range.output_path_id = options.target_path_id;
  manual.range.max_subcompactions = options.max_subcompactions;
  // The versions that are looked at may be the last to list the inputs.
  const ObsoleteFiles::PurgeAtEnd purge(files_->obsolete());
  return jobs_->on_request()->CompactRange(options, &manual);
}

namespace {

// The numbers in names like "000123.sst", with or without a directory before.
Status NumbersOf(const std::vector<std::string>& names,
                 const std::string& family, std::vector<uint64_t>* numbers) {
  INVARIANT(numbers != nullptr);
  for (const std::string& name : names) {
    uint64_t number = 0;
    FileType type = kTempFile;
    const size_t slash = name.find_last_of('/');
    const std::string base =
        slash == std::string::npos ? name : name.substr(slash + 1);
    if (!ParseFileName(base, &number, &type) || type != kTableFile) {
      return Status::InvalidArgument("Specified compaction input file " + name +
                                         " does not exist in column family " +
                                         family + ".",
                                     "that is no name of a table file");
    }
    numbers->push_back(number);
  }
  return Status::OK();
}

// A user's thread that works with the parts of the database like one of its
// own: whoever closes it waits until the thread has left. None enters once the
// close has begun.
class CallerInside {
 public:
  CallerInside(Foundation* base, BackgroundScheduler* scheduler)
      : base_(base), scheduler_(scheduler) {
    MutexLock lock(&base_->mutex);
    if (base_->stop.IsShuttingDown()) return;
    scheduler_->Enter();
    has_entered_ = true;
  }
  ~CallerInside() {
    if (!has_entered_) return;
    MutexLock lock(&base_->mutex);
    scheduler_->Leave();
  }
  CallerInside(const CallerInside&) = delete;
  CallerInside& operator=(const CallerInside&) = delete;

  bool has_entered() const { return has_entered_; }

 private:
  Foundation* const base_;
  BackgroundScheduler* const scheduler_;
  bool has_entered_ = false;
};

}  // namespace

Status ManagedDB::CompactFiles(const CompactionOptions& options,
                               ColumnFamilyHandle* handle,
                               const std::vector<std::string>& input_names,
                               int output_level, int output_path_id,
                               std::vector<std::string>* output_names,
                               CompactionJobInfo* info) {
  if (Status s = CheckHandle(handle); !s.ok()) return s;
  if (Status s = CheckOpen(); !s.ok()) return s;
  std::vector<uint64_t> numbers;
  Status s = NumbersOf(input_names, handle->GetName(), &numbers);
  if (!s.ok()) return s;
  const CallerInside inside(&base_, background_->scheduler());
  if (!inside.has_entered()) return Status::ShutdownInProgress();
  std::optional<CompactionJobInfo> done;
  // Its inputs are gone when it returns, unless somebody reads them.
  const ObsoleteFiles::PurgeAtEnd purge(files_->obsolete());
  s = jobs_->on_request()->CompactFiles(options, FamilyOf(handle),
                                        {.numbers = std::move(numbers),
                                         .output_level = output_level,
                                         .output_path_id = output_path_id},
                                        &done);
  if (!done.has_value()) return s;
  jobs_->ScanFiles();
  clean_up_->Purge();
  if (s.ok() && output_names != nullptr) *output_names = done->output_files;
  if (info != nullptr) *info = std::move(*done);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
