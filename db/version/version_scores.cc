// VersionStorage: level targets, scores, and files that want rewriting.
#include <algorithm>

#include "db/version/fifo_limit.h"
#include "db/version/file_age.h"
#include "db/version/version_storage.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t Scale(uint64_t bytes, double factor) {
  if (bytes == 0 || factor <= 0) return 0;
  const double limit = static_cast<double>(UINT64_MAX) / factor;
  if (static_cast<double>(bytes) >= limit) return UINT64_MAX;
  return static_cast<uint64_t>(static_cast<double>(bytes) * factor);
}

double Multiplier(const MutableCFOptions& options, int level) {
  return options.max_bytes_for_level_multiplier *
         options.MaxBytesMultiplierAdditional(level);
}

}  // namespace

void VersionStorage::ComputeTargets(const ImmutableCFOptions& cf,
                                    const MutableCFOptions& options) {
  std::fill(target_bytes_.begin(), target_bytes_.end(), UINT64_MAX);
  base_level_ = level_count_ > 1 ? 1 : 0;
  needed_level_ = base_level_;
  if (cf.compaction_style != kCompactionStyleLevel || level_count_ == 1) {
    return;
  }
  if (!cf.level_compaction_dynamic_level_bytes) {
    uint64_t target = options.max_bytes_for_level_base;
    for (int level = 1; level < level_count_; ++level) {
      target_bytes_[level] = target;
      target = Scale(target, Multiplier(options, level));
    }
    return;
  }
  int first_non_empty = -1;
  for (int level = level_count_ - 1; level >= 1; --level) {
    if (!files(level).empty()) first_non_empty = level;
  }
  ComputeDynamicTargets(options, first_non_empty);
}

// The last level's target is what the largest level holds; each level above
// is smaller by the multiplier, up to the first that is not larger than the
// base may be. Level 0 is compacted into the base level: that one, or the
// first level with files if that is higher, since what is newer must not pass
// below what is older. Levels that the sizes do not call for drain.
void VersionStorage::ComputeDynamicTargets(const MutableCFOptions& options,
                                           int first_non_empty) {
  INVARIANT(first_non_empty < level_count_);
  INVARIANT(level_count_ > 1);
  const uint64_t base_max = options.max_bytes_for_level_base;
  const double multiplier =
      std::max(1.0, options.max_bytes_for_level_multiplier);
  const uint64_t base_min =
      static_cast<uint64_t>(static_cast<double>(base_max) / multiplier);
  needed_level_ = level_count_ - 1;
  base_level_ = needed_level_;
  target_bytes_[base_level_] = base_max;
  if (first_non_empty < 0) return;
  uint64_t largest = 0;
  for (int level = first_non_empty; level < level_count_; ++level) {
    largest = std::max(largest, level_bytes_[level]);
  }
  auto size = static_cast<double>(largest);
  while (needed_level_ > 1 && size > static_cast<double>(base_max)) {
    --needed_level_;
    size /= multiplier;
  }
  base_level_ = std::min(first_non_empty, needed_level_);
  INVARIANT(base_level_ >= 1);
  if (base_level_ < needed_level_) size = 0;
  uint64_t target = std::clamp(static_cast<uint64_t>(size), base_min + 1,
                               std::max(base_max, base_min + 1));
  for (int level = base_level_; level < level_count_; ++level) {
    if (level > base_level_) {
      target = Scale(target, Multiplier(options, level - 1));
    }
    // A level smaller than the base would be compacted for nothing.
    target_bytes_[level] =
        level == base_level_ ? target : std::max(target, base_max);
  }
}

// Runs that are being compacted side by side count once: they will leave one.
int VersionStorage::SettledRunCount(int last_used_level) const {
  int count = 0;
  bool was_busy = false;
  for (const FileRef& file : level0_) {
    if (!file->being_compacted || !was_busy) ++count;
    was_busy = file->being_compacted;
  }
  for (int level = 1; level <= last_used_level; ++level) {
    const std::vector<FileRef>& run = files(level);
    if (run.empty()) continue;
    const bool is_busy =
        std::any_of(run.begin(), run.end(),
                    [](const FileRef& file) { return file->being_compacted; });
    if (!is_busy || !was_busy) ++count;
    was_busy = is_busy;
  }
  assert(count >= 0);
  return count;
}

double VersionStorage::Level0Score(const ImmutableCFOptions& cf,
                                   const MutableCFOptions& options) const {
  uint64_t bytes = 0;
  int runs = 0;
  for (const FileRef& file : level0_) {
    if (file->being_compacted) continue;
    ++runs;
    bytes += file->size_bytes;
  }
  if (cf.compaction_style == kCompactionStyleFIFO) {
    return FifoScore(options, runs);
  }
  if (cf.compaction_style == kCompactionStyleUniversal) {
    runs = SettledRunCount(level_count_ - (cf.cf_allow_ingest_behind ? 2 : 1));
  }
  const double by_count =
      static_cast<double>(runs) /
      std::max(1, options.level0_file_num_compaction_trigger);
  if (cf.compaction_style != kCompactionStyleLevel || level_count_ == 1) {
    return by_count;
  }
  const uint64_t limit =
      std::max<uint64_t>(1, options.max_bytes_for_level_base);
  return std::max(by_count,
                  static_cast<double>(bytes) / static_cast<double>(limit));
}

// Files beyond the limit are dropped; what may be merged is counted.
double VersionStorage::FifoScore(const MutableCFOptions& options,
                                 int idle_level0_count) const {
  INVARIANT(idle_level0_count >= 0);
  const uint64_t limit = FifoLimitBytes(options);
  double score = 0;
  if (limit > 0) {
    score = static_cast<double>(FifoBytes(*this, options)) /
            static_cast<double>(limit);
  }
  if (options.compaction_options_fifo.allow_compaction) {
    const double by_count =
        static_cast<double>(idle_level0_count) /
        std::max(1, options.level0_file_num_compaction_trigger);
    score = std::max(score, by_count);
  }
  return score;
}

double VersionStorage::LevelFill(int level) const {
  assert(level >= 1 && level < level_count_);
  uint64_t bytes = 0;
  for (const FileRef& file : files(level)) {
    if (!file->being_compacted) bytes += file->size_bytes;
  }
  const uint64_t target = std::max<uint64_t>(1, target_bytes_[level]);
  const double fill = static_cast<double>(bytes) / static_cast<double>(target);
  // A level that nothing calls for drains, however small it is.
  return level < needed_level_ && bytes > 0 ? std::max(1.0, fill) : fill;
}

void VersionStorage::ComputeScores(const ImmutableCFOptions& cf,
                                   const MutableCFOptions& options,
                                   ScoreTime time) {
  ComputeTargets(cf, options);
  scored_at_ = time;
  stall_count_ = static_cast<int>(level0_.size());
  if (cf.compaction_style == kCompactionStyleUniversal) {
    for (int level = 1; level < level_count_; ++level) {
      if (!files(level).empty()) ++stall_count_;
    }
  }
  scores_.clear();
  INVARIANT(base_level_ < std::max(2, level_count_));
  INVARIANT(base_level_ <= needed_level_);
  scores_.push_back({0, Level0Score(cf, options)});
  // The last level has nowhere to go.
  const int last =
      cf.compaction_style == kCompactionStyleLevel ? level_count_ - 1 : 0;
  for (int level = 1; level < last; ++level) {
    scores_.push_back({level, LevelFill(level)});
  }
  std::stable_sort(scores_.begin(), scores_.end(),
                   [](const LevelScore& a, const LevelScore& b) {
                     return a.score > b.score;
                   });
  assert(scores_.front().score >= scores_.back().score);
  ComputePendingBytes(cf, options);
  CollectFilesToRewrite(cf, options);
}

void VersionStorage::ComputePendingBytes(const ImmutableCFOptions& cf,
                                         const MutableCFOptions& options) {
  INVARIANT(base_level_ >= 0 && base_level_ < level_count_);
  pending_bytes_ = 0;
  if (level_count_ < 2 || cf.compaction_style != kCompactionStyleLevel) return;
  // Bytes that arrive at a level from above join what it already holds.
  uint64_t arriving = 0;
  if (static_cast<int>(level0_.size()) >=
          options.level0_file_num_compaction_trigger ||
      level_bytes_[0] > options.max_bytes_for_level_base) {
    arriving = level_bytes_[0];
    pending_bytes_ = level_bytes_[0] + level_bytes_[base_level_];
  }
  for (int level = base_level_; level + 1 < level_count_; ++level) {
    const uint64_t bytes = level_bytes_[level] + arriving;
    arriving = 0;
    if (bytes <= target_bytes_[level]) continue;
    const uint64_t excess = bytes - target_bytes_[level];
    const double ratio = static_cast<double>(level_bytes_[level + 1]) /
                         static_cast<double>(bytes);
    pending_bytes_ += Scale(excess, 1.0 + ratio);
    arriving = excess;
  }
}

// The oldest blob file goes when the tables that are linked to it are
// rewritten, and with it those behind it that no table is linked to: it is
// forced out when the share of garbage in all these exceeds the threshold, and
// garbage collection would move the blobs of all of them.
uint64_t VersionStorage::FindForcedBlobFile(
    const MutableCFOptions& options) const {
  if (!options.enable_blob_garbage_collection || blobs_.empty()) return 0;
  const uint64_t cutoff =
      BlobCutoff(options.blob_garbage_collection_age_cutoff);
  uint64_t total = 0;
  uint64_t garbage = 0;
  for (const BlobFileState& blob : blobs_) {
    const bool is_first = &blob == &blobs_.front();
    if (!is_first && blob.linked_table_count > 0) break;
    if (blob.number() >= cutoff) return 0;
    total += blob.file->record.total_bytes;
    garbage += blob.garbage_bytes;
  }
  assert(garbage <= total);
  const double limit = options.blob_garbage_collection_force_threshold *
                       static_cast<double>(total);
  return static_cast<double>(garbage) > limit ? blobs_.front().number() : 0;
}

bool VersionStorage::WantsMergeForReads(const MutableCFOptions& options,
                                        int level, const FileMeta& file) const {
  const double threshold = options.read_triggered_compaction_threshold;
  assert(threshold >= 0);
  if (threshold == 0) return false;
  INVARIANT(level <= last_non_empty_);
  const bool is_in_oldest_run =
      level == last_non_empty_ && (level > 0 || &file == level0_.back().get());
  return !is_in_oldest_run &&
         static_cast<double>(file.sampled_reads.load()) >
             threshold * static_cast<double>(file.size_bytes);
}

bool VersionStorage::WantsRewrite(
    CompactionStyle style, const MutableCFOptions& options,
    const std::pair<int, const FileMeta*>& place) const {
  const auto& [level, file] = place;
  INVARIANT(file != nullptr);
  const uint64_t now_seconds = scored_at_seconds();
  if (style == kCompactionStyleFIFO) {
    return IsOlderThan(*file, options.ttl, now_seconds) ||
           (level == 0 && TemperatureByAge(*file, options, now_seconds) !=
                              Temperature::kUnknown);
  }
  if (file->WantsCompaction()) return true;
  if (WantsMergeForReads(options, level, *file)) return true;
  if (style == kCompactionStyleUniversal) {
    return IsOlderThan(*file, UniversalPeriodSeconds(options),
                       periodic_at_seconds());
  }
  const bool has_expired =
      level < last_non_empty_ &&
      IsLongerAgo(file->oldest_ancestor_time, options.ttl, now_seconds);
  return has_expired || IsOlderThan(*file, options.periodic_compaction_seconds,
                                    periodic_at_seconds());
}

void VersionStorage::CollectFilesToRewrite(const ImmutableCFOptions& cf,
                                           const MutableCFOptions& options) {
  files_to_rewrite_.clear();
  forced_blob_file_ = 0;
  if (cf.compaction_style == kCompactionStyleNone) return;
  if (cf.compaction_style != kCompactionStyleFIFO) {
    forced_blob_file_ = FindForcedBlobFile(options);
  }
  // No compaction touches what was ingested behind.
  const int used = level_count_ - (cf.cf_allow_ingest_behind ? 1 : 0);
  for (int level = 0; level < used; ++level) {
    for (const FileRef& file : files(level)) {
      if (file->being_compacted) continue;
      const bool is_forced =
          forced_blob_file_ != 0 && file->oldest_blob_file == forced_blob_file_;
      if (is_forced ||
          WantsRewrite(cf.compaction_style, options, {level, file.get()})) {
        files_to_rewrite_.emplace_back(level, file);
      }
    }
  }
  if (cf.compaction_style != kCompactionStyleLevel) return;
  for (const auto& entry : bottommost_ready_) {
    assert(entry.first >= 1 && entry.first <= last_non_empty_);
    if (!entry.second->being_compacted) files_to_rewrite_.push_back(entry);
  }
}

// The deletions of a file that has no older data below it, and that outlived
// the snapshots which needed them, are waste: the file is rewritten once.
void VersionStorage::NoteOldestSnapshot(SequenceNumber oldest_snapshot,
                                        const MutableCFOptions& options,
                                        uint64_t now_seconds) {
  oldest_snapshot_ = std::max(oldest_snapshot_, oldest_snapshot);
  bottommost_ready_.clear();
  // With timestamps, deletions stay as long as somebody may read as of the
  // time before them, whatever the snapshots.
  if (last_non_empty_ == 0 || order_->timestamp_size() != 0) return;
  const auto is_ready = [&](const FileMeta& file) {
    const bool has_waste =
        file.largest_sequence != 0 && file.deletion_count.load() > 1;
    const bool is_young =
        options.bottommost_file_compaction_delay > 0 &&
        file.file_creation_time + options.bottommost_file_compaction_delay >
            now_seconds;
    return has_waste && !is_young && file.largest_sequence < oldest_snapshot_;
  };
  for (int level = 1; level <= last_non_empty_; ++level) {
    for (const FileRef& file : files(level)) {
      if (is_ready(*file) &&
          IsBottommostFor(level, file->smallest.user_key(),
                          file->largest.user_key(), nullptr)) {
        bottommost_ready_.emplace_back(level, file);
      }
    }
  }
}

bool VersionStorage::IsFreedBySnapshots(const FileRef& file) const {
  INVARIANT(file != nullptr);
  return std::any_of(
      bottommost_ready_.begin(), bottommost_ready_.end(),
      [&file](const auto& entry) { return entry.second == file; });
}

}  // namespace ROCKSDB_NAMESPACE
