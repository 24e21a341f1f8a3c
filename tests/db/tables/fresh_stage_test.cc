// Images of newly written files stay in memory up to their bound, the oldest go
// first, and readers may hold one past its end.
#include "db/tables/fresh_stage.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "rocksdb/write_buffer_manager.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::shared_ptr<FreshImage> Image(size_t bytes, char value = 'i') {
  auto image = std::make_shared<FreshImage>();
  image->Append(std::string(bytes, value));
  return image;
}

TEST(FreshStageTest, OffKeepsNothing) {
  FreshStage stage(0, nullptr);
  EXPECT_EQ(stage.Begin(0), nullptr);
  EXPECT_FALSE(stage.Keep(1, Image(1)));
  EXPECT_EQ(stage.Find(1), nullptr);
}

TEST(FreshStageTest, TheOldestGoFirst) {
  FreshStage stage(1000, nullptr);
  EXPECT_NE(stage.Begin(1000), nullptr);
  EXPECT_EQ(stage.Begin(1001), nullptr);
  EXPECT_TRUE(stage.Keep(1, Image(400)));
  EXPECT_TRUE(stage.Keep(2, Image(400)));
  EXPECT_TRUE(stage.Keep(3, Image(400)));
  EXPECT_EQ(stage.bytes(), 800u);
  EXPECT_EQ(stage.Find(1), nullptr);
  EXPECT_NE(stage.Find(2), nullptr);
  // Turned out larger than was said.
  EXPECT_FALSE(stage.Keep(4, Image(1001)));
  EXPECT_NE(stage.Find(3), nullptr);
  EXPECT_TRUE(stage.Keep(5, Image(1000)));
  EXPECT_EQ(stage.Find(3), nullptr);
  EXPECT_EQ(stage.bytes(), 1000u);
}

TEST(FreshStageTest, WhoReadsHoldsTheImage) {
  FreshStage stage(1000, nullptr);
  ASSERT_TRUE(stage.Keep(1, Image(10, 'x')));
  const std::shared_ptr<const FreshImage> held = stage.Find(1);
  stage.Drop(1);
  stage.Drop(1);
  EXPECT_EQ(stage.Find(1), nullptr);
  EXPECT_EQ(stage.bytes(), 0u);
  char scratch[10];
  EXPECT_EQ(held->Read(9, 1, scratch), Slice("x"));
}

TEST(FreshStageTest, TheManagerIsChargedAndGoesFirst) {
  auto manager = std::make_shared<WriteBufferManager>(1000);
  manager->ReserveMem(300);
  {
    FreshStage stage(1000, manager);
    EXPECT_EQ(stage.Begin(701), nullptr);
    ASSERT_NE(stage.Begin(700), nullptr);
    ASSERT_TRUE(stage.Keep(1, Image(400)));
    EXPECT_EQ(manager->memory_usage(), 700u);
    // Not of a memtable: no flush would free it.
    EXPECT_EQ(manager->mutable_memtable_memory_usage(), 300u);
    ASSERT_TRUE(stage.Keep(2, Image(600)));
    EXPECT_EQ(stage.Find(1), nullptr);
    EXPECT_EQ(manager->memory_usage(), 900u);
    manager->ReserveMem(700);
    EXPECT_FALSE(stage.Keep(3, Image(10)));
    EXPECT_EQ(stage.bytes(), 0u);
    manager->FreeMem(700);
    ASSERT_TRUE(stage.Keep(4, Image(100)));
    EXPECT_EQ(manager->memory_usage(), 400u);
  }
  EXPECT_EQ(manager->memory_usage(), 300u);
}

TEST(FreshStageTest, FromManyThreads) {
  FreshStage stage(64 << 10, nullptr);
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&stage, t] {
      char scratch[64];
      for (uint64_t i = 0; i < 500; ++i) {
        const uint64_t number = i * 4 + t;
        stage.Keep(number, Image(1024, static_cast<char>('a' + number % 26)));
        const std::shared_ptr<const FreshImage> image = stage.Find(number / 2);
        if (image == nullptr) continue;
        const char want = static_cast<char>('a' + number / 2 % 26);
        EXPECT_EQ(image->Read(0, 64, scratch), Slice(std::string(64, want)));
        if (i % 3 == 0) stage.Drop(number / 2);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(stage.bytes(), 64u << 10);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
