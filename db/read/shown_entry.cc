#include "db/read/shown_entry.h"

#include <utility>

#include "table/entity_blobs.h"
#include "util/value/blob_references.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

const WideColumns& ShownEntry::columns() const {
  if (columns_.empty() && !is_entity_) {
    columns_.emplace_back(kDefaultWideColumnName, value_);
  }
  return columns_;
}

bool ShownEntry::ShowOther(ValueType type, const Slice& stored,
                           Status* problem) {
  assert(type != kTypeValue);
  Status s;
  switch (type) {
    case kTypeValuePreferredSeqno:
      if (stored.size() < sizeof(uint64_t)) {
        s = Status::Corruption("value without its preferred sequence");
        break;
      }
      value_ = Slice(stored.data(), stored.size() - sizeof(uint64_t));
      break;
    case kTypeWideColumnEntity:
    case kTypeBlobIndex:
      s = ShowReference(type, stored);
      break;
    default:
      s = Status::Corruption("scan met a value of unknown type",
                             std::to_string(static_cast<int>(type)));
      break;
  }
  if (s.ok()) return true;
  *problem = std::move(s);
  return false;
}

Status ShownEntry::ShowReference(ValueType type, const Slice& stored) {
  assert(!is_unprepared_);
  is_entity_ = type == kTypeWideColumnEntity;
  if (load_ == Load::kOnDemand && RefersToBlobs(type, stored)) {
    is_unprepared_ = true;
    unprepared_.assign(stored.data(), stored.size());
    value_.clear();
    return Status::OK();
  }
  return is_entity_ ? ShowEntity(stored) : ShowBlob(stored);
}

bool ShownEntry::Prepare(Status* problem) {
  assert(!is_unread_);
  if (!is_unprepared_) return true;
  is_unprepared_ = false;
  Status s = is_entity_ ? ShowEntity(unprepared_) : ShowBlob(unprepared_);
  if (s.ok()) return true;
  *problem = std::move(s);
  return false;
}

Status ShownEntry::ShowBlob(const Slice& reference) {
  assert(blobs_.has_value());
  blob_.Reset();
  Status s = blobs_->Fetch(key_, reference, &blob_);
  if (!s.ok()) return s;
  value_ = pins_data_ ? Keep(blob_) : blob_;
  // The one of the value that was not there.
  if (!columns_.empty()) columns_.clear();
  return s;
}

Status ShownEntry::ShowEntity(Slice entity) {
  assert(blobs_.has_value());
  assert(columns_.empty() && is_entity_);
  Status s;
  if (RefersToBlobs(entity)) {
    entity_.assign(entity.data(), entity.size());
    s = InlineBlobs(&*blobs_, key_, &entity_);
    entity = pins_data_ ? Keep(entity_) : Slice(entity_);
  }
  if (s.ok()) s = DecodeWideColumns(entity, &columns_);
  if (!s.ok()) return s;
  value_.clear();
  if (!columns_.empty() && columns_.front().name().empty()) {
    value_ = columns_.front().value();
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
