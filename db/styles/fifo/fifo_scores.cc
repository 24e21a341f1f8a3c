// FIFO compaction: the oldest files are dropped when all together are too
// large, or when they are too old. What may be merged is counted.
#include <algorithm>

#include "db/styles/fifo/fifo_limit.h"
#include "db/tables/file_age.h"
#include "db/version/style_scores.h"
#include "db/version/version_storage.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class FifoScores final : public StyleScores {
 protected:
  double ScoreOfLevel0(const Input& input) const override {
    const uint64_t limit = FifoLimitBytes(input.options);
    double score = 0;
    if (limit > 0) {
      score = static_cast<double>(FifoBytes(input.storage, input.options)) /
              static_cast<double>(limit);
    }
    if (input.options.compaction_options_fifo.allow_compaction) {
      score = std::max(score, StyleScores::ScoreOfLevel0(input));
    }
    return score;
  }

  bool WantsRewrite(const Input& input, int level,
                    const FileMeta& file) const override {
    const uint64_t now = input.time.now_seconds;
    return IsOlderThan(file, input.options.ttl, now) ||
           (level == 0 && TemperatureByAge(file, input.options, now) !=
                              Temperature::kUnknown);
  }
};

}  // namespace

const StyleScores& ScoresOfFifo() {
  static const FifoScores scores;
  return scores;
}

}  // namespace ROCKSDB_NAMESPACE
