// OPTIONS files of RocksDB releases are read and written alike, random options
// come back, and damaged files give a status that names the line.
#include "options/options_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "options/column_family_rows.h"
#include "options/db_options.h"
#include "options/print.h"
#include "options/random_options.h"
#include "options/sanitize.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/table.h"

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

const BlockBasedTableOptions& TableOf(const NamedFamily& family) {
  return *family.options.table_factory->GetOptions<BlockBasedTableOptions>();
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

TEST(OptionsFileTest, ValuesArriveWhereTheyBelong) {
  const OptionsFile file = Parse(Sample("r119_universal"));
  EXPECT_EQ((std::vector<int>{11, 9, 0}), file.rocksdb_version);
  EXPECT_TRUE(file.db.create_if_missing);
  ASSERT_EQ(2u, file.families.size());
  EXPECT_EQ("default", file.families[0].name);
  EXPECT_EQ("second cf", file.families[1].name);
  const ColumnFamilyOptions& cf = file.families[1].options;
  EXPECT_EQ(kCompactionStyleUniversal, cf.compaction_style);
  EXPECT_EQ(10, cf.num_levels);
  EXPECT_EQ(262144u, cf.write_buffer_size);
  EXPECT_EQ(2592000u, cf.periodic_compaction_seconds);
  ASSERT_NE(nullptr, cf.merge_operator);
  EXPECT_STREQ("StringAppendOperator", cf.merge_operator->Name());
  EXPECT_EQ(7u, TableOf(file.families[1]).format_version);

  const OptionsFile older = Parse(Sample("r783_one_cf"));
  ASSERT_EQ(older.families.size(), 1u);
  EXPECT_EQ(older.families[0].options.merge_operator->Name(),
            std::string("StringAppendOperator"));
  EXPECT_EQ(older.families[0].options.compression, kNoCompression);
  const OptionsFile prefix = Parse(Sample("r78_bloom_prefix"));
  EXPECT_EQ("rocksdb.FixedPrefix.12",
            prefix.families[0].options.prefix_extractor->GetId());
  const OptionsFile reverse = Parse(Sample("r78_reverse"));
  EXPECT_EQ(ReverseBytewiseComparator(),
            reverse.families[0].options.comparator);
  const OptionsFile dictionary = Parse(Sample("r119_zstd_dict"));
  EXPECT_EQ(4096u,
            dictionary.families[0].options.compression_opts.max_dict_bytes);
  const OptionsFile aligned = Parse(Sample("r119_superblock"));
  EXPECT_EQ(16384u, TableOf(aligned.families[0]).super_block_alignment_size);
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

class OddlyNamedOperator : public MergeOperator {
 public:
  explicit OddlyNamedOperator(const char* name) : name_(name) {}
  const char* Name() const override { return name_; }

 private:
  const char* name_;
};

// The application's own objects need not be known here, nor well named.
TEST(OptionsFileTest, ForeignObjectsDoNotStopAFile) {
  for (const char* name :
       {"mine", "a#b", "a=b", "a;b", "a:b", "a\\b", "{a}", "a}b", " a ", ""}) {
    OptionsFile file;
    file.families.push_back({"default", ColumnFamilyOptions(), {}});
    file.families[0].options.merge_operator =
        std::make_shared<OddlyNamedOperator>(name);
    const Status s =
        VerifyOptionsFile("OPTIONS-000001", PrintOptionsFile(file), file);
    EXPECT_TRUE(s.ok()) << name << " gave " << s.ToString();
  }
}

TEST(OptionsFileTest, AWrongValueInTheFileIsNoticed) {
  OptionsFile file;
  file.families.push_back({"default", ColumnFamilyOptions(), {}});
  std::string text = PrintOptionsFile(file);
  ASSERT_TRUE(VerifyOptionsFile("OPTIONS-000001", text, file).ok());
  const size_t at = text.find("num_levels=7");
  ASSERT_NE(std::string::npos, at);
  text.replace(at, 12, "num_levels=6");
  const Status s = VerifyOptionsFile("OPTIONS-000001", text, file);
  EXPECT_TRUE(s.IsInvalidArgument());
  EXPECT_NE(std::string::npos, s.ToString().find("num_levels"));
}

constexpr char kVersion[] =
    "[Version]\nrocksdb_version=11.9.0\noptions_file_version=1.1\n";

TEST(OptionsFileTest, CommentsEscapesAndDuplicates) {
  const OptionsFile file = Parse(std::string(kVersion) +
                                 "  [DBOptions]  # the database\n"
                                 "max_open_files = 5 # not 6\n"
                                 "max_open_files=7\n"
                                 "wal_dir=/a\\#b\n"
                                 "\n[CFOptions \"default\"]\nnum_levels=3\n"
                                 "[CFOptions \"x\\\"y\"]\n");
  EXPECT_EQ(5, file.db.max_open_files);
  EXPECT_EQ("/a#b", file.db.wal_dir);
  EXPECT_EQ(3, file.families[0].options.num_levels);
  EXPECT_EQ("x\"y", file.families[1].name);
}

TEST(OptionsFileTest, BadFilesNameTheLine) {
  const std::string v = kVersion;
  const struct {
    std::string text;
    const char* message;
  } cases[] = {
      {"", "needs [Version]"},
      {"a=1\n", "OPTIONS:1"},
      {"[DBOptions]\n", "OPTIONS:1: [Version] must be"},
      {"[Version]\nrocksdb_version=x\n", "OPTIONS:1: bad version"},
      {"[Version]\nrocksdb_version=1.2.3.4\n", "bad version"},
      {"[Version]\nrocksdb_version=1.2\n", "options_file_version"},
      {"[Version]\noptions_file_version=1.1\n", "no rocksdb_version"},
      {"[Version]\nrocksdb_version=1\noptions_file_version=0.9\n",
       "options_file_version"},
      {v + "[DBOptions]\n", "needs [Version]"},
      {v + "[DBOptions]\n[DBOptions]\n", "OPTIONS:5: a second [DBOptions]"},
      {v + "[Version]\n", "OPTIONS:4: a second [Version]"},
      {v + "[Mystery]\n", "unknown section: Mystery"},
      {v + "[DBOptions\n", "without ']'"},
      {v + "[CFOptions \"default]\n", "argument without end"},
      {v + "[CFOptions \"other\"]\n", "must be default"},
      {v + "[CFOptions \"default\"]\n[CFOptions \"default\"]\n",
       "a second section"},
      {v + "[TableOptions/BlockBasedTable \"default\"]\n", "unknown family"},
      {v + "[DBOptions]\nno equals sign\n", "OPTIONS:5"},
      {v + "[DBOptions]\n=5\n", "OPTIONS:5"},
      {v + "[DBOptions]\nmax_open_files=many\n", "max_open_files=many"},
      {v + "[DBOptions]\nunheard_of=1\n", "unheard_of"},
  };
  for (const auto& c : cases) {
    OptionsFile file;
    file.db.max_open_files = 4321;
    const Status s =
        ParseOptionsFile(ConfigOptions(), "OPTIONS", c.text, &file);
    EXPECT_FALSE(s.ok()) << c.text;
    EXPECT_NE(std::string::npos, s.ToString().find(c.message))
        << s.ToString() << " for\n"
        << c.text;
    EXPECT_EQ(4321, file.db.max_open_files);
  }
}

TEST(OptionsFileTest, UnknownNamesAreIgnoredIfThatIsAskedFor) {
  ConfigOptions config;
  config.ignore_unknown_options = true;
  OptionsFile file;
  const auto text = [](const std::string& version) {
    return "[Version]\nrocksdb_version=" + version +
           "\noptions_file_version=1.1\n[DBOptions]\nunheard_of=1\n"
           "[CFOptions \"default\"]\n";
  };
  EXPECT_TRUE(ParseOptionsFile(config, "f", text("99.0.0"), &file).ok());
  EXPECT_TRUE(ParseOptionsFile(config, "f", text("7.8.3"), &file).ok());
  config.ignore_unknown_options = false;
  EXPECT_FALSE(ParseOptionsFile(config, "f", text("7.8.3"), &file).ok());
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

TEST(CompareOptionsTest, Levels) {
  OptionsFile a;
  a.families.push_back({"default", ColumnFamilyOptions(), {}});
  OptionsFile b = a;
  b.families[0].options.write_buffer_size = 1 << 20;
  ConfigOptions config;
  EXPECT_FALSE(CompareOptions(config, a, b).ok());
  config.sanity_level = ConfigOptions::kSanityLevelLooselyCompatible;
  EXPECT_TRUE(CompareOptions(config, a, b).ok());
  b.families[0].options.comparator = ReverseBytewiseComparator();
  EXPECT_FALSE(CompareOptions(config, a, b).ok());
  config.sanity_level = ConfigOptions::kSanityLevelNone;
  EXPECT_TRUE(CompareOptions(config, a, b).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
