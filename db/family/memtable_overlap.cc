#include "db/family/memtable_overlap.h"

#include <algorithm>
#include <memory>

#include "db/family/column_family.h"
#include "util/key/range_tombstones.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

bool MayOverlap(const MemTable& memtable, const InternalKeyComparator& order,
                const Slice& begin, const Slice& end) {
  if (memtable.empty()) return false;
  const std::unique_ptr<InternalIterator> entries = memtable.NewIterator();
  entries->Seek(BeforeAllVersions(begin, order.timestamp_size()).Encode());
  if (!entries->status().ok()) return true;
  if (entries->Valid() &&
      order.CompareUserKeys(ExtractUserKey(entries->key()), end) <= 0) {
    return true;
  }
  const auto tombstones = memtable.tombstones().All();
  const size_t at = tombstones->FirstEndingAfter(begin);
  return at < tombstones->size() &&
         order.CompareUserKeys(tombstones->at(at).begin, end) <= 0;
}

bool MayOverlap(const SuperVersion& state, const Slice& begin,
                const Slice& end) {
  const InternalKeyComparator& order = state.cfd->order();
  return MayOverlap(*state.mem, order, begin, end) ||
         std::any_of(state.imm->begin(), state.imm->end(),
                     [&](const auto& memtable) {
                       return MayOverlap(*memtable, order, begin, end);
                     });
}

}  // namespace ROCKSDB_NAMESPACE
