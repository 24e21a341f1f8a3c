// A MemTableRep that an application might write: a std::set with a lock. What
// it is asked is counted, and what a test wants fails or throws.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/memtablerep.h"

namespace ROCKSDB_NAMESPACE {

// Shared by a factory, what it makes, and the test.
struct SetRepLog {
  std::atomic<int> made{0};
  std::atomic<int> destroyed{0};
  std::atomic<int> inserts{0};
  std::atomic<int> concurrent_inserts{0};
  std::atomic<int> hinted_inserts{0};
  std::atomic<int> batches{0};
  std::atomic<int> gets{0};
  std::atomic<int> iterators{0};
  std::atomic<int> read_only{0};
  std::atomic<int> flushed{0};
  std::atomic<uint32_t> family_id{0};
  // Which calls throw.
  std::atomic<bool> making_throws{false};
  std::atomic<bool> makes_nothing{false};
  std::atomic<bool> lacks_snapshots{false};
  std::atomic<bool> inserts_throw{false};
  std::atomic<bool> reads_throw{false};
};

class SetRep final : public MemTableRep {
 public:
  SetRep(const KeyComparator& order, Allocator* allocator, SetRepLog* log)
      : MemTableRep(allocator), log_(*log), keys_(Less{&order}) {
    ++log_.made;
  }
  ~SetRep() override {
    for (void* hint : hints_) delete static_cast<std::string*>(hint);
    ++log_.destroyed;
  }

  void Insert(KeyHandle handle) override { (void)InsertKey(handle); }
  bool InsertKey(KeyHandle handle) override {
    if (log_.inserts_throw) throw std::runtime_error("no room in the set");
    ++log_.inserts;
    const std::lock_guard lock(mutex_);
    return keys_.insert(static_cast<const char*>(handle)).second;
  }
  bool InsertKeyConcurrently(KeyHandle handle) override {
    ++log_.concurrent_inserts;
    return InsertKey(handle);
  }
  bool InsertKeyWithHint(KeyHandle handle, void** hint) override {
    const std::string prefix(1, UserKey(static_cast<const char*>(handle))[0]);
    if (*hint == nullptr) {
      *hint = std::make_unique<std::string>(prefix).release();
      hints_.push_back(*hint);
    } else if (*static_cast<std::string*>(*hint) == prefix) {
      ++log_.hinted_inserts;
    }
    return InsertKey(handle);
  }
  void BatchPostProcess() override { ++log_.batches; }
  bool Contains(const char* key) const override {
    const std::lock_guard lock(mutex_);
    return keys_.contains(key);
  }
  void MarkReadOnly() override { ++log_.read_only; }
  void MarkFlushed() override { ++log_.flushed; }
  void Get(const LookupKey& k, void* arg,
           bool (*callback)(void* arg, const char* entry)) override {
    if (log_.reads_throw) throw std::runtime_error("the set is shy");
    ++log_.gets;
    MemTableRep::Get(k, arg, callback);
  }
  uint64_t ApproximateNumEntries(const Slice& start,
                                 const Slice& end) override {
    const std::lock_guard lock(mutex_);
    const auto first = keys_.lower_bound(start);
    const auto last = keys_.lower_bound(end);
    return static_cast<uint64_t>(std::distance(first, last));
  }
  bool IsSnapshotSupported() const override { return !log_.lacks_snapshots; }
  size_t ApproximateMemoryUsage() override {
    const std::lock_guard lock(mutex_);
    return keys_.size() * kBytesPerKey;
  }
  Iterator* GetIterator(Arena* /*arena*/) override {
    if (log_.reads_throw) throw std::runtime_error("the set is shy");
    ++log_.iterators;
    return std::make_unique<It>(this).release();
  }

  static constexpr size_t kBytesPerKey = 40;

 private:
  struct Less {
    using is_transparent = void;
    const KeyComparator* order;
    bool operator()(const char* a, const char* b) const {
      return (*order)(a, b) < 0;
    }
    bool operator()(const char* a, const Slice& b) const {
      return (*order)(a, b) < 0;
    }
    bool operator()(const Slice& a, const char* b) const {
      return (*order)(b, a) > 0;
    }
  };
  using Keys = std::set<const char*, Less>;

  class It final : public Iterator {
   public:
    explicit It(SetRep* rep) : rep_(*rep), at_(rep->keys_.end()) {}
    bool Valid() const override { return is_valid_; }
    const char* key() const override { return *at_; }
    void Next() override {
      Move([this](const Keys&) { return std::next(at_); });
    }
    void Prev() override {
      MoveBefore([this](const Keys&) { return at_; });
    }
    void Seek(const Slice& key, const char* /*memtable_key*/) override {
      Move([&](const Keys& keys) { return keys.lower_bound(key); });
    }
    void SeekForPrev(const Slice& key, const char* /*memtable_key*/) override {
      MoveBefore([&](const Keys& keys) { return keys.upper_bound(key); });
    }
    void SeekToFirst() override {
      Move([](const Keys& keys) { return keys.begin(); });
    }
    void SeekToLast() override {
      MoveBefore([](const Keys& keys) { return keys.end(); });
    }

   private:
    using Find = std::function<Keys::const_iterator(const Keys&)>;
    void Move(const Find& find) {
      const std::lock_guard lock(rep_.mutex_);
      at_ = find(rep_.keys_);
      is_valid_ = at_ != rep_.keys_.end();
    }
    void MoveBefore(const Find& find) {
      Move([&](const Keys& keys) {
        const auto behind = find(keys);
        return behind == keys.begin() ? keys.end() : std::prev(behind);
      });
    }

    SetRep& rep_;
    Keys::const_iterator at_;
    bool is_valid_ = false;
  };

  SetRepLog& log_;
  mutable std::mutex mutex_;
  Keys keys_;
  std::vector<void*> hints_;
};

class SetRepFactory final : public MemTableRepFactory {
 public:
  explicit SetRepFactory(std::shared_ptr<SetRepLog> log,
                         bool is_concurrent = false)
      : log_(std::move(log)), is_concurrent_(is_concurrent) {}

  using MemTableRepFactory::CreateMemTableRep;
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& order,
                                 Allocator* allocator, const SliceTransform*,
                                 Logger*, uint32_t family_id) override {
    log_->family_id = family_id;
    if (log_->making_throws) throw std::runtime_error("out of sets");
    if (log_->makes_nothing) return nullptr;
    return std::make_unique<SetRep>(order, allocator, log_.get()).release();
  }
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& order,
                                 Allocator* allocator,
                                 const SliceTransform* transform,
                                 Logger* logger) override {
    return CreateMemTableRep(order, allocator, transform, logger, 0);
  }
  const char* Name() const override { return "test.SetRep"; }
  bool IsInsertConcurrentlySupported() const override { return is_concurrent_; }
  bool CanHandleDuplicatedKey() const override { return true; }

 private:
  const std::shared_ptr<SetRepLog> log_;
  const bool is_concurrent_;
};

// Passes on to another factory, under a name of its own.
class PassingFactory final : public MemTableRepFactory {
 public:
  explicit PassingFactory(std::unique_ptr<MemTableRepFactory> inner)
      : inner_(std::move(inner)) {}

  using MemTableRepFactory::CreateMemTableRep;
  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& order,
                                 Allocator* allocator,
                                 const SliceTransform* transform,
                                 Logger* logger) override {
    return inner_->CreateMemTableRep(order, allocator, transform, logger);
  }
  const char* Name() const override { return "test.Passing"; }
  bool IsInsertConcurrentlySupported() const override {
    return inner_->IsInsertConcurrentlySupported();
  }
  bool CanHandleDuplicatedKey() const override {
    return inner_->CanHandleDuplicatedKey();
  }

 private:
  const std::unique_ptr<MemTableRepFactory> inner_;
};

}  // namespace ROCKSDB_NAMESPACE
