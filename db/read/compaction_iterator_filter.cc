// CompactionIterator: the application's compaction filter.
#include <cassert>
#include <string>

#include "db/read/compaction_iterator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

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
  assert(in_valid_);
  assert(IsAtCurrentUserKey());
  Status problem;
  const CompactionFilter::Decision decision =
      filter_.Ask(type, CurrentUserKey(), value, &problem);
  if (!problem.ok()) Fail(std::move(problem));
  return decision;
}

// The verdict from the key alone, or, where the filter wants it, from the value
// that is fetched for it.
CompactionFilter::Decision CompactionIterator::AskFilterOfBlob() {
  using Decision = CompactionFilter::Decision;
  assert(InputType() == kTypeBlobIndex);
  Status problem;
  const Decision decision = filter_.AskByKey(CurrentUserKey(), &problem);
  if (!problem.ok()) Fail(std::move(problem));
  if (decision != Decision::kUndetermined) return decision;
  if (!FetchBlob()) return Decision::kKeep;
  return AskFilter(CompactionFilter::ValueType::kValue, blob_);
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
    if (filter_.ResolvesBlobs()) return Obey(AskFilter(entity, value), stripe);
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
      SkipTo(filter_.skip_until());
      return Found::kNothing;
    default:
      break;
  }
  if (!ReplaceByFilter(decision)) return Found::kNothing;
  input_is_ahead_ = false;
  return Show(filter_.value());
}

// Puts the filter's new value in place: key_'s trailer and filter_.value().
bool CompactionIterator::ReplaceByFilter(CompactionFilter::Decision decision) {
  assert(in_valid_);
  ValueType type = kTypeValue;
  if (decision == CompactionFilter::Decision::kChangeWideColumnEntity) {
    type = kTypeWideColumnEntity;
    if (Status s = filter_.EncodeColumns(&filter_.value()); !s.ok()) {
      Fail(std::move(s));
      return false;
    }
  } else if (decision != CompactionFilter::Decision::kChangeValue) {
    Fail(Status::NotSupported(filter_.name(), UnfitDecision(decision)));
    return false;
  }
  SetFinal(InputSequence(), type);
  return true;
}

}  // namespace ROCKSDB_NAMESPACE
