#include "db/read/prepared_ranges.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>
#include <vector>

#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "monitoring/stop_watch.h"
#include "rocksdb/comparator.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// What the ranges of a scan may take together.
constexpr uint64_t kMaxBytes = uint64_t{64} << 20;

Status Refuse(size_t range, const std::string& what) {
  return Status::InvalidArgument("range " + std::to_string(range) +
                                 " of the scan " + what);
}

Status CheckRange(const MultiScanArgs& args, size_t i,
                  const InternalKeyComparator& order) {
  const RangeOpt& range = args.GetScanRanges()[i].range;
  if (!range.start.has_value()) return Refuse(i, "has no start");
  if (!range.limit.has_value()) {
    if (args.size() == 1) return Status::OK();
    return Refuse(i, "has no limit, and is not alone");
  }
  if (order.CompareGiven(*range.start, *range.limit) >= 0) {
    return Refuse(i, "does not begin before its limit");
  }
  return Status::OK();
}

// Does the range end where `next` begins, or before?
bool IsBefore(const ScanOptions& range, const ScanOptions& next,
              const InternalKeyComparator& order) {
  return order.CompareGiven(*range.range.limit, *next.range.start) <= 0;
}

Status CheckRanges(const MultiScanArgs& args,
                   const InternalKeyComparator& order) {
  if (args.empty()) return Status::InvalidArgument("no range to scan");
  const Comparator* const meant = args.GetComparator();
  const Comparator* const own = order.user_comparator();
  if (meant != nullptr && strcmp(meant->Name(), own->Name()) != 0) {
    return Status::InvalidArgument(
        std::string("the ranges are in the order of ") + meant->Name(),
        std::string("the column family in that of ") + own->Name());
  }
  for (size_t i = 0; i < args.size(); ++i) {
    if (Status s = CheckRange(args, i, order); !s.ok()) return s;
  }
  const std::vector<ScanOptions>& ranges = args.GetScanRanges();
  const bool may_descend = args.reverse && ranges.size() > 1 &&
                           IsBefore(ranges[1], ranges[0], order);
  for (size_t i = 1; i < ranges.size(); ++i) {
    const bool fits = may_descend ? IsBefore(ranges[i], ranges[i - 1], order)
                                  : IsBefore(ranges[i - 1], ranges[i], order);
    if (!fits) return Refuse(i, "overlaps the one before, or is out of order");
  }
  return Status::OK();
}

std::unique_ptr<ScanPlan> MakePlan(const MultiScanArgs& args, bool is_async) {
  auto plan = std::make_unique<ScanPlan>();
  for (const ScanOptions& one : args.GetScanRanges()) {
    // How much of an open range will be read nobody knows.
    if (!one.range.limit.has_value()) continue;
    plan->ranges.push_back(
        {one.range.start->ToString(), one.range.limit->ToString()});
  }
  plan->goes_down = args.reverse;
  plan->is_async = args.use_async_io || is_async;
  plan->coalesce_bytes = args.io_coalesce_threshold;
  plan->max_file_bytes = args.max_prefetch_size != 0
                             ? std::min(args.max_prefetch_size, kMaxBytes)
                             : kMaxBytes;
  plan->bytes_left = static_cast<int64_t>(kMaxBytes);
  plan->dispatcher = args.io_dispatcher;
  return plan;
}

}  // namespace

void PreparedRanges::Prepare(const MultiScanArgs& args, const Context& context,
                             InternalIterator* source) {
  INVARIANT(context.order != nullptr);
  INVARIANT(source != nullptr);
  source->Prepare({});
  plan_.reset();
  RecordTick(context.statistics, MULTISCAN_PREPARE_CALLS);
  PERF_COUNTER_ADD(multiscan_prepare_count, 1);
  status_ = CheckRanges(args, *context.order);
  if (!status_.ok()) {
    RecordTick(context.statistics, MULTISCAN_PREPARE_ERRORS);
    return;
  }
  plan_ = MakePlan(args, context.is_async);
  const StopWatch watch(context.clock, context.statistics,
                        MULTISCAN_PREPARE_ITERATORS);
  source->Prepare({.plan = plan_.get(), .end = plan_->ranges.size()});
}

}  // namespace ROCKSDB_NAMESPACE
