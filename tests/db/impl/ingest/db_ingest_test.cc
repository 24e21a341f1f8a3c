// Ingestion: what readers see, where files go, what every option does.
#include <gtest/gtest.h>

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/listener.h"
#include "rocksdb/perf_context.h"
#include "tests/db/impl/ingest_fixture.h"
#include "tests/utilities/checkpoint/linkless_files.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class IngestTest : public IngestFixture {};

TEST_F(IngestTest, AnEmptyDatabaseTakesAFileIntoTheLastLevel) {
  Open();
  const std::string path = MakeKeys(1, 3, "v");
  ASSERT_OK(Ingest({path}));
  EXPECT_EQ(Scan(), "k01=v k02=v k03=v ");
  EXPECT_EQ(ScanBackward(), "k03=v k02=v k01=v ");
  EXPECT_EQ(Levels(), "0,0,0,1");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 0u);
  EXPECT_TRUE(Exists(path)) << "a copy was asked for";
  Reopen();
  EXPECT_EQ(Scan(), "k01=v k02=v k03=v ");
  EXPECT_OK(db_->VerifyChecksum());
}

TEST_F(IngestTest, NewDataHideOldOnes) {
  Open();
  ASSERT_OK(Put("k01", "old"));
  ASSERT_OK(Put("k05", "old"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Levels(), "0,1,0,0");
  ASSERT_OK(Ingest({MakeKeys(1, 3, "new")}));
  EXPECT_EQ(Levels(), "1,1,0,0");
  EXPECT_EQ(Scan(), "k01=new k02=new k03=new k05=old ");
  EXPECT_EQ(Get("k01"), "new");
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 3u);
  ASSERT_OK(Put("k02", "newest"));
  Reopen();
  EXPECT_EQ(Scan(), "k01=new k02=newest k03=new k05=old ");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Scan(), "k01=new k02=newest k03=new k05=old ");
}

TEST_F(IngestTest, AMemtableThatOverlapsIsFlushed) {
  Open();
  ASSERT_OK(Put("k02", "old"));
  ASSERT_OK(Put("k09", "other"));
  ASSERT_OK(Ingest({MakeKeys(1, 3, "new")}));
  EXPECT_EQ(Get("k02"), "new");
  EXPECT_EQ(Levels(), "2,0,0,0");
  // One that does not stays where it is.
  ASSERT_OK(Put("k20", "memory"));
  ASSERT_OK(Ingest({MakeKeys(30, 31, "new")}));
  EXPECT_EQ(Levels(), "2,0,0,1");
  Reopen();
  EXPECT_EQ(Scan(),
            "k01=new k02=new k03=new k09=other k20=memory k30=new k31=new ");
}

TEST_F(IngestTest, ARangeDeletionInMemoryOverlapsToo) {
  Open();
  ASSERT_OK(Put("k02", "old"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "k00", "k50"));
  ASSERT_OK(Ingest({MakeKeys(1, 3, "new")}));
  EXPECT_EQ(Scan(), "k01=new k02=new k03=new ");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Scan(), "k01=new k02=new k03=new ");
}

TEST_F(IngestTest, NoFlushWhereNoneIsAllowed) {
  Open();
  ASSERT_OK(Put("k02", "old"));
  IngestExternalFileOptions options;
  options.allow_blocking_flush = false;
  EXPECT_TRUE(Ingest({MakeKeys(1, 3, "new")}, options).IsInvalidArgument());
  EXPECT_EQ(Get("k02"), "old");
  EXPECT_OK(Ingest({MakeKeys(5, 6, "new")}, options));
  EXPECT_EQ(TablesOnDisk(), 1u) << "the copy that was refused is gone";
}

TEST_F(IngestTest, EveryKindOfEntryWorks) {
  Open();
  for (const char* key : {"a", "b", "c", "d", "e", "f"}) {
    ASSERT_OK(Put(key, "old"));
  }
  ASSERT_OK(Flush());
  ASSERT_OK(Ingest({Make([](SstFileWriter* writer) {
    EXPECT_OK(writer->Put("a", "new"));
    EXPECT_OK(writer->Delete("b"));
    EXPECT_OK(writer->Merge("c", "more"));
    EXPECT_OK(writer->DeleteRange("d", "f"));
    EXPECT_OK(writer->Put("e", "kept"));
    EXPECT_OK(writer->PutEntity("g", {{"", "x"}, {"n", "y"}}));
  })}));
  const std::string expected = "a=new c=old,more e=kept f=old g=x ";
  EXPECT_EQ(Scan(), expected);
  EXPECT_EQ(Get("b"), "NOT_FOUND");
  EXPECT_EQ(Get("c"), "old,more");
  EXPECT_EQ(Get("d"), "NOT_FOUND");
  EXPECT_EQ(Get("e"), "kept") << "a file's range deletion spares its own keys";
  Reopen();
  EXPECT_EQ(Scan(), expected);
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Scan(), expected);
}

TEST_F(IngestTest, AFileOfRangeDeletionsAlone) {
  Open();
  for (int i = 0; i < 6; ++i) ASSERT_OK(Put(Key(i), "old"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_OK(Ingest({Make([](SstFileWriter* writer) {
    EXPECT_OK(writer->DeleteRange(Key(1), Key(3)));
    EXPECT_OK(writer->DeleteRange(Key(2), Key(5)));
  })}));
  EXPECT_EQ(Scan(), "k00=old k05=old ");
  Reopen();
  EXPECT_EQ(Scan(), "k00=old k05=old ");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Scan(), "k00=old k05=old ");
}

TEST_F(IngestTest, OfOverlappingFilesTheLaterWins) {
  Open();
  ASSERT_OK(Ingest(
      {MakeKeys(1, 5, "first"), MakeKeys(3, 8, "second"),
       Make([](SstFileWriter* w) { EXPECT_OK(w->DeleteRange("k04", "k07")); }),
       MakeKeys(6, 6, "fourth"), MakeKeys(1, 1, "fifth")}));
  const std::string expected =
      "k01=fifth k02=first k03=second k06=fourth k07=second k08=second ";
  EXPECT_EQ(Scan(), expected);
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 5u);
  Reopen();
  EXPECT_EQ(Scan(), expected);
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Scan(), expected);
}

TEST_F(IngestTest, OlderSnapshotsDoNotSeeTheFile) {
  Open();
  ASSERT_OK(Put("k02", "old"));
  const Snapshot* snapshot = db_->GetSnapshot();
  ASSERT_OK(Ingest({MakeKeys(1, 3, "new")}));
  ASSERT_OK(Ingest({MakeKeys(11, 13, "new")}));
  EXPECT_EQ(Get("k02", snapshot), "old");
  EXPECT_EQ(Get("k01", snapshot), "NOT_FOUND");
  EXPECT_EQ(Get("k11", snapshot), "NOT_FOUND") << "it overlaps nothing";
  ReadOptions read;
  read.snapshot = snapshot;
  EXPECT_EQ(Scan(read), "k02=old ");
  EXPECT_EQ(Get("k11"), "new");
  ASSERT_OK(CompactAll(true));
  EXPECT_EQ(Scan(read), "k02=old ");
  IngestExternalFileOptions options;
  options.snapshot_consistency = false;
  ASSERT_OK(Ingest({MakeKeys(21, 21, "new")}, options));
  EXPECT_EQ(Scan(read), "k02=old k21=new ");
  db_->ReleaseSnapshot(snapshot);
}

TEST_F(IngestTest, AnIteratorKeepsItsView) {
  Open();
  ASSERT_OK(Put("k02", "old"));
  const std::unique_ptr<Iterator> it(db_->NewIterator(ReadOptions()));
  ASSERT_OK(Ingest({MakeKeys(1, 3, "new")}));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value().ToString(), "old");
  it->Next();
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(it->Refresh());
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ(it->value().ToString(), "new");
}

TEST_F(IngestTest, NoNumberWhereNoneIsAllowed) {
  Open();
  IngestExternalFileOptions options;
  options.allow_global_seqno = false;
  ASSERT_OK(Ingest({MakeKeys(1, 3, "a")}, options));
  EXPECT_TRUE(Ingest({MakeKeys(2, 2, "b")}, options).IsInvalidArgument());
  EXPECT_EQ(Get("k02"), "a");
}

TEST_F(IngestTest, MovedFilesAreGoneAndLinkedOnesAreNot) {
  Open();
  IngestExternalFileOptions move, link;
  move.move_files = true;
  link.link_files = true;
  const std::string moved = MakeKeys(1, 2, "moved");
  const std::string linked = MakeKeys(3, 4, "linked");
  ASSERT_OK(Ingest({moved}, move));
  ASSERT_OK(Ingest({linked}, link));
  EXPECT_FALSE(Exists(moved));
  EXPECT_TRUE(Exists(linked));
  uint64_t links = 0;
  EXPECT_OK(options_.env->NumFileLinks(linked, &links));
  EXPECT_EQ(links, 2u);
  link.move_files = true;
  EXPECT_TRUE(Ingest({linked}, link).IsInvalidArgument());
  Reopen();
  EXPECT_EQ(Scan(), "k01=moved k02=moved k03=linked k04=linked ");
}

TEST_F(IngestTest, WithoutLinksFilesAreCopiedUnlessThatIsForbidden) {
  const std::unique_ptr<Env> env =
      NewCompositeEnv(std::make_shared<LinklessFiles>(FileSystem::Default()));
  options_.env = env.get();
  Open();
  for (const bool moves : {true, false}) {
    SCOPED_TRACE(moves);
    IngestExternalFileOptions options;
    options.move_files = moves;
    options.link_files = !moves;
    options.failed_move_fall_back_to_copy = false;
    const std::string path = MakeKeys(1, 2, moves ? "moved" : "linked");
    const std::string before = Scan();
    const size_t tables = TablesOnDisk();
    const Status s = Ingest({path}, options);
    EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
    EXPECT_TRUE(Exists(path));
    EXPECT_EQ(Scan(), before);
    EXPECT_EQ(TablesOnDisk(), tables);
    options.failed_move_fall_back_to_copy = true;
    ASSERT_OK(Ingest({path}, options));
    EXPECT_EQ(Exists(path), !moves);
    EXPECT_EQ(Get("k02"), moves ? "moved" : "linked");
  }
  Reopen();
  EXPECT_EQ(Scan(), "k01=linked k02=linked ");
  db_.reset();
  options_.env = Env::Default();
}

TEST_F(IngestTest, FilesHaveTheTemperatureThatTheirUserTells) {
  Open();
  IngestExternalFileArg told, untold;
  told.column_family = untold.column_family = db_->DefaultColumnFamily();
  told.external_files = {MakeKeys(1, 2, "cold")};
  told.file_temperature = Temperature::kCold;
  untold.external_files = {MakeKeys(3, 4, "any")};
  ASSERT_OK(db_->IngestExternalFiles({told}));
  ASSERT_OK(db_->IngestExternalFiles({untold}));
  for (const bool is_reopened : {false, true}) {
    if (is_reopened) Reopen();
    std::vector<LiveFileMetaData> files;
    db_->GetLiveFilesMetaData(&files);
    ASSERT_EQ(files.size(), 2u);
    for (const LiveFileMetaData& file : files) {
      EXPECT_EQ(file.temperature, file.smallestkey == "k01"
                                      ? Temperature::kCold
                                      : Temperature::kUnknown);
    }
  }
}

TEST_F(IngestTest, FilesOfADatabaseAreTakenWhereThatIsAllowed) {
  Open();
  ASSERT_OK(Put("k01", "theirs"));
  ASSERT_OK(Put("k02", "theirs"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll(/*force=*/true));  // Its sequence numbers become zero.
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  ASSERT_EQ(files[0].largest_seqno, 0u);
  const std::string path = directory_.path() + "/of_a_database.sst";
  std::string bytes;
  ASSERT_OK(ReadFileToString(options_.env, path_ + files[0].name, &bytes));
  ASSERT_OK(WriteStringToFile(options_.env, bytes, path, /*should_sync=*/true));
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  Open();
  ASSERT_OK(Put("k03", "ours"));
  ASSERT_OK(Flush());
  Status s = Ingest({path});
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_EQ(Scan(), "k03=ours ");
  IngestExternalFileOptions allowed;
  allowed.allow_db_generated_files = true;
  ASSERT_OK(Ingest({path}, allowed));
  EXPECT_EQ(Scan(), "k01=theirs k02=theirs k03=ours ");
  // Its entries cannot get newer than what is there.
  s = Ingest({path}, allowed);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_EQ(Scan(), "k01=theirs k02=theirs k03=ours ");
  Reopen();
  EXPECT_EQ(Scan(), "k01=theirs k02=theirs k03=ours ");
  ASSERT_OK(CompactAll());
  EXPECT_EQ(Scan(), "k01=theirs k02=theirs k03=ours ");
}

TEST_F(IngestTest, AFailedIngestionMovesNothing) {
  Open();
  IngestExternalFileOptions move;
  move.move_files = true;
  const std::string good = MakeKeys(1, 2, "good");
  EXPECT_FALSE(Ingest({good, directory_.path() + "/none"}, move).ok());
  EXPECT_TRUE(Exists(good));
  EXPECT_EQ(Scan(), "");
  EXPECT_EQ(TablesOnDisk(), 0u);
  EXPECT_OK(Ingest({good}, move));
}

TEST_F(IngestTest, ANumberIsWrittenIntoTheFile) {
  Open();
  ASSERT_OK(Put("k01", "old"));
  IngestExternalFileOptions options;
  options.write_global_seqno = true;
  const std::string path = MakeKeys(1, 3, "new");
  ASSERT_OK(Ingest({path}, options));
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 2u);
  const LiveFileMetaData& ingested = files.front();
  EXPECT_EQ(ingested.smallest_seqno, 2u);
  EXPECT_EQ(ingested.largest_seqno, 2u);
  TablePropertiesCollection properties;
  ASSERT_OK(db_->GetPropertiesOfAllTables(&properties));
  const auto& collected = properties.at(ingested.db_path + ingested.name)
                              ->user_collected_properties;
  EXPECT_EQ(collected.at("rocksdb.external_sst_file.global_seqno"),
            std::string("\2\0\0\0\0\0\0\0", 8));
  Reopen();
  EXPECT_EQ(Scan(), "k01=new k02=new k03=new ");
  EXPECT_OK(db_->VerifyChecksum());
  // A file that has a number already gets the one that it needs now.
  const std::string again = path_ + ingested.name;
  IngestExternalFileOptions plain;
  ASSERT_OK(Put("k02", "between"));
  ASSERT_OK(Ingest({again}, plain));
  EXPECT_EQ(Get("k02"), "new");
  Reopen();
  EXPECT_EQ(Get("k02"), "new");
  EXPECT_OK(db_->VerifyChecksum());
}

TEST_F(IngestTest, IntoTheLastLevelOrNotAtAll) {
  Open();
  IngestExternalFileOptions options;
  options.fail_if_not_bottommost_level = true;
  ASSERT_OK(Ingest({MakeKeys(1, 3, "a")}, options));
  EXPECT_TRUE(Ingest({MakeKeys(2, 2, "b")}, options).IsTryAgain());
  EXPECT_EQ(Get("k02"), "a");
}

TEST_F(IngestTest, ThreadsOpenTheFiles) {
  Open();
  IngestExternalFileOptions options;
  options.file_opening_threads = 4;
  std::vector<std::string> paths;
  for (int i = 0; i < 20; ++i) paths.push_back(MakeKeys(i, i, "v"));
  ASSERT_OK(Ingest(paths, options));
  EXPECT_EQ(Levels(), "0,0,0,20");
}

TEST_F(IngestTest, ManyFamiliesAtOnce) {
  Open();
  CreateFamily("b");
  CreateFamily("c");
  ASSERT_OK(Put("k02", "old"));
  ASSERT_OK(PutIn(0, "k02", "old"));
  std::vector<IngestExternalFileArg> args(2);
  args[0].column_family = handles_[0];
  args[0].external_files = {MakeKeys(1, 2, "b")};
  args[1].column_family = handles_[1];
  args[1].external_files = {MakeKeys(1, 2, "c"), MakeKeys(3, 4, "c")};
  ASSERT_OK(db_->IngestExternalFiles(args));
  EXPECT_EQ(ScanOf(0), "k01=b k02=b ");
  EXPECT_EQ(ScanOf(1), "k01=c k02=c k03=c k04=c ");
  EXPECT_EQ(Scan(), "k02=old ");
  // One that cannot be taken keeps all out.
  args[0].external_files = {MakeKeys(5, 6, "b")};
  args[1].external_files = {directory_.path() + "/none"};
  EXPECT_FALSE(db_->IngestExternalFiles(args).ok());
  EXPECT_EQ(ScanOf(0), "k01=b k02=b ");
  args[1].external_files = args[0].external_files;
  args[1].column_family = args[0].column_family;
  EXPECT_TRUE(db_->IngestExternalFiles(args).IsInvalidArgument());
  EXPECT_TRUE(db_->IngestExternalFiles({}).IsInvalidArgument());
  OpenFamilies({"default", "b", "c"});
  EXPECT_EQ(ScanOf(1), "k01=b k02=b ");
  EXPECT_EQ(ScanOf(2), "k01=c k02=c k03=c k04=c ");
}

TEST_F(IngestTest, AFileForAnotherFamilyIsRefused) {
  Open();
  CreateFamily("b");
  const std::string path =
      Make([](SstFileWriter* writer) { EXPECT_OK(writer->Put("a", "1")); },
           handles_[0]);
  EXPECT_TRUE(Ingest({path}).IsInvalidArgument());
  ASSERT_OK(db_->IngestExternalFile(handles_[0], {path}, {}));
  EXPECT_EQ(ScanOf(0), "a=1 ");
}

TEST_F(IngestTest, WhatIsNoExternalFileIsRefused) {
  Open();
  EXPECT_TRUE(Ingest({}).IsInvalidArgument());
  EXPECT_FALSE(Ingest({directory_.path() + "/none"}).ok());
  const std::string junk = directory_.path() + "/junk";
  ASSERT_OK(WriteStringToFile(options_.env, std::string(1000, 'j'), junk));
  EXPECT_TRUE(Ingest({junk}).IsCorruption());
  Options reverse = options_;
  reverse.comparator = ReverseBytewiseComparator();
  const std::string other = directory_.path() + "/other";
  SstFileWriter writer(EnvOptions(), reverse);
  ASSERT_OK(writer.Open(other));
  ASSERT_OK(writer.Put("a", "1"));
  ASSERT_OK(writer.Finish());
  EXPECT_TRUE(Ingest({other}).IsInvalidArgument());
  IngestExternalFileOptions options;
  options.ingest_behind = true;
  EXPECT_TRUE(Ingest({MakeKeys(1, 1, "v")}, options).IsInvalidArgument());
  EXPECT_EQ(Scan(), "");
  EXPECT_EQ(TablesOnDisk(), 0u);
}

TEST_F(IngestTest, FilesThatADatabaseWrote) {
  Open();
  ASSERT_OK(Put("k01", "one"));
  ASSERT_OK(Put("k02", "two"));
  ASSERT_OK(Flush());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  const std::string table = files[0].db_path + files[0].name;
  CreateFamily("b");
  IngestExternalFileOptions options;
  EXPECT_TRUE(db_->IngestExternalFile(handles_[0], {table}, options)
                  .IsInvalidArgument());
  EXPECT_TRUE(Ingest({table}, options).IsCorruption());
  options.allow_db_generated_files = true;
  options.write_global_seqno = true;
  EXPECT_TRUE(
      db_->IngestExternalFile(handles_[0], {table}, options).IsNotSupported());
  options.write_global_seqno = false;
  ASSERT_OK(db_->IngestExternalFile(handles_[0], {table}, options));
  EXPECT_EQ(ScanOf(0), "k01=one k02=two ");
  EXPECT_TRUE(db_->IngestExternalFile(handles_[0], {table}, options)
                  .IsInvalidArgument())
      << "now it overlaps";
  ASSERT_OK(PutIn(0, "k02", "newer"));
  EXPECT_EQ(GetFrom(0, "k02"), "newer");
  OpenFamilies({"default", "b"});
  EXPECT_EQ(ScanOf(1), "k01=one k02=newer ");
}

TEST_F(IngestTest, SequencesOfADatabaseFileCount) {
  Open();
  for (int i = 0; i < 50; ++i) ASSERT_OK(Put(Key(i), "v"));
  ASSERT_OK(Flush());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  const std::string table = directory_.path() + "/taken";
  ASSERT_OK(options_.env->LinkFile(files[0].db_path + files[0].name, table));
  db_.reset();
  path_ += "2";
  Open();
  IngestExternalFileOptions options;
  options.allow_db_generated_files = true;
  ASSERT_OK(Ingest({table}, options));
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 50u);
  EXPECT_EQ(Get("k49"), "v");
  ASSERT_OK(Put("k49", "new"));
  Reopen();
  EXPECT_EQ(Get("k49"), "new");
}

// A reference is good only in the database that has the blob file.
TEST_F(IngestTest, ReferencesToBlobFilesAreRefused) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 10;
  Open();
  ASSERT_OK(Put("k01", "small"));
  ASSERT_OK(Put("k02", "small"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("k03", "small"));
  ASSERT_OK(Put("k04", std::string(100, 'b')));
  ASSERT_OK(Flush());
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 2u);
  IngestExternalFileOptions options;
  options.allow_db_generated_files = true;
  CreateFamily("b");
  for (const LiveFileMetaData& file : files) {
    const std::string path = file.db_path + file.name;
    const Status s = db_->IngestExternalFile(handles_[0], {path}, options);
    if (file.oldest_blob_file_number == 0) {
      EXPECT_OK(s);
      continue;
    }
    EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
    EXPECT_NE(s.ToString().find("blob"), std::string::npos);
    EXPECT_NE(s.ToString().find(path), std::string::npos);
  }
  EXPECT_EQ(ScanOf(0), "k01=small k02=small ");
  EXPECT_EQ(TablesOnDisk(), 3u);
}

// Does something once, when the thread of the test syncs a file whose path has
// a word in it.
class SyncListener : public EventListener {
 public:
  bool ShouldBeNotifiedOnFileIO() override { return true; }
  void OnFileSyncFinish(const FileOperationInfo& info) override {
    if (std::this_thread::get_id() != thread_ || act == nullptr) return;
    if (info.path.find(word) == std::string::npos) return;
    std::exchange(act, nullptr)();
  }

  std::string word;
  std::function<void()> act;

 private:
  const std::thread::id thread_ = std::this_thread::get_id();
};

// The files have got their places by then, and are not there yet.
TEST_F(IngestTest, ASnapshotTakenWhileTheLogIsSyncedSeesNothingOfTheFiles) {
  const auto listener = std::make_shared<SyncListener>();
  options_.listeners.push_back(listener);
  for (const bool keeps_open : {true, false}) {
    SCOPED_TRACE(keeps_open);
    options_.max_open_files = keeps_open ? -1 : 100;
    Open();
    ASSERT_OK(Put("z", "1"));
    const Snapshot* snapshot = nullptr;
    listener->word = ".log";
    listener->act = [&] { snapshot = db_->GetSnapshot(); };
    ASSERT_OK(Ingest({MakeKeys(1, 3, "v"), MakeKeys(5, 5, "v")}));
    ASSERT_NE(snapshot, nullptr);
    EXPECT_EQ(Get("k01", snapshot), "NOT_FOUND");
    EXPECT_EQ(Get("k05", snapshot), "NOT_FOUND");
    EXPECT_EQ(Get("k01"), "v");
    EXPECT_EQ(db_->GetLatestSequenceNumber(),
              snapshot->GetSequenceNumber() + 1);
    for (const LiveFileMetaData& file : Tables()) {
      EXPECT_EQ(file.smallest_seqno, db_->GetLatestSequenceNumber());
      EXPECT_EQ(file.largest_seqno, db_->GetLatestSequenceNumber());
    }
    db_->ReleaseSnapshot(snapshot);
    Reopen();
    EXPECT_EQ(Scan(), "k01=v k02=v k03=v k05=v z=1 ");
    EXPECT_OK(db_->VerifyChecksum());
    db_.reset();
    path_ += "2";
  }
}

TEST_F(IngestTest, WhatMayNotBeNumberedIsRefusedForALateSnapshot) {
  const auto listener = std::make_shared<SyncListener>();
  options_.listeners.push_back(listener);
  Open();
  ASSERT_OK(Put("z", "1"));
  const Snapshot* snapshot = nullptr;
  listener->word = ".log";
  listener->act = [&] { snapshot = db_->GetSnapshot(); };
  IngestExternalFileOptions options;
  options.allow_global_seqno = false;
  const std::string path = MakeKeys(1, 3, "v");
  EXPECT_TRUE(Ingest({path}, options).IsInvalidArgument());
  ASSERT_NE(snapshot, nullptr);
  EXPECT_EQ(Scan(), "z=1 ");
  EXPECT_EQ(TablesOnDisk(), 0u);
  db_->ReleaseSnapshot(snapshot);
  ASSERT_OK(Ingest({path}, options));
  EXPECT_EQ(Scan(), "k01=v k02=v k03=v z=1 ");
}

// Another thread waits until the files are there; the one that logs them does
// not wait for itself.
TEST_F(IngestTest, SnapshotsTakenWhileTheManifestIsWritten) {
  const auto listener = std::make_shared<SyncListener>();
  options_.listeners.push_back(listener);
  Open();
  const Snapshot* own = nullptr;
  const Snapshot* other = nullptr;
  std::string seen;
  std::thread reader;
  listener->word = "MANIFEST";
  listener->act = [&] {
    own = db_->GetSnapshot();
    db_->ReleaseSnapshot(own);
    std::promise<void> runs;
    reader = std::thread([&] {
      runs.set_value();
      other = db_->GetSnapshot();
      seen = Get("k01", other);
    });
    runs.get_future().wait();
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
  };
  ASSERT_OK(Ingest({MakeKeys(1, 3, "v")}));
  ASSERT_TRUE(reader.joinable());
  reader.join();
  EXPECT_NE(own, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_EQ(Get("k01", other), seen);
  EXPECT_EQ(seen, "v");
  db_->ReleaseSnapshot(other);
  EXPECT_EQ(db_->GetLatestSequenceNumber(), 0u);
}

class IngestListener : public EventListener {
 public:
  void OnExternalFileIngested(DB* db,
                              const ExternalFileIngestionInfo& info) override {
    ASSERT_NE(db, nullptr);
    infos.push_back(info);
  }
  std::vector<ExternalFileIngestionInfo> infos;
};

TEST_F(IngestTest, ListenersAndStatisticsAreTold) {
  const auto listener = std::make_shared<IngestListener>();
  options_.listeners.push_back(listener);
  Open();
  ASSERT_OK(Put("k01", "old"));
  SetPerfLevel(PerfLevel::kEnableTime);
  get_perf_context()->Reset();
  const std::string path = MakeKeys(1, 3, "v");
  ASSERT_OK(Ingest({path}));
  EXPECT_GT(get_perf_context()->file_ingestion_nanos, 0u);
  EXPECT_GT(get_perf_context()->file_ingestion_blocking_live_writes_nanos, 0u);
  SetPerfLevel(PerfLevel::kDisable);
  ASSERT_EQ(listener->infos.size(), 1u);
  const ExternalFileIngestionInfo& info = listener->infos[0];
  EXPECT_EQ(info.cf_name, "default");
  EXPECT_EQ(info.external_file_path, path);
  EXPECT_TRUE(Exists(info.internal_file_path));
  EXPECT_EQ(info.global_seqno, 2u);
  EXPECT_EQ(info.table_properties.num_entries, 3u);
  HistogramData data;
  options_.statistics->histogramData(INGEST_EXTERNAL_FILE_PREPARE_TIME, &data);
  EXPECT_EQ(data.count, 1u);
  options_.statistics->histogramData(INGEST_EXTERNAL_FILE_RUN_TIME, &data);
  EXPECT_EQ(data.count, 1u);
}

TEST_F(IngestTest, DamageIsFoundBeforehand) {
  Open();
  const std::string path = MakeKeys(1, 60, std::string(200, 'v'));
  std::string bytes;
  ASSERT_OK(ReadFileToString(options_.env, path, &bytes));
  bytes[5000] ^= 1;  // A data block that is not the first or the last.
  ASSERT_OK(WriteStringToFile(options_.env, bytes, path));
  IngestExternalFileOptions options;
  options.verify_checksums_before_ingest = true;
  EXPECT_TRUE(Ingest({path}, options).IsCorruption());
  options.verify_checksums_readahead_size = 64 << 10;
  EXPECT_TRUE(Ingest({path}, options).IsCorruption());
  EXPECT_EQ(Scan(), "");
  bytes[5000] ^= 1;
  ASSERT_OK(WriteStringToFile(options_.env, bytes, path));
  EXPECT_OK(Ingest({path}, options));
}

TEST_F(IngestTest, WholeFileChecksums) {
  options_.file_checksum_gen_factory = GetFileChecksumGenCrc32cFactory();
  Open();
  ExternalSstFileInfo info;
  const std::string path = directory_.path() + "/checked";
  SstFileWriter writer(EnvOptions(), options_);
  ASSERT_OK(writer.Open(path));
  ASSERT_OK(writer.Put("a", "1"));
  ASSERT_OK(writer.Finish(&info));
  IngestExternalFileArg arg;
  arg.column_family = db_->DefaultColumnFamily();
  arg.external_files = {path};
  arg.files_checksums = {"wrong"};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
  arg.files_checksum_func_names = {info.file_checksum_func_name};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsCorruption());
  arg.files_checksum_func_names = {"other function"};
  EXPECT_FALSE(db_->IngestExternalFiles({arg}).ok());
  arg.files_checksum_func_names = {info.file_checksum_func_name};
  arg.files_checksums = {info.file_checksum};
  ASSERT_OK(db_->IngestExternalFiles({arg}));
  std::vector<LiveFileMetaData> files;
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].file_checksum, info.file_checksum);
  // Taken as given.
  arg.options.verify_file_checksum = false;
  arg.files_checksums = {"word"};
  ASSERT_OK(db_->IngestExternalFiles({arg}));
  db_->GetLiveFilesMetaData(&files);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].file_checksum, "word");
  // Without any, one is made.
  ASSERT_OK(Ingest({MakeKeys(1, 1, "v")}));
  db_->GetLiveFilesMetaData(&files);
  for (const LiveFileMetaData& file : files) {
    EXPECT_EQ(file.file_checksum.size(), 4u);
    EXPECT_EQ(file.file_checksum_func_name, kStandardDbFileChecksumFuncName);
  }
}

TEST_F(IngestTest, ADatabaseWithoutChecksumsTakesNone) {
  Open();
  IngestExternalFileArg arg;
  arg.column_family = db_->DefaultColumnFamily();
  arg.external_files = {MakeKeys(1, 1, "v")};
  arg.files_checksums = {"abcd"};
  arg.files_checksum_func_names = {kStandardDbFileChecksumFuncName};
  EXPECT_TRUE(db_->IngestExternalFiles({arg}).IsInvalidArgument());
}

TEST_F(IngestTest, ReadOnlyDatabasesTakeNothing) {
  Open();
  db_.reset();
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &db_));
  EXPECT_TRUE(Ingest({MakeKeys(1, 1, "v")}).IsNotSupported());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
