#include "db/compaction/deeper_levels.h"

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

DeeperLevels::DeeperLevels(const ImmutableCFOptions& cf,
                           const Compaction& compaction)
    : storage_(compaction.version->storage()),
      output_level_(compaction.output_level),
      expects_more_(cf.cf_allow_ingest_behind),
      is_bottommost_(compaction.is_bottommost),
      positions_(static_cast<size_t>(storage_.level_count()), 0) {
  INVARIANT(output_level_ < storage_.level_count());
}

bool DeeperLevels::MayHold(const Slice& user_key) {
  if (is_bottommost_) return false;
  if (expects_more_) return true;
  // Older files of level 0 are not sorted: whatever they hold, they may.
  if (output_level_ == 0) return true;
  const InternalKeyComparator& order = storage_.order();
  for (int level = output_level_ + 1; level < storage_.level_count(); ++level) {
    const std::vector<FileRef>& files = storage_.files(level);
    size_t& at = positions_[static_cast<size_t>(level)];
    while (at < files.size() &&
           order.CompareUserKeys(files[at]->largest.user_key(), user_key) < 0) {
      ++at;
    }
    if (at < files.size() &&
        order.CompareUserKeys(files[at]->smallest.user_key(), user_key) <= 0) {
      return true;
    }
  }
  return false;
}

bool DeeperLevels::MayHoldRange(const Slice& begin, const Slice& end) const {
  assert(storage_.order().CompareUserKeys(begin, end) < 0);
  if (is_bottommost_) return false;
  if (expects_more_ || output_level_ == 0) return true;
  for (int level = output_level_ + 1; level < storage_.level_count(); ++level) {
    if (storage_.HasOverlap(level, begin, end)) return true;
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE
