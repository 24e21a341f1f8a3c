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
  // `id=LRUCache` in front or not; or a registered one. A bad value is
  // InvalidArgument, an unknown name NotSupported.
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

  // Drops all that nobody holds.
  virtual void EraseUnRefEntries() = 0;

  std::string GetPrintableOptions() const override { return ""; }

  // Before the process ends: the destructor will not delete the objects.
  virtual void DisownData() {}

  // Looks for signs of trouble and writes them to the log.
  virtual void ReportProblems(
      const std::shared_ptr<class Logger>& /*logger*/) const {}

  // Null: that of the process.
  MemoryAllocator* memory_allocator() const { return memory_allocator_.get(); }

 private:
  const std::shared_ptr<MemoryAllocator> memory_allocator_;
};

}  // namespace ROCKSDB_NAMESPACE
