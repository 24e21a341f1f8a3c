// OPTIONS files: runs option_scripts/files.txt, and reads files of releases.
//
//   parse [raw] [forgiving]   the body is a file: what it says otherwise than
//       defaults, or what is wrong with it. Its [Version] stands before it, in
//       three lines, unless it is "raw"; names that are not known are errors,
//       unless "forgiving"
//   sample NAME           the same of a release's file, tests/testdata/options
//   compare exact | loose | none   OPTIONS | OPTIONS of a family, "-" is none:
//       does a file with the one go with the other?
//   verify                TEXT | TEXT: the check of a written file in which the
//       one stands instead of the other
//   foreign               files with merge operators of these names; \xHH is a
//       byte
//   families              the body is a file: the names of its families
//   copy [NAME..]         the lines of the body that a copy of the database
//       elsewhere does not have, or has otherwise, without these families
#include "options/options_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "options/column_family_rows.h"
#include "options/db_options.h"
#include "options/print.h"
#include "options/random_options.h"
#include "options/sanitize.h"
#include "rocksdb/convenience.h"
#include "rocksdb/merge_operator.h"
#include "tests/options/option_lines.h"
#include "tests/testing/script.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string ReadSample(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::filesystem::path SampleDirectory() {
  return std::filesystem::path(BASALT_SOURCE_DIR) / "tests/testdata/options";
}

std::string Sample(const std::string& name) {
  return ReadSample(SampleDirectory() / (name + ".OPTIONS"));
}

OptionsFile Parse(const std::string& text) {
  OptionsFile file;
  const Status s =
      ParseOptionsFile(ConfigOptions(), "OPTIONS-000007", text, &file);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return file;
}

class OddlyNamedOperator : public MergeOperator {
 public:
  explicit OddlyNamedOperator(const char* name) : name_(name) {}
  const char* Name() const override { return name_; }

 private:
  const char* name_;
};

constexpr char kVersion[] =
    "[Version]\nrocksdb_version=11.9.0\noptions_file_version=1.1\n";

// What a file says, section by section.
std::string FileText(const OptionsFile& file) {
  std::string text = "version";
  for (const int part : file.rocksdb_version) {
    text += " " + std::to_string(part);
  }
  OptionLines db;
  db.Add(DBOptions(), file.db);
  text += "\ndatabase: " + db.Joined() + "\n";
  for (const NamedFamily& family : file.families) {
    // What a release's file says is the default where LZ4 is built in.
    ColumnFamilyOptions defaults;
    for (const auto& [name, value] : family.texts) {
      if (name == "compression") defaults.compression = kLZ4Compression;
    }
    OptionLines lines;
    lines.Add(defaults, family.options);
    text += "family " + TextOfBytes(family.name) + ": " + lines.Joined() + "\n";
  }
  return text;
}

// Nothing changes where the file is wrong.
std::string ParsedFile(const ScriptWords& command, const std::string& body) {
  ConfigOptions config;
  config.ignore_unknown_options = command.HasWord("forgiving");
  OptionsFile file;
  file.db.max_open_files = 4321;
  const std::string text = (command.HasWord("raw") ? "" : kVersion) + body;
  const Status s = ParseOptionsFile(config, "OPTIONS", text, &file);
  if (s.ok()) return FileText(file);
  EXPECT_EQ(4321, file.db.max_open_files);
  EXPECT_TRUE(file.families.empty());
  return s.ToString() + "\n";
}

OptionsFile FileWith(const std::string& family_text) {
  OptionsFile file;
  file.families.push_back({"default", ColumnFamilyOptions(), {}});
  const Status s = GetColumnFamilyOptionsFromString(
      ConfigOptions(), ColumnFamilyOptions(),
      family_text == "-" ? "" : family_text, &file.families[0].options);
  EXPECT_TRUE(s.ok()) << s.ToString();
  return file;
}

// "a | b"
std::pair<std::string, std::string> BothSides(const std::string& line) {
  const size_t bar = line.find(" | ");
  EXPECT_NE(bar, std::string::npos) << line;
  return {line.substr(0, bar), line.substr(bar + 3)};
}

std::string Compared(const std::string& level, const std::string& line) {
  ConfigOptions config;
  config.sanity_level = level == "none" ? ConfigOptions::kSanityLevelNone
                        : level == "loose"
                            ? ConfigOptions::kSanityLevelLooselyCompatible
                            : ConfigOptions::kSanityLevelExactMatch;
  const auto [a, b] = BothSides(line);
  return CompareOptions(config, FileWith(a), FileWith(b)).ToString();
}

std::string Verified(const std::string& line) {
  const auto [from, to] = BothSides(line);
  const OptionsFile file = FileWith("-");
  std::string text = PrintOptionsFile(file);
  const size_t at = text.find(from);
  if (at == std::string::npos) return "there is no " + from;
  text.replace(at, from.size(), to);
  // Which line it is depends on how many options there are.
  return std::regex_replace(
      VerifyOptionsFile("OPTIONS-000001", text, file).ToString(),
      std::regex("OPTIONS-000001:[0-9]+:"), "OPTIONS-000001:LINE:");
}

// The application's own objects need not be known here, nor well named.
std::string VerifiedForeign(const std::string& name) {
  OptionsFile file = FileWith("-");
  file.families[0].options.merge_operator =
      std::make_shared<OddlyNamedOperator>(name.c_str());
  const std::string text = PrintOptionsFile(file);
  std::string answer =
      VerifyOptionsFile("OPTIONS-000001", text, file).ToString();
  for (const std::string& line : LinesOf(text)) {
    if (line.find("merge_operator") == std::string::npos) continue;
    answer += " [" + TextOfBytes(line.substr(2)) + "]";
  }
  return answer;
}

std::string FamilyNamesIn(const std::string& text) {
  std::vector<std::string> names;
  const Status s = ParseFamilyNames("OPTIONS", text, &names);
  if (!s.ok()) return s.ToString() + "\n";
  std::string answer;
  for (const std::string& name : names) answer += TextOfBytes(name) + "\n";
  return answer.empty() ? "-\n" : answer;
}

// The changes that OptionsForCopy() makes to a file, as `diff` shows them.
std::string ChangesForCopy(const ScriptWords& command,
                           const std::string& body) {
  const std::set<std::string> left_out(command.words().begin(),
                                       command.words().end());
  const std::vector<std::string> kept =
      LinesOf(OptionsForCopy(body, left_out, command.Text("wal_dir", "")));
  std::string answer;
  auto at = kept.begin();
  for (const std::string& line : LinesOf(body)) {
    const auto found = std::find(at, kept.end(), line);
    if (found == kept.end()) {
      answer += "- " + line + "\n";
      continue;
    }
    for (; at != found; ++at) answer += "+ " + *at + "\n";
    ++at;
  }
  for (; at != kept.end(); ++at) answer += "+ " + *at + "\n";
  return answer.empty() ? "as it is\n" : answer;
}

std::string RunFileCase(const ScriptCase& c) {
  const ScriptWords command(c.command);
  const std::string& verb = command.verb();
  if (verb == "parse") return ParsedFile(command, c.body);
  if (verb == "sample") return FileText(Parse(Sample(command.Word(0))));
  if (verb == "families") return FamilyNamesIn(c.body);
  if (verb == "copy") return ChangesForCopy(command, c.body);
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    if (verb == "compare") {
      answers += Compared(command.Word(0), line);
    } else if (verb == "verify") {
      answers += Verified(line);
    } else {
      EXPECT_EQ(verb, "foreign");
      answers += VerifiedForeign(BytesOfText(line == "nothing" ? "" : line));
    }
    answers += "\n";
  }
  return answers;
}

TEST(OptionsFileTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("option_scripts/files.txt", RunFileCase), 57u);
}

TEST(OptionsFileTest, FilesOfReleasesAreRead) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(SampleDirectory())) {
    OptionsFile file;
    const Status s =
        ParseOptionsFile(ConfigOptions(), entry.path().filename().string(),
                         ReadSample(entry.path()), &file);
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_FALSE(file.families.empty());
    ++count;
    // What we write of it says the same.
    const std::string printed = PrintOptionsFile(file);
    const OptionsFile again = Parse(printed);
    EXPECT_TRUE(CompareOptions(ConfigOptions(), file, again).ok());
    EXPECT_EQ(printed, PrintOptionsFile(again));
  }
  EXPECT_GE(count, 14);
}

// Every name that a release writes, we write too, but for deprecated ones.
TEST(OptionsFileTest, NoNameIsLost) {
  const auto names = [](const std::string& text) {
    std::vector<std::string> result;
    std::stringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const size_t equals = line.find('=');
      if (equals == std::string::npos || line[0] == '#') continue;
      result.push_back(line.substr(0, equals));
    }
    std::sort(result.begin(), result.end());
    return result;
  };
  const std::string theirs = Sample("r119_one_cf");
  EXPECT_EQ(names(theirs), names(PrintOptionsFile(Parse(theirs))));
}

// The same values, too: our text of a release's file has the same lines, but
// for objects that this program cannot make.
TEST(OptionsFileTest, ValuesAreWrittenAsReleasesDo) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> result;
    std::stringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      const bool differs =
          line.find('{') != std::string::npos ||  // members in another order
          line.find("flush_block_policy_factory") != std::string::npos;
      if (!differs) result.push_back(line);
    }
    std::sort(result.begin(), result.end());
    return result;
  };
  const std::string theirs = Sample("r119_one_cf");
  EXPECT_EQ(lines(theirs), lines(PrintOptionsFile(Parse(theirs))));
}

TEST(OptionsFileTest, RandomOptionsComeBack) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    Random64 random(seed);
    OptionsFile file;
    file.families.resize(2);
    file.families[0].name = "default";
    file.families[1].name = "a:b#c\\d\n\"q]";
    for (NamedFamily& family : file.families) {
      RandomizeOptions(ColumnFamilyOptionStruct(), 2, &random, &family.options);
      family.options = SanitizeColumnFamilyOptions(ImmutableDBOptions(file.db),
                                                   family.options);
    }
    const std::string text = PrintOptionsFile(file);
    const Status s = VerifyOptionsFile("OPTIONS-000001", text, file);
    EXPECT_TRUE(s.ok()) << s.ToString() << " seed " << seed;
    EXPECT_EQ(file.families[1].name, Parse(text).families[1].name);
  }
}

// What is empty is left out where it is so by default.
TEST(OptionsFileTest, AnEmptyValueComesBackWhereTheDefaultHasOne) {
  OptionsFile file = FileWith("max_bytes_for_level_multiplier_additional=");
  file.db.db_host_id = "";
  const std::string text = PrintOptionsFile(file);
  EXPECT_NE(text.find("\n  db_host_id=\n"), std::string::npos);
  EXPECT_NE(text.find("\n  max_bytes_for_level_multiplier_additional=\n"),
            std::string::npos);
  EXPECT_EQ(text.find("\n  wal_dir="), std::string::npos);
  const Status s = VerifyOptionsFile("OPTIONS-000001", text, file);
  EXPECT_TRUE(s.ok()) << s.ToString();
}

// Every prefix of a file, and every byte changed: a status, never a crash.
TEST(OptionsFileTest, DamagedFilesAreHandled) {
  const std::string text = Sample("r119_one_cf");
  Random64 random(3);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    if (i % 3 == 0) {
      damaged.resize(random.Uniform(damaged.size()));
    } else {
      damaged[random.Uniform(damaged.size())] =
          static_cast<char>(random.Uniform(256));
    }
    OptionsFile file;
    const Status s = ParseOptionsFile(ConfigOptions(), "f", damaged, &file);
    EXPECT_TRUE(s.ok() || s.IsInvalidArgument() || s.IsCorruption() ||
                s.IsNotSupported())
        << s.ToString();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
