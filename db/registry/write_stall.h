// When writers of a family must slow down or stop, and how hard.
//
// Pure: decided from counts, so that it is tested by tables of cases. The delay
// grows linearly with the debt between the slowdown and the stop trigger:
// there is no cliff between no stall and a stop.
#pragma once

#include <cstdint>
#include <string>

#include "options/cf_options.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

struct StallInput {
  int immutable_memtable_count = 0;  // sealed, not flushed
  int level0_file_count = 0;
  uint64_t pending_compaction_bytes = 0;
  int memtables_to_merge = 1;  // that are flushed together
};

struct StallDecision {
  WriteStallCondition condition = WriteStallCondition::kNormal;
  WriteStallCause cause = WriteStallCause::kNone;
  // 0 = just at the slowdown trigger, 1 = about to stop.
  double debt = 0;
};

// The name of the cause in the maps of stalls and in LOG.
const char* StallCauseName(WriteStallCause cause);

StallDecision DecideStall(const StallInput& input,
                          const MutableCFOptions& options);

// How far the worst of the counts has come to what slows writers down, or stops
// them if nothing slows them down before, in percent. At least 100 exactly
// where DecideStall() has them slowed down or stopped.
int StallProximityPercent(const StallInput& input,
                          const MutableCFOptions& options);

// For the LOG, in the words that programs look for there: what there is too
// much of, for delayed writers their rate, and the cause's name.
std::string StallText(const StallInput& input, const MutableCFOptions& options,
                      const StallDecision& decision, uint64_t delayed_rate);

// The write rate, in bytes per second, for a debt: from the rate before the
// slowdown down to `delayed_write_rate` half-way, and on to a sixteenth of
// that.
struct DelayRates {
  uint64_t before = 0;  // 0: not known
  uint64_t delayed_write_rate = 1;
};
uint64_t DelayedWriteRate(const DelayRates& rates, double debt);

}  // namespace ROCKSDB_NAMESPACE
