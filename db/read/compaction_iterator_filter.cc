// CompactionIterator: the application's compaction filter.
#include <algorithm>
#include <cassert>
#include <exception>
#include <string>

#include "db/read/compaction_iterator.h"
#include "db/read/entity_resolver.h"
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

std::string UnfitDecision(CompactionFilter::Decision decision) {
  if (decision == CompactionFilter::Decision::kChangeBlobIndex) {
    return "kChangeBlobIndex is for stacked blob stores only";
  }
  return "decision " + std::to_string(static_cast<int>(decision)) +
         " on a value";
}

}  // namespace

// The filter's verdict on the version that the input is on; kKeep, with
// status_ set, if it failed.
CompactionFilter::Decision CompactionIterator::AskFilter(
    CompactionFilter::ValueType type, const Slice& value) {
  using Decision = CompactionFilter::Decision;
  INVARIANT(r_.filter != nullptr);
  assert(in_valid_);
  assert(IsAtCurrentUserKey());
  filter_value_.clear();
  filter_skip_until_.clear();
  filter_columns_.clear();
  EntityResolver entity(r_.blobs, ExtractUserKey(in_key_));
  const bool is_entity = type == CompactionFilter::ValueType::kWideColumnEntity;
  if (is_entity) {
    if (Status s = entity.Load(value); !s.ok()) {
      Fail(std::move(s));
      return Decision::kKeep;
    }
  }
  const Slice* const shown = is_entity ? nullptr : &value;
  const WideColumns* const columns = is_entity ? &entity.columns() : nullptr;
  Decision decision = Decision::kKeep;
  const FilterTimer timer(r_.merge);
  try {
    decision = FilterResolvesBlobs()
                   ? r_.filter->FilterV4(r_.output_level, CurrentUserKey(),
                                         type, shown, columns, &filter_value_,
                                         &filter_columns_, &filter_skip_until_,
                                         is_entity ? &entity : nullptr)
                   : r_.filter->FilterV3(r_.output_level, CurrentUserKey(),
                                         type, shown, columns, &filter_value_,
                                         &filter_columns_, &filter_skip_until_);
  } catch (const std::exception& e) {
    Fail(Status::Aborted(std::string(r_.filter->Name()) + " threw", e.what()));
    return Decision::kKeep;
  } catch (...) {
    Fail(Status::Aborted(r_.filter->Name(), "threw"));
    return Decision::kKeep;
  }
  return Accept(decision);
}

// One that throws is asked in the old form.
bool CompactionIterator::FilterResolvesBlobs() const {
  try {
    return r_.filter->SupportsFilterV4();
  } catch (...) {
    return false;
  }
}

// The verdict from the key alone, or, where the filter wants it, from the value
// that is fetched for it.
CompactionFilter::Decision CompactionIterator::AskFilterOfBlob() {
  using Decision = CompactionFilter::Decision;
  INVARIANT(r_.filter != nullptr);
  assert(InputType() == kTypeBlobIndex);
  filter_value_.clear();
  filter_skip_until_.clear();
  Decision decision = Decision::kKeep;
  try {
    decision = r_.filter->FilterBlobByKey(r_.output_level, CurrentUserKey(),
                                          &filter_value_, &filter_skip_until_);
  } catch (const std::exception& e) {
    Fail(Status::Aborted(std::string(r_.filter->Name()) + " threw", e.what()));
    return Decision::kKeep;
  } catch (...) {
    Fail(Status::Aborted(r_.filter->Name(), "threw"));
    return Decision::kKeep;
  }
  if (decision != Decision::kUndetermined) return Accept(decision);
  if (!FetchBlob()) return Decision::kKeep;
  return AskFilter(CompactionFilter::ValueType::kValue, blob_);
}

CompactionFilter::Decision CompactionIterator::Accept(
    CompactionFilter::Decision decision) {
  using Decision = CompactionFilter::Decision;
  if (decision == Decision::kIOError) {
    Fail(Status::IOError(r_.filter->Name(), "the filter cannot read"));
    return Decision::kKeep;
  }
  if (decision == Decision::kRemoveAndSkipUntil &&
      filter_skip_until_.size() < timestamp_size_) {
    Fail(Status::InvalidArgument(
        r_.filter->Name(), "the key to skip to has no timestamp, as keys do"));
    return Decision::kKeep;
  }
  const bool goes_back =
      decision == Decision::kRemoveAndSkipUntil &&
      r_.order->CompareUserKeys(filter_skip_until_, CurrentUserKey()) <= 0;
  return goes_back ? Decision::kKeep : decision;
}

// A value, the first version of its user key, that the filter may change.
CompactionIterator::Found CompactionIterator::TakeFiltered(size_t stripe) {
  assert(is_first_version_);
  assert(key_.size() == in_key_.size());
  Slice value = r_.input->value();
  const ValueType type = InputType();
  if (type == kTypeBlobIndex) return Obey(AskFilterOfBlob(), stripe);
  if (type == kTypeValuePreferredSeqno) {
    if (value.size() < sizeof(uint64_t)) {
      Fail(Status::Corruption("a value without its preferred sequence"));
      return Found::kNothing;
    }
    value.remove_suffix(sizeof(uint64_t));
  }
  if (type == kTypeWideColumnEntity) {
    const auto entity = CompactionFilter::ValueType::kWideColumnEntity;
    if (FilterResolvesBlobs()) return Obey(AskFilter(entity, value), stripe);
    if (!FetchEntity()) return Found::kNothing;
    return Obey(AskFilter(entity, entity_), stripe);
  }
  return Obey(AskFilter(CompactionFilter::ValueType::kValue, value), stripe);
}

CompactionIterator::Found CompactionIterator::Obey(
    CompactionFilter::Decision decision, size_t stripe) {
  using Decision = CompactionFilter::Decision;
  if (!status_.ok()) return Found::kNothing;
  switch (decision) {
    case Decision::kKeep:
      return ShowInputValue();
    case Decision::kRemove:
    case Decision::kPurge:
      ++stats_.dropped_by_filter;
      SetTrailer(InputSequence(),
                 decision == Decision::kPurge ? kTypeSingleDeletion
                 : timestamp_size_ != 0       ? kTypeDeletionWithTimestamp
                                              : kTypeDeletion);
      return TakeTombstone(stripe);
    case Decision::kRemoveAndSkipUntil:
      ++stats_.dropped_by_filter;
      SkipTo(filter_skip_until_);
      return Found::kNothing;
    default:
      break;
  }
  if (!ReplaceByFilter(decision)) return Found::kNothing;
  input_is_ahead_ = false;
  return Show(filter_value_);
}

// Puts the filter's new value in place: key_'s trailer and filter_value_.
bool CompactionIterator::ReplaceByFilter(CompactionFilter::Decision decision) {
  INVARIANT(r_.filter != nullptr);
  assert(in_valid_);
  ValueType type = kTypeValue;
  if (decision == CompactionFilter::Decision::kChangeWideColumnEntity) {
    type = kTypeWideColumnEntity;
    std::sort(filter_columns_.begin(), filter_columns_.end());
    WideColumns columns;
    for (const auto& [name, value] : filter_columns_) {
      columns.emplace_back(name, value);
    }
    filter_value_.clear();
    if (Status s = EncodeWideColumns(columns, &filter_value_); !s.ok()) {
      Fail(Status::Corruption(r_.filter->Name(), s.ToString()));
      return false;
    }
  } else if (decision != CompactionFilter::Decision::kChangeValue) {
    Fail(Status::NotSupported(r_.filter->Name(), UnfitDecision(decision)));
    return false;
  }
  SetFinal(InputSequence(), type);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
