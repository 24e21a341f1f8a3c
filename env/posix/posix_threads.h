// What POSIX and Linux say about threads: names and priorities.
//
// Threads  Each call concerns the calling thread.

#pragma once

#include <string>

#include "rocksdb/port_defs.h"

namespace ROCKSDB_NAMESPACE {

void NameThisThread(const std::string& name);

// Lowers (or tries to raise) the share of the processor; false if refused.
bool SetThisThreadCpuPriority(CpuPriority priority);

// Puts the thread's I/O into the idle class; false if refused.
bool LowerThisThreadIoPriority();

}  // namespace ROCKSDB_NAMESPACE
