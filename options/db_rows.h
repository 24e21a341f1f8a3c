// The rows of DBOptions.
//
// Threads  Constants.
#pragma once

#include "options/option_row.h"

namespace ROCKSDB_NAMESPACE {

const OptionStruct& DBOptionStruct();

}  // namespace ROCKSDB_NAMESPACE
