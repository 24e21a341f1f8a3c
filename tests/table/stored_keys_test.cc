// Keys lose the oldest timestamp where their family does not persist it, and
// user keys show in messages only where they may.
#include "table/stored_keys.h"

#include <gtest/gtest.h>

#include <string>

#include "rocksdb/comparator.h"

namespace ROCKSDB_NAMESPACE {
namespace {

const std::string kOldestStamp(8, '\0');

ImmutableCFOptions FamilyOf(const Comparator* comparator, bool persists) {
  ColumnFamilyOptions options;
  options.comparator = comparator;
  options.persist_user_defined_timestamps = persists;
  return ImmutableCFOptions(options);
}

TEST(StoredKeysTest, WithoutTimestampsKeysAreAsTheyAre) {
  const ImmutableCFOptions family = FamilyOf(BytewiseComparator(), true);
  StoredKeys keys(family, KeyText::kShown);
  EXPECT_EQ(keys.left_out_bytes(), 0u);
  const InternalKey key("key", 7, kTypeValue);
  const Slice stored = keys.Of(key.Encode());
  EXPECT_EQ(stored.data(), key.Encode().data()) << "no copy";
  EXPECT_EQ(keys.PlainUserKey(stored), "key");
  EXPECT_EQ(keys.EndOf("end"), "end");
}

TEST(StoredKeysTest, TimestampsThatAreKeptAreNotOfTheUsersKey) {
  const ImmutableCFOptions family =
      FamilyOf(BytewiseComparatorWithU64Ts(), true);
  StoredKeys keys(family, KeyText::kShown);
  EXPECT_EQ(keys.left_out_bytes(), 0u);
  EXPECT_EQ(keys.timestamp_bytes(), 8u);
  const InternalKey key("key" + kOldestStamp, 7, kTypeValue);
  EXPECT_EQ(keys.Of(key.Encode()), key.Encode());
  EXPECT_EQ(keys.PlainUserKey(key.Encode()), "key");
}

TEST(StoredKeysTest, TheOldestTimestampIsLeftOut) {
  const ImmutableCFOptions family =
      FamilyOf(BytewiseComparatorWithU64Ts(), false);
  StoredKeys keys(family, KeyText::kShown);
  EXPECT_EQ(keys.left_out_bytes(), 8u);
  EXPECT_EQ(keys.timestamp_bytes(), 0u);
  const InternalKey key("key" + kOldestStamp, 7, kTypeValue);
  const Slice stored = keys.Of(key.Encode());
  EXPECT_EQ(stored, InternalKey("key", 7, kTypeValue).Encode());
  EXPECT_EQ(keys.PlainUserKey(stored), "key");
  EXPECT_EQ(keys.EndOf("end" + kOldestStamp), "end");
  const InternalKey other("other", 1, kTypeValue);
  EXPECT_LT(keys.order().Compare(stored, other.Encode()), 0);
}

TEST(StoredKeysTest, MessagesShowKeysOnlyWhereTheyMay) {
  const ImmutableCFOptions family = FamilyOf(BytewiseComparator(), true);
  const InternalKey key("key", 7, kTypeValue);
  EXPECT_NE(StoredKeys(family, KeyText::kShown).Text(key.Encode()),
            StoredKeys(family, KeyText::kRedacted).Text(key.Encode()));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
