#include "db/compaction/compaction_pace.h"

#include <algorithm>
#include <cassert>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr double kMargin = 1.1;
constexpr double kFloorOfDevice = 0.1;
constexpr uint64_t kFreeBaseLevels = 4;
constexpr uint64_t kFreePartOfSoftLimit = 4;
// A level that is nearly empty is filled, not rewritten.
constexpr double kMaxRatio = 20;
static_assert(kMargin > 1, "else compactions never catch up");

}  // namespace

double DeepBytesPerIngestedByte(const VersionStorage& storage) {
  const int last = storage.LastNonEmptyLevel();
  double bytes = 0;
  for (int level = std::max(1, storage.base_level()); level < last; ++level) {
    const auto own = static_cast<double>(storage.LevelBytes(level));
    const auto next = static_cast<double>(storage.LevelBytes(level + 1));
    if (own <= 0) continue;
    const double ratio = std::min(next / own, kMaxRatio);
    assert(ratio >= 0);
    bytes += 2 * (1 + ratio);
  }
  return bytes;
}

uint64_t DebtToRunFreely(const MutableCFOptions& options) {
  const uint64_t base = options.max_bytes_for_level_base;
  uint64_t debt =
      base > UINT64_MAX / kFreeBaseLevels ? UINT64_MAX : base * kFreeBaseLevels;
  const uint64_t soft = options.soft_pending_compaction_bytes_limit;
  if (soft > 0) debt = std::min(debt, soft / kFreePartOfSoftLimit);
  return std::max<uint64_t>(debt, 1);
}

uint64_t DeepCompactionRate(const CompactionPaceInput& input) {
  INVARIANT(input.deep_bytes_per_ingested_byte >= 0);
  if (input.ingest_bytes_per_second == 0 ||
      input.debt_bytes >= input.free_running_debt_bytes) {
    return 0;
  }
  const double keeps_up = static_cast<double>(input.ingest_bytes_per_second) *
                          input.deep_bytes_per_ingested_byte * kMargin;
  const double floor =
      static_cast<double>(input.device_bytes_per_second) * kFloorOfDevice;
  const double left =
      1 - static_cast<double>(input.debt_bytes) /
              static_cast<double>(input.free_running_debt_bytes);
  if (left <= 0) return 0;
  const double rate = std::max(keeps_up, floor) / left;
  // Above what the device moves there is nothing to spread.
  if (rate >= static_cast<double>(input.device_bytes_per_second)) return 0;
  return std::max<uint64_t>(1, static_cast<uint64_t>(rate));
}

}  // namespace ROCKSDB_NAMESPACE
