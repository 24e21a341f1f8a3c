#include "db_stress_tool/faulty_secondary_cache.h"

#include <atomic>
#include <utility>

#include "db_stress_tool/stress_random.h"

namespace ROCKSDB_NAMESPACE::stress {

// The interface is another one before.
#if __has_include("rocksdb/attribute_groups.h")

namespace {

class FaultySecondaryCache : public SecondaryCache {
 public:
  FaultySecondaryCache(std::shared_ptr<SecondaryCache> target, int64_t one_in,
                       uint64_t seed)
      : target_(std::move(target)), one_in_(one_in), next_seed_(seed) {}

  const char* Name() const override { return "FaultySecondaryCache"; }

  Status Insert(const Slice& key, Cache::ObjectPtr object,
                const Cache::CacheItemHelper* helper, bool force) override {
    return IsFaultDue() ? Fault() : target_->Insert(key, object, helper, force);
  }
  Status InsertSaved(const Slice& key, const Slice& saved, CompressionType type,
                     CacheTier source) override {
    return IsFaultDue() ? Fault()
                        : target_->InsertSaved(key, saved, type, source);
  }
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* context, bool wait, bool advise_erase,
      Statistics* statistics, bool& is_kept) override {
    if (IsFaultDue()) {
      is_kept = false;
      return nullptr;
    }
    return target_->Lookup(key, helper, context, wait, advise_erase, statistics,
                           is_kept);
  }
  bool SupportForceErase() const override {
    return target_->SupportForceErase();
  }
  void Erase(const Slice& key) override { target_->Erase(key); }
  void WaitAll(std::vector<SecondaryCacheResultHandle*> handles) override {
    target_->WaitAll(std::move(handles));
  }
  Status SetCapacity(size_t capacity) override {
    return target_->SetCapacity(capacity);
  }
  Status GetCapacity(size_t& capacity) override {
    return target_->GetCapacity(capacity);
  }
  Status Deflate(size_t decrease) override {
    return target_->Deflate(decrease);
  }
  Status Inflate(size_t increase) override {
    return target_->Inflate(increase);
  }

 private:
  bool IsFaultDue() { return StressRandom(next_seed_++).OneIn(one_in_); }
  static Status Fault() {
    return Status::IOError("injected fault in a secondary cache");
  }

  const std::shared_ptr<SecondaryCache> target_;
  const int64_t one_in_;
  std::atomic<uint64_t> next_seed_;
};

}  // namespace

std::shared_ptr<SecondaryCache> MakeFaultySecondaryCache(
    std::shared_ptr<SecondaryCache> target, int64_t one_in, uint64_t seed) {
  return std::make_shared<FaultySecondaryCache>(std::move(target), one_in,
                                                seed);
}

#else

std::shared_ptr<SecondaryCache> MakeFaultySecondaryCache(
    std::shared_ptr<SecondaryCache> /*target*/, int64_t /*one_in*/,
    uint64_t /*seed*/) {
  return nullptr;
}

#endif

}  // namespace ROCKSDB_NAMESPACE::stress
