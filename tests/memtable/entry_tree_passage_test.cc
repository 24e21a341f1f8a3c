// A cursor goes from one leaf to the next while the one that it comes from
// gives entries to that one. What the two threads do in turn is forced: a
// writer stands still inside the next leaf, so that the cursor has to wait for
// it just before it reads that leaf, and what happens meanwhile happens there.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <future>
#include <string>
#include <thread>
#include <utility>

#include "memtable/entry_tree.h"
#include "rocksdb/comparator.h"
#include "tests/memtable/tree_fixture.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// What this thread does when it compares keys, and when it waits for another.
thread_local const std::function<void()>* at_comparison = nullptr;
thread_local const std::function<void()>* at_wait = nullptr;

class WatchedComparator : public Comparator {
 public:
  const char* Name() const override { return "WatchedComparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    if (at_comparison != nullptr) (*at_comparison)();
    return a.compare(b);
  }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

}  // namespace
}  // namespace ROCKSDB_NAMESPACE

// Stands in for the C library's, by which a reader waits for a node's writer.
extern "C" int sched_yield() noexcept {
  using ROCKSDB_NAMESPACE::at_wait;
  if (at_wait != nullptr) (*std::exchange(at_wait, nullptr))();
  return static_cast<int>(syscall(SYS_sched_yield));
}

namespace ROCKSDB_NAMESPACE {
namespace {

// A thread that inserts a key, and stands still at one of its comparisons.
class StandingWriter {
 public:
  StandingWriter(TreeFixture* f, const std::string& key, int comparison)
      : thread_([this, f, key, left = comparison]() mutable {
          const std::function<void()> stand = [this, &left] {
            if (left-- != 0) return;
            is_standing_.set_value(true);
            go_.get_future().wait();
          };
          at_comparison = &stand;
          EXPECT_TRUE(f->Insert(key));
          at_comparison = nullptr;
          if (left >= 0) is_standing_.set_value(false);
        }) {}
  ~StandingWriter() { Finish(); }

  // Waits. False: it made fewer comparisons, and is done.
  bool IsStanding() { return is_standing_.get_future().get(); }
  void Finish() {
    if (!thread_.joinable()) return;
    go_.set_value();
    thread_.join();
  }

 private:
  std::promise<bool> is_standing_;
  std::promise<void> go_;
  std::thread thread_;
};

constexpr int kKeyCount = 70;

std::string PlaceKey(int number) {
  char digits[8];
  snprintf(digits, sizeof(digits), "%04d", number);
  return digits;
}

// From a cursor at key `at`, to one at the key behind it.
using Passage = void (*)(const TreeFixture& f, int at,
                         EntryTree::Cursor* cursor);

// Whether the cursor had to wait. Sets `made_all` if the writer had made all
// its comparisons before it could stand still.
bool PassBesideWriter(Passage pass, int at, int comparison, bool* made_all) {
  const WatchedComparator order;
  TreeFixture f(&order);
  for (int i = kKeyCount; i-- > 0;) {
    EXPECT_TRUE(f.Insert(TreeKey(PlaceKey(i), 1)));
  }
  EntryTree::Cursor cursor(&f.tree_);
  cursor.Seek(TreeKey(PlaceKey(at), 1));
  StandingWriter writer(&f, TreeKey(PlaceKey(at + 1) + "w", 1), comparison);
  *made_all = !writer.IsStanding();
  if (*made_all) return false;

  bool waited = false;
  // So many before `at` that its leaf has to give it to the next one.
  const std::function<void()> grow = [&] {
    waited = true;
    writer.Finish();
    for (int i = 0; i < 60; ++i) {
      const std::string key = PlaceKey(at - 1) + PlaceKey(i);
      EXPECT_TRUE(f.Insert(TreeKey(key, 1)));
    }
  };
  at_wait = &grow;
  pass(f, at, &cursor);
  at_wait = nullptr;
  EXPECT_TRUE(cursor.Valid());
  if (cursor.Valid()) {
    EXPECT_EQ(ExtractUserKey(EntryTree::KeyOf(cursor.entry())).ToString(),
              PlaceKey(at + 1));
  }
  return waited;
}

// From each key to the next, one of which is in another leaf; the writer stands
// still at each of its comparisons, some of which it makes inside the leaf.
void PassEverywhere(Passage pass) {
  for (int at = 1; at + 2 < kKeyCount; ++at) {
    SCOPED_TRACE(at);
    int waits = 0;
    bool made_all = false;
    for (int comparison = 0; !made_all; ++comparison) {
      if (PassBesideWriter(pass, at, comparison, &made_all)) ++waits;
    }
    ASSERT_GT(waits, 0);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(EntryTreePassage, NextLooksBack) {
  PassEverywhere([](const TreeFixture&, int, EntryTree::Cursor* cursor) {
    cursor->Next();
  });
}

TEST(EntryTreePassage, SeekLooksBack) {
  PassEverywhere([](const TreeFixture&, int at, EntryTree::Cursor* cursor) {
    cursor->Seek(TreeKey(PlaceKey(at) + "+", 1));
  });
}

TEST(EntryTreePassage, SeekTogetherLooksBack) {
  PassEverywhere([](const TreeFixture& f, int at, EntryTree::Cursor* cursor) {
    const std::string key = TreeKey(PlaceKey(at) + "+", 1);
    const Slice keys[] = {key};
    f.tree_.SeekTogether(keys, 1, cursor);
  });
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
