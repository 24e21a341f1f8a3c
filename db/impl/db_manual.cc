// DBImpl: compactions that users ask for.
#include <algorithm>

#include "db/background/compaction_turn.h"
#include "db/background/manual_compaction.h"
#include "db/files/obsolete_files.h"
#include "db/impl/db_impl.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/compaction_runner.h"
#include "file/filename.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"
#include "util/monotonic.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status CheckRange(const CompactRangeOptions& options, int level_count,
                  size_t path_count) {
  INVARIANT(level_count > 0);
  INVARIANT(path_count > 0);
  if (options.change_level &&
      (options.target_level < -1 || options.target_level >= level_count)) {
    return Status::InvalidArgument(
        "target_level", std::to_string(options.target_level) +
                            " is not one of " + std::to_string(level_count) +
                            " levels");
  }
  if (options.target_path_id >= path_count) {
    return Status::InvalidArgument(
        "Invalid target path ID",
        "target_path_id=" + std::to_string(options.target_path_id));
  }
  return Status::OK();
}

// Is the last level written again, even if nothing comes from above?
bool RewritesBottom(const CompactRangeOptions& options,
                    const ImmutableCFOptions& cf) {
  using Bottommost = BottommostLevelCompaction;
  switch (options.bottommost_level_compaction) {
    case Bottommost::kForce:
    case Bottommost::kForceOptimized:
      return true;
    case Bottommost::kIfHaveCompactionFilter:
      return cf.compaction_filter != nullptr ||
             cf.compaction_filter_factory != nullptr;
    case Bottommost::kSkip:
      return false;
  }
  INVARIANT(false);
}

// A range of keys as users give them, with the timestamps of stored keys.
class StoredRange {
 public:
  StoredRange(const RangePtr& given, size_t timestamp_size)
      : has_begin_(given.start != nullptr), has_end_(given.limit != nullptr) {
    if (has_begin_) {
      begin_bytes_ = WithMaxTimestamp(*given.start, timestamp_size);
      begin_ = begin_bytes_;
    }
    if (has_end_) {
      end_bytes_ = WithMinTimestamp(*given.limit, timestamp_size);
      end_ = end_bytes_;
    }
  }
  StoredRange(const StoredRange&) = delete;
  StoredRange& operator=(const StoredRange&) = delete;

  const Slice* begin() const { return has_begin_ ? &begin_ : nullptr; }
  const Slice* end() const { return has_end_ ? &end_ : nullptr; }

 private:
  const bool has_begin_;
  const bool has_end_;
  std::string begin_bytes_;
  std::string end_bytes_;
  Slice begin_;
  Slice end_;
};

}  // namespace

Status DBImpl::CompactRange(const CompactRangeOptions& options,
                            ColumnFamilyHandle* family, const Slice* begin,
                            const Slice* end) {
  if (Status s = CheckHandle(family); !s.ok()) return s;
  if (Status s = CheckWritable(); !s.ok()) return s;
  ColumnFamilyData* cfd = FamilyOf(family);
  Status s = CheckRange(options, cfd->ioptions().num_levels,
                        cfd->tables()->paths().size());
  if (!s.ok()) return s;
  if (options.canceled != nullptr && options.canceled->load()) {
    return Status::Incomplete(Status::SubCode::kManualCompactionPaused);
  }
  if (stop_.IsAborting()) return stop_.CheckManual();
  if (options.full_history_ts_low != nullptr) {
    s = RaiseHistory(cfd, *options.full_history_ts_low);
    if (!s.ok()) return s;
  }
  FlushOptions flush;
  flush.allow_write_stall = options.allow_write_stall;
  s = FlushFamilies(flush, {cfd}, FlushReason::kManualCompaction);
  if (!s.ok()) return s;
  // All versions of the keys in the range.
  const StoredRange range({begin, end}, cfd->order().timestamp_size());
  ManualCompaction manual;
  manual.cfd = cfd;
  manual.canceled = options.canceled;
  manual.blob_policy = options.blob_garbage_collection_policy;
  manual.blob_age_cutoff = options.blob_garbage_collection_age_cutoff;
  manual.range.begin = range.begin();
  manual.range.end = range.end();
  manual.range.output_path_id = options.target_path_id;
  manual.range.max_subcompactions = options.max_subcompactions;
  return CompactRangeLevels(options, &manual);
}

Status DBImpl::CompactRangeLevels(const CompactRangeOptions& options,
                                  ManualCompaction* manual) {
  INVARIANT(manual != nullptr && manual->cfd != nullptr);
  // The versions that are looked at here may be the last to list the inputs.
  const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
  MutexLock lock(&mutex_);
  Status s;
  if (options.exclusive_manual_compaction) s = BecomeExclusive(manual);
  if (s.ok()) {
    // Files made from here on need no second rewrite.
    manual->range.max_file_number = versions_->next_file_number();
    const CompactionStyle style = manual->cfd->ioptions().compaction_style;
    const bool is_whole =
        style == kCompactionStyleUniversal || style == kCompactionStyleFIFO;
    s = is_whole ? CompactWhole(options, manual) : CompactDown(options, manual);
  }
  if (manual_.IsExclusive(manual)) {
    manual_.EndExclusive();
    background_.MaybeSchedule();
    changes_.Note();
  }
  return s;
}

// CompactRangeOptions::exclusive_manual_compaction. Once no other is exclusive,
// none but `manual` begins; it waits for those that run.
Status DBImpl::BecomeExclusive(const ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  Status s = CheckManual(*manual);
  while (s.ok() && (!manual_.IsExclusive(manual) ||
                    background_.running_compactions() > 0)) {
    if (manual_.HasExclusive()) {
      changes_.AwaitForUser();
    } else {
      manual_.SetExclusive(manual);
    }
    s = CheckManual(*manual);
  }
  return s;
}

// Why a manual compaction that does not run must not begin, if anything.
Status DBImpl::CheckManual(const ManualCompaction& manual) const {
  if (stop_.IsShuttingDown()) return Status::ShutdownInProgress();
  if (Status s = stop_.CheckManual(); !s.ok()) return s;
  if (manual.canceled != nullptr && manual.canceled->load()) {
    return Status::Incomplete(Status::SubCode::kManualCompactionPaused);
  }
  return errors_.StopsCompaction() ? errors_.error() : Status::OK();
}

// Level by level: each level's files in the range go one level down, until
// the last level that holds any. There they are rewritten only if asked for.
Status DBImpl::CompactDown(const CompactRangeOptions& options,
                           ManualCompaction* manual) {
  INVARIANT(manual != nullptr && manual->cfd != nullptr);
  ColumnFamilyData* cfd = manual->cfd;
  const int level_count = cfd->ioptions().num_levels;
  int last = 0;
  // The version is not held while jobs run: their inputs would stay on disk.
  std::vector<bool> is_empty(level_count);
  int base = 1;
  {
    const VersionStorage& storage = cfd->current()->storage();
    INVARIANT(storage.level_count() == level_count);
    base = std::max(1, storage.base_level());
    for (int level = 0; level < level_count; ++level) {
      is_empty[level] = storage.files(level).empty();
      const bool has_files =
          !storage
               .Overlapping(level, {manual->range.begin, manual->range.end},
                            VersionStorage::Level0Growth::kNone)
               .empty();
      if (has_files) last = level;
    }
  }
  Status s;
  int output = last;
  for (int level = 0; level <= last && s.ok(); ++level) {
    if (level > 0 && level < base && is_empty[level]) continue;
    if (level == last && level > 0) break;
    output = level == 0 ? std::max(base, 1) : level + 1;
    if (level_count == 1) output = 0;
    INVARIANT(output < level_count);
    manual->range.input_level = level;
    manual->range.output_level = output;
    s = CompactLevel(manual);
    last = std::max(last, output);
  }
  const bool rewrites = RewritesBottom(options, cfd->ioptions());
  if (s.ok() && rewrites && output > 0) {
    manual->range.input_level = manual->range.output_level = output;
    if (options.bottommost_level_compaction ==
        BottommostLevelCompaction::kForce) {
      manual->range.max_file_number = UINT64_MAX;
    }
    s = CompactLevel(manual);
  }
  if (s.ok() && options.change_level) {
    s = MoveToLevel(cfd, output, options.target_level);
  }
  return s;
}

// Styles without levels to go down one by one: all sorted runs at once, or
// what FIFO would do next.
Status DBImpl::CompactWhole(const CompactRangeOptions& options,
                            ManualCompaction* manual) {
  INVARIANT(manual != nullptr && manual->cfd != nullptr);
  ColumnFamilyData* cfd = manual->cfd;
  const bool is_fifo = cfd->ioptions().compaction_style == kCompactionStyleFIFO;
  const int last = is_fifo ? 0 : cfd->ioptions().num_levels - 1;
  manual->range.output_level = last;
  const VersionStorage& now = cfd->current()->storage();
  const bool is_one_run =
      now.FileCount() > 0 && last > 0 && now.FileCount(last) == now.FileCount();
  Status s;
  if (!is_one_run || RewritesBottom(options, cfd->ioptions())) {
    s = CompactLevel(manual);
  }
  if (s.ok() && options.change_level) {
    s = MoveToLevel(cfd, last, options.target_level);
  }
  return s;
}

// One level of a manual compaction, in as many jobs as it takes.
Status DBImpl::CompactLevel(ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  INVARIANT(!manual->running);
  INVARIANT(manual->cfd != nullptr);
  INVARIANT(manual->range.input_level >= 0);
  INVARIANT(manual->range.input_level <= manual->range.output_level);
  manual->done = false;
  manual->status = Status::OK();
  manual_.Add(manual);
  background_.MaybeSchedule();
  while (!manual->done) {
    if (!manual->running) {
      manual->status = CheckManual(*manual);
      if (!manual->status.ok()) break;
    }
    background_.MaybeSchedule();
    changes_.AwaitForUser();
  }
  INVARIANT(!manual->running);
  manual_.Remove(manual);
  changes_.Note();
  return manual->status;
}

void DBImpl::RunManual(ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  INVARIANT(manual->cfd != nullptr);
  const FamilyRef family = families_.Find(manual->cfd->id());
  if (family == nullptr) {
    manual->status = Status::ColumnFamilyDropped();
    manual->done = true;
    return;
  }
  INVARIANT(!manual->running);
  INVARIANT(!manual->done);
  manual->running = true;
  CompactionPicker::Range range = manual->range;
  std::string rest_key;
  Slice rest_slice;
  while (manual->status.ok() && !stop_.IsShuttingDown()) {
    manual->status = stop_.CheckManual();
    if (!manual->status.ok()) break;
    if (family->level_changes > 0) {
      changes_.AwaitForUser();
      continue;
    }
    bool conflict = false;
    std::optional<InternalKey> rest;
    std::unique_ptr<Compaction> compaction = family->picker->PickRange(
        PickerInput(*family), range, &conflict, &rest);
    manual->is_blocked = compaction == nullptr && conflict;
    if (manual->is_blocked) {
      changes_.AwaitForUser();
      continue;
    }
    if (compaction == nullptr) break;
    compaction->OverrideBlobCollection(manual->blob_policy,
                                       manual->blob_age_cutoff);
    compaction->trim_ts = manual->trim_ts;
    if (!manual->trim_ts.empty()) compaction->is_trivial_move = false;
    const uint64_t room = SpaceReserve::RoomFor(*compaction);
    if (!space_.Reserve(room)) {
      manual->status = Status::CompactionTooLarge("no room for its outputs");
      break;
    }
    manual->status = runner_->Run(
        family.get(), std::move(compaction),
        {.is_manual = true, .canceled = manual->canceled, .info = nullptr});
    space_.Release(room);
    const Status& s = manual->status;
    if (!s.ok()) {
      OnBackgroundError(s, BackgroundErrorReason::kCompaction);
    }
    if (!rest) break;
    rest_key = rest->user_key().ToString();
    rest_slice = rest_key;
    range.begin = &rest_slice;
  }
  if (manual->status.ok() && stop_.IsShuttingDown()) {
    manual->status = Status::ShutdownInProgress();
  }
  manual->is_blocked = false;
  compactions_->Add(manual->cfd);
  manual->running = false;
  manual->done = true;
  changes_.Note();
}

// CompactRangeOptions::change_level. A compaction that runs beside it could
// put newer data below the level that older data go to.
// Placing is begun once nothing is left to wait for: ingestion, which holds
// writers, waits for it.
Status DBImpl::MoveToLevel(ColumnFamilyData* cfd, int from, int target) {
  INVARIANT(cfd != nullptr);
  const FamilyRef family = families_.Find(cfd->id());
  if (family == nullptr) return Status::ColumnFamilyDropped(cfd->name());
  ++family->level_changes;
  const auto must_wait = [&] {
    return (family->is_changing_level || family->picker->HasRunning()) &&
           !stop_.IsShuttingDown();
  };
  while (true) {
    while (must_wait()) changes_.AwaitForUser();
    BeginPlacing();
    if (!must_wait()) break;
    EndPlacing();
  }
  Status s;
  if (stop_.IsShuttingDown()) {
    s = Status::ShutdownInProgress();
  } else {
    family->is_changing_level = true;
    s = MoveFiles(cfd, from, target);
    family->is_changing_level = false;
  }
  EndPlacing();
  INVARIANT(family->level_changes > 0);
  --family->level_changes;
  if (!cfd->is_dropped()) compactions_->Add(cfd);
  background_.MaybeSchedule();
  changes_.Note();
  return s;
}

namespace {

// A level below the first one holds each key in one file.
Status CheckDisjoint(const VersionStorage& storage) {
  std::vector<FileRef> files = storage.level0();
  const InternalKeyComparator& order = storage.order();
  std::sort(files.begin(), files.end(),
            [&order](const FileRef& a, const FileRef& b) {
              return order.Compare(a->smallest, b->smallest) < 0;
            });
  for (size_t i = 1; i < files.size(); ++i) {
    if (order.CompareUserKeys(files[i - 1]->largest.user_key(),
                              files[i]->smallest.user_key()) < 0) {
      continue;
    }
    return Status::InvalidArgument("files of level 0 overlap",
                                   std::to_string(files[i - 1]->number) + ", " +
                                       std::to_string(files[i]->number));
  }
  return Status::OK();
}

}  // namespace

// The files of `from` to an empty level.
Status DBImpl::MoveFiles(ColumnFamilyData* cfd, int from, int target) {
  INVARIANT(cfd != nullptr);
  const VersionRef version = cfd->current();
  const VersionStorage& storage = version->storage();
  INVARIANT(from >= 0 && from < storage.level_count());
  INVARIANT(target < storage.level_count());
  int to = target;
  if (to < 0) {
    // The shallowest level that can take them.
    to = from;
    while (to > 1 && storage.files(to - 1).empty()) --to;
  }
  INVARIANT(to >= 0);
  if (to == from || storage.files(from).empty()) return Status::OK();
  if (to == 0 && storage.files(from).size() > 1) {
    return Status::NotSupported("change_level to level 0 of several files");
  }
  for (int level = std::min(from, to); level <= std::max(from, to); ++level) {
    if (level == from || storage.files(level).empty()) continue;
    return Status::NotSupported("change_level: level " + std::to_string(level) +
                                " in between has files");
  }
  if (from == 0) {
    if (Status s = CheckDisjoint(storage); !s.ok()) return s;
  }
  VersionEdit edit;
  for (const FileRef& file : storage.files(from)) {
    if (file->being_compacted) {
      return Status::Aborted("change_level: a compaction is running");
    }
    edit.DeleteFile(from, file->number);
    edit.AddFile(to, file);
  }
  Status s = versions_->LogAndApply({{cfd, &edit}}, db_directory_.get());
  if (s.ok()) {
    publisher_.Publish(cfd);
  } else {
    OnManifestError(s);
  }
  return s;
}

namespace {

// Of "000123.sst", with or without a directory before it.
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

}  // namespace

Status DBImpl::CompactFiles(const CompactionOptions& options,
                            ColumnFamilyHandle* handle,
                            const std::vector<std::string>& input_names,
                            int output_level, int output_path_id,
                            std::vector<std::string>* output_names,
                            CompactionJobInfo* info) {
  if (Status s = CheckHandle(handle); !s.ok()) return s;
  if (Status s = CheckWritable(); !s.ok()) return s;
  std::vector<uint64_t> numbers;
  Status s = NumbersOf(input_names, handle->GetName(), &numbers);
  if (!s.ok()) return s;
  CompactionJobInfo done;
  // Its inputs are gone when it returns, unless somebody reads them.
  const ObsoleteFiles::PurgeAtEnd purge(obsolete_.get());
  {
    MutexLock lock(&mutex_);
    const FamilyRef family = families_.Find(FamilyOf(handle)->id());
    if (family == nullptr) return Status::ColumnFamilyDropped();
    const auto path_count =
        static_cast<int>(family->cfd->tables()->paths().size());
    if (output_path_id >= path_count) {
      return Status::InvalidArgument("output_path_id",
                                     std::to_string(output_path_id));
    }
    s = stop_.CheckManual();
    if (!s.ok()) return s;
    if (family->level_changes > 0) {
      return Status::Aborted("files are going to another level");
    }
    if (manual_.HasExclusive()) {
      return Status::Aborted("an exclusive manual compaction runs");
    }
    std::unique_ptr<Compaction> compaction;
    s = family->picker->PickFiles(PickerInput(*family), numbers, output_level,
                                  options, &compaction);
    if (!s.ok()) return s;
    INVARIANT(compaction != nullptr);
    if (output_path_id >= 0) {
      const auto id = static_cast<uint32_t>(output_path_id);
      if (compaction->output_path_id != id) compaction->is_trivial_move = false;
      compaction->output_path_id = id;
    }
    const uint64_t room = SpaceReserve::RoomFor(*compaction);
    if (!space_.Reserve(room)) {
      return Status::CompactionTooLarge("no room for its outputs");
    }
    background_.BeginCompaction();
    manual_.BeginFiles();
    s = runner_->Run(
        family.get(), std::move(compaction),
        {.is_manual = true, .canceled = options.canceled, .info = &done});
    space_.Release(room);
    background_.EndCompaction();
    manual_.EndFiles();
    if (!s.ok()) OnBackgroundError(s, BackgroundErrorReason::kCompaction);
    changes_.Note();
  }
  ScanFiles();
  MaybePurge();
  if (s.ok() && output_names != nullptr) *output_names = done.output_files;
  if (info != nullptr) *info = std::move(done);
  return s;
}

Status DBImpl::WaitForCompact(const WaitForCompactOptions& options) {
  if (options.flush) {
    Status s = FlushAllFamilies(FlushOptions(), FlushReason::kManualFlush);
    if (!s.ok()) return s;
  }
  const uint64_t timeout = static_cast<uint64_t>(options.timeout.count());
  SystemClock* const clock = options_.clock;
  const uint64_t begin = MonotonicMicros(clock);
  Status s;
  {
    MutexLock lock(&mutex_);
    while (s.ok()) {
      if (stop_.IsShuttingDown()) {
        s = Status::ShutdownInProgress();
      } else if (!errors_.error().ok()) {
        s = errors_.error();
      } else if ((background_.IsPaused() || stop_.IsAborting()) &&
                 options.abort_on_pause) {
        s = Status::Aborted();
      } else if (!IsBusy() && !(options.wait_for_purge && IsPurging())) {
        break;
      } else if (timeout == 0) {
        changes_.AwaitForUser();
      } else if (const uint64_t waited = MonotonicMicros(clock) - begin;
                 waited < timeout) {
        changes_.AwaitFor(timeout - waited);
      } else {
        s = Status::TimedOut();
      }
    }
  }
  if (s.ok() && options.wait_for_purge) {
    MaybePurge();
    obsolete_->WaitForTrash();
  }
  if (s.ok() && options.close_db) s = Close();
  return s;
}

Status DBImpl::PauseBackgroundWork() {
  MutexLock lock(&mutex_);
  background_.Pause();
  while (background_.running_flushes() + background_.running_compactions() > 0)
    changes_.AwaitForUser();
  return Status::OK();
}

Status DBImpl::ContinueBackgroundWork() {
  MutexLock lock(&mutex_);
  if (!background_.Continue()) {
    return Status::InvalidArgument("", "Background work is not paused");
  }
  compactions_->RetryNow();
  return Status::OK();
}

void DBImpl::DisableManualCompaction() {
  MutexLock lock(&mutex_);
  if (!stop_.DisableManual()) return;
  changes_.Note();
  while (!manual_.IsIdle()) {
    changes_.AwaitForUser();
  }
}

void DBImpl::EnableManualCompaction() {
  MutexLock lock(&mutex_);
  stop_.EnableManual();
}

void DBImpl::AbortAllCompactions() {
  MutexLock lock(&mutex_);
  stop_.BeginAbort();
  changes_.Note();
  while (background_.running_compactions() > 0 || !manual_.empty())
    changes_.AwaitForUser();
}

// What was stopped is picked anew.
void DBImpl::ResumeAllCompactions() {
  MutexLock lock(&mutex_);
  if (!stop_.EndAbort()) return;
  compactions_->AddAll();
  compactions_->RetryNow();
}

Status DBImpl::EnableAutoCompaction(
    const std::vector<ColumnFamilyHandle*>& families) {
  for (ColumnFamilyHandle* family : families) {
    Status s = SetOptions(family, {{"disable_auto_compactions", "false"}});
    if (!s.ok()) return s;
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
