#include "file/page_cache_room.h"

#include <utility>

#include "util/invariant.h"
#include "util/memory_limit.h"

namespace ROCKSDB_NAMESPACE {

PageCacheRoom::PageCacheRoom() : PageCacheRoom(&FreeMemoryOfProcess) {}

PageCacheRoom::PageCacheRoom(std::function<uint64_t()> free_bytes)
    : free_bytes_(std::move(free_bytes)) {
  INVARIANT(free_bytes_ != nullptr);
}

bool PageCacheRoom::NoteJob(uint64_t needed, uint64_t found) {
  // Half of it: memtables grow, and other jobs ask, too.
  const bool has_room = needed <= found || needed - found <= free_bytes_() / 2;
  is_short_.store(!has_room, std::memory_order_relaxed);
  return has_room;
}

}  // namespace ROCKSDB_NAMESPACE
