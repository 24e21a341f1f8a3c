#include "util/memtable_rep/key_skip_list.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

namespace {

size_t DrawHeight(uint64_t branching, size_t most) {
  thread_local Random64 random(
      std::hash<std::thread::id>()(std::this_thread::get_id()));
  size_t height = 1;
  while (height < most && random.OneIn(branching)) ++height;
  return height;
}

}  // namespace

KeySkipList::KeySkipList(const MemTableRep::KeyComparator* order,
                         Allocator* allocator)
    : order_(*order),
      allocator_(allocator),
      head_(NewLink(nullptr, kMaxHeight)) {}

KeySkipList::Link* KeySkipList::NewLink(const char* entry, size_t height) {
  assert(height >= 1 && height <= kMaxHeight);
  const size_t bytes = sizeof(Link) + (height - 1) * sizeof(Link::next[0]);
  char* const memory = allocator_->AllocateAligned(bytes);
  Link* const link = std::construct_at(reinterpret_cast<Link*>(memory));
  link->entry = entry;
  for (size_t i = 0; i < height; ++i) {
    std::construct_at(link->next + i, nullptr);
  }
  return link;
}

// At `height`, from `from` on, which is before the entry.
void KeySkipList::Narrow(const char* entry, size_t height, Link* from,
                         Place* place) const {
  Link* before = from;
  Link* after = Following(before, height);
  while (after != nullptr && order_(after->entry, entry) < 0) {
    before = after;
    after = Following(before, height);
  }
  place->before[height] = before;
  place->after[height] = after;
}

// False if others were there first.
bool KeySkipList::Hang(Link* link, size_t height, Place* place) {
  Link* after = place->after[height];
  link->next[height].store(after, std::memory_order_relaxed);
  // release: whoever sees the link sees what it holds.
  return place->before[height]->next[height].compare_exchange_strong(
      after, link, std::memory_order_release, std::memory_order_relaxed);
}

bool KeySkipList::Insert(const char* entry) {
  assert(entry != nullptr);
  Place place;
  Link* from = head_;
  for (size_t height = kMaxHeight; height-- > 0;) {
    Narrow(entry, height, from, &place);
    from = place.before[height];
  }
  const auto is_there = [&] {
    return place.after[0] != nullptr &&
           order_(place.after[0]->entry, entry) == 0;
  };
  if (is_there()) return false;
  const size_t link_height = DrawHeight(kBranching, kMaxHeight);
  Link* const link = NewLink(entry, link_height);
  for (size_t height = 0; height < link_height; ++height) {
    while (!Hang(link, height, &place)) {
      Narrow(entry, height, place.before[height], &place);
      // The allocator keeps the link; nothing leads there.
      if (height == 0 && is_there()) return false;
    }
  }
  return true;
}

// The last link of a list whose first ones satisfy `is_before`; head_ if none
// does.
template <class IsBefore>
KeySkipList::Link* KeySkipList::LastThat(const IsBefore& is_before) const {
  Link* last = head_;
  for (size_t height = kMaxHeight; height-- > 0;) {
    for (Link* next = Following(last, height);
         next != nullptr && is_before(next->entry);
         next = Following(last, height)) {
      last = next;
    }
  }
  return last;
}

uint64_t KeySkipList::EstimateCount(const Slice& begin,
                                    const Slice& end) const {
  constexpr uint64_t kMostCounted = 4096;
  uint64_t count = 0;
  Cursor cursor(this);
  for (cursor.Seek(begin); cursor.Valid(); cursor.Next(), ++count) {
    if (order_(cursor.entry(), end) >= 0) return count;
    if (count == kMostCounted) break;
  }
  if (!cursor.Valid()) return count;
  const uint64_t first = EstimateRank(begin);
  const uint64_t last = EstimateRank(end);
  return std::max(count, last > first ? last - first : 0);
}

// By how many links of which height are passed.
uint64_t KeySkipList::EstimateRank(const Slice& internal_key) const {
  uint64_t rank = 0;
  uint64_t entries_per_step = 1;
  for (size_t i = 1; i < kMaxHeight; ++i) entries_per_step *= kBranching;
  Link* last = head_;
  for (size_t height = kMaxHeight; height-- > 0;) {
    for (Link* next = Following(last, height);
         next != nullptr && order_(next->entry, internal_key) < 0;
         next = Following(last, height)) {
      last = next;
      rank += entries_per_step;
    }
    entries_per_step /= kBranching;
  }
  return rank;
}

void KeySkipList::AppendTo(std::vector<const char*>* entries) const {
  for (const Link* link = Following(head_, 0); link != nullptr;
       link = Following(link, 0)) {
    entries->push_back(link->entry);
  }
}

void KeySkipList::Cursor::Seek(const Slice& internal_key) {
  Link* const before = list_.LastThat(
      [&](const char* entry) { return list_.order_(entry, internal_key) < 0; });
  link_ = Following(before, 0);
}

void KeySkipList::Cursor::SeekForPrev(const Slice& internal_key) {
  Set(list_.LastThat([&](const char* entry) {
    return list_.order_(entry, internal_key) <= 0;
  }));
}

void KeySkipList::Cursor::Prev() {
  assert(Valid());
  const char* const present = link_->entry;
  Set(list_.LastThat(
      [&](const char* entry) { return list_.order_(entry, present) < 0; }));
}

void KeySkipList::Cursor::SeekToLast() {
  Set(list_.LastThat([](const char*) { return true; }));
}

}  // namespace ROCKSDB_NAMESPACE
