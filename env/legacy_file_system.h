// The newer FileSystem interface, answered by an Env that has only the older
// one: what drives the engine when an application overrides Env's file calls.
//
// Names go through untouched, so an Env may use any name space, relative names
// without directories included.
//
// Threads    Safe for concurrent use, as the Env is.
// Ownership  Borrows the Env, which owns this adapter.
// Errors     Those of the Env, as IOStatus.

#pragma once

#include <memory>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE {

std::shared_ptr<FileSystem> NewLegacyFileSystem(Env* env);

// The same for its time calls.
std::shared_ptr<SystemClock> NewLegacyClock(Env* env);

}  // namespace ROCKSDB_NAMESPACE
