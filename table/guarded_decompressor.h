// A decompressor of the application's, so that neither what it throws nor what
// it says of sizes does harm. A built-in one needs no guard and gets none: the
// reading of its blocks pays for nothing here.
//
// Threads    As the decompressor.
// Errors     Aborted for what is thrown, Corruption for impossible sizes.
#pragma once

#include <memory>

#include "rocksdb/advanced_compression.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Null stays null.
std::shared_ptr<Decompressor> GuardDecompressor(
    std::shared_ptr<Decompressor> decompressor);

// What `plain`, which is guarded where it has to be, makes for `dictionary`,
// guarded likewise. Holds a copy of the dictionary.
Status GuardedForDictionary(Decompressor* plain, const Slice& dictionary,
                            std::shared_ptr<Decompressor>* result);

}  // namespace ROCKSDB_NAMESPACE
