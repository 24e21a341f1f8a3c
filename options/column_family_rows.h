// The rows of ColumnFamilyOptions and of the structs inside it.
//
// Threads  Constants.
#pragma once

#include "options/option_row.h"

namespace ROCKSDB_NAMESPACE {

const OptionStruct& ColumnFamilyOptionStruct();
const OptionStruct& CompressionOptionStruct();
const OptionStruct& UniversalOptionStruct();
const OptionStruct& FifoOptionStruct();
const OptionStruct& FileTemperatureAgeStruct();

}  // namespace ROCKSDB_NAMESPACE
