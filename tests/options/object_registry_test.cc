// Where objects are looked for, what factories may give, and managed objects.
#include "rocksdb/utilities/object_registry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/customizable.h"
#include "rocksdb/merge_operator.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class Animal : public Customizable {
 public:
  explicit Animal(std::string animal_id = "Cat") : id_(std::move(animal_id)) {}
  static const char* Type() { return "Animal"; }
  const char* Name() const override { return id_.c_str(); }

 protected:
  const char* NickName() const override { return "pet"; }

 private:
  const std::string id_;
};

// Makes animals of a name of its own, whatever was asked for.
FactoryFunc<Animal> Breeder(const std::string& name) {
  return
      [name](const std::string&, std::unique_ptr<Animal>* guard, std::string*) {
        *guard = std::make_unique<Animal>(name);
        return guard->get();
      };
}

// Makes what it is asked for.
Animal* Breed(const std::string& id, std::unique_ptr<Animal>* guard,
              std::string*) {
  *guard = std::make_unique<Animal>(id);
  return guard->get();
}

Animal* FindStatic(const std::string&, std::unique_ptr<Animal>*, std::string*) {
  static Animal animal("static");
  return &animal;
}

ObjectLibrary::PatternEntry Any() {
  return ObjectLibrary::PatternEntry("", false).AddSeparator("");
}

std::string NameOf(const ObjectRegistry& registry, const std::string& id) {
  std::unique_ptr<Animal> animal;
  const Status s = registry.NewUniqueObject(id, &animal);
  return s.ok() ? animal->Name() : s.ToString();
}

bool Says(const Status& s, const std::string& text) {
  return s.ToString().find(text) != std::string::npos;
}

// --- Look-up ----------------------------------------------------------------

TEST(ObjectRegistryTest, TheNewestLibraryIsAskedFirst) {
  const auto registry = ObjectRegistry::NewInstance();
  registry->AddLibrary("old")->AddFactory<Animal>(Any(), Breeder("old"));
  EXPECT_EQ("old", NameOf(*registry, "Cat"));
  registry->AddLibrary("new")->AddFactory<Animal>("Cat", Breeder("Cat"));
  EXPECT_EQ("Cat", NameOf(*registry, "Cat"));
  EXPECT_EQ("old", NameOf(*registry, "Dog"));
}

TEST(ObjectRegistryTest, ParentsAreAskedBehindTheirChildren) {
  const auto parent = ObjectRegistry::NewInstance();
  const auto child = ObjectRegistry::NewInstance(parent);
  const auto other = ObjectRegistry::NewInstance(parent);
  parent->AddLibrary("parent")->AddFactory<Animal>(Any(), Breeder("parent"));
  EXPECT_EQ("parent", NameOf(*child, "Cat"));
  child->AddLibrary("child")->AddFactory<Animal>("Cat", Breeder("Cat"));
  EXPECT_EQ("Cat", NameOf(*child, "Cat"));
  EXPECT_EQ("parent", NameOf(*parent, "Cat"));
  EXPECT_EQ("parent", NameOf(*other, "Cat"));
  EXPECT_EQ("parent", NameOf(*child, "Dog"));
}

TEST(ObjectRegistryTest, TheDefaultIsAboveAll) {
  ObjectLibrary::Default()->AddFactory<Animal>("Everywhere", Breed);
  EXPECT_EQ("Everywhere", NameOf(*ObjectRegistry::Default(), "Everywhere"));
  EXPECT_EQ("Everywhere", NameOf(*ObjectRegistry::NewInstance(), "Everywhere"));
  const auto alone = ObjectRegistry::NewInstance(nullptr);
  std::unique_ptr<Animal> animal;
  EXPECT_TRUE(alone->NewUniqueObject("Everywhere", &animal).IsNotSupported());
}

TEST(ObjectRegistryTest, BuiltInObjectsAreFoundLast) {
  const auto registry = ObjectRegistry::NewInstance(nullptr);
  const Comparator* order = nullptr;
  const std::string id = "rocksdb.ReverseBytewiseComparator";
  ASSERT_TRUE(registry->NewStaticObject(id, &order).ok());
  EXPECT_EQ(ReverseBytewiseComparator(), order);
  std::shared_ptr<MergeOperator> add;
  ASSERT_TRUE(registry->NewSharedObject("uint64add", &add).ok());
  EXPECT_STREQ("UInt64AddOperator", add->Name());
  registry->AddLibrary("mine")->AddFactory<MergeOperator>(
      "uint64add", [](const std::string&, std::unique_ptr<MergeOperator>*,
                      std::string* message) {
        *message = "mine comes first";
        return nullptr;
      });
  const Status s = registry->NewSharedObject("uint64add", &add);
  EXPECT_TRUE(Says(s, "mine comes first")) << s.ToString();
}

TEST(ObjectRegistryTest, RegistrarsFillLibraries) {
  const auto registry = ObjectRegistry::NewInstance();
  const RegistrarFunc registrar = [](ObjectLibrary& library,
                                     const std::string& name) {
    library.AddFactory<Animal>(name, Breed);
    size_t types = 0;
    return static_cast<int>(library.GetFactoryCount(&types));
  };
  registry->AddLibrary("zoo", registrar, "Lion");
  EXPECT_EQ("Lion", NameOf(*registry, "Lion"));
  EXPECT_EQ(1, registry->RegisterPlugin("Tiger", registrar));
  EXPECT_EQ("Tiger", NameOf(*registry, "Tiger"));
  EXPECT_EQ(-1, registry->RegisterPlugin("", registrar));
  EXPECT_EQ(-1, registry->RegisterPlugin("Bear", nullptr));
  registry->AddLibrary(std::shared_ptr<ObjectLibrary>());
  registry->AddLibrary("empty", nullptr, "");
  EXPECT_EQ("Lion", NameOf(*registry, "Lion"));
  // One that throws adds nothing.
  const RegistrarFunc thrower = [](ObjectLibrary& library, const std::string&) {
    library.AddFactory<Animal>("Bear", Breed);
    throw std::runtime_error("no bears");
    return 0;
  };
  EXPECT_THROW(registry->AddLibrary("bears", thrower, ""), std::runtime_error);
  std::unique_ptr<Animal> animal;
  EXPECT_TRUE(registry->NewUniqueObject("Bear", &animal).IsNotSupported());
}

TEST(ObjectRegistryTest, ListsWhatAllOfThemMake) {
  const auto parent = ObjectRegistry::NewInstance(nullptr);
  const auto child = ObjectRegistry::NewInstance(parent);
  parent->AddLibrary("zoo")->AddFactory<Animal>("Lion", Breed);
  child->AddLibrary("farm")->AddFactory<Animal>("Cow", Breed);
  std::unordered_set<std::string> names;
  child->GetFactoryNames("Animal", &names);
  EXPECT_EQ((std::unordered_set<std::string>{"Lion", "Cow"}), names);
  EXPECT_EQ(2u, child->GetFactoryCount("Animal"));
  EXPECT_EQ(1u, parent->GetFactoryCount("Animal"));
  std::unordered_set<std::string> types;
  child->GetFactoryTypes(&types);
  EXPECT_EQ(1u, types.count("Animal"));
  EXPECT_EQ(1u, types.count("Comparator"));
}

// --- What factories give ----------------------------------------------------

TEST(ObjectRegistryTest, UnknownNamesAreNotSupported) {
  const auto registry = ObjectRegistry::NewInstance();
  std::unique_ptr<Animal> kept = std::make_unique<Animal>("kept");
  const Status s = registry->NewUniqueObject("unicorn", &kept);
  EXPECT_TRUE(s.IsNotSupported());
  EXPECT_TRUE(Says(s, "unicorn") && Says(s, "Animal")) << s.ToString();
  EXPECT_STREQ("kept", kept->Name());
}

TEST(ObjectRegistryTest, OwnedAndStaticObjects) {
  const auto registry = ObjectRegistry::NewInstance();
  const auto library = registry->AddLibrary("zoo");
  library->AddFactory<Animal>("Lion", Breed);
  library->AddFactory<Animal>("static", FindStatic);
  Animal* animal = nullptr;
  std::unique_ptr<Animal> guard;
  ASSERT_TRUE(registry->NewObject("Lion", &animal, &guard).ok());
  EXPECT_EQ(animal, guard.get());
  ASSERT_TRUE(registry->NewObject("static", &animal, &guard).ok());
  EXPECT_EQ(nullptr, guard);
  EXPECT_STREQ("static", animal->Name());

  std::unique_ptr<Animal> unique;
  std::shared_ptr<Animal> shared;
  Animal* fixed = nullptr;
  EXPECT_TRUE(registry->NewUniqueObject("Lion", &unique).ok());
  EXPECT_TRUE(registry->NewSharedObject("Lion", &shared).ok());
  EXPECT_TRUE(registry->NewStaticObject("static", &fixed).ok());
  EXPECT_EQ(animal, fixed);
  for (const Status& s : {registry->NewUniqueObject("static", &unique),
                          registry->NewSharedObject("static", &shared),
                          registry->NewStaticObject("Lion", &fixed)}) {
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
    EXPECT_TRUE(Says(s, "Animal Lion") || Says(s, "Animal static"));
  }
  EXPECT_STREQ("Lion", unique->Name());
  EXPECT_STREQ("Lion", shared->Name());
  EXPECT_EQ(animal, fixed);
}

// The status of an animal by that factory.
Status Try(const ObjectLibrary::PatternEntry& entry, const std::string& id,
           const FactoryFunc<Animal>& factory) {
  const auto registry = ObjectRegistry::NewInstance();
  registry->AddLibrary("bad")->AddFactory<Animal>(entry, factory);
  std::unique_ptr<Animal> animal;
  const Status s = registry->NewUniqueObject(id, &animal);
  EXPECT_EQ(s.ok(), animal != nullptr);
  return s;
}
Status Try(const FactoryFunc<Animal>& factory) {
  return Try(ObjectLibrary::PatternEntry("Cat"), "Cat", factory);
}

TEST(ObjectRegistryTest, FactoriesThatFail) {
  Status s = Try([](const std::string&, auto*, std::string*) -> Animal* {
    return nullptr;
  });
  EXPECT_TRUE(s.IsInvalidArgument() && Says(s, "Animal Cat")) << s.ToString();
  s = Try([](const std::string&, auto*, std::string* message) -> Animal* {
    *message = "out of cats";
    return nullptr;
  });
  EXPECT_TRUE(s.IsInvalidArgument() && Says(s, "Animal Cat")) << s.ToString();
  EXPECT_TRUE(Says(s, "out of cats")) << s.ToString();
  s = Try([](const std::string&, auto*, std::string*) -> Animal* {
    throw std::runtime_error("scratched");
  });
  EXPECT_TRUE(s.IsAborted() && Says(s, "Animal Cat threw")) << s.ToString();
  EXPECT_TRUE(Says(s, "scratched")) << s.ToString();
  s = Try([](const std::string&, auto*, std::string*) -> Animal* { throw 1; });
  EXPECT_TRUE(s.IsAborted() && Says(s, "Animal Cat threw")) << s.ToString();
}

TEST(ObjectRegistryTest, FactoriesThatGiveAnotherObject) {
  const Status s =
      Try([](const std::string&, std::unique_ptr<Animal>* guard, std::string*) {
        static Animal cat("Cat");
        *guard = std::make_unique<Animal>("Cat");
        return &cat;
      });
  EXPECT_TRUE(s.IsInvalidArgument() && Says(s, "Animal Cat")) << s.ToString();
}

// What an object calls itself is its own affair.
TEST(ObjectRegistryTest, NamesThatAreNotTheObjects) {
  using PatternEntry = ObjectLibrary::PatternEntry;
  EXPECT_TRUE(Try(Breeder("Dog")).ok());
  // Its nickname, either of two names, no name, where it is, or a pattern.
  EXPECT_TRUE(Try(PatternEntry("pet"), "pet", Breeder("Dog")).ok());
  const PatternEntry two = PatternEntry("Dog").AnotherName("Hound");
  EXPECT_TRUE(Try(two, "Hound", Breeder("Dog")).ok());
  EXPECT_TRUE(Try(Breeder("")).ok());
  EXPECT_TRUE(Try(PatternEntry("zoo://1"), "zoo://1", Breeder("Dog")).ok());
  EXPECT_TRUE(
      Try(PatternEntry("a").AddNumber(":"), "a:1", Breeder("Dog")).ok());
}

// --- Managed objects --------------------------------------------------------

TEST(ManagedObjectsTest, EndWithTheirLastUser) {
  const auto registry = ObjectRegistry::NewInstance();
  EXPECT_EQ(nullptr, registry->GetManagedObject<Animal>("Lion"));
  auto lion = std::make_shared<Animal>("Lion");
  ASSERT_TRUE(registry->SetManagedObject(lion).ok());
  ASSERT_TRUE(registry->SetManagedObject(lion).ok());
  ASSERT_TRUE(registry->SetManagedObject<Animal>("king", lion).ok());
  EXPECT_EQ(lion, registry->GetManagedObject<Animal>("Lion"));
  EXPECT_EQ(lion, registry->GetManagedObject<Animal>("king"));
  const Status s =
      registry->SetManagedObject<Animal>("king", std::make_shared<Animal>());
  EXPECT_TRUE(s.IsInvalidArgument() && Says(s, "king")) << s.ToString();
  EXPECT_TRUE(registry->SetManagedObject(std::shared_ptr<Animal>())
                  .IsInvalidArgument());
  lion.reset();
  EXPECT_EQ(nullptr, registry->GetManagedObject<Animal>("Lion"));
  EXPECT_EQ(nullptr, registry->GetManagedObject<Animal>("king"));
  const auto next = std::make_shared<Animal>();
  EXPECT_TRUE(registry->SetManagedObject<Animal>("king", next).ok());
  EXPECT_EQ(next, registry->GetManagedObject<Animal>("king"));
}

TEST(ManagedObjectsTest, ParentsAreSeen) {
  const auto parent = ObjectRegistry::NewInstance();
  const auto child = ObjectRegistry::NewInstance(parent);
  const auto lion = std::make_shared<Animal>("Lion");
  const auto cow = std::make_shared<Animal>("Cow");
  ASSERT_TRUE(parent->SetManagedObject(lion).ok());
  ASSERT_TRUE(child->SetManagedObject(cow).ok());
  EXPECT_EQ(lion, child->GetManagedObject<Animal>("Lion"));
  EXPECT_EQ(nullptr, parent->GetManagedObject<Animal>("Cow"));
  EXPECT_TRUE(child->SetManagedObject(std::make_shared<Animal>("Lion"))
                  .IsInvalidArgument());
  std::vector<std::shared_ptr<Animal>> animals;
  ASSERT_TRUE(child->ListManagedObjects(&animals).ok());
  EXPECT_EQ(2u, animals.size());
  animals.clear();
  ASSERT_TRUE(child->ListManagedObjects("Lion", &animals).ok());
  EXPECT_EQ((std::vector{lion}), animals);
  animals.clear();
  ASSERT_TRUE(child->ListManagedObjects("pet", &animals).ok());
  EXPECT_EQ(2u, animals.size());
}

TEST(ManagedObjectsTest, AreMadeOnce) {
  const auto registry = ObjectRegistry::NewInstance();
  registry->AddLibrary("zoo")->AddFactory<Animal>(Any(), Breed);
  int configured = 0;
  const ConfigureFunc<Animal> configure = [&](Animal* animal) {
    EXPECT_STREQ("Lion", animal->Name());
    ++configured;
    return Status::OK();
  };
  std::shared_ptr<Animal> first;
  std::shared_ptr<Animal> second;
  ASSERT_TRUE(
      registry->GetOrCreateManagedObject<Animal>("Lion", &first, configure)
          .ok());
  ASSERT_TRUE(
      registry->GetOrCreateManagedObject<Animal>("Lion", &second, configure)
          .ok());
  EXPECT_EQ(first, second);
  EXPECT_EQ(1, configured);

  std::shared_ptr<Animal> none;
  Status s = registry->GetOrCreateManagedObject<Animal>(
      "Bear", &none, [](Animal*) { return Status::Incomplete("asleep"); });
  EXPECT_TRUE(s.IsIncomplete());
  s = registry->GetOrCreateManagedObject<Animal>(
      "Bear", &none,
      [](Animal*) -> Status { throw std::runtime_error("asleep"); });
  EXPECT_TRUE(s.IsAborted() && Says(s, "Animal Bear")) << s.ToString();
  EXPECT_EQ(nullptr, none);
  EXPECT_EQ(nullptr, registry->GetManagedObject<Animal>("Bear"));
}

// --- Threads ----------------------------------------------------------------

TEST(ObjectRegistryTest, LibrariesAreAddedWhileOthersLookUp) {
  constexpr int kLibraries = 200;
  const auto parent = ObjectRegistry::NewInstance();
  const auto registry = ObjectRegistry::NewInstance(parent);
  parent->AddLibrary("first")->AddFactory<Animal>("Cat", Breed);
  std::atomic<int> added{0};
  // So that none is through before the others begin.
  std::atomic<int> ready{0};
  const auto await_all = [&ready] {
    ++ready;
    while (ready.load() < 3) std::this_thread::yield();
  };
  std::vector<std::thread> threads;
  threads.emplace_back([&] {
    await_all();
    for (int i = 0; i < kLibraries; ++i) {
      const std::string name = std::to_string(i);
      const auto& where = i % 2 == 0 ? parent : registry;
      where->AddLibrary(name)->AddFactory<Animal>(name, Breed);
      ObjectLibrary::Default()->AddFactory<Animal>("default" + name, Breed);
      added.store(i + 1);
    }
  });
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      await_all();
      for (int known = 0; known < kLibraries; known = added.load()) {
        EXPECT_EQ("Cat", NameOf(*registry, "Cat"));
        if (known == 0) continue;
        const std::string last = std::to_string(known - 1);
        EXPECT_EQ(last, NameOf(*registry, last));
        EXPECT_EQ("default" + last, NameOf(*registry, "default" + last));
        std::unordered_set<std::string> names;
        registry->GetFactoryNames("Animal", &names);
        EXPECT_EQ(1u, names.count(last));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ManagedObjectsTest, ThreadsThatAskAtOnceShare) {
  constexpr int kRounds = 200;
  const auto registry = ObjectRegistry::NewInstance();
  registry->AddLibrary("zoo")->AddFactory<Animal>(Any(), Breed);
  constexpr int kThreads = 3;
  std::vector<std::vector<std::shared_ptr<Animal>>> got(
      kThreads, std::vector<std::shared_ptr<Animal>>(kRounds));
  std::vector<std::thread> threads;
  for (auto& mine : got) {
    threads.emplace_back([&mine, &registry] {
      for (int i = 0; i < kRounds; ++i) {
        const std::string id = std::to_string(i);
        EXPECT_TRUE(registry->GetOrCreateManagedObject(id, &mine[i]).ok());
        // One that ends at once.
        std::shared_ptr<Animal> brief;
        EXPECT_TRUE(registry->GetOrCreateManagedObject("brief", &brief).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 1; t < kThreads; ++t) EXPECT_EQ(got[0], got[t]);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
