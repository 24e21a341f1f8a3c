// Families are found by id and listed in its order, and a removed one stays
// whole for those who hold it.
#include "db/registry/family_registry.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/db/registry/family_world.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class FamilyRegistryTest : public ::testing::Test {
 protected:
  std::string Names() {
    std::string names;
    MutexLock lock(&world.mutex);
    for (const auto& [id, family] : world.families) {
      names += std::to_string(id) + family->cfd->name() + " ";
    }
    return names;
  }

  FamilyWorld world;
};

TEST_F(FamilyRegistryTest, FamiliesAreFoundByIdAndListedInItsOrder) {
  const FamilyRef second = world.Add(7, "b");
  const FamilyRef first = world.Add(0, "a");
  EXPECT_EQ(Names(), "0a 7b ");
  MutexLock lock(&world.mutex);
  EXPECT_EQ(world.families.Find(0), first);
  EXPECT_EQ(world.families.Find(7), second);
  EXPECT_EQ(world.families.Find(1), nullptr);
  EXPECT_TRUE(world.families.Has(7));
  EXPECT_FALSE(world.families.Has(8));
  EXPECT_EQ(world.families.All(), (std::vector<ColumnFamilyData*>{
                                      first->cfd.get(), second->cfd.get()}));
}

TEST_F(FamilyRegistryTest, ARemovedFamilyIsWholeForItsHolder) {
  world.Add(0, "a");
  world.Add(7, "b");
  FamilyRef held;
  std::vector<ColumnFamilyRef> before;
  {
    MutexLock lock(&world.mutex);
    held = world.families.Find(7);
    before = world.families.Hold();
    world.families.Remove(7);
    EXPECT_EQ(world.families.size(), 1u);
    EXPECT_EQ(world.families.Find(7), nullptr);
  }
  EXPECT_EQ(held->cfd->name(), "b");
  EXPECT_EQ(before.size(), 2u);
  EXPECT_EQ(Names(), "0a ");
}

TEST_F(FamilyRegistryTest, AllAreTakenAtOnce) {
  world.Add(0, "a");
  world.Add(7, "b");
  FamilyRegistry::Map taken;
  {
    MutexLock lock(&world.mutex);
    taken = world.families.TakeAll();
    EXPECT_TRUE(world.families.empty());
  }
  EXPECT_EQ(taken.size(), 2u);
}

TEST_F(FamilyRegistryTest, PathsAreNamedOnce) {
  world.Add(0, "a");
  world.context.tables.paths = {"/other", "/db"};
  world.Add(1, "b");
  std::vector<std::string> paths{"/first"};
  MutexLock lock(&world.mutex);
  world.families.AddPaths(&paths);
  EXPECT_EQ(paths, (std::vector<std::string>{"/first", "/db", "/other"}));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
