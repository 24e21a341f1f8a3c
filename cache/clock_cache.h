// The HyperClock cache: a block cache whose lookups take no lock.
//
// A hit is one addition to its entry's state (clock_slot.h), its release one
// subtraction; an entry that was not hit lately has its clock set too. A hand
// goes round the places: it takes one from the clock of each entry that nobody
// holds, and evicts those whose clock has run out. What comes in has a low
// clock, so that a scan leaves what is hit alone.
//
// Instead of shards there is one table without locks, so num_shard_bits has no
// effect.
//
// Threads    Any.
// Ownership  As Cache.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "cache/clock_table.h"
#include "cache/entry_cache.h"
#include "rocksdb/cache.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

class ClockCache final : public EntryCache<ClockEntry> {
 public:
  // How much memory it takes before anything is in it.
  enum class Start : uint8_t { kWhole, kSmall };

  // The options are valid.
  // `listener` hears of evictions; null: nobody.
  explicit ClockCache(const HyperClockCacheOptions& options,
                      std::shared_ptr<EvictionListener> listener = nullptr,
                      Start start = Start::kWhole);
  ~ClockCache() override;

  const char* Name() const override;

  Status Insert(const Slice& key, ObjectPtr obj, const CacheItemHelper* helper,
                size_t charge, Handle** handle, Priority priority,
                const Slice& compressed, CompressionType type) override;
  Handle* CreateStandalone(const Slice& key, ObjectPtr obj,
                           const CacheItemHelper* helper, size_t charge,
                           bool allow_uncharged) override;
  Handle* Lookup(const Slice& key, const CacheItemHelper* helper,
                 CreateContext* create_context, Priority priority,
                 Statistics* stats) override;
  bool Ref(Handle* handle) override;
  using Cache::Release;
  bool Release(Handle* handle, bool erase_if_last_ref) override;
  void Erase(const Slice& key) override;

  void SetCapacity(size_t capacity) override;
  void SetStrictCapacityLimit(bool strict_capacity_limit) override;
  bool HasStrictCapacityLimit() const override;
  size_t GetOccupancyCount() const override;
  size_t GetTableAddressCount() const override;
  size_t GetCapacity() const override;
  using EntryCache::GetUsage;
  size_t GetUsage() const override;
  size_t GetPinnedUsage() const override;

  void ApplyToAllEntries(const EntryCallback& callback,
                         const ApplyToAllEntriesOptions& opts) override;
  void EraseUnRefEntries() override;
  std::string GetPrintableOptions() const override;
  void DisownData() override { is_disowned_ = true; }

 private:
  // What Insert() and CreateStandalone() are told.
  struct Item {
    Slice key;
    ObjectPtr object;
    const CacheItemHelper* helper;
    size_t charge;
  };

  size_t TotalCharge(const Item& item) const;
  // Charges so much, evicting for it. False, with nothing charged, if it does
  // not fit and `must_fit`.
  bool Reserve(size_t bytes, bool must_fit);
  void Evict(size_t bytes);
  // A place for an entry of that hash; null if none can be had.
  ClockEntry* FindPlace(uint64_t hash);
  // kIfDue: if its clock has run out; else takes one from the clock. kErase:
  // the listener does not hear of it.
  enum class Eviction : uint8_t { kIfDue, kForced, kErase };
  // Evicts the entry if nobody holds it. Bytes that became free.
  size_t TryEvict(ClockEntry* entry, Eviction kind);
  // Evicts an entry that is busy, and whose state was `word` before. Bytes that
  // became free.
  size_t EvictBusy(ClockEntry* entry, uint64_t word, Eviction kind);
  // Gives the caller's reference back, and with the last one evicts the entry.
  // True if that freed it.
  bool ReleaseForRoom(ClockEntry* entry);
  // An entry that is busy becomes empty.
  void Vacate(ClockEntry* entry);
  // True if that freed the entry.
  bool ReleaseRef(ClockEntry* entry);
  void Unlink(ClockEntry* entry);
  void UnlinkAll(uint64_t hash, const Slice& key, const ClockEntry* except);
  Handle* MakeStandalone(const Item& item, size_t charged);
  void Fill(ClockEntry* entry, const Item& item, size_t charged) const;

  const HyperClockCacheOptions options_;
  ClockTable table_;
  bool is_disowned_ = false;
  std::atomic<size_t> capacity_;
  std::atomic<bool> is_strict_;
  // Written by insertions and evictions, read by releases.
  alignas(128) std::atomic<size_t> usage_{0};
  std::atomic<size_t> standalone_usage_{0};
  std::atomic<size_t> entry_count_{0};
  alignas(128) std::atomic<uint64_t> hand_{0};
};

// What a family without a block cache gets: as HyperClockCacheOptions make it,
// but small as long as little is in it, since there may be thousands of them.
std::shared_ptr<Cache> NewOwnBlockCache(size_t capacity);

}  // namespace ROCKSDB_NAMESPACE
