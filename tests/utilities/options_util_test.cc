// The latest OPTIONS file of a database is found, loaded with a shared cache,
// and compared for what its data depend on.
#include "rocksdb/utilities/options_util.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "options/options_file.h"
#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/table.h"
#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class OptionsUtilTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) { return dir_.path() + "/" + name; }

  void Put(const std::string& name, const std::string& text) {
    std::ofstream(Path(name), std::ios::binary) << text;
  }

  // The text of a file whose database keeps `max_open_files` open.
  static std::string TextWith(int max_open_files) {
    OptionsFile file;
    file.db.max_open_files = max_open_files;
    file.families.push_back({"default", ColumnFamilyOptions(), {}});
    file.families.push_back({"second", ColumnFamilyOptions(), {}});
    file.families[1].options.num_levels = 4;
    EXPECT_TRUE(
        MergeOperator::CreateFromString(
            ConfigOptions(), "put", &file.families[1].options.merge_operator)
            .ok());
    return PrintOptionsFile(file);
  }

  TempDir dir_;
  ConfigOptions config_;
  DBOptions db_;
  std::vector<ColumnFamilyDescriptor> families_;
};

TEST_F(OptionsUtilTest, TheHighestNumberIsTheLatest) {
  Put("OPTIONS-000009", TextWith(9));
  Put("OPTIONS-000010", TextWith(10));
  Put("OPTIONS-000011.dbtmp", "not finished");
  Put("OPTIONS-abc", "no number");
  std::string name;
  ASSERT_TRUE(
      GetLatestOptionsFileName(dir_.path(), Env::Default(), &name).ok());
  EXPECT_EQ("OPTIONS-000010", name);
  ASSERT_TRUE(LoadLatestOptions(config_, dir_.path(), &db_, &families_).ok());
  EXPECT_EQ(10, db_.max_open_files);
  EXPECT_EQ(Env::Default(), db_.env);
  ASSERT_EQ(2u, families_.size());
  EXPECT_EQ("second", families_[1].name);
  EXPECT_EQ(4, families_[1].options.num_levels);
}

TEST_F(OptionsUtilTest, ACacheIsShared) {
  Put("OPTIONS-000009", TextWith(9));
  std::shared_ptr<Cache> cache = NewLRUCache(1 << 20);
  ASSERT_TRUE(
      LoadLatestOptions(config_, dir_.path(), &db_, &families_, &cache).ok());
  for (const ColumnFamilyDescriptor& family : families_) {
    const auto* table =
        family.options.table_factory->GetOptions<BlockBasedTableOptions>();
    ASSERT_NE(nullptr, table);
    EXPECT_EQ(cache, table->block_cache);
  }
}

TEST_F(OptionsUtilTest, ErrorsNameTheFile) {
  Status s = LoadLatestOptions(config_, dir_.path(), &db_, &families_);
  EXPECT_TRUE(s.IsPathNotFound()) << s.ToString();
  EXPECT_NE(std::string::npos,
            s.ToString().find("No options files found in the DB directory."));
  s = LoadLatestOptions(config_, Path("nowhere"), &db_, &families_);
  EXPECT_FALSE(s.ok());
  Put("OPTIONS-000003", "nonsense\n");
  s = LoadLatestOptions(config_, dir_.path(), &db_, &families_);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(std::string::npos, s.ToString().find("OPTIONS-000003:1"))
      << s.ToString();
  EXPECT_TRUE(families_.empty());
}

TEST_F(OptionsUtilTest, Compatibility) {
  Put("OPTIONS-000009", TextWith(9));
  ASSERT_TRUE(LoadLatestOptions(config_, dir_.path(), &db_, &families_).ok());
  EXPECT_TRUE(
      CheckOptionsCompatibility(config_, dir_.path(), db_, families_).ok());
  families_[1].options.comparator = ReverseBytewiseComparator();
  config_.sanity_level = ConfigOptions::kSanityLevelLooselyCompatible;
  const Status s =
      CheckOptionsCompatibility(config_, dir_.path(), db_, families_);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(std::string::npos, s.ToString().find("comparator"));
}

// Each of those with which the same bytes would be other data.
TEST_F(OptionsUtilTest, WhatDataDependOnIsCompared) {
  Put("OPTIONS-000009", TextWith(9));
  config_.sanity_level = ConfigOptions::kSanityLevelLooselyCompatible;
  const auto expect_refused = [&](const std::string& option,
                                  const std::string& text) {
    ASSERT_TRUE(LoadLatestOptions(config_, dir_.path(), &db_, &families_).ok());
    ASSERT_TRUE(GetColumnFamilyOptionsFromString(config_, families_[1].options,
                                                 text, &families_[1].options)
                    .ok())
        << text;
    const Status s =
        CheckOptionsCompatibility(config_, dir_.path(), db_, families_);
    EXPECT_TRUE(s.IsInvalidArgument()) << text << ": " << s.ToString();
    EXPECT_NE(std::string::npos, s.ToString().find(option)) << s.ToString();
  };
  expect_refused("comparator", "comparator=rocksdb.ReverseBytewiseComparator");
  expect_refused("merge_operator", "merge_operator=max");
  expect_refused("table_factory", "table_factory=PlainTable");
  expect_refused("persist_user_defined_timestamps",
                 "persist_user_defined_timestamps=false");
  // And what they do not depend on is not.
  ASSERT_TRUE(LoadLatestOptions(config_, dir_.path(), &db_, &families_).ok());
  families_[1].options.write_buffer_size = 77777;
  EXPECT_TRUE(
      CheckOptionsCompatibility(config_, dir_.path(), db_, families_).ok());
  families_.pop_back();
  EXPECT_FALSE(
      CheckOptionsCompatibility(config_, dir_.path(), db_, families_).ok());
}

TEST_F(OptionsUtilTest, OneFileByItsPath) {
  Put("mine", TextWith(77));
  ASSERT_TRUE(
      LoadOptionsFromFile(config_, Path("mine"), &db_, &families_).ok());
  EXPECT_EQ(77, db_.max_open_files);
  ASSERT_EQ(2u, families_.size());
  EXPECT_EQ("default", families_[0].name);
  EXPECT_FALSE(
      LoadOptionsFromFile(config_, Path("absent"), &db_, &families_).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
