// Internal keys: what the engine stores for a user key.
//
//   user key bytes | fixed64 (sequence << 8 | type)
//
// A stored user key ends with a timestamp if the comparator declares them
// (timestamps.h); what compares without it says so. Ordered by user key
// ascending, then by that last word descending, so that the newest version of a
// user key comes first.
//
// Threads  Plain values; comparators are immutable.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/types.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

// The low byte of an internal key's last word, and the tags of a write batch.
// These values are on disk and never change meaning.
enum ValueType : uint8_t {
  kTypeDeletion = 0x0,
  kTypeValue = 0x1,
  kTypeMerge = 0x2,
  kTypeLogData = 0x3,               // WAL only
  kTypeColumnFamilyDeletion = 0x4,  // WAL only
  kTypeColumnFamilyValue = 0x5,     // WAL only
  kTypeColumnFamilyMerge = 0x6,     // WAL only
  kTypeSingleDeletion = 0x7,
  kTypeColumnFamilySingleDeletion = 0x8,  // WAL only
  kTypeBeginPrepareXID = 0x9,             // WAL only
  kTypeEndPrepareXID = 0xa,               // WAL only
  kTypeCommitXID = 0xb,                   // WAL only
  kTypeRollbackXID = 0xc,                 // WAL only
  kTypeNoop = 0xd,                        // WAL only
  kTypeColumnFamilyRangeDeletion = 0xe,   // WAL only
  kTypeRangeDeletion = 0xf,
  kTypeColumnFamilyBlobIndex = 0x10,  // WAL only
  kTypeBlobIndex = 0x11,
  kTypeBeginPersistedPrepareXID = 0x12,  // WAL only
  kTypeBeginUnprepareXID = 0x13,         // WAL only
  kTypeDeletionWithTimestamp = 0x14,
  kTypeCommitXIDAndTimestamp = 0x15,  // WAL only
  kTypeWideColumnEntity = 0x16,
  kTypeColumnFamilyWideColumnEntity = 0x17,  // WAL only
  kTypeValuePreferredSeqno = 0x18,
  kTypeColumnFamilyValuePreferredSeqno = 0x19,  // WAL only
  kTypeMaxValid = 0x1a,
};

// The type that sorts before every entry of the same user key and sequence;
// what a lookup or a seek carries.
inline constexpr ValueType kValueTypeForSeek = kTypeValuePreferredSeqno;
// The type to carry in a SeekForPrev target: sorts after all others.
inline constexpr ValueType kValueTypeForSeekForPrev = kTypeDeletion;

inline constexpr SequenceNumber kMaxSequenceNumber = (uint64_t{1} << 56) - 1;
inline constexpr size_t kInternalKeyTrailerBytes = 8;

inline uint64_t PackSequenceAndType(SequenceNumber sequence, ValueType type) {
  assert(sequence <= kMaxSequenceNumber);
  return (sequence << 8) | type;
}

// True for a type that an internal key on disk may carry.
inline bool IsStoredType(ValueType type) {
  switch (type) {
    case kTypeDeletion:
    case kTypeValue:
    case kTypeMerge:
    case kTypeSingleDeletion:
    case kTypeRangeDeletion:
    case kTypeBlobIndex:
    case kTypeDeletionWithTimestamp:
    case kTypeWideColumnEntity:
    case kTypeValuePreferredSeqno:
      return true;
    default:
      return false;
  }
}

// Does it hide what is older of its key, and of no other?
inline bool IsPointDeletion(ValueType type) {
  return type == kTypeDeletion || type == kTypeSingleDeletion ||
         type == kTypeDeletionWithTimestamp;
}

struct ParsedInternalKey {
  Slice user_key;
  SequenceNumber sequence = 0;
  ValueType type = kTypeDeletion;

  // For messages: 'user key' seq:N, type:T (hex when `hex`).
  std::string DebugString(bool hex) const;
};

// Statuses and logs travel further than the data they speak of: messages show
// user keys only where DBOptions::allow_data_in_errors says they may.
enum class KeyText : uint8_t { kRedacted, kShown };
inline KeyText KeyTextOf(bool allow_data_in_errors) {
  return allow_data_in_errors ? KeyText::kShown : KeyText::kRedacted;
}
// 'user key in hex' seq:N, type:T. Any bytes will do: of those that are no
// internal key, all of them or their count.
std::string InternalKeyText(const Slice& internal_key, KeyText text);

inline Slice ExtractUserKey(const Slice& internal_key) {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  return Slice(internal_key.data(),
               internal_key.size() - kInternalKeyTrailerBytes);
}

// The key as users give it, from a stored user key. Empty for a damaged key,
// which is too short for a timestamp.
inline Slice WithoutTimestamp(const Slice& stored, size_t timestamp_size) {
  return Slice(stored.data(),
               stored.size() - std::min(stored.size(), timestamp_size));
}

// The timestamp behind it; a damaged key that is too short gives all it has.
inline Slice TimestampOf(const Slice& stored, size_t timestamp_size) {
  const size_t size = std::min(stored.size(), timestamp_size);
  return Slice(stored.data() + stored.size() - size, size);
}

inline uint64_t ExtractTrailer(const Slice& internal_key) {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  return DecodeFixed64(internal_key.data() + internal_key.size() -
                       kInternalKeyTrailerBytes);
}

inline SequenceNumber ExtractSequence(const Slice& internal_key) {
  return ExtractTrailer(internal_key) >> 8;
}

inline ValueType ExtractType(const Slice& internal_key) {
  return static_cast<ValueType>(ExtractTrailer(internal_key) & 0xff);
}

// Splits bytes that come from a file or a user: false, with *result untouched,
// if they are too short or the type is none that is stored.
inline bool ParseInternalKey(const Slice& bytes, ParsedInternalKey* result) {
  if (bytes.size() < kInternalKeyTrailerBytes) return false;
  const uint64_t trailer = ExtractTrailer(bytes);
  const auto type = static_cast<ValueType>(trailer & 0xff);
  if (!IsStoredType(type)) return false;
  result->user_key = ExtractUserKey(bytes);
  result->sequence = trailer >> 8;
  result->type = type;
  return true;
}

inline void AppendInternalKey(std::string* out, const Slice& user_key,
                              SequenceNumber sequence, ValueType type) {
  out->append(user_key.data(), user_key.size());
  PutFixed64(out, PackSequenceAndType(sequence, type));
}

// An internal key that owns its bytes. Empty = unset.
class InternalKey {
 public:
  InternalKey() = default;
  InternalKey(const Slice& user_key, SequenceNumber sequence, ValueType type) {
    AppendInternalKey(&bytes_, user_key, sequence, type);
  }
  static InternalKey FromEncoded(const Slice& encoded) {
    InternalKey key;
    key.bytes_.assign(encoded.data(), encoded.size());
    return key;
  }
  // The end of a range tombstone used as a file's largest key: up to, but not
  // including, `user_key` (db-format.md 9.6).
  static InternalKey TombstoneSentinel(const Slice& user_key) {
    return InternalKey(user_key, kMaxSequenceNumber, kTypeRangeDeletion);
  }

  bool empty() const { return bytes_.empty(); }
  Slice Encode() const { return Slice(bytes_); }
  Slice user_key() const { return ExtractUserKey(bytes_); }
  SequenceNumber sequence() const { return ExtractSequence(bytes_); }
  ValueType type() const { return ExtractType(bytes_); }
  bool IsTombstoneSentinel() const {
    return !empty() &&
           ExtractTrailer(bytes_) ==
               PackSequenceAndType(kMaxSequenceNumber, kTypeRangeDeletion);
  }
  std::string* rep() { return &bytes_; }
  void Clear() { bytes_.clear(); }
  std::string DebugString(bool hex) const;

 private:
  std::string bytes_;
};

// Where the comparisons of user keys that the calling thread makes are counted
// (PerfContext::user_key_comparison_count), also of keys that their first bytes
// alone put in order. Null: nobody wants to know. It is constant-initialised,
// so that reading it needs no guard.
extern thread_local constinit uint64_t* comparison_count
    __attribute__((tls_model("initial-exec")));

// Loops count what they have done at their end.
inline void CountComparisons(uint64_t count) {
  if (uint64_t* const counter = comparison_count; counter != nullptr) {
    *counter += count;
  }
}

// The order of internal keys over a user comparator. A final class with a
// fast path for the bytewise order: the call is direct, not virtual. Each
// comparison of user keys is counted.
class InternalKeyComparator final : public CompareInterface {
 public:
  InternalKeyComparator() = default;
  explicit InternalKeyComparator(const Comparator* user)
      : user_(user),
        timestamp_size_(user->timestamp_size()),
        is_bytewise_(user == BytewiseComparator()) {}

  const Comparator* user_comparator() const { return user_; }
  bool is_bytewise() const { return is_bytewise_; }
  // The size of the timestamp that every stored user key ends with; 0 = none.
  size_t timestamp_size() const { return timestamp_size_; }

  // Are they the same key to a user? Stored user keys both: their timestamps
  // do not count.
  int CompareUserKeys(const Slice& a, const Slice& b) const {
    CountComparisons(1);
    if (is_bytewise_) return a.compare(b);
    return timestamp_size_ == 0 ? user_->Compare(a, b)
                                : user_->CompareWithoutTimestamp(a, b);
  }
  [[gnu::always_inline]] bool EqualUserKeys(const Slice& a,
                                            const Slice& b) const {
    CountComparisons(1);
    if (is_bytewise_) return a == b;
    return timestamp_size_ == 0 ? user_->Equal(a, b)
                                : user_->EqualWithoutTimestamp(a, b);
  }
  // Compares a stored user key with one from a user, which has no timestamp.
  int CompareToGiven(const Slice& stored, const Slice& given) const {
    if (timestamp_size_ == 0) return CompareUserKeys(stored, given);
    CountComparisons(1);
    return user_->CompareWithoutTimestamp(stored, true, given, false);
  }
  // Two keys that users gave.
  int CompareGiven(const Slice& a, const Slice& b) const {
    if (timestamp_size_ == 0) return CompareUserKeys(a, b);
    CountComparisons(1);
    return user_->CompareWithoutTimestamp(a, false, b, false);
  }
  // The order that stored user keys are kept in: of one key, the newer
  // timestamp first.
  int CompareStored(const Slice& a, const Slice& b) const {
    CountComparisons(1);
    return is_bytewise_ ? a.compare(b) : user_->Compare(a, b);
  }

  [[gnu::always_inline]] int Compare(const Slice& a,
                                     const Slice& b) const override {
    const int order = CompareStored(ExtractUserKey(a), ExtractUserKey(b));
    if (order != 0) return order;
    const uint64_t x = ExtractTrailer(a);
    const uint64_t y = ExtractTrailer(b);
    return x > y ? -1 : (x < y ? 1 : 0);
  }
  int Compare(const InternalKey& a, const InternalKey& b) const {
    return Compare(a.Encode(), b.Encode());
  }
  // Compare() without the sequence when the user keys differ; ignores nothing
  // else. Orders (user key, sequence desc) where types may be anything.
  int CompareKeySequence(const Slice& a, const Slice& b) const {
    const int order = CompareStored(ExtractUserKey(a), ExtractUserKey(b));
    if (order != 0) return order;
    const uint64_t x = ExtractSequence(a);
    const uint64_t y = ExtractSequence(b);
    return x > y ? -1 : (x < y ? 1 : 0);
  }

 private:
  const Comparator* user_ = BytewiseComparator();
  size_t timestamp_size_ = 0;
  bool is_bytewise_ = true;
};

// The key of a point lookup in the two encodings that are asked for, made in
// one buffer without allocation for short keys:
//   varint32 internal key length | user key | trailer
class LookupKey {
 public:
  // `timestamp`: what is read as of; empty = the keys have none.
  LookupKey(const Slice& user_key, SequenceNumber snapshot,
            const Slice& timestamp = Slice());
  ~LookupKey() {
    if (start_ != inline_) delete[] start_;
  }
  LookupKey(const LookupKey&) = delete;
  LookupKey& operator=(const LookupKey&) = delete;

  Slice memtable_key() const { return Slice(start_, end_ - start_); }
  Slice internal_key() const { return Slice(key_, end_ - key_); }
  // With the timestamp.
  Slice user_key() const {
    return Slice(key_, end_ - key_ - kInternalKeyTrailerBytes);
  }

 private:
  const char* start_;
  const char* key_;
  const char* end_;
  char inline_[200];
};

}  // namespace ROCKSDB_NAMESPACE
