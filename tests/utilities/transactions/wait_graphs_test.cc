// Random waits for locks, against a model of who holds what and who stands in
// which line: each wait that closes a circle is refused, no other is, and
// everybody gets what it waits for in its turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/system_clock.h"
#include "tests/testing/scale.h"
#include "tests/utilities/transactions/waiting_thread.h"
#include "util/random.h"
#include "utilities/transactions/point_lock_manager.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kMostOwners = 5, kMostKeys = 4;

class GraphOwner final : public LockOwner {
 public:
  explicit GraphOwner(TransactionID id) : LockOwner(id) {}
};

// --- What is to happen

class LockModel {
 public:
  enum class Outcome { kGranted, kWaits, kCircle };

  Outcome Ask(size_t owner, size_t at, bool is_exclusive) {
    Key& key = keys_[at];
    const bool holds = key.holders.contains(owner);
    if (holds && (!is_exclusive || key.is_exclusive)) return Outcome::kGranted;
    const Request request{owner, is_exclusive, holds};
    if ((holds || key.line.empty()) && Fits(key, request)) {
      Grant(&key, request);
      return Outcome::kGranted;
    }
    auto place = key.line.end();
    if (holds) {
      place = std::find_if(key.line.begin(), key.line.end(),
                           [](const Request& r) { return !r.upgrades; });
    }
    key.line.insert(place, request);
    if (!IsInCircle(owner)) return Outcome::kWaits;
    std::erase_if(key.line,
                  [owner](const Request& r) { return r.owner == owner; });
    return Outcome::kCircle;
  }

  // Gives back all that it has; who gets a lock for that.
  std::vector<size_t> Release(size_t owner) {
    std::vector<size_t> granted;
    for (Key& key : keys_) {
      key.holders.erase(owner);
      while (!key.line.empty() && Fits(key, key.line.front())) {
        Grant(&key, key.line.front());
        granted.push_back(key.line.front().owner);
        key.line.pop_front();
      }
    }
    return granted;
  }

  bool Holds(size_t owner, size_t at) const {
    return keys_[at].holders.contains(owner);
  }
  bool IsInCircle(size_t owner) const {
    std::set<size_t> reached;
    std::vector<size_t> to_visit{owner};
    while (!to_visit.empty()) {
      const size_t from = to_visit.back();
      to_visit.pop_back();
      for (const size_t next : BlockersOf(from)) {
        if (next == owner) return true;
        if (reached.insert(next).second) to_visit.push_back(next);
      }
    }
    return false;
  }

 private:
  struct Request {
    size_t owner;
    bool is_exclusive;
    bool upgrades;
  };
  struct Key {
    std::set<size_t> holders;
    bool is_exclusive = false;
    std::deque<Request> line;
  };

  static bool Fits(const Key& key, const Request& request) {
    if (key.holders.empty()) return true;
    if (!request.is_exclusive) return !key.is_exclusive;
    return key.holders == std::set<size_t>{request.owner};
  }
  static void Grant(Key* key, const Request& request) {
    key->holders.insert(request.owner);
    key->is_exclusive = request.is_exclusive;
  }
  std::set<size_t> BlockersOf(size_t owner) const {
    std::set<size_t> blockers;
    for (const Key& key : keys_) {
      const auto mine =
          std::find_if(key.line.begin(), key.line.end(),
                       [owner](const Request& r) { return r.owner == owner; });
      if (mine == key.line.end()) continue;
      if (mine->is_exclusive || key.is_exclusive) blockers = key.holders;
      for (auto before = key.line.begin(); before != mine; ++before) {
        if (mine->is_exclusive || before->is_exclusive) {
          blockers.insert(before->owner);
        }
      }
      blockers.erase(owner);
    }
    return blockers;
  }

  std::array<Key, kMostKeys> keys_;
};

// --- What happens

class WaitGraphsTest : public ::testing::Test {
 protected:
  static constexpr size_t kMostSteps = 6;

  struct Party {
    explicit Party(TransactionID id) : owner(id) {}
    GraphOwner owner;
    size_t step_count = 0;
    bool waits = false;
    bool is_done = false;
  };

  void SetUp() override { locks_.AddFamily(0, nullptr); }

  static std::string NameOf(size_t key) { return "k" + std::to_string(key); }

  // A wait that nobody ends is an error, not a test that hangs.
  Status Lock(LockOwner* owner, size_t key, bool is_exclusive) {
    const std::string name = NameOf(key);
    LockWish wish;
    wish.key = name;
    wish.terms = {.is_exclusive = is_exclusive,
                  .timeout_micros = 60'000'000,
                  .detects_deadlocks = true,
                  .deadlock_timeout_micros = 0,
                  .deadlock_depth = 50};
    return locks_.Lock(owner, wish);
  }

  void RunOne(uint64_t seed) {
    Random64 random(seed);
    model_ = {};
    parties_.clear();
    for (size_t i = 2 + random.Uniform(kMostOwners - 1); i > 0; --i) {
      parties_.push_back(std::make_unique<Party>(++last_id_));
    }
    const size_t key_count = 1 + random.Uniform(kMostKeys);
    for (;;) {
      std::vector<size_t> free;
      for (size_t i = 0; i < parties_.size(); ++i) {
        const Party& party = *parties_[i];
        ASSERT_FALSE(party.waits && model_.IsInCircle(i));
        if (!party.waits && !party.is_done) free.push_back(i);
      }
      if (free.empty()) break;
      const size_t who = free[random.Uniform(free.size())];
      if (parties_[who]->step_count++ == kMostSteps || random.OneIn(8)) {
        Finish(who);
      } else {
        Ask(who, random.Uniform(key_count), !random.OneIn(3));
      }
      ASSERT_FALSE(HasFailure());
    }
    for (const auto& party : parties_) ASSERT_TRUE(party->is_done);
    ASSERT_TRUE(locks_.Snapshot().empty());
  }

  void Ask(size_t who, size_t key, bool is_exclusive) {
    Party& party = *parties_[who];
    switch (model_.Ask(who, key, is_exclusive)) {
      case LockModel::Outcome::kGranted: {
        const Status s = Lock(&party.owner, key, is_exclusive);
        ASSERT_TRUE(s.ok()) << s.ToString();
        return;
      }
      case LockModel::Outcome::kCircle: {
        const Status s = Lock(&party.owner, key, is_exclusive);
        ASSERT_TRUE(s.IsDeadlock()) << s.ToString();
        ++circle_count_;
        return Finish(who);
      }
      case LockModel::Outcome::kWaits:
        party.owner.NoteWait({});
        party.waits = true;
        ++wait_count_;
        threads_[who].Start([this, &party, key, is_exclusive] {
          return Lock(&party.owner, key, is_exclusive);
        });
        while (party.owner.last_wait().key.empty()) std::this_thread::yield();
        locks_.Snapshot();  // It has looked for deadlocks.
        return;
    }
  }

  void Finish(size_t who) {
    Party& party = *parties_[who];
    party.is_done = true;
    for (size_t key = 0; key < kMostKeys; ++key) {
      if (model_.Holds(who, key)) {
        locks_.Unlock(&party.owner, 0, NameOf(key));
      }
    }
    for (const size_t next : model_.Release(who)) {
      const Status s = threads_[next].Await();
      ASSERT_TRUE(s.ok()) << s.ToString();
      parties_[next]->waits = false;
    }
  }

  PointLockManager locks_{TransactionDBOptions(), SystemClock::Default().get()};
  LockModel model_;
  std::vector<std::unique_ptr<Party>> parties_;
  std::array<WaitingThread, kMostOwners> threads_;
  TransactionID last_id_ = 0;
  uint64_t circle_count_ = 0;
  uint64_t wait_count_ = 0;
};

TEST_F(WaitGraphsTest, EveryCircleIsFoundAndNoOther) {
  const TestSeeds seeds(
      1, std::max<uint64_t>(100, 1000 / TestShare()) * TestScale());
  for (uint64_t seed = seeds.begin; seed < seeds.end; ++seed) {
    RunOne(seed);
    ASSERT_FALSE(HasFailure()) << "BASALT_TEST_SEED=" << seed;
  }
  RecordProperty("waits", static_cast<int>(wait_count_));
  RecordProperty("circles", static_cast<int>(circle_count_));
  if (seeds.end - seeds.begin >= 100) {
    EXPECT_GT(circle_count_, (seeds.end - seeds.begin) / 10);
    EXPECT_GT(wait_count_, seeds.end - seeds.begin);
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
