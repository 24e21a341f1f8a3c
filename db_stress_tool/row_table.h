// The table of the multi-operation test: rows (a, b, c), where a is the primary
// key and c has an index.
//
// A row's key is 1, a; its value b, c. An index entry's key is 2, c, a; its
// value a checksum of its key. What is part of a key is big-endian, what is
// part of a value little-endian, all of them four bytes.
//
// Threads    Free functions; any.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE::stress {

struct TableRow {
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;
};

enum class TableIndex : uint32_t {
  kMetadata = 0,
  kPrimary = 1,
  kSecondary = 2
};

// What all keys of an index begin with; keys of the next one come behind.
std::string TablePrefix(TableIndex index);
std::string PrimaryKey(uint32_t a);
std::string PrimaryValue(const TableRow& row);
std::string SecondaryKey(uint32_t c, uint32_t a);
// What the entries of that c begin with.
std::string SecondaryPrefix(uint32_t c);
std::string SecondaryValue(const Slice& secondary_key);

// Nothing: these are not the bytes of a row, or of an index entry.
std::optional<TableRow> ParsePrimary(const Slice& key, const Slice& value);
// b is 0.
std::optional<TableRow> ParseSecondary(const Slice& key, const Slice& value);

}  // namespace ROCKSDB_NAMESPACE::stress
