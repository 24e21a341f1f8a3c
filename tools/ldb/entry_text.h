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

// What is behind "=>": a value, columns, or a reference to a blob. False if it
// is no such thing; `*text` is then what to say of it.
bool StoredValueText(ValueType type, const Slice& value, Bytes how,
                     BlobReferences references, std::string* text);

// "NoCompression", "ZSTD".
std::string CodecName(CompressionType type);

}  // namespace ROCKSDB_NAMESPACE
