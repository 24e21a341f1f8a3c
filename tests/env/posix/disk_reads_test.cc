// Bytes that were read from a device are told for the machine and for the
// process, and nothing is guessed where the system does not tell.
#include "env/posix/disk_reads.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/testing/temp_dir.h"

namespace ROCKSDB_NAMESPACE {
namespace {

class DiskReadsTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = dir_.File(name);
    std::ofstream(path, std::ios::trunc) << text;
    return path;
  }

  const TempDir dir_{"disk_reads"};
};

TEST_F(DiskReadsTest, ADeviceCountsItsSectorsAndTheProcessItsBytes) {
  DiskCounterFiles files;
  files.device =
      Write("stat", "    1200      34     5000     78       9 1 2\n");
  files.process = Write("io", "rchar: 77\nread_bytes: 4096\nwrite_bytes: 5\n");
  const DiskReadCounter counter(files);
  DiskReads reads;
  ASSERT_TRUE(counter.Read(&reads));
  EXPECT_EQ(5000u * 512, reads.device_bytes);
  EXPECT_EQ(4096u, reads.own_bytes);

  // The files are read anew each time.
  Write("stat", "    1200      34     5008     78       9 1 2\n");
  ASSERT_TRUE(counter.Read(&reads));
  EXPECT_EQ(5008u * 512, reads.device_bytes);
}

TEST_F(DiskReadsTest, WithoutADeviceTheMachineCounts) {
  DiskCounterFiles files;
  files.machine = Write("vmstat", "nr_pgpgin 5\npgpgin 300\npgpgout 7\n");
  files.process = Write("io", "read_bytes: 0\n");
  DiskReads reads;
  ASSERT_TRUE(DiskReadCounter(files).Read(&reads));
  EXPECT_EQ(300u * 1024, reads.device_bytes);
  EXPECT_EQ(0u, reads.own_bytes);
}

TEST_F(DiskReadsTest, WhatIsNotToldIsNotGuessed) {
  const std::string io = Write("io", "read_bytes: 1\n");
  const std::string device = Write("stat", "1 2 3 4\n");
  DiskReads reads;
  EXPECT_TRUE(DiskReadCounter({device, "", io}).Read(&reads));
  EXPECT_FALSE(DiskReadCounter({"", "", io}).Read(&reads));
  EXPECT_FALSE(DiskReadCounter({device, "", dir_.File("none")}).Read(&reads));
  for (const char* text : {"", "1 2", "1 2 x", "pgpgin", "ppgpgin 3\n"}) {
    const std::string bad = Write("bad", text);
    EXPECT_FALSE(DiskReadCounter({bad, "", io}).Read(&reads)) << text;
    EXPECT_FALSE(DiskReadCounter({"", bad, io}).Read(&reads)) << text;
    EXPECT_FALSE(DiskReadCounter({device, "", bad}).Read(&reads)) << text;
  }
}

TEST_F(DiskReadsTest, AFileThatIsNotThereHasNoDevice) {
  EXPECT_EQ("", DiskCounterFiles::Of(dir_.File("none")).device);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
