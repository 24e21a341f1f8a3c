// Stored entries as the tools show them.
//
//   '<user key>[|timestamp:<n>]' seq:<n>, type:<n>
//
// Bytes go out as they are, or as hex digits without "0x".
//
// Threads  Pure functions.
#pragma once

#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/compression_type.h"
#include "rocksdb/slice.h"
#include "rocksdb/wide_columns.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

enum class Bytes { kPlain, kHex };

std::string ShownBytes(const Slice& bytes, Bytes how);

// With the timestamp split off, if `comparator` has timestamps.
std::string InternalKeyText(const ParsedInternalKey& key, Bytes how,
                            const Comparator* comparator);

// "<name>:<value> ...", each with "0x" if in hex.
std::string ColumnsText(const WideColumns& columns, Bytes how);

enum class BlobReferences { kRaw, kDecoded };

enum class ValueState {
  kShown,
  kHidden,   // it is good, but there is no form to show it in
  kDamaged,  // it is not what its type says
};

// What is behind "=>": a value, columns, or a reference to a blob. If it is not
// shown, `*text` is what to say of it.
ValueState StoredValueText(ValueType type, const Slice& value, Bytes how,
                           BlobReferences references, std::string* text);

// "NoCompression", "ZSTD".
std::string CodecName(CompressionType type);

}  // namespace ROCKSDB_NAMESPACE
