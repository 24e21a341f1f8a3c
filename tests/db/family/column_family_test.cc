// Reads take the newest published state of a family without a lock, while it
// changes and in many threads, and a state lives exactly as long as somebody
// uses it.
#include "db/family/column_family.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "memtable/memtable.h"
#include "options/sanitize.h"
#include "tests/db/tables/table_files.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class ColumnFamilyTest : public ::testing::Test {
 protected:
  ColumnFamilyTest() {
    f.Open(true);
    context.db = f.db.get();
    context.tables.paths = {"/db"};
    context.mutex = &mutex;
  }

  ColumnFamilyRef New(uint32_t id = 0, const std::string& name = "default") {
    auto cfd = std::make_shared<ColumnFamilyData>(
        id, name, SanitizeColumnFamilyOptions(*f.db, f.family), context);
    MutexLock lock(&mutex);
    VersionRef version = std::make_shared<Version>(cfd.get(), 1, &cfd->order(),
                                                   cfd->ioptions().num_levels);
    EXPECT_TRUE(version->mutable_storage()
                    ->Build(std::vector<std::vector<FileRef>>(
                                cfd->ioptions().num_levels),
                            true)
                    .ok());
    cfd->InstallVersion(std::move(version));
    cfd->SwitchMemTable(cfd->NewMemTable(0));
    return cfd;
  }
  void Publish(ColumnFamilyData* cfd) {
    std::vector<SuperVersion*> garbage;
    {
      MutexLock lock(&mutex);
      cfd->InstallSuperVersion(WriteStallCondition::kNormal, &garbage);
    }
    Free(garbage);
  }
  void Drop(ColumnFamilyData* cfd) {
    std::vector<SuperVersion*> garbage;
    {
      MutexLock lock(&mutex);
      cfd->DropReferences(&garbage);
    }
    Free(garbage);
  }
  static void Free(const std::vector<SuperVersion*>& garbage) {
    for (SuperVersion* state : garbage) {
      const std::unique_ptr<SuperVersion> last(state);
    }
  }

  TableFiles f;
  Mutex mutex;
  ColumnFamilyData::Context context;
};

TEST_F(ColumnFamilyTest, AReadSeesTheStatePublishedLast) {
  const ColumnFamilyRef cfd = New();
  Publish(cfd.get());
  SuperVersion* first = cfd->Acquire();
  EXPECT_EQ(first->number, 1u);
  EXPECT_EQ(first->mem, cfd->mem());
  EXPECT_FALSE(cfd->Return(first));
  EXPECT_EQ(cfd->Acquire(), first);  // The cached one, without the mutex.
  {
    // Nothing can be published and yet not seen.
    MutexLock lock(&mutex);
    EXPECT_FALSE(cfd->Return(first));
    EXPECT_EQ(cfd->Acquire(), first);
    EXPECT_FALSE(cfd->Return(first));
  }
  Publish(cfd.get());
  SuperVersion* second = cfd->Acquire();
  EXPECT_EQ(second->number, 2u);
  EXPECT_EQ(cfd->super_version_number(), 2u);
  EXPECT_FALSE(cfd->Return(second));
  Drop(cfd.get());
}

TEST_F(ColumnFamilyTest, PublishingDuringAReadLeavesItsStateWhole) {
  const ColumnFamilyRef cfd = New();
  Publish(cfd.get());
  SuperVersion* state = cfd->Acquire();
  const std::weak_ptr<MemTable> mem = state->mem;
  {
    MutexLock lock(&mutex);
    cfd->SwitchMemTable(cfd->NewMemTable(0));
  }
  Publish(cfd.get());
  EXPECT_FALSE(mem.expired());
  EXPECT_EQ(state->number, 1u);
  EXPECT_TRUE(cfd->Return(state));  // Stale: the slot does not take it.
  EXPECT_TRUE(mem.expired());
  state = cfd->Acquire();
  EXPECT_EQ(state->number, 2u);
  EXPECT_FALSE(cfd->Return(state));
  Drop(cfd.get());
}

// A merge operator may read the database while a read calls it.
TEST_F(ColumnFamilyTest, AReadInsideARead) {
  const ColumnFamilyRef cfd = New();
  Publish(cfd.get());
  SuperVersion* outer = cfd->Acquire();
  SuperVersion* inner = cfd->Acquire();
  EXPECT_EQ(inner, outer);
  EXPECT_FALSE(cfd->Return(inner));
  EXPECT_FALSE(cfd->Return(outer));
  // Also when a new state comes in between.
  outer = cfd->Acquire();
  Publish(cfd.get());
  inner = cfd->Acquire();
  EXPECT_EQ(inner->number, outer->number + 1);
  EXPECT_FALSE(cfd->Return(inner));
  EXPECT_TRUE(cfd->Return(outer));
  EXPECT_EQ(cfd->Acquire()->number, 2u);
  Drop(cfd.get());
  // Its reference is still held by us; taken back by hand.
  ColumnFamilyData::Release(inner);
}

TEST_F(ColumnFamilyTest, AfterTheLastHandleThereIsNoState) {
  ColumnFamilyRef cfd = New(3, "dropped");
  Publish(cfd.get());
  SuperVersion* outer = cfd->TryAcquire();
  ASSERT_NE(outer, nullptr);
  cfd->MarkDropped();
  Drop(cfd.get());
  EXPECT_EQ(cfd->TryAcquire(), nullptr);
  EXPECT_EQ(cfd->TryAcquireReferenced(), nullptr);
  // The slot does not take the read's state, which would keep the family.
  const std::weak_ptr<ColumnFamilyData> weak = cfd;
  cfd.reset();
  EXPECT_TRUE(outer->cfd->Return(outer));
  EXPECT_TRUE(weak.expired());
}

TEST_F(ColumnFamilyTest, WhoKeepsAStateKeepsTheFamily) {
  ColumnFamilyRef cfd = New(3, "dropped");
  Publish(cfd.get());
  SuperVersion* kept = cfd->AcquireReferenced();
  const std::weak_ptr<ColumnFamilyData> weak = cfd;
  cfd->MarkDropped();
  Drop(cfd.get());
  cfd.reset();
  ASSERT_FALSE(weak.expired());
  EXPECT_EQ(kept->cfd->name(), "dropped");
  EXPECT_TRUE(kept->mem->empty());
  ColumnFamilyData::Release(kept);
  EXPECT_TRUE(weak.expired());
}

TEST_F(ColumnFamilyTest, ThreadsThatEndGiveBackWhatTheyCached) {
  const ColumnFamilyRef cfd = New();
  Publish(cfd.get());
  std::thread([&cfd]() { EXPECT_FALSE(cfd->Return(cfd->Acquire())); }).join();
  const std::weak_ptr<MemTable> mem = cfd->mem();
  {
    MutexLock lock(&mutex);
    cfd->SwitchMemTable(cfd->NewMemTable(0));
  }
  Publish(cfd.get());
  EXPECT_TRUE(mem.expired());
  Drop(cfd.get());
}

// Readers in many threads while states are published: each sees numbers that
// never go back, and no state dies in use.
TEST_F(ColumnFamilyTest, ReadersAndAPublisher) {
  const ColumnFamilyRef cfd = New();
  Publish(cfd.get());
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> reads{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 4; ++t) {
    readers.emplace_back([&, t]() {
      uint64_t last = 0;
      while (!stop.load()) {
        SuperVersion* state =
            t == 0 ? cfd->AcquireReferenced() : cfd->Acquire();
        EXPECT_GE(state->number, last);
        last = state->number;
        EXPECT_EQ(state->mem->entry_count(), 0u);
        EXPECT_EQ(state->current->storage().FileCount(), 0u);
        if (t == 0) {
          ColumnFamilyData::Release(state);
        } else {
          [[maybe_unused]] const bool was_last = cfd->Return(state);
        }
        reads.fetch_add(1);
      }
    });
  }
  for (int i = 0; i < 2000 || reads.load() < 2000; ++i) {
    if (i % 10 == 0) {
      MutexLock lock(&mutex);
      cfd->SwitchMemTable(cfd->NewMemTable(0));
    }
    Publish(cfd.get());
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  Drop(cfd.get());
}

TEST_F(ColumnFamilyTest, TheSmallestLogThatIsNeeded) {
  const ColumnFamilyRef cfd = New();
  MutexLock lock(&mutex);
  cfd->set_log_number(4);
  EXPECT_EQ(cfd->MinLogNumberNeeded(), 4u);
  cfd->mem()->set_log_number(6);
  EXPECT_EQ(cfd->MinLogNumberNeeded(), 6u);
  MemTableRef sealed = cfd->SwitchMemTable(cfd->NewMemTable(0));
  cfd->mem()->set_log_number(8);
  cfd->imm()->Add(sealed);
  EXPECT_EQ(cfd->MinLogNumberNeeded(), 6u);
  cfd->imm()->CommitFlush(cfd->imm()->PickForFlush(UINT64_MAX));
  EXPECT_EQ(cfd->MinLogNumberNeeded(), 8u);
}

TEST_F(ColumnFamilyTest, TheSet) {
  ColumnFamilySet set;
  const ColumnFamilyRef first = New(0, "default");
  const ColumnFamilyRef second = New(7, "seven");
  set.Add(first);
  set.Add(second);
  EXPECT_EQ(set.default_family(), first.get());
  EXPECT_EQ(set.Find(7), second.get());
  EXPECT_EQ(set.Find("seven"), second.get());
  EXPECT_EQ(set.Find("eight"), nullptr);
  EXPECT_EQ(set.max_id(), 7u);
  set.Remove(7);
  EXPECT_EQ(set.Find(7), nullptr);
  EXPECT_EQ(set.Find("seven"), nullptr);
  EXPECT_EQ(set.max_id(), 7u);  // Never given out again.
  EXPECT_EQ(set.all().size(), 1u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
