#include "util/memtable_rep/public_reps.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <functional>
#include <utility>
#include <vector>

#include "rocksdb/slice_transform.h"
#include "util/arena.h"
#include "util/hash.h"
#include "util/key/internal_key.h"
#include "util/memtable_rep/key_skip_list.h"
#include "util/mutex.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

using RepOrder = MemTableRep::KeyComparator;
using RepKeys = std::vector<const char*>;
using SharedRepKeys = std::shared_ptr<const RepKeys>;

// An iterator in what `arena` has; without one, of its own.
template <class It, class... Args>
MemTableRep::Iterator* MakeRepIterator(Arena* arena, Args&&... args) {
  if (arena == nullptr) {
    return std::make_unique<It>(std::forward<Args>(args)...).release();
  }
  char* const memory = arena->AllocateAligned(sizeof(It));
  return std::construct_at(reinterpret_cast<It*>(memory),
                           std::forward<Args>(args)...);
}

class SkipListIterator final : public MemTableRep::Iterator {
 public:
  explicit SkipListIterator(const KeySkipList* list) : cursor_(list) {}
  bool Valid() const override { return cursor_.Valid(); }
  const char* key() const override { return cursor_.entry(); }
  void Next() override { cursor_.Next(); }
  void Prev() override { cursor_.Prev(); }
  void Seek(const Slice& key, const char* /*memtable_key*/) override {
    cursor_.Seek(key);
  }
  void SeekForPrev(const Slice& key, const char* /*memtable_key*/) override {
    cursor_.SeekForPrev(key);
  }
  void SeekToFirst() override { cursor_.SeekToFirst(); }
  void SeekToLast() override { cursor_.SeekToLast(); }

 private:
  KeySkipList::Cursor cursor_;
};

void ShowFromList(const KeySkipList& list, const LookupKey& key, void* arg,
                  bool (*show)(void* arg, const char* entry)) {
  KeySkipList::Cursor cursor(&list);
  cursor.Seek(key.internal_key());
  while (cursor.Valid() && show(arg, cursor.entry())) cursor.Next();
}

bool HoldsKey(const KeySkipList& list, const RepOrder& order,
              const char* entry) {
  KeySkipList::Cursor cursor(&list);
  cursor.Seek(order.decode_key(entry));
  return cursor.Valid() && order(cursor.entry(), entry) == 0;
}

class SkipListRep final : public MemTableRep {
 public:
  SkipListRep(const RepOrder& order, Allocator* allocator)
      : MemTableRep(allocator), order_(order), list_(&order, allocator) {}

  void Insert(KeyHandle handle) override { (void)InsertKey(handle); }
  bool InsertKey(KeyHandle handle) override {
    return list_.Insert(static_cast<const char*>(handle));
  }
  bool InsertKeyWithHint(KeyHandle handle, void** /*hint*/) override {
    return InsertKey(handle);
  }
  bool InsertKeyWithHintConcurrently(KeyHandle handle,
                                     void** /*hint*/) override {
    return InsertKey(handle);
  }
  void InsertConcurrently(KeyHandle handle) override { Insert(handle); }
  bool InsertKeyConcurrently(KeyHandle handle) override {
    return InsertKey(handle);
  }
  bool Contains(const char* key) const override {
    return HoldsKey(list_, order_, key);
  }
  void Get(const LookupKey& k, void* callback_args,
           bool (*callback_func)(void* arg, const char* entry)) override {
    ShowFromList(list_, k, callback_args, callback_func);
  }
  uint64_t ApproximateNumEntries(const Slice& start_ikey,
                                 const Slice& end_ikey) override {
    return list_.EstimateCount(start_ikey, end_ikey);
  }
  size_t ApproximateMemoryUsage() override { return 0; }
  Iterator* GetIterator(Arena* arena) override {
    return MakeRepIterator<SkipListIterator>(arena, &list_);
  }

 private:
  const RepOrder& order_;
  KeySkipList list_;
};

// Over entries as they were, sorted, when it was first positioned.
class SortedKeysIterator final : public MemTableRep::Iterator {
 public:
  using Load = std::function<SharedRepKeys()>;
  SortedKeysIterator(const RepOrder* order, Load load)
      : order_(*order), load_(std::move(load)) {}

  bool Valid() const override {
    return keys_ != nullptr && index_ < keys_->size();
  }
  const char* key() const override { return (*keys_)[index_]; }
  void Next() override { ++index_; }
  void Prev() override { StandBefore(index_); }
  void Seek(const Slice& key, const char* /*memtable_key*/) override {
    LoadOnce();
    const auto place =
        std::lower_bound(keys_->begin(), keys_->end(), key,
                         [this](const char* entry, const Slice& wanted) {
                           return order_(entry, wanted) < 0;
                         });
    index_ = static_cast<size_t>(place - keys_->begin());
  }
  void SeekForPrev(const Slice& key, const char* memtable_key) override {
    Seek(key, memtable_key);
    if (!Valid() || order_((*keys_)[index_], key) != 0) StandBefore(index_);
  }
  void SeekToFirst() override {
    LoadOnce();
    index_ = 0;
  }
  void SeekToLast() override {
    LoadOnce();
    StandBefore(keys_->size());
  }

 private:
  void LoadOnce() {
    if (keys_ == nullptr) keys_ = load_();
  }
  void StandBefore(size_t index) {
    index_ = index > 0 ? index - 1 : keys_->size();
  }

  const RepOrder& order_;
  const Load load_;
  SharedRepKeys keys_;
  size_t index_ = 0;
};

void SortKeys(const RepOrder& order, RepKeys* keys) {
  std::sort(keys->begin(), keys->end(),
            [&order](const char* a, const char* b) { return order(a, b) < 0; });
}

uint64_t CountBetween(const RepOrder& order, const RepKeys& keys,
                      const Slice& start, const Slice& end) {
  const auto rank_of = [&](const Slice& key) {
    return std::lower_bound(keys.begin(), keys.end(), key,
                            [&order](const char* entry, const Slice& wanted) {
                              return order(entry, wanted) < 0;
                            });
  };
  const auto count = rank_of(end) - rank_of(start);
  return count > 0 ? static_cast<uint64_t>(count) : 0;
}

class VectorKeysRep final : public MemTableRep {
 public:
  VectorKeysRep(const RepOrder& order, Allocator* allocator, size_t count)
      : MemTableRep(allocator), order_(order) {
    MutexLock lock(&mutex_);
    keys_.reserve(count);
  }

  void Insert(KeyHandle handle) override {
    MutexLock lock(&mutex_);
    keys_.push_back(static_cast<const char*>(handle));
  }
  bool Contains(const char* key) const override {
    MutexLock lock(&mutex_);
    return std::any_of(keys_.begin(), keys_.end(),
                       [&](const char* one) { return order_(one, key) == 0; });
  }
  uint64_t ApproximateNumEntries(const Slice& start_ikey,
                                 const Slice& end_ikey) override {
    return CountBetween(order_, *Sorted(), start_ikey, end_ikey);
  }
  size_t ApproximateMemoryUsage() override {
    MutexLock lock(&mutex_);
    const size_t sorted_count = sorted_ != nullptr ? sorted_->size() : 0;
    return (keys_.capacity() + sorted_count) * sizeof(const char*);
  }
  Iterator* GetIterator(Arena* arena) override {
    return MakeRepIterator<SortedKeysIterator>(arena, &order_,
                                               [this] { return Sorted(); });
  }

 private:
  // Sorted anew after an insert alone.
  SharedRepKeys Sorted() {
    MutexLock lock(&mutex_);
    if (sorted_ == nullptr || sorted_->size() != keys_.size()) {
      auto sorted = std::make_shared<RepKeys>(keys_);
      SortKeys(order_, sorted.get());
      sorted_ = std::move(sorted);
    }
    return sorted_;
  }

  const RepOrder& order_;
  mutable Mutex mutex_;
  RepKeys keys_ GUARDED_BY(mutex_);
  SharedRepKeys sorted_ GUARDED_BY(mutex_);
};

// In the bucket of the key that was sought last; of all keys it shows those
// with the prefix alone.
class BucketIterator final : public MemTableRep::Iterator {
 public:
  using Find = std::function<const KeySkipList*(const Slice& internal_key)>;
  explicit BucketIterator(Find find) : find_(std::move(find)) {}

  bool Valid() const override { return in_ != nullptr && in_->Valid(); }
  const char* key() const override { return in_->key(); }
  void Next() override { in_->Next(); }
  void Prev() override { in_->Prev(); }
  void Seek(const Slice& key, const char* memtable_key) override {
    if (Enter(key)) in_->Seek(key, memtable_key);
  }
  void SeekForPrev(const Slice& key, const char* memtable_key) override {
    if (Enter(key)) in_->SeekForPrev(key, memtable_key);
  }
  void SeekToFirst() override { in_.reset(); }
  void SeekToLast() override { in_.reset(); }

 private:
  bool Enter(const Slice& internal_key) {
    const KeySkipList* const list = find_(internal_key);
    in_ = list != nullptr ? std::make_unique<SkipListIterator>(list) : nullptr;
    return in_ != nullptr;
  }

  const Find find_;
  std::unique_ptr<SkipListIterator> in_;
};

class BucketsRep final : public MemTableRep {
 public:
  BucketsRep(const RepOrder& order, Allocator* allocator,
             const SliceTransform* prefix_extractor, size_t bucket_count)
      : MemTableRep(allocator),
        order_(order),
        prefix_extractor_(*prefix_extractor),
        buckets_(std::max<size_t>(bucket_count, 1)) {}

  void Insert(KeyHandle handle) override { (void)InsertKey(handle); }
  bool InsertKey(KeyHandle handle) override {
    const char* const entry = static_cast<const char*>(handle);
    return Bucket(order_.decode_key(entry))->Insert(entry);
  }
  void InsertConcurrently(KeyHandle handle) override { Insert(handle); }
  bool InsertKeyConcurrently(KeyHandle handle) override {
    return InsertKey(handle);
  }
  bool Contains(const char* key) const override {
    const KeySkipList* const list = Find(order_.decode_key(key));
    return list != nullptr && HoldsKey(*list, order_, key);
  }
  void Get(const LookupKey& k, void* callback_args,
           bool (*callback_func)(void* arg, const char* entry)) override {
    const KeySkipList* const list = Find(k.internal_key());
    if (list != nullptr) ShowFromList(*list, k, callback_args, callback_func);
  }
  uint64_t ApproximateNumEntries(const Slice& start_ikey,
                                 const Slice& end_ikey) override {
    return CountBetween(order_, *Sorted(), start_ikey, end_ikey);
  }
  size_t ApproximateMemoryUsage() override {
    return buckets_.size() * sizeof(buckets_[0]);
  }
  Iterator* GetIterator(Arena* arena) override {
    return MakeRepIterator<SortedKeysIterator>(arena, &order_,
                                               [this] { return Sorted(); });
  }
  Iterator* GetDynamicPrefixIterator(Arena* arena) override {
    return MakeRepIterator<BucketIterator>(
        arena, [this](const Slice& key) { return Find(key); });
  }

 private:
  using Slot = std::atomic<KeySkipList*>;

  size_t SlotOf(const Slice& internal_key) const {
    const Slice user_key = ExtractUserKey(internal_key);
    // Keys without a prefix share one, whatever timestamp they end with.
    return prefix_extractor_.InDomain(user_key)
               ? Hash64(prefix_extractor_.Transform(user_key)) % buckets_.size()
               : 0;
  }
  const KeySkipList* Find(const Slice& internal_key) const {
    // acquire: pairs with the release in Bucket(); the list is built.
    return buckets_[SlotOf(internal_key)].load(std::memory_order_acquire);
  }
  // Where two threads build one, the allocator keeps the other until its end.
  KeySkipList* Bucket(const Slice& internal_key) {
    static_assert(std::is_trivially_destructible_v<KeySkipList>);
    Slot& slot = buckets_[SlotOf(internal_key)];
    KeySkipList* present = slot.load(std::memory_order_acquire);
    if (present != nullptr) return present;
    char* const memory = allocator_->AllocateAligned(sizeof(KeySkipList));
    KeySkipList* const built = std::construct_at(
        reinterpret_cast<KeySkipList*>(memory), &order_, allocator_);
    return slot.compare_exchange_strong(present, built,
                                        std::memory_order_acq_rel,
                                        std::memory_order_acquire)
               ? built
               : present;
  }
  SharedRepKeys Sorted() const {
    auto keys = std::make_shared<RepKeys>();
    for (const Slot& slot : buckets_) {
      const KeySkipList* const list = slot.load(std::memory_order_acquire);
      if (list != nullptr) list->AppendTo(keys.get());
    }
    SortKeys(order_, keys.get());
    return keys;
  }

  const RepOrder& order_;
  const SliceTransform& prefix_extractor_;
  std::vector<Slot> buckets_;
};

}  // namespace

std::unique_ptr<MemTableRep> NewSkipListRep(
    const MemTableRep::KeyComparator& order, Allocator* allocator) {
  return std::make_unique<SkipListRep>(order, allocator);
}

std::unique_ptr<MemTableRep> NewVectorRep(
    const MemTableRep::KeyComparator& order, Allocator* allocator,
    size_t reserved_count) {
  return std::make_unique<VectorKeysRep>(order, allocator, reserved_count);
}

std::unique_ptr<MemTableRep> NewBucketsRep(
    const MemTableRep::KeyComparator& order, Allocator* allocator,
    const SliceTransform* prefix_extractor, size_t bucket_count) {
  assert(prefix_extractor != nullptr);
  return std::make_unique<BucketsRep>(order, allocator, prefix_extractor,
                                      bucket_count);
}

namespace {

// The one option of a factory; RocksDB's OPTIONS files have it.
Status ConfigureNumber(const char* option, const std::string& name,
                       const std::string& value, size_t* number) {
  if (name != option) {
    return Status::NotFound("no such option", name + "=" + value);
  }
  if (ParseSizeT(value, number)) return Status::OK();
  return Status::InvalidArgument("Error parsing " + name,
                                 "not a number: " + value);
}

}  // namespace

Status SkipListFactory::ConfigureOption(const ConfigOptions&,
                                        const std::string& name,
                                        const std::string& value) {
  return ConfigureNumber("lookahead", name, value, &lookahead_);
}

Status VectorRepFactory::ConfigureOption(const ConfigOptions&,
                                         const std::string& name,
                                         const std::string& value) {
  return ConfigureNumber("count", name, value, &count_);
}

MemTableRep* SkipListFactory::CreateMemTableRep(
    const MemTableRep::KeyComparator& key_cmp, Allocator* allocator,
    const SliceTransform* /*slice_transform*/, Logger* /*logger*/) {
  return NewSkipListRep(key_cmp, allocator).release();
}

MemTableRep* VectorRepFactory::CreateMemTableRep(
    const MemTableRep::KeyComparator& key_cmp, Allocator* allocator,
    const SliceTransform* /*slice_transform*/, Logger* /*logger*/) {
  return NewVectorRep(key_cmp, allocator, count_).release();
}

}  // namespace ROCKSDB_NAMESPACE
