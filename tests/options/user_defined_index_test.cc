// The interface of indexes that an application makes: what it does by itself,
// and which options go with it, which runs option_scripts/own_indexes.txt.
//
//   check [family:OPTIONS]    each line, options of tables in a family with
//       these: what an opening says of them
//   make [unknown]        each line, a name: the index that has it; unknown:
//       where the application has not made its own known
//   The application's index is called test.OwnIndex.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "options/constraints.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/index_factory.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/object_registry.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class OwnIndexBuilder final : public IndexFactoryBuilder {
 public:
  Slice AddIndexEntry(const Slice& last_key, const Slice*, const BlockHandle&,
                      std::string*, const IndexEntryContext&) override {
    return last_key;
  }
  Status Finish(Slice* index_contents) override {
    *index_contents = "index";
    return Status::OK();
  }
  uint64_t EstimatedSize() const override { return 5; }
};

class OwnIndexIterator final : public IndexFactoryIterator {
 public:
  void Prepare(const ScanOptions[], size_t) override {}
  Status SeekAndGetResult(const Slice&, IterateResult*,
                          const SeekContext&) override {
    return Status::OK();
  }
  Status NextAndGetResult(IterateResult*) override { return Status::OK(); }
  UserDefinedIndexBuilder::BlockHandle value() override { return {1, 2}; }
};

class OwnIndexFactory final : public IndexFactory {
 public:
  using IndexFactory::NewBuilder;
  using IndexFactory::NewReader;
  const char* Name() const override { return "test.OwnIndex"; }
  UserDefinedIndexBuilder* NewBuilder() const override {
    return std::make_unique<OwnIndexBuilder>().release();
  }
  std::unique_ptr<UserDefinedIndexReader> NewReader(Slice&) const override {
    return nullptr;
  }
};

TEST(UserDefinedIndexTest, TheLongFormsPassOn) {
  const OwnIndexFactory factory;
  IndexFactoryOptions option;
  std::unique_ptr<UserDefinedIndexBuilder> builder;
  ASSERT_TRUE(factory.NewBuilder(option, builder).ok());
  ASSERT_NE(nullptr, builder);
  EXPECT_EQ(5u, builder->EstimatedSize());
  Slice block("index");
  std::unique_ptr<UserDefinedIndexReader> reader;
  EXPECT_TRUE(factory.NewReader(option, block, reader).IsInvalidArgument())
      << "it makes none";
  builder.reset();
  option.comparator = ReverseBytewiseComparator();
  EXPECT_TRUE(factory.NewBuilder(option, builder).IsNotSupported());
  EXPECT_TRUE(factory.NewReader(option, block, reader).IsNotSupported());
  EXPECT_EQ(nullptr, builder);
}

TEST(UserDefinedIndexTest, StepsThatNeedNotBeThere) {
  OwnIndexIterator it;
  EXPECT_TRUE(it.SeekToFirstAndGetResult(nullptr).IsNotSupported());
  EXPECT_TRUE(it.SeekToLastAndGetResult(nullptr).IsNotSupported());
  EXPECT_TRUE(it.PrevAndGetResult(nullptr).IsNotSupported());
  EXPECT_STREQ("rocksdb.user_defined_index.", kIndexFactoryMetaPrefix);
}

// --- The script --------------------------------------------------------------

// Knows test.OwnIndex.
ConfigOptions OwnIndexConfig() {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  config.registry = ObjectRegistry::NewInstance();
  config.registry->AddLibrary("own")->AddFactory<UserDefinedIndexFactory>(
      "test.OwnIndex",
      [](const std::string&, std::unique_ptr<UserDefinedIndexFactory>* guard,
         std::string*) {
        *guard = std::make_unique<OwnIndexFactory>();
        return guard->get();
      });
  return config;
}

std::string MadeIndex(const ConfigOptions& config, const std::string& name) {
  std::shared_ptr<UserDefinedIndexFactory> factory;
  const Status s =
      UserDefinedIndexFactory::CreateFromString(config, name, &factory);
  if (!s.ok()) return s.ToString();
  return factory == nullptr ? "none" : factory->Name();
}

std::string CheckedWithIndex(const std::string& text,
                             const ColumnFamilyOptions& family) {
  BlockBasedTableOptions table;
  Status s = GetBlockBasedTableOptionsFromString(
      OwnIndexConfig(), BlockBasedTableOptions(), text, &table);
  if (s.ok()) s = ValidateBlockBasedTableOptions(table, family);
  return s.ToString();
}

std::string RunIndexCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  ColumnFamilyOptions family;
  const Status s =
      GetColumnFamilyOptionsFromString(ConfigOptions(), ColumnFamilyOptions(),
                                       command.Text("family", ""), &family);
  EXPECT_TRUE(s.ok()) << s.ToString();
  ConfigOptions config = OwnIndexConfig();
  if (command.HasWord("unknown")) config.registry = ConfigOptions().registry;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    answers += command.verb() == "make" ? MadeIndex(config, line)
                                        : CheckedWithIndex(line, family);
    answers += "\n";
  }
  return answers;
}

TEST(UserDefinedIndexTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/own_indexes.txt", RunIndexCase), 8u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
