#include "rocksdb/compaction_filter.h"

#include <cassert>

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

}  // namespace ROCKSDB_NAMESPACE
