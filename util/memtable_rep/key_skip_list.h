// An ordered list of entries by a MemTableRep's comparator, for those who pass
// on to SkipListFactory: with links of several heights, of which the higher
// ones skip more.
//
// Entries and links are never moved or removed, so that a position stays good,
// and readers follow links without a lock. A writer makes its link, then hangs
// it into each height, from the lowest up, where no other has been meanwhile.
//
// Invariant  Each height has a part of what the one below has, in order.
// Threads    All calls from any thread at the same time. A Cursor serves one.
// Ownership  Links belong to the allocator, which must outlive this, as must
//            the comparator and the entries.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "rocksdb/memtablerep.h"
#include "rocksdb/slice.h"
#include "util/arena.h"

namespace ROCKSDB_NAMESPACE {

class KeySkipList {
 public:
  KeySkipList(const MemTableRep::KeyComparator* order, Allocator* allocator);
  KeySkipList(const KeySkipList&) = delete;
  KeySkipList& operator=(const KeySkipList&) = delete;

  // False, with nothing changed, if its key is there already.
  [[nodiscard]] bool Insert(const char* entry);

  // How many entries are in [begin, end), internal keys: so many as long as
  // they are a few thousand, else about so many.
  uint64_t EstimateCount(const Slice& begin, const Slice& end) const;
  void AppendTo(std::vector<const char*>* entries) const;

 private:
  static constexpr size_t kMaxHeight = 12;
  static constexpr uint64_t kBranching = 4;
  struct Link {
    const char* entry;
    std::atomic<Link*> next[1];  // one for each level of the link
  };

 public:
  class Cursor {
   public:
    explicit Cursor(const KeySkipList* list) : list_(*list) {}
    bool Valid() const { return link_ != nullptr; }
    const char* entry() const { return link_->entry; }
    void Next() { link_ = Following(link_, 0); }
    void Prev();
    void Seek(const Slice& internal_key);
    void SeekForPrev(const Slice& internal_key);
    void SeekToFirst() { link_ = Following(list_.head_, 0); }
    void SeekToLast();

   private:
    void Set(Link* link) { link_ = link != list_.head_ ? link : nullptr; }

    const KeySkipList& list_;
    Link* link_ = nullptr;
  };

 private:
  // The links that an entry comes between, at each height.
  struct Place {
    Link* before[kMaxHeight];
    Link* after[kMaxHeight];
  };

  static Link* Following(const Link* link, size_t height) {
    // acquire: pairs with the release in Hang().
    return link->next[height].load(std::memory_order_acquire);
  }
  Link* NewLink(const char* entry, size_t height);
  void Narrow(const char* entry, size_t height, Link* from, Place* place) const;
  bool Hang(Link* link, size_t height, Place* place);
  template <class IsBefore>
  Link* LastThat(const IsBefore& is_before) const;
  uint64_t EstimateRank(const Slice& internal_key) const;

  const MemTableRep::KeyComparator& order_;
  Allocator* const allocator_;
  Link* const head_;  // before all entries; has none
};

}  // namespace ROCKSDB_NAMESPACE
