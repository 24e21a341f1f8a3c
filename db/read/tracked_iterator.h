// An iterator whose calls are told in the list of threads (OP_DBITERATOR), for
// databases with enable_thread_tracking; the others' iterators stay as they
// are, and cost nothing for it.
//
// Threads  One thread at a time, not always the same.
#pragma once

#include <memory>

#include "monitoring/thread_tracking.h"
#include "rocksdb/iterator.h"

namespace ROCKSDB_NAMESPACE {

// `base` itself for kNone.
std::unique_ptr<Iterator> TrackIterator(TrackedWork work,
                                        std::unique_ptr<Iterator> base);

}  // namespace ROCKSDB_NAMESPACE
