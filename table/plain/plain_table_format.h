// The frame around the rows of a plain table: a filter and an index block, if
// the file has them (plain_file_index.h), a properties block, a metaindex
// block, all without trailers, and a footer of 48 bytes.
//
//   footer     40 bytes  metaindex handle, a null handle, zeros
//              fixed64   magic
//
// Threads    Pure functions.
// Errors     Corruption names the file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "table/format.h"
#include "table/metaindex.h"

namespace ROCKSDB_NAMESPACE {

class RandomAccessFileReader;

inline constexpr char kPlainEncodingProperty[] =
    "rocksdb.plain.table.encoding.type";

inline constexpr char kPlainBloomVersionProperty[] =
    "rocksdb.plain.table.bloom.version";
inline constexpr char kPlainBloomLinesProperty[] =
    "rocksdb.plain.table.bloom.numblocks";

// Properties, metaindex and footer of a file whose rows, and whose blocks
// behind them, end at `offset`.
std::string EncodePlainTail(uint64_t offset, const TableProperties& properties,
                            const std::map<std::string, BlockHandle>& blocks);

// `blocks`: where the file's blocks lie; all of them in front of *end.
Status ReadPlainTail(const RandomAccessFileReader& file, uint64_t file_size,
                     std::shared_ptr<TableProperties>* properties,
                     Metaindex* blocks, uint64_t* end);
Status ReadPlainProperties(const RandomAccessFileReader& file,
                           uint64_t file_size,
                           std::shared_ptr<TableProperties>* properties);

}  // namespace ROCKSDB_NAMESPACE
