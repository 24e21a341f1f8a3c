// Instances that write nothing: read-only ones, and those that follow a
// primary.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/file_system.h"
#include "rocksdb/multi_scan.h"
#include "tests/db/impl/damage.h"
#include "tests/db/impl/families_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class SecondaryTest : public FamiliesFixture {
 protected:
  SecondaryTest() { options_.merge_operator = NewStringAppendOperator(","); }
  ~SecondaryTest() override { other_.reset(); }

  Status OpenSecondary() {
    return DB::OpenAsSecondary(options_, path_, directory_.path() + "/second",
                               &other_);
  }
  std::string Seen(const std::string& key) {
    std::string value;
    const Status s = other_->Get(ReadOptions(), key, &value);
    if (s.IsNotFound()) return "NOT_FOUND";
    return s.ok() ? value : s.ToString();
  }
  std::string SeenByScan() {
    const std::unique_ptr<Iterator> it(other_->NewIterator(ReadOptions()));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }

  std::set<std::string> Names() {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  std::unique_ptr<DB> other_;
};

TEST_F(SecondaryTest, SeesWhatThePrimaryHasLogged) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(OpenSecondary());
  EXPECT_EQ(SeenByScan(), "a=1 b=2 ");
  ASSERT_OK(Put("b", "3"));
  ASSERT_OK(db_->Merge(WriteOptions(), "b", "4"));
  ASSERT_OK(Delete("a"));
  EXPECT_EQ(SeenByScan(), "a=1 b=2 ");
  const std::unique_ptr<Iterator> before(other_->NewIterator(ReadOptions()));
  ASSERT_OK(other_->TryCatchUpWithPrimary());
  EXPECT_EQ(SeenByScan(), "b=3,4 ");
  EXPECT_EQ(Seen("a"), "NOT_FOUND");
  EXPECT_EQ(Seen("b"), "3,4");
  EXPECT_EQ(other_->GetLatestSequenceNumber(), db_->GetLatestSequenceNumber());
  before->SeekToFirst();
  ASSERT_TRUE(before->Valid());
  EXPECT_EQ(before->key().ToString(), "a");
  ASSERT_OK(before->Refresh());
  before->SeekToFirst();
  EXPECT_EQ(before->key().ToString(), "b");
}

TEST_F(SecondaryTest, HasNoSnapshots) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(OpenSecondary());
  ReadOptions read;
  read.snapshot = other_->GetSnapshot();
  ASSERT_NE(read.snapshot, nullptr);
  std::string value;
  EXPECT_TRUE(other_->Get(read, "a", &value).IsNotSupported());
  std::unique_ptr<Iterator> it(other_->NewIterator(read));
  EXPECT_TRUE(it->status().IsNotSupported());
  it.reset(other_->NewIterator(ReadOptions()));
  EXPECT_TRUE(it->Refresh(read.snapshot).IsNotSupported());
  EXPECT_OK(it->Refresh());
  it->SeekToFirst();
  EXPECT_TRUE(it->Valid());
  other_->ReleaseSnapshot(read.snapshot);
}

// A file system that lets the primary run in between.
class MeddlingFs final : public FileSystemWrapper {
 public:
  explicit MeddlingFs(std::shared_ptr<FileSystem> base)
      : FileSystemWrapper(std::move(base)) {}
  const char* Name() const override { return "MeddlingFs"; }

  IOStatus GetChildren(const std::string& dir, const IOOptions& options,
                       std::vector<std::string>* names,
                       IODebugContext* debug) override {
    Meddle(&before_listing);
    return FileSystemWrapper::GetChildren(dir, options, names, debug);
  }
  IOStatus NewSequentialFile(const std::string& name,
                             const FileOptions& options,
                             std::unique_ptr<FSSequentialFile>* result,
                             IODebugContext* debug) override {
    if (name.find("MANIFEST") != std::string::npos) Meddle(&before_manifest);
    if (name.ends_with(".log")) Meddle(&before_log);
    return FileSystemWrapper::NewSequentialFile(name, options, result, debug);
  }

  // Each is called once.
  std::function<void()> before_listing, before_manifest, before_log;

 private:
  static void Meddle(std::function<void()>* what) {
    const std::function<void()> call = std::move(*what);
    *what = nullptr;
    if (call != nullptr) call();
  }
};

TEST_F(SecondaryTest, FilesThatMoveUnderItsHandsAreReadAgain) {
  ASSERT_NO_FATAL_FAILURE(Open());
  auto fs = std::make_shared<MeddlingFs>(FileSystem::Default());
  const std::unique_ptr<Env> env = NewCompositeEnv(fs);
  int count = 0;
  std::vector<std::string> states;
  // What was in the log goes to a table, and the log goes.
  const auto advance = [&] {
    states = {Scan()};
    ASSERT_OK(Put("flushed" + std::to_string(count), "1"));
    states.push_back(Scan());
    ASSERT_OK(Flush());
    ASSERT_OK(Put("logged" + std::to_string(count++), "1"));
    states.push_back(Scan());
  };
  // Another manifest.
  const auto restart = [&] {
    ASSERT_NO_FATAL_FAILURE(advance());
    ASSERT_NO_FATAL_FAILURE(Reopen());
  };
  ASSERT_NO_FATAL_FAILURE(advance());
  Options mine = options_;
  mine.env = env.get();
  for (const bool is_restarted : {false, true}) {
    const auto change = [&] { is_restarted ? restart() : advance(); };
    for (auto* moment :
         {&fs->before_listing, &fs->before_manifest, &fs->before_log}) {
      // A log may begin after the logs were listed, which is too late.
      const auto expect_one_state = [&] {
        EXPECT_EQ(*moment, nullptr);
        const std::string seen = SeenByScan();
        const bool is_early = moment == &fs->before_log;
        EXPECT_TRUE(
            seen == Scan() ||
            (is_early && std::count(states.begin(), states.end(), seen)))
            << seen;
      };
      *moment = change;
      ASSERT_OK(DB::OpenAsSecondary(mine, path_, directory_.path() + "/second",
                                    &other_));
      expect_one_state();
      ASSERT_NO_FATAL_FAILURE(advance());
      *moment = change;
      ASSERT_OK(other_->TryCatchUpWithPrimary());
      expect_one_state();
      ASSERT_OK(other_->TryCatchUpWithPrimary());
      EXPECT_EQ(SeenByScan(), Scan());
      other_.reset();
    }
  }
}

TEST_F(SecondaryTest, FollowsBlobFiles) {
  options_.disable_auto_compactions = true;
  options_.enable_blob_files = true;
  options_.enable_blob_garbage_collection = true;
  options_.blob_garbage_collection_age_cutoff = 1;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(OpenSecondary());
  for (int round = 0; round < 6; ++round) {
    const std::string value = std::string(100, 'v') + std::to_string(round);
    for (int i = round; i < 50; i += 2) {
      ASSERT_OK(Put(std::to_string(i), value));
    }
    ASSERT_OK(Flush());
    const std::unique_ptr<Iterator> before(other_->NewIterator(ReadOptions()));
    const std::string seen = SeenByScan();
    ASSERT_OK(other_->TryCatchUpWithPrimary());
    EXPECT_EQ(SeenByScan(), Scan());
    // Its blob files go, and are still open here.
    ASSERT_OK(CompactAll(/*force=*/true));
    EXPECT_EQ(SeenByScan(), Scan());
    std::string again;
    for (before->SeekToFirst(); before->Valid(); before->Next()) {
      again +=
          before->key().ToString() + "=" + before->value().ToString() + " ";
    }
    EXPECT_OK(before->status());
    EXPECT_EQ(again, seen);
  }
}

TEST_F(SecondaryTest, FollowsFlushesAndCompactions) {
  options_.disable_auto_compactions = true;
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("k", "0"));
  ASSERT_OK(OpenSecondary());
  for (int round = 1; round < 8; ++round) {
    const std::string value = std::to_string(round);
    for (int i = 0; i < 100; ++i) ASSERT_OK(Put(std::to_string(i), value));
    ASSERT_OK(db_->DeleteRange(WriteOptions(), "3", "4"));
    if (round % 2 == 0) ASSERT_OK(Flush());
    // What it has open goes away under its hands.
    if (round % 3 == 0) ASSERT_OK(CompactAll());
    EXPECT_EQ(Seen("17"), round == 1 ? "NOT_FOUND" : std::to_string(round - 1));
    EXPECT_EQ(Seen("k"), "0");
    ASSERT_OK(other_->TryCatchUpWithPrimary());
    EXPECT_EQ(Seen("17"), value);
    EXPECT_EQ(Seen("33"), "NOT_FOUND");
    EXPECT_EQ(SeenByScan(), Scan());
  }
  // The primary starts anew: another manifest.
  ASSERT_NO_FATAL_FAILURE(Reopen());
  ASSERT_OK(Put("k", "1"));
  ASSERT_OK(other_->TryCatchUpWithPrimary());
  EXPECT_EQ(SeenByScan(), Scan());
  EXPECT_EQ(Seen("k"), "1");
}

TEST_F(SecondaryTest, EveryReadAnswersAsThePrimarys) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", ""));
  ASSERT_OK(db_->Merge(WriteOptions(), "b", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(db_->Merge(WriteOptions(), "b", "2"));
  ASSERT_OK(OpenSecondary());
  std::unique_ptr<DB> read_only;
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &read_only));
  for (DB* db : {db_.get(), other_.get(), read_only.get()}) {
    PinnableSlice operands[4];
    GetMergeOperandsOptions options;
    options.expected_max_number_of_operands = 4;
    int count = 0;
    ASSERT_OK(db->GetMergeOperands(ReadOptions(), db->DefaultColumnFamily(),
                                   "b", operands, &options, &count));
    ASSERT_EQ(count, 2);
    EXPECT_EQ(operands[0].ToString() + operands[1].ToString(), "12");
    std::vector<std::string> values;
    const std::vector<Status> statuses =
        db->MultiGet(ReadOptions(), {"a", "b", "c"}, &values);
    EXPECT_OK(statuses[0]);
    EXPECT_EQ(values[1], "1,2");
    EXPECT_TRUE(statuses[2].IsNotFound());
    // Without I/O: not known is another answer than empty.
    ReadOptions memory;
    memory.read_tier = kBlockCacheTier;
    std::string value = "x";
    const Status s = db->Get(memory, "a", &value);
    EXPECT_TRUE(s.IsIncomplete() || (s.ok() && value.empty())) << s.ToString();
    EXPECT_TRUE(db->KeyMayExist(ReadOptions(), "a", &value));
  }
}

using Handles = std::vector<ColumnFamilyHandle*>;

std::string ColumnsSeen(const Status& s, const WideColumns& columns) {
  std::string text = s.ok() ? "" : s.ToString();
  for (const WideColumn& column : columns) {
    text += column.name().ToString() + ":" + column.value().ToString() + " ";
  }
  return text + "| ";
}

// The same keys by each form of lookup that takes columns or families.
std::string SeenByLookups(DB* db, Handles families) {
  const ReadOptions read;
  std::string text;
  const std::vector<Slice> keys(families.size(), "e");
  std::vector<PinnableWideColumns> columns(keys.size());
  std::vector<Status> statuses(keys.size());
  db->MultiGetEntity(read, keys.size(), families.data(), keys.data(),
                     columns.data(), statuses.data());
  PinnableAttributeGroups groups;
  for (size_t i = 0; i < families.size(); ++i) {
    text += ColumnsSeen(statuses[i], columns[i].columns());
    PinnableWideColumns one;
    const Status s = db->GetEntity(read, families[i], "b", &one);
    text += ColumnsSeen(s, one.columns());
    groups.emplace_back(families[i]);
  }
  EXPECT_OK(db->GetEntity(read, "e", &groups));
  for (const PinnableAttributeGroup& group : groups) {
    text += ColumnsSeen(group.status(), group.columns());
  }
  return text;
}

// All that is there by each form of cursor.
std::string SeenByCursors(DB* db, const Handles& families) {
  const ReadOptions read;
  std::string text = "\ncoalesced: ";
  const auto joined = db->NewCoalescingIterator(read, families);
  for (joined->SeekToFirst(); joined->Valid(); joined->Next()) {
    text += joined->key().ToString() + "=";
    text += ColumnsSeen(joined->status(), joined->columns());
  }
  EXPECT_OK(joined->status());
  text += "\ngroups: ";
  const auto grouped = db->NewAttributeGroupIterator(read, families);
  for (grouped->SeekToFirst(); grouped->Valid(); grouped->Next()) {
    text += grouped->key().ToString() + "=";
    for (const IteratorAttributeGroup& group : grouped->attribute_groups()) {
      text += group.column_family()->GetName() + "/";
      text += ColumnsSeen(grouped->status(), group.columns());
    }
  }
  EXPECT_OK(grouped->status());
  std::vector<Iterator*> iterators;
  EXPECT_OK(db->NewIterators(read, families, &iterators));
  for (Iterator* each : iterators) {
    const std::unique_ptr<Iterator> it(each);
    text += "\niterator: ";
    for (it->SeekToLast(); it->Valid(); it->Prev()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    EXPECT_OK(it->status());
  }
  for (ColumnFamilyHandle* family : families) {
    MultiScanArgs args(BytewiseComparator());
    args.insert("a", "c");
    args.insert("e", "z");
    text += "\nranges: ";
    const auto scans = db->NewMultiScan(read, family, args);
    for (auto scan : *scans) {
      for (auto entry : scan) {
        text += entry.first.ToString() + "=" + entry.second.ToString() + " ";
      }
      text += "| ";
    }
  }
  return text;
}

std::string SeenByForms(DB* db, const Handles& families) {
  return SeenByLookups(db, families) + SeenByCursors(db, families);
}

TEST_F(SecondaryTest, EveryFormAnswersAsThePrimarys) {
  options_.create_missing_column_families = true;
  options_.enable_blob_files = true;
  options_.min_blob_size = 20;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  const std::vector<ColumnFamilyDescriptor> families{
      {"default", ColumnFamilyOptions(options_)},
      {"one", ColumnFamilyOptions(options_)}};
  std::vector<ColumnFamilyHandle*> handles;
  ASSERT_OK(DB::OpenAsSecondary(DBOptions(options_), path_,
                                directory_.path() + "/second", families,
                                &handles, &other_));
  for (const int round : {1, 2}) {
    const std::string number = std::to_string(round);
    for (ColumnFamilyHandle* family : handles_) {
      const WriteOptions write;
      ASSERT_OK(db_->Put(write, family, "a" + number, std::string(30, 'v')));
      ASSERT_OK(db_->Merge(write, family, "b", family->GetName() + number));
      ASSERT_OK(db_->PutEntity(write, family, "e",
                               {{"", number},
                                {"of", family->GetName()},
                                {family->GetName(), std::string(30, 'w')}}));
      if (round == 1) {
        ASSERT_OK(db_->Flush(FlushOptions(), family));
      }
    }
    ASSERT_OK(db_->DeleteRange(WriteOptions(), handles_[1], "a1", "a2"));
    ASSERT_OK(other_->TryCatchUpWithPrimary());
    const std::string expected = SeenByForms(db_.get(), handles_);
    EXPECT_NE(expected.find("e=:" + number + " default:"), std::string::npos)
        << expected;
    EXPECT_EQ(SeenByForms(other_.get(), handles), expected);
    std::unique_ptr<DB> read_only;
    std::vector<ColumnFamilyHandle*> own;
    ASSERT_OK(DB::OpenForReadOnly(DBOptions(options_), path_, families, &own,
                                  &read_only));
    EXPECT_EQ(SeenByForms(read_only.get(), own), expected);
    for (ColumnFamilyHandle* handle : own) {
      ASSERT_OK(read_only->DestroyColumnFamilyHandle(handle));
    }
  }
  for (ColumnFamilyHandle* handle : handles) {
    ASSERT_OK(other_->DestroyColumnFamilyHandle(handle));
  }
}

TEST_F(SecondaryTest, WritesNothing) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "1"));
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  const std::set<std::string> names = Names();
  ASSERT_OK(OpenSecondary());
  EXPECT_TRUE(other_->Put(WriteOptions(), "x", "y").IsNotSupported());
  EXPECT_TRUE(other_->Flush(FlushOptions()).IsNotSupported());
  EXPECT_TRUE(db_->TryCatchUpWithPrimary().IsNotSupported());
  ASSERT_OK(other_->TryCatchUpWithPrimary());
  ASSERT_OK(other_->Close());
  other_.reset();
  EXPECT_EQ(Names(), names);
}

// Files that a writer has added since are not an instance's to remove.
TEST_F(SecondaryTest, ClosingReadOnlyRemovesNothing) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  ASSERT_OK(Flush());
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &other_));
  ASSERT_OK(Put("b", "2"));
  ASSERT_OK(Flush());
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  const std::set<std::string> names = Names();
  EXPECT_EQ(Seen("a"), "1");
  EXPECT_EQ(Seen("b"), "NOT_FOUND");
  ASSERT_OK(other_->Close());
  other_.reset();
  EXPECT_EQ(Names(), names);
  ASSERT_NO_FATAL_FAILURE(Reopen());
  EXPECT_EQ(Scan(), "a=1 b=2 ");
}

TEST_F(SecondaryTest, ReadOnlyMayInsistOnNoLog) {
  ASSERT_NO_FATAL_FAILURE(Open());
  ASSERT_OK(Put("a", "1"));
  db_.reset();
  EXPECT_TRUE(DB::OpenForReadOnly(options_, path_, &other_,
                                  /*error_if_wal_file_exists=*/true)
                  .IsCorruption());
  ASSERT_OK(DB::OpenForReadOnly(options_, path_, &other_, false));
  EXPECT_EQ(Seen("a"), "1");
}

TEST_F(SecondaryTest, SomeFamiliesMayBeLeftOut) {
  options_.create_missing_column_families = true;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  ASSERT_OK(PutIn(0, "a", "0"));
  ASSERT_OK(PutIn(1, "a", "1"));
  ASSERT_OK(OpenSecondary());
  EXPECT_EQ(Seen("a"), "0");
  ASSERT_OK(PutIn(1, "b", "1"));
  ASSERT_OK(PutIn(0, "b", "0"));
  ASSERT_NO_FATAL_FAILURE(CreateFamily("two"));
  ASSERT_OK(other_->TryCatchUpWithPrimary());
  EXPECT_EQ(SeenByScan(), "a=0 b=0 ");
  std::unique_ptr<DB> none;
  EXPECT_FALSE(DB::OpenAsSecondary(options_, path_ + "none",
                                   directory_.path() + "/second", &none)
                   .ok());
  EXPECT_EQ(none, nullptr);
}

// Another database in the primary's place has other files by the same numbers.
TEST_F(SecondaryTest, AnotherPrimaryIsNotFollowed) {
  for (const bool has_blobs : {false, true}) {
    options_.enable_blob_files = has_blobs;
    for (const bool has_id : {true, false}) {
      options_.write_dbid_to_manifest = has_id;
      ASSERT_NO_FATAL_FAILURE(Open());
      ASSERT_OK(Put("a", "1"));
      ASSERT_OK(Flush());
      ASSERT_OK(OpenSecondary());
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
      ASSERT_NO_FATAL_FAILURE(Open());
      ASSERT_OK(Put("a", std::string(100, '2')));
      ASSERT_OK(Flush());
      const Status s = other_->TryCatchUpWithPrimary();
      EXPECT_TRUE(s.IsCorruption()) << s.ToString();
      const char* why = has_id ? "another database" : "another file";
      EXPECT_NE(s.ToString().find(why), std::string::npos) << s.ToString();
      EXPECT_EQ(Seen("a"), "1");
      other_.reset();
      ASSERT_OK(OpenSecondary());
      EXPECT_EQ(Seen("a"), std::string(100, '2'));
      other_.reset();
      db_.reset();
      ASSERT_OK(DestroyDB(path_, options_));
    }
  }
}

TEST_F(SecondaryTest, APlainPointerIsGivenBackToo) {
  options_.create_missing_column_families = true;
  ASSERT_NO_FATAL_FAILURE(OpenFamilies({"default", "one"}));
  ASSERT_OK(PutIn(1, "a", "1"));
  const std::string place = directory_.path() + "/second";
  const std::vector<ColumnFamilyDescriptor> families{
      {"default", ColumnFamilyOptions(options_)},
      {"one", ColumnFamilyOptions(options_)}};
  std::vector<ColumnFamilyHandle*> handles;
  DB* plain = nullptr;
  ASSERT_OK(DB::OpenAsSecondary(DBOptions(options_), path_, place, families,
                                &handles, &plain));
  other_.reset(plain);
  std::string value;
  EXPECT_OK(other_->Get(ReadOptions(), handles[1], "a", &value));
  EXPECT_EQ(value, "1");
  for (ColumnFamilyHandle* handle : handles) {
    EXPECT_OK(other_->DestroyColumnFamilyHandle(handle));
  }
  EXPECT_FALSE(DB::OpenAsSecondary(DBOptions(options_), path_ + "none", place,
                                   families, &handles, &plain)
                   .ok());
  EXPECT_EQ(plain, nullptr);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
