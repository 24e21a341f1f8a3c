#pragma once

// Table properties as they are stored: a block of names and values, sorted,
// with one restart point.
//
//   numbers      varint64
//   text         as it is
//   the rest     as the collector that made it wants it
//
// Threads  Any.
// Errors   Decoding answers what is wrong. A number that makes no sense is
//          skipped, as if it were absent; an unknown name is a collected one.

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

// Names of properties of files that were made to be ingested.
inline constexpr char kExternalSstVersionProperty[] =
    "rocksdb.external_sst_file.version";
inline constexpr char kExternalSstGlobalSeqnoProperty[] =
    "rocksdb.external_sst_file.global_seqno";

// The offset of that number in files of a format that has no place for it: the
// number can only be 0 there.
inline constexpr uint64_t kNoPlaceForSequence = UINT64_MAX;

// Names of properties of files whose keys have user-defined timestamps.
inline constexpr char kTimestampMinProperty[] = "rocksdb.timestamp_min";
inline constexpr char kTimestampMaxProperty[] = "rocksdb.timestamp_max";

// The payload of the properties block.
std::string EncodeProperties(const TableProperties& properties);

// `block_offset` is where the payload lies in the file. nullptr, or what is
// wrong with it.
const char* DecodeProperties(const Slice& payload, uint64_t block_offset,
                             TableProperties* properties);

// The name of a property that differs; empty if all are equal.
std::string DifferingProperty(const TableProperties& a,
                              const TableProperties& b);

// The property collected under `name` as a fixed32; `fallback` if absent.
uint32_t CollectedFixed32(const TableProperties& properties,
                          const std::string& name, uint32_t fallback);
// False only if the property says "0".
bool CollectedFlag(const TableProperties& properties, const std::string& name);

}  // namespace ROCKSDB_NAMESPACE
