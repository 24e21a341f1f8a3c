#include "tools/ldb/file_dumps.h"

#include <cstdio>
#include <map>
#include <memory>

#include "file/filename.h"
#include "rocksdb/options.h"
#include "tools/ldb/blob_dump.h"
#include "tools/ldb/command.h"
#include "tools/ldb/json.h"
#include "tools/ldb/manifest_dump.h"
#include "tools/ldb/wal_dump.h"
#include "tools/sst_dump/lone_table.h"
#include "tools/sst_dump/table_scan.h"

namespace ROCKSDB_NAMESPACE {

namespace {

DumpOutcome DumpLogFile(const FileDumpRequest& request) {
  const std::map<uint32_t, const Comparator*> no_comparators;
  WalDumpRequest wal;
  wal.path = request.path;
  wal.env = request.env;
  wal.has_header = true;
  wal.shows_values = true;
  wal.as_json = request.as_json;
  wal.comparators =
      request.comparators != nullptr ? request.comparators : &no_comparators;
  return DumpWal(wal);
}

Status ShowTable(const FileDumpRequest& request) {
  Options options;
  options.env = request.env;
  std::unique_ptr<LoneTable> file;
  Status s = LoneTable::Open(options, request.path, &file);
  if (!s.ok()) return s;
  if (!request.as_json) PrintLine("Sst file format: " + file->format());
  TableScan scan;
  scan.as_json = request.as_json;
  scan.from = request.from;
  scan.to = request.to;
  scan.keys = request.keys;
  scan.values = request.values;
  scan.references = request.decodes_blob_references ? BlobReferences::kDecoded
                                                    : BlobReferences::kRaw;
  uint64_t count = 0;
  s = ScanTable(*file, scan, &count);
  if (!s.ok()) return s;
  if (request.as_json) {
    PrintLine(JsonObject()
                  .Add("file", request.path)
                  .AddRaw("properties", JsonOfProperties(*file->properties()))
                  .Text());
    return s;
  }
  PrintLine("\nTable Properties:\n" + file->properties()->ToString("\n", "="));
  return s;
}

DumpOutcome OutcomeOf(const Status& s) {
  if (s.ok()) return {};
  return {s.ToString()};
}

DumpOutcome DumpTableFile(const FileDumpRequest& request) {
  if (!request.as_json) PrintLine("Process " + request.path);
  const Status s = ShowTable(request);
  if (s.ok()) return {};
  // RocksDB's tool puts no blank between the two.
  std::fprintf(stderr, "Error in reading SST file %s%s\n", request.path.c_str(),
               s.ToString().c_str());
  return {s.ToString(), /*is_told=*/true};
}

DumpOutcome DumpManifestFile(const FileDumpRequest& request) {
  ManifestDump manifest;
  manifest.path = request.path;
  manifest.env = request.env;
  manifest.keys = request.keys;
  if (request.as_json) {
    manifest.edits = EditForm::kJson;
    manifest.shows_state = false;
  }
  const Status s = DumpManifest(manifest);
  if (s.ok()) return {};
  TellBadManifest(request.path, s);
  return {s.ToString(), /*is_told=*/true};
}

DumpOutcome DumpBlobs(const FileDumpRequest& request) {
  const auto display = [](Bytes bytes) {
    return bytes == Bytes::kHex ? BlobDisplay::kHex : BlobDisplay::kPlain;
  };
  BlobDump blobs;
  blobs.path = request.path;
  blobs.env = request.env;
  blobs.keys = display(request.keys);
  (request.uncompresses_blobs ? blobs.raw_blobs : blobs.blobs) =
      display(request.values);
  blobs.has_summary = true;
  blobs.as_json = request.as_json;
  return OutcomeOf(DumpBlobFile(blobs));
}

}  // namespace

DumpOutcome DumpFileByName(const FileDumpRequest& request) {
  const std::string name =
      request.path.substr(request.path.find_last_of('/') + 1);
  uint64_t number = 0;
  FileType type = kTempFile;
  if (!ParseFileName(name, &number, &type)) {
    return {"Can't parse file type: " + request.path};
  }
  switch (type) {
    case kWalFile:
      return DumpLogFile(request);
    case kTableFile:
      return DumpTableFile(request);
    case kDescriptorFile:
      return DumpManifestFile(request);
    case kBlobFile:
      return DumpBlobs(request);
    default:
      return {"File type not supported: " + request.path};
  }
}

}  // namespace ROCKSDB_NAMESPACE
