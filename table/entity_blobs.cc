#include "table/entity_blobs.h"

#include <cassert>
#include <utility>
#include <vector>

#include "table/blob_fetcher.h"
#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status Fetch(const BlobFetcher* blobs, const Slice& user_key,
             const Slice& reference, PinnableSlice* value) {
  if (blobs == nullptr) {
    return Status::NotSupported("a value is in a blob file");
  }
  return blobs->Fetch(user_key, reference, value);
}

}  // namespace

Status InlineBlobs(const BlobFetcher* blobs, const Slice& user_key,
                   std::string* entity) {
  INVARIANT(entity != nullptr);
  if (!RefersToBlobs(*entity)) return Status::OK();
  StoredColumns stored;
  Status s = DecodeStoredColumns(*entity, &stored);
  if (!s.ok()) return s;
  assert(stored.columns.size() == stored.is_reference.size());
  std::vector<PinnableSlice> values(stored.columns.size());
  for (size_t i = 0; i < stored.columns.size(); ++i) {
    if (!stored.is_reference[i]) continue;
    Slice& value = stored.columns[i].value();
    s = Fetch(blobs, user_key, value, &values[i]);
    if (!s.ok()) return s;
    value = values[i];
    stored.is_reference[i] = false;
  }
  std::string plain;
  s = EncodeStoredColumns(stored, &plain);
  if (s.ok()) *entity = std::move(plain);
  return s;
}

Status InlineBlobs(const BlobFetcher* blobs, const Slice& user_key,
                   ValueType* type, std::string* value) {
  INVARIANT(type != nullptr && value != nullptr);
  if (*type == kTypeWideColumnEntity) {
    return InlineBlobs(blobs, user_key, value);
  }
  if (*type != kTypeBlobIndex) return Status::OK();
  PinnableSlice blob;
  Status s = Fetch(blobs, user_key, *value, &blob);
  if (!s.ok()) return s;
  *type = kTypeValue;
  value->assign(blob.data(), blob.size());
  return s;
}

Status FetchDefaultColumn(const BlobFetcher* blobs, const Slice& user_key,
                          const Slice& entity, PinnableSlice* value) {
  INVARIANT(value != nullptr);
  StoredColumns stored;
  Status s = DecodeStoredColumns(entity, &stored);
  if (!s.ok()) return s;
  assert(stored.columns.size() == stored.is_reference.size());
  const bool has_default = !stored.columns.empty() &&
                           stored.columns[0].name() == kDefaultWideColumnName;
  if (!has_default) {
    value->PinSelf(Slice());
  } else if (stored.is_reference[0]) {
    return Fetch(blobs, user_key, stored.columns[0].value(), value);
  } else {
    value->PinSelf(stored.columns[0].value());
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
