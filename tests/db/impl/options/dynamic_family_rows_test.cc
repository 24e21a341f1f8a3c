// Every dynamic option of a column family has a case, which sees that what
// SetOptions() sets is in force.
#include "tests/db/impl/options/dynamic_family_rows.h"

#include <gtest/gtest.h>

#include "options/column_family_rows.h"

namespace ROCKSDB_NAMESPACE {
namespace {

struct RowCase {
  const char* name;
  void (DynamicFamilyRows::*run)();
};

constexpr RowCase kRowCases[] = {
#define FIXED(member, ...)
#define DYNAMIC(member, ...) {#member, &DynamicFamilyRows::member},
#include "options/column_family_rows.def"
};

TEST_P(DynamicFamilyRows, WhatIsSetIsInForce) {
  (this->*kRowCases[GetParam()].run)();
}

INSTANTIATE_TEST_SUITE_P(Rows, DynamicFamilyRows,
                         ::testing::Range(size_t{0}, std::size(kRowCases)),
                         [](const auto& row) {
                           return std::string(kRowCases[row.param].name);
                         });

TEST(DynamicFamilyRowsTest, EachDynamicRowHasACase) {
  size_t count = 0;
  for (const OptionRow& row : ColumnFamilyOptionStruct().rows) {
    count += row.IsDynamic();
  }
  EXPECT_EQ(count, std::size(kRowCases));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
