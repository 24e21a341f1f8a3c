// The interface of indexes that an application makes: what it does by itself,
// by name, and that options refuse one by name.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "options/constraints.h"
#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/index_factory.h"
#include "rocksdb/table.h"
#include "rocksdb/utilities/object_registry.h"

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

TEST(UserDefinedIndexTest, ByName) {
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  std::shared_ptr<UserDefinedIndexFactory> factory;
  EXPECT_TRUE(UserDefinedIndexFactory::CreateFromString(config, "test.OwnIndex",
                                                        &factory)
                  .IsNotSupported());
  config.registry->AddLibrary("own")->AddFactory<UserDefinedIndexFactory>(
      "test.OwnIndex",
      [](const std::string&, std::unique_ptr<UserDefinedIndexFactory>* guard,
         std::string*) {
        *guard = std::make_unique<OwnIndexFactory>();
        return guard->get();
      });
  ASSERT_TRUE(UserDefinedIndexFactory::CreateFromString(config, "test.OwnIndex",
                                                        &factory)
                  .ok());
  EXPECT_STREQ("test.OwnIndex", factory->Name());
}

TEST(UserDefinedIndexTest, WhatGoesWithIt) {
  BlockBasedTableOptions table;
  ColumnFamilyOptions family;
  const auto check = [&] {
    return ValidateBlockBasedTableOptions(table, family);
  };
  table.fail_if_no_udi_on_open = true;
  EXPECT_TRUE(check().ok());
  table.use_udi_as_primary_index = true;
  EXPECT_TRUE(check().IsInvalidArgument()) << "nothing makes it";
  table.user_defined_index_factory = std::make_shared<OwnIndexFactory>();
  EXPECT_TRUE(check().ok()) << check().ToString();

  table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  EXPECT_TRUE(check().IsInvalidArgument());
  table.index_type = BlockBasedTableOptions::kBinarySearch;
  table.partition_filters = true;
  EXPECT_TRUE(check().IsInvalidArgument());
  table.use_udi_as_primary_index = false;
  table.index_type = BlockBasedTableOptions::kTwoLevelIndexSearch;
  EXPECT_TRUE(check().ok()) << "as a second index";

  family.compression_opts.parallel_threads = 4;
  EXPECT_EQ(
      "Invalid argument: user_defined_index_factory not supported with "
      "parallel compression",
      check().ToString());
  family.compression_opts.parallel_threads = 1;
  family.bottommost_compression_opts.parallel_threads = 4;
  EXPECT_TRUE(check().ok()) << "not enabled";
  family.bottommost_compression_opts.enabled = true;
  EXPECT_TRUE(check().IsInvalidArgument());
  family.bottommost_compression_opts = CompressionOptions();

  family.comparator = ReverseBytewiseComparator();
  EXPECT_TRUE(check().IsNotSupported()) << "its factory knows one order";
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
