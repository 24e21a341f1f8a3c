#include "cache/three_queue_cache.h"

#include <cassert>

#include "monitoring/perf_context_imp.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

const Cache::CacheItemHelper kKeyNote(CacheEntryRole::kMisc);

}  // namespace

Status ThreeQueueCache::Insert(const Slice& key, ObjectPtr value,
                               const CacheItemHelper* helper, size_t charge,
                               Handle** handle, Priority priority,
                               const Slice& compressed, CompressionType type) {
  Status s = target_->Insert(key, value, helper, charge, handle, priority,
                             compressed, type);
  const bool goes_below = s.ok() && !compressed.empty() && helper != nullptr &&
                          helper->IsSecondaryCacheCompatible();
  if (goes_below) {
    IgnoreError(secondary().InsertSaved(key, compressed, type,
                                        CacheTier::kVolatileTier),
                "what is not kept is read again");
  }
  return s;
}

void ThreeQueueCache::NoteKey(const Slice& key) {
  IgnoreError(target_->Insert(key, nullptr, &kKeyNote, 0),
              "without room the key is forgotten");
}

Cache::Handle* ThreeQueueCache::Lookup(const Slice& key,
                                       const CacheItemHelper* helper,
                                       CreateContext* create_context,
                                       Priority priority, Statistics* stats) {
  Handle* const handle =
      target_->Lookup(key, helper, create_context, priority, stats);
  const bool is_noted =
      handle != nullptr && target_->GetCacheItemHelper(handle) == &kKeyNote;
  if (handle != nullptr && !is_noted) return handle;
  if (is_noted) target_->Release(handle);
  if (helper == nullptr || !helper->IsSecondaryCacheCompatible()) {
    return nullptr;
  }
  const Wanted wanted{key, helper, create_context, priority, stats};
  Found found;
  if (!FindBelow(wanted, is_noted, &found)) return nullptr;
  if (is_noted) return TakeUp(wanted, found);
  NoteKey(key);
  return HandOut(wanted, found);
}

bool KeepsStoredForms(const Cache* cache) {
  while (const auto* const wrapper = dynamic_cast<const CacheWrapper*>(cache)) {
    if (dynamic_cast<const ThreeQueueCache*>(wrapper) != nullptr) return true;
    cache = wrapper->GetTarget().get();
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE
