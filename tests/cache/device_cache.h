// A secondary cache of an application, as one on a device would be: it keeps
// what InsertSaved() gives it, answers late, and can be made to fail.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE {

class DeviceCache : public SecondaryCache {
 public:
  struct Form {
    std::string bytes;
    CompressionType type = kNoCompression;
    CacheTier source = CacheTier::kVolatileTier;
  };

  const char* Name() const override { return "DeviceCache"; }

  Status Insert(const Slice&, Cache::ObjectPtr, const Cache::CacheItemHelper*,
                bool) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++inserts_;
    return Status::OK();
  }
  Status InsertSaved(const Slice& key, const Slice& saved, CompressionType type,
                     CacheTier source) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (fails_) return Status::IOError("the device is full");
    forms_[key.ToString()] = {saved.ToString(), type, source};
    return Status::OK();
  }
  std::unique_ptr<SecondaryCacheResultHandle> Lookup(
      const Slice& key, const Cache::CacheItemHelper* helper,
      Cache::CreateContext* context, bool, bool, Statistics*,
      bool& is_kept) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++lookups_;
    const auto found = forms_.find(key.ToString());
    is_kept = found != forms_.end();
    if (!is_kept || fails_) return nullptr;
    return std::make_unique<LateResult>(found->second, helper, context);
  }
  bool SupportForceErase() const override { return false; }
  void Erase(const Slice& key) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    forms_.erase(key.ToString());
  }
  void WaitAll(std::vector<SecondaryCacheResultHandle*> handles) override {
    for (SecondaryCacheResultHandle* handle : handles) handle->Wait();
  }

  // ---- For the test ----

  // Each call from now on.
  void Fail() {
    const std::lock_guard<std::mutex> lock(mutex_);
    fails_ = true;
  }
  // What is there is not what was put in any more.
  template <class Change>
  void Damage(const Change& change) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto& [key, form] : forms_) change(&form);
  }
  std::map<std::string, Form> forms() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return forms_;
  }
  int inserts() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return inserts_;
  }
  int lookups() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return lookups_;
  }

 private:
  // Makes the object when it is waited for.
  class LateResult : public SecondaryCacheResultHandle {
   public:
    LateResult(Form form, const Cache::CacheItemHelper* helper,
               Cache::CreateContext* context)
        : form_(std::move(form)), helper_(helper), context_(context) {}
    bool IsReady() override { return is_ready_; }
    void Wait() override {
      if (is_ready_) return;
      is_ready_ = true;
      const Status s = helper_->create_cb(form_.bytes, form_.type, form_.source,
                                          context_, nullptr, &object_, &size_);
      if (!s.ok()) object_ = nullptr;
    }
    Cache::ObjectPtr Value() override { return object_; }
    size_t Size() override { return size_; }

   private:
    const Form form_;
    const Cache::CacheItemHelper* const helper_;
    Cache::CreateContext* const context_;
    bool is_ready_ = false;
    Cache::ObjectPtr object_ = nullptr;
    size_t size_ = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::string, Form> forms_;
  bool fails_ = false;
  int inserts_ = 0;
  int lookups_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
