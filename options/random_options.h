// Random values for options, drawn from their rows, for tests that must hold
// under every setting.
//
// Threads  Pure functions over the generator that they are given.
#pragma once

#include <string>

#include "options/option_row.h"
#include "rocksdb/options.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {

// A value as text, empty where the row offers none: one of its samples, else
// one that its kind makes up within the row's limits.
std::string RandomOptionText(const OptionRow& row, Random64* random);

// Sets about every `one_in`-th option to a random value that the engine can
// honour (OptionTraits::built), and leaves the rest.
void RandomizeOptions(const OptionStruct& options, uint64_t one_in,
                      Random64* random, void* object);

}  // namespace ROCKSDB_NAMESPACE
