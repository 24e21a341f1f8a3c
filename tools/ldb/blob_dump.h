// Shows a blob file: its header, its records, its footer.
//
// A file without a footer, one that was being written, is read to its end.
//
// Errors   Corruption names the offset; what was shown before stands on
//          standard output. NotFound: there is no such file.
// Threads  One.
#pragma once

#include <string>

#include "rocksdb/env.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// kDetail: 16 bytes a line, in hex and, where they can be printed, as they are.
enum class BlobDisplay { kNone, kPlain, kHex, kDetail };

struct BlobDump {
  std::string path;
  Env* env = nullptr;
  BlobDisplay keys = BlobDisplay::kPlain;
  BlobDisplay blobs = BlobDisplay::kNone;      // the bytes in the file
  BlobDisplay raw_blobs = BlobDisplay::kNone;  // uncompressed
  bool has_summary = false;
  // An object for each record, with all that is to be known of it, and nothing
  // else.
  bool as_json = false;
};

Status DumpBlobFile(const BlobDump& dump);

}  // namespace ROCKSDB_NAMESPACE
