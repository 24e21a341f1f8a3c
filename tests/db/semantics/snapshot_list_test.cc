// The list knows its oldest snapshot in whatever order snapshots are released.
#include "db/semantics/snapshot_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(SnapshotList, InWhateverOrderTheyGo) {
  std::mt19937 random(3);
  SnapshotList list;
  std::vector<const Snapshot*> held;
  for (SequenceNumber sequence = 1; sequence <= 500; ++sequence) {
    held.push_back(list.Add(sequence / 2, 0));
    if (random() % 3 > 0) {
      const size_t at = random() % held.size();
      list.Release(held[at]);
      held.erase(held.begin() + static_cast<ptrdiff_t>(at));
    }
    std::vector<SequenceNumber> sequences;
    for (const Snapshot* one : held) {
      sequences.push_back(one->GetSequenceNumber());
    }
    sequences.erase(std::unique(sequences.begin(), sequences.end()),
                    sequences.end());
    ASSERT_EQ(list.Sequences(), sequences);
    ASSERT_EQ(list.size(), held.size());
    ASSERT_EQ(list.oldest(), held.empty() ? nullptr : held.front());
  }
  while (!held.empty()) {
    list.Release(held.back());
    held.pop_back();
  }
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
