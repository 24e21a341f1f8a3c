#pragma once

// DB::NewMultiScan() and the walk over several ranges of keys that it makes.

#include "rocksdb/db.h"
#include "rocksdb/multi_scan_iterators.h"
#include "rocksdb/rocksdb_namespace.h"
