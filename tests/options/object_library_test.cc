// Patterns of names, and what a library of factories says of itself.
#include <gtest/gtest.h>

#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/info_log.h"
#include "rocksdb/utilities/object_registry.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using PatternEntry = ObjectLibrary::PatternEntry;

TEST(PatternEntryTest, ANameAloneMatchesItself) {
  const PatternEntry entry("mine");
  EXPECT_TRUE(entry.Matches("mine"));
  for (const char* other : {"", "min", "minex", "mine:1", "Mine", "xmine"}) {
    EXPECT_FALSE(entry.Matches(other)) << other;
  }
  EXPECT_STREQ("mine", entry.Name());
  EXPECT_TRUE(PatternEntry("mine", false).Matches("mine"));
}

TEST(PatternEntryTest, Separators) {
  const PatternEntry some = PatternEntry("mine", false).AddSeparator("://");
  EXPECT_TRUE(some.Matches("mine://x"));
  EXPECT_TRUE(some.Matches("mine://x://y"));
  for (const char* other : {"mine", "mine://", "mine:/x", "mineX://x"}) {
    EXPECT_FALSE(some.Matches(other)) << other;
  }
  const PatternEntry any = PatternEntry("mine").AddSeparator(":", false);
  EXPECT_TRUE(any.Matches("mine"));
  EXPECT_TRUE(any.Matches("mine:"));
  EXPECT_TRUE(any.Matches("mine:x"));
  EXPECT_FALSE(any.Matches("mines"));
}

TEST(PatternEntryTest, Numbers) {
  const PatternEntry whole = PatternEntry("mine").AddNumber(":");
  for (const char* good : {"mine", "mine:0", "mine:1234567890123", "mine:-7"}) {
    EXPECT_TRUE(whole.Matches(good)) << good;
  }
  for (const char* bad : {"mine:", "mine:x", "mine:1x", "mine:1.5", "mine:-",
                          "mine:1-", "mine::1"}) {
    EXPECT_FALSE(whole.Matches(bad)) << bad;
  }
  const PatternEntry fraction =
      PatternEntry("mine", false).AddNumber(":", false);
  for (const char* good : {"mine:1", "mine:1.5", "mine:-0.25"}) {
    EXPECT_TRUE(fraction.Matches(good)) << good;
  }
  for (const char* bad :
       {"mine", "mine:", "mine:1.", "mine:.5", "mine:1.5.2"}) {
    EXPECT_FALSE(fraction.Matches(bad)) << bad;
  }
}

TEST(PatternEntryTest, SeveralParts) {
  const PatternEntry entry = PatternEntry("mine", false)
                                 .AddSeparator(":")
                                 .AddNumber("#")
                                 .AddSuffix("!");
  EXPECT_TRUE(entry.Matches("mine:text#12!"));
  // The text may hold what also separates.
  EXPECT_TRUE(entry.Matches("mine:a#b:c#12!"));
  for (const char* bad : {"mine:text#12", "mine:#12!", "mine:text#!",
                          "mine:text#12!!", "mine#12!", "mine:text"}) {
    EXPECT_FALSE(entry.Matches(bad)) << bad;
  }
}

TEST(PatternEntryTest, OtherNames) {
  const PatternEntry entry =
      PatternEntry("mine").AnotherName("yours").AddNumber(":");
  for (const char* good : {"mine", "yours", "mine:1", "yours:1"}) {
    EXPECT_TRUE(entry.Matches(good)) << good;
  }
  EXPECT_FALSE(entry.Matches("ours:1"));
  EXPECT_STREQ("mine", entry.Name());
}

TEST(PatternEntryTest, IndividualIds) {
  const PatternEntry entry = PatternEntry::AsIndividualId("mine");
  EXPECT_TRUE(entry.Matches("mine"));
  EXPECT_TRUE(entry.Matches("mine@0x7f00#42"));
  EXPECT_FALSE(entry.Matches("mine@0x7f00"));
  EXPECT_FALSE(entry.Matches("mine@#42"));
}

class Plant : public Customizable {
 public:
  static const char* Type() { return "Plant"; }
};

class Moss : public Plant {
 public:
  const char* Name() const override { return "Moss"; }
};

class Stone {
 public:
  explicit Stone(std::string text) : id(std::move(text)) {}
  static const char* Type() { return "Stone"; }
  const std::string id;
};

Plant* NewMoss(const std::string&, std::unique_ptr<Plant>* guard,
               std::string*) {
  *guard = std::make_unique<Moss>();
  return guard->get();
}

const Stone* NewStone(const std::string& id,
                      std::unique_ptr<const Stone>* guard, std::string*) {
  *guard = std::make_unique<Stone>(id);
  return guard->get();
}

TEST(ObjectLibraryTest, FindsFactoriesByTypeAndName) {
  ObjectLibrary library("garden");
  EXPECT_EQ("garden", library.GetID());
  library.AddFactory<Plant>("Moss", NewMoss);
  library.AddFactory<const Stone>(PatternEntry("stone", false).AddNumber(":"),
                                  NewStone);
  EXPECT_EQ(nullptr, library.FindFactory<Plant>("stone:1"));
  EXPECT_EQ(nullptr, library.FindFactory<Stone>("Moss"));
  // A type is the same whether it is const or not, and may have no names.
  const FactoryFunc<Stone> make = library.FindFactory<Stone>("stone:1");
  ASSERT_NE(nullptr, make);
  std::unique_ptr<Stone> stone;
  std::string message;
  ASSERT_EQ(stone.get(), nullptr);
  Stone* made = make("stone:1", &stone, &message);
  ASSERT_NE(nullptr, made);
  EXPECT_EQ(made, stone.get());
  EXPECT_EQ("stone:1", made->id);
}

TEST(ObjectLibraryTest, OfSeveralThatMatchTheFirstIsUsed) {
  ObjectLibrary library("garden");
  for (const char* which : {"first", "second"}) {
    library.AddFactory<Stone>(
        "stone", [which](const std::string&, std::unique_ptr<Stone>* guard,
                         std::string*) {
          *guard = std::make_unique<Stone>(which);
          return guard->get();
        });
  }
  std::unique_ptr<Stone> stone;
  ASSERT_NE(nullptr,
            library.FindFactory<Stone>("stone")("stone", &stone, nullptr));
  EXPECT_EQ("first", stone->id);
}

// A base in front of the one that has the name.
class Tag {
 public:
  virtual ~Tag() = default;
  int number = 5;
};
class TaggedMoss : public Tag, public Moss {};

TEST(ObjectLibraryTest, FactoriesOfDerivedClassesGiveTheirBase) {
  ObjectLibrary library("garden");
  library.AddFactory<TaggedMoss>(
      "Moss",
      [](const std::string&, std::unique_ptr<TaggedMoss>* guard, std::string*) {
        *guard = std::make_unique<TaggedMoss>();
        return guard->get();
      });
  std::unique_ptr<Plant> plant;
  ASSERT_NE(nullptr,
            library.FindFactory<Plant>("Moss")("Moss", &plant, nullptr));
  EXPECT_STREQ("Moss", plant->Name());
  EXPECT_EQ(5, dynamic_cast<TaggedMoss&>(*plant).number);
}

// Keeps lines.
class LineLogger : public Logger {
 public:
  using Logger::Logv;
  void Logv(const char* format, va_list arguments) override {
    char line[500];
    vsnprintf(line, sizeof(line), format, arguments);
    lines += std::string(line) + "\n";
  }
  std::string lines;
};

TEST(ObjectLibraryTest, SaysWhatItMakes) {
  ObjectLibrary library("garden");
  size_t types = 7;
  EXPECT_EQ(0u, library.GetFactoryCount(&types));
  EXPECT_EQ(0u, types);
  library.AddFactory<Plant>("Moss", NewMoss);
  library.AddFactory<Plant>("fern", NewMoss);
  library.AddFactory<const Stone>("stone", NewStone);
  EXPECT_EQ(3u, library.GetFactoryCount(&types));
  EXPECT_EQ(2u, types);
  std::unordered_set<std::string> names = {"before"};
  library.GetFactoryNames("Plant", &names);
  EXPECT_EQ((std::unordered_set<std::string>{"before", "Moss", "fern"}), names);
  std::unordered_set<std::string> types_made;
  library.GetFactoryTypes(&types_made);
  EXPECT_EQ((std::unordered_set<std::string>{"Plant", "Stone"}), types_made);
  LineLogger logger;
  library.Dump(&logger);
  EXPECT_NE(std::string::npos, logger.lines.find("garden makes: Plant, Stone"))
      << logger.lines;
  EXPECT_NE(std::string::npos, logger.lines.find("Plant: Moss, fern\n"))
      << logger.lines;
  library.Dump(nullptr);
}

TEST(ObjectLibraryTest, ListsAndRegistrars) {
  ObjectLibrary library("garden");
  const int added = library.Register(
      [](ObjectLibrary& target, const std::string& name) {
        target.AddFactory<Plant>(name, NewMoss);
        return 1;
      },
      "fern");
  EXPECT_EQ(1, added);
  EXPECT_EQ(1u, library.GetFactoryCount("Plant"));
  EXPECT_EQ(0u, library.GetFactoryCount("Stone"));
  std::vector<std::string> names{"before"};
  library.GetFactoryNames("Plant", &names);
  EXPECT_EQ((std::vector<std::string>{"before", "fern"}), names);
  ObjectLibrary::PatternEntry entry("moss");
  entry.AddNumber(":");
  EXPECT_TRUE(entry.Matches("moss"));
  EXPECT_FALSE(entry.SetOptional(false).Matches("moss"));
  EXPECT_TRUE(entry.Matches("moss:1"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
