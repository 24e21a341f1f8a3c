// Options that an application describes by OptionTypeInfo: runs
// option_scripts/option_types.txt, over the struct Sample below.
//
//   parse [some]          each text into a Sample of its own: what it says
//       otherwise than before; "some": unknown names are left over
//   differ [none]         TEXT | TEXT: the first option that differs, in what
//       is compared at that level of sanity
//   object                steps with one object that has these options: set
//       TEXT, set_map NAME=VALUE.. , set_one NAME VALUE, dynamic NAME VALUE,
//       get NAME, names, show
//   escapes               each text as the delimiter of an object within an
//       object: how it is written there; it is read again
//   token DELIMITER       TEXT: the tokens of each text, or what is wrong
//   braces                each text without those that enclose it
//   map ID                an object's text taken apart; ID where it has none
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/utilities/object_registry.h"
#include "rocksdb/utilities/options_type.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

enum class Colour { kRed, kBlue };

const std::unordered_map<std::string, Colour> kColours = {
    {"kRed", Colour::kRed}, {"kBlue", Colour::kBlue}};

struct Inner {
  int depth = 1;
  std::string label = "none";
};
bool operator==(const Inner& a, const Inner& b) {
  return a.depth == b.depth && a.label == b.label;
}

const std::unordered_map<std::string, OptionTypeInfo> kInner = {
    {"depth", {offsetof(Inner, depth), OptionType::kInt}},
    {"label", {offsetof(Inner, label), OptionType::kString}},
};

struct Sample {
  static const char* kName() { return "Sample"; }

  int limit = 3;
  bool is_on = false;
  uint64_t bytes = 7;
  std::string text = "t";
  std::string key = "k";
  CompressionType compression = kNoCompression;
  Colour colour = Colour::kRed;
  Inner inner;
  std::vector<int> sizes;
  std::array<int, 2> pair = {1, 2};
  std::map<std::string, std::string> strings;
  std::shared_ptr<MergeOperator> merge;
  int old = 0;
};

// std::map has no standard layout.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

const std::unordered_map<std::string, OptionTypeInfo>& SampleMap() {
  static const std::unordered_map<std::string, OptionTypeInfo> kMap = {
      {"limit",
       {offsetof(Sample, limit), OptionType::kInt,
        OptionVerificationType::kNormal, OptionTypeFlags::kMutable}},
      // Another name of the same.
      {"bound",
       {offsetof(Sample, limit), OptionType::kInt,
        OptionVerificationType::kAlias, OptionTypeFlags::kMutable}},
      {"is_on", {offsetof(Sample, is_on), OptionType::kBoolean}},
      {"bytes", {offsetof(Sample, bytes), OptionType::kUInt64T}},
      {"text",
       {offsetof(Sample, text), OptionType::kString,
        OptionVerificationType::kNormal, OptionTypeFlags::kCompareNever}},
      {"key", {offsetof(Sample, key), OptionType::kEncodedString}},
      {"compression",
       {offsetof(Sample, compression), OptionType::kCompressionType}},
      {"colour", OptionTypeInfo::Enum(offsetof(Sample, colour), &kColours)},
      {"inner", OptionTypeInfo::Struct(
                    "inner", &kInner, offsetof(Sample, inner),
                    OptionVerificationType::kNormal, OptionTypeFlags::kNone)},
      {"sizes", OptionTypeInfo::Vector<int>(
                    offsetof(Sample, sizes), OptionVerificationType::kNormal,
                    OptionTypeFlags::kNone, {0, OptionType::kInt})},
      {"pair", OptionTypeInfo::Array<int, 2>(
                   offsetof(Sample, pair), OptionVerificationType::kNormal,
                   OptionTypeFlags::kNone, {0, OptionType::kInt})},
      {"strings", OptionTypeInfo::StringMap(offsetof(Sample, strings),
                                            OptionVerificationType::kNormal,
                                            OptionTypeFlags::kNone)},
      {"merge", OptionTypeInfo::AsCustomSharedPtr<MergeOperator>(
                    offsetof(Sample, merge), OptionVerificationType::kByName,
                    OptionTypeFlags::kAllowNull)},
      {"old",
       {offsetof(Sample, old), OptionType::kInt,
        OptionVerificationType::kDeprecated}},
  };
  return kMap;
}

#pragma GCC diagnostic pop

// A merge operator of an application.
class SampleMerge : public AssociativeMergeOperator {
 public:
  SampleMerge() { RegisterOptions(&sample_, &SampleMap()); }

  static const char* kClassName() { return "SampleMerge"; }
  const char* Name() const override { return kClassName(); }

  bool Merge(const Slice&, const Slice*, const Slice& value,
             std::string* result, Logger*) const override {
    result->assign(value.data(), value.size());
    return true;
  }

  Status PrepareOptions(const ConfigOptions& config) override {
    ++prepared;
    return AssociativeMergeOperator::PrepareOptions(config);
  }

  int prepared = 0;

 private:
  Sample sample_;
};

using ValuesByName = std::unordered_map<std::string, std::string>;

// "name=value" of what differs from a fresh Sample, in the order of names.
std::string ChangesOf(const Sample& sample) {
  const ConfigOptions config;
  const Sample fresh;
  std::set<std::string> lines;
  for (const auto& [name, info] : SampleMap()) {
    std::string mismatch;
    std::string text, before;
    if (!info.ShouldSerialize()) continue;
    EXPECT_TRUE(info.Serialize(config, name, &sample, &text).ok()) << name;
    EXPECT_TRUE(info.Serialize(config, name, &fresh, &before).ok()) << name;
    if (text != before) lines.insert(name + "=" + text);
  }
  std::string joined;
  for (const std::string& line : lines) {
    joined += (joined.empty() ? "" : " ") + line;
  }
  return joined.empty() ? "-" : joined;
}

// The text of all options makes an equal one.
void ExpectIsTakenBack(const Sample& sample) {
  const ConfigOptions config;
  std::string text;
  ASSERT_TRUE(
      OptionTypeInfo::SerializeType(config, SampleMap(), &sample, &text).ok());
  EXPECT_EQ(text.find("old="), std::string::npos) << text;
  Sample copy;
  const Status s = OptionTypeInfo::ParseType(config, text, SampleMap(), &copy);
  ASSERT_TRUE(s.ok()) << s.ToString();
  std::string mismatch;
  EXPECT_TRUE(OptionTypeInfo::TypesAreEqual(config, SampleMap(), &sample, &copy,
                                            &mismatch))
      << mismatch;
  EXPECT_EQ(copy.text, sample.text) << "which is never compared";
  EXPECT_TRUE(copy.inner == sample.inner);
  EXPECT_EQ(copy.strings, sample.strings);
  EXPECT_EQ(ChangesOf(copy), ChangesOf(sample));
}

std::string Parsed(const std::string& text, bool may_be_left) {
  Sample sample;
  ValuesByName unused;
  const Status s =
      OptionTypeInfo::ParseType(ConfigOptions(), text, SampleMap(), &sample,
                                may_be_left ? &unused : nullptr);
  if (!s.ok()) return s.ToString();
  ExpectIsTakenBack(sample);
  std::string answer = ChangesOf(sample);
  for (const auto& [name, value] : unused) {
    answer += ", left: " + name + "=" + value;
  }
  return answer;
}

// The texts stand on both sides of "|".
std::string FirstMismatch(const std::string& line,
                          const ConfigOptions& config) {
  const size_t bar = line.find('|');
  Sample a, b;
  for (Sample* sample : {&a, &b}) {
    const std::string text =
        sample == &a ? line.substr(0, bar) : line.substr(bar + 1);
    const Status s =
        OptionTypeInfo::ParseType(ConfigOptions(), text, SampleMap(), sample);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  std::string mismatch;
  const bool is_equal =
      OptionTypeInfo::TypesAreEqual(config, SampleMap(), &a, &b, &mismatch);
  return is_equal ? "equal" : mismatch;
}

ValuesByName WordsAsMap(std::istream* words) {
  ValuesByName values;
  for (std::string word; *words >> word;) {
    const size_t equals = word.find('=');
    values[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return values;
}

// Empty where there is nothing to say but that it is done.
std::string ObjectStep(const std::string& line, SampleMerge* object) {
  ConfigOptions config;
  std::istringstream words(line);
  std::string verb, name, value;
  words >> verb;
  const auto told = [object](const Status& s) {
    return s.ToString() + ": " + ChangesOf(*object->GetOptions<Sample>());
  };
  if (verb == "set") {
    std::getline(words >> std::ws, value);
    return told(object->ConfigureFromString(config, value));
  }
  if (verb == "set_map") {
    ValuesByName unused;
    const Status s =
        object->ConfigureFromMap(config, WordsAsMap(&words), &unused);
    std::string left;
    for (const auto& [unknown, text] : unused) left += ", left: " + unknown;
    return told(s) + left;
  }
  if (verb == "names") {
    std::unordered_set<std::string> names;
    EXPECT_TRUE(object->GetOptionNames(config, &names).ok());
    std::string text;
    for (const auto& known :
         std::set<std::string>(names.begin(), names.end())) {
      text += (text.empty() ? "" : " ") + known;
    }
    return text;
  }
  if (verb == "show") return told(Status::OK());
  words >> name;
  if (verb == "get") {
    const Status s = object->GetOption(config, name, &value);
    return s.ok() ? value : s.ToString();
  }
  EXPECT_TRUE(verb == "set_one" || verb == "dynamic") << verb;
  config.mutable_options_only = verb == "dynamic";
  words >> value;
  return told(object->ConfigureOption(config, name, value));
}

// It is prepared by each text that it takes; and its own text makes an equal
// one.
std::string RunObject(const std::string& body) {
  const ConfigOptions config;
  SampleMerge object;
  std::string answers;
  for (const std::string& line : LinesOf(body)) {
    answers += ObjectStep(line, &object) + "\n";
  }
  std::string text;
  EXPECT_TRUE(object.GetOptionString(config, &text).ok());
  SampleMerge other;
  EXPECT_TRUE(other.ConfigureFromString(config, text).ok()) << text;
  EXPECT_EQ(other.prepared, 1);
  std::string mismatch;
  EXPECT_TRUE(object.AreEquivalent(config, &other, &mismatch)) << mismatch;
  return answers;
}

std::string EscapedDelimiter(const std::string& text) {
  const ConfigOptions config;
  SampleMerge merge;
  std::shared_ptr<MergeOperator>& set = merge.GetOptions<Sample>()->merge;
  Status s = MergeOperator::CreateFromString(
      config, "{id=stringappend;delimiter={" + text + "}}", &set);
  if (!s.ok()) return s.ToString();
  std::string value, all;
  EXPECT_TRUE(merge.GetOption(config, "merge", &value).ok());
  EXPECT_TRUE(merge.GetOptionString(config, &all).ok());
  EXPECT_EQ(all.find('\n'), std::string::npos) << all;
  SampleMerge other;
  s = other.ConfigureFromString(config, all);
  EXPECT_TRUE(s.ok()) << all << ": " << s.ToString();
  const auto& read = other.GetOptions<Sample>()->merge;
  if (read == nullptr) return "lost";
  std::string before, after;
  EXPECT_TRUE(set->GetOptionString(config, &before).ok());
  EXPECT_TRUE(read->GetOptionString(config, &after).ok());
  EXPECT_EQ(before, after) << all;
  return TextOfBytes(value);
}

std::string TokensOf(const std::string& text, char delimiter) {
  std::string answer;
  for (size_t at = 0; at != std::string::npos;) {
    std::string token;
    size_t end = 0;
    const Status s =
        OptionTypeInfo::NextToken(text, delimiter, at, &end, &token);
    if (!s.ok()) return answer + s.ToString();
    answer += "[" + token + "]";
    at = end == std::string::npos ? end : end + 1;
  }
  return answer;
}

std::string TakenApart(const std::string& text, const std::string& otherwise) {
  std::string id;
  ValuesByName values;
  const Status s = Configurable::GetOptionsMap(text, otherwise, &id, &values);
  if (!s.ok()) return s.ToString();
  std::set<std::string> sorted;
  for (const auto& [name, value] : values) sorted.insert(name + "=" + value);
  std::string answer = id;
  for (const std::string& line : sorted) answer += " " + line;
  return answer;
}

std::string RunOptionTypeCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const std::string& verb = command.verb();
  const std::string word =
      command.words().empty() ? "" : command.words().front();
  if (verb == "object") return RunObject(c.body);
  ConfigOptions config;
  if (word == "none") config.sanity_level = ConfigOptions::kSanityLevelNone;
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string text = BytesOfText(line == "nothing" ? "" : line);
    if (verb == "parse") {
      answers += Parsed(text, word == "some");
    } else if (verb == "differ") {
      answers += FirstMismatch(line, config);
    } else if (verb == "escapes") {
      answers += EscapedDelimiter(text);
    } else if (verb == "token") {
      answers += TokensOf(text, c.command.back());
    } else if (verb == "braces") {
      answers += "[" + OptionTypeInfo::StripOuterBraces(text) + "]";
    } else {
      EXPECT_EQ(verb, "map");
      answers += TakenApart(text, word);
    }
    answers += "\n";
  }
  return answers;
}

TEST(OptionTypeInfo, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/option_types.txt", RunOptionTypeCase),
            16u);
}

TEST(OptionTypeInfo, ACopyHasOptionsOfItsOwn) {
  const ConfigOptions config;
  SampleMerge merge;
  SampleMerge copy(merge);
  EXPECT_TRUE(copy.ConfigureOption(config, "limit", "50").ok());
  EXPECT_EQ(merge.GetOptions<Sample>()->limit, 3);
  EXPECT_EQ(copy.GetOptions<Sample>()->limit, 50);
}

// Where SampleMerge is known by its name.
ConfigOptions ConfigWithSample() {
  ConfigOptions config;
  config.registry = ObjectRegistry::NewInstance();
  config.registry->AddLibrary("mine")->AddFactory<MergeOperator>(
      SampleMerge::kClassName(),
      [](const std::string&, std::unique_ptr<MergeOperator>* guard,
         std::string*) {
        *guard = std::make_unique<SampleMerge>();
        return guard->get();
      });
  return config;
}

// The object that is there says its options by their first names.
TEST(OptionTypeInfo, AnotherNameChangesAnObjectThatIsThere) {
  const ConfigOptions config = ConfigWithSample();
  ColumnFamilyOptions before, after;
  before.merge_operator = std::make_shared<SampleMerge>();
  Status s =
      before.merge_operator->ConfigureFromString(config, "limit=9;bytes=2");
  ASSERT_TRUE(s.ok()) << s.ToString();
  for (const char* text : {"bound=5", "id=SampleMerge;bound=5"}) {
    s = GetColumnFamilyOptionsFromString(
        config, before, "merge_operator={" + std::string(text) + "}", &after);
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(ChangesOf(*after.merge_operator->GetOptions<Sample>()),
              "bytes=2 limit=5");
  }
  EXPECT_EQ(ChangesOf(*before.merge_operator->GetOptions<Sample>()),
            "bytes=2 limit=9");
  s = GetColumnFamilyOptionsFromString(config, before,
                                       "merge_operator={bound=x}", &after);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
}

TEST(OptionTypeInfo, OptionStringsMakeSuchObjects) {
  const ConfigOptions config = ConfigWithSample();
  ColumnFamilyOptions options;
  Status s = GetColumnFamilyOptionsFromString(
      config, ColumnFamilyOptions(),
      "merge_operator={id=SampleMerge;limit=5;sizes=4:5}", &options);
  ASSERT_TRUE(s.ok()) << s.ToString();
  const Sample* sample = options.merge_operator->GetOptions<Sample>();
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->limit, 5);
  EXPECT_EQ(sample->sizes, (std::vector<int>{4, 5}));

  std::string text;
  ASSERT_TRUE(GetStringFromColumnFamilyOptions(config, options, &text).ok());
  EXPECT_NE(text.find("id=SampleMerge;"), std::string::npos) << text;
  ColumnFamilyOptions again;
  s = GetColumnFamilyOptionsFromString(config, ColumnFamilyOptions(), text,
                                       &again);
  ASSERT_TRUE(s.ok()) << s.ToString();
  ASSERT_NE(again.merge_operator, nullptr);
  std::string mismatch;
  EXPECT_TRUE(options.merge_operator->AreEquivalent(
      config, again.merge_operator.get(), &mismatch))
      << mismatch;
}

// Each text is escaped once, however deep it stands.
TEST(OptionTypeInfo, PartsOfAStructAreReadAsTheyWere) {
  const ConfigOptions config;
  for (const std::string label : {"a\\b", "\\", "#\n:;=,", "a:b\\:c"}) {
    Sample written;
    written.inner.label = label;
    std::string text;
    ASSERT_TRUE(
        OptionTypeInfo::SerializeType(config, SampleMap(), &written, &text)
            .ok());
    Sample read;
    ASSERT_TRUE(
        OptionTypeInfo::ParseType(config, text, SampleMap(), &read).ok())
        << text;
    EXPECT_EQ(read.inner.label, label) << text;
    written.text = "{" + label + "}";
    ASSERT_TRUE(
        OptionTypeInfo::SerializeType(config, SampleMap(), &written, &text)
            .ok());
    ASSERT_TRUE(
        OptionTypeInfo::ParseType(config, text, SampleMap(), &read).ok())
        << text;
    EXPECT_EQ(read.text, written.text) << text;

    struct Labels {
      std::vector<std::string> all;
    };
    const std::unordered_map<std::string, OptionTypeInfo> types = {
        {"all", OptionTypeInfo::Vector<std::string>(
                    offsetof(Labels, all), OptionVerificationType::kNormal,
                    OptionTypeFlags::kNone, {0, OptionType::kString})}};
    const Labels labels = {{label, "z", label}};
    ASSERT_TRUE(
        OptionTypeInfo::SerializeType(config, types, &labels, &text).ok());
    Labels again;
    ASSERT_TRUE(OptionTypeInfo::ParseType(config, text, types, &again).ok())
        << text;
    EXPECT_EQ(again.all, labels.all) << text;
  }
}

TEST(OptionTypeInfo, WhatAnObjectHasFillsAText) {
  const ConfigOptions config;
  std::string id;
  std::unordered_map<std::string, std::string> options;
  SampleMerge merge;
  ASSERT_TRUE(merge.ConfigureOption(config, "limit", "44").ok());
  EXPECT_TRUE(
      Customizable::GetOptionsMap(config, &merge, "bytes=1", &id, &options)
          .ok());
  EXPECT_EQ(id, "SampleMerge");
  EXPECT_EQ(options["limit"], "44");
  EXPECT_EQ(options["bytes"], "1");
  EXPECT_TRUE(Customizable::ConfigureNewObject(config, &merge, options).ok());
  EXPECT_EQ(merge.GetOptions<Sample>()->bytes, 1u);
  EXPECT_TRUE(Customizable::ConfigureNewObject(config, nullptr, options)
                  .IsInvalidArgument());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
