#pragma once

// How much the calling thread measures into its PerfContext.

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iosfwd>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Each level includes those before it.
enum PerfLevel : unsigned char {
  kUninitialized = 0,
  kDisable = 1,
  // Counts only.
  kEnableCount = 2,
  // Also the time spent waiting.
  kEnableWait = 3,
  // All times, except inside mutexes.
  kEnableTimeExceptForMutex = 4,
  // Also processor time.
  kEnableTimeAndCPUTimeExceptForMutex = 5,
  kEnableTime = 6,
  kOutOfBounds = 7,
};

// The level of the calling thread. Default: kEnableCount.
void SetPerfLevel(PerfLevel level);
PerfLevel GetPerfLevel();

}  // namespace ROCKSDB_NAMESPACE
