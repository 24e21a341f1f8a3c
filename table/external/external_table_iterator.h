// A cursor of an application's format as one of the engine's: user keys become
// internal ones of sequence 0.
//
// Threads    One thread.
// Ownership  Owns the application's cursor.
// Errors     The application's.
#pragma once

#include <memory>

#include "rocksdb/external_table.h"
#include "util/key/internal_iterator.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// `puts_off_values`: values are prepared when they are asked for
// (InternalIterator::GetValue()).
std::unique_ptr<InternalIterator> NewExternalTableCursor(
    std::unique_ptr<ExternalTableIterator> inner,
    const InternalKeyComparator& order, bool puts_off_values);

}  // namespace ROCKSDB_NAMESPACE
