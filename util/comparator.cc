#include "rocksdb/comparator.h"

#include <algorithm>
#include <cassert>

#include "util/coding.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint8_t ByteAt(const Slice& s, size_t i) { return static_cast<uint8_t>(s[i]); }

class BytewiseComparatorImpl final : public Comparator {
 public:
  static const char* kClassName() { return "leveldb.BytewiseComparator"; }
  const char* Name() const override { return kClassName(); }

  int Compare(const Slice& a, const Slice& b) const override {
    return a.compare(b);
  }
  bool Equal(const Slice& a, const Slice& b) const override { return a == b; }

  void FindShortestSeparator(std::string* start,
                             const Slice& limit) const override {
    const size_t common = Slice(*start).difference_offset(limit);
    // One is the beginning of the other: nothing between is shorter.
    if (common >= std::min(start->size(), limit.size())) return;
    const auto start_byte = static_cast<uint8_t>((*start)[common]);
    const uint8_t limit_byte = ByteAt(limit, common);
    if (start_byte >= limit_byte) return;
    if (common + 1 < limit.size() || start_byte + 1 < limit_byte) {
      (*start)[common] = static_cast<char>(start_byte + 1);
      start->resize(common + 1);
      return;
    }
    // The incremented byte would be all of `limit`: keep it as it is and
    // increment one further on.
    IncrementFrom(start, common + 1);
  }

  void FindShortSuccessor(std::string* key) const override {
    IncrementFrom(key, 0);
  }

  bool IsSameLengthImmediateSuccessor(const Slice& s,
                                      const Slice& t) const override {
    if (s.size() != t.size()) return false;
    const size_t common = s.difference_offset(t);
    if (common == s.size()) return false;
    if (ByteAt(s, common) + 1 != ByteAt(t, common)) return false;
    for (size_t i = common + 1; i < s.size(); ++i) {
      if (ByteAt(s, i) != 0xff || ByteAt(t, i) != 0x00) return false;
    }
    return true;
  }

  bool CanKeysWithDifferentByteContentsBeEqual() const override {
    return false;
  }

  using Comparator::CompareWithoutTimestamp;
  int CompareWithoutTimestamp(const Slice& a, bool /*a_has_ts*/, const Slice& b,
                              bool /*b_has_ts*/) const override {
    return a.compare(b);
  }

 private:
  // Increments the first byte from `begin` on that can be, and cuts behind it.
  static void IncrementFrom(std::string* key, size_t begin) {
    for (size_t i = begin; i < key->size(); ++i) {
      const auto byte = static_cast<uint8_t>((*key)[i]);
      if (byte == 0xff) continue;
      (*key)[i] = static_cast<char>(byte + 1);
      key->resize(i + 1);
      return;
    }
  }
};

class ReverseBytewiseComparatorImpl final : public Comparator {
 public:
  static const char* kClassName() {
    return "rocksdb.ReverseBytewiseComparator";
  }
  const char* Name() const override { return kClassName(); }

  int Compare(const Slice& a, const Slice& b) const override {
    return b.compare(a);
  }
  bool Equal(const Slice& a, const Slice& b) const override { return a == b; }

  void FindShortestSeparator(std::string* start,
                             const Slice& limit) const override {
    const size_t common = Slice(*start).difference_offset(limit);
    if (common >= std::min(start->size(), limit.size())) return;
    if (static_cast<uint8_t>((*start)[common]) <= ByteAt(limit, common)) return;
    // A beginning of `start` sorts behind it here, and before `limit` as long
    // as the byte that differs stays.
    if (common + 1 < start->size()) start->resize(common + 1);
  }

  // What sorts behind a key is shorter or has smaller bytes; nothing to gain.
  void FindShortSuccessor(std::string* /*key*/) const override {}

  bool CanKeysWithDifferentByteContentsBeEqual() const override {
    return false;
  }

  using Comparator::CompareWithoutTimestamp;
  int CompareWithoutTimestamp(const Slice& a, bool /*a_has_ts*/, const Slice& b,
                              bool /*b_has_ts*/) const override {
    return b.compare(a);
  }
};

// The order of `Base`, for keys that end with an 8-byte timestamp.
template <typename Base>
class U64TsComparator final : public Comparator {
 public:
  U64TsComparator() : Comparator(sizeof(uint64_t)) {}

  static const char* kClassName() {
    static NoDestructor<std::string> name(std::string(Base::kClassName()) +
                                          ".u64ts");
    return name->c_str();
  }
  const char* Name() const override { return kClassName(); }

  int Compare(const Slice& a, const Slice& b) const override {
    const int r = Comparator::CompareWithoutTimestamp(a, b);
    if (r != 0) return r;
    return -CompareTimestamp(TimestampOf(a), TimestampOf(b));
  }

  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}

  int CompareWithoutTimestamp(const Slice& a, bool a_has_ts, const Slice& b,
                              bool b_has_ts) const override {
    return base_.Compare(a_has_ts ? Strip(a) : a, b_has_ts ? Strip(b) : b);
  }
  bool EqualWithoutTimestamp(const Slice& a, const Slice& b) const override {
    return base_.Equal(Strip(a), Strip(b));
  }

  int CompareTimestamp(const Slice& ts1, const Slice& ts2) const override {
    // The timestamps of damaged keys need only some order.
    if (ts1.size() != sizeof(uint64_t) || ts2.size() != sizeof(uint64_t)) {
      return ts1.compare(ts2);
    }
    const uint64_t a = DecodeFixed64(ts1.data());
    const uint64_t b = DecodeFixed64(ts2.data());
    return a < b ? -1 : (a > b ? 1 : 0);
  }
  Slice GetMaxTimestamp() const override { return MaxU64Ts(); }
  Slice GetMinTimestamp() const override { return MinU64Ts(); }
  std::string TimestampToString(const Slice& timestamp) const override {
    assert(timestamp.size() == sizeof(uint64_t));
    return std::to_string(DecodeFixed64(timestamp.data()));
  }

 private:
  // A key from a damaged file may be too short for a timestamp.
  static Slice TimestampOf(const Slice& key) {
    const size_t size = std::min(key.size(), sizeof(uint64_t));
    return Slice(key.data() + key.size() - size, size);
  }
  static Slice Strip(const Slice& key) {
    return Slice(key.data(),
                 key.size() - std::min(key.size(), sizeof(uint64_t)));
  }

  Base base_;
};

}  // namespace

const Comparator* BytewiseComparator() {
  static NoDestructor<BytewiseComparatorImpl> comparator;
  return comparator.get();
}

const Comparator* ReverseBytewiseComparator() {
  static NoDestructor<ReverseBytewiseComparatorImpl> comparator;
  return comparator.get();
}

const Comparator* BytewiseComparatorWithU64Ts() {
  static NoDestructor<U64TsComparator<BytewiseComparatorImpl>> comparator;
  return comparator.get();
}

const Comparator* ReverseBytewiseComparatorWithU64Ts() {
  static NoDestructor<U64TsComparator<ReverseBytewiseComparatorImpl>>
      comparator;
  return comparator.get();
}

Status DecodeU64Ts(const Slice& ts, uint64_t* int_ts) {
  if (ts.size() != sizeof(uint64_t)) {
    return Status::InvalidArgument("timestamp has not 8 bytes but ",
                                   std::to_string(ts.size()));
  }
  *int_ts = DecodeFixed64(ts.data());
  return Status::OK();
}

Slice EncodeU64Ts(uint64_t ts, std::string* ts_buf) {
  char buf[sizeof(ts)];
  EncodeFixed64(buf, ts);
  ts_buf->assign(buf, sizeof(buf));
  return Slice(*ts_buf);
}

Slice MaxU64Ts() {
  return Slice("\xff\xff\xff\xff\xff\xff\xff\xff", sizeof(uint64_t));
}

Slice MinU64Ts() { return Slice("\0\0\0\0\0\0\0\0", sizeof(uint64_t)); }

}  // namespace ROCKSDB_NAMESPACE
