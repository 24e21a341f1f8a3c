// Files that are ingested behind everything that is there, into the last level
// that compactions keep free (allow_ingest_behind). The cases are
// tests/testdata/databases/ingest/behind.txt, in the language of
// database_script.h, of universal databases with four levels, no compaction
// that nobody asks for, and operands that are joined by commas.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/ingest_fixture.h"
#include "util/ignore_error.h"
#include "util/random.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(IngestBehindScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.merge_operator = NewStringAppendOperator(",");
  options.level_compaction_dynamic_level_bytes = false;
  options.num_levels = 4;
  options.disable_auto_compactions = true;
  options.compaction_style = kCompactionStyleUniversal;
  options.allow_ingest_behind = true;
  EXPECT_GE(RunDatabases("databases/ingest/behind.txt", options), 12u);
}

// A style that would use the last level.
TEST(IngestBehind, LeveledDatabasesAreRefused) {
  Options options = ScriptDatabase::Defaults();
  options.allow_ingest_behind = true;
  ScriptDatabase database(options);
  EXPECT_TRUE(database.Open(ScriptLine("open")).IsNotSupported());
}

class IngestBehindTest : public IngestFixture {
 protected:
  IngestBehindTest() {
    options_.compaction_style = kCompactionStyleUniversal;
    options_.allow_ingest_behind = true;
    behind_.ingest_behind = true;
  }

  IngestExternalFileOptions behind_;
};

TEST_F(IngestBehindTest, FilesAreNotPromotedToTheLastLevel) {
  Open();
  ASSERT_OK(Put("key", "value"));
  ASSERT_OK(Flush());
  const Status s = db_->PromoteL0(db_->DefaultColumnFamily(), 3);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_EQ(FilesAt(0), 1);
  ASSERT_OK(db_->PromoteL0(db_->DefaultColumnFamily(), 2));
  EXPECT_EQ(FilesAt(2), 1);
}

// Automatic compactions go on above what was ingested, and once the option is
// off take it in like anything else.
TEST_F(IngestBehindTest, AgreesWithAnOrderedMap) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 3;
  Open();
  Random64 random(11);
  std::map<std::string, std::string> ours, behind;
  std::map<std::string, bool> seen;
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 30; ++i) {
      const std::string key = Key(static_cast<int>(random.Uniform(100)));
      seen[key] = true;
      if (random.OneIn(3)) {
        ASSERT_OK(Delete(key));
        ours.erase(key);
      } else {
        ours[key] = std::to_string(round) + "." + std::to_string(i);
        ASSERT_OK(Put(key, ours[key]));
      }
    }
    ASSERT_OK(Flush());
    if (round % 4 == 1) {
      const int from = round / 4 * 10;
      ASSERT_OK(Ingest({MakeKeys(from, from + 9, "behind")}, behind_));
      for (int i = from; i < from + 10; ++i) behind[Key(i)] = "behind";
    }
    if (round == 25) Reopen();
    std::map<std::string, std::string> all = ours;
    for (const auto& [key, value] : behind) {
      if (!seen[key]) all[key] = value;
    }
    std::string expected;
    for (const auto& [key, value] : all) expected += key + "=" + value + " ";
    ASSERT_EQ(Scan(), expected) << round;
    if (round < 39) continue;
    ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
    EXPECT_EQ(FilesAt(3), 10);
    options_.allow_ingest_behind = false;
    Reopen();
    ASSERT_OK(CompactAll(/*force=*/true));
    EXPECT_EQ(Levels(), "0,0,0,1");
    EXPECT_EQ(Scan(), expected);
  }
}

// Each call that changes something fails once: all files are there, or none.
TEST(IngestBehindFaultTest, AllFilesOrNone) {
  for (uint64_t k = 1;; ++k) {
    SCOPED_TRACE(k);
    ASSERT_LT(k, 500u);
    const auto fs = std::make_shared<FaultInjectionFileSystem>(
        std::make_shared<MemFileSystem>(), k);
    const std::unique_ptr<Env> env = NewCompositeEnv(fs);
    Options options;
    options.env = env.get();
    options.create_if_missing = true;
    options.compaction_style = kCompactionStyleUniversal;
    options.allow_ingest_behind = true;
    ASSERT_OK(fs->CreateDirIfMissing("/x", IOOptions(), nullptr));
    std::unique_ptr<DB> db;
    ASSERT_OK(DB::Open(options, "/db", &db));
    WriteOptions synced;
    synced.sync = true;
    ASSERT_OK(db->Put(synced, "b", "ours"));
    for (const std::string name : {"a", "c"}) {
      SstFileWriter writer(EnvOptions(), options);
      ASSERT_OK(writer.Open("/x/" + name));
      ASSERT_OK(writer.Put(name, "theirs"));
      ASSERT_OK(writer.Put(name + "b", "theirs"));
      ASSERT_OK(writer.Finish());
    }
    fs->FailCall({.call = k});
    IngestExternalFileOptions behind;
    behind.ingest_behind = true;
    const Status s = db->IngestExternalFile({"/x/a", "/x/c"}, behind);
    const bool has_struck = fs->failed();
    fs->ClearFault();
    EXPECT_TRUE(s.ok() || has_struck) << s.ToString();
    IgnoreError(db->Close(), "a crash follows");
    db.reset();
    ASSERT_OK(fs->CrashAndHeal());
    ASSERT_OK(DB::Open(options, "/db", &db));
    std::string text;
    const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    ASSERT_OK(it->status());
    const std::string all = "a=theirs ab=theirs b=ours c=theirs cb=theirs ";
    EXPECT_TRUE(text == all || (!s.ok() && text == "b=ours ")) << text;
    if (!has_struck) break;
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
