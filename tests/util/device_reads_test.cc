// A thread's count of device reads moves with a read from the device and not
// with one from memory.
#include "util/device_reads.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/testing/page_cache.h"

namespace ROCKSDB_NAMESPACE {
namespace {

TEST(DeviceReadsTest, AReadFromTheDeviceMovesItAndOneFromMemoryDoesNot) {
  const TempDir directory("device_reads");
  SKIP_WITHOUT_DIRECT_IO(directory);
  const std::string path = directory.File("file");
  std::ofstream(path) << std::string(1 << 20, 'f');
  const MappedFile file(path);
  file.DropPages();
  const uint64_t before = DeviceReadsOfThread();
  file.ReadAll();
  uint64_t after = DeviceReadsOfThread();
  if (after == 0) {
    printf("the kernel keeps no account of reads\n");
    GTEST_SKIP() << "no account";
  }
  EXPECT_GT(after, before);
  // Where memory is short pages go again, those of this program, too.
  bool has_moved = true;
  for (int i = 0; has_moved && i < 100; ++i) {
    after = DeviceReadsOfThread();
    file.ReadAll();
    has_moved = DeviceReadsOfThread() != after;
  }
  EXPECT_FALSE(has_moved);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
