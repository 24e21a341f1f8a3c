// SecondaryCache: where blocks go that the block cache has no room for.
//
// Given to a block cache by its options. Blocks of data, indexes and filters
// go there when they are evicted, and come back when they are looked up.
//
// Threads  Every call from any thread.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/cache_interface.h"
#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/statistics.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// The outcome of a lookup that may still be under way.
class SecondaryCacheResultHandle {
 public:
  virtual ~SecondaryCacheResultHandle() = default;

  virtual bool IsReady() = 0;
  virtual void Wait() = 0;
  // The object, or null; after IsReady(). It becomes the caller's.
  virtual Cache::ObjectPtr Value() = 0;
  virtual size_t Size() = 0;
};

class SecondaryCache : public Customizable {
 public:
  ~SecondaryCache() override = default;

  static const char* Type() { return "SecondaryCache"; }

  // "compressed_secondary_cache://" and the fields of
  // CompressedSecondaryCacheOptions as name=value;... makes one of those; an
  // empty id gives null, a registered one that; another one NotSupported.
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<SecondaryCache>* result);

  // Stores the object's persistent form, or declines to.
  virtual Status Insert(const Slice& key, Cache::ObjectPtr obj,
                        const Cache::CacheItemHelper* helper,
                        bool force_insert) = 0;
  // Stores bytes that are already in persistent form.
  virtual Status InsertSaved(const Slice& key, const Slice& saved,
                             CompressionType type = kNoCompression,
                             CacheTier source = CacheTier::kVolatileTier) = 0;

  // Null if it is not there. `advise_erase`: the caller will keep it.
  virtual std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* create_context, bool wait, bool advise_erase,
      Statistics* stats, bool& kept_in_sec_cache) = 0;
  virtual bool SupportForceErase() const = 0;
  virtual void Erase(const Slice& key) = 0;
  virtual void WaitAll(std::vector<SecondaryCacheResultHandle*> handles) = 0;

  virtual Status SetCapacity(size_t /*capacity*/) {
    return Status::NotSupported("SecondaryCache::SetCapacity");
  }
  virtual Status GetCapacity(size_t& /*capacity*/) {
    return Status::NotSupported("SecondaryCache::GetCapacity");
  }
  virtual Status Deflate(size_t /*decrease*/) {
    return Status::NotSupported("SecondaryCache::Deflate");
  }
  virtual Status Inflate(size_t /*increase*/) {
    return Status::NotSupported("SecondaryCache::Inflate");
  }
};

// Forwards every call to another one.
class SecondaryCacheWrapper : public SecondaryCache {
 public:
  explicit SecondaryCacheWrapper(std::shared_ptr<SecondaryCache> target)
      : target_(std::move(target)) {}

  Status Insert(const Slice& key, Cache::ObjectPtr obj,
                const Cache::CacheItemHelper* helper,
                bool force_insert) override {
    return target()->Insert(key, obj, helper, force_insert);
  }
  Status InsertSaved(const Slice& key, const Slice& saved,
                     CompressionType type = kNoCompression,
                     CacheTier source = CacheTier::kVolatileTier) override {
    return target()->InsertSaved(key, saved, type, source);
  }
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* create_context, bool wait, bool advise_erase,
      Statistics* stats, bool& kept_in_sec_cache) override {
    return target()->Lookup(key, helper, create_context, wait, advise_erase,
                            stats, kept_in_sec_cache);
  }
  bool SupportForceErase() const override {
    return target()->SupportForceErase();
  }
  void Erase(const Slice& key) override { target()->Erase(key); }
  void WaitAll(std::vector<SecondaryCacheResultHandle*> handles) override {
    target()->WaitAll(std::move(handles));
  }
  Status SetCapacity(size_t capacity) override {
    return target()->SetCapacity(capacity);
  }
  Status GetCapacity(size_t& capacity) override {
    return target()->GetCapacity(capacity);
  }
  Status Deflate(size_t decrease) override {
    return target()->Deflate(decrease);
  }
  Status Inflate(size_t increase) override {
    return target()->Inflate(increase);
  }

 protected:
  SecondaryCache* target() const { return target_.get(); }

 private:
  std::shared_ptr<SecondaryCache> target_;
};

// For Insert() of a Slice, whose bytes are what is stored; it stays the
// caller's.
extern const Cache::CacheItemHelper kSliceCacheItemHelper;

}  // namespace ROCKSDB_NAMESPACE
