// Locks on keys: who gets them, in which order, and who finds a deadlock.
#include "utilities/transactions/point_lock_manager.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rocksdb/system_clock.h"
#include "rocksdb/utilities/transaction_db_mutex.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr int64_t kForever = -1;
constexpr int64_t kShort = 20000;  // microseconds

class Owner final : public LockOwner {
 public:
  explicit Owner(TransactionID id) : LockOwner(id) {}

  // Others may take its locks from then on.
  void ExpireAt(uint64_t micros) { expires_at_ = micros; }
  void Keep() { keeps_ = true; }
  bool has_lost() const { return has_lost_; }

  uint64_t locks_expire_at() const override { return expires_at_; }
  bool TryGiveUpLocks() override {
    if (keeps_) return false;
    has_lost_ = true;
    return true;
  }

 private:
  std::atomic<uint64_t> expires_at_{UINT64_MAX};
  std::atomic<bool> keeps_{false};
  std::atomic<bool> has_lost_{false};
};

class PointLockManagerTest : public ::testing::Test {
 protected:
  void Make(TransactionDBOptions options = {}) {
    locks_ = std::make_unique<PointLockManager>(options,
                                                SystemClock::Default().get());
    locks_->AddFamily(0, nullptr);
    locks_->AddFamily(1, nullptr);
  }
  void SetUp() override { Make(); }

  static LockWish Wish(const Slice& key, bool exclusive,
                       int64_t timeout_micros) {
    LockWish wish;
    wish.key = key;
    wish.terms.is_exclusive = exclusive;
    wish.terms.timeout_micros = timeout_micros;
    return wish;
  }
  Status Exclusive(Owner* owner, const Slice& key, int64_t timeout = 0) {
    return locks_->Lock(owner, Wish(key, true, timeout));
  }
  Status Shared(Owner* owner, const Slice& key, int64_t timeout = 0) {
    return locks_->Lock(owner, Wish(key, false, timeout));
  }
  // With a look for deadlocks.
  Status Detecting(Owner* owner, const Slice& key, bool exclusive = true,
                   int64_t look_after = 0, int64_t timeout = kForever) {
    LockWish wish = Wish(key, exclusive, timeout);
    wish.terms.detects_deadlocks = true;
    wish.terms.deadlock_timeout_micros = look_after;
    wish.terms.deadlock_depth = 50;
    return locks_->Lock(owner, wish);
  }
  // "key:ids" with S or X, of all locks of the default family.
  std::string Locks() {
    std::set<std::string> all;
    for (const auto& [id, info] : locks_->Snapshot()) {
      std::string text = info.key + (info.exclusive ? ":X" : ":S");
      std::vector<TransactionID> ids = info.ids;
      std::sort(ids.begin(), ids.end());
      for (const TransactionID holder : ids) text += std::to_string(holder);
      all.insert(std::to_string(id) + "/" + text);
    }
    std::string joined;
    for (const std::string& one : all) joined += one + " ";
    return joined;
  }
  // Until it stands in line, and has looked for deadlocks.
  void AwaitWait(const Owner& owner, const std::string& key) {
    while (owner.last_wait().key != key) std::this_thread::yield();
    locks_->Snapshot();  // waits for who is at work on a part
  }

  std::unique_ptr<PointLockManager> locks_;
  Owner a_{1}, b_{2}, c_{3}, d_{4};
};

TEST_F(PointLockManagerTest, ExclusiveLocksExclude) {
  ASSERT_TRUE(Exclusive(&a_, "k").ok());
  EXPECT_TRUE(Exclusive(&a_, "k").ok()) << "it has it";
  EXPECT_TRUE(Shared(&a_, "k").ok()) << "and keeps it";
  EXPECT_EQ(Locks(), "0/k:X1 ");
  const Status s = Exclusive(&b_, "k");
  EXPECT_TRUE(s.IsTimedOut());
  EXPECT_EQ(s.subcode(), Status::SubCode::kLockTimeout);
  EXPECT_TRUE(Shared(&b_, "k").IsTimedOut());
  EXPECT_TRUE(Exclusive(&b_, "other").ok());
  locks_->Unlock(&b_, 0, "k");
  EXPECT_EQ(Locks(), "0/k:X1 0/other:X2 ") << "not its own";
  locks_->Unlock(&a_, 0, "k");
  EXPECT_TRUE(Exclusive(&b_, "k").ok());
  locks_->Unlock(&b_, 0, "k");
  locks_->Unlock(&b_, 0, "other");
  EXPECT_EQ(Locks(), "");
}

TEST_F(PointLockManagerTest, SharedLocksAreSharedAndUpgraded) {
  ASSERT_TRUE(Shared(&a_, "k").ok());
  ASSERT_TRUE(Shared(&b_, "k").ok());
  EXPECT_EQ(Locks(), "0/k:S12 ");
  EXPECT_TRUE(Exclusive(&c_, "k").IsTimedOut());
  EXPECT_TRUE(Exclusive(&a_, "k").IsTimedOut());
  EXPECT_TRUE(Exclusive(&a_, "k", kShort).IsTimedOut());
  EXPECT_EQ(Locks(), "0/k:S12 ");
  locks_->Unlock(&b_, 0, "k");
  EXPECT_TRUE(Exclusive(&a_, "k").ok());
  EXPECT_EQ(Locks(), "0/k:X1 ");
  locks_->Downgrade(&a_, 0, "k");
  EXPECT_TRUE(Shared(&b_, "k").ok());
  locks_->Unlock(&a_, 0, "k");
  locks_->Unlock(&b_, 0, "k");
}

TEST_F(PointLockManagerTest, AnUpgradeWaitsForTheOtherAndComesFirst) {
  ASSERT_TRUE(Shared(&a_, "k").ok());
  ASSERT_TRUE(Shared(&b_, "k").ok());
  std::atomic<int> order{0};
  int c_place = 0, a_place = 0;
  std::thread third([&] {
    ASSERT_TRUE(Exclusive(&c_, "k", kForever).ok());
    c_place = ++order;
    locks_->Unlock(&c_, 0, "k");
  });
  AwaitWait(c_, "k");
  std::thread upgrade([&] {
    const Status s = Detecting(&a_, "k");
    ASSERT_TRUE(s.ok()) << s.ToString();
    a_place = ++order;
    locks_->Unlock(&a_, 0, "k");
  });
  AwaitWait(a_, "k");
  locks_->Unlock(&b_, 0, "k");
  upgrade.join();
  third.join();
  EXPECT_EQ(a_place, 1);
  EXPECT_EQ(c_place, 2);
  EXPECT_TRUE(locks_->Deadlocks().empty());
}

TEST_F(PointLockManagerTest, TwoUpgradesOfOneKeyAreADeadlock) {
  ASSERT_TRUE(Shared(&a_, "k").ok());
  ASSERT_TRUE(Shared(&b_, "k").ok());
  std::thread first([&] { EXPECT_TRUE(Detecting(&a_, "k").ok()); });
  AwaitWait(a_, "k");
  const Status s = Detecting(&b_, "k");
  EXPECT_TRUE(s.IsDeadlock()) << s.ToString();
  EXPECT_TRUE(s.IsBusy());
  locks_->Unlock(&b_, 0, "k");
  first.join();
  EXPECT_EQ(Locks(), "0/k:X1 ");
  locks_->Unlock(&a_, 0, "k");
}

TEST_F(PointLockManagerTest, FirstComeFirstServed) {
  constexpr int kWaiters = 6;
  ASSERT_TRUE(Exclusive(&a_, "k").ok());
  std::vector<int> served;
  std::vector<std::unique_ptr<Owner>> owners;
  std::vector<std::thread> threads;
  for (int i = 0; i < kWaiters; ++i) {
    owners.push_back(std::make_unique<Owner>(10 + i));
    threads.emplace_back([this, i, &owners, &served] {
      ASSERT_TRUE(Exclusive(owners[i].get(), "k", kForever).ok());
      served.push_back(i);  // the lock guards it
      locks_->Unlock(owners[i].get(), 0, "k");
    });
    AwaitWait(*owners[i], "k");
  }
  locks_->Unlock(&a_, 0, "k");
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(served, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(Locks(), "");
}

TEST_F(PointLockManagerTest, AShareWaitsBehindOneThatWantsTheLockAlone) {
  ASSERT_TRUE(Shared(&a_, "k").ok());
  std::thread alone([&] { ASSERT_TRUE(Exclusive(&b_, "k", kForever).ok()); });
  AwaitWait(b_, "k");
  EXPECT_TRUE(Shared(&c_, "k").IsTimedOut());
  EXPECT_TRUE(Shared(&a_, "k").ok()) << "it has its share";
  locks_->Unlock(&a_, 0, "k");
  alone.join();
  locks_->Unlock(&b_, 0, "k");

  // Neighbours in line share, once the one before them has given up.
  ASSERT_TRUE(Shared(&a_, "k").ok());
  std::thread gives_up(
      [&] { ASSERT_TRUE(Exclusive(&b_, "k", kShort).IsTimedOut()); });
  EXPECT_TRUE(Shared(&c_, "k", kForever).ok());
  gives_up.join();
  EXPECT_TRUE(Shared(&d_, "k").ok());
  EXPECT_EQ(Locks(), "0/k:S134 ");
  for (Owner* owner : {&a_, &c_, &d_}) locks_->Unlock(owner, 0, "k");
}

TEST_F(PointLockManagerTest, LimitsCountKeysOfAFamily) {
  TransactionDBOptions options;
  options.max_num_locks = 2;
  Make(options);
  ASSERT_TRUE(Shared(&a_, "1").ok());
  ASSERT_TRUE(Shared(&b_, "1").ok());
  ASSERT_TRUE(Exclusive(&a_, "2").ok());
  EXPECT_TRUE(Exclusive(&a_, "3", kForever).IsLockLimit());
  EXPECT_TRUE(Exclusive(&a_, "2").ok()) << "it has it";
  LockWish elsewhere = Wish("3", true, 0);
  elsewhere.family_id = 1;
  EXPECT_TRUE(locks_->Lock(&a_, elsewhere).ok());
  locks_->Unlock(&a_, 0, "1");
  EXPECT_TRUE(Exclusive(&a_, "3").IsLockLimit()) << "one still has it";
  locks_->Unlock(&b_, 0, "1");
  EXPECT_TRUE(Exclusive(&a_, "3").ok());
  locks_->Unlock(&a_, 0, "2");
  locks_->Unlock(&a_, 0, "3");
  EXPECT_TRUE(Exclusive(&a_, "4").ok());
  EXPECT_TRUE(Exclusive(&a_, "5").ok());
  EXPECT_TRUE(Exclusive(&a_, "6").IsLockLimit());
}

TEST_F(PointLockManagerTest, ExpiredHoldersLoseTheirLocks) {
  ASSERT_TRUE(Shared(&a_, "k").ok());
  ASSERT_TRUE(Shared(&b_, "k").ok());
  a_.ExpireAt(1);
  EXPECT_TRUE(Exclusive(&c_, "k").IsTimedOut()) << "one of two is left";
  EXPECT_FALSE(a_.has_lost());
  b_.ExpireAt(1);
  EXPECT_TRUE(Exclusive(&c_, "k").ok());
  EXPECT_TRUE(a_.has_lost());
  EXPECT_TRUE(b_.has_lost());
  locks_->Unlock(&a_, 0, "k");
  EXPECT_EQ(Locks(), "0/k:X3 ");

  // One that is prepared keeps its locks, and the waiter waits on.
  c_.ExpireAt(1);
  c_.Keep();
  const uint64_t before = SystemClock::Default()->NowNanos() / 1000;
  EXPECT_TRUE(Exclusive(&d_, "k", kShort).IsTimedOut());
  EXPECT_GE(SystemClock::Default()->NowNanos() / 1000 - before,
            uint64_t{kShort});
  EXPECT_EQ(Locks(), "0/k:X3 ");
}

TEST_F(PointLockManagerTest, AWaiterTakesTheLockWhenItExpires) {
  ASSERT_TRUE(Exclusive(&a_, "k").ok());
  a_.ExpireAt(SystemClock::Default()->NowNanos() / 1000 + kShort);
  EXPECT_TRUE(Exclusive(&b_, "k", kForever).ok());
  EXPECT_TRUE(a_.has_lost());
  EXPECT_EQ(Locks(), "0/k:X2 ");
}

TEST_F(PointLockManagerTest, DroppedFamiliesHaveNoLocks) {
  LockWish wish = Wish("k", true, kForever);
  wish.family_id = 1;
  ASSERT_TRUE(locks_->Lock(&a_, wish).ok());
  ASSERT_TRUE(Exclusive(&a_, "own").ok());
  std::thread waiting(
      [&] { EXPECT_TRUE(locks_->Lock(&b_, wish).IsInvalidArgument()); });
  AwaitWait(b_, "k");
  locks_->RemoveFamily(1);
  waiting.join();
  EXPECT_TRUE(locks_->Lock(&c_, wish).IsInvalidArgument());
  locks_->Unlock(&a_, 1, "k");
  EXPECT_EQ(Locks(), "0/own:X1 ");
  locks_->Unlock(&a_, 0, "own");
  EXPECT_EQ(Locks(), "");
}

TEST_F(PointLockManagerTest, ACircleIsReportedByTheOneThatClosesIt) {
  ASSERT_TRUE(Exclusive(&a_, "1").ok());
  ASSERT_TRUE(Exclusive(&b_, "2").ok());
  std::thread waiting([&] { EXPECT_TRUE(Detecting(&a_, "2").ok()); });
  AwaitWait(a_, "2");
  EXPECT_TRUE(Detecting(&b_, "1").IsDeadlock());
  EXPECT_EQ(b_.last_wait().ids, std::vector<TransactionID>{1});
  locks_->Unlock(&b_, 0, "2");
  waiting.join();
  const std::vector<DeadlockPath> found = locks_->Deadlocks();
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].path.size(), 2u);
  EXPECT_EQ(found[0].path[0].m_txn_id, 1u);
  EXPECT_EQ(found[0].path[0].m_waiting_key, "2");
  EXPECT_EQ(found[0].path[1].m_txn_id, 2u);
  EXPECT_EQ(found[0].path[1].m_waiting_key, "1");
  EXPECT_TRUE(found[0].path[1].m_exclusive);
  EXPECT_FALSE(found[0].limit_exceeded);
  EXPECT_GT(found[0].deadlock_time, 0);
}

// b shares behind c, which wants the lock alone and so waits for a.
TEST_F(PointLockManagerTest, TheLineIsPartOfACircle) {
  ASSERT_TRUE(Shared(&a_, "1").ok());
  ASSERT_TRUE(Exclusive(&b_, "2").ok());
  std::thread alone([&] { EXPECT_TRUE(Detecting(&c_, "1").ok()); });
  AwaitWait(c_, "1");
  std::thread behind([&] { EXPECT_TRUE(Detecting(&b_, "1", false).ok()); });
  AwaitWait(b_, "1");
  EXPECT_TRUE(Detecting(&a_, "2").IsDeadlock());
  locks_->Unlock(&a_, 0, "1");
  alone.join();
  locks_->Unlock(&c_, 0, "1");
  behind.join();
  EXPECT_EQ(locks_->Deadlocks()[0].path.size(), 3u);
}

// c waits for b alone, since a has given back its share.
TEST_F(PointLockManagerTest, AShareThatWasGivenBackIsInNoCircle) {
  ASSERT_TRUE(Shared(&a_, "1").ok());
  ASSERT_TRUE(Shared(&b_, "1").ok());
  ASSERT_TRUE(Exclusive(&c_, "2").ok());
  std::thread waiting([&] { EXPECT_TRUE(Detecting(&c_, "1").ok()); });
  AwaitWait(c_, "1");
  locks_->Unlock(&a_, 0, "1");
  const Status s = Detecting(&a_, "2", true, 0, kShort);
  EXPECT_TRUE(s.IsTimedOut()) << s.ToString();
  EXPECT_TRUE(locks_->Deadlocks().empty());
  locks_->Unlock(&b_, 0, "1");
  waiting.join();
}

TEST_F(PointLockManagerTest, TheNewestDeadlocksAreKept) {
  const auto info = [](TransactionID id) {
    return DeadlockInfo{id, 0, true, std::to_string(id)};
  };
  WaitGraph graph(2);
  for (TransactionID id = 1; id <= 3; ++id) {
    graph.Set(info(id), {id + 10});
    graph.Set(info(id + 10), {id});
    EXPECT_TRUE(graph.BreakCycle(id, 50, id));
    graph.Erase(id + 10);
  }
  ASSERT_EQ(graph.Deadlocks().size(), 2u);
  EXPECT_EQ(graph.Deadlocks()[0].deadlock_time, 3);
  graph.SetBufferSize(1);
  ASSERT_EQ(graph.Deadlocks().size(), 1u);
  EXPECT_EQ(graph.Deadlocks()[0].deadlock_time, 3);
  graph.SetBufferSize(0);
  graph.Set(info(1), {11});
  graph.Set(info(11), {1});
  EXPECT_TRUE(graph.BreakCycle(1, 50, 1));
  EXPECT_TRUE(graph.Deadlocks().empty());
}

// Against a search that looks at all paths.
TEST_F(PointLockManagerTest, RandomGraphsHaveTheCyclesTheyHave) {
  Random64 random(7);
  int cycles = 0;
  for (int round = 0; round < 20000; ++round) {
    constexpr TransactionID kNodes = 7;
    std::vector<std::vector<TransactionID>> edges(kNodes);
    WaitGraph graph(0);
    for (TransactionID id = 0; id < kNodes; ++id) {
      if (random.OneIn(3)) continue;
      for (int i = 0; i < 2; ++i) {
        const TransactionID to = random.Uniform(kNodes);
        if (to != id) edges[id].push_back(to);
      }
      graph.Set({id, 0, true, "k"}, edges[id]);
    }
    std::set<TransactionID> reached;
    std::function<void(TransactionID)> visit = [&](TransactionID at) {
      for (const TransactionID next : edges[at]) {
        if (reached.insert(next).second) visit(next);
      }
    };
    visit(0);
    if (edges[0].empty()) continue;
    const bool expected = reached.contains(0);
    EXPECT_EQ(graph.BreakCycle(0, 50, 0), expected) << "round " << round;
    cycles += expected;
  }
  EXPECT_GT(cycles, 1000);
}

// Whoever is refused gives all back and begins again: all come through, and
// nobody is refused while others only wait for a free key.
TEST_F(PointLockManagerTest, ManyThreadsComeThrough) {
  constexpr int kThreads = 4, kRounds = 300, kKeys = 4;
  std::vector<std::atomic<int>> inside(kKeys);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random64 random(t + 1);
      Owner owner(100 + t);
      for (int done = 0; done < kRounds;) {
        std::vector<std::string> held;
        std::vector<int> alone;
        Status s;
        for (int i = 0; i < 3 && s.ok(); ++i) {
          const auto at = static_cast<int>(random.Uniform(kKeys));
          const std::string key = std::to_string(at);
          const bool exclusive = !random.OneIn(3);
          s = Detecting(&owner, key, exclusive, /*look_after=*/500);
          if (!s.ok()) break;
          held.push_back(key);
          if (exclusive &&
              std::find(alone.begin(), alone.end(), at) == alone.end()) {
            EXPECT_EQ(++inside[at], 1);
            alone.push_back(at);
          }
        }
        EXPECT_TRUE(s.ok() || s.IsDeadlock()) << s.ToString();
        for (const int at : alone) --inside[at];
        for (const std::string& key : held) locks_->Unlock(&owner, 0, key);
        if (s.ok()) ++done;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Locks(), "");
}

// A part that another thread is in is not a key that another has.
TEST_F(PointLockManagerTest, FreeKeysAreNeverRefused) {
  TransactionDBOptions options;
  options.num_stripes = 0;
  Make(options);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      Owner owner(100 + t);
      const std::string key = std::to_string(t);
      for (int i = 0; i < 5000; ++i) {
        ASSERT_TRUE(Exclusive(&owner, key).ok());
        locks_->Unlock(&owner, 0, key);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// --- Mutexes of the caller's

class CountingMutex final : public TransactionDBMutex {
 public:
  Status Lock() override { return TryLockFor(-1); }
  Status TryLockFor(int64_t timeout_time) override {
    if (!refusal.ok() && timeout_time >= 0) return refusal;
    if (before_try != nullptr && timeout_time >= 0) {
      std::exchange(before_try, nullptr)();
    }
    mutex.lock();
    ++count;
    return Status::OK();
  }
  void UnLock() override { mutex.unlock(); }

  static Status refusal;
  // Called once, by a thread that locks within a time limit.
  static std::function<void()> before_try;
  static std::atomic<int> count;
  std::mutex mutex;
};
Status CountingMutex::refusal;
std::function<void()> CountingMutex::before_try;
std::atomic<int> CountingMutex::count{0};

class CountingCondVar final : public TransactionDBCondVar {
 public:
  Status Wait(std::shared_ptr<TransactionDBMutex> mutex) override {
    return WaitFor(mutex, -1);
  }
  Status WaitFor(std::shared_ptr<TransactionDBMutex> mutex,
                 int64_t timeout_time) override {
    std::unique_lock<std::mutex> lock(
        static_cast<CountingMutex*>(mutex.get())->mutex, std::adopt_lock);
    Status s;
    if (timeout_time < 0) {
      condition_.wait(lock);
    } else if (condition_.wait_for(lock,
                                   std::chrono::microseconds(timeout_time)) ==
               std::cv_status::timeout) {
      s = Status::TimedOut();
    }
    lock.release();
    return s;
  }
  void Notify() override { condition_.notify_one(); }
  void NotifyAll() override { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

class CountingFactory final : public TransactionDBMutexFactory {
 public:
  std::shared_ptr<TransactionDBMutex> AllocateMutex() override {
    return std::make_shared<CountingMutex>();
  }
  std::shared_ptr<TransactionDBCondVar> AllocateCondVar() override {
    return std::make_shared<CountingCondVar>();
  }
};

TEST_F(PointLockManagerTest, UsesTheCallersMutexes) {
  TransactionDBOptions options;
  options.custom_mutex_factory = std::make_shared<CountingFactory>();
  Make(options);
  CountingMutex::count = 0;
  ASSERT_TRUE(Exclusive(&a_, "k").ok());
  EXPECT_GT(CountingMutex::count, 0);
  EXPECT_TRUE(Exclusive(&b_, "k", kShort).IsTimedOut());
  b_.NoteWait({});  // That was another wait.
  std::thread waiting([&] { EXPECT_TRUE(Exclusive(&b_, "k", kForever).ok()); });
  AwaitWait(b_, "k");
  locks_->Unlock(&a_, 0, "k");
  waiting.join();

  CountingMutex::refusal = Status::TimedOut();
  EXPECT_EQ(Exclusive(&c_, "x", kShort).subcode(),
            Status::SubCode::kMutexTimeout);
  CountingMutex::refusal = Status::Aborted("no");
  EXPECT_TRUE(Exclusive(&c_, "x", kShort).IsAborted());
  CountingMutex::refusal = Status::OK();
  EXPECT_EQ(Locks(), "0/k:X2 ");
}

// A thread that has found the family before it is dropped would wait for a lock
// that nobody gives back.
TEST_F(PointLockManagerTest, AFamilyThatIsDroppedMeanwhileHasNoLocks) {
  TransactionDBOptions options;
  options.custom_mutex_factory = std::make_shared<CountingFactory>();
  Make(options);
  LockWish wish = Wish("k", true, kShort);
  wish.family_id = 1;
  ASSERT_TRUE(locks_->Lock(&a_, wish).ok());
  CountingMutex::before_try = [this] { locks_->RemoveFamily(1); };
  const Status s = locks_->Lock(&b_, wish);
  EXPECT_TRUE(s.IsInvalidArgument()) << s.ToString();
  EXPECT_EQ(Locks(), "");
}

// A wait without limit ends behind the gate, once it was woken.
class GatedCondVar final : public TransactionDBCondVar {
 public:
  explicit GatedCondVar(std::shared_ptr<std::latch> gate)
      : gate_(std::move(gate)) {}

  Status Wait(std::shared_ptr<TransactionDBMutex> mutex) override {
    Status s = woken_.Wait(mutex);
    mutex->UnLock();
    gate_->wait();
    const Status locked = mutex->Lock();
    EXPECT_TRUE(locked.ok()) << locked.ToString();
    return s;
  }
  Status WaitFor(std::shared_ptr<TransactionDBMutex> mutex,
                 int64_t timeout_time) override {
    return woken_.WaitFor(mutex, timeout_time);
  }
  void Notify() override { woken_.Notify(); }
  void NotifyAll() override { woken_.NotifyAll(); }

 private:
  CountingCondVar woken_;
  const std::shared_ptr<std::latch> gate_;
};

class GatedFactory final : public TransactionDBMutexFactory {
 public:
  std::shared_ptr<TransactionDBMutex> AllocateMutex() override {
    return std::make_shared<CountingMutex>();
  }
  std::shared_ptr<TransactionDBCondVar> AllocateCondVar() override {
    return std::make_shared<GatedCondVar>(gate_);
  }
  void OpenGate() { gate_->count_down(); }

 private:
  const std::shared_ptr<std::latch> gate_ = std::make_shared<std::latch>(1);
};

// a has both locks, though its thread does not know yet: it waits for nobody.
TEST_F(PointLockManagerTest, AWaitThatWasGrantedIsInNoCircle) {
  const auto factory = std::make_shared<GatedFactory>();
  TransactionDBOptions options;
  options.custom_mutex_factory = factory;
  Make(options);
  ASSERT_TRUE(Exclusive(&a_, "1").ok());
  ASSERT_TRUE(Exclusive(&b_, "2").ok());
  std::thread waiting([&] { EXPECT_TRUE(Detecting(&a_, "2").ok()); });
  AwaitWait(a_, "2");
  locks_->Unlock(&b_, 0, "2");
  EXPECT_EQ(Locks(), "0/1:X1 0/2:X1 ");
  const Status s = Detecting(&b_, "1", true, 0, kShort);
  EXPECT_TRUE(s.IsTimedOut()) << s.ToString();
  EXPECT_TRUE(locks_->Deadlocks().empty());
  factory->OpenGate();
  waiting.join();
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
