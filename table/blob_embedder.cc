#include "table/blob_embedder.h"

#include <cassert>
#include <vector>

#include "table/table_builder.h"
#include "util/invariant.h"
#include "util/value/wide_columns_coding.h"

namespace ROCKSDB_NAMESPACE {

BlobEmbedder::BlobEmbedder(TableBuilder* builder, uint64_t min_size)
    : builder_(builder), min_size_(min_size) {
  INVARIANT(builder_ != nullptr);
}

Status BlobEmbedder::Apply(ValueType* type, Slice* value) {
  assert(type != nullptr && value != nullptr);
  if (!Goes(*value)) return Status::OK();
  if (*type == kTypeWideColumnEntity) return ApplyToColumns(value);
  if (*type != kTypeValue) return Status::OK();
  Status s = builder_->AddBlob(*value, &stored_);
  if (!s.ok()) return s;
  *type = kTypeBlobIndex;
  *value = stored_;
  return s;
}

Status BlobEmbedder::ApplyToColumns(Slice* entity) {
  StoredColumns stored;
  Status s = DecodeStoredColumns(*entity, &stored);
  if (!s.ok()) return s;
  const size_t count = stored.columns.size();
  assert(count == stored.is_reference.size());
  std::vector<std::string> references(count);
  for (size_t i = 0; i < count; ++i) {
    Slice& value = stored.columns[i].value();
    if (!Goes(value)) continue;
    s = builder_->AddBlob(value, &references[i]);
    if (!s.ok()) return s;
    value = references[i];
    stored.is_reference[i] = true;
  }
  stored_.clear();
  s = EncodeStoredColumns(stored, &stored_);
  if (s.ok()) *entity = stored_;
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
