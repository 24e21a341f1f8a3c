#include "db_stress_tool/plugins.h"

#include <string>

#include "db_stress_tool/entities.h"

namespace ROCKSDB_NAMESPACE::stress {

namespace {

class LastOperand : public AssociativeMergeOperator {
 public:
  bool Merge(const Slice& /*key*/, const Slice* /*existing*/,
             const Slice& operand, std::string* result,
             Logger* /*logger*/) const override {
    result->assign(operand.data(), operand.size());
    return true;
  }
#if __has_include("rocksdb/attribute_groups.h")
  // The columns follow the value; left alone, they would be those of the old.
  bool FullMergeV3(const MergeOperationInputV3& in,
                   MergeOperationOutputV3* out) const override {
    const Slice& newest = in.operand_list.back();
    if (newest.empty() || newest[0] % 2 == 0) {
      out->new_value = newest.ToString();
    } else {
      out->new_value = entities::ColumnsOf(newest);
    }
    return true;
  }
#endif
  const char* Name() const override { return "PutOperator"; }
};

class KeepAll : public CompactionFilter {
 public:
  bool Filter(int /*level*/, const Slice& key, const Slice& /*existing*/,
              std::string* /*new_value*/,
              bool* /*value_changed*/) const override {
    // Every key of db_stress has at least eight bytes.
    return key.size() < 8;
  }
  const char* Name() const override { return "KeepAll"; }
};

class KeepAllFactory : public CompactionFilterFactory {
 public:
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& /*context*/) override {
    return std::make_unique<KeepAll>();
  }
  const char* Name() const override { return "KeepAllFactory"; }
};

}  // namespace

std::shared_ptr<MergeOperator> MakeLastOperandOperator() {
  return std::make_shared<LastOperand>();
}

std::shared_ptr<CompactionFilterFactory> MakeKeepAllFilterFactory() {
  return std::make_shared<KeepAllFactory>();
}

}  // namespace ROCKSDB_NAMESPACE::stress
