// Cache: keeps objects in memory by key, up to a capacity, least recently used
// first out. Applications include rocksdb/cache.h, which adds the options.
//
// Each entry has a charge (its share of the capacity) and a helper (how its
// object is deleted). A lookup hands out a handle; the object stays alive until
// the handle is released, even if the entry leaves the cache before.
//
// Threads    Every call from any thread.
// Ownership  Insert() takes the object over, and deletes it through its helper,
//            exactly if it answers OK.

#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/compression_type.h"
#include "rocksdb/customizable.h"
#include "rocksdb/data_structure.h"
#include "rocksdb/memory_allocator.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

class SecondaryCache;
class SecondaryCacheResultHandle;
class Statistics;
enum class CacheTier : uint8_t;
struct ConfigOptions;

// What an entry is, for accounting.
enum class CacheEntryRole {
  kDataBlock,
  kFilterBlock,
  kFilterMetaBlock,
  kDeprecatedFilterBlock,
  kIndexBlock,
  kOtherBlock,
  kWriteBuffer,
  kCompressionDictionaryBuildingBuffer,
  kFilterConstruction,
  kBlockBasedTableReader,
  kFileMetadata,
  kBlobValue,
  kBlobCache,
  kMisc,
};
constexpr uint32_t kNumCacheEntryRoles =
    static_cast<uint32_t>(CacheEntryRole::kMisc) + 1;

using CacheEntryRoleSet = SmallEnumSet<CacheEntryRole, CacheEntryRole::kMisc>;

// "DataBlock", "FilterBlock", ...
const std::string& GetCacheEntryRoleName(CacheEntryRole role);

class Cache : public Customizable {
 public:
  // How long an entry that is not looked up stays. Each class has a pool of
  // its own, as the options say; BOTTOM goes first.
  enum class Priority { HIGH, LOW, BOTTOM };

  // The object of an entry; the cache does not look inside.
  using ObjectPtr = void*;
  using CharObject = char;

  // An entry that somebody holds. Opaque.
  struct Handle {};
  // What a create callback needs to know besides the bytes; derive from it.
  struct CreateContext {};

  // Bytes that SaveToCallback writes.
  using SizeCallback = size_t (*)(ObjectPtr obj);
  // Writes a part of the object's persistent form.
  using SaveToCallback = Status (*)(ObjectPtr from_obj, size_t from_offset,
                                    size_t length, char* out_buf);
  // Destroys an object. `allocator` is that of the cache; may be null.
  using DeleterFn = void (*)(ObjectPtr obj, MemoryAllocator* allocator);
  // Makes an object from its persistent form.
  using CreateCallback = Status (*)(const Slice& data, CompressionType type,
                                    CacheTier source, CreateContext* context,
                                    MemoryAllocator* allocator,
                                    ObjectPtr* out_obj, size_t* out_charge);

  // What the cache may do with an object. Helpers live for ever: one static
  // constant for each kind of object.
  struct CacheItemHelper {
    // Null: nothing to delete.
    DeleterFn del_cb = nullptr;
    SizeCallback size_cb = nullptr;
    SaveToCallback saveto_cb = nullptr;
    CreateCallback create_cb = nullptr;
    CacheEntryRole role = CacheEntryRole::kMisc;
    // The same kind of object without the three callbacks above it.
    const CacheItemHelper* without_secondary_compat = nullptr;

    CacheItemHelper() : without_secondary_compat(this) {}
    explicit CacheItemHelper(CacheEntryRole item_role,
                             DeleterFn deleter = nullptr)
        : del_cb(deleter), role(item_role), without_secondary_compat(this) {}
    CacheItemHelper(CacheEntryRole item_role, DeleterFn deleter,
                    SizeCallback size, SaveToCallback save_to,
                    CreateCallback create, const CacheItemHelper* without)
        : del_cb(deleter),
          size_cb(size),
          saveto_cb(save_to),
          create_cb(create),
          role(item_role),
          without_secondary_compat(without) {
      assert(without != nullptr);
      assert(!without->IsSecondaryCacheCompatible());
    }

    bool IsSecondaryCacheCompatible() const { return size_cb != nullptr; }
  };

  explicit Cache(std::shared_ptr<MemoryAllocator> allocator = nullptr)
      : memory_allocator_(std::move(allocator)) {}
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;
  ~Cache() override = default;

  static const char* Type() { return "Cache"; }

  // A cache from its capacity in bytes, or from
  // `capacity=N;num_shard_bits=N;strict_capacity_limit=B;
  // high_pri_pool_ratio=R;low_pri_pool_ratio=R`, in braces or not, with
  // `id=LRUCache` in front or not; or a registered one. Text that begins with
  // `null` leaves *result as it is. A bad value, or one word that is neither a
  // size nor a registered name, is InvalidArgument, an unknown name with
  // options NotSupported.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<Cache>* result);

  const char* Name() const override = 0;

  // Puts an object in, replacing that of an equal key. With `handle`, the
  // entry is also handed out. At a strict capacity limit and with `handle`,
  // the answer is MemoryLimit if there is no room, and the object remains the
  // caller's; without `handle` the object may be deleted at once.
  // `compressed` and `type` serve secondary caches.
  virtual Status Insert(const Slice& key, ObjectPtr obj,
                        const CacheItemHelper* helper, size_t charge,
                        Handle** handle = nullptr,
                        Priority priority = Priority::LOW,
                        const Slice& compressed = Slice(),
                        CompressionType type = kNoCompression) = 0;

  // A handle to an object that is charged but can never be looked up. If there
  // is no room: without charge if `allow_uncharged`, else null, and the object
  // remains the caller's.
  virtual Handle* CreateStandalone(const Slice& key, ObjectPtr obj,
                                   const CacheItemHelper* helper, size_t charge,
                                   bool allow_uncharged) = 0;

  // The entry of that key, or null. All but `key` serves secondary caches.
  virtual Handle* Lookup(const Slice& key,
                         const CacheItemHelper* helper = nullptr,
                         CreateContext* create_context = nullptr,
                         Priority priority = Priority::LOW,
                         Statistics* stats = nullptr) = 0;
  Handle* BasicLookup(const Slice& key, Statistics* stats) {
    return Lookup(key, nullptr, nullptr, Priority::LOW, stats);
  }

  // One more reference to a handle that the caller holds; true.
  virtual bool Ref(Handle* handle) = 0;

  // Gives a reference back. With `erase_if_last_ref`, an entry that nobody
  // else holds leaves the cache. True if the object was deleted.
  virtual bool Release(Handle* handle, bool erase_if_last_ref = false) = 0;
  virtual bool Release(Handle* handle, bool /*useful*/,
                       bool erase_if_last_ref) {
    return Release(handle, erase_if_last_ref);
  }

  virtual ObjectPtr Value(Handle* handle) = 0;

  // Removes the entry from lookups; who holds it keeps it.
  virtual void Erase(const Slice& key) = 0;

  // A number that this cache never gave before, for making keys.
  virtual uint64_t NewId() = 0;

  // A smaller capacity evicts at once.
  virtual void SetCapacity(size_t capacity) = 0;
  virtual void SetStrictCapacityLimit(bool strict_capacity_limit) = 0;
  virtual bool HasStrictCapacityLimit() const = 0;

  // Entries that can be looked up.
  virtual size_t GetOccupancyCount() const { return SIZE_MAX; }
  // Places in the table of entries.
  virtual size_t GetTableAddressCount() const { return SIZE_MAX; }
  virtual size_t GetCapacity() const = 0;
  // Bytes charged: in all, and for one entry.
  virtual size_t GetUsage() const = 0;
  virtual size_t GetUsage(Handle* handle) const = 0;
  // Bytes that cannot be evicted, since somebody holds them.
  virtual size_t GetPinnedUsage() const = 0;
  // The charge that Insert() was given.
  virtual size_t GetCharge(Handle* handle) const = 0;
  virtual const CacheItemHelper* GetCacheItemHelper(Handle* handle) const = 0;

  struct ApplyToAllEntriesOptions {
    // Entries to look at for each time that a lock is taken.
    size_t average_entries_per_lock = 256;
  };
  // Calls `callback` for each entry, with no lock held. Entries that come or
  // go meanwhile may be missed.
  virtual void ApplyToAllEntries(
      const std::function<void(const Slice& key, ObjectPtr obj, size_t charge,
                               const CacheItemHelper* helper)>& callback,
      const ApplyToAllEntriesOptions& opts) = 0;

  // Calls `callback` for the entry of a handle that the caller holds; `cache`
  // is the one that gave it.
  virtual void ApplyToHandle(
      Cache* cache, Handle* handle,
      const std::function<void(const Slice& key, ObjectPtr obj, size_t charge,
                               const CacheItemHelper* helper)>& callback) = 0;

  // Drops all entries that nobody holds.
  virtual void EraseUnRefEntries() = 0;

  // The capacity and the pinned usage of the secondary cache, in bytes.
  // NotSupported: there is no secondary cache, or it cannot tell.
  virtual Status GetSecondaryCacheCapacity(size_t& /*size*/) const {
    return Status::NotSupported("Cache::GetSecondaryCacheCapacity");
  }
  virtual Status GetSecondaryCachePinnedUsage(size_t& /*size*/) const {
    return Status::NotSupported("Cache::GetSecondaryCachePinnedUsage");
  }

  // The seed of the hash function.
  virtual uint32_t GetHashSeed() const { return 0; }

  // A lookup that may go on while the caller does something else. Its outcome
  // must be taken by Result(), once it is there, and released as usual.
  struct AsyncLookupHandle {
    AsyncLookupHandle() {}
    AsyncLookupHandle(const Slice& _key, const CacheItemHelper* _helper,
                      CreateContext* _create_context,
                      Priority _priority = Priority::LOW,
                      Statistics* _stats = nullptr)
        : key(_key),
          helper(_helper),
          create_context(_create_context),
          priority(_priority),
          stats(_stats) {}
    ~AsyncLookupHandle() { assert(!IsPending()); }
    AsyncLookupHandle(const AsyncLookupHandle&) = delete;
    AsyncLookupHandle operator=(const AsyncLookupHandle&) = delete;
    AsyncLookupHandle(AsyncLookupHandle&&) = delete;
    AsyncLookupHandle operator=(AsyncLookupHandle&&) = delete;

    // In: as for Lookup().
    Slice key;
    const CacheItemHelper* helper = nullptr;
    CreateContext* create_context = nullptr;
    Priority priority = Priority::LOW;
    Statistics* stats = nullptr;

    bool IsReady() { return pending_handle == nullptr; }
    bool IsPending() { return pending_handle != nullptr; }
    // Null: it is not there. To be called once.
    Handle* Result() {
      assert(IsReady());
      return std::exchange(result_handle, nullptr);
    }

    // Between the caches that work on it.
    Handle* result_handle = nullptr;
    SecondaryCacheResultHandle* pending_handle = nullptr;
    SecondaryCache* pending_cache = nullptr;
    bool found_dummy_entry = false;
    bool kept_in_sec_cache = false;
  };

  // Begins it. The caches that come with this library look up at once, those
  // below them too: the lookup is then ready.
  virtual void StartAsyncLookup(AsyncLookupHandle& async_handle) {
    async_handle.result_handle = Lookup(
        async_handle.key, async_handle.helper, async_handle.create_context,
        async_handle.priority, async_handle.stats);
  }
  // Until it is ready; the outcome.
  Handle* Wait(AsyncLookupHandle& async_handle) {
    WaitAll(&async_handle, 1);
    return async_handle.Result();
  }
  // Until all of them are.
  virtual void WaitAll(AsyncLookupHandle* /*async_handles*/, size_t /*count*/) {
  }

  // Called for each entry that is evicted for want of room, once nobody can
  // look it up any more: the key, a handle that is good meanwhile, and whether
  // it was looked up while it was there. True: the object belongs to the
  // callback from then on, which deletes it.
  using EvictionCallback =
      std::function<bool(const Slice& key, Handle* h, bool was_hit)>;
  // Before the cache is used, and once. A cache that wraps another passes it
  // on.
  virtual void SetEvictionCallback(EvictionCallback&& fn) {
    assert(!eviction_callback_);
    eviction_callback_ = std::move(fn);
  }

  std::string GetPrintableOptions() const override { return ""; }

  // Before the process ends: the destructor will not delete the objects.
  virtual void DisownData() {}

  // Looks for signs of trouble and writes them to the log.
  virtual void ReportProblems(
      const std::shared_ptr<class Logger>& /*logger*/) const {}

  // Null: that of the process.
  MemoryAllocator* memory_allocator() const { return memory_allocator_.get(); }

 protected:
  std::shared_ptr<MemoryAllocator> memory_allocator_;
  EvictionCallback eviction_callback_;
};

}  // namespace ROCKSDB_NAMESPACE
