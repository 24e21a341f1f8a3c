// What POSIX and Linux say about threads: names, priorities and manners.
//
// Threads  Each call concerns the calling thread, but where it is named.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/port_defs.h"

namespace ROCKSDB_NAMESPACE {

void NameThisThread(const std::string& name);

// Lowers (or tries to raise) the share of the processor; false if refused. As
// measured from what the thread began with: in a process that is nice already,
// a low priority is not above its own.
bool SetThisThreadCpuPriority(CpuPriority priority);

// Puts the thread's I/O into the idle class; false if refused.
bool LowerThisThreadIoPriority();

// The kernel's number of the calling thread.
int ThisThreadId();

// How a thread that wakes up comes to a processor.
enum class Wakes : uint8_t {
  kAtOnce,  // It may take one from a thread that runs (SCHED_OTHER).
  kInTurn,  // It takes one from nobody (SCHED_BATCH).
  kByAnotherPolicy,
};
Wakes WakesOf(int thread);
// False if refused. Not for kByAnotherPolicy.
bool SetWakes(int thread, Wakes wakes);

}  // namespace ROCKSDB_NAMESPACE
