#include "db/styles/universal/universal_picker.h"

#include <algorithm>

#include "db/compaction/compaction_draft.h"
#include "db/styles/universal/merge_schedule.h"
#include "db/styles/universal/run_merge.h"
#include "db/tables/file_age.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Runs = std::vector<SortedRun>;

size_t Trigger(const MutableCFOptions& options) {
  return static_cast<size_t>(
      std::max(1, options.level0_file_num_compaction_trigger));
}

// Does `next` belong to what has been picked so far?
bool IsAlike(uint64_t picked, uint64_t next,
             const CompactionOptionsUniversal& options) {
  const double factor = (100.0 + options.size_ratio) / 100;
  const auto a = static_cast<double>(picked);
  const auto b = static_cast<double>(next);
  if (a * factor < b) return false;
  return options.stop_style != kCompactionStopStyleSimilarSize ||
         a <= b * factor;
}

// How many runs behind `picked` go with it, which counts as one run, until
// `most` are merged.
size_t CountAlike(const Runs& runs, const RunSpan& picked, size_t most,
                  const CompactionOptionsUniversal& options) {
  uint64_t bytes = BytesOf(runs, picked);
  size_t end = picked.end;
  while (end < runs.size() && end - picked.first < most && !runs[end].is_busy &&
         IsAlike(bytes, runs[end].bytes, options)) {
    bytes = options.stop_style == kCompactionStopStyleSimilarSize
                ? runs[end].bytes
                : bytes + runs[end].bytes;
    ++end;
  }
  return end - picked.end;
}

// Runs that one compaction works on count once: it will leave one.
size_t CountSettled(const Runs& runs) {
  size_t count = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (i == 0 || !runs[i].is_busy || !runs[i - 1].is_busy) ++count;
  }
  return count;
}

// What a flush writes, as far as the runs show it.
uint64_t FlushBytes(const Runs& runs, uint64_t write_buffer_bytes) {
  uint64_t bytes = 0;
  uint64_t count = 0;
  for (const SortedRun& run : runs) {
    if (run.level > 0 || run.bytes > write_buffer_bytes) continue;
    bytes += run.bytes;
    ++count;
  }
  return std::max<uint64_t>(1, count > 0 ? bytes / count : write_buffer_bytes);
}

size_t CountNewestIdle(const Runs& runs) {
  size_t idle = 0;
  while (idle < runs.size() && !runs[idle].is_busy) ++idle;
  return idle;
}

// How many of the newest runs to merge so that as few bytes as may be are
// written again while there are at most `limit`.
size_t ScheduledWidth(const MutableCFOptions& options, const Runs& runs,
                      size_t limit) {
  const size_t idle = CountNewestIdle(runs);
  // The oldest is left to PickForSpace(), unless there are but two.
  std::vector<uint64_t> sizes;
  for (size_t i = 0; i + 1 < runs.size() && i < idle; ++i) {
    sizes.push_back(runs[i].bytes);
  }
  if (sizes.size() < 2) return 2;
  const size_t settled = CountSettled(runs);
  assert(settled >= sizes.size());
  // One place is for the next flush, the rest but what older runs take.
  const size_t older = settled - sizes.size();
  const size_t slots = limit > older + 1 ? limit - older - 1 : 1;
  return BinomialMergeWidth(sizes, slots,
                            FlushBytes(runs, options.write_buffer_size));
}

}  // namespace

bool ChoosesRunLimit(const MutableCFOptions& options) {
  const CompactionOptionsUniversal& universal =
      options.compaction_options_universal;
  return universal.max_read_amp == 0 &&
         universal.stop_style == kCompactionStopStyleTotalSize;
}

size_t RunLimit(const MutableCFOptions& options,
                const std::vector<SortedRun>& runs) {
  const CompactionOptionsUniversal& universal =
      options.compaction_options_universal;
  const size_t trigger = Trigger(options);
  size_t limit = trigger;
  if (universal.max_read_amp > 0) {
    limit = std::max(trigger, static_cast<size_t>(universal.max_read_amp));
  } else if (ChoosesRunLimit(options)) {
    RunGeometry geometry;
    for (const SortedRun& run : runs) {
      geometry.largest_run_bytes =
          std::max(geometry.largest_run_bytes, run.bytes);
    }
    geometry.write_buffer_bytes =
        std::max<uint64_t>(1, options.write_buffer_size);
    geometry.size_ratio_percent = universal.size_ratio;
    limit = std::max<size_t>(trigger, AutomaticRunLimit(geometry));
  }
  // Writers that wait for fewer runs would wait for ever.
  const auto below = [&limit](int stall_trigger) {
    if (stall_trigger > 0) {
      limit = std::min(limit, static_cast<size_t>(stall_trigger) - 1);
    }
  };
  below(options.level0_stop_writes_trigger);
  if (options.level0_slowdown_writes_trigger > static_cast<int>(trigger)) {
    below(options.level0_slowdown_writes_trigger);
  }
  return std::max<size_t>(1, limit);
}

RunSpan SpanBySizeRatio(const std::vector<SortedRun>& runs,
                        const MutableCFOptions& cf_options) {
  const CompactionOptionsUniversal& options =
      cf_options.compaction_options_universal;
  const size_t settled = CountSettled(runs);
  const size_t least = std::max(2u, options.min_merge_width);
  const size_t most = std::max<size_t>(least, options.max_merge_width);
  for (size_t first = 0; first < runs.size(); ++first) {
    if (runs[first].is_busy) continue;
    RunSpan span{first, first + 1};
    span.end += CountAlike(runs, span, most, options);
    if (span.size() < least) continue;
    // What this leaves may be due for a merge with older runs at once: one
    // merge does for both.
    while (settled - span.size() + 1 >= Trigger(cf_options)) {
      const size_t more = CountAlike(runs, span, most, options);
      if (more + 1 < least) break;
      span.end += more;
    }
    return span;
  }
  return {};
}

std::unique_ptr<Compaction> UniversalPicker::Pick(const Input& input) {
  INVARIANT(input.options != nullptr);
  const VersionStorage& storage = input.version->storage();
  const Runs runs = CollectRuns(storage, *input.cf);
  if (runs.empty()) return nullptr;
  std::unique_ptr<Compaction> c = PickByAge(input, runs);
  const bool has_many = CountSettled(runs) >= Trigger(*input.options);
  if (c == nullptr && has_many) c = PickForSpace(input, runs);
  if (has_many && ChoosesRunLimit(*input.options)) {
    if (c == nullptr) c = PickScheduled(input, runs);
  } else if (has_many) {
    if (c == nullptr) c = PickBySizeRatio(input, runs);
    if (c == nullptr) c = PickExcess(input, runs);
  }
  if (c == nullptr) c = PickMarked(input, runs);
  if (c == nullptr) c = PickForBlobs(input, runs);
  if (c == nullptr) return nullptr;
  if (!storage.scores().empty()) c->score = storage.scores().front().score;
  return c;
}

std::unique_ptr<Compaction> UniversalPicker::MergeRuns(
    const Input& input, const Runs& runs, const RunSpan& span,
    CompactionReason reason) const {
  for (size_t i = span.first; i < span.end; ++i) {
    if (runs[i].is_busy) return nullptr;
  }
  // What is too young for the last level would only be written again.
  const int newest = runs[span.first].level;
  if (reason != CompactionReason::kManualCompaction &&
      span.end == runs.size() && IsYoungLevel(input, newest) &&
      !HoldsEnoughOldData(input, input.version->storage().files(newest))) {
    return nullptr;
  }
  auto c = MergeOfRuns(input, {&runs, span, reason});
  // Only a compaction of files that a user named can be in the way.
  return WritesWhereOtherDoes(*c) ? nullptr : std::move(c);
}

// All data from the newest run that is too old on, to the bottom.
std::unique_ptr<Compaction> UniversalPicker::PickByAge(const Input& input,
                                                       const Runs& runs) const {
  const VersionStorage& storage = input.version->storage();
  const uint64_t period = UniversalPeriodSeconds(*input.options);
  if (period == 0) return nullptr;
  size_t first = runs.size();
  for (const auto& [level, file] : storage.FilesToRewrite()) {
    if (file->being_compacted) continue;
    if (!IsOlderThan(*file, period, storage.periodic_at_seconds())) continue;
    for (size_t i = 0; i < runs.size(); ++i) {
      const bool holds = runs[i].level == level &&
                         (level > 0 || runs[i].file->get() == file.get());
      if (holds) first = std::min(first, i);
    }
  }
  if (first == runs.size()) return nullptr;
  return MergeRuns(input, runs, {first, runs.size()},
                   CompactionReason::kPeriodicCompaction);
}

// Everything, once the newer runs are too large against the oldest: what they
// overwrite of it is waste.
std::unique_ptr<Compaction> UniversalPicker::PickForSpace(
    const Input& input, const Runs& runs) const {
  const CompactionOptionsUniversal& options =
      input.options->compaction_options_universal;
  if (runs.size() < 2 || runs.back().is_busy) return nullptr;
  // Data that wait to become old enough for the last level are no waste.
  const bool has_waiting = IsYoungLevel(input, runs[runs.size() - 2].level);
  RunSpan newer{0, runs.size() - (has_waiting ? 2 : 1)};
  while (!newer.empty() && runs[newer.first].is_busy) ++newer.first;
  if (newer.empty()) return nullptr;
  const auto extra = static_cast<double>(BytesOf(runs, newer));
  const auto oldest = static_cast<double>(runs[newer.end].bytes);
  if (extra * 100 < options.max_size_amplification_percent * oldest) {
    return nullptr;
  }
  if (options.incremental && !has_waiting) {
    if (auto c = PickForSpaceInPart(input, runs)) return c;
  }
  return MergeRuns(input, runs, {newer.first, runs.size()},
                   CompactionReason::kUniversalSizeAmplification);
}

// The key range in which the two oldest runs hold the most waste for the bytes
// to rewrite. Null if they do not both lie in levels.
std::unique_ptr<Compaction> UniversalPicker::PickForSpaceInPart(
    const Input& input, const Runs& runs) const {
  INVARIANT(runs.size() >= 2);
  const SortedRun& upper = runs[runs.size() - 2];
  const SortedRun& lower = runs.back();
  if (upper.level == 0) return nullptr;
  std::unique_ptr<Compaction> best;
  double best_cost = 0;
  const size_t count = input.version->storage().FileCount(upper.level);
  for (size_t i = 0; i < count; ++i) {
    CompactionDraft draft(input, upper.level, lower.level);
    draft.SetSpan({i, i + 1});
    draft.AddLowerLevels();
    draft.GrowStartLevel();
    if (draft.IsBusy()) continue;
    const double cost =
        static_cast<double>(draft.Bytes()) /
        static_cast<double>(std::max<uint64_t>(1, draft.StartBytes()));
    if (best != nullptr && cost >= best_cost) continue;
    auto c = draft.Finish(CompactionReason::kUniversalSizeAmplification);
    if (WritesWhereOtherDoes(*c)) continue;
    c->is_trivial_move =
        c->is_trivial_move &&
        input.options->compaction_options_universal.allow_trivial_move;
    best = std::move(c);
    best_cost = cost;
  }
  return best;
}

// max_read_amp = 0: as few bytes as the limit allows.
std::unique_ptr<Compaction> UniversalPicker::PickScheduled(
    const Input& input, const Runs& runs) const {
  const size_t limit = RunLimit(*input.options, runs);
  if (CountSettled(runs) < std::max<size_t>(2, limit)) return nullptr;
  const size_t idle = CountNewestIdle(runs);
  if (idle < 2) return nullptr;
  const CompactionOptionsUniversal& options =
      input.options->compaction_options_universal;
  const size_t width =
      std::clamp<size_t>(ScheduledWidth(*input.options, runs, limit), 2,
                         std::max(2u, options.max_merge_width));
  return MergeRuns(input, runs, {0, std::min(width, idle)},
                   CompactionReason::kUniversalSortedRunNum);
}

std::unique_ptr<Compaction> UniversalPicker::PickBySizeRatio(
    const Input& input, const Runs& runs) const {
  const RunSpan span = SpanBySizeRatio(runs, *input.options);
  if (span.empty()) return nullptr;
  assert(span.size() >= 2);
  return MergeRuns(input, runs, span, CompactionReason::kUniversalSizeRatio);
}

// The newest runs, whatever their sizes, if there are more than may be: as
// many as leave no more, and those beside which another merge would soon have
// to take. Else sizes that never become alike have each flush rewrite all that
// came before it.
std::unique_ptr<Compaction> UniversalPicker::PickExcess(
    const Input& input, const Runs& runs) const {
  const CompactionOptionsUniversal& options =
      input.options->compaction_options_universal;
  const auto idle = static_cast<size_t>(
      std::count_if(runs.begin(), runs.end(),
                    [](const SortedRun& run) { return !run.is_busy; }));
  const size_t limit = RunLimit(*input.options, runs);
  if (idle <= limit) return nullptr;
  const size_t width = std::clamp<size_t>(
      std::max(idle - limit + 1, ScheduledWidth(*input.options, runs, limit)),
      2, std::max(2u, options.max_merge_width));
  RunSpan span;
  for (size_t i = 0; i < runs.size() && span.size() < width; ++i) {
    // Busy runs part the rest into pieces.
    if (runs[i].is_busy) {
      if (span.size() >= 2) break;
      span = {i + 1, i + 1};
    } else {
      span.end = i + 1;
    }
  }
  if (span.size() < 2) return nullptr;
  return MergeRuns(input, runs, span, CompactionReason::kUniversalSortedRunNum);
}

// Files that asked for it, or that are read often, with what older run is next:
// the entries to get rid of may lie there. In the oldest run, alone, unless
// older data may still be ingested behind it: nothing could be dropped, and the
// output would ask again.
std::unique_ptr<Compaction> UniversalPicker::PickMarked(
    const Input& input, const Runs& runs) const {
  const VersionStorage& storage = input.version->storage();
  for (const auto& [level, file] : storage.FilesToRewrite()) {
    if (file->being_compacted) continue;
    const bool is_marked = file->WantsCompaction();
    if (!is_marked &&
        !storage.WantsMergeForReads(*input.options, level, *file)) {
      continue;
    }
    const auto reason = is_marked ? CompactionReason::kFilesMarkedForCompaction
                                  : CompactionReason::kReadTriggered;
    const auto at = std::find_if(
        runs.begin(), runs.end(), [&, at_level = level](const SortedRun& run) {
          return run.level == at_level &&
                 (at_level > 0 || run.file->get() == file.get());
        });
    INVARIANT(at != runs.end());
    const auto index = static_cast<size_t>(at - runs.begin());
    const bool is_oldest = index + 1 == runs.size();
    if (is_oldest && input.cf->cf_allow_ingest_behind) continue;
    if (level == 0 && (is_oldest || runs[index + 1].level == 0)) {
      const RunSpan span{index, index + (is_oldest ? 1 : 2)};
      if (auto c = MergeRuns(input, runs, span, reason)) return c;
      continue;
    }
    if (!is_oldest && IsYoungLevel(input, level) &&
        !HoldsEnoughOldData(input, {file})) {
      continue;
    }
    CompactionDraft draft(input, level, is_oldest ? level : at[1].level);
    if (level == 0) {
      draft.SetLevel0({file});
    } else {
      const std::vector<FileRef>& files = storage.files(level);
      const auto found = std::find(files.begin(), files.end(), file);
      const auto first = static_cast<size_t>(found - files.begin());
      draft.SetSpan({first, first + 1});
    }
    if (!is_oldest) draft.AddLowerLevels();
    if (draft.IsBusy()) continue;
    auto c = draft.Finish(reason);
    if (is_marked) c->is_trivial_move = false;
    if (!WritesWhereOtherDoes(*c)) return c;
  }
  return nullptr;
}

// A file that keeps the oldest blob file, full of garbage, from going: by
// itself, where it is.
std::unique_ptr<Compaction> UniversalPicker::PickForBlobs(
    const Input& input, const Runs& runs) const {
  const VersionStorage& storage = input.version->storage();
  const uint64_t forced = storage.forced_blob_file();
  if (forced == 0) return nullptr;
  const auto reason = CompactionReason::kForcedBlobGC;
  for (const auto& [level, file] : storage.FilesToRewrite()) {
    if (file->being_compacted || file->oldest_blob_file != forced) continue;
    if (level == 0) {
      const auto at = std::find_if(
          runs.begin(), runs.end(), [&wanted = file](const SortedRun& run) {
            return run.level == 0 && run.file->get() == wanted.get();
          });
      INVARIANT(at != runs.end());
      const auto index = static_cast<size_t>(at - runs.begin());
      if (auto c = MergeRuns(input, runs, {index, index + 1}, reason)) return c;
      continue;
    }
    const std::vector<FileRef>& files = storage.files(level);
    const auto found = std::find(files.begin(), files.end(), file);
    INVARIANT(found != files.end());
    const auto first = static_cast<size_t>(found - files.begin());
    CompactionDraft draft(input, level, level);
    draft.SetSpan({first, first + 1});
    if (draft.IsBusy()) continue;
    auto c = draft.Finish(reason);
    if (!WritesWhereOtherDoes(*c)) return c;
  }
  return nullptr;
}

std::unique_ptr<Compaction> UniversalPicker::PickRange(
    const Input& input, const Range& range, bool* conflict,
    std::optional<InternalKey>* rest) {
  INVARIANT(conflict != nullptr && rest != nullptr);
  *conflict = false;
  rest->reset();
  const Runs runs = CollectRuns(input.version->storage(), *input.cf);
  if (runs.empty()) return nullptr;
  auto c = MergeRuns(input, runs, {0, runs.size()},
                     CompactionReason::kManualCompaction);
  if (c == nullptr) {
    *conflict = true;
    return nullptr;
  }
  INVARIANT(!c->is_trivial_move);
  c->is_manual = true;
  c->output_path_id = range.output_path_id;
  c->young.path_id = range.output_path_id;
  if (range.max_subcompactions > 0 && c->output_level > 0) {
    c->max_subcompactions = range.max_subcompactions;
  }
  return c;
}

std::unique_ptr<CompactionPicker> NewUniversalPicker() {
  return std::make_unique<UniversalPicker>();
}

}  // namespace ROCKSDB_NAMESPACE
