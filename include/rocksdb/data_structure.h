#pragma once

// SmallEnumSet: a set of enumeration values kept as bits.
// ManagedPtr: a pointer to what its owner wants back.
//
// Threads  A value type: one thread at a time, or const.

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "rocksdb/comparator.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

namespace detail {

// Zeros below the lowest one; 64 where there is none.
inline int CountTrailingZeroBitsForSmallEnumSet(uint64_t v) {
  int count = 0;
  while (count < 64 && (v >> count & 1) == 0) ++count;
  return count;
}

inline int BitsSetToOneForSmallEnumSet(uint64_t v) {
  int count = 0;
  for (; v != 0; v &= v - 1) ++count;
  return count;
}

}  // namespace detail

// The members are enumerators from 0 up to and including `MAX_ENUMERATOR`.
template <typename ENUM_TYPE, ENUM_TYPE MAX_ENUMERATOR>
class SmallEnumSet {
 public:
  class const_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = ENUM_TYPE;
    using difference_type = std::ptrdiff_t;
    using pointer = const ENUM_TYPE*;
    using reference = ENUM_TYPE;

    const_iterator(const SmallEnumSet* set, int position)
        : set_(set), position_(position) {
      SkipAbsent();
    }
    ENUM_TYPE operator*() const { return static_cast<ENUM_TYPE>(position_); }
    const_iterator& operator++() {
      ++position_;
      SkipAbsent();
      return *this;
    }
    const_iterator operator++(int) {
      const_iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const const_iterator& that) const {
      return position_ == that.position_;
    }
    bool operator!=(const const_iterator& that) const {
      return position_ != that.position_;
    }

   private:
    void SkipAbsent() {
      while (position_ < kLimit && !set_->HasBit(position_)) ++position_;
    }

    const SmallEnumSet* set_;
    int position_;
  };

  constexpr SmallEnumSet() = default;

  template <class... TRest>
  explicit constexpr SmallEnumSet(ENUM_TYPE first, TRest... rest) {
    Add(first);
    (Add(rest), ...);
  }

  static constexpr SmallEnumSet All() {
    SmallEnumSet set;
    for (int i = 0; i < kLimit; ++i) set.Add(static_cast<ENUM_TYPE>(i));
    return set;
  }

  // True if the set changed.
  constexpr bool Add(ENUM_TYPE e) {
    const bool absent = !Contains(e);
    words_[Word(e)] |= Bit(e);
    return absent;
  }
  constexpr bool Remove(ENUM_TYPE e) {
    const bool present = Contains(e);
    words_[Word(e)] &= ~Bit(e);
    return present;
  }
  constexpr SmallEnumSet With(ENUM_TYPE e) const {
    SmallEnumSet copy = *this;
    copy.Add(e);
    return copy;
  }
  constexpr SmallEnumSet Without(ENUM_TYPE e) const {
    SmallEnumSet copy = *this;
    copy.Remove(e);
    return copy;
  }

  constexpr bool Contains(ENUM_TYPE e) const {
    return (words_[Word(e)] & Bit(e)) != 0;
  }
  constexpr bool empty() const {
    for (uint64_t word : words_) {
      if (word != 0) return false;
    }
    return true;
  }
  constexpr size_t count() const {
    size_t n = 0;
    for (int i = 0; i < kLimit; ++i) n += HasBit(i) ? 1 : 0;
    return n;
  }
  constexpr bool operator==(const SmallEnumSet& that) const {
    for (int i = 0; i < kWords; ++i) {
      if (words_[i] != that.words_[i]) return false;
    }
    return true;
  }
  constexpr bool operator!=(const SmallEnumSet& that) const {
    return !(*this == that);
  }

  const_iterator begin() const { return const_iterator(this, 0); }
  const_iterator end() const { return const_iterator(this, kLimit); }

 private:
  static constexpr int kLimit = static_cast<int>(MAX_ENUMERATOR) + 1;
  static constexpr int kWords = (kLimit + 63) / 64;

  static constexpr int Word(ENUM_TYPE e) { return static_cast<int>(e) / 64; }
  static constexpr uint64_t Bit(ENUM_TYPE e) {
    return uint64_t{1} << (static_cast<int>(e) % 64);
  }
  constexpr bool HasBit(int i) const {
    return ((words_[i / 64] >> (i % 64)) & 1) != 0;
  }

  uint64_t words_[kWords] = {};
};

// Gives its object back through (owner->*Fn)(object) when it goes. Only moved,
// never copied. An object without an owner is not given back.
//
// Threads  One at a time. The owner must outlive it.
template <typename T, class Owner, auto Fn>
class ManagedPtr {
 public:
  ManagedPtr() = default;
  ManagedPtr(T* ptr, Owner* owner) : ptr_(ptr), owner_(owner) {}
  ~ManagedPtr() { GiveBack(); }
  ManagedPtr(const ManagedPtr&) = delete;
  ManagedPtr& operator=(const ManagedPtr&) = delete;
  ManagedPtr(ManagedPtr&& other) noexcept { TakeFrom(&other); }
  ManagedPtr& operator=(ManagedPtr&& other) noexcept {
    if (this != &other) {
      GiveBack();
      TakeFrom(&other);
    }
    return *this;
  }

  T* get() const { return ptr_; }
  T* operator->() const { return ptr_; }
  T& operator*() const { return *ptr_; }
  operator bool() const { return ptr_ != nullptr; }
  Owner* owner() const { return owner_; }

 private:
  void GiveBack() {
    if (ptr_ != nullptr && owner_ != nullptr) (owner_->*Fn)(ptr_);
    ptr_ = nullptr;
  }
  void TakeFrom(ManagedPtr* other) {
    ptr_ = std::exchange(other->ptr_, nullptr);
    owner_ = other->owner_;
  }

  T* ptr_ = nullptr;
  Owner* owner_ = nullptr;
};

}  // namespace ROCKSDB_NAMESPACE
