// Whether users suffer is told from slow reads off the device alone, against
// what has been usual lately.
#include "file/user_reads.h"

#include <gtest/gtest.h>

#include "tests/testing/mock_clock.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class UserReadsTest : public ::testing::Test {
 protected:
  UserReadsTest() {
    // For how many reads the thread's next one stands is known.
    UserReads(&clock_).Note(0, /*is_from_device=*/true, /*is_quiet=*/false);
  }
  void FromDevice(uint64_t micros, int count = 20) {
    for (int i = 0; i < count; ++i) reads_.Note(micros, true, false);
  }
  void FromMemory(int count) {
    for (int i = 0; i < count; ++i) reads_.Note(0, false, false);
  }

  MockClock clock_;
  UserReads reads_{&clock_};
};

TEST_F(UserReadsTest, ForAWhileAfterAReadFromTheDevice) {
  EXPECT_FALSE(reads_.ReachDevice());
  FromDevice(100, 1);
  EXPECT_TRUE(reads_.ReachDevice());
  clock_.Advance(49'000);
  EXPECT_TRUE(reads_.ReachDevice());
  clock_.Advance(2'000);
  EXPECT_FALSE(reads_.ReachDevice());
}

TEST_F(UserReadsTest, ReadsFromMemoryAloneDoNotCount) {
  FromMemory(10);
  EXPECT_FALSE(reads_.ReachDevice());
}

TEST_F(UserReadsTest, WhoSeldomReadsFromTheDeviceDoesNotNotice) {
  FromDevice(100, 1);
  FromMemory(2);
  EXPECT_TRUE(reads_.ReachDevice());
  FromMemory(100);
  EXPECT_FALSE(reads_.ReachDevice());
}

// Counts fade, window by window.
TEST_F(UserReadsTest, WhatWasSeldomLongAgoIsForgotten) {
  FromMemory(1000);
  for (int i = 0; i < 20; ++i) reads_.EndWindow(true);
  FromDevice(100, 1);
  EXPECT_TRUE(reads_.ReachDevice());
}

TEST_F(UserReadsTest, TheySufferAtSeveralTimesOfWhatIsUsual) {
  EXPECT_FALSE(reads_.EndWindow(true)) << "none was timed";
  EXPECT_EQ(reads_.Times().p95, 0u);
  FromDevice(100);
  EXPECT_FALSE(reads_.EndWindow(true));
  EXPECT_EQ(reads_.Times().quiet, 100u);
  FromDevice(399);
  EXPECT_FALSE(reads_.EndWindow(false));
  FromDevice(401);
  EXPECT_TRUE(reads_.EndWindow(false));
  EXPECT_EQ(reads_.Times().p95, 401u);
  EXPECT_EQ(reads_.Times().quiet, 100u) << "no quiet window";
  EXPECT_FALSE(reads_.EndWindow(false)) << "none was timed in this one";
}

TEST_F(UserReadsTest, WhatIsUsualFollowsQuietWindowsAndQuickerReads) {
  FromDevice(100);
  reads_.EndWindow(true);
  FromDevice(200);
  reads_.EndWindow(true);
  EXPECT_EQ(reads_.Times().quiet, 125u);
  FromDevice(25);
  reads_.EndWindow(false);
  EXPECT_EQ(reads_.Times().quiet, 100u);
}

TEST_F(UserReadsTest, OneInTwentyMayBeSlow) {
  FromDevice(100, 99);
  FromDevice(9000, 1);
  reads_.EndWindow(true);
  EXPECT_EQ(reads_.Times().p95, 100u);
}

// One read in so many is wanted, more of those that follow one from the device.
TEST_F(UserReadsTest, SomeAreTimed) {
  const auto wanted_of = [](int count) {
    int wanted = 0;
    for (int i = 0; i < count; ++i) wanted += UserReads::WantsRead();
    return wanted;
  };
  reads_.Note(100, /*is_from_device=*/true, /*is_quiet=*/false);
  EXPECT_EQ(wanted_of(64), 16);
  reads_.Note(0, /*is_from_device=*/false, /*is_quiet=*/false);
  EXPECT_EQ(wanted_of(64), 2);
  reads_.Note(0, /*is_from_device=*/false, /*is_quiet=*/true);
  EXPECT_EQ(wanted_of(64), 1);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
