#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "file/writable_file_writer.h"
#include "rocksdb/db_dump_tool.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "util/coding.h"
#include "util/ignore_error.h"
#include "util/json_text.h"
#include "utilities/dump/dump_format.h"
#include "utilities/dump/stream_file.h"

namespace ROCKSDB_NAMESPACE {

namespace {

Status DescribeDump(const DumpOptions& dump, Env* env, std::string* text) {
  if (dump.anonymous) {
    *text = "{}";
    return Status::OK();
  }
  std::string path;
  if (Status s = env->GetAbsolutePath(dump.db_path, &path); !s.ok()) return s;
  std::string host;
  if (Status s = env->GetHostNameString(&host); !s.ok()) return s;
  int64_t now = 0;
  if (Status s = env->GetCurrentTime(&now); !s.ok()) return s;
  *text = "{ \"database-path\": ";
  AppendJsonString(path, text);
  *text += ", \"hostname\": ";
  AppendJsonString(host, text);
  *text += ", \"creation-time\": " + std::to_string(now) + " }";
  return Status::OK();
}

Status AppendChunk(const Slice& bytes, WritableFileWriter* file) {
  if (bytes.size() > UINT32_MAX) {
    return Status::NotSupported("a dump of a value of 4 GiB or more");
  }
  std::string length;
  PutFixed32(&length, static_cast<uint32_t>(bytes.size()));
  Status s = file->Append(length);
  return s.ok() ? Status(file->Append(bytes)) : s;
}

Status WriteDump(const DumpOptions& dump, DB* db, WritableFileWriter* file) {
  std::string about;
  Status s = DescribeDump(dump, db->GetEnv(), &about);
  if (s.ok()) s = file->Append(kDumpHeader);
  if (s.ok()) s = AppendChunk(about, file);
  ReadOptions read;
  read.total_order_seek = true;
  read.fill_cache = false;
  const std::unique_ptr<Iterator> it(db->NewIterator(read));
  for (it->SeekToFirst(); s.ok() && it->Valid(); it->Next()) {
    s = AppendChunk(it->key(), file);
    if (s.ok()) s = AppendChunk(it->value(), file);
  }
  if (s.ok()) s = it->status();
  if (s.ok()) s = file->Sync(db->GetDBOptions().use_fsync);
  if (s.ok()) s = file->Close();
  return s;
}

Status CreateOutput(const DumpOptions& dump, const Options& options,
                    FileSystem* fs, std::unique_ptr<WritableFileWriter>* file) {
  const std::string& path = dump.dump_location;
  if (options.env != Env::Default() || !IsStream(path)) {
    return WritableFileWriter::Create(fs, path, FileOptions(), file);
  }
  std::unique_ptr<FSWritableFile> stream;
  const IOStatus s = StreamFile::Open(path, &stream);
  if (!s.ok()) return s;
  *file = std::make_unique<WritableFileWriter>(std::move(stream), path,
                                               FileOptions());
  return s;
}

// Nobody is to take what is not whole for a dump. A name that was there before
// stays: it may be a device, or a link, and only a file can be cut.
void TakeBack(FileSystem* fs, const std::string& path, bool was_there) {
  IgnoreError(fs->Truncate(path, 0, IOOptions(), nullptr),
              "what stopped the dump is told");
  if (was_there) return;
  IgnoreError(fs->DeleteFile(path, IOOptions(), nullptr),
              "what stopped the dump is told");
}

// `*problem` begins the line that is told.
Status DumpDatabase(const DumpOptions& dump, const Options& options,
                    std::string* problem) {
  std::unique_ptr<DB> db;
  Status s = DB::OpenForReadOnly(options, dump.db_path, &db);
  if (!s.ok()) {
    *problem = "Unable to open database '" + dump.db_path + "' for reading: ";
    return s;
  }
  FileSystem* const fs = db->GetFileSystem();
  const Status exists =
      fs->FileExists(dump.dump_location, IOOptions(), nullptr);
  const bool was_there = !exists.IsNotFound() && !exists.IsPathNotFound();
  std::unique_ptr<WritableFileWriter> file;
  s = CreateOutput(dump, options, fs, &file);
  if (!s.ok()) return s;
  s = WriteDump(dump, db.get(), file.get());
  if (!s.ok()) {
    file.reset();
    TakeBack(fs, dump.dump_location, was_there);
  }
  return s;
}

}  // namespace

bool DbDumpTool::Run(const DumpOptions& dump_options, Options options) {
  std::string problem = "Unable to dump " + dump_options.db_path + " to " +
                        dump_options.dump_location + ": ";
  const Status s = DumpDatabase(dump_options, options, &problem);
  if (!s.ok()) {
    fprintf(stderr, "%s%s\n", problem.c_str(), s.ToString().c_str());
  }
  return s.ok();
}

}  // namespace ROCKSDB_NAMESPACE
