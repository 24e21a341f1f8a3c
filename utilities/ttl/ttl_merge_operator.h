// The application's merge operator, for values and operands with their times:
// it sees them without, and its result gets the present time.
//
// Threads  As the operator that it wraps.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/merge_operator.h"
#include "utilities/ttl/ttl_value.h"

namespace ROCKSDB_NAMESPACE {

class TtlMergeOperator final : public MergeOperator {
 public:
  static const char* kClassName() { return "TtlMergeOperator"; }

  TtlMergeOperator(std::shared_ptr<MergeOperator> user, SystemClock* clock)
      : user_(std::move(user)), clock_(clock) {}

  const char* Name() const override { return kClassName(); }
  const Customizable* Inner() const override { return user_.get(); }
  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override;

  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override;
  bool FullMergeV3(const MergeOperationInputV3& merge_in,
                   MergeOperationOutputV3* merge_out) const override;
  bool PartialMerge(const Slice& key, const Slice& left_operand,
                    const Slice& right_operand, std::string* new_value,
                    Logger* logger) const override;
  bool PartialMergeMulti(const Slice& key,
                         const std::deque<Slice>& operand_list,
                         std::string* new_value, Logger* logger) const override;
  bool AllowSingleOperand() const override {
    return user_ != nullptr && user_->AllowSingleOperand();
  }
  bool ShouldMerge(const std::vector<Slice>& operands) const override;

 private:
  bool AppendNow(std::string* value) const;

  std::shared_ptr<MergeOperator> user_;  // null: every merge fails
  SystemClock* const clock_;
};

}  // namespace ROCKSDB_NAMESPACE
