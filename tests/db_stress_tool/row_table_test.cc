// The table of the multi-operation test: its bytes, and what are none of it.
#include "db_stress_tool/row_table.h"

#include <gtest/gtest.h>

#include <string>

namespace ROCKSDB_NAMESPACE::stress {
namespace {

TEST(RowTableTest, BytesOfARow) {
  EXPECT_EQ(PrimaryKey(0x01020304), std::string("\0\0\0\1\1\2\3\4", 8));
  EXPECT_EQ(PrimaryValue({.a = 9, .b = 0x01020304, .c = 5}),
            std::string("\4\3\2\1\5\0\0\0", 8));
  EXPECT_EQ(SecondaryKey(5, 9), std::string("\0\0\0\2\0\0\0\5\0\0\0\11", 12));
  EXPECT_EQ(SecondaryPrefix(5), SecondaryKey(5, 9).substr(0, 8));
  EXPECT_EQ(TablePrefix(TableIndex::kSecondary),
            SecondaryPrefix(5).substr(0, 4));
  // The checksum of "123456789" is a constant of CRC-32C.
  EXPECT_EQ(SecondaryValue("123456789"), std::string("\x83\x92\x06\xe3", 4));
}

TEST(RowTableTest, RowsComeBack) {
  const TableRow row{.a = 7, .b = 1u << 31, .c = 70000};
  const auto primary = ParsePrimary(PrimaryKey(row.a), PrimaryValue(row));
  ASSERT_TRUE(primary.has_value());
  EXPECT_EQ(primary->a, row.a);
  EXPECT_EQ(primary->b, row.b);
  EXPECT_EQ(primary->c, row.c);
  const std::string key = SecondaryKey(row.c, row.a);
  const auto entry = ParseSecondary(key, SecondaryValue(key));
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->a, row.a);
  EXPECT_EQ(entry->c, row.c);
}

TEST(RowTableTest, OtherBytesAreNoRows) {
  const std::string key = SecondaryKey(1, 2);
  std::string damaged = SecondaryValue(key);
  damaged[2] ^= 1;
  EXPECT_FALSE(ParseSecondary(key, damaged).has_value());
  EXPECT_FALSE(ParseSecondary(key, "").has_value());
  EXPECT_FALSE(ParseSecondary(PrimaryKey(1), "").has_value());
  EXPECT_FALSE(ParsePrimary(PrimaryKey(1), "short").has_value());
  EXPECT_FALSE(ParsePrimary(key, PrimaryValue({})).has_value());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
