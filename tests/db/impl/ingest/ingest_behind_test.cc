// Files that are ingested behind everything that is there, into the last level
// that compactions keep free (allow_ingest_behind).
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/sst_file_writer.h"
#include "tests/db/impl/ingest_fixture.h"
#include "util/ignore_error.h"
#include "util/random.h"
#include "utilities/fault_injection/fault_injection_fs.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class IngestBehindTest : public IngestFixture {
 protected:
  IngestBehindTest() {
    options_.compaction_style = kCompactionStyleUniversal;
    options_.allow_ingest_behind = true;
    behind_.ingest_behind = true;
  }
  std::vector<LiveFileMetaData> FilesInLastLevel() {
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    std::erase_if(files, [this](const LiveFileMetaData& file) {
      return file.level != options_.num_levels - 1;
    });
    return files;
  }

  IngestExternalFileOptions behind_;
};

TEST_F(IngestBehindTest, WhatIsThereWins) {
  Open();
  ASSERT_OK(Put("k02", "ours"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("k03", "ours"));
  ASSERT_OK(Delete("k04"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "k06", "k08"));
  ASSERT_OK(db_->Merge(WriteOptions(), "k08", "operand"));
  const SequenceNumber before = db_->GetLatestSequenceNumber();
  ASSERT_OK(Ingest({MakeKeys(1, 9, "theirs")}, behind_));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), before);
  EXPECT_EQ(Levels(), "1,0,0,1") << "no flush";
  const std::string expected =
      "k01=theirs k02=ours k03=ours k05=theirs k08=theirs,operand "
      "k09=theirs ";
  EXPECT_EQ(Scan(), expected);
  EXPECT_EQ(Get("k04"), "NOT_FOUND");
  const auto files = FilesInLastLevel();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].epoch_number, 1u);
  EXPECT_EQ(files[0].largest_seqno, 0u);
  // Compactions neither take it in nor forget what they have deleted.
  ASSERT_OK(CompactAll(/*force=*/true));
  EXPECT_EQ(Levels(), "0,0,1,1");
  EXPECT_EQ(FilesInLastLevel()[0].name, files[0].name);
  EXPECT_EQ(Scan(), expected);
  Reopen();
  EXPECT_EQ(Scan(), expected);
  EXPECT_EQ(Get("k07"), "NOT_FOUND");
}

TEST_F(IngestBehindTest, DeletionsWaitForWhatComesLater) {
  Open();
  ASSERT_OK(Put("k01", "v"));
  ASSERT_OK(Put("k02", "v"));
  ASSERT_OK(Flush());
  ASSERT_OK(Delete("k01"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "k02", "k03"));
  ASSERT_OK(Flush());
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(CompactAll(/*force=*/true));
    EXPECT_EQ(Levels(), "0,0,1,0");
  }
  ASSERT_OK(Ingest({MakeKeys(1, 3, "late")}, behind_));
  EXPECT_EQ(Scan(), "k03=late ");
  EXPECT_EQ(Get("k01"), "NOT_FOUND");
  EXPECT_EQ(Get("k02"), "NOT_FOUND");
}

TEST_F(IngestBehindTest, SeveralFilesAndWhatDoesNotFit) {
  Open();
  ASSERT_OK(Ingest({MakeKeys(1, 3, "a"), MakeKeys(7, 9, "b")}, behind_));
  EXPECT_EQ(Levels(), "0,0,0,2");
  // No two files of the last level share a key.
  EXPECT_TRUE(Ingest({MakeKeys(3, 5, "c")}, behind_).IsInvalidArgument());
  EXPECT_TRUE(Ingest({MakeKeys(4, 5, "c"), MakeKeys(5, 6, "d")}, behind_)
                  .IsInvalidArgument());
  ASSERT_OK(Ingest({MakeKeys(4, 5, "c")}, behind_));
  EXPECT_EQ(Levels(), "0,0,0,3");
  // Not behind: above all that it overlaps, and never into the last level.
  ASSERT_OK(Ingest({MakeKeys(20, 21, "e")}));
  EXPECT_EQ(Levels(), "0,0,1,3");
  ASSERT_OK(Ingest({MakeKeys(8, 8, "newer")}));
  EXPECT_EQ(Get("k08"), "newer");
  // An entry of sequence 0 is as old as what would come behind it.
  EXPECT_TRUE(Ingest({MakeKeys(30, 31, "f")}, behind_).IsInvalidArgument());
  EXPECT_EQ(Get("k30"), "NOT_FOUND");
}

TEST_F(IngestBehindTest, OnlyForFamiliesThatKeepTheLevelFree) {
  options_.allow_ingest_behind = false;
  Open();
  EXPECT_TRUE(Ingest({MakeKeys(1, 1, "v")}, behind_).IsInvalidArgument());
  Options free = options_;
  free.cf_allow_ingest_behind = true;
  ColumnFamilyHandle* family = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(free, "free", &family));
  ASSERT_OK(db_->Put(WriteOptions(), family, "k01", "ours"));
  const std::string path = Make(
      [](SstFileWriter* writer) {
        ASSERT_OK(writer->Put("k01", "theirs"));
        ASSERT_OK(writer->Put("k02", "theirs"));
      },
      family);
  ASSERT_OK(db_->IngestExternalFile(family, {path}, behind_));
  std::string value;
  ASSERT_OK(db_->Get(ReadOptions(), family, "k01", &value));
  EXPECT_EQ(value, "ours");
  ASSERT_OK(db_->Get(ReadOptions(), family, "k02", &value));
  EXPECT_EQ(value, "theirs");
  ASSERT_OK(db_->DestroyColumnFamilyHandle(family));
  // A style that would use the last level.
  db_.reset();
  options_.cf_allow_ingest_behind = true;
  options_.compaction_style = kCompactionStyleLevel;
  EXPECT_TRUE(TryOpen().IsNotSupported());
}

TEST_F(IngestBehindTest, TheLevelIsNoPlaceForOthers) {
  Open();
  ASSERT_OK(Put("k01", "v"));
  ASSERT_OK(Flush());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_TRUE(db_->CompactFiles(CompactionOptions(), db_->DefaultColumnFamily(),
                                {files[0].name}, 3)
                  .IsInvalidArgument());
  ASSERT_OK(db_->CompactFiles(CompactionOptions(), db_->DefaultColumnFamily(),
                              {files[0].name}, 2));
  EXPECT_EQ(Levels(), "0,0,1,0");
  EXPECT_EQ(Get("k01"), "v");
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
