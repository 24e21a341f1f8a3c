#include "utilities/ttl/ttl_merge_operator.h"

#include "options/object_kinds.h"
#include "rocksdb/info_log.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kUserOperatorOption[] = "user_operator";

// False, and says so, if one of them is too short to have a time.
template <class Operands>
bool StripOperands(const Operands& stored, Operands* operands, Logger* logger) {
  for (const Slice& operand : stored) {
    if (operand.size() < kTtlBytes) {
      Error(logger, "A merge operand has no time of its own");
      return false;
    }
    operands->push_back(WithoutTtlTime(operand));
  }
  return true;
}

}  // namespace

Status TtlMergeOperator::ConfigureOption(const ConfigOptions& config,
                                         const std::string& name,
                                         const std::string& value) {
  if (name != kUserOperatorOption) {
    return MergeOperator::ConfigureOption(config, name, value);
  }
  return ParseSharedObject(config, value, &user_);
}

Status TtlMergeOperator::GetOptionString(const ConfigOptions& config,
                                         std::string* result) const {
  *result = std::string(kUserOperatorOption) + "=" +
            PrintObject(config, user_.get()) + ";";
  return Status::OK();
}

bool TtlMergeOperator::AppendNow(std::string* value) const {
  uint32_t now = 0;
  if (!TtlNow(clock_, &now).ok()) return false;
  AppendTtlTime(now, value);
  return true;
}

bool TtlMergeOperator::FullMergeV3(const MergeOperationInputV3& merge_in,
                                   MergeOperationOutputV3* merge_out) const {
  if (user_ == nullptr) return false;
  std::vector<Slice> operands;
  if (!StripOperands(merge_in.operand_list, &operands, merge_in.logger)) {
    return false;
  }
  MergeOperationInputV3::ExistingValue existing;
  if (const auto* value = std::get_if<Slice>(&merge_in.existing_value)) {
    if (value->size() < kTtlBytes) {
      Error(merge_in.logger, "A value to merge with has no time of its own");
      return false;
    }
    existing = WithoutTtlTime(*value);
  } else if (!std::holds_alternative<std::monostate>(merge_in.existing_value)) {
    return false;  // Entities have no time.
  }
  const MergeOperationInputV3 shown(merge_in.key, std::move(existing), operands,
                                    merge_in.logger);
  if (!user_->FullMergeV3(shown, merge_out)) return false;
  if (const auto* slice = std::get_if<Slice>(&merge_out->new_value)) {
    merge_out->new_value = slice->ToString();
  }
  auto* value = std::get_if<std::string>(&merge_out->new_value);
  return value != nullptr && AppendNow(value);
}

bool TtlMergeOperator::FullMergeV2(const MergeOperationInput& merge_in,
                                   MergeOperationOutput* merge_out) const {
  MergeOperationInputV3::ExistingValue existing;
  if (merge_in.existing_value != nullptr) existing = *merge_in.existing_value;
  const MergeOperationInputV3 in(merge_in.key, std::move(existing),
                                 merge_in.operand_list, merge_in.logger);
  MergeOperationOutputV3 out;
  const bool is_merged = FullMergeV3(in, &out);
  merge_out->op_failure_scope = out.op_failure_scope;
  if (!is_merged) return false;
  merge_out->new_value = std::move(std::get<std::string>(out.new_value));
  return true;
}

bool TtlMergeOperator::PartialMerge(const Slice& key, const Slice& left_operand,
                                    const Slice& right_operand,
                                    std::string* new_value,
                                    Logger* logger) const {
  return PartialMergeMulti(key, {left_operand, right_operand}, new_value,
                           logger);
}

bool TtlMergeOperator::PartialMergeMulti(const Slice& key,
                                         const std::deque<Slice>& operand_list,
                                         std::string* new_value,
                                         Logger* logger) const {
  std::deque<Slice> operands;
  return user_ != nullptr && StripOperands(operand_list, &operands, logger) &&
         user_->PartialMergeMulti(key, operands, new_value, logger) &&
         AppendNow(new_value);
}

bool TtlMergeOperator::ShouldMerge(const std::vector<Slice>& operands) const {
  std::vector<Slice> shown;
  return user_ != nullptr && StripOperands(operands, &shown, nullptr) &&
         user_->ShouldMerge(shown);
}

}  // namespace ROCKSDB_NAMESPACE
