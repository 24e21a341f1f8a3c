// The governor keeps background I/O in flight within the cap, shares it by
// class, and shrinks and grows the cap as users suffer or not.
#include "file/io_governor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "file/aligned_buffer.h"
#include "rocksdb/file_system.h"
#include "tests/testing/mock_clock.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// So far ahead that no wait ends by itself: who is not woken hangs.
constexpr uint64_t kGovernorFarMicros = 4'000'000'000'000'000;
constexpr size_t kGovernorKiB = 1024;
constexpr uint64_t kWindow = 100'000;

class IoGovernorTest : public testing::Test {
 protected:
  size_t Cap() const { return governor_.Stats().cap_bytes; }
  size_t InFlight() const {
    size_t sum = 0;
    for (const auto& own : governor_.Stats().classes) {
      sum += own.bytes_in_flight;
    }
    return sum;
  }
  uint64_t Waiting(IoClass io_class) const {
    return governor_.Stats().classes[static_cast<size_t>(io_class)].waiting;
  }
  void AwaitWaiting(IoClass io_class, uint64_t count) const {
    while (Waiting(io_class) != count) std::this_thread::yield();
  }
  // Ends the window, in which users saw `micros`.
  void EndWindow(uint64_t micros) {
    for (int i = 0; i < 40; ++i) governor_.NoteUserRead(micros, true);
    clock_.Advance(kWindow);
    const size_t n = governor_.TryAdmit(IoClass::kDeep, 4096, 1);
    ASSERT_EQ(n, 4096u);
    governor_.Finish(IoClass::kDeep, n, 0);
    // Users go on.
    governor_.NoteUserRead(micros, true);
  }

  MockClock clock_{kGovernorFarMicros};
  IoGovernor governor_{&clock_};
};

TEST_F(IoGovernorTest, NothingIsGovernedWithoutLimits) {
  constexpr size_t kLarge = size_t{100} << 20;
  EXPECT_EQ(governor_.TryAdmit(IoClass::kDeep, kLarge, 4096), kLarge);
  const IoLimits off{.target_delay_micros = 0};
  governor_.Join(off);
  EXPECT_EQ(governor_.Admit(IoClass::kMaintenance, kLarge, 4096), kLarge);
  EXPECT_EQ(InFlight(), 2 * kLarge);
  governor_.Finish(IoClass::kDeep, kLarge, 0);
  governor_.Finish(IoClass::kMaintenance, kLarge, 0);
  EXPECT_EQ(InFlight(), 0u);
  governor_.Leave(off);
}

TEST_F(IoGovernorTest, TheSmallestOfTheMembersLimitsHolds) {
  governor_.NoteUserRead(100, true);
  const IoLimits usual;
  governor_.Join(usual);
  EXPECT_EQ(Cap(), 512 * kGovernorKiB);
  EXPECT_EQ(governor_.Stats().request_bytes, 256 * kGovernorKiB);
  const IoLimits quicker{.target_delay_micros = 100};
  governor_.Join(quicker);
  EXPECT_EQ(Cap(), AlignDown(175'000, 4096));
  const IoLimits tight{.max_bytes_in_flight = 96 * kGovernorKiB};
  governor_.Join(tight);
  EXPECT_EQ(Cap(), 96 * kGovernorKiB);
  EXPECT_EQ(governor_.Stats().request_bytes, 64 * kGovernorKiB);
  // A member without a target delay is not governed, and sets no limit.
  const IoLimits off{.target_delay_micros = 0, .max_bytes_in_flight = 1};
  governor_.Join(off);
  EXPECT_EQ(Cap(), 96 * kGovernorKiB);
  governor_.Leave(tight);
  governor_.Leave(off);
  EXPECT_EQ(Cap(), AlignDown(175'000, 4096));
  governor_.Leave(quicker);
  EXPECT_EQ(Cap(), 512 * kGovernorKiB);
  governor_.Leave(usual);
}

TEST_F(IoGovernorTest, BoundsHoldForAnyLimit) {
  Random64 random(7);
  for (int i = 0; i < 300; ++i) {
    IoLimits limits;
    limits.target_delay_micros =
        1 + random.Uniform(uint64_t{1} << random.Uniform(40));
    limits.max_bytes_in_flight =
        random.Uniform(uint64_t{1} << random.Uniform(40));
    governor_.Join(limits);
    if (random.Uniform(2) == 0) governor_.NoteUserRead(1000, true);
    const IoGovernorStats stats = governor_.Stats();
    const size_t least = limits.max_bytes_in_flight > 0
                             ? IoGovernor::kMinRequestBytes
                             : IoGovernor::kMinCapBytes;
    EXPECT_GE(stats.cap_bytes, least);
    EXPECT_LE(stats.cap_bytes, IoGovernor::kMaxCapBytes);
    EXPECT_GE(stats.request_bytes, IoGovernor::kMinRequestBytes);
    EXPECT_LE(stats.request_bytes, IoGovernor::kMaxRequestBytes);
    const size_t alignment = size_t{1} << random.Uniform(17);
    const size_t wanted = 1 + random.Uniform(4 << 20);
    const size_t granted =
        governor_.TryAdmit(IoClass::kDeep, wanted, alignment);
    EXPECT_LE(granted, std::max(stats.request_bytes, alignment));
    EXPECT_TRUE(granted == wanted || granted % alignment == 0);
    EXPECT_GT(granted, 0u);
    governor_.Finish(IoClass::kDeep, granted, 0);
    clock_.Advance(random.Uniform(20'000));
    governor_.Leave(limits);
  }
}

TEST_F(IoGovernorTest, NeverMoreInFlightThanTheCap) {
  const IoLimits limits{.max_bytes_in_flight = 384 * kGovernorKiB};
  governor_.Join(limits);
  std::atomic<size_t> in_flight{0};
  std::atomic<size_t> most{0};
  std::atomic<size_t> largest{0};
  std::array<std::atomic<uint64_t>, kIoClassCount> bytes{};
  const auto raise = [](std::atomic<size_t>* to, size_t value) {
    size_t old = to->load();
    while (old < value && !to->compare_exchange_weak(old, value)) {
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      Random64 random(t + 1);
      for (int i = 0; i < 1500; ++i) {
        const auto io_class =
            static_cast<IoClass>(random.Uniform(kIoClassCount));
        const size_t wanted = 1 + random.Uniform(600 * kGovernorKiB);
        const size_t n = random.Uniform(3) == 0
                             ? governor_.TryAdmit(io_class, wanted, 4096)
                             : governor_.Admit(io_class, wanted, 4096);
        if (n == 0) continue;
        // Counted for less long than it is in flight: never too much.
        raise(&most, in_flight.fetch_add(n) + n);
        raise(&largest, n);
        bytes[static_cast<size_t>(io_class)] += n;
        if (random.Uniform(4) == 0) std::this_thread::yield();
        in_flight -= n;
        governor_.Finish(io_class, n, random.Uniform(2) * 500);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most.load(), limits.max_bytes_in_flight);
  EXPECT_LE(largest.load(), limits.max_bytes_in_flight / 2);
  EXPECT_GT(largest.load(), IoGovernor::kMinRequestBytes);
  EXPECT_EQ(InFlight(), 0u);
  const IoGovernorStats stats = governor_.Stats();
  for (size_t i = 0; i < kIoClassCount; ++i) {
    EXPECT_EQ(stats.classes[i].waiting, 0u);
    EXPECT_EQ(stats.classes[i].bytes, bytes[i].load()) << i;
    EXPECT_GT(stats.classes[i].requests, 0u) << i;
  }
  governor_.Leave(limits);
}

// Requests of one size wait, and are let in one by one.
TEST_F(IoGovernorTest, HigherClassesGoFirstAndLowerOnesGetATenth) {
  const IoLimits limits{.max_bytes_in_flight = 64 * kGovernorKiB};
  governor_.Join(limits);
  constexpr size_t kUnit = 64 * kGovernorKiB;
  ASSERT_EQ(governor_.Admit(IoClass::kLevel0, kUnit, 4096), kUnit);
  std::array<uint64_t, kIoClassCount> waiting = {30, 0, 5, 4};
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kIoClassCount; ++i) {
    const auto io_class = static_cast<IoClass>(i);
    for (uint64_t k = 0; k < waiting[i]; ++k) {
      threads.emplace_back(
          [this, io_class] { governor_.Admit(io_class, kUnit, 4096); });
    }
    AwaitWaiting(io_class, waiting[i]);
  }
  std::array<uint64_t, kIoClassCount> had = {0, 1, 0, 0};
  uint64_t total = 1;
  size_t holder = 1;
  std::vector<size_t> order;
  for (size_t round = 0; round < threads.size(); ++round) {
    size_t expected = 0;
    while (waiting[expected] == 0) ++expected;
    for (size_t i = 0; i < kIoClassCount; ++i) {
      if (waiting[i] > 0 && had[i] * 10 < total) expected = i;
    }
    governor_.Finish(static_cast<IoClass>(holder), kUnit, 0);
    AwaitWaiting(static_cast<IoClass>(expected), waiting[expected] - 1);
    ASSERT_EQ(InFlight(), kUnit);
    --waiting[expected];
    ++had[expected];
    ++total;
    holder = expected;
    order.push_back(expected);
  }
  for (std::thread& thread : threads) thread.join();
  governor_.Finish(static_cast<IoClass>(holder), kUnit, 0);
  // While all three wait, each lower one has its tenth and no more.
  const auto first = order.begin();
  EXPECT_EQ(std::count(first, first + 30, 3u), 3);
  EXPECT_EQ(std::count(first, first + 30, 2u), 3);
  EXPECT_EQ(InFlight(), 0u);
  governor_.Leave(limits);
}

TEST_F(IoGovernorTest, WhoWaitsGoesBeforeWhoComesAndInTurn) {
  const IoLimits limits{.max_bytes_in_flight = 128 * kGovernorKiB};
  governor_.Join(limits);
  constexpr size_t kUnit = 64 * kGovernorKiB;
  constexpr size_t kSmall = 4 * kGovernorKiB;
  ASSERT_EQ(governor_.Admit(IoClass::kDeep, kUnit, 4096), kUnit);
  ASSERT_EQ(governor_.Admit(IoClass::kDeep, kUnit - kSmall, 4096),
            kUnit - kSmall);
  std::atomic<int> last{-1};
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      governor_.Admit(IoClass::kDeep, kUnit, 4096);
      last = i;
    });
    AwaitWaiting(IoClass::kDeep, static_cast<uint64_t>(i) + 1);
  }
  // There is room for it, but others were there before.
  EXPECT_EQ(governor_.TryAdmit(IoClass::kDeep, kSmall, 4096), 0u);
  governor_.Finish(IoClass::kDeep, kUnit - kSmall, 0);
  for (int i = 0; i < 6; ++i) {
    while (last != i) std::this_thread::yield();
    EXPECT_EQ(Waiting(IoClass::kDeep), static_cast<uint64_t>(5 - i));
    governor_.Finish(IoClass::kDeep, kUnit, 0);
  }
  for (std::thread& thread : threads) thread.join();
  governor_.Finish(IoClass::kDeep, kUnit, 0);
  EXPECT_EQ(InFlight(), 0u);
  governor_.Leave(limits);
}

TEST_F(IoGovernorTest, MoreIsInFlightWhileUsersDoNotRead) {
  const IoLimits limits;
  governor_.Join(limits);
  EXPECT_EQ(Cap(), AlignDown(3'500'000, 4096));
  governor_.NoteUserRead(20, false);  // From memory.
  EXPECT_EQ(Cap(), AlignDown(3'500'000, 4096));
  governor_.NoteUserRead(90, true);
  EXPECT_EQ(Cap(), 512 * kGovernorKiB);
  clock_.Advance(49'999);
  EXPECT_EQ(Cap(), 512 * kGovernorKiB);
  clock_.Advance(1);
  EXPECT_EQ(Cap(), AlignDown(3'500'000, 4096));
  governor_.Leave(limits);
}

TEST_F(IoGovernorTest, ShrinksWhileUsersSufferAndGrowsBack) {
  const IoLimits limits;
  governor_.Join(limits);
  EndWindow(100);
  EXPECT_EQ(governor_.Stats().user_read_idle_micros, 100u);
  EXPECT_EQ(Cap(), 512 * kGovernorKiB);
  EndWindow(400);  // Just bearable.
  EXPECT_EQ(Cap(), 512 * kGovernorKiB);
  size_t cap = 512 * kGovernorKiB;
  for (int i = 0; i < 10; ++i) {
    EndWindow(401);
    EXPECT_EQ(governor_.Stats().user_read_p95_micros, 401u);
    cap = std::max(AlignDown(cap / 4 * 3, 4096), 128 * kGovernorKiB);
    EXPECT_EQ(Cap(), cap);
  }
  EXPECT_EQ(cap, IoGovernor::kMinCapBytes);
  for (int i = 0; i < 10; ++i) {
    EndWindow(100);
    cap = std::min(cap + 64 * kGovernorKiB, 512 * kGovernorKiB);
    EXPECT_EQ(Cap(), cap);
  }
  EXPECT_EQ(cap, 512 * kGovernorKiB);
  EXPECT_EQ(governor_.Stats().user_read_idle_micros, 100u);
  governor_.Leave(limits);
}

TEST_F(IoGovernorTest, AWindowWithoutRequestsTellsHowUsersFareAlone) {
  const IoLimits limits;
  governor_.Join(limits);
  EndWindow(100);
  // The device has become slower, as a window with requests cannot tell.
  EndWindow(300);
  EXPECT_EQ(governor_.Stats().user_read_idle_micros, 100u);
  uint64_t idle = 100;
  for (int i = 0; i < 20; ++i) {
    // Ends the window that EndWindow() has begun with a request.
    clock_.Advance(kWindow);
    governor_.NoteUserRead(300, true);
    ASSERT_EQ(governor_.TryAdmit(IoClass::kDeep, 4096, 1), 4096u);
    clock_.Advance(kWindow);
    governor_.Finish(IoClass::kDeep, 4096, 0);
    // This one has users only.
    EndWindow(300);
    idle = (idle * 3 + 300) / 4;
    EXPECT_EQ(governor_.Stats().user_read_idle_micros, idle);
  }
  EXPECT_GT(idle, 290u);
  governor_.Leave(limits);
}

TEST_F(IoGovernorTest, NearAStallFlushAndLevel0MayUseMore) {
  const IoLimits limits;
  governor_.Join(limits);
  constexpr size_t kUnit = 256 * kGovernorKiB;
  governor_.NoteUserRead(100, true);
  ASSERT_EQ(governor_.TryAdmit(IoClass::kDeep, kUnit, 4096), kUnit);
  ASSERT_EQ(governor_.TryAdmit(IoClass::kDeep, kUnit, 4096), kUnit);
  EXPECT_EQ(governor_.TryAdmit(IoClass::kFlush, kUnit, 4096), 0u);
  governor_.ChangeUrgent(1);
  EXPECT_EQ(governor_.TryAdmit(IoClass::kFlush, kUnit, 4096), kUnit);
  EXPECT_EQ(governor_.TryAdmit(IoClass::kLevel0, kUnit, 4096), kUnit);
  EXPECT_EQ(governor_.TryAdmit(IoClass::kDeep, kUnit, 4096), 0u);
  EXPECT_EQ(governor_.TryAdmit(IoClass::kMaintenance, kUnit, 4096), 0u);
  governor_.ChangeUrgent(-1);
  EXPECT_EQ(governor_.TryAdmit(IoClass::kFlush, kUnit, 4096), 0u);
  governor_.Finish(IoClass::kDeep, kUnit, 0);
  governor_.Finish(IoClass::kDeep, kUnit, 0);
  governor_.Finish(IoClass::kFlush, kUnit, 0);
  governor_.Finish(IoClass::kLevel0, kUnit, 0);
  EXPECT_EQ(InFlight(), 0u);
  governor_.Leave(limits);
}

TEST_F(IoGovernorTest, LearnsWhatTheDeviceMoves) {
  const IoLimits limits;
  governor_.Join(limits);
  const auto move = [&](uint64_t micros) {
    const size_t n =
        governor_.TryAdmit(IoClass::kDeep, 256 * kGovernorKiB, 4096);
    ASSERT_GT(n, 0u);
    governor_.Finish(IoClass::kDeep, n, micros * n / (256 * kGovernorKiB));
  };
  for (int i = 0; i < 300; ++i) {
    move(1000);
    clock_.Advance(kWindow);
  }
  const double slow = 256.0 * kGovernorKiB * 1000;
  EXPECT_NEAR(static_cast<double>(governor_.Stats().bandwidth_bytes_per_second),
              slow, slow / 20);
  EXPECT_NEAR(static_cast<double>(Cap()), slow * 0.002, slow * 0.002 / 20);
  for (int i = 0; i < 10; ++i) move(1);  // From the kernel's memory.
  EXPECT_LE(Cap(), IoGovernor::kMaxCapBytes);
  EXPECT_GT(Cap(), size_t{3} << 20);
  governor_.Leave(limits);
}

// What a thread took in late had long been done.
TEST_F(IoGovernorTest, OneLateRequestIsNoSlowDevice) {
  const IoLimits limits;
  governor_.Join(limits);
  const size_t before = Cap();
  for (int i = 0; i < 3; ++i) {
    const size_t n =
        governor_.TryAdmit(IoClass::kDeep, 256 * kGovernorKiB, 4096);
    governor_.Finish(IoClass::kDeep, n, 20'000);
    clock_.Advance(kWindow);
  }
  EXPECT_GT(Cap(), before * 9 / 10);
  governor_.Leave(limits);
}

TEST_F(IoGovernorTest, UsersThatSeldomReadFromTheDeviceDoNotCount) {
  const IoLimits limits;
  governor_.Join(limits);
  const size_t idle = Cap();
  // By weight: each read from memory stands for as many as were not timed.
  for (int i = 0; i < 100; ++i) governor_.NoteUserRead(1, false);
  governor_.NoteUserRead(90, true);
  EXPECT_EQ(Cap(), 512 * kGovernorKiB);  // It stood for 64 of 6 300.
  for (int i = 0; i < 400; ++i) governor_.NoteUserRead(1, false);
  EXPECT_EQ(Cap(), idle);
  for (int i = 0; i < 40; ++i) governor_.NoteUserRead(90, true);
  EXPECT_EQ(Cap(), 512 * kGovernorKiB);
  governor_.Leave(limits);
}

// A holder that is busy elsewhere must not stop others for good.
TEST(IoGovernorStuckTest, AHolderThatSleepsIsPassed) {
  // In the past: no wait lasts.
  MockClock clock;
  IoGovernor governor(&clock);
  const IoLimits limits{.max_bytes_in_flight = 64 * kGovernorKiB};
  governor.Join(limits);
  constexpr size_t kUnit = 64 * kGovernorKiB;
  ASSERT_EQ(governor.Admit(IoClass::kDeep, kUnit, 4096), kUnit);
  std::thread waiter([&] {
    EXPECT_EQ(governor.Admit(IoClass::kFlush, 4 * kUnit, 4096), kUnit);
  });
  while (governor.Stats().classes[0].waiting == 0) std::this_thread::yield();
  clock.Advance(999'999);
  EXPECT_EQ(governor.TryAdmit(IoClass::kDeep, kUnit, 4096), 0u);
  EXPECT_EQ(governor.Stats().classes[0].waiting, 1u);
  clock.Advance(1);
  waiter.join();
  EXPECT_EQ(governor.TryAdmit(IoClass::kDeep, kUnit, 4096), 0u);
  EXPECT_EQ(governor.Stats().classes[0].wait_micros, 1'000'000u);
  governor.Finish(IoClass::kFlush, kUnit, 0);
  governor.Finish(IoClass::kDeep, kUnit, 0);
  governor.Leave(limits);
}

TEST(IoGovernorOfTest, OneForEachFileSystem) {
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  const std::shared_ptr<IoGovernor> one = IoGovernor::Of(fs.get());
  EXPECT_EQ(one, IoGovernor::Of(fs.get()));
  const GovernorMembership on(fs.get(), IoLimits());
  EXPECT_EQ(on.governor(), one.get());
  const GovernorMembership off(fs.get(), {.target_delay_micros = 0});
  EXPECT_EQ(off.governor(), nullptr);
}

TEST(IoGovernorOfTest, UrgentAsLongAsOneMemberIs) {
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  const std::shared_ptr<IoGovernor> governor = IoGovernor::Of(fs.get());
  auto a = std::make_unique<GovernorMembership>(fs.get(), IoLimits());
  const GovernorMembership b(fs.get(), IoLimits());
  b.SetUrgent(false);
  EXPECT_FALSE(governor->is_urgent());
  a->SetUrgent(true);
  a->SetUrgent(true);
  b.SetUrgent(false);
  EXPECT_TRUE(governor->is_urgent()) << "a is";
  b.SetUrgent(true);
  a->SetUrgent(false);
  EXPECT_TRUE(governor->is_urgent()) << "b is";
  b.SetUrgent(false);
  EXPECT_FALSE(governor->is_urgent());
  a->SetUrgent(true);
  a.reset();
  EXPECT_FALSE(governor->is_urgent()) << "a is gone";
  const GovernorMembership off(fs.get(), {.target_delay_micros = 0});
  off.SetUrgent(true);
  EXPECT_FALSE(governor->is_urgent()) << "it is not governed";
}

}  // namespace

}  // namespace ROCKSDB_NAMESPACE
