// Followers: what they show, and what they keep of their leader's files.
//
// Shown      What is flushed, after a round, and nothing that is only logged;
//            blobs, entities, timestamps, several families and paths; families
//            that are dropped and made; a leader that starts anew; another
//            database in its place.
// Files      Read through links; links that come, stay with an iterator, and go
//            with a round, with the close, and, left over, at the next open;
//            the leader's directory stays as it is.
// Rounds     By themselves, by request, again where files move, and not at all
//            where nothing is new; a close while one waits.
// Refused    Places that are not a follower's, a second one, no links, calls
//            that write, snapshots.
#include <filesystem>
#include <thread>

#include "rocksdb/comparator.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/following/follower_fixture.h"
#include "util/builtin_merge_operators.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

namespace stdfs = std::filesystem;

class FollowerTest : public FollowerFixture {
 protected:
  FollowerTest() { options_.merge_operator = NewStringAppendOperator(","); }

  // Flushed table by table, each with a key that all have.
  void PutInTables(int first, int count) {
    for (int i = first; i < first + count; ++i) {
      ASSERT_OK(Put("k" + std::to_string(1000 + i), std::to_string(i)));
      ASSERT_OK(Put("last", std::to_string(i)));
      ASSERT_OK(Flush());
    }
  }
};

TEST_F(FollowerTest, ShowsWhatIsFlushedAfterARound) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Follow());
  EXPECT_EQ(follower_->GetName(), own_);
  EXPECT_EQ(Seen(), "a=1 ");
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Seen(), "a=1 ");
  ASSERT_OK(db_->Merge(WriteOptions(), "b", "3"));
  ASSERT_OK(Delete("a"));
  ASSERT_OK(Flush());
  EXPECT_EQ(Seen(), "a=1 ");
  const std::unique_ptr<Iterator> before(follower_->NewIterator(ReadOptions()));
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Seen(), "b=2,3 ");
  EXPECT_EQ(SeenAt("a"), "NOT_FOUND");
  EXPECT_EQ(SeenAt("b"), "2,3");
  EXPECT_EQ(All(before.get()), "a=1 ");
  ASSERT_OK(before->Refresh());
  EXPECT_EQ(All(before.get()), "b=2,3 ");
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "b", "c"));
  ASSERT_OK(Put("c", "4"));
  ASSERT_OK(Flush());
  ASSERT_OK(CompactAll());
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Seen(), "c=4 ");
  EXPECT_EQ(fs_->logs(), 0);
}

TEST_F(FollowerTest, OpensForTheDefaultFamilyAlone) {
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  ASSERT_OK(PutIn(0, "a", "0"));
  ASSERT_OK(PutIn(1, "a", "1"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_));
  ASSERT_OK(DB::OpenAsFollower(OwnOptions(), own_, path_, &follower_));
  EXPECT_EQ(SeenAt("a"), "0");
}

TEST_F(FollowerTest, ReadsThroughItsLinks) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutInTables(0, 30));
  options_.max_open_files = 20;  // Most files are opened anew by the scan.
  ASSERT_OK(Follow());
  EXPECT_EQ(Links().size(), 30u);
  const std::string all = Scan();
  db_.reset();
  stdfs::remove_all(path_);
  EXPECT_EQ(Seen(), all);
  const Status s = CatchUp();
  EXPECT_TRUE(s.IsNotFound() || s.IsPathNotFound()) << s.ToString();
  EXPECT_EQ(Seen(), all);
}

TEST_F(FollowerTest, LinksStayWhileSomethingReadsThem) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutInTables(0, 3));
  ASSERT_OK(Follow());
  const std::set<std::string> first = NamesIn(path_, {".sst"});
  EXPECT_EQ(Links(), first);
  std::unique_ptr<Iterator> held(follower_->NewIterator(ReadOptions()));
  const std::string before = Scan();
  ASSERT_NO_FATAL_FAILURE(PutInTables(3, 1));
  ASSERT_OK(CompactAll());
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  const std::set<std::string> now = NamesIn(path_, {".sst"});
  EXPECT_EQ(now.size(), 1u);
  ASSERT_OK(CatchUp());
  std::set<std::string> both = first;
  both.insert(now.begin(), now.end());
  EXPECT_EQ(Links(), both);
  EXPECT_EQ(All(held.get()), before);
  EXPECT_EQ(Seen(), Scan());
  // Nothing is new: links go all the same.
  held.reset();
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Links(), now);
  EXPECT_EQ(Seen(), Scan());
  CloseFollower();
  EXPECT_EQ(Links(), std::set<std::string>());
  EXPECT_EQ(NamesIn(path_, {".sst"}), now);
}

TEST_F(FollowerTest, RemovesWhatAKilledProcessLeft) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutInTables(0, 2));
  ASSERT_OK(Follow());
  CloseFollower();
  const std::set<std::string> tables = NamesIn(path_, {".sst"});
  ASSERT_EQ(tables.size(), 2u);
  // A link that is not needed, one of the name of another file, the probe, and
  // what is none of the follower's.
  const std::string first = "/" + *tables.begin();
  stdfs::create_hard_link(path_ + first, own_ + "/999999.sst");
  stdfs::create_hard_link(path_ + first, own_ + "/" + *tables.rbegin());
  stdfs::create_hard_link(path_ + first, own_ + "/888888.blob");
  stdfs::create_hard_link(path_ + "/CURRENT", own_ + "/000000.dbtmp");
  stdfs::create_hard_link(path_ + first, own_ + "/notes.txt");
  ASSERT_OK(Follow());
  EXPECT_EQ(Links(), tables);
  EXPECT_EQ(NamesIn(own_, {".dbtmp"}), std::set<std::string>());
  EXPECT_EQ(NamesIn(own_, {".txt"}).size(), 1u);
  EXPECT_EQ(Seen(), Scan());
}

TEST_F(FollowerTest, LeavesTheLeadersDirectoryAlone) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutInTables(0, 3));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  const std::set<std::string> names = NamesIn(path_);
  ASSERT_OK(Follow());
  ASSERT_OK(CatchUp());
  CloseFollower();
  EXPECT_EQ(NamesIn(path_), names);
  for (const std::string& name : NamesIn(path_, {".sst", "CURRENT"})) {
    EXPECT_EQ(stdfs::hard_link_count(path_ + "/" + name), 1u) << name;
  }
}

TEST_F(FollowerTest, FindsFilesOfSeveralPaths) {
  const std::string base = directory_.path();
  options_.db_paths = {{base + "/fast", 1}, {base + "/slow", UINT64_MAX}};
  options_.enable_blob_files = true;
  options_.min_blob_size = 50;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default"}));
  options_.cf_paths = {{base + "/own", UINT64_MAX}};
  ASSERT_NO_FATAL_FAILURE(CreateFamily("one"));
  options_.cf_paths.clear();
  for (size_t family : {0u, 1u}) {
    for (const char* key : {"a", "b"}) {
      ASSERT_OK(PutIn(family, key, std::string(100, *key)));
      ASSERT_OK(PutIn(family, "x", key));
      ASSERT_OK(db_->Flush(FlushOptions(), handles_[family]));
    }
    CompactRangeOptions compact;
    compact.target_path_id = family == 0 ? 1 : 0;
    ASSERT_OK(db_->CompactRange(compact, handles_[family], nullptr, nullptr));
    ASSERT_OK(PutIn(family, "c", "c"));
    ASSERT_OK(db_->Flush(FlushOptions(), handles_[family]));
  }
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  std::set<std::string> there;
  for (const char* path : {"/fast", "/slow", "/own"}) {
    const auto some = NamesIn(base + path, {".sst"});
    EXPECT_FALSE(some.empty()) << path;
    there.insert(some.begin(), some.end());
  }
  const Options own = OwnOptions();
  ColumnFamilyOptions one(own);
  one.cf_paths = {{base + "/own", UINT64_MAX}};
  ASSERT_OK(
      DB::OpenAsFollower(DBOptions(own), own_, path_,
                         {{"default", ColumnFamilyOptions(own)}, {"one", one}},
                         &seen_, &follower_));
  EXPECT_EQ(NamesIn(own_, {".sst"}), there);
  for (const char* path : {"", "/inside"}) {
    std::unique_ptr<DB> none;
    std::vector<ColumnFamilyHandle*> handles;
    const Status s = DB::OpenAsFollower(
        DBOptions(own), base + "/own" + path, path_,
        {{"default", ColumnFamilyOptions(own)}, {"one", one}}, &handles, &none);
    EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  }
  EXPECT_EQ(Seen(0), ScanOf(0));
  EXPECT_EQ(Seen(1), ScanOf(1));
  for (ColumnFamilyHandle* handle : handles_) {
    ASSERT_OK(
        db_->CompactRange(CompactRangeOptions(), handle, nullptr, nullptr));
  }
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Seen(0), ScanOf(0));
  EXPECT_EQ(Seen(1), ScanOf(1));
}

TEST_F(FollowerTest, FollowsBlobsAndEntities) {
  options_.enable_blob_files = true;
  options_.min_blob_size = 50;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Follow());
  for (int round = 0; round < 6; ++round) {
    const std::string value = std::string(100, 'v') + std::to_string(round);
    for (int i = round; i < 50; i += 2) {
      ASSERT_OK(Put(std::to_string(i), value));
    }
    ASSERT_OK(db_->PutEntity(WriteOptions(), db_->DefaultColumnFamily(), "e",
                             {{"", value}, {"round", std::to_string(round)}}));
    ASSERT_OK(Flush());
    const std::unique_ptr<Iterator> before(
        follower_->NewIterator(ReadOptions()));
    const std::string seen = Seen();
    ASSERT_OK(CatchUp());
    const std::string now = Scan();
    EXPECT_EQ(Seen(), now);
    PinnableWideColumns columns;
    ASSERT_OK(follower_->GetEntity(ReadOptions(), seen_[0], "e", &columns));
    EXPECT_EQ(columns.columns().size(), 2u);
    EXPECT_EQ(columns.columns()[1].value(), std::to_string(round));
    // Its blob files go.
    ASSERT_OK(CompactAll(/*force=*/true));
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    EXPECT_EQ(Seen(), now);
    EXPECT_EQ(All(before.get()), seen);
  }
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Links(), NamesIn(path_, {".sst", ".blob"}));
  EXPECT_FALSE(NamesIn(own_, {".blob"}).empty());
}

TEST_F(FollowerTest, FollowsKeysWithTimestamps) {
  options_.merge_operator = nullptr;
  options_.comparator = BytewiseComparatorWithU64Ts();
  ASSERT_NO_FATAL_FAILURE(Open());
  const auto put = [&](uint64_t time, const std::string& value) {
    std::string ts;
    PutFixed64(&ts, time);
    ASSERT_OK(db_->Put(WriteOptions(), "k", ts, value));
    ASSERT_OK(Flush());
  };
  const auto seen = [&](uint64_t time) {
    std::string ts;
    PutFixed64(&ts, time);
    const Slice as_of = ts;
    ReadOptions read;
    read.timestamp = &as_of;
    std::string value;
    const Status s = follower_->Get(read, "k", &value);
    return s.ok() ? value : s.ToString();
  };
  ASSERT_NO_FATAL_FAILURE(put(10, "ten"));
  ASSERT_OK(Follow());
  EXPECT_EQ(seen(15), "ten");
  ASSERT_NO_FATAL_FAILURE(put(20, "twenty"));
  ASSERT_OK(CatchUp());
  EXPECT_EQ(seen(15), "ten");
  EXPECT_EQ(seen(20), "twenty");
}

TEST_F(FollowerTest, FamiliesGoAndCome) {
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  ASSERT_OK(PutIn(0, "a", "0"));
  ASSERT_OK(PutIn(1, "a", "1"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_));
  EXPECT_TRUE(Follow({"default", "two"}).IsInvalidArgument());
  EXPECT_EQ(follower_, nullptr);
  EXPECT_TRUE(Follow({"one"}).IsInvalidArgument());
  ASSERT_OK(Follow({"default", "one"}));
  ASSERT_OK(db_->DropColumnFamily(handles_[1]));
  ASSERT_OK(db_->DestroyColumnFamilyHandle(handles_[1]));
  handles_.pop_back();
  ASSERT_NO_FATAL_FAILURE(CreateFamily("two"));
  ASSERT_OK(PutIn(0, "b", "0"));
  ASSERT_OK(PutIn(1, "b", "2"));
  ASSERT_OK(db_->Flush(FlushOptions(), handles_));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Seen(0), "a=0 b=0 ");
  EXPECT_EQ(Seen(1), "a=1 ");
  EXPECT_EQ(Links().size(), 3u);
  ASSERT_OK(Follow({"default", "two"}));
  EXPECT_EQ(Seen(1), "b=2 ");
}

TEST_F(FollowerTest, OutlivesARestartOfTheLeader) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Follow());
  ASSERT_OK(Put("b", "2"));
  options_.avoid_flush_during_recovery = true;
  ASSERT_NO_FATAL_FAILURE(Reopen());
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Seen(), "a=1 ");
  ASSERT_OK(Flush());
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Seen(), "a=1 b=2 ");
  EXPECT_EQ(fs_->logs(), 0);
}

// Its files have the numbers of those that are linked here.
TEST_F(FollowerTest, AnotherLeaderIsNotFollowed) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Follow());
  db_.reset();
  ASSERT_OK(DestroyDB(path_, options_));
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", std::string(100, '2')));
  ASSERT_OK(Flush());
  const Status s = CatchUp();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("another database"), std::string::npos);
  EXPECT_EQ(Seen(), "a=1 ");
  ASSERT_OK(Follow());
  EXPECT_EQ(Seen(), Scan());
}

TEST_F(FollowerTest, FollowsByItself) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "0"));
  ASSERT_OK(Flush());
  options_.follower_refresh_catchup_period_ms = 1;
  ASSERT_OK(Follow());
  for (const char* value : {"1", "2"}) {
    ASSERT_OK(Put("a", value));
    ASSERT_OK(Flush());
    while (SeenAt("a") != value) std::this_thread::yield();
  }
  // A round that fails is not the last one.
  fs_->FailLinks(1, IOStatus::IOError("no"), ".sst");
  ASSERT_OK(Put("a", "3"));
  ASSERT_OK(Flush());
  while (SeenAt("a") != "3") std::this_thread::yield();
  EXPECT_EQ(fs_->links(), 2);
}

TEST_F(FollowerTest, ReadsNoManifestWithoutNews) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutInTables(0, 1));
  ASSERT_OK(Follow());
  ASSERT_OK(CatchUp());
  const int read = fs_->manifests();
  for (int i = 0; i < 3; ++i) ASSERT_OK(CatchUp());
  EXPECT_EQ(fs_->manifests(), read);
  ASSERT_NO_FATAL_FAILURE(PutInTables(1, 1));
  ASSERT_OK(CatchUp());
  EXPECT_GT(fs_->manifests(), read);
  EXPECT_EQ(Seen(), Scan());
}

TEST_F(FollowerTest, TriesAgainWhereFilesMove) {
  options_.follower_catchup_retry_count = 3;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutInTables(0, 1));
  const auto gone = [&](int count) {
    // Once more under the old name of a table, which is not there either.
    fs_->FailLinks(count, IOStatus::PathNotFound("moved"), ".sst");
  };
  for (const bool is_open : {false, true}) {
    const auto run = [&] { return is_open ? CatchUp() : Follow(); };
    ASSERT_NO_FATAL_FAILURE(PutInTables(is_open ? 2 : 1, 1));
    const std::string before = is_open ? Seen() : "";
    gone(4);
    const Status s = run();
    EXPECT_TRUE(s.IsPathNotFound()) << s.ToString();
    EXPECT_EQ(follower_ != nullptr, is_open);
    if (is_open) {
      EXPECT_EQ(Seen(), before);
      EXPECT_EQ(Links().size(), 2u);
    }
    gone(3);
    ASSERT_OK(run());
    EXPECT_EQ(Seen(), Scan());
  }
  // What does not pass is not tried again at once.
  ASSERT_NO_FATAL_FAILURE(PutInTables(3, 1));
  fs_->FailLinks(1, IOStatus::IOError("no"), ".sst");
  EXPECT_TRUE(CatchUp().IsIOError());
  EXPECT_EQ(fs_->links(), 1);
  ASSERT_OK(CatchUp());
  EXPECT_EQ(Seen(), Scan());
}

TEST_F(FollowerTest, CloseEndsARoundThatWaits) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutInTables(0, 1));
  options_.follower_refresh_catchup_period_ms = 1;
  options_.follower_catchup_retry_wait_ms = UINT64_MAX;
  ASSERT_OK(Follow());
  fs_->FailLinks(1000, IOStatus::PathNotFound("moved"), "");
  ASSERT_NO_FATAL_FAILURE(PutInTables(1, 1));
  fs_->AwaitLink();
  for (ColumnFamilyHandle* handle : seen_) {
    ASSERT_OK(follower_->DestroyColumnFamilyHandle(handle));
  }
  seen_.clear();
  ASSERT_OK(follower_->Close());
  EXPECT_EQ(fs_->links(), 2);  // one try under each of the two names
  EXPECT_EQ(Links(), std::set<std::string>());
}

TEST_F(FollowerTest, SaysThatThereAreNoLinks) {
  ASSERT_NO_FATAL_FAILURE(Open());
  fs_->FailLinks(1, IOStatus::NotSupported("other device"), "");
  const Status s = Follow();
  EXPECT_TRUE(s.IsNotSupported()) << s.ToString();
  EXPECT_NE(s.ToString().find("hard link"), std::string::npos) << s.ToString();
  EXPECT_NE(s.ToString().find("other device"), std::string::npos);
  EXPECT_EQ(follower_, nullptr);
  ASSERT_OK(Follow());
}

TEST_F(FollowerTest, WantsAPlaceOfItsOwn) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_NO_FATAL_FAILURE(PutInTables(0, 1));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  const std::set<std::string> names = NamesIn(path_);
  std::unique_ptr<DB> none;
  const auto open = [&](const std::string& name, const std::string& leader) {
    return DB::OpenAsFollower(OwnOptions(), name, leader, &none);
  };
  for (const std::string& name : {path_, path_ + "/", path_ + "/in"}) {
    EXPECT_TRUE(open(name, path_).IsInvalidArgument()) << name;
  }
  // The same by another name.
  const std::string alias = directory_.path() + "/alias";
  stdfs::create_directory_symlink(path_, alias);
  EXPECT_TRUE(open(alias, path_).IsInvalidArgument());
  EXPECT_EQ(NamesIn(path_), names);
  // Tables that somebody else keeps.
  const std::string other = directory_.path() + "/other";
  stdfs::create_directory(other);
  WriteBytes(other + "/000007.sst", "precious");
  EXPECT_TRUE(open(other, path_).IsInvalidArgument());
  EXPECT_EQ(NamesIn(other), std::set<std::string>{"000007.sst"});
  // Nothing to follow.
  EXPECT_TRUE(open(own_, path_ + "none").IsPathNotFound());
  EXPECT_FALSE(stdfs::exists(own_));
  EXPECT_FALSE(stdfs::exists(path_ + "none"));
  // One follower each; what is in its way is not harmed.
  ASSERT_OK(Follow());
  EXPECT_TRUE(open(own_, path_).IsIOError());
  EXPECT_EQ(Links().size(), 1u);
  EXPECT_EQ(none, nullptr);
  ASSERT_OK(open(own_ + "2", path_));
  none.reset();
  EXPECT_EQ(Seen(), Scan());
}

TEST_F(FollowerTest, WritesNothing) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Follow());
  DB* const db = follower_.get();
  ColumnFamilyHandle* made = nullptr;
  std::vector<std::string> files;
  uint64_t size = 0;
  const Status refused[] = {
      db->Put(WriteOptions(), "x", "y"),
      db->Delete(WriteOptions(), "x"),
      db->Merge(WriteOptions(), "x", "y"),
      db->Flush(FlushOptions()),
      db->CompactRange(CompactRangeOptions(), nullptr, nullptr),
      db->SetOptions({{"write_buffer_size", "100000"}}),
      db->SetDBOptions({{"max_open_files", "100"}}),
      db->CreateColumnFamily(ColumnFamilyOptions(), "one", &made),
      db->SyncWAL(),
      db->IngestExternalFile({"none"}, IngestExternalFileOptions()),
      db->GetLiveFiles(files, &size, false),
  };
  for (const Status& s : refused) {
    EXPECT_TRUE(s.IsNotSupported()) << &s - refused << ": " << s.ToString();
  }
  EXPECT_EQ(made, nullptr);
  ReadOptions read;
  read.snapshot = db->GetSnapshot();
  std::string value;
  EXPECT_TRUE(db->Get(read, "a", &value).IsNotSupported());
  db->ReleaseSnapshot(read.snapshot);
  EXPECT_TRUE(db_->TryCatchUpWithPrimary().IsNotSupported());
  EXPECT_EQ(Seen(), "a=1 ");
}

// What is seen is what was there at the last flush before the last round, and
// an iterator stays where it was made.
TEST_F(FollowerTest, AgreesWithAModel) {
  options_.disable_auto_compactions = false;
  options_.level0_file_num_compaction_trigger = 3;
  options_.enable_blob_files = true;
  options_.min_blob_size = 50;
  options_.enable_blob_garbage_collection = true;
  options_.target_file_size_base = 4 << 10;
  for (const uint64_t seed : {301u, 302u, 303u}) {
    SCOPED_TRACE(seed);
    Random64 random(seed);
    options_.max_open_files = random.Uniform(2) == 0 ? -1 : 20;
    path_ += "x";
    ASSERT_NO_FATAL_FAILURE(Open());
    ASSERT_OK(Follow());
    std::string flushed, seen;
    struct Held {
      std::unique_ptr<Iterator> it;
      std::string expected;
    };
    std::vector<Held> held;
    for (int step = 0; step < 400; ++step) {
      SCOPED_TRACE(step);
      const std::string key = std::to_string(random.Uniform(200));
      const uint64_t what = random.Uniform(100);
      if (what < 60) {
        const size_t size = random.Uniform(2) == 0 ? 10 : 100;
        ASSERT_OK(Put(key, std::to_string(step) + std::string(size, 'v')));
      } else if (what < 68) {
        ASSERT_OK(Delete(key));
      } else if (what < 70) {
        ASSERT_OK(db_->DeleteRange(WriteOptions(), key, key + "5"));
      } else if (what < 80) {
        ASSERT_OK(Flush());
        flushed = Scan();
      } else if (what < 82) {
        ASSERT_OK(CompactAll());
        flushed = Scan();
      } else if (what < 83) {
        ASSERT_NO_FATAL_FAILURE(Reopen());
        flushed = Scan();  // Recovery flushes.
      } else if (what < 92) {
        ASSERT_OK(CatchUp());
        seen = flushed;
      } else if (what < 94) {
        held.clear();
        ASSERT_OK(Follow());
        seen = flushed;
      } else if (held.size() < 3) {
        held.push_back(
            {std::unique_ptr<Iterator>(follower_->NewIterator(ReadOptions())),
             seen});
      } else {
        const size_t one = random.Uniform(3);
        ASSERT_EQ(All(held[one].it.get()), held[one].expected);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(one));
      }
      if (step % 7 == 0) {
        ASSERT_EQ(Seen(), seen);
      }
    }
    held.clear();
    ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    ASSERT_OK(CatchUp());
    ASSERT_OK(CatchUp());
    CloseFollower();
    EXPECT_EQ(Links(), std::set<std::string>());
    db_.reset();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
