// Kept pages are aligned, given out again, never to two threads at once, and
// bounded in number.
#include "file/kept_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "file/aligned_buffer.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(KeptPagesTest, PiecesAreApartAndAligned) {
  std::vector<char*> pieces;
  for (int i = 0; i < 8; ++i) {
    char* const piece = KeptPages::Take();
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % KeptPages::kAlignment, 0u);
    memset(piece, i, KeptPages::kBytes);
    pieces.push_back(piece);
  }
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(pieces[i][0], i);
    EXPECT_EQ(pieces[i][KeptPages::kBytes - 1], i);
    KeptPages::Give(pieces[i]);
  }
}

TEST(KeptPagesTest, WhatIsGivenBackIsTakenAgain) {
  char* const first = KeptPages::Take();
  KeptPages::Give(first);
  const size_t held = KeptPages::HeldBytes();
  char* const second = KeptPages::Take();
  EXPECT_EQ(second, first);
  EXPECT_EQ(KeptPages::HeldBytes(), held);
  KeptPages::Give(second);
}

TEST(KeptPagesTest, NoMoreIsKeptThanTheLimit) {
  std::vector<char*> pieces;
  for (size_t i = 0; i < KeptPages::kMostKept + 5; ++i) {
    pieces.push_back(KeptPages::Take());
  }
  EXPECT_GE(KeptPages::HeldBytes(),
            (KeptPages::kMostKept + 5) * KeptPages::kBytes);
  for (char* const piece : pieces) KeptPages::Give(piece);
  EXPECT_EQ(KeptPages::HeldBytes(), KeptPages::kMostKept * KeptPages::kBytes);
}

TEST(KeptPagesTest, NoPieceIsWithTwoThreads) {
  const auto work = [](char mark) {
    for (int i = 0; i < 200; ++i) {
      char* const a = KeptPages::Take();
      char* const b = KeptPages::Take();
      memset(a, mark, 64);
      memset(b, mark + 1, 64);
      std::this_thread::yield();
      for (int k = 0; k < 64; ++k) {
        ASSERT_EQ(a[k], mark);
        ASSERT_EQ(b[k], mark + 1);
      }
      KeptPages::Give(a);
      KeptPages::Give(b);
    }
  };
  std::thread other(work, 10);
  work(20);
  other.join();
}

TEST(AlignedBufferTest, ShortlyReservedMemory) {
  struct Case {
    size_t asked;
    size_t alignment;
    size_t capacity;
  };
  for (const Case& c : {
           Case{KeptPages::kLeastBytes - 4096, 4096,
                KeptPages::kLeastBytes - 4096},
           Case{KeptPages::kLeastBytes, 512, KeptPages::kBytes},
           Case{KeptPages::kBytes, 4096, KeptPages::kBytes},
           Case{KeptPages::kBytes + 1, 4096, KeptPages::kBytes + 4096},
           Case{KeptPages::kBytes - 1, 65536, 5 * 65536},
       }) {
    AlignedBuffer buffer;
    buffer.ReserveShortly(c.alignment, c.asked);
    EXPECT_EQ(buffer.capacity(), c.capacity) << c.asked;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % c.alignment, 0u);
    memset(buffer.data(), 1, buffer.capacity());
  }
}

// From the heap to a piece, to the heap, moved, and let go.
TEST(AlignedBufferTest, ShortlyReservedMemoryGoesBack) {
  KeptPages::Give(KeptPages::Take());
  const size_t held = KeptPages::HeldBytes();
  AlignedBuffer buffer;
  buffer.ReserveShortly(4096, 8192);
  buffer.ReserveShortly(4096, 100 << 10);
  char* const piece = buffer.data();
  buffer.ReserveShortly(4096, 200 << 10);
  EXPECT_EQ(buffer.data(), piece);
  buffer.Grow(1 << 20, 4096);
  EXPECT_EQ(buffer.capacity(), size_t{1} << 20);
  AlignedBuffer second;
  second.ReserveShortly(4096, 100 << 10);
  EXPECT_EQ(second.data(), piece);
  AlignedBuffer third = std::move(second);
  third.Free();
  EXPECT_EQ(third.capacity(), 0u);
  EXPECT_EQ(KeptPages::HeldBytes(), held);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
