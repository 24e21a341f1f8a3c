// The ids of families without a manifest are told from tables, logs and the
// OPTIONS file, and are never guessed.
#include "db/recovery/family_ids.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

using FamilyIds = std::map<std::string, uint32_t>;

FamilyIds FoundIds(std::vector<std::string> in_order, FamilyIds ids,
                   std::set<uint32_t> logged) {
  return FindFamilyIds({.in_order = std::move(in_order),
                        .ids = std::move(ids),
                        .logged = std::move(logged)});
}

TEST(FamilyIds, FollowEachOther) {
  const FamilyIds known{{"default", 0}};
  EXPECT_EQ(FoundIds({}, known, {1}), FamilyIds());
  EXPECT_EQ(FoundIds({"default"}, known, {1}), FamilyIds());
  EXPECT_EQ(FoundIds({"default", "a"}, known, {}), (FamilyIds{{"a", 1}}));
  EXPECT_EQ(FoundIds({"default", "a", "b"}, known, {2}),
            (FamilyIds{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(
      FoundIds({"default", "a", "b", "c"}, {{"default", 0}, {"b", 2}}, {1, 3}),
      (FamilyIds{{"a", 1}, {"c", 3}}));
}

TEST(FamilyIds, WhereSomeWereDroppedTheLoggedOnesAreTaken) {
  const FamilyIds known{{"default", 0}, {"x", 5}};
  EXPECT_EQ(FoundIds({"default", "a", "x"}, known, {3}), (FamilyIds{{"a", 3}}));
  EXPECT_EQ(FoundIds({"default", "a", "b", "x"}, known, {2, 4}),
            (FamilyIds{{"a", 2}, {"b", 4}}));
  EXPECT_EQ(FoundIds({"default", "x", "a"}, known, {9}), (FamilyIds{{"a", 9}}));
}

TEST(FamilyIds, NothingIsGuessed) {
  const FamilyIds known{{"default", 0}, {"x", 5}};
  EXPECT_EQ(FoundIds({"default", "a", "x"}, known, {}), FamilyIds());
  EXPECT_EQ(FoundIds({"default", "a", "x"}, known, {2, 3}), FamilyIds());
  EXPECT_EQ(FoundIds({"default", "a", "b", "x"}, known, {3}), FamilyIds());
  EXPECT_EQ(FoundIds({"default", "x", "a"}, known, {6, 9}), FamilyIds());
  EXPECT_EQ(FoundIds({"default", "x", "a", "b"}, known, {9}), FamilyIds());
}

TEST(FamilyIds, AFileThatContradictsTheTablesSaysNothing) {
  EXPECT_EQ(FoundIds({"default", "x", "y", "a"},
                     {{"default", 0}, {"x", 2}, {"y", 1}}, {3}),
            FamilyIds());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
