// Where objects are looked for, what factories may give, and managed objects:
// runs option_scripts/registries.txt.
//
//   registries            steps, with an answer a line where they have one:
//     registry NAME [PARENT]    without a parent it is alone
//     library REGISTRY ID..     a library that makes these: ID, NAME:# (any
//         number), * (anything), each with how: ID=NAME makes one of that name
//         whatever was asked for, ID!HOW fails (nothing, says, throws,
//         throws_number, another: gives another than it hands over), ID!static
//         gives one that nobody owns
//     unique | shared | static | object REGISTRY ID    the name of what is made
//     names REGISTRY | count REGISTRY
//     hold NAME                 an animal that the script holds
//     drop NAME                 and no more
//     manage REGISTRY HELD [ID] as managed object, of its own id or of that
//     managed REGISTRY ID       what holds the managed one, or none
//     list REGISTRY [ID]        all of them
//     get REGISTRY ID HELD [fails | throws]   the managed one, held as HELD; if
//         there is none it is made and configured
#include "rocksdb/utilities/object_registry.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/customizable.h"
#include "rocksdb/merge_operator.h"
#include "tests/testing/script.h"

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

// --- The script --------------------------------------------------------------

Animal* GiveAnother(const std::string& id, std::unique_ptr<Animal>* guard,
                    std::string*) {
  static Animal another("another");
  *guard = std::make_unique<Animal>(id);
  return &another;
}

FactoryFunc<Animal> FailingFactory(const std::string& how) {
  return [how](const std::string&, std::unique_ptr<Animal>*,
               std::string* message) -> Animal* {
    if (how == "throws") throw std::runtime_error("scratched");
    if (how == "throws_number") throw 1;
    if (how == "says") *message = "out of cats";
    return nullptr;
  };
}

ObjectLibrary::PatternEntry EntryOf(const std::string& id) {
  if (id == "*") return Any();
  if (!id.ends_with(":#")) return ObjectLibrary::PatternEntry(id);
  return ObjectLibrary::PatternEntry(id.substr(0, id.size() - 2), false)
      .AddNumber(":");
}

FactoryFunc<Animal> FactoryOf(char kind, const std::string& how) {
  if (kind == '=') return Breeder(how);
  if (how == "static") return FindStatic;
  if (how == "another") return GiveAnother;
  return FailingFactory(how);
}

// Adds the factory that the script writes as ID, ID=NAME or ID!HOW.
void AddTo(ObjectLibrary* library, const std::string& text) {
  const size_t at = text.find_first_of("=!");
  const bool is_plain = at == std::string::npos;
  library->AddFactory<Animal>(EntryOf(text.substr(0, at)),
                              is_plain
                                  ? FactoryFunc<Animal>(Breed)
                                  : FactoryOf(text[at], text.substr(at + 1)));
}

class RegistryScript {
 public:
  // Runs a step; the answer is empty if the step has none.
  std::string Step(const std::string& line) {
    std::istringstream input(line);
    std::string verb, name;
    input >> verb >> name;
    std::vector<std::string> words;
    for (std::string word; input >> word;) words.push_back(word);
    if (verb == "hold") return held_[name] = std::make_shared<Animal>(name), "";
    if (verb == "drop") return held_.erase(name), "";
    if (verb == "registry") {
      registries_[name] = ObjectRegistry::NewInstance(
          words.empty() ? nullptr : registries_.at(words[0]));
      return "";
    }
    ObjectRegistry& registry = *registries_.at(name);
    if (verb == "library") {
      const auto library = registry.AddLibrary(line);
      for (const std::string& word : words) AddTo(library.get(), word);
      return "";
    }
    if (verb == "names") return Names(registry);
    if (verb == "count") {
      return std::to_string(registry.GetFactoryCount("Animal"));
    }
    if (verb == "manage") return Manage(&registry, words);
    if (verb == "managed") {
      return HoldersOf(registry.GetManagedObject<Animal>(words.at(0)));
    }
    if (verb == "list") return List(registry, words);
    if (verb == "get") return GetOrMake(&registry, words);
    return Make(verb, registry, words.at(0));
  }

 private:
  static std::string NameOf(const Animal* animal) {
    const std::string name = animal->Name();
    return name.empty() ? "no name" : name;
  }
  // What was there before stays where nothing is made.
  static std::string Make(const std::string& verb,
                          const ObjectRegistry& registry,
                          const std::string& id) {
    Animal before("before");
    if (verb == "shared") {
      auto animal = std::make_shared<Animal>("before");
      const Status s = registry.NewSharedObject(id, &animal);
      return Made(s, animal.get());
    }
    if (verb == "static") {
      Animal* animal = &before;
      const Status s = registry.NewStaticObject(id, &animal);
      std::unique_ptr<Animal> nobody;
      Animal* again = nullptr;
      EXPECT_TRUE(!s.ok() || registry.NewObject(id, &again, &nobody).ok());
      EXPECT_TRUE(!s.ok() || again == animal) << "there is one of it";
      return Made(s, animal);
    }
    auto owner = std::make_unique<Animal>("before");
    if (verb == "unique") {
      const Status s = registry.NewUniqueObject(id, &owner);
      return Made(s, owner.get());
    }
    EXPECT_EQ(verb, "object");
    Animal* animal = nullptr;
    const Status s = registry.NewObject(id, &animal, &owner);
    if (!s.ok()) return s.ToString();
    EXPECT_TRUE(owner == nullptr || owner.get() == animal);
    return NameOf(animal) + (owner == nullptr ? ", not owned" : ", owned");
  }
  static std::string Made(const Status& s, const Animal* animal) {
    if (s.ok()) return NameOf(animal);
    EXPECT_STREQ(animal->Name(), "before");
    return s.ToString();
  }
  static std::string Names(const ObjectRegistry& registry) {
    std::unordered_set<std::string> names;
    registry.GetFactoryNames("Animal", &names);
    std::unordered_set<std::string> types;
    registry.GetFactoryTypes(&types);
    EXPECT_EQ(types.count("Animal"), names.empty() ? 0u : 1u);
    return Joined(std::multiset<std::string>(names.begin(), names.end()));
  }
  static std::string Joined(const std::multiset<std::string>& names) {
    std::string text;
    for (const std::string& name : names) {
      text += (text.empty() ? "" : " ") + name;
    }
    return text.empty() ? "-" : text;
  }
  std::string Manage(ObjectRegistry* registry,
                     const std::vector<std::string>& words) {
    const std::shared_ptr<Animal>& animal = held_[words.at(0)];
    const Status s = words.size() == 1
                         ? registry->SetManagedObject(animal)
                         : registry->SetManagedObject<Animal>(words[1], animal);
    return s.ToString();
  }
  std::string List(const ObjectRegistry& registry,
                   const std::vector<std::string>& words) const {
    std::vector<std::shared_ptr<Animal>> animals;
    const Status s = words.empty()
                         ? registry.ListManagedObjects(&animals)
                         : registry.ListManagedObjects(words[0], &animals);
    if (!s.ok()) return s.ToString();
    std::multiset<std::string> names;
    for (const auto& animal : animals) names.insert(HoldersOf(animal));
    return Joined(names);
  }
  std::string GetOrMake(ObjectRegistry* registry,
                        const std::vector<std::string>& words) {
    int configured = 0;
    const ConfigureFunc<Animal> configure = [&](Animal* animal) {
      EXPECT_EQ(animal->Name(), words[0]);
      ++configured;
      if (words.size() == 2) return Status::OK();
      if (words[2] == "fails") return Status::Incomplete("asleep");
      throw std::runtime_error("asleep");
    };
    std::shared_ptr<Animal> animal;
    const Status s = registry->GetOrCreateManagedObject<Animal>(
        words.at(0), &animal, configure);
    if (!s.ok()) {
      EXPECT_EQ(animal, nullptr);
      return s.ToString();
    }
    const std::string others = HoldersOf(animal);
    held_[words.at(1)] = animal;
    EXPECT_EQ(configured, others == "none" ? 1 : 0);
    return others == "none" ? "made" : "that of " + others;
  }
  // What the script holds this very object as.
  std::string HoldersOf(const std::shared_ptr<Animal>& animal) const {
    std::multiset<std::string> names;
    for (const auto& [name, other] : held_) {
      if (other == animal) names.insert(name);
    }
    return names.empty() ? "none" : Joined(names);
  }

  std::map<std::string, std::shared_ptr<ObjectRegistry>> registries_;
  std::map<std::string, std::shared_ptr<Animal>> held_;
};

std::string RunRegistryCase(const ScriptCase& c) {
  EXPECT_EQ(c.command, "registries");
  RegistryScript script;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string answer = script.Step(line);
    if (!answer.empty()) answers += answer + "\n";
  }
  return answers;
}

TEST(ObjectRegistryTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/registries.txt", RunRegistryCase), 14u);
}

// --- The libraries of all registries, and of the engine
// ------------------------

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

// Beside those of others, it lists the built-in ones.
TEST(ObjectRegistryTest, ListsBuiltInTypes) {
  std::unordered_set<std::string> types;
  ObjectRegistry::NewInstance(nullptr)->GetFactoryTypes(&types);
  EXPECT_EQ(1u, types.count("Comparator"));
}

// An animal may have a name of its own, and any number of other ones.
TEST(ObjectRegistryTest, AnyNameOfAPatternWillDo) {
  const auto registry = ObjectRegistry::NewInstance();
  registry->AddLibrary("zoo")->AddFactory<Animal>(
      ObjectLibrary::PatternEntry("Dog").AnotherName("Hound"), Breeder("Dog"));
  EXPECT_EQ("Dog", NameOf(*registry, "Hound"));
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
