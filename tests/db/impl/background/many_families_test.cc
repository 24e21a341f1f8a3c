// Hundreds of column families: each is a family of its own, and all of them
// together are one database.
#include <map>
#include <string>
#include <vector>

#include "env/mem_file_system.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/families_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int kFamilyCount = 200;

class ManyFamiliesTest : public FamiliesFixture {
 protected:
  // In memory: nobody waits for a device that syncs each file of each family.
  ManyFamiliesTest() { options_.env = env_.get(); }
  ~ManyFamiliesTest() override { CloseFamilies(); }
  static MemFileSystemOptions InMemory() {
    MemFileSystemOptions options;
    options.implicit_directories = true;
    return options;
  }
  static std::string Name(int i) {
    return "family " + std::to_string(1000 + i);
  }
  // Families differ in what their files and memtables are like.
  ColumnFamilyOptions OptionsOf(int i) const {
    ColumnFamilyOptions family(options_);
    family.write_buffer_size = (64 << 10) + (i << 10);
    family.compression = i % 2 == 0 ? kNoCompression : kZSTD;
    family.num_levels = 3 + i % 3;
    return family;
  }
  static std::string ValueOf(int i) { return "value " + std::to_string(i); }

  void Make() {
    Open();
    std::vector<ColumnFamilyDescriptor> families;
    for (int i = 0; i < kFamilyCount; ++i) {
      families.emplace_back(Name(i), OptionsOf(i));
    }
    ASSERT_OK(db_->CreateColumnFamilies(families, &handles_));
  }
  // With the options that the file of the last session has.
  void OpenAll() {
    CloseFamilies();
    DBOptions db_options;
    std::vector<ColumnFamilyDescriptor> families;
    ConfigOptions config;
    config.env = env_.get();
    ASSERT_OK(LoadLatestOptions(config, path_, &db_options, &families));
    db_options.env = env_.get();
    ASSERT_OK(DB::Open(db_options, path_, families, &handles_, &db_));
  }
  ColumnFamilyHandle* Handle(const std::string& name) const {
    for (ColumnFamilyHandle* handle : handles_) {
      if (handle->GetName() == name) return handle;
    }
    return nullptr;
  }
  std::string GetFrom(const std::string& family, const std::string& key) {
    std::string value;
    const Status s = db_->Get(ReadOptions(), Handle(family), key, &value);
    return s.ok() ? value : s.ToString();
  }

  const std::unique_ptr<Env> env_ = NewCompositeEnv(
      std::make_shared<MemFileSystem>(SystemClock::Default(), InMemory()));
};

TEST_F(ManyFamiliesTest, ComeGoAndComeBack) {
  ASSERT_NO_FATAL_FAILURE(Make());
  // One batch for all, so that it is in all or in none.
  WriteBatch batch;
  for (int i = 0; i < kFamilyCount; ++i) {
    ASSERT_OK(batch.Put(Handle(Name(i)), "k", ValueOf(i)));
  }
  ASSERT_OK(db_->Write(WriteOptions(), &batch));
  std::vector<ColumnFamilyHandle*> dropped;
  for (int i = 0; i < kFamilyCount; i += 3) dropped.push_back(Handle(Name(i)));
  ASSERT_OK(db_->DropColumnFamilies(dropped));
  for (int i = 1; i < kFamilyCount; i += 30) {
    ASSERT_OK(db_->Flush(FlushOptions(), Handle(Name(i))));
  }
  for (int round = 0; round < 2; ++round) {
    ASSERT_NO_FATAL_FAILURE(OpenAll());
    EXPECT_EQ(handles_.size(), 1u + kFamilyCount * 2 / 3);
    for (int i = 0; i < kFamilyCount; ++i) {
      if (i % 3 == 0) {
        EXPECT_EQ(Handle(Name(i)), nullptr) << i;
        continue;
      }
      EXPECT_EQ(GetFrom(Name(i), "k"), ValueOf(i));
      ColumnFamilyDescriptor now;
      ASSERT_OK(Handle(Name(i))->GetDescriptor(&now));
      EXPECT_EQ(now.options.write_buffer_size, OptionsOf(i).write_buffer_size);
      EXPECT_EQ(now.options.num_levels, OptionsOf(i).num_levels);
    }
  }
}

// A log that one family holds back is not kept for ever: all of them together
// may have so much of it, and those that are behind are flushed.
TEST_F(ManyFamiliesTest, LogsAreNotKeptForTheOneThatIsSeldomWritten) {
  options_.max_total_wal_size = 256 << 10;
  ASSERT_NO_FATAL_FAILURE(Make());
  for (int i = 0; i < kFamilyCount; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), Handle(Name(i)), "first", ValueOf(i)));
  }
  VectorWalPtr logs;
  ASSERT_OK(db_->GetSortedWalFiles(logs));
  const uint64_t oldest = logs.front()->LogNumber();
  for (int i = 0; i < 400; ++i) {
    ASSERT_OK(db_->Put(WriteOptions(), Handle(Name(i % 2)), std::to_string(i),
                       std::string(2000, 'v')));
  }
  AwaitPurge();
  ASSERT_OK(db_->GetSortedWalFiles(logs));
  EXPECT_GT(logs.front()->LogNumber(), oldest);
  uint64_t bytes = 0;
  for (const auto& log : logs) bytes += log->SizeFileBytes();
  EXPECT_LT(bytes, 2 * options_.max_total_wal_size);
  ASSERT_NO_FATAL_FAILURE(OpenAll());
  for (int i = 0; i < kFamilyCount; ++i) {
    EXPECT_EQ(GetFrom(Name(i), "first"), ValueOf(i));
  }
}

// The bound is there from the first write on, before anything else happens.
TEST_F(ManyFamiliesTest, LogsAreBoundedFromTheOpenOn) {
  options_.max_total_wal_size = 256 << 10;
  options_.write_buffer_size = 64 << 20;
  Open();
  std::vector<std::string> names;
  for (int i = 0; i < 58; ++i) names.push_back(Name(i));
  ASSERT_OK(db_->CreateColumnFamilies(ColumnFamilyOptions(options_), names,
                                      &handles_));
  names.insert(names.begin(), kDefaultColumnFamilyName);
  ASSERT_NO_FATAL_FAILURE(OpenFamilies(names));
  // One has data in the first log, and is never written again.
  ASSERT_OK(PutIn(58, "idle", "value"));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_OK(PutIn(i % 58, std::to_string(i), std::string(2000, 'v')));
    // Writers do not wait for it.
    if (i % 50 == 0) {
      ASSERT_NO_FATAL_FAILURE(AwaitPurge());
    }
  }
  ASSERT_NO_FATAL_FAILURE(AwaitPurge());
  VectorWalPtr logs;
  ASSERT_OK(db_->GetSortedWalFiles(logs));
  uint64_t bytes = 0;
  for (const auto& log : logs) bytes += log->SizeFileBytes();
  EXPECT_LT(bytes, 2 * options_.max_total_wal_size);
  EXPECT_EQ(FamiliesFixture::GetFrom(58, "idle"), "value");
}

// An OPTIONS file lists all families, so families that are made or dropped
// together must not each have one written.
TEST_F(ManyFamiliesTest, ManyAreNotedAtOnce) {
  Open();
  std::vector<std::string> names;
  for (int i = 0; i < 50; ++i) names.push_back(Name(i));
  const auto options_number = [this] {
    std::vector<LiveFileStorageInfo> files;
    EXPECT_OK(db_->GetLiveFilesStorageInfo({}, &files));
    for (const LiveFileStorageInfo& file : files) {
      if (file.file_type == kOptionsFile) return file.file_number;
    }
    return uint64_t{0};
  };
  const auto noted = [this] {
    DBOptions db_options;
    std::vector<ColumnFamilyDescriptor> families;
    ConfigOptions config;
    config.env = env_.get();
    EXPECT_OK(LoadLatestOptions(config, path_, &db_options, &families));
    return families.size();
  };
  uint64_t before = options_number();
  ASSERT_OK(db_->CreateColumnFamilies(ColumnFamilyOptions(options_), names,
                                      &handles_));
  EXPECT_EQ(handles_.size(), names.size());
  EXPECT_LT(options_number(), before + names.size());
  EXPECT_EQ(noted(), names.size() + 1);
  before = options_number();
  ASSERT_OK(db_->DropColumnFamilies(handles_));
  EXPECT_LT(options_number(), before + names.size());
  EXPECT_EQ(noted(), 1u);
}

TEST_F(ManyFamiliesTest, ThoseBeforeAnErrorAreNoted) {
  Open();
  const auto noted = [this] {
    DBOptions db_options;
    std::vector<ColumnFamilyDescriptor> families;
    ConfigOptions config;
    config.env = env_.get();
    EXPECT_OK(LoadLatestOptions(config, path_, &db_options, &families));
    std::string text;
    for (const auto& family : families) text += family.name + " ";
    return text;
  };
  EXPECT_TRUE(db_->CreateColumnFamilies(ColumnFamilyOptions(options_),
                                        {"a", "b", "a", "c"}, &handles_)
                  .IsInvalidArgument());
  EXPECT_EQ(handles_.size(), 2u);
  EXPECT_EQ(noted(), "default a b ");
  EXPECT_TRUE(db_->DropColumnFamilies(
                     {handles_[0], db_->DefaultColumnFamily(), handles_[1]})
                  .IsInvalidArgument());
  EXPECT_EQ(noted(), "default b ");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
