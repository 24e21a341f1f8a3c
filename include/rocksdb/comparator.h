#pragma once

// The order of keys.
//
// Threads    All calls must be safe from many threads at once.
// Ownership  The application keeps a comparator alive while a DB uses it; the
//            built-in ones live as long as the process.

#include <cstddef>
#include <cstdint>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class CompareInterface {
 public:
  virtual ~CompareInterface() = default;

  // Below, equal to or above zero as `a` sorts before, with or after `b`.
  virtual int Compare(const Slice& a, const Slice& b) const = 0;
};

// A total order, and how to shorten keys in it. The name is stored with the
// data: a database opens only with the comparator that wrote it.
class Comparator : public Customizable, public CompareInterface {
 public:
  Comparator() = default;
  // Keys end with a timestamp of `ts_sz` bytes; for equal user keys the newer
  // timestamp sorts first.
  explicit Comparator(size_t ts_sz) : timestamp_size_(ts_sz) {}
  Comparator(const Comparator& orig)
      : Customizable(orig),
        CompareInterface(orig),
        timestamp_size_(orig.timestamp_size_) {}
  Comparator& operator=(const Comparator& rhs) {
    if (this != &rhs) timestamp_size_ = rhs.timestamp_size_;
    return *this;
  }
  ~Comparator() override = default;

  // The comparator of that name: a built-in or a registered static one;
  // NotSupported for any other.
  static Status CreateFromString(const ConfigOptions& opts,
                                 const std::string& id,
                                 const Comparator** comp);
  static const char* Type() { return "Comparator"; }

  virtual bool Equal(const Slice& a, const Slice& b) const {
    return Compare(a, b) == 0;
  }

  // May replace `*start` by a shorter key in [*start, limit).
  virtual void FindShortestSeparator(std::string* start,
                                     const Slice& limit) const = 0;
  // May replace `*key` by a shorter key at or after it.
  virtual void FindShortSuccessor(std::string* key) const = 0;

  // True if `t` is the very next key of the length of `s`. May always say no.
  virtual bool IsSameLengthImmediateSuccessor(const Slice& /*s*/,
                                              const Slice& /*t*/) const {
    return false;
  }
  // False if equal keys are always the same bytes. Hash structures need that.
  virtual bool CanKeysWithDifferentByteContentsBeEqual() const { return true; }

  // The comparator that decides in the end, when this one wraps another.
  virtual const Comparator* GetRootComparator() const { return this; }

  size_t timestamp_size() const { return timestamp_size_; }

  // Compare user keys that carry a timestamp, or not, without looking at it.
  int CompareWithoutTimestamp(const Slice& a, const Slice& b) const {
    return CompareWithoutTimestamp(a, /*a_has_ts=*/true, b, /*b_has_ts=*/true);
  }
  virtual int CompareWithoutTimestamp(const Slice& a, bool /*a_has_ts*/,
                                      const Slice& b, bool /*b_has_ts*/) const {
    return Compare(a, b);
  }
  virtual bool EqualWithoutTimestamp(const Slice& a, const Slice& b) const {
    return CompareWithoutTimestamp(a, b) == 0;
  }

  // Compares two timestamps: below zero if `ts1` is older.
  virtual int CompareTimestamp(const Slice& /*ts1*/,
                               const Slice& /*ts2*/) const {
    return 0;
  }
  // The bounds of all timestamps; empty slices without timestamps.
  virtual Slice GetMaxTimestamp() const { return Slice(); }
  virtual Slice GetMinTimestamp() const { return Slice(); }
  // A timestamp for people to read.
  virtual std::string TimestampToString(const Slice& /*timestamp*/) const {
    return "";
  }

 private:
  size_t timestamp_size_ = 0;
};

// Unsigned bytes in lexicographic order; the default.
const Comparator* BytewiseComparator();
// The reverse of it.
const Comparator* ReverseBytewiseComparator();
// The same two for keys that end with an 8-byte little-endian timestamp.
const Comparator* BytewiseComparatorWithU64Ts();
const Comparator* ReverseBytewiseComparatorWithU64Ts();

// Reads a timestamp of the comparators above. InvalidArgument unless it has
// eight bytes.
Status DecodeU64Ts(const Slice& ts, uint64_t* int_ts);
// Writes one to `*ts_buf`, to which the result points.
Slice EncodeU64Ts(uint64_t ts, std::string* ts_buf);
Slice MaxU64Ts();
Slice MinU64Ts();

}  // namespace ROCKSDB_NAMESPACE
