// How many bytes were read from the device that a file lies on: by all of the
// machine, and by this process. Other processes have read the difference.
//
// The device is the one that the system names for the file, a whole disk for a
// partition of it. Where the system does not count that device (a network, a
// file system over several devices), all devices of the machine are counted.
//
// Threads  Confined to one at a time.
// Errors   Read() answers false where the system keeps no such account.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "env/posix/posix_io.h"

namespace ROCKSDB_NAMESPACE {

struct DiskReads {
  // Bytes that the device has answered; where all devices are counted, bytes
  // that they were asked for.
  uint64_t device_bytes = 0;
  // Bytes that this process has asked for, of any device.
  uint64_t own_bytes = 0;
};

// Where the system's counters lie.
struct DiskCounterFiles {
  // The files for the device that `path` lies on.
  static DiskCounterFiles Of(const std::string& path);

  std::string device;  // one line of numbers; empty: there is none
  std::string machine = "/proc/vmstat";
  std::string process = "/proc/self/io";
};

class DiskReadCounter {
 public:
  explicit DiskReadCounter(const DiskCounterFiles& files);

  // Counts from some moment in the past, always the same one.
  bool Read(DiskReads* reads) const;

 private:
  bool ReadDevice(uint64_t* bytes) const;
  bool ReadOwn(uint64_t* bytes) const;

  FileDescriptor device_;   // one line of counters
  FileDescriptor machine_;  // if there is no such device
  FileDescriptor process_;
};

}  // namespace ROCKSDB_NAMESPACE
