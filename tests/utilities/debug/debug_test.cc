// All versions of keys that a database has:
// testdata/utilities/key_versions.txt.
//
//   versions              an empty database
//   db: STEP; STEP..      put KEY VALUE, merge KEY VALUE, delete KEY,
//                         single_delete KEY, delete_range KEY KEY, flush,
//                         snapshot (which keeps what is overwritten), and
//                         show FIRST LAST [most:N] [sequences]; "-" is no bound
#include "rocksdb/utilities/debug.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/testing/script.h"
#include "tests/testing/script_steps.h"
#include "util/builtin_merge_operators.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// KEY=VALUE of a value, KEY and its type otherwise; with :SEQUENCE.
std::string TextOfVersions(DB* db, const ScriptWords& step) {
  const std::vector<std::string>& words = step.words();
  const auto bound = [&](size_t i) {
    return words.at(i) == "-" ? OptSlice() : OptSlice(words.at(i));
  };
  std::vector<KeyVersion> versions;
  const Status s = GetAllKeyVersions(db, bound(0), bound(1),
                                     step.Number("most", 1000), &versions);
  if (!s.ok()) return s.ToString();
  std::string text;
  for (const KeyVersion& version : versions) {
    if (!text.empty()) text += " ";
    const std::string type = version.GetTypeName();
    text += version.user_key;
    text += type == "TypeValue"     ? "=" + version.value
            : version.value.empty() ? "(" + type + ")"
                                    : "(" + type + " " + version.value + ")";
    if (step.HasWord("sequences"))
      text += ":" + std::to_string(version.sequence);
  }
  return text.empty() ? "nothing" : text;
}

std::string RunVersionsCase(const ScriptCase& c) {
  EXPECT_EQ(c.command, "versions");
  const std::unique_ptr<Env> env =
      NewCompositeEnv(std::make_shared<MemFileSystem>());
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.merge_operator = NewStringAppendOperator();
  std::unique_ptr<DB> db;
  EXPECT_OK(DB::Open(options, "/db", &db));
  std::vector<const Snapshot*> snapshots;
  const auto take = [&](const std::string& who, const ScriptWords& step) {
    const WriteOptions write;
    const std::string& verb = step.verb();
    EXPECT_EQ(who, "db");
    if (verb == "flush") return db->Flush(FlushOptions()).ToString();
    if (verb == "show") return TextOfVersions(db.get(), step);
    if (verb == "snapshot") {
      snapshots.push_back(db->GetSnapshot());
      return std::string("OK");
    }
    const std::string& key = step.Word(0);
    if (verb == "delete") return db->Delete(write, key).ToString();
    if (verb == "single_delete") return db->SingleDelete(write, key).ToString();
    const std::string& value = step.Word(1);
    if (verb == "put") return db->Put(write, key, value).ToString();
    if (verb == "merge") return db->Merge(write, key, value).ToString();
    EXPECT_EQ(verb, "delete_range");
    return db->DeleteRange(write, db->DefaultColumnFamily(), key, value)
        .ToString();
  };
  const std::string text = AnswersOfSteps(c, take);
  for (const Snapshot* snapshot : snapshots) db->ReleaseSnapshot(snapshot);
  return text;
}

TEST(KeyVersionsTest, CasesOfTheScript) {
  EXPECT_GE(RunScript("utilities/key_versions.txt", RunVersionsCase), 5u)
      << "cases went missing";
}

using DebugTest = DbFixture;

TEST_F(DebugTest, ReferencesToBlobsAreNotFollowed) {
  options_.enable_blob_files = true;
  Open();
  ASSERT_OK(Put("k", std::string(100, 'v')));
  ASSERT_OK(Flush());
  std::vector<KeyVersion> versions;
  ASSERT_OK(GetAllKeyVersions(db_.get(), nullptr, nullptr, 10, &versions));
  ASSERT_EQ(1u, versions.size());
  EXPECT_EQ("TypeBlobIndex", versions[0].GetTypeName());
  EXPECT_LT(versions[0].value.size(), 100u);
}

TEST_F(DebugTest, OtherFamiliesAndTimestamps) {
  Open();
  ColumnFamilyOptions timed;
  timed.comparator = BytewiseComparatorWithU64Ts();
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(timed, "timed", &handle));
  for (const char* ts : {"\1\0\0\0\0\0\0\0", "\2\0\0\0\0\0\0\0"}) {
    ASSERT_OK(db_->Put(WriteOptions(), handle, "k", Slice(ts, 8), "v"));
  }
  std::vector<KeyVersion> versions;
  ASSERT_OK(GetAllKeyVersions(db_.get(), handle, "k", "k", 10, &versions));
  ASSERT_EQ(2u, versions.size());
  EXPECT_EQ(std::string("k\2\0\0\0\0\0\0\0", 9), versions[0].user_key);
  EXPECT_EQ(std::string("k\1\0\0\0\0\0\0\0", 9), versions[1].user_key);
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handle));
}

TEST_F(DebugTest, BadArguments) {
  Open();
  std::vector<KeyVersion> versions(3);
  EXPECT_TRUE(GetAllKeyVersions(nullptr, nullptr, nullptr, 1, &versions)
                  .IsInvalidArgument());
  EXPECT_TRUE(
      GetAllKeyVersions(db_.get(), nullptr, nullptr, nullptr, 1, &versions)
          .IsInvalidArgument());
  EXPECT_TRUE(GetAllKeyVersions(db_.get(), nullptr, nullptr, 1, nullptr)
                  .IsInvalidArgument());
  EXPECT_EQ(3u, versions.size());
  KeyVersion odd("k", "v", 1, 0x7f);
  EXPECT_EQ("Invalid", odd.GetTypeName());
}

TEST_F(DebugTest, FailedReadsAreTold) {
  const auto fs =
      std::make_shared<FaultInjectionFileSystem>(FileSystem::Default(), 17);
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  options_.env = env.get();
  BlockBasedTableOptions table;
  table.no_block_cache = true;
  options_.table_factory.reset(NewBlockBasedTableFactory(table));
  Open();
  ASSERT_OK(Put("k", "v"));
  ASSERT_OK(Flush());
  std::vector<KeyVersion> versions;
  ASSERT_OK(GetAllKeyVersions(db_.get(), nullptr, nullptr, 10, &versions));
  ASSERT_EQ(versions.size(), 1u);
  versions.resize(3);
  fs->Deactivate();
  EXPECT_FALSE(
      GetAllKeyVersions(db_.get(), nullptr, nullptr, 10, &versions).ok());
  EXPECT_EQ(3u, versions.size());
  fs->Heal();
  db_.reset();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
