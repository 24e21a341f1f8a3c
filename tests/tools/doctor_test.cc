// ldb doctor over databases that are damaged here, in each way that a part of
// them can be: it names the damage and changes nothing, and what it recommends
// mends the database and loses no more than it said.
//
// Each case damages a copy of one of two databases, whose writes are known one
// by one: write n has sequence number n.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "file/filename.h"
#include "rocksdb/db.h"
#include "rocksdb/ldb_tool.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/testing/scale.h"
#include "tests/testing/temp_dir.h"
#include "tests/tools/program.h"
#include "tools/ldb/doctor/examination.h"
#include "tools/ldb/doctor/ways_out.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using ::testing::HasSubstr;

// One Put or Delete; its place in the list is its sequence number, less one.
struct Write {
  std::string family;
  std::string key;
  std::optional<std::string> value;  // absent: a deletion
};

std::string BytesOfFile(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

void Replace(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

// All but LOCK, which holds nothing.
std::map<std::string, std::string> BytesOfFiles(const std::string& directory) {
  std::map<std::string, std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.is_regular_file() && entry.path().filename() != "LOCK") {
      contents[entry.path().filename()] = BytesOfFile(entry.path());
    }
  }
  return contents;
}

// A database and what was written to it.
class KnownDatabase {
 public:
  explicit KnownDatabase(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  const std::vector<Write>& writes() const { return writes_; }
  const std::vector<std::string>& families() const { return names_; }

  void Open(const Options& options, const std::vector<std::string>& names) {
    names_ = names;
    Options first = options;
    first.create_if_missing = true;
    first.create_missing_column_families = true;
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) families.emplace_back(name, options);
    ASSERT_TRUE(DB::Open(first, path_, families, &handles_, &db_).ok());
  }
  void Put(size_t family, const std::string& key, const std::string& value) {
    ASSERT_TRUE(db_->Put(WriteOptions(), handles_[family], key, value).ok());
    writes_.push_back({names_[family], key, value});
    ASSERT_EQ(writes_.size(), db_->GetLatestSequenceNumber());
  }
  void Delete(size_t family, const std::string& key) {
    ASSERT_TRUE(db_->Delete(WriteOptions(), handles_[family], key).ok());
    writes_.push_back({names_[family], key, std::nullopt});
  }
  void PutMany(size_t family, int first, int count, const std::string& value) {
    for (int i = first; i < first + count; ++i) {
      Put(family, "key" + std::to_string(1000 + i),
          value + std::to_string(i) + std::string(40, '.'));
    }
  }
  void Flush(size_t family) {
    ASSERT_TRUE(db_->Flush(FlushOptions(), handles_[family]).ok());
  }
  void Compact(size_t family) {
    ASSERT_TRUE(db_->CompactRange(CompactRangeOptions(), handles_[family],
                                  nullptr, nullptr)
                    .ok());
  }
  void Close() {
    for (ColumnFamilyHandle* handle : handles_) {
      ASSERT_TRUE(db_->DestroyColumnFamilyHandle(handle).ok());
    }
    ASSERT_TRUE(db_->Close().ok());
    db_.reset();
  }

 private:
  const std::string path_;
  std::vector<std::string> names_;
  std::vector<Write> writes_;
  std::vector<ColumnFamilyHandle*> handles_;
  std::unique_ptr<DB> db_;
};

// Where a file is damaged, and how.
struct Damage {
  const char* name;
  std::function<void(const std::string& path)> inflict;
};

Damage Flip(const char* name, double place) {
  return {name, [place](const std::string& path) {
            std::string bytes = BytesOfFile(path);
            if (bytes.empty()) return;
            const auto at =
                static_cast<size_t>(place * static_cast<double>(bytes.size()));
            char& byte = bytes[std::min(at, bytes.size() - 1)];
            byte = static_cast<char>(byte ^ 0x55);
            Replace(path, bytes);
          }};
}

Damage Cut(const char* name, double share) {
  return {name, [share](const std::string& path) {
            const std::string bytes = BytesOfFile(path);
            const auto kept =
                static_cast<size_t>(share * static_cast<double>(bytes.size()));
            Replace(path, bytes.substr(0, std::min(kept, bytes.size() - 1)));
          }};
}

const Damage kRemove{
    "removed", [](const std::string& path) { std::filesystem::remove(path); }};
const Damage kEmpty{"emptied",
                    [](const std::string& path) { Replace(path, ""); }};
const Damage kGarbage{"garbage", [](const std::string& path) {
                        Replace(path, "this is no file of a database\n");
                      }};
const Damage kLonger{"longer", [](const std::string& path) {
                       Replace(path, BytesOfFile(path) + "more bytes");
                     }};
const Damage kZeros{"zeros", [](const std::string& path) {
                      std::string bytes = BytesOfFile(path);
                      const size_t begin = bytes.size() / 3;
                      bytes.replace(begin, bytes.size() / 3, bytes.size() / 3,
                                    '\0');
                      Replace(path, bytes);
                    }};

int RunLdb(const std::string& command) {
  std::vector<std::string> words;
  std::istringstream stream(command);
  for (std::string word; stream >> word;) words.push_back(word);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const int code = LDBTool().RunAndReturn(static_cast<int>(argv.size()),
                                          argv.data(), Options(), LDBOptions());
  ::testing::internal::GetCapturedStdout();
  const std::string errors = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(0, code) << command << ": " << errors;
  return code;
}

class DoctorTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir_ = std::make_unique<TempDir>("doctor");
    MakePlain();
    MakeRich();
  }
  static void TearDownTestSuite() {
    plain_.reset();
    rich_.reset();
    dir_.reset();
  }

  // One family: tables on two levels, deletions, writes in a log.
  static void MakePlain() {
    plain_ = std::make_unique<KnownDatabase>(dir_->File("plain"));
    Options options;
    options.disable_auto_compactions = true;
    plain_->Open(options, {"default"});
    plain_->PutMany(0, 0, 40, "old");
    plain_->Flush(0);
    plain_->PutMany(0, 40, 40, "old");
    plain_->Compact(0);
    plain_->PutMany(0, 20, 30, "new");
    plain_->Delete(0, "key1003");
    plain_->Flush(0);
    plain_->PutMany(0, 60, 30, "newer");
    plain_->Flush(0);
    plain_->PutMany(0, 10, 25, "logged");
    plain_->Delete(0, "key1070");
    plain_->Close();
  }

  // Two families, one with blob files, and two logs that are needed.
  static void MakeRich() {
    rich_ = std::make_unique<KnownDatabase>(dir_->File("rich"));
    Options options;
    options.disable_auto_compactions = true;
    options.enable_blob_files = true;
    options.min_blob_size = 16;
    rich_->Open(options, {"default", "blobs"});
    rich_->PutMany(1, 0, 20, "blob");
    rich_->Flush(1);
    rich_->PutMany(1, 10, 20, "newer_blob");
    rich_->PutMany(0, 0, 20, "first_log");
    rich_->Flush(1);
    rich_->PutMany(0, 10, 20, "second_log");
    rich_->PutMany(1, 25, 10, "logged_blob");
    rich_->Close();
  }

  // A copy that can be spoiled.
  void Copy(const KnownDatabase& source) {
    known_ = &source;
    path_ = dir_->File("spoiled");
    std::filesystem::remove_all(path_);
    std::filesystem::copy(source.path(), path_);
  }
  // The n-th file of a kind, by number.
  std::string FileOf(FileType kind, size_t n = 0) {
    std::map<uint64_t, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      uint64_t number = 0;
      FileType type = kTempFile;
      const std::string name = entry.path().filename();
      if (ParseFileName(name, &number, &type) && type == kind) {
        files[number] = entry.path();
      }
    }
    EXPECT_LT(n, files.size());
    if (n >= files.size()) return "";
    return std::next(files.begin(), static_cast<std::ptrdiff_t>(n))->second;
  }

  Health Look() {
    const auto before = BytesOfFiles(path_);
    Examination request;
    request.db_path = path_;
    request.env = Env::Default();
    request.reads_all = true;
    Health health;
    const Status s = Examine(request, &health);
    EXPECT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(before, BytesOfFiles(path_))
        << "the examination changed something";
    return health;
  }

  static std::string TextOf(const Health& health) {
    std::string text;
    for (const Finding& finding : health.findings) {
      text += finding.path + ": " + finding.text + "\n";
    }
    for (const WayOut& way : WaysOut(health)) {
      text += way.name + ":";
      for (const std::string& command : way.commands) text += " " + command;
      for (const Loss& loss : way.losses) text += "\n  loses " + loss.what;
      text += "\n";
    }
    return text;
  }

  static bool IsCovered(const Write& write, SequenceNumber sequence,
                        const std::vector<Loss>& losses) {
    for (const Loss& loss : losses) {
      if (loss.family.has_value() && *loss.family != write.family) continue;
      if (loss.keys.has_value() &&
          (write.key < loss.keys->smallest || write.key > loss.keys->largest)) {
        continue;
      }
      if (sequence >= loss.first_sequence && sequence <= loss.last_sequence) {
        return true;
      }
    }
    return false;
  }

  // What became of all writes: those that are gone were said to be.
  void ExpectNoMoreLost(const std::vector<Loss>& losses) {
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : known_->families()) {
      families.emplace_back(name, ColumnFamilyOptions());
    }
    std::vector<ColumnFamilyHandle*> handles;
    std::unique_ptr<DB> db;
    Options options;
    options.create_missing_column_families = true;
    const Status opened = DB::Open(options, path_, families, &handles, &db);
    ASSERT_TRUE(opened.ok()) << opened.ToString();
    for (ColumnFamilyHandle* handle : handles) {
      CheckFamily(db.get(), handle, losses);
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
    EXPECT_TRUE(db->Close().ok());
  }

  void CheckFamily(DB* db, ColumnFamilyHandle* handle,
                   const std::vector<Loss>& losses) {
    std::map<std::string, std::vector<size_t>> by_key;  // places of writes
    for (size_t i = 0; i < known_->writes().size(); ++i) {
      const Write& write = known_->writes()[i];
      if (write.family == handle->GetName()) by_key[write.key].push_back(i);
    }
    for (const auto& [key, places] : by_key) {
      std::string value;
      const Status s = db->Get(ReadOptions(), handle, key, &value);
      // Back to the write that the answer is of; all later ones are lost.
      for (auto place = places.rbegin(); place != places.rend(); ++place) {
        const Write& write = known_->writes()[*place];
        if (s.ok() && write.value == value) break;
        if (s.IsNotFound() && !write.value.has_value()) break;
        EXPECT_TRUE(IsCovered(write, *place + 1, losses))
            << "write " << *place + 1 << " of " << key << " in family "
            << write.family << " is lost: " << s.ToString();
      }
    }
  }

  // The whole of a case, once the copy is damaged.
  void Treat(std::optional<DamagedPart> expected) {
    const Health health = Look();
    SCOPED_TRACE(TextOf(health));
    EXPECT_EQ(expected.has_value(), health.IsDamaged());
    if (expected.has_value()) {
      EXPECT_TRUE(health.IsDamaged(*expected));
    }
    const std::vector<WayOut> ways = WaysOut(health);
    ASSERT_EQ(health.IsDamaged(), !ways.empty());
    // Half a record at the end of a log is no damage, but gone all the same.
    std::vector<Loss> losses =
        LossesOfLogs(health, WALRecoveryMode::kPointInTimeRecovery);
    if (!ways.empty()) {
      losses = ways[0].losses;
      for (const std::string& command : ways[0].commands) CarryOut(command);
      const Health after = Look();
      EXPECT_FALSE(after.IsDamaged()) << "afterwards:\n" << TextOf(after);
    }
    ExpectNoMoreLost(losses);
  }

  static void CarryOut(const std::string& command) {
    if (command.rfind("ldb ", 0) == 0) {
      RunLdb(command);
    } else {
      EXPECT_EQ(0, std::system(command.c_str())) << command;
    }
  }

  // Each kind of damage to the n-th file of a kind.
  void TreatEach(const KnownDatabase& source, FileType kind, size_t n,
                 std::optional<DamagedPart> expected,
                 const std::vector<Damage>& damages) {
    for (const Damage& damage : damages) {
      // Sanitizers take every second one.
      if (++case_count_ % std::min<uint64_t>(TestShare(), 2) != 0) continue;
      Copy(source);
      const std::string file = FileOf(kind, n);
      SCOPED_TRACE(file + " " + damage.name);
      damage.inflict(file);
      Treat(expected);
    }
  }

  static inline uint64_t case_count_ = 0;
  static std::unique_ptr<TempDir> dir_;
  static std::unique_ptr<KnownDatabase> plain_;
  static std::unique_ptr<KnownDatabase> rich_;
  const KnownDatabase* known_ = nullptr;
  std::string path_;
};

std::unique_ptr<TempDir> DoctorTest::dir_;
std::unique_ptr<KnownDatabase> DoctorTest::plain_;
std::unique_ptr<KnownDatabase> DoctorTest::rich_;

TEST_F(DoctorTest, HealthyDatabases) {
  for (const KnownDatabase* source : {plain_.get(), rich_.get()}) {
    Copy(*source);
    Treat(std::nullopt);
  }
}

TEST_F(DoctorTest, Current) {
  TreatEach(*plain_, kCurrentFile, 0, DamagedPart::kCurrent,
            {kRemove, kEmpty, kGarbage, kLonger, Cut("half", 0.5),
             Cut("without its end", 1.0), Flip("flipped", 0.8)});
  TreatEach(*rich_, kCurrentFile, 0, DamagedPart::kCurrent, {kRemove, kEmpty});
}

TEST_F(DoctorTest, Manifest) {
  TreatEach(*plain_, kDescriptorFile, 0, DamagedPart::kManifest,
            {kRemove, kEmpty, kGarbage, kZeros, Flip("flipped early", 0.1),
             Flip("flipped", 0.5), Flip("flipped late", 0.9)});
  TreatEach(*rich_, kDescriptorFile, 0, DamagedPart::kManifest,
            {kRemove, kEmpty, kGarbage, Flip("flipped", 0.5)});
}

// A manifest that lost its end tells of an older state.
TEST_F(DoctorTest, ManifestWithoutItsEnd) {
  TreatEach(
      *plain_, kDescriptorFile, 0, DamagedPart::kManifest,
      {Cut("without its end", 1.0), Cut("cut late", 0.9), Cut("half", 0.5)});
}

// The inputs are gone that it lists, and it does not list what came of them.
TEST_F(DoctorTest, ManifestWithoutItsLastCompaction) {
  KnownDatabase database(dir_->File("compacted"));
  Options options;
  options.disable_auto_compactions = true;
  database.Open(options, {"default"});
  database.PutMany(0, 0, 20, "old");
  database.Flush(0);
  database.PutMany(0, 10, 30, "new");
  database.Flush(0);
  database.Compact(0);
  database.Close();
  Copy(database);
  Cut("without its end", 1.0).inflict(FileOf(kDescriptorFile));
  Treat(DamagedPart::kTable);
  Copy(database);
  Cut("without its end", 1.0).inflict(FileOf(kDescriptorFile));
  const ProgramResult words = RunProgram("ldb", {"--db=" + path_, "doctor"});
  EXPECT_THAT(words.output, HasSubstr("Recommended: repair"));
  EXPECT_THAT(words.output, HasSubstr("the word on which tables count"));
}

TEST_F(DoctorTest, OptionsFile) {
  TreatEach(*plain_, kOptionsFile, 0, DamagedPart::kOptions,
            {kEmpty, kGarbage, kLonger, Cut("half", 0.5)});
  TreatEach(*plain_, kOptionsFile, 0, std::nullopt, {kRemove});
}

TEST_F(DoctorTest, OnlyLog) {
  TreatEach(*plain_, kWalFile, 0, DamagedPart::kLog,
            {Flip("flipped at its begin", 0.0), Flip("flipped early", 0.2),
             Flip("flipped", 0.5), Flip("flipped late", 0.9)});
  // What looks like the half record of a crash.
  TreatEach(*plain_, kWalFile, 0, std::nullopt,
            {kGarbage, kLonger, Cut("cut late", 0.9), Cut("half", 0.5)});
}

TEST_F(DoctorTest, FirstOfTwoLogs) {
  TreatEach(*rich_, kWalFile, 0, DamagedPart::kLog,
            {kGarbage, Flip("flipped early", 0.2), Flip("flipped", 0.5),
             Cut("half", 0.5)});
}

TEST_F(DoctorTest, Table) {
  TreatEach(
      *plain_, kTableFile, 0, DamagedPart::kTable,
      {kRemove, kEmpty, kGarbage, kLonger, kZeros, Cut("without its end", 1.0),
       Cut("half", 0.5), Flip("flipped early", 0.1), Flip("flipped", 0.5),
       Flip("flipped footer", 0.999)});
  TreatEach(*plain_, kTableFile, 1, DamagedPart::kTable,
            {kRemove, Cut("half", 0.5), Flip("flipped", 0.3)});
  TreatEach(*rich_, kTableFile, 0, DamagedPart::kTable, {kRemove, kEmpty});
}

TEST_F(DoctorTest, BlobFile) {
  TreatEach(*rich_, kBlobFile, 0, DamagedPart::kBlobFile,
            {kRemove, kEmpty, kGarbage, kLonger, Cut("half", 0.5),
             Flip("flipped header", 0.0), Flip("flipped footer", 0.999)});
  TreatEach(*rich_, kBlobFile, 1, DamagedPart::kBlobFile, {kRemove});
}

// A blob file that is whole but for a value, or for what nothing refers to.
TEST_F(DoctorTest, ValueInABlobFile) {
  TreatEach(*rich_, kBlobFile, 0, DamagedPart::kBlobValue,
            {Flip("flipped early", 0.1), Flip("flipped", 0.33),
             Flip("flipped header of a value", 0.41)});
  TreatEach(*rich_, kBlobFile, 1, DamagedPart::kBlobValue,
            {Flip("flipped", 0.5)});
}

TEST_F(DoctorTest, ValuesAreNamedOneByOne) {
  Copy(*rich_);
  Flip("", 0.33).inflict(FileOf(kBlobFile));
  const Health health = Look();
  ASSERT_EQ(1U, health.bad_values.size()) << TextOf(health);
  const BadValue& value = health.bad_values[0];
  EXPECT_EQ("blobs", value.family);
  EXPECT_EQ("key1006", value.key);
  EXPECT_EQ(7U, value.sequence);
  EXPECT_EQ(1U, health.bad_value_count);
  const std::vector<WayOut> ways = WaysOut(health);
  ASSERT_EQ(1U, ways.size());
  EXPECT_THAT(ways[0].commands,
              ::testing::ElementsAre(
                  "ldb --db=" + path_ +
                      " delete --hex 0x6B657931303036 --column_family=blobs",
                  "ldb --db=" + path_ + " compact --column_family=blobs"));
  // Only a look at all data sees it.
  Health shallow;
  Examination request;
  request.db_path = path_;
  request.env = Env::Default();
  ASSERT_TRUE(Examine(request, &shallow).ok());
  EXPECT_FALSE(shallow.IsDamaged());
}

// No table refers to the record that is damaged: nothing is lost.
TEST_F(DoctorTest, GarbageInABlobFileIsNoDamage) {
  KnownDatabase database(dir_->File("garbage"));
  Options options;
  options.disable_auto_compactions = true;
  options.enable_blob_files = true;
  options.min_blob_size = 16;
  database.Open(options, {"default"});
  database.PutMany(0, 0, 20, "old");
  database.Flush(0);
  database.PutMany(0, 0, 10, "new");
  database.Compact(0);
  database.Close();
  Copy(database);
  Flip("in a value that was overwritten", 0.2).inflict(FileOf(kBlobFile));
  Treat(std::nullopt);
  Copy(database);
  Flip("in one that is there", 0.7).inflict(FileOf(kBlobFile));
  Treat(DamagedPart::kBlobValue);
}

TEST_F(DoctorTest, SeveralAtOnce) {
  struct Pair {
    FileType first, second;
    Damage damage;
    DamagedPart part;
  };
  for (const Pair& pair : std::vector<Pair>{
           {kCurrentFile, kTableFile, kRemove, DamagedPart::kTable},
           {kCurrentFile, kWalFile, Flip("flipped", 0.5), DamagedPart::kLog},
           {kCurrentFile, kOptionsFile, kEmpty, DamagedPart::kOptions},
           {kDescriptorFile, kTableFile, kEmpty, DamagedPart::kManifest},
           {kDescriptorFile, kWalFile, Flip("flipped", 0.4),
            DamagedPart::kManifest},
           {kOptionsFile, kTableFile, kGarbage, DamagedPart::kTable},
           {kTableFile, kWalFile, Flip("flipped", 0.5), DamagedPart::kLog},
           {kTableFile, kWalFile, kRemove, DamagedPart::kTable}}) {
    Copy(*plain_);
    SCOPED_TRACE(FileOf(pair.first) + ", " + FileOf(pair.second) + " " +
                 pair.damage.name);
    pair.damage.inflict(FileOf(pair.first));
    pair.damage.inflict(FileOf(pair.second));
    // A log that is gone leaves no trace: what was in it is out of the bound.
    if (pair.damage.name == kRemove.name && pair.second == kWalFile) {
      EXPECT_TRUE(Look().IsDamaged(pair.part));
      continue;
    }
    Treat(pair.part);
  }
}

TEST_F(DoctorTest, LeftOversAreNoDamage) {
  Copy(*plain_);
  std::filesystem::copy(FileOf(kTableFile), path_ + "/000999.sst");
  Replace(path_ + "/000998.dbtmp", "half");
  std::filesystem::remove(path_ + "/IDENTITY");
  Treat(std::nullopt);
}

TEST_F(DoctorTest, TellsInWordsAndInJson) {
  Copy(*plain_);
  const std::string table = FileOf(kTableFile);
  kRemove.inflict(table);
  const ProgramResult words = RunProgram("ldb", {"--db=" + path_, "doctor"});
  EXPECT_EQ(1, words.status);
  EXPECT_THAT(words.output, HasSubstr(table + "\n    It is missing."));
  EXPECT_THAT(
      words.output,
      HasSubstr("Recommended: repair\n    ldb --db=" + path_ + " repair\n"));
  EXPECT_THAT(words.output, HasSubstr("Or: drop the damaged tables"));
  const ProgramResult json =
      RunProgram("ldb", {"--db=" + path_, "doctor", "--json"});
  EXPECT_EQ(1, json.status);
  EXPECT_THAT(json.output, HasSubstr("\"part\": \"table\""));
  EXPECT_THAT(json.output, HasSubstr("\"is_recommended\": true"));
  EXPECT_THAT(json.output, HasSubstr("\"is_damaged\": true"));
  Copy(*plain_);
  const ProgramResult healthy = RunProgram("ldb", {"--db=" + path_, "doctor"});
  EXPECT_EQ(0, healthy.status);
  EXPECT_THAT(healthy.output, HasSubstr("Nothing is wrong."));
  const ProgramResult nothing =
      RunProgram("ldb", {"--db=" + path_ + "/lost", "doctor"});
  EXPECT_EQ(1, nothing.status);
}

TEST_F(DoctorTest, RecoverChangesNothingWithoutForce) {
  Copy(*plain_);
  Flip("flipped", 0.5).inflict(FileOf(kWalFile));
  const auto before = BytesOfFiles(path_);
  for (const char* way :
       {"--wal_recovery_mode=point_in_time",
        "--wal_recovery_mode=skip_any_corrupted_records", "--best_efforts"}) {
    const ProgramResult refused =
        RunProgram("ldb", {"--db=" + path_, "recover", way});
    EXPECT_EQ(1, refused.status) << way;
    EXPECT_THAT(refused.output, HasSubstr("Loses at most"));
    EXPECT_THAT(refused.errors, HasSubstr("--force"));
    EXPECT_EQ(before, BytesOfFiles(path_)) << way;
  }
  const ProgramResult bad = RunProgram(
      "ldb", {"--db=" + path_, "recover", "--wal_recovery_mode=any"});
  EXPECT_EQ(1, bad.status);
  EXPECT_THAT(bad.errors, HasSubstr("point_in_time"));
}

// The database's own mode drops what is behind the damage: it may not find the
// damaged log again.
TEST_F(DoctorTest, SkippingKeepsWhatIsBehindTheDamage) {
  KnownDatabase database(dir_->File("kept_logs"));
  Options options;
  options.avoid_flush_during_recovery = true;
  database.Open(options, {"default"});
  database.PutMany(0, 0, 2000, "v");
  database.Close();
  Copy(database);
  Flip("", 0.3).inflict(FileOf(kWalFile));
  const Health health = Look();
  const std::vector<Loss> losses =
      LossesOfLogs(health, WALRecoveryMode::kSkipAnyCorruptedRecords);
  SCOPED_TRACE(TextOf(health));
  RunLdb("ldb --db=" + path_ +
         " recover --wal_recovery_mode=skip_any_corrupted_records --force");
  // The options that stay are the database's own.
  DBOptions own;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_TRUE(LoadLatestOptions(ConfigOptions(), path_, &own, &families).ok());
  EXPECT_TRUE(own.avoid_flush_during_recovery);
  EXPECT_EQ(WALRecoveryMode::kPointInTimeRecovery, own.wal_recovery_mode);
  ExpectNoMoreLost(losses);
}

TEST_F(DoctorTest, SaysWhoHasTheDatabaseOpen) {
  Copy(*plain_);
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(Options(), path_, &db).ok());
  // What the opening has left to do is done.
  WaitForCompactOptions all;
  all.wait_for_purge = true;
  ASSERT_TRUE(db->WaitForCompact(all).ok());
  EXPECT_EQ(std::to_string(getpid()), Look().lock_owner);
  // It has kept the lock: another process does not get it.
  EXPECT_EQ(1, RunProgram("ldb", {"--db=" + path_, "put", "a", "b"}).status);
  ASSERT_TRUE(db->Close().ok());
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
