// Random waits for ranges, against a model of who has which keys and who stands
// in line: each wait that closes a circle is refused, no other is, and
// everybody gets what it waits for as soon as nobody is in the way.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/system_clock.h"
#include "tests/testing/scale.h"
#include "tests/utilities/transactions/waiting_thread.h"
#include "util/random.h"
#include "utilities/transactions/range_lock_manager.h"

namespace ROCKSDB_NAMESPACE {
namespace {

constexpr size_t kMostRangeOwners = 5, kRangeKeys = 6;
// Each key, and what lies between it and the next.
using Places = std::bitset<2 * kRangeKeys>;

class RangeGraphOwner final : public LockOwner {
 public:
  explicit RangeGraphOwner(TransactionID id) : LockOwner(id) {}
};

struct RangeRequest {
  size_t owner = 0;
  size_t first = 0;  // keys, both included
  size_t last = 0;
  bool is_exclusive = true;

  Places places() const {
    Places places;
    for (size_t i = 2 * first; i <= 2 * last; ++i) places.set(i);
    return places;
  }
};

// --- What is to happen

class RangeLockModel {
 public:
  enum class Outcome { kGranted, kWaits, kCircle };

  Outcome Ask(const RangeRequest& request) {
    const Held& own = held_[request.owner];
    const Places wanted = request.places();
    const auto covers = [&wanted](const Places& has) {
      return (wanted & ~has).none();
    };
    if (covers(own.exclusive) ||
        (!request.is_exclusive && covers(own.shared))) {
      return Outcome::kGranted;
    }
    line_.push_back(request);
    if (BlockersOf(line_.back()).empty()) {
      Grant(request);
      line_.pop_back();
      return Outcome::kGranted;
    }
    if (!IsInCircle(request.owner)) return Outcome::kWaits;
    line_.pop_back();
    return Outcome::kCircle;
  }

  // Gives back all that it has; who gets a lock for that.
  std::vector<size_t> Release(size_t owner) {
    held_[owner] = {};
    std::vector<size_t> granted;
    for (auto at = line_.begin(); at != line_.end();) {
      if (!BlockersOf(*at).empty()) {
        ++at;
        continue;
      }
      Grant(*at);
      granted.push_back(at->owner);
      at = line_.erase(at);
    }
    return granted;
  }

  bool IsInCircle(size_t owner) const {
    std::set<size_t> reached;
    std::vector<size_t> to_visit{owner};
    while (!to_visit.empty()) {
      const size_t from = to_visit.back();
      to_visit.pop_back();
      const auto waits = std::find_if(
          line_.begin(), line_.end(),
          [from](const RangeRequest& r) { return r.owner == from; });
      if (waits == line_.end()) continue;
      for (const size_t next : BlockersOf(*waits)) {
        if (next == owner) return true;
        if (reached.insert(next).second) to_visit.push_back(next);
      }
    }
    return false;
  }

 private:
  struct Held {
    Places exclusive;
    Places shared;
  };

  void Grant(const RangeRequest& request) {
    Held& own = held_[request.owner];
    (request.is_exclusive ? own.exclusive : own.shared) |= request.places();
  }
  bool IsInTheWay(size_t holder, const RangeRequest& request) const {
    Places hard = held_[holder].exclusive;
    if (request.is_exclusive) hard |= held_[holder].shared;
    return (hard & request.places()).any();
  }
  // `request` stands in line.
  std::set<size_t> BlockersOf(const RangeRequest& request) const {
    std::set<size_t> blockers;
    for (size_t holder = 0; holder < kMostRangeOwners; ++holder) {
      if (holder != request.owner && IsInTheWay(holder, request)) {
        blockers.insert(holder);
      }
    }
    for (const RangeRequest& before : line_) {
      if (&before == &request) break;
      const bool meets = (before.places() & request.places()).any() &&
                         (before.is_exclusive || request.is_exclusive);
      // Nobody stands behind one who waits for him.
      if (meets && !IsInTheWay(request.owner, before)) {
        blockers.insert(before.owner);
      }
    }
    return blockers;
  }

  std::array<Held, kMostRangeOwners> held_;
  std::list<RangeRequest> line_;
};

// --- What happens

class RangeWaitGraphsTest : public ::testing::Test {
 protected:
  static constexpr size_t kMostSteps = 6;

  struct Party {
    explicit Party(TransactionID id) : owner(id) {}
    RangeGraphOwner owner;
    size_t step_count = 0;
    bool waits = false;
    bool is_done = false;
  };

  void SetUp() override {
    ASSERT_TRUE(locks_.TryAttach(SystemClock::Default().get()));
    locks_.AddFamily(0, BytewiseComparator());
  }

  // A wait that nobody ends is an error, not a test that hangs.
  Status Lock(LockOwner* owner, const RangeRequest& request) {
    const std::string first(1, static_cast<char>('a' + request.first));
    const std::string last(1, static_cast<char>('a' + request.last));
    const LockTerms terms{.is_exclusive = request.is_exclusive,
                          .timeout_micros = 60'000'000};
    if (request.first == request.last) {
      return locks_.Lock(owner, {.family_id = 0, .key = first, .terms = terms});
    }
    return locks_.LockRange(owner, {.family_id = 0,
                                    .start = Endpoint(first),
                                    .end = Endpoint(last),
                                    .terms = terms});
  }

  void RunOne(uint64_t seed) {
    Random64 random(seed);
    model_ = {};
    parties_.clear();
    for (size_t i = 2 + random.Uniform(kMostRangeOwners - 1); i > 0; --i) {
      parties_.push_back(std::make_unique<Party>(++last_id_));
    }
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
        RangeRequest request{.owner = who, .first = random.Uniform(kRangeKeys)};
        request.last =
            std::min(kRangeKeys - 1, request.first + random.Uniform(3));
        request.is_exclusive = !random.OneIn(3);
        Ask(request);
      }
      ASSERT_FALSE(HasFailure());
    }
    for (const auto& party : parties_) ASSERT_TRUE(party->is_done);
    ASSERT_TRUE(locks_.GetRangeLockStatusData().empty());
  }

  void Ask(const RangeRequest& request) {
    Party& party = *parties_[request.owner];
    switch (model_.Ask(request)) {
      case RangeLockModel::Outcome::kGranted: {
        const Status s = Lock(&party.owner, request);
        ASSERT_TRUE(s.ok()) << s.ToString();
        return;
      }
      case RangeLockModel::Outcome::kCircle: {
        const Status s = Lock(&party.owner, request);
        ASSERT_TRUE(s.IsDeadlock()) << s.ToString();
        ++circle_count_;
        return Finish(request.owner);
      }
      case RangeLockModel::Outcome::kWaits:
        party.owner.NoteWait({});
        party.waits = true;
        ++wait_count_;
        threads_[request.owner].Start(
            [this, &party, request] { return Lock(&party.owner, request); });
        while (party.owner.last_wait().key.empty()) std::this_thread::yield();
        locks_.GetStatus();  // It has looked for deadlocks.
        return;
    }
  }

  void Finish(size_t who) {
    Party& party = *parties_[who];
    party.is_done = true;
    locks_.UnlockAll(&party.owner);
    for (const size_t next : model_.Release(who)) {
      const Status s = threads_[next].Await();
      ASSERT_TRUE(s.ok()) << s.ToString();
      parties_[next]->waits = false;
    }
  }

  RangeLockManager locks_{nullptr};
  RangeLockModel model_;
  std::vector<std::unique_ptr<Party>> parties_;
  std::array<WaitingThread, kMostRangeOwners> threads_;
  TransactionID last_id_ = 0;
  uint64_t circle_count_ = 0;
  uint64_t wait_count_ = 0;
};

TEST_F(RangeWaitGraphsTest, EveryCircleIsFoundAndNoOther) {
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
