// The entries of a memtable in a MemTableRep of the application's.
//
// What the application's code throws becomes a Status here. It is told that
// nothing is inserted any more, and that the entries are in a table, before
// the next read: whoever notes that holds the DB mutex, and must not call it.
//
// Threads    Reads from any thread. Allocate() and Insert() too, if the
//            factory can do that; else one thread at a time.
// Ownership  Owns the MemTableRep. All that it is made with outlives it.
// Errors     Aborted, with the factory's name, where its code throws.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "options/user_code.h"
#include "rocksdb/memtablerep.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

class ApplicationStore {
 public:
  struct Context {
    const InternalKeyComparator* order = nullptr;
    Allocator* allocator = nullptr;
    const SliceTransform* prefix_extractor = nullptr;  // may be null
    // Entries with the same prefix share a hint; null: none do.
    const SliceTransform* hint_extractor = nullptr;
    Logger* logger = nullptr;
    uint32_t family_id = 0;
  };
  // Null, which LOG gives the reason of, if the factory cannot serve.
  static std::unique_ptr<ApplicationStore> Make(MemTableRepFactory* factory,
                                                const Context& context);
  // For Make(): has nothing to keep entries in yet.
  ApplicationStore(std::string name, const Context& context);
  ~ApplicationStore();
  ApplicationStore(const ApplicationStore&) = delete;
  ApplicationStore& operator=(const ApplicationStore&) = delete;

  // Room for an entry, and what Insert() is to be given once it is written.
  Status Allocate(size_t bytes, KeyHandle* handle, char** entry);
  // TryAgain if the entry is there already.
  Status Insert(KeyHandle handle, const Slice& user_key);
  // A thread has inserted what it had of a batch.
  void EndBatch();

  using Visitor = std::function<bool(const char* entry)>;
  // Entries from `internal_key` on, until `visit` answers false.
  Status Visit(const Slice& internal_key, const Visitor& visit) const;
  // Over what is there when it is first positioned, and perhaps more.
  std::unique_ptr<InternalIterator> NewIterator() const;
  uint64_t EstimateCount(const Slice& begin, const Slice& end) const;
  // Bytes beside the allocator's.
  size_t memory_bytes() const;

  void NoteImmutable() {
    // release: pairs with the acquire in Prepare().
    is_immutable_.store(true, std::memory_order_release);
  }
  void NoteFlushed() { is_flushed_.store(true, std::memory_order_release); }

 private:
  class Order;
  class RepIterator;

  Status MakeRep(MemTableRepFactory* factory);
  // What `call` answers when it is given the MemTableRep.
  template <class Call>
  Status Ask(const Call& call) const {
    return CallUserCode(name_, [&] {
      Prepare();
      return call(rep_.get());
    });
  }
  void Prepare() const;
  bool InsertEntry(KeyHandle handle, const Slice& user_key);
  void** HintFor(const Slice& user_key);

  const std::string name_;
  const Context context_;
  const std::unique_ptr<const Order> order_;
  bool is_concurrent_ = false;
  std::unique_ptr<MemTableRep> rep_;
  // What the MemTableRep made for each prefix. Of the one thread that inserts.
  std::unordered_map<std::string, void*> hints_;
  std::atomic<bool> is_immutable_{false};
  std::atomic<bool> is_flushed_{false};
  mutable std::once_flag told_immutable_;
  mutable std::once_flag told_flushed_;
};

}  // namespace ROCKSDB_NAMESPACE
