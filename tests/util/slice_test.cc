// Bytes that are borrowed, and what must be freed once they are not.
//
// testdata/util/slice.txt has the calls that only look at bytes:
//
//   compare A B            as unsigned bytes: <, = or >
//   starts A B, ends A B   whether A begins or ends so
//   difference A B         where they first differ
//   from A N, until A N    A without its first or last N bytes
//   hex A, bytes HEX       there and back
//   join PART..
#include "rocksdb/slice.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/testing/script_calls.h"

namespace ROCKSDB_NAMESPACE {
namespace {

std::string DecodedHex(const CallArguments& a) {
  std::string bytes = "as before";
  const bool is_hex = Slice(a[0]).DecodeHex(&bytes);
  if (is_hex) return ShownBytes(bytes);
  EXPECT_EQ(bytes, "as before");
  return "refused";
}

std::string JoinedParts(const CallArguments& a) {
  std::vector<Slice> parts(a.all().begin(), a.all().end());
  std::string buffer;
  const SliceParts list(parts.data(), static_cast<int>(parts.size()));
  return ShownBytes(Slice(list, &buffer).ToStringView());
}

TEST(SliceTest, CallsOfTheScript) {
  const ScriptCalls calls = {
      {"compare",
       [](const CallArguments& a) -> std::string {
         const int order = Slice(a[0]).compare(a[1]);
         EXPECT_EQ(order == 0, Slice(a[0]) == Slice(a[1]));
         EXPECT_EQ(order<0, Slice(a[1]).compare(a[0])> 0);
         return order < 0 ? "<" : order > 0 ? ">" : "=";
       }},
      {"starts",
       [](const CallArguments& a) {
         return YesOrNo(Slice(a[0]).starts_with(a[1]));
       }},
      {"ends",
       [](const CallArguments& a) {
         return YesOrNo(Slice(a[0]).ends_with(a[1]));
       }},
      {"difference",
       [](const CallArguments& a) {
         return std::to_string(Slice(a[0]).difference_offset(a[1]));
       }},
      {"from",
       [](const CallArguments& a) {
         Slice rest(a[0]);
         rest.remove_prefix(a.Number(1));
         return ShownBytes(rest.ToStringView());
       }},
      {"until",
       [](const CallArguments& a) {
         Slice rest(a[0]);
         rest.remove_suffix(a.Number(1));
         return ShownBytes(rest.ToStringView());
       }},
      {"hex",
       [](const CallArguments& a) {
         return ShownBytes(Slice(a[0]).ToString(/*hex=*/true));
       }},
      {"bytes", DecodedHex},
      {"join", JoinedParts},
  };
  EXPECT_GE(RunCalls("util/slice.txt", calls), 48u) << "calls went missing";
}

TEST(OptSliceTest, IsTrueIfThereIsOne) {
  EXPECT_FALSE(static_cast<bool>(OptSlice()));
  EXPECT_TRUE(static_cast<bool>(OptSlice("")));
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
