#include "rocksdb/merge_operator.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using Columns = MergeOperator::MergeOperationOutputV3::NewColumns;

// The columns of an entity, its default column being `value` now.
Columns WithDefaultColumn(const WideColumns& existing, std::string&& value) {
  Columns columns;
  columns.reserve(existing.size() + 1);
  columns.emplace_back(std::string(), std::move(value));
  for (const WideColumn& column : existing) {
    if (column.name() == kDefaultWideColumnName) continue;
    columns.emplace_back(column.name().ToString(), column.value().ToString());
  }
  return columns;
}

}  // namespace

bool MergeOperator::FullMerge(const Slice& /*key*/,
                              const Slice* /*existing_value*/,
                              const std::deque<std::string>& /*operand_list*/,
                              std::string* /*new_value*/,
                              Logger* /*logger*/) const {
  return false;
}

bool MergeOperator::FullMergeV2(const MergeOperationInput& merge_in,
                                MergeOperationOutput* merge_out) const {
  std::deque<std::string> operands;
  for (const Slice& operand : merge_in.operand_list) {
    operands.push_back(operand.ToString());
  }
  return FullMerge(merge_in.key, merge_in.existing_value, operands,
                   &merge_out->new_value, merge_in.logger);
}

bool MergeOperator::FullMergeV3(const MergeOperationInputV3& merge_in,
                                MergeOperationOutputV3* merge_out) const {
  const auto* plain = std::get_if<Slice>(&merge_in.existing_value);
  const auto* columns = std::get_if<WideColumns>(&merge_in.existing_value);
  Slice existing;
  if (plain != nullptr) existing = *plain;
  if (columns != nullptr && !columns->empty() &&
      columns->front().name() == kDefaultWideColumnName) {
    existing = columns->front().value();
  }
  const bool exists = plain != nullptr || columns != nullptr;

  std::string new_value;
  Slice existing_operand(nullptr, 0);
  const MergeOperationInput in(merge_in.key, exists ? &existing : nullptr,
                               merge_in.operand_list, merge_in.logger);
  MergeOperationOutput out(new_value, existing_operand);
  const bool success = FullMergeV2(in, &out);
  merge_out->op_failure_scope = out.op_failure_scope;
  if (!success) return false;

  const bool is_operand = existing_operand.data() != nullptr;
  if (columns != nullptr) {
    if (is_operand) new_value = existing_operand.ToString();
    merge_out->new_value = WithDefaultColumn(*columns, std::move(new_value));
  } else if (is_operand) {
    merge_out->new_value = existing_operand;
  } else {
    merge_out->new_value = std::move(new_value);
  }
  return true;
}

bool MergeOperator::PartialMergeMulti(const Slice& key,
                                      const std::deque<Slice>& operand_list,
                                      std::string* new_value,
                                      Logger* logger) const {
  if (operand_list.size() < 2) return false;
  std::string merged;
  Slice left = operand_list[0];
  for (size_t i = 1; i < operand_list.size(); ++i) {
    // A buffer of its own, because `left` points into `merged`.
    std::string next;
    if (!PartialMerge(key, left, operand_list[i], &next, logger)) return false;
    merged.swap(next);
    left = Slice(merged);
  }
  *new_value = std::move(merged);
  return true;
}

bool AssociativeMergeOperator::FullMergeV2(
    const MergeOperationInput& merge_in,
    MergeOperationOutput* merge_out) const {
  Slice current;
  const Slice* existing = merge_in.existing_value;
  std::string result;
  for (const Slice& operand : merge_in.operand_list) {
    std::string next;
    if (!Merge(merge_in.key, existing, operand, &next, merge_in.logger)) {
      return false;
    }
    result.swap(next);
    current = Slice(result);
    existing = &current;
  }
  merge_out->new_value = std::move(result);
  return true;
}

bool AssociativeMergeOperator::PartialMerge(const Slice& key,
                                            const Slice& left_operand,
                                            const Slice& right_operand,
                                            std::string* new_value,
                                            Logger* logger) const {
  return Merge(key, &left_operand, right_operand, new_value, logger);
}

}  // namespace ROCKSDB_NAMESPACE
