// The frame around the rows of a plain table: a properties block, a metaindex
// block, both without trailers, and a footer of 48 bytes.
//
//   footer     40 bytes  metaindex handle, a null handle, zeros
//              fixed64   magic
//
// Threads    Pure functions.
// Errors     Corruption names the file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "table/format.h"

namespace ROCKSDB_NAMESPACE {

class RandomAccessFileReader;

inline constexpr char kPlainEncodingProperty[] =
    "rocksdb.plain.table.encoding.type";

// Properties, metaindex and footer of a file whose rows end at `offset`.
std::string EncodePlainTail(uint64_t offset, const TableProperties& properties);

Status ReadPlainProperties(const RandomAccessFileReader& file,
                           uint64_t file_size,
                           std::shared_ptr<TableProperties>* properties);

}  // namespace ROCKSDB_NAMESPACE
