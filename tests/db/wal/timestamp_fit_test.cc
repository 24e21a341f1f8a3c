// Logged batches fit families whose timestamps have another size now, or are
// refused.
#include "db/wal/timestamp_fit.h"

#include <gtest/gtest.h>

#include <string>

#include "db/wal/write_batch_format.h"
#include "db/wal/write_batch_internal.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// Family 1 has four kinds of updates, family 2 one.
WriteBatch Sample(const std::string& timestamp) {
  WriteBatch batch;
  const auto add = [&](ValueType type, uint32_t id, const std::string& key,
                       const Slice* value) {
    const Slice key_slice(key);
    const SliceParts value_parts(value, 1);
    EXPECT_TRUE(
        WriteBatchInternal::Add(&batch, type, id, SliceParts(&key_slice, 1),
                                value != nullptr ? &value_parts : nullptr)
            .ok());
  };
  const Slice value("value");
  const std::string end = "e" + timestamp;
  const Slice end_slice(end);
  add(kTypeValue, 1, "a" + timestamp, &value);
  add(kTypeDeletion, 1, "b" + timestamp, nullptr);
  add(kTypeRangeDeletion, 1, "c" + timestamp, &end_slice);
  add(kTypeMerge, 1, "d" + timestamp, &value);
  add(kTypeValue, 2, "other", &value);
  WriteBatchInternal::SetSequence(&batch, 77);
  return batch;
}

TEST(TimestampFit, WhatFitsStays) {
  WriteBatch batch = Sample("12345678");
  EXPECT_TRUE(batch.PutLogData("note").ok());
  const std::string before = batch.Data();
  ASSERT_TRUE(FitTimestamps({{1, 8}}, {{1, 8}}, &batch).ok());
  EXPECT_EQ(batch.Data(), before);
  ASSERT_TRUE(FitTimestamps({}, {{7, 8}}, &batch).ok());
  EXPECT_EQ(batch.Data(), before);
}

TEST(TimestampFit, KeysGetTheOldestOrLoseTheirs) {
  WriteBatch batch = Sample("");
  ASSERT_TRUE(FitTimestamps({}, {{1, 8}}, &batch).ok());
  EXPECT_EQ(batch.Data(), Sample(std::string(8, '\0')).Data());
  ASSERT_TRUE(FitTimestamps({{1, 8}}, {}, &batch).ok());
  EXPECT_EQ(batch.Data(), Sample("").Data());
}

TEST(TimestampFit, BadInput) {
  WriteBatch batch = Sample("12345678");
  const std::string before = batch.Data();
  EXPECT_TRUE(FitTimestamps({{1, 8}}, {{1, 16}}, &batch).IsInvalidArgument());
  WriteBatch prepared = batch;
  WriteBatchInternal::AddMarker(&prepared, kTypeNoop);
  EXPECT_TRUE(FitTimestamps({{1, 8}}, {}, &prepared).IsNotSupported());
  WriteBatch malformed(before + "\x7f");
  EXPECT_TRUE(FitTimestamps({{1, 8}}, {}, &malformed).IsCorruption());
  EXPECT_EQ(batch.Data(), before);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
