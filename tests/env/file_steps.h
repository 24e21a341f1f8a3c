// The language of the scripts about file systems.
//
//   KIND OPTION..          a file system, empty
//   WHO: STEP; STEP..      one line of answers each; "OK" if all are
//
// KIND is memory, or what lies around one that is: read_only, counted,
// encrypted. WHO is fs; raw, the one below; or clock, which stands still.
// OPTIONs of the memory: alignment:BYTES and no_direct (of direct files),
// implicit (directories), capacity:BYTES.
//
// A TEXT is as it is, with \xHH as a byte; T*N is N of them, one behind the
// other. Long texts are shown by their size.
//
// Steps: write PATH TEXT, append PATH TEXT, read PATH, read_at PATH OFFSET
// BYTES,
//   skip PATH BYTES BYTES (what comes behind the first of them)
//   create PATH, reuse NEW OLD TEXT, write_at PATH OFFSET TEXT, size PATH,
//   truncate PATH BYTES, delete PATH, rename PATH PATH, sync PATH,
//   durable PATH (open, flush, sync, fsync, close)
//   link PATH PATH, links PATH, same PATH PATH
//   mkdir PATH, mkdir_if PATH, rmdir PATH, list PATH, is_dir PATH,
//   sync_dir PATH, exists PATH, absolute PATH
//   hold PATH (open it for reading), held OFFSET BYTES, let_go, is_closed PATH
//   lock PATH, unlock PATH, age PATH (seconds since its last change)
//   counts (of those that are not 0); wait SECONDS, of the clock
//   Behind read, read_at, create, write: direct
#pragma once

#include <cstddef>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// Runs tests/testdata/FILE; returns how many cases it has.
size_t RunFileScript(const std::string& file);

}  // namespace ROCKSDB_NAMESPACE
