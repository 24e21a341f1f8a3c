// Patterns of names, and what a library of factories says of itself: runs
// option_scripts/libraries.txt.
//
//   pattern NAME [PART..]   of the names on each line, those that match. PARTs:
//       longer (the name alone does not match), or:NAME, then in their order
//       text:SEPARATOR, any:SEPARATOR (the text may be empty),
//       number:SEPARATOR, fraction:SEPARATOR, end:SUFFIX; individual is a
//       pattern of its own. "nothing" is the empty name
//   library                 a library called garden:
//       add TYPE NAME [MADE]    makes a MADE, or what it is asked for
//       add TYPE NAME#          the same for NAME:NUMBER
//       find TYPE NAME          what is made of that name
//       names TYPE | count TYPE | count | types | dump
//   TYPEs are Plant, which has names, and Stone, which has none and whose
//   factories make const ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <unordered_set>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/info_log.h"
#include "rocksdb/utilities/object_registry.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using PatternEntry = ObjectLibrary::PatternEntry;

class Plant : public Customizable {
 public:
  static const char* Type() { return "Plant"; }
};

class Moss : public Plant {
 public:
  explicit Moss(std::string name = "Moss") : name_(std::move(name)) {}
  const char* Name() const override { return name_.c_str(); }

 private:
  const std::string name_;
};

class Stone {
 public:
  explicit Stone(std::string text) : id(std::move(text)) {}
  static const char* Type() { return "Stone"; }
  const std::string id;
};

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

void AddPart(const std::string& part, PatternEntry* entry) {
  const size_t colon = part.find(':');
  const std::string kind = part.substr(0, colon);
  const std::string text =
      colon == std::string::npos ? "" : part.substr(colon + 1);
  if (kind == "longer") {
    entry->SetOptional(false);
  } else if (kind == "or") {
    entry->AnotherName(text);
  } else if (kind == "text") {
    entry->AddSeparator(text);
  } else if (kind == "any") {
    entry->AddSeparator(text, /*at_least_one=*/false);
  } else if (kind == "number") {
    entry->AddNumber(text);
  } else if (kind == "fraction") {
    entry->AddNumber(text, /*is_int=*/false);
  } else if (kind == "end") {
    entry->AddSuffix(text);
  } else {
    ADD_FAILURE() << part;
  }
}

std::string RunPattern(std::istream* command, const std::string& body) {
  std::string name;
  *command >> name;
  PatternEntry entry(name);
  for (std::string part; *command >> part;) {
    if (part == "individual") {
      entry = PatternEntry::AsIndividualId(name);
    } else {
      AddPart(part, &entry);
    }
  }
  EXPECT_EQ(entry.Name(), name);
  std::string answers;
  for (const std::string& line : LinesOf(body)) {
    std::string answer;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (!entry.Matches(word == "nothing" ? "" : word)) continue;
      answer += (answer.empty() ? "" : " ") + word;
    }
    answers += (answer.empty() ? "-" : answer) + "\n";
  }
  return answers;
}

template <class Names>
std::string Sorted(const Names& names) {
  const std::set<std::string> sorted(names.begin(), names.end());
  std::string text;
  for (const std::string& name : sorted) {
    text += (text.empty() ? "" : " ") + name;
  }
  return text.empty() ? "-" : text;
}

class LibraryScript {
 public:
  LibraryScript() { EXPECT_EQ(library_.GetID(), "garden"); }

  // Empty: the step has no answer.
  std::string Step(const std::string& line) {
    std::istringstream words(line);
    std::string verb, type, name, made;
    words >> verb >> type >> name >> made;
    if (verb == "add") {
      PatternEntry entry(name);
      if (name.ends_with('#')) {
        entry = PatternEntry(name.substr(0, name.size() - 1), false);
        entry.AddNumber(":");
      }
      if (type == "Plant") return AddPlant(entry, made), "";
      return AddStone(entry, made), "";
    }
    if (verb == "find")
      return type == "Plant" ? FindPlant(name) : FindStone(name);
    if (verb == "names") return NamesOf(type);
    if (verb == "count") return CountOf(type);
    if (verb == "types") {
      std::unordered_set<std::string> types;
      library_.GetFactoryTypes(&types);
      return Sorted(types);
    }
    EXPECT_EQ(verb, "dump");
    LineLogger logger;
    library_.Dump(&logger);
    library_.Dump(nullptr);
    // The types come in any order.
    std::vector<std::string> lines = LinesOf(logger.lines);
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& logged : lines) text += logged + "\n";
    return text;
  }

 private:
  void AddPlant(const PatternEntry& entry, const std::string& made) {
    library_.AddFactory<Plant>(
        entry, [made](const std::string& id, std::unique_ptr<Plant>* guard,
                      std::string*) {
          *guard = std::make_unique<Moss>(made.empty() ? id : made);
          return guard->get();
        });
  }
  void AddStone(const PatternEntry& entry, const std::string& made) {
    library_.AddFactory<const Stone>(
        entry, [made](const std::string& id,
                      std::unique_ptr<const Stone>* guard, std::string*) {
          *guard = std::make_unique<Stone>(made.empty() ? id : made);
          return guard->get();
        });
  }
  std::string FindPlant(const std::string& name) const {
    const FactoryFunc<Plant> make = library_.FindFactory<Plant>(name);
    if (make == nullptr) return "none";
    std::unique_ptr<Plant> plant;
    const Plant* const made = make(name, &plant, nullptr);
    EXPECT_EQ(made, plant.get());
    return plant->Name();
  }
  // A type is the same whether it is const or not.
  std::string FindStone(const std::string& name) const {
    const FactoryFunc<Stone> make = library_.FindFactory<Stone>(name);
    if (make == nullptr) return "none";
    std::unique_ptr<Stone> stone;
    const Stone* const made = make(name, &stone, nullptr);
    EXPECT_EQ(made, stone.get());
    return stone->id;
  }
  // They are added to what is there already.
  std::string NamesOf(const std::string& type) const {
    std::unordered_set<std::string> names = {"(before)"};
    library_.GetFactoryNames(type, &names);
    std::vector<std::string> list = {"(before)"};
    library_.GetFactoryNames(type, &list);
    EXPECT_EQ(Sorted(names), Sorted(list));
    EXPECT_EQ(list.front(), "(before)");
    return Sorted(names);
  }
  std::string CountOf(const std::string& type) const {
    if (!type.empty()) return std::to_string(library_.GetFactoryCount(type));
    size_t types = 77;
    const size_t count = library_.GetFactoryCount(&types);
    return std::to_string(count) + " of " + std::to_string(types) + " types";
  }

  ObjectLibrary library_{"garden"};
};

std::string RunLibraryCase(const ScriptCase& c) {
  std::istringstream command(c.command);
  std::string verb;
  command >> verb;
  if (verb == "pattern") return RunPattern(&command, c.body);
  EXPECT_EQ(verb, "library");
  LibraryScript script;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string answer = script.Step(line);
    if (answer.empty()) continue;
    answers += answer;
    if (!answer.ends_with('\n')) answers += '\n';
  }
  return answers;
}

TEST(ObjectLibraryTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/libraries.txt", RunLibraryCase), 17u);
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

TEST(ObjectLibraryTest, RegistrarsAddToIt) {
  ObjectLibrary library("garden");
  const int added = library.Register(
      [](ObjectLibrary& target, const std::string& name) {
        target.AddFactory<Plant>(
            name, [](const std::string&, std::unique_ptr<Plant>* guard,
                     std::string*) {
              *guard = std::make_unique<Moss>();
              return guard->get();
            });
        return 1;
      },
      "fern");
  EXPECT_EQ(1, added);
  EXPECT_EQ(1u, library.GetFactoryCount("Plant"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
