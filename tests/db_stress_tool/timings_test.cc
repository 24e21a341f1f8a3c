// What is said of how long operations took.
#include "db_stress_tool/timings.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE::stress {
namespace {

TEST(TimingsTest, MostAreBelowABound) {
  Timings timings;
  EXPECT_EQ(timings.Text(), "");
  for (int i = 0; i < 98; ++i) timings.Add("a", std::chrono::microseconds(3));
  for (int i = 0; i < 2; ++i) timings.Add("a", std::chrono::microseconds(600));
  timings.Add("b", std::chrono::microseconds(0));
  EXPECT_EQ(timings.Text(),
            "  a: 100, half below 4 us, 99 in 100 below 1024 us, most 600 us\n"
            "  b: 1, half below 1 us, 99 in 100 below 1 us, most 0 us\n");
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
