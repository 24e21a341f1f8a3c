// Work on many things by several threads.
#pragma once

#include <cstddef>
#include <functional>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Calls work(i) once for each i < count, in no order, from this thread and up
// to `thread_count` - 1 others. Where the system has no more threads, those
// that there are do it all. Returns when all are done.
void ParallelFor(size_t thread_count, size_t count,
                 const std::function<void(size_t)>& work);

}  // namespace ROCKSDB_NAMESPACE
