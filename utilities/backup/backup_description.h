// What a backup consists of, as meta/<id> says it.
//
//   schema_version 2.1             schema 2 only
//   <seconds since 1970>
//   <sequence number>
//   metadata <hex>                 if there is any; schema 2: other fields too
//   <number of files>
//   <path> crc32 <decimal>         one line for each file; schema 2: any fields
//   <path> ni::excluded true       schema 2: files that are not there
//   // FOOTER                      schema 2: and what follows is passed over
//
// A field that is not known is passed over, unless its name begins with "ni::".
//
// Threads  Pure functions.
// Errors   Decoding: Corruption, or NotSupported for what a later release must
//          have written. Never more memory than a small multiple of the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rocksdb/io_status.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"

namespace ROCKSDB_NAMESPACE {

struct BackupFile {
  static constexpr uint64_t kUnknownSize = UINT64_MAX;

  // Below the backup directory.
  std::string path;
  uint32_t crc32c = 0;
  // Schema 2 may leave it out.
  bool has_crc32c = false;
  uint64_t size_bytes = kUnknownSize;
  Temperature temperature = Temperature::kUnknown;
};

struct BackupDescription {
  static constexpr int kMaxSchema = 2;

  int64_t timestamp = 0;
  uint64_t sequence = 0;
  std::string app_metadata;
  std::vector<BackupFile> files;
  // Paths that they would have.
  std::vector<std::string> excluded;
};

std::string EncodeBackup(const BackupDescription& backup, int schema);

// `result` is untouched on failure.
IOStatus DecodeBackup(const Slice& text, BackupDescription* result);

// The paths of files in a text that may be damaged: what a backup may need that
// cannot be decoded.
std::vector<std::string> PathsIn(const Slice& text);

}  // namespace ROCKSDB_NAMESPACE
