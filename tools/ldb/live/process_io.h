// What the system says of another process's files: which it has open, with or
// without direct I/O, how much it reads and writes, and how often pages that
// its group had lost are read again (refaults).
//
// Threads  Pure functions.
// Errors   What the system does not tell (no /proc, no rights) is absent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Descriptors of one file.
struct OpenCounts {
  uint64_t buffered = 0;
  uint64_t direct = 0;
};

// By path, of the files below `directory`.
std::map<std::string, OpenCounts> OpenFilesOf(int process,
                                              const std::string& directory);

// Since the process began.
struct ProcessIo {
  uint64_t device_read_bytes = 0;
  uint64_t device_written_bytes = 0;
  uint64_t call_read_bytes = 0;  // asked for by calls, from wherever they came
};
std::optional<ProcessIo> IoOf(int process);

// Refaults of file pages, of the process's control group, else of the machine.
struct Refaults {
  uint64_t pages = 0;
  bool is_of_group = false;
};
std::optional<Refaults> RefaultsOf(int process);

}  // namespace ROCKSDB_NAMESPACE
