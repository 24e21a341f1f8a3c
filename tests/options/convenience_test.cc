// Options from text and back, and what is derived from them: runs
// option_scripts/from_text.txt and derived.txt.
//
//   options | database | family | table [WORD..]   sets each line over the
//       defaults: the options that differ then, or why none does. WORDs:
//       strict (objects that are not known are errors), forgiving (unknown
//       names are none), map (a line is NAME=VALUE.. , as it stands), over:TEXT
//       (these are set first, and must stay where a line does not set them)
//   change | change_database [over:TEXT]   SetOptions() and SetDBOptions(): a
//       line is NAME=VALUE.. ; the names that have changed, and the options
//   map                   a line as option map and back to text
//   memtable              the name of the factory that a line makes
//   codec OPTIONS         LEVEL BASE [bottommost]: the codec of such a file
//   sizes OPTIONS         LEVEL [universal]: how large a file is to become
//   OPTIONS               "a=1;b=2", "-" is none, \xHH a byte; an answer a line
#include "rocksdb/convenience.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "options/cf_options.h"
#include "options/db_options.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"
#include "util/compression.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using ValuesByName = std::unordered_map<std::string, std::string>;

// "NAME=VALUE NAME=VALUE": values are not looked into.
ValuesByName ValuesOf(const std::string& line) {
  ValuesByName values;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (word == "-") continue;
    const size_t equals = word.find('=');
    EXPECT_NE(equals, std::string::npos) << word;
    values[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return values;
}

Status FromText(const ConfigOptions& config, const std::string& text,
                Options* result) {
  const Options base = *result;
  return GetOptionsFromString(config, base, text, result);
}
Status FromText(const ConfigOptions& config, const std::string& text,
                DBOptions* result) {
  const DBOptions base = *result;
  return GetDBOptionsFromString(config, base, text, result);
}
Status FromText(const ConfigOptions& config, const std::string& text,
                ColumnFamilyOptions* result) {
  const ColumnFamilyOptions base = *result;
  return GetColumnFamilyOptionsFromString(config, base, text, result);
}
Status FromText(const ConfigOptions& config, const std::string& text,
                BlockBasedTableOptions* result) {
  const BlockBasedTableOptions base = *result;
  return GetBlockBasedTableOptionsFromString(config, base, text, result);
}

Status FromMap(const ConfigOptions& config, const ValuesByName& values,
               DBOptions* result) {
  const DBOptions base = *result;
  return GetDBOptionsFromMap(config, base, values, result);
}
Status FromMap(const ConfigOptions& config, const ValuesByName& values,
               ColumnFamilyOptions* result) {
  const ColumnFamilyOptions base = *result;
  return GetColumnFamilyOptionsFromMap(config, base, values, result);
}
Status FromMap(const ConfigOptions& config, const ValuesByName& values,
               BlockBasedTableOptions* result) {
  const BlockBasedTableOptions base = *result;
  return GetBlockBasedTableOptionsFromMap(config, base, values, result);
}
Status FromMap(const ConfigOptions&, const ValuesByName&, Options*) {
  return Status::NotSupported("each half has its own map");
}

// "a=1;b=2" from an object, for those that have such a call.
Status ToText(const DBOptions& options, std::string* text) {
  return GetStringFromDBOptions(text, options);
}
Status ToText(const ColumnFamilyOptions& options, std::string* text) {
  return GetStringFromColumnFamilyOptions(text, options);
}

template <class T>
constexpr bool kIsOneHalf =
    std::is_same_v<T, DBOptions> || std::is_same_v<T, ColumnFamilyOptions>;

// What was set from text can be written as text, and is the same then.
template <class T>
void ExpectComesBack(const T& options) {
  std::string text;
  EXPECT_TRUE(ToText(options, &text).ok());
  T again;
  const Status s = FromText(ConfigOptions(), text, &again);
  EXPECT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(OptionDifference(options, again), "-");
}

template <class T>
std::string TextsOver(const ScriptWords& command, const std::string& body) {
  ConfigOptions config;
  config.ignore_unsupported_options = !command.HasWord("strict");
  config.ignore_unknown_options = command.HasWord("forgiving");
  T base;
  const Status set = FromText(config, command.Text("over", ""), &base);
  EXPECT_TRUE(set.ok()) << set.ToString();
  const std::string before = OptionDifference(T(), base);
  std::string answers;
  for (const std::string& line : LinesOf(body)) {
    T changed = base;
    const Status s =
        command.HasWord("map")
            ? FromMap(config, ValuesOf(line), &changed)
            : FromText(config, line == "-" ? "" : BytesOfText(line), &changed);
    if (s.ok()) {
      answers += OptionDifference(T(), changed) + "\n";
      if constexpr (kIsOneHalf<T>) ExpectComesBack(changed);
    } else {
      answers += s.ToString() + "\n";
      EXPECT_EQ(OptionDifference(base, changed), "-") << "left as it was";
    }
    // Nor are the objects that both share.
    EXPECT_EQ(OptionDifference(T(), base), before) << line;
  }
  return answers;
}

Status ChangeTo(const ColumnFamilyOptions& now, const ValuesByName& values,
                ColumnFamilyOptions* changed, std::vector<std::string>* names) {
  return ChangeColumnFamilyOptions(now, values, changed, names);
}
Status ChangeTo(const DBOptions& now, const ValuesByName& values,
                DBOptions* changed, std::vector<std::string>* names) {
  return ChangeDBOptions(now, values, changed, names);
}

template <class T>
std::string ChangesOver(const ScriptWords& command, const std::string& body) {
  T now;
  EXPECT_TRUE(FromText(ConfigOptions(), command.Text("over", ""), &now).ok());
  const std::string before = OptionDifference(T(), now);
  std::string answers;
  for (const std::string& line : LinesOf(body)) {
    T changed = now;
    std::vector<std::string> names = {"untouched"};
    const Status s = ChangeTo(now, ValuesOf(line), &changed, &names);
    EXPECT_EQ(OptionDifference(T(), now), before) << "only the copy changes";
    if (!s.ok()) {
      answers += s.ToString() + "\n";
      EXPECT_EQ(OptionDifference(now, changed), "-");
      EXPECT_EQ(names, std::vector<std::string>{"untouched"});
      continue;
    }
    for (const std::string& name : names) answers += name + " ";
    answers += "| " + OptionDifference(now, changed) + "\n";
  }
  return answers;
}

std::string MapAndBack(const std::string& line) {
  ValuesByName values;
  Status s = StringToMap(line, &values);
  if (!s.ok()) return s.ToString();
  std::string text;
  s = MapToString(values, &text);
  EXPECT_TRUE(s.ok()) << s.ToString();
  ValuesByName again;
  s = StringToMap(text, &again);
  EXPECT_TRUE(s.ok()) << s.ToString();
  std::string second;
  s = MapToString(again, &second);
  EXPECT_TRUE(s.ok()) << s.ToString();
  EXPECT_EQ(text, second);
  return text.empty() ? "-" : text;
}

std::string MemtableOf(const std::string& line) {
  std::unique_ptr<MemTableRepFactory> factory;
  const Status s = GetMemTableRepFactoryFromString(line, &factory);
  EXPECT_EQ(s.ok(), factory != nullptr);
  return s.ok() ? factory->Name() : s.ToString();
}

std::string CodecOf(const MutableCFOptions& options, const ScriptWords& line) {
  const int level = std::stoi(line.verb());
  const int base = std::stoi(line.Word(0));
  const bool is_last = line.HasWord("bottommost");
  return CompressionTypeToString(
             options.CompressionForLevel(level, base, is_last)) +
         " at " +
         std::to_string(options.CompressionOptionsForLevel(is_last).level);
}

std::string SizeOf(const MutableCFOptions& options, const ScriptWords& line) {
  const int level = std::stoi(line.verb());
  const CompactionStyle style = line.HasWord("universal")
                                    ? kCompactionStyleUniversal
                                    : kCompactionStyleLevel;
  return std::to_string(options.MaxFileSizeForLevel(level, style)) +
         ", a compaction takes " +
         std::to_string(options.MaxCompactionBytes()) +
         ", the level grows by " +
         std::to_string(options.MaxBytesMultiplierAdditional(level)) + " more";
}

std::string RunTextCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const std::string& verb = command.verb();
  if (verb == "options") return TextsOver<Options>(command, c.body);
  if (verb == "database") return TextsOver<DBOptions>(command, c.body);
  if (verb == "family") return TextsOver<ColumnFamilyOptions>(command, c.body);
  if (verb == "table") {
    return TextsOver<BlockBasedTableOptions>(command, c.body);
  }
  if (verb == "change") {
    return ChangesOver<ColumnFamilyOptions>(command, c.body);
  }
  if (verb == "change_database") return ChangesOver<DBOptions>(command, c.body);
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    if (verb == "map") {
      answers += MapAndBack(line);
    } else {
      EXPECT_EQ(verb, "memtable");
      answers += MemtableOf(line);
    }
    answers += "\n";
  }
  return answers;
}

std::string RunDerivedCase(const ScriptCase& c) {
  const size_t space = c.command.find(' ');
  const std::string verb = c.command.substr(0, space);
  const std::string text = c.command.substr(space + 1);
  ColumnFamilyOptions family;
  const Status s = FromText(ConfigOptions(), text, &family);
  EXPECT_TRUE(s.ok()) << s.ToString();
  const MutableCFOptions options(family);
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const ScriptWords words(line);
    if (verb == "codec") {
      answers += CodecOf(options, words);
    } else {
      EXPECT_EQ(verb, "sizes");
      answers += SizeOf(options, words);
    }
    answers += "\n";
  }
  return answers;
}

TEST(ConvenienceTest, OptionsFromText) {
  EXPECT_GE(RunScript("option_scripts/from_text.txt", RunTextCase), 29u);
}

TEST(ConvenienceTest, WhatIsDerivedFromThem) {
  EXPECT_GE(RunScript("option_scripts/derived.txt", RunDerivedCase), 8u);
}

TEST(ConvenienceTest, CompressionNames) {
  std::string text;
  ASSERT_TRUE(GetStringFromCompressionType(&text, kZSTD).ok());
  EXPECT_EQ("kZSTD", text);
  EXPECT_TRUE(
      GetStringFromCompressionType(&text, static_cast<CompressionType>(0x40))
          .IsInvalidArgument());
  const auto supported = GetSupportedCompressions();
  ASSERT_FALSE(supported.empty());
  EXPECT_EQ(kNoCompression, supported.front());
}

TEST(OptionMapTest, NeedsAPlaceForTheText) {
  EXPECT_TRUE(MapToString({{"a", "1"}}, nullptr).IsInvalidArgument());
}

TEST(OptionStructsTest, AreCompared) {
  CompressionOptions compression;
  EXPECT_TRUE(compression == CompressionOptions());
  compression.checksum = true;
  EXPECT_FALSE(compression == CompressionOptions());
  CompactionOptionsUniversal universal;
  EXPECT_TRUE(universal == CompactionOptionsUniversal());
  universal.max_read_amp = 3;
  EXPECT_FALSE(universal == CompactionOptionsUniversal());
  CompactionOptionsFIFO fifo;
  EXPECT_TRUE(fifo == CompactionOptionsFIFO());
  fifo.file_temperature_age_thresholds.push_back({Temperature::kCold, 7});
  EXPECT_FALSE(fifo == CompactionOptionsFIFO());
  VerifyOutputFlags flags = VerifyOutputFlags::kVerifyBlockChecksum;
  flags &= VerifyOutputFlags::kVerifyNone;
  EXPECT_TRUE(!flags);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
