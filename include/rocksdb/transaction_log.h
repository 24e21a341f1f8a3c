#pragma once

// The older name of rocksdb/wal_iterator.h.

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/wal_iterator.h"
