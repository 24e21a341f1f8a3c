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

struct BlockBasedTableOptions;

// A value as text, empty where the row offers none: one of its samples, else
// one that its kind makes up within the row's limits.
std::string RandomOptionText(const OptionRow& row, Random64* random);

// Sets about every `one_in`-th option to a random value that the engine can
// honour (OptionTraits::built), and leaves the rest.
void RandomizeOptions(const OptionStruct& options, uint64_t one_in,
                      Random64* random, void* object);

// What one database with one kind of table is opened with.
struct RunnableOptions {
  DBOptions* db;
  ColumnFamilyOptions* cf;
  BlockBasedTableOptions* table;
};

// Sets about every `one_in`-th switch, enumeration and sampled number to a
// random value, as far as the engine accepts all of them together. Options that
// place files, change what is promised or what data mean, or stop writers for
// long, are left alone: any database may be opened with the result.
void RandomizeRunnableOptions(uint64_t one_in, Random64* random,
                              const RunnableOptions& options);

}  // namespace ROCKSDB_NAMESPACE
