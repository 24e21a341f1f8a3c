// A job's outputs may stay in the page cache if its inputs' pages and half of
// what is free have room for them.
#include "file/page_cache_room.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(PageCacheRoomTest, AJobMayLeaveWhatItFoundAndHalfOfWhatIsFree) {
  uint64_t free_bytes = 0;
  PageCacheRoom room([&free_bytes] { return free_bytes; });
  EXPECT_FALSE(room.is_short()) << "nothing is known";
  EXPECT_TRUE(room.NoteJob(1000, 1000)) << "its inputs' pages become free";
  EXPECT_FALSE(room.NoteJob(1000, 999));
  free_bytes = 1;
  EXPECT_FALSE(room.NoteJob(1000, 999));
  free_bytes = 2;
  EXPECT_TRUE(room.NoteJob(1000, 999));
  EXPECT_FALSE(room.NoteJob(UINT64_MAX, 0));
  free_bytes = UINT64_MAX;
  EXPECT_TRUE(room.NoteJob(1000, 0));
}

TEST(PageCacheRoomTest, TheLatestJobCounts) {
  PageCacheRoom room([] { return uint64_t{100}; });
  EXPECT_FALSE(room.NoteJob(1000, 0));
  EXPECT_TRUE(room.is_short());
  EXPECT_TRUE(room.NoteJob(10, 0));
  EXPECT_FALSE(room.is_short());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
