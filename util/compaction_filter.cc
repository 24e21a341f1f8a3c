#include "rocksdb/compaction_filter.h"

#include <cassert>
#include <utility>

namespace ROCKSDB_NAMESPACE {

CompactionFilter::Decision CompactionFilter::FilterV2(
    int level, const Slice& key, ValueType value_type,
    const Slice& existing_value, std::string* new_value,
    std::string* /*skip_until*/) const {
  if (value_type == kMergeOperand) {
    return FilterMergeOperand(level, key, existing_value) ? Decision::kRemove
                                                          : Decision::kKeep;
  }
  if (value_type != kValue) return Decision::kKeep;
  bool value_changed = false;
  if (Filter(level, key, existing_value, new_value, &value_changed)) {
    return Decision::kRemove;
  }
  return value_changed ? Decision::kChangeValue : Decision::kKeep;
}

CompactionFilter::Decision CompactionFilter::FilterV3(
    int level, const Slice& key, ValueType value_type,
    const Slice* existing_value, const WideColumns* /*existing_columns*/,
    std::string* new_value,
    std::vector<std::pair<std::string, std::string>>* /*new_columns*/,
    std::string* skip_until) const {
  if (value_type == kWideColumnEntity) return Decision::kKeep;
  assert(existing_value != nullptr);
  return FilterV2(level, key, value_type, *existing_value, new_value,
                  skip_until);
}

CompactionFilter::Decision CompactionFilter::FilterV4(
    int level, const Slice& key, ValueType value_type,
    const Slice* existing_value, const WideColumns* existing_columns,
    std::string* new_value,
    std::vector<std::pair<std::string, std::string>>* new_columns,
    std::string* skip_until, WideColumnBlobResolver* /*blob_resolver*/) const {
  return FilterV3(level, key, value_type, existing_value, existing_columns,
                  new_value, new_columns, skip_until);
}

Status WideColumnBlobResolver::ResolveColumns(
    const std::vector<size_t>& column_indices,
    std::vector<Slice>* resolved_values) {
  std::vector<Slice> values(column_indices.size());
  for (size_t i = 0; i < column_indices.size(); ++i) {
    Status s = ResolveColumn(column_indices[i], &values[i]);
    if (!s.ok()) return s;
  }
  *resolved_values = std::move(values);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
