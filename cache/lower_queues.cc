#include "cache/lower_queues.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <utility>

#include "monitoring/statistics_impl.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// A lookup on the device: what the caller said of the object, and where its
// bytes go besides.
struct Making : Cache::CreateContext {
  const Cache::CacheItemHelper* helper = nullptr;
  Cache::CreateContext* context = nullptr;
  std::string key;
  SecondaryCache* compressed = nullptr;  // null: they go nowhere
  Statistics* stats = nullptr;
};

constexpr Cache::CreateCallback kMakeAndPromote =
    [](const Slice& data, CompressionType type, CacheTier source,
       Cache::CreateContext* context, MemoryAllocator* allocator,
       Cache::ObjectPtr* object, size_t* charge) -> Status {
  INVARIANT(context != nullptr);
  const Making& making = *static_cast<const Making*>(context);
  Status s = making.helper->create_cb(data, type, source, making.context,
                                      allocator, object, charge);
  if (!s.ok()) return s;
  // What is as large there as in the block cache would be no gain.
  const bool is_promoted =
      making.compressed != nullptr && type != kNoCompression &&
      making.compressed->InsertSaved(making.key, data, type, source).ok();
  RecordTick(making.stats, is_promoted
                               ? COMPRESSED_SECONDARY_CACHE_PROMOTIONS
                               : COMPRESSED_SECONDARY_CACHE_PROMOTION_SKIPS);
  return s;
};

// Nobody measures or saves an object of a lookup.
size_t NoSize(Cache::ObjectPtr) { return 0; }
Status NoSave(Cache::ObjectPtr, size_t, size_t, char*) {
  return Status::NotSupported("an object of a lookup is not saved");
}

struct MakingHelper {
  Cache::CacheItemHelper plain;
  Cache::CacheItemHelper full;
};

// Helpers live for ever, and tell the role of what is looked up.
const Cache::CacheItemHelper* MakingHelperOf(CacheEntryRole role) {
  static const std::array<MakingHelper, kNumCacheEntryRoles>* const kHelpers =
      [] {
        static std::array<MakingHelper, kNumCacheEntryRoles> helpers;
        for (size_t i = 0; i < helpers.size(); ++i) {
          const auto each = static_cast<CacheEntryRole>(i);
          MakingHelper& helper = helpers[i];
          helper.plain = Cache::CacheItemHelper(each);
          helper.plain.without_secondary_compat = &helper.plain;
          helper.full = Cache::CacheItemHelper(each, nullptr, &NoSize, &NoSave,
                                               kMakeAndPromote, &helper.plain);
        }
        return &helpers;
      }();
  return &(*kHelpers)[static_cast<size_t>(role)].full;
}

// Keeps what the device needs until the object is there.
class DeviceResult final : public SecondaryCacheResultHandle {
 public:
  DeviceResult(std::unique_ptr<Making> making,
               std::unique_ptr<SecondaryCacheResultHandle> found)
      : making_(std::move(making)), found_(std::move(found)) {}
  bool IsReady() override { return found_->IsReady(); }
  void Wait() override { found_->Wait(); }
  Cache::ObjectPtr Value() override { return found_->Value(); }
  size_t Size() override { return found_->Size(); }

  SecondaryCacheResultHandle* found() const { return found_.get(); }

 private:
  const std::unique_ptr<Making> making_;
  const std::unique_ptr<SecondaryCacheResultHandle> found_;
};

}  // namespace

LowerQueues::LowerQueues(std::shared_ptr<SecondaryCache> compressed,
                         std::shared_ptr<SecondaryCache> device)
    : SecondaryCacheWrapper(std::move(compressed)), device_(std::move(device)) {
  INVARIANT(target() != nullptr);
  INVARIANT(device_ != nullptr);
}

Status LowerQueues::Insert(const Slice&, Cache::ObjectPtr,
                           const Cache::CacheItemHelper*, bool) {
  return Status::OK();
}

Status LowerQueues::InsertSaved(const Slice& key, const Slice& saved,
                                CompressionType type, CacheTier source) {
  return device_->InsertSaved(key, saved, type, source);
}

std::unique_ptr<SecondaryCacheResultHandle> LowerQueues::Lookup(
    const Slice& key, const Cache::CacheItemHelper* helper,
    Cache::CreateContext* create_context, bool wait, bool advise_erase,
    Statistics* stats, bool& kept_in_sec_cache) {
  kept_in_sec_cache = false;
  if (helper == nullptr || helper->create_cb == nullptr) return nullptr;
  auto found = target()->Lookup(key, helper, create_context, wait, advise_erase,
                                stats, kept_in_sec_cache);
  if (found != nullptr) return found;
  auto making = std::make_unique<Making>();
  making->helper = helper;
  making->context = create_context;
  making->key = key.ToString();
  making->compressed = advise_erase ? nullptr : target();
  making->stats = stats;
  found = device_->Lookup(key, MakingHelperOf(helper->role), making.get(), wait,
                          advise_erase, stats, kept_in_sec_cache);
  if (found == nullptr) return nullptr;
  return std::make_unique<DeviceResult>(std::move(making), std::move(found));
}

void LowerQueues::Erase(const Slice& key) {
  target()->Erase(key);
  device_->Erase(key);
}

void LowerQueues::WaitAll(std::vector<SecondaryCacheResultHandle*> handles) {
  std::vector<SecondaryCacheResultHandle*> late;
  for (SecondaryCacheResultHandle* handle : handles) {
    // The compressed cache answers at once.
    if (handle->IsReady()) continue;
    auto* const result = dynamic_cast<DeviceResult*>(handle);
    assert(result != nullptr);
    late.push_back(result->found());
  }
  if (!late.empty()) device_->WaitAll(std::move(late));
}

std::string LowerQueues::GetPrintableOptions() const {
  return target()->GetPrintableOptions() +
         "    nvm_sec_cache : " + device_->Name() + "\n" +
         device_->GetPrintableOptions();
}

}  // namespace ROCKSDB_NAMESPACE
