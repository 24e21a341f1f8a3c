// Options to text, over the rows of any struct, and their comparison.
//
// Threads  Pure functions.
#pragma once

#include <string>

#include "options/option_row.h"
#include "rocksdb/convenience.h"

namespace ROCKSDB_NAMESPACE {

// The value of one option as text.
std::string PrintOption(const ConfigOptions& config, const OptionRow& row,
                        const void* object);

// "a=1;b={c=2;};": every row that is written, each followed by
// config.delimiter. With config.mutable_options_only, dynamic rows alone.
std::string PrintOptions(const ConfigOptions& config,
                         const OptionStruct& options, const void* object);

// The first row in which the two differ; null if they are equal.
const OptionRow* FirstDifference(const ConfigOptions& config,
                                 const OptionStruct& options, const void* a,
                                 const void* b);

}  // namespace ROCKSDB_NAMESPACE
