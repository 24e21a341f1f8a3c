// Databases whose memtables are of the application's making: that they work,
// what is refused, and what happens when its code throws.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/convenience.h"
#include "rocksdb/listener.h"
#include "rocksdb/utilities/object_registry.h"
#include "rocksdb/utilities/options_util.h"
#include "tests/db/impl/db_fixture.h"
#include "tests/memtable/set_rep.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class OwnMemtableTest : public DbFixture {
 protected:
  OwnMemtableTest() { Use(/*is_concurrent=*/false); }
  ~OwnMemtableTest() override { db_.reset(); }

  void Use(bool is_concurrent) {
    options_.allow_concurrent_memtable_write = is_concurrent;
    options_.memtable_factory =
        std::make_shared<SetRepFactory>(log_, is_concurrent);
  }

  const std::shared_ptr<SetRepLog> log_ = std::make_shared<SetRepLog>();
};

TEST_F(OwnMemtableTest, ReadsWritesAndRecovers) {
  Open();
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(Put("k" + std::to_string(100 + i), std::to_string(i)));
  }
  const Snapshot* const snapshot = db_->GetSnapshot();
  ASSERT_OK(Put("k150", "newer"));
  ASSERT_OK(Delete("k151"));
  ASSERT_OK(db_->DeleteRange(WriteOptions(), "k110", "k120"));
  EXPECT_EQ("newer", Get("k150"));
  EXPECT_EQ("50", Get("k150", snapshot));
  EXPECT_EQ("NOT_FOUND", Get("k151"));
  EXPECT_EQ("51", Get("k151", snapshot));
  EXPECT_EQ("NOT_FOUND", Get("k115"));
  db_->ReleaseSnapshot(snapshot);
  EXPECT_GE(log_->inserts, 102);
  const std::string before = Scan();
  Reopen();  // from the log
  EXPECT_EQ(before, Scan());
  ASSERT_OK(Put("k115", "15"));
  ASSERT_OK(Delete("k115"));
  ASSERT_OK(Flush());
  EXPECT_EQ(before, Scan());
  Reopen();  // from the table
  EXPECT_EQ(before, Scan());
  db_.reset();
  EXPECT_EQ(log_->made, log_->destroyed);
  EXPECT_GT(log_->flushed, 0);
  EXPECT_GE(log_->read_only, log_->flushed);
}

// A file that is written with another kind of memtable is as any.
TEST_F(OwnMemtableTest, KindsMayChangeBetweenOpens) {
  Open();
  ASSERT_OK(Put("a", "1"));
  options_.memtable_factory = std::make_shared<SkipListFactory>();
  Reopen();
  ASSERT_OK(Put("b", "2"));
  Use(false);
  Reopen();
  EXPECT_EQ("a=1 b=2 ", Scan());
}

TEST_F(OwnMemtableTest, FullOnesAreFlushed) {
  options_.write_buffer_size = 64 << 10;
  Open();
  for (int i = 0; i < 3000; ++i) {
    ASSERT_OK(Put("k" + std::to_string(10000 + i), std::string(20, 'v')));
  }
  ASSERT_OK(db_->WaitForCompact(WaitForCompactOptions()));
  EXPECT_GT(Tables().size(), 0u);
  EXPECT_EQ(std::string(20, 'v'), Get("k10000"));
  EXPECT_EQ(std::string(20, 'v'), Get("k12999"));
}

TEST_F(OwnMemtableTest, ManyWritersWhereItCan) {
  Use(/*is_concurrent=*/true);
  Open();
  std::vector<std::thread> writers;
  for (int w = 0; w < 4; ++w) {
    writers.emplace_back([this, w] {
      for (int i = 0; i < 300; ++i) {
        EXPECT_OK(Put(std::to_string(i) + "." + std::to_string(w), "v"));
        if (i % 50 == 0) {
          EXPECT_EQ("v", Get(std::to_string(i) + "." + std::to_string(w)));
          EXPECT_NE("", Scan());
        }
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(1200, log_->concurrent_inserts);
  EXPECT_GT(log_->batches, 0);
  const std::string before = Scan();
  ASSERT_OK(Flush());
  EXPECT_EQ(before, Scan());
}

TEST_F(OwnMemtableTest, ConcurrentWritesAreRefusedWhereItCannot) {
  options_.allow_concurrent_memtable_write = true;
  const Status s = TryOpen();
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_NE(std::string::npos, s.ToString().find("test.SetRep"));
  options_.memtable_factory = std::make_shared<VectorRepFactory>();
  EXPECT_OK(TryOpen());
}

TEST_F(OwnMemtableTest, EachFamilyHasItsOwn) {
  Open();
  ColumnFamilyHandle* handle = nullptr;
  ASSERT_OK(db_->CreateColumnFamily(options_, "other", &handle));
  const std::unique_ptr<ColumnFamilyHandle> other(handle);
  EXPECT_EQ(other->GetID(), log_->family_id);
  ASSERT_OK(db_->Put(WriteOptions(), other.get(), "a", "1"));
  EXPECT_EQ("", Scan());
}

TEST_F(OwnMemtableTest, TailingIteratorsSeeWhatComes) {
  Open();
  ReadOptions read;
  read.tailing = true;
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  it->SeekToFirst();
  EXPECT_FALSE(it->Valid());
  ASSERT_OK(Put("a", "1"));
  it->SeekToFirst();
  ASSERT_TRUE(it->Valid());
  EXPECT_EQ("1", it->value().ToString());
}

// Inserted by the name that an OPTIONS file has.
TEST_F(OwnMemtableTest, ByName) {
  Open();
  ASSERT_OK(Put("a", "1"));
  db_.reset();
  const int made = log_->made;
  ConfigOptions config;
  config.ignore_unsupported_options = false;
  DBOptions db_options;
  std::vector<ColumnFamilyDescriptor> families;
  EXPECT_FALSE(LoadLatestOptions(config, path_, &db_options, &families).ok());
  config.registry->AddLibrary("own")->AddFactory<MemTableRepFactory>(
      "test.SetRep",
      [log = log_](const std::string&,
                   std::unique_ptr<MemTableRepFactory>* guard, std::string*) {
        *guard = std::make_unique<SetRepFactory>(log);
        return guard->get();
      });
  ASSERT_OK(LoadLatestOptions(config, path_, &db_options, &families));
  ASSERT_STREQ("test.SetRep", families.at(0).options.memtable_factory->Name());
  options_ = Options(db_options, families.at(0).options);
  Open();
  EXPECT_GT(log_->made, made);
  EXPECT_EQ("a=1 ", Scan());
}

// --- What goes wrong --------------------------------------------------------

TEST_F(OwnMemtableTest, WithoutARepThereAreTrees) {
  log_->making_throws = true;
  Open();
  ASSERT_OK(Put("a", "1"));
  EXPECT_EQ(0, log_->made);
  log_->making_throws = false;
  ASSERT_OK(Flush());
  ASSERT_OK(Put("b", "2"));
  EXPECT_GT(log_->made, 0);
  EXPECT_EQ("a=1 b=2 ", Scan());
}

// The log has the write, which the next open applies.
TEST_F(OwnMemtableTest, AnInsertThatThrowsStopsWrites) {
  Open();
  ASSERT_OK(Put("a", "1"));
  log_->inserts_throw = true;
  EXPECT_TRUE(Put("b", "2").IsAborted());
  log_->inserts_throw = false;
  EXPECT_FALSE(Put("c", "3").ok());
  EXPECT_EQ("1", Get("a"));
  Reopen();
  EXPECT_EQ("1", Get("a"));
  ASSERT_OK(Put("c", "3"));
}

TEST_F(OwnMemtableTest, ReadsThatThrowAreAborted) {
  Open();
  ASSERT_OK(Put("a", "1"));
  log_->reads_throw = true;
  std::string value;
  EXPECT_TRUE(db_->Get(ReadOptions(), "a", &value).IsAborted());
  EXPECT_NE(std::string::npos, Scan().find("the set is shy")) << Scan();
  EXPECT_FALSE(Flush().ok());
  log_->reads_throw = false;
  EXPECT_EQ("1", Get("a"));
  Reopen();
  EXPECT_EQ("a=1 ", Scan());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
