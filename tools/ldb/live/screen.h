// Views that are shown anew every few seconds: on a terminal in place of the
// one before, elsewhere one after another.
//
// Threads  One.
#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Before each view.
void BeginScreen();

// After each. False: nobody reads any more.
bool FlushScreen();

}  // namespace ROCKSDB_NAMESPACE
