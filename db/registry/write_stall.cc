#include "db/registry/write_stall.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "rocksdb/write_stall_stats.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// How far `value` has come from `slowdown` to `stop`.
double Debt(uint64_t value, uint64_t slowdown, uint64_t stop) {
  assert(slowdown > 0);
  if (value < slowdown) return 0;
  if (stop <= slowdown || value >= stop) return 1;
  return static_cast<double>(value - slowdown + 1) /
         static_cast<double>(stop - slowdown);
}

void Delay(StallDecision* decision, WriteStallCause cause, double debt) {
  INVARIANT(decision != nullptr);
  INVARIANT(debt >= 0);
  INVARIANT(debt <= 1);
  if (decision->condition == WriteStallCondition::kStopped) return;
  decision->condition = WriteStallCondition::kDelayed;
  if (debt >= decision->debt) {
    decision->debt = debt;
    decision->cause = cause;
  }
}

void Stop(StallDecision* decision, WriteStallCause cause) {
  INVARIANT(decision != nullptr);
  if (decision->condition == WriteStallCondition::kStopped) return;
  *decision = {WriteStallCondition::kStopped, cause, 1};
}

}  // namespace

const char* StallCauseName(WriteStallCause cause) {
  switch (cause) {
    case WriteStallCause::kMemtableLimit:
      return "memtable-limit";
    case WriteStallCause::kL0FileCountLimit:
      return "l0-file-count-limit";
    case WriteStallCause::kPendingCompactionBytes:
      return "pending-compaction-bytes";
    case WriteStallCause::kWriteBufferManagerLimit:
      return "write-buffer-manager-limit";
    default:
      return "other";
  }
}

const std::string& WriteStallStatsMapKeys::TotalStops() {
  static const std::string key = "total-stops";
  return key;
}

const std::string& WriteStallStatsMapKeys::TotalDelays() {
  static const std::string key = "total-delays";
  return key;
}

const std::string&
WriteStallStatsMapKeys::CFL0FileCountLimitDelaysWithOngoingCompaction() {
  static const std::string key =
      "cf-l0-file-count-limit-delays-with-ongoing-compaction";
  return key;
}

const std::string&
WriteStallStatsMapKeys::CFL0FileCountLimitStopsWithOngoingCompaction() {
  static const std::string key =
      "cf-l0-file-count-limit-stops-with-ongoing-compaction";
  return key;
}

// The write buffer manager only stops writes.
std::string WriteStallStatsMapKeys::CauseConditionCount(
    WriteStallCause cause, WriteStallCondition condition) {
  const bool is_of_manager = cause == WriteStallCause::kWriteBufferManagerLimit;
  const bool is_of_family = cause == WriteStallCause::kMemtableLimit ||
                            cause == WriteStallCause::kL0FileCountLimit ||
                            cause == WriteStallCause::kPendingCompactionBytes;
  if (is_of_family && condition == WriteStallCondition::kDelayed) {
    return std::string(StallCauseName(cause)) + "-delays";
  }
  if ((is_of_family || is_of_manager) &&
      condition == WriteStallCondition::kStopped) {
    return std::string(StallCauseName(cause)) + "-stops";
  }
  return "";
}

StallDecision DecideStall(const StallInput& input,
                          const MutableCFOptions& options) {
  StallDecision decision;
  const int most = options.max_write_buffer_number;
  if (input.immutable_memtable_count >= most) {
    Stop(&decision, WriteStallCause::kMemtableLimit);
  } else if (most > 3 && input.immutable_memtable_count >= most - 1 &&
             input.immutable_memtable_count > input.memtables_to_merge) {
    Delay(&decision, WriteStallCause::kMemtableLimit, 0.5);
  }
  if (options.disable_auto_compactions) return decision;

  const auto files =
      static_cast<uint64_t>(std::max(0, input.level0_file_count));
  const auto slow = static_cast<uint64_t>(
      std::max(0, options.level0_slowdown_writes_trigger));
  const auto stop =
      static_cast<uint64_t>(std::max(0, options.level0_stop_writes_trigger));
  if (stop > 0 && files >= stop) {
    Stop(&decision, WriteStallCause::kL0FileCountLimit);
  } else if (slow > 0 && files >= slow) {
    Delay(&decision, WriteStallCause::kL0FileCountLimit,
          Debt(files, slow, stop));
  }

  const uint64_t soft = options.soft_pending_compaction_bytes_limit;
  const uint64_t hard = options.hard_pending_compaction_bytes_limit;
  const uint64_t pending = input.pending_compaction_bytes;
  if (hard > 0 && pending >= hard) {
    Stop(&decision, WriteStallCause::kPendingCompactionBytes);
  } else if (soft > 0 && pending >= soft) {
    Delay(&decision, WriteStallCause::kPendingCompactionBytes,
          Debt(pending, soft, hard));
  }
  INVARIANT(decision.debt <= 1);
  INVARIANT((decision.condition == WriteStallCondition::kNormal) ==
            (decision.cause == WriteStallCause::kNone));
  return decision;
}

int StallProximityPercent(const StallInput& input,
                          const MutableCFOptions& options) {
  uint64_t percent = 0;
  // A limit of 0 is none.
  const auto consider = [&percent](uint64_t value, uint64_t slow,
                                   uint64_t stop) {
    const uint64_t limit =
        slow == 0 || stop == 0 ? std::max(slow, stop) : std::min(slow, stop);
    if (limit == 0) return;
    const double part =
        static_cast<double>(value) / static_cast<double>(limit) * 100;
    const double most = std::numeric_limits<int>::max();
    percent = std::max(percent, static_cast<uint64_t>(std::min(part, most)));
  };
  const auto count = [](int value) {
    return static_cast<uint64_t>(std::max(0, value));
  };
  const int most = options.max_write_buffer_number;
  const int slow =
      most > 3 ? std::max(most - 1, input.memtables_to_merge + 1) : most;
  consider(count(input.immutable_memtable_count), count(slow), count(most));
  if (!options.disable_auto_compactions) {
    consider(count(input.level0_file_count),
             count(options.level0_slowdown_writes_trigger),
             count(options.level0_stop_writes_trigger));
    consider(input.pending_compaction_bytes,
             options.soft_pending_compaction_bytes_limit,
             options.hard_pending_compaction_bytes_limit);
  }
  return static_cast<int>(percent);
}

std::string StallText(const StallInput& input, const MutableCFOptions& options,
                      const StallDecision& decision, uint64_t delayed_rate) {
  INVARIANT(decision.condition != WriteStallCondition::kNormal);
  const bool is_stop = decision.condition == WriteStallCondition::kStopped;
  std::string text = is_stop ? "Stopping" : "Stalling";
  switch (decision.cause) {
    case WriteStallCause::kMemtableLimit:
      text += " writes because we have " +
              std::to_string(input.immutable_memtable_count) +
              " immutable memtables (waiting for flush), "
              "max_write_buffer_number is set to " +
              std::to_string(options.max_write_buffer_number);
      break;
    case WriteStallCause::kL0FileCountLimit:
      text += " writes because we have " +
              std::to_string(input.level0_file_count) + " level-0 files";
      break;
    default:
      INVARIANT(decision.cause == WriteStallCause::kPendingCompactionBytes);
      text += " writes because of estimated pending compaction bytes " +
              std::to_string(input.pending_compaction_bytes);
      break;
  }
  if (!is_stop) text += " rate " + std::to_string(delayed_rate);
  return text + " (" + StallCauseName(decision.cause) + ")";
}

uint64_t DelayedWriteRate(const DelayRates& rates, double debt) {
  INVARIANT(debt >= 0 && debt <= 1);
  INVARIANT(rates.delayed_write_rate > 0);
  constexpr double kSmallestShare = 1.0 / 16;
  static_assert(kSmallestShare > 0, "a delay is no stop");
  const auto middle = static_cast<double>(rates.delayed_write_rate);
  const double top = std::max(static_cast<double>(rates.before), middle);
  const double way = debt * 2;
  const double rate = way <= 1
                          ? top + (middle - top) * way
                          : middle * (1 - (way - 1) * (1 - kSmallestShare));
  return std::max<uint64_t>(1, static_cast<uint64_t>(rate));
}

}  // namespace ROCKSDB_NAMESPACE
