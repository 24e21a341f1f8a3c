// Leveled compaction: each level below level 0 has a target size, and what is
// above it goes down.
#include <algorithm>
#include <cassert>

#include "db/compaction/compaction_draft.h"
#include "db/tables/file_age.h"
#include "db/version/style_scores.h"
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

// What deletions would free counts, too: else nothing might ever compact the
// tombstones of a small table with what they delete in the levels below.
uint64_t IdleBytes(const std::vector<FileRef>& files, CompensatedSizes* sizes) {
  INVARIANT(sizes != nullptr);
  uint64_t bytes = 0;
  for (const FileRef& file : files) {
    if (!file->being_compacted) bytes += sizes->BytesOf(*file);
  }
  return bytes;
}

// The last level's target is what the largest level holds; each level above
// is smaller by the multiplier, up to the first that is not larger than the
// base may be. Level 0 is compacted into the base level: that one, or the
// first level with files if that is higher, since what is newer must not pass
// below what is older. Levels that the sizes do not call for drain.
void SetDynamicTargets(const StyleScores::Input& input,
                       CompactionNeeds* needs) {
  const VersionStorage& storage = input.storage;
  const int level_count = storage.level_count();
  INVARIANT(level_count > 1);
  const uint64_t base_max = input.options.max_bytes_for_level_base;
  const double multiplier =
      std::max(1.0, input.options.max_bytes_for_level_multiplier);
  const uint64_t base_min =
      static_cast<uint64_t>(static_cast<double>(base_max) / multiplier);
  int first_non_empty = 1;
  while (first_non_empty < level_count &&
         storage.files(first_non_empty).empty()) {
    ++first_non_empty;
  }
  needs->needed_level = needs->base_level = level_count - 1;
  needs->target_bytes[needs->base_level] = base_max;
  if (first_non_empty == level_count) return;
  uint64_t largest = 0;
  for (int level = first_non_empty; level < level_count; ++level) {
    largest = std::max(largest, storage.LevelBytes(level));
  }
  auto size = static_cast<double>(largest);
  while (needs->needed_level > 1 && size > static_cast<double>(base_max)) {
    --needs->needed_level;
    size /= multiplier;
  }
  needs->base_level = std::min(first_non_empty, needs->needed_level);
  INVARIANT(needs->base_level >= 1);
  if (needs->base_level < needs->needed_level) size = 0;
  uint64_t target = std::clamp(static_cast<uint64_t>(size), base_min + 1,
                               std::max(base_max, base_min + 1));
  needs->target_bytes[needs->base_level] = target;
  for (int level = needs->base_level + 1; level < level_count; ++level) {
    target = Scale(target, Multiplier(input.options, level - 1));
    // A level smaller than the base would be compacted for nothing.
    needs->target_bytes[level] = std::max(target, base_max);
  }
}

class LeveledScores final : public StyleScores {
 protected:
  void SetTargets(const Input& input, CompactionNeeds* needs) const override {
    const int level_count = input.storage.level_count();
    if (level_count == 1) return;
    if (input.cf.level_compaction_dynamic_level_bytes) {
      return SetDynamicTargets(input, needs);
    }
    uint64_t target = input.options.max_bytes_for_level_base;
    for (int level = 1; level < level_count; ++level) {
      needs->target_bytes[level] = target;
      target = Scale(target, Multiplier(input.options, level));
    }
  }

  double ScoreOfLevel0(const Input& input) const override {
    const double by_count = StyleScores::ScoreOfLevel0(input);
    if (input.storage.level_count() == 1) return by_count;
    CompensatedSizes sizes(input.storage);
    const uint64_t bytes = IdleBytes(input.storage.level0(), &sizes);
    const uint64_t limit =
        std::max<uint64_t>(1, input.options.max_bytes_for_level_base);
    return std::max(by_count,
                    static_cast<double>(bytes) / static_cast<double>(limit));
  }

  // The last level has nowhere to go.
  void AddDeeperScores(const Input& input,
                       CompactionNeeds* needs) const override {
    CompensatedSizes sizes(input.storage);
    for (int level = 1; level + 1 < input.storage.level_count(); ++level) {
      const uint64_t bytes = IdleBytes(input.storage.files(level), &sizes);
      needs->scores.push_back({level, Fill(bytes, level, *needs)});
    }
  }

  uint64_t PendingBytes(const Input& input,
                        const CompactionNeeds& needs) const override;

  uint64_t ForcedBlobFile(const Input& input) const override {
    return WastefulBlobFile(input);
  }

  bool WantsRewrite(const Input& input, int level,
                    const FileMeta& file) const override {
    if (IsMarkedOrOftenRead(input, level, file)) return true;
    const MutableCFOptions& options = input.options;
    const bool has_expired = level < input.storage.LastNonEmptyLevel() &&
                             IsLongerAgo(file.oldest_ancestor_time, options.ttl,
                                         input.time.now_seconds);
    return has_expired || IsOlderThan(file, options.periodic_compaction_seconds,
                                      input.time.periodic_at_seconds());
  }

  void AddLastToRewrite(const Input& input,
                        CompactionNeeds* needs) const override {
    for (const auto& entry : input.storage.FilesFreedBySnapshots()) {
      assert(entry.first >= 1);
      if (entry.second->being_compacted) continue;
      needs->files_to_rewrite.push_back(entry);
    }
  }

 private:
  static double Fill(uint64_t bytes, int level, const CompactionNeeds& needs) {
    const uint64_t target = std::max<uint64_t>(1, needs.target_bytes[level]);
    const double fill =
        static_cast<double>(bytes) / static_cast<double>(target);
    // A level that nothing calls for drains, however small it is.
    const bool drains = level < needs.needed_level && bytes > 0;
    return drains ? std::max(1.0, fill) : fill;
  }
};

uint64_t LeveledScores::PendingBytes(const Input& input,
                                     const CompactionNeeds& needs) const {
  const VersionStorage& storage = input.storage;
  const int level_count = storage.level_count();
  if (level_count < 2) return 0;
  uint64_t pending = 0;
  // Bytes that arrive at a level from above join what it already holds.
  uint64_t arriving = 0;
  if (static_cast<int>(storage.level0().size()) >=
          input.options.level0_file_num_compaction_trigger ||
      storage.LevelBytes(0) > input.options.max_bytes_for_level_base) {
    arriving = storage.LevelBytes(0);
    pending = arriving + storage.LevelBytes(needs.base_level);
  }
  for (int level = needs.base_level; level + 1 < level_count; ++level) {
    const uint64_t bytes = storage.LevelBytes(level) + arriving;
    arriving = 0;
    if (bytes <= needs.target_bytes[level]) continue;
    const uint64_t excess = bytes - needs.target_bytes[level];
    const double ratio = static_cast<double>(storage.LevelBytes(level + 1)) /
                         static_cast<double>(bytes);
    pending += Scale(excess, 1.0 + ratio);
    arriving = excess;
  }
  return pending;
}

}  // namespace

const StyleScores& ScoresOfLeveled() {
  static const LeveledScores scores;
  return scores;
}

}  // namespace ROCKSDB_NAMESPACE
