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

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
