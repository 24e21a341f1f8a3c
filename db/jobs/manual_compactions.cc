#include "db/jobs/manual_compactions.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "db/background/background_scheduler.h"
#include "db/background/error_handler.h"
#include "db/background/job_errors.h"
#include "db/background/level_placing.h"
#include "db/background/manual_queue.h"
#include "db/background/stop_signals.h"
#include "db/compaction/compaction_picker.h"
#include "db/files/space_reserve.h"
#include "db/jobs/compaction_queue.h"
#include "db/jobs/compaction_runner.h"
#include "db/jobs/picker_inputs.h"
#include "db/manifest/version_set.h"
#include "db/registry/change_signal.h"
#include "db/registry/family_registry.h"
#include "db/version/version_edit.h"
#include "db/write/family_publisher.h"
#include "options/compaction_styles.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

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

// The deepest level that compactions write to.
int LastUsedLevel(const ImmutableCFOptions& cf) {
  return cf.num_levels - (cf.cf_allow_ingest_behind ? 2 : 1);
}

}  // namespace

Status ManualCompactions::CompactRange(const CompactRangeOptions& options,
                                       ManualCompaction* manual) {
  INVARIANT(manual != nullptr && manual->cfd != nullptr);
  MutexLock lock(context_.mutex);
  Status s;
  if (options.exclusive_manual_compaction) s = BecomeExclusive(manual);
  if (s.ok()) {
    // Files made from here on need no second rewrite.
    manual->range.max_file_number = context_.versions->next_file_number();
    const CompactionStyleTraits& style =
        TraitsOf(manual->cfd->ioptions().compaction_style);
    s = style.takes_all_at_once ? CompactWhole(options, manual)
                                : CompactDown(options, manual);
  }
  if (context_.manual->IsExclusive(manual)) {
    context_.manual->EndExclusive();
    context_.scheduler->MaybeSchedule();
    context_.changes->Note();
  }
  return s;
}

// CompactRangeOptions::exclusive_manual_compaction. Once no other is exclusive,
// none but `manual` begins; it waits for those that run.
Status ManualCompactions::BecomeExclusive(const ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  Status s = Check(*manual);
  while (s.ok() && (!context_.manual->IsExclusive(manual) ||
                    context_.scheduler->running_compactions() > 0)) {
    if (context_.manual->HasExclusive()) {
      context_.changes->AwaitForUser(manual->canceled);
    } else {
      context_.manual->SetExclusive(manual);
    }
    s = Check(*manual);
  }
  return s;
}

// Why a manual compaction that does not run must not begin, if anything.
Status ManualCompactions::Check(const ManualCompaction& manual) const {
  if (Status s = CheckManual(*context_.stop, manual); !s.ok()) return s;
  return context_.error->StopsCompaction() ? context_.error->error()
                                           : Status::OK();
}

// Level by level: each level's files in the range go one level down, or as far
// as they would be merged on the way, until the last level that holds any.
// There they are rewritten only if asked for.
Status ManualCompactions::CompactDown(const CompactRangeOptions& options,
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
    last = std::max(last, output);
    manual->range.deepest_level = last;
    s = CompactLevel(manual);
  }
  const bool rewrites = RewritesBottom(options, cfd->ioptions());
  if (s.ok() && rewrites && output > 0) {
    manual->range.input_level = manual->range.output_level = output;
    manual->range.deepest_level = output;
    if (options.bottommost_level_compaction ==
        BottommostLevelCompaction::kForce) {
      manual->range.max_file_number = UINT64_MAX;
    }
    // A job that finds nothing would still wait for a thread.
    if (HasFilesToRewrite(*manual)) s = CompactLevel(manual);
  }
  if (s.ok() && options.change_level) {
    s = MoveLocked(cfd, output, options.target_level, manual->canceled);
  }
  return s;
}

// In the range's output level: all but those that this compaction has made.
bool ManualCompactions::HasFilesToRewrite(const ManualCompaction& manual) {
  const CompactionPicker::Range& range = manual.range;
  const std::vector<FileRef> files =
      manual.cfd->current()->storage().Overlapping(
          range.output_level, {range.begin, range.end},
          VersionStorage::Level0Growth::kNone);
  return std::any_of(files.begin(), files.end(), [&](const FileRef& file) {
    return file->number < range.max_file_number;
  });
}

// Styles without levels to go down one by one: all sorted runs at once, or
// what FIFO would do next.
Status ManualCompactions::CompactWhole(const CompactRangeOptions& options,
                                       ManualCompaction* manual) {
  INVARIANT(manual != nullptr && manual->cfd != nullptr);
  ColumnFamilyData* cfd = manual->cfd;
  const CompactionStyleTraits& style =
      TraitsOf(cfd->ioptions().compaction_style);
  const int last = style.has_only_level0 ? 0 : LastUsedLevel(cfd->ioptions());
  manual->range.output_level = last;
  const VersionStorage& now = cfd->current()->storage();
  size_t file_count = 0;
  for (int level = 0; level <= last; ++level) {
    file_count += now.FileCount(level);
  }
  const bool is_one_run =
      file_count > 0 && last > 0 && now.FileCount(last) == file_count;
  Status s;
  if (!is_one_run || RewritesBottom(options, cfd->ioptions())) {
    s = CompactLevel(manual);
  }
  if (s.ok() && options.change_level) {
    // The level that is kept for what is ingested behind is none of them.
    s = MoveLocked(cfd, last, std::min(options.target_level, last),
                   manual->canceled);
  }
  return s;
}

// One level of a manual compaction, in as many jobs as it takes.
Status ManualCompactions::CompactLevel(ManualCompaction* manual) {
  INVARIANT(manual != nullptr);
  INVARIANT(!manual->running);
  INVARIANT(manual->cfd != nullptr);
  INVARIANT(manual->range.input_level >= 0);
  INVARIANT(manual->range.input_level <= manual->range.output_level);
  manual->done = false;
  manual->status = Status::OK();
  context_.manual->Add(manual);
  context_.scheduler->MaybeSchedule();
  while (!manual->done) {
    if (!manual->running) {
      manual->status = Check(*manual);
      if (!manual->status.ok()) break;
    }
    context_.scheduler->MaybeSchedule();
    // Once it runs, it looks itself whether it is canceled.
    context_.changes->AwaitForUser(manual->running ? nullptr
                                                   : manual->canceled);
  }
  INVARIANT(!manual->running);
  context_.manual->Remove(manual);
  context_.changes->Note();
  return manual->status;
}

Status ManualCompactions::MoveToLevel(ColumnFamilyData* cfd, int from,
                                      int target) {
  context_.mutex->AssertHeld();
  return MoveLocked(cfd, from, target, /*canceled=*/nullptr);
}

// CompactRangeOptions::change_level. A compaction that runs beside it could
// put newer data below the level that older data go to.
// Placing is begun once nothing is left to wait for: ingestion, which holds
// writers, waits for it.
Status ManualCompactions::MoveLocked(ColumnFamilyData* cfd, int from,
                                     int target,
                                     const std::atomic<bool>* canceled) {
  INVARIANT(cfd != nullptr);
  const FamilyRef family = context_.families->Find(cfd->id());
  if (family == nullptr) return Status::ColumnFamilyDropped(cfd->name());
  ++family->level_changes;
  const auto must_wait = [&] {
    return family->is_changing_level || family->picker->HasRunning();
  };
  const auto check = [&] {
    if (context_.stop->IsShuttingDown()) return Status::ShutdownInProgress();
    return canceled != nullptr && canceled->load()
               ? Status::Incomplete(Status::SubCode::kManualCompactionPaused)
               : Status::OK();
  };
  Status s = check();
  bool is_placing = false;
  while (s.ok() && !is_placing) {
    if (must_wait()) {
      context_.changes->AwaitForUser(canceled);
    } else {
      context_.placing->Begin();
      is_placing = !must_wait();
      if (!is_placing) context_.placing->End();
    }
    s = check();
  }
  if (s.ok()) {
    family->is_changing_level = true;
    context_.scheduler->Enter();  // Whoever closes the database waits for it.
    s = MoveFiles(cfd, from, target);
    context_.scheduler->Leave();
    family->is_changing_level = false;
  }
  if (is_placing) context_.placing->End();
  INVARIANT(family->level_changes > 0);
  --family->level_changes;
  if (!cfd->is_dropped()) context_.queue->Add(cfd);
  context_.scheduler->MaybeSchedule();
  context_.changes->Note();
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
Status ManualCompactions::MoveFiles(ColumnFamilyData* cfd, int from,
                                    int target) {
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
  // None of them may be dropped (FileDrop) while the manifest is being written.
  for (const FileRef& file : storage.files(from)) file->being_compacted = true;
  Status s = context_.versions->LogAndApply({{cfd, &edit}}, context_.directory);
  for (const FileRef& file : storage.files(from)) file->being_compacted = false;
  if (!cfd->is_dropped()) context_.queue->Score(cfd);
  if (s.ok()) {
    context_.publisher->Publish(cfd);
  } else {
    context_.errors->OnManifestError(s);
  }
  return s;
}

Status ManualCompactions::PickFiles(const CompactionOptions& options,
                                    FamilyEntry* family, const Files& files,
                                    std::unique_ptr<Compaction>* result) {
  const auto path_count =
      static_cast<int>(family->cfd->tables()->paths().size());
  if (files.output_path_id >= path_count) {
    return Status::InvalidArgument("output_path_id",
                                   std::to_string(files.output_path_id));
  }
  Status s = CheckManualOf(*context_.stop, *family->cfd);
  if (!s.ok()) return s;
  if (family->level_changes > 0) {
    return Status::Aborted("files are going to another level");
  }
  if (context_.manual->HasExclusive()) {
    return Status::Aborted("an exclusive manual compaction runs");
  }
  s = family->picker->PickFiles(context_.inputs->Make(*family), files.numbers,
                                files.output_level, options, result);
  if (!s.ok() || files.output_path_id < 0) return s;
  Compaction* const picked = result->get();
  const auto id = static_cast<uint32_t>(files.output_path_id);
  if (picked->output_path_id != id) picked->is_trivial_move = false;
  picked->output_path_id = id;
  return s;
}

Status ManualCompactions::CompactFiles(const CompactionOptions& options,
                                       ColumnFamilyData* cfd,
                                       const Files& files,
                                       std::optional<CompactionJobInfo>* done) {
  INVARIANT(done != nullptr);
  INVARIANT(!done->has_value());
  INVARIANT(cfd != nullptr);
  MutexLock lock(context_.mutex);
  const FamilyRef family = context_.families->Find(cfd->id());
  if (family == nullptr) return Status::ColumnFamilyDropped();
  std::unique_ptr<Compaction> compaction;
  Status s = PickFiles(options, family.get(), files, &compaction);
  if (!s.ok()) return s;
  INVARIANT(compaction != nullptr);
  const uint64_t room = SpaceReserve::RoomFor(*compaction);
  if (!context_.space->Reserve(room)) {
    return Status::CompactionTooLarge("no room for its outputs");
  }
  CompactionJobInfo& info = done->emplace();
  context_.scheduler->JoinCompactions();
  context_.manual->BeginFiles();
  s = context_.runner->Run(
      family.get(), std::move(compaction),
      {.is_manual = true, .canceled = options.canceled, .info = &info});
  context_.space->Release(room);
  context_.manual->EndFiles();
  context_.scheduler->LeaveJoinedCompactions();
  if (!s.ok()) {
    context_.errors->OnBackgroundError(s, BackgroundErrorReason::kCompaction);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
