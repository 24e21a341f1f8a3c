#include "cache/cache_with_secondary.h"

#include <cassert>
#include <cstring>
#include <utility>

#include "cache/compressed_secondary_cache.h"
#include "monitoring/perf_context_imp.h"
#include "monitoring/statistics_impl.h"
#include "util/ignore_error.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void CountHit(CacheEntryRole role, Statistics* stats) {
  RecordTick(stats, SECONDARY_CACHE_HITS);
  PERF_COUNTER_ADD(secondary_cache_hit_count, 1);
  switch (role) {
    case CacheEntryRole::kFilterBlock:
      RecordTick(stats, SECONDARY_CACHE_FILTER_HITS);
      break;
    case CacheEntryRole::kIndexBlock:
      RecordTick(stats, SECONDARY_CACHE_INDEX_HITS);
      break;
    case CacheEntryRole::kDataBlock:
      RecordTick(stats, SECONDARY_CACHE_DATA_HITS);
      break;
    default:
      break;
  }
}

}  // namespace

void SecondaryFeeder::OnEvicted(const EvictedEntry& entry) {
  if (entry.helper == nullptr || entry.object == nullptr ||
      !entry.helper->IsSecondaryCacheCompatible()) {
    return;
  }
  bool is_forced = false;
  switch (policy_.load(std::memory_order_relaxed)) {
    case TieredAdmissionPolicy::kAdmPolicyAllowAll:
      is_forced = true;
      break;
    case TieredAdmissionPolicy::kAdmPolicyAllowCacheHits:
      is_forced = entry.was_hit;
      break;
    default:
      break;
  }
  IgnoreError(
      secondary_->Insert(entry.key, entry.object, entry.helper, is_forced),
      "what is not kept is read again");
}

CacheWithSecondary::CacheWithSecondary(std::shared_ptr<Cache> primary,
                                       std::shared_ptr<SecondaryFeeder> feeder)
    : CacheWrapper(std::move(primary)),
      feeder_(std::move(feeder)),
      is_compressed_(strcmp(secondary().Name(),
                            CompressedSecondaryCache::kClassName()) == 0) {
  INVARIANT(target_ != nullptr);
}

Cache::Handle* CacheWithSecondary::Lookup(const Slice& key,
                                          const CacheItemHelper* helper,
                                          CreateContext* create_context,
                                          Priority priority,
                                          Statistics* stats) {
  Handle* const handle =
      target_->Lookup(key, helper, create_context, priority, stats);
  if (handle != nullptr || helper == nullptr ||
      !helper->IsSecondaryCacheCompatible()) {
    return handle;
  }
  const Wanted wanted{key, helper, create_context, priority, stats};
  Found found;
  if (!FindBelow(wanted, /*advise_erase=*/true, &found)) return nullptr;
  return TakeUp(wanted, found);
}

bool CacheWithSecondary::FindBelow(const Wanted& wanted, bool advise_erase,
                                   Found* found) {
  bool is_kept = false;
  const std::unique_ptr<SecondaryCacheResultHandle> result =
      secondary().Lookup(wanted.key, wanted.helper, wanted.create_context,
                         /*wait=*/true, advise_erase, wanted.stats, is_kept);
  if (result == nullptr) return false;
  if (!result->IsReady()) result->Wait();
  ObjectPtr const object = result->Value();
  if (object == nullptr) return false;
  CountHit(wanted.helper->role, wanted.stats);
  *found = {object, result->Size(), is_kept};
  return true;
}

// What the second cache still has need not be saved there again.
const Cache::CacheItemHelper* CacheWithSecondary::HelperOf(const Wanted& wanted,
                                                           const Found& found) {
  const CacheItemHelper* const helper =
      found.stays_below ? wanted.helper->without_secondary_compat
                        : wanted.helper;
  assert(helper != nullptr);
  return helper;
}

Cache::Handle* CacheWithSecondary::HandOut(const Wanted& wanted,
                                           const Found& found) {
  PERF_COUNTER_ADD(block_cache_standalone_handle_count, 1);
  Handle* const handle = target_->CreateStandalone(
      wanted.key, found.object, HelperOf(wanted, found), found.charge,
      /*allow_uncharged=*/true);
  INVARIANT(handle != nullptr);
  return handle;
}

Cache::Handle* CacheWithSecondary::TakeUp(const Wanted& wanted,
                                          const Found& found) {
  Handle* handle = nullptr;
  const Status s =
      target_->Insert(wanted.key, found.object, HelperOf(wanted, found),
                      found.charge, &handle, wanted.priority);
  if (s.ok()) {
    PERF_COUNTER_ADD(block_cache_real_handle_count, 1);
    if (is_compressed_) {
      RecordTick(wanted.stats, COMPRESSED_SECONDARY_CACHE_PROMOTIONS);
    }
    return handle;
  }
  if (is_compressed_) {
    RecordTick(wanted.stats, COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS);
  }
  return HandOut(wanted, found);
}

void CacheWithSecondary::Erase(const Slice& key) {
  target_->Erase(key);
  secondary().Erase(key);
}

std::string CacheWithSecondary::GetPrintableOptions() const {
  return target_->GetPrintableOptions() +
         "    secondary_cache : " + secondary().Name() + "\n" +
         secondary().GetPrintableOptions();
}

// ---- One budget ----

TieredCache::TieredCache(std::shared_ptr<Cache> primary,
                         std::shared_ptr<SecondaryFeeder> feeder,
                         const Budget& budget)
    : CacheWithSecondary(std::move(primary), std::move(feeder)),
      budget_(budget) {
  INVARIANT(budget.secondary_ratio >= 0 && budget.secondary_ratio < 1);
}

void TieredCache::Divide(const Budget& budget) {
  target_->SetCapacity(budget.PrimaryBytes());
  IgnoreError(secondary().SetCapacity(budget.SecondaryBytes()),
              "a compressed cache takes any capacity");
}

void TieredCache::SetCapacity(size_t capacity) {
  MutexLock lock(&mutex_);
  budget_.total = capacity;
  Divide(budget_);
}

size_t TieredCache::GetCapacity() const {
  MutexLock lock(&mutex_);
  return budget_.total;
}

bool TieredCache::IsForTiers(TieredAdmissionPolicy policy, bool has_device) {
  if (policy == TieredAdmissionPolicy::kAdmPolicyAuto) return true;
  return (policy == TieredAdmissionPolicy::kAdmPolicyThreeQueue) == has_device;
}

Status TieredCache::Update(int64_t total_capacity, double secondary_ratio,
                           TieredAdmissionPolicy policy) {
  // Negated, so that a NaN is refused too.
  if (!(secondary_ratio >= 0)) {
    return Status::InvalidArgument("compressed_secondary_ratio is negative");
  }
  if (policy < TieredAdmissionPolicy::kAdmPolicyMax &&
      !IsForTiers(policy, has_device())) {
    return Status::InvalidArgument(
        "adm_policy",
        has_device() ? "a cache with nvm_sec_cache has kAdmPolicyThreeQueue"
                     : "kAdmPolicyThreeQueue needs nvm_sec_cache");
  }
  MutexLock lock(&mutex_);
  if (total_capacity > 0) {
    budget_.total = static_cast<size_t>(total_capacity);
  }
  if (secondary_ratio < 1) budget_.secondary_ratio = secondary_ratio;
  if (policy < TieredAdmissionPolicy::kAdmPolicyMax) feeder().SetPolicy(policy);
  Divide(budget_);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
