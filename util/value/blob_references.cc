#include "util/value/blob_references.h"

#include <cassert>

#include "util/value/blob_index.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status DecodeAndVisit(const Slice& reference,
                      const std::function<void(const BlobIndex&)>& visit) {
  BlobIndex index;
  Status s = index.DecodeFrom(reference);
  if (s.ok()) visit(index);
  return s;
}

}  // namespace

bool HasReferences(ValueType type, const Slice& value) {
  assert(MayReferToBlobs(type));
  return type == kTypeBlobIndex || RefersToBlobs(value);
}

Status ForEachReference(ValueType type, const Slice& value,
                        const std::function<void(const BlobIndex&)>& visit) {
  if (!RefersToBlobs(type, value)) return Status::OK();
  if (type == kTypeBlobIndex) return DecodeAndVisit(value, visit);
  StoredColumns stored;
  Status s = DecodeStoredColumns(value, &stored);
  for (size_t i = 0; s.ok() && i < stored.columns.size(); ++i) {
    if (!stored.is_reference[i]) continue;
    s = DecodeAndVisit(stored.columns[i].value(), visit);
  }
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
