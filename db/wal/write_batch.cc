#include "rocksdb/write_batch.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"
#include "rocksdb/db.h"
#include "util/coding.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A timed put with this time is a plain put.
constexpr uint64_t kNoWriteTime = std::numeric_limits<uint64_t>::max();

const char kTimestampsNotBuilt[] = "user-defined timestamps";

// Calls without a timestamp are for families without timestamps.
Status FamilyId(ColumnFamilyHandle* column_family, size_t default_ts_size,
                uint32_t* id) {
  assert(id != nullptr);
  size_t ts_size = default_ts_size;
  *id = 0;
  if (column_family != nullptr) {
    *id = column_family->GetID();
    const Comparator* order = column_family->GetComparator();
    ts_size = order != nullptr ? order->timestamp_size() : 0;
  }
  if (ts_size != 0) return Status::NotSupported(kTimestampsNotBuilt);
  return Status::OK();
}

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
    protection_ = std::move(src.protection_);
    rep_ = std::move(src.rep_);
    src.Clear();
  }
  return *this;
}

WriteBatch::~WriteBatch() = default;

void WriteBatch::Clear() {
  rep_.clear();
  rep_.resize(kBatchHeaderBytes);
  content_flags_.store(0, std::memory_order_relaxed);
  wal_termination_point_.clear();
  save_points_.reset();
  if (protection_ != nullptr) protection_->clear();
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

// --- Adding

Status WriteBatch::Put(ColumnFamilyHandle* column_family, const Slice& key,
                       const Slice& value) {
  return Put(column_family, SliceParts(&key, 1), SliceParts(&value, 1));
}

Status WriteBatch::Put(ColumnFamilyHandle* column_family, const SliceParts& key,
                       const SliceParts& value) {
  uint32_t id = 0;
  Status s = FamilyId(column_family, default_cf_timestamp_size_, &id);
  if (!s.ok()) return s;
  return WriteBatchInternal::Add(this, kTypeValue, id, key, &value);
}

Status WriteBatch::Put(ColumnFamilyHandle* /*column_family*/,
                       const Slice& /*key*/, const Slice& /*ts*/,
                       const Slice& /*value*/) {
  return Status::NotSupported(kTimestampsNotBuilt);
}

Status WriteBatch::TimedPut(ColumnFamilyHandle* column_family, const Slice& key,
                            const Slice& value, uint64_t write_unix_time) {
  if (write_unix_time == kNoWriteTime) return Put(column_family, key, value);
  uint32_t id = 0;
  Status s = FamilyId(column_family, default_cf_timestamp_size_, &id);
  if (!s.ok()) return s;
  char time[sizeof(uint64_t)];
  EncodeFixed64(time, write_unix_time);
  const Slice parts[] = {value, Slice(time, sizeof(time))};
  const SliceParts value_and_time(parts, 2);
  return WriteBatchInternal::Add(this, kTypeValuePreferredSeqno, id,
                                 SliceParts(&key, 1), &value_and_time);
}

Status WriteBatch::PutEntity(ColumnFamilyHandle* column_family,
                             const Slice& key, const WideColumns& columns) {
  uint32_t id = 0;
  Status s = FamilyId(column_family, default_cf_timestamp_size_, &id);
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
  return WriteBatchInternal::Add(this, kTypeWideColumnEntity, id,
                                 SliceParts(&key, 1), &value_parts);
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
  return Merge(column_family, SliceParts(&key, 1), SliceParts(&value, 1));
}

Status WriteBatch::Merge(ColumnFamilyHandle* column_family,
                         const SliceParts& key, const SliceParts& value) {
  uint32_t id = 0;
  Status s = FamilyId(column_family, default_cf_timestamp_size_, &id);
  if (!s.ok()) return s;
  return WriteBatchInternal::Add(this, kTypeMerge, id, key, &value);
}

Status WriteBatch::Merge(ColumnFamilyHandle* /*column_family*/,
                         const Slice& /*key*/, const Slice& /*ts*/,
                         const Slice& /*value*/) {
  return Status::NotSupported(kTimestampsNotBuilt);
}

Status WriteBatch::Delete(ColumnFamilyHandle* column_family, const Slice& key) {
  return Delete(column_family, SliceParts(&key, 1));
}

Status WriteBatch::Delete(ColumnFamilyHandle* column_family,
                          const SliceParts& key) {
  uint32_t id = 0;
  Status s = FamilyId(column_family, default_cf_timestamp_size_, &id);
  if (!s.ok()) return s;
  return WriteBatchInternal::Add(this, kTypeDeletion, id, key, nullptr);
}

Status WriteBatch::Delete(ColumnFamilyHandle* /*column_family*/,
                          const Slice& /*key*/, const Slice& /*ts*/) {
  return Status::NotSupported(kTimestampsNotBuilt);
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* column_family,
                                const Slice& key) {
  return SingleDelete(column_family, SliceParts(&key, 1));
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* column_family,
                                const SliceParts& key) {
  uint32_t id = 0;
  Status s = FamilyId(column_family, default_cf_timestamp_size_, &id);
  if (!s.ok()) return s;
  return WriteBatchInternal::Add(this, kTypeSingleDeletion, id, key, nullptr);
}

Status WriteBatch::SingleDelete(ColumnFamilyHandle* /*column_family*/,
                                const Slice& /*key*/, const Slice& /*ts*/) {
  return Status::NotSupported(kTimestampsNotBuilt);
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* column_family,
                               const Slice& begin_key, const Slice& end_key) {
  return DeleteRange(column_family, SliceParts(&begin_key, 1),
                     SliceParts(&end_key, 1));
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* column_family,
                               const SliceParts& begin_key,
                               const SliceParts& end_key) {
  uint32_t id = 0;
  Status s = FamilyId(column_family, default_cf_timestamp_size_, &id);
  if (!s.ok()) return s;
  return WriteBatchInternal::Add(this, kTypeRangeDeletion, id, begin_key,
                                 &end_key);
}

Status WriteBatch::DeleteRange(ColumnFamilyHandle* /*column_family*/,
                               const Slice& /*begin_key*/,
                               const Slice& /*end_key*/, const Slice& /*ts*/) {
  return Status::NotSupported(kTimestampsNotBuilt);
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
    return Status::NotFound("there is no save point");
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
  return Status::OK();
}

Status WriteBatch::PopSavePoint() {
  if (save_points_ == nullptr || save_points_->empty()) {
    return Status::NotFound("there is no save point");
  }
  save_points_->pop_back();
  return Status::OK();
}

void WriteBatch::MarkWalTerminationPoint() {
  wal_termination_point_ = SavePoint(GetDataSize(), static_cast<int>(Count()),
                                     WriteBatchInternal::ContentFlags(*this));
  assert(!wal_termination_point_.is_cleared());
}

// --- What is not built

Status WriteBatch::UpdateTimestamps(
    const Slice& /*ts*/, std::function<size_t(uint32_t)> /*ts_sz_func*/) {
  return Status::NotSupported(kTimestampsNotBuilt);
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
