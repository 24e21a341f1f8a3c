// The rows of the table formats' options and of small structs inside others.
//
// Threads  Constants.
#pragma once

#include "options/option_row.h"

namespace ROCKSDB_NAMESPACE {

const OptionStruct& BlockBasedTableOptionStruct();
const OptionStruct& PlainTableOptionStruct();
const OptionStruct& CuckooTableOptionStruct();
const OptionStruct& MetadataCacheOptionStruct();

}  // namespace ROCKSDB_NAMESPACE
