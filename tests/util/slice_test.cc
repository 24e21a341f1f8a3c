// Slices compare, print and join as bytes, pinned ones release once, and
// cleanups run once however they are handed on.
#include "rocksdb/slice.h"

#include <gtest/gtest.h>

#include <utility>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(SliceTest, ComparesBytesAsUnsigned) {
  EXPECT_LT(Slice("a").compare("b"), 0);
  EXPECT_LT(Slice("a").compare("ab"), 0);
  EXPECT_GT(Slice("\x80").compare("\x7f"), 0);
  EXPECT_EQ(0, Slice("x").compare("x"));
  EXPECT_TRUE(Slice("abc").starts_with("ab"));
  EXPECT_TRUE(Slice("abc").ends_with("bc"));
  EXPECT_FALSE(Slice("a").starts_with("ab"));
  EXPECT_EQ(2u, Slice("abc").difference_offset("abd"));
  EXPECT_EQ(2u, Slice("ab").difference_offset("abd"));
}

TEST(SliceTest, HexRoundTripsAndRefusesRubbish) {
  const std::string bytes("\x00\x9f\xff", 3);
  EXPECT_EQ("009FFF", Slice(bytes).ToString(true));
  std::string out;
  ASSERT_TRUE(Slice("009fFF").DecodeHex(&out));
  EXPECT_EQ(bytes, out);
  out = "same";
  EXPECT_FALSE(Slice("abc").DecodeHex(&out));
  EXPECT_FALSE(Slice("zz").DecodeHex(&out));
  EXPECT_EQ("same", out);
}

TEST(SliceTest, PartsAreJoined) {
  const Slice parts[] = {"ab", "", "c"};
  std::string buf;
  EXPECT_EQ("abc", Slice(SliceParts(parts, 3), &buf).ToString());
}

void Count(void* counter, void* /*unused*/) { ++*static_cast<int*>(counter); }

TEST(CleanableTest, RunsEachCleanupOnce) {
  int count = 0;
  {
    Cleanable c;
    EXPECT_FALSE(c.HasCleanups());
    for (int i = 0; i < 3; ++i) c.RegisterCleanup(&Count, &count, nullptr);
    c.Reset();
    EXPECT_EQ(3, count);
    c.RegisterCleanup(&Count, &count, nullptr);
  }
  EXPECT_EQ(4, count);
}

TEST(CleanableTest, DelegationKeepsAll) {
  for (int on_target = 0; on_target < 3; ++on_target) {
    for (int on_source = 0; on_source < 4; ++on_source) {
      int count = 0;
      Cleanable target;
      Cleanable source;
      for (int i = 0; i < on_target; ++i) {
        target.RegisterCleanup(&Count, &count, nullptr);
      }
      for (int i = 0; i < on_source; ++i) {
        source.RegisterCleanup(&Count, &count, nullptr);
      }
      source.DelegateCleanupsTo(&target);
      source.Reset();
      EXPECT_EQ(0, count);
      target.Reset();
      EXPECT_EQ(on_target + on_source, count);
    }
  }
}

TEST(CleanableTest, SharedRunsWithTheLast) {
  int count = 0;
  Cleanable user;
  {
    SharedCleanablePtr a;
    a.Allocate();
    a->RegisterCleanup(&Count, &count, nullptr);
    SharedCleanablePtr b = a;
    b.RegisterCopyWith(&user);
    b.MoveAsCleanupTo(&user);
  }
  EXPECT_EQ(0, count);
  user.Reset();
  EXPECT_EQ(1, count);
}

TEST(PinnableSliceTest, PinsAndCopies) {
  int count = 0;
  PinnableSlice p;
  p.PinSlice("pinned", &Count, &count, nullptr);
  EXPECT_TRUE(p.IsPinned());
  p.remove_prefix(1);
  p.remove_suffix(1);
  EXPECT_EQ("inne", p.ToString());
  p.Reset();
  EXPECT_EQ(1, count);
  EXPECT_TRUE(p.empty());
  p.PinSelf("abc");
  EXPECT_FALSE(p.IsPinned());
  p.remove_prefix(1);
  EXPECT_EQ("bc", p.ToString());
  std::string external;
  PinnableSlice q(&external);
  q.PinSelf("value");
  EXPECT_EQ("value", external);
}

TEST(PinnableSliceTest, MoveTakesPinOrBytes) {
  int count = 0;
  {
    PinnableSlice a;
    a.PinSlice("pinned", &Count, &count, nullptr);
    PinnableSlice b = std::move(a);
    EXPECT_EQ("pinned", b.ToString());
    EXPECT_EQ(0, count);
    PinnableSlice c;
    c.PinSelf("x");  // Short, so stored inside the string object.
    b = std::move(c);
    EXPECT_EQ(1, count);
    EXPECT_EQ("x", b.ToString());
    EXPECT_EQ(b.GetSelf()->data(), b.data());
    PinnableSlice d;
    d.PinSelf(std::string(1000, 'l'));
    b = std::move(d);
    EXPECT_EQ(std::string(1000, 'l'), b.ToString());
  }
  EXPECT_EQ(1, count);
}

TEST(OptSliceTest, IsTrueIfThereIsOne) {
  EXPECT_FALSE(static_cast<bool>(OptSlice()));
  EXPECT_TRUE(static_cast<bool>(OptSlice("")));
}

class OpenCleanable : public Cleanable {
 public:
  using Cleanable::RegisterCleanup;
};

TEST(CleanableTest, ACleanupThatIsHandedOver) {
  int calls = 0;
  const auto count = [](void* counter, void*) {
    ++*static_cast<int*>(counter);
  };
  {
    OpenCleanable cleanable;
    for (int i = 0; i < 2; ++i) {
      auto cleanup = std::make_unique<Cleanable::Cleanup>();
      cleanup->function = count;
      cleanup->arg1 = &calls;
      cleanable.RegisterCleanup(cleanup.release());
    }
    EXPECT_EQ(0, calls);
  }
  EXPECT_EQ(2, calls);
  SharedCleanablePtr shared;
  const SharedCleanablePtr& constant = shared;
  EXPECT_EQ(nullptr, constant.get());
  shared.Allocate();
  EXPECT_EQ(shared.get(), constant.get());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
