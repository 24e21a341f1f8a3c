// What a compaction filter is shown, and told of its compaction.
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "tests/db/impl/db_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Removes every operand.
class NoOperands final : public CompactionFilter {
 public:
  const char* Name() const override { return "NoOperands"; }
  bool FilterMergeOperand(int, const Slice&, const Slice&) const override {
    return true;
  }
};

class FilterViewsTest : public DbFixture {
 protected:
  FilterViewsTest() {
    options_.disable_auto_compactions = true;
    options_.merge_operator = NewStringAppendOperator(",");
  }
  Status Merge(const std::string& key, const std::string& operand) {
    return db_->Merge(WriteOptions(), key, operand);
  }
};

TEST_F(FilterViewsTest, OperandsThatSnapshotsSeeStay) {
  const NoOperands filter;
  options_.compaction_filter = &filter;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("base", "0"));
  ASSERT_OK(Merge("base", "1"));
  ASSERT_OK(Merge("k", "1"));
  const Snapshot* older = db_->GetSnapshot();
  ASSERT_OK(Merge("k", "2"));
  const Snapshot* newer = db_->GetSnapshot();
  ASSERT_OK(Merge("base", "3"));
  ASSERT_OK(Merge("k", "3"));
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Get("k", older), "1");
  EXPECT_EQ(Get("k", newer), "1,2");
  EXPECT_EQ(Get("k"), "1,2");
  EXPECT_EQ(Get("base", older), "0,1");
  EXPECT_EQ(Get("base"), "0,1");
  db_->ReleaseSnapshot(newer);
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Get("k", older), "1");
  EXPECT_EQ(Get("k"), "1");
  db_->ReleaseSnapshot(older);
  ASSERT_OK(CompactAll(/*force=*/true));
  // Merged down to values by now.
  EXPECT_EQ(Get("k"), "1");
  EXPECT_EQ(Get("base"), "0,1");
  ASSERT_OK(Merge("new", "1"));
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Get("new"), "NOT_FOUND");
  db_.reset();
}

class NotingFactory final : public CompactionFilterFactory {
 public:
  const char* Name() const override { return "NotingFactory"; }
  bool ShouldFilterTableFileCreation(
      TableFileCreationReason /*reason*/) const override {
    return true;
  }
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override {
    contexts.push_back(context);
    return nullptr;
  }
  std::vector<CompactionFilter::Context> contexts;
};

TEST_F(FilterViewsTest, TheInputsPropertiesAreThere) {
  const auto factory = std::make_shared<NotingFactory>();
  options_.compaction_filter_factory = factory;
  options_.max_subcompactions = 1;
  ASSERT_NO_FATAL_FAILURE(Open());
  for (int file = 1; file <= 2; ++file) {
    for (int i = 0; i < 10 * file; ++i) {
      ASSERT_OK(Put("key" + std::to_string(i), "value"));
    }
    ASSERT_OK(Flush());
  }
  ASSERT_EQ(factory->contexts.size(), 2u);
  for (const auto& context : factory->contexts) {
    EXPECT_EQ(context.reason, TableFileCreationReason::kFlush);
    EXPECT_TRUE(context.input_table_properties.empty());
  }
  factory->contexts.clear();
  TablePropertiesCollection wanted;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&wanted));
  ASSERT_OK(CompactAll());
  ASSERT_EQ(factory->contexts.size(), 1u);
  const auto& properties = factory->contexts[0].input_table_properties;
  ASSERT_EQ(properties.size(), 2u);
  for (const auto& [path, of_table] : wanted) {
    ASSERT_TRUE(properties.contains(path)) << path;
    EXPECT_EQ(properties.at(path)->num_entries, of_table->num_entries);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
