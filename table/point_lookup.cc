#include "table/point_lookup.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "monitoring/perf_context_imp.h"
#include "monitoring/trace/block_cache_tracer.h"
#include "rocksdb/comparator.h"
#include "rocksdb/statistics.h"
#include "rocksdb/wide_columns.h"
#include "table/blob_fetcher.h"
#include "table/entity_blobs.h"
#include "table/lookup_record.h"
#include "table/stored_answer.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"
#include "util/value/blob_references.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Bytes behind the value of a kTypeValuePreferredSeqno entry.
constexpr size_t kPreferredSequenceBytes = 8;

void PinOrCopy(const Slice& value, Cleanable* pin, PinnableSlice* target) {
  if (pin != nullptr && pin->HasCleanups()) {
    target->PinSlice(value, pin);
  } else {
    target->PinSelf(value);
  }
}

}  // namespace

PointLookup::PointLookup(const Context& context, const Slice& user_key,
                         PinnableSlice* value, PinnableWideColumns* columns)
    : context_(context), user_key_(user_key), value_(value), columns_(columns) {
  assert(context.order != nullptr);
  assert(value == nullptr || columns == nullptr);
}

uint64_t PointLookup::TraceId(BlockCacheTracer* tracer) const {
  if (context_.trace_id == 0) context_.trace_id = tracer->NextLookupId();
  return context_.trace_id;
}

bool PointLookup::Add(const ParsedInternalKey& key, const Slice& value,
                      Cleanable* pin) {
  if (IsDecided()) return false;
  if (!context_.order->EqualUserKeys(user_key_, key.user_key)) return false;
  if (key.sequence > context_.snapshot) return true;
  if (embedded_ != nullptr && RefersToBlobs(key.type, value)) [[unlikely]]
    return AddEmbedded(key, value);
  if (record_ != nullptr) [[unlikely]]
    record_->Note(user_key_, key, value);
  if (state_ == State::kNotFound) {
    found_sequence_ = key.sequence;
  }
  if (key.sequence < tombstone_) {
    AddDeletion();
    return false;
  }
  if (timestamp_ != nullptr && state_ == State::kNotFound) {
    *timestamp_ =
        TimestampOf(key.user_key, context_.order->timestamp_size()).ToString();
  }
  if (stored_ != nullptr && state_ == State::kNotFound &&
      RefersToBlobs(key.type, value)) [[unlikely]] {
    KeepReferences(key, value, pin);
    return false;
  }
  switch (key.type) {
    case kTypeMerge:
      AddOperand(value);
      break;
    case kTypeValue:
      AddPlain(value, pin);
      break;
    case kTypeValuePreferredSeqno:
      if (value.size() < kPreferredSequenceBytes) {
        Fail(Status::Corruption("a timed value without its time"));
      } else {
        AddPlain(Slice(value.data(), value.size() - kPreferredSequenceBytes),
                 pin);
      }
      break;
    case kTypeWideColumnEntity:
      if (RefersToBlobs(value)) [[unlikely]] {
        AddEntityOfBlobs(key.user_key, value);
      } else {
        AddEntity(value, pin);
      }
      break;
    case kTypeDeletion:
    case kTypeSingleDeletion:
    case kTypeDeletionWithTimestamp:
      AddDeletion();
      break;
    case kTypeBlobIndex:
      AddBlob(key.user_key, value);
      break;
    default:
      Fail(Status::Corruption("a point entry of type " +
                              std::to_string(static_cast<int>(key.type))));
  }
  return !IsDecided();
}

void PointLookup::AddOperand(const Slice& operand) {
  if (context_.merge_operator == nullptr) {
    return Fail(Status::InvalidArgument(
        "a merge operand was read, but merge_operator is not set"));
  }
  if (context_.gather != nullptr) return GatherOperand(operand);
  state_ = State::kMerge;
  if (value_ == nullptr && columns_ == nullptr) {
    state_ = State::kFound;  // A merge gives a value whatever is below it.
    return;
  }
  auto bytes = std::make_unique<char[]>(operand.size());
  std::copy(operand.begin(), operand.end(), bytes.get());
  operands_.emplace_back(bytes.get(), operand.size());
  operand_bytes_.push_back(std::move(bytes));
  if (context_.merge_operator->ShouldMerge(operands_)) {
    MergeOnto(MergeBase::None());
  }
}

void PointLookup::GatherOperand(const Slice& operand) {
  MergeOperandList& list = *context_.gather;
  list.values.push_back(operand.ToString());
  const bool goes_on =
      list.continue_after == nullptr || list.continue_after(operand);
  state_ = goes_on ? State::kMerge : State::kFound;
}

void PointLookup::GatherBase(const Slice& value) {
  context_.gather->values.push_back(value.ToString());
  state_ = State::kFound;
}

void PointLookup::AddDeletion() {
  if (context_.gather != nullptr) {
    // The operands above it stand for themselves.
    state_ = context_.gather->values.empty() ? State::kDeleted : State::kFound;
    return;
  }
  if (state_ == State::kMerge) return MergeOnto(MergeBase::None());
  state_ = State::kDeleted;
}

void PointLookup::AddPlain(const Slice& value, Cleanable* pin) {
  if (context_.gather != nullptr) return GatherBase(value);
  if (state_ == State::kMerge) return MergeOnto(MergeBase::Plain(value));
  state_ = State::kFound;
  if (columns_ != nullptr) {
    if (pin != nullptr && pin->HasCleanups()) {
      columns_->SetPlainValue(value, pin);
    } else {
      columns_->SetPlainValue(value);
    }
  } else if (value_ != nullptr) {
    PinOrCopy(value, pin, value_);
  }
}

void PointLookup::AddEntity(const Slice& entity, Cleanable* pin) {
  if (state_ == State::kMerge && context_.gather == nullptr) {
    return MergeOnto(MergeBase::Entity(entity));
  }
  state_ = State::kFound;
  Status s;
  if (context_.gather != nullptr) {
    Slice default_column;
    s = DefaultColumnOf(entity, &default_column);
    if (s.ok()) GatherBase(default_column);
  } else if (columns_ != nullptr) {
    s = pin != nullptr && pin->HasCleanups()
            ? columns_->SetWideColumnValue(entity, pin)
            : columns_->SetWideColumnValue(entity);
  } else if (stored_ != nullptr) {
    stored_->type = kTypeWideColumnEntity;
    PinOrCopy(entity, pin, value_);
  } else if (value_ != nullptr) {
    Slice default_column;
    s = DefaultColumnOf(entity, &default_column);
    if (s.ok()) PinOrCopy(default_column, pin, value_);
  }
  if (!s.ok()) Fail(std::move(s));
}

void PointLookup::AddBlob(const Slice& stored_key, const Slice& reference) {
  assert(state_ == State::kNotFound || state_ == State::kMerge);
  if (context_.blobs == nullptr) {
    return Fail(Status::NotSupported("the value is in a blob file"));
  }
  if (!WantsValue()) {
    state_ = State::kFound;  // Nobody asks for the value.
    return;
  }
  PinnableSlice blob;
  Status s = context_.blobs->Fetch(stored_key, reference, &blob);
  if (!s.ok()) return Fail(std::move(s));
  AddPlain(blob, &blob);
}

void PointLookup::KeepReferences(const ParsedInternalKey& key,
                                 const Slice& value, Cleanable* pin) {
  assert(value_ == &stored_->bytes);
  state_ = State::kFound;
  stored_->type = key.type;
  stored_->refers_to_blobs = true;
  stored_->user_key = key.user_key.ToString();
  PinOrCopy(value, pin, value_);
}

bool PointLookup::AddEmbedded(const ParsedInternalKey& key,
                              const Slice& value) {
  assert(embedded_ != nullptr);
  ParsedInternalKey whole = key;
  // That it is there, or covered, is known without its bytes.
  const bool is_read =
      record_ != nullptr || (WantsValue() && key.sequence >= tombstone_);
  if (!is_read) {
    whole.type = kTypeValue;
    return Add(whole, Slice(), nullptr);
  }
  std::string bytes = value.ToString();
  Status s = InlineBlobs(embedded_, key.user_key, &whole.type, &bytes);
  if (s.ok()) return Add(whole, bytes, nullptr);
  Fail(std::move(s));
  return false;
}

// Fetches the blobs that are wanted: those of all columns, or the default one's
// alone.
void PointLookup::AddEntityOfBlobs(const Slice& stored_key,
                                   const Slice& entity) {
  assert(state_ == State::kNotFound || state_ == State::kMerge);
  if (!WantsValue()) {
    state_ = State::kFound;
    return;
  }
  const bool wants_all = context_.gather == nullptr &&
                         (columns_ != nullptr || state_ == State::kMerge);
  if (wants_all) {
    std::string plain = entity.ToString();
    Status s = InlineBlobs(context_.blobs, stored_key, &plain);
    return s.ok() ? AddEntity(plain, nullptr) : Fail(std::move(s));
  }
  PinnableSlice value;
  Status s = FetchDefaultColumn(context_.blobs, stored_key, entity, &value);
  return s.ok() ? AddPlain(value, &value) : Fail(std::move(s));
}

void PointLookup::MergeOnto(const MergeBase& base) {
  assert(state_ == State::kMerge);
  INVARIANT(!operands_.empty());
  const std::vector<Slice> oldest_first(operands_.rbegin(), operands_.rend());
  PERF_COUNTER_ADD(internal_merge_point_lookup_count, oldest_first.size());
  const MergeContext context{.merge_operator = context_.merge_operator,
                             .logger = context_.logger,
                             .statistics = context_.statistics,
                             .clock = context_.clock};
  if (context_.statistics != nullptr) {
    context_.statistics->recordInHistogram(READ_NUM_MERGE_OPERANDS,
                                           oldest_first.size());
  }
  MergeResult result;
  const Slice key =
      WithoutTimestamp(user_key_, context_.order->timestamp_size());
  Status s = FullMerge(context, key, base, oldest_first, &result);
  if (!s.ok()) return Fail(std::move(s));
  merged_count_ = operands_.size();
  // What is left is one value, as if it had been found.
  operands_.clear();
  operand_bytes_.clear();
  state_ = State::kNotFound;
  if (result.type == kTypeWideColumnEntity) {
    return AddEntity(result.value, nullptr);
  }
  AddPlain(result.value, nullptr);
}

void PointLookup::NoteCorruption(Status status) {
  // What was found before it is newer, and good.
  if (!IsDecided()) Fail(std::move(status));
}

void PointLookup::Fail(Status status) {
  assert(!status.ok());
  state_ = State::kCorrupt;
  failure_ = std::move(status);
}

Status PointLookup::Found() const {
  const std::optional<size_t>& threshold =
      context_.merge_operand_count_threshold;
  return threshold && merged_count_ > *threshold
             ? Status::OkMergeOperandThresholdExceeded()
             : Status::OK();
}

Status PointLookup::Finish() {
  if (state_ == State::kMerge && context_.gather != nullptr) {
    state_ = State::kFound;
  }
  if (state_ == State::kMerge) MergeOnto(MergeBase::None());
  switch (state_) {
    case State::kFound:
      return Found();
    case State::kNotFound:
    case State::kDeleted:
      return Status::NotFound();
    case State::kMerge:
    case State::kCorrupt:
      break;
  }
  INVARIANT(!failure_.ok());
  return failure_;
}

}  // namespace ROCKSDB_NAMESPACE
