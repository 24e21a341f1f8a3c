#pragma once

// Byte ranges that own nothing (Slice), byte ranges that keep their memory
// alive (PinnableSlice), and a value given in pieces (SliceParts).
//
// Threads    Const calls from any thread; anything else needs one thread.
// Ownership  A Slice borrows. A PinnableSlice owns or pins until Reset().
// Errors     Only DecodeHex can fail, and says so by its result.

#include <cassert>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <string>
#include <string_view>

#include "rocksdb/cleanable.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct SliceParts;

class Slice {
 public:
  Slice() noexcept : data_(""), size_(0) {}
  Slice(const char* d, size_t n) noexcept : data_(d), size_(n) {}
  // Implicit on purpose: every call takes a std::string where a Slice is
  // asked for. The string must outlive the Slice.
  Slice(const std::string& s) noexcept : data_(s.data()), size_(s.size()) {}
  Slice(const std::string_view& sv) noexcept
      : data_(sv.data()), size_(sv.size()) {}
  // A C string; its final zero is left out. nullptr is the empty slice.
  Slice(const char* s) noexcept
      : data_(s == nullptr ? "" : s), size_(s == nullptr ? 0 : strlen(s)) {}
  // All parts in a row, copied to `*buf`, which must outlive the Slice.
  Slice(const SliceParts& parts, std::string* buf);

  const char* data() const noexcept { return data_; }
  size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const char* begin() const noexcept { return data_; }
  const char* end() const noexcept { return data_ + size_; }

  char operator[](size_t n) const {
    assert(n < size_);
    return data_[n];
  }

  void clear() noexcept {
    data_ = "";
    size_ = 0;
  }
  void remove_prefix(size_t n) {
    assert(n <= size_);
    data_ += n;
    size_ -= n;
  }
  void remove_suffix(size_t n) {
    assert(n <= size_);
    size_ -= n;
  }

  // A copy; with `hex`, two upper-case digits for each byte.
  std::string ToString(bool hex = false) const;
  std::string_view ToStringView() const noexcept {
    return std::string_view(data_, size_);
  }
  // Reads this slice as hexadecimal digits. False, with `*result` unchanged,
  // when the length is odd or a character is no digit.
  bool DecodeHex(std::string* result) const;

  // Below, equal to or above zero as this slice sorts before, with or after
  // `b`; bytes compare as unsigned.
  int compare(const Slice& b) const noexcept {
    const size_t common = size_ < b.size_ ? size_ : b.size_;
    const int r = memcmp(data_, b.data_, common);
    if (r != 0) return r;
    return size_ < b.size_ ? -1 : (size_ > b.size_ ? 1 : 0);
  }
  bool starts_with(const Slice& x) const noexcept {
    return size_ >= x.size_ && memcmp(data_, x.data_, x.size_) == 0;
  }
  bool ends_with(const Slice& x) const noexcept {
    return size_ >= x.size_ &&
           memcmp(data_ + size_ - x.size_, x.data_, x.size_) == 0;
  }
  // The first index at which the two differ; the shorter length if none does.
  size_t difference_offset(const Slice& b) const noexcept;

  // Public because C bindings and tests of applications reach for them.
  const char* data_;
  size_t size_;
};

inline bool operator==(const Slice& x, const Slice& y) noexcept {
  return x.size_ == y.size_ && memcmp(x.data_, y.data_, x.size_) == 0;
}
inline bool operator!=(const Slice& x, const Slice& y) noexcept {
  return !(x == y);
}

inline size_t Slice::difference_offset(const Slice& b) const noexcept {
  const size_t common = size_ < b.size_ ? size_ : b.size_;
  size_t i = 0;
  while (i < common && data_[i] == b.data_[i]) ++i;
  return i;
}

// A value that keeps its bytes alive: in its own string, or by pinning memory
// of the engine (a cached block, say) with a cleanup that lets go of it.
//
// Lifetime  Pinned values must be reset before the DB is closed.
class PinnableSlice : public Slice, public Cleanable {
 public:
  PinnableSlice() : buf_(&self_space_) {}
  // Values that are copied go to `*buf` instead of an own string.
  explicit PinnableSlice(std::string* buf) : buf_(buf) {}
  PinnableSlice(PinnableSlice&& other) noexcept;
  PinnableSlice& operator=(PinnableSlice&& other) noexcept;
  PinnableSlice(const PinnableSlice&) = delete;
  PinnableSlice& operator=(const PinnableSlice&) = delete;
  ~PinnableSlice() = default;

  // Points at `s`; `f(arg1, arg2)` runs when the pin ends.
  void PinSlice(const Slice& s, CleanupFunction f, void* arg1, void* arg2) {
    assert(!pinned_);
    pinned_ = true;
    data_ = s.data();
    size_ = s.size();
    RegisterCleanup(f, arg1, arg2);
  }
  // Points at `s` and takes over the cleanups of `cleanable`, if any.
  void PinSlice(const Slice& s, Cleanable* cleanable) {
    assert(!pinned_);
    pinned_ = true;
    data_ = s.data();
    size_ = s.size();
    if (cleanable != nullptr) cleanable->DelegateCleanupsTo(this);
  }

  // Copies `slice` into the string and points there.
  void PinSelf(const Slice& slice) {
    assert(!pinned_);
    buf_->assign(slice.data(), slice.size());
    PinSelf();
  }
  // Points at what GetSelf() was filled with.
  void PinSelf() {
    assert(!pinned_);
    data_ = buf_->data();
    size_ = buf_->size();
  }

  void remove_suffix(size_t n) {
    assert(n <= size_);
    if (pinned_) {
      size_ -= n;
    } else {
      buf_->erase(size_ - n, n);
      PinSelf();
    }
  }
  void remove_prefix(size_t n) {
    assert(n <= size_);
    if (pinned_) {
      data_ += n;
      size_ -= n;
    } else {
      buf_->erase(0, n);
      PinSelf();
    }
  }

  // Ends the pin; the slice is empty after that.
  void Reset() {
    Cleanable::Reset();
    pinned_ = false;
    data_ = "";
    size_ = 0;
  }

  std::string* GetSelf() { return buf_; }
  bool IsPinned() const { return pinned_; }

 private:
  std::string self_space_;
  std::string* buf_;
  bool pinned_ = false;
};

// A key or value given as `num_parts` slices that are used in a row.
struct SliceParts {
  SliceParts(const Slice* parts_in, int num_parts_in)
      : parts(parts_in), num_parts(num_parts_in) {}
  SliceParts() : parts(nullptr), num_parts(0) {}

  const Slice* parts;
  int num_parts;
};

// A slice, or none: an empty key is something else than no key.
class OptSlice {
 public:
  OptSlice() = default;
  OptSlice(std::nullptr_t) {}
  OptSlice(const Slice& slice) : slice_(slice), has_value_(true) {}
  OptSlice(const char* data, size_t size) : OptSlice(Slice(data, size)) {}
  OptSlice(const std::string& text) : OptSlice(Slice(text)) {}
  OptSlice(const std::string_view& text) : OptSlice(Slice(text)) {}
  // Null: none.
  OptSlice(const char* text) {
    if (text != nullptr) *this = OptSlice(Slice(text));
  }
  static OptSlice CopyFromPtr(const Slice* slice) {
    return slice != nullptr ? OptSlice(*slice) : OptSlice();
  }

  bool has_value() const { return has_value_; }
  explicit operator bool() const { return has_value_; }
  // REQUIRES: has_value().
  const Slice& value() const {
    assert(has_value_);
    return slice_;
  }
  const Slice& operator*() const { return value(); }
  const Slice* operator->() const { return &value(); }
  // Null if there is none.
  const Slice* AsPtr() const { return has_value_ ? &slice_ : nullptr; }

 protected:
  Slice slice_;

 private:
  bool has_value_ = false;
};

}  // namespace ROCKSDB_NAMESPACE
