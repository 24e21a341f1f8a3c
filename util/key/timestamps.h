// User-defined timestamps: where the comparator declares them, a stored user
// key ends with one, of a fixed size. Among versions of one key the newer
// timestamp sorts first.
//
//   key as users give it | timestamp
//
// internal_key.h takes them apart; here they are put together.
//
// Threads  Plain functions.
#pragma once

#include <cstddef>
#include <string>

#include "rocksdb/slice.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// The newest and the oldest timestamp that there can be (sst-format.md 8.5).
inline void AppendMaxTimestamp(std::string* out, size_t timestamp_size) {
  out->append(timestamp_size, '\xff');
}
inline void AppendMinTimestamp(std::string* out, size_t timestamp_size) {
  out->append(timestamp_size, '\0');
}

// `given` with the newest timestamp: the key before all its versions.
inline std::string WithMaxTimestamp(const Slice& given, size_t timestamp_size) {
  std::string stored = given.ToString();
  AppendMaxTimestamp(&stored, timestamp_size);
  return stored;
}
// `given` with the oldest: the key behind all its versions.
inline std::string WithMinTimestamp(const Slice& given, size_t timestamp_size) {
  std::string stored = given.ToString();
  AppendMinTimestamp(&stored, timestamp_size);
  return stored;
}

// The next of those timestamps of 8 bytes that a comparator with a name as
// below compares; the newest has none, and is its own.
inline std::string TimestampAfter(const Slice& timestamp) {
  assert(timestamp.size() == sizeof(uint64_t));
  const uint64_t value = DecodeFixed64(timestamp.data());
  std::string next;
  PutFixed64(&next, value == UINT64_MAX ? value : value + 1);
  return next;
}

// Is `with` the name of the comparator `without`, for keys that end with an
// 8-byte timestamp?
inline bool HasTimestampsBeside(const Slice& with, const Slice& without) {
  static const Slice kSuffix(".u64ts");
  return with.size() == without.size() + kSuffix.size() &&
         with.starts_with(without) && with.ends_with(kSuffix);
}

// `stored` with another timestamp.
inline std::string WithTimestamp(const Slice& stored, const Slice& timestamp) {
  std::string result = WithoutTimestamp(stored, timestamp.size()).ToString();
  result.append(timestamp.data(), timestamp.size());
  return result;
}

// An internal key that sorts before every version of stored user key `stored`,
// whatever its timestamp.
inline InternalKey BeforeAllVersions(const Slice& stored,
                                     size_t timestamp_size) {
  if (timestamp_size == 0) {
    return InternalKey(stored, kMaxSequenceNumber, kValueTypeForSeek);
  }
  const Slice given = WithoutTimestamp(stored, timestamp_size);
  return InternalKey(WithMaxTimestamp(given, timestamp_size),
                     kMaxSequenceNumber, kValueTypeForSeek);
}

// Internal keys to seek, made in a buffer that is used again. Where the
// versions of `given` begin that are seen at a timestamp (empty: there are
// none) and a sequence; behind all of its versions; before all of them.
inline void SetSeekKey(const Slice& given, const Slice& timestamp,
                       SequenceNumber sequence, std::string* out) {
  out->assign(given.data(), given.size());
  AppendInternalKey(out, timestamp, sequence, kValueTypeForSeek);
}
inline void SetKeyBehind(const Slice& given, size_t timestamp_size,
                         std::string* out) {
  out->assign(given.data(), given.size());
  AppendMinTimestamp(out, timestamp_size);
  PutFixed64(out, PackSequenceAndType(0, kValueTypeForSeekForPrev));
}
inline void SetKeyBefore(const Slice& given, size_t timestamp_size,
                         std::string* out) {
  out->assign(given.data(), given.size());
  AppendMaxTimestamp(out, timestamp_size);
  PutFixed64(out, PackSequenceAndType(kMaxSequenceNumber, kValueTypeForSeek));
}

}  // namespace ROCKSDB_NAMESPACE
