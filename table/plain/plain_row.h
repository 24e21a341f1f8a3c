// Rows of a plain table (sst-format.md 10): a key and a value, one after the
// other, without blocks, checksums or compression.
//
//   row        key, varint32 length of the value, value
//   key        kPlain: the user key (behind its length as varint32, unless all
//              have one), then the trailer
//              kPrefix: one or two parts of the user key, then the trailer
//   part       a byte: 2 bits of kind, 6 bits of size (0x3f: plus a varint32)
//                full      the user key
//                prefix    so many bytes of the full key before; a suffix
//                          follows
//                suffix    the rest of it; without a prefix in front, the one
//                          of the row before goes on
//   trailer    sequence and type as fixed64, or 0xff for a value of sequence 0
//
// Threads    One thread a cursor; rows are immutable.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/table.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct PlainRowShape {
  EncodingType encoding = kPlain;
  uint32_t user_key_len = kPlainTableVariableLength;
};

enum class PlainKeyPart : uint8_t { kFull = 0, kPrefix = 1, kSuffix = 2 };

void AppendPlainKeyPart(PlainKeyPart part, uint32_t size, std::string* row);
// What ends each key, from the last eight bytes of an internal one.
void AppendPlainTrailer(const Slice& internal_key, std::string* row);

// Walks over rows. `rows` must outlive it, and what it answers points to it
// wherever it can.
class PlainRowCursor {
 public:
  PlainRowCursor(const Slice& rows, const PlainRowShape& shape)
      : rows_(rows), shape_(shape) {}

  // To the row at `offset`, which has a full key (or is the end).
  void SeekTo(uint64_t offset);
  void Next();

  bool Valid() const { return is_valid_; }
  // Not null: the row at offset() is not one.
  const char* problem() const { return problem_; }
  Slice key() const { return key_; }  // internal
  Slice value() const { return value_; }
  // The key points into the rows.
  bool IsKeyInRows() const { return key_.data() != key_bytes_.data(); }
  uint64_t offset() const { return offset_; }
  uint64_t next_offset() const { return next_offset_; }
  bool HasFullKey() const { return has_full_key_; }

 private:
  void ParseRow();
  bool ParseKey(Slice* input);
  bool ParsePlainKey(Slice* input, Slice* user_key);
  bool ParseParts(Slice* input, Slice* user_key);
  bool TakeTrailer(const Slice& user_key, Slice* input);

  const Slice rows_;
  const PlainRowShape shape_;
  uint64_t offset_ = 0;
  uint64_t next_offset_ = 0;
  bool is_valid_ = false;
  bool has_full_key_ = false;
  const char* problem_ = nullptr;
  Slice key_, value_;
  std::string key_bytes_;   // where the key does not lie in one piece
  Slice full_key_;          // the last one, without its trailer
  size_t prefix_size_ = 0;  // bytes of full_key_ in front of each suffix
};

}  // namespace ROCKSDB_NAMESPACE
