// DBOptions::allow_data_in_errors: who may see keys in statuses and logs.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "rocksdb/env.h"
#include "tests/db/impl/db_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kKey = "secret";

class DataInErrorsTest : public DbFixture,
                         public ::testing::WithParamInterface<bool> {
 protected:
  DataInErrorsTest() { options_.allow_data_in_errors = GetParam(); }

  static bool Shows(const std::string& text) {
    return text.find(kKey) != std::string::npos ||
           text.find(Slice(kKey).ToString(/*hex=*/true)) != std::string::npos;
  }
  void ExpectAllowed(const Status& s) {
    EXPECT_TRUE(s.IsCorruption());
    EXPECT_EQ(Shows(s.ToString()), GetParam()) << s.ToString();
    // Whoever is told no key still learns which entry it is.
    EXPECT_NE(s.ToString().find("seq:"), std::string::npos) << s.ToString();
  }
  void ExpectAllowedInLog() {
    std::string log;
    ASSERT_OK(ReadFileToString(Env::Default(), path_ + "/LOG", &log));
    EXPECT_EQ(Shows(log), GetParam());
  }
};

TEST_P(DataInErrorsTest, MemtablesThatMemoryChanged) {
  options_.memtable_protection_bytes_per_key = 8;
  Open();
  ASSERT_OK(Put(kKey, "value"));
  {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    // Pinned for as long as the memtable lives.
    *const_cast<char*>(it->value().data()) ^= 1;
    it->SeekToFirst();
    EXPECT_FALSE(it->Valid());
    ExpectAllowed(it->status());
  }
  std::string value;
  ExpectAllowed(db_->Get(ReadOptions(), kKey, &value));
  ExpectAllowed(Flush());
  ExpectAllowedInLog();
}

TEST_P(DataInErrorsTest, MisusedSingleDeletes) {
  Open();
  ASSERT_OK(Put(kKey, "value"));
  ASSERT_OK(Flush());
  ASSERT_OK(Delete(kKey));
  ASSERT_OK(db_->SingleDelete(WriteOptions(), kKey));
  ExpectAllowed(Flush());
  ExpectAllowedInLog();
}

// The sequence that a key ends with becomes one of a type that is none.
TEST_P(DataInErrorsTest, KeysThatAreNone) {
  Open();
  ASSERT_OK(Put(kKey, "value"));
  {
    const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
    it->SeekToFirst();
    ASSERT_TRUE(it->Valid());
    char* const value = const_cast<char*>(it->value().data());
    // Trailer, varint length, value.
    value[-1 - static_cast<ptrdiff_t>(sizeof(uint64_t))] = '\x7e';
    it->SeekToFirst();
    EXPECT_FALSE(it->Valid());
    ExpectAllowed(it->status());
  }
  ExpectAllowed(Flush());
  ExpectAllowedInLog();
}

INSTANTIATE_TEST_SUITE_P(Allowed, DataInErrorsTest, ::testing::Bool());

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
