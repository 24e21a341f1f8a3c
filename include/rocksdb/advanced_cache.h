// The cache for those who put entries of their own in, or wrap one. The calls
// themselves are in the class Cache.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "rocksdb/cache.h"
#include "rocksdb/cache_interface.h"
#include "rocksdb/env.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Entries that only hold space have this helper and no object.
extern const Cache::CacheItemHelper kNoopCacheItemHelper;

// Forwards every call to another cache. Override what is to be different.
class CacheWrapper : public Cache {
 public:
  explicit CacheWrapper(std::shared_ptr<Cache> target)
      : target_(std::move(target)) {}

  Status Insert(const Slice& key, ObjectPtr value,
                const CacheItemHelper* helper, size_t charge,
                Handle** handle = nullptr, Priority priority = Priority::LOW,
                const Slice& compressed = Slice(),
                CompressionType type = kNoCompression) override {
    return target_->Insert(key, value, helper, charge, handle, priority,
                           compressed, type);
  }
  Handle* CreateStandalone(const Slice& key, ObjectPtr obj,
                           const CacheItemHelper* helper, size_t charge,
                           bool allow_uncharged) override {
    return target_->CreateStandalone(key, obj, helper, charge, allow_uncharged);
  }
  Handle* Lookup(const Slice& key, const CacheItemHelper* helper = nullptr,
                 CreateContext* create_context = nullptr,
                 Priority priority = Priority::LOW,
                 Statistics* stats = nullptr) override {
    return target_->Lookup(key, helper, create_context, priority, stats);
  }
  bool Ref(Handle* handle) override { return target_->Ref(handle); }
  using Cache::Release;
  bool Release(Handle* handle, bool erase_if_last_ref = false) override {
    return target_->Release(handle, erase_if_last_ref);
  }
  ObjectPtr Value(Handle* handle) override { return target_->Value(handle); }
  void Erase(const Slice& key) override { target_->Erase(key); }
  uint64_t NewId() override { return target_->NewId(); }
  void SetCapacity(size_t capacity) override { target_->SetCapacity(capacity); }
  void SetStrictCapacityLimit(bool strict_capacity_limit) override {
    target_->SetStrictCapacityLimit(strict_capacity_limit);
  }
  bool HasStrictCapacityLimit() const override {
    return target_->HasStrictCapacityLimit();
  }
  size_t GetOccupancyCount() const override {
    return target_->GetOccupancyCount();
  }
  size_t GetTableAddressCount() const override {
    return target_->GetTableAddressCount();
  }
  size_t GetCapacity() const override { return target_->GetCapacity(); }
  size_t GetUsage() const override { return target_->GetUsage(); }
  size_t GetUsage(Handle* handle) const override {
    return target_->GetUsage(handle);
  }
  size_t GetPinnedUsage() const override { return target_->GetPinnedUsage(); }
  size_t GetCharge(Handle* handle) const override {
    return target_->GetCharge(handle);
  }
  const CacheItemHelper* GetCacheItemHelper(Handle* handle) const override {
    return target_->GetCacheItemHelper(handle);
  }
  void ApplyToAllEntries(
      const std::function<void(const Slice& key, ObjectPtr value, size_t charge,
                               const CacheItemHelper* helper)>& callback,
      const ApplyToAllEntriesOptions& opts) override {
    target_->ApplyToAllEntries(callback, opts);
  }
  // `cache` is this wrapper; the target is told of itself.
  void ApplyToHandle(
      Cache* cache, Handle* handle,
      const std::function<void(const Slice& key, ObjectPtr value, size_t charge,
                               const CacheItemHelper* helper)>& callback)
      override {
    target_->ApplyToHandle(static_cast<CacheWrapper*>(cache)->target_.get(),
                           handle, callback);
  }
  void EraseUnRefEntries() override { target_->EraseUnRefEntries(); }
  Status GetSecondaryCacheCapacity(size_t& size) const override {
    return target_->GetSecondaryCacheCapacity(size);
  }
  Status GetSecondaryCachePinnedUsage(size_t& size) const override {
    return target_->GetSecondaryCachePinnedUsage(size);
  }
  // Through Lookup() of this wrapper, which may be overridden.
  void StartAsyncLookup(AsyncLookupHandle& async_handle) override {
    Cache::StartAsyncLookup(async_handle);
  }
  void WaitAll(AsyncLookupHandle* async_handles, size_t count) override {
    target_->WaitAll(async_handles, count);
  }
  void SetEvictionCallback(EvictionCallback&& fn) override {
    target_->SetEvictionCallback(std::move(fn));
  }
  uint32_t GetHashSeed() const override { return target_->GetHashSeed(); }
  void ReportProblems(const std::shared_ptr<Logger>& info_log) const override {
    target_->ReportProblems(info_log);
  }
  void DisownData() override { target_->DisownData(); }
  std::string GetPrintableOptions() const override {
    return target_->GetPrintableOptions();
  }

  const std::shared_ptr<Cache>& GetTarget() const { return target_; }

 protected:
  std::shared_ptr<Cache> target_;
};

}  // namespace ROCKSDB_NAMESPACE
