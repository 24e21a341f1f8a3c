// What is looked at before a write: runs intake/write_checks.txt.
//
//   checks [db:OPTIONS] [family:OPTIONS]   a database with these, "a=1;b=2";
//       then steps:
//     family NAME OPTIONS   another family, with these on top
//     drop NAME             and no more
//     write WORD..          writes are sync, without_log, at priority:low, mid,
//         high or user, with protection:BYTES; "-" is none
//     form UPDATES          what is said of a batch whatever the families are,
//     check UPDATES         and of its families
//     bytes UPDATES | HOW   what is said of bytes that are as_they_are, cut,
//         short or miscounted
//   UPDATES are key=value, key+operand, first-end (a range that is deleted),
//   each of the default family, of NAME/.., or of the family with no name that
//   is #77; a key^5 has the timestamp 5. "log:text" is not an update.
#include "db/intake/write_checks.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/table.h"
#include "tests/db/intake/intake_world.h"
#include "tests/testing/script.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class WriteChecksScript {
 public:
  explicit WriteChecksScript(const ScriptWords& command) {
    EXPECT_EQ(command.verb(), "checks");
    ConfigOptions config;
    const DBOptions db = world_.f.db_options;
    EXPECT_TRUE(GetDBOptionsFromString(config, db, command.Text("db", ""),
                                       &world_.f.db_options)
                    .ok());
    world_.f.family = FamilyWith(command.Text("family", ""));
    world_.Open();
    checks_.emplace(world_.mutex, world_.versions());
    checks_->NoteFamily(world_.default_family);
  }

  // Empty: the step has no answer.
  std::string Step(const std::string& line) {
    std::istringstream words(line);
    std::string verb, name, text;
    words >> verb;
    if (verb == "family") {
      words >> name >> text;
      families_[name] = world_.Add(name, FamilyWith(text));
      checks_->NoteFamily(families_[name]);
      ids_[name] = families_[name]->id();
      return "";
    }
    if (verb == "drop") {
      words >> name;
      return world_.Drop(families_.at(name)), "";
    }
    if (verb == "write") return SetOptions(line), "";
    if (verb == "bytes") return CheckBytes(&words);
    const WriteBatch batch = BatchOf(&words);
    if (verb == "form") return CheckForm(batch);
    EXPECT_EQ(verb, "check");
    return checks_->Check(options_, batch).ToString();
  }

 private:
  ColumnFamilyOptions FamilyWith(const std::string& text) {
    ColumnFamilyOptions options = world_.f.family;
    const Status s = GetColumnFamilyOptionsFromString(
        ConfigOptions(), world_.f.family, text == "-" ? "" : text, &options);
    EXPECT_TRUE(s.ok()) << s.ToString();
    return options;
  }
  void SetOptions(const std::string& line) {
    const ScriptWords words(line);
    options_ = WriteOptions();
    options_.sync = words.HasWord("sync");
    options_.disableWAL = words.HasWord("without_log");
    options_.protection_bytes_per_key = words.Number("protection", 0);
    static const std::map<std::string, Env::IOPriority> kPriorities = {
        {"none", Env::IO_TOTAL},
        {"low", Env::IO_LOW},
        {"mid", Env::IO_MID},
        {"high", Env::IO_HIGH},
        {"user", Env::IO_USER}};
    options_.rate_limiter_priority =
        kPriorities.at(words.Text("priority", "none"));
  }
  std::string CheckForm(const WriteBatch& batch) const {
    return WriteChecks::CheckForm(*world_.f.db, options_, batch).ToString();
  }
  // Bytes that no call of ours has put together are read once.
  std::string CheckBytes(std::istream* words) const {
    WriteBatch batch;
    std::string word, how;
    while (*words >> word && word != "|") AddUpdate(word, &batch);
    *words >> how;
    std::string bytes = batch.Data();
    if (how == "cut") bytes.pop_back();
    if (how == "short") bytes.resize(5);
    if (how == "miscounted") ++bytes[kBatchCountOffset];
    return CheckForm(WriteBatch(bytes));
  }
  WriteBatch BatchOf(std::istream* words) const {
    WriteBatch batch;
    for (std::string word; *words >> word;) AddUpdate(word, &batch);
    return batch;
  }
  // Adds an update the way WriteBatch does for a family's handle.
  void AddUpdate(const std::string& word, WriteBatch* batch) const {
    const size_t slash = word.find('/');
    const std::string family =
        slash == std::string::npos ? "" : word.substr(0, slash);
    const std::string update =
        slash == std::string::npos ? word : word.substr(slash + 1);
    if (update.starts_with("log:")) {
      EXPECT_TRUE(batch->PutLogData(update.substr(4)).ok());
      return;
    }
    const size_t at = update.find_first_of("=+-");
    ASSERT_NE(at, std::string::npos) << word;
    const ValueType type = update[at] == '='   ? kTypeValue
                           : update[at] == '+' ? kTypeMerge
                                               : kTypeRangeDeletion;
    const std::string key = StampedKey(update.substr(0, at));
    const std::string value = type == kTypeRangeDeletion
                                  ? StampedKey(update.substr(at + 1))
                                  : update.substr(at + 1);
    const Slice key_slice(key);
    const Slice value_slice(value);
    const SliceParts value_parts(&value_slice, 1);
    const Status s = WriteBatchInternal::Add(
        batch, type, IdOf(family), SliceParts(&key_slice, 1), &value_parts);
    EXPECT_TRUE(s.ok()) << s.ToString();
  }
  uint32_t IdOf(const std::string& family) const {
    if (family.empty()) return 0;
    if (family.front() != '#') return ids_.at(family);
    return static_cast<uint32_t>(std::stoul(family.substr(1)));
  }
  static std::string StampedKey(const std::string& text) {
    const size_t hat = text.find('^');
    std::string key = text.substr(0, hat);
    if (hat != std::string::npos) {
      PutFixed64(&key, std::stoull(text.substr(hat + 1)));
    }
    return key;
  }

  IntakeWorld world_;
  std::optional<WriteChecks> checks_;
  std::map<std::string, ColumnFamilyData*> families_;
  std::map<std::string, uint32_t> ids_;
  WriteOptions options_;
};

std::string RunWriteChecks(const ScriptCase& c) {
  WriteChecksScript script{ScriptWords(c.command)};
  std::string answers;
  for (const std::string& line : LinesOf(c.body)) {
    const std::string answer = script.Step(line);
    if (!answer.empty()) answers += answer + "\n";
  }
  return answers;
}

TEST(WriteChecksTest, EveryCaseOfTheScript) {
  EXPECT_GE(RunScript("intake/write_checks.txt", RunWriteChecks), 15u);
}

TEST(WriteChecksTest, ChecksumsComeWithTheWriteThatAsksForThem) {
  WriteOptions options;
  WriteBatch batch;
  ASSERT_TRUE(batch.Put("k", "v").ok());
  ASSERT_TRUE(WriteChecks::Protect(options, &batch).ok());
  EXPECT_EQ(batch.GetProtectionBytesPerKey(), 0u);
  options.protection_bytes_per_key = 8;
  ASSERT_TRUE(WriteChecks::Protect(options, &batch).ok());
  EXPECT_EQ(batch.GetProtectionBytesPerKey(), 8u);
  EXPECT_TRUE(batch.VerifyChecksum().ok());
}

// Whoever has changed the bytes since is told, if the write asks for checksums
// or not.
TEST(WriteChecksTest, ChecksumsThatABatchHasAreVerified) {
  WriteOptions options;
  WriteBatch batch(0, 0, /*protection_bytes_per_key=*/8, 0);
  ASSERT_TRUE(batch.Put("key", "value").ok());
  EXPECT_TRUE(WriteChecks::Protect(options, &batch).ok());
  const_cast<char*>(batch.Data().data())[batch.GetDataSize() - 1] ^= 1;
  EXPECT_TRUE(WriteChecks::Protect(options, &batch).IsCorruption());
  options.protection_bytes_per_key = 8;
  EXPECT_TRUE(WriteChecks::Protect(options, &batch).IsCorruption());
}

TEST(WriteChecksTest, TheDefaultFamilyTakesABatchMadeForItsTimestamps) {
  IntakeWorld world;
  world.f.family.comparator = BytewiseComparatorWithU64Ts();
  world.f.family.merge_operator = nullptr;
  world.Open();
  WriteChecks checks(world.mutex, world.versions());
  checks.NoteFamily(world.default_family);
  WriteBatch made_for_none;
  ASSERT_TRUE(made_for_none.Put("key that is long enough", "v").ok());
  EXPECT_TRUE(checks.Check(WriteOptions(), made_for_none).IsInvalidArgument());
  WriteBatch without_stamps(0, 0, 0, /*default_cf_ts_sz=*/8);
  ASSERT_TRUE(without_stamps.Put("key", "v").ok());
  EXPECT_TRUE(checks.Check(WriteOptions(), without_stamps).IsInvalidArgument());
  ASSERT_TRUE(without_stamps
                  .UpdateTimestamps(std::string(8, '\1'),
                                    [](uint32_t) { return size_t{8}; })
                  .ok());
  EXPECT_TRUE(checks.Check(WriteOptions(), without_stamps).ok());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
