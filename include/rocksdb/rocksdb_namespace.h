#pragma once

// The namespace that holds the whole interface. A build may choose another one
// with -DROCKSDB_NAMESPACE=name, for the library and its users alike, so that
// two engines can be linked into one process.
#ifndef ROCKSDB_NAMESPACE
#define ROCKSDB_NAMESPACE rocksdb
#endif
