// Instances that write nothing: read-only ones, and those that follow a
// primary. The cases are tests/testdata/databases/following/secondary.txt, in
// the language of database_script.h, without compactions that nobody asks for.
#include <algorithm>
#include <filesystem>
#include <functional>

#include "rocksdb/attribute_groups.h"
#include "rocksdb/file_system.h"
#include "rocksdb/multi_scan.h"
#include "tests/db/impl/database_script.h"
#include "tests/db/impl/families_fixture.h"
#include "util/builtin_merge_operators.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(SecondaryScript, EveryCase) {
  Options options = ScriptDatabase::Defaults();
  options.merge_operator = NewStringAppendOperator(",");
  options.disable_auto_compactions = true;
  EXPECT_GE(RunDatabases("databases/following/secondary.txt", options), 16u);
}

class SecondaryTest : public FamiliesFixture {
 protected:
  SecondaryTest() { options_.merge_operator = NewStringAppendOperator(","); }
  ~SecondaryTest() override { other_.reset(); }

  Status OpenSecondary() {
    return DB::OpenAsSecondary(options_, path_, directory_.path() + "/second",
                               &other_);
  }
  std::string SeenByScan() {
    const std::unique_ptr<Iterator> it(other_->NewIterator(ReadOptions()));
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) {
      text += it->key().ToString() + "=" + it->value().ToString() + " ";
    }
    return it->status().ok() ? text : it->status().ToString();
  }

  std::unique_ptr<DB> other_;
};

TEST_F(SecondaryTest, BadOptionsAreRefusedBeforeAnythingIsMade) {
  Open();
  ASSERT_OK(Put("k", "v"));
  db_.reset();
  Env* const env = options_.env;
  options_.env = nullptr;
  EXPECT_TRUE(OpenSecondary().IsInvalidArgument());
  options_.env = env;
  options_.listeners = {nullptr};
  EXPECT_TRUE(OpenSecondary().IsInvalidArgument());
  EXPECT_FALSE(std::filesystem::exists(directory_.path() + "/second"));
  // Where nothing is read by it, no environment means the default one.
  options_.listeners.clear();
  options_.env = nullptr;
  EXPECT_OK(DestroyDB(path_, options_));
  EXPECT_FALSE(std::filesystem::exists(path_));
  options_.env = env;
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
