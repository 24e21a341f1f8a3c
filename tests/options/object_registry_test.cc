#include "options/object_registry.h"

#include <gtest/gtest.h>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/customizable.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Animal : public Customizable {
 public:
  static const char* Type() { return "Animal"; }
};

class Cat : public Animal {
 public:
  const char* Name() const override { return "Cat"; }
};

class Dog : public Animal {
 public:
  const char* Name() const override { return "Dog"; }
};

TEST(ObjectRegistryTest, WholeIdsComeBeforePrefixesAndLongPrefixesFirst) {
  std::string seen;
  const auto note = [&seen](const std::string& which) {
    return
        [&seen, which](const std::string& id, std::shared_ptr<Animal>* result) {
          seen = which + "(" + id + ")";
          *result = std::make_shared<Cat>();
          return Status::OK();
        };
  };
  RegisterObject<Animal>("cat:", ObjectMatch::kPrefix, note("short"));
  RegisterObject<Animal>("cat:big:", ObjectMatch::kPrefix, note("long"));
  RegisterObject<Animal>("cat:one", ObjectMatch::kWholeId, note("whole"));
  std::shared_ptr<Animal> animal;
  ASSERT_TRUE(MakeObject<Animal>("cat:one", &animal).ok());
  EXPECT_EQ("whole(cat:one)", seen);
  ASSERT_TRUE(MakeObject<Animal>("cat:big:x", &animal).ok());
  EXPECT_EQ("long(cat:big:x)", seen);
  ASSERT_TRUE(MakeObject<Animal>("cat:two", &animal).ok());
  EXPECT_EQ("short(cat:two)", seen);
}

TEST(ObjectRegistryTest, UnknownNamesAreNotSupported) {
  std::shared_ptr<Animal> animal;
  const Status s = MakeObject<Animal>("unicorn", &animal);
  EXPECT_TRUE(s.IsNotSupported());
  EXPECT_NE(std::string::npos, s.ToString().find("unicorn"));
  EXPECT_NE(std::string::npos, s.ToString().find("Animal"));
  RegisterObject<Animal, Dog>("dog");
  ASSERT_TRUE(MakeObject<Animal>("dog", &animal).ok());
  EXPECT_STREQ("Dog", animal->Name());
}

TEST(ObjectRegistryTest, BuiltinObjects) {
  std::shared_ptr<Comparator> comparator;
  ASSERT_TRUE(
      MakeObject<Comparator>("rocksdb.ReverseBytewiseComparator", &comparator)
          .ok());
  EXPECT_EQ(ReverseBytewiseComparator(), comparator.get());
  EXPECT_FALSE(MakeObject<Comparator>("mine", &comparator).ok());
  std::shared_ptr<MemTableRepFactory> memtable;
  ASSERT_TRUE(MakeObject<MemTableRepFactory>("skip_list:4", &memtable).ok());
  EXPECT_EQ("SkipListFactory:4", memtable->GetId());
  EXPECT_FALSE(MakeObject<MemTableRepFactory>("skip_list:x", &memtable).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
