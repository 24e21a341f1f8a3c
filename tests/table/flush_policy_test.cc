// Tables whose data blocks end where a policy says.
//
// Runs tests/testdata/sst/flush_policy.txt; each case is one line:
//
//   blocks ENTRIES [value:BYTES] [block:BYTES] [deviation:PERCENT]
//          [policy:NAME] [dictionary] [aligned]
//
// The answer is how many data blocks these entries make, which are then all
// found again. Keys have 8 bytes, and as many of sequence and type. A policy is
// one by size unless it is named; "third" is one of an application that ends a
// block before each third entry, and before the first.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/flush_block_policy.h"
#include "tests/table/table_fixture.h"
#include "tests/testing/script.h"
#include "tests/testing/script_lines.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Notes what it hears, and ends a block before each third entry, and before
// the first.
class ThirdKeyPolicy final : public FlushBlockPolicy {
 public:
  explicit ThirdKeyPolicy(std::string* heard) : heard_(*heard) {}
  bool Update(const Slice& key, const Slice& value) override {
    heard_ += ExtractUserKey(key).ToString() + "=" + value.ToString() + " ";
    return count_++ % 3 == 0;
  }

 private:
  std::string& heard_;
  int count_ = 0;
};

class ThirdKeyFactory final : public FlushBlockPolicyFactory {
 public:
  const char* Name() const override { return "test.ThirdKey"; }
  FlushBlockPolicy* NewFlushBlockPolicy(const BlockBasedTableOptions&,
                                        const BlockBuilder&) const override {
    return std::make_unique<ThirdKeyPolicy>(&heard).release();
  }

  mutable std::string heard;
};

Status SetPolicy(const std::string& name,
                 std::shared_ptr<FlushBlockPolicyFactory>* policy) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  return FlushBlockPolicyFactory::CreateFromString(config, name, policy);
}

std::string BlocksAnswer(const ScriptCase& c) {
  const ScriptWords command(c.command);
  EXPECT_EQ(command.verb(), "blocks");
  std::vector<TableEntry> entries =
      NumberedEntries(std::stoull(command.Word(0)));
  std::string all;
  for (TableEntry& entry : entries) {
    if (command.Has("value")) {
      entry.value.assign(command.Number("value", 0), 'v');
    }
    all += entry.user_key + "=" + entry.value + " ";
  }
  TableFixture fixture;
  fixture.table.block_size = command.Number("block", 4096);
  fixture.table.block_size_deviation =
      static_cast<int>(command.Number("deviation", 10));
  fixture.table.block_align = command.HasWord("aligned");
  if (command.HasWord("dictionary")) {
    fixture.compression = kLZ4Compression;
    fixture.compression_options.max_dict_bytes = 1024;
  }
  const auto third = std::make_shared<ThirdKeyFactory>();
  const std::string policy = command.Text("policy", "");
  if (policy == "third") {
    fixture.table.flush_block_policy_factory = third;
  } else if (!policy.empty()) {
    const Status s =
        SetPolicy(policy, &fixture.table.flush_block_policy_factory);
    if (!s.ok()) return s.ToString();
  }
  const std::string bytes = fixture.Build(entries);
  EXPECT_EQ(policy == "third" ? all : "", third->heard) << "of each, once";
  std::unique_ptr<TableReader> reader;
  const Status s = fixture.Open(bytes, &reader);
  if (!s.ok()) return s.ToString();
  const ReadOptions read;
  EXPECT_EQ(ToKeyValues(entries),
            ScanForward(reader->NewIterator({.read_options = &read}).get()));
  return std::to_string(fixture.built_properties.num_data_blocks);
}

TEST(FlushPolicyTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("sst/flush_policy.txt", BlocksAnswer), 26u)
      << "cases went missing";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
