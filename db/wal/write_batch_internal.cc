#include "db/wal/write_batch_internal.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "db/wal/write_batch_format.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "util/key/entry_checksum.h"
#include "util/key/entry_limit.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr size_t kMaxValueBytes = std::numeric_limits<uint32_t>::max();
// The internal key adds eight bytes.
constexpr size_t kMaxKeyBytes = kMaxValueBytes - kInternalKeyTrailerBytes;
static_assert(kMaxKeyBytes == (uint64_t{1} << 32) - 9);

// From bit 1 on: SavePoint shows them to programs, which know a put as 2.
enum ContentFlag : uint32_t {
  kHasPut = 1 << 1,
  kHasDelete = 1 << 2,
  kHasSingleDelete = 1 << 3,
  kHasMerge = 1 << 4,
  kHasBeginPrepare = 1 << 5,
  kHasEndPrepare = 1 << 6,
  kHasCommit = 1 << 7,
  kHasRollback = 1 << 8,
  kHasDeleteRange = 1 << 9,
  kHasBlobIndex = 1 << 10,
  kHasPutEntity = 1 << 11,
  kHasTimedPut = 1 << 12,
};

static_assert(kHasTimedPut < WriteBatchInternal::kHasNullFamily);
static_assert(WriteBatchInternal::kUnchecked <
              WriteBatchInternal::kFlagsUnknown);

uint32_t FlagOf(ValueType type) {
  switch (type) {
    case kTypeValue:
      return kHasPut;
    case kTypeDeletion:
      return kHasDelete;
    case kTypeSingleDeletion:
      return kHasSingleDelete;
    case kTypeMerge:
      return kHasMerge;
    case kTypeRangeDeletion:
      return kHasDeleteRange;
    case kTypeBlobIndex:
      return kHasBlobIndex;
    case kTypeWideColumnEntity:
      return kHasPutEntity;
    case kTypeValuePreferredSeqno:
      return kHasTimedPut;
    case kTypeBeginPrepareXID:
    case kTypeBeginPersistedPrepareXID:
    case kTypeBeginUnprepareXID:
      return kHasBeginPrepare;
    case kTypeEndPrepareXID:
      return kHasEndPrepare;
    case kTypeCommitXID:
    case kTypeCommitXIDAndTimestamp:
      return kHasCommit;
    case kTypeRollbackXID:
      return kHasRollback;
    default:
      return 0;
  }
}

uint8_t ColumnFamilyTag(ValueType type) {
  switch (type) {
    case kTypeDeletion:
      return kTypeColumnFamilyDeletion;
    case kTypeValue:
      return kTypeColumnFamilyValue;
    case kTypeMerge:
      return kTypeColumnFamilyMerge;
    case kTypeSingleDeletion:
      return kTypeColumnFamilySingleDeletion;
    case kTypeRangeDeletion:
      return kTypeColumnFamilyRangeDeletion;
    case kTypeBlobIndex:
      return kTypeColumnFamilyBlobIndex;
    case kTypeWideColumnEntity:
      return kTypeColumnFamilyWideColumnEntity;
    case kTypeValuePreferredSeqno:
      return kTypeColumnFamilyValuePreferredSeqno;
    default:
      INVARIANT(false);
  }
}

size_t TotalBytes(const SliceParts& parts) {
  size_t bytes = 0;
  for (int i = 0; i < parts.num_parts; ++i) bytes += parts.parts[i].size();
  return bytes;
}

void PutParts(std::string* out, const SliceParts& parts, size_t bytes) {
  assert(out != nullptr);
  PutVarint32(out, static_cast<uint32_t>(bytes));
  for (int i = 0; i < parts.num_parts; ++i) {
    out->append(parts.parts[i].data(), parts.parts[i].size());
  }
}

Status TooLarge(const char* what) { return Status::InvalidArgument(what); }

// What no table can have is not taken into a memtable either.
Status CheckSizes(size_t key_bytes, size_t value_bytes) {
  if (key_bytes > kMaxKeyBytes) return TooLarge("key is too large");
  if (value_bytes > kMaxValueBytes) return TooLarge("value is too large");
  if (IsEntryTooLarge(key_bytes + kInternalKeyTrailerBytes, value_bytes)) {
    return TooLarge("key and value are too large");
  }
  return Status::OK();
}

}  // namespace

Status WriteBatchInternal::SetContents(WriteBatch* batch,
                                       const Slice& contents) {
  assert(batch != nullptr);
  if (contents.size() < kBatchHeaderBytes) {
    return Status::Corruption("log record too small for a write batch",
                              std::to_string(contents.size()) + " bytes");
  }
  batch->Clear();
  batch->protection_.reset();
  batch->rep_.assign(contents.data(), contents.size());
  batch->content_flags_.store(kFlagsUnknown | kUnchecked,
                              std::memory_order_relaxed);
  return Status::OK();
}

Status WriteBatchInternal::Append(WriteBatch* target, const WriteBatch& source,
                                  Part part) {
  assert(target != nullptr);
  const bool cut =
      part == Part::kUpToWalTermination && HasWalTermination(source);
  const SavePoint& point = source.GetWalTerminationPoint();
  const size_t end = cut ? point.size : source.rep_.size();
  const uint32_t count =
      cut ? static_cast<uint32_t>(point.count) : Count(source);
  if (source.rep_.size() < kBatchHeaderBytes) {
    return Status::Corruption("write batch", "too small");
  }
  INVARIANT(end >= kBatchHeaderBytes);
  INVARIANT(end <= source.rep_.size());
  assert(count <= Count(source));
  assert(&source != target);
  const uint64_t sum = uint64_t{Count(*target)} + count;
  if (sum > std::numeric_limits<uint32_t>::max()) {
    return Status::InvalidArgument("too many updates in one write batch");
  }
  const uint32_t flags = cut ? point.content_flags : ContentFlags(source);
  const uint32_t unchecked =
      (source.content_flags_.load(std::memory_order_relaxed) |
       target->content_flags_.load(std::memory_order_relaxed)) &
      kUnchecked;
  target->rep_.append(source.rep_.data() + kBatchHeaderBytes,
                      end - kBatchHeaderBytes);
  SetCount(target, static_cast<uint32_t>(sum));
  if (target->protection_ != nullptr && source.protection_ != nullptr) {
    INVARIANT(source.protection_->size() >= count);
    target->protection_->insert(target->protection_->end(),
                                source.protection_->begin(),
                                source.protection_->begin() + count);
  } else {
    // Checksums of half of the updates are none.
    target->protection_.reset();
  }
  target->content_flags_.store(ContentFlags(*target) | flags | unchecked,
                               std::memory_order_relaxed);
  return Status::OK();
}

Status WriteBatchInternal::AddEntry(WriteBatch* batch,
                                    const BatchEntry& entry) {
  assert(batch != nullptr);
  if (entry.type == kTypeLogData) return batch->PutLogData(entry.key);
  INVARIANT(IsDataEntry(entry.type));
  const SliceParts value(&entry.value, 1);
  const bool has_value =
      entry.type != kTypeDeletion && entry.type != kTypeSingleDeletion;
  return Add(batch, entry.type, entry.column_family_id,
             SliceParts(&entry.key, 1), has_value ? &value : nullptr);
}

Status WriteBatchInternal::Add(WriteBatch* batch, ValueType type,
                               uint32_t column_family_id, const SliceParts& key,
                               const SliceParts* value) {
  assert(batch != nullptr);
  const size_t key_bytes = TotalBytes(key);
  const size_t value_bytes = value != nullptr ? TotalBytes(*value) : 0;
  if (Status s = CheckSizes(key_bytes, value_bytes); !s.ok()) return s;
  std::string& rep = batch->rep_;
  if (rep.size() < kBatchHeaderBytes) {
    return Status::Corruption("write batch", "too small");
  }
  const uint32_t count = Count(*batch);
  if (count == std::numeric_limits<uint32_t>::max()) {
    return Status::InvalidArgument("too many updates in one write batch");
  }
  size_t bytes = 1 + VarintLength(key_bytes) + key_bytes;
  if (column_family_id != 0) bytes += VarintLength(column_family_id);
  if (value != nullptr) bytes += VarintLength(value_bytes) + value_bytes;
  if (batch->max_bytes_ != 0 && rep.size() + bytes > batch->max_bytes_) {
    return Status::MemoryLimit();
  }

  [[maybe_unused]] const size_t size_before = rep.size();
  if (column_family_id == 0) {
    rep.push_back(static_cast<char>(type));
  } else {
    rep.push_back(static_cast<char>(ColumnFamilyTag(type)));
    PutVarint32(&rep, column_family_id);
  }
  assert(value != nullptr || type == kTypeDeletion ||
         type == kTypeSingleDeletion || type == kTypeLogData);
  PutParts(&rep, key, key_bytes);
  if (value != nullptr) PutParts(&rep, *value, value_bytes);
  assert(rep.size() == size_before + bytes);
  if (IsDataEntry(type)) {
    SetCount(batch, count + 1);
    if (batch->protection_ != nullptr) {
      Protect(batch, type, column_family_id, key, value);
    }
  }
  AddFlag(batch, FlagOf(type));
  return Status::OK();
}

// From what the caller has, not from what was copied of it.
void WriteBatchInternal::Protect(WriteBatch* batch, ValueType type,
                                 uint32_t column_family_id,
                                 const SliceParts& key,
                                 const SliceParts* value) {
  assert(batch->protection_ != nullptr);
  std::string joined_key;
  std::string joined_value;
  for (int i = 0; i < key.num_parts; ++i) {
    joined_key.append(key.parts[i].data(), key.parts[i].size());
  }
  for (int i = 0; value != nullptr && i < value->num_parts; ++i) {
    joined_value.append(value->parts[i].data(), value->parts[i].size());
  }
  batch->protection_->push_back(
      EntryChecksum(type, column_family_id, joined_key, joined_value));
  assert(batch->protection_->size() == Count(*batch));
}

Status WriteBatchInternal::Checksums(const WriteBatch& batch,
                                     std::vector<uint64_t>* checksums) {
  assert(checksums != nullptr);
  if (batch.rep_.size() < kBatchHeaderBytes) {
    return Status::Corruption("write batch", "too small");
  }
  BatchReader reader(batch.rep_);
  BatchEntry entry;
  while (!reader.AtEnd()) {
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    checksums->push_back(EntryChecksum(entry.type, entry.column_family_id,
                                       entry.key, entry.value));
  }
  return Status::OK();
}

Status WriteBatchInternal::AddProtection(WriteBatch* batch) {
  assert(batch != nullptr);
  auto checksums = std::make_unique<std::vector<uint64_t>>();
  Status s = Checksums(*batch, checksums.get());
  if (s.ok()) batch->protection_ = std::move(checksums);
  return s;
}

void WriteBatchInternal::AddFlag(WriteBatch* batch, uint32_t flag) {
  assert(batch != nullptr);
  assert(flag < WriteBatchInternal::kUnchecked);
  // Unknown flags stay unknown: they are gathered when they are asked for.
  const uint32_t flags = batch->content_flags_.load(std::memory_order_relaxed);
  batch->content_flags_.store(flags | flag, std::memory_order_relaxed);
}

void WriteBatchInternal::AddMarker(WriteBatch* batch, ValueType type) {
  assert(batch != nullptr);
  INVARIANT(!IsDataEntry(type));
  assert(batch->rep_.size() >= kBatchHeaderBytes);
  batch->rep_.push_back(static_cast<char>(type));
  AddFlag(batch, FlagOf(type));
}

Status WriteBatchInternal::MarkEndPrepare(WriteBatch* batch, const Slice& xid,
                                          ValueType begin_type) {
  assert(batch != nullptr);
  if (batch->rep_.size() <= kBatchHeaderBytes ||
      batch->rep_[kBatchHeaderBytes] != static_cast<char>(kTypeNoop)) {
    return Status::InvalidArgument(
        "a prepared section needs a Noop at its begin");
  }
  assert(FlagOf(begin_type) == kHasBeginPrepare);
  batch->rep_[kBatchHeaderBytes] = static_cast<char>(begin_type);
  AddFlag(batch, FlagOf(begin_type));
  AddTransactionMarker(batch, kTypeEndPrepareXID, xid);
  return Status::OK();
}

void WriteBatchInternal::AddTransactionMarker(WriteBatch* batch, ValueType type,
                                              const Slice& xid) {
  assert(batch != nullptr);
  INVARIANT(!IsDataEntry(type));
  assert(batch->rep_.size() >= kBatchHeaderBytes);
  batch->rep_.push_back(static_cast<char>(type));
  PutLengthPrefixedSlice(&batch->rep_, xid);
  AddFlag(batch, FlagOf(type));
}

void WriteBatchInternal::AddCommitWithTimestamp(WriteBatch* batch,
                                                const Slice& xid,
                                                const Slice& timestamp) {
  assert(batch != nullptr);
  assert(batch->rep_.size() >= kBatchHeaderBytes);
  batch->rep_.push_back(static_cast<char>(kTypeCommitXIDAndTimestamp));
  PutLengthPrefixedSlice(&batch->rep_, timestamp);
  PutLengthPrefixedSlice(&batch->rep_, xid);
  AddFlag(batch, FlagOf(kTypeCommitXIDAndTimestamp));
}

// Checksums follow by what the timestamps change: what was wrong with an update
// before is still seen.
void WriteBatchInternal::SetTimestamps(WriteBatch* batch,
                                       const Slice& timestamp,
                                       const std::vector<size_t>& places) {
  assert(batch != nullptr);
  const auto checksums = [batch] {
    std::vector<uint64_t> found;
    if (batch->protection_ == nullptr) return found;
    const Status s = Checksums(*batch, &found);
    INVARIANT(s.ok());
    return found;
  };
  const std::vector<uint64_t> before = checksums();
  for (const size_t place : places) {
    INVARIANT(place + timestamp.size() <= batch->rep_.size());
    batch->rep_.replace(place, timestamp.size(), timestamp.data(),
                        timestamp.size());
  }
  const std::vector<uint64_t> after = checksums();
  INVARIANT(after.size() == before.size());
  if (batch->protection_ != nullptr) {
    std::vector<uint64_t>& kept = *batch->protection_;
    const size_t count = std::min(kept.size(), after.size());
    for (size_t i = 0; i < count; ++i) kept[i] += after[i] - before[i];
  }
  batch->content_flags_.fetch_and(~kNeedsTimestamps, std::memory_order_relaxed);
  if (batch->save_points_ == nullptr) return;
  for (SavePoint& point : *batch->save_points_) {
    point.content_flags &= ~kNeedsTimestamps;
  }
}

uint32_t WriteBatchInternal::FindContentFlags(const WriteBatch& batch) {
  uint32_t flags = batch.content_flags_.load(std::memory_order_relaxed);
  const uint32_t unchecked = flags & kUnchecked;
  // The rest is not in the bytes.
  flags &= kNeedsTimestamps | kHasNullFamily;
  if (batch.rep_.size() >= kBatchHeaderBytes) {
    BatchReader reader(batch.rep_);
    BatchEntry entry;
    // Malformed bytes end the walk; whoever applies the batch is told.
    while (!reader.AtEnd() && reader.Next(&entry).ok()) {
      flags |= FlagOf(entry.type);
    }
  }
  assert((flags & (kFlagsUnknown | kUnchecked)) == 0);
  batch.content_flags_.store(flags | unchecked, std::memory_order_relaxed);
  return flags;
}

Status WriteBatchInternal::CheckBytes(const WriteBatch& batch) {
  if (batch.rep_.size() < kBatchHeaderBytes) {
    return Status::Corruption("malformed WriteBatch (too small)");
  }
  BatchReader reader(batch.rep_);
  uint32_t found = 0;
  while (!reader.AtEnd()) {
    BatchEntry entry;
    Status s = reader.Next(&entry);
    if (s.ok() && IsDataEntry(entry.type)) {
      s = CheckSizes(entry.key.size(), entry.value.size());
    }
    if (!s.ok()) return s;
    found += IsDataEntry(entry.type) ? 1 : 0;
    // Sections without their other half; transactions are not built.
    if ((FlagOf(entry.type) & (kHasBeginPrepare | kHasEndPrepare)) != 0) {
      return Status::NotSupported("a prepared transaction in a write batch");
    }
  }
  if (found != Count(batch)) {
    return Status::Corruption("WriteBatch has wrong count");
  }
  assert((batch.content_flags_.load(std::memory_order_relaxed) & kUnchecked) !=
         0);
  batch.content_flags_.fetch_and(~kUnchecked, std::memory_order_relaxed);
  return Status::OK();
}

Status WriteBatchInternal::RefuseTimestamps(const WriteBatch& batch,
                                            size_t default_timestamp_size) {
  if ((ContentFlags(batch) & kNeedsTimestamps) != 0) {
    return Status::InvalidArgument(
        "write batch must have timestamp(s) set",
        "an update of a column family with timestamps has none");
  }
  assert(batch.default_cf_timestamp_size_ != default_timestamp_size);
  return Status::InvalidArgument(
      "timestamp size mismatch",
      "the batch was made for a default column family with timestamps of " +
          std::to_string(batch.default_cf_timestamp_size_) + " bytes, not of " +
          std::to_string(default_timestamp_size));
}

bool WriteBatch::HasPut() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasPut) != 0;
}
bool WriteBatch::HasTimedPut() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasTimedPut) != 0;
}
bool WriteBatch::HasPutEntity() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasPutEntity) != 0;
}
bool WriteBatch::HasDelete() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasDelete) != 0;
}
bool WriteBatch::HasSingleDelete() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasSingleDelete) != 0;
}
bool WriteBatch::HasDeleteRange() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasDeleteRange) != 0;
}
bool WriteBatch::HasMerge() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasMerge) != 0;
}
bool WriteBatch::HasBeginPrepare() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasBeginPrepare) != 0;
}
bool WriteBatch::HasEndPrepare() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasEndPrepare) != 0;
}
bool WriteBatch::HasCommit() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasCommit) != 0;
}
bool WriteBatch::HasRollback() const {
  return (WriteBatchInternal::ContentFlags(*this) & kHasRollback) != 0;
}

}  // namespace ROCKSDB_NAMESPACE
