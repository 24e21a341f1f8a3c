// User-defined timestamps of eight bytes in tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/db.h"
#include "rocksdb/iterator.h"
#include "rocksdb/options.h"
#include "util/coding.h"

namespace ROCKSDB_NAMESPACE {

inline std::string Ts(uint64_t timestamp) {
  std::string bytes;
  PutFixed64(&bytes, timestamp);
  return bytes;
}

inline uint64_t TsOf(const Slice& timestamp) {
  uint64_t value = UINT64_MAX;
  return DecodeU64Ts(timestamp, &value).ok() ? value : UINT64_MAX;
}

// ReadOptions as of a timestamp, which they point to.
class AsOf {
 public:
  explicit AsOf(uint64_t timestamp, const Snapshot* snapshot = nullptr)
      : bytes_(Ts(timestamp)), slice_(bytes_) {
    options.timestamp = &slice_;
    options.snapshot = snapshot;
  }
  AsOf(const AsOf&) = delete;
  AsOf& operator=(const AsOf&) = delete;

  AsOf& From(uint64_t oldest) {
    start_bytes_ = Ts(oldest);
    start_ = start_bytes_;
    options.iter_start_ts = &start_;
    return *this;
  }

  ReadOptions options;

 private:
  const std::string bytes_;
  const Slice slice_;
  std::string start_bytes_;
  Slice start_;
};

// value@timestamp, or the status as text.
inline std::string GetText(DB* db, const ReadOptions& read,
                           const std::string& key) {
  std::string value, timestamp;
  const Status s = db->Get(read, key, &value, &timestamp);
  if (s.ok()) return value + "@" + std::to_string(TsOf(timestamp));
  return s.IsNotFound() ? "none" : s.ToString();
}

// key=value@timestamp of a whole scan, and the status if it is an error.
inline std::string ScanText(DB* db, const ReadOptions& read,
                            ColumnFamilyHandle* family) {
  const std::unique_ptr<Iterator> it(db->NewIterator(read, family));
  std::string text;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    text += it->key().ToString() + "=" + it->value().ToString() + "@" +
            std::to_string(TsOf(it->timestamp())) + " ";
  }
  if (!it->status().ok()) text += it->status().ToString();
  return text;
}
inline std::string ScanText(DB* db, const ReadOptions& read) {
  return ScanText(db, read, db->DefaultColumnFamily());
}

}  // namespace ROCKSDB_NAMESPACE
