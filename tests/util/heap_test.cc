// The binary heap agrees with std::priority_queue, and takes any comparison.
#include "util/heap.h"

#include <gtest/gtest.h>

#include <queue>
#include <string>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(BinaryHeapTest, IsAPriorityQueue) {
  Random64 random(11);
  BinaryHeap<uint64_t> heap;
  std::priority_queue<uint64_t> model;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t value = random.Uniform(1000);
    const uint64_t operation = random.Uniform(10);
    if (operation < 5 || model.empty()) {
      heap.push(value);
      model.push(value);
    } else if (operation < 8) {
      heap.pop();
      model.pop();
    } else {
      heap.replace_top(value);
      model.pop();
      model.push(value);
    }
    ASSERT_EQ(model.size(), heap.size());
    if (model.empty()) continue;
    ASSERT_EQ(model.top(), heap.top());
  }
}

TEST(BinaryHeapTest, ComparisonAndMoves) {
  BinaryHeap<std::string, std::greater<>> heap;
  for (const char* s : {"c", "a", "b"}) heap.push(s);
  BinaryHeap<std::string, std::greater<>> other;
  heap.swap(other);
  EXPECT_TRUE(heap.empty());
  EXPECT_EQ("a", other.top());
  other.pop();
  EXPECT_EQ("b", other.top());
  other.clear();
  EXPECT_TRUE(other.empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
