#include "db/semantics/entity_resolver.h"

#include <cassert>
#include <string>
#include <utility>

#include "table/blob_fetcher.h"

namespace ROCKSDB_NAMESPACE {

Status EntityResolver::Load(const Slice& entity) {
  assert(fetched_.empty());
  Status s = DecodeStoredColumns(entity, &stored_);
  if (s.ok()) fetched_.resize(stored_.columns.size());
  return s;
}

bool EntityResolver::IsBlobColumn(size_t column_index) const {
  return column_index < NumColumns() && stored_.is_reference[column_index];
}

Status EntityResolver::ResolveColumn(size_t column_index,
                                     Slice* resolved_value) {
  if (column_index >= NumColumns()) {
    return Status::InvalidArgument("the entity has no column",
                                   std::to_string(column_index));
  }
  const Slice stored = stored_.columns[column_index].value();
  if (!IsBlobColumn(column_index)) {
    *resolved_value = stored;
    return Status::OK();
  }
  std::unique_ptr<PinnableSlice>& fetched = fetched_[column_index];
  if (fetched == nullptr) {
    if (blobs_ == nullptr) {
      return Status::NotSupported(
          "a reference to a blob file where none can be");
    }
    auto value = std::make_unique<PinnableSlice>();
    Status s = blobs_->Fetch(user_key_, stored, value.get());
    if (!s.ok()) return s;
    fetched = std::move(value);
  }
  *resolved_value = *fetched;
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
