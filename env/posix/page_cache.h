// How much of a file the page cache of the operating system holds.
//
// By cachestat(2) where the kernel has it (Linux 6.5), else by mapping the
// file and asking mincore(2). Neither brings pages in.
//
// Threads  Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/io_status.h"

namespace ROCKSDB_NAMESPACE {

// The size of a page of memory, which never changes.
uint64_t PageBytes();

// Pages as cachestat(2) counts them; laid out like its struct cachestat.
struct PageCounts {
  uint64_t cached = 0;
  uint64_t dirty = 0;
  uint64_t in_writeback = 0;
  uint64_t evicted = 0;
  uint64_t recently_evicted = 0;
};

// Counts the pages of [offset, offset + n), to the end of the file if n is 0.
// False: the kernel does not say.
bool CountPages(int descriptor, uint64_t offset, uint64_t n,
                PageCounts* counts);

// *bytes: how much of `path`, a file of the operating system, is cached; no
// more than its size.
IOStatus ResidentBytes(const std::string& path, uint64_t* bytes);

// Which pages of a file are there; has[i] is the i-th. False, and *has empty:
// the system does not say, or not to those who do not own the file.
bool FindResidentPages(int descriptor, std::vector<bool>* has);

// Is all of [offset, offset + n) there? By cachestat(2) alone: false where the
// kernel does not have it.
bool IsResident(int descriptor, uint64_t offset, size_t n);

}  // namespace ROCKSDB_NAMESPACE
