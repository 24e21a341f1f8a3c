#pragma once

// Assertions that stay on in every build, and the switch for deep ones.
//
// INVARIANT(c) stops the process when `c` is false, because going on with
// broken state would destroy data. `kDeepChecks` is true in debug builds and
// with -DBASALT_DEEP_CHECKS: `if constexpr (kDeepChecks)` may walk structures.

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

#if defined(BASALT_DEEP_CHECKS) || !defined(NDEBUG)
inline constexpr bool kDeepChecks = true;
#else
inline constexpr bool kDeepChecks = false;
#endif

// Prints where and what, then aborts.
[[noreturn]] void InvariantFailed(const char* file, int line,
                                  const char* condition);

}  // namespace ROCKSDB_NAMESPACE

#define INVARIANT(condition)                                                \
  do {                                                                      \
    if (!(condition)) [[unlikely]] {                                        \
      ::ROCKSDB_NAMESPACE::InvariantFailed(__FILE__, __LINE__, #condition); \
    }                                                                       \
  } while (false)
