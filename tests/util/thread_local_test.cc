// Each object has one pointer for each thread, which comes back when the thread
// ends, the object goes or another thread scrapes.
#include "util/thread_local.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <thread>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

std::atomic<int> given_back{0};

void CountBack(void* /*ptr*/) { ++given_back; }

TEST(ThreadLocalPtrTest, EachThreadAndEachObjectHasItsOwn) {
  ThreadLocalPtr a;
  ThreadLocalPtr b;
  int x = 0;
  int y = 0;
  EXPECT_EQ(nullptr, a.Get());
  a.Reset(&x);
  b.Reset(&y);
  EXPECT_EQ(&x, a.Get());
  EXPECT_EQ(&y, b.Get());
  std::thread([&] {
    EXPECT_EQ(nullptr, a.Get());
    a.Reset(&y);
    EXPECT_EQ(&y, a.Get());
  }).join();
  EXPECT_EQ(&x, a.Get());
}

TEST(ThreadLocalPtrTest, SwapAndCompareAndSwap) {
  ThreadLocalPtr p;
  int x = 0;
  int y = 0;
  EXPECT_EQ(nullptr, p.Swap(&x));
  void* expected = &y;
  EXPECT_FALSE(p.CompareAndSwap(&y, expected));
  EXPECT_EQ(&x, expected);
  EXPECT_TRUE(p.CompareAndSwap(&y, expected));
  EXPECT_EQ(&y, p.Swap(nullptr));
}

TEST(ThreadLocalPtrTest, ValuesComeBackWhenAThreadEnds) {
  given_back = 0;
  ThreadLocalPtr p(&CountBack);
  int x = 0;
  std::thread([&] { p.Reset(&x); }).join();
  EXPECT_EQ(1, given_back);
  std::thread([&] {
    p.Reset(&x);
    p.Reset(nullptr);
  }).join();
  EXPECT_EQ(1, given_back);
}

// This happens when a thread ends that holds a view: the release of the view
// counts in the thread's statistics.
TEST(ThreadLocalPtrTest, WhatAHandlerPutsIntoAnotherSlotComesBackToo) {
  given_back = 0;
  ThreadLocalPtr b(&CountBack);
  ThreadLocalPtr a([](void* ptr) {
    static int mark = 0;
    static_cast<ThreadLocalPtr*>(ptr)->Reset(&mark);
  });
  for (int thread = 1; thread <= 3; ++thread) {
    std::thread([&] { a.Reset(&b); }).join();
    EXPECT_EQ(thread, given_back);
  }
  int held = 0;
  b.Fold([](void*, void* result) { ++*static_cast<int*>(result); }, &held);
  EXPECT_EQ(0, held);
}

// Two that give to each other come to an end.
TEST(ThreadLocalPtrTest, HandlersThatGiveOnDoNotKeepTheThread) {
  struct Pair {
    std::unique_ptr<ThreadLocalPtr> a;
    std::unique_ptr<ThreadLocalPtr> b;
    int calls = 0;
    bool gives_on = true;
  };
  static Pair pair;
  pair.calls = 0;
  pair.gives_on = true;
  pair.a = std::make_unique<ThreadLocalPtr>([](void* ptr) {
    ++pair.calls;
    if (pair.gives_on) pair.b->Reset(ptr);
  });
  pair.b = std::make_unique<ThreadLocalPtr>([](void* ptr) {
    ++pair.calls;
    if (pair.gives_on) pair.a->Reset(ptr);
  });
  int x = 0;
  std::thread([&] { pair.a->Reset(&x); }).join();
  EXPECT_EQ(4, pair.calls);
  // What is left comes back with its slot.
  pair.gives_on = false;
  pair.a.reset();
  pair.b.reset();
  EXPECT_EQ(5, pair.calls);
}

TEST(ThreadLocalPtrTest, ValuesComeBackWhenTheSlotIsDestroyed) {
  given_back = 0;
  int x = 0;
  std::barrier sync(2);
  auto p = std::make_unique<ThreadLocalPtr>(&CountBack);
  p->Reset(&x);
  std::thread other([&] {
    p->Reset(&x);
    sync.arrive_and_wait();
    sync.arrive_and_wait();
  });
  sync.arrive_and_wait();
  p.reset();
  EXPECT_EQ(2, given_back);
  // A new slot may get the same number, but not the old values.
  ThreadLocalPtr next;
  EXPECT_EQ(nullptr, next.Get());
  sync.arrive_and_wait();
  other.join();
  EXPECT_EQ(2, given_back);
}

// What they give back is in no slot any more.
TEST(ThreadLocalPtrTest, EndingThreadsAreAwaited) {
  struct Ending {
    std::barrier<> has_begun{2};
    std::atomic<bool> may_end{false};
    std::atomic<bool> has_ended{false};
  };
  for (int round = 0; round < 50; ++round) {
    Ending ending;
    ThreadLocalPtr p([](void* ptr) {
      auto* const e = static_cast<Ending*>(ptr);
      e->has_begun.arrive_and_wait();
      while (!e->may_end) std::this_thread::yield();
      e->has_ended = true;
    });
    std::thread thread([&] { p.Reset(&ending); });
    ending.has_begun.arrive_and_wait();
    std::vector<void*> ptrs;
    p.Scrape(&ptrs, nullptr);
    EXPECT_TRUE(ptrs.empty());
    std::thread opener([&] { ending.may_end = true; });
    ThreadLocalPtr::AwaitEndingThreads();
    EXPECT_TRUE(ending.has_ended);
    opener.join();
    thread.join();
  }
}

TEST(ThreadLocalPtrTest, AThreadThatEndsDoesNotAwaitItself) {
  given_back = 0;
  ThreadLocalPtr p([](void* ptr) {
    ThreadLocalPtr::AwaitEndingThreads();
    CountBack(ptr);
  });
  int x = 0;
  std::thread([&] { p.Reset(&x); }).join();
  EXPECT_EQ(1, given_back);
}

TEST(ThreadLocalPtrTest, ScrapeTakesFromEveryThread) {
  ThreadLocalPtr p;
  int marks[4];
  int replacement = 0;
  std::barrier sync(5);
  std::vector<std::thread> threads;
  for (int& mark : marks) {
    threads.emplace_back([&] {
      p.Reset(&mark);
      sync.arrive_and_wait();
      sync.arrive_and_wait();
      EXPECT_EQ(&replacement, p.Get());
    });
  }
  sync.arrive_and_wait();
  int sum = 0;
  p.Fold([](void*, void* result) { ++*static_cast<int*>(result); }, &sum);
  EXPECT_EQ(4, sum);
  std::vector<void*> ptrs;
  p.Scrape(&ptrs, &replacement);
  sync.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(4u, ptrs.size());
  for (int& mark : marks) {
    EXPECT_NE(ptrs.end(), std::find(ptrs.begin(), ptrs.end(), &mark));
  }
}

TEST(ThreadLocalPtrTest, ManySlotsGrow) {
  std::vector<std::unique_ptr<ThreadLocalPtr>> slots;
  std::vector<int> values(100);
  for (int& value : values) {
    slots.push_back(std::make_unique<ThreadLocalPtr>());
    slots.back()->Reset(&value);
  }
  for (size_t i = 0; i < slots.size(); ++i) {
    EXPECT_EQ(&values[i], slots[i]->Get());
  }
}

TEST(ThreadLocalPtrTest, ThreadsEndWhileOthersScrape) {
  given_back = 0;
  ThreadLocalPtr p(&CountBack);
  std::atomic<bool> is_done{false};
  std::atomic<int> scraped{0};
  std::thread scraper([&] {
    while (!is_done) {
      std::vector<void*> ptrs;
      p.Scrape(&ptrs, nullptr);
      scraped += static_cast<int>(ptrs.size());
    }
  });
  int x = 0;
  for (int round = 0; round < 50; ++round) {
    std::thread a([&] { p.Reset(&x); });
    std::thread b([&] { p.Reset(&x); });
    a.join();
    b.join();
  }
  is_done = true;
  scraper.join();
  // Every value came back exactly once, by one way or the other.
  EXPECT_EQ(100, scraped + given_back);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
