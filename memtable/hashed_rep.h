// The entries of a memtable in buckets by the prefix of their key: for reads of
// single keys, and writes, of which neither depends on how much there is.
//
// Whatever walks over all of it sorts it first.
//
// A Bucket is built in the arena, from an order and the arena, when its first
// entry comes, and has Insert(), Visit() and AppendTo().
//
// Threads  As EntryStore, if the bucket's calls are.
#pragma once

#include <atomic>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

#include "memtable/entry_store.h"
#include "memtable/entry_tree.h"
#include "util/hash.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

template <class Bucket>
class HashedRep final : public EntryStore {
 public:
  HashedRep(const EntryStoreContext& context, size_t bucket_count,
            const typename Bucket::Limits& limits)
      : context_(context),
        limits_(limits),
        bucket_count_(bucket_count > 0 ? bucket_count : 1),
        buckets_(std::make_unique<Slot[]>(bucket_count_)) {
    INVARIANT(context_.order != nullptr && context_.arena != nullptr);
    INVARIANT(context_.prefix_extractor != nullptr);
  }

  bool Insert(const char* entry) override {
    Slot& slot = SlotOf(ExtractUserKey(EntryTree::KeyOf(entry)));
    // acquire: pairs with the release below; the bucket is built.
    Bucket* bucket = slot.load(std::memory_order_acquire);
    if (bucket == nullptr) bucket = Build(&slot);
    return bucket->Insert(entry);
  }

  void Visit(const Slice& internal_key, const Visitor& visit) const override {
    const Slot& slot = SlotOf(ExtractUserKey(internal_key));
    const Bucket* bucket = slot.load(std::memory_order_acquire);
    if (bucket != nullptr) bucket->Visit(internal_key, visit);
  }

  SortedEntries Sorted() const override {
    auto entries = std::make_shared<std::vector<const char*>>();
    for (size_t i = 0; i < bucket_count_; ++i) {
      const Bucket* bucket = buckets_[i].load(std::memory_order_acquire);
      if (bucket != nullptr) bucket->AppendTo(entries.get());
    }
    SortEntries(*context_.order, entries.get());
    return entries;
  }

  size_t memory_bytes() const override { return bucket_count_ * sizeof(Slot); }

 private:
  using Slot = std::atomic<Bucket*>;

  // A key without a prefix is its own. All its timestamps share a bucket.
  Slot& SlotOf(const Slice& user_key) const {
    const SliceTransform& extractor = *context_.prefix_extractor;
    const Slice given =
        WithoutTimestamp(user_key, context_.order->timestamp_size());
    const Slice prefix =
        extractor.InDomain(given) ? extractor.Transform(given) : given;
    return buckets_[Hash64(prefix) % bucket_count_];
  }

  // Where two threads build one, the arena keeps the other until its end.
  Bucket* Build(Slot* slot) {
    static_assert(std::is_trivially_destructible_v<Bucket>);
    char* const memory = context_.arena->AllocateAligned(sizeof(Bucket));
    Bucket* const built =
        std::construct_at(reinterpret_cast<Bucket*>(memory), context_.order,
                          context_.arena, limits_);
    Bucket* expected = nullptr;
    return slot->compare_exchange_strong(expected, built,
                                         std::memory_order_acq_rel,
                                         std::memory_order_acquire)
               ? built
               : expected;
  }

  const EntryStoreContext context_;
  const typename Bucket::Limits limits_;
  const size_t bucket_count_;
  const std::unique_ptr<Slot[]> buckets_;
};

}  // namespace ROCKSDB_NAMESPACE
