// Keys of blocks in a cache that many files and databases share: 16 bytes,
// from (session, file number) and an offset.
//
// Two files of one session never have a common key. Files of different
// sessions have one with a chance of about 2^-90: both words would have to
// meet.
//
// Threads  Values; any.
#pragma once

#include <cassert>
#include <cstdint>
#include <string>

#include "rocksdb/cache_interface.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "util/hash.h"

namespace ROCKSDB_NAMESPACE {

class CacheKey {
 public:
  constexpr CacheKey() = default;
  constexpr CacheKey(uint64_t file_word, uint64_t offset_word)
      : file_word_(file_word), offset_word_(offset_word) {}

  // A key that no other entry of `cache` has, for one that holds space only.
  static CacheKey Unique(Cache* cache) { return CacheKey(0, cache->NewId()); }

  bool IsEmpty() const { return (file_word_ | offset_word_) == 0; }
  // Points into this object.
  Slice AsSlice() const {
    static_assert(sizeof(*this) == 16, "the words are the key");
    return Slice(reinterpret_cast<const char*>(this), sizeof(*this));
  }

 private:
  uint64_t file_word_ = 0;
  uint64_t offset_word_ = 0;
};

// The keys of one file.
class FileCacheKey {
 public:
  FileCacheKey() = default;
  // The session that wrote the file and the number it gave it, so that a file
  // keeps its keys when the database is opened again or the file is moved.
  FileCacheKey(const Slice& db_session_id, uint64_t file_number)
      : file_word_(Hash64(db_session_id.data(), db_session_id.size(), 1) +
                   file_number * kOdd),
        session_word_(Hash64(db_session_id.data(), db_session_id.size(), 2)) {}

  // Entries of different `kind`, of four, have different keys, whatever their
  // offsets are.
  CacheKey WithOffset(uint64_t offset, uint64_t kind = 0) const {
    assert(kind < 4);
    // Times an odd number, no file number that there is comes to this.
    return CacheKey(file_word_ + (kind << 62), session_word_ + offset);
  }

 private:
  // Odd, so that different numbers give different words.
  static constexpr uint64_t kOdd = 0x9E3779B97F4A7C15u;

  uint64_t file_word_ = 0;
  uint64_t session_word_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE
