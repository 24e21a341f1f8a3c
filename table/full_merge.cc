#include "table/full_merge.h"

#include <algorithm>
#include <cassert>
#include <deque>
#include <exception>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "rocksdb/statistics.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Input = MergeOperator::MergeOperationInputV3;
using Output = MergeOperator::MergeOperationOutputV3;

// Adds the time of its scope to the statistics, if they want times.
class MergeTimer {
 public:
  explicit MergeTimer(const MergeContext& context) : context_(context) {
    const bool wanted =
        context.statistics != nullptr && context.clock != nullptr &&
        context.statistics->get_stats_level() > StatsLevel::kExceptTimers;
    if (wanted) start_ = context.clock->NowNanos();
  }
  ~MergeTimer() {
    if (start_ == 0) return;
    context_.statistics->recordTick(MERGE_OPERATION_TOTAL_TIME,
                                    context_.clock->NowNanos() - start_);
  }
  MergeTimer(const MergeTimer&) = delete;
  MergeTimer& operator=(const MergeTimer&) = delete;

 private:
  const MergeContext& context_;
  uint64_t start_ = 0;
};

Status ReadBase(const MergeBase& base, Input::ExistingValue* existing) {
  switch (base.kind) {
    case MergeBase::Kind::kNone:
      break;
    case MergeBase::Kind::kPlain:
      *existing = base.value;
      break;
    case MergeBase::Kind::kEntity: {
      WideColumns columns;
      Status s = DecodeWideColumns(base.value, &columns);
      if (!s.ok()) return s;
      *existing = std::move(columns);
      break;
    }
  }
  return Status::OK();
}

Status StoreColumns(const Output::NewColumns& columns, MergeResult* result) {
  WideColumns sorted;
  sorted.reserve(columns.size());
  for (const auto& [name, value] : columns) sorted.emplace_back(name, value);
  std::sort(sorted.begin(), sorted.end(),
            [](const WideColumn& a, const WideColumn& b) {
              return a.name().compare(b.name()) < 0;
            });
  assert(sorted.size() == columns.size());
  std::string bytes;
  Status s = EncodeWideColumns(sorted, &bytes);
  if (!s.ok()) return Status::Corruption("merge result: " + s.ToString());
  result->type = kTypeWideColumnEntity;
  result->value = std::move(bytes);
  return s;
}

Status StoreOutput(Output* output, MergeResult* result) {
  assert(!output->new_value.valueless_by_exception());
  if (const auto* columns =
          std::get_if<Output::NewColumns>(&output->new_value)) {
    return StoreColumns(*columns, result);
  }
  result->type = kTypeValue;
  if (auto* text = std::get_if<std::string>(&output->new_value)) {
    result->value = std::move(*text);
  } else {
    const Slice one_input = std::get<Slice>(output->new_value);
    result->value.assign(one_input.data(), one_input.size());
  }
  return Status::OK();
}

Status Failure(const MergeContext& context, const std::string& why) {
  assert(context.merge_operator != nullptr);
  if (context.statistics != nullptr) {
    context.statistics->recordTick(NUMBER_MERGE_FAILURES, 1);
  }
  return Status::Corruption(
      Status::kMergeOperatorFailed,
      std::string(context.merge_operator->Name()) + ": " + why);
}

}  // namespace

Status FullMerge(const MergeContext& context, const Slice& user_key,
                 const MergeBase& base, const std::vector<Slice>& operands,
                 MergeResult* result) {
  if (context.merge_operator == nullptr) {
    return Status::InvalidArgument(
        "a merge operand was read, but merge_operator is not set");
  }
  INVARIANT(!operands.empty());
  assert(result != nullptr);
  Input::ExistingValue existing;
  Status s = ReadBase(base, &existing);
  if (!s.ok()) return s;

  const Input input(user_key, std::move(existing), operands, context.logger);
  Output output;
  std::string failure;
  {
    const MergeTimer timer(context);
    PERF_TIMER_GUARD(merge_operator_time_nanos);
    try {
      if (!context.merge_operator->FullMergeV3(input, &output)) {
        failure = "full merge failed";
      }
    } catch (const std::exception& e) {
      failure = std::string("full merge threw: ") + e.what();
    } catch (...) {
      failure = "full merge threw";
    }
  }
  result->failure_scope = output.op_failure_scope;
  if (!failure.empty()) return Failure(context, failure);
  return StoreOutput(&output, result);
}

bool PartialMerge(const MergeContext& context, const Slice& user_key,
                  const std::vector<Slice>& operands, std::string* result) {
  if (context.merge_operator == nullptr) return false;
  assert(operands.size() >= 2 || context.merge_operator->AllowSingleOperand());
  const std::deque<Slice> list(operands.begin(), operands.end());
  std::string merged;
  const MergeTimer timer(context);
  PERF_TIMER_GUARD(merge_operator_time_nanos);
  try {
    if (!context.merge_operator->PartialMergeMulti(user_key, list, &merged,
                                                   context.logger)) {
      return false;
    }
  } catch (...) {
    // Not being able to save space is no failure; a full merge will tell.
    return false;
  }
  *result = std::move(merged);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
