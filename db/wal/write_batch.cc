#include "rocksdb/write_batch.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "db/wal/column_family_handle_internal.h"
#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "rocksdb/db.h"
#include "util/coding.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A timed put with this time is a plain put.
constexpr uint64_t kNoWriteTime = std::numeric_limits<uint64_t>::max();

// The family that a call adds keys to.
struct Family {
  uint32_t id = 0;
  size_t timestamp_size = 0;  // 0 = keys have none
  bool takes_writes = true;
};

Family FamilyOfHandle(const ColumnFamilyHandle& handle) {
  const Comparator* order = handle.GetComparator();
  return {handle.GetID(), order != nullptr ? order->timestamp_size() : 0,
          ColumnFamilyHandleInternal::TakesWrites(handle)};
}

[[gnu::always_inline]] inline Family FamilyFor(
    const ColumnFamilyHandle* column_family, size_t default_ts_size) {
  return column_family == nullptr ? Family{0, default_ts_size}
                                  : FamilyOfHandle(*column_family);
}

// A call with a timestamp is for families with timestamps of that size.
Status CheckTimestamp(const Family& family, const Slice& timestamp) {
  if (family.timestamp_size == 0) {
    return Status::InvalidArgument(
        "timestamp disabled",
        "a timestamp for a column family without timestamps");
  }
  if (timestamp.size() == family.timestamp_size) return Status::OK();
  return Status::InvalidArgument(
      "timestamp size mismatch",
      "a timestamp of " + std::to_string(timestamp.size()) +
          " bytes for a column family whose timestamps have " +
          std::to_string(family.timestamp_size));
}

// Calls that have no form with a timestamp.
Status CheckHasNone(const Family& family, const char* what) {
  if (family.timestamp_size == 0) return Status::OK();
  return Status::InvalidArgument(
      "Cannot call this method on column family enabling timestamp", what);
}

// UpdateTimestamps() of one key.
Status CheckUpdate(const Family& family, const Slice& timestamp,
                   size_t key_size) {
  if (family.timestamp_size == std::numeric_limits<size_t>::max()) {
    return Status::NotFound("the size of timestamps of column family",
                            std::to_string(family.id));
  }
  if (Status s = CheckTimestamp(family, timestamp); !s.ok()) return s;
  if (key_size >= timestamp.size()) return Status::OK();
  return Status::Corruption("write batch", "a key without a timestamp");
}

// A key and what follows it, in pieces.
class LongerKey {
 public:
  LongerKey(const SliceParts& key, const Slice& tail)
      : pieces_(key.parts, key.parts + key.num_parts) {
    pieces_.push_back(tail);
  }
  SliceParts parts() const {
    return SliceParts(pieces_.data(), static_cast<int>(pieces_.size()));
  }

 private:
  std::vector<Slice> pieces_;
};

}  // namespace

WriteBatch::WriteBatch(size_t reserved_bytes, size_t max_bytes,
                       size_t protection_bytes_per_key, size_t default_cf_ts_sz)
    : max_bytes_(max_bytes),
      default_cf_timestamp_size_(default_cf_ts_sz),
      protection_(protection_bytes_per_key != 0
                      ? std::make_unique<std::vector<uint64_t>>()
                      : nullptr) {
  rep_.reserve(std::max(reserved_bytes, kBatchHeaderBytes));
  rep_.resize(kBatchHeaderBytes);
  assert(Count() == 0);
}

WriteBatch::WriteBatch(const std::string& rep) : WriteBatch(std::string(rep)) {}

WriteBatch::WriteBatch(std::string&& rep)
    : content_flags_(WriteBatchInternal::kFlagsUnknown |
                     WriteBatchInternal::kUnchecked),
      rep_(std::move(rep)) {}

WriteBatch::WriteBatch(const WriteBatch& src)
    : wal_termination_point_(src.wal_termination_point_),
      content_flags_(src.content_flags_.load(std::memory_order_relaxed)),
      max_bytes_(src.max_bytes_),
      default_cf_timestamp_size_(src.default_cf_timestamp_size_),
      timestamp_sizes_(
          src.timestamp_sizes_ != nullptr
              ? std::make_unique<std::unordered_map<uint32_t, size_t>>(
                    *src.timestamp_sizes_)
              : nullptr),
      protection_(
          src.protection_ != nullptr
              ? std::make_unique<std::vector<uint64_t>>(*src.protection_)
              : nullptr),
      rep_(src.rep_) {
  if (src.save_points_ != nullptr) {
    save_points_ = std::make_unique<SavePoints>(*src.save_points_);
  }
}

WriteBatch::WriteBatch(WriteBatch&& src) noexcept
    : save_points_(std::move(src.save_points_)),
      wal_termination_point_(src.wal_termination_point_),
      content_flags_(src.content_flags_.load(std::memory_order_relaxed)),
      max_bytes_(src.max_bytes_),
      default_cf_timestamp_size_(src.default_cf_timestamp_size_),
      timestamp_sizes_(std::move(src.timestamp_sizes_)),
      protection_(std::move(src.protection_)),
      rep_(std::move(src.rep_)) {
  assert(this != &src);
  src.Clear();
}

WriteBatch& WriteBatch::operator=(const WriteBatch& src) {
  if (this != &src) *this = WriteBatch(src);
  return *this;
}

WriteBatch& WriteBatch::operator=(WriteBatch&& src) noexcept {
  if (this != &src) {
    save_points_ = std::move(src.save_points_);
    wal_termination_point_ = src.wal_termination_point_;
    content_flags_.store(src.content_flags_.load(std::memory_order_relaxed),
                         std::memory_order_relaxed);
    max_bytes_ = src.max_bytes_;
    default_cf_timestamp_size_ = src.default_cf_timestamp_size_;
    timestamp_sizes_ = std::move(src.timestamp_sizes_);
    protection_ = std::move(src.protection_);
    rep_ = std::move(src.rep_);
    src.Clear();
  }
  return *this;
}

WriteBatch::~WriteBatch() = default;

void WriteBatch::Clear() {
  rep_.resize(kBatchHeaderBytes);
  memset(rep_.data(), 0, kBatchHeaderBytes);
  content_flags_.store(0, std::memory_order_relaxed);
  wal_termination_point_.clear();
  save_points_.reset();
  if (protection_ != nullptr) protection_->clear();
  if (timestamp_sizes_ != nullptr) timestamp_sizes_->clear();
  assert(Count() == 0);
  assert(GetDataSize() == kBatchHeaderBytes);
}

std::string WriteBatch::Release() {
  std::string bytes = std::move(rep_);
  Clear();
  assert(Count() == 0);
  return bytes;
}

uint32_t WriteBatch::Count() const { return WriteBatchInternal::Count(*this); }

void WriteBatch::SetTrackTimestampSize(bool track_timestamp_size) {
  if (!track_timestamp_size) {
    timestamp_sizes_.reset();
  } else if (timestamp_sizes_ == nullptr) {
    timestamp_sizes_ = std::make_unique<std::unordered_map<uint32_t, size_t>>();
  }
}

const std::unordered_map<uint32_t, size_t>&
WriteBatch::GetColumnFamilyToTimestampSize() {
  static const std::unordered_map<uint32_t, size_t> kNone;
  return timestamp_sizes_ != nullptr ? *timestamp_sizes_ : kNone;
}

// --- Adding

Status WriteBatch::Put(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& value) {
  const SliceParts value_parts(&value, 1);
  return WriteBatchInternal::AddPlain(
      this, {kTypeValue, column_family, SliceParts(&key, 1), &value_parts});
}

// An entry without a timestamp. In a family with timestamps its place is kept,
// for UpdateTimestamps() to fill in.
Status WriteBatchInternal::AddPlain(WriteBatch* batch, const Entry& entry) {
  assert(batch != nullptr);
  const Family family =
      FamilyFor(entry.column_family, batch->default_cf_timestamp_size_);
  if (!family.takes_writes) [[unlikely]]
    return FamilyTakesNoWrites();
  uint32_t flags = entry.column_family == nullptr ? kHasNullFamily : 0;
  Status s;
  if (family.timestamp_size == 0) {
    s = Add(batch, entry.type, family.id, entry.key, entry.value);
  } else {
    const std::string zeros(family.timestamp_size, '\0');
    s = AddLonger(batch, entry, zeros);
    flags |= kNeedsTimestamps;
  }
  if (!s.ok()) return s;
  if (flags != 0) AddFlag(batch, flags);
  batch->MaybeTrackTimestampSize(family.id, family.timestamp_size);
  return s;
}

// A key in pieces has no piece for its timestamp.
Status WriteBatchInternal::AddParts(WriteBatch* batch, const Entry& entry,
                                    const char* call) {
  assert(batch != nullptr);
  const Family family =
      FamilyFor(entry.column_family, batch->default_cf_timestamp_size_);
  Status s = CheckHasNone(family, call);
  return s.ok() ? AddPlain(batch, entry) : s;
}

Status WriteBatchInternal::AddStamped(WriteBatch* batch, const Entry& entry,
                                      const Slice& timestamp) {
  assert(batch != nullptr);
  const Family family =
      FamilyFor(entry.column_family, batch->default_cf_timestamp_size_);
  if (!family.takes_writes) [[unlikely]]
    return FamilyTakesNoWrites();
  if (Status s = CheckTimestamp(family, timestamp); !s.ok()) return s;
  Status s = AddLonger(batch, entry, timestamp);
  if (!s.ok()) return s;
  if (entry.column_family == nullptr) AddFlag(batch, kHasNullFamily);
  batch->MaybeTrackTimestampSize(family.id, family.timestamp_size);
  return s;
}

// Both ends of a range have the timestamp.
Status WriteBatchInternal::AddLonger(WriteBatch* batch, const Entry& entry,
                                     const Slice& timestamp) {
  const uint32_t id =
      entry.column_family != nullptr ? entry.column_family->GetID() : 0;
  const LongerKey key(entry.key, timestamp);
  if (entry.type != kTypeRangeDeletion) {
    return Add(batch, entry.type, id, key.parts(), entry.value);
  }
  assert(entry.value != nullptr);
  const LongerKey end(*entry.value, timestamp);
  const SliceParts end_parts = end.parts();
  return Add(batch, entry.type, id, key.parts(), &end_parts);
}

Status WriteBatch::Put(ColumnFamilyHandle* column_family, const SliceParts& key,
                       const SliceParts& value) {
  return WriteBatchInternal::AddParts(
      this, {kTypeValue, column_family, key, &value}, "Put");
}

Status WriteBatch::Put(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& ts, const Slice& value) {
  const SliceParts value_parts(&value, 1);
  return WriteBatchInternal::AddStamped(
      this, {kTypeValue, column_family, SliceParts(&key, 1), &value_parts}, ts);
}

Status WriteBatch::TimedPut(ColumnFamilyHandle* column_family, const Slice& key,
                            const Slice& value, uint64_t write_unix_time) {
  const Family family = FamilyFor(column_family, default_cf_timestamp_size_);
  if (Status s = CheckHasNone(family, "TimedPut"); !s.ok()) return s;
  if (write_unix_time == kNoWriteTime) return Put(column_family, key, value);
  char time[sizeof(uint64_t)];
  EncodeFixed64(time, write_unix_time);
  const Slice parts[] = {value, Slice(time, sizeof(time))};
  const SliceParts value_and_time(parts, 2);
  return WriteBatchInternal::AddPlain(
      this, {kTypeValuePreferredSeqno, column_family, SliceParts(&key, 1),
             &value_and_time});
}

Status WriteBatch::PutEntity(ColumnFamilyHandle* column_family,
                             const Slice& key, const WideColumns& columns) {
  const Family family = FamilyFor(column_family, default_cf_timestamp_size_);
  Status s = CheckHasNone(family, "PutEntity");
  if (!s.ok()) return s;
  WideColumns sorted(columns);
  std::sort(sorted.begin(), sorted.end(),
            [](const WideColumn& a, const WideColumn& b) {
              return a.name().compare(b.name()) < 0;
            });
  std::string entity;
  s = EncodeWideColumns(sorted, &entity);
  if (!s.ok()) return s;
  const Slice value(entity);
  const SliceParts value_parts(&value, 1);
  return WriteBatchInternal::AddPlain(
      this, {kTypeWideColumnEntity, column_family, SliceParts(&key, 1),
             &value_parts});
}

Status WriteBatch::PutEntity(const Slice& key,
                             const AttributeGroups& attribute_groups) {
  if (attribute_groups.empty()) {
    return Status::InvalidArgument("an entity needs attribute groups");
  }
  for (const AttributeGroup& group : attribute_groups) {
    if (group.column_family() == nullptr) {
      return Status::InvalidArgument(
          "an attribute group needs a column family");
    }
  }
  // All of them or none.
  SetSavePoint();
  Status s;
  for (const AttributeGroup& group : attribute_groups) {
    s = PutEntity(group.column_family(), key, group.columns());
    if (!s.ok()) break;
  }
  if (s.ok()) return PopSavePoint();
  const Status undone = RollbackToSavePoint();
  assert(undone.ok());
  return undone.ok() ? s : undone;
}

Status WriteBatch::Merge(ColumnFamilyHandle* column_family, const Slice& key,
                         const Slice& value) {
  const SliceParts value_parts(&value, 1);
  return WriteBatchInternal::AddPlain(
      this, {kTypeMerge, column_family, SliceParts(&key, 1), &value_parts});
}

Status WriteBatch::Merge(ColumnFamilyHandle* column_family,
                         const SliceParts& key, const SliceParts& value) {
  return WriteBatchInternal::AddParts(
      this, {kTypeMerge, column_family, key, &value}, "Merge");
}

Status WriteBatch::Merge(ColumnFamilyHandle* column_family, const Slice& key,
                         const Slice& ts, const Slice& value) {
  const SliceParts value_parts(&value, 1);
  return WriteBatchInternal::AddStamped(
      this, {kTypeMerge, column_family, SliceParts(&key, 1), &value_parts}, ts);
}

Status WriteBatch::Delete(ColumnFamilyHandle* column_family, const Slice& key) {
  return WriteBatchInternal::AddPlain(
      this, {kTypeDeletion, column_family, SliceParts(&key, 1), nullptr});
}

Status WriteBatch::Delete(ColumnFamilyHandle* column_family,
                          const SliceParts& key) {
  return WriteBatchInternal::AddParts(
      this, {kTypeDeletion, column_family, key, nullptr}, "Delete");
}

Status WriteBatch::Delete(ColumnFamilyHandle* column_family, const Slice& key,
                          const Slice& ts) {
  return WriteBatchInternal::AddStamped(
      this, {kTypeDeletion, column_family, SliceParts(&key, 1), nullptr}, ts);
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* column_family,
                                const Slice& key) {
  return WriteBatchInternal::AddPlain(
      this, {kTypeSingleDeletion, column_family, SliceParts(&key, 1), nullptr});
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* column_family,
                                const SliceParts& key) {
  return WriteBatchInternal::AddParts(
      this, {kTypeSingleDeletion, column_family, key, nullptr}, "SingleDelete");
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* column_family,
                                const Slice& key, const Slice& ts) {
  return WriteBatchInternal::AddStamped(
      this, {kTypeSingleDeletion, column_family, SliceParts(&key, 1), nullptr},
      ts);
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* column_family,
                               const Slice& begin_key, const Slice& end_key) {
  const SliceParts end_parts(&end_key, 1);
  return WriteBatchInternal::AddPlain(
      this, {kTypeRangeDeletion, column_family, SliceParts(&begin_key, 1),
             &end_parts});
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* column_family,
                               const SliceParts& begin_key,
                               const SliceParts& end_key) {
  return WriteBatchInternal::AddParts(
      this, {kTypeRangeDeletion, column_family, begin_key, &end_key},
      "DeleteRange");
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* column_family,
                               const Slice& begin_key, const Slice& end_key,
                               const Slice& ts) {
  const SliceParts end_parts(&end_key, 1);
  return WriteBatchInternal::AddStamped(this,
                                        {kTypeRangeDeletion, column_family,
                                         SliceParts(&begin_key, 1), &end_parts},
                                        ts);
}

Status WriteBatch::PutLogData(const Slice& blob) {
  return WriteBatchInternal::Add(this, kTypeLogData, 0, SliceParts(&blob, 1),
                                 nullptr);
}

// --- Save points

void WriteBatch::SetSavePoint() {
  if (save_points_ == nullptr) save_points_ = std::make_unique<SavePoints>();
  save_points_->emplace_back(GetDataSize(), static_cast<int>(Count()),
                             WriteBatchInternal::ContentFlags(*this));
  assert(save_points_->size() < 2 ||
         save_points_->back().size >= save_points_->end()[-2].size);
}

Status WriteBatch::RollbackToSavePoint() {
  if (save_points_ == nullptr || save_points_->empty()) {
    return Status::NotFound();
  }
  const SavePoint point = save_points_->back();
  save_points_->pop_back();
  assert(point.size <= rep_.size());
  assert(point.size >= kBatchHeaderBytes);
  if (point.size == rep_.size()) return Status::OK();
  assert(static_cast<uint32_t>(point.count) <= Count());
  rep_.resize(point.size);
  WriteBatchInternal::SetCount(this, static_cast<uint32_t>(point.count));
  if (protection_ != nullptr) {
    protection_->resize(static_cast<size_t>(point.count));
  }
  // Bytes that were not checked may lie before the save point.
  const uint32_t unchecked = content_flags_.load(std::memory_order_relaxed) &
                             WriteBatchInternal::kUnchecked;
  content_flags_.store(point.content_flags | unchecked,
                       std::memory_order_relaxed);
  // What is added from here on is added after that mark, too.
  if (wal_termination_point_.size > point.size) wal_termination_point_ = point;
  return Status::OK();
}

Status WriteBatch::PopSavePoint() {
  if (save_points_ == nullptr || save_points_->empty()) {
    return Status::NotFound();
  }
  save_points_->pop_back();
  return Status::OK();
}

void WriteBatch::MarkWalTerminationPoint() {
  wal_termination_point_ = SavePoint(GetDataSize(), static_cast<int>(Count()),
                                     WriteBatchInternal::ContentFlags(*this));
  assert(!wal_termination_point_.is_cleared());
}

// --- Timestamps

// All keys are looked at before the first is changed.
Status WriteBatch::UpdateTimestamps(
    const Slice& ts, std::function<size_t(uint32_t)> ts_sz_func) {
  if (rep_.size() < kBatchHeaderBytes) {
    return Status::Corruption("write batch", "too small");
  }
  if (ts_sz_func == nullptr) {
    return Status::InvalidArgument("no function for the sizes of timestamps");
  }
  std::vector<size_t> places;
  const auto note = [&](const Slice& key) {
    places.push_back(static_cast<size_t>(key.data() - rep_.data()) +
                     key.size() - ts.size());
  };
  BatchReader reader(rep_);
  while (!reader.AtEnd()) {
    BatchEntry entry;
    if (Status s = reader.Next(&entry); !s.ok()) return s;
    if (!IsDataEntry(entry.type)) continue;
    const size_t size = ts_sz_func(entry.column_family_id);
    if (size == 0) continue;
    const bool is_range = entry.type == kTypeRangeDeletion;
    Status s =
        CheckUpdate({entry.column_family_id, size}, ts,
                    is_range ? std::min(entry.key.size(), entry.value.size())
                             : entry.key.size());
    if (!s.ok()) return s;
    note(entry.key);
    if (is_range) note(entry.value);
  }
  WriteBatchInternal::SetTimestamps(this, ts, places);
  return Status::OK();
}

Status WriteBatch::VerifyChecksum() const {
  if (protection_ == nullptr) return Status::OK();
  std::vector<uint64_t> found;
  Status s = WriteBatchInternal::Checksums(*this, &found);
  if (s.ok() && found != *protection_) {
    s = Status::Corruption("write batch", "checksum mismatch of an update");
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
