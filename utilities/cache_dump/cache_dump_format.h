// A dumped cache, as bytes: units, each with its metadata in front.
//
//   fixed32 16 | metadata | fixed32 size of the unit | unit
//   metadata = fixed32 number of the unit | fixed32 its crc32c | fixed64 size
//   unit     = fixed64 microseconds | type | lps key | fixed32 value size |
//              fixed32 crc32c of the value | lps value
//
// lps is a varint32 length and the bytes; checksums are not masked. The first
// unit is a header, the last one a footer.
//
// Threads  Plain functions.
// Errors   Corruption for what is not such a unit.
#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

enum class CacheDumpUnitType : unsigned char {
  kHeader = 1,
  kFooter = 2,
  kData = 3,
  kFilter = 4,
  kProperties = 5,
  kCompressionDictionary = 6,
  kRangeDeletion = 7,
  kHashIndexPrefixes = 8,
  kHashIndexMetadata = 9,
  kMetaIndex = 10,
  kIndex = 11,
  kDeprecatedFilterMeta = 12,
  kFilterPartitionIndex = 13,
};

struct CacheDumpUnit {
  uint64_t micros = 0;
  CacheDumpUnitType type = CacheDumpUnitType::kData;
  // They point into the bytes that were decoded.
  Slice key;
  Slice value;
};

std::string EncodeCacheDumpUnit(const CacheDumpUnit& unit);
Status DecodeCacheDumpUnit(const Slice& bytes, CacheDumpUnit* unit);

std::string EncodeCacheDumpMetadata(uint32_t number, const Slice& unit);
// Is `unit` the one of that number that the metadata describe?
Status CheckCacheDumpMetadata(const Slice& metadata, uint32_t number,
                              const Slice& unit);

}  // namespace ROCKSDB_NAMESPACE
