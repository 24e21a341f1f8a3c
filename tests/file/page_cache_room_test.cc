#include "file/page_cache_room.h"

#include <gtest/gtest.h>

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(PageCacheRoomTest, AJobMayLeaveWhatItFoundAndHalfOfWhatIsFree) {
  uint64_t free_bytes = 0;
  PageCacheRoom room([&free_bytes] { return free_bytes; });
  EXPECT_FALSE(room.is_short()) << "nothing is known";
  room.NoteJob(1000, 1000);
  EXPECT_FALSE(room.is_short()) << "its inputs' pages become free";
  room.NoteJob(1000, 999);
  EXPECT_TRUE(room.is_short());
  free_bytes = 1;
  room.NoteJob(1000, 999);
  EXPECT_TRUE(room.is_short());
  free_bytes = 2;
  room.NoteJob(1000, 999);
  EXPECT_FALSE(room.is_short());
  room.NoteJob(UINT64_MAX, 0);
  EXPECT_TRUE(room.is_short());
  free_bytes = UINT64_MAX;
  room.NoteJob(1000, 0);
  EXPECT_FALSE(room.is_short());
}

TEST(PageCacheRoomTest, TheLatestJobCounts) {
  PageCacheRoom room([] { return uint64_t{100}; });
  EXPECT_FALSE(room.NoteJob(10, 0)) << "as before";
  EXPECT_TRUE(room.NoteJob(1000, 0));
  EXPECT_TRUE(room.is_short());
  EXPECT_FALSE(room.NoteJob(2000, 0));
  EXPECT_TRUE(room.is_short());
  EXPECT_TRUE(room.NoteJob(10, 0));
  EXPECT_FALSE(room.is_short());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
