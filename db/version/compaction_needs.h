// What a version wants of compaction, as the style of its family judges its
// files (db/version/style_scores.h).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "db/tables/file_meta.h"

namespace ROCKSDB_NAMESPACE {

struct LevelScore {
  int level = 0;
  double score = 0;  // >= 1: the level wants a compaction
};

// When scores are computed, and how much longer files may wait than until
// their periodic compaction is due: daily_offpeak_time_utc wants it early.
struct ScoreTime {
  ScoreTime(uint64_t now) : now_seconds(now) {}
  ScoreTime(uint64_t now, uint64_t lead)
      : now_seconds(now), periodic_lead_seconds(lead) {}
  // The time, as periodic compactions see it.
  uint64_t periodic_at_seconds() const {
    return now_seconds + periodic_lead_seconds;
  }

  uint64_t now_seconds;
  uint64_t periodic_lead_seconds = 0;
};

struct CompactionNeeds {
  explicit CompactionNeeds(int level_count)
      : target_bytes(level_count, UINT64_MAX) {}

  ScoreTime judged_at = 0;
  int base_level = 1;                  // that level 0 is compacted into
  int needed_level = 1;                // the first that the sizes call for
  std::vector<uint64_t> target_bytes;  // by level; UINT64_MAX: none
  std::vector<LevelScore> scores;      // highest first
  uint64_t pending_bytes = 0;
  int stall_count = 0;
  // With the level of each.
  std::vector<std::pair<int, FileRef>> files_to_rewrite;
  uint64_t forced_blob_file = 0;
};

}  // namespace ROCKSDB_NAMESPACE
