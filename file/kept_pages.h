// Memory of one size for the buffers of read-ahead, which come and go with
// every iterator: pages of their own, of which the process keeps those that are
// free. In the heap they would leave holes between what lives longer, and the
// system would have to clear new pages for each.
//
// Memory     At most kMostKept pieces are kept, and never more than were in use
//            at one time.
// Threads    Any.
// Errors     Null where the system has no memory.
#pragma once

#include <cstddef>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class KeptPages {
 public:
  // The largest implicit read-ahead by default, and a block on either side.
  static constexpr size_t kBytes = 288 << 10;
  // Smaller ones fit in between what the heap has.
  static constexpr size_t kLeastBytes = 32 << 10;
  static constexpr size_t kAlignment = 4096;
  static constexpr size_t kMostKept = 32;

  // kBytes, aligned to kAlignment.
  static char* Take();
  static void Give(char* memory);

  // Bytes of all pieces, in use or kept.
  static size_t HeldBytes();
};

}  // namespace ROCKSDB_NAMESPACE
