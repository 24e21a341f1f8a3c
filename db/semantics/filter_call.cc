#include "db/semantics/filter_call.h"

#include <algorithm>
#include <cassert>
#include <exception>

#include "db/semantics/entity_resolver.h"
#include "monitoring/statistics_impl.h"
#include "rocksdb/system_clock.h"
#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Adds the time of its scope to the ticker of filters, if times are wanted.
class FilterTimer {
 public:
  explicit FilterTimer(const MergeContext& context)
      : context_(context),
        clock_(ShouldMeasureTime(context.statistics) ? context.clock : nullptr),
        start_(clock_ != nullptr ? clock_->NowNanos() : 0) {}
  ~FilterTimer() {
    if (clock_ == nullptr) return;
    RecordTick(context_.statistics, FILTER_OPERATION_TOTAL_TIME,
               clock_->NowNanos() - start_);
  }
  FilterTimer(const FilterTimer&) = delete;
  FilterTimer& operator=(const FilterTimer&) = delete;

 private:
  const MergeContext& context_;
  SystemClock* const clock_;  // null: not measured
  const uint64_t start_;
};

}  // namespace

void FilterCall::Clear() {
  value_.clear();
  skip_until_.clear();
  columns_.clear();
}

// No exception of the application's leaves it.
template <class Call>
bool FilterCall::Guard(const Call& call, Status* problem) const {
  try {
    call();
    return true;
  } catch (const std::exception& e) {
    *problem = Status::Aborted(std::string(name()) + " threw", e.what());
  } catch (...) {
    *problem = Status::Aborted(name(), "threw");
  }
  return false;
}

FilterCall::Decision FilterCall::Ask(CompactionFilter::ValueType type,
                                     const Slice& user_key, const Slice& value,
                                     Status* problem) {
  INVARIANT(is_wanted());
  Clear();
  EntityResolver entity(context_.blobs, user_key);
  const bool is_entity = type == CompactionFilter::ValueType::kWideColumnEntity;
  if (is_entity) {
    if (Status s = entity.Load(value); !s.ok()) {
      *problem = std::move(s);
      return Decision::kKeep;
    }
  }
  const Slice* const shown = is_entity ? nullptr : &value;
  const WideColumns* const columns = is_entity ? &entity.columns() : nullptr;
  const CompactionFilter& filter = *context_.filter;
  const int level = context_.start_level;
  Decision decision = Decision::kKeep;
  const FilterTimer timer(context_.merge);
  const bool has_answer = Guard(
      [&] {
        decision = ResolvesBlobs()
                       ? filter.FilterV4(level, user_key, type, shown, columns,
                                         &value_, &columns_, &skip_until_,
                                         is_entity ? &entity : nullptr)
                       : filter.FilterV3(level, user_key, type, shown, columns,
                                         &value_, &columns_, &skip_until_);
      },
      problem);
  return has_answer ? Check(decision, user_key, problem) : Decision::kKeep;
}

FilterCall::Decision FilterCall::AskByKey(const Slice& user_key,
                                          Status* problem) {
  INVARIANT(is_wanted());
  Clear();
  Decision decision = Decision::kKeep;
  const bool has_answer = Guard(
      [&] {
        decision = context_.filter->FilterBlobByKey(
            context_.start_level, user_key, &value_, &skip_until_);
      },
      problem);
  return has_answer ? Check(decision, user_key, problem) : Decision::kKeep;
}

// One that throws is asked in the old form.
bool FilterCall::ResolvesBlobs() const {
  try {
    return context_.filter->SupportsFilterV4();
  } catch (...) {
    return false;
  }
}

FilterCall::Decision FilterCall::Check(Decision decision, const Slice& user_key,
                                       Status* problem) const {
  if (decision == Decision::kIOError) {
    *problem = Status::IOError(name(), "the filter cannot read");
    return Decision::kKeep;
  }
  if (decision != Decision::kRemoveAndSkipUntil) return decision;
  if (skip_until_.size() < context_.order->timestamp_size()) {
    *problem = Status::InvalidArgument(
        name(), "the key to skip to has no timestamp, as keys do");
    return Decision::kKeep;
  }
  const bool goes_back =
      context_.order->CompareUserKeys(skip_until_, user_key) <= 0;
  return goes_back ? Decision::kKeep : decision;
}

Status FilterCall::EncodeColumns(std::string* entity) {
  assert(entity != nullptr);
  std::sort(columns_.begin(), columns_.end());
  WideColumns columns;
  for (const auto& [name, value] : columns_) columns.emplace_back(name, value);
  entity->clear();
  Status s = EncodeWideColumns(columns, entity);
  return s.ok() ? s : Status::Corruption(name(), s.ToString());
}

}  // namespace ROCKSDB_NAMESPACE
