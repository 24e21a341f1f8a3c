// Universal compaction: each file of level 0 and each deeper level is a sorted
// run, and the number of runs is what counts.
#include <algorithm>
#include <cassert>

#include "db/tables/file_age.h"
#include "db/version/style_scores.h"
#include "db/version/version_storage.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Runs that are being compacted side by side count once: they will leave one.
int SettledRunCount(const VersionStorage& storage, int last_used_level) {
  int count = 0;
  bool was_busy = false;
  for (const FileRef& file : storage.level0()) {
    if (!file->being_compacted || !was_busy) ++count;
    was_busy = file->being_compacted;
  }
  for (int level = 1; level <= last_used_level; ++level) {
    const std::vector<FileRef>& run = storage.files(level);
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

class UniversalScores final : public StyleScores {
 protected:
  double ScoreOfLevel0(const Input& input) const override {
    const int beyond = input.cf.cf_allow_ingest_behind ? 2 : 1;
    return ScoreByCount(
        input,
        SettledRunCount(input.storage, input.storage.level_count() - beyond));
  }

  // All sorted runs.
  int StallCount(const Input& input) const override {
    int count = static_cast<int>(input.storage.level0().size());
    for (int level = 1; level < input.storage.level_count(); ++level) {
      if (!input.storage.files(level).empty()) ++count;
    }
    return count;
  }

  uint64_t ForcedBlobFile(const Input& input) const override {
    return WastefulBlobFile(input);
  }

  bool WantsRewrite(const Input& input, int level,
                    const FileMeta& file) const override {
    return IsMarkedOrOftenRead(input, level, file) ||
           IsOlderThan(file, UniversalPeriodSeconds(input.options),
                       input.time.periodic_at_seconds());
  }
};

}  // namespace

const StyleScores& ScoresOfUniversal() {
  static const UniversalScores scores;
  return scores;
}

}  // namespace ROCKSDB_NAMESPACE
