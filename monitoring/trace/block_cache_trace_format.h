// The files that traces of the block cache are (trace_format.h). The first
// record is kTraceBegin; each other one is of a block's type.
//
//   lps magic  fixed32 major release  fixed32 minor                  | first
//
//   lps key of the block  fixed64 size                               | others
//   fixed64 family  lps name of the family  fixed32 level  fixed64 file
//   uint8 caller  uint8 hit  uint8 not inserted
//   fixed64 look-up  uint8 snapshot of the user's  lps internal key  | Get
//   fixed64 bytes found  fixed64 keys in the block  uint8 found      | its data
#pragma once

#include "monitoring/trace/trace_format.h"
#include "rocksdb/block_cache_trace_writer.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// Do records of that caller tell of a lookup of keys?
inline bool LooksUpKeys(TableReaderCaller caller) {
  return caller == kUserGet || caller == kUserMultiGet;
}

// One access. Corruption: it is cut off, or of no type or caller that there is.
Status DecodeBlockAccess(const TraceRecordParts& bytes,
                         BlockCacheTraceRecord* record);

}  // namespace ROCKSDB_NAMESPACE
