// The end of tables whose blocks have neither trailers nor checksums, plain and
// cuckoo ones: properties and metaindex. Each format has a footer of its own
// behind them.
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
#include "table/table_reader_options.h"

namespace ROCKSDB_NAMESPACE {

class RandomAccessFileReader;

// Properties and metaindex of a file whose blocks so far, which the metaindex
// names, too, end at `offset`. *metaindex is where the latter will lie.
std::string EncodeUnframedTail(uint64_t offset,
                               const TableProperties& properties,
                               std::map<std::string, BlockHandle> blocks,
                               BlockHandle* metaindex);

// All bytes of the block, which must lie in front of `limit`.
Status ReadUnframedBlock(const RandomAccessFileReader& file,
                         const BlockHandle& handle, uint64_t limit,
                         std::string* bytes);

// What EncodeUnframedTail() wrote, in front of `limit`.
Status ReadUnframedTail(const RandomAccessFileReader& file,
                        const BlockHandle& metaindex, uint64_t limit,
                        Metaindex* blocks,
                        std::shared_ptr<TableProperties>* properties);

// Is it the file that the database means, in its order? InvalidArgument for
// another order, Corruption for another file.
Status CheckUnframedProperties(const TableProperties& properties,
                               const TableReaderOptions& options,
                               const std::string& file_name);

}  // namespace ROCKSDB_NAMESPACE
