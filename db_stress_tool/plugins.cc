#include "db_stress_tool/plugins.h"

#include <atomic>
#include <deque>
#include <string>

#include "db_stress_tool/entities.h"
#include "db_stress_tool/stress_random.h"

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

class OldLastOperand : public MergeOperator {
 public:
  bool FullMerge(const Slice& /*key*/, const Slice* /*existing*/,
                 const std::deque<std::string>& operands, std::string* result,
                 Logger* /*logger*/) const override {
    *result = operands.back();
    return true;
  }
  const char* Name() const override { return "PutOperator"; }
};

class Marking : public TablePropertiesCollector {
 public:
  explicit Marking(bool is_marked) : is_marked_(is_marked) {}

  Status AddUserKey(const Slice& /*key*/, const Slice& /*value*/,
                    EntryType /*type*/, SequenceNumber /*sequence*/,
                    uint64_t /*file_bytes*/) override {
    return Status::OK();
  }
  Status Finish(UserCollectedProperties* /*properties*/) override {
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override { return {}; }
  bool NeedCompact() const override { return is_marked_; }
  const char* Name() const override { return "Marking"; }

 private:
  const bool is_marked_;
};

class MarkingFactory : public TablePropertiesCollectorFactory {
 public:
  MarkingFactory(int64_t one_in, uint64_t seed)
      : one_in_(one_in), next_seed_(seed) {}

  TablePropertiesCollector* CreateTablePropertiesCollector(
      Context /*context*/) override {
    StressRandom random(next_seed_++);
    return std::make_unique<Marking>(random.OneIn(one_in_)).release();
  }
  const char* Name() const override { return "MarkingFactory"; }

 private:
  const int64_t one_in_;
  std::atomic<uint64_t> next_seed_;
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

std::shared_ptr<MergeOperator> MakeOldLastOperandOperator() {
  return std::make_shared<OldLastOperand>();
}

std::shared_ptr<TablePropertiesCollectorFactory> MakeMarkingFactory(
    int64_t one_in, uint64_t seed) {
  return std::make_shared<MarkingFactory>(one_in, seed);
}

std::shared_ptr<CompactionFilterFactory> MakeKeepAllFilterFactory() {
  return std::make_shared<KeepAllFactory>();
}

}  // namespace ROCKSDB_NAMESPACE::stress
