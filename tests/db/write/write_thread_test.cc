// A write leader takes the small group behind its own along, where that pays
// and keeps nobody waiting; other groups lead themselves.
#include "db/write/write_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kMostGroupBytes = 1 << 20;

// Writers that a leader may keep, and such that have to lead themselves.
struct Kind {
  bool is_large = false;
  bool is_synced = false;
  bool is_exclusive = false;
};

class Writers {
 public:
  explicit Writers(const YieldingWait::Limits& yields)
      : thread_(kMostGroupBytes, yields) {}

  void Write(const Kind& kind) {
    WriteBatch batch;
    EXPECT_TRUE(
        batch.Put("k", std::string(kind.is_large ? 40'000 : 1, 'v')).ok());
    WriteOptions options;
    options.sync = kind.is_synced;
    WriteThread::Writer writer;
    writer.batch = kind.is_exclusive ? nullptr : &batch;
    writer.options = &options;
    if (thread_.Join(&writer) == WriteThread::State::kLeader) Lead(&writer);
    EXPECT_TRUE(writer.status.IsBusy()) << "nobody has written it";
    ++written_;
  }

  int written() const { return written_; }
  int served() const { return served_; }
  int kept() const { return kept_; }

 private:
  void Lead(WriteThread::Writer* leader) {
    WriteThread::Group group;
    thread_.FormGroup(leader, &group);
    EXPECT_FALSE(group.is_led_for_it);
    Serve(group);
    if (leader->batch == nullptr) return thread_.Leave(&group);
    WriteThread::Writer* const next = thread_.LeaveOrKeep(&group);
    if (next == nullptr) return;
    EXPECT_NE(next->batch, nullptr);
    EXPECT_LT(next->batch->GetDataSize(), 40'000u);
    EXPECT_FALSE(next->options->sync);
    ++kept_;
    WriteThread::Group following;
    thread_.FormGroupFor(next, &following);
    EXPECT_TRUE(following.is_led_for_it);
    Serve(following);
    thread_.Leave(&following);
  }
  void Serve(const WriteThread::Group& group) {
    EXPECT_EQ(++leaders_, 1);
    std::this_thread::yield();  // Others come.
    group.ForEach([this](WriteThread::Writer* w) {
      EXPECT_TRUE(w->status.ok()) << "written twice";
      w->status = Status::Busy();
      ++served_;
    });
    EXPECT_EQ(--leaders_, 0);
  }

  WriteThread thread_;
  std::atomic<int> leaders_{0};
  std::atomic<int> written_{0};
  int served_ = 0;  // by whoever leads
  std::atomic<int> kept_{0};
};

void RunAll(const YieldingWait::Limits& yields, bool is_mixed) {
  constexpr int kThreads = 4;
  constexpr int kWrites = 3000;
  Writers writers(yields);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&writers, t, is_mixed] {
      // A busy machine may run one thread after the other for a while.
      for (int i = 0; i < kWrites || writers.kept() == 0; ++i) {
        Kind kind;
        if (is_mixed) {
          kind.is_large = (i + t) % 7 == 0;
          kind.is_synced = (i + t) % 5 == 0;
          kind.is_exclusive = (i + t) % 11 == 0;
        }
        writers.Write(kind);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(writers.written(), kThreads * kWrites);
  EXPECT_EQ(writers.served(), writers.written());
}

TEST(WriteThread, ALeaderWritesForTheSmallOneBehindItsGroup) {
  RunAll(YieldingWait::Limits{}, /*is_mixed=*/false);
}

TEST(WriteThread, OthersLeadThemselves) {
  RunAll(YieldingWait::Limits{}, /*is_mixed=*/true);
}

TEST(WriteThread, WithoutYields) {
  RunAll({.longest = std::chrono::microseconds(0)}, /*is_mixed=*/true);
}

TEST(WriteThread, NobodyIsKeptWhoIsNotThere) {
  WriteThread thread(kMostGroupBytes, YieldingWait::Limits{});
  WriteBatch batch;
  const WriteOptions options;
  for (int i = 0; i < 3; ++i) {
    WriteThread::Writer writer;
    writer.batch = &batch;
    writer.options = &options;
    ASSERT_EQ(thread.Join(&writer), WriteThread::State::kLeader);
    WriteThread::Group group;
    thread.FormGroup(&writer, &group);
    EXPECT_EQ(thread.LeaveOrKeep(&group), nullptr);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
